// Compiles a definition with Kaitai Struct's own compiler, reads bytes by it, and prints each value that has no parts as
// a line of JSON: where it begins and ends, and what it is.
//
//     node kaitai.mjs FOLDER_OF_MODULES DEFINITION BYTES
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import vm from "node:vm";

const [modules, definition, bytes] = process.argv.slice(2);
const require = createRequire(path.join(path.resolve(modules), "node_modules", "x.js"));
const compiler = require("kaitai-struct-compiler");
const stream = require("kaitai-struct/KaitaiStream.js");
const KaitaiStream = stream.KaitaiStream ?? stream;
const yaml = require("js-yaml");

const parsed = yaml.load(readFileSync(definition, "utf8"));
const files = await compiler.compile("javascript", parsed, null, true);
// Each file is a module of its own: the class that it makes is put where it is looked for.
const scope = { module: undefined, exports: {}, require: (name) => (name.includes("KaitaiStream") ? KaitaiStream : {}) };
for (const code of Object.values(files)) {
  vm.runInThisContext(`(function (exports, module, require) { ${code}\n})`)(scope.exports, scope.module, scope.require);
}
const type = parsed.meta.id.split("_").map((it) => it[0].toUpperCase() + it.slice(1)).join("");
const made = scope.exports[type] ?? Object.values(scope.exports)[0];
const Type = made[type] ?? made;

// A copy: what node reads may stand somewhere in a larger buffer.
const io = new KaitaiStream(Uint8Array.from(readFileSync(bytes)).buffer);
const value = new Type(io);
value._read();
const leaves = [];
walk(value, 0);
for (const leaf of leaves) {
  console.log(JSON.stringify(leaf, (_, it) => (typeof it === "bigint" ? it.toString() : it)));
}

function walk(object) {
  const fields = Object.entries(object._debug ?? {}).filter(([name]) => !name.startsWith("_"));
  // What stands at a place of its own is read when it is asked for.
  const places = Object.getOwnPropertyNames(Object.getPrototypeOf(object)).filter(
    (name) => !["constructor", "_read", "value"].includes(name) && !name.startsWith("_"),
  );
  places.forEach((name) => object[name]);
  const all = [...fields, ...places.map((name) => [name, object._debug[`_m_${name}`] ?? object._debug[name]])];
  for (const [name, debug] of all) {
    // What is worked out from other values stands nowhere.
    if (debug?.start !== undefined) {
      leaf(object[name], debug);
    }
  }
}

function leaf(value, debug) {
  if (value === undefined || value === null) {
    return;
  }
  const start = debug.start + (debug.ioOffset ?? 0);
  const end = debug.end + (debug.ioOffset ?? 0);
  if (value instanceof Uint8Array) {
    leaves.push({ start, end, bytes: Buffer.from(value).toString("hex") });
  } else if (Array.isArray(value)) {
    const parts = debug.arr ?? [];
    value.forEach((part, at) => leaf(part, parts[at]));
  } else if (typeof value === "object" && "value" in value && !("value" in value._debug)) {
    // A number that is worked out from its bytes.
    leaves.push({ start, end, value: value.value });
  } else if (typeof value === "object") {
    walk(value);
  } else {
    leaves.push({ start, end, value });
  }
}
