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

/** An editor of a text in place of what shows it: the same one in each view of its object, until it is left. */
export class CodeEditor {
  readonly element: HTMLElement;
  private readonly area: HTMLTextAreaElement;
  private readonly said = h("div", { role: "status" });
  private readonly meanwhile = h("div", { role: "status" });
  private isCompiling = false;
  private scrolled: [number, number] = [0, 0];
  /** Whether it was left: its text is compiled, or not wanted. */
  isLeft = false;
  /** The stored text that was opened. */
  private over: string;

  constructor(private host: Host, private details: Details, private stored: string, private left: () => void) {
    this.over = stored;
    this.area = h("textarea", { class: "text code", rows: Math.min(40, stored.split("\n").length + 3), "aria-label": `Text of ${details.title}`, "data-path": "code", spellcheck: false, wrap: "off", value: stored });
    // Taken off the page and put back it begins at the top again.
    this.area.addEventListener("scroll", () => { this.scrolled = [this.area.scrollLeft, this.area.scrollTop]; });
    this.area.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
        event.preventDefault();
        void this.compile();
      } else if (event.key === "Escape") this.leave();
    });
    this.element = h("div", {}, this.meanwhile, this.area, h("p", { class: "actions" }, button("Compile", () => void this.compile(), { id: "compile" }), button("Leave it as it was", () => this.leave()),
      h("span", { class: "muted" }, "Ctrl+Enter compiles it. Parameters and words before it stay as they are.")), this.said);
  }

  focus(): void {
    this.area.focus();
  }

  private leave(): void {
    this.isLeft = true;
    this.left();
  }

  /** Whether its text is stored nowhere. */
  get isTyped(): boolean {
    return this.area.value !== this.over;
  }

  /** Goes on in a view that has come after a change, of the same object, where another text may be stored. */
  resume(details: Details, stored: string, left: () => void): void {
    [this.details, this.left] = [details, left];
    if (this.area.scrollTop === 0 && this.area.scrollLeft === 0) [this.area.scrollLeft, this.area.scrollTop] = this.scrolled;
    if (!this.isTyped && !this.isCompiling) {
      // Nothing was typed: the text that is stored now is shown.
      if (this.area.value !== stored) this.area.value = stored;
      this.over = stored;
    }
    this.stored = stored;
    this.warn();
  }

  /** Says that another change has stored another text: what is typed neither goes away nor wins silently. */
  private warn(): void {
    // What is being compiled may be what was stored.
    if (this.isCompiling) return;
    if (this.over === this.stored) return this.meanwhile.replaceChildren();
    this.meanwhile.replaceChildren(h("div", { class: "note stored-meanwhile" }, h("p", {}, "Another change has stored another text meanwhile. Compile stores what is typed here in its place."),
      h("details", {}, h("summary", {}, "The text that is stored now"), h("pre", { class: "code", tabindex: "0", "aria-label": "The text that is stored now" }, h("code", {}, this.stored)))));
  }

  private async compile(): Promise<void> {
    if (this.isCompiling) return;
    this.isCompiling = true;
    const text = this.area.value;
    this.said.replaceChildren();
    this.area.setAttribute("aria-busy", "true");
    const isDone = await this.host.change({ do: "code", object: objectOf(this.details), text, lent: environment(this.host) }, (failure) => {
      if (failure.kind !== "code") return false;
      this.said.replaceChildren(errorsOf(failure, this.area));
      this.said.querySelector("button")?.focus();
      return true;
    });
    this.area.removeAttribute("aria-busy");
    this.isCompiling = false;
    if (isDone && this.area.value === text) return this.leave();
    // What is typed since then is typed over what was compiled.
    if (isDone) this.over = this.stored;
    this.warn();
  }
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
