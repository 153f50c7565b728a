// Where boxes lie: finding those in view, and putting those in columns that have no place.

import type { Box } from "./viewport";

/** Boxes that would lie in more cells than this are looked at each time. */
const MOST_CELLS = 64;

/** Boxes in the cells of a grid, so that those in view are found without looking at all of them. */
export class Grid {
  private readonly cell: number;
  private readonly cells = new Map<string, number[]>();
  private readonly large: number[] = [];
  private readonly stamps: Uint32Array;
  private stamp = 0;

  constructor(private boxes: Box[]) {
    this.stamps = new Uint32Array(boxes.length);
    const whole = union(boxes) ?? [0, 0, 1, 1];
    const side = Math.max(whole[2] - whole[0], whole[3] - whole[1], 1);
    // As many cells as boxes where they are spread evenly.
    this.cell = Math.max(side / Math.max(1, Math.sqrt(boxes.length)), 64);
    boxes.forEach((box, at) => {
      const [left, top, right, bottom] = this.span(box);
      if (!((right - left + 1) * (bottom - top + 1) <= MOST_CELLS)) return this.large.push(at);
      for (let x = left; x <= right; x++) {
        for (let y = top; y <= bottom; y++) {
          const key = `${x} ${y}`;
          const cell = this.cells.get(key);
          if (cell) cell.push(at);
          else this.cells.set(key, [at]);
        }
      }
    });
  }

  private span(box: Box): Box {
    return box.map((edge) => Math.floor(edge / this.cell)) as Box;
  }

  /** Calls `then` once for each box that touches an area, in their order. */
  each(area: Box, then: (at: number) => void): void {
    const [left, top, right, bottom] = this.span(area);
    const touches = (at: number): boolean => {
      const box = this.boxes[at];
      return box[0] <= area[2] && box[2] >= area[0] && box[1] <= area[3] && box[3] >= area[1];
    };
    if (!((right - left + 1) * (bottom - top + 1) <= this.cells.size)) {
      this.boxes.forEach((_, at) => { if (touches(at)) then(at); });
      return;
    }
    this.stamp += 1;
    const found = [...this.large];
    for (let x = left; x <= right; x++) {
      for (let y = top; y <= bottom; y++) {
        for (const at of this.cells.get(`${x} ${y}`) ?? []) {
          if (this.stamps[at] === this.stamp) continue;
          this.stamps[at] = this.stamp;
          found.push(at);
        }
      }
    }
    for (const at of found.filter(touches).sort((a, b) => a - b)) then(at);
  }
}

/** What all boxes lie in. */
export function union(boxes: Box[]): Box | undefined {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const box of boxes) [left, top, right, bottom] = [Math.min(left, box[0]), Math.min(top, box[1]), Math.max(right, box[2]), Math.max(bottom, box[3])];
  return left > right ? undefined : [left, top, right, bottom];
}

/** How far from the nodes that nothing leads to each one is; nodes of a circle count from where it is entered. */
function depths(count: number, wires: [number, number][]): number[] {
  const next: number[][] = Array.from({ length: count }, () => []);
  const waits = new Array<number>(count).fill(0);
  for (const [from, to] of wires) {
    if (from === to) continue;
    next[from].push(to);
    waits[to] += 1;
  }
  const depth = new Array<number>(count).fill(0);
  const done = new Array<boolean>(count).fill(false);
  const queue = waits.flatMap((wait, at) => (wait === 0 ? [at] : []));
  let start = 0;
  for (let taken = 0; taken < count; taken++) {
    if (taken === queue.length) {
      // A circle: the first of its nodes is entered.
      while (done[start]) start += 1;
      queue.push(start);
    }
    const at = queue[taken];
    done[at] = true;
    for (const to of next[at]) {
      if (done[to]) continue;
      depth[to] = Math.max(depth[to], depth[at] + 1);
      waits[to] -= 1;
      if (waits[to] === 0) queue.push(to);
    }
  }
  return depth;
}

/** Nodes of a column before it is broken: so many that all columns together are as high as they are wide, about. */
function tallest(count: number): number {
  return Math.min(40, Math.max(8, Math.round(Math.sqrt(2 * count))));
}

/**
 * The places of nodes: those that are stored, and for the others one in columns beside these, by how many wires lead to
 * them one behind the other.
 */
export function columns(places: ([number, number] | null)[], sizes: [number, number][], wires: [number, number][], isLeft: boolean): [number, number][] {
  const stored = places.filter((place) => place !== null);
  const right = places.reduce((most, place, at) => (place ? Math.max(most, place[0] + sizes[at][0]) : most), stored.length ? -Infinity : 0);
  const top = stored.reduce((least, place) => Math.min(least, place[1]), stored.length ? Infinity : 0);
  const depth = depths(places.length, wires);
  const deepest = depth.reduce((most, one) => Math.max(most, one), 0);
  const missing = places.flatMap((place, at) => (place ? [] : [at]));
  const lists = new Map<number, number[]>();
  for (const at of missing) {
    const column = isLeft ? deepest - depth[at] : depth[at];
    const list = lists.get(column);
    if (list) list.push(at);
    else lists.set(column, [at]);
  }
  const made = new Map<number, [number, number]>();
  let x = stored.length ? right + 120 : 0;
  const most = tallest(missing.length);
  for (const column of [...lists.keys()].sort((a, b) => a - b)) {
    const list = lists.get(column)!;
    for (let from = 0; from < list.length; from += most) {
      const part = list.slice(from, from + most);
      let y = top;
      for (const at of part) {
        made.set(at, [x, y]);
        y += sizes[at][1] + 24;
      }
      x += Math.max(...part.map((at) => sizes[at][0])) + 90;
    }
  }
  return places.map((place, at) => place ?? made.get(at) ?? [0, 0]);
}

/** How far apart places are drawn at most, and what is tried before. */
const APART = [1, 1.25, 1.5, 2, 2.5, 3];
/** The share of boxes that may lie on others. */
const ON_OTHERS = 0.05;
/** Boxes of a graph that is seen as a whole: of a larger one less would be seen at once. */
const MOST_APART = 60;

/**
 * How far apart stored places must be drawn so that few boxes lie on others: editors draw some of them smaller. Once, where
 * it would not help.
 */
export function apart(places: ([number, number] | null)[], sizes: [number, number][]): number {
  const placed = places.flatMap((place, at): [number, number, number, number][] => (place ? [[...place, ...sizes[at]]] : []));
  const covered = (by: number): number => {
    const boxes = placed.map(([x, y, wide, high]): Box => [x * by, y * by, x * by + wide, y * by + high]);
    const grid = new Grid(boxes);
    return boxes.filter((box, at) => {
      let isCovered = false;
      grid.each(box, (other) => { isCovered ||= other !== at; });
      return isCovered;
    }).length;
  };
  if (placed.length > MOST_APART) return 1;
  const first = covered(1);
  if (first <= placed.length * ON_OTHERS) return 1;
  let [best, least] = [1, first];
  for (const by of APART.slice(1)) {
    const count = covered(by);
    if (count < least) [best, least] = [by, count];
    if (count <= placed.length * ON_OTHERS) break;
  }
  return least <= first / 2 ? best : 1;
}
