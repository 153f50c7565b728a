// The three panes side by side: how wide each is, which of them is seen where there is no room for all.

import { button, h } from "./dom";

export type PaneName = "objects" | "details" | "bytes";

/** Shares of the width: of objects, details, bytes. */
type Shares = [number, number, number];

const NAMES: [PaneName, string][] = [["objects", "Objects"], ["details", "Details"], ["bytes", "Bytes"]];
/** The elements that keep the focus. */
const IDS: Record<PaneName, string> = { objects: "tree", details: "details-panel", bytes: "hex" };
const FIRST: Shares = [21, 36, 43];
/** No pane is narrower, in hundredths of the width. */
const LEAST = 10;
/** What an arrow key moves a divider. */
const STEP = 2;
const KEPT = "farchive-panes";

export class Panes {
  /** Buttons that choose the pane that is seen. */
  readonly buttons = h("div", { class: "panes", role: "group", "aria-label": "Views", id: "panes" });
  readonly hide = button("Hide bytes", () => this.toggleBytes(), { class: "quiet", id: "hide-bytes" });
  private readonly dividers = [0, 1].map((at) => this.divider(at));
  private shares: Shares = [...FIRST];
  private shown: PaneName = "objects";

  constructor(private main: HTMLElement) {
    for (const [name, text] of NAMES) {
      this.buttons.append(button(text, () => this.show(name), { "data-pane": name }));
    }
    const kept = read();
    if (kept) this.shares = kept;
    this.apply();
  }

  /** Puts the panes side by side, dividers between them. */
  fill(tree: HTMLElement, details: HTMLElement, bytes: HTMLElement): void {
    this.main.replaceChildren(this.buttons, tree, this.dividers[0], details, this.dividers[1], bytes);
    this.show(this.shown);
  }

  show(name: PaneName): void {
    this.shown = name;
    this.main.dataset.pane = name;
    if (name === "bytes" && this.main.dataset.bytes === "hidden") this.toggleBytes();
    for (const one of this.buttons.querySelectorAll<HTMLElement>("button")) one.setAttribute("aria-pressed", String(one.dataset.pane === name));
  }

  focus(name: PaneName): void {
    this.show(name);
    document.getElementById(IDS[name])?.focus();
  }

  private toggleBytes(): void {
    const isHidden = this.main.dataset.bytes === "hidden";
    this.main.dataset.bytes = isHidden ? "shown" : "hidden";
    this.hide.textContent = isHidden ? "Hide bytes" : "Show bytes";
  }

  private divider(at: number): HTMLElement {
    const element = h("div", {
      class: "divider", role: "separator", tabindex: "0", "aria-orientation": "vertical", id: `divider-${at}`,
      "aria-label": at === 0 ? "Width of the objects" : "Width of the bytes", "aria-valuemin": String(LEAST), "aria-valuemax": String(100 - 2 * LEAST),
      onpointerdown: (event: Event) => (event.target as HTMLElement).setPointerCapture((event as PointerEvent).pointerId),
      onpointermove: (event: Event) => {
        if (!((event as PointerEvent).buttons & 1)) return;
        const bounds = this.main.getBoundingClientRect();
        const left = ((event as PointerEvent).clientX - bounds.left) / bounds.width * 100;
        this.move(at, left - this.left(at));
      },
      onkeydown: (event: Event) => {
        const steps: Record<string, number> = { ArrowLeft: -STEP, ArrowRight: STEP };
        const { key } = event as KeyboardEvent;
        if (key === "Home") this.shares = [...FIRST];
        else if (!(key in steps)) return;
        event.preventDefault();
        this.move(at, steps[key] ?? 0);
      },
      ondblclick: () => { this.shares = [...FIRST]; this.apply(); },
    });
    return element;
  }

  /** Where a divider stands, in hundredths of the width. */
  private left(at: number): number {
    return this.shares.slice(0, at + 1).reduce((sum, share) => sum + share, 0);
  }

  /** Gives what one neighbour of a divider loses to the other. */
  private move(at: number, by: number): void {
    const most = Math.max(LEAST - this.shares[at], Math.min(by, this.shares[at + 1] - LEAST));
    this.shares[at] += most;
    this.shares[at + 1] -= most;
    this.apply();
    keep(this.shares);
  }

  private apply(): void {
    ["--tree", "--details", "--bytes"].forEach((name, at) => this.main.style.setProperty(name, `${this.shares[at]}fr`));
    this.dividers.forEach((divider, at) => divider.setAttribute("aria-valuenow", String(Math.round(this.left(at)))));
  }
}

/** Browsers may forbid pages to keep anything. */
function keep(shares: Shares): void {
  try {
    localStorage.setItem(KEPT, JSON.stringify(shares));
  } catch { /* It is as wide as at first next time. */ }
}

function read(): Shares | undefined {
  try {
    const shares = JSON.parse(localStorage.getItem(KEPT) ?? "null") as Shares | null;
    const isWhole = shares?.length === 3 && shares.every((share) => share >= LEAST) && Math.abs(shares[0] + shares[1] + shares[2] - 100) < 1;
    return isWhole ? shares : undefined;
  } catch {
    return undefined;
  }
}
