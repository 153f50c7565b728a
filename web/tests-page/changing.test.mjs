// What is seen is changed: pictures, sounds and tables from files, code from its text, places on the map, colours. What is saved is what the
// command writes, where it is built.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { deflateSync, inflateSync, crc32 } from "node:zlib";
import { accessible, actors, ask, badge, choose, command, corpus, launch, opened, openPage, openSample, saved } from "./browser.mjs";

let browser;
before(async () => { browser = await launch(); });
after(() => browser.close());

const go = (page, key, tab) => page.evaluate(([key, tab]) => window.page.app.go(key, tab), [key, tab]);
const change = (page, change) => page.evaluate((change) => window.page.app.change(change), change);
const save = (page) => saved(page, () => page.click("button:has-text('Save'):not(.details-pane button)"));
const changesDone = (page, count) => page.waitForFunction((count) => (window.page.doc().summary.changes?.done ?? 0) === count, count);
const file = (name, buffer) => ({ name, mimeType: "application/octet-stream", buffer: Buffer.from(buffer) });
const put = (page, name, buffer) => page.setInputFiles(".details-pane [data-replace]", file(name, buffer));
const lastCommand = async (page) => (await ask(page, "changes")).list.at(-1).command;

/** What the command makes of a file: its words are those after the file's name. */
function byCommand(name, bytes, words, files = {}) {
  const folder = mkdtempSync(join(tmpdir(), "changing-"));
  writeFileSync(join(folder, name), bytes);
  for (const [name, bytes] of Object.entries(files)) writeFileSync(join(folder, name), bytes);
  const [verb, ...rest] = words;
  execFileSync(command, [verb, name, ...rest, "--in-place", "--no-backup"], { cwd: folder, stdio: "pipe" });
  return (file = name) => readFileSync(join(folder, file));
}

/** A PNG of red, green, blue, alpha. */
function png(width, height, texel) {
  const rows = Buffer.alloc(height * (width * 4 + 1));
  for (let y = 0; y < height; y++) for (let x = 0; x < width; x++) rows.set(texel(x, y), y * (width * 4 + 1) + 1 + x * 4);
  const chunk = (name, data) => {
    const bytes = Buffer.concat([Buffer.alloc(4), Buffer.from(name), data, Buffer.alloc(4)]);
    bytes.writeUInt32BE(data.length, 0);
    bytes.writeUInt32BE(crc32(bytes.subarray(4, bytes.length - 4)), bytes.length - 4);
    return bytes;
  };
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 6], 8);
  return Buffer.concat([Buffer.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10]), chunk("IHDR", head), chunk("IDAT", deflateSync(rows)), chunk("IEND", Buffer.alloc(0))]);
}

/** The texels of such a PNG. */
function texels(file) {
  const width = file.readUInt32BE(16);
  const rows = inflateSync(file.subarray(41, 41 + file.readUInt32BE(33)));
  return (x, y) => [...rows.subarray(y * (width * 4 + 1) + 1 + x * 4, y * (width * 4 + 1) + 5 + x * 4)];
}

const shown = (page) => page.evaluate(async () => [...new Uint8Array((await window.page.doc().ask("picture", { key: (await window.page.doc().detailsOf("path:Walls.Bricks")).key })).bytes)]);

test("a picture goes in from a PNG, a TGA and a drop, and comes out as TGA", { timeout: 90_000 }, async () => {
  const { page, context, seen } = await openPage(browser);
  await openSample(page);
  const { bytes: before } = await save(page);
  await go(page, "path:Walls.Bricks", "picture");
  await page.waitForSelector("canvas.picture");
  const { bytes: out } = await saved(page, () => page.click("button:has-text('Save as PNG')"));
  const old = texels(out);
  // Eight texels take the colour of mortar, which the palette has.
  const mortar = old(0, 0);
  const wanted = (x, y) => (x >= 8 && x < 12 && y >= 4 && y < 6 ? mortar : old(x, y));
  const picture = png(128, 128, wanted);
  await put(page, "Mine.png", picture);
  await changesDone(page, 1);
  assert.match(await badge(page), /Rebuilt byte for byte/);
  const list = (await ask(page, "changes")).list;
  assert.match(list[0].text, /Walls\.Bricks: 8 texels changed/);
  assert.equal(list[0].command, "upk import Courtyard.utx Walls.Bricks Mine.png");
  const pixels = await shown(page);
  assert.deepEqual(pixels.slice((4 * 128 + 8) * 4, (4 * 128 + 12) * 4), [...mortar, ...mortar, ...mortar, ...mortar]);
  const after = await save(page);
  assert.ok(!after.bytes.equals(before));
  if (command) assert.ok(byCommand("Courtyard.utx", before, ["import", "Walls.Bricks", "Mine.png"], { "Mine.png": picture })().equals(after.bytes), "as the command writes it");
  await accessible(page, "a picture with its buttons");
  // Undone and done again from what was kept, without the file.
  await page.click("button:has-text('Undo')");
  await changesDone(page, 0);
  assert.ok((await save(page)).bytes.equals(before));
  await page.click("button:has-text('Redo')");
  await changesDone(page, 1);
  assert.ok((await save(page)).bytes.equals(after.bytes));
  // Out as TGA and in again: nothing differs.
  await page.waitForSelector("canvas.picture");
  const tga = await saved(page, () => page.click("button:has-text('as TGA')"));
  assert.equal(tga.name, "Bricks.tga");
  assert.equal(tga.bytes.length, 18 + 128 * 128 * 4);
  await page.click("button:has-text('Undo')");
  await changesDone(page, 0);
  await put(page, "Bricks.tga", tga.bytes);
  await changesDone(page, 1);
  assert.ok((await save(page)).bytes.equals(after.bytes), "the TGA has the same texels");
  // Dropped on the picture it goes in; it is not opened as a package.
  await page.evaluate((bytes) => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([Uint8Array.from(bytes)], "Old.png"));
    document.querySelector(".picture-ground").dispatchEvent(new DragEvent("drop", { dataTransfer: transfer, bubbles: true, cancelable: true }));
  }, [...out]);
  await changesDone(page, 2);
  assert.match((await ask(page, "changes")).list[1].text, /8 texels changed/);
  assert.equal(await page.evaluate(() => window.page.app.docs.length), 1);
  // A texture with a palette has no DDS, which is said.
  await page.click("button:has-text('as DDS')");
  await page.waitForSelector(".notice:has-text('DDS')");
  // What is no picture is refused, and nothing is lost.
  await put(page, "Wrong.png", Buffer.from("no picture at all"));
  await page.waitForSelector(".notice:has-text('Not changed')");
  await changesDone(page, 2);
  assert.deepEqual(seen.console, []);
  assert.deepEqual(seen.requests, []);
  await context.close();
});

test("colours that a shared palette lacks: what can be done is offered", { timeout: 60_000 }, async () => {
  const { page, context, seen } = await openPage(browser);
  await openSample(page);
  const palette = (await ask(page, "properties", { row: (await page.evaluate(() => window.page.doc().detailsOf("path:Walls.Bricks"))).row })).properties.find(({ path }) => path === "Palette").text;
  assert.equal(await change(page, { do: "set", object: "Walls.Fence", property: "Palette", value: palette }), true);
  const { bytes: before } = await save(page);
  const picture = png(128, 128, (x, y) => [x * 2, y * 2, 255 - x, 255]);
  await go(page, "path:Walls.Bricks", "picture");
  await page.waitForSelector("canvas.picture");
  for (const [word, flag, said] of [["Take the nearest colours", "--keep-palette", /texels changed/], ["Give it a palette of its own", "--own-palette", /a new palette/]]) {
    await put(page, "New.png", picture);
    await page.waitForSelector(".refused button");
    assert.match(await page.textContent(".refused"), /colours that .* other objects use as well/);
    assert.equal(await page.evaluate(() => document.activeElement.textContent), "Take the nearest colours");
    await accessible(page, "a picture that was refused");
    await page.click(`.refused button:has-text('${word}')`);
    await changesDone(page, 2);
    assert.match((await ask(page, "changes")).list[1].text, said);
    assert.equal(await lastCommand(page), `upk import Courtyard.utx Walls.Bricks New.png ${flag}`);
    if (command) {
      const theirs = byCommand("Courtyard.utx", before, ["import", "Walls.Bricks", "New.png", flag], { "New.png": picture })();
      assert.ok(theirs.equals((await save(page)).bytes), `as the command writes it with ${flag}`);
    }
    await page.click("button:has-text('Undo')");
    await changesDone(page, 1);
    await page.waitForSelector("canvas.picture");
  }
  assert.deepEqual(seen.console, []);
  await context.close();
});

test("a sound goes in, and what is none is refused", { timeout: 60_000 }, async () => {
  const { page, context, seen } = await openPage(browser);
  await openSample(page);
  const { bytes: before } = await save(page);
  await go(page, "path:Ambient.Bell", "sound");
  await page.waitForSelector("#wave-facts");
  const { bytes: bell } = await saved(page, () => page.click("button:has-text('Save the sound')"));
  // The same bell, twice as fast.
  const fast = Buffer.from(bell);
  fast.writeUInt32LE(22_050, 24);
  fast.writeUInt32LE(22_050, 28);
  await put(page, "Fast.wav", fast);
  await changesDone(page, 1);
  await page.waitForFunction(() => /^0\.25 seconds/.test(document.querySelector("#wave-facts")?.textContent ?? ""));
  assert.equal(await lastCommand(page), "upk import Courtyard.utx Ambient.Bell Fast.wav");
  assert.match(await badge(page), /Rebuilt byte for byte/);
  const after = await save(page);
  if (command) assert.ok(byCommand("Courtyard.utx", before, ["import", "Ambient.Bell", "Fast.wav"], { "Fast.wav": fast })().equals(after.bytes), "as the command writes it");
  await accessible(page, "a sound with its buttons");
  await put(page, "Wrong.wav", Buffer.from("OggS and no more"));
  await page.waitForSelector(".notice:has-text('Not changed')");
  await changesDone(page, 1);
  await page.click("button:has-text('Undo')");
  await changesDone(page, 0);
  assert.ok((await save(page)).bytes.equals(before));
  assert.deepEqual(seen.console, []);
  await context.close();
});

test("a table: CSV out, in, pasted whole and as a block", { timeout: 60_000 }, async () => {
  const { page, context, seen } = await openPage(browser);
  await openSample(page, "DT_Weapons.uasset");
  const { bytes: before } = await save(page);
  await go(page, "path:DT_Weapons", "table");
  await page.waitForSelector("table.table");
  const csv = await saved(page, () => page.click("button:has-text('Save as CSV')"));
  assert.equal(csv.name, "DT_Weapons.csv");
  const text = csv.bytes.toString();
  assert.match(text, /^[^,]*,Damage,Range,Title,Melee\n?/);
  const json = await saved(page, () => page.click("button:has-text('Save as JSON')"));
  assert.equal(JSON.parse(json.bytes.toString()).length, 3);
  const other = text.replace("12.5", "14.5").replace(/^Bow.*\n/m, "").concat("Club,3,1,A club,true\n");
  await put(page, "Weapons.csv", Buffer.from(other));
  await changesDone(page, 1);
  assert.match((await ask(page, "changes")).list[0].text, /DT_Weapons: 1 cell changed, 1 row added, 1 row removed/);
  assert.equal(await lastCommand(page), "upk import DT_Weapons.uasset DT_Weapons Weapons.csv");
  assert.match(await badge(page), /Rebuilt byte for byte/);
  if (command) {
    const theirs = byCommand("DT_Weapons.uasset", before, ["import", "DT_Weapons", "Weapons.csv"], { "Weapons.csv": Buffer.from(other) })();
    assert.ok(theirs.equals((await save(page)).bytes), "as the command writes it");
  }
  await page.click("button:has-text('Undo')");
  await changesDone(page, 0);
  // The same by pasting it into the field, by keyboard.
  await page.waitForSelector("details.paste");
  await page.focus("details.paste summary");
  await page.keyboard.press("Enter");
  await page.fill("[aria-label='Rows as CSV']", other);
  // A change elsewhere draws the view anew: what is open and written in it stays, and the focus.
  assert.equal(await change(page, { do: "set", object: "DT_Weapons", property: "[Sword].Range", value: "9" }), true);
  await page.waitForFunction(() => document.querySelector("input[aria-label='Sword, Range']")?.value === "9");
  assert.equal(await page.inputValue("[aria-label='Rows as CSV']"), other);
  assert.equal(await page.evaluate(() => document.activeElement?.getAttribute("aria-label")), "Rows as CSV");
  await page.evaluate(() => window.page.app.travel("undo"));
  await changesDone(page, 0);
  await accessible(page, "a table with its field for rows");
  await page.click("button:has-text('Give it these rows')");
  await changesDone(page, 1);
  await page.waitForSelector("input[aria-label='Club, Damage']");
  await page.click("button:has-text('Undo')");
  await changesDone(page, 0);
  // A block of cells as spreadsheets copy it: one change.
  const paste = (cell, text) => page.evaluate(([cell, text]) => {
    const transfer = new DataTransfer();
    transfer.setData("text/plain", text);
    document.querySelector(`input[aria-label='${cell}']`).dispatchEvent(new ClipboardEvent("paste", { clipboardData: transfer, bubbles: true, cancelable: true }));
  }, [cell, text]);
  await page.waitForSelector("input[aria-label='Axe, Damage']");
  await paste("Axe, Damage", "20\t3\n10\t50\n");
  await changesDone(page, 1);
  assert.match((await ask(page, "changes")).list[0].text, /4 cells changed/);
  await page.waitForFunction(() => document.querySelector("input[aria-label='Bow, Range']")?.value === "50");
  await paste("Bow, Melee", "1\t2\n3\t4");
  await page.waitForSelector(".notice:has-text('do not fit')");
  await changesDone(page, 1);
  // One cell by hand.
  await page.fill("input[aria-label='Sword, Range']", "7");
  await page.press("input[aria-label='Sword, Range']", "Enter");
  await changesDone(page, 2);
  assert.deepEqual(seen.console, []);
  await context.close();
});

test("a function's text is compiled, with errors at their lines", { timeout: 90_000 }, async () => {
  const { page, context, seen } = await openPage(browser);
  await openSample(page, "LampPost.u");
  assert.match(await badge(page), /Rebuilt byte for byte/);
  const { bytes: before } = await save(page);
  await go(page, "path:LampPost.Light", "code");
  await page.waitForSelector("pre.code");
  await page.click("#code-edit");
  const area = page.locator("textarea.code");
  const text = await area.inputValue();
  assert.match(text, /Old = Brightness;/);
  const wrong = text.replace("Old = Brightness;", "Old = Nothing;").replace("bLit = true;", "bLit = 5 5;");
  await area.fill(wrong);
  await page.click("#compile");
  await page.waitForSelector(".code-errors li");
  const errors = await page.locator(".code-errors li").allTextContents();
  const line = wrong.split("\n").findIndex((line) => line.includes("5 5") || line.includes("Nothing")) + 1;
  assert.ok(errors.some((error) => /^Line \d+, column \d+: /.test(error)), errors.join("\n"));
  await accessible(page, "code with errors");
  await page.locator(".code-errors button").first().click();
  const chosen = await area.evaluate((area) => [area.value.slice(0, area.selectionStart).split("\n").length, document.activeElement === area]);
  assert.ok(chosen[1] && chosen[0] >= line, `${chosen} ${line}`);
  await changesDone(page, 0);
  // By keyboard: other statements, and a new local variable.
  const right = text.replace("Old = Brightness;", "Old = 7;\n\tBrightness = Old;");
  await area.fill(right);
  await area.press("Control+Enter");
  await changesDone(page, 1);
  await page.waitForFunction(() => /Old = 7;/.test(document.querySelector("pre.code")?.textContent ?? ""));
  assert.equal(await lastCommand(page), "upk set-code LampPost.u LampPost.Light Light.uc");
  assert.match(await badge(page), /Rebuilt byte for byte/);
  const after = await save(page);
  if (command) assert.ok(byCommand("LampPost.u", before, ["set-code", "LampPost.Light", "Light.uc"], { "Light.uc": Buffer.from(right) })().equals(after.bytes), "as the command writes it");
  await page.click("button:has-text('Undo')");
  await changesDone(page, 0);
  assert.ok((await save(page)).bytes.equals(before));
  // A state with its functions, and the default values of a class.
  for (const [object, old, fresh, name] of [["LampPost.Broken", "bLit = false;", "bLit = true;", "Broken.uc"], ["LampPost", "Brightness=64", "Brightness=96", "LampPost.uc"]]) {
    await go(page, `path:${object}`, "code");
    await page.waitForFunction((object) => window.page.app.details.shown?.path === object && document.querySelector("#code-edit"), object);
    await page.click("#code-edit");
    const text = await page.locator("textarea.code").inputValue();
    await page.locator("textarea.code").fill(text.replace(old, fresh));
    assert.notEqual(text, text.replace(old, fresh), text);
    await page.click("#compile");
    await changesDone(page, 1);
    assert.equal(await lastCommand(page), `upk set-code LampPost.u ${object} ${name}`);
    const { bytes } = await save(page);
    assert.ok(!bytes.equals(before));
    if (command) assert.ok(byCommand("LampPost.u", before, ["set-code", object, name], { [name]: Buffer.from(text.replace(old, fresh)) })().equals(bytes), `${object} as the command writes it`);
    await page.click("button:has-text('Undo')");
    await changesDone(page, 0);
  }
  await go(page, "path:LampPost.Light", "code");
  // Escape leaves it as it was.
  await page.waitForSelector("#code-edit");
  await page.click("#code-edit");
  await page.locator("textarea.code").press("Escape");
  await page.waitForSelector("pre.code");
  assert.deepEqual(seen.console, []);
  await context.close();
});

test("an actor is dragged on the map, moved by keys and put back where that fails", { timeout: 60_000 }, async () => {
  const { page, context, seen } = await openPage(browser);
  await openSample(page, "Yard.unr");
  const { bytes: before } = await save(page);
  await page.waitForSelector("#map[data-view]");
  const light = () => actors(page).then((actors) => actors.find(([, path]) => /Light0?$/.test(path) || /Light1$/.test(path)));
  const place = async () => (await light())[2];
  const [row, path, old] = await light();
  await page.fill("[aria-label='Filter the actors']", path.slice(path.lastIndexOf(".") + 1));
  const pixels = async ([x, y]) => {
    const [vx, vy, scale] = (await page.getAttribute("#map", "data-view")).split(" ").map(Number);
    const box = await page.locator("#map").boundingBox();
    return [box.x + box.width / 2 + (x - vx) / scale, box.y + box.height / 2 + (y - vy) / scale];
  };
  await page.waitForTimeout(400);
  let [x, y] = await pixels(old);
  await page.mouse.click(x, y);
  await page.waitForTimeout(200);
  const view = await page.getAttribute("#map", "data-view");
  const drag = async (keys, by) => {
    [x, y] = await pixels(await place());
    for (const key of keys) await page.keyboard.down(key);
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x + by / 2, y, { steps: 4 });
    await page.mouse.move(x + by, y + by / 2, { steps: 4 });
    await page.mouse.up();
    for (const key of keys) await page.keyboard.up(key);
  };
  await drag(["Shift"], 40);
  await changesDone(page, 1);
  const scale = Number(view.split(" ")[2]);
  const moved = await place();
  assert.ok(Math.abs(moved[0] - old[0] - 40 * scale) < 2 * scale && Math.abs(moved[1] - old[1] - 20 * scale) < 2 * scale, `${old} ${moved}`);
  assert.equal(moved[2], old[2], "the height stays");
  assert.equal(await lastCommand(page), `upk set Yard.unr '${path}.Location=(X=${moved[0]},Y=${moved[1]})'`);
  await page.waitForFunction((view) => document.querySelector("#map")?.dataset.view === view, view);
  if (command) assert.ok(byCommand("Yard.unr", before, ["set", `${path}.Location=(X=${moved[0]},Y=${moved[1]})`])().equals((await save(page)).bytes), "as the command writes it");
  await accessible(page, "a map with what moves");
  // Without a modifier, as on a phone: moving is switched on, and stays so.
  await page.click("#map-move");
  await drag([], -30);
  await changesDone(page, 2);
  await page.waitForSelector("#map-move[aria-pressed=true]");
  await page.click("#map-move");
  // Dragged without either the map moves, and nothing changes.
  await drag([], 30);
  await changesDone(page, 2);
  // Keys: three of them are one change.
  const from = await place();
  await page.focus("#map");
  for (let times = 0; times < 3; times++) await page.keyboard.press("Alt+ArrowRight");
  await changesDone(page, 3);
  assert.deepEqual(await place(), [from[0] + 48, from[1], from[2]]);
  await page.waitForFunction(() => document.activeElement?.id === "map");
  // A pointer over the map does not take along what keys move.
  const box = await page.locator("#map").boundingBox();
  await page.keyboard.press("Alt+ArrowLeft");
  await page.mouse.move(box.x + 20, box.y + 20, { steps: 3 });
  await changesDone(page, 4);
  assert.deepEqual(await place(), [from[0] + 32, from[1], from[2]]);
  for (let count = 4; count > 0; count--) {
    await page.click("button:has-text('Undo')");
    await changesDone(page, count - 1);
  }
  assert.ok((await save(page)).bytes.equals(before));
  // One at the origin, which stores no place, is given all of it.
  assert.equal(await change(page, { do: "unset", object: path, property: "Location" }), true);
  assert.deepEqual(await ask(page, "actor-place", { row }), { object: path, property: "Location", stored: false });
  // The map goes on through changes: what is filtered stays, and what is chosen.
  const first = page.locator("[aria-label=Actors] .row").first();
  assert.equal(await page.inputValue("[aria-label='Filter the actors']"), path.slice(path.lastIndexOf(".") + 1));
  await page.waitForFunction(() => document.querySelector("[aria-label=Actors] .row")?.textContent.includes("0, 0, 0"));
  await first.click();
  await page.focus("#map");
  await page.keyboard.press("Alt+ArrowDown");
  await changesDone(page, 2);
  assert.deepEqual(await place(), [0, 16, 0]);
  assert.equal(await lastCommand(page), `upk set Yard.unr '${path}.Location=(X=0,Y=16,Z=0)'`);
  assert.deepEqual(seen.console, []);
  await context.close();
});

test("colours are picked: bytes as they are, light as screens call it", { timeout: 60_000 }, async () => {
  const { page, context, seen } = await openPage(browser);
  await openSample(page);
  assert.equal(await change(page, { do: "set", object: "Walls.Bricks", property: "MipZero:struct:Color", value: "(R=16,G=32,B=48,A=9)" }), true);
  const { bytes: before } = await save(page);
  await go(page, "path:Walls.Bricks", "properties");
  const picker = page.locator("[aria-label='Colour of MipZero']");
  assert.equal(await picker.inputValue(), "#102030");
  await accessible(page, "properties with a colour");
  await picker.fill("#a0b0c0");
  await changesDone(page, 2);
  const value = async (key, path) => (await ask(page, "properties", { row: (await page.evaluate((key) => window.page.doc().detailsOf(key), key)).row })).properties.find((one) => one.path === path).text;
  const parts = (text) => Object.fromEntries([...text.matchAll(/([RGBA])=([\d.eE+-]+)/g)].map(([, name, number]) => [name, Number(number)]));
  assert.deepEqual(parts(await value("path:Walls.Bricks", "MipZero")), { R: 160, G: 176, B: 192, A: 9 });
  assert.equal(await lastCommand(page), "upk set Courtyard.utx 'Walls.Bricks.MipZero=(R=160,G=176,B=192)'");
  if (command) assert.ok(byCommand("Courtyard.utx", before, ["set", "Walls.Bricks.MipZero=(R=160,G=176,B=192)"])().equals((await save(page)).bytes), "as the command writes it");
  // Light of one half is 188 of 255 on a screen (sRGB); brighter light than screens have is no colour for a picker.
  await page.evaluate(() => { for (const button of document.querySelectorAll(".file [aria-label^=Close], .notice button")) button.click(); });
  await page.waitForSelector("[data-sample='MF_Lamp.uasset']");
  await openSample(page, "MF_Lamp.uasset");
  await page.waitForFunction(() => window.page.doc().name === "MF_Lamp.uasset");
  assert.equal(await change(page, { do: "set", object: "MF_Lamp", property: "Tint:struct:LinearColor", value: "(R=0.5,G=0,B=1,A=0.25)" }), true);
  assert.equal(await change(page, { do: "set", object: "MF_Lamp", property: "Glow:struct:LinearColor", value: "(R=4,G=0,B=1,A=1)" }), true);
  await go(page, "path:MF_Lamp", "properties");
  const tint = page.locator("[aria-label='Colour of Tint']");
  assert.equal(await tint.inputValue(), "#bc00ff");
  assert.equal(await page.locator("[aria-label='Colour of Glow']").count(), 0);
  await tint.fill("#ff8000");
  await changesDone(page, 3);
  const light = parts(await value("path:MF_Lamp", "Tint"));
  assert.deepEqual([light.R, light.B, light.A], [1, 0, 0.25]);
  assert.ok(Math.abs(light.G - ((128 / 255 + 0.055) / 1.055) ** 2.4) < 1e-5, String(light.G));
  assert.deepEqual(seen.console, []);
  await context.close();
});

test("a table of many rows is shown whole, piece by piece", { timeout: 60_000 }, async () => {
  const { page, context, seen } = await openPage(browser);
  await openSample(page, "DT_Weapons.uasset");
  await go(page, "path:DT_Weapons", "table");
  await page.waitForSelector("table.table");
  const { bytes } = await saved(page, () => page.click("button:has-text('Save as CSV')"));
  const head = bytes.toString().split("\n", 1)[0];
  const rows = Array.from({ length: 1_200 }, (_, at) => `Row${at},${at},${at % 7},"Number ${at}, of many",${at % 2 === 0}`);
  await put(page, "Many.csv", Buffer.from(`${head}\n${rows.join("\n")}\n`));
  await changesDone(page, 1);
  await page.waitForFunction(() => document.querySelectorAll("table.table tbody tr").length === 1_000);
  assert.equal(await page.textContent("#more-rows"), "Show more of 1,200 rows");
  await page.click("#more-rows");
  await page.waitForFunction(() => document.querySelectorAll("table.table tbody tr").length === 1_200);
  assert.equal(await page.locator("#more-rows").isVisible(), false);
  // A row behind the first piece is changed by a block as well.
  await page.evaluate(() => {
    const transfer = new DataTransfer();
    transfer.setData("text/plain", "5\t6\n7\t8");
    document.querySelector("input[aria-label='Row1198, Damage']").dispatchEvent(new ClipboardEvent("paste", { clipboardData: transfer, bubbles: true, cancelable: true }));
  });
  await changesDone(page, 2);
  assert.match((await ask(page, "changes")).list[1].text, /4 cells changed/);
  assert.deepEqual(seen.console, []);
  await context.close();
});

test("on a phone: a picture is replaced, an actor moved by touch, rows pasted, bytes changed", { timeout: 120_000 }, async () => {
  const context = await browser.newContext({ viewport: { width: 390, height: 780 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2, acceptDownloads: true });
  const { page: first, context: other } = await openPage(browser);
  const url = first.url();
  await other.close();
  const page = await context.newPage();
  await page.goto(url);
  await page.waitForSelector("html[data-ready=yes]");
  await page.evaluate(() => { document.documentElement.dataset.download = "yes"; });
  const fits = async (where) => {
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), where);
    await accessible(page, `a phone, ${where}`);
    const small = await page.evaluate(() => [...document.querySelectorAll("button, select, input, summary")].filter((element) => element.offsetParent && !element.matches(".link, .property-bytes, [type=checkbox], .hidden"))
      .map((element) => [element.textContent || element.getAttribute("aria-label"), element.getBoundingClientRect().height]).filter(([, height]) => height < 24));
    assert.deepEqual(small, [], where);
  };
  await openSample(page);
  await go(page, "path:Walls.Bricks", "picture");
  await page.waitForSelector("canvas.picture");
  await fits("a picture");
  // A tap on the button asks for a file.
  const [chooser] = await Promise.all([page.waitForEvent("filechooser"), page.tap("button:has-text('Replace it')")]);
  await chooser.setFiles(file("Wide.png", png(64, 32, () => [190, 186, 178, 255])));
  await changesDone(page, 1);
  await go(page, "path:Walls.Bricks", "properties");
  await page.tap("#panes [data-pane=bytes]");
  const end = await page.evaluate(async () => (await window.page.doc().get("property-range", { row: (await window.page.doc().detailsOf("path:Walls.Bricks")).row, path: "UClamp" })).range[1]);
  await page.evaluate((at) => window.page.app.goByte(at), end - 4);
  await page.waitForFunction(() => document.querySelector("#field-bytes")?.value === "40 00 00 00");
  await page.fill("#field-bytes", "20 00 00 00");
  await page.press("#field-bytes", "Enter");
  await changesDone(page, 2);
  await page.tap("#inspector summary");
  await page.waitForSelector("#inspected dd");
  await fits("bytes");
  await page.evaluate(() => window.page.app.save());
  await page.reload();
  await page.waitForSelector("html[data-ready=yes]");
  await openSample(page, "Yard.unr");
  await page.tap("#panes [data-pane=details]");
  await page.waitForSelector("#map[data-view]");
  const [, path, place] = (await actors(page)).find(([, path]) => /Light5$/.test(path));
  await page.fill("[aria-label='Filter the actors']", path.slice(path.lastIndexOf(".") + 1));
  await page.waitForSelector(".map .found:has-text('1 actors')");
  await page.tap(`[aria-label=Actors] .row:has-text('${path.slice(path.lastIndexOf(".") + 1)}')`);
  await page.tap("#map-move");
  await fits("a map");
  const box = await page.locator("#map").boundingBox();
  const [vx, vy, scale] = (await page.getAttribute("#map", "data-view")).split(" ").map(Number);
  const [x, y] = [box.x + box.width / 2 + (place[0] - vx) / scale, box.y + box.height / 2 + (place[1] - vy) / scale];
  const session = await context.newCDPSession(page);
  const touch = (type, points) => session.send("Input.dispatchTouchEvent", { type, touchPoints: points });
  await touch("touchStart", [{ x, y }]);
  for (let step = 1; step <= 5; step++) await touch("touchMove", [{ x: x + step * 6, y: y + step * 4 }]);
  await touch("touchEnd", []);
  await changesDone(page, 1);
  const moved = (await actors(page)).find(([, other]) => other === path)[2];
  assert.ok(Math.abs(moved[0] - place[0] - 30 * scale) < 3 * scale && Math.abs(moved[1] - place[1] - 20 * scale) < 3 * scale, `${place} ${moved} ${scale}`);
  await context.close();
});

const streaming = corpus && join(corpus, "modern-ue6/UE5_8_Tagged_T_Streaming.uasset");
test("a texture whose texels stand in a .ubulk: that is saved too", { skip: streaming && existsSync(streaming) ? false : "UPK_CORPUS names no folder of real packages", timeout: 90_000 }, async () => {
  const { page, context, seen } = await openPage(browser);
  const [bodies, bulk] = [streaming.replace(/asset$/, "exp"), streaming.replace(/asset$/, "bulk")];
  await choose(page, [streaming, bodies, bulk].filter(existsSync));
  await opened(page);
  const texture = (await ask(page, "tree", { from: 0, count: 100 })).rows.find(({ icon }) => icon.startsWith("Texture"));
  await go(page, texture.key, "picture");
  await page.waitForSelector("canvas.picture");
  const { bytes: out } = await saved(page, () => page.click("button:has-text('Save as PNG')"));
  const dds = await saved(page, () => page.click("button:has-text('as DDS')"));
  assert.equal(dds.bytes.subarray(0, 4).toString(), "DDS ");
  const [width, height] = [out.readUInt32BE(16), out.readUInt32BE(20)];
  const old = texels(out);
  const picture = png(width, height, (x, y) => (x < 8 && y < 8 ? [200, 30, 30, 255] : old(x, y)));
  await put(page, "Red.png", picture);
  await changesDone(page, 1);
  const downloads = [];
  page.on("download", (download) => downloads.push(download));
  await page.click("button:has-text('Save'):not(.details-pane button)");
  await page.waitForSelector(".notice:has-text('Saved')");
  await page.waitForTimeout(300);
  const names = downloads.map((download) => download.suggestedFilename());
  const name = streaming.split("/").pop();
  const bulkName = name.replace(/asset$/, "bulk");
  assert.ok(names.includes(bulkName), names.join(", "));
  assert.doesNotMatch(await page.textContent(".notice:has-text('Saved')"), /needs a copy of/);
  const contents = {};
  for (const download of downloads) contents[download.suggestedFilename()] = readFileSync(await download.path());
  assert.ok(!contents[bulkName].equals(readFileSync(bulk)), "its texels are others");
  if (command) {
    const object = (await page.evaluate((key) => window.page.doc().detailsOf(key), texture.key)).path;
    const others = Object.fromEntries([bodies, bulk].filter(existsSync).map((path) => [path.split("/").pop(), readFileSync(path)]));
    const theirs = byCommand(name, readFileSync(streaming), ["import", object, "Red.png"], { ...others, "Red.png": picture });
    for (const [file, bytes] of Object.entries(contents)) assert.ok(theirs(file).equals(bytes), `${file} as the command writes it`);
  }
  // The change is shown from the changed bulk data, and another one goes on from there.
  const first = await page.evaluate(async (key) => [...new Uint8Array((await window.page.doc().ask("picture", { key })).bytes).slice(0, 3)], texture.key);
  assert.ok(first[0] > 150 && first[1] < 90, String(first));
  await put(page, "Old.png", out);
  await changesDone(page, 2);
  // All sizes from a DDS: the file as it was opened.
  await put(page, "All.dds", dds.bytes);
  await changesDone(page, 3);
  downloads.length = 0;
  await page.click("button:has-text('Save'):not(.details-pane button)");
  await page.waitForTimeout(600);
  const again = downloads.find((download) => download.suggestedFilename() === bulkName);
  assert.ok(readFileSync(await again.path()).equals(readFileSync(bulk)), "the texels that it had");
  assert.deepEqual(seen.console, []);
  await context.close();
});

const engines = [["UE1", "classic/61_0_LensFlareT.utx", "lens2b"], ["UE2", "classic/129_27_FR_grenades.utx", "NineBang"], ["UE3", "classic/867_0_EmberResources.upk", "HpHud_I1"],
  ["UE4", "modern/0_0_backgroundGameOptions.uasset", "backgroundGameOptions"]];
for (const [engine, path, object] of engines) {
  const real = corpus && join(corpus, path);
  test(`a real texture of ${engine} takes another picture`, { skip: real && existsSync(real) ? false : "UPK_CORPUS names no folder of real packages", timeout: 90_000 }, async () => {
    const { page, context, seen } = await openPage(browser);
    const files = [real, ...["exp", "bulk"].map((end) => real.replace(/asset$/, end))].filter((file, at, all) => all.indexOf(file) === at && existsSync(file));
    await choose(page, files);
    await opened(page);
    await go(page, `path:${object}`, "picture");
    await page.waitForSelector("canvas.picture");
    const { bytes: out } = await saved(page, () => page.click("button:has-text('Save as PNG')"));
    const [width, height] = [out.readUInt32BE(16), out.readUInt32BE(20)];
    const old = texels(out);
    const picture = png(width, height, (x, y) => (x < 8 && y < 8 ? old(x, y).map((part, at) => (at < 3 ? 255 - part : part)) : old(x, y)));
    await put(page, "Corner.png", picture);
    await page.waitForFunction(() => window.page.doc().summary.changes?.done === 1 || document.querySelector(".refused button, .notice.bad"));
    if (await page.locator(".refused button").count()) await page.click(".refused button:last-of-type");
    await changesDone(page, 1);
    assert.match(await badge(page), /Rebuilt byte for byte/);
    const made = await page.evaluate(async () => Promise.all((await window.page.doc().save()).map(async (file) => [file.name, [...new Uint8Array(await file.arrayBuffer())]])));
    const name = path.split("/").pop();
    const words = (await lastCommand(page)).split(" ").slice(3);
    assert.deepEqual(words.slice(0, 2), [object, "Corner.png"]);
    if (command) {
      const beside = Object.fromEntries(files.slice(1).map((file) => [file.split("/").pop(), readFileSync(file)]));
      const theirs = byCommand(name, readFileSync(real), ["import", ...words], { ...beside, "Corner.png": picture });
      for (const [file, bytes] of made) assert.ok(theirs(file).equals(Buffer.from(bytes)), `${file} as the command writes it`);
    }
    assert.ok(made.some(([file, bytes]) => !readFileSync(file === name ? real : files.find((one) => one.endsWith(file))).equals(Buffer.from(bytes))), "something has changed");
    assert.deepEqual(seen.console, []);
    await context.close();
  });
}

const cached = corpus && join(corpus, "classic/868_0_UnrealEd.u");
test("a texture whose texels stand in a .tfc that is not here takes a picture, stored in the package", { skip: cached && existsSync(cached) ? false : "UPK_CORPUS names no folder of real packages", timeout: 90_000 }, async () => {
  const { page, context, seen } = await openPage(browser);
  const object = "EditorMaterials.ParticleSystems.PSysThumbnail_NoImage";
  await choose(page, cached);
  await opened(page);
  await go(page, `path:${object}`, "picture");
  await page.waitForSelector(".details-pane [data-replace]", { state: "attached" });
  assert.match(await page.textContent(".details-body"), /stands? in|texture file cache|packed/);
  const picture = png(64, 64, (x, y) => [x * 4, y * 4, 80, 255]);
  await put(page, "Mine.png", picture);
  await page.waitForSelector(".refused button");
  assert.match(await page.textContent(".refused"), /texture file cache/);
  await accessible(page, "a picture that can't be shown");
  await page.click(".refused button:has-text('Store all sizes in the package')");
  await changesDone(page, 1);
  await page.waitForSelector("canvas.picture");
  assert.equal(await lastCommand(page), `upk import 868_0_UnrealEd.u ${object} Mine.png --inline`);
  assert.match(await badge(page), /Rebuilt byte for byte/);
  const made = await page.evaluate(async () => [...new Uint8Array(await (await window.page.doc().save())[0].arrayBuffer())]);
  if (command) {
    const theirs = byCommand("868_0_UnrealEd.u", readFileSync(cached), ["import", object, "Mine.png", "--inline"], { "Mine.png": picture })();
    assert.ok(theirs.equals(Buffer.from(made)), "as the command writes it");
  }
  assert.deepEqual(seen.console, []);
  await context.close();
});

const sword = corpus && join(corpus, "classic/69_0_EnergySword.u");
test("code of a real package is compiled with the packages that it builds on", { skip: sword && existsSync(sword) ? false : "UPK_CORPUS names no folder of real packages", timeout: 120_000 }, async () => {
  const { page, context, seen } = await openPage(browser);
  const bytes = readFileSync(sword);
  const around = Object.fromEntries([["Core.u", "make/Core_gen17.u"], ["Engine.u", "make/Engine_gen36.u"]].map(([name, path]) => [name, readFileSync(join(corpus, path))]));
  await choose(page, { name: "EnergySword.u", buffer: bytes });
  await opened(page);
  // Operators and functions of Core are not known without it.
  const text = "function CleanSword()\n{\n    SwordStatus = SwordStatus + Rand(2);\n}\n";
  await go(page, "path:EnergySword.CleanSword", "code");
  await page.click("#code-edit");
  await page.locator("textarea.code").fill(text);
  await page.click("#compile");
  await page.waitForSelector(".code-errors li");
  assert.match(await page.locator(".code-errors").textContent(), /^Line 3, column \d+: /);
  await choose(page, Object.entries(around).map(([name, buffer]) => ({ name, buffer })));
  await page.waitForFunction(() => window.page.app.docs.length === 3);
  await page.evaluate(() => window.page.app.show(window.page.app.docs.find((doc) => doc.name === "EnergySword.u")));
  await page.waitForFunction(() => window.page.doc().name === "EnergySword.u");
  // What was typed has waited while other packages were looked at.
  await go(page, "path:EnergySword.CleanSword", "code");
  assert.equal(await page.inputValue("textarea.code"), text);
  await page.click("#compile");
  await changesDone(page, 1);
  assert.match(await badge(page), /Rebuilt byte for byte/);
  assert.equal(await lastCommand(page), "upk set-code EnergySword.u EnergySword.CleanSword CleanSword.uc --env FOLDER");
  const made = await page.evaluate(async () => [...new Uint8Array(await (await window.page.doc().save())[0].arrayBuffer())]);
  if (command) {
    const theirs = byCommand("EnergySword.u", bytes, ["set-code", "EnergySword.CleanSword", "CleanSword.uc", "--env", "."], { ...around, "CleanSword.uc": text })();
    assert.ok(theirs.equals(Buffer.from(made)), "as the command writes it");
  }
  // After a crash of the module the change is done again, with the same packages.
  await page.evaluate(() => window.page.doc().recover());
  const again = await page.evaluate(async () => [...new Uint8Array(await (await window.page.doc().save())[0].arrayBuffer())]);
  assert.ok(Buffer.from(again).equals(Buffer.from(made)));
  assert.deepEqual(seen.console, []);
  await context.close();
});
