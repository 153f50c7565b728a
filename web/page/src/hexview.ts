// Every byte with its field: drawn on a canvas, of which only what is in view is known.

import { Window } from "./bytes";
import type { Doc } from "./doc";
import { h, settled } from "./dom";
import type { Field } from "./messages";

const LINE = 20;
const TALLEST = 4_000_000;

/** Where the columns stand, in pixels. */
interface Columns {
  char: number;
  per: number;
  offset: number;
  hex: number;
  text: number;
  width: number;
}

export class HexView {
  readonly element: HTMLElement;
  private readonly canvas = h("canvas", { class: "hex-canvas", "aria-hidden": "true" });
  private readonly space = h("div", { class: "hex-space" });
  private readonly scroller: HTMLElement;
  private readonly minimap = h("canvas", { class: "minimap", "aria-hidden": "true" });
  private window: Window | undefined;
  private frame = 0;
  private asks = false;
  private font = "";
  private top = 0;
  private colors: Record<string, string> = {};
  private columns: Columns = { char: 8, per: 16, offset: 0, hex: 90, text: 500, width: 660 };
  cursor = 0;
  /** The other end of what is selected. */
  anchor = 0;
  /** The field that is marked: of the cursor, once the worker has said which that is. */
  private marked: [number, number] | undefined;
  /** Fields to go on, or back, as soon as that of the cursor is known. */
  private steps = 0;
  /** Whether the worker has been asked for it. */
  private isAsked = false;
  onCursor: (at: number, chosen: boolean) => void = () => {};
  onView: (fields: Field[]) => void = () => {};
  onEnter: () => void = () => {};

  private rest = settled(60, () => { this.asks = true; this.later(); });

  constructor() {
    this.scroller = h("div", {
      class: "hex-scroll", tabindex: "0", role: "application", "aria-label": "Bytes", "aria-describedby": "hex-help", id: "hex",
      onscroll: () => this.onScroll(), onkeydown: (event: Event) => this.onKey(event as KeyboardEvent),
      onpointerdown: (event: Event) => this.onPointer(event as PointerEvent),
      onpointermove: (event: Event) => this.onPointer(event as PointerEvent),
      onfocus: () => this.later(), onblur: () => this.later(),
    }, this.space, this.canvas);
    this.scroller.addEventListener("wheel", (event) => this.onWheel(event), { passive: false });
    this.minimap.addEventListener("pointerdown", (event) => this.onMap(event));
    this.minimap.addEventListener("pointermove", (event) => { if (event.buttons & 1) this.onMap(event); });
    this.element = h("div", { class: "hex" }, this.scroller, this.minimap,
      h("p", { class: "hidden", id: "hex-help" },
        "Arrow keys move byte by byte, N and P field by field, Enter goes to the object of the field. The grid behind lists the fields in view."));
    new ResizeObserver(() => this.measure()).observe(this.element);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.restyle());
  }

  show(doc: Doc | undefined): void {
    this.window = doc && new Window(doc, () => this.later());
    this.top = this.cursor = this.anchor = 0;
    this.unmark();
    this.scroller.scrollTop = 0;
    this.restyle();
    this.measure();
  }

  /** The same place in a package that has changed. */
  renew(): void {
    if (!this.window) return;
    this.window = new Window(this.window.doc, () => this.later());
    const last = Math.max(0, this.window.length - 1);
    [this.cursor, this.anchor] = [Math.min(this.cursor, last), Math.min(this.anchor, last)];
    this.measure();
  }

  get length(): number {
    return this.window?.length ?? 0;
  }

  restyle(): void {
    const style = getComputedStyle(document.documentElement);
    for (const name of ["ink", "muted", "faint", "paper", "typed", "text", "payload", "opaque", "gap", "accent", "mark", "select"]) {
      this.colors[name] = style.getPropertyValue(`--${name}`).trim();
    }
    this.later();
  }

  private measure(): void {
    const context = this.canvas.getContext("2d")!;
    const width = this.scroller.clientWidth;
    const height = this.scroller.clientHeight;
    if (width === 0 || height === 0) return;
    const scale = devicePixelRatio || 1;
    this.canvas.width = Math.round(width * scale);
    this.canvas.height = Math.round(height * scale);
    this.canvas.style.width = `${width}px`;
    this.canvas.style.height = `${height}px`;
    this.font = getComputedStyle(this.scroller).font;
    context.font = this.font;
    const char = context.measureText("0").width;
    const digits = Math.max(6, (Math.max(1, this.length) - 1).toString(16).length);
    const widthOf = (per: number) => (digits + 2 + per * 3 + Math.floor(per / 8) + 1 + per) * char + 24;
    const per = [32, 16, 8, 4].find((per) => widthOf(per) <= width) ?? 4;
    const offset = 10;
    const hex = offset + (digits + 2) * char;
    const text = hex + (per * 3 + Math.floor(per / 8)) * char + char / 2;
    const top = this.topFor(per);
    this.columns = { char, per, offset, hex, text, width };
    this.space.style.height = `${Math.min(this.lines * LINE + 8, TALLEST)}px`;
    this.scrollTo(top);
    this.minimap.width = Math.round(this.minimap.clientWidth * scale);
    this.minimap.height = Math.round(this.minimap.clientHeight * scale);
    this.rest();
    this.later();
  }

  /**
   * The first line in view when lines have `per` bytes: the cursor stays at its height where it is in view, else the
   * first byte stays the first. A line of another width is another byte.
   */
  private topFor(per: number): number {
    const before = this.columns.per;
    if (per === before) return this.top;
    const above = Math.floor(this.cursor / before) - this.top;
    const isInView = above >= 0 && above < this.visible;
    return isInView ? Math.floor(this.cursor / per) - above : Math.floor((Math.floor(this.top) * before) / per);
  }

  /** The bytes in view, the last one excluded. */
  get inView(): [number, number] {
    const first = Math.floor(this.top) * this.columns.per;
    return [first, Math.min(this.length, first + this.visible * this.columns.per)];
  }

  private get lines(): number {
    return Math.ceil(this.length / this.columns.per);
  }

  private get visible(): number {
    return Math.max(1, Math.floor(this.scroller.clientHeight / LINE));
  }

  private get isScaled(): boolean {
    return this.lines * LINE > TALLEST;
  }

  private get most(): number {
    return Math.max(0, this.lines - this.visible);
  }

  /** The first line in view becomes this one. */
  private scrollTo(line: number): void {
    this.top = Math.max(0, Math.min(line, this.most));
    const range = TALLEST - this.scroller.clientHeight;
    const at = this.isScaled ? Math.round((this.top / Math.max(1, this.most)) * range) : Math.round(this.top * LINE);
    if (Math.abs(this.scroller.scrollTop - at) >= 1) {
      this.setByUs = at;
      this.scroller.scrollTop = at;
    }
    this.asks = false;
    this.rest();
    this.later();
  }

  private setByUs = -1;

  private onScroll(): void {
    const at = this.scroller.scrollTop;
    if (Math.abs(at - this.setByUs) < 2) {
      this.setByUs = -1;
      return;
    }
    const range = TALLEST - this.scroller.clientHeight;
    this.top = this.isScaled ? (at / range) * this.most : at / LINE;
    this.asks = false;
    this.rest();
    this.later();
  }

  /** Where the scroll position is scaled, the wheel still goes line by line. */
  private onWheel(event: WheelEvent): void {
    if (!this.isScaled || event.ctrlKey) return;
    event.preventDefault();
    const lines = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? event.deltaY : event.deltaY / LINE;
    this.scrollTo(this.top + lines);
  }

  private later(): void {
    if (!this.frame) this.frame = requestAnimationFrame(() => { this.frame = 0; this.draw(); });
  }

  private x(column: number): number {
    return this.columns.hex + (column * 3 + Math.floor(column / 8)) * this.columns.char;
  }

  private draw(): void {
    const context = this.canvas.getContext("2d")!;
    const scale = devicePixelRatio || 1;
    context.setTransform(scale, 0, 0, scale, 0, 0);
    const { width, per } = this.columns;
    const height = this.scroller.clientHeight;
    context.fillStyle = this.colors.paper;
    context.fillRect(0, 0, width, height);
    const window = this.window;
    if (!window || this.length === 0) return;
    context.font = this.font;
    context.textBaseline = "middle";
    const first = Math.floor(this.top);
    const shift = (first - this.top) * LINE + 4;
    const from = first * per;
    const to = Math.min(this.length, from + (Math.ceil(height / LINE) + 1) * per);
    const fields = window.fieldsOf(from, to, this.asks);
    this.fill(context, fields, from, to, shift);
    for (let line = from; line < to; line += per) {
      const y = shift + ((line - from) / per) * LINE + LINE / 2;
      context.fillStyle = this.colors.muted;
      context.fillText(line.toString(16).padStart(6, "0"), this.columns.offset, y);
    }
    for (let block = Math.floor(from / Window.BLOCK) * Window.BLOCK; block < to; block += Window.BLOCK) window.block(block);
    let index = 0;
    for (let line = from; line < to; line += per) {
      // All of one colour at once: many small texts are what makes scrolling slow.
      let [inked, quiet, gaps, shown, dots] = ["", "", "", "", ""];
      for (let at = line; at < Math.min(to, line + per); at++) {
        if (at > line && (at - line) % 8 === 0) [inked, quiet, gaps] = [inked + " ", quiet + " ", gaps + " "];
        const byte = window.byte(at);
        while (index < fields.length && fields[index][1] <= at) index++;
        const field = fields[index];
        const isGap = field !== undefined && field[0] <= at && field[6] === "gap";
        const digits = byte === undefined ? "   " : `${HEX[byte]} `;
        inked += byte === 0 || isGap ? "   " : digits;
        quiet += byte === 0 ? digits : "   ";
        gaps += byte !== 0 && isGap ? digits : "   ";
        const isText = byte !== undefined && byte >= 0x20 && byte < 0x7f;
        shown += isText ? String.fromCharCode(byte) : " ";
        dots += isText || byte === undefined ? " " : "\u00b7";
      }
      const y = shift + ((line - from) / per) * LINE + LINE / 2;
      const { hex, text } = this.columns;
      for (const [color, x, part] of [["ink", hex, inked], ["faint", hex, quiet], ["muted", hex, gaps], ["ink", text, shown], ["faint", text, dots]] as const) {
        if (part.trim() === "") continue;
        context.fillStyle = this.colors[color];
        context.fillText(part, x, y);
      }
    }
    this.drawCursor(context, from, to, shift);
    this.drawMap();
    this.onView(fields);
  }

  /** The ground behind bytes: each field in the colour of its kind, neighbours in turns lighter. */
  private fill(context: CanvasRenderingContext2D, fields: Field[], from: number, to: number, shift: number): void {
    for (const [start, end, path, , , , kind] of fields) {
      const color = this.colors[kind === "text" ? "text" : kind];
      // By the place, so that colours do not change while one scrolls.
      context.globalAlpha = kind === "gap" ? 0.10 : (start + path.length) % 2 === 0 ? 0.15 : 0.26;
      context.fillStyle = color;
      this.spans(Math.max(start, from), Math.min(end, to), from, (x, y, wide) => context.fillRect(x, y + 2, wide, LINE - 4), shift);
    }
    context.globalAlpha = 1;
    const [low, high] = this.selection;
    if (this.marked) {
      context.strokeStyle = this.colors.accent;
      context.lineWidth = 1.5;
      this.spans(Math.max(this.marked[0], from), Math.min(this.marked[1], to), from, (x, y, wide) => context.strokeRect(x + 0.5, y + 1.5, wide - 1, LINE - 3), shift);
    }
    if (high > low + 1) {
      context.fillStyle = this.colors.select;
      context.globalAlpha = 0.35;
      this.spans(Math.max(low, from), Math.min(high, to), from, (x, y, wide) => context.fillRect(x, y + 1, wide, LINE - 2), shift);
      context.globalAlpha = 1;
    }
  }

  get selection(): [number, number] {
    return [Math.min(this.cursor, this.anchor), Math.max(this.cursor, this.anchor) + 1];
  }

  /** The boxes of a range, line by line: of the digits and of the characters. */
  private spans(start: number, end: number, from: number, box: (x: number, y: number, wide: number) => void, shift: number): void {
    const { per, char, text } = this.columns;
    for (let at = start; at < end; ) {
      const line = Math.floor((at - from) / per);
      const last = Math.min(end, from + (line + 1) * per);
      const column = (at - from) % per;
      const lastColumn = (last - 1 - from) % per;
      const y = shift + line * LINE;
      box(this.x(column) - char / 2, y, this.x(lastColumn) - this.x(column) + char * 3);
      box(text + column * char, y, (lastColumn - column + 1) * char);
      at = last;
    }
  }

  private drawCursor(context: CanvasRenderingContext2D, from: number, to: number, shift: number): void {
    if (this.cursor < from || this.cursor >= to) return;
    const { per, char, text } = this.columns;
    const column = (this.cursor - from) % per;
    const y = shift + Math.floor((this.cursor - from) / per) * LINE;
    context.lineWidth = document.activeElement === this.scroller ? 2 : 1;
    context.strokeStyle = this.colors.ink;
    context.strokeRect(this.x(column) - 3, y + 1, char * 2 + 6, LINE - 2);
    context.strokeRect(text + column * char - 1, y + 1, char + 2, LINE - 2);
  }

  private drawMap(): void {
    const context = this.minimap.getContext("2d")!;
    const { width, height } = this.minimap;
    if (height === 0) return;
    const map = this.window?.doc.map;
    context.fillStyle = this.colors[map ? "typed" : "faint"];
    context.fillRect(0, 0, width, height);
    if (map) {
      const parts = map.length / 3;
      const [payload, opaque, gap] = ["payload", "opaque", "gap"].map((kind) => this.colors[kind]);
      for (let part = 0; part < parts; part++) {
        const y = Math.floor((part / parts) * height);
        const high = Math.max(1, Math.floor(((part + 1) / parts) * height) - y);
        let x = width;
        for (const [share, color] of [[map[part * 3 + 2], gap], [map[part * 3 + 1], opaque], [map[part * 3], payload]] as const) {
          if (share === 0) continue;
          const wide = Math.max(1, Math.round((share / 255) * width));
          context.fillStyle = color;
          context.fillRect(x - wide, y, wide, high);
          x -= wide;
        }
      }
    }
    const top = (this.top / Math.max(1, this.lines)) * height;
    const part = Math.max(6, (this.visible / Math.max(1, this.lines)) * height);
    context.strokeStyle = this.colors.ink;
    context.lineWidth = 2 * (devicePixelRatio || 1);
    context.strokeRect(1, Math.min(top, height - part), width - 2, part);
  }

  private onMap(event: PointerEvent): void {
    const share = event.offsetY / Math.max(1, this.minimap.clientHeight);
    this.scrollTo(share * this.lines - this.visible / 2);
    this.scroller.focus({ preventScroll: true });
  }

  /** Goes to a byte: into view, and, if wanted, as the chosen one. */
  go(at: number, chosen = true): void {
    const line = Math.floor(Math.max(0, Math.min(at, this.length - 1)) / this.columns.per);
    if (line < this.top + 1 || line > this.top + this.visible - 3) this.scrollTo(line - Math.floor(this.visible / 3));
    this.place(at, false, chosen);
  }

  private place(at: number, extend: boolean, chosen = true): void {
    this.cursor = Math.max(0, Math.min(at, this.length - 1));
    if (!extend) this.anchor = this.cursor;
    if (this.marked && !(this.marked[0] <= this.cursor && this.cursor < this.marked[1])) this.marked = undefined;
    this.steps = 0;
    this.later();
    this.ask(chosen);
  }

  private ask(chosen: boolean): void {
    this.isAsked = true;
    this.onCursor(this.cursor, chosen);
  }

  private onPointer(event: PointerEvent): void {
    const isMove = event.type === "pointermove";
    if (isMove && !(event.buttons & 1)) return;
    if (event.offsetX > this.scroller.clientWidth) return;
    const bounds = this.canvas.getBoundingClientRect();
    const x = event.clientX - bounds.left;
    const y = event.clientY - bounds.top;
    const { per, char, text } = this.columns;
    const first = Math.floor(this.top);
    const line = Math.floor((y - 4 - (first - this.top) * LINE) / LINE);
    let column = -1;
    if (x >= text) column = Math.floor((x - text) / char);
    else for (let at = 0; at < per; at++) if (x >= this.x(at) - char / 2) column = at;
    if (column < 0 || column >= per) return;
    const at = (first + line) * per + column;
    if (at < 0 || at >= this.length) return;
    this.place(at, isMove || event.shiftKey);
    if (!isMove) this.scroller.focus({ preventScroll: true });
  }

  private onKey(event: KeyboardEvent): void {
    if (event.metaKey || event.altKey) return;
    const { per } = this.columns;
    const page = (this.visible - 1) * per;
    const line = this.cursor - (this.cursor % per);
    const moves: Record<string, number> = {
      ArrowRight: this.cursor + 1, ArrowLeft: this.cursor - 1, ArrowDown: this.cursor + per, ArrowUp: this.cursor - per,
      PageDown: this.cursor + page, PageUp: this.cursor - page,
      Home: event.ctrlKey ? 0 : line, End: event.ctrlKey ? this.length - 1 : line + per - 1,
    };
    if (event.key in moves) {
      event.preventDefault();
      const to = Math.max(0, Math.min(moves[event.key], this.length - 1));
      const row = Math.floor(to / per);
      if (row < this.top) this.scrollTo(event.key.startsWith("Page") ? this.top - (this.visible - 1) : row);
      else if (row > this.top + this.visible - 2) this.scrollTo(event.key.startsWith("Page") ? this.top + (this.visible - 1) : row - this.visible + 2);
      this.place(to, event.shiftKey);
    } else if (!event.ctrlKey && (event.key === "n" || event.key === "p")) {
      event.preventDefault();
      this.step(event.key === "n");
    } else if (event.key === "Enter") {
      event.preventDefault();
      this.onEnter();
    }
  }

  /** To the next field or the one before. */
  step(forwards: boolean): void {
    this.steps += forwards ? 1 : -1;
    if (!this.marked && !this.isAsked) this.ask(false);
    this.takeStep();
  }

  private takeStep(): void {
    const { marked, steps } = this;
    if (!marked || steps === 0) return;
    this.go(steps > 0 ? marked[1] : marked[0] - 1);
    this.steps = steps - Math.sign(steps);
  }

  /** Marks a range with the cursor in it. */
  mark(range: [number, number]): void {
    this.marked = range;
    this.isAsked = false;
    this.later();
    this.takeStep();
  }

  /** No field is known where the cursor is. */
  unmark(): void {
    this.marked = undefined;
    this.isAsked = false;
    this.steps = 0;
    this.later();
  }

  focus(): void {
    this.scroller.focus({ preventScroll: true });
  }

  refresh(): void {
    this.later();
  }

  /** Bytes that are selected, as digits. */
  copy(): string {
    const [low, high] = this.selection;
    let text = "";
    for (let at = low; at < Math.min(high, low + 65536); at++) text += HEX[this.window?.byte(at) ?? 0];
    return text;
  }
}

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));
