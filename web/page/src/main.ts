// The page.

import { stripOf, tabsOf } from "./bar";
import type { BarHost, Listing, Open } from "./bar";
import { fillChanges } from "./changes";
import { comparedPage } from "./compare";
import type { Compared } from "./compare";
import { ContainerSet } from "./containers";
import type { ContainersHost } from "./containers";
import { DetailsPane, errorNote } from "./details";
import type { Host } from "./details";
import { Doc } from "./doc";
import type { Place } from "./doc";
import { announce, button, grouped, h } from "./dom";
import { Engine, Failure, prepare, traffic } from "./engine";
import { droppedFiles, ownerOf, sortFiles } from "./files";
import type { Group } from "./files";
import { FolderSet } from "./folder";
import type { FolderHost } from "./folder";
import { HexPane } from "./hexpane";
import type { Places } from "./hexpane";
import { layoutPage } from "./layout";
import type { FieldCard, Known, Tab } from "./messages";
import { Notices } from "./notices";
import { module, workerCode } from "./parts";
import { addressOf, addressOfList, labelFor, readAddress } from "./places";
import type { Addressed } from "./places";
import { Panes } from "./panes";
import { Provers } from "./provers";
import { pickFiles, recentList, rememberDropped } from "./recent";
import { startPage } from "./start";
import { saveFiles } from "./saving";
import { searchPage } from "./search";
import type { Hits } from "./search";
import { TreeView } from "./tree";

/** Packages of this size are worth waiting for. */
const LARGE = 8 << 20;

/** A package whose worker ends more often is closed. */
const MOST_CRASHES = 3;

/** Packages given together that are more are a list: each that is open has a worker. */
const MOST_OPENED = 8;

/** Packages whose files are looked through for what an object needs of others. */
const MOST_AT_HAND = 5_000;

class App implements BarHost, ContainersHost, FolderHost, Host, Places {
  private docs: Doc[] = [];
  private current: Doc | undefined;
  private sets: Listing[] = [];
  /** The containers or the folder that are looked into; no package is then. */
  private set: Listing | undefined;
  /** Packages that could not be opened: a file that they lack may come. */
  private failed: Group[] = [];
  /** Files whose package may come. */
  private waiting: File[] = [];
  /** What the address named when the page was loaded: it is gone to as soon as its file is open. */
  private awaited: Addressed = readAddress(location.hash);
  private known!: Known;
  private keptMappings: File | undefined;
  private place: Place = { key: "header" };
  private readonly tree = new TreeView((key) => this.go(key), () => this.place.key);
  private readonly details = new DetailsPane(this);
  private readonly hex = new HexPane(this);
  private readonly files = h("div", { class: "files-slot" });
  private readonly strip = h("section", { class: "strip-slot", "aria-label": "Package" });
  private readonly notices = new Notices();
  private readonly provers = new Provers(() => this.current, (doc) => this.proved(doc));
  private readonly main = h("main", { class: "work", id: "work" });
  private readonly chooser = h("input", { type: "file", multiple: true, class: "hidden", tabindex: "-1", "aria-hidden": "true", id: "chooser", onchange: () => {
    void this.open([...(this.chooser.files ?? [])]);
    this.chooser.value = "";
  } });
  private readonly undoButton = button("Undo", () => void this.travel("undo"), { title: "Ctrl+Z" });
  private readonly redoButton = button("Redo", () => void this.travel("redo"), { title: "Ctrl+Y" });
  private readonly changesButton = button("Changes", () => void this.showChanges());
  private readonly compareButton = button("Compare", () => void this.showCompare());
  private readonly saveButton = button("Save", () => void this.save(), { title: "Ctrl+S", class: "primary" });
  private readonly search = h("input", {
    type: "search", id: "search", class: "search-all", placeholder: "Search names, values, texts, code", "aria-label": "Search names, values, texts, code",
    title: "Ctrl+Shift+F", autocomplete: "off", spellcheck: false,
    onkeydown: (event: Event) => { if ((event as KeyboardEvent).key === "Enter") void this.showHits(this.search.value.trim()); },
  });
  private readonly panes = new Panes(this.main);

  doc(): Doc {
    return this.current!;
  }

  filesAtHand(): File[] {
    const listed = this.sets.flatMap((set) => (set instanceof FolderSet ? set.groups : []));
    const groups = new Set([...this.docs.map((doc) => doc.group), ...listed]);
    return [...groups].slice(0, MOST_AT_HAND).flatMap(({ header, bodies, beside }) => [header, ...(bodies ? [bodies] : []), ...beside]);
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
    try {
      this.known = await engine.get<Known>({ op: "known" });
    } catch (error) {
      this.main.replaceChildren(errorNote(error));
      return;
    } finally {
      engine.close();
    }
    this.welcome();
    document.documentElement.dataset.ready = "yes";
  }

  private listen(): void {
    window.addEventListener("hashchange", () => void this.follow());
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
    window.addEventListener("keydown", (event) => this.onKey(event));
    window.addEventListener("beforeunload", (event) => {
      if (this.docs.some((doc) => doc.isUnsaved)) event.preventDefault();
    });
  }

  private onKey(event: KeyboardEvent): void {
    const held = event.ctrlKey || event.metaKey;
    const inField = /^(INPUT|TEXTAREA|SELECT)$/.test((event.target as HTMLElement).tagName);
    const act = (then: () => void): void => {
      event.preventDefault();
      then();
    };
    const key = event.key.toLowerCase();
    if (held && key === "o") return act(() => void this.pick());
    if (key === "/" && this.set && !held && !inField && !event.altKey) return act(() => this.set!.element.querySelector<HTMLElement>(".filter")!.focus());
    if (event.key === "Escape" && !this.notices.isEmpty) return this.notices.clear();
    if (!this.current) return;
    if (held && key === "s") act(() => void this.save());
    else if (held && event.shiftKey && key === "f") act(() => this.search.focus());
    else if (held && key === "f") act(() => { this.panes.show("bytes"); this.hex.focusSearch(); });
    else if (held && key === "c" && document.activeElement?.id === "hex") act(() => void navigator.clipboard?.writeText(this.hex.view.copy()));
    else if (held && !inField && key === "z" && !event.shiftKey) act(() => void this.travel("undo"));
    else if (held && !inField && (key === "y" || (key === "z" && event.shiftKey))) act(() => void this.travel("redo"));
    else if (!held && !event.altKey && !inField && key === "/") act(() => { this.panes.show("objects"); this.tree.focusFilter(); });
    else if (event.altKey && /^[1-3]$/.test(event.key)) act(() => this.panes.focus((["objects", "details", "bytes"] as const)[Number(event.key) - 1]));
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
    this.main.replaceChildren(startPage(this.known, this.awaited.file, () => void this.pick(), (name) => void this.openSample(name),
      recentList((files) => void this.open(files), (error, about) => this.fail(error, about))));
  }

  /** Lets files be chosen: with handles that can be kept, where the browser has them. */
  private async pick(): Promise<void> {
    const files = document.documentElement.dataset.download === "yes" ? undefined : await pickFiles();
    if (!files) this.chooser.click();
    else if (files.length) await this.open(files);
  }

  fail(error: unknown, about?: string): void {
    const note = errorNote(error);
    if (about) note.prepend(h("strong", {}, about));
    note.removeAttribute("role");
    this.notices.add(note, true);
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

  /** Opens files; those that belong together as one package. Files that open packages lack join these. */
  async open(files: File[]): Promise<void> {
    this.notices.clear();
    const before = [...this.docs.map((doc) => doc.group), ...this.failed];
    const sorted = sortFiles([...this.waiting, ...files], before, this.keptMappings);
    const { groups, mappings, containers, joined, notes } = sorted;
    const known = new Set(this.waiting);
    this.waiting = sorted.waiting;
    for (const file of this.waiting.filter((file) => !known.has(file))) {
      this.notices.add(h("p", {}, `${file.name} belongs to ${ownerOf(file)}: it is kept until that is opened.`));
    }
    for (const note of notes) this.notices.add(h("p", {}, note));
    if (mappings) this.keptMappings = mappings;
    const again = mappings ? before.filter((group) => this.wants(group, mappings)) : [];
    await this.readAgain(new Set([...joined, ...again]));
    if (mappings && groups.length === 0 && containers.length === 0 && again.length === 0) {
      this.notices.add(h("p", {}, `${mappings.name} is kept for packages that are opened from now on.`));
    }
    if (groups.length > MOST_OPENED) this.addList(new FolderSet(groups, this));
    else await this.openGroups(groups);
    if (containers.length) await this.openContainers(containers);
    if (!this.current && !this.set) this.welcome();
  }

  /** Gives mappings to a package that may be read with them; whether it has to be read again. */
  private wants(group: Group, mappings: File): boolean {
    const doc = this.docs.find((doc) => doc.group === group);
    group.mappings = mappings;
    return doc ? doc.summary.unversioned : true;
  }

  /** Packages whose files have become more are read once more, with the changes that were made. */
  private async readAgain(groups: Set<Group>): Promise<void> {
    this.failed = this.failed.filter((group) => !groups.has(group));
    for (const group of groups) {
      const doc = this.docs.find((doc) => doc.group === group);
      if (!doc) await this.openGroups([group]);
      else {
        try {
          await doc.recover();
          if (doc === this.current) this.choose(doc);
          this.prove(doc);
        } catch (error) {
          this.fail(error, doc.name);
          this.drop(doc);
        } finally {
          this.watch(doc);
        }
      }
    }
  }

  openGroup(group: Group): Promise<void> {
    this.notices.clear();
    return this.openGroups([group]);
  }

  openListed(group: Group): Promise<void> {
    const doc = this.docs.find((doc) => doc.group === group);
    return doc ? Promise.resolve(this.choose(doc)) : this.openGroup(group);
  }

  isOpen(group: Group): boolean {
    return this.docs.some((doc) => doc.group === group);
  }

  private addList(set: Listing): void {
    this.sets.push(set);
    this.chooseTab(set);
  }

  private async openContainers(files: File[]): Promise<void> {
    const set = new ContainerSet(files, this);
    set.engine.onCrash = (message) => {
      if (!this.sets.includes(set)) return;
      this.fail(new Failure(message, "It is closed now; please report this file.", "crash"), set.name);
      this.closeTab(set);
    };
    try {
      await set.open();
    } catch (error) {
      set.close();
      return this.fail(error);
    }
    this.addList(set);
  }

  private async openGroups(groups: Group[]): Promise<void> {
    const opened: Doc[] = [];
    for (const group of groups) {
      group.mappings ??= this.keptMappings;
      const doc = new Doc(group);
      try {
        await this.watch(doc).open();
        doc.label = labelFor(doc.name, this.docs.map(({ label }) => label));
        this.docs.push(doc);
        opened.push(doc);
      } catch (error) {
        doc.close();
        this.fail(error, group.name);
        this.failed.push(group);
      }
    }
    if (opened.length) {
      this.choose(opened[0]);
      if (opened.length === 2 && groups.length === 2) this.notices.add(h("p", {}, "Two packages. ", button("Compare them", () => { this.notices.clear(); void this.compareWith(opened[0]); }, { class: "link" })));
    }
    // The tree of a large package first: reading it twice at the same time would hold that up.
    for (const doc of opened) setTimeout(() => this.prove(doc), doc.summary.bytes > LARGE ? 700 : 0);
  }

  /** Whatever happens to its worker, the page goes on. */
  private watch(doc: Doc): Doc {
    doc.engine.onCrash = (message) => {
      if (!this.docs.includes(doc)) return;
      doc.crashes += 1;
      // What was looked at last may be what has ended it.
      doc.place = undefined;
      if (doc.crashes > MOST_CRASHES) {
        this.fail(new Failure(message, "It is closed now; please report this file.", "crash"), doc.name);
        return this.drop(doc);
      }
      this.fail(new Failure(message, "It was opened once more, with the changes that were made.", "crash"), doc.name);
      void doc.recover().then(() => {
        this.watch(doc);
        if (doc === this.current) this.choose(doc);
      }).catch((error: unknown) => {
        this.fail(error, doc.name);
        this.drop(doc);
      });
    };
    return doc;
  }

  private prove(doc: Doc): void {
    if (this.docs.includes(doc)) this.provers.add(doc);
  }

  private proved(doc: Doc): void {
    if (doc !== this.current) return;
    this.drawBar();
    this.hex.view.refresh();
  }

  chooseTab(open: Open): void {
    if (open instanceof Doc) return this.choose(open);
    const set = open as Listing;
    this.current = undefined;
    this.set = set;
    this.main.className = "work contained";
    this.main.replaceChildren(set.element);
    if (set instanceof FolderSet) set.redraw();
    this.enter(addressOfList(set.name));
    this.drawBar();
    document.title = `${set.name} \u2014 farchive`;
    set.focus();
    announce(set.name);
  }

  closeTab(open: Open): void {
    if (open instanceof Doc) return this.close(open);
    const set = open as Listing;
    set.close();
    this.sets = this.sets.filter((one) => one !== set);
    if (set !== this.set) return this.drawBar();
    this.set = undefined;
    this.chooseAny();
  }

  private choose(doc: Doc): void {
    this.current = doc;
    this.set = undefined;
    this.main.className = "work";
    if (!this.main.contains(this.tree.element)) this.panes.fill(this.tree.element, this.details.element, this.hex.element);
    this.tree.show(doc);
    this.hex.show(doc);
    this.drawBar();
    document.title = `${doc.name} \u2014 farchive`;
    const { file, place } = this.awaited;
    if (place && (file ?? doc.label) === doc.label) {
      doc.place = place;
      this.awaited = {};
    }
    // Each has a place of its own: an object of another file is none of this one.
    const here = doc.place ?? { key: doc.summary.map ? "header" : doc.summary.asset ?? "header" };
    this.enter(addressOf(doc.label, here));
    void this.show(here);
    announce(`${doc.name}, ${doc.summary.engine}, ${grouped(doc.summary.exports)} exports`);
  }

  private close(doc: Doc): void {
    if (doc.isUnsaved && !confirm(`${doc.name} has changes that are not saved. Close it all the same?`)) return;
    this.drop(doc);
  }

  /** It is open no more. */
  private drop(doc: Doc): void {
    doc.close();
    this.provers.drop(doc);
    this.docs = this.docs.filter((one) => one !== doc);
    if (doc !== this.current) return this.drawBar();
    this.current = undefined;
    this.details.clear();
    history.replaceState(null, "", "#");
    this.chooseAny();
  }

  private chooseAny(): void {
    const open = this.sets.at(-1) ?? this.docs[0];
    if (open) return this.chooseTab(open);
    this.drawBar();
    this.welcome();
    document.title = "farchive";
  }

  reopen(doc: Doc, game: string, release: string): void {
    const before = { game: doc.game, release: doc.release };
    Object.assign(doc, { game, release });
    doc.recover().then(() => {
      this.watch(doc);
      this.choose(doc);
      this.prove(doc);
    }).catch((error: unknown) => {
      this.fail(error, doc.name);
      Object.assign(doc, before);
      void doc.recover().then(() => {
        this.watch(doc);
        this.choose(doc);
        this.prove(doc);
      });
    });
  }

  private drawBar(): void {
    const { current: doc } = this;
    this.files.replaceChildren(tabsOf([...this.sets, ...this.docs], doc ?? this.set, this));
    this.strip.replaceChildren(...(doc ? [stripOf(doc, this.known, this)] : []));
    this.undoButton.disabled = !doc?.canUndo;
    this.redoButton.disabled = !doc?.canRedo;
    this.changesButton.disabled = !doc;
    this.compareButton.disabled = this.docs.length < 2;
    this.saveButton.disabled = !doc;
    for (const one of [this.undoButton, this.redoButton, this.changesButton, this.compareButton, this.saveButton, this.search, this.panes.hide]) one.hidden = !doc;
  }

  showUndecoded(): void {
    const proof = this.current?.proof;
    if (!proof) return;
    const rows = proof.undecoded.map(({ key, path, error }) => h("li", {}, button(path, () => this.go(key), { class: "link" }), h("div", { class: "places" }, error)));
    this.details.page("Not decoded whole", `${grouped(proof.undecoded_count)} objects`, h("ul", { class: "references" }, ...rows));
    this.panes.show("details");
  }

  // Places.

  go(key: string, tab?: Tab): void {
    this.panes.show("details");
    // Paths mean the same object in another file, too.
    void this.doc().detailsOf(key).then(({ address }) => this.travelTo({ key: address, tab }), () => this.travelTo({ key, tab }));
  }

  goByte(at: number): void {
    this.hex.view.go(at);
    this.panes.show("bytes");
  }

  placed(at: number): void {
    this.amend({ at });
  }

  fieldShown(card: FieldCard): void {
    this.details.markField(card.object, card.field[2]);
  }

  tabChosen(tab: Tab): void {
    this.amend({ tab });
  }

  /** The same place, looked at otherwise: no step of the history. */
  private amend(more: Partial<Place>): void {
    this.place = { ...this.place, ...more };
    const key = readAddress(location.hash).place?.key ?? this.place.key;
    const { current: doc } = this;
    if (!doc) return;
    doc.place = { ...this.place, key };
    try {
      history.replaceState(null, "", addressOf(doc.label, doc.place));
    } catch {
      // Browsers refuse too many in a short time; the next one counts.
    }
  }

  showLayout(name: string): void {
    void layoutPage(this.doc(), name, (name) => this.showLayout(name)).then(({ title, content }) => {
      this.details.page(title, "Layout", content);
      this.panes.show("details");
    }).catch((error: unknown) => this.fail(error));
  }

  private travelTo(place: Place): void {
    const address = addressOf(this.doc().label, place);
    if (location.hash === address) void this.show(place);
    else location.hash = address;
  }

  /** Another file or list is looked at: a step of the history, the first one none. */
  private enter(address: string): void {
    if (location.hash === address) return;
    const known = this.isListed(readAddress(location.hash).file);
    history[known ? "pushState" : "replaceState"](null, "", address);
  }

  private isListed(file: string | undefined): boolean {
    return this.docs.some((doc) => doc.label === file) || this.sets.some((set) => set.name === file);
  }

  private async follow(): Promise<void> {
    const { file, place } = readAddress(location.hash);
    if (file !== undefined && file !== (this.current?.label ?? this.set?.name)) {
      const doc = this.docs.find((doc) => doc.label === file);
      const set = this.sets.find((set) => set.name === file);
      if (doc) {
        doc.place = place ?? doc.place;
        return this.choose(doc);
      }
      if (set) return this.chooseTab(set);
      this.notices.add(h("p", {}, `${file} is not open: open it to go there.`));
      this.awaited = { file, place };
      return;
    }
    if (this.current) await this.show(place ?? { key: "header" });
  }

  private async show(place: Place): Promise<void> {
    this.place = { ...place };
    const doc = this.current!;
    doc.place = place;
    await this.details.show(place.key, place.tab);
    if (doc !== this.current) return;
    try {
      const { range, key } = await doc.detailsOf(place.key);
      this.place.key = key;
      await this.tree.reveal(key);
      if (place.at !== undefined) this.hex.view.go(place.at, false);
      else if (range) this.hex.mark(range, false);
    } catch {
      // The details say what is wrong with the place.
    }
  }

  mark(range: [number, number]): void {
    this.hex.mark(range);
    this.panes.show("bytes");
  }

  // Changes.

  private async renewed(): Promise<void> {
    await this.tree.renew();
    this.hex.renew();
    this.drawBar();
    await this.details.show(this.place.key, this.place.tab);
    void this.tree.reveal(this.place.key).catch(() => {});
    this.prove(this.doc());
  }

  async change(change: Record<string, unknown>): Promise<boolean> {
    const doc = this.doc();
    this.notices.clear();
    try {
      await doc.change(change);
    } catch (error) {
      this.fail(error, "Not changed");
      return false;
    }
    const list = doc.summary.changes!;
    announce(`Changed: ${list.list[list.done - 1]?.text ?? ""}`);
    await this.renewed();
    return true;
  }

  private async travel(way: "undo" | "redo"): Promise<void> {
    const doc = this.current;
    if (!doc || !(way === "undo" ? doc.canUndo : doc.canRedo)) return;
    try {
      await doc[way]();
    } catch (error) {
      return this.fail(error);
    }
    announce(way === "undo" ? "Undone" : "Done again");
    await this.renewed();
  }

  private async save(): Promise<void> {
    const doc = this.current;
    if (!doc) return;
    try {
      const written = await saveFiles(doc);
      if (written === undefined) return;
      doc.noteSaved();
      this.drawBar();
      const beside = doc.group.beside.map((file) => file.name);
      const more = beside.length ? ` It needs a copy of ${beside.join(", ")} beside it.` : "";
      // Whoever presses the button twice sees what happened each time.
      this.notices.clear();
      this.notices.add(h("p", { role: "status" }, `Saved ${written}.${more}`));
    } catch (error) {
      this.fail(error, "Not saved");
    }
  }

  private async showChanges(): Promise<void> {
    const content = h("div", {});
    this.details.page("Changes", this.doc().name, content);
    this.panes.show("details");
    await fillChanges(this.doc(), content, (key) => this.go(key));
  }

  private async showHits(text: string): Promise<void> {
    const doc = this.current;
    if (!doc || !text) return;
    this.details.page(text, "Search", h("p", { class: "muted" }, "\u2026"));
    this.panes.show("details");
    try {
      const found = await doc.get<Hits>("search", { text });
      if (doc !== this.current) return;
      const goProperty = (key: string, path: string): void => {
        this.go(key, "properties");
        void doc.get<{ range: [number, number] }>("property-range", { row: Number(key.replace(/\D+/, "")), path }).then(({ range }) => this.hex.mark(range), () => {});
      };
      this.details.page(text, `${grouped(found.count)} ${found.count === 1 ? "place" : "places"}`, searchPage(found, text, (key, tab) => this.go(key, tab), goProperty));
      announce(`${grouped(found.count)} found`);
    } catch (error) {
      this.details.page(text, "Search", errorNote(error));
    }
  }

  private async showCompare(): Promise<void> {
    const others = this.docs.filter((doc) => doc !== this.current);
    if (others.length === 1) return this.compareWith(others[0]);
    this.details.page("Compare", this.doc().name, h("div", {}, h("p", {}, "With which package, as the old one?"),
      h("ul", { class: "references" }, ...others.map((doc) => h("li", {}, button(doc.name, () => void this.compareWith(doc), { class: "link" }))))));
    this.panes.show("details");
  }

  /** The current package as the new one. */
  private async compareWith(old: Doc): Promise<void> {
    const doc = this.current === old ? this.docs.find((one) => one !== old)! : this.current!;
    if (doc !== this.current) this.choose(doc);
    this.details.page(`${old.name} \u2192 ${doc.name}`, "Old and new", h("p", { class: "muted" }, "\u2026"));
    this.panes.show("details");
    try {
      const number = await doc.admit(old);
      const found = await doc.get<Compared>("compare", { old: number, new: doc.own });
      const conform = (): void => void this.change({ do: "conform", to: number }).then((done) => { if (done) void this.compareWith(old); });
      this.details.page(`${old.name} \u2192 ${doc.name}`, "Old and new", comparedPage(found, (key) => this.go(key), conform));
    } catch (error) {
      this.details.page(`${old.name} \u2192 ${doc.name}`, "Old and new", errorNote(error));
    }
  }
}

const app = new App();
Object.assign(window, { page: { app, traffic, open: (files: File[]) => app.open(files), doc: () => app.doc() } });
void app.start();
