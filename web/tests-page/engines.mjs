// Packages of Unreal Engine 2 and 3 made without the library, with what the page draws of each.

import { assembled, compact, long, text, words } from "./packages.mjs";

const floats = (...values) => {
  const bytes = Buffer.alloc(values.length * 4);
  values.forEach((value, at) => bytes.writeFloatLE(value, at * 4));
  return [...bytes];
};

const SIDE = 64;
/** A sail with stripes on a sky: blue, green, red, alpha. */
function sail() {
  const texels = Buffer.alloc(SIDE * SIDE * 4);
  for (let y = 0; y < SIDE; y++) {
    for (let x = 0; x < SIDE; x++) {
      const isSail = x > 8 && x < 12 + (y * 44) / SIDE && y < 52;
      const color = y >= 56 ? [120, 70, 30] : isSail ? (y % 12 < 6 ? [70, 60, 200] : [225, 230, 235]) : [235, 200 - y, 150 - y];
      texels.set([...color, 255], (y * SIDE + x) * 4);
    }
  }
  return texels;
}

/** A horn of a third of a second: a WAV file of one channel, 16 bits, 11,025 samples a second. */
function horn() {
  const [rate, count] = [11_025, 3_675];
  const data = Buffer.alloc(count * 2);
  for (let at = 0; at < count; at++) {
    const loud = Math.min(1, at / 300, (count - at) / 900);
    data.writeInt16LE(Math.round(14_000 * loud * (Math.sin(at * 0.13) + 0.4 * Math.sin(at * 0.39))), at * 2);
  }
  return Buffer.concat([Buffer.from("RIFF"), Buffer.from(words(36 + data.length)), Buffer.from("WAVEfmt "), Buffer.from(words(16)),
    Buffer.from([1, 0, 1, 0]), Buffer.from(words(rate, rate * 2)), Buffer.from([2, 0, 16, 0]), Buffer.from("data"), Buffer.from(words(data.length)), data]);
}

/** Where buoys, lamps and the ways between them stand in a harbour. */
const BUOYS = Array.from({ length: 14 }, (_, at) => [Math.round(900 * Math.cos(at * 0.45)), Math.round(620 * Math.sin(at * 0.45)), 0]);
const LAMPS = Array.from({ length: 9 }, (_, at) => [-800 + at * 200, 820 + (at % 2) * 60, 128]);

/**
 * A package of UE2, file version 128 of licensee 29 as Unreal Tournament 2004 writes it: a level, a texture, a sound. Its actors stand so far
 * in the east, but for the one that says something of the level as a whole.
 */
export function harbour({ east = 0 } = {}) {
  const names = ["None", "Core", "Engine", "Class", "Package", "Texture", "Sound", "Level", "Light", "PlayerStart", "Location", "Vector", "Format", "USize", "VSize", "WAV", "Sail", "Horn", "myLevel", "LevelInfo", "LevelInfo0"];
  const imports = [[1, 4, 0, 2], ...[5, 6, 7, 8, 9, 19].map((kind) => [1, 3, -1, kind])];
  const [TEXTURE, SOUND, LEVEL, LIGHT, START, INFO] = [-2, -3, -4, -5, -6, -7];
  // Properties: name, type and size, value. The type of structures is 10, their size here 12.
  const actor = (place) => () => Buffer.from([...compact(10), 0x3a, ...compact(11), ...floats(...place), ...compact(0)]);
  const texels = sail();
  // TEXF_RGBA8.
  const texture = (at) => {
    const before = [...compact(12), 0x01, 5, ...compact(13), 0x22, ...words(SIDE), ...compact(14), 0x22, ...words(SIDE), ...compact(0), ...compact(1)];
    const count = compact(texels.length);
    return Buffer.concat([Buffer.from([...before, ...words(at + before.length + 4 + count.length + texels.length), ...count]), texels, Buffer.from([...words(SIDE, SIDE), 6, 6])]);
  };
  const wave = horn();
  const sound = (at) => {
    const before = [...compact(0), ...compact(15), ...floats(1)];
    const count = compact(wave.length);
    return Buffer.concat([Buffer.from([...before, ...words(at + before.length + 4 + count.length + wave.length), ...count]), wave]);
  };
  const there = ([x, y, z]) => [x + east, y, z];
  const placed = [...BUOYS.map((place) => ({ kind: START, place: there(place) })), ...LAMPS.map((place) => ({ kind: LIGHT, place: there(place) }))];
  const first = names.length;
  placed.forEach(({ kind }, at) => names.push(kind === START ? `Buoy${at}` : `Lamp${at}`));
  const actors = [{ kind: INFO, name: 20, place: [0, 0, 0] }, ...placed.map((actor, at) => ({ ...actor, name: first + at }))];
  // Its actors, an address, no model, a time, nothing deleted, no texts, nothing that travels.
  const level = () => Buffer.from([...compact(0), ...words(actors.length, actors.length), ...actors.flatMap((_, at) => compact(at + 1)),
    0, 0, 0, 0, 0, ...words(0, 0), 0, ...words(0), 0, ...Array(16).fill(0), 0]);
  return assembled(names, imports, [
    ...actors.map(({ kind, name, place }) => ({ kind, name, body: actor(place) })),
    { kind: LEVEL, name: 18, body: level }, { kind: TEXTURE, name: 16, body: texture }, { kind: SOUND, name: 17, body: sound },
  ], 128 | (29 << 16));
}

/** Tagged properties of UE3, by the rows of a table of names that grows. */
class Properties {
  names = ["None", "Core", "Engine", "Class", "Package"];

  name(text) {
    const row = this.names.indexOf(text);
    return words(row < 0 ? this.names.push(text) - 1 : row, 0);
  }

  tag(name, kind, value, more = []) {
    return [...this.name(name), ...this.name(kind), ...words(value.length, 0), ...more, ...value];
  }

  int = (name, value) => this.tag(name, "IntProperty", words(value));
  float = (name, value) => this.tag(name, "FloatProperty", floats(value));
  object = (name, row) => this.tag(name, "ObjectProperty", words(row));
  text = (name, value) => this.tag(name, "StrProperty", [...text(value)]);
  enumerated = (name, kind, value) => this.tag(name, "ByteProperty", this.name(value), this.name(kind));
  structure = (name, kind, value) => this.tag(name, "StructProperty", value, this.name(kind));
  list = (name, rows) => this.tag(name, "ArrayProperty", [...words(rows.length), ...rows.flat()]);
  /** What ends a list of properties. */
  end = (...parts) => [...parts.flat(), ...this.name("None")];
  body = (...parts) => [...words(-1), ...this.end(...parts)];
}

/** A package of UE3, file version 868: exports with class, name, body; a body may be a function of its place. */
function assembledUe3(properties, exports) {
  const kinds = [...new Set(exports.map(({ kind }) => kind))];
  const row = (name) => properties.name(name);
  const importTable = Buffer.from([...row("Core"), ...row("Package"), ...words(0), ...row("Engine"),
    ...kinds.flatMap((kind) => [...row("Core"), ...row("Class"), ...words(-1), ...row(kind)])]);
  exports.forEach(({ name, body }) => {
    row(name);
    // Bodies that know where they begin use names, too.
    if (typeof body === "function") body(0);
  });
  const nameTable = Buffer.concat(properties.names.map((name) => Buffer.concat([text(name), long(0x70010_00000000n)])));
  const header = 129;
  const importsAt = header + nameTable.length;
  const exportsAt = importsAt + importTable.length;
  const dependsAt = exportsAt + exports.length * 68;
  const total = dependsAt + exports.length * 4;
  const bodies = [];
  let at = total;
  const rows = exports.map(({ kind, name, body, outer = 0 }) => {
    const bytes = Buffer.from(typeof body === "function" ? body(at) : body);
    const made = Buffer.concat([Buffer.from([...words(-2 - kinds.indexOf(kind), 0, outer), ...row(name), ...words(0)]), long(0x70004_00000000n),
      Buffer.from(words(bytes.length, at, 0, 0, 0, 0, 0, 0, 0))]);
    bodies.push(bytes);
    at += bytes.length;
    return made;
  });
  const head = Buffer.concat([Buffer.from(words(0x9e2a83c1 | 0, 868, total)), text("None"),
    Buffer.from(words(8, properties.names.length, header, exports.length, exportsAt, kinds.length + 1, importsAt, dependsAt, total, 0, 0, 0)), Buffer.alloc(16, 0x5a),
    Buffer.from(words(1, exports.length, properties.names.length, 0, 12097, 0, 0, 0, 0x12345678, 0, 0))]);
  if (head.length !== header) throw new Error(`the header has ${head.length} bytes`);
  return Buffer.concat([head, nameTable, importTable, ...rows, Buffer.alloc(exports.length * 4), ...bodies]);
}

/** A key of a curve: time, value, slopes, how it goes on. */
const key = (properties, time, value, slope, mode) => properties.end(properties.float("InVal", time), properties.float("OutVal", value),
  properties.float("ArriveTangent", slope), properties.float("LeaveTangent", slope), properties.enumerated("InterpMode", "EInterpCurveMode", mode));

/** A package of UE3: a sequence of Kismet with another one in it, a curve, a texture, a sound, a level. */
export function lighthouse() {
  const made = new Properties();
  const p = made;
  const bulk = (at, bytes) => [...words(0, bytes.length, bytes.length, at + 16), ...bytes];
  const link = (name, target) => p.end(p.text("LinkDesc", name), p.list("Links", target ? [p.end(p.object("LinkedOp", target), p.int("InputLinkIdx", 0))] : []));
  const linked = (name, target) => p.end(p.text("LinkDesc", name), p.list("LinkedVariables", [words(target)]));
  const node = (x, y, ...more) => p.body(p.int("ObjPosX", x), p.int("ObjPosY", y), ...more);
  const texels = sail();
  const wave = horn();
  const texture = (at) => {
    const before = p.body(p.int("SizeX", SIDE), p.int("SizeY", SIDE), p.enumerated("Format", "EPixelFormat", "PF_A8R8G8B8"));
    const art = bulk(at + before.length, []);
    const mips = [...words(1), ...bulk(at + before.length + art.length + 4, texels), ...words(SIDE, SIDE)];
    const rest = [...Array(16).fill(0), ...words(0), ...words(0), ...words(0)];
    const flash = bulk(at + before.length + art.length + mips.length + rest.length, []);
    return Buffer.from([...before, ...art, ...mips, ...rest, ...flash, ...words(0)]);
  };
  const sound = (at) => {
    let bytes = p.body(p.float("Duration", 1 / 3), p.int("NumChannels", 1), p.int("SampleRate", 11_025));
    for (const content of [[...wave], [], [], [], [], [], []]) bytes = [...bytes, ...bulk(at + bytes.length, content)];
    return bytes;
  };
  const curve = [[0, 0.1, 0, "CIM_CurveAuto"], [0.5, 1, 0, "CIM_CurveAuto"], [1.25, 0.4, -0.6, "CIM_CurveAuto"], [2, 0.1, 0, "CIM_Linear"]];
  const actors = [...BUOYS.map((place) => ({ kind: "PointLight", place })), ...LAMPS.map((place) => ({ kind: "SpotLight", place }))];
  // Rows of exports from one on: the inner sequence, the world, its level, the sequence and its nodes, then the others.
  const [STORM, THUNDER, WORLD, LEVEL, SEQUENCE, LOADED, DELAY, TURN, TEXT, SPEED, FIRST] = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 14];
  const level = p.body([]).concat(words(WORLD), words(actors.length), actors.flatMap((_, at) => words(FIRST + at)),
    // An address, no model; one sequence.
    words(0, 0, 0, 0, 0, 0, 0), words(0, 0), words(1, SEQUENCE), LEVEL_REST);
  const exports = [
    { kind: "Sequence", name: "Storm", outer: SEQUENCE, body: node(180, 190, p.list("SequenceObjects", [words(THUNDER)])) },
    // Nobody has put it anywhere.
    { kind: "SeqAct_PlaySound", name: "SeqAct_PlaySound_0", outer: STORM, body: p.body(p.list("InputLinks", [link("Play")])) },
    { kind: "World", name: "TheWorld", body: p.body([]).concat(words(LEVEL), WORLD_REST) },
    { kind: "Level", name: "PersistentLevel", outer: WORLD, body: level },
    { kind: "Sequence", name: "Main_Sequence", outer: LEVEL, body: p.body(p.list("SequenceObjects", [LOADED, DELAY, TURN, TEXT, SPEED, STORM].map((row) => words(row)))) },
    { kind: "SeqEvent_LevelLoaded", name: "SeqEvent_LevelLoaded_0", outer: SEQUENCE, body: node(-420, -20, p.list("OutputLinks", [link("Loaded and Visible", DELAY), link("Beginning of Level")])) },
    { kind: "SeqAct_Delay", name: "SeqAct_Delay_0", outer: SEQUENCE, body: node(-120, -40, p.list("InputLinks", [link("Start"), link("Stop")]), p.list("OutputLinks", [link("Finished", TURN)]), p.list("VariableLinks", [linked("Duration", SPEED)])) },
    { kind: "SeqAct_Interp", name: "SeqAct_Interp_0", outer: SEQUENCE, body: node(180, -40, p.list("InputLinks", [link("Play"), link("Reverse")]), p.list("OutputLinks", [link("Completed", TEXT)])) },
    { kind: "SeqAct_Log", name: "SeqAct_Log_0", outer: SEQUENCE, body: node(440, 10, p.text("ObjComment", "The lamp has turned"), p.list("InputLinks", [link("Log")])) },
    { kind: "SeqVar_Float", name: "SeqVar_Float_0", outer: SEQUENCE, body: node(-100, 190, p.text("VarName", "Seconds"), p.float("FloatValue", 4)) },
    { kind: "InterpTrackFloatProp", name: "Brightness", body: p.body(p.structure("FloatTrack", "InterpCurveFloat", p.end(p.list("Points", curve.map((one) => key(p, ...one)))))) },
    { kind: "Texture2D", name: "Sail", body: texture },
    { kind: "SoundNodeWave", name: "Horn", body: sound },
    ...actors.map(({ kind, place }, at) => ({ kind, name: `${kind}_${at}`, outer: LEVEL, body: p.body(p.structure("Location", "Vector", floats(...place))) })),
  ];
  return assembledUe3(made, exports);
}

/** The rest of a level in which nothing was built: counts, versions, references, each zero. */
const LEVEL_REST = Array(173).fill(0);
/** The rest of a world: what the editor looks at. */
const WORLD_REST = Array(124).fill(0);
