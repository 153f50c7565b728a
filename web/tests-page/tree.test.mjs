// Folders of paths: what is in them, what is seen of them, in which order.

import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { build } from "esbuild";
import { root } from "./browser.mjs";

const { outputFiles } = await build({ entryPoints: [join(root, "page/src/foldertree.ts")], bundle: true, write: false, format: "esm" });
const { FolderTree } = await import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].text).toString("base64")}`);

function treeOf(...paths) {
  const tree = new FolderTree();
  for (const path of paths) tree.add(path, path);
  tree.renew();
  return tree;
}
const names = (tree) => tree.rows().map((node) => "  ".repeat(node.depth) + node.name);

test("folders stand first, numbers go by their value, and each is opened by itself", () => {
  const tree = treeOf("Game/Part10.u", "Game/Part9.u", "Game/Maps/Town.unr", "Alone.u");
  assert.deepEqual(names(tree), ["Game", "Alone.u"]);
  tree.set(tree.rows()[0], true);
  assert.deepEqual(names(tree), ["Game", "  Maps", "  Part9.u", "  Part10.u", "Alone.u"]);
  assert.equal(tree.rows()[1].path, "Game/Maps");
  assert.deepEqual(tree.rows().map(({ count }) => count), [3, 1, 1, 1, 1]);
  tree.set(tree.rows()[0], false);
  assert.deepEqual(names(tree), ["Game", "Alone.u"]);
});

test("a folder in which there is one folder alone opens with it", () => {
  const tree = treeOf("Game/Content/Maps/Town.unr", "Game/Content/Part.u");
  tree.open(tree.rows()[0]);
  assert.deepEqual(names(tree), ["Game", "  Content", "    Maps", "    Part.u"]);
});

test("what is looked for is found in closed folders; these are as before afterwards", () => {
  const tree = treeOf("Game/Maps/Town.unr", "Game/Maps/Port.unr", "Game/System/Town.u", "Lone.u");
  tree.show((path) => path.includes("Town"), true);
  assert.deepEqual(names(tree), ["Game", "  Maps", "    Town.unr", "  System", "    Town.u"]);
  assert.equal(tree.root.count, 2);
  tree.set(tree.rows()[1], false);
  assert.deepEqual(names(tree), ["Game", "  Maps", "  System", "    Town.u"]);
  tree.show(() => true, false);
  assert.deepEqual(names(tree), ["Game", "Lone.u"]);
});

test("deep paths and many files are no trouble", () => {
  const deep = `${"a/".repeat(3000)}b.u`;
  const tree = treeOf(deep);
  for (let at = 0; at < 200_000; at++) tree.add(`Game/Folder${at % 500}/Part${at}.u`, `Part${at}.u`);
  tree.show((path) => path.endsWith("b.u"), true);
  assert.equal(tree.rows().length, 3001);
  assert.equal([...tree.files()].length, 200_001);
});
