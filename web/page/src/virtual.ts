// Rows of which only those in view are there: a grid of any length, with the keyboard.

import { h } from "./dom";
import { keeps } from "./keep";

/** Browsers clamp how high an element may be: beyond this the scroll position is scaled. */
const TALLEST = 4_000_000;
/** Rows that are asked for at once. */
const BLOCK = 64;

export interface Source<T> {
  total: number;
  /** Some of the rows. */
  load(from: number, count: number): Promise<T[]>;
  /** Fills an element with a row; nothing is known of it yet where the row is undefined. */
  draw(element: HTMLElement, row: T | undefined, at: number): void;
  /** What the row does when it is chosen: by click or Enter. */
  choose?(row: T, at: number): void;
  /** Keys that the grid itself does not know. */
  key?(event: KeyboardEvent, row: T | undefined, at: number): void;
}

export class VirtualRows<T> {
  readonly element: HTMLElement;
  private readonly space = h("div", { class: "rows-space", role: "presentation" });
  private readonly holder = h("div", { class: "rows-holder", role: "rowgroup" });
  private shown = new Map<number, HTMLElement>();
  /** Rows, or that they are on their way. */
  private blocks = new Map<number, T[] | Promise<void>>();
  private generation = 0;
  private frame = 0;
  active = 0;

  constructor(private source: Source<T>, readonly id: string, label: string, private height = 26, role: "treegrid" | "grid" = "treegrid") {
    this.element = h("div", {
      class: "rows", role, tabindex: "0", id, "aria-label": label,
      onscroll: () => this.later(), onkeydown: (event: Event) => this.onKey(event as KeyboardEvent),
      onfocus: () => this.later(),
    }, this.space, this.holder);
    this.holder.addEventListener("click", (event) => this.onClick(event));
    new ResizeObserver(() => this.later()).observe(this.element);
    keeps<{ active: number; top: number }>(this.element, `rows of ${id}`, {
      take: () => (this.active || this.element.scrollTop ? { active: this.active, top: this.element.scrollTop } : undefined),
      give: ({ active, top }) => {
        this.active = Math.max(0, Math.min(active, this.total - 1));
        this.element.scrollTop = top;
        this.later();
      },
    });
    this.reset();
  }

  /** Forgets what was loaded. */
  reset(source?: Partial<Source<T>>): void {
    Object.assign(this.source, source);
    this.generation += 1;
    this.blocks.clear();
    this.active = Math.max(0, Math.min(this.active, this.source.total - 1));
    this.element.setAttribute("aria-rowcount", String(this.source.total));
    this.space.style.height = `${Math.min(this.source.total * this.height, TALLEST)}px`;
    this.later();
  }

  get total(): number {
    return this.source.total;
  }

  private later(): void {
    if (!this.frame) this.frame = requestAnimationFrame(() => { this.frame = 0; this.render(); });
  }

  private get viewport(): number {
    return Math.max(this.element.clientHeight, this.height);
  }

  /** The first row in view; a fraction where it is cut. */
  private get first(): number {
    const full = this.source.total * this.height;
    if (full <= TALLEST) return this.element.scrollTop / this.height;
    const range = TALLEST - this.viewport;
    return (this.element.scrollTop / range) * (this.source.total - this.viewport / this.height);
  }

  private scrollTo(first: number): void {
    const full = this.source.total * this.height;
    const most = this.source.total - this.viewport / this.height;
    const at = Math.max(0, Math.min(first, most));
    this.element.scrollTop = full <= TALLEST ? at * this.height : (at / most) * (TALLEST - this.viewport);
    this.later();
  }

  /** Makes a row the active one and brings it into view. */
  activate(at: number, focus = false): void {
    this.active = Math.max(0, Math.min(at, this.source.total - 1));
    const rows = Math.floor(this.viewport / this.height);
    const first = this.first;
    if (this.active < first) this.scrollTo(this.active);
    else if (this.active >= first + rows - 1) this.scrollTo(this.active - rows + 2);
    if (focus) this.element.focus({ preventScroll: true });
    this.render();
  }

  row(at: number): T | undefined {
    const block = this.blocks.get(Math.floor(at / BLOCK));
    return Array.isArray(block) ? block[at % BLOCK] : undefined;
  }

  /** The row, loaded if need be. */
  async fetch(at: number): Promise<T | undefined> {
    await this.ask(Math.floor(at / BLOCK));
    return this.row(at);
  }

  private async ask(number: number): Promise<void> {
    const known = this.blocks.get(number);
    if (Array.isArray(known)) return;
    if (known) return known;
    const asked = this.load(number);
    this.blocks.set(number, asked);
    return asked;
  }

  private async load(number: number): Promise<void> {
    const generation = this.generation;
    try {
      const rows = await this.source.load(number * BLOCK, BLOCK);
      if (generation !== this.generation) return;
      this.blocks.set(number, rows);
      this.later();
    } catch {
      if (generation === this.generation) this.blocks.delete(number);
    }
  }

  /** Chooses a row: one that is on its way once it is there, unless another one is active by then. */
  private async choose(at: number): Promise<void> {
    const generation = this.generation;
    const row = this.row(at) ?? await this.fetch(at);
    const isHere = this.element.isConnected && generation === this.generation && at === this.active;
    if (row !== undefined && isHere) this.source.choose?.(row, at);
  }

  render(): void {
    const { total } = this.source;
    const first = this.first;
    const from = Math.max(0, Math.floor(first) - 2);
    const to = Math.min(total, Math.ceil(first + this.viewport / this.height) + 2);
    const kept = new Map<number, HTMLElement>();
    const free: HTMLElement[] = [];
    for (const [at, element] of this.shown) {
      if (at >= from && at < to) kept.set(at, element);
      else free.push(element);
    }
    const top = this.element.scrollTop - (first - Math.floor(first)) * this.height;
    const base = Math.floor(first);
    for (let at = from; at < to; at++) {
      let element = kept.get(at);
      if (!element) {
        element = free.pop() ?? h("div", { class: "row", role: "row" });
        if (!element.isConnected) this.holder.append(element);
        kept.set(at, element);
      }
      element.style.transform = `translateY(${top + (at - base) * this.height}px)`;
      element.style.height = `${this.height}px`;
      element.dataset.at = String(at);
      element.id = `${this.id}-row-${at}`;
      element.setAttribute("aria-rowindex", String(at + 1));
      const isActive = at === this.active;
      element.classList.toggle("active", isActive);
      element.setAttribute("aria-selected", String(isActive));
      this.source.draw(element, this.row(at), at);
    }
    for (const element of free) element.remove();
    // Who reads the page goes by the order of elements.
    let before: Element | null = null;
    for (let at = from; at < to; at++) {
      const element: HTMLElement = kept.get(at)!;
      if (element.previousElementSibling !== before) before ? before.after(element) : this.holder.prepend(element);
      before = element;
    }
    this.shown = kept;
    for (let block = Math.floor(from / BLOCK); block <= Math.floor(Math.max(from, to - 1) / BLOCK) && total > 0; block++) {
      void this.ask(block);
    }
    if (kept.has(this.active)) this.element.setAttribute("aria-activedescendant", `${this.id}-row-${this.active}`);
    else this.element.removeAttribute("aria-activedescendant");
  }

  private onClick(event: MouseEvent): void {
    const target = event.target as HTMLElement;
    if (target.closest("input, a, button, select")) return;
    const element = target.closest<HTMLElement>(".row");
    if (!element) return;
    const at = Number(element.dataset.at);
    this.active = at;
    this.render();
    void this.choose(at);
  }

  private onKey(event: KeyboardEvent): void {
    if (event.target !== this.element || event.ctrlKey || event.metaKey || event.altKey) return;
    const page = Math.max(1, Math.floor(this.viewport / this.height) - 1);
    const moves: Record<string, number> = {
      ArrowDown: this.active + 1, ArrowUp: this.active - 1, PageDown: this.active + page, PageUp: this.active - page,
      Home: 0, End: this.source.total - 1,
    };
    if (event.key in moves) {
      event.preventDefault();
      this.activate(moves[event.key]);
      return;
    }
    if ((event.key === "Enter" || event.key === " ") && this.source.choose) {
      event.preventDefault();
      void this.choose(this.active);
      return;
    }
    this.source.key?.(event, this.row(this.active), this.active);
  }
}
