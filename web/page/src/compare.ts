// What two packages differ in.

import { button, grouped, h } from "./dom";

export interface Difference { what: string; old?: string | null; new?: string | null }
interface Title { path: string; class: string; link?: string | null; old?: string }
export interface Compared {
  same: boolean;
  bytes: boolean;
  header: Difference[];
  added: Title[];
  removed: Title[];
  renamed: Title[];
  changed: (Title & { changes: Difference[]; more: number })[];
  counts: number[];
  conform: null | { conforms: boolean; count: number; reasons: string[] };
}

function sides(one: Difference): Node {
  if (one.old === undefined && one.new === undefined) return h("li", {}, one.what);
  const side = (text: string | null | undefined, kind: string): Node =>
    text === null || text === undefined ? h("span", { class: "muted" }, "not stored") : h(kind === "old" ? "del" : "ins", {}, text);
  return h("li", {}, h("span", { class: "diff-what" }, one.what), " ", side(one.old, "old"), " \u2192 ", side(one.new, "new"));
}

/** Differences as a page; `go` follows links into the new package, `conform` is offered where it makes sense. */
export function comparedPage(found: Compared, go: ((key: string) => void) | null, conform: (() => void) | null): HTMLElement {
  const title = (one: Title): Node => h("span", {}, one.link && go ? button(one.path, () => go(one.link!), { class: "link" }) : one.path, h("span", { class: "muted" }, ` ${one.class}`));
  const list = (name: string, count: number, rows: Node[], sign: string): HTMLElement | null => count === 0 ? null
    : h("section", { class: `diff ${sign}` }, h("h3", {}, `${name} `, h("span", { class: "muted" }, grouped(count))), h("ul", {}, ...rows));
  const [header, added, removed, renamed, changed] = found.counts;
  const verdict = !found.same ? `${grouped(added)} added, ${grouped(removed)} removed, ${grouped(renamed)} renamed, ${grouped(changed)} changed, ${grouped(header)} of the header`
    : found.bytes ? "The files are the same." : "Nothing differs but the form: the order of tables, how values are stored.";
  const net = found.conform;
  return h("div", {}, h("p", { class: "verdict" }, verdict),
    net && conform ? h("section", { class: "diff" }, h("h3", {}, "On the net"),
      h("p", {}, net.conforms ? "It conforms to the old one: both may meet." : `${grouped(net.count)} ${net.count === 1 ? "reason keeps" : "reasons keep"} it from meeting the old one:`),
      h("ul", {}, ...net.reasons.map((reason) => h("li", {}, reason))),
      net.conforms ? null : h("p", { class: "actions" }, button("Conform it to the old one", conform))) : null,
    list("Header", header, found.header.map(sides), "changed"),
    list("Changed", changed, found.changed.map((one) => h("li", {}, title(one), h("ul", {}, ...one.changes.map(sides),
      one.more > 0 ? h("li", { class: "muted" }, `and ${grouped(one.more)} more`) : null))), "changed"),
    list("Renamed", renamed, found.renamed.map((one) => h("li", {}, `${one.old} \u2192 `, title(one))), "renamed"),
    list("Added", added, found.added.map((one) => h("li", {}, title(one))), "added"),
    list("Removed", removed, found.removed.map((one) => h("li", {}, title(one))), "removed"));
}
