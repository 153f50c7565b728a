// A level from above: its brushes, actors and paths, on a canvas that is dragged and zoomed; a list of the same actors
// beside it, for the keyboard and for those who can't see the canvas.

import type { Host } from "./details";
import type { Doc } from "./doc";
import { announce, button, grouped, h, settled } from "./dom";
import { keeps } from "./keep";
import { Mover } from "./mover";
import type { Movable } from "./mover";
import type { Box, Drawing, View } from "./viewport";
import { Viewport, ZOOM, colorOf } from "./viewport";
import { VirtualRows } from "./virtual";

/** Which actor, its use as a brush, its outline. */
type Brush = [number, string | null, [number, number][][]];

/** What is no number of each actor. */
interface Named {
  classes: string[];
  /** The paths of all actors, one behind the other. */
  names: string;
  unplaced: number[];
  brushes: Brush[];
  paths: [number, number][];
}

/** Bytes of the numbers of an actor. */
const ACTOR = 3 * 8 + 3 * 4;

/** What actors have, each in a list: an actor is its place in them. */
class Level {
  /** Three coordinates each; zeros for those that have none. */
  readonly places: Float64Array;
  readonly rows: Uint32Array;
  readonly kinds: Uint32Array;
  /** Where the path of each ends in the text of them. */
  private readonly ends: Uint32Array;

  constructor(readonly named: Named, numbers: ArrayBuffer) {
    const count = numbers.byteLength / ACTOR;
    this.places = new Float64Array(numbers, 0, count * 3);
    const list = (at: number): Uint32Array => new Uint32Array(numbers, count * (3 * 8 + at * 4), count);
    [this.rows, this.kinds, this.ends] = [list(0), list(1), list(2)];
  }

  nameOf(actor: number): string {
    return this.named.names.slice(actor > 0 ? this.ends[actor - 1] : 0, this.ends[actor]);
  }
}

/** A pointer this near to an actor means it, in pixels. */
const NEAR = 9;
const BRUSHES: Record<string, string> = { builder: "#d02020", add: "#4a78d8", subtract: "#b07a24", other: "#7a8896", mover: "#b04cc0", volume: "#2f9a50" };

export class LevelMap implements Drawing {
  readonly element: HTMLElement;
  private readonly canvas = h("canvas", { class: "map-canvas", tabindex: "0", role: "application", "aria-label": "Map from above; the list beside it has the same actors", id: "map", "data-path": "map" });
  private readonly said = h("p", { class: "found", role: "status" });
  private readonly filter: HTMLInputElement;
  private readonly rows: VirtualRows<number>;
  private level!: Level;
  private all!: Int32Array;
  private listed!: Int32Array;
  /** 1 for those that have a place, 0 for those that are drawn by their outline. */
  private placed!: Uint8Array;
  private dotted!: Uint8Array;
  private readonly port: Viewport;
  private readonly mover: Mover;
  /** Outlines by their use, and lines of paths: they look alike at every scale. */
  private brushes: [string, Path2D][] = [];
  private lines!: Path2D;
  private box: Box | undefined;
  /** Actors as dots, a path for each class, and what they were made for: most frames only move them. */
  private dots = { listed: undefined as Int32Array | undefined, scale: 0, paths: new Map<number, Path2D>() };
  private chosen: number | undefined;

  constructor(readonly doc: Doc, level: Level, private host: Host) {
    this.filter = h("input", {
      type: "search", class: "filter", placeholder: "Filter by name or class", "aria-label": "Filter the actors", "data-path": "filter", autocomplete: "off", spellcheck: false,
      oninput: settled(120, () => this.apply()),
      onkeydown: (event: Event) => {
        if ((event as KeyboardEvent).key !== "ArrowDown") return;
        event.preventDefault();
        this.rows.element.focus();
      },
    });
    this.rows = new VirtualRows<number>({
      total: 0,
      load: async (from, count) => [...this.listed.subarray(from, from + count)],
      draw: (element, actor) => this.drawRow(element, actor),
      choose: (actor) => this.choose(actor, true),
    }, "actors", "Actors", 24, "grid");
    this.port = new Viewport(this.canvas, this);
    this.mover = new Mover(doc, this.port, host, () => this.movable());
    const tools = h("div", { class: "pane-head" }, this.filter, this.said,
      button("\u2212", () => this.port.zoom(1 / ZOOM), { class: "quiet", "aria-label": "Farther" }), button("+", () => this.port.zoom(ZOOM), { class: "quiet", "aria-label": "Nearer" }),
      button("Whole", () => this.port.fit(), { class: "quiet" }), button("Open it", () => this.open(), { class: "quiet", id: "map-open" }), this.mover.button);
    this.element = h("div", { class: "map" }, tools, h("div", { class: "map-ground" }, this.canvas), this.rows.element);
    keeps<{ filter: string; chosen: string | undefined; view: View | undefined }>(this.element, "map", {
      take: () => ({ filter: this.filter.value, chosen: this.chosen === undefined ? undefined : this.level.nameOf(this.chosen), view: this.port.looked }),
      give: ({ filter, chosen, view }) => {
        this.filter.value = filter;
        if (chosen !== undefined) this.chosen = this.actorOf(chosen);
        this.apply();
        if (view) this.port.resume(view);
      },
    });
    this.show(level);
  }

  private actorOf(path: string): number | undefined {
    const actor = this.all.findIndex((actor) => this.level.nameOf(actor) === path);
    return actor < 0 ? undefined : actor;
  }

  /**
   * Shows a level in place of the one before, as it is after a change. What is filtered, chosen, in view and on its way to another
   * place stays: a map made anew would lose it, and the keys that are pressed meanwhile.
   */
  show(level: Level): void {
    const { active } = this.rows;
    const path = this.chosen === undefined ? undefined : this.level.nameOf(this.chosen);
    this.level = level;
    const count = level.rows.length;
    this.all = Int32Array.from({ length: count }, (_, at) => at);
    this.placed = new Uint8Array(count).fill(1);
    for (const at of level.named.unplaced) this.placed[at] = 0;
    this.dotted = this.placed.slice();
    for (const [at, use, outline] of level.named.brushes) if (use && outline.length) this.dotted[at] = 0;
    this.brushes = Object.keys(BRUSHES).map((use) => [use, outlinesOf(level, use)]);
    this.lines = linesOf(level, this.placed);
    this.box = boxOf(level, this.placed);
    this.chosen = path === undefined ? undefined : this.actorOf(path);
    this.mover.carry();
    this.apply(active);
  }

  /** Goes to the object that is chosen. */
  open(): void {
    if (this.chosen !== undefined) this.host.go(`export:${this.level.rows[this.chosen]}`);
  }

  private placeOf(actor: number): [number, number, number] | undefined {
    const { places } = this.level;
    return this.placed[actor] ? [places[actor * 3], places[actor * 3 + 1], places[actor * 3 + 2]] : undefined;
  }

  /** What is chosen, where it has a place. */
  private movable(): Movable | undefined {
    if (this.chosen === undefined) return undefined;
    const { chosen, level: { places, rows } } = this;
    const place = this.placeOf(chosen);
    const put = (x: number, y: number): void => {
      [places[chosen * 3], places[chosen * 3 + 1]] = [x, y];
      if (place) [place[0], place[1]] = [x, y];
    };
    return place && { row: rows[chosen], path: this.level.nameOf(chosen), place, put };
  }

  private apply(active = 0): void {
    const text = this.filter.value.trim().toLowerCase();
    const { kinds, named } = this.level;
    const fits = named.classes.map((path) => path.toLowerCase().includes(text));
    this.listed = text ? this.all.filter((actor) => fits[kinds[actor]] || this.level.nameOf(actor).toLowerCase().includes(text)) : this.all;
    const placed = this.listed.reduce((sum, actor) => sum + this.placed[actor], 0);
    this.said.textContent = `${grouped(this.listed.length)} actors, ${grouped(placed)} with a place`;
    this.rows.active = active;
    this.rows.reset({ total: this.listed.length });
    this.port.later();
  }

  private drawRow(element: HTMLElement, actor: number | undefined): void {
    if (actor === undefined) return element.replaceChildren(h("span", { role: "gridcell" }, "\u2026"));
    const path = this.level.nameOf(actor);
    const place = this.placeOf(actor);
    const dot = h("i", { class: "dot", "aria-hidden": "true" });
    dot.style.background = colorOf(this.level.kinds[actor]);
    element.replaceChildren(
      h("span", { role: "gridcell", class: "label" }, dot, path.slice(path.lastIndexOf(".") + 1)),
      h("span", { role: "gridcell", class: "muted" }, this.classOf(actor)),
      h("span", { role: "gridcell", class: "number" }, place ? place.map((part) => Math.round(part)).join(", ") : "no place"));
  }

  private classOf(actor: number): string {
    const path = this.level.named.classes[this.level.kinds[actor]];
    return path.slice(path.lastIndexOf(".") + 1);
  }

  private choose(actor: number, bring: boolean): void {
    if (actor !== this.chosen) this.mover.finish();
    this.chosen = actor;
    const path = this.level.nameOf(actor);
    const place = this.placeOf(actor);
    if (bring && place) this.port.center(place[0], place[1]);
    const at = this.listed.indexOf(actor);
    if (!bring && at >= 0) this.rows.activate(at);
    announce(`${path}, ${this.classOf(actor)}`);
    this.port.later();
  }

  pick(x: number, y: number): void {
    const { places, rows } = this.level;
    let best: number | undefined;
    let least = NEAR;
    for (const actor of this.listed) {
      if (!this.placed[actor]) continue;
      const [ax, ay] = this.port.toPixels(places[actor * 3], places[actor * 3 + 1]);
      const distance = Math.hypot(ax - x, ay - y);
      if (distance < least) [best, least] = [actor, distance];
    }
    if (best === undefined) return;
    if (best === this.chosen) return this.host.go(`export:${rows[best]}`);
    this.choose(best, false);
  }

  bounds(): Box | undefined {
    return this.box;
  }

  draw(context: CanvasRenderingContext2D, view: View, _seen: Box, style: CSSStyleDeclaration): void {
    context.lineWidth = view.scale;
    for (const [use, path] of this.brushes) {
      context.globalAlpha = 0.05;
      context.fillStyle = BRUSHES[use];
      context.fill(path);
      context.globalAlpha = 0.7;
      context.strokeStyle = BRUSHES[use];
      context.stroke(path);
    }
    context.globalAlpha = 0.5;
    context.strokeStyle = style.getPropertyValue("--faint");
    context.stroke(this.lines);
    context.globalAlpha = 1;
    this.drawActors(context, view, style);
  }

  /** One path a class: many small ones are what makes dragging slow. */
  private dotsAt(scale: number): Map<number, Path2D> {
    const { listed, level: { kinds, places } } = this;
    if (this.dots.listed === listed && this.dots.scale === scale) return this.dots.paths;
    const paths = new Map<number, Path2D>();
    const size = 3.5 * scale;
    for (const actor of listed) {
      if (!this.dotted[actor]) continue;
      const [x, y] = [places[actor * 3], places[actor * 3 + 1]];
      let path = paths.get(kinds[actor]);
      if (!path) paths.set(kinds[actor], path = new Path2D());
      path.rect(x - size, y - size, size * 2, size * 2);
    }
    this.dots = { listed, scale, paths };
    return paths;
  }

  private drawActors(context: CanvasRenderingContext2D, view: View, style: CSSStyleDeclaration): void {
    for (const [kind, path] of this.dotsAt(view.scale)) {
      context.fillStyle = colorOf(kind);
      context.fill(path);
    }
    const chosen = this.movable();
    if (!chosen) return;
    const [x, y] = chosen.place;
    context.lineWidth = 2 * view.scale;
    context.strokeStyle = style.getPropertyValue("--ink");
    context.beginPath();
    context.arc(x, y, 8 * view.scale, 0, 2 * Math.PI);
    context.stroke();
    context.fillStyle = style.getPropertyValue("--ink");
    context.font = `${12 * view.scale}px sans-serif`;
    context.fillText(chosen.path.slice(chosen.path.lastIndexOf(".") + 1), x + 11 * view.scale, y + 4 * view.scale);
  }
}

/** The outlines of all brushes that are used alike. */
function outlinesOf(level: Level, use: string): Path2D {
  const path = new Path2D();
  for (const [, brushUse, outline] of level.named.brushes) {
    if (brushUse !== use) continue;
    for (const polygon of outline) {
      polygon.forEach(([x, y], at) => { if (at === 0) path.moveTo(x, y); else path.lineTo(x, y); });
      path.closePath();
    }
  }
  return path;
}

function linesOf({ rows, places, named: { paths } }: Level, placed: Uint8Array): Path2D {
  const path = new Path2D();
  if (paths.length === 0) return path;
  const actors = new Map<number, number>();
  rows.forEach((row, at) => actors.set(row, at));
  for (const [from, to] of paths) {
    const [a, b] = [actors.get(from), actors.get(to)];
    if (a === undefined || b === undefined || !placed[a] || !placed[b]) continue;
    path.moveTo(places[a * 3], places[a * 3 + 1]);
    path.lineTo(places[b * 3], places[b * 3 + 1]);
  }
  return path;
}

/** What says something of a level as a whole: where it stands means nothing. */
const INFO = /Info(_\d+)?$|\bWorldSettings$/;

/** What actors and outlines lie in, of which the numbers are finite; without what stands for the whole level at no place of its own. */
function boxOf(level: Level, placed: Uint8Array): Box | undefined {
  const { kinds, places } = level;
  const isInfo = level.named.classes.map((path) => INFO.test(path));
  const isAway = (at: number): boolean => places[at * 3] !== 0 || places[at * 3 + 1] !== 0 || places[at * 3 + 2] !== 0;
  const isPlaced = (at: number): boolean => !isInfo[kinds[at]] || isAway(at);
  const counts = placed.some((has, at) => has && isPlaced(at)) ? isPlaced : () => true;
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  const reach = (x: number, y: number): void => {
    if (!Number.isFinite(x) || !Number.isFinite(y)) return;
    [left, top, right, bottom] = [Math.min(left, x), Math.min(top, y), Math.max(right, x), Math.max(bottom, y)];
  };
  placed.forEach((has, at) => { if (has && counts(at)) reach(places[at * 3], places[at * 3 + 1]); });
  for (const [at, , outline] of level.named.brushes) {
    if (counts(at)) for (const polygon of outline) for (const [x, y] of polygon) reach(x, y);
  }
  return left > right ? undefined : [left, top, right, bottom];
}

/** Maps by what shows them: they go with it, as they are large. */
const maps = new WeakMap<Element, LevelMap>();

/** The map of the level; the one that is shown already goes on. */
export async function mapTab(host: Host, shown: Element | null): Promise<HTMLElement> {
  const doc = host.doc();
  const { value, bytes } = await doc.ask<Named>("level-map");
  const level = new Level(value, bytes ?? new ArrayBuffer(0));
  const known = shown ? maps.get(shown) : undefined;
  if (known?.doc === doc) {
    known.show(level);
    return known.element;
  }
  const made = new LevelMap(doc, level, host);
  maps.set(made.element, made);
  return made.element;
}
