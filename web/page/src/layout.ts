// The layout of a type as a page.

import type { Doc } from "./doc";
import { button, h } from "./dom";

/** A text of the documentation without its marks. */
const plain = (text: string): string => text.replaceAll("`", "");

interface Layout {
  name: string;
  doc: string;
  shape: string;
  fields: { name: string; type: string; doc: string; bounds: string; when: string | null; link: string | null }[];
}

export async function layoutPage(doc: Doc, name: string, go: (name: string) => void): Promise<{ title: string; content: HTMLElement }> {
  const layout = await doc.get<Layout>("layout", { name });
  const rows = layout.fields.map((field) => h("tr", {}, h("th", { scope: "row" }, h("code", {}, field.name)),
    h("td", {}, field.link ? button(field.type, () => go(field.link!), { class: "link mono" }) : h("code", {}, field.type)),
    h("td", {}, [field.bounds || "all", field.when && `when ${field.when}`].filter(Boolean).join("; ")), h("td", {}, plain(field.doc))));
  const content = h("div", {}, ...layout.doc.split("\n").filter(Boolean).map((text) => h("p", {}, plain(text))), h("p", { class: "muted" }, layout.shape),
    h("div", { class: "scroll-x", tabindex: "0", role: "region", "aria-label": "Fields" }, h("table", { class: "table" }, h("thead", {}, h("tr", {}, ...["Field", "Type", "Versions", "Meaning"].map((text) => h("th", { scope: "col" }, text)))), h("tbody", {}, ...rows))));
  return { title: layout.name, content };
}
