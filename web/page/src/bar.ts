// The bar above: what is open, whether it is understood, what can be done.

import type { Doc } from "./doc";
import { button, grouped, h } from "./dom";
import type { Known } from "./messages";

export interface BarHost {
  chooseTab(open: Open): void;
  closeTab(open: Open): void;
  reopen(doc: Doc, game: string, release: string): void;
  showUndecoded(): void;
}

/** What has a tab: a package, or containers. */
export interface Open {
  name: string;
  /** Its name, with a number where another file has the same. */
  label?: string;
  /** Its path. */
  title?: string;
  isUnsaved: boolean;
}

/** What has a tab and lists files that can be opened. */
export interface Listing extends Open {
  readonly element: HTMLElement;
  focus(): void;
  close(): void;
}

/** Names of what is open. */
export function tabsOf(docs: Open[], current: Open | undefined, host: BarHost): HTMLElement {
  return h("div", { class: "files", role: "group", "aria-label": "Open files" }, ...docs.map((doc) => h("span", { class: `file ${doc === current ? "current" : ""}` },
    h("button", { type: "button", class: "file-name", "aria-current": doc === current ? "true" : undefined, "data-path": `file ${doc.label || doc.name}`, title: doc.title, onclick: () => host.chooseTab(doc) },
      doc.label || doc.name, doc.isUnsaved ? h("span", { class: "changed-mark", title: "changed and not saved", "aria-label": "changed and not saved" }, "\u25cf") : null),
    button("\u00d7", () => host.closeTab(doc), { class: "quiet", "aria-label": `Close ${doc.name}` }))));
}

const KINDS = ["typed", "payload", "opaque", "gap"] as const;

/** Badge, coverage, and how the file is read. */
export function stripOf(doc: Doc, known: Known, host: BarHost): HTMLElement {
  const { summary, proof } = doc;
  const size = grouped(summary.file);
  let badge: HTMLElement;
  if (doc.unproved) {
    badge = h("span", { class: "badge bad" }, h("span", { class: "sign", "aria-hidden": "true" }, "!"), `Not proved: ${doc.unproved}`);
  } else if (!proof) {
    badge = doc.isChanged && summary.bytes > 16 << 20
      ? h("span", { class: "badge good" }, "Changed; read again and saved again alike")
      : h("span", { class: "badge" }, h("span", { class: "sign", "aria-hidden": "true" }, "\u2026"), "Rebuilding ", size, " bytes");
  } else if (proof.identical) {
    badge = h("span", { class: "badge good" }, h("span", { class: "sign", "aria-hidden": "true" }, "\u2713"), `Rebuilt byte for byte: ${grouped(proof.rebuilt)} of ${grouped(proof.bytes)}`);
  } else {
    badge = h("span", { class: "badge bad" }, h("span", { class: "sign", "aria-hidden": "true" }, "!"), `Not rebuilt: ${proof.reason ?? "unknown"}`);
  }
  badge.id = "badge";
  const pick = (label: string, value: string, options: [string, string][], take: (value: string) => void): HTMLElement => {
    const select = h("select", { "aria-label": label, "data-path": label, onchange: () => take(select.value) }, ...options.map(([value, text]) => h("option", { value }, text)));
    select.value = value;
    return h("label", { class: "picker" }, h("span", {}, label), select);
  };
  const isLater = /[45]$/.test(summary.engine);
  const release = isLater ? pick("Release", doc.release, [["", summary.release ? `as it says: ${summary.release}` : "as it says"], ...known.releases.map((one): [string, string] => [one, one])], (release) => host.reopen(doc, doc.game, release)) : null;
  const game = isLater ? null : pick("Game", doc.game, [["", `detected: ${known.games.find(({ slug }) => slug === summary.game)?.title ?? summary.game}`],
    ...known.games.filter(({ slug }) => slug !== "detect").map(({ slug, title }): [string, string] => [slug, title])], (game) => host.reopen(doc, game, doc.release));
  return h("div", { class: "strip" }, badge, coverageOf(doc),
    h("span", { class: "engine" }, `${summary.engine}, ${summary.version.replace(/^version /, "")}${summary.packed ? `, ${summary.packed}` : ""}`),
    release, game,
    doc.lacksMappings ? h("span", { class: "wrong" }, "Its properties have no names: drop the game's mappings (.usmap) here") : null,
    proof && proof.undecoded_count > 0 ? button(`${grouped(proof.undecoded_count)} not decoded whole`, host.showUndecoded, { class: "link" }) : null);
}

function coverageOf(doc: Doc): HTMLElement {
  const coverage = doc.proof?.coverage;
  const total = coverage ? KINDS.reduce((sum, kind) => sum + coverage[kind], 0) || 1 : 1;
  const share = (part: number): string => `${((part / total) * 100).toFixed(part === total || part === 0 ? 0 : 1)} %`;
  const text = coverage ? KINDS.filter((kind) => coverage[kind] > 0).map((kind) => `${kind} ${share(coverage[kind])}`).join(", ") : "coverage not known yet";
  const bar = h("span", { class: "coverage-bar", role: "img", "aria-label": `Coverage: ${text}`, id: "coverage" });
  for (const kind of KINDS) {
    if (!coverage || coverage[kind] === 0) continue;
    const part = h("span", { class: `coverage-${kind}` });
    part.style.flexGrow = String(Math.max(coverage[kind] / total, 0.004));
    bar.append(part);
  }
  return h("span", { class: "coverage" }, bar, h("span", { class: "coverage-text", "aria-hidden": "true" }, coverage ? text : "\u2007"));
}
