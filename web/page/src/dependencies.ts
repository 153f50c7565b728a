// What objects of a package refer to: packages with counts, and a graph.

import type { Host } from "./details";
import { button, grouped, h } from "./dom";
import { GraphView } from "./graph";
import type { Node, Wire } from "./graph";

interface Sent {
  /** Place, name, references, objects that refer to it. */
  packages: [string | null, string, number, number][];
  /** Place, name, class; none for a package. */
  nodes: [string | null, string, string | null][];
  /** Node, node, references. */
  wires: [number, number, number][];
  more: { nodes: number; wires: number };
}

export async function dependenciesTab(host: Host): Promise<HTMLElement> {
  const { packages, nodes, wires, more } = await host.doc().get<Sent>("dependencies");
  const classes = [...new Set(nodes.map(([, , kind]) => kind ?? ""))].sort();
  const short = (path: string): string => path.slice(path.lastIndexOf(".") + 1);
  const one = ([key, label, kind]: Sent["nodes"][number]): Node =>
    ({ path: `${kind ?? ""} ${label}`, key, label, detail: kind === null ? "Package" : short(kind), color: classes.indexOf(kind ?? ""), place: null, size: null, comment: false, inputs: [""], outputs: [""] });
  const drawn = wires.map(([from, to]): Wire => [from, 0, to, 0]);
  const rest = [more.nodes ? `${grouped(more.nodes)} more objects` : "", more.wires ? `${grouped(more.wires)} more wires` : ""].filter(Boolean).join(" and ");
  const note = rest ? `; ${rest} are not drawn` : "";
  const list = h("details", { class: "packages", open: true, "data-keep": "packages" }, h("summary", { "data-path": "packages" }, `${grouped(packages.length)} ${packages.length === 1 ? "package" : "packages"}`),
    h("ul", { class: "references" }, ...packages.map(([key, name, count, by]) => h("li", {}, key ? button(name, () => host.go(key), { class: "link" }) : name,
      h("span", { class: "muted" }, ` ${grouped(count)} ${count === 1 ? "reference" : "references"} by ${grouped(by)} ${by === 1 ? "object" : "objects"}`)))));
  const view = new GraphView({ name: "dependencies", nodes: nodes.map(one), wires: drawn, left: false, note }, host);
  view.element.prepend(list);
  return view.element;
}
