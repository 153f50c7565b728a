//! What commands print: lines for people, JSON for scripts, one object a line.

use std::fmt::Display;
use std::io::{self, BufWriter, IsTerminal, StdoutLock, Write};

use clap::ValueEnum;
use serde::Serialize;

use crate::failure::Failure;

/// Standard output, in the form that the user asked for.
#[derive(Debug)]
pub struct Output {
    json: bool,
    out: BufWriter<StdoutLock<'static>>,
    /// Standard output belongs to the result; what is said goes to standard error.
    diverted: bool,
    /// Whether lines may have colours.
    colored: bool,
    warnings: Vec<String>,
}

impl Output {
    /// Standard output; `json` for scripts.
    pub fn new(json: bool) -> Self {
        Self {
            json,
            out: BufWriter::new(io::stdout().lock()),
            diverted: false,
            colored: false,
            warnings: Vec::new(),
        }
    }

    /// Whether scripts read this.
    pub fn is_json(&self) -> bool {
        self.json
    }

    /// Prints one line for people. Control characters are escaped: a package may hold any text, and a
    /// terminal obeys some of it.
    pub fn line(&mut self, text: impl Display) -> Result<(), Failure> {
        self.say(&printable(&text.to_string()))
    }

    /// Whether lines have colours from here on; those of JSON never have.
    pub fn set_color(&mut self, color: ColorChoice) {
        self.colored = !self.json && color.is_wanted(io::stdout().is_terminal());
    }

    /// As [`Output::line`], in this colour where there are colours.
    pub fn painted(&mut self, paint: Paint, text: impl Display) -> Result<(), Failure> {
        let text = printable(&text.to_string());
        match self.colored {
            true => self.say(&format!("\x1b[{}m{text}\x1b[0m", paint.code())),
            false => self.say(&text),
        }
    }

    /// Prints one JSON object on one line.
    pub fn object(&mut self, value: &impl Serialize) -> Result<(), Failure> {
        let text = serde_json::to_string(value)?;
        self.say(&text)
    }

    fn say(&mut self, line: &str) -> Result<(), Failure> {
        match self.diverted {
            true => writeln!(io::stderr(), "{line}")?,
            false => writeln!(self.out, "{line}")?,
        }
        Ok(())
    }

    /// Warns on standard error; JSON objects of commands that may warn have the texts as well.
    pub fn warn(&mut self, text: String) -> Result<(), Failure> {
        warn_early(&text);
        self.warnings.push(text);
        Ok(())
    }

    /// What was warned of so far.
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }

    /// Keeps standard output for the result: what is said from here on goes to standard error.
    pub fn divert(&mut self) {
        self.diverted = true;
    }

    /// Standard output for what a program reads.
    pub fn standard(&mut self) -> &mut impl Write {
        &mut self.out
    }

    /// Prints text that is meant for a program, as it is.
    pub fn raw(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        self.out.write_all(bytes)?;
        Ok(())
    }

    /// Hands everything on; must be called at the end, since only then errors show.
    pub fn flush(&mut self) -> Result<(), Failure> {
        self.out.flush()?;
        Ok(())
    }
}

/// `--color`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ColorChoice {
    /// On a terminal, unless NO_COLOR is set
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

impl ColorChoice {
    /// Whether there are to be colours (<https://no-color.org>).
    fn is_wanted(self, is_terminal: bool) -> bool {
        let is_set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
        let is_dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
        match self {
            Self::Always => true,
            Self::Never => false,
            Self::Auto => is_terminal && !is_set("NO_COLOR") && !is_dumb,
        }
    }
}

/// The colour of a line.
#[derive(Debug, Clone, Copy)]
pub enum Paint {
    /// What came.
    Added,
    /// What went.
    Removed,
    /// What has another name.
    Renamed,
    /// What is other than before.
    Changed,
}

impl Paint {
    /// As terminals know it: ECMA-48, select graphic rendition.
    fn code(self) -> &'static str {
        match self {
            Self::Added => "32",
            Self::Removed => "31",
            Self::Renamed => "36",
            Self::Changed => "33",
        }
    }
}

/// Warns on standard error; [`Output::warn`] also keeps the text for JSON.
pub fn warn_early(text: &str) {
    let lines: Vec<_> = text.lines().map(printable).collect();
    say_on_stderr(&format!("warning: {}", lines.join("\n")));
}

/// A line on standard error. Where it is closed or full, nobody reads it, and the exit code says the rest.
pub fn say_on_stderr(line: &str) {
    let _ = writeln!(io::stderr(), "{line}");
}

/// Text on one line, control characters escaped.
pub fn printable(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    for char in text.trim_end().chars() {
        if char.is_control() {
            line.extend(char.escape_debug());
        } else {
            line.push(char);
        }
    }
    line
}

/// A number with its thousands apart: `1,234,567`.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A count with its noun: `1 body`, `2 bodies`.
pub fn count(number: u64, one: &str, many: &str) -> String {
    format!("{} {}", grouped(number), if number == 1 { one } else { many })
}

/// Flag names as people read them: `Public | Standalone (0x80004)`.
pub fn flags(names: &[String], bits: u64) -> String {
    if names.is_empty() {
        "none (0x0)".to_owned()
    } else {
        format!("{} ({bits:#x})", names.join(" | "))
    }
}

/// Characters of the widest column. A longer cell pushes the rest of its own row aside; widening the column
/// for it would pad every other row as far.
const WIDEST: usize = 120;

/// A table with aligned columns, whose rows are measured before they are printed.
#[derive(Debug)]
pub struct Table<'a> {
    header: &'a [&'a str],
    /// Which columns are numbers.
    right: &'a [bool],
    widths: Vec<usize>,
}

impl<'a> Table<'a> {
    /// A table as wide as its header.
    pub fn new(header: &'a [&'a str], right: &'a [bool]) -> Self {
        let widths = header.iter().map(|cell| cell.len()).collect();
        Self { header, right, widths }
    }

    /// Makes room for a row.
    pub fn measure(&mut self, row: &[String]) {
        for (width, cell) in self.widths.iter_mut().zip(row) {
            let cell = cell.chars().count();
            if cell <= WIDEST {
                *width = (*width).max(cell);
            }
        }
    }

    /// The first line.
    pub fn header(&self) -> String {
        self.line(&self.header.iter().map(|cell| (*cell).to_owned()).collect::<Vec<_>>())
    }

    /// A row as a line.
    pub fn line(&self, row: &[String]) -> String {
        let cells = row.iter().zip(&self.widths).zip(self.right);
        let cells = cells.map(|((cell, &width), &right)| pad(cell, width, right));
        cells.collect::<Vec<_>>().join("  ")
    }
}

/// Rows of a table with aligned columns; `right` says which columns are numbers.
pub fn table(header: &[&str], right: &[bool], rows: &[Vec<String>]) -> Vec<String> {
    let mut table = Table::new(header, right);
    rows.iter().for_each(|row| table.measure(row));
    std::iter::once(table.header()).chain(rows.iter().map(|row| table.line(row))).collect()
}

/// A cell of at least this many characters. Widths of a format have 16 bits, and beyond them it panics.
fn pad(cell: &str, width: usize, right: bool) -> String {
    let space = " ".repeat(width.saturating_sub(cell.chars().count()));
    if right { space + cell } else { cell.to_owned() + &space }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_stand_apart() {
        for (number, text) in [(0, "0"), (999, "999"), (1000, "1,000"), (1_234_567, "1,234,567")] {
            assert_eq!(grouped(number), text);
        }
    }

    #[test]
    fn control_characters_never_reach_the_terminal() {
        assert_eq!(printable("a\u{1b}[2Jb\nc"), "a\\u{1b}[2Jb\\nc");
    }

    #[test]
    fn columns_align() {
        let rows = [vec!["1".to_owned(), "ab".to_owned()], vec!["22".to_owned(), "c".to_owned()]];
        let lines = table(&["#", "name"], &[true, false], &rows);
        assert_eq!(lines, [" #  name", " 1  ab  ", "22  c   "]);
    }

    #[test]
    fn a_cell_of_any_length_widens_its_own_row_only() {
        let long = "é".repeat(70_000);
        let row = |cell: &str| vec![cell.to_owned(), "x".to_owned()];
        let lines = table(&["name", "y"], &[false, true], &[row(&long), row("short")]);
        assert_eq!(lines, ["name   y".to_owned(), format!("{long}  x"), "short  x".to_owned()]);
    }
}
