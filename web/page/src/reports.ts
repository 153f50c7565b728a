// Pages about the whole package, where its details are: changes, hits of the search, comparisons, layouts, what is not decoded.

import { fillChanges } from "./changes";
import { comparedPage } from "./compare";
import type { Compared } from "./compare";
import { errorNote } from "./details";
import type { DetailsPane } from "./details";
import type { Change, Doc } from "./doc";
import { announce, button, grouped, h } from "./dom";
import { layoutPage } from "./layout";
import type { Tab } from "./messages";
import { searchPage } from "./search";
import type { Hits } from "./search";

/** What reports ask of the page. */
export interface ReportsHost {
  readonly current: Doc | undefined;
  readonly docs: Doc[];
  readonly details: DetailsPane;
  show(doc: Doc): void;
  /** Brings the details into view. */
  uncover(): void;
  go(key: string, tab?: Tab): void;
  mark(range: [number, number], uncovers?: boolean): void;
  fail(error: unknown, about?: string): void;
  change(change: Change): Promise<boolean>;
}

export class Reports {
  constructor(private host: ReportsHost) {}

  private page(title: string, subtitle: string, content: Node): void {
    this.host.details.page(title, subtitle, content);
    this.host.uncover();
  }

  undecoded(): void {
    const proof = this.host.current?.proof;
    if (!proof) return;
    const rows = proof.undecoded.map(({ key, path, error }) => h("li", {}, button(path, () => this.host.go(key), { class: "link" }), h("div", { class: "places" }, error)));
    this.page("Not decoded whole", `${grouped(proof.undecoded_count)} objects`, h("ul", { class: "references" }, ...rows));
  }

  layout(name: string): void {
    const doc = this.host.current;
    if (!doc) return;
    void layoutPage(doc, name, (name) => this.layout(name)).then(({ title, content }) => this.page(title, "Layout", content))
      .catch((error: unknown) => this.host.fail(error));
  }

  async changes(): Promise<void> {
    const doc = this.host.current;
    if (!doc) return;
    const content = h("div", {});
    this.page("Changes", doc.name, content);
    await fillChanges(doc, content, (key) => this.host.go(key));
  }

  async hits(text: string): Promise<void> {
    const doc = this.host.current;
    if (!doc || !text) return;
    this.page(text, "Search", h("p", { class: "muted" }, "\u2026"));
    try {
      const found = await doc.get<Hits>("search", { text });
      if (doc !== this.host.current) return;
      const goProperty = (key: string, path: string): void => {
        this.host.go(key, "properties");
        void doc.get<{ range: [number, number] }>("property-range", { row: Number(key.replace(/\D+/, "")), path }).then(({ range }) => this.host.mark(range, false), () => {});
      };
      this.host.details.page(text, `${grouped(found.count)} ${found.count === 1 ? "place" : "places"}`, searchPage(found, text, (key, tab) => this.host.go(key, tab), goProperty, (range) => this.host.mark(range)));
      announce(`${grouped(found.count)} found, ${grouped(found.in_bytes)} in the bytes`);
    } catch (error) {
      this.host.details.page(text, "Search", errorNote(error));
    }
  }

  async compare(): Promise<void> {
    const { current } = this.host;
    if (!current) return;
    const others = this.host.docs.filter((doc) => doc !== current);
    if (others.length === 1) return this.compareWith(others[0]);
    this.page("Compare", current.name, h("div", {}, h("p", {}, "With which package, as the old one?"),
      h("ul", { class: "references" }, ...others.map((doc) => h("li", {}, button(doc.name, () => void this.compareWith(doc), { class: "link" }))))));
  }

  /** The current package as the new one. */
  async compareWith(old: Doc): Promise<void> {
    const doc = this.host.current === old ? this.host.docs.find((one) => one !== old)! : this.host.current!;
    if (doc !== this.host.current) this.host.show(doc);
    const title = `${old.name} \u2192 ${doc.name}`;
    this.page(title, "Old and new", h("p", { class: "muted" }, "\u2026"));
    try {
      const number = await doc.admit(old);
      const found = await doc.get<Compared>("compare", { old: number, new: doc.own });
      const conform = (): void => void this.host.change({ do: "conform", to: number }).then((done) => { if (done) void this.compareWith(old); });
      this.host.details.page(title, "Old and new", comparedPage(found, (key) => this.host.go(key), conform));
    } catch (error) {
      this.host.details.page(title, "Old and new", errorNote(error));
    }
  }
}
