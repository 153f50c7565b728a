// What was changed in a package, and what differs from the file as it was opened.

import { comparedPage } from "./compare";
import type { Compared } from "./compare";
import { errorNote } from "./details";
import type { Doc } from "./doc";
import { h } from "./dom";

export async function fillChanges(doc: Doc, content: HTMLElement, go: (key: string) => void): Promise<void> {
  const { list, done } = doc.summary.changes ?? { list: [], done: 0 };
  const rows = list.map((one, at) => h("li", { class: at < done ? "" : "undone" }, h("div", {}, one.text), one.command ? h("code", { class: "command" }, one.command) : null));
  content.replaceChildren(list.length ? h("ol", { class: "changes" }, ...rows) : h("p", { class: "muted" }, "Nothing was changed."));
  if (done === 0) return;
  try {
    const found = await doc.get<Compared>("compare", { old: doc.own, new: doc.own, original: true });
    content.append(h("h3", {}, "What differs from the file as it was opened"), comparedPage(found, go, null));
  } catch (error) {
    content.append(errorNote(error));
  }
}
