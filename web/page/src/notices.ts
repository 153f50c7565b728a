// Messages in the corner: none is lost, however many there are.

import { button, grouped, h } from "./dom";

/** Messages that stand one over the other; the others wait in a list. */
const MOST = 4;

export class Notices {
  private readonly shown = h("div", { class: "notices-shown" });
  private readonly rest = h("div", { class: "notices-rest" });
  private readonly summary = h("summary", {});
  private readonly more = h("details", { class: "notice notices-more", hidden: true }, this.summary, this.rest);
  readonly element = h("div", { class: "notices", "aria-live": "assertive", id: "notices" }, this.shown, this.more);

  get isEmpty(): boolean {
    return this.shown.childElementCount === 0;
  }

  clear(): void {
    this.shown.replaceChildren();
    this.rest.replaceChildren();
    this.settle();
  }

  add(content: Node, isError = false): void {
    const box = h("div", { class: isError ? "notice bad" : "notice" }, content,
      button("\u00d7", () => { box.remove(); this.settle(); }, { class: "quiet", "aria-label": "Close this message" }));
    (this.shown.childElementCount < MOST ? this.shown : this.rest).append(box);
    this.settle();
  }

  /** Those that wait follow where there is room. */
  private settle(): void {
    while (this.shown.childElementCount < MOST && this.rest.firstElementChild) this.shown.append(this.rest.firstElementChild);
    const count = this.rest.childElementCount;
    this.more.hidden = count === 0;
    if (count === 0) this.more.open = false;
    this.summary.textContent = `${grouped(count)} more message${count === 1 ? "" : "s"}`;
  }
}
