//! Tables as workbooks (`.xlsx`, ECMA-376), and back: the first sheet, with the heads in its first row. Numbers and flags are
//! cells of their kind, so that programs for tables calculate with them, everything else is text.

use std::collections::BTreeMap;
use std::fmt;
use std::io::{Cursor, Read};

use calamine::{DataRef, Reader, Xlsx};
use rust_xlsxwriter::{DocProperties, ExcelDateTime, Format, Workbook, Worksheet};
use serde_json::Value as Json;
use zip::ZipArchive;

use super::cell::plain_text;
use super::file::{FileRow, ReadTable, check_head};
use super::grid::Table;
use crate::error::{Error, Result};
use crate::guard::guarded;

/// Up to here every integer is a number of a cell, which are of 64 bits with a point.
const EXACT: i64 = 1 << 53;

/// What a workbook may become when it is unpacked, in bytes: that much, or so many times the file.
const UNPACKED: u64 = 256 << 20;
const TIMES: u64 = 64;

/// A cell that is not empty.
#[derive(Debug, PartialEq)]
enum SheetCell {
    Text(String),
    Number(f64),
    Flag(bool),
}

impl SheetCell {
    /// The cell of a value; nothing where the text is empty, as in CSV.
    fn of(value: &Json) -> Option<Self> {
        let cell = match value {
            Json::Bool(flag) => Self::Flag(*flag),
            Json::Number(number) if is_exact(number) => Self::Number(number.as_f64()?),
            value => Self::Text(plain_text(value)),
        };
        (cell != Self::Text(String::new())).then_some(cell)
    }

    fn read(data: &DataRef<'_>) -> std::result::Result<Option<Self>, &'static str> {
        let cell = match data {
            DataRef::Empty => return Ok(None),
            DataRef::Int(number) => Self::Text(number.to_string()),
            DataRef::Float(number) => Self::Number(*number),
            DataRef::Bool(flag) => Self::Flag(*flag),
            DataRef::String(text) => Self::Text(text.clone()),
            DataRef::SharedString(text) => Self::Text((*text).to_owned()),
            // Which number or text stood there before it was taken for a date can't be told.
            DataRef::DateTime(_) | DataRef::DateTimeIso(_) | DataRef::DurationIso(_) => {
                return Err("a date: make it a number or text");
            }
            DataRef::Error(_) => return Err("an error of a formula"),
        };
        Ok((cell != Self::Text(String::new())).then_some(cell))
    }

    /// As CSV has it.
    fn into_text(self) -> String {
        match self {
            Self::Text(text) => text,
            Self::Flag(flag) => plain_text(&flag.into()),
            Self::Number(number) if number.fract() == 0.0 && number.abs() <= EXACT as f64 => {
                plain_text(&(number as i64).into())
            }
            Self::Number(number) => plain_text(&number.into()),
        }
    }

    fn write(&self, sheet: &mut Worksheet, row: u32, column: u16) -> Result<()> {
        let done = match self {
            Self::Text(text) => sheet.write_string(row, column, text),
            Self::Number(number) => sheet.write_number(row, column, *number),
            Self::Flag(flag) => sheet.write_boolean(row, column, *flag),
        };
        done.map(drop).map_err(|why| {
            Error::invalid(format!("no workbook: {}: {why}", SheetPlace(row, column.into())))
        })
    }
}

/// Whether a cell holds the number as it is.
fn is_exact(number: &serde_json::Number) -> bool {
    match number.as_i64() {
        Some(integer) => (-EXACT..=EXACT).contains(&integer),
        // What is larger than 64 bits with a sign is an integer.
        None => {
            number.is_f64()
                && number.as_f64().is_some_and(|number| {
                    number.is_finite() && number.to_bits() != (-0.0f64).to_bits()
                })
        }
    }
}

/// A cell's place as programs for tables name it: `B12`.
struct SheetPlace(u32, u32);

impl fmt::Display for SheetPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (mut letters, mut rest) = (Vec::new(), u64::from(self.1) + 1);
        while rest > 0 {
            rest -= 1;
            letters.push(b'A' + (rest % 26) as u8);
            rest /= 26;
        }
        letters.reverse();
        write!(f, "{}{}", String::from_utf8_lossy(&letters), u64::from(self.0) + 1)
    }
}

/// The cells of the first sheet by row and column, both from 0.
type SheetCells = BTreeMap<(u32, u32), SheetCell>;

impl Table {
    pub(super) fn to_xlsx(&self) -> Result<Vec<u8>> {
        let large = || {
            let (rows, columns) = (self.rows.len(), self.columns.len());
            Error::invalid(format!(
                "no workbook: {rows} rows and {columns} columns are more than a sheet holds: write CSV"
            ))
        };
        let mut cells = SheetCells::new();
        let heads = self.columns.iter().map(|column| self.head_of(column));
        for (column, head) in [self.head.to_owned()].into_iter().chain(heads).enumerate() {
            let column = u16::try_from(column).map_err(|_| large())?;
            if let Some(cell) = SheetCell::of(&head.into()) {
                cells.insert((0, column.into()), cell);
            }
        }
        for (row, (name, values)) in (1..).zip(&self.rows) {
            if let Some(cell) = SheetCell::of(&name.as_str().into()) {
                cells.insert((row, 0), cell);
            }
            for (column, value) in values {
                if let Some(cell) = SheetCell::of(value) {
                    cells.insert((row, *column as u32 + 1), cell);
                }
            }
        }
        let file = write(&cells)?;
        // SheetCells take no more than 32,767 characters, and some characters stand in them as escapes: what is not read as it was
        // meant would be a changed cell for the next import.
        let again = read(&file)?;
        if let Some(((row, column), _)) =
            cells.iter().find(|(place, cell)| again.get(place) != Some(cell))
        {
            return Err(Error::invalid(format!(
                "no workbook: {} would not be read as it is: write CSV",
                SheetPlace(*row, *column)
            )));
        }
        Ok(file)
    }
}

fn write(cells: &SheetCells) -> Result<Vec<u8>> {
    let fail = |why| Error::invalid(format!("no workbook: {why}"));
    let mut book = Workbook::new();
    // The same table is the same file: else it would say when it was made.
    let epoch = ExcelDateTime::from_ymd(2000, 1, 1).map_err(fail)?;
    book.set_properties(&DocProperties::new().set_creation_datetime(&epoch));
    let sheet = book.add_worksheet();
    sheet.set_freeze_panes(1, 1).map_err(fail)?;
    sheet.set_row_format(0, &Format::new().set_bold()).map_err(fail)?;
    for ((row, column), cell) in cells {
        let column = u16::try_from(*column).unwrap_or(u16::MAX);
        cell.write(sheet, *row, column)?;
    }
    book.save_to_buffer().map_err(fail)
}

/// Refuses what would unpack to more memory than such a file needs: all that the crate reads is held at once.
fn check_size(file: &[u8]) -> Result<()> {
    let damaged = |why| Error::invalid(format!("the workbook is damaged: {why}"));
    let limit = (file.len() as u64).saturating_mul(TIMES).max(UNPACKED);
    let mut parts = ZipArchive::new(Cursor::new(file)).map_err(|why| damaged(why.to_string()))?;
    let mut rest = limit;
    for part in 0..parts.len() {
        let part = parts.by_index(part).map_err(|why| damaged(why.to_string()))?;
        // What the table of contents says of sizes need not be so.
        let size = std::io::copy(&mut part.take(rest.saturating_add(1)), &mut std::io::sink());
        rest =
            rest.checked_sub(size.map_err(|why| damaged(why.to_string()))?).ok_or_else(|| {
                Error::invalid(format!(
                    "the workbook unpacks to more than {limit} bytes: write CSV"
                ))
            })?;
    }
    Ok(())
}

/// The cells of a file. The crate subtracts places of a sheet's bounds as they stand in the file: where numbers are checked
/// that is a panic.
fn read(file: &[u8]) -> Result<SheetCells> {
    let gave_up = || Err(Error::invalid("the workbook is damaged: its reader gave up"));
    guarded(|| read_cells(file)).unwrap_or_else(gave_up)
}

fn read_cells(file: &[u8]) -> Result<SheetCells> {
    check_size(file)?;
    let damaged =
        |why: calamine::XlsxError| Error::invalid(format!("the workbook is damaged: {why}"));
    let mut book = Xlsx::new(Cursor::new(file)).map_err(damaged)?;
    let sheet = book.sheet_names().first().cloned();
    let sheet = sheet.ok_or_else(|| Error::invalid("the workbook has no sheet"))?;
    let mut reader = book.worksheet_cells_reader(&sheet).map_err(damaged)?;
    let mut cells = SheetCells::new();
    while let Some(found) = reader.next_cell().map_err(damaged)? {
        let (row, column) = found.get_position();
        let wrong =
            |why: &str| Error::invalid(format!("the cell {} is {why}", SheetPlace(row, column)));
        let Some(cell) = SheetCell::read(found.get_value()).map_err(wrong)? else { continue };
        if cells.insert((row, column), cell).is_some() {
            return Err(wrong("there twice"));
        }
    }
    Ok(cells)
}

/// Reads a workbook; `key` is what JSON calls the name of a row.
pub(super) fn read_xlsx(file: &[u8], key: &str) -> Result<ReadTable> {
    let mut heads = BTreeMap::new();
    let mut lines = BTreeMap::<u32, Vec<(u32, String)>>::new();
    for ((row, column), cell) in read(file)? {
        match row {
            0 => drop(heads.insert(column, cell.into_text())),
            row => lines.entry(row).or_default().push((column, cell.into_text())),
        }
    }
    let first = heads.remove(&0).unwrap_or_default();
    check_head(&first, heads.len() + 1, key)?;
    let columns: Vec<_> = heads.values().cloned().collect();
    let places: BTreeMap<_, _> = heads.into_keys().zip(0..).collect();
    let mut rows = Vec::with_capacity(lines.len());
    for (row, line) in lines {
        let mut made = FileRow { name: String::new(), cells: Vec::new() };
        for (column, text) in line {
            if column == 0 {
                made.name = text;
                continue;
            }
            let place = places.get(&column).ok_or_else(|| {
                Error::invalid(format!("the cell {} stands below no head", SheetPlace(row, column)))
            })?;
            made.cells.push((*place, text.into()));
        }
        rows.push(made);
    }
    Ok(ReadTable { columns, rows, namespace: None, is_complete: false })
}
