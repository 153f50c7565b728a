// Windows of bytes and fields, as the worker sends them.

import type { Doc } from "./doc";
import type { Field } from "./messages";

const BYTES = 1 << 16;
const FIELDS = 1 << 12;
const KEPT = 48;

/** Keeps what was used last. */
class Recent<T> {
  private map = new Map<number, T>();

  get(key: number): T | undefined {
    const value = this.map.get(key);
    if (value !== undefined) {
      this.map.delete(key);
      this.map.set(key, value);
    }
    return value;
  }

  set(key: number, value: T): void {
    this.map.set(key, value);
    if (this.map.size > KEPT) this.map.delete(this.map.keys().next().value!);
  }
}

export class Window {
  private bytes = new Recent<Uint8Array>();
  private fields = new Recent<Field[]>();
  private askedBytes = new Set<number>();
  private askedFields = new Set<number>();

  constructor(readonly doc: Doc, private arrived: () => void) {}

  get length(): number {
    return this.doc.summary.bytes;
  }

  /** A byte, if it is here. */
  byte(at: number): number | undefined {
    return this.bytes.get(Math.floor(at / BYTES))?.[at % BYTES];
  }

  /** The block with a byte, asked for if it is not here. */
  block(at: number): Uint8Array | undefined {
    const number = Math.floor(at / BYTES);
    const block = this.bytes.get(number);
    if (!block && !this.askedBytes.has(number)) {
      this.askedBytes.add(number);
      void this.doc.ask("bytes", { from: number * BYTES, length: BYTES }).then(({ bytes }) => {
        this.bytes.set(number, new Uint8Array(bytes ?? new ArrayBuffer(0)));
        this.arrived();
      }).catch(() => {}).finally(() => this.askedBytes.delete(number));
    }
    return block;
  }

  static readonly BLOCK = BYTES;

  /** The fields of a range as far as they are here; `ask` asks for those that are not. */
  fieldsOf(from: number, to: number, ask: boolean): Field[] {
    const found: Field[] = [];
    for (let number = Math.floor(from / FIELDS); number * FIELDS < to; number++) {
      const block = this.fields.get(number);
      if (block) {
        for (const field of block) {
          const last = found[found.length - 1];
          if (field[1] > from && field[0] < to && !(last && last[0] === field[0] && last[2] === field[2])) found.push(field);
        }
      } else if (ask && !this.askedFields.has(number)) {
        this.askedFields.add(number);
        void this.doc.get<{ fields: Field[] }>("fields", { from: number * FIELDS, length: FIELDS }).then(({ fields }) => {
          this.fields.set(number, fields);
          this.arrived();
        }).catch(() => {}).finally(() => this.askedFields.delete(number));
      }
    }
    return found;
  }
}
