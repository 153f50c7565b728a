// Tables as text: comma-separated, or as spreadsheets copy them, separated by tabs.

/** The cells of a text, row by row. */
export function readCells(text: string, separator: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let cell = "";
  let isQuoted = false;
  const endRow = (): void => {
    row.push(cell);
    rows.push(row);
    [row, cell] = [[], ""];
  };
  for (let at = 0; at < text.length; at++) {
    const char = text[at];
    if (isQuoted) {
      if (char !== '"') cell += char;
      else if (text[at + 1] === '"') { cell += '"'; at++; }
      else isQuoted = false;
    } else if (char === '"' && cell === "") isQuoted = true;
    else if (char === separator) { row.push(cell); cell = ""; }
    else if (char === "\n") endRow();
    else if (char !== "\r" || text[at + 1] !== "\n") cell += char;
  }
  if (cell !== "" || row.length > 0) endRow();
  return rows;
}

/** Cells as comma-separated text. */
export function writeCells(rows: string[][]): string {
  const cell = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  return rows.map((row) => `${row.map(cell).join(",")}\n`).join("");
}

/** How the cells of a text that was pasted are separated. */
export function separatorOf(text: string): string {
  return text.split("\n", 1)[0].includes("\t") ? "\t" : ",";
}

/** Columns without what the editor adds to the names of a structure that was made in it: number and GUID. */
export function shortNames(columns: string[]): string[] {
  const short = columns.map((column) => column.replace(/_\d+_[0-9A-F]{32}$/, ""));
  return new Set(short).size === columns.length ? short : columns;
}
