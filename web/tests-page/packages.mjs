// Packages and containers made without the library: packages of file version 69, as Unreal Tournament writes them.

import { createCipheriv, createHash } from "node:crypto";
import { deflateSync } from "node:zlib";

/** Numbers of one to five bytes. */
export function compact(value) {
  const bytes = [];
  let rest = Math.abs(value);
  let first = rest & 0x3f;
  rest >>>= 6;
  if (value < 0) first |= 0x80;
  if (rest) first |= 0x40;
  bytes.push(first);
  while (rest) {
    let next = rest & 0x7f;
    rest >>>= 7;
    if (rest) next |= 0x80;
    bytes.push(next);
  }
  return bytes;
}

export function words(...values) {
  const bytes = Buffer.alloc(values.length * 4);
  values.forEach((value, at) => bytes.writeInt32LE(value | 0, at * 4));
  return [...bytes];
}

/** A package of these names, imports and exports: each with the row of its class among the imports and its body, which knows where it begins. */
export function assembled(names, imports, exports, version = 69) {
  const nameTable = Buffer.concat(names.map((name) => Buffer.from([...compact(name.length + 1), ...Buffer.from(name), 0, ...words(0x70010)])));
  const importTable = Buffer.from(imports.flatMap(([of, kind, outer, name]) => [...compact(of), ...compact(kind), ...words(outer), ...compact(name)]));
  const header = 36 + 16 + 4 + 8;
  const parts = [];
  const rows = [];
  let at = header + nameTable.length + importTable.length;
  for (const { kind, name, body } of exports) {
    const bytes = body(at);
    rows.push(Buffer.from([...compact(kind), ...compact(0), ...words(0), ...compact(name), ...words(0x70004), ...compact(bytes.length), ...compact(at)]));
    parts.push(bytes);
    at += bytes.length;
  }
  const head = Buffer.from([...words(0x9e2a83c1 | 0, version, 1, names.length, header, exports.length, at, imports.length, header + nameTable.length),
    ...Buffer.alloc(16, 0x5a), ...words(1, exports.length, names.length)]);
  if (head.length !== header) throw new Error("the header has another size");
  return Buffer.concat([head, nameTable, importTable, ...parts, ...rows]);
}

const SIDE = 1024;
/** A texture of 1,024 by 1,024 texels: its body. */
function textureBody(none) {
  const texels = Buffer.alloc(SIDE * SIDE);
  for (let index = 0; index < texels.length; index++) texels[index] = (index * 7 + (index >> 10) * 13) & 0xff;
  return (at) => {
    const before = [...compact(none), 1];
    const count = compact(texels.length);
    const end = at + before.length + 4 + count.length + texels.length;
    return Buffer.concat([Buffer.from([...before, ...words(end), ...count]), texels, Buffer.from([...words(SIDE, SIDE), 10, 10])]);
  };
}

/**
 * A package with many exports: textures of 1,024 by 1,024 texels, whose data makes up most of its bytes, and lights
 * with two properties each.
 */
export function largePackage({ exports = 50_000, textures = 98 } = {}) {
  const lights = exports - textures;
  const names = ["None", "Core", "Engine", "Class", "Package", "Texture", "Light", "LightRadius", "LightHue"];
  const first = names.length;
  for (let at = 0; at < exports; at++) names.push(at < lights ? `Light${at}` : `Wall${at - lights}`);
  // Engine, a Core.Package; Engine.Texture; Engine.Light.
  const imports = [[1, 4, 0, 2], [1, 3, -1, 5], [1, 3, -1, 6]];
  const texture = textureBody(0);
  // Byte properties: name, type and size, value.
  const light = (row) => () => Buffer.from([...compact(7), 0x01, row & 0xff, ...compact(8), 0x01, (row >> 3) & 0xff, ...compact(0)]);
  return assembled(names, imports, Array.from({ length: exports }, (_, row) => ({ kind: row < lights ? -3 : -2, name: first + row, body: row < lights ? light(row) : texture })));
}

/** A map with many lights at places of their own, in a square, and with textures that make up its bytes. */
export function largeMap({ actors = 20_000, textures = 19 } = {}) {
  const names = ["None", "Core", "Engine", "Class", "Package", "Texture", "Light", "Level", "Location", "Vector", "MyLevel"];
  const first = names.length;
  for (let at = 0; at < actors; at++) names.push(`Light${at}`);
  for (let at = 0; at < textures; at++) names.push(`Wall${at}`);
  const imports = [[1, 4, 0, 2], [1, 3, -1, 5], [1, 3, -1, 6], [1, 3, -1, 7]];
  const side = Math.ceil(Math.sqrt(actors));
  const light = (at) => () => {
    const place = Buffer.alloc(12);
    [(at % side) * 100, Math.floor(at / side) * 100, at % 7].forEach((part, axis) => place.writeFloatLE(part, axis * 4));
    return Buffer.from([...compact(8), 0x3a, ...compact(9), ...place, ...compact(0)]);
  };
  // Its actors, an address, no model, no paths, a time, nothing deleted, no texts, nothing that travels.
  const level = () => Buffer.from([...compact(0), ...words(actors, actors), ...Array.from({ length: actors }, (_, at) => compact(at + 1)).flat(),
    0, 0, 0, 0, 0, ...words(0, 0), 0, 0, ...words(0), 0, ...Array(16).fill(0), 0]);
  const texture = textureBody(0);
  return assembled(names, imports, [
    ...Array.from({ length: actors }, (_, at) => ({ kind: -3, name: first + at, body: light(at) })),
    ...Array.from({ length: textures }, (_, at) => ({ kind: -2, name: first + actors + at, body: texture })),
    { kind: -4, name: 10, body: level },
  ]);
}

/** A generator of numbers that gives the same ones every time. */
export function random(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/** Damages a file: cuts it, flips bits, sets words to what hurts. */
export function damaged(bytes, draw) {
  const copy = Buffer.from(bytes);
  const spot = () => Math.floor(draw() * (draw() < 0.5 ? Math.min(128, copy.length) : copy.length));
  switch (Math.floor(draw() * 4)) {
    case 0: return copy.subarray(0, Math.floor(draw() * copy.length));
    case 1:
      for (let times = 1 + Math.floor(draw() * 8); times > 0; times--) copy[spot()] ^= 1 << Math.floor(draw() * 8);
      return copy;
    case 2: {
      const values = [0, -1, 0x7fffffff, -0x80000000, 0xffff, 1 << 24];
      const at = Math.min(spot(), copy.length - 4);
      if (at >= 0) copy.writeInt32LE(values[Math.floor(draw() * values.length)] | 0, at);
      return copy;
    }
    default: {
      const from = spot();
      const length = Math.floor(draw() * 64);
      for (let at = from; at < Math.min(copy.length, from + length); at++) copy[at] = Math.floor(draw() * 256);
      return copy;
    }
  }
}

/** A string as indexes have it: its length with the zero, the characters, the zero. */
export function text(string) {
  const bytes = Buffer.from(`${string}\0`, "latin1");
  return Buffer.concat([Buffer.from(words(bytes.length)), bytes]);
}

export function long(value) {
  const bytes = Buffer.alloc(8);
  bytes.writeBigInt64LE(BigInt(value));
  return bytes;
}

/** AES-256 in blocks of 16 bytes, zeros behind the last. */
function encrypted(bytes, key) {
  const cipher = createCipheriv("aes-256-ecb", key, null).setAutoPadding(false);
  const padded = Buffer.concat([bytes, Buffer.alloc((16 - (bytes.length % 16)) % 16)]);
  return Buffer.concat([cipher.update(padded), cipher.final()]);
}

/**
 * A `.pak` file of version 4: the record of each file before its data, an index, a trailer. With a key all of it is
 * encrypted; the first half of the files is compressed.
 */
export function pakOf(files, key) {
  const sha1 = (bytes) => createHash("sha1").update(bytes).digest();
  const entries = Object.entries(files);
  const parts = [];
  const records = [];
  let at = 0;
  for (const [number, [path, content]] of entries.entries()) {
    const isPacked = number * 2 < entries.length;
    const packed = isPacked ? deflateSync(content) : content;
    const stored = key ? encrypted(packed, key) : packed;
    const size = 53 + (isPacked ? 4 + 16 : 0);
    // Places of blocks count from the start of the file in this version.
    const record = (offset) => Buffer.concat([long(offset), long(packed.length), long(content.length), Buffer.from(words(isPacked ? 1 : 0)), sha1(stored),
      isPacked ? Buffer.concat([Buffer.from(words(1)), long(at + size), long(at + size + packed.length)]) : Buffer.alloc(0), Buffer.from([key ? 1 : 0]), Buffer.from(words(isPacked ? content.length : 0))]);
    parts.push(record(0), stored);
    records.push(Buffer.concat([text(path), record(at)]));
    at += size + stored.length;
  }
  const plain = Buffer.concat([text("../../../"), Buffer.from(words(entries.length)), ...records]);
  const padded = key ? Buffer.concat([plain, Buffer.alloc((16 - (plain.length % 16)) % 16)]) : plain;
  const index = key ? encrypted(plain, key) : plain;
  const trailer = Buffer.concat([Buffer.from([key ? 1 : 0]), Buffer.from(words(0x5a6f12e1, 4)), long(at), long(index.length), sha1(padded)]);
  return { bytes: Buffer.concat([...parts, index, trailer]), index: index.length };
}

/** A package of UE3, file version 868, with one object and its thumbnail of so many pixels: blue, green, red, alpha. */
export function thumbnailPackage(side, pixel) {
  const names = ["None", "Core", "Engine", "Class", "Package", "Thing", "Statue"];
  const nameTable = Buffer.concat(names.map((name) => Buffer.concat([text(name), long(0x70010_00000000n)])));
  // Names are a row and a number.
  const importTable = Buffer.from([...words(1, 0, 4, 0, 0, 2, 0), ...words(1, 0, 3, 0, -1, 5, 0)]);
  const header = 129;
  const at = { names: header, imports: header + nameTable.length };
  at.exports = at.imports + importTable.length;
  at.depends = at.exports + 68;
  at.image = at.depends + 4;
  const image = Buffer.concat([Buffer.from(words(side, side, side * side * 4)), Buffer.concat(Array(side * side).fill(Buffer.from(pixel)))]);
  at.table = at.image + image.length;
  const table = Buffer.concat([Buffer.from(words(1)), text("Thing"), text("Statue"), Buffer.from(words(at.image))]);
  const total = at.table + table.length;
  // The index on the net, and the name that ends the list of properties.
  const body = Buffer.from(words(-1, 0, 0));
  const exportTable = Buffer.concat([Buffer.from([...words(-2, 0, 0, 6, 0, 0)]), long(0x70004_00000000n), Buffer.from(words(body.length, total, 0, 0, 0, 0, 0, 0, 0))]);
  const head = Buffer.concat([Buffer.from(words(0x9e2a83c1 | 0, 868, total)), text("None"),
    Buffer.from(words(8, names.length, at.names, 1, at.exports, 2, at.imports, at.depends, total, 0, 0, at.table)), Buffer.alloc(16, 0x5a),
    Buffer.from(words(1, 1, names.length, 0, 12097, 0, 0, 0, 0x12345678, 0, 0))]);
  if (head.length !== header || exportTable.length !== 68) throw new Error(`the header has ${head.length} bytes, a row of exports ${exportTable.length}`);
  return Buffer.concat([head, nameTable, importTable, exportTable, Buffer.from(words(0)), image, table, body]);
}

/** An Ogg file with so many frames of 20 milliseconds of silence, as Opus says it: its head, its tags, its frames. */
export function silentOgg(frames) {
  const checksum = (bytes) => {
    let sum = 0;
    for (const byte of bytes) {
      sum ^= byte << 24;
      for (let bit = 0; bit < 8; bit++) sum = sum & 0x80000000 ? (sum << 1) ^ 0x04c11db7 : sum << 1;
    }
    return sum | 0;
  };
  let number = 0;
  const page = (packets, kind, samples) => {
    const bytes = Buffer.concat([Buffer.from("OggS"), Buffer.from([0, kind]), long(samples), Buffer.from(words(7, number++, 0)),
      Buffer.from([packets.length, ...packets.map((packet) => packet.length)]), ...packets]);
    bytes.writeInt32LE(checksum(bytes), 22);
    return bytes;
  };
  const head = Buffer.concat([Buffer.from("OpusHead"), Buffer.from([1, 1, 0, 0]), Buffer.from(words(48_000)), Buffer.from([0, 0, 0])]);
  const tags = Buffer.concat([Buffer.from("OpusTags"), Buffer.from(words(4)), Buffer.from("test"), Buffer.from(words(0))]);
  const silence = Buffer.from([0xf8, 0xff, 0xfe]);
  return Buffer.concat([page([head], 2, 0), page([tags], 0, 0), page(Array(frames).fill(silence), 4, frames * 960)]);
}

/**
 * The sample with a mesh, with so many faces: those behind the forty that it has lie in one point. Its body is the last one, and only tables stand behind
 * the bodies, so that nothing else moves.
 */
export function grownFaces(windmill, count) {
  const bytes = Buffer.from(windmill);
  const at = bytes.indexOf(Buffer.from([40, 0, 0, 1, 0, 2, 0, 0, 0]));
  const old = 1 + 40 * 8;
  const faces = Buffer.alloc(count * 8);
  bytes.copy(faces, 0, at + 1, at + 1 + Math.min(count, 40) * 8);
  const head = Buffer.from(compact(count));
  const more = head.length + faces.length - old;
  // Where tables are: exports, then imports, after number and place of the names.
  const [exportsAt, importsAt] = [bytes.readUInt32LE(24), bytes.readUInt32LE(32)];
  bytes.writeUInt32LE(exportsAt + more, 24);
  bytes.writeUInt32LE(importsAt + more, 32);
  // Rows of exports: class, parent, outer, name, flags, size, place. The last one is the mesh's.
  let end = exportsAt;
  const next = () => {
    let value = bytes[end] & 0x3f;
    const isNegative = bytes[end] & 0x80;
    let goesOn = bytes[end++] & 0x40;
    for (let shift = 6; goesOn; shift += 7) {
      value |= (bytes[end] & 0x7f) << shift;
      goesOn = bytes[end++] & 0x80;
    }
    return isNegative ? -value : value;
  };
  let size, place, start;
  for (let row = bytes.readUInt32LE(20); row > 0; row--) {
    next();
    next();
    end += 4;
    next();
    end += 4;
    start = end;
    size = next();
    place = next();
  }
  const row = Buffer.from([...compact(size + more), ...compact(place)]);
  return Buffer.concat([bytes.subarray(0, at), head, faces, bytes.subarray(at + old, start), row]);
}
