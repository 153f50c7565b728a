// What drawings are made of, without a browser: places, colours, bright pictures, names of columns.

import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { build } from "esbuild";
import { root } from "./browser.mjs";

async function module(file) {
  const { outputFiles } = await build({ entryPoints: [join(root, "page/src", file)], bundle: true, write: false, format: "esm" });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].text).toString("base64")}`);
}
const { apart } = await module("space.ts");
const { colorOf } = await module("viewport.ts");
const { shortNames } = await module("csv.ts");

test("stored places are drawn so far apart that boxes do not lie on others", () => {
  const sizes = (count) => Array.from({ length: count }, () => [150, 60]);
  assert.equal(apart([[0, 0], [200, 0], [0, 100]], sizes(3)), 1);
  // A tree of animations: its editor draws smaller boxes.
  assert.equal(apart([[0, 0], [90, -10], [240, -60], [240, 60]], sizes(4)), 2);
  // What stands at one place can't be put apart, and nothing is moved for it.
  assert.equal(apart([[0, 0], [0, 0], [300, 0]], sizes(3)), 1);
  assert.equal(apart([null, null], sizes(2)), 1);
  // Of a large graph less would be seen.
  assert.equal(apart(Array.from({ length: 100 }, (_, at) => [at * 90, 0]), sizes(100)), 1);
});

/** Light and colour of OKLCH as light of red, green and blue. */
function light(color) {
  const [, lightness, chroma, hue] = color.match(/^oklch\(([\d.]+) ([\d.]+) ([\d.]+)\)$/).map(Number);
  const [a, b] = [chroma * Math.cos((hue * Math.PI) / 180), chroma * Math.sin((hue * Math.PI) / 180)];
  const [l, m, s] = [lightness + 0.3963377774 * a + 0.2158037573 * b, lightness - 0.1055613458 * a - 0.0638541728 * b, lightness - 0.0894841775 * a - 1.291485548 * b].map((part) => part ** 3);
  const rgb = [4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s, -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s, -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s];
  return rgb.map((part) => Math.min(1, Math.max(0, part)));
}

test("colours of classes stand out on both grounds", () => {
  const brightness = ([r, g, b]) => 0.2126 * r + 0.7152 * g + 0.0722 * b;
  const contrast = (one, other) => (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
  const part = (byte) => (byte / 255 <= 0.04045 ? byte / 255 / 12.92 : ((byte / 255 + 0.055) / 1.055) ** 2.4);
  const ground = (hex) => brightness([1, 3, 5].map((at) => part(parseInt(hex.slice(at, at + 2), 16))));
  for (let at = 0; at < 200; at++) {
    const color = brightness(light(colorOf(at)));
    // What is no text must have 3 to 1.
    for (const hex of ["#f2f0ea", "#101315"]) assert.ok(contrast(color, ground(hex)) >= 3, `${at}: ${colorOf(at)} on ${hex}, ${contrast(color, ground(hex))}`);
  }
});

test("columns are called without what the editor adds to names", () => {
  const guid = "B7F58EC84AAD34B34C01A2BCDE034F5A";
  assert.deepEqual(shortNames([`Color_144_${guid}`, "Damage", `Wind_2_${guid}`]), ["Color", "Damage", "Wind"]);
  // Not where two would be called alike.
  assert.deepEqual(shortNames([`Color_1_${guid}`, "Color"]), [`Color_1_${guid}`, "Color"]);
});
