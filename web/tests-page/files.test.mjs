// Files that belong together are found by their names.

import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { build } from "esbuild";
import { root } from "./browser.mjs";

const { outputFiles } = await build({ entryPoints: [join(root, "page/src/files.ts")], bundle: true, write: false, format: "esm" });
const { sortFiles } = await import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].text).toString("base64")}`);
const files = (...names) => names.map((name) => ({ name }));

test("companions go with their package, whatever their order and case", () => {
  const { groups, notes, mappings } = sortFiles(files("Door.uexp", "Lamp.m.ubulk", "Game.usmap", "DOOR.uasset", "Lamp.umap", "Lamp.ubulk", "Engine.u"));
  assert.deepEqual(groups.map(({ name, bodies, beside }) => [name, bodies?.name, beside.map(({ name }) => name)]),
    [["DOOR.uasset", "Door.uexp", []], ["Lamp.umap", undefined, ["Lamp.m.ubulk", "Lamp.ubulk"]], ["Engine.u", undefined, []]]);
  assert.equal(mappings.name, "Game.usmap");
  assert.ok(groups.every((group) => group.mappings === mappings));
  assert.deepEqual(notes, []);
});

test("containers are apart from packages, with their blocks", () => {
  const { groups, containers, notes, mappings } = sortFiles(files("Town.utoc", "Town.ucas", "Town_s1.UCAS", "Town.pak", "Town.sig", "Door.uasset", "Town.usmap"));
  assert.deepEqual(groups.map(({ name }) => name), ["Door.uasset"]);
  assert.deepEqual(containers.map(({ name }) => name), ["Town.utoc", "Town.ucas", "Town_s1.UCAS", "Town.pak", "Town.sig"]);
  assert.equal(mappings.name, "Town.usmap");
  assert.deepEqual(notes, []);
  assert.match(sortFiles(files("Town_s1.ucas")).notes[0], /Town_s1\.ucas belongs to Town\.utoc/);
});

test("what belongs to nothing is said", () => {
  const { groups, notes } = sortFiles(files("Door.uexp", "Door.u"));
  assert.deepEqual(groups.map(({ name }) => name), ["Door.u"]);
  assert.match(notes[0], /Door\.uexp belongs to Door\.uasset/);
  assert.match(sortFiles(files("Game.usmap")).notes[0], /kept for packages/);
});
