// Curves plotted over time, and their keys as a table.

import type { Host } from "./details";
import { grouped, h } from "./dom";
import type { Details } from "./messages";
import { colorOf } from "./viewport";

/** Time, value, place of the interpolation in the list, slope of arrival, slope of leaving. */
type Key = [number, number, number, number, number];

interface Curve { path: string; keys: Key[] }

interface Sent { curves: Curve[]; interpolations: string[]; more: number }

/** Pixels of a plot, where there is room, and how high it is beside its width where there is less. */
const HIGHEST = 300;
const SHAPE = 0.6;
const [LEFT, RIGHT, TOP, BOTTOM] = [64, 12, 12, 30];
/** Points between two keys of a cubic curve. */
const STEPS = 24;
/** Points of a curve that are drawn. */
const MOST_POINTS = 4_000;
/** Rows of the table of keys. */
const MOST_ROWS = 500;

/** The value between two keys, `part` of the way from the first one. */
export function between([time, value, , , leave]: Key, [end, next, , arrive]: Key, mode: string, part: number): number {
  if (mode === "constant" || mode === "none") return value;
  if (mode === "linear") return value + (next - value) * part;
  const [span, square, cube] = [end - time, part * part, part * part * part];
  return value * (2 * cube - 3 * square + 1) + leave * span * (cube - 2 * square + part) + next * (3 * square - 2 * cube) + arrive * span * (cube - square);
}

/** The points that a curve is drawn through. */
function points(curve: Curve, modes: string[]): [number, number][] {
  const keys = [...curve.keys].sort((a, b) => a[0] - b[0]);
  const stride = Math.max(1, Math.ceil(keys.length / MOST_POINTS));
  const steps = Math.max(1, Math.min(STEPS, Math.floor(MOST_POINTS / Math.max(1, keys.length))));
  const made: [number, number][] = [];
  for (let at = 0; at < keys.length; at += stride) {
    const [key, next] = [keys[at], keys[at + stride]];
    made.push([key[0], key[1]]);
    if (!next) continue;
    const mode = modes[key[2]];
    if (mode === "constant" || mode === "none") made.push([next[0], key[1]]);
    else if (mode === "cubic") for (let step = 1; step < steps; step++) made.push([key[0] + ((next[0] - key[0]) * step) / steps, between(key, next, mode, step / steps)]);
  }
  return made;
}

/** Round numbers between two values, some five of them. */
function ticks(from: number, to: number): number[] {
  const span = to - from;
  if (!(span > 0) || !Number.isFinite(span)) return [from];
  const raw = span / 5;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((step) => step >= raw) ?? raw;
  const first = Math.ceil(from / step);
  return Array.from({ length: Math.max(1, Math.min(20, Math.floor(to / step) - first + 1)) }, (_, at) => (first + at) * step);
}

/** A number with as many digits as it needs. */
function short(number: number): string {
  return String(Number(number.toPrecision(6)));
}

function svg(name: string, attributes: Record<string, string | number>, ...children: (Node | string)[]): SVGElement {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  element.append(...children);
  return element;
}

/** Curves as a plot of so many pixels: its labels have the size of other texts at every width. */
function plot(curves: Curve[], modes: string[], title: string, wide: number): SVGElement {
  const tall = Math.min(HIGHEST, Math.round(wide * SHAPE));
  const lines = curves.map((curve) => points(curve, modes));
  let [left, right, low, high] = [Infinity, -Infinity, Infinity, -Infinity];
  for (const line of lines) for (const [time, value] of line) [left, right, low, high] = [Math.min(left, time), Math.max(right, time), Math.min(low, value), Math.max(high, value)];
  if (left > right) [left, right, low, high] = [0, 1, 0, 1];
  if (left === right) [left, right] = [left - 0.5, right + 0.5];
  if (low === high) [low, high] = [low - 0.5, high + 0.5];
  const x = (time: number): number => LEFT + ((time - left) / (right - left)) * (wide - LEFT - RIGHT);
  const y = (value: number): number => tall - BOTTOM - ((value - low) / (high - low)) * (tall - TOP - BOTTOM);
  const parts: SVGElement[] = [];
  for (const tick of ticks(left, right)) {
    parts.push(svg("line", { x1: x(tick), x2: x(tick), y1: TOP, y2: tall - BOTTOM, class: "curve-grid" }),
      svg("text", { x: x(tick), y: tall - 10, class: "curve-label", "text-anchor": "middle" }, short(tick)));
  }
  for (const tick of ticks(low, high)) {
    parts.push(svg("line", { x1: LEFT, x2: wide - RIGHT, y1: y(tick), y2: y(tick), class: "curve-grid" }),
      svg("text", { x: LEFT - 8, y: y(tick) + 4, class: "curve-label", "text-anchor": "end" }, short(tick)));
  }
  lines.forEach((line, at) => {
    const path = line.map(([time, value], point) => `${point === 0 ? "M" : "L"}${x(time).toFixed(2)} ${y(value).toFixed(2)}`).join("");
    parts.push(svg("path", { d: path, class: "curve-line", stroke: colorOf(at) }));
    const { keys } = curves[at];
    if (keys.length <= 200) for (const [time, value] of keys) parts.push(svg("circle", { cx: x(time), cy: y(value), r: 3.5, fill: colorOf(at), class: "curve-key" }));
  });
  return svg("svg", { viewBox: `0 0 ${wide} ${tall}`, class: "curve", role: "img", "aria-label": title }, ...parts);
}

/** Pixels of the plot that was drawn last. */
let lastWidth = 0;

/** What is drawn anew at each width that it gets. */
function plotted(draw: (wide: number) => SVGElement): HTMLElement {
  const ground = h("div", { class: "curve-ground" });
  let drawn = 0;
  const redraw = (wide: number): void => {
    if (wide === 0 || wide === drawn) return;
    [drawn, lastWidth] = [wide, wide];
    ground.replaceChildren(draw(wide));
  };
  // In place of another one it is drawn before its width is known: nothing is empty for a moment.
  redraw(lastWidth);
  new ResizeObserver(() => redraw(Math.round(ground.clientWidth))).observe(ground);
  return ground;
}

export async function curveTab(host: Host, details: Details): Promise<HTMLElement> {
  const { curves, interpolations, more } = await host.doc().get<Sent>("curves", { row: details.row });
  const holder = h("div", {});
  const draw = (shown: Curve[]): void => {
    const keys = shown.reduce((sum, curve) => sum + curve.keys.length, 0);
    const legend = h("ul", { class: "curve-legend" }, ...shown.map((curve, at) => {
      const dot = h("i", { class: "dot", "aria-hidden": "true" });
      dot.style.background = colorOf(at);
      return h("li", {}, dot, `${curve.path}, ${grouped(curve.keys.length)} ${curve.keys.length === 1 ? "key" : "keys"}`);
    }));
    const rows = shown.flatMap((curve) => curve.keys.map((key) => ({ curve, key }))).slice(0, MOST_ROWS);
    const head = ["Curve", "Time", "Value", "Interpolation", "Slope before", "Slope behind"].map((text) => h("th", { scope: "col" }, text));
    const cells = rows.map(({ curve, key: [time, value, mode, arrive, leave] }) => h("tr", {}, h("th", { scope: "row" }, curve.path),
      ...[short(time), short(value), interpolations[mode], short(arrive), short(leave)].map((text) => h("td", {}, text))));
    const rest = keys - rows.length + more;
    const title = `${shown.length === 1 ? "Curve" : "Curves"} of ${details.title}; the table below has the keys`;
    holder.replaceChildren(plotted((wide) => plot(shown, interpolations, title, wide)), legend,
      h("div", { class: "scroll-x", "data-keep": "keys", tabindex: "0", role: "region", "aria-label": "Keys" }, h("table", { class: "table" }, h("thead", {}, h("tr", {}, ...head)), h("tbody", {}, ...cells))));
    if (rest > 0) holder.append(h("p", { class: "muted" }, `and ${grouped(rest)} more keys`));
  };
  const chooser = h("select", { "aria-label": "Curve", "data-keep": "curve", "data-path": "curve", hidden: curves.length < 2, onchange: () => draw(chooser.selectedIndex === 0 ? curves : [curves[chooser.selectedIndex - 1]]) },
    h("option", { value: "" }, "All curves"), ...curves.map(({ path }) => h("option", { value: path }, path)));
  draw(curves);
  return h("div", {}, h("p", { class: "actions", hidden: curves.length < 2 }, chooser), holder);
}
