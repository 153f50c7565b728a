// What is known of a place, as a list.

import type { Host } from "./details";
import type { Change } from "./doc";
import { button, grouped, h } from "./dom";
import { commitOnEnter } from "./draft";
import type { Details, Fact } from "./messages";

/** What is known of an object, and what of that can be changed. */
export function factsTab(host: Host, details: Details): HTMLElement {
  const list = h("dl", { class: "facts" });
  for (const fact of details.facts) {
    list.append(h("dt", {}, fact.label), h("dd", {}, factOf(host, fact)));
  }
  const range = details.range;
  const notes = (details.notes ?? []).map((note) => h("p", { class: "note" }, note));
  return h("div", {}, ...notes, list,
    range && range[1] > range[0] ? h("p", { class: "actions" },
      button(`Show its ${grouped(range[1] - range[0])} bytes`, () => host.mark(range)),
      details.object ? button("Duplicate\u2026", () => duplicate(host, details)) : null,
      details.object ? button("Remove", () => void host.change({ do: "remove", object: details.object! }).then((done) => {
        if (done) host.go("exports");
      })) : null) : null);
}

function duplicate(host: Host, details: Details): void {
  const name = prompt("Name of the copy", `${details.title}2`);
  if (name) void host.change({ do: "duplicate", object: details.object, name });
}

function factOf(host: Host, fact: Fact): Node {
  if (fact.link) return button(fact.value, () => host.go(fact.link!), { class: "link" });
  const shown = fact.range ? h("span", {}, fact.value, " ", button("show", () => host.mark(fact.range!), { class: "link" })) : null;
  if (!fact.edit) return shown ?? document.createTextNode(fact.value);
  const text = fact.flags ? fact.flags.join(" | ") : fact.value;
  const input = h("input", { type: "text", value: text, "aria-label": fact.label, "data-path": `fact-${fact.label}`, autocomplete: "off", spellcheck: false, class: "wide" });
  commitOnEnter(input, async () => {
    const edit = fact.edit!;
    const { range: _range, ...change } = edit.change as Change;
    if (fact.flags) {
      const wanted = input.value.split(/[|,]/).map((word) => word.trim()).filter(Boolean);
      change.add = wanted.filter((word) => !fact.flags!.includes(word));
      change.remove = fact.flags.filter((word) => !wanted.includes(word));
    } else change[edit.field] = input.value;
    return host.change(change);
  }, text);
  return input;
}
