// Sounds, texts, tables, files, references.

import type { Host } from "./details";
import { button, grouped, h } from "./dom";
import { commitOnEnter } from "./draft";
import { keeps } from "./keep";
import type { Details } from "./messages";
import { Replacing } from "./replacing";
import { waveOf } from "./wave";

interface Content {
  kind: string;
  extension: string;
  note: string | null;
  name: string;
}

/** Files that sounds and music are given: those that the objects of UE1 to UE3 hold. */
const SOUNDS = ".wav,.ogg,.it,.xm,.s3m,.mod,.umx,audio/*";

const TYPES: Record<string, string> = { wav: "audio/wav", ogg: "audio/ogg", mp3: "audio/mpeg", ttf: "font/ttf", otf: "font/otf" };

/** Saves bytes as a file. */
export function download(file: Blob, name: string): void {
  const url = URL.createObjectURL(file);
  const link = h("a", { href: url, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

async function file(host: Host, details: Details): Promise<{ content: Content; blob: Blob; name: string }> {
  const { value, bytes } = await host.doc().ask<Content>("content", { row: details.row });
  const blob = new Blob([bytes ?? new ArrayBuffer(0)], { type: TYPES[value.extension] ?? "application/octet-stream" });
  return { content: value, blob, name: `${value.name}.${value.extension}` };
}

/** Plays on from where the sound was, unless it is another one now. */
function keepPlayed(player: HTMLAudioElement, sound: string): void {
  keeps<{ sound: string; at: number; isPlaying: boolean }>(player, "player", {
    take: () => (player.currentTime > 0 || !player.paused ? { sound, at: player.currentTime, isPlaying: !player.paused } : undefined),
    give: (before) => {
      if (before.sound !== sound) return;
      player.currentTime = before.at;
      if (before.isPlaying) void player.play().catch(() => {});
    },
  });
}

export async function soundTab(host: Host, details: Details): Promise<HTMLElement> {
  const { content, blob, name } = await file(host, details);
  const plays = document.createElement("audio").canPlayType(blob.type) !== "";
  const player = plays ? h("audio", { controls: true, src: URL.createObjectURL(blob), "aria-label": `Sound ${details.title}` }) : null;
  if (player) keepPlayed(player, `${name}, ${blob.size} bytes`);
  const wave = await waveOf(blob, details.title, player);
  const replacing = new Replacing(host, details);
  const shown = h("div", { class: "sound" }, wave ?? null, player ?? h("p", { class: "note" }, `Browsers do not play .${content.extension} files; save it and use a player that does.`),
    h("p", { class: "muted" }, `${name}, ${grouped(blob.size)} bytes`), content.note ? h("p", { class: "note" }, content.note) : null);
  // Those of UE4 and UE5 are not made here.
  const isMade = !/[45]$/.test(host.doc().summary.engine);
  if (isMade) replacing.takesDrops(shown);
  return h("div", {}, shown, replacing.said,
    h("p", { class: "actions" }, button("Save the sound", () => download(blob, name)), isMade ? replacing.button("Replace it\u2026", SOUNDS) : null));
}

export async function fileTab(host: Host, details: Details): Promise<HTMLElement> {
  const { content, blob, name } = await file(host, details);
  return h("div", {}, h("p", {}, `A ${content.kind}: ${name}, ${grouped(blob.size)} bytes`), h("p", { class: "actions" }, button("Save the file", () => download(blob, name))));
}

export async function textTab(host: Host, details: Details): Promise<HTMLElement> {
  const { blob, name } = await file(host, details);
  const text = await blob.text();
  const area = h("textarea", { class: "text", "aria-label": `Text of ${details.title}`, "data-path": "text", spellcheck: false, value: text, rows: Math.min(30, text.split("\n").length + 2) });
  commitOnEnter(area, () => host.change({ do: "text", object: details.object, text: area.value.replace(/\r?\n/g, text.includes("\r\n") ? "\r\n" : "\n") }), area.value);
  return h("div", {}, area, h("p", { class: "actions" }, button("Save the text", () => download(blob, name)), h("span", { class: "muted" }, "Ctrl+Enter takes a change over.")));
}

export async function referencesTab(host: Host, details: Details): Promise<HTMLElement> {
  interface One { text: string; link: string | null; count: number; places?: string[] }
  const found = await host.doc().get<{ by: One[]; to: One[]; unseen: number; more?: boolean }>("references", { key: details.key });
  const list = (ones: One[]): Node => h("ul", { class: "references" }, ...ones.map((one) => h("li", {},
    one.link ? button(one.text, () => host.go(one.link!), { class: "link" }) : one.text,
    one.count > 1 ? h("span", { class: "muted" }, ` ${grouped(one.count)} times`) : null,
    one.places && one.places.length ? h("div", { class: "places" }, one.places.slice(0, 6).join(", ") + (one.places.length > 6 ? ", \u2026" : "")) : null)));
  const section = (title: string, ones: One[], none: string): Node => h("section", {}, h("h3", {}, title), ones.length ? list(ones) : h("p", { class: "muted" }, none));
  return h("div", {}, section("Refers to it", found.by, "Nothing in this package."),
    details.key.startsWith("export") ? section("It refers to", found.to, "Nothing.") : null,
    found.unseen > 0 ? h("p", { class: "note" }, `${grouped(found.unseen)} ${found.unseen === 1 ? "body is" : "bodies are"} not decoded whole and may refer to it as well.`) : null);
}
