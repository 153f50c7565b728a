// Tables: a grid that is edited, CSV and JSON files both ways, cells that are pasted.

import { readCells, separatorOf, shortNames, writeCells } from "./csv";
import type { Host } from "./details";
import { button, grouped, h } from "./dom";
import { commitOnEnter } from "./draft";
import { keeps } from "./keep";
import type { Details } from "./messages";
import { Replacing, objectOf } from "./replacing";
import { download } from "./tabs";

interface Table { columns: string[]; rows: { name: string; cells: (string | null)[] }[]; total: number }

async function fileOf(host: Host, details: Details, format: string): Promise<Blob> {
  const { bytes } = await host.doc().ask("table", { row: details.row, format });
  return new Blob([bytes ?? new ArrayBuffer(0)], { type: format === "csv" ? "text/csv" : "application/json" });
}

export async function tableTab(host: Host, details: Details): Promise<HTMLElement> {
  const load = (from: number): Promise<Table> => host.doc().get<Table>("content", { row: details.row, from });
  const first = await load(0);
  const { columns, total } = first;
  const titles = shortNames(columns);
  const replacing = new Replacing(host, details);
  const body = h("tbody", {});
  const more = button("", () => void load(body.rows.length).then(add).catch((error) => host.fail(error, details.title)), { id: "more-rows" });
  const add = ({ rows }: Table): void => {
    const from = body.rows.length;
    body.append(...rows.map(({ name, cells }, row) => h("tr", {}, h("th", { scope: "row" }, name), ...cells.map((cell, at) => h("td", {},
      cell === null ? null : editable(host, details, [name, columns[at], titles[at]], cell, (text) => void pasteAt(host, details, replacing, text, from + row, at)))))));
    more.hidden = body.rows.length >= total;
    more.textContent = `Show more of ${grouped(total)} rows`;
  };
  add(first);
  // Rows that were asked for are there again, and what is typed in them.
  keeps<number>(body, "table rows", {
    take: () => (body.rows.length > first.rows.length ? body.rows.length : undefined),
    prepare: async (count) => {
      while (body.rows.length < Math.min(count, total)) {
        const table = await load(body.rows.length);
        if (table.rows.length === 0) return;
        add(table);
      }
    },
  });
  const head = h("tr", {}, h("th", { scope: "col" }, "Row"), ...columns.map((column, at) => h("th", { scope: "col", title: column }, titles[at])));
  const out = (format: string): HTMLElement => button(`Save as ${format.toUpperCase()}`, () => void fileOf(host, details, format)
    .then((file) => download(file, `${details.title}.${format}`)).catch((error) => host.fail(error, details.title)));
  const grid = h("div", { class: "scroll-x", "data-keep": "table" }, h("table", { class: "table" }, h("thead", {}, head), body), more);
  replacing.takesDrops(grid);
  return h("div", {}, h("div", { class: "actions" }, replacing.button("Take rows from a file\u2026", ".csv,.json,text/csv,application/json"), out("csv"), out("json")),
    replacing.said, paster(replacing, details), grid);
}

/** A field for a whole table that is pasted. */
function paster(replacing: Replacing, details: Details): HTMLElement {
  const area = h("textarea", { class: "text", rows: 6, "data-keep": "rows", "data-path": "rows", "aria-label": "Rows as CSV", spellcheck: false, placeholder: "---,Damage,Range" });
  const take = (): void => {
    const text = area.value.replace(/\r\n?/g, "\n");
    const isJson = /^\s*[[{]/.test(text);
    const csv = isJson ? text : writeCells(readCells(text, separatorOf(text)));
    if (text.trim()) void replacing.put(new File([csv], `${details.title}.${isJson ? "json" : "csv"}`));
  };
  return h("details", { class: "paste", "data-keep": "paste" }, h("summary", { "data-path": "paste" }, "Paste rows"),
    h("p", { class: "muted" }, "A whole table with its head, as it is saved: rows that are not in it are removed. A block of cells from a spreadsheet is pasted into the cell where it begins."),
    area, h("p", { class: "actions" }, button("Give it these rows", take)));
}

/** Cells that were copied in a spreadsheet, from a cell on: the whole table with them goes in as one change. */
async function pasteAt(host: Host, details: Details, replacing: Replacing, text: string, row: number, column: number): Promise<void> {
  try {
    const cells = readCells(await (await fileOf(host, details, "csv")).text(), ",");
    const block = readCells(text.replace(/\r\n?/g, "\n"), separatorOf(text));
    // Before them are the head and the names of rows.
    const outside = block.some((line, at) => row + 1 + at >= cells.length || column + 1 + line.length > cells[0].length);
    if (outside) throw new Error(`The ${block.length} pasted rows do not fit into the table from there.`);
    block.forEach((line, at) => line.forEach((cell, place) => { cells[row + 1 + at][column + 1 + place] = cell; }));
    await replacing.put(new File([writeCells(cells)], `${details.title}.csv`));
  } catch (error) {
    host.fail(error, details.title);
  }
}

function editable(host: Host, details: Details, [row, column, title]: [string, string, string], text: string, paste: (text: string) => void): HTMLElement {
  const path = `[${row}]${column === "SourceString" ? "" : `.${column}`}`;
  const input = h("input", { type: "text", value: text, "aria-label": `${row}, ${title}`, "data-path": path, autocomplete: "off", spellcheck: false });
  input.addEventListener("paste", (event) => {
    const pasted = event.clipboardData?.getData("text/plain").replace(/\r?\n$/, "") ?? "";
    if (!/[\t\n]/.test(pasted)) return;
    event.preventDefault();
    paste(pasted);
  });
  commitOnEnter(input, () => host.change({ do: "set", object: objectOf(details), property: path, value: input.value }), text);
  return input;
}
