// One search over names, values, texts, code and bytes of a package: a list of hits, each leading to its place.

import { button, grouped, h, hex } from "./dom";
import type { Tab } from "./messages";

export interface Hit {
  kind: "name" | "import" | "export" | "value" | "text" | "code";
  link: string | null;
  /** The object that holds it. */
  place: string;
  path: string;
  line: number | null;
  /** Whether `path` is that of a property. */
  property: boolean;
  text: string;
}

/** A place where the bytes are what was searched for. */
export interface ByteHit { what: string; at: number; length: number; place: string }

export interface Hits { hits: Hit[]; count: number; unseen: number; bytes: ByteHit[]; in_bytes: number }

const TITLES: Record<Hit["kind"], string> = { name: "Names", import: "Imports", export: "Objects", value: "Values", text: "Texts", code: "Code" };
const TABS: Partial<Record<Hit["kind"], Tab>> = { name: "references", value: "properties", text: "text", code: "code" };

/** The text with what was searched for marked. */
function marked(text: string, wanted: string): Node[] {
  const at = text.toLowerCase().indexOf(wanted.toLowerCase());
  if (at < 0) return [document.createTextNode(text)];
  const end = at + wanted.length;
  return [document.createTextNode(text.slice(0, at)), h("mark", {}, text.slice(at, end)), document.createTextNode(text.slice(end))];
}

/** `go` leads to an object, `goProperty` to the bytes of one of its properties too, `mark` to bytes. */
export function searchPage(found: Hits, wanted: string, go: (key: string, tab?: Tab) => void, goProperty: (key: string, path: string) => void, mark: (range: [number, number]) => void): HTMLElement {
  const one = (hit: Hit): HTMLElement => {
    const where = [hit.place, hit.path].filter(Boolean).join(hit.property ? "." : " ") || hit.text;
    const act = (): void => (hit.property && hit.link ? goProperty(hit.link, hit.path) : go(hit.link!, TABS[hit.kind]));
    return h("li", {}, hit.link ? button(where, act, { class: "link" }) : where,
      where === hit.text ? null : h("div", { class: "places" }, hit.line ? `${grouped(hit.line)}: ` : null, ...marked(hit.text, wanted)));
  };
  const sections = Object.entries(TITLES).map(([kind, title]) => {
    const hits = found.hits.filter((hit) => hit.kind === kind);
    return hits.length ? h("section", {}, h("h3", {}, title), h("ul", { class: "references hits" }, ...hits.map(one))) : null;
  });
  if (found.bytes.length) {
    const ones = found.bytes.map(({ what, at, length, place }) => h("li", {}, button(hex(at), () => mark([at, at + length]), { class: "link" }), ` ${what}`, place ? h("div", { class: "places" }, place) : null));
    sections.push(h("section", {}, h("h3", {}, "Bytes"), h("ul", { class: "references hits hits-bytes" }, ...ones),
      found.in_bytes > ones.length ? h("p", { class: "muted" }, `and ${grouped(found.in_bytes - ones.length)} more places`) : null));
  }
  const more = found.count - found.hits.length;
  return h("div", {}, found.count + found.in_bytes === 0 ? h("p", { class: "muted" }, "Found nowhere.") : null, ...sections,
    more > 0 ? h("p", { class: "muted" }, `and ${grouped(more)} more places`) : null,
    found.unseen > 0 ? h("p", { class: "note" }, `${grouped(found.unseen)} ${found.unseen === 1 ? "body is" : "bodies are"} not decoded whole and may have it as well.`) : null);
}
