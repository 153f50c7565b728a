// A level from above: its brushes, actors and paths, on a canvas that is dragged and zoomed; a list of the same actors
// beside it, for the keyboard and for those who can't see the canvas.

import type { Host } from "./details";
import { announce, button, grouped, h, settled } from "./dom";
import { Mover } from "./mover";
import type { Box, Drawing, View } from "./viewport";
import { Viewport, ZOOM, colorOf } from "./viewport";
import { VirtualRows } from "./virtual";

/** Row, path, class, place, use as a brush, outline. */
type Actor = [number, string, number, [number, number, number] | null, string | null, [number, number][][]];

interface Level { classes: string[]; actors: Actor[]; paths: [number, number][] }

/** A pointer this near to an actor means it, in pixels. */
const NEAR = 9;
const BRUSHES: Record<string, string> = { builder: "#d02020", add: "#4a78d8", subtract: "#b07a24", other: "#7a8896", mover: "#b04cc0", volume: "#2f9a50" };

export class LevelMap implements Drawing {
  readonly element: HTMLElement;
  private readonly canvas = h("canvas", { class: "map-canvas", tabindex: "0", role: "application", "aria-label": "Map from above; the list beside it has the same actors", id: "map", "data-path": "map" });
  private readonly said = h("p", { class: "found", role: "status" });
  private readonly filter: HTMLInputElement;
  private readonly rows: VirtualRows<Actor>;
  private listed: Actor[];
  private readonly port: Viewport;
  /** Outlines by their use, and lines of paths: they look alike at every scale. */
  private readonly brushes: [string, Path2D][];
  private readonly lines: Path2D;
  private readonly box: Box | undefined;
  /** Actors as dots, a path for each class, and what they were made for: most frames only move them. */
  private dots = { listed: [] as Actor[], scale: 0, paths: new Map<number, Path2D>() };
  private chosen: Actor | undefined;

  constructor(private level: Level, private host: Host) {
    this.listed = level.actors;
    this.brushes = Object.keys(BRUSHES).map((use) => [use, outlinesOf(level, use)]);
    this.lines = linesOf(level);
    this.box = boxOf(level);
    this.filter = h("input", {
      type: "search", class: "filter", placeholder: "Filter by name or class", "aria-label": "Filter the actors", autocomplete: "off", spellcheck: false,
      oninput: settled(120, () => this.apply()),
      onkeydown: (event: Event) => {
        if ((event as KeyboardEvent).key !== "ArrowDown") return;
        event.preventDefault();
        this.rows.element.focus();
      },
    });
    this.rows = new VirtualRows<Actor>({
      total: this.listed.length,
      load: async (from, count) => this.listed.slice(from, from + count),
      draw: (element, actor) => this.drawRow(element, actor),
      choose: (actor) => this.choose(actor, true),
    }, "actors", "Actors", 24, "grid");
    this.port = new Viewport(this.canvas, this);
    const mover = new Mover(this.port, host, () => (this.chosen?.[3] ? { row: this.chosen[0], path: this.chosen[1], place: this.chosen[3] } : undefined));
    const tools = h("div", { class: "pane-head" }, this.filter, this.said,
      button("\u2212", () => this.port.zoom(1 / ZOOM), { class: "quiet", "aria-label": "Farther" }), button("+", () => this.port.zoom(ZOOM), { class: "quiet", "aria-label": "Nearer" }),
      button("Whole", () => this.port.fit(), { class: "quiet" }), button("Open it", () => this.open(), { class: "quiet", id: "map-open" }), mover.button);
    this.element = h("div", { class: "map" }, tools, h("div", { class: "map-ground" }, this.canvas), this.rows.element);
    this.apply();
    const moved = mover.restore();
    this.chosen = level.actors.find((actor) => actor[1] === moved);
  }

  /** Goes to the object that is chosen. */
  open(): void {
    if (this.chosen) this.host.go(`export:${this.chosen[0]}`);
  }

  private apply(): void {
    const text = this.filter.value.trim().toLowerCase();
    const { classes, actors } = this.level;
    this.listed = text ? actors.filter((actor) => actor[1].toLowerCase().includes(text) || classes[actor[2]].toLowerCase().includes(text)) : actors;
    const placed = this.listed.reduce((sum, actor) => sum + Number(actor[3] !== null), 0);
    this.said.textContent = `${grouped(this.listed.length)} actors, ${grouped(placed)} with a place`;
    this.rows.active = 0;
    this.rows.reset({ total: this.listed.length });
    this.port.later();
  }

  private drawRow(element: HTMLElement, actor: Actor | undefined): void {
    if (!actor) return element.replaceChildren(h("span", { role: "gridcell" }, "\u2026"));
    const [, path, kind, place] = actor;
    const dot = h("i", { class: "dot", "aria-hidden": "true" });
    dot.style.background = colorOf(kind);
    element.replaceChildren(
      h("span", { role: "gridcell", class: "label" }, dot, path.slice(path.lastIndexOf(".") + 1)),
      h("span", { role: "gridcell", class: "muted" }, this.classOf(actor)),
      h("span", { role: "gridcell", class: "number" }, place ? place.map((part) => Math.round(part)).join(", ") : "no place"));
  }

  private classOf(actor: Actor): string {
    const path = this.level.classes[actor[2]];
    return path.slice(path.lastIndexOf(".") + 1);
  }

  private choose(actor: Actor, bring: boolean): void {
    this.chosen = actor;
    const [, path, , place] = actor;
    if (bring && place) this.port.center(place[0], place[1]);
    const at = this.listed.indexOf(actor);
    if (!bring && at >= 0) this.rows.activate(at);
    announce(`${path}, ${this.classOf(actor)}`);
    this.port.later();
  }

  pick(x: number, y: number): void {
    let best: Actor | undefined;
    let least = NEAR;
    for (const actor of this.listed) {
      if (!actor[3]) continue;
      const [ax, ay] = this.port.toPixels(actor[3][0], actor[3][1]);
      const distance = Math.hypot(ax - x, ay - y);
      if (distance < least) [best, least] = [actor, distance];
    }
    if (best === this.chosen && best) return this.host.go(`export:${best[0]}`);
    if (best) this.choose(best, false);
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
    const { listed } = this;
    if (this.dots.listed === listed && this.dots.scale === scale) return this.dots.paths;
    const paths = new Map<number, Path2D>();
    const size = 3.5 * scale;
    for (const actor of listed) {
      if (!actor[3] || (actor[4] && actor[5].length)) continue;
      const [x, y] = actor[3];
      let path = paths.get(actor[2]);
      if (!path) paths.set(actor[2], path = new Path2D());
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
    if (!this.chosen?.[3]) return;
    const [x, y] = this.chosen[3];
    context.lineWidth = 2 * view.scale;
    context.strokeStyle = style.getPropertyValue("--ink");
    context.beginPath();
    context.arc(x, y, 8 * view.scale, 0, 2 * Math.PI);
    context.stroke();
    context.fillStyle = style.getPropertyValue("--ink");
    context.font = `${12 * view.scale}px sans-serif`;
    context.fillText(this.chosen[1].slice(this.chosen[1].lastIndexOf(".") + 1), x + 11 * view.scale, y + 4 * view.scale);
  }
}

/** The outlines of all brushes that are used alike. */
function outlinesOf(level: Level, use: string): Path2D {
  const path = new Path2D();
  for (const actor of level.actors) {
    if (actor[4] !== use) continue;
    for (const polygon of actor[5]) {
      polygon.forEach(([x, y], at) => { if (at === 0) path.moveTo(x, y); else path.lineTo(x, y); });
      path.closePath();
    }
  }
  return path;
}

function linesOf(level: Level): Path2D {
  const path = new Path2D();
  if (level.paths.length === 0) return path;
  const places = new Map(level.actors.map((actor) => [actor[0], actor[3]]));
  for (const [from, to] of level.paths) {
    const [a, b] = [places.get(from), places.get(to)];
    if (!a || !b) continue;
    path.moveTo(a[0], a[1]);
    path.lineTo(b[0], b[1]);
  }
  return path;
}

/** What says something of a level as a whole: where it stands means nothing. */
const INFO = /Info(_\d+)?$|\bWorldSettings$/;

/** What actors and outlines lie in, of which the numbers are finite; without what stands for the whole level at no place of its own. */
function boxOf(level: Level): Box | undefined {
  const isInfo = level.classes.map((path) => INFO.test(path));
  const isPlaced = ([, , kind, place]: Actor): boolean => !isInfo[kind] || (place !== null && place.some((part) => part !== 0));
  const actors = level.actors.some((actor) => actor[3] !== null && isPlaced(actor)) ? level.actors.filter(isPlaced) : level.actors;
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  const reach = (x: number, y: number): void => {
    if (!Number.isFinite(x) || !Number.isFinite(y)) return;
    [left, top, right, bottom] = [Math.min(left, x), Math.min(top, y), Math.max(right, x), Math.max(bottom, y)];
  };
  for (const actor of actors) {
    if (actor[3]) reach(actor[3][0], actor[3][1]);
    for (const polygon of actor[5]) for (const [x, y] of polygon) reach(x, y);
  }
  return left > right ? undefined : [left, top, right, bottom];
}

export async function mapTab(host: Host): Promise<Node> {
  return new LevelMap(await host.doc().get<Level>("level-map"), host).element;
}
