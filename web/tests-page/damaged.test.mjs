// Damaged files: an error that says what to do, and the page lives.

import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { choose, isQuick, launch, openPage, openSample, opened, root, saved } from "./browser.mjs";
import { damaged, largePackage, random } from "./packages.mjs";

const COUNT = isQuick ? 60 : 1000;
let browser;
before(async () => { browser = await launch(); });
after(() => browser.close());

test(`${COUNT} damaged files`, { timeout: 1_800_000 }, async (t) => {
  const { page, context, seen } = await openPage(browser);
  // Three packages of three kinds to damage.
  const sources = [largePackage({ exports: 40, textures: 0 })];
  for (const name of ["Courtyard.utx", "DT_Weapons.uasset"]) {
    await openSample(page, name);
    sources.push((await saved(page, () => page.click("button:has-text('Save')"))).bytes);
    await page.evaluate(() => { for (const button of document.querySelectorAll(".file [aria-label^=Close]")) button.click(); });
    await page.waitForSelector("[data-sample]");
  }
  const kept = join(root, "../tests/regressions");
  for (const name of readdirSync(kept).filter((name) => name.endsWith(".u"))) sources.push(readFileSync(join(kept, name)));
  const draw = random(2026);
  const outcome = { opened: 0, refused: 0, crashed: 0 };
  for (let round = 0; round < COUNT; round++) {
    // The first of each as it is.
    const source = sources[round % sources.length];
    const bytes = round < sources.length ? source : damaged(source, draw);
    const name = `Damaged${round}.${["u", "utx", "uasset"][round % sources.length] ?? "u"}`;
    const result = await page.evaluate(async ([name, text]) => {
      const bytes = Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
      await window.page.open([new File([bytes], name)]);
      const notice = document.querySelector(".notice");
      const doc = document.querySelector(".file.current") && window.page.doc();
      if (!doc) return { notice: notice?.textContent ?? "" };
      // Everything that one looks at first.
      const ask = async (op, rest) => {
        try {
          return await doc.get(op, rest);
        } catch (error) {
          return { error: error.message, kind: error.kind };
        }
      };
      const said = [];
      const { rows } = await ask("tree", { from: 0, count: 50 });
      for (const key of (rows ?? []).slice(0, 8).map((row) => row.key)) {
        const details = await ask("details", { key });
        said.push(details);
        if (details.row !== undefined) {
          said.push(await ask("properties", { row: details.row }), await ask("references", { key }), await ask("code", { row: details.row }));
          said.push(await ask("picture", { key }));
        }
      }
      said.push(await ask("fields", { from: 0, length: 4096 }), await ask("proof", { parts: 64 }));
      const crashed = said.find((one) => one?.kind === "crash");
      return { opened: true, crashed: crashed?.error };
    }, [name, bytes.toString("base64")]);
    if (result.crashed) {
      outcome.crashed++;
      t.diagnostic(`${name}: ${result.crashed}`);
      console.log(name, result.crashed.slice(0, 200));
    } else if (result.opened) outcome.opened++;
    else {
      outcome.refused++;
      assert.ok(result.notice.length > 20, `round ${round} says '${result.notice}'`);
      assert.ok(!/crash|unreachable/.test(result.notice), result.notice);
    }
    await page.evaluate(() => { for (const button of document.querySelectorAll(".file [aria-label^=Close], .notice button")) button.click(); });
  }
  console.log("damaged", JSON.stringify(outcome));
  assert.equal(outcome.crashed, 0, "damaged files end the module");
  assert.ok(outcome.opened > 0 && outcome.refused > 0, "the damage is neither too small nor too large");
  // The page lives.
  await choose(page, { name: "Fine.utx", buffer: sources[1] });
  await opened(page);
  assert.deepEqual(seen.requests, []);
  await context.close();
});

test("a module that ends is started again, with what was changed", { timeout: 60_000 }, async () => {
  const { page, context } = await openPage(browser);
  await openSample(page);
  await page.evaluate(() => window.page.doc().change({ do: "add-name", name: "Survivor" }));
  await page.evaluate(() => window.page.doc().engine.end("made to end by the test"));
  await page.waitForSelector(".notice");
  assert.match(await page.textContent(".notice"), /opened once more, with the changes/);
  await page.waitForFunction(async () => {
    try {
      return (await window.page.doc().get("changes")).done === 1;
    } catch {
      return false;
    }
  });
  await context.close();
});
