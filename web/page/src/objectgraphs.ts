// The graphs of an object: materials, functions, sounds, animations; one of them is drawn at a time.

import type { Host } from "./details";
import { h } from "./dom";
import { GraphView } from "./graph";
import type { Node, Wire } from "./graph";
import { keeps } from "./keep";
import type { Details } from "./messages";

/** As the module sends it: row, path, class, title, place, size, comment, inputs, outputs. */
type SentNode = [number, string, number, string | null, [number, number] | null, [number, number] | null, boolean, string[], string[]];

interface SentGraph { classes: string[]; nodes: SentNode[]; wires: Wire[]; left: boolean }

function last(path: string): string {
  return path.slice(path.lastIndexOf(".") + 1);
}

/** The graphs that are what an object is there for, the first one first. */
const MAIN = ["AnimGraph", "EventGraph"];

/** An object's own graph, then the nearest of those in it: those that matter most first, the others as they are stored. */
function byRank(own: number | undefined): (a: [number, string], b: [number, string]) => number {
  const rank = ([row, path]: [number, string]): [number, number] => {
    const main = MAIN.indexOf(last(path));
    return [row === own ? 0 : path.split(".").length, main < 0 ? MAIN.length : main];
  };
  return (a, b) => {
    const [[near, main], [far, other]] = [rank(a), rank(b)];
    return near - far || main - other;
  };
}

/** A path without that of the object that it lies in, or of the object's own the name alone. */
function within(path: string, outer: string | undefined): string {
  if (path === outer) return last(path);
  return outer !== undefined && path.startsWith(`${outer}.`) ? path.slice(outer.length + 1) : path;
}

export async function graphTab(host: Host, details: Details): Promise<HTMLElement> {
  const { graphs } = await host.doc().get<{ graphs: [number, string][] }>("graphs", { row: details.row });
  graphs.sort(byRank(details.row));
  const holder = h("div", { class: "holder" });
  const chooser = h("select", { "aria-label": "Graph", "data-path": "graph-chooser", hidden: graphs.length < 2, onchange: () => void draw() },
    ...graphs.map(([row, path]) => h("option", { value: String(row), title: path }, within(path, details.path))));
  const draw = async (): Promise<void> => {
    const [row, graph] = graphs[chooser.selectedIndex];
    const { classes, nodes, wires, left } = await host.doc().get<SentGraph>("node-graph", { row });
    const one = ([row, path, kind, title, place, size, comment, inputs, outputs]: SentNode): Node =>
      ({ path, key: `export:${row}`, label: title ?? last(path), detail: last(classes[kind]), color: kind, place, size, comment, inputs, outputs });
    holder.replaceChildren(new GraphView({ name: graph, nodes: nodes.map(one), wires, left }, host, chooser).element);
  };
  const drawAgain = async (graph: string): Promise<void> => {
    const at = graphs.findIndex(([, path]) => path === graph);
    if (at < 0 || at === chooser.selectedIndex) return;
    chooser.selectedIndex = at;
    await draw();
  };
  // Before the view is shown: what is looked at in a graph belongs to that one.
  keeps<string>(holder, "chosen graph", { take: () => (chooser.selectedIndex > 0 ? graphs[chooser.selectedIndex][1] : undefined), prepare: drawAgain });
  if (graphs.length) await draw();
  return holder;
}
