// The chosen actor of a map moved: dragged with Shift or while moving is on, or by the arrow keys with Alt.

import type { Host } from "./details";
import { announce, h, settled } from "./dom";
import type { Viewport } from "./viewport";

/** What is moved: its row, path and place in the level, and what puts it at another one. */
export interface Movable { row: number; path: string; readonly place: readonly [number, number, number]; put(x: number, y: number): void }

/** Distance in pixels at which an actor is grabbed. */
const NEAR = { mouse: 12, touch: 28 };
/** Units that a key moves an actor: the usual grid of the editors. */
const STEP = 16;

export class Mover {
  readonly button = h("button", { type: "button", class: "quiet", id: "map-move", "aria-pressed": "false", title: "Drag the chosen actor; Shift does it too, and Alt with the arrow keys" }, "Move");
  private before: [number, number] | undefined;
  private offset: [number, number] = [0, 0];
  /** What keys have moved and is not yet set. */
  private pending: Movable | undefined;
  private readonly finishSoon = settled(700, () => this.finish());

  constructor(private port: Viewport, private host: Host, private chosen: () => Movable | undefined) {
    this.button.addEventListener("click", () => this.button.setAttribute("aria-pressed", String(!this.isOn)));
    const { canvas } = port;
    canvas.addEventListener("pointerdown", (event) => this.start(event), { capture: true });
    canvas.addEventListener("pointermove", (event) => this.drag(event), { capture: true });
    for (const kind of ["pointerup", "pointercancel"] as const) canvas.addEventListener(kind, (event) => this.end(event), { capture: true });
    canvas.addEventListener("keydown", (event) => this.onKey(event), { capture: true });
  }

  private get isOn(): boolean {
    return this.button.getAttribute("aria-pressed") === "true";
  }

  /** Leaves what is on its way where it is, in the level that has come since. */
  carry(moved: Movable | undefined): void {
    const now = this.chosen();
    if (!this.before || !moved || now?.path !== moved.path) return;
    now.put(moved.place[0], moved.place[1]);
    if (this.pending) this.pending = now;
  }

  /** Sets the place of what keys have moved: at once, since another one is moved from here on. */
  finish(): void {
    if (this.pending) void this.commit(this.pending);
  }

  private start(event: PointerEvent): void {
    const moved = this.chosen();
    if (!moved || !(event.shiftKey || this.isOn)) return;
    const [x, y] = this.port.toPixels(moved.place[0], moved.place[1]);
    if (Math.hypot(event.offsetX - x, event.offsetY - y) > (event.pointerType === "touch" ? NEAR.touch : NEAR.mouse)) return;
    event.stopImmediatePropagation();
    event.preventDefault();
    this.port.canvas.focus();
    this.port.canvas.setPointerCapture(event.pointerId);
    this.offset = [event.offsetX - x, event.offsetY - y];
    this.before = [moved.place[0], moved.place[1]];
  }

  private drag(event: PointerEvent): void {
    const moved = this.chosen();
    if (!this.before || !moved) return;
    event.stopImmediatePropagation();
    const [x, y] = this.port.fromPixels(event.offsetX - this.offset[0], event.offsetY - this.offset[1]);
    moved.put(Math.round(x), Math.round(y));
    this.port.later();
  }

  private end(event: PointerEvent): void {
    const moved = this.chosen();
    if (!this.before || !moved) return;
    event.stopImmediatePropagation();
    if (event.type === "pointerup") return void this.commit(moved);
    this.putBack(moved);
  }

  private onKey(event: KeyboardEvent): void {
    const moved = this.chosen();
    const steps: Record<string, [number, number]> = { ArrowLeft: [-STEP, 0], ArrowRight: [STEP, 0], ArrowUp: [0, -STEP], ArrowDown: [0, STEP] };
    const step = steps[event.key];
    if (!moved || !step || !event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    this.before ??= [moved.place[0], moved.place[1]];
    moved.put(moved.place[0] + step[0], moved.place[1] + step[1]);
    announce(`${moved.place[0]}, ${moved.place[1]}`);
    this.port.later();
    this.pending = moved;
    this.finishSoon();
  }

  private putBack(moved: Movable): void {
    if (this.before) moved.put(...this.before);
    [this.before, this.pending] = [undefined, undefined];
    this.port.later();
  }

  /** Sets the property that stores the location; puts the actor back where that fails. */
  private async commit(moved: Movable): Promise<void> {
    const [x, y, z] = moved.place;
    const { before } = this;
    if (!before || (x === before[0] && y === before[1])) return this.putBack(moved);
    // The level that comes with the change has the new place: nothing is on its way any more.
    [this.before, this.pending] = [undefined, undefined];
    try {
      const { object, property, stored } = await this.host.doc().get<{ object: string; property: string; stored: boolean }>("actor-place", { row: moved.row });
      if (await this.host.change({ do: "set", object, property, value: stored ? `(X=${x},Y=${y})` : `(X=${x},Y=${y},Z=${z})` })) return;
    } catch (error) {
      this.host.fail(error, moved.path);
    }
    this.before ??= before;
    this.putBack(moved);
  }
}
