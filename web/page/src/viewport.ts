// A canvas that is dragged and zoomed: by pointer, wheel, two fingers and keys.

import { onTheme } from "./dom";

/** What is drawn on, in the drawing's own units: the middle, and units a pixel. */
export interface View { x: number; y: number; scale: number }

/** Left, top, right, bottom. */
export type Box = [number, number, number, number];

export interface Drawing {
  /** Draws what is in view; the context has the drawing's own units. */
  draw(context: CanvasRenderingContext2D, view: View, seen: Box, style: CSSStyleDeclaration): void;
  /** What there is to see. */
  bounds(): Box | undefined;
  /** A click, in pixels of the canvas. */
  pick(x: number, y: number): void;
  /** Enter, or a second click at once. */
  open(): void;
}

/** How one starts where all at once would be too large or too small: units a pixel, and what is in the middle where not all is seen. */
export interface Start { nearest: number; farthest: number; middle(): [number, number] | undefined }

/** Pixels that a key moves the view. */
const STEP = 60;
export const ZOOM = 1.25;
/** How much closer than the farthest one starts. */
const CLOSER = 2.5;
/** Pixels around everything when all of it is in view. */
const MARGIN = 20;

/**
 * A colour for a class: far from those of its neighbours in the list, light enough on dark and dark enough on light. All of them are
 * as bright to the eye, which a blue and a yellow of HSL are not.
 */
export function colorOf(at: number): string {
  return `oklch(0.58 0.19 ${Math.round((at * 137.508 + 25) % 360)})`;
}

export class Viewport {
  view: View = { x: 0, y: 0, scale: 1 };
  private frame = 0;
  private isFitted = false;
  private from: { x: number; y: number; moved: boolean } | undefined;
  private readonly fingers = new Map<number, [number, number]>();

  constructor(readonly canvas: HTMLCanvasElement, private drawing: Drawing, private closest = 1e-3, private start?: Start) {
    this.listen();
    new ResizeObserver(() => this.measure()).observe(canvas);
    // Colours are those of the theme.
    onTheme(canvas, () => this.later());
  }

  private listen(): void {
    const { canvas, fingers } = this;
    canvas.addEventListener("wheel", (event) => {
      event.preventDefault();
      this.zoom(event.deltaY < 0 ? ZOOM : 1 / ZOOM, [event.offsetX, event.offsetY]);
    }, { passive: false });
    canvas.addEventListener("pointerdown", (event) => {
      canvas.setPointerCapture(event.pointerId);
      fingers.set(event.pointerId, [event.offsetX, event.offsetY]);
      this.from = { x: event.offsetX, y: event.offsetY, moved: fingers.size > 1 };
    });
    canvas.addEventListener("pointermove", (event) => {
      const { from } = this;
      const last = fingers.get(event.pointerId);
      if (!from || !last) return;
      const here: [number, number] = [event.offsetX, event.offsetY];
      const other = [...fingers].find(([id]) => id !== event.pointerId)?.[1];
      if (other) return this.pinch(event.pointerId, last, here, other);
      if (!from.moved && Math.hypot(here[0] - from.x, here[1] - from.y) < 4) return;
      this.move(from.x - here[0], from.y - here[1]);
      this.from = { x: here[0], y: here[1], moved: true };
      fingers.set(event.pointerId, here);
    });
    const end = (event: PointerEvent): void => {
      fingers.delete(event.pointerId);
      if (event.type === "pointerup" && this.from && !this.from.moved) this.drawing.pick(event.offsetX, event.offsetY);
      const rest = [...fingers.values()][0];
      this.from = rest ? { x: rest[0], y: rest[1], moved: true } : undefined;
    };
    canvas.addEventListener("pointerup", end);
    canvas.addEventListener("pointercancel", end);
    canvas.addEventListener("dblclick", () => this.drawing.open());
    canvas.addEventListener("keydown", (event) => {
      const moves: Record<string, () => void> = {
        ArrowLeft: () => this.move(-STEP, 0), ArrowRight: () => this.move(STEP, 0), ArrowUp: () => this.move(0, -STEP), ArrowDown: () => this.move(0, STEP),
        "+": () => this.zoom(ZOOM), "=": () => this.zoom(ZOOM), "-": () => this.zoom(1 / ZOOM), Home: () => this.fit(), Enter: () => this.drawing.open(),
      };
      if (!(event.key in moves) || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      moves[event.key]();
    });
  }

  /** Two fingers: what is between them stays there. */
  private pinch(finger: number, last: [number, number], here: [number, number], other: [number, number]): void {
    const span = (a: [number, number]): number => Math.max(1, Math.hypot(a[0] - other[0], a[1] - other[1]));
    this.zoom(span(here) / span(last), [(last[0] + other[0]) / 2, (last[1] + other[1]) / 2]);
    this.move((last[0] - here[0]) / 2, (last[1] - here[1]) / 2);
    this.fingers.set(finger, here);
    if (this.from) this.from.moved = true;
  }

  toPixels(x: number, y: number): [number, number] {
    const { view, canvas } = this;
    return [(x - view.x) / view.scale + canvas.clientWidth / 2, (y - view.y) / view.scale + canvas.clientHeight / 2];
  }

  fromPixels(x: number, y: number): [number, number] {
    const { view, canvas } = this;
    return [view.x + (x - canvas.clientWidth / 2) * view.scale, view.y + (y - canvas.clientHeight / 2) * view.scale];
  }

  /** Brings a place into the middle. */
  center(x: number, y: number): void {
    [this.view.x, this.view.y] = [x, y];
    this.later();
  }

  private move(x: number, y: number): void {
    this.view.x += x * this.view.scale;
    this.view.y += y * this.view.scale;
    this.later();
  }

  /** What is under the pointer stays there. */
  zoom(by: number, [px, py]: [number, number] = [this.canvas.clientWidth / 2, this.canvas.clientHeight / 2]): void {
    const { view, canvas } = this;
    const [dx, dy] = [px - canvas.clientWidth / 2, py - canvas.clientHeight / 2];
    const scale = Math.max(this.closest, Math.min(1e6, view.scale / by));
    view.x += dx * (view.scale - scale);
    view.y += dy * (view.scale - scale);
    view.scale = scale;
    this.later();
  }

  /** Everything in view. */
  fit(): void {
    const [left, top, right, bottom] = this.drawing.bounds() ?? [0, 0, 1, 1];
    const span = (length: number, pixels: number): number => length / Math.max(1, pixels - 2 * MARGIN);
    const scale = Math.max(span(right - left, this.canvas.clientWidth), span(bottom - top, this.canvas.clientHeight), this.start?.nearest ?? this.closest);
    this.view = { x: (left + right) / 2, y: (top + bottom) / 2, scale };
    this.later();
  }

  /** What is in view, once that is known. */
  get looked(): View | undefined {
    return this.isFitted ? { ...this.view } : undefined;
  }

  /** Looks at what another one has looked at. */
  resume(view: View): void {
    this.view = { ...view };
    this.isFitted = true;
    this.later();
  }

  /** Everything in view, or what one starts with. */
  private begin(): void {
    this.fit();
    const middle = this.start && this.view.scale > this.start.farthest ? this.start.middle() : undefined;
    if (!middle) return;
    const scale = this.start!.farthest / CLOSER;
    const [left, top, right, bottom] = this.drawing.bounds()!;
    // No half of it is empty where there is enough to see.
    const within = (at: number, from: number, to: number, pixels: number): number => {
      const half = (pixels / 2 - MARGIN) * scale;
      return to - from <= 2 * half ? (from + to) / 2 : Math.min(Math.max(at, from + half), to - half);
    };
    this.view = { x: within(middle[0], left, right, this.canvas.clientWidth), y: within(middle[1], top, bottom, this.canvas.clientHeight), scale };
  }

  private measure(): void {
    const scale = devicePixelRatio || 1;
    const { clientWidth: wide, clientHeight: high } = this.canvas;
    if (wide === 0 || high === 0) return;
    this.canvas.width = Math.round(wide * scale);
    this.canvas.height = Math.round(high * scale);
    if (!this.isFitted) this.begin();
    this.isFitted = true;
    this.draw();
  }

  later(): void {
    if (!this.frame) this.frame = requestAnimationFrame(() => { this.frame = 0; this.draw(); });
  }

  private draw(): void {
    const context = this.canvas.getContext("2d")!;
    const ratio = devicePixelRatio || 1;
    const style = getComputedStyle(document.documentElement);
    const { view } = this;
    const [wide, high] = [this.canvas.clientWidth, this.canvas.clientHeight];
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.fillStyle = style.getPropertyValue("--sunk");
    context.fillRect(0, 0, wide, high);
    // The drawing's units from here on.
    context.setTransform(ratio / view.scale, 0, 0, ratio / view.scale, (wide / 2 - view.x / view.scale) * ratio, (high / 2 - view.y / view.scale) * ratio);
    this.canvas.dataset.view = `${view.x} ${view.y} ${view.scale}`;
    const [left, top] = this.fromPixels(0, 0);
    const [right, bottom] = this.fromPixels(wide, high);
    this.drawing.draw(context, view, [left, top, right, bottom], style);
  }
}
