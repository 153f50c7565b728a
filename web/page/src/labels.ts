// Names of boxes: those that all classes of a graph begin with are cut, and where boxes are too small for their texts, names
// stand at the size of the screen, as many as fit beside each other.

import type { Box } from "./viewport";

/** Pixels of a name: its height, and the width of a character on average, by which long ones are cut. */
const HIGH = 13;
const CHARACTER = 6.6;
/** Pixels that a name may be wide, whatever its box is. */
const WIDE = 170;
/** A box with fewer pixels is a dot: names beside it would belong to any. */
const LEAST = 7;
/** Names in a frame: so many are read at most, and drawn in time. */
const MOST = 400;
/** Beginnings of fewer letters are not worth cutting. */
const SHORTEST = 5;

/** Words of a name: `MaterialExpressionAdd` has three, `K2Node_CallFunction` too. */
function words(name: string): string[] {
  return name.match(/[A-Z]*[^A-Z_]*_?/g)!.filter(Boolean);
}

/** The beginning of whole words that most of some names have: one that several have, and that leaves something of each. */
export function commonBeginning(names: string[]): string {
  const counts = new Map<string, number>();
  for (const name of new Set(names)) {
    const parts = words(name);
    for (let count = 1; count < parts.length; count++) {
      const beginning = parts.slice(0, count).join("");
      counts.set(beginning, (counts.get(beginning) ?? 0) + 1);
    }
  }
  const most = Math.max(2, new Set(names).size / 2);
  return [...counts].reduce((best, [beginning, count]) => (count >= most && beginning.length >= SHORTEST && beginning.length > best.length ? beginning : best), "");
}

/** A name without that beginning. */
export function shortened(name: string, beginning: string): string {
  return beginning && name.length > beginning.length && name.startsWith(beginning) ? name.slice(beginning.length) : name;
}

export function cut(text: string, characters: number): string {
  const most = Math.max(1, Math.floor(characters));
  return text.length > most ? `${text.slice(0, most - 1)}\u2026` : text;
}

/** A box in pixels and its name, in the order in which they matter. */
export interface Label { box: Box; text: string }

/** Draws names where none lies on another; the context has pixels, so many in width. How many were drawn. */
export function drawLabels(context: CanvasRenderingContext2D, labels: Iterable<Label>, width: number, font: string, ink: string, ground: string): number {
  const taken = new Map<number, [number, number][]>();
  context.font = `600 11px ${font}`;
  context.textAlign = "left";
  context.lineJoin = "round";
  context.lineWidth = 3;
  context.strokeStyle = ground;
  context.fillStyle = ink;
  let drawn = 0;
  for (const { box: [left, top, right, bottom], text } of labels) {
    if (right - left < LEAST) continue;
    const shown = cut(text, Math.max(WIDE, right - left - 6) / CHARACTER);
    const wide = context.measureText(shown).width;
    // Inside where it fits, else over the middle of the box; within the drawing as far as the box is.
    const place = wide + 6 <= right - left ? left + 4 : Math.max(left - 8, (left + right - wide) / 2);
    const x = Math.max(Math.min(place, width - wide - 3), Math.min(3, place + wide - 3));
    const y = Math.min(top + HIGH, (top + bottom) / 2 + HIGH / 3);
    const lines = [Math.floor((y - HIGH) / HIGH), Math.floor(y / HIGH)];
    if (lines.some((line) => taken.get(line)?.some(([from, to]) => x < to && x + wide > from))) continue;
    for (const line of lines) taken.set(line, [...(taken.get(line) ?? []), [x, x + wide + 4]]);
    context.strokeText(shown, x, y);
    context.fillText(shown, x, y);
    drawn += 1;
    if (drawn === MOST) break;
  }
  return drawn;
}
