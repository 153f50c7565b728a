// The bytes of a package as areas: objects by class, tables beside them; the same as a table.

import type { Host } from "./details";
import { announce, button, grouped, h, onTheme } from "./dom";
import { keeps } from "./keep";
import { colorOf } from "./viewport";
import { VirtualRows } from "./virtual";

/** Row, class, typed, payload, opaque. */
type Sent = [number, number, number, number, number];

interface Bytes { classes: string[]; objects: Sent[]; names: string[]; sections: [string, number, number][]; more: { objects: number; bytes: number; parts: [number, number, number, number] } }

interface Area { label: string; detail: string; key: string | null; bytes: number; parts: [number, number, number, number]; color: number }

/** An area with its place on the canvas. */
interface Tile { area: Area; x: number; y: number; wide: number; high: number }

/** Puts areas into a rectangle, each as near to a square as the row that it is in allows (squarified treemaps). */
export function squarify(sizes: number[], [x, y, wide, high]: [number, number, number, number]): [number, number, number, number][] {
  const all = sizes.reduce((sum, size) => sum + size, 0);
  const made: [number, number, number, number][] = [];
  if (all <= 0 || wide <= 0 || high <= 0) return sizes.map(() => [x, y, 0, 0]);
  const factor = (wide * high) / all;
  let at = 0;
  while (at < sizes.length) {
    const side = Math.min(wide, high);
    let [sum, worst, end] = [0, Infinity, at];
    while (end < sizes.length) {
      const next = sum + sizes[end] * factor;
      const [most, least] = [sizes[at] * factor, sizes[end] * factor];
      const shape = next > 0 ? Math.max((side * side * most) / (next * next), (next * next) / (side * side * Math.max(least, 1e-12))) : Infinity;
      if (shape > worst && end > at) break;
      [sum, worst] = [next, shape];
      end += 1;
    }
    const depth = side > 0 ? sum / side : 0;
    let along = 0;
    for (; at < end; at++) {
      const length = depth > 0 ? (sizes[at] * factor) / depth : 0;
      made.push(wide >= high ? [x, y + along, depth, length] : [x + along, y, length, depth]);
      along += length;
    }
    if (wide >= high) [x, wide] = [x + depth, Math.max(0, wide - depth)];
    else [y, high] = [y + depth, Math.max(0, high - depth)];
  }
  return made;
}

class Treemap {
  readonly element: HTMLElement;
  private readonly canvas = h("canvas", { class: "map-canvas treemap", tabindex: "0", role: "application", "aria-label": "Bytes as areas; the table below has the same", id: "treemap" });
  private readonly said = h("p", { class: "found", role: "status" });
  private readonly rows: VirtualRows<Area>;
  private tiles: Tile[] = [];
  private chosen = 0;

  constructor(private areas: Area[], private host: Host, note: string) {
    this.rows = new VirtualRows<Area>({
      total: areas.length,
      load: async (from, count) => areas.slice(from, from + count),
      draw: (element, area) => this.drawRow(element, area),
      choose: (_, at) => this.choose(at, false),
    }, "areas", "Bytes by object", 24, "grid");
    this.said.textContent = note;
    this.element = h("div", { class: "map" },
      h("div", { class: "pane-head" }, this.said, button("Open it", () => this.open(), { class: "quiet", id: "treemap-open" })),
      h("div", { class: "map-ground" }, this.canvas), this.rows.element);
    const named = ({ label, detail }: Area): string => `${detail} ${label}`;
    keeps<string>(this.element, "chosen area", {
      take: () => (areas[this.chosen] && this.chosen > 0 ? named(areas[this.chosen]) : undefined),
      give: (name) => { this.chosen = Math.max(0, areas.findIndex((area) => named(area) === name)); },
    });
    new ResizeObserver(() => this.measure()).observe(this.canvas);
    onTheme(this.canvas, () => this.draw());
    const { canvas } = this;
    canvas.addEventListener("click", (event) => this.pick(event.offsetX, event.offsetY));
    canvas.addEventListener("keydown", (event) => {
      const moves: Record<string, number> = { ArrowRight: this.chosen + 1, ArrowDown: this.chosen + 1, ArrowLeft: this.chosen - 1, ArrowUp: this.chosen - 1, Home: 0, End: areas.length - 1 };
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key === "Enter") this.open();
      else if (event.key in moves) this.choose(Math.max(0, Math.min(moves[event.key], areas.length - 1)), true);
      else return;
      event.preventDefault();
    });
  }

  private open(): void {
    const key = this.areas[this.chosen]?.key;
    if (key) this.host.go(key);
  }

  private choose(at: number, follow: boolean): void {
    this.chosen = at;
    if (follow) this.rows.activate(at);
    const area = this.areas[at];
    if (area) announce(`${area.label}, ${area.detail}, ${grouped(area.bytes)} bytes`);
    this.draw();
  }

  /** A click opens what lies there. */
  private pick(x: number, y: number): void {
    const tile = this.tiles.find((tile) => x >= tile.x && x < tile.x + tile.wide && y >= tile.y && y < tile.y + tile.high);
    if (!tile) return;
    this.choose(this.areas.indexOf(tile.area), true);
    this.open();
  }

  private drawRow(element: HTMLElement, area: Area | undefined): void {
    if (!area) return element.replaceChildren(h("span", { role: "gridcell" }, "\u2026"));
    const dot = h("i", { class: "dot", "aria-hidden": "true" });
    dot.style.background = colorOf(area.color);
    const [typed, payload, opaque, gap] = area.parts;
    const kinds = ([["typed", typed], ["payload", payload], ["opaque", opaque], ["gap", gap]] as const).filter(([, bytes]) => bytes > 0).map(([kind, bytes]) => `${grouped(bytes)} ${kind}`);
    element.replaceChildren(
      h("span", { role: "gridcell", class: "label" }, dot, area.label), h("span", { role: "gridcell", class: "muted" }, area.detail),
      h("span", { role: "gridcell", class: "number" }, `${grouped(area.bytes)} bytes`), h("span", { role: "gridcell", class: "muted" }, kinds.join(", ")));
  }

  private measure(): void {
    const scale = devicePixelRatio || 1;
    const { clientWidth: wide, clientHeight: high } = this.canvas;
    if (wide === 0 || high === 0) return;
    [this.canvas.width, this.canvas.height] = [Math.round(wide * scale), Math.round(high * scale)];
    // Classes first, so that what belongs together lies together.
    const groups = new Map<string, Area[]>();
    for (const area of this.areas) {
      const group = groups.get(area.detail);
      if (group) group.push(area);
      else groups.set(area.detail, [area]);
    }
    const bytes = (group: Area[]): number => group.reduce((sum, area) => sum + area.bytes, 0);
    const lists = [...groups.values()].map((group) => ({ group, bytes: bytes(group) })).sort((a, b) => b.bytes - a.bytes);
    const places = squarify(lists.map((list) => list.bytes), [0, 0, wide, high]);
    this.tiles = lists.flatMap(({ group }, at) => squarify(group.map((area) => area.bytes), places[at]).map(([x, y, wide, high], index) => ({ area: group[index], x, y, wide, high })));
    this.draw();
  }

  private draw(): void {
    const context = this.canvas.getContext("2d")!;
    const scale = devicePixelRatio || 1;
    const style = getComputedStyle(document.documentElement);
    const color = (name: string): string => style.getPropertyValue(name).trim();
    const kinds = [color("--typed"), color("--payload"), color("--opaque"), color("--gap")];
    context.setTransform(scale, 0, 0, scale, 0, 0);
    context.fillStyle = color("--sunk");
    context.fillRect(0, 0, this.canvas.clientWidth, this.canvas.clientHeight);
    context.lineWidth = 1;
    context.strokeStyle = color("--paper");
    context.font = `12px ${getComputedStyle(document.body).fontFamily}`;
    const chosen = this.areas[this.chosen];
    for (const { area, x, y, wide, high } of this.tiles) {
      if (wide < 0.5 || high < 0.5) continue;
      // The shares of the kinds, one beside the other.
      let from = x;
      area.parts.forEach((bytes, kind) => {
        const length = area.bytes > 0 ? (wide * bytes) / area.bytes : 0;
        context.fillStyle = kinds[kind];
        context.globalAlpha = 0.45;
        context.fillRect(from, y, length, high);
        from += length;
      });
      context.globalAlpha = 1;
      if (wide > 3 && high > 3) context.strokeRect(x, y, wide, high);
      if (wide < 54 || high < 18) continue;
      context.fillStyle = color("--ink");
      const most = Math.floor((wide - 10) / 7);
      context.fillText(area.label.length > most ? `${area.label.slice(0, most - 1)}\u2026` : area.label, x + 5, y + 14, wide - 10);
    }
    const tile = this.tiles.find((tile) => tile.area === chosen);
    if (!tile) return;
    context.strokeStyle = color("--ink");
    context.lineWidth = 2;
    context.strokeRect(tile.x + 1, tile.y + 1, Math.max(1, tile.wide - 2), Math.max(1, tile.high - 2));
  }
}

export async function treemapTab(host: Host): Promise<HTMLElement> {
  const { classes, objects, names, sections, more } = await host.doc().get<Bytes>("object-bytes");
  const short = (path: string): string => path.slice(path.lastIndexOf(".") + 1);
  const areas: Area[] = objects.map(([row, kind, typed, payload, opaque], at) =>
    ({ label: names[at], detail: short(classes[kind]), key: `export:${row}`, bytes: typed + payload + opaque, parts: [typed, payload, opaque, 0], color: kind }));
  for (const [name, bytes, kind] of sections) {
    const parts: Area["parts"] = [0, 0, 0, 0];
    parts[kind] = bytes;
    areas.push({ label: name, detail: "Table", key: null, bytes, parts, color: classes.length });
  }
  areas.sort((a, b) => b.bytes - a.bytes);
  if (more.objects > 0) areas.push({ label: `${grouped(more.objects)} smaller objects`, detail: "Others", key: null, bytes: more.bytes, parts: more.parts, color: classes.length + 1 });
  const total = areas.reduce((sum, area) => sum + area.bytes, 0);
  return new Treemap(areas, host, `${grouped(objects.length + more.objects)} objects, ${grouped(total)} bytes`).element;
}
