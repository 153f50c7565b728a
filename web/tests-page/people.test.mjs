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
  // A brush leads to its shape by a click on what it refers to.
  await page.evaluate(() => window.page.app.go("path:Brush1", "properties"));
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
    return new Set(new Uint32Array(data.buffer)).size;
  });
  assert.ok(colours > 2, `${colours} colours`);
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
  await page.evaluate(() => window.page.app.go("path:Walls.Bricks", "properties"));
  const set = async (path, value) => {
    await page.fill(`[data-path=${path}]`, value);
    await page.press(`[data-path=${path}]`, "Enter");
    await page.waitForFunction(([path, value]) => document.querySelector(`[data-path=${path}]`)?.value === value, [path, value]);
  };
  const done = (count) => page.waitForFunction((count) => (window.page.doc().summary.changes?.done ?? 0) === count, count);
  await set("UClamp", "64");
  await done(1);
  await set("VClamp", "32");
  await done(2);
  await page.click("button:has-text('Undo')");
  await done(1);
  await page.evaluate(() => window.page.app.go("path:Texts.Readme", "text"));
  await page.waitForSelector("textarea.text");
  await page.fill("textarea.text", "Changed by hand.");
  await page.press("textarea.text", "Control+Enter");
  await done(2);
  assert.match(await badge(page), /Rebuilt byte for byte/);
  // What was done is listed, each with the command that does the same.
  await page.click("button:has-text('Changes')");
  const commands = await page.locator(".changes .command").allTextContents();
  assert.equal(commands.length, 2);
  assert.match(commands[0], /^upk set Courtyard\.utx .*UClamp=64/);
  const { bytes: after } = await saved(page, () => page.click("button:has-text('Save')"));
  assert.notDeepEqual(after, before);
  await page.waitForFunction(() => !document.querySelector(".changed-mark"));
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
  // A byte of a value marks its property; the property leads back to its bytes.
  const [start, end] = await page.evaluate(async () => {
    await window.page.app.go("path:Walls.Bricks", "properties");
    const { row } = await window.page.doc().detailsOf("path:Walls.Bricks");
    return (await window.page.doc().get("property-range", { row, path: "USize" })).range;
  });
  await page.waitForSelector("[data-property=USize]");
  assert.equal(bytes.readInt32LE(end - 4), 128);
  await page.evaluate((at) => window.page.app.goByte(at), end - 1);
  await page.waitForSelector("[data-property=USize][aria-current=true]");
  await page.click("[data-property=USize] .property-bytes");
  await page.waitForFunction((start) => window.page.app.hex.view.marked?.[0] === start, start);
  // The layout that the field comes from: its fields with types, and what is said of them.
  await page.evaluate(() => window.page.app.goByte(0));
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

test("without a pointer: a map, its actors, an object that is looked for, a file that is saved", { timeout: 120_000 }, async () => {
  const { page, context, seen } = await openPage(browser);
  const press = async (...keys) => { for (const key of keys) await page.keyboard.press(key); };
  const focus = (test) => page.evaluate((test) => document.activeElement?.matches(test), test);
  const tabTo = async (test, most = 40) => {
    for (let count = 0; count < most && !(await focus(test)); count++) await press("Tab");
    assert.ok(await focus(test), `Tab does not lead to ${test}`);
  };
  await tabTo("[data-sample='Yard.unr']");
  await press("Enter");
  await page.waitForFunction(() => document.getElementById("map")?.dataset.view);
  // The map: to the list of its actors, one of them, its page.
  await tabTo(".map .filter");
  await page.keyboard.type("playerstart");
  await page.waitForFunction(() => /^4 actors/.test(document.querySelector(".map .found").textContent));
  await press("ArrowDown", "ArrowDown");
  assert.ok(await focus("#actors"));
  await press("Enter");
  await page.keyboard.press("Shift+Tab");
  // Here the test moves the focus, not a key.
  await page.focus("#map");
  await press("Enter");
  await heading(page, "PlayerStart1");
  // Its values: the form is one stop.
  await press("Alt+2");
  for (let count = 0; count < 12 && !(await focus("[role=tab]")); count++) await press("Shift+Tab");
  for (let count = 0; count < 6 && !(await focus("#tab-properties")); count++) await press("ArrowRight");
  await page.waitForSelector("[data-property=Location]");
  await press("Alt+1", "Alt+3");
  assert.ok(await focus("#hex"));
  await press("n", "n");
  // An object is found by the tree's own filter; the key saves the package, which has no changes.
  await press("/");
  await page.keyboard.type("Light3");
  await page.waitForFunction(() => document.querySelector("#pane-objects .found")?.textContent.includes("found"));
  await press("ArrowDown");
  for (let row = 0; row < 6 && (await page.textContent("#tree .row.active .label")) !== "Light3"; row++) await press("ArrowDown");
  await press("Enter");
  await heading(page, "Light3");
  const { name } = await saved(page, () => press("Control+s"));
  assert.equal(name, "Yard.unr");
  // No stop is without a sign of the focus, and none is a trap: once around, all over.
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
  await page.tap("#tree .row:has-text('Exports') .twisty:not(.open)", { timeout: 1_000 }).catch(() => {});
  await page.tap("#tree .row:has-text('Bricks')", { timeout: 2_000 }).catch(() => page.evaluate(() => window.page.app.go("path:Walls.Bricks")));
  await heading(page, "Bricks");
  // Choosing leads to the details: one pane at a time.
  assert.ok(await page.locator("#details-panel").isVisible());
  await page.getByRole("tab", { name: "Picture" }).tap();
  await page.waitForSelector("canvas.picture");
  await fits("a picture");
  await page.getByRole("tab", { name: "Properties" }).tap();
  await page.fill("[data-path=UClamp]", "16");
  await page.press("[data-path=UClamp]", "Enter");
  await page.waitForSelector(".changed-mark");
  await fits("properties");
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
