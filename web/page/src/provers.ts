// Packages are rebuilt one after the other: each takes a worker and a copy of its file.

import type { Doc } from "./doc";

export class Provers {
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

  private async prove(doc: Doc): Promise<void> {
    try {
      await doc.prove();
    } catch (error) {
      doc.unproved = (error as Error).message;
    }
    this.done(doc);
  }
}
