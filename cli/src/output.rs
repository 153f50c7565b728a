//! What commands print: lines for people, JSON for scripts, one object a line.

use std::borrow::Cow;
use std::fmt::Display;
use std::io::{self, BufWriter, IsTerminal, StdoutLock, Write};
use std::sync::OnceLock;

use serde::Serialize;

use crate::color::{self, Paint};
use crate::failure::Failure;
use crate::pager::Pager;

/// Whether what is said early is said to scripts.
static JSON: OnceLock<bool> = OnceLock::new();
/// Whether only results are said.
static QUIET: OnceLock<bool> = OnceLock::new();

/// Says notes as JSON from here on, if scripts read them, and no sums where `quiet`.
pub fn set_up(json: bool, quiet: bool) {
    // Set once, before anything is said.
    let _ = JSON.set(json);
    let _ = QUIET.set(quiet);
}

/// Whether only results are said.
pub fn is_quiet() -> bool {
    QUIET.get().copied().unwrap_or(false)
}

/// Where the lines go.
#[derive(Debug)]
enum Sink {
    Standard(BufWriter<StdoutLock<'static>>),
    /// Standard output, by pages if there is a pager: it starts with the first line, so that what is said on standard
    /// error before is seen.
    Waiting,
    Paged(BufWriter<Pager>),
    /// Kept for another output.
    Kept(Vec<u8>),
}

impl Sink {
    fn standard() -> Self {
        Self::Standard(BufWriter::new(io::stdout().lock()))
    }
}

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if matches!(self, Self::Waiting) {
            *self =
                Pager::start().map_or_else(Self::standard, |it| Self::Paged(BufWriter::new(it)));
        }
        match self {
            Self::Standard(out) => out.write(bytes),
            Self::Paged(out) => out.write(bytes),
            Self::Kept(kept) => kept.write(bytes),
            Self::Waiting => Ok(0),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Standard(out) => out.flush(),
            Self::Paged(out) => out.flush(),
            Self::Waiting | Self::Kept(_) => Ok(()),
        }
    }
}

/// What a command has said into an [`Output`] that keeps it: of work on another thread.
#[derive(Debug, Default)]
pub struct KeptOutput {
    lines: Vec<u8>,
    warnings: Vec<String>,
}

/// Standard output, in the form that the user asked for.
#[derive(Debug)]
pub struct Output {
    json: bool,
    out: Sink,
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
            out: Sink::standard(),
            diverted: false,
            colored: !json && color::on_stdout(),
            warnings: Vec::new(),
        }
    }

    /// Standard output by pages, where that is a terminal.
    pub fn paged(json: bool) -> Self {
        match !json && io::stdout().is_terminal() {
            true => Self { out: Sink::Waiting, ..Self::new(json) },
            false => Self::new(json),
        }
    }

    /// An output that keeps what is said until [`Output::say_kept`] says it.
    pub fn keeping(json: bool) -> Self {
        let out = Sink::Kept(Vec::new());
        Self { json, out, diverted: false, colored: false, warnings: Vec::new() }
    }

    /// What was kept.
    pub fn kept(self) -> KeptOutput {
        let lines = match self.out {
            Sink::Kept(lines) => lines,
            Sink::Standard(_) | Sink::Waiting | Sink::Paged(_) => Vec::new(),
        };
        KeptOutput { lines, warnings: self.warnings }
    }

    /// Keeps or says what another output has kept, its warnings among what was warned of here.
    pub fn say_later(&mut self, kept: &KeptOutput) -> Result<(), Failure> {
        self.warnings.extend(kept.warnings.iter().cloned());
        self.out.write_all(&kept.lines)?;
        Ok(())
    }

    /// Says what another output has kept. Its warnings are those of its own objects.
    pub fn say_kept(&mut self, kept: &KeptOutput) -> Result<(), Failure> {
        kept.warnings.iter().for_each(|text| warn_early(text));
        self.out.write_all(&kept.lines)?;
        Ok(())
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

    /// Prints a text of several lines, whose tabs are tabs: what stands below a place in it stays below that.
    pub fn lines(&mut self, text: impl Display) -> Result<(), Failure> {
        text.to_string().lines().try_for_each(|line| self.say(&escaped(line.trim_end(), true)))
    }

    /// Prints the sums of what was printed before, or what was written where: nothing that is quiet says it.
    pub fn summary(&mut self, text: impl Display) -> Result<(), Failure> {
        if is_quiet() { Ok(()) } else { self.line(text) }
    }

    /// As [`Output::line`], in this colour where there are colours.
    pub fn painted(&mut self, paint: Paint, text: impl Display) -> Result<(), Failure> {
        let text = printable(&text.to_string());
        match self.colored {
            true => self.say(&paint.paint(&text)),
            false => self.say(&text),
        }
    }

    /// A line of parts, some of them in a colour where there are colours.
    pub fn parts(&mut self, parts: &[(Option<Paint>, &str)]) -> Result<(), Failure> {
        let mut line = String::new();
        for (paint, text) in parts {
            let text = escaped(text, false);
            match paint.filter(|_| self.colored && !text.is_empty()) {
                Some(paint) => line.push_str(&paint.paint(&text)),
                None => line.push_str(&text),
            }
        }
        self.say(line.trim_end())
    }

    /// Prints one JSON object on one line.
    pub fn object(&mut self, value: &impl Serialize) -> Result<(), Failure> {
        let text = serde_json::to_string(value)?;
        self.say(&plain_json(&text))
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
        if !matches!(self.out, Sink::Kept(_)) {
            warn_early(&text);
        }
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

    /// Standard output for what a program reads; on a terminal, which obeys some of it, as [`Output::raw`].
    pub fn standard(&mut self) -> impl Write {
        ForPrograms { is_terminal: io::stdout().is_terminal(), out: &mut self.out }
    }

    /// Prints text that is meant for a program, as it is; on a terminal all that could be obeyed is escaped.
    pub fn raw(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        self.standard().write_all(bytes)?;
        Ok(())
    }

    /// Leaves standard output to another writer: what is said from here on goes to standard error.
    pub fn leave(&mut self) -> Result<(), Failure> {
        self.out.flush()?;
        self.diverted = true;
        self.out = Sink::Kept(Vec::new());
        Ok(())
    }

    /// Hands everything on; must be called at the end, since only then errors show.
    pub fn flush(&mut self) -> Result<(), Failure> {
        self.out.flush()?;
        Ok(())
    }
}

/// Standard output for what a program reads.
struct ForPrograms<'a, W: Write> {
    is_terminal: bool,
    out: &'a mut W,
}

impl<W: Write> Write for ForPrograms<'_, W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if !self.is_terminal {
            return self.out.write(bytes);
        }
        let text = String::from_utf8_lossy(bytes);
        let mut lines = text.split('\n');
        // Between two of them stands a line's end; the first may go on with what was written before.
        if let Some(first) = lines.next() {
            self.out.write_all(escaped(first, true).as_bytes())?;
        }
        for line in lines {
            self.out.write_all(b"\n")?;
            self.out.write_all(escaped(line, true).as_bytes())?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// Warns on standard error; [`Output::warn`] also keeps the text for JSON.
pub fn warn_early(text: &str) {
    let lines: Vec<_> = text.lines().map(printable).collect();
    say_on_stderr(&format!("{} {}", marked(Paint::Doubtful, "warning:"), lines.join("\n")));
}

/// A word of standard error that says what follows, in its colour where there are colours.
pub fn marked(paint: Paint, word: &str) -> String {
    if color::on_stderr() { paint.paint(word) } else { word.to_owned() }
}

/// A line on standard error. Where it is closed or full, nobody reads it, and the exit code says the rest.
pub fn say_on_stderr(line: &str) {
    let _ = writeln!(io::stderr(), "{line}");
}

/// Says something on standard error that the user should know, before or beside the results: a line, or what `json`
/// makes for scripts.
pub fn note_early(text: &str, json: impl FnOnce() -> serde_json::Value) {
    let line = match JSON.get() {
        Some(true) => plain_json(&json().to_string()).into_owned(),
        _ => printable(text),
    };
    // Whoever closes standard error does not want to read it.
    let _ = writeln!(io::stderr(), "{line}");
}

/// Text on one line, with all that a terminal would obey or hide as escapes: control characters, those that turn the
/// direction of what follows, those without a shape.
pub fn printable(text: &str) -> String {
    escaped(text.trim_end(), false).into_owned()
}

/// One line of bearable length; JSON has all of it.
pub fn cut(text: &str) -> String {
    const LONGEST: usize = 400;
    match text.char_indices().nth(LONGEST) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_owned(),
    }
}

/// As [`printable`], with the blanks at the end, and tabs where they are wanted.
pub fn escaped(text: &str, keeps_tabs: bool) -> Cow<'_, str> {
    let is_kept = |char: char| keeps_tabs && char == '\t' || !is_obeyed(char);
    if text.chars().all(is_kept) {
        return Cow::Borrowed(text);
    }
    let mut line = String::with_capacity(text.len() + 8);
    for char in text.chars() {
        match is_kept(char) {
            true => line.push(char),
            false => line.extend(char.escape_debug()),
        }
    }
    Cow::Owned(line)
}

/// Whether a character is none that is seen as itself: a control, a format character such as U+202E, one that is for
/// private use or not assigned. Marks over letters are seen, and so are spaces of every width.
fn is_obeyed(char: char) -> bool {
    if char.is_ascii() {
        return char.is_ascii_control();
    }
    if char.is_alphanumeric()
        || char.is_whitespace() && !matches!(char, '\u{85}' | '\u{2028}' | '\u{2029}')
    {
        return false;
    }
    // Behind another character the standard library escapes what can't be printed, and marks are not that.
    let mut pair = [b'a', 0, 0, 0, 0];
    let size = 1 + char.encode_utf8(&mut pair[1..]).len();
    let pair = std::str::from_utf8(&pair[..size]).unwrap_or_default();
    pair.escape_debug().nth(1) == Some('\\')
}

/// JSON on one line, in which such characters stand as escapes, which scripts read as the same texts.
pub fn plain_json(text: &str) -> Cow<'_, str> {
    // Only texts hold others than those of ASCII, and there controls are escaped already but for one.
    if text.chars().all(|char| !is_obeyed(char)) {
        return Cow::Borrowed(text);
    }
    let mut line = String::with_capacity(text.len() + 8);
    for char in text.chars() {
        match is_obeyed(char) {
            true => {
                for unit in char.encode_utf16(&mut [0; 2]) {
                    line.push_str(&format!("\\u{unit:04x}"));
                }
            }
            false => line.push(char),
        }
    }
    Cow::Owned(line)
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
        assert_eq!(printable("\u{9b}2J\u{7f}"), "\\u{9b}2J\\u{7f}");
    }

    #[test]
    fn characters_that_turn_or_hide_text_never_reach_the_terminal() {
        for char in [
            '\u{202a}',
            '\u{202d}',
            '\u{202e}',
            '\u{2066}',
            '\u{2069}',
            '\u{200e}',
            '\u{200b}',
            '\u{200d}',
            '\u{2028}',
            '\u{2029}',
            '\u{feff}',
            '\u{ad}',
            '\u{61c}',
            '\u{180e}',
            '\u{e0041}',
            '\u{e000}',
            '\u{fff9}',
            '\u{85}',
            '\u{ffff}',
        ] {
            let shown = printable(&format!("a{char}b"));
            assert_eq!(shown, format!("a\\u{{{:x}}}b", u32::from(char)));
            let json = serde_json::to_string(&format!("a{char}b")).unwrap();
            let plain = plain_json(&json);
            assert!(plain.is_ascii(), "{plain}");
            assert_eq!(serde_json::from_str::<String>(&plain).unwrap(), format!("a{char}b"));
        }
        for text in ["Grüße", "e\u{301}", "日本語\u{3000}x", "हिन्दी", "🙂", "a'\"\\b", "\u{a0}x"]
        {
            assert_eq!(printable(text), text);
        }
    }

    #[test]
    fn what_is_for_programs_is_plain_on_a_terminal() {
        let text = "a\tb\r\u{1b}]0;x\u{7}\n\u{202e}c\n".as_bytes();
        for (is_terminal, shown) in [
            (false, String::from_utf8_lossy(text).into_owned()),
            (true, "a\tb\\r\\u{1b}]0;x\\u{7}\n\\u{202e}c\n".to_owned()),
        ] {
            let mut out = Vec::new();
            ForPrograms { is_terminal, out: &mut out }.write_all(text).unwrap();
            assert_eq!(String::from_utf8(out).unwrap(), shown);
        }
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
