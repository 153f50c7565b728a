// Where one is, and was: each package keeps its place, back and forward lead through all of them.

import type { Listing } from "./bar";
import type { Doc, Place } from "./doc";
import type { Tab } from "./messages";
import { addressOf, addressOfList, readAddress } from "./places";
import type { Addressed } from "./places";

/** What the trail asks of the page. */
export interface TrailHost {
  readonly current: Doc | undefined;
  readonly docs: Doc[];
  readonly workspace: (Listing & { names: Set<string> }) | undefined;
  /** Whether the tree of files is looked at. */
  readonly isListing: boolean;
  show(doc: Doc): void;
  showWorkspace(): void;
  /** Shows a place of the current package; what it is called there where it has been found. */
  showPlace(doc: Doc, place: Place): Promise<string | undefined>;
  note(...content: (Node | string)[]): void;
}

export class Trail {
  /** Where one is in the current package. */
  place: Place = { key: "header" };

  /** `awaited` is what an address named: it is gone to as soon as its file is open. */
  constructor(private host: TrailHost, public awaited: Addressed) {}

  /** Goes to a place of the current package: a step of the history. */
  async go(key: string, tab?: Tab): Promise<void> {
    const doc = this.host.current!;
    // Paths mean the same object in another file, too.
    const place = await doc.detailsOf(key).then(({ address }) => ({ key: address, tab }), () => ({ key, tab }));
    const address = addressOf(doc.label, place);
    if (location.hash === address) await this.show(place);
    else location.hash = address;
  }

  /** The same place, looked at otherwise: no step of the history. */
  amend(more: Partial<Place>): void {
    this.place = { ...this.place, ...more };
    const key = readAddress(location.hash).place?.key ?? this.place.key;
    const { current: doc } = this.host;
    if (!doc) return;
    doc.place = { ...this.place, key };
    try {
      history.replaceState(null, "", addressOf(doc.label, doc.place));
    } catch {
      // Browsers refuse too many in a short time; the next one counts.
    }
  }

  /** The object that is looked at has another row after a change. */
  moved(from: string, to: string): void {
    if (this.place.key === from) this.place = { ...this.place, key: to };
  }

  /** A package is looked at, at the place where one was in it. */
  enter(doc: Doc): void {
    const { file, place } = this.awaited;
    if (place && (file ?? doc.label) === doc.label) {
      doc.place = place;
      this.awaited = {};
    }
    // Each has a place of its own: an object of another file is none of this one.
    const here = doc.place ?? { key: doc.summary.map ? "header" : doc.summary.asset ?? "header" };
    this.step(addressOf(doc.label, here));
    void this.show(here);
  }

  /** The tree of files is looked at. */
  enterList(name: string): void {
    // Under another name it is the same tree: going back to that is no step.
    if (this.isList(readAddress(location.hash).file)) history.replaceState(null, "", addressOfList(name));
    else this.step(addressOfList(name));
  }

  /** What is looked at is open no more. */
  leave(): void {
    history.replaceState(null, "", "#");
  }

  /** Another file or list is looked at: a step of the history, the first one none. */
  private step(address: string): void {
    if (location.hash === address) return;
    const { file } = readAddress(location.hash);
    const isOpen = this.host.docs.some((doc) => doc.label === file) || this.isList(file);
    history[isOpen ? "pushState" : "replaceState"](null, "", address);
  }

  private isList(file: string | undefined): boolean {
    return file !== undefined && this.host.workspace?.names.has(file) === true;
  }

  /** Goes where the address leads. */
  async follow(): Promise<void> {
    const { file, place } = readAddress(location.hash);
    const isHere = file === undefined || file === this.host.current?.label || (this.host.isListing && this.isList(file));
    if (isHere) {
      if (this.host.current) await this.show(place ?? { key: "header" });
      return;
    }
    const doc = this.host.docs.find((doc) => doc.label === file);
    if (doc) {
      doc.place = place ?? doc.place;
      return this.host.show(doc);
    }
    if (this.isList(file)) return this.host.showWorkspace();
    this.host.note(`${file} is not open: open it to go there.`);
    this.awaited = { file, place };
  }

  private async show(place: Place): Promise<void> {
    this.place = { ...place };
    const doc = this.host.current!;
    doc.place = place;
    const key = await this.host.showPlace(doc, place);
    if (key !== undefined && doc === this.host.current && this.place.key === place.key) this.place.key = key;
  }
}
