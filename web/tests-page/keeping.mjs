// Changes while a view is looked at, and what is in it, for the tests of what stays.

import assert from "node:assert/strict";
import { saved } from "./browser.mjs";

export const change = (page, change) => page.evaluate((change) => window.page.app.change(change), change);
export const travel = (page, way) => page.evaluate((way) => window.page.app.travel(way), way);
export const set = (page, object, property, value) => change(page, { do: "set", object, property, value }).then((done) => assert.ok(done, `${object}.${property}`));
export const changesDone = (page, count) => page.waitForFunction((count) => (window.page.doc().summary.changes?.done ?? 0) === count, count);
export const save = (page) => saved(page, () => page.click("button:has-text('Save'):not(.details-pane button)"));

/** Goes to a view of an object, and waits until it is drawn. */
export async function go(page, key, tab, shown) {
  await page.evaluate(([key, tab]) => window.page.app.go(key, tab), [key, tab]);
  const path = key.startsWith("path:") ? key.slice(5) : undefined;
  await page.waitForFunction(([path, tab]) => {
    const { details } = window.page.app;
    return details.tab === tab && (path === undefined || details.shown?.path === path) && document.querySelector(".details-body")?.getAttribute("aria-labelledby") === `tab-${tab}`;
  }, [path, tab]);
  await page.waitForSelector(shown);
  await settled(page);
}

/** Waits until nothing is being drawn: answers have come, and frames with what they lead to. */
export async function settled(page) {
  await page.evaluate(async () => {
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    for (let pause = 0; pause < 4; pause++) {
      await window.page.doc().engine.idle();
      await frame();
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  });
}

export const area = "textarea.code";
export const editing = (page) => page.evaluate((area) => {
  const field = document.querySelector(area);
  return field && { text: field.value, selection: [field.selectionStart, field.selectionEnd], top: field.scrollTop, hasFocus: document.activeElement === field };
}, area);
