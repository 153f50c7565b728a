// The text of a function or state, edited and compiled.

import type { Host } from "./details";
import { button, grouped, h } from "./dom";
import type { Failure } from "./engine";
import type { Details } from "./messages";
import { objectOf } from "./replacing";

/** Bytes of other packages that code is compiled with. */
const MOST = 128 << 20;

/** The packages of classes that the page has, besides this one: those that all others build on first. */
function environment(host: Host): File[] {
  const own = host.doc().group.header;
  const rank = (file: File): number => ["core.u", "engine.u"].indexOf(file.name.toLowerCase()) + 1 || 3;
  let room = MOST;
  return host.filesAtHand().filter((file) => file !== own && /\.u(pk)?$/i.test(file.name)).sort((one, other) => rank(one) - rank(other))
    .filter((file) => (room -= file.size) >= 0);
}

/** The text of an object that can be changed: a function or state of UnrealScript, the default values of a class. */
export function editableText(details: Details, code: { text: string; defaults: string | null; language: string }): string | null {
  if (code.language !== "UnrealScript") return null;
  return /(^|\.)(Function|State)$/.test(details.subtitle) ? code.text : code.defaults;
}

/** An editor of a text in place of what shows it. */
export function codeEditor(host: Host, details: Details, text: string, close: () => void): HTMLElement {
  const area = h("textarea", { class: "text code", rows: Math.min(40, text.split("\n").length + 3), "aria-label": `Text of ${details.title}`, "data-path": "code", spellcheck: false, wrap: "off", value: text });
  const said = h("div", { role: "status" });
  const compile = async (): Promise<void> => {
    said.replaceChildren();
    area.setAttribute("aria-busy", "true");
    await host.change({ do: "code", object: objectOf(details), text: area.value, lent: environment(host) }, (failure) => {
      if (failure.kind !== "code") return false;
      said.replaceChildren(errorsOf(failure, area));
      said.querySelector("button")?.focus();
      return true;
    });
    area.removeAttribute("aria-busy");
  };
  area.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      void compile();
    } else if (event.key === "Escape") close();
  });
  return h("div", {}, area, h("p", { class: "actions" }, button("Compile", () => void compile(), { id: "compile" }), button("Leave it as it was", close),
    h("span", { class: "muted" }, "Ctrl+Enter compiles it. Parameters and words before it stay as they are.")), said);
}

/** Errors as a list; each leads to its place in the text. */
function errorsOf(failure: Failure, area: HTMLTextAreaElement): HTMLElement {
  const go = (line: number, column: number, length: number): void => {
    const before = area.value.split("\n").slice(0, line - 1).reduce((sum, text) => sum + text.length + 1, 0);
    area.focus();
    area.setSelectionRange(before + column - 1, before + column - 1 + length);
    area.scrollTop = Math.max(0, (line - 4) * (area.scrollHeight / Math.max(1, area.value.split("\n").length)));
  };
  const one = ({ line, column, length, message, hint }: Failure["places"][number]): HTMLElement => h("li", {},
    button(`Line ${grouped(line)}, column ${grouped(column)}`, () => go(line, column, length), { class: "link" }), `: ${message}`, hint ? h("div", { class: "muted" }, hint) : null);
  return h("div", { class: "note wrong" }, h("p", {}, failure.message), h("ol", { class: "code-errors" }, ...failure.places.map(one)), failure.next ? h("p", {}, failure.next) : null);
}
