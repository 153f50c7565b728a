// Packages are rebuilt one after the other: each takes a worker and a copy of its file.

import type { Doc } from "./doc";

/**
 * Packages of these sizes, in bytes, are rebuilt in the worker that they are open in, unchanged or not: a second one would take
 * as much memory again, and they are rebuilt within a second. Smaller ones take little, larger ones would hold up the page.
 */
const ALONE = [8 << 20, 32 << 20];

/** Whether a package of that many bytes is rebuilt without a second worker. */
export function isProvedAlone(bytes: number): boolean {
  return bytes >= ALONE[0] && bytes <= ALONE[1];
}

export class Provers {
  /** The package that is being rebuilt. */
  private proving: Doc | undefined;
  private waiting: Doc[] = [];
  private isBusy = false;

  /** `first` is the package that is looked at; `done` is called for each that was rebuilt, or could not be. */
  constructor(private first: () => Doc | undefined, private done: (doc: Doc) => void) {}

  /** Has it rebuilt as soon as its turn comes; one that was changed is rebuilt in its own worker, at once. */
  add(doc: Doc): void {
    this.drop(doc);
    if (doc.isChanged) return void this.prove(doc);
    this.waiting.push(doc);
    void this.next();
  }

  /** It is closed. */
  drop(doc: Doc): void {
    this.waiting = this.waiting.filter((one) => one !== doc);
  }

  private async next(): Promise<void> {
    if (this.isBusy) return;
    this.isBusy = true;
    for (;;) {
      const at = Math.max(0, this.waiting.indexOf(this.first()!));
      const [doc] = this.waiting.splice(at, 1);
      if (!doc) break;
      await this.prove(doc);
    }
    this.isBusy = false;
  }

  /** Whether that package is being rebuilt right now. */
  isProving(doc: Doc): boolean {
    return doc === this.proving;
  }

  private async prove(doc: Doc): Promise<void> {
    this.proving = doc;
    try {
      await doc.prove();
    } catch (error) {
      doc.unproved = (error as Error).message;
    }
    if (this.proving === doc) this.proving = undefined;
    this.done(doc);
  }
}
