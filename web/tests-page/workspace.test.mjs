// Several files: each keeps its place, companions may come later, many are a list; what is not saved is known.

import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { accessible, badge, choose, launch, openPage, openSample, opened, root, saved } from "./browser.mjs";
import { largePackage, pakOf } from "./packages.mjs";

const pictures = process.env.PAGE_PICTURES ?? join(root, "dist/pictures");
mkdirSync(pictures, { recursive: true });
let browser;
before(async () => { browser = await launch(); });
after(() => browser.close());

const change = (page, change) => page.evaluate((change) => window.page.app.change(change), change);
const save = (page) => saved(page, () => page.click("button:has-text('Save')"));
const hash = (page) => page.evaluate(() => decodeURIComponent(location.hash));
const heading = (page, text) => page.waitForFunction((text) => document.querySelector(".details-head h2")?.textContent === text, text);
const file = (page, name) => page.click(`.file-name:has-text("${name}")`);
/** The sample's bytes. */
async function sample(page, name) {
  await openSample(page, name);
  const { bytes } = await save(page);
  await page.click(`.file [aria-label="Close ${name}"]`);
  return bytes;
}

test("each file keeps its own place, and back leads through both", { timeout: 90_000 }, async () => {
  const { page, context, seen } = await openPage(browser);
  await openSample(page);
  await page.evaluate(() => window.page.app.go("path:Walls.Fence"));
  await heading(page, "Fence");
  const weapons = await page.evaluate(async () => {
    // Opened beside the first one, as a user would drop it.
    await window.page.app.openSample("DT_Weapons.uasset");
    return window.page.doc().summary.asset;
  });
  assert.ok(weapons);
  await page.waitForFunction(() => window.page.doc().name === "DT_Weapons.uasset");
  await opened(page);
  await page.waitForFunction(() => !/Fence/.test(document.querySelector(".details-head h2").textContent));
  // The object of the first file is not looked for in the second.
  assert.equal(await page.locator(".details-body .wrong, .details-body [role=alert]").count(), 0);
  assert.match(await hash(page), /^#DT_Weapons\.uasset\//);
  const second = await page.textContent(".details-head h2");
  await file(page, "Courtyard.utx");
  await heading(page, "Fence");
  assert.match(await hash(page), /^#Courtyard\.utx\/path:Walls\.Fence/);
  await page.goBack();
  await heading(page, second);
  assert.equal(await page.evaluate(() => window.page.doc().name), "DT_Weapons.uasset");
  await page.goBack();
  await heading(page, "Fence");
  await page.goForward();
  await heading(page, second);
  // What is closed is named, and nothing else is shown in its place.
  await page.click('.file [aria-label="Close Courtyard.utx"]');
  await page.goBack();
  await page.waitForSelector(".notice:has-text('Courtyard.utx is not open')");
  await heading(page, second);
  assert.deepEqual(seen.console, []);
  await context.close();
});

test("an address is gone to when its file is open again", { timeout: 60_000 }, async () => {
  const { page, context } = await openPage(browser);
  const bytes = await sample(page, "Courtyard.utx");
  const address = await page.evaluate(() => location.href.split("#")[0]);
  await context.close();
  const again = await openPage(browser, { url: `${address}#Courtyard.utx/path:Walls.Fence&byte=0x40` });
  assert.match(await again.page.textContent(".welcome .note"), /Courtyard\.utx: open that file/);
  await choose(again.page, { name: "Courtyard.utx", buffer: bytes });
  await heading(again.page, "Fence");
  await again.page.waitForFunction(() => window.page.app.hex.view.cursor === 0x40);
  await again.context.close();
});

test("two files of one name have different addresses", { timeout: 60_000 }, async () => {
  const { page, context } = await openPage(browser);
  const bytes = await sample(page, "Courtyard.utx");
  for (let count = 0; count < 2; count++) await choose(page, { name: "Courtyard.utx", buffer: bytes });
  await page.waitForFunction(() => document.querySelectorAll(".file").length === 2);
  await page.waitForFunction(() => location.hash.startsWith("#Courtyard.utx~2/"));
  await context.close();
});

test("bytes stay in view when the width changes", { timeout: 60_000 }, async () => {
  const { page, context } = await openPage(browser);
  await openSample(page);
  const hex = (what) => page.evaluate((what) => window.page.app.hex.view[what], what);
  await badge(page);
  await page.waitForTimeout(200);
  await page.evaluate(() => window.page.app.goByte(0x900));
  await page.waitForTimeout(200);
  const before = await page.evaluate(() => window.page.app.hex.view.columns.per);
  const widths = [];
  for (const [width, height] of [[1024, 700], [700, 900], [390, 780], [1480, 920]]) {
    await page.setViewportSize({ width, height });
    await page.click("#panes [data-pane=bytes]", { timeout: 1_000 }).catch(() => {});
    await page.waitForTimeout(300);
    const [from, to] = await hex("inView");
    assert.equal(await hex("cursor"), 0x900);
    assert.ok(from <= 0x900 && 0x900 < to, `${width}: ${from.toString(16)} to ${to.toString(16)}`);
    widths.push(await page.evaluate(() => window.page.app.hex.view.columns.per));
  }
  assert.ok(new Set(widths).size > 1, String(widths));
  assert.equal(widths.at(-1), before);
  // Without the cursor in view the first byte stays the first.
  await page.evaluate(() => { const view = window.page.app.hex.view; view.go(0x1800); view.place(0, false); });
  await page.waitForTimeout(200);
  const [first] = await hex("inView");
  await page.setViewportSize({ width: 390, height: 780 });
  await page.waitForTimeout(300);
  const [now] = await hex("inView");
  assert.ok(Math.abs(now - first) < 32, `${first.toString(16)} ${now.toString(16)}`);
  await context.close();
});

test("other changes than those that were saved are unsaved", { timeout: 60_000 }, async () => {
  const { page, context } = await openPage(browser);
  await openSample(page);
  const unsaved = () => page.evaluate(() => window.page.doc().isUnsaved);
  const clamp = (value) => change(page, { do: "set", object: "Walls.Bricks", property: "UClamp", value });
  assert.equal(await clamp("64"), true);
  assert.equal(await unsaved(), true);
  await page.waitForSelector(".changed-mark");
  await save(page);
  assert.equal(await unsaved(), false);
  // Saving is seen: the mark goes, and a message says what was written.
  await page.waitForFunction(() => !document.querySelector(".changed-mark"));
  assert.match(await page.textContent(".notice"), /Saved Courtyard\.utx, [\d,]+ bytes/);
  await page.keyboard.press("Control+z");
  await page.waitForFunction(() => window.page.doc().summary.changes?.done === 0);
  assert.equal(await unsaved(), true);
  assert.equal(await clamp("32"), true);
  assert.equal(await unsaved(), true);
  // As many changes as were saved, and not the same ones: closing asks.
  const asked = [];
  page.removeAllListeners("dialog");
  page.on("dialog", (dialog) => { asked.push(dialog.message()); void dialog.dismiss(); });
  await page.click('.file [aria-label="Close Courtyard.utx"]');
  assert.match(asked[0], /changes that are not saved/);
  assert.equal(await page.locator(".file").count(), 1);
  await page.keyboard.press("Control+z");
  await page.waitForFunction(() => window.page.doc().summary.changes?.done === 0);
  await context.close();
});

/** Files as if a folder had been dropped: the browser's own drop can't be made by tests. */
async function dropFolder(page, files) {
  await page.evaluate(async (files) => {
    const made = files.map(([path, text]) => {
      const file = new File([Uint8Array.from(atob(text), (char) => char.charCodeAt(0))], path.slice(path.lastIndexOf("/") + 1));
      Object.defineProperty(file, "webkitRelativePath", { value: path });
      return file;
    });
    await window.page.open(made);
  }, files.map(([path, bytes]) => [path, Buffer.from(bytes).toString("base64")]));
}
const listed = (page) => page.waitForSelector("#files .row .label");
const shown = (page) => page.locator("#files").getAttribute("aria-rowcount").then(Number);
const active = (page) => page.locator("#files .row.active .label").textContent();
const state = (page, name) => page.locator("#files .row", { has: page.locator(".label", { hasText: new RegExp(`^${name.replace(".", "\\.")}$`) }) }).locator(".state").textContent();

test("many files are a tree, of which those are opened that are chosen", { timeout: 120_000 }, async () => {
  const { page, context, seen } = await openPage(browser);
  const bytes = await sample(page, "Courtyard.utx");
  await page.evaluate(() => {
    window.workers = { now: 0, most: 0 };
    const Before = window.Worker;
    window.Worker = class extends Before {
      constructor(...all) {
        super(...all);
        window.workers.now += 1;
        window.workers.most = Math.max(window.workers.most, window.workers.now);
      }
      terminate() {
        window.workers.now -= 1;
        super.terminate();
      }
    };
  });
  const files = Array.from({ length: 200 }, (_, at) => ({ name: `Wall${at}.utx`, buffer: bytes }));
  await choose(page, [...files, { name: "Notes.uexp", buffer: Buffer.from("a") }]);
  await listed(page);
  assert.match(await page.textContent("#workspace h2"), /200 packages/);
  assert.equal(await page.locator(".file").count(), 1);
  assert.deepEqual(await page.evaluate(() => window.workers.most), 0);
  await page.fill("#workspace .filter", "Wall17");
  await page.waitForFunction(() => /^11 packages/.test(document.querySelector("#workspace .found").textContent));
  await page.press("#workspace .filter", "ArrowDown");
  await page.keyboard.press("Enter");
  await opened(page);
  assert.equal(await page.evaluate(() => window.page.doc().name), "Wall17.utx");
  assert.match(await badge(page), /Rebuilt byte for byte/);
  await file(page, "200 packages");
  await page.waitForSelector("#files .row:has-text('open')");
  // Chosen once more it is gone to, not opened a second time.
  await page.click("#files .row:has-text('Wall17.utx')");
  await opened(page);
  assert.equal(await page.locator(".file").count(), 2);
  assert.ok(await page.evaluate(() => window.workers.most) <= 2);
  assert.deepEqual(seen.console, []);
  await context.close();
});

test("a folder of 200 files and a container are one tree", { timeout: 180_000 }, async () => {
  const { page, context, seen } = await openPage(browser);
  const bytes = await sample(page, "Courtyard.utx");
  const table = await sample(page, "DT_Weapons.uasset");
  const kinds = ["Maps", "Textures/Walls", "Textures/Floors", "System"];
  const files = Array.from({ length: 196 }, (_, at) => [`Game/${kinds[at % 4]}/Part${at}.utx`, bytes]);
  files.push(["Game/System/Broken.u", Buffer.from("no package")], ["Game/System/Notes.uexp", Buffer.from("a")]);
  const pak = pakOf({ "Town/Content/Tables/DT_Weapons.uasset": table, "Town/Content/Maps/Square.umap": Buffer.alloc(900, 7), "Town/Config/Game.ini": Buffer.from("[A]") }).bytes;
  files.push(["Game/Paks/Town.pak", pak]);
  await dropFolder(page, files);
  await listed(page);
  // Opened is the folder that was dropped; what is in it is closed, and folders stand first.
  assert.equal(await page.textContent("#workspace h2"), "Game");
  assert.deepEqual(await page.locator("#files .row .label").allTextContents(), ["Game", "Maps", "Paks", "System", "Textures"]);
  assert.match(await page.textContent("#workspace .found"), /^199 packages/);
  for (const theme of ["light", "dark"]) {
    await accessible(page, `a tree of files, ${theme}`);
    await page.click("#theme");
  }
  // The keyboard as in every tree.
  await page.focus("#files");
  const press = async (...keys) => { for (const key of keys) await page.keyboard.press(key); };
  await press("Home", "End", "ArrowRight", "ArrowDown");
  assert.equal(await active(page), "Floors");
  await press("ArrowRight", "ArrowRight");
  assert.equal(await active(page), "Part2.utx");
  assert.equal(await page.locator("#files .row.active").getAttribute("aria-level"), "4");
  await press("ArrowLeft");
  assert.equal(await active(page), "Floors");
  assert.equal(await page.locator("#files .row.active").getAttribute("aria-expanded"), "true");
  await press("ArrowLeft", "ArrowLeft");
  assert.equal(await active(page), "Textures");
  // Packages of a container stand below it; read is it when it is opened.
  await page.click("#files .row:has-text('Paks')");
  await page.waitForSelector("#files .row:has-text('Town.pak')");
  await page.click("#files .row:has-text('Town.pak')");
  await page.waitForFunction(() => [...document.querySelectorAll("#files .label")].some((label) => label.textContent === "Tables"));
  const before = await shown(page);
  await page.selectOption("[aria-label='Which files']", "all");
  await page.waitForFunction((before) => Number(document.getElementById("files").getAttribute("aria-rowcount")) > before, before);
  await page.selectOption("[aria-label='Which files']", "packages");
  // A filter finds in folders that are closed, and in the container.
  await page.fill("#workspace .filter", "weapons");
  await page.waitForFunction(() => /^1 package$/.test(document.querySelector("#workspace .found").textContent));
  await page.waitForSelector("#files .row:has-text('DT_Weapons.uasset')");
  assert.deepEqual(await page.locator("#files .row .label").allTextContents(), ["Game", "Paks", "Town.pak", "Town", "Content", "Tables", "DT_Weapons.uasset"]);
  assert.equal(await active(page), "DT_Weapons.uasset");
  await press("Tab");
  await page.focus("#files");
  await press("Enter");
  await opened(page);
  assert.match(await badge(page), /Rebuilt byte for byte/);
  assert.equal(await page.evaluate(() => window.page.app.change({ do: "add-name", name: "Unused" })), true);
  await file(page, "Game");
  await listed(page);
  assert.equal(await state(page, "DT_Weapons.uasset"), "changed");
  await page.click("#files .row:has-text('DT_Weapons.uasset')");
  await opened(page);
  assert.equal(await page.locator(".file").count(), 2);
  // What can't be opened says so, and where it stands.
  await file(page, "Game");
  await page.fill("#workspace .filter", "system");
  await page.waitForSelector("#files .row:has-text('Broken.u')");
  await page.click("#files .row:has-text('Broken.u')");
  await page.waitForSelector(".notice.bad:has-text('Broken.u')");
  assert.equal(await state(page, "Broken.u"), "failed");
  assert.ok((await page.locator("#files .state-failed").getAttribute("title")).length > 10);
  await page.keyboard.press("Escape");
  await page.click("#files .row:has-text('Part3.utx')");
  await opened(page);
  await file(page, "Game");
  assert.equal(await state(page, "Part3.utx"), "open");
  // More files join the same tree, and back leads to it under its former name.
  await choose(page, { name: "Late.pak", buffer: pak });
  await page.waitForFunction(() => document.querySelector("#workspace h2")?.textContent === "Game and 1 more");
  assert.equal(await page.locator(".file").count(), 3);
  await page.goBack();
  await page.waitForFunction(() => window.page.doc()?.name === "Part3.utx");
  await page.goBack();
  await page.waitForSelector("#files .row");
  assert.equal(await page.locator(".notices-shown .notice").count(), 0);
  assert.deepEqual(seen.console, []);
  await context.close();
});

test("a tree of files fits a desk, a tablet and a phone, light and dark", { timeout: 120_000 }, async () => {
  for (const [width, height] of [[1480, 920], [1024, 700], [390, 780]]) {
    const { page, context } = await openPage(browser, { width, height });
    const bytes = await sample(page, "Courtyard.utx");
    const table = await sample(page, "DT_Weapons.uasset");
    const names = ["Maps/Courtyard", "Maps/Harbour", "Textures/Walls/Bricks", "Textures/Walls/Plaster", "Textures/Floors/Tiles"];
    const files = Array.from({ length: 40 }, (_, at) => [`Game/${names[at % 5]}${at >= 5 ? Math.floor(at / 5) + 1 : ""}.utx`, bytes]);
    files.push(["Game/System/Broken.u", Buffer.from("no package")], ["Game/Paks/Town.pak", pakOf({ "Town/Content/Tables/DT_Weapons.uasset": table, "Town/Content/Maps/Square.umap": Buffer.alloc(900, 7) }).bytes]);
    await dropFolder(page, files);
    await listed(page);
    await page.click("#files .row:has-text('Textures')");
    await page.click("#files .row:has-text('Walls')");
    await page.click("#files .row:has-text('System')");
    await page.click("#files .row:has-text('Broken.u')");
    await page.waitForSelector(".notice.bad");
    await page.keyboard.press("Escape");
    await page.click("#files .row:has-text('Paks')");
    await page.click("#files .row:has-text('Town.pak')");
    await page.waitForSelector("#files .row:has-text('Tables')");
    await page.click("#files .row:has-text('Tables')");
    await page.click("#files .row:has-text('DT_Weapons')");
    await opened(page);
    assert.equal(await page.evaluate(() => window.page.app.change({ do: "add-name", name: "Unused" })), true);
    await page.evaluate(() => window.page.app.showWorkspace());
    await page.waitForSelector("#files .state-changed");
    await page.evaluate(() => { document.getElementById("files").scrollTop = 0; });
    for (const theme of ["light", "dark"]) {
      await page.waitForTimeout(150);
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
      await page.screenshot({ path: join(pictures, `tree-${width}-${theme}.png`) });
      await accessible(page, `a tree of files, ${width}, ${theme}`);
      if (theme === "light") await page.evaluate(() => document.getElementById("theme").click());
    }
    await context.close();
  }
});

test("packages are rebuilt one at a time, the one that is looked at first", { timeout: 120_000 }, async () => {
  const { page, context } = await openPage(browser);
  const buffer = Buffer.from(largePackage({ exports: 2_000, textures: 3 }));
  await page.evaluate(() => {
    window.proving = { now: 0, most: 0 };
    const { add } = window.page.app.provers.constructor.prototype;
    window.page.app.provers.constructor.prototype.add = function (doc) {
      if (!doc.watched) {
        const prove = doc.prove.bind(doc);
        doc.watched = true;
        doc.prove = async () => {
          window.proving.now += 1;
          window.proving.most = Math.max(window.proving.most, window.proving.now);
          await prove();
          window.proving.now -= 1;
        };
      }
      add.call(this, doc);
    };
  });
  await choose(page, Array.from({ length: 6 }, (_, at) => ({ name: `Wall${at}.utx`, buffer })));
  await page.waitForFunction(() => window.page.app.docs.length === 6 && window.page.app.docs.every((doc) => doc.proof), null, { timeout: 100_000 });
  assert.equal(await page.evaluate(() => window.proving.most), 1);
  await context.close();
});

test("a package that is closed or read again while it is rebuilt holds up no other", { timeout: 120_000 }, async () => {
  const { page, context } = await openPage(browser);
  const buffer = Buffer.from(largePackage({ exports: 2_000, textures: 12 }));
  await choose(page, ["One.utx", "Two.utx", "Three.utx"].map((name) => ({ name, buffer })));
  await page.waitForFunction(() => window.page.app.docs.length === 3);
  await page.selectOption("[aria-label=Game]", "ut2004");
  await page.click('.file [aria-label="Close Two.utx"]');
  await page.waitForFunction(() => window.page.app.docs.length === 2 && window.page.app.docs.every((doc) => doc.proof), null, { timeout: 100_000 });
  await context.close();
});

test("a package whose rebuilding ends its worker is opened once more, and not rebuilt again", { timeout: 120_000 }, async () => {
  const { page, context } = await openPage(browser);
  await openSample(page, "Yard.unr");
  await badge(page);
  await page.evaluate(() => {
    const doc = window.page.doc();
    window.proofs = 0;
    doc.prove = () => {
      window.proofs += 1;
      const waits = doc.ask("tree", { from: 0, count: 1 });
      doc.engine.end("the module has ended");
      return waits;
    };
    window.page.app.provers.add(doc);
  });
  await page.waitForFunction(() => document.getElementById("badge")?.textContent === "!Not proved: the module has ended");
  await page.waitForSelector(".notice:has-text('It was opened once more')");
  await page.waitForSelector("#tree .row .label");
  assert.equal(await page.evaluate(() => window.proofs), 1);
  assert.equal(await page.evaluate(() => window.page.app.docs.length), 1);
  await context.close();
});

test("of two files of one name the package counts, and what could not be opened does not", { timeout: 60_000 }, async () => {
  const { page, context } = await openPage(browser);
  await openSample(page);
  const { bytes } = await saved(page, () => page.click("button:has-text('Save')"));
  await page.click('.file [aria-label^="Close"]');
  const names = () => page.evaluate(() => window.page.app.filesAtHand().map(({ name }) => name));
  const others = Array.from({ length: 8 }, (_, at) => ({ name: `Other${at}.utx`, buffer: bytes }));
  const texts = { name: "Skins.int", buffer: Buffer.from("[Public]") };
  for (const two of [[texts, { name: "Skins.utx", buffer: bytes }], [{ name: "Skins.utx", buffer: bytes }, texts]]) {
    await choose(page, [...others, ...two]);
    await page.waitForSelector("#files .row .label");
    const all = await names();
    assert.ok(all.indexOf("Skins.int") < all.indexOf("Skins.utx"), all.join(" "));
    await page.click("#files .row:has-text('Skins.int')");
    await page.waitForSelector(".notice.bad:has-text('Skins.int')");
    assert.ok(!(await names()).includes("Skins.int"));
    // What is open counts most.
    await page.click("#files .row:has-text('Skins.utx')");
    await opened(page);
    assert.equal((await names()).at(-1), "Skins.utx");
    await page.evaluate(() => { const { app } = window.page; for (const one of [...app.docs, app.workspace]) app.closeTab(one); });
  }
  await context.close();
});

test("no message is lost, however many there are", { timeout: 60_000 }, async () => {
  const { page, context } = await openPage(browser);
  await choose(page, Array.from({ length: 8 }, (_, at) => ({ name: `Junk${at}.u`, buffer: Buffer.from(`no package ${at}`) })));
  await page.waitForFunction(() => document.querySelectorAll(".notice.bad").length === 8);
  assert.match(await page.textContent(".notices-more summary"), /4 more messages/);
  await page.click(".notices-more summary");
  await accessible(page, "messages");
  assert.match(await page.textContent(".notices-rest"), /Junk7\.u/);
  await page.click(".notices-shown .notice button");
  await page.waitForFunction(() => /3 more messages/.test(document.querySelector(".notices-more summary").textContent));
  await page.keyboard.press("Escape");
  await page.waitForFunction(() => document.querySelectorAll(".notice.bad").length === 0);
  await context.close();
});

test("a package without its bodies is refused with what is missing, and opens as soon as that comes", { timeout: 60_000 }, async () => {
  const { page, context } = await openPage(browser);
  await openSample(page, "DT_Weapons.uasset");
  const { name, at, bytes } = await page.evaluate(async () => {
    const [file] = await window.page.doc().save();
    const { start: at } = window.page.doc().summary.sections.find(({ name }) => name === "Bodies");
    return { name: file.name, at, bytes: [...new Uint8Array(await file.arrayBuffer())] };
  });
  await page.click('.file [aria-label^="Close"]');
  await choose(page, { name, buffer: Buffer.from(bytes.slice(0, at)) });
  await page.waitForSelector(".notice:has-text('Drop its .uexp too')");
  const said = await page.textContent(".notice");
  assert.match(said, /its bodies are in a \.uexp file that is not there/);
  assert.doesNotMatch(said, /damaged/);
  await choose(page, { name: name.replace(/\.\w+$/, ".uexp"), buffer: Buffer.from(bytes.slice(at)) });
  await opened(page);
  assert.match(await badge(page), /Rebuilt byte for byte/);
  await context.close();
});

test("bodies that come later join their header, with what was changed", { timeout: 60_000 }, async () => {
  const { page, context } = await openPage(browser);
  await openSample(page, "DT_Weapons.uasset");
  // Cut where its bodies begin, as cooking does.
  const { name, at, bytes } = await page.evaluate(async () => {
    const [file] = await window.page.doc().save();
    const { start: at } = window.page.doc().summary.sections.find(({ name }) => name === "Bodies");
    return { name: file.name, at, bytes: [...new Uint8Array(await file.arrayBuffer())] };
  });
  await page.click('.file [aria-label^="Close"]');
  const [header, rest] = [bytes.slice(0, at), bytes.slice(at)];
  await choose(page, { name: name.replace(/\.\w+$/, ".uexp"), buffer: Buffer.from(rest) });
  await page.waitForSelector(".notice:has-text('it is kept until that is opened')");
  await choose(page, { name, buffer: Buffer.from(header) });
  await opened(page);
  assert.match(await badge(page), /Rebuilt byte for byte/);
  await context.close();
});

test("a release that a package can't be read as leaves its changes", { timeout: 60_000 }, async () => {
  const { page, context } = await openPage(browser);
  await openSample(page, "DT_Weapons.uasset");
  assert.equal(await change(page, { do: "add-name", name: "Unused" }), true);
  // While it is read again, too: whoever closes it is asked, and what is saved then has them.
  const meanwhile = await page.evaluate(async () => {
    const doc = window.page.doc();
    // The moment at which it is open and its changes are not done yet.
    return new Promise((resolve) => {
      const { ofWorker } = doc;
      doc.ofWorker = (change) => {
        const { isUnsaved } = doc;
        doc.save().then(async ([file]) => resolve({ isUnsaved, text: await file.text() }));
        return ofWorker.call(doc, change);
      };
      window.page.app.reopen(doc, "", "no release");
    });
  });
  assert.equal(meanwhile.isUnsaved, true);
  assert.ok(meanwhile.text.includes("Unused"));
  await page.waitForSelector(".notice.bad:has-text('DT_Weapons.uasset')");
  await page.waitForFunction(() => window.page.doc().release === "" && window.page.doc().summary.changes?.done === 1);
  assert.equal(await page.evaluate(() => window.page.doc().isUnsaved), true);
  assert.equal((await save(page)).bytes.includes("Unused"), true);
  await context.close();
});

test("bodies that don't fit leave a package as it was, with its changes", { timeout: 60_000 }, async () => {
  const { page, context } = await openPage(browser);
  await openSample(page, "DT_Weapons.uasset");
  const { name, at, bytes } = await page.evaluate(async () => {
    const [file] = await window.page.doc().save();
    const { start: at } = window.page.doc().summary.sections.find(({ name }) => name === "Bodies");
    return { name: file.name, at, bytes: [...new Uint8Array(await file.arrayBuffer())] };
  });
  await page.click('.file [aria-label^="Close"]');
  const bodies = name.replace(/\.\w+$/, ".uexp");
  await choose(page, [{ name, buffer: Buffer.from(bytes.slice(0, at)) }, { name: bodies, buffer: Buffer.from(bytes.slice(at)) }]);
  await opened(page);
  assert.equal(await change(page, { do: "add-name", name: "Unused" }), true);
  await choose(page, { name: bodies, buffer: Buffer.from("abc") });
  await page.waitForSelector(".notice.bad");
  await page.waitForFunction(() => window.page.doc()?.summary.changes?.done === 1);
  assert.equal(await page.evaluate(() => window.page.doc().group.bodies.size), bytes.length - at);
  assert.equal(await page.evaluate(() => window.page.doc().isUnsaved), true);
  await context.close();
});

test("a double click in the tree opens a package once", { timeout: 60_000 }, async () => {
  const { page, context } = await openPage(browser);
  const bytes = await sample(page, "Courtyard.utx");
  await choose(page, Array.from({ length: 12 }, (_, at) => ({ name: `Wall${at}.utx`, buffer: bytes })));
  await listed(page);
  await page.evaluate(() => {
    const row = [...document.querySelectorAll("#files .row")].find((row) => row.textContent.includes("Wall3.utx"));
    row.click();
    row.click();
  });
  await opened(page);
  await badge(page);
  assert.deepEqual(await page.evaluate(() => window.page.app.docs.map(({ name }) => name)), ["Wall3.utx"]);
  await context.close();
});
