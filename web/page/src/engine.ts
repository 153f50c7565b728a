// The page's side of the worker: asks, and counts what goes to and fro.

import type { Ask, Reply, TextPlace } from "./messages";

/** What went wrong, and what to do next. */
export class Failure extends Error {
  /** `places` are those in a text that was given. */
  constructor(message: string, readonly next: string | null, readonly kind: string, readonly places: TextPlace[] = []) {
    super(message);
  }
}

/** What a worker answers: a value, and bytes where the request asks for some. */
export interface Answer<T> {
  value: T;
  bytes: ArrayBuffer | undefined;
}

interface Waiting {
  resolve(answer: Answer<unknown>): void;
  reject(error: unknown): void;
}

/** Messages and bytes between the page and its workers; bytes that were read of files that stay where they are. */
export const traffic = { messages: 0, bytes: 0, read: 0 };

let compiled: Promise<WebAssembly.Module> | undefined;
let workerUrl = "";
/** A worker in which nothing is open, for whoever needs one next: its module runs already. */
let spare: Worker | undefined;

/** Where module and worker come from. */
export function prepare(module: Promise<WebAssembly.Module>, workerCode: string): void {
  compiled = module;
  workerUrl = URL.createObjectURL(new Blob([workerCode], { type: "text/javascript" }));
}

/** A worker with a module of its own. */
export class Engine {
  private worker: Worker | undefined;
  private waiting = new Map<number, Waiting>();
  private next = 0;
  private isClosed = false;
  /** Called when nothing is asked any more. */
  private resting: (() => void)[] = [];
  /** Whether the module has ended: what was open in it is not. */
  hasEnded = false;
  /** Called when the module has ended, with what it said last. */
  onCrash: (message: string) => void = () => {};

  private async start(): Promise<Worker> {
    const module = await compiled!;
    if (this.worker) return this.worker;
    // Closed while the module was still awaited: a worker that is started now would never end.
    if (this.isClosed) throw new Failure("the package is closed", null, "closed");
    const worker = spare ?? new Worker(workerUrl);
    const isNew = worker !== spare;
    spare = undefined;
    worker.onmessage = (event: MessageEvent<Reply>) => this.receive(worker, event.data);
    worker.onerror = (event) => this.end(event.message || "the worker has ended");
    if (isNew) worker.postMessage({ module });
    this.worker = worker;
    return worker;
  }

  /** Asks for something. */
  async ask<T>(request: Record<string, unknown>, files?: Blob[], lent?: File[]): Promise<Answer<T>> {
    const worker = await this.start();
    const id = this.next++;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve: resolve as Waiting["resolve"], reject });
      traffic.messages += 1;
      traffic.bytes += JSON.stringify(request).length;
      worker.postMessage({ id, request, files, lent } satisfies Ask);
    });
  }

  /** The same where no bytes are expected. */
  async get<T>(request: Record<string, unknown>, files?: Blob[], lent?: File[]): Promise<T> {
    return (await this.ask<T>(request, files, lent)).value;
  }

  private receive(worker: Worker, reply: Reply): void {
    if (worker !== this.worker) return;
    if (reply.crash !== undefined) return this.end(reply.crash);
    traffic.messages += 1;
    traffic.read += reply.read ?? 0;
    traffic.bytes += (reply.json?.byteLength ?? 0) + (reply.bytes?.byteLength ?? 0);
    const waiting = this.waiting.get(reply.id);
    this.waiting.delete(reply.id);
    const value = reply.json ? JSON.parse(new TextDecoder().decode(reply.json)) : null;
    if (value && typeof value === "object" && "error" in value && "kind" in value && "next" in value) {
      waiting?.reject(new Failure(value.error, value.next, value.kind, value.places));
    } else {
      waiting?.resolve({ value, bytes: reply.bytes });
    }
    this.rest();
  }

  private rest(): void {
    if (this.waiting.size === 0) for (const done of this.resting.splice(0)) done();
  }

  /** Waits until all that was asked is answered, or will never be. */
  async idle(): Promise<void> {
    if (this.waiting.size) await new Promise<void>((resolve) => { this.resting.push(resolve); });
  }

  /** Ends the worker; the next request starts another one, in which nothing is open. */
  end(message: string): void {
    this.hasEnded = true;
    this.worker?.terminate();
    this.worker = undefined;
    const waiting = [...this.waiting.values()];
    this.waiting.clear();
    const next = "The page goes on without this file; please report it.";
    for (const one of waiting) one.reject(new Failure(message, next, "crash"));
    this.rest();
    this.onCrash(message);
  }

  /** Leaves its worker, in which nothing was opened, to the next one that needs one. */
  leave(): void {
    if (this.waiting.size === 0 && !spare) [spare, this.worker] = [this.worker, undefined];
    this.close();
  }

  /** Gives its memory back. */
  close(): void {
    this.isClosed = true;
    this.worker?.terminate();
    this.worker = undefined;
    this.waiting.clear();
    this.rest();
  }
}
