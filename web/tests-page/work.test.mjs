// What one does with packages: two compared and conformed, things found, things changed and taken back; the same page
// in parts, and its policy.

import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { accessible, ask, badge, choose, corpus, launch, openPage, openSample, opened, root, saved } from "./browser.mjs";

const pictures = process.env.PAGE_PICTURES ?? join(root, "dist/pictures");
mkdirSync(pictures, { recursive: true });
let browser;
before(async () => { browser = await launch(); });
after(() => browser.close());

const closeAll = (page) => page.evaluate(() => { for (const button of document.querySelectorAll(".file [aria-label^=Close], .notice button")) button.click(); });
const change = (page, change) => page.evaluate((change) => window.page.app.change(change), change);
const save = (page) => saved(page, () => page.click("button:has-text('Save')"));

test("two packages dropped together: compared, conformed", { timeout: 90_000 }, async () => {
  const { page, context, seen } = await openPage(browser);
  await openSample(page);
  const old = await save(page);
  assert.equal(await change(page, { do: "set", object: "Walls.Bricks", property: "UClamp", value: "64" }), true);
  assert.equal(await change(page, { do: "add-name", name: "Unused" }), true);
  assert.equal(await change(page, { do: "guid" }), true);
  assert.equal(await change(page, { do: "duplicate", object: "Texts.Readme", name: "Manual" }), true);
  const next = await save(page);
  await closeAll(page);
  // Dropped, as a user drops files.
  await page.evaluate(([files]) => {
    const transfer = new DataTransfer();
    for (const { name, text } of files) transfer.items.add(new File([Uint8Array.from(atob(text), (char) => char.charCodeAt(0))], name));
    document.body.dispatchEvent(new DragEvent("drop", { dataTransfer: transfer, bubbles: true, cancelable: true }));
  }, [[{ name: "Old.utx", text: old.bytes.toString("base64") }, { name: "New.utx", text: next.bytes.toString("base64") }]]);
  await page.click(".notice .link:has-text('Compare them')");
  await page.waitForSelector(".verdict");
  assert.match(await page.textContent(".details-head h2"), /Old\.utx → New\.utx/);
  const said = await page.textContent(".details-body");
  assert.match(said, /1 added, 0 removed, 0 renamed, 1 changed/);
  assert.match(said, /UClamp 128 → 64/);
  assert.match(said, /Texts\.Manual/);
  assert.match(said, /from meeting the old one/);
  for (const theme of ["light", "dark"]) {
    await accessible(page, `compare, ${theme}`);
    await page.screenshot({ path: join(pictures, `compare-${theme}.png`) });
    await page.click("#theme");
  }
  await page.click("button:has-text('Conform it')");
  await page.waitForFunction(() => /It conforms to the old one/.test(document.querySelector(".details-body")?.textContent ?? ""));
  const guid = await page.evaluate(async () => (await window.page.doc().detailsOf("header")).facts.find(({ label }) => label === "GUID").value);
  assert.equal(guid.slice(0, 8), old.bytes.readUInt32LE(36).toString(16).toUpperCase().padStart(8, "0"));
  assert.match(await badge(page), /Rebuilt byte for byte/);
  assert.deepEqual(seen.console, []);
  await context.close();
});

test("bytes, texts, numbers, names, places are found", { timeout: 60_000 }, async () => {
  const { page, context } = await openPage(browser);
  await openSample(page);
  const { bytes } = await save(page);
  const find = async (what, text) => {
    await page.selectOption("[aria-label='What to search for']", what);
    await page.fill("#find", text);
    await page.press("#find", "Enter");
    await page.waitForTimeout(250);
    return page.evaluate(() => [document.querySelector("#pane-bytes .found").textContent, window.page.app.hex.view.cursor]);
  };
  await page.click("#hex", { position: { x: 120, y: 10 } });
  await page.keyboard.press("Control+Home");
  const text = bytes.indexOf("courtyard");
  assert.equal((await find("text", "courtyard"))[1], text);
  assert.match((await find("text", "courtyard"))[0], /around the end/);
  assert.equal((await find("bytes", "c1 83 2a 9e"))[1], 0);
  assert.equal((await find("number", "69"))[1], 4);
  assert.equal((await find("place", "0x24"))[1], 0x24);
  assert.equal((await find("text", "0x10"))[1], 0x10);
  assert.equal((await find("text", "not there at all"))[0], "Not found.");
  // Case does not count in texts; numbers are found in every width.
  assert.equal((await find("text", "COURTYARD"))[1], text);
  await page.click("#hex", { position: { x: 120, y: 10 } });
  await page.keyboard.press("Control+Home");
  assert.equal((await find("number-1", "0xc1"))[1], bytes.indexOf(0xc1, 1) < 0 ? 0 : bytes.indexOf(0xc1, 1));
  await page.keyboard.press("Control+Home");
  const size = Buffer.alloc(8);
  size.writeBigInt64LE(69n);
  assert.equal((await find("number-8", "69"))[0].startsWith("Not found"), bytes.indexOf(size) < 0);
  assert.equal((await find("number-2", "0x2a83"))[1], bytes.indexOf(Buffer.from([0x83, 0x2a])));
  // 1,024 as the compact index: 0x40 goes on, 16 times 64.
  const compact = Buffer.from([0x40, 0x10]);
  assert.equal((await find("compact", "1024"))[0].startsWith("Not found"), bytes.indexOf(compact) < 0);
  assert.match((await find("number-1", "256"))[0], /no whole number of 1 bytes/);
  assert.match((await find("bytes", "xyz"))[0], /no bytes.*pairs of hexadecimal digits/);
  await find("name", "USize");
  await page.waitForFunction(() => document.querySelector(".details-head h2")?.textContent === "USize");
  // What refers to the name are the textures.
  await page.getByRole("tab", { name: "References" }).click();
  await page.waitForFunction(() => /Walls\.Bricks/.test(document.querySelector(".references")?.textContent ?? ""));
  await context.close();
});

test("a property leads to its bytes, and a byte to its property", { timeout: 60_000 }, async () => {
  const { page, context } = await openPage(browser);
  await openSample(page);
  const { bytes } = await save(page);
  await page.evaluate(() => window.page.app.go("path:Walls.Bricks", "properties"));
  await page.waitForSelector("[data-property=USize]");
  const marked = () => page.evaluate(() => window.page.app.hex.view.marked);
  const before = await marked();
  await page.click("[data-property=USize] .property-bytes");
  await page.waitForFunction((before) => String(window.page.app.hex.view.marked) !== before, String(before));
  const [start, end] = await page.evaluate(async () => {
    const { row } = await window.page.doc().detailsOf("path:Walls.Bricks");
    return (await window.page.doc().get("property-range", { row, path: "USize" })).range;
  });
  // Name, type and size, the value: 128.
  assert.equal(bytes.readInt32LE(end - 4), 128);
  assert.ok(end - start >= 6 && end - start <= 8, `${start} ${end}`);
  // From the bytes of another one to its row.
  const other = await page.evaluate(async () => {
    const { row } = await window.page.doc().detailsOf("path:Walls.Bricks");
    return (await window.page.doc().get("property-range", { row, path: "VClamp" })).range;
  });
  await page.evaluate((at) => window.page.app.goByte(at), other[1] - 1);
  await page.waitForSelector("[data-property=VClamp][aria-current=true]");
  assert.equal(await page.locator(".property[aria-current]").count(), 1);
  await context.close();
});

test("one search over names, values and texts", { timeout: 60_000 }, async () => {
  const { page, context, seen } = await openPage(browser);
  await openSample(page);
  await page.keyboard.press("Control+Shift+F");
  await page.keyboard.type("bricks");
  await page.keyboard.press("Enter");
  await page.waitForSelector(".hits");
  assert.match(await page.textContent(".details-body"), /Objects.*Walls\.Bricks/s);
  await accessible(page, "hits");
  await page.screenshot({ path: join(pictures, "hits-light.png") });
  await page.click(".hits button:has-text('Walls.Bricks')");
  await page.waitForFunction(() => document.querySelector(".details-head h2")?.textContent === "Bricks");
  // A value leads to its property and its bytes.
  await page.fill("#search", "128");
  await page.press("#search", "Enter");
  await page.waitForSelector(".hits button:has-text('.USize')");
  await page.click(".hits button:has-text('Bricks.USize')");
  await page.waitForSelector("[data-property=USize]");
  // Bytes: the text itself, a number of four bytes, pairs of digits.
  const places = async (text) => {
    await page.fill("#search", text);
    await page.press("#search", "Enter");
    await page.waitForFunction((text) => document.querySelector(".details-head h2")?.textContent === text && document.querySelector(".hits-bytes"), text);
    return page.locator(".hits-bytes li").allTextContents();
  };
  const { bytes } = await save(page);
  const at = (needle) => `0x${bytes.indexOf(needle).toString(16)}`;
  assert.ok((await places("COURTYARD")).includes(`${at("courtyard")} textTexts.Readme`));
  assert.ok((await places("128")).some((text) => text.includes(" numberWalls.")));
  assert.ok((await places("c1 83 2a 9e")).some((text) => text.startsWith("0x0 bytes")));
  await page.click(".hits-bytes button");
  await page.waitForFunction(() => window.page.app.hex.view.cursor === 0);
  await page.fill("#search", "nowhere at all");
  await page.press("#search", "Enter");
  await page.waitForSelector(".details-body:has-text('Found nowhere')");
  assert.deepEqual(seen.console, []);
  await context.close();
});

test("a picture is saved as PNG, texel by texel", { timeout: 60_000 }, async () => {
  const { page, context } = await openPage(browser);
  await openSample(page);
  await page.evaluate(() => window.page.app.go("path:Walls.Bricks", "picture"));
  await page.waitForSelector("canvas.picture");
  const { name, bytes } = await saved(page, () => page.click("button:has-text('Save as PNG')"));
  assert.equal(name, "Bricks.png");
  // The browser's own decoder reads what the module has decoded.
  const isSame = await page.evaluate(async (file) => {
    const bitmap = await createImageBitmap(new Blob([Uint8Array.from(file)], { type: "image/png" }), { premultiplyAlpha: "none" });
    const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
    canvas.getContext("2d").drawImage(bitmap, 0, 0);
    const found = canvas.getContext("2d").getImageData(0, 0, bitmap.width, bitmap.height).data;
    const { bytes } = await window.page.doc().ask("picture", { key: (await window.page.doc().detailsOf("path:Walls.Bricks")).key });
    const wanted = new Uint8Array(bytes);
    return found.length === wanted.length && found.every((value, at) => value === wanted[at]);
  }, [...bytes]);
  assert.equal(isSame, true);
  await page.selectOption("[aria-label=Zoom]", "8");
  assert.ok(await page.evaluate(() => document.querySelector("canvas.picture").getBoundingClientRect().width) >= 8 * 64);
  await context.close();
});

test("changes of every kind, taken back one by one", { timeout: 90_000 }, async () => {
  const { page, context, seen } = await openPage(browser);
  await openSample(page);
  const { bytes: before } = await save(page);
  const changes = [
    { do: "set", object: "Walls.Bricks", property: "UClamp", value: "64" },
    { do: "unset", object: "Walls.Bricks", property: "VClamp" },
    { do: "rename", object: "Walls.Fence", name: "Railing" },
    { do: "rename-name", old: "Ground", new: "Floor" },
    { do: "add-name", name: "Another" },
    { do: "package-flags", add: ["ServerSideOnly"], remove: [] },
    { do: "object-flags", object: "Walls.Bricks", add: ["Standalone"], remove: [] },
    { do: "guid", guid: "00112233445566778899AABBCCDDEEFF" },
    { do: "text", object: "Texts.Readme", text: "Another text, which is longer than the one before: everything behind it moves. ".repeat(3) },
    { do: "duplicate", object: "Texts.Readme", name: "Manual" },
    { do: "remove", object: "Texts.Readme" },
  ];
  for (const one of changes) assert.equal(await change(page, one), true, JSON.stringify(one));
  const list = await ask(page, "changes");
  assert.equal(list.done, changes.length);
  assert.deepEqual(list.list.map(({ command }) => command.split(" ").slice(0, 2).join(" ")), ["upk set", "upk set", "upk rename", "upk rename",
    "upk add-name", "upk set-flags", "upk set-flags", "upk set-guid", "upk set", "upk duplicate", "upk remove"]);
  assert.match(await badge(page), /Rebuilt byte for byte/);
  const after = await save(page);
  assert.ok(!after.bytes.equals(before));
  // A change that can't be is refused, and nothing is lost.
  assert.equal(await change(page, { do: "remove", object: "Walls.Palette1" }), false);
  assert.match(await page.textContent(".notice"), /Not changed.*Walls\.Bricks/s);
  assert.ok((await save(page)).bytes.equals(after.bytes));
  for (let count = changes.length; count > 0; count--) {
    await page.click("button:has-text('Undo')");
    await page.waitForFunction((done) => window.page.doc().summary.changes?.done === done, count - 1);
  }
  assert.ok((await save(page)).bytes.equals(before), "all taken back is the file as it was");
  for (let count = 0; count < changes.length; count++) {
    await page.click("button:has-text('Redo')");
    await page.waitForFunction((done) => window.page.doc().summary.changes?.done === done, count + 1);
  }
  assert.ok((await save(page)).bytes.equals(after.bytes), "all done again is the file as it was changed");
  assert.deepEqual(seen.console, []);
  await context.close();
});

test("the same page in parts, and its policy", { timeout: 60_000 }, async () => {
  const folder = pathToFileURL(join(root, "dist/folder/index.html")).href;
  const { page, context, seen } = await openPage(browser, { url: folder });
  await openSample(page, "DT_Weapons.uasset");
  assert.match(await badge(page), /Rebuilt byte for byte/);
  for (const file of ["dist/page.html", "dist/folder/index.html"]) {
    const policy = /Content-Security-Policy" content="([^"]*)"/.exec(readFileSync(join(root, file), "utf8"))[1];
    assert.match(policy, /default-src 'none'/);
    assert.doesNotMatch(policy.replace("'wasm-unsafe-eval'", ""), /unsafe/, file);
  }
  const denied = await page.evaluate(async () => {
    const outcome = {};
    // What the test's own call may do, the page may not.
    await new Promise((resolve) => setTimeout(resolve, 50));
    try {
      eval("1");
      outcome.eval = "ran";
    } catch {
      outcome.eval = "denied";
    }
    try {
      await fetch("https://example.com/");
      outcome.fetch = "ran";
    } catch {
      outcome.fetch = "denied";
    }
    return outcome;
  });
  assert.deepEqual(denied, { eval: "denied", fetch: "denied" });
  assert.deepEqual(seen.requests, []);
  await context.close();
});

const classes = corpus && join(corpus, "classic/69_0_EnergySword.u");
test("code, and its strings", { skip: classes && existsSync(classes) ? false : "UPK_CORPUS names no folder of real packages", timeout: 60_000 }, async () => {
  const { page, context } = await openPage(browser);
  await choose(page, classes);
  await opened(page);
  const rows = await ask(page, "tree", { from: 0, count: 400 });
  const row = rows.rows.find(({ icon }) => icon === "Class");
  await page.evaluate((key) => window.page.app.go(key, "code"), row.key);
  await page.waitForSelector(".code .code-word");
  assert.match(await page.textContent(".code"), /^class \w+\s+(expands|extends) /m);
  for (const theme of ["light", "dark"]) {
    await page.waitForTimeout(300);
    await page.screenshot({ path: join(pictures, `code-${theme}.png`) });
    await accessible(page, `code, ${theme}`);
    await page.click("#theme");
  }
  await context.close();
});

test("release and game are chosen where a file does not say them", { timeout: 60_000 }, async () => {
  const { page, context, seen } = await openPage(browser);
  await openSample(page, "DT_Weapons.uasset");
  await page.selectOption("[aria-label=Release]", "5.4");
  await page.waitForFunction(() => document.querySelector("[aria-label=Release]")?.value === "5.4" && window.page.doc().summary.release === "5.4");
  assert.match(await badge(page), /Rebuilt byte for byte/);
  await closeAll(page);
  await openSample(page);
  await page.selectOption("[aria-label=Game]", "ut2004");
  await page.waitForFunction(() => window.page.doc().game === "ut2004" && window.page.doc().summary.game === "ut2004");
  await page.selectOption("[aria-label=Game]", "");
  await page.waitForFunction(() => window.page.doc().summary.game === "mainline");
  assert.match(await badge(page), /Rebuilt byte for byte/);
  assert.deepEqual(seen.console, []);
  await context.close();
});
