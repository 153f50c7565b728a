// Packages made without the library: file version 69, as Unreal Tournament writes them.

/** Numbers of one to five bytes. */
function compact(value) {
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

function words(...values) {
  const bytes = Buffer.alloc(values.length * 4);
  values.forEach((value, at) => bytes.writeInt32LE(value | 0, at * 4));
  return [...bytes];
}

/**
 * A package with many exports: textures of 1,024 by 1,024 texels, whose data makes up most of its bytes, and lights
 * with two properties each.
 */
export function largePackage({ exports = 50_000, textures = 98 } = {}) {
  const side = 1024;
  const lights = exports - textures;
  const names = ["None", "Core", "Engine", "Class", "Package", "Texture", "Light", "LightRadius", "LightHue"];
  const first = names.length;
  for (let at = 0; at < exports; at++) names.push(at < lights ? `Light${at}` : `Wall${at - lights}`);
  const nameTable = Buffer.concat(names.map((name) => Buffer.from([...compact(name.length + 1), ...Buffer.from(name), 0, ...words(0x70010)])));
  const importTable = Buffer.from([
    ...compact(1), ...compact(4), ...words(0), ...compact(2), // Engine, a Core.Package
    ...compact(1), ...compact(3), ...words(-1), ...compact(5), // Engine.Texture
    ...compact(1), ...compact(3), ...words(-1), ...compact(6), // Engine.Light
  ]);
  const header = 36 + 16 + 4 + 8;
  const parts = [];
  let at = header + nameTable.length + importTable.length;
  const bodiesAt = at;
  const places = [];
  const texels = Buffer.alloc(side * side);
  for (let index = 0; index < texels.length; index++) texels[index] = (index * 7 + (index >> 10) * 13) & 0xff;
  for (let row = 0; row < exports; row++) {
    let body;
    if (row < lights) {
      // An object with a stack has it first; these have none. Byte properties: name, type and size, value.
      body = Buffer.from([...compact(7), 0x01, row & 0xff, ...compact(8), 0x01, (row >> 3) & 0xff, ...compact(0)]);
    } else {
      const before = [...compact(0), 1];
      const count = compact(texels.length);
      const end = at + before.length + 4 + count.length + texels.length;
      body = Buffer.concat([Buffer.from([...before, ...words(end), ...count]), texels, Buffer.from([...words(side, side), 10, 10])]);
    }
    places.push([at, body.length]);
    parts.push(body);
    at += body.length;
  }
  const exportsAt = at;
  const exportTable = Buffer.concat(places.map(([place, size], row) => Buffer.from([
    ...compact(row < lights ? -3 : -2), ...compact(0), ...words(0), ...compact(first + row), ...words(0x70004), ...compact(size), ...compact(place),
  ])));
  const head = Buffer.from([...words(0x9e2a83c1 | 0, 69, 1, names.length, header, exports, exportsAt, 3, header + nameTable.length),
    ...Buffer.alloc(16, 0x5a), ...words(1, exports, names.length)]);
  if (head.length !== header || bodiesAt !== header + nameTable.length + importTable.length) throw new Error("the header has another size");
  return Buffer.concat([head, nameTable, importTable, ...parts, exportTable]);
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
