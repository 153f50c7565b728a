// Files that belong together are found by their names.

import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { build } from "esbuild";
import { root } from "./browser.mjs";

const { outputFiles } = await build({ entryPoints: [join(root, "page/src/files.ts")], bundle: true, write: false, format: "esm" });
const { ownerOf, sortFiles } = await import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].text).toString("base64")}`);
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
  const { groups, waiting } = sortFiles(files("Door.uexp", "Door.u"));
  assert.deepEqual(groups.map(({ name }) => name), ["Door.u"]);
  assert.deepEqual(waiting.map(ownerOf), ["Door.uasset"]);
  assert.equal(ownerOf({ name: "Big.Door.m.ubulk" }), "Big.Door.uasset");
});

test("companions that come later join their package", () => {
  const { groups: [door, lamp] } = sortFiles(files("Door.uasset", "Lamp.umap"));
  const { groups, joined, waiting } = sortFiles(files("DOOR.uexp", "Lamp.ubulk", "Wall.uexp"), [door, lamp]);
  assert.deepEqual([groups, joined], [[], [door, lamp]]);
  assert.deepEqual([door.bodies.name, lamp.beside.map(({ name }) => name)], ["DOOR.uexp", ["Lamp.ubulk"]]);
  assert.deepEqual(waiting.map(({ name }) => name), ["Wall.uexp"]);
  // Given once more it is not there twice.
  sortFiles(files("Lamp.ubulk"), [lamp]);
  assert.equal(lamp.beside.length, 1);
});

test("files of one name in two folders stay apart", () => {
  const at = (webkitRelativePath) => ({ name: webkitRelativePath.split("/").pop(), webkitRelativePath });
  const { groups } = sortFiles([at("Mod/A/Door.uasset"), at("Mod/B/Door.uasset"), at("Mod/B/Door.uexp"), at("Mod/A/Door.ubulk")]);
  assert.deepEqual(groups.map(({ bodies, beside }) => [bodies?.webkitRelativePath, beside.map(({ webkitRelativePath }) => webkitRelativePath)]),
    [[undefined, ["Mod/A/Door.ubulk"]], ["Mod/B/Door.uexp", []]]);
});
