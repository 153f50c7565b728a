// The chosen actor of a map moved: dragged with Shift or while moving is on, or by the arrow keys with Alt.

import type { Host } from "./details";
import type { Doc } from "./doc";
import { announce, h, settled } from "./dom";
import type { Viewport } from "./viewport";

/** What is moved: its row, path and place in the level, and what puts it at another one. */
export interface Movable { row: number; path: string; readonly place: readonly [number, number, number]; put(x: number, y: number): void }

/** Distance in pixels at which an actor is grabbed. */
const NEAR = { mouse: 12, touch: 28 };
/** Units that a key moves an actor: the usual grid of the editors. */
const STEP = 16;

/** What is on its way to another place, and where it was. */
interface Move { moved: Movable; before: [number, number]; isDragged: boolean }

export class Mover {
  readonly button = h("button", { type: "button", class: "quiet", id: "map-move", "aria-pressed": "false", title: "Drag the chosen actor; Shift does it too, and Alt with the arrow keys" }, "Move");
  private move: Move | undefined;
  private offset: [number, number] = [0, 0];
  private readonly finishSoon = settled(700, () => this.finish());

  constructor(private doc: Doc, private port: Viewport, private host: Host, private chosen: () => Movable | undefined) {
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

  /** Leaves what is on its way where it is, in the level that has come since; one that is there no more is on no way. */
  carry(): void {
    if (!this.move) return;
    const { moved } = this.move;
    const now = this.chosen();
    if (now?.path !== moved.path) {
      this.move = undefined;
      return;
    }
    now.put(moved.place[0], moved.place[1]);
    this.move.moved = now;
  }

  /** Sets the place of what keys have moved: at once, since another one is chosen. */
  finish(): void {
    if (this.move && !this.move.isDragged) void this.commit(this.move);
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
    // What keys have moved before goes on from where it is.
    this.move = { moved, before: this.move?.before ?? [moved.place[0], moved.place[1]], isDragged: true };
  }

  private drag(event: PointerEvent): void {
    if (!this.move?.isDragged) return;
    event.stopImmediatePropagation();
    const [x, y] = this.port.fromPixels(event.offsetX - this.offset[0], event.offsetY - this.offset[1]);
    this.move.moved.put(Math.round(x), Math.round(y));
    this.port.later();
  }

  private end(event: PointerEvent): void {
    const { move } = this;
    if (!move?.isDragged) return;
    event.stopImmediatePropagation();
    if (event.type === "pointerup") return void this.commit(move);
    this.putBack(move);
  }

  private onKey(event: KeyboardEvent): void {
    const moved = this.chosen();
    const steps: Record<string, [number, number]> = { ArrowLeft: [-STEP, 0], ArrowRight: [STEP, 0], ArrowUp: [0, -STEP], ArrowDown: [0, STEP] };
    const step = steps[event.key];
    if (!moved || !step || !event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    if (this.move?.isDragged) return;
    this.move = { moved, before: this.move?.before ?? [moved.place[0], moved.place[1]], isDragged: false };
    moved.put(moved.place[0] + step[0], moved.place[1] + step[1]);
    announce(`${moved.place[0]}, ${moved.place[1]}`);
    this.port.later();
    this.finishSoon();
  }

  private putBack({ moved, before }: Move): void {
    moved.put(...before);
    if (this.move?.moved.path === moved.path) this.move = undefined;
    this.port.later();
  }

  /** Sets the property that stores the location; puts the actor back where that fails. */
  private async commit(move: Move): Promise<void> {
    const { moved, before } = move;
    const [x, y, z] = moved.place;
    // Nothing was moved, or another package is shown, which has other rows.
    if ((x === before[0] && y === before[1]) || this.host.doc() !== this.doc) return this.putBack(move);
    // The level that comes with the change has the new place.
    this.move = undefined;
    try {
      const { object, property, stored } = await this.doc.get<{ object: string; property: string; stored: boolean }>("actor-place", { row: moved.row });
      const value = stored ? `(X=${x},Y=${y})` : `(X=${x},Y=${y},Z=${z})`;
      if (this.host.doc() === this.doc && await this.host.change({ do: "set", object, property, value })) return;
    } catch (error) {
      this.host.fail(error, moved.path);
    }
    // Moved again meanwhile, it stays on that way, which begins where this one did.
    const later = this.move as Move | undefined;
    if (later?.moved.path === moved.path) later.before = before;
    else this.putBack(move);
  }
}
