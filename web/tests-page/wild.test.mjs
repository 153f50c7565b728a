// Two hundred real files of all engines in one page: one after the other, and as a folder. What the page says of each is
// what `upk verify` says.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { existsSync, readdirSync, statSync } from "node:fs";
import { basename, extname, join } from "node:path";
import { after, before, test } from "node:test";
import { promisify } from "node:util";
import { command, corpus, isQuick, launch, openPage } from "./browser.mjs";
import { random } from "./packages.mjs";

/** How many of each folder. */
const PARTS = { classic: 60, conform: 6, modern: 54, "modern-ue6": 8, "wild/classic": 38, "wild/modern": 34 };
const PACKAGE = /\.(u|unr|utx|uax|umx|usx|ukx|ut2|upk|udk|pcc|xxx|sfm|uasset|umap)$/i;
const BESIDE = [".uexp", ".ubulk", ".uptnl", ".m.ubulk"];
/** Larger ones would make the test longer, not better. */
const LARGEST = 2 << 20;
/** Packages that are open at the same time. */
const MOST_OPEN = 4;
const reason = isQuick ? "not in the quick run" : !corpus ? "UPK_CORPUS names no folder of real packages" : !command ? "the command upk is not built" : false;

let browser, packages;
before(async () => {
  if (reason) return;
  browser = await launch();
  packages = await verified(chosen());
});
after(() => browser?.close());

/** Packages of all folders, each name once: a folder has no two files of one name. */
function chosen() {
  const draw = random(46);
  const names = new Set();
  return Object.entries(PARTS).flatMap(([part, most]) => {
    const folder = join(corpus, part);
    if (!existsSync(folder)) return [];
    const all = readdirSync(folder).filter((name) => PACKAGE.test(name) && statSync(join(folder, name)).size <= LARGEST);
    const mixed = all.map((name) => [draw(), name]).sort(([a], [b]) => a - b).map(([, name]) => name);
    const taken = mixed.filter((name) => !names.has(name.toLowerCase()) && names.add(name.toLowerCase())).slice(0, most);
    return taken.map((name) => join(folder, name));
  });
}

function filesOf(path) {
  const stem = path.slice(0, -extname(path).length);
  return [path, ...(/\.(uasset|umap)$/i.test(path) ? BESIDE.map((ending) => stem + ending).filter(existsSync) : [])];
}

/** What the command says of each, by itself: a folder of them could say more. */
async function verified(paths) {
  const out = [];
  for (const path of paths) {
    const said = await promisify(execFile)(command, ["verify", path, "--json"], { maxBuffer: 1 << 26 }).catch((error) => error);
    const [line] = String(said.stdout).split("\n");
    out.push({ path, name: basename(path), verdict: line.startsWith("{") ? JSON.parse(line) : { status: "failed", reason: String(said.stderr).trim() } });
  }
  return out;
}

const isRead = ({ status }) => status !== "failed" && status !== "unsupported";

/** What the page shows of the package that was just opened, or why it could not be. */
async function shown(page, name) {
  const failure = await (await page.waitForFunction((name) => {
    const { app } = window.page;
    const bad = [...document.querySelectorAll(".notice.bad")].find((notice) => notice.textContent.includes(name));
    if (app.current?.name !== name) return bad ? { text: bad.textContent } : undefined;
    return app.current.proof || app.current.unproved ? {} : undefined;
  }, name, { timeout: 120_000 })).jsonValue();
  if (failure.text) return failure;
  return page.evaluate(() => {
    const { proof, unproved, summary } = window.page.doc();
    return { proof, unproved, packed: summary.packed, engine: summary.engine, badge: document.getElementById("badge").textContent };
  });
}

/** Where the page and the command differ about one package. */
function differences(verdict, said) {
  if (said.text) return isRead(verdict) ? [`the page refuses it: ${said.text}`] : [];
  if (!isRead(verdict)) return [`the command says ${verdict.status}, ${verdict.reason}; the page opens it`];
  if (said.unproved) return [`not proved: ${said.unproved}`];
  const all = [];
  const isIdentical = verdict.status === "identical";
  if (said.proof.identical !== isIdentical && verdict.status !== "incomplete") all.push(`identical: ${said.proof.identical}, the command says ${verdict.status}, ${verdict.reason}`);
  if (said.badge.includes("Rebuilt byte for byte") !== said.proof.identical) all.push(`the badge says ${said.badge}`);
  if (!said.packed) {
    for (const kind of ["typed", "payload", "opaque", "gap"]) {
      if (said.proof.coverage[kind] !== verdict[kind]) all.push(`${kind}: ${said.proof.coverage[kind]}, the command says ${verdict[kind]}`);
    }
  }
  return all;
}

const closeAll = (page) => page.evaluate(() => {
  const { app } = window.page;
  for (const doc of [...app.docs]) app.closeTab(doc);
  app.clearNotes();
});

/** Sums up what was seen, and holds that nothing differs. */
function judge(title, results, seen) {
  const different = results.flatMap(({ path, verdict, said }) => differences(verdict, said).map((one) => `${path}: ${one}`));
  const counts = { files: results.length, refused: results.filter(({ said }) => said.text).length, identical: results.filter(({ said }) => said.proof?.identical).length,
    coverage: results.filter(({ said }) => said.proof && !said.packed).length, byEngine: {} };
  for (const { said } of results) if (said.engine) counts.byEngine[said.engine] = (counts.byEngine[said.engine] ?? 0) + 1;
  console.log(title, JSON.stringify(counts));
  assert.deepEqual(different, []);
  // Meshes are drawn without a graphics card here, which the browser says is slow.
  assert.deepEqual(seen.console.filter((text) => !text.includes("ReadPixels")), []);
  assert.deepEqual(seen.requests, []);
  assert.ok(Object.keys(counts.byEngine).length >= 5, `engines: ${Object.keys(counts.byEngine)}`);
}

test("real files of all engines, one after the other", { skip: reason, timeout: 3_600_000 }, async () => {
  const { page, context, seen } = await openPage(browser);
  const results = [];
  for (const [at, one] of packages.entries()) {
    await page.setInputFiles("#chooser", filesOf(one.path));
    results.push({ ...one, said: await shown(page, one.name) });
    if (at % MOST_OPEN === MOST_OPEN - 1) await closeAll(page);
  }
  judge("one after the other", results, seen);
  await context.close();
});

test("the same files as a folder", { skip: reason, timeout: 3_600_000 }, async () => {
  const { page, context, seen } = await openPage(browser);
  await page.setInputFiles("#chooser", packages.flatMap(({ path }) => filesOf(path)));
  await page.waitForSelector("#files .row .label");
  assert.equal(await page.textContent("#workspace .found"), `${packages.length} packages`);
  const results = [];
  for (const [at, one] of packages.entries()) {
    // Chosen as one does: looked for by its name, clicked.
    await page.evaluate(() => { window.page.app.clearNotes(); window.page.app.showWorkspace(); });
    await page.fill("#workspace .filter", one.name);
    const row = page.locator("#files .row", { has: page.getByText(one.name, { exact: true }) });
    await row.first().click();
    const said = await shown(page, one.name);
    results.push({ ...one, said });
    if (said.text) {
      // The reason stands in its row, too.
      await page.waitForFunction((name) => [...document.querySelectorAll("#files .row")].some((row) => row.textContent.includes(name) && row.querySelector(".state-failed")), one.name);
    }
    if (at % MOST_OPEN === MOST_OPEN - 1) await closeAll(page);
  }
  judge("as a folder", results, seen);
  await context.close();
});
