// The page as a whole: bar, panes, messages, and what its parts ask of each other.

import { stripOf, tabsOf } from "./bar";
import type { BarHost, Open } from "./bar";
import { DetailsPane, errorNote } from "./details";
import type { Host } from "./details";
import { Doc } from "./doc";
import type { Change, Place } from "./doc";
import { announce, button, grouped, h } from "./dom";
import { embeddedAddress, embeddedFiles, embeddedReading } from "./embedded";
import { Engine, Failure, prepare } from "./engine";
import { droppedFiles } from "./files";
import { HexPane } from "./hexpane";
import type { Places } from "./hexpane";
import { keptOf, replaceKeeping } from "./keep";
import { onKeys } from "./keys";
import type { KeysHost } from "./keys";
import type { FieldCard, Known, Tab } from "./messages";
import { Notices } from "./notices";
import { module, workerCode } from "./parts";
import { readAddress } from "./places";
import { Panes } from "./panes";
import { pickFiles, recentList, rememberDropped } from "./recent";
import { Reports } from "./reports";
import type { ReportsHost } from "./reports";
import { saveFiles } from "./saving";
import { Shelf } from "./shelf";
import type { ShelfHost } from "./shelf";
import { startPage } from "./start";
import { Trail } from "./trail";
import type { TrailHost } from "./trail";
import { TreeView } from "./tree";

export class App implements BarHost, Host, KeysHost, Places, ReportsHost, ShelfHost, TrailHost {
  current: Doc | undefined;
  isListing = false;
  private readonly shelf = new Shelf(this);
  private readonly trail = new Trail(this, readAddress(location.hash || embeddedAddress()));
  private readonly reports = new Reports(this);
  private known!: Known;
  readonly tree = new TreeView((key) => this.go(key), () => this.trail.place.key);
  readonly details = new DetailsPane(this);
  readonly hex = new HexPane(this);
  private readonly files = h("div", { class: "files-slot" });
  private readonly strip = h("section", { class: "strip-slot", "aria-label": "Package" });
  readonly notices = new Notices();
  private readonly main = h("main", { class: "work", id: "work" });
  private readonly chooser = h("input", { type: "file", multiple: true, class: "hidden", tabindex: "-1", "aria-hidden": "true", id: "chooser", onchange: () => {
    void this.open([...(this.chooser.files ?? [])]);
    this.chooser.value = "";
  } });
  private readonly undoButton = button("Undo", () => void this.travel("undo"), { title: "Ctrl+Z" });
  private readonly redoButton = button("Redo", () => void this.travel("redo"), { title: "Ctrl+Y" });
  private readonly changesButton = button("Changes", () => void this.reports.changes());
  private readonly compareButton = button("Compare", () => void this.reports.compare());
  private readonly saveButton = button("Save", () => void this.save(), { title: "Ctrl+S", class: "primary" });
  readonly search = h("input", {
    type: "search", id: "search", class: "search-all", placeholder: "Search names, values, texts, code", "aria-label": "Search names, values, texts, code",
    title: "Ctrl+Shift+F", autocomplete: "off", spellcheck: false,
    onkeydown: (event: Event) => { if ((event as KeyboardEvent).key === "Enter") void this.reports.hits(this.search.value.trim()); },
  });
  readonly panes = new Panes(this.main);

  doc(): Doc {
    return this.current!;
  }

  hasTyped(doc: Doc): boolean {
    return this.details.hasTyped(doc);
  }

  filesAtHand(): File[] {
    return this.shelf.filesAtHand();
  }

  get docs(): Doc[] {
    return this.shelf.docs;
  }

  get workspace(): Shelf["workspace"] {
    return this.shelf.workspace;
  }

  get awaitedName(): string | undefined {
    return this.trail.awaited.file;
  }

  get provers(): Shelf["provers"] {
    return this.shelf.provers;
  }

  async start(): Promise<void> {
    prepare(module, workerCode);
    const engine = new Engine();
    const theme = button("Theme", () => this.turnTheme(), { class: "quiet", id: "theme" });
    document.body.append(
      h("header", { class: "bar" }, h("h1", {}, "farchive"), this.files, h("span", { class: "spacer" }),
        this.search, button("Open\u2026", () => void this.pick(), { id: "open" }), this.undoButton, this.redoButton, this.changesButton, this.compareButton, this.saveButton, this.panes.hide, theme),
      this.strip, this.notices.element, this.main, this.chooser, h("div", { class: "hidden", id: "announcer", "aria-live": "polite" }));
    this.listen();
    this.drawBar();
    this.main.append(h("p", { class: "muted loading" }, "Loading\u2026"));
    const given = embeddedFiles();
    try {
      this.known = await engine.get<Known>({ op: "known" });
    } catch (error) {
      this.main.replaceChildren(errorNote(error));
      engine.close();
      return;
    }
    engine.leave();
    this.welcome();
    if (given.files.length) await this.shelf.openGiven(given.files, embeddedReading());
    for (const { path, failure } of given.damaged) this.fail(failure, path);
    document.documentElement.dataset.ready = "yes";
  }

  private listen(): void {
    window.addEventListener("hashchange", () => void this.trail.follow());
    window.addEventListener("dragover", (event) => {
      event.preventDefault();
      document.body.classList.add("dragging");
    });
    window.addEventListener("dragleave", (event) => {
      if (!event.relatedTarget) document.body.classList.remove("dragging");
    });
    window.addEventListener("drop", (event) => {
      event.preventDefault();
      document.body.classList.remove("dragging");
      if (event.dataTransfer) rememberDropped(event.dataTransfer);
      if (event.dataTransfer) void droppedFiles(event.dataTransfer).then((files) => this.open(files));
    });
    window.addEventListener("keydown", (event) => onKeys(event, this));
    window.addEventListener("beforeunload", (event) => {
      if (this.docs.some((doc) => doc.isUnsaved || this.hasTyped(doc))) event.preventDefault();
    });
  }

  private turnTheme(): void {
    const root = document.documentElement;
    const isDark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = isDark ? "light" : "dark";
    this.hex.view.restyle();
    announce(isDark ? "light" : "dark");
  }

  private welcome(): void {
    this.main.className = "work start";
    this.main.replaceChildren(startPage(this.known, this.trail.awaited.file, () => void this.pick(), (name) => void this.openSample(name),
      recentList((files) => void this.open(files), (error, about) => this.fail(error, about))));
  }

  // Messages.

  note(...content: (Node | string)[]): void {
    this.notices.add(h("p", {}, ...content));
  }

  clearNotes(): void {
    this.notices.clear();
  }

  fail(error: unknown, about?: string): void {
    const note = errorNote(error);
    if (about) note.prepend(h("strong", {}, about));
    note.removeAttribute("role");
    this.notices.add(note, true);
  }

  // What is open.

  /** Lets files be chosen: with handles that can be kept, where the browser has them. */
  async pick(): Promise<void> {
    const files = document.documentElement.dataset.download === "yes" ? undefined : await pickFiles();
    if (!files) this.chooser.click();
    else if (files.length) await this.open(files);
  }

  private async openSample(name: string): Promise<void> {
    const engine = new Engine();
    try {
      const { bytes } = await engine.ask<{ name: string }>({ op: "sample", name });
      await this.open([new File([bytes!], name)]);
    } catch (error) {
      this.fail(error, name);
    } finally {
      engine.close();
    }
  }

  async open(files: File[]): Promise<void> {
    await this.shelf.open(files);
    if (!this.current && !this.isListing) this.welcome();
  }

  chooseTab(open: Open): void {
    if (open instanceof Doc) this.show(open);
    else this.showWorkspace();
  }

  closeTab(open: Open): void {
    if (open instanceof Doc) return this.shelf.close(open);
    this.shelf.closeWorkspace();
    this.listGone();
  }

  listGone(): void {
    if (!this.isListing) return this.drawBar();
    this.isListing = false;
    this.chooseAny();
  }

  showWorkspace(): void {
    const { workspace } = this;
    if (!workspace) return;
    this.current = undefined;
    this.isListing = true;
    this.main.className = "work listing";
    this.main.replaceChildren(workspace.element);
    workspace.redraw();
    this.trail.enterList(workspace.name);
    this.drawBar();
    document.title = `${workspace.name} \u2014 farchive`;
    workspace.focus();
    announce(workspace.name);
  }

  show(doc: Doc): void {
    this.current = doc;
    this.isListing = false;
    this.main.className = "work";
    if (!this.main.contains(this.tree.element)) this.panes.fill(this.tree.element, this.details.element, this.hex.element);
    this.tree.show(doc);
    this.hex.show(doc);
    this.drawBar();
    document.title = `${doc.name} \u2014 farchive`;
    this.trail.enter(doc);
    announce(`${doc.name}, ${doc.summary.engine}, ${grouped(doc.summary.exports)} exports`);
  }

  gone(doc: Doc): void {
    if (doc !== this.current) return this.drawBar();
    this.current = undefined;
    this.details.clear();
    this.trail.leave();
    this.chooseAny();
  }

  private chooseAny(): void {
    const open = this.workspace ?? this.docs[0];
    if (open) return this.chooseTab(open);
    this.drawBar();
    this.welcome();
    document.title = "farchive";
  }

  reopen(doc: Doc, game: string, release: string): void {
    this.shelf.reopen(doc, game, release);
  }

  proved(doc: Doc): void {
    if (doc !== this.current) return;
    this.drawBar();
    this.hex.view.refresh();
  }

  private drawBar(): void {
    const { current: doc, workspace } = this;
    replaceKeeping(this.files, tabsOf([...(workspace ? [workspace] : []), ...this.docs], doc ?? (this.isListing ? workspace : undefined), this), keptOf(this.files));
    if (doc) replaceKeeping(this.strip, stripOf(doc, this.known, this), keptOf(this.strip));
    else this.strip.replaceChildren();
    this.undoButton.disabled = !doc?.canUndo;
    this.redoButton.disabled = !doc?.canRedo;
    this.changesButton.disabled = !doc;
    this.compareButton.disabled = this.docs.length < 2;
    this.saveButton.disabled = !doc;
    for (const one of [this.undoButton, this.redoButton, this.changesButton, this.compareButton, this.saveButton, this.search, this.panes.hide]) one.hidden = !doc;
  }

  // Places.

  go(key: string, tab?: Tab): void {
    this.uncover();
    void this.trail.go(key, tab);
  }

  goByte(at: number): void {
    this.hex.view.go(at);
    this.panes.show("bytes");
  }

  placed(at: number): void {
    this.trail.amend({ at });
  }

  fieldShown(card: FieldCard): void {
    this.details.markField(card.object, card.field[2]);
  }

  tabChosen(tab: Tab): void {
    this.trail.amend({ tab });
  }

  uncover(): void {
    this.panes.show("details");
  }

  async showPlace(doc: Doc, place: Place): Promise<string | undefined> {
    await this.details.show(place.key, place.tab);
    if (doc !== this.current) return undefined;
    try {
      const { range, key } = await doc.detailsOf(place.key);
      await this.tree.reveal(key);
      if (place.at !== undefined) this.hex.view.go(place.at, false);
      else if (range) this.hex.mark(range, false);
      return key;
    } catch {
      // The details say what is wrong with the place.
      return undefined;
    }
  }

  mark(range: [number, number], uncovers = true): void {
    this.hex.mark(range);
    if (uncovers) this.panes.show("bytes");
  }

  showUndecoded(): void {
    this.reports.undecoded();
  }

  showLayout(name: string): void {
    this.reports.layout(name);
  }

  compare(old: Doc): void {
    void this.reports.compareWith(old);
  }

  // Changes.

  private async renewed(doc: Doc): Promise<void> {
    // Another one is looked at meanwhile: this one comes as it is now when it is gone back to.
    if (doc !== this.current) {
      this.drawBar();
      return this.shelf.prove(doc);
    }
    // Rows that are where they were stay as their user has scrolled, folded and filtered them.
    const isTreeChanged = await this.tree.renew();
    this.hex.renew();
    this.drawBar();
    const { key, tab } = this.trail.place;
    const now = await this.details.renew(key, tab);
    this.trail.moved(key, now);
    if (isTreeChanged) void this.tree.reveal(now).catch(() => {});
    this.shelf.prove(doc);
  }

  async change(change: Change, refused?: (failure: Failure) => boolean): Promise<boolean> {
    const doc = this.doc();
    this.notices.clear();
    try {
      await doc.change(change);
    } catch (error) {
      if (error instanceof Failure && refused?.(error)) return false;
      this.fail(error, "Not changed");
      return false;
    }
    const list = doc.summary.changes!;
    announce(`Changed: ${list.list[list.done - 1]?.text ?? ""}`);
    await this.renewed(doc);
    return true;
  }

  async travel(way: "undo" | "redo"): Promise<void> {
    const doc = this.current;
    if (!doc || !(way === "undo" ? doc.canUndo : doc.canRedo)) return;
    try {
      await doc[way]();
    } catch (error) {
      return this.fail(error);
    }
    announce(way === "undo" ? "Undone" : "Done again");
    await this.renewed(doc);
  }

  async save(): Promise<void> {
    const doc = this.current;
    if (!doc) return;
    try {
      const written = await saveFiles(doc);
      if (written === undefined) return;
      doc.noteSaved();
      this.drawBar();
      const beside = doc.group.beside.map((file) => file.name).filter((name) => !written.includes(`${name}, `));
      const more = beside.length ? ` It needs a copy of ${beside.join(", ")} beside it.` : "";
      // A second press of the button shows its own message.
      this.notices.clear();
      this.notices.add(h("p", { role: "status" }, `Saved ${written}.${more}`));
    } catch (error) {
      this.fail(error, "Not saved");
    }
  }
}
