// Graphs of nodes and what is drawn beside them: boxes and wires, curves, waveforms, areas of bytes, dependencies.

import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { accessible, badge, choose, launch, openPage, openSample, opened, root, saved } from "./browser.mjs";
import { largePackage, silentOgg, thumbnailPackage } from "./packages.mjs";

const pictures = process.env.PAGE_PICTURES ?? join(root, "dist/pictures");
mkdirSync(pictures, { recursive: true });
let browser;
before(async () => { browser = await launch(); });
after(() => browser.close());

const view = (page) => page.evaluate(() => document.getElementById("graph").dataset.view.split(" ").map(Number));
/** Where a place of the graph is drawn, in pixels of the canvas. */
async function pixel(page, x, y) {
  const [cx, cy, scale] = await view(page);
  const { width, height } = await page.locator("#graph").boundingBox();
  return { x: (x - cx) / scale + width / 2, y: (y - cy) / scale + height / 2 };
}
async function openLamp(page) {
  await openSample(page, "MF_Lamp.uasset");
  await page.waitForFunction(() => document.getElementById("graph")?.dataset.view);
}
/** Goes to an object. */
async function go(page, key, tab) {
  await page.evaluate(([key, tab]) => window.page.app.go(key, tab), [key, tab]);
}
const title = (page, text) => page.waitForFunction((text) => document.querySelector(".details-head h2")?.textContent === text, text);

/** A view in both themes, without a violation that axe knows. */
async function looksRight(page, name) {
  for (const theme of ["light", "dark"]) {
    await page.waitForTimeout(200);
    await page.screenshot({ path: join(pictures, `${name}-${theme}.png`) });
    await accessible(page, `${name}, ${theme}`);
    await page.click("#theme");
  }
}

/** How many names of nodes are drawn at the size of the screen; that many can be read. */
const names = async (page) => Number(await page.getAttribute("#graph", "data-names"));
/** Classes in the list that are cut off. */
const cutClasses = (page) => page.locator("#nodes .row > :nth-child(2)").evaluateAll((cells) => cells.filter((cell) => cell.scrollWidth > cell.clientWidth + 1).map((cell) => cell.textContent));

test("a material is drawn as its nodes; a click chooses, a second one opens", { timeout: 90_000 }, async () => {
  const { page, context, seen } = await openPage(browser);
  await openLamp(page);
  assert.match(await page.textContent(".map .found"), /^10 nodes, 7 wires$/);
  // Everything is in view.
  for (const [x, y] of [[-940, -220], [0, 300]]) {
    const at = await pixel(page, x, y);
    const { width, height } = await page.locator("#graph").boundingBox();
    assert.ok(at.x >= 0 && at.x <= width && at.y >= 0 && at.y <= height, JSON.stringify(at));
  }
  assert.equal(await page.getAttribute("#graph", "data-drawn"), "10 7");
  // Boxes are too small for their texts here: names are drawn all the same.
  assert.ok(await names(page) >= 9, `${await names(page)} names`);
  assert.deepEqual(await cutClasses(page), []);
  // Without what all classes begin with; that stands in the title.
  assert.match(await page.textContent("#nodes .row:has-text('Times')"), /^TimesMultiply/);
  assert.equal(await page.getAttribute("#nodes .row:has-text('Times') > :nth-child(2)", "title"), "MaterialExpressionMultiply");
  // The box of a comment lies below the node.
  await page.click("#graph", { position: await pixel(page, -890, 130) });
  await page.waitForSelector("#nodes .row.active:has-text('Tint')");
  const links = await page.locator(".graph-links li").allTextContents();
  assert.deepEqual(links, ["output \u2192 Times, B"]);
  await page.click(".graph-links button");
  await page.waitForFunction(() => document.querySelectorAll(".graph-links li").length === 4);
  await page.waitForSelector("#nodes .row.active:has-text('Times')");
  await looksRight(page, "graph");
  await page.dblclick("#graph", { position: await pixel(page, -550, -30) });
  await title(page, "Times");
  assert.match(await badge(page), /Rebuilt byte for byte/);
  assert.deepEqual(seen.console, []);
  await context.close();
});

test("a graph is moved by keys and wheel, and only what is in view is drawn", { timeout: 90_000 }, async () => {
  const { page, context } = await openPage(browser);
  await openLamp(page);
  const before = await view(page);
  await page.focus("#graph");
  await page.keyboard.press("ArrowRight");
  await page.waitForFunction((x) => Number(document.getElementById("graph").dataset.view.split(" ")[0]) > x, before[0]);
  await page.keyboard.press("Home");
  await page.waitForFunction((view) => document.getElementById("graph").dataset.view === view, before.join(" "));
  const box = await page.locator("#graph").boundingBox();
  const at = await pixel(page, -850, 150);
  await page.mouse.move(box.x + at.x, box.y + at.y);
  for (let times = 0; times < 12; times++) await page.mouse.wheel(0, -100);
  await page.waitForFunction((scale) => Number(document.getElementById("graph").dataset.view.split(" ")[2]) <= scale, Math.max(before[2] / 8, 0.11));
  const [nodes, wires] = (await page.getAttribute("#graph", "data-drawn")).split(" ").map(Number);
  assert.ok(nodes < 10 && wires < 7, `${nodes} ${wires}`);
  await context.close();
});

test("the list has the same nodes, and opens them by keys", { timeout: 90_000 }, async () => {
  const { page, context } = await openPage(browser);
  await openLamp(page);
  assert.equal(await page.getAttribute("#nodes", "aria-rowcount"), "10");
  await page.fill(".map .filter", "multiply");
  await page.waitForFunction(() => /^2 nodes/.test(document.querySelector(".map .found").textContent));
  await page.press(".map .filter", "ArrowDown");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => !document.querySelector(".graph-links").hidden);
  assert.match(await page.textContent("#nodes .row.active"), /Glow.*2 in, 1 out/);
  await page.focus("#graph");
  await page.keyboard.press("Enter");
  await title(page, "Glow");
  await context.close();
});

test("a curve is plotted through its keys", { timeout: 90_000 }, async () => {
  const { page, context } = await openPage(browser);
  await openLamp(page);
  await go(page, "path:MF_Lamp.Flicker");
  await page.waitForSelector("svg.curve path.curve-line");
  assert.equal(await page.locator("svg.curve circle").count(), 4);
  const second = await page.locator("table.table tbody tr").nth(1).locator("td").allTextContents();
  assert.deepEqual(second, ["0.4", "0.2", "cubic", "0", "0"]);
  // Flat at its keys: no point of the curve lies beyond them.
  const places = await page.evaluate(() => {
    const number = (element, name) => Number(element.getAttribute(name));
    const keys = [...document.querySelectorAll("svg.curve circle")].map((one) => [number(one, "cx"), number(one, "cy")]);
    const line = document.querySelector(".curve-line").getAttribute("d").split(/[ML]/).filter(Boolean).map((point) => point.split(" ").map(Number));
    return { keys, line };
  });
  assert.ok(places.line.length > 40, String(places.line.length));
  const [top, bottom] = [Math.min(...places.keys.map(([, y]) => y)), Math.max(...places.keys.map(([, y]) => y))];
  assert.ok(places.line.every(([, y]) => y >= top - 0.1 && y <= bottom + 0.1));
  for (const [x, y] of places.keys) assert.ok(places.line.some((point) => Math.hypot(point[0] - x, point[1] - y) < 0.1), `${x} ${y}`);
  await looksRight(page, "curve");
  await context.close();
});

test("a sound has its waveform beside the player", { timeout: 90_000 }, async () => {
  const { page, context } = await openPage(browser);
  await openSample(page);
  await go(page, "path:Ambient.Bell");
  await page.waitForSelector("#wave");
  assert.match(await page.textContent("#wave-facts"), /^0\.50 seconds, one channel, 11,025 samples a second, peak \d+ %/);
  assert.equal(await page.locator("audio").count(), 1);
  // It begins loud and ends low.
  const heights = await page.evaluate(() => {
    const canvas = document.getElementById("wave");
    const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
    const height = (x) => Array.from({ length: canvas.height }, (_, y) => data[(y * canvas.width + x) * 4 + 3]).filter((alpha) => alpha > 0).length;
    const sum = (from) => Array.from({ length: 50 }, (_, at) => height(from + at)).reduce((a, b) => a + b, 0);
    return [sum(0), sum(canvas.width - 60)];
  });
  assert.ok(heights[0] > 3 * heights[1], String(heights));
  await looksRight(page, "sound-wave");
  await context.close();
});

test("a table of curves is plotted, all of them or one", { timeout: 90_000 }, async () => {
  const { page, context } = await openPage(browser);
  await openLamp(page);
  await go(page, "path:MF_Lamp.Levels", "curve");
  await page.waitForSelector("svg.curve");
  assert.equal(await page.locator(".curve-line").count(), 2);
  assert.deepEqual(await page.locator(".curve-legend li").allTextContents(), ["Dusk, 4 keys", "Dawn, 2 keys"]);
  const rows = await page.locator("table.table tbody tr").evaluateAll((rows) => rows.map((row) => [...row.children].slice(0, 3).map((cell) => cell.textContent)));
  assert.deepEqual(rows, [["Dusk", "0", "1"], ["Dusk", "0.4", "0.2"], ["Dusk", "0.6", "0.9"], ["Dusk", "1", "1"], ["Dawn", "0", "1"], ["Dawn", "10", "2.5"]]);
  await page.selectOption("[aria-label=Curve]", { index: 2 });
  assert.equal(await page.locator(".curve-line").count(), 1);
  assert.deepEqual(await page.locator(".curve-legend li").allTextContents(), ["Dawn, 2 keys"]);
  await looksRight(page, "curve-table");
  // The same object is a table as well.
  assert.ok((await page.locator("[role=tab]").allTextContents()).includes("Table"));
  await context.close();
});

test("an Ogg sound has its waveform; one that can't be decoded has the player alone", { timeout: 90_000 }, async () => {
  const { page, context } = await openPage(browser);
  await openSample(page);
  const { bytes } = await saved(page, () => page.click("button:has-text('Save')"));
  // The file in place of the WAV file of the sound, which is longer.
  const at = bytes.indexOf("RIFF");
  const length = bytes.readUInt32LE(at + 4) + 8;
  const given = (ogg) => {
    const made = Buffer.from(bytes);
    made.fill(0, at, at + length);
    ogg.copy(made, at);
    return made;
  };
  await choose(page, { name: "Silent.utx", buffer: given(silentOgg(25)) });
  await page.waitForFunction(() => window.page.doc().name === "Silent.utx");
  await go(page, "path:Ambient.Bell", "sound");
  await page.waitForSelector("audio");
  await page.waitForSelector("#wave");
  assert.match(await page.textContent("#wave-facts"), /^0\.\d+ seconds, one channel, [\d,]+ samples a second, peak 0 %/);
  await choose(page, { name: "Noise.utx", buffer: given(Buffer.from("OggS no sound at all")) });
  await page.waitForFunction(() => window.page.doc().name === "Noise.utx");
  await go(page, "path:Ambient.Bell", "sound");
  await page.waitForFunction(() => document.querySelector("audio") && !document.querySelector("#wave"));
  assert.match(await page.textContent("#details-panel"), /Bell\.wav, [\d,]+ bytes/);
  await accessible(page, "a sound without a waveform");
  await context.close();
});

test("bytes are areas, and a click opens what has them", { timeout: 90_000 }, async () => {
  const { page, context } = await openPage(browser);
  await openSample(page);
  await go(page, "header", "sizes");
  await page.waitForSelector("#areas .row .label");
  const file = await page.evaluate(() => window.page.doc().summary.bytes);
  const total = Number((await page.textContent(".map .found")).match(/([\d,]+) bytes/)[1].replaceAll(",", ""));
  assert.equal(total, file);
  const first = await page.textContent("#areas .row:first-child");
  assert.match(first, /Bricks.*Texture.*payload/);
  await looksRight(page, "sizes");
  // The largest area stands first.
  await page.click("#treemap", { position: { x: 20, y: 20 } });
  await title(page, "Bricks");
  await context.close();
});

test("dependencies are listed by package and drawn", { timeout: 90_000 }, async () => {
  const { page, context } = await openPage(browser);
  await openSample(page, "Yard.unr");
  await go(page, "header", "dependencies");
  await page.waitForFunction(() => document.getElementById("graph")?.dataset.view);
  assert.match(await page.textContent(".packages summary"), /^\d+ packages?$/);
  assert.match(await page.textContent(".map .found"), /nodes, [\d,]+ wires; no places are stored: they stand in columns|nodes, [\d,]+ wires/);
  await page.fill(".map .filter", "MyLevel");
  await page.waitForFunction(() => /^1 node,/.test(document.querySelector(".map .found").textContent));
  await page.press(".map .filter", "ArrowDown");
  await page.keyboard.press("Enter");
  // The level lists its actors.
  await page.waitForFunction(() => document.querySelectorAll(".graph-links li").length >= 20);
  await page.fill(".map .filter", "");
  await page.waitForFunction(() => /^27 nodes,/.test(document.querySelector(".map .found").textContent));
  await page.click("button:has-text('Whole')");
  await looksRight(page, "dependencies");
  await context.close();
});

test("two thousand nodes are dragged without a stutter", { timeout: 180_000 }, async () => {
  const { page, context } = await openPage(browser);
  await choose(page, { name: "Large.utx", buffer: largePackage({ exports: 200, textures: 2 }) });
  await opened(page);
  // The same view, given more than any package of the tests has.
  await page.evaluate(() => {
    const doc = window.page.doc();
    const get = doc.get.bind(doc);
    const count = 2_000;
    doc.get = async (op, rest) => {
      if (op === "dependencies") {
        const nodes = Array.from({ length: count }, (_, at) => [`export:${at % 100}`, `Node${at}`, "Engine.Thing"]);
        const wires = Array.from({ length: 3 * count }, (_, at) => [at % count, (at * 7 + 1) % count, 1]);
        return { packages: [], nodes, wires, more: { nodes: 12, wires: 0 } };
      }
      return get(op, rest);
    };
  });
  await go(page, "header", "dependencies");
  await page.waitForFunction(() => document.getElementById("graph")?.dataset.view);
  assert.match(await page.textContent(".map .found"), /^2,000 nodes, 6,000 wires; 12 more objects are not drawn/);
  // All of them at once would be dots: it begins where names can be read.
  assert.ok(await names(page) > 10, `${await names(page)} names`);
  await page.click("button:has-text('Whole')");
  await page.waitForFunction(() => document.getElementById("graph").dataset.drawn.startsWith("2000 "));
  const near = await page.evaluate(async () => {
    const canvas = document.getElementById("graph");
    const key = (key) => canvas.dispatchEvent(new KeyboardEvent("keydown", { key }));
    for (let times = 0; times < 14; times++) key("+");
    const frames = [];
    for (let frame = 0; frame < 40; frame++) {
      key(frame % 2 ? "ArrowLeft" : "ArrowRight");
      const start = performance.now();
      await new Promise((resolve) => requestAnimationFrame(resolve));
      frames.push(performance.now() - start);
    }
    return { middle: frames.sort((a, b) => a - b)[20], drawn: canvas.dataset.drawn };
  });
  const [nodes] = near.drawn.split(" ").map(Number);
  assert.ok(nodes < 400, near.drawn);
  // Of the time between two frames, software drawing and a busy machine take their share.
  assert.ok(near.middle < 50, `${near.middle} ms a frame, ${near.drawn}`);
  await context.close();
});

test("an object's thumbnail stands beside its name", { timeout: 90_000 }, async () => {
  const { page, context } = await openPage(browser);
  await choose(page, { name: "Statue.upk", buffer: thumbnailPackage(4, [200, 100, 50, 255]) });
  await opened(page);
  await go(page, "path:Statue");
  await page.waitForSelector(".details-head canvas.thumbnail");
  const pixel = await page.locator("canvas.thumbnail").evaluate((canvas) => [canvas.width, canvas.height, ...canvas.getContext("2d").getImageData(1, 1, 1, 1).data]);
  assert.deepEqual(pixel, [4, 4, 50, 100, 200, 255]);
  assert.match(await badge(page), /Rebuilt byte for byte/);
  await looksRight(page, "thumbnail-beside");
  // Shown twice before its picture is there, it has one.
  await page.evaluate(async () => {
    await Promise.all(["facts", "properties"].map((tab) => window.page.app.go("path:Statue", tab)));
  });
  await page.waitForTimeout(500);
  assert.equal(await page.locator("canvas.thumbnail").count(), 1);
  // Others have none.
  await go(page, "header");
  await title(page, "Header");
  assert.equal(await page.locator("canvas.thumbnail").count(), 0);
  await context.close();
});

test("what is drawn fits a tablet and a phone, light and dark", { timeout: 180_000 }, async () => {
  for (const [width, height] of [[1024, 700], [390, 780]]) {
    const { page, context } = await openPage(browser, { width, height });
    await openSample(page, "MF_Lamp.uasset");
    await page.click("#panes [data-pane=details]", { timeout: 1_000 }).catch(() => {});
    for (const [key, tab, drawn] of [["path:MF_Lamp", "graph", "#graph"], ["header", "sizes", "#treemap"], ["header", "dependencies", "#graph"], ["path:MF_Lamp.Flicker", "curve", "svg.curve"]]) {
      await go(page, key, tab);
      await page.waitForFunction((tab) => document.querySelector("[role=tab][aria-selected=true]")?.dataset.tab === tab, tab);
      // What is on a canvas is drawn a frame after the canvas is there.
      await page.waitForSelector(drawn === "#graph" ? "#graph[data-view]" : drawn);
      if (tab === "graph") {
        assert.ok(await names(page) >= 8, `${width}: ${await names(page)} names`);
        assert.deepEqual(await cutClasses(page), [], String(width));
      }
      const box = await page.locator(drawn).boundingBox();
      assert.ok(box.width > 100 && box.height > 60 && box.x + box.width <= width, `${tab}, ${width}: ${JSON.stringify(box)}`);
      for (const theme of ["light", "dark"]) {
        await page.evaluate((theme) => { document.documentElement.dataset.theme = theme; }, theme);
        await page.waitForTimeout(150);
        await page.screenshot({ path: join(pictures, `${tab}-${width}-${theme}.png`) });
        await accessible(page, `${tab}, ${width}, ${theme}`);
      }
    }
    await context.close();
  }
});
