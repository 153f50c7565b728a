// Files that stand within the page: `upk page FILES` puts them there, as Base64.

import { placedFile } from "./files";

/** Characters that are decoded at a time: four are three bytes. */
const PIECE = 4 << 18;

/** The files that came with the page; they are taken out of it. */
export function embeddedFiles(): File[] {
  return [...document.querySelectorAll<HTMLScriptElement>("script[data-path]")].map((element) => {
    const text = (element.textContent ?? "").trim();
    const path = element.dataset.path!;
    element.remove();
    const pieces: Uint8Array<ArrayBuffer>[] = [];
    for (let at = 0; at < text.length; at += PIECE) pieces.push(Uint8Array.from(atob(text.slice(at, at + PIECE)), (char) => char.charCodeAt(0)));
    return placedFile(new File(pieces, path.slice(path.lastIndexOf("/") + 1)), path);
  });
}

/** The address that the page opens with, where it has none of its own. */
export function embeddedAddress(): string {
  return document.querySelector<HTMLMetaElement>("meta[name=farchive-place]")?.content ?? "";
}

/** How packages are read that came with it: a game, a release; empty where they say it themselves. */
export function embeddedReading(): { game: string; release: string } {
  const [game = "", release = ""] = (document.querySelector<HTMLMetaElement>("meta[name=farchive-reading]")?.content ?? "").split("/");
  return { game, release };
}
