// What five people come for, from the first file to the last click.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { accessible, badge, choose, command, launch, openPage, openSample, opened, saved } from "./browser.mjs";

let browser;
before(async () => { browser = await launch(); });
after(() => browser.close());

const heading = (page, text) => page.waitForFunction((text) => document.querySelector(".details-head h2")?.textContent === text, text);
const cursor = (page) => page.evaluate(() => window.page.app.hex.view.cursor);
/** Where a place of the world is drawn, in pixels of the canvas. */
async function pixel(page, x, y) {
  const [cx, cy, scale] = await page.evaluate(() => document.getElementById("map").dataset.view.split(" ").map(Number));
  const { width, height } = await page.locator("#map").boundingBox();
  return { x: (x - cx) / scale + width / 2, y: (y - cy) / scale + height / 2 };
}
/** The bytes of a sample. */
async function sample(name) {
  const { page, context } = await openPage(browser);
  await openSample(page, name);
  const { bytes } = await saved(page, () => page.click("button:has-text('Save')"));
  await context.close();
  return bytes;
}

/** Values of properties as a page says them that has opened a saved file afresh. */
async function values(name, bytes, object, paths) {
  const { page, context } = await openPage(browser);
  await choose(page, [{ name, buffer: bytes }]);
  await opened(page);
  const found = await page.evaluate(async ([object, paths]) => {
    const doc = window.page.doc();
    const { row } = await doc.detailsOf(`path:${object}`);
    const { properties } = await doc.get("properties", { row });
    return paths.map((path) => properties.find((property) => property.path === path)?.text);
  }, [object, paths]);
  assert.match(await badge(page), /Rebuilt byte for byte/);
  await context.close();
  return found;
}
/** How many changes are done. */
const done = (page, count) => page.waitForFunction((count) => (window.page.doc().summary.changes?.done ?? 0) === count, count);
/** Filters the tree and chooses an object by a click. */
async function pickObject(page, name, click = (row) => row.click()) {
  await click(page.locator("#pane-objects .filter"));
  await page.keyboard.press("Control+a");
  await page.keyboard.type(name);
  await page.waitForFunction(() => document.querySelector("#pane-objects .found")?.textContent.includes("found"));
  await click(page.locator("#tree .row", { has: page.locator(".label", { hasText: new RegExp(`^${name}$`) }) }).first());
  await heading(page, name);
}

test("a curious player drops a map and a package of textures, and looks around", { timeout: 90_000 }, async () => {
  const [map, textures] = [await sample("Yard.unr"), await sample("Courtyard.utx")];
  const { page, context, seen } = await openPage(browser);
  await choose(page, [{ name: "Yard.unr", buffer: map }]);
  // The level is what one sees first.
  await page.waitForFunction(() => document.getElementById("map")?.dataset.view);
  await page.click("#map", { position: await pixel(page, 0, 400) });
  await page.waitForSelector("#actors .row.active:has-text('PlayerStart3')");
  await page.click("#map-open");
  await heading(page, "PlayerStart3");
  assert.match(await page.textContent("#pane-details"), /Location/);
  // How many places to start has it, and where? Back on the map the filter says so.
  await page.goBack();
  await page.waitForSelector("#map");
  await page.fill(".map .filter", "playerstart");
  await page.waitForFunction(() => /^4 actors, 4 with a place/.test(document.querySelector(".map .found").textContent));
  assert.match(await page.textContent("#actors .row:has-text('PlayerStart3')"), /PlayerStart3PlayerStart0, 400, /);
  // A brush leads to its shape by a click on what it refers to.
  await pickObject(page, "Brush1");
  await page.click('[data-property=Brush] [aria-label^="Go to"]');
  await heading(page, "Model1");
  await choose(page, [{ name: "Courtyard.utx", buffer: textures }]);
  await page.waitForFunction(() => window.page.doc()?.name === "Courtyard.utx");
  await opened(page);
  await page.fill("#search", "bricks");
  await page.press("#search", "Enter");
  await page.click(".hits button:has-text('Walls.Bricks')");
  await heading(page, "Bricks");
  await page.getByRole("tab", { name: "Picture" }).click();
  await page.waitForSelector("canvas.picture");
  // It is no grey area: texels of several colours.
  const colours = await page.evaluate(() => {
    const canvas = document.querySelector("canvas.picture");
    const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
    const colours = new Set(new Uint32Array(data.buffer)).size;
    let red = 0;
    for (let at = 0; at < data.length; at += 4) red += Number(data[at] > data[at + 1] * 1.4 && data[at] > data[at + 2] * 1.4);
    return { colours, red: red / (data.length / 4) };
  });
  assert.ok(colours.colours > 2, `${colours.colours} colours`);
  // Are the bricks red? Most of it is, the joints are not.
  assert.ok(colours.red > 0.5 && colours.red < 1, `${colours.red} of it is red`);
  // Back to the map where it was left.
  await page.click('.file-name:has-text("Yard.unr")');
  await heading(page, "Model1");
  assert.deepEqual(seen.console, []);
  assert.deepEqual(seen.requests, []);
  await context.close();
});

test("a modder changes values and a text, takes one back, saves: the same file as the command's", { timeout: 90_000 }, async () => {
  const { page, context, seen } = await openPage(browser);
  await openSample(page);
  const before = (await saved(page, () => page.click("button:has-text('Save')"))).bytes;
  await pickObject(page, "Bricks");
  await page.getByRole("tab", { name: "Properties" }).click();
  const set = async (path, value) => {
    await page.fill(`[data-path=${path}]`, value);
    await page.press(`[data-path=${path}]`, "Enter");
    await page.waitForFunction(([path, value]) => document.querySelector(`[data-path=${path}]`)?.value === value, [path, value]);
  };
  await set("UClamp", "64");
  await done(page, 1);
  await set("VClamp", "32");
  await done(page, 2);
  await page.click("button:has-text('Undo')");
  await done(page, 1);
  await pickObject(page, "Readme");
  await page.waitForSelector("textarea.text");
  await page.fill("textarea.text", "Changed by hand.");
  await page.press("textarea.text", "Control+Enter");
  await done(page, 2);
  assert.match(await badge(page), /Rebuilt byte for byte/);
  // What was done is listed, each with the command that does the same.
  await page.click("button:has-text('Changes')");
  const commands = await page.locator(".changes .command").allTextContents();
  assert.equal(commands.length, 2);
  assert.match(commands[0], /^upk set Courtyard\.utx .*UClamp=64/);
  const { bytes: after } = await saved(page, () => page.click("button:has-text('Save')"));
  assert.notDeepEqual(after, before);
  await page.waitForFunction(() => !document.querySelector(".changed-mark"));
  // What was saved has the change that stays, not the one that was taken back, and the text.
  assert.deepEqual(await values("Courtyard.utx", after, "Walls.Bricks", ["UClamp", "VClamp"]), ["64", "128"]);
  assert.ok(after.includes("Changed by hand.") && !after.includes("look at its bytes"));
  if (command) {
    const folder = mkdtempSync(join(tmpdir(), "page-people-"));
    const file = join(folder, "Courtyard.utx");
    writeFileSync(file, before);
    // As they stand there, the text in a file.
    writeFileSync(join(folder, "FILE"), "Changed by hand.");
    for (const line of commands) execFileSync("sh", ["-c", `${line.replace(/^upk/, command)} --in-place --no-backup`], { cwd: folder });
    assert.deepEqual(readFileSync(file), after);
    rmSync(folder, { recursive: true });
  }
  assert.deepEqual(seen.console, []);
  await context.close();
});

test("a researcher goes from bytes to fields, values and layouts, and back", { timeout: 90_000 }, async () => {
  const { page, context, seen } = await openPage(browser);
  await openSample(page);
  const { bytes } = await saved(page, () => page.click("button:has-text('Save')"));
  // Bytes are found, and say what they are.
  await page.keyboard.press("Control+f");
  await page.selectOption("[aria-label='What to search for']", "bytes");
  await page.fill("#find", "c1 83 2a 9e");
  await page.press("#find", "Enter");
  await page.waitForFunction(() => document.querySelector(".field-path")?.textContent === "summary.tag");
  assert.equal(await cursor(page), 0);
  // Where is the width of the bricks, 128, kept? Its bytes are found, the field says whose they are.
  const [start, end] = await page.evaluate(async () => {
    const { row } = await window.page.doc().detailsOf("path:Walls.Bricks");
    return (await window.page.doc().get("property-range", { row, path: "USize" })).range;
  });
  assert.equal(bytes.readInt32LE(end - 4), 128);
  await page.fill("#find", bytes.subarray(start, end).toString("hex").replace(/../g, "$& ").trim());
  await page.press("#find", "Enter");
  await page.waitForFunction((start) => window.page.app.hex.view.cursor === start, start);
  await page.keyboard.press("Alt+3");
  // The name of the property stands first, then its value.
  const path = () => page.textContent(".field-path");
  for (let fields = 0; fields < 4 && !/^bodies\[\d+\]\.USize/.test(await path()); fields++) {
    const before = await path();
    await page.keyboard.press("n");
    await page.waitForFunction((before) => document.querySelector(".field-path").textContent !== before, before);
  }
  assert.match(await path(), /^bodies\[\d+\]\.USize/);
  await page.click("#field-card dt:has-text('Part of') + dd button");
  await heading(page, "Bricks");
  await page.getByRole("tab", { name: "Properties" }).click();
  await page.waitForSelector("[data-property=USize]");
  assert.equal(await page.inputValue("[data-path=USize]"), "128");
  // A byte of a value marks its property; the property leads back to its bytes.
  await page.selectOption("[aria-label='What to search for']", "text");
  await page.fill("#find", `0x${(end - 1).toString(16)}`);
  await page.press("#find", "Enter");
  await page.waitForSelector("[data-property=USize][aria-current=true]");
  await page.click("[data-property=USize] .property-bytes");
  await page.waitForFunction((start) => window.page.app.hex.view.marked?.[0] === start, start);
  // The layout that the field comes from: its fields with types, and what is said of them.
  await page.fill("#find", "0x0");
  await page.press("#find", "Enter");
  await page.waitForFunction(() => document.querySelector(".field-path")?.textContent === "summary.tag");
  await page.click("#field-card dt:has-text('Layout') + dd button");
  await page.waitForFunction(() => document.querySelector(".details-head .subtitle")?.textContent === "Layout");
  assert.ok((await page.textContent(".details-body")).length > 200);
  // One search over everything.
  await page.keyboard.press("Control+Shift+F");
  await page.keyboard.type("bell");
  await page.keyboard.press("Enter");
  await page.waitForSelector(".hits");
  const hits = await page.textContent(".details-body");
  assert.match(hits, /Ambient\.Bell/);
  // An address of the place leads there once more.
  await page.click(".hits button:has-text('Ambient.Bell')");
  await heading(page, "Bell");
  const address = await page.evaluate(() => location.href);
  await context.close();
  const again = await openPage(browser, { url: address });
  await choose(again.page, { name: "Courtyard.utx", buffer: bytes });
  await heading(again.page, "Bell");
  assert.deepEqual(seen.console, []);
  await again.context.close();
});

test("without a pointer: a value is changed, taken back, set again and saved", { timeout: 120_000 }, async () => {
  const original = await sample("Courtyard.utx");
  const { page, context, seen } = await openPage(browser);
  // No key does what a pointer did: there is none.
  await page.evaluate(() => { for (const kind of ["pointerdown", "mousedown", "touchstart"]) addEventListener(kind, () => { window.hadPointer = true; }, true); });
  const press = async (...keys) => { for (const key of keys) await page.keyboard.press(key); };
  const focus = (test) => page.evaluate((test) => document.activeElement?.matches(test), test);
  const keyTo = async (key, test, most = 40) => {
    for (let count = 0; count < most && !(await focus(test)); count++) await press(key);
    assert.ok(await focus(test), `${key} does not lead to ${test}`);
  };
  await keyTo("Tab", "[data-sample='Courtyard.utx']");
  await press("Enter");
  await opened(page);
  // The object, by the tree's own filter.
  await press("/");
  await page.keyboard.type("Bricks");
  await page.waitForFunction(() => document.querySelector("#pane-objects .found")?.textContent.includes("found"));
  await press("ArrowDown");
  assert.ok(await focus("#tree"));
  const active = async () => (await page.waitForSelector("#tree .row.active .label")).textContent();
  for (let row = 0; row < 6 && (await active()) !== "Bricks"; row++) await press("ArrowDown");
  await press("Enter");
  await heading(page, "Bricks");
  // Its values: tabs are one stop, the form is another.
  await keyTo("Tab", "[role=tab]");
  await keyTo("ArrowRight", "#tab-properties", 8);
  await page.waitForSelector("[data-path=UClamp]");
  await keyTo("Tab", ".property *", 6);
  await keyTo("ArrowDown", "[data-path=UClamp]", 30);
  const type = async (value) => { await press("Control+a"); await page.keyboard.type(value); await press("Enter"); };
  await type("64");
  await done(page, 1);
  await page.waitForFunction(() => document.querySelector("[data-path=UClamp]")?.value === "64");
  assert.ok(await focus("[data-path=UClamp]"), "the field keeps the focus");
  await press("Alt+3", "Control+z");
  await done(page, 0);
  await page.waitForFunction(() => document.querySelector("[data-path=UClamp]")?.value === "128");
  // Once more, another value.
  await press("Alt+2");
  await keyTo("Tab", ".property *", 12);
  await keyTo("ArrowDown", "[data-path=UClamp]", 30);
  await type("32");
  await done(page, 1);
  await page.waitForSelector(".changed-mark");
  const { name, bytes } = await saved(page, () => press("Control+s"));
  assert.equal(name, "Courtyard.utx");
  await page.waitForFunction(() => !document.querySelector(".changed-mark"));
  assert.notDeepEqual(bytes, original);
  assert.deepEqual(await values(name, bytes, "Walls.Bricks", ["UClamp", "VClamp"]), ["32", "128"]);
  assert.equal(await page.evaluate(() => window.hadPointer), undefined);
  // No stop is without a name, and none is a trap: once around, all over.
  await press("Escape");
  const stops = new Set();
  for (let count = 0; count < 60; count++) {
    await press("Tab");
    const said = await page.evaluate(() => {
      const element = document.activeElement;
      if (!element || element === document.body) return "";
      const name = element.getAttribute("aria-label") || element.textContent.trim() || element.id;
      return name ? `${element.tagName} ${name}` : "nameless";
    });
    assert.notEqual(said, "nameless");
    if (said) stops.add(said);
  }
  assert.ok(stops.size > 10, [...stops].join("; "));
  assert.deepEqual(seen.console, []);
  await context.close();
});

test("without a pointer: an actor of a map is found and opened, and its place read", { timeout: 120_000 }, async () => {
  const { page, context, seen } = await openPage(browser);
  const press = async (...keys) => { for (const key of keys) await page.keyboard.press(key); };
  const focus = (test) => page.evaluate((test) => document.activeElement?.matches(test), test);
  const keyTo = async (key, test, most = 40) => {
    for (let count = 0; count < most && !(await focus(test)); count++) await press(key);
    assert.ok(await focus(test), `${key} does not lead to ${test}`);
  };
  await keyTo("Tab", "[data-sample='Yard.unr']");
  await press("Enter");
  await page.waitForFunction(() => document.getElementById("map")?.dataset.view);
  await keyTo("Tab", ".map .filter");
  await page.keyboard.type("playerstart");
  await page.waitForFunction(() => /^4 actors/.test(document.querySelector(".map .found").textContent));
  await press("ArrowDown", "ArrowDown");
  assert.ok(await focus("#actors"));
  await press("Enter");
  // The place stands there once the row is loaded.
  const stated = page.locator("#actors .row.active > :last-child").filter({ hasText: ", " });
  const place = (await stated.textContent()).split(", ").map(Number);
  // The canvas opens what is chosen.
  await keyTo("Shift+Tab", "#map", 6);
  await press("Enter");
  await heading(page, "PlayerStart1");
  await keyTo("Tab", "[role=tab]");
  await keyTo("ArrowRight", "#tab-properties", 8);
  await page.waitForSelector("[data-property=Location]");
  const parts = (await page.inputValue("[data-path=Location]")).match(/-?\d+(\.\d+)?/g).map(Number);
  assert.deepEqual(parts.map(Math.round), place);
  assert.deepEqual(seen.console, []);
  await context.close();
});

test("on a phone: a folder, a texture, a value, by touch alone", { timeout: 120_000 }, async () => {
  const bytes = await sample("Courtyard.utx");
  const context = await browser.newContext({ viewport: { width: 390, height: 780 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2, acceptDownloads: true });
  const { page: first, context: other } = await openPage(browser);
  const url = first.url();
  await other.close();
  const page = await context.newPage();
  await page.goto(url);
  await page.waitForSelector("html[data-ready=yes]");
  await page.evaluate(() => { document.documentElement.dataset.download = "yes"; });
  const fits = async (where) => assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), where);
  await fits("start");
  await choose(page, Array.from({ length: 12 }, (_, at) => ({ name: `Wall${at}.utx`, buffer: bytes })));
  await page.waitForSelector("#files .row .label");
  await fits("a tree of files");
  await page.tap("#files .row:has-text('Wall3.utx')");
  await opened(page);
  await page.tap("#panes [data-pane=objects]");
  await pickObject(page, "Bricks", (element) => element.tap());
  // Choosing leads to the details: one pane at a time.
  assert.ok(await page.locator("#details-panel").isVisible());
  await page.getByRole("tab", { name: "Picture" }).tap();
  await page.waitForSelector("canvas.picture");
  await fits("a picture");
  await page.getByRole("tab", { name: "Properties" }).tap();
  await page.tap("[data-path=UClamp]");
  await page.keyboard.press("Control+a");
  await page.keyboard.type("16");
  await page.keyboard.press("Enter");
  await page.waitForSelector(".changed-mark");
  await fits("properties");
  // What is saved has the value, and is marked no more.
  const file = await saved(page, () => page.tap("button:has-text('Save')"));
  assert.equal(file.name, "Wall3.utx");
  await page.waitForFunction(() => !document.querySelector(".changed-mark"));
  assert.deepEqual(await values(file.name, file.bytes, "Walls.Bricks", ["UClamp", "VClamp"]), ["16", "128"]);
  await page.tap("#panes [data-pane=bytes]");
  assert.ok(await page.locator("#hex").isVisible());
  await page.tap("#hex", { position: { x: 120, y: 60 } });
  await page.waitForFunction(() => document.querySelector(".field-path")?.textContent);
  await fits("bytes");
  // What is tapped is no smaller than a fingertip is said to be at least: 24 pixels.
  const small = await page.evaluate(() => [...document.querySelectorAll("button, select, input")].filter((element) => element.offsetParent && !element.matches(".link, .property-bytes, [type=checkbox], .hidden"))
    .map((element) => [element.textContent || element.getAttribute("aria-label"), element.getBoundingClientRect().height]).filter(([, height]) => height < 24));
  assert.deepEqual(small, []);
  await accessible(page, "a phone, bytes");
  await context.close();
});
