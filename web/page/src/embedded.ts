// Files that stand within the page: `upk page FILES` puts them there, as Base64.

import { fromBase64 } from "./base64";
import { Failure } from "./engine";
import { placedFile } from "./files";

/** What came with the page: files, and the paths of those whose text is damaged. */
export interface Embedded {
  files: File[];
  damaged: { path: string; failure: Failure }[];
}

/** The files that came with the page; they are taken out of it. */
export function embeddedFiles(): Embedded {
  const embedded: Embedded = { files: [], damaged: [] };
  for (const element of document.querySelectorAll<HTMLScriptElement>("script[data-path]")) {
    const text = (element.textContent ?? "").trim();
    const path = element.dataset.path!;
    element.remove();
    try {
      embedded.files.push(placedFile(new File(fromBase64(text), path.slice(path.lastIndexOf("/") + 1)), path));
    } catch {
      embedded.damaged.push({ path, failure: new Failure("Its bytes in this page are damaged.", "Write the page again with upk page.", "embedded") });
    }
  }
  return embedded;
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
