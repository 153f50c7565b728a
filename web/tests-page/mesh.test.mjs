// Meshes: drawn, turned, played; said as text; what can't be drawn is said in words.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { accessible, badge, choose, command, launch, openPage, openSample, opened, root, saved } from "./browser.mjs";
import { grownFaces } from "./packages.mjs";

const pictures = process.env.PAGE_PICTURES ?? join(root, "dist/pictures");
mkdirSync(pictures, { recursive: true });
let browser, windmill;
before(async () => {
  browser = await launch();
  const { page, context } = await openPage(browser);
  await openSample(page, "Windmill.u");
  windmill = (await saved(page, () => page.click("button:has-text('Save')"))).bytes;
  await context.close();
});
after(() => browser.close());

/** The page with a mesh that stands still, drawn. */
async function openWindmill({ bytes = windmill, calm = true, ...rest } = {}) {
  const made = await openPage(browser, rest);
  if (calm) await made.page.emulateMedia({ reducedMotion: "reduce" });
  await choose(made.page, { name: "Windmill.u", buffer: bytes });
  await opened(made.page);
  await made.page.evaluate(() => window.page.app.go("path:Windmill", "mesh"));
  await made.page.waitForSelector("#mesh[data-drawn], .details-body .note");
  return made;
}

/** What is drawn, as pixels: how many are not of the ground's colour, and the picture itself. */
async function drawn(page) {
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
  const png = await page.locator("#mesh").screenshot();
  const count = await page.evaluate(async (text) => {
    const bytes = Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
    const bitmap = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
    const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext("2d", { willReadFrequently: true });
    context.drawImage(bitmap, 0, 0);
    const { data } = context.getImageData(0, 0, bitmap.width, bitmap.height);
    const differs = (at) => Math.abs(data[at] - data[0]) + Math.abs(data[at + 1] - data[1]) + Math.abs(data[at + 2] - data[2]) > 60;
    let [count, red, top, bottom] = [0, 0, 0, 0];
    for (let at = 0; at < data.length; at += 4) {
      if (!differs(at)) continue;
      count += 1;
      // Bricks are red, planks are not.
      if (data[at] > 2.1 * data[at + 1]) {
        red += 1;
        if (at / 4 / bitmap.width < bitmap.height / 2) top += 1;
        else bottom += 1;
      }
    }
    // The frame of what is focused lies at the edge.
    const inner = context.getImageData(8, 8, bitmap.width - 16, bitmap.height - 16).data;
    const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", inner));
    return { count, red, top, bottom, all: data.length / 4, picture: btoa(String.fromCharCode(...digest)) };
  }, png.toString("base64"));
  return count;
}

const view = (page) => page.evaluate(() => document.getElementById("mesh").dataset.view.split(" ").map(Number));
const facts = (page) => page.locator("#mesh-facts dl").evaluate((list) => Object.fromEntries([...list.querySelectorAll("dt")].map((label) => [label.textContent, label.nextElementSibling.textContent])));

/** Triangles, vertices and bytes of the command's glTF. */
function written(bytes) {
  const folder = mkdtempSync(join(tmpdir(), "page-mesh-"));
  writeFileSync(join(folder, "Windmill.u"), bytes);
  execFileSync(command, ["extract", join(folder, "Windmill.u"), "--kind", "mesh", "--lod", "all", "-o", join(folder, "out")], { stdio: "pipe" });
  const [name] = readdirSync(join(folder, "out"));
  return readFileSync(join(folder, "out", name));
}

test("a mesh has a tab and is drawn, and its figures are those of its file", { timeout: 90_000 }, async () => {
  const { page, context, seen } = await openWindmill();
  assert.equal(await page.textContent("[role=tab][aria-selected=true]"), "Mesh");
  const { count, red, top, bottom, all } = await drawn(page);
  assert.ok(count > all / 50 && count < all / 2, `${count} of ${all} pixels`);
  assert.ok(red > count / 6, `${red} of ${count} pixels have the colour of bricks`);
  // The right way up: bricks are the walls, below the roof.
  assert.ok(bottom > top, `${top} above, ${bottom} below`);
  // What the library says, what the file has, what is drawn.
  const { value, glb } = await page.evaluate(async () => {
    const doc = window.page.doc();
    const { row } = await doc.detailsOf("path:Windmill");
    const { value, bytes } = await doc.ask("mesh", { row });
    const length = new DataView(bytes).getUint32(12, true);
    return { value, glb: { json: JSON.parse(new TextDecoder().decode(new Uint8Array(bytes, 20, length))), bytes: [...new Uint8Array(bytes)] } };
  });
  const { meshes, accessors, animations, materials } = glb.json;
  const triangles = meshes[0].primitives.reduce((sum, { indices }) => sum + accessors[indices].count / 3, 0);
  const vertices = accessors[meshes[0].primitives[0].attributes.POSITION].count;
  assert.deepEqual(value.lods, [[triangles, vertices]]);
  assert.deepEqual([triangles, vertices], [40, 88]);
  assert.deepEqual([value.frames, value.bone_count, value.animations.map(([name, frames]) => [name, frames])], [13, 0, [["Turn", 13], ["Still", 1]]]);
  assert.equal(animations.length, 2);
  assert.deepEqual(value.materials, materials.map(({ name }) => [name, true]));
  const said = await facts(page);
  assert.equal(said.Mesh, "40 triangles, 88 vertices");
  assert.equal(said.Frames, "13 frames of all vertices");
  assert.equal(said.Animations, "2 animations");
  assert.match(said.Materials, /^2 materials, pictures of all found$/);
  assert.equal(await page.getAttribute("#mesh", "data-drawn").then((text) => Number(text.split(" ")[0])), triangles);
  if (command) assert.ok(Buffer.from(glb.bytes).equals(written(windmill)), "the command writes another file");
  assert.match(await badge(page), /Rebuilt byte for byte/);
  assert.deepEqual(seen.console.filter((text) => !text.includes("ReadPixels")), []);
  assert.deepEqual(seen.requests, []);
  await context.close();
});

test("a wireframe and another surface are drawn otherwise", { timeout: 90_000 }, async () => {
  const { page, context } = await openWindmill();
  const before = await drawn(page);
  await page.selectOption("#mesh-finish", "plain");
  const plain = await drawn(page);
  assert.ok(plain.red === 0 && plain.count > before.count / 2, `${plain.red} red of ${plain.count}`);
  await page.selectOption("#mesh-finish", "textured");
  await page.check("#mesh-wire");
  const wire = await drawn(page);
  assert.ok(wire.count > 0 && wire.count < before.count / 2, `${wire.count} of ${before.count} pixels`);
  assert.match(await page.getAttribute("#mesh", "data-drawn"), /^0 1\d\d$/);
  await page.uncheck("#mesh-wire");
  assert.equal((await drawn(page)).picture, before.picture);
  await context.close();
});

test("a mesh is turned and zoomed by keys, pointer and wheel", { timeout: 90_000 }, async () => {
  const { page, context } = await openWindmill();
  const first = await view(page);
  const before = await drawn(page);
  await page.focus("#mesh");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowUp");
  const turned = await drawn(page);
  const [yaw, pitch, distance] = await view(page);
  assert.ok(Math.abs(yaw - first[0] - Math.PI / 18) < 0.01 && Math.abs(pitch - first[1] - Math.PI / 18) < 0.01, String([yaw, pitch]));
  assert.notEqual(turned.picture, before.picture);
  await page.keyboard.press("-");
  const far = await drawn(page);
  assert.ok((await view(page))[2] > distance && far.count < turned.count, `${far.count} < ${turned.count}`);
  await page.keyboard.press("Home");
  assert.equal((await drawn(page)).picture, before.picture);
  const box = await page.locator("#mesh").boundingBox();
  await page.mouse.move(box.x + 200, box.y + 200);
  await page.mouse.down();
  await page.mouse.move(box.x + 260, box.y + 200, { steps: 4 });
  await page.mouse.up();
  await page.mouse.wheel(0, -100);
  await drawn(page);
  const [byPointer, , near] = await view(page);
  assert.ok(byPointer < first[0] - 0.3 && near < 1, String([byPointer, near]));
  await context.close();
});

/** Two fingers on a canvas, so many pixels from its middle, drawn apart or together. */
const pinch = (page, id, from, to) => page.evaluate(([id, from, to]) => {
  const canvas = document.getElementById(id);
  const { left, top, width, height } = canvas.getBoundingClientRect();
  canvas.setPointerCapture = () => {};
  const send = (type, finger, x) => canvas.dispatchEvent(new PointerEvent(type, { pointerId: finger, pointerType: "touch", clientX: left + width / 2 + x, clientY: top + height / 2, bubbles: true, buttons: 1 }));
  send("pointerdown", 1, -from);
  send("pointerdown", 2, from);
  for (let step = 1; step <= 10; step++) {
    send("pointermove", 1, -(from + ((to - from) * step) / 10));
    send("pointermove", 2, from + ((to - from) * step) / 10);
  }
  send("pointerup", 1, -to);
  send("pointerup", 2, to);
  return new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
}, [id, from, to]);

test("two fingers zoom a mesh and a map", { timeout: 90_000 }, async () => {
  const { page, context } = await openWindmill();
  await pinch(page, "mesh", 40, 80);
  const [yaw, , distance] = await view(page);
  // Twice as far apart is twice as near; two fingers turn nothing.
  assert.ok(Math.abs(distance - 0.5) < 0.02 && Math.abs(yaw - 0.75) < 0.001, String([yaw, distance]));
  await pinch(page, "mesh", 80, 40);
  assert.ok(Math.abs((await view(page))[2] - 1) < 0.04);
  await context.close();
  const other = await openPage(browser);
  await openSample(other.page, "Yard.unr");
  await other.page.waitForFunction(() => document.getElementById("map")?.dataset.view);
  const place = () => other.page.evaluate(() => document.getElementById("map").dataset.view.split(" ").map(Number));
  const first = await place();
  await pinch(other.page, "map", 50, 100);
  const [x, y, scale] = await place();
  assert.ok(Math.abs(scale / first[2] - 0.5) < 0.02, `${first[2]} became ${scale}`);
  // What was between the fingers stays there, and nothing is opened.
  assert.ok(Math.hypot(x - first[0], y - first[1]) < 10 * first[2], `${[x, y]}, before ${first}`);
  assert.equal(await other.page.textContent(".details-head h2"), "Header");
  await other.context.close();
});

test("an animation plays, pauses and is gone through by keys", { timeout: 90_000 }, async () => {
  const { page, context } = await openWindmill();
  const rest = await drawn(page);
  await page.click("#mesh-play");
  assert.equal(await page.inputValue("#mesh-animation"), "0");
  const time = () => page.evaluate(() => Number(document.getElementById("mesh").dataset.time));
  await page.waitForFunction(() => Number(document.getElementById("mesh").dataset.time) > 0.3);
  await page.click("#mesh-play");
  const paused = await time();
  const moved = await drawn(page);
  assert.notEqual(moved.picture, rest.picture);
  assert.equal(await time(), paused);
  assert.equal(await page.textContent("#mesh-play"), "Play");
  // A whole turn of four sails by a quarter looks as at rest.
  await page.focus("#mesh-time");
  await page.keyboard.press("End");
  assert.match(await page.textContent(".mesh-player output"), /^2\.00 of 2\.00 s, frame 13 of 13$/);
  assert.equal(await page.getAttribute("#mesh-time", "aria-valuetext"), "2.00 of 2.00 s, frame 13 of 13");
  await page.keyboard.press("Home");
  assert.match(await page.textContent(".mesh-player output"), /^0\.00 of 2\.00 s, frame 1 of 13$/);
  assert.equal((await drawn(page)).picture, rest.picture);
  // Nothing to play where nothing moves.
  await page.selectOption("#mesh-animation", "1");
  assert.ok(await page.isDisabled("#mesh-play") && await page.isDisabled("#mesh-time"));
  await context.close();
});

test("a mesh turns by itself, unless motion is unwanted, until it is touched", { timeout: 90_000 }, async () => {
  const { page, context } = await openWindmill({ calm: false });
  assert.ok(await page.isChecked("#mesh-turn"));
  const [first] = await view(page);
  await page.waitForFunction((first) => Number(document.getElementById("mesh").dataset.view.split(" ")[0]) > first + 0.05, first);
  await page.focus("#mesh");
  await page.keyboard.press("ArrowLeft");
  await page.waitForFunction(() => !document.getElementById("mesh-turn").checked);
  const [stopped] = await view(page);
  await page.waitForTimeout(300);
  assert.equal((await view(page))[0], stopped);
  await page.emulateMedia({ reducedMotion: "reduce" });
  await page.evaluate(() => window.page.app.go("header"));
  await page.waitForFunction(() => document.querySelector(".details-head h2").textContent === "Header");
  await page.evaluate(() => window.page.app.go("path:Windmill", "mesh"));
  await page.waitForSelector("#mesh[data-drawn]");
  assert.equal(await page.isChecked("#mesh-turn"), false);
  await context.close();
});

test("a change leaves a mesh as it is looked at", { timeout: 90_000 }, async () => {
  const { page, context, seen } = await openWindmill();
  await page.focus("#mesh");
  for (const key of ["ArrowLeft", "ArrowUp", "+"]) await page.keyboard.press(key);
  await page.check("#mesh-wire");
  await page.waitForTimeout(200);
  const before = await view(page);
  await page.evaluate(() => { document.getElementById("mesh-wire").dataset.old = "yes"; });
  assert.equal(await page.evaluate(() => window.page.app.change({ do: "add-name", name: "Unused" })), true);
  await page.waitForFunction(() => { const box = document.getElementById("mesh-wire"); return box && !box.dataset.old && box.checked; });
  await page.waitForTimeout(200);
  assert.deepEqual(await view(page), before);
  assert.equal(await page.isChecked("#mesh-turn"), false);
  assert.deepEqual(seen.console, []);
  await context.close();
});

test("meshes look right in both themes, on a tablet and a phone", { timeout: 180_000 }, async () => {
  for (const [name, width, height] of [["mesh", 1480, 920], ["mesh-tablet", 1024, 700], ["mesh-phone", 390, 780]]) {
    for (const theme of ["light", "dark"]) {
      const { page, context } = await openWindmill({ width, height, theme });
      await page.click("#panes [data-pane=details]", { timeout: 1_000 }).catch(() => {});
      const { count, all } = await drawn(page);
      assert.ok(count > all / 60, `${name}, ${theme}: ${count} of ${all}`);
      const box = await page.locator("#mesh").boundingBox();
      assert.ok(box.width > 200 && box.height > 120 && box.x + box.width <= width, JSON.stringify(box));
      await page.screenshot({ path: join(pictures, `${name}-${theme}.png`) });
      await accessible(page, `${name}, ${theme}`);
      if (width === 1480) {
        await page.check("#mesh-wire");
        await page.screenshot({ path: join(pictures, `mesh-wire-${theme}.png`) });
      }
      await context.close();
    }
  }
});

test("a sheet is seen from behind as well", { timeout: 90_000 }, async () => {
  const faces = windmill.indexOf(Buffer.from([40, 0, 0, 1, 0, 2, 0, 0, 0])) + 1;
  const [a, b, c] = [0, 2, 4].map((at) => windmill.readUInt16LE(faces + at));
  const counts = [];
  for (const corners of [[a, b, c], [a, c, b]]) {
    const bytes = Buffer.from(windmill);
    for (let face = 0; face < 40; face++) corners.forEach((corner, at) => bytes.writeUInt16LE(corner, faces + face * 8 + at * 2));
    const { page, context } = await openWindmill({ bytes });
    counts.push((await drawn(page)).count);
    await context.close();
  }
  // Whatever lies on the ground's lines is drawn on them: the rest is the sheet.
  assert.ok(Math.abs(counts[0] - counts[1]) < 0.1 * counts[0], String(counts));
});

test("what can't be drawn is said in words", { timeout: 180_000 }, async () => {
  const scale = Buffer.from([0, 0, 0x80, 0x3f, 0, 0, 0x80, 0x3f, 0, 0, 0, 0x40]);
  const at = windmill.indexOf(scale);
  assert.ok(at > 0 && windmill.indexOf(scale, at + 1) < 0, "the scale of the mesh stands once in the file");
  const changed = (change) => {
    const bytes = Buffer.from(windmill);
    change(bytes);
    return bytes;
  };
  const faces = Buffer.from([40, 0, 0, 1, 0, 2, 0, 0, 0]);
  const face = windmill.indexOf(faces);
  assert.ok(face > 0);
  for (const [what, bytes, says] of [
    ["NaN", changed((bytes) => bytes.writeFloatLE(NaN, at)), /scale is no number/],
    ["a corner that is not there", changed((bytes) => bytes.writeUInt16LE(9999, face + 1)), /vertex 9999 of 88/],
    ["no triangles", grownFaces(windmill, 0), /no triangles/],
    ["millions of triangles", grownFaces(windmill, 2_000_001), /2,?000,?001 triangles .* more than/],
  ]) {
    const start = performance.now();
    const { page, context } = await openWindmill({ bytes });
    assert.match(await page.textContent(".details-body .note"), says, what);
    assert.equal(await page.locator("#mesh").count(), 0, what);
    // As a note among others: it does not fill the pane.
    const [{ height }, { height: whole }] = await Promise.all([page.locator(".details-body .note").boundingBox(), page.locator(".details-body").boundingBox()]);
    assert.ok(height < whole / 2, `${what}: ${height} of ${whole} pixels`);
    assert.ok(performance.now() - start < 60_000, `${what} took ${performance.now() - start} ms`);
    // The page goes on.
    await page.evaluate(() => window.page.app.go("header"));
    await page.waitForFunction(() => document.querySelector(".details-head h2").textContent === "Header");
    await context.close();
  }
});

test("a mesh of any size fits", { timeout: 90_000 }, async () => {
  const at = windmill.indexOf(Buffer.from([0, 0, 0x80, 0x3f, 0, 0, 0x80, 0x3f, 0, 0, 0, 0x40]));
  for (const by of [1e-30, 1e36]) {
    const bytes = Buffer.from(windmill);
    [1, 1, 2].forEach((size, axis) => bytes.writeFloatLE(size * by, at + axis * 4));
    const { page, context } = await openWindmill({ bytes });
    const { red, count, all } = await drawn(page);
    assert.ok(red > count / 6 && count > all / 50, `${by}: ${red} of ${count} of ${all}`);
    await context.close();
  }
});

test("many triangles are drawn", { timeout: 180_000 }, async () => {
  const { page, context } = await openWindmill({ bytes: grownFaces(windmill, 500_000) });
  assert.equal(await page.getAttribute("#mesh", "data-drawn").then((text) => text.split(" ")[0]), "500000");
  assert.equal((await facts(page)).Mesh, "500,000 triangles, 88 vertices");
  await context.close();
});

test("without WebGL the figures are there, and why nothing is drawn", { timeout: 90_000 }, async () => {
  const context = await browser.newContext();
  await context.addInitScript(() => {
    const get = HTMLCanvasElement.prototype.getContext;
    HTMLCanvasElement.prototype.getContext = function (kind, ...rest) { return /webgl/.test(kind) ? null : get.call(this, kind, ...rest); };
  });
  const page = await context.newPage();
  await page.goto(pathToFileURL(join(root, "dist/page.html")).href);
  await page.waitForSelector("html[data-ready=yes]");
  await openSample(page, "Windmill.u");
  await page.evaluate(() => window.page.app.go("path:Windmill", "mesh"));
  await page.waitForSelector(".details-body .note");
  assert.match(await page.textContent(".details-body .note"), /no WebGL/);
  assert.equal((await facts(page)).Mesh, "40 triangles, 88 vertices");
  await accessible(page, "without WebGL");
  await context.close();
});

test("the program that draws is loaded when a mesh is opened, from the single file and from the folder", { timeout: 90_000 }, async () => {
  for (const file of ["page.html", "folder/index.html"]) {
    const context = await browser.newContext({ reducedMotion: "reduce" });
    const page = await context.newPage();
    const seen = [];
    page.on("console", (message) => { if (message.type() === "error") seen.push(message.text()); });
    await page.goto(pathToFileURL(join(root, "dist", file)).href);
    await page.waitForSelector("html[data-ready=yes]");
    await openSample(page, "Courtyard.utx");
    assert.equal(await page.evaluate(() => typeof window.farchiveMesh), "undefined");
    await page.evaluate(() => window.page.open([]));
    await page.click(".file [aria-label^=Close]");
    await openSample(page, "Windmill.u");
    await page.evaluate(() => window.page.app.go("path:Windmill", "mesh"));
    await page.waitForSelector("#mesh[data-drawn]");
    assert.equal(await page.evaluate(() => typeof window.farchiveMesh), "object");
    assert.deepEqual(seen, [], file);
    await context.close();
  }
});
