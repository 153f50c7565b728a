// An open package: its files, its worker, what was changed.

import { Engine } from "./engine";
import { isProvedAlone } from "./provers";
import { pathOf } from "./files";
import type { Group } from "./files";
import type { Answer } from "./engine";
import type { Details, Proof, Summary, Tab } from "./messages";

/** A change: what is done, with a file that goes into the package and files that stay where they are. */
export interface Change {
  do: string;
  file?: File;
  lent?: File[];
  [part: string]: unknown;
}

/** Where one is: kept in the address, so that back, forward and links work. */
export interface Place { key: string; tab?: Tab; at?: number }

/** Parts of the minimap. */
export const MAP_PARTS = 1024;
/** Packages up to this size are proved again in their own worker after a change. */
const SMALL = 16 << 20;

export class Doc {
  engine = new Engine();
  summary!: Summary;
  proof: Proof | undefined;
  /** Why there is no proof, if the attempt has failed. */
  unproved = "";
  /** How often its worker has ended. */
  crashes = 0;
  /** Three bytes a part: payload, opaque, gap. */
  map: Uint8Array | undefined;
  game = "";
  release = "";
  /** What addresses call it: its name, with a number where another one has that. */
  label = "";
  /** Where one was in it last. */
  place: Place | undefined;
  /** Changes as they were asked for, to do them again after a crash. */
  private done: Change[] = [];
  private undone: Change[] = [];
  /** Until it is open again with all of them. */
  private recovering: Promise<void> | undefined;
  private number = 0;
  /** Ends the rebuilding that is under way. */
  private endProof: () => void = () => {};
  private details = new Map<string, Details>();
  /** Where the file is written back to, if the browser lets us. */
  handle: FileSystemFileHandle | undefined;
  /** When that was last: another time means that somebody else has written it since. */
  writtenAt: number | undefined;

  constructor(readonly group: Group) {}

  get title(): string {
    return pathOf(this.group.header);
  }

  get name(): string {
    return this.group.name;
  }

  private request(): Record<string, unknown> {
    return this.requestOf(this.parts(this.group.header, this.group.bodies));
  }

  private requestOf(parts: [string, Blob][]): Record<string, unknown> {
    return { op: "open", name: this.name, game: this.game, engine: this.release, parts: parts.map(([kind]) => kind), imported: this.group.imported };
  }

  /** What is read of it at once, and what each of that is. */
  private parts(header: Blob, bodies: Blob | undefined): [string, Blob][] {
    const { mappings, scripts } = this.group;
    const parts: [string, Blob | undefined][] = [["header", header], ["bodies", bodies], ["mappings", mappings], ...(scripts ?? []).map((file): [string, Blob] => ["scripts", file])];
    return parts.filter((part): part is [string, Blob] => part[1] !== undefined);
  }

  private files(): Blob[] {
    return this.parts(this.group.header, this.group.bodies).map(([, file]) => file);
  }

  /** Opens it, once more if it is open. */
  async open(): Promise<void> {
    this.summary = await this.engine.get<Summary>(this.request(), this.files(), this.group.beside);
    this.number = this.summary.package;
    this.forget();
  }

  /**
   * Opens it in a new worker and does all changes again; where that fails, they are kept for the next attempt. They count
   * all the time, and what is asked meanwhile is answered afterwards: what is closed or saved then would lack them.
   */
  async recover(): Promise<void> {
    const work = this.reopened();
    const recovering = work.catch(() => {}).then(() => {
      if (this.recovering === recovering) this.recovering = undefined;
    });
    this.recovering = recovering;
    return work;
  }

  private async reopened(): Promise<void> {
    this.endProof();
    this.engine.close();
    this.engine = new Engine();
    await this.open();
    for (const change of [...this.done]) await this.ofWorker(change);
    this.undone = [];
  }

  private forget(): void {
    this.details.clear();
    this.proof = undefined;
    this.unproved = "";
    this.map = undefined;
  }

  /** `lent` are files that stay where they are. */
  ask<T>(op: string, rest: Record<string, unknown> = {}, lent?: File[]): Promise<Answer<T>> {
    if (this.recovering) return this.recovering.then(() => this.ask(op, rest, lent));
    return this.engine.ask<T>({ op, package: this.number, ...rest }, undefined, lent);
  }

  async get<T>(op: string, rest: Record<string, unknown> = {}): Promise<T> {
    return (await this.ask<T>(op, rest)).value;
  }

  async detailsOf(key: string): Promise<Details> {
    const kept = this.details.get(key);
    if (kept) return kept;
    const details = await this.get<Details>("details", { key });
    this.details.set(key, details);
    return details;
  }

  /** Whether it is called by names that only mappings know, and has none. */
  get lacksMappings(): boolean {
    return this.summary.unversioned && !this.group.mappings;
  }

  get isChanged(): boolean {
    return (this.summary.changes?.done ?? 0) > 0;
  }

  /** The changes that were done when it was saved last: others may be as many. */
  private saved: Change[] = [];

  /** Whether something would be lost. */
  get isUnsaved(): boolean {
    return this.done.length !== this.saved.length || this.done.some((change, at) => change !== this.saved[at]);
  }

  /** Its files were handed out. */
  noteSaved(): void {
    this.saved = [...this.done];
  }

  private renew(summary: Summary): void {
    this.summary = { ...summary, package: this.number };
    this.forget();
  }

  /** Changes it; where that fails it is as before. */
  async change(change: Change): Promise<void> {
    while (this.recovering) await this.recovering;
    await this.ofWorker(change);
    this.done.push(change);
    this.undone = [];
  }

  private async ofWorker(change: Change): Promise<void> {
    const { file, lent, ...rest } = change;
    const request = { op: "change", package: this.number, change: file ? { ...rest, file: file.name } : rest };
    this.renew(await this.engine.get<Summary>(request, file ? [file] : undefined, lent));
  }

  async undo(): Promise<void> {
    this.renew(await this.get<Summary>("undo"));
    this.undone.push(...this.done.splice(-1));
  }

  async redo(): Promise<void> {
    this.renew(await this.get<Summary>("redo"));
    this.done.push(...this.undone.splice(-1));
  }

  get canUndo(): boolean {
    return this.isChanged;
  }

  get canRedo(): boolean {
    const changes = this.summary.changes;
    return changes !== undefined && changes.done < changes.list.length;
  }

  /** Rebuilds it: beside everything else, in a worker of its own, while it is as it was opened. */
  async prove(): Promise<void> {
    this.endProof();
    if (this.isChanged && this.summary.bytes > SMALL) return;
    const prover = this.isChanged || isProvedAlone(this.summary.bytes) ? undefined : new Engine();
    // A worker that is closed answers nothing: what waits for it must go on all the same.
    const ended = new Promise<undefined>((resolve) => {
      this.endProof = () => { prover?.close(); resolve(undefined); };
    });
    const answer = await Promise.race([ended, prover ? this.proofBeside(prover) : this.ask<Proof>("proof", { parts: MAP_PARTS })]);
    if (!answer) return;
    this.proof = answer.value;
    this.map = new Uint8Array(answer.bytes ?? new ArrayBuffer(0));
  }

  private async proofBeside(prover: Engine): Promise<Answer<Proof>> {
    try {
      const { package: number } = await prover.get<Summary>(this.request(), this.files(), this.group.beside);
      return await prover.ask<Proof>({ op: "proof", package: number, parts: MAP_PARTS });
    } finally {
      prover.close();
    }
  }

  /** The files that saving makes. */
  async save(): Promise<File[]> {
    const { value, bytes } = await this.ask<{ files: { name: string; length: number }[] }>("save");
    let from = 0;
    return value.files.map(({ name, length }) => {
      const file = new File([new Uint8Array(bytes!, from, length)], name);
      from += length;
      return file;
    });
  }

  /** Opens another package in the same worker; the number that requests call it by. */
  async admit(other: Doc): Promise<number> {
    const saved = await other.save();
    const [header, bodies] = other.summary.split === null ? [saved[0]] : saved;
    const parts = other.parts(header, bodies);
    // Behind its files stands the bulk data that was changed: it counts, not that which it was opened with.
    const changed = saved.slice(bodies ? 2 : 1);
    const kept = other.group.beside.filter(({ name }) => !changed.some((one) => one.name.toLowerCase() === name.toLowerCase()));
    const summary = await this.engine.get<Summary>(other.requestOf(parts), parts.map(([, file]) => file), [...kept, ...changed]);
    return summary.package;
  }

  get own(): number {
    return this.number;
  }

  close(): void {
    this.engine.close();
    this.endProof();
  }
}
