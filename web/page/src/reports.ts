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

  private page(title: string, subtitle: string, content: HTMLElement, again?: () => void): void {
    this.host.details.page(title, subtitle, content, again);
    this.host.uncover();
  }

  /**
   * Shows a page while it is being filled, and after each change as soon as it is filled anew, unless another place was gone to
   * meanwhile. `fill` says what stands below the title then.
   */
  private async filled(title: string, subtitle: string, fill: (content: HTMLElement) => Promise<string | void>): Promise<void> {
    const doc = this.host.current!;
    let shown = h("div", {}, h("p", { class: "muted" }, "\u2026"));
    let last = 0;
    const draw = async (content: HTMLDivElement): Promise<void> => {
      const number = ++last;
      const said = await fill(content).catch((error: unknown) => content.replaceChildren(errorNote(error)));
      if (number !== last || doc !== this.host.current || !shown.isConnected) return;
      shown = content;
      this.host.details.page(title, said ?? subtitle, content, again);
    };
    const again = (): void => void draw(h("div", {}));
    this.page(title, subtitle, shown, again);
    await draw(shown);
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
    await this.filled("Changes", doc.name, (content) => fillChanges(doc, content, (key) => this.host.go(key)));
  }

  async hits(text: string): Promise<void> {
    const doc = this.host.current;
    if (!doc || !text) return;
    const goProperty = (key: string, path: string): void => {
      this.host.go(key, "properties");
      void doc.get<{ range: [number, number] }>("property-range", { row: Number(key.replace(/\D+/, "")), path }).then(({ range }) => this.host.mark(range, false), () => {});
    };
    await this.filled(text, "Search", async (content) => {
      const found = await doc.get<Hits>("search", { text });
      announce(`${grouped(found.count)} found, ${grouped(found.in_bytes)} in the bytes`);
      content.replaceChildren(searchPage(found, text, (key, tab) => this.host.go(key, tab), goProperty, (range) => this.host.mark(range)));
      return `${grouped(found.count)} ${found.count === 1 ? "place" : "places"}`;
    });
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
    let admitted: Promise<number> | undefined;
    await this.filled(`${old.name} \u2192 ${doc.name}`, "Old and new", async (content) => {
      // The old one is read once: it is the same after each change of the new one.
      const number = await (admitted ??= doc.admit(old));
      const found = await doc.get<Compared>("compare", { old: number, new: doc.own });
      content.replaceChildren(comparedPage(found, (key) => this.host.go(key), () => void this.host.change({ do: "conform", to: number })));
    });
  }
}
