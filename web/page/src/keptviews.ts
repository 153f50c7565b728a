// What the views of objects keep, by package: it waits where its object is not looked at, and never goes to another one.

import type { Doc } from "./doc";
import { hasTyped } from "./keep";
import type { Kept } from "./keep";
import type { Details, Tab } from "./messages";

/** A view of an object: the package, the object as it is called there, what is seen of it. */
export interface ObjectView { doc: Doc; object: string; tab: Tab | "facts" | "page" }

/** How many rows there are of the kind of a key: where they are as many as before, each is the same one. */
export function rowsOf({ summary: { names, imports, exports } }: Doc, key: string): number {
  return key.startsWith("name:") ? names : key.startsWith("import:") ? imports : exports;
}

/** Whether a key is the number of a row, which may be that of another object after a change. */
const isRow = (key: string): boolean => /^\w+:\d+$/.test(key);

/** What an object is called as long as it is there: its path, or its row among so many. */
export function identityOf(doc: Doc, { address }: Details): string {
  return isRow(address) ? `${address} of ${rowsOf(doc, address)}` : address;
}

/** Where an object is after a change: by its path, since rows move; at its row where it has got another name. */
export async function keyAfterChange(doc: Doc, { address, key }: Details, rows: number): Promise<string | undefined> {
  if (!isRow(key)) return key;
  const now = isRow(address) ? undefined : await doc.detailsOf(address).catch(() => undefined);
  return now?.key ?? (rows === rowsOf(doc, key) ? key : undefined);
}

export class KeptViews {
  private readonly docs = new WeakMap<Doc, Map<string, Kept>>();

  private of(doc: Doc): Map<string, Kept> {
    const views = this.docs.get(doc) ?? new Map<string, Kept>();
    this.docs.set(doc, views);
    return views;
  }

  /** What waits for a view, with what it has now. */
  with({ doc, object, tab }: ObjectView, now?: Kept): Kept {
    const waiting = this.of(doc).get(`${tab} ${object}`);
    return { states: new Map([...waiting?.states ?? [], ...now?.states ?? []]), focus: now?.focus };
  }

  /** Replaces what waits for a view. */
  put({ doc, object, tab }: ObjectView, kept: Kept): void {
    if (kept.states.size > 0) this.of(doc).set(`${tab} ${object}`, { ...kept, focus: undefined });
    else this.drop({ doc, object, tab });
  }

  drop({ doc, object, tab }: ObjectView): void {
    this.of(doc).delete(`${tab} ${object}`);
  }

  /** An object has got another name. */
  rename(doc: Doc, from: string, to: string): void {
    if (from === to) return;
    const views = this.of(doc);
    for (const [name, kept] of [...views]) {
      if (!name.endsWith(` ${from}`)) continue;
      views.delete(name);
      views.set(name.slice(0, -from.length) + to, kept);
    }
  }

  /** Whether text waits in one of the views that is stored nowhere. */
  hasTyped(doc: Doc): boolean {
    return [...this.of(doc).values()].some(hasTyped);
  }
}
