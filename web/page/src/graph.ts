// A graph of nodes on a canvas: boxes with pins where an editor has stored them, wires between them; a list of the same
// nodes below, for the keyboard and for those who can't see the canvas.

import type { Host } from "./details";
import { announce, button, grouped, h, settled } from "./dom";
import { keeps } from "./keep";
import { commonBeginning, cut, drawLabels, shortened } from "./labels";
import type { Label } from "./labels";
import { Grid, apart, columns, union } from "./space";
import type { Box, Drawing, View } from "./viewport";
import { Viewport, ZOOM, colorOf } from "./viewport";
import { VirtualRows } from "./virtual";

export interface Node {
  /** What it is called in the package, also after a change that moves its row. */
  path: string;
  /** The place that opening it leads to; none for what is no object of the package. */
  key: string | null;
  label: string;
  detail: string;
  /** The place of its colour among those of its kind. */
  color: number;
  place: [number, number] | null;
  size: [number, number] | null;
  comment: boolean;
  inputs: string[];
  outputs: string[];
}

/** Node, output, node, input. */
export type Wire = [number, number, number, number];

export interface Graph {
  /** What it is called among the graphs of its view. */
  name: string;
  nodes: Node[];
  wires: Wire[];
  /** Whether outputs are on the left of a node. */
  left: boolean;
  /** What is said of it besides the number of its nodes. */
  note?: string;
}

/** What its user looks at. */
interface Looked { filter: string; chosen: string | undefined; view: View | undefined }

const HEAD = 26;
const PIN = 18;
const WIDEST = 300;
/** Pixels of text below which it can't be read. */
const SMALLEST = 8.5;
/** Units a pixel below which a graph of few nodes does not start: texts of twice their size. */
const NEAREST = 0.5;
/** Units a pixel at which boxes are too small for names beside them. */
const FARTHEST = 7;
/** Wires in view from which on they are drawn fainter. */
const DENSE = 60;
/** Wires of a node that are listed as text. */
const LISTED = 40;

/** Name and class of a node as they are shown: without what most classes of the graph begin with. */
type Shown = [label: string, detail: string];

function shownOf(nodes: Node[]): Shown[] {
  const beginning = commonBeginning(nodes.map(({ detail }) => detail));
  return nodes.map(({ label, detail }) => [shortened(label, beginning), shortened(detail, beginning)]);
}

/** How large a node is drawn: as its editor has it, or so that its texts fit. */
function sizeOf(node: Node, shown: Shown): [number, number] {
  if (node.comment && node.size) return [Math.max(node.size[0], 80), Math.max(node.size[1], 40)];
  const longest = (texts: string[]): number => texts.reduce((most, text) => Math.max(most, text.length), 0);
  const wide = Math.max(longest(shown) * 7 + 24, (longest(node.inputs) + longest(node.outputs)) * 6.5 + 40, 110);
  return [Math.min(wide, WIDEST), HEAD + 18 + Math.max(node.inputs.length, node.outputs.length) * PIN];
}

export class GraphView implements Drawing {
  readonly element: HTMLElement;
  private readonly canvas = h("canvas", { class: "map-canvas", tabindex: "0", role: "application", "aria-label": "Graph of nodes; the list below it has the same nodes", id: "graph" });
  private readonly said = h("p", { class: "found", role: "status" });
  private readonly links = h("ul", { class: "graph-links", "aria-label": "Wires of the chosen node", hidden: true });
  private readonly filter: HTMLInputElement;
  private readonly rows: VirtualRows<number>;
  private readonly port: Viewport;
  private readonly shown: Shown[];
  private readonly boxes: Box[];
  private readonly nodeGrid: Grid;
  private readonly wireGrid: Grid;
  private readonly wiresOf: number[][];
  private readonly unplaced: number;
  private listed: number[];
  private chosen: number | undefined;

  constructor(private graph: Graph, private host: Host, ...tools: HTMLElement[]) {
    const { nodes, wires } = graph;
    this.shown = shownOf(nodes);
    const sizes = nodes.map((node, at) => sizeOf(node, this.shown[at]));
    this.unplaced = nodes.filter((node) => !node.place).length;
    // Comments lie below other nodes: they grow with the places.
    const by = apart(nodes.map((node) => (node.comment ? null : node.place)), sizes);
    nodes.forEach((node, at) => { if (node.comment && node.size) sizes[at] = [sizes[at][0] * by, sizes[at][1] * by]; });
    const placed = nodes.map(({ place }): Node["place"] => place && [place[0] * by, place[1] * by]);
    const places = columns(placed, sizes, wires.map(([from, , to]) => [from, to]), graph.left);
    this.boxes = places.map(([x, y], at) => [x, y, x + sizes[at][0], y + sizes[at][1]]);
    this.nodeGrid = new Grid(this.boxes);
    this.wireGrid = new Grid(wires.map((wire) => this.wireBox(wire)));
    this.wiresOf = nodes.map(() => []);
    wires.forEach(([from, , to], at) => {
      this.wiresOf[from].push(at);
      if (to !== from) this.wiresOf[to].push(at);
    });
    this.listed = nodes.map((_, at) => at);
    this.filter = h("input", {
      type: "search", class: "filter", placeholder: "Filter by name or class", "aria-label": "Filter the nodes", "data-path": "filter", autocomplete: "off", spellcheck: false,
      oninput: settled(120, () => this.apply()),
      onkeydown: (event: Event) => {
        if ((event as KeyboardEvent).key !== "ArrowDown") return;
        event.preventDefault();
        this.rows.element.focus();
      },
    });
    this.rows = new VirtualRows<number>({
      total: nodes.length,
      load: async (from, count) => this.listed.slice(from, from + count),
      draw: (element, node) => this.drawRow(element, node),
      choose: (node) => this.choose(node, true),
    }, "nodes", "Nodes", 24, "grid");
    this.port = new Viewport(this.canvas, this, 0.1, { nearest: NEAREST, farthest: FARTHEST, middle: () => this.hub() });
    this.element = h("div", { class: "map" },
      h("div", { class: "pane-head" }, ...tools, this.filter, this.said,
        button("\u2212", () => this.port.zoom(1 / ZOOM), { class: "quiet", "aria-label": "Farther" }), button("+", () => this.port.zoom(ZOOM), { class: "quiet", "aria-label": "Nearer" }),
        button("Whole", () => this.port.fit(), { class: "quiet" }), button("Open it", () => this.open(), { class: "quiet", id: "graph-open" })),
      h("div", { class: "map-ground" }, this.canvas), this.links, this.rows.element);
    keeps<Looked>(this.element, `graph ${graph.name}`, { take: () => this.looked(), give: (looked) => this.resume(looked) });
    this.apply();
  }

  private looked(): Looked {
    return { filter: this.filter.value, chosen: this.chosen === undefined ? undefined : this.graph.nodes[this.chosen].path, view: this.port.looked };
  }

  private resume({ filter, chosen, view }: Looked): void {
    this.filter.value = filter;
    this.apply();
    const at = chosen === undefined ? -1 : this.graph.nodes.findIndex(({ path }) => path === chosen);
    if (at >= 0) this.mark(at);
    if (view) this.port.resume(view);
  }

  /** Goes to the object that is chosen. */
  open(): void {
    const key = this.chosen === undefined ? null : this.graph.nodes[this.chosen].key;
    if (key) this.host.go(key);
  }

  bounds(): Box | undefined {
    return union(this.boxes);
  }

  /** The middle of the node with most wires: what one starts from where not all of them can be read at once. */
  private hub(): [number, number] | undefined {
    if (this.boxes.length === 0) return undefined;
    const at = this.wiresOf.reduce((best, wires, node) => (wires.length > this.wiresOf[best].length ? node : best), 0);
    const [left, top, right, bottom] = this.boxes[at];
    return [(left + right) / 2, (top + bottom) / 2];
  }

  private apply(): void {
    const text = this.filter.value.trim().toLowerCase();
    const { nodes, wires, note } = this.graph;
    const has = (node: Node): boolean => node.label.toLowerCase().includes(text) || node.detail.toLowerCase().includes(text);
    this.listed = nodes.map((_, at) => at).filter((at) => has(nodes[at]));
    const placed = this.unplaced === 0 ? "" : this.unplaced === nodes.length ? "; no places are stored: they stand in columns" : `; ${grouped(this.unplaced)} without a place stand in columns`;
    this.said.textContent = `${grouped(this.listed.length)} ${this.listed.length === 1 ? "node" : "nodes"}, ${grouped(wires.length)} ${wires.length === 1 ? "wire" : "wires"}${note ?? placed}`;
    this.rows.active = 0;
    this.rows.reset({ total: this.listed.length });
    this.port.later();
  }

  private drawRow(element: HTMLElement, at: number | undefined): void {
    if (at === undefined) return element.replaceChildren(h("span", { role: "gridcell" }, "\u2026"));
    const node = this.graph.nodes[at];
    const dot = h("i", { class: "dot", "aria-hidden": "true" });
    dot.style.background = colorOf(node.color);
    const into = this.wiresOf[at].filter((wire) => this.graph.wires[wire][2] === at).length;
    const out = this.wiresOf[at].filter((wire) => this.graph.wires[wire][0] === at).length;
    const [label, detail] = this.shown[at];
    element.replaceChildren(
      h("span", { role: "gridcell", class: "label", title: node.label }, dot, label), h("span", { role: "gridcell", class: "muted", title: node.detail }, detail),
      h("span", { role: "gridcell", class: "number" }, `${grouped(into)} in, ${grouped(out)} out`));
  }

  /** What a wire leads to, from one of its nodes. */
  private wireText(at: number, node: number): string {
    const { nodes } = this.graph;
    const [from, output, to, input] = this.graph.wires[at];
    const named = (one: Node, pin: string): string => (pin ? `${one.label}, ${pin}` : one.label);
    const [own, far] = from === node ? [nodes[from].outputs[output], named(nodes[to], nodes[to].inputs[input])] : [nodes[to].inputs[input], named(nodes[from], nodes[from].outputs[output])];
    return `${own || (from === node ? "output" : "input")} ${from === node ? "\u2192" : "\u2190"} ${far}`;
  }

  choose(at: number, bring: boolean): void {
    const [left, top, right, bottom] = this.boxes[at];
    if (bring) this.port.center((left + right) / 2, (top + bottom) / 2);
    this.mark(at);
    const { label, detail } = this.graph.nodes[at];
    announce(`${label}, ${detail}, ${grouped(this.wiresOf[at].length)} wires`);
  }

  /** Shows which one is chosen, and its wires. */
  private mark(at: number): void {
    this.chosen = at;
    const row = this.listed.indexOf(at);
    if (row >= 0) this.rows.activate(row);
    const wires = this.wiresOf[at];
    this.links.hidden = wires.length === 0;
    this.links.replaceChildren(...wires.slice(0, LISTED).map((wire) => {
      const [from, , to] = this.graph.wires[wire];
      return h("li", {}, button(this.wireText(wire, at), () => this.choose(from === at ? to : from, true), { class: "link" }));
    }), wires.length > LISTED ? h("li", {}, `and ${grouped(wires.length - LISTED)} more`) : "");
    this.port.later();
  }

  pick(x: number, y: number): void {
    const [wx, wy] = this.port.fromPixels(x, y);
    let best: number | undefined;
    this.nodeGrid.each([wx, wy, wx, wy], (at) => {
      const [left, top, right, bottom] = this.boxes[at];
      if (wx < left || wx > right || wy < top || wy > bottom) return;
      // A comment lies below what stands in it.
      if (best === undefined || !this.graph.nodes[at].comment) best = at;
    });
    if (best !== undefined) this.choose(best, false);
  }

  /** Where a pin is drawn. */
  private pin(node: number, isOutput: boolean, pin: number): [number, number] {
    const [left, top, right, bottom] = this.boxes[node];
    const isRight = isOutput !== this.graph.left;
    return [isRight ? right : left, Math.min(top + HEAD + 18 + (pin + 0.5) * PIN, bottom)];
  }

  private wireBox([from, output, to, input]: Wire): Box {
    const [ax, ay] = this.pin(from, true, output);
    const [bx, by] = this.pin(to, false, input);
    return [Math.min(ax, bx) - 60, Math.min(ay, by), Math.max(ax, bx) + 60, Math.max(ay, by)];
  }

  /** How many nodes and wires the last frame has drawn. */
  private note(nodes: number, wires: number): void {
    this.canvas.dataset.drawn = `${nodes} ${wires}`;
  }

  draw(context: CanvasRenderingContext2D, view: View, seen: Box, style: CSSStyleDeclaration): void {
    const { nodes, wires } = this.graph;
    const color = (name: string): string => style.getPropertyValue(name).trim();
    const isRead = 12 / view.scale >= SMALLEST;
    const found: number[] = [];
    this.nodeGrid.each(seen, (at) => { found.push(at); });
    const boxes = (color: string, alpha: number, wanted: (at: number) => boolean, stroke?: string): void => {
      const path = new Path2D();
      for (const at of found) {
        if (!wanted(at)) continue;
        const [left, top, right, bottom] = this.boxes[at];
        path.rect(left, top, right - left, bottom - top);
      }
      context.globalAlpha = alpha;
      context.fillStyle = color;
      context.fill(path);
      context.globalAlpha = 1;
      if (!stroke) return;
      context.strokeStyle = stroke;
      context.stroke(path);
    };
    context.lineWidth = Math.max(1, view.scale);
    boxes(color("--faint"), 0.18, (at) => nodes[at].comment, color("--faint"));
    let drawn = 0;
    const [plain, strong] = [new Path2D(), new Path2D()];
    this.wireGrid.each(seen, (at) => {
      drawn += 1;
      const [from, output, to, input] = wires[at];
      const [ax, ay] = this.pin(from, true, output);
      const [bx, by] = this.pin(to, false, input);
      const path = from === this.chosen || to === this.chosen ? strong : plain;
      path.moveTo(ax, ay);
      if (!isRead) return path.lineTo(bx, by);
      const bend = Math.min(60, Math.abs(bx - ax) / 2 + 20) * (this.graph.left ? -1 : 1);
      path.bezierCurveTo(ax + bend, ay, bx - bend, by, bx, by);
    });
    context.strokeStyle = color("--muted");
    // Many are an area, through which nothing is seen.
    context.globalAlpha = drawn > DENSE ? Math.max(0.15, DENSE / drawn) : 1;
    context.stroke(plain);
    context.globalAlpha = 1;
    context.strokeStyle = color("--accent");
    context.lineWidth = Math.max(2, 2 * view.scale);
    context.stroke(strong);
    context.lineWidth = Math.max(1, view.scale);
    boxes(color("--raised"), 1, (at) => !nodes[at].comment, color("--rule"));
    this.drawHeads(context, found);
    if (isRead) this.drawTexts(context, found, color);
    else this.drawNames(context, found, color);
    if (this.chosen !== undefined) {
      const [left, top, right, bottom] = this.boxes[this.chosen];
      context.lineWidth = 2.5 * view.scale;
      context.strokeStyle = color("--ink");
      context.strokeRect(left - 3 * view.scale, top - 3 * view.scale, right - left + 6 * view.scale, bottom - top + 6 * view.scale);
    }
    this.note(found.length, drawn);
  }

  /** The colour of its class above each node: one path a colour, since many small ones are slow. */
  private drawHeads(context: CanvasRenderingContext2D, found: number[]): void {
    const heads = new Map<number, Path2D>();
    for (const at of found) {
      const node = this.graph.nodes[at];
      if (node.comment) continue;
      const [left, top, right] = this.boxes[at];
      let path = heads.get(node.color);
      if (!path) heads.set(node.color, path = new Path2D());
      path.rect(left, top, right - left, 4);
    }
    for (const [kind, path] of heads) {
      context.fillStyle = colorOf(kind);
      context.fill(path);
    }
  }

  /** Boxes are too small for their texts: names at the size of the screen, the chosen one first, comments last. */
  private drawNames(context: CanvasRenderingContext2D, found: number[], color: (name: string) => string): void {
    const { nodes } = this.graph;
    const rank = (at: number): number => (at === this.chosen ? 0 : nodes[at].comment ? 2 : 1);
    const labels = [...found].sort((a, b) => rank(a) - rank(b)).map((at): Label => {
      const [left, top, right, bottom] = this.boxes[at];
      return { box: [...this.port.toPixels(left, top), ...this.port.toPixels(right, bottom)], text: this.shown[at][0] };
    });
    context.save();
    const ratio = devicePixelRatio || 1;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    this.canvas.dataset.names = String(drawLabels(context, labels, this.canvas.clientWidth, getComputedStyle(document.body).fontFamily, color("--ink"), color("--raised")));
    context.restore();
  }

  private drawTexts(context: CanvasRenderingContext2D, found: number[], color: (name: string) => string): void {
    const font = getComputedStyle(document.body).fontFamily;
    const text = (words: string, x: number, y: number, wide: number): void => context.fillText(cut(words, wide / 5.5), x, y, wide);
    const { left: isLeft, nodes } = this.graph;
    for (const at of found) {
      const node = nodes[at];
      const [left, top, right] = this.boxes[at];
      context.fillStyle = color("--ink");
      context.textAlign = "left";
      context.font = `600 12px ${font}`;
      text(this.shown[at][0], left + 8, top + 18, right - left - 16);
      if (node.comment) continue;
      context.fillStyle = color("--muted");
      context.font = `11px ${font}`;
      text(this.shown[at][1], left + 8, top + 33, right - left - 16);
      // The whole width is theirs where no names stand on the other side.
      const room = (others: string[]): number => (right - left) / (others.some(Boolean) ? 2 : 1) - 10;
      for (const [pins, isOutput] of [[node.inputs, false], [node.outputs, true]] as const) {
        const wide = room(isOutput ? node.inputs : node.outputs);
        const isRight = isOutput !== isLeft;
        context.textAlign = isRight ? "right" : "left";
        pins.forEach((name, pin) => {
          const [x, y] = this.pin(at, isOutput, pin);
          context.fillRect(x - 3, y - 3, 6, 6);
          if (name) text(name, isRight ? right - 8 : left + 8, y + 4, wide);
        });
      }
    }
  }
}
