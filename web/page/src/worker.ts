// Owns the packages: the module runs here, so that the page is never held up.

import type { Ask, Reply } from "./messages";

interface Module {
  memory: WebAssembly.Memory;
  input(length: number): number;
  answer(): number;
  answer_length(): number;
}

const scope = self as unknown as DedicatedWorkerGlobalScope;
let module: Module | undefined;
let last = "";
/** Files of which only those bytes are read that are asked for, by number. */
const lent: File[] = [];
const reader = new FileReaderSync();
let read = 0;

/** Reads a piece of a file into the module's memory. */
function readPiece(file: Blob, at: number, to: number, length: number): void {
  const bytes = new Uint8Array(reader.readAsArrayBuffer(file.slice(at, at + length)));
  if (bytes.length !== length) throw new RangeError(`the file has ended at ${at + bytes.length}`);
  new Uint8Array(module!.memory.buffer, to, length).set(bytes);
}

/** The same with a lent file; 0 where that can't be. */
function readLent(number: number, at: number, to: number, length: number): number {
  try {
    readPiece(lent[number], at, to, length);
    read += length;
    return 1;
  } catch {
    return 0;
  }
}

async function start(compiled: WebAssembly.Module): Promise<void> {
  const host = {
    read: (number: number, at: number, to: number, length: number) => readLent(number, at, to >>> 0, length >>> 0),
    random: () => crypto.getRandomValues(new Uint32Array(1))[0],
    panicked: (at: number, length: number) => {
      last = new TextDecoder().decode(new Uint8Array(module!.memory.buffer, at, length));
    },
  };
  const instance = await WebAssembly.instantiate(compiled, { host });
  module = instance.exports as unknown as Module;
}

/** Bytes of a file that are read at a time. */
const FILE_PIECE = 1 << 20;

/** Reads a file into the module's memory piece by piece, through one buffer: it is never in memory twice. */
async function take(file: Blob): Promise<void> {
  const at = module!.input(file.size);
  if (file.size > 0 && at === 0) throw new RangeError(`no memory for ${file.size} bytes`);
  let stream: ReadableStreamBYOBReader;
  try {
    stream = file.stream().getReader({ mode: "byob" });
  } catch {
    // Not every browser reads files into a buffer that is there.
    for (let done = 0; done < file.size; done += FILE_PIECE) readPiece(file, done, at + done, Math.min(FILE_PIECE, file.size - done));
    return;
  }
  let piece = new Uint8Array(Math.min(FILE_PIECE, Math.max(file.size, 1)));
  for (let done = 0; ; ) {
    const { done: ended, value } = await stream.read(piece);
    if (ended || !value) break;
    new Uint8Array(module!.memory.buffer, at + done, value.length).set(value);
    done += value.length;
    piece = new Uint8Array(value.buffer);
  }
}

async function answer(ask: Ask): Promise<Reply> {
  for (const file of ask.files ?? []) await take(file);
  const before = lent.length;
  const files = ask.lent?.map((file) => ({ number: lent.push(file) - 1, name: file.name, size: file.size }));
  const request = new TextEncoder().encode(JSON.stringify(files ? { ...ask.request, lent: files } : ask.request));
  const at = module!.input(request.length);
  new Uint8Array(module!.memory.buffer, at, request.length).set(request);
  const from = module!.answer();
  // Packages and containers read theirs later, too; what a mesh or a change goes by is read at once.
  if (ask.request.op === "mesh" || ask.request.op === "change") lent.length = before;
  const all = new Uint8Array(module!.memory.buffer, from, module!.answer_length());
  const length = new DataView(all.buffer, from, 4).getUint32(0, true);
  // What the page gets is handed over, not copied once more: it reads the text.
  const json = all.slice(4, 4 + length).buffer;
  const bytes = all.length > 4 + length ? all.slice(4 + length).buffer : undefined;
  const done = { id: ask.id, json, bytes, read };
  read = 0;
  return done;
}

let queue: Promise<void> = Promise.resolve();

scope.onmessage = (event: MessageEvent<Ask | { module: WebAssembly.Module }>) => {
  const message = event.data;
  queue = queue.then(async () => {
    if ("module" in message) return start(message.module);
    try {
      const reply = await answer(message);
      scope.postMessage(reply, [reply.json, reply.bytes].filter((buffer) => buffer !== undefined));
    } catch (error) {
      const crash = last || String(error);
      const memory = module?.memory.buffer.byteLength ?? 0;
      scope.postMessage({ id: message.id, crash: `${crash} (${memory} bytes of memory)` } satisfies Reply);
    }
  });
};
