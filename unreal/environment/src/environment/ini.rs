//! Ini files in Unreal's form: order, comments, spacing, line ends and encoding are kept.

use std::path::Path;

use super::encoding::IniEncoding;
use crate::error::{Result, Unreadable};
use crate::file::{self, FileOrigin, FileStart, Replacement};

/// Bytes of the largest ini file.
const MOST: u64 = 64 << 20;

/// One line with its end; the parts are what was understood of it.
#[derive(Debug, Clone, PartialEq, Eq)]
struct IniLine {
    raw: String,
    part: IniPart,
    /// The line's bytes, where they are damaged: the text would be stored as others.
    damaged: Option<Vec<u8>>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum IniPart {
    Section(String),
    Entry { key: String, value: String },
    Other,
}

/// An ini file. Sections and keys are found in any case; a key may be there many times, as
/// `Paths=..\Maps\*.unr`, or with an index, as `Paths[3]=..\Maps\*.unr` (spec: ue1-3/08 §8.1).
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Ini {
    lines: Vec<IniLine>,
    encoding: IniEncoding,
    /// Half a character of UTF-16 at the end of a damaged file.
    rest: Vec<u8>,
}

impl IniLine {
    /// A line that was read.
    fn read(bytes: &[u8], encoding: IniEncoding) -> Self {
        let line = Self::parse(&encoding.decode(bytes));
        let same = encoding.encode(&line.raw).is_some_and(|again| again == bytes);
        Self { damaged: (!same).then(|| bytes.to_vec()), ..line }
    }

    fn parse(raw: &str) -> Self {
        let text = raw.trim_matches(|c: char| c.is_whitespace() || c == '\0');
        let section = text.strip_prefix('[').and_then(|rest| rest.split_once(']'));
        let part = match (section, text.split_once('=')) {
            _ if text.starts_with(';') || text.starts_with("//") => IniPart::Other,
            (Some((name, _)), _) => IniPart::Section(name.trim().to_owned()),
            (None, Some((key, value))) if !key.trim().is_empty() => {
                let value = value.trim();
                let inner = value.strip_prefix('"').and_then(|value| value.strip_suffix('"'));
                let value = inner.unwrap_or(value).to_owned();
                IniPart::Entry { key: key.trim().to_owned(), value }
            }
            _ => IniPart::Other,
        };
        Self { raw: raw.to_owned(), part, damaged: None }
    }

    fn entry(&self) -> Option<(&str, &str)> {
        match &self.part {
            IniPart::Entry { key, value } => Some((key, value)),
            _ => None,
        }
    }
}

impl Ini {
    /// Reads the file at `path`.
    ///
    /// # Errors
    /// `Io`; `NotReadable` for what is no file, or larger than any ini file.
    pub fn open(path: impl AsRef<Path>) -> Result<Self> {
        let path = path.as_ref();
        let check = |start: &mut FileStart<'_>| match start.length <= MOST {
            true => Ok(()),
            false => {
                let reason = format!("no ini file has {} bytes", start.length);
                Err(file::refused(path, Unreadable::TooLarge, reason))
            }
        };
        let (bytes, _) = file::read_with(path, FileOrigin::Found, check)?;
        Ok(Self::parse(&bytes))
    }

    /// The ini file that these bytes are; lines that mean nothing are kept as they are.
    pub fn parse(bytes: &[u8]) -> Self {
        let encoding = IniEncoding::detect(bytes);
        let text = bytes.get(encoding.mark().len()..).unwrap_or_default();
        let (text, rest) = text.split_at(text.len() - text.len() % encoding.unit());
        let lines = encoding.lines(text).into_iter().map(|line| IniLine::read(line, encoding));
        Self { lines: lines.collect(), encoding, rest: rest.to_vec() }
    }

    /// The file's bytes: those that were read, but for lines that were changed.
    pub fn to_bytes(&self) -> Vec<u8> {
        // Where what was added does not fit the old encoding: engines read this one as well.
        self.encoded(self.encoding)
            .or_else(|| self.encoded(IniEncoding::Utf16Le))
            .unwrap_or_default()
    }

    fn encoded(&self, encoding: IniEncoding) -> Option<Vec<u8>> {
        let mut bytes = encoding.mark().to_vec();
        for line in &self.lines {
            match &line.damaged {
                Some(damaged) => bytes.extend_from_slice(damaged),
                None => bytes.extend(encoding.encode(&line.raw)?),
            }
        }
        bytes.extend_from_slice(&self.rest);
        Some(bytes)
    }

    /// Writes the file beside `path` and renames it over it.
    ///
    /// # Errors
    /// `Io`.
    pub fn save(&self, path: impl AsRef<Path>) -> Result<()> {
        Replacement::new(path.as_ref(), &self.to_bytes()).overwrite(true).commit().map(drop)
    }

    /// The names of the sections in their order, each once.
    pub fn sections(&self) -> Vec<&str> {
        let mut names: Vec<&str> = Vec::new();
        for line in &self.lines {
            if let IniPart::Section(name) = &line.part
                && !names.iter().any(|known| known.eq_ignore_ascii_case(name))
            {
                names.push(name);
            }
        }
        names
    }

    /// Keys and values of a section in their order, as they are written.
    pub fn entries(&self, section: &str) -> impl Iterator<Item = (&str, &str)> {
        let mut inside = false;
        self.lines.iter().filter_map(move |line| {
            if let IniPart::Section(name) = &line.part {
                inside = name.eq_ignore_ascii_case(section);
            }
            line.entry().filter(|_| inside)
        })
    }

    /// The first value of a key.
    pub fn get(&self, section: &str, key: &str) -> Option<&str> {
        self.entries(section).find(|(known, _)| known.eq_ignore_ascii_case(key)).map(|(_, v)| v)
    }

    /// All values of a key: an indexed one stands at its index, repeated ones follow. Values of
    /// `+Key` and `.Key` count, `-Key` takes one away, `!Key` all.
    pub fn values(&self, section: &str, key: &str) -> Vec<&str> {
        let mut indexed: Vec<(u32, &str)> = Vec::new();
        let mut values: Vec<&str> = Vec::new();
        for (written, value) in self.entries(section) {
            let (operator, bare) = operator(written);
            let (bare, index) = index_of(bare);
            if !bare.eq_ignore_ascii_case(key) {
                continue;
            }
            let same = |known: &str| known.eq_ignore_ascii_case(value);
            match (operator, index) {
                ('!', _) => (indexed, values) = (Vec::new(), Vec::new()),
                ('-', _) => {
                    values.retain(|known| !same(known));
                    indexed.retain(|(_, known)| !same(known));
                }
                ('+', _) if values.iter().any(|known| same(known)) => {}
                (_, Some(index)) => {
                    indexed.retain(|(known, _)| *known != index);
                    indexed.push((index, value));
                }
                _ => values.push(value),
            }
        }
        indexed.sort_by_key(|(index, _)| *index);
        indexed
            .into_iter()
            .map(|(_, value)| value)
            .chain(values)
            .filter(|v| !v.is_empty())
            .collect()
    }

    /// Gives a key this value: the first line that has it is rewritten, or a line is added.
    pub fn set(&mut self, section: &str, key: &str, value: &str) {
        match self.position(section, key, None) {
            Some(at) => {
                let end = self.end_of_line(at);
                self.lines[at] = IniLine::parse(&format!("{key}={value}{end}"));
            }
            None => self.add(section, key, value),
        }
    }

    /// Adds a line at the end of a section, which is made if it is not there.
    pub fn add(&mut self, section: &str, key: &str, value: &str) {
        let end = self.end_of_line(0);
        let text = format!("{key}={value}{end}");
        let start = self.lines.iter().rposition(
            |line| matches!(&line.part, IniPart::Section(name) if name.eq_ignore_ascii_case(section)),
        );
        let mut at = match start {
            Some(start) => {
                let rest = &self.lines[start + 1..];
                let next = rest.iter().position(|line| matches!(line.part, IniPart::Section(_)));
                start + 1 + next.unwrap_or(rest.len())
            }
            None => {
                self.finish_last_line(end);
                if !self.lines.is_empty() {
                    self.lines.push(IniLine::parse(end));
                }
                self.lines.push(IniLine::parse(&format!("[{section}]{end}")));
                self.lines.len()
            }
        };
        // Empty lines stay between sections.
        while at > 0 && self.lines[at - 1].raw.trim().is_empty() {
            at -= 1;
        }
        if at == self.lines.len() {
            self.finish_last_line(end);
        }
        self.lines.insert(at, IniLine::parse(&text));
    }

    /// Removes the lines with this key, or those of them that have this value; says how many.
    pub fn remove(&mut self, section: &str, key: &str, value: Option<&str>) -> usize {
        let mut removed = 0;
        while let Some(at) = self.position(section, key, value) {
            self.lines.remove(at);
            removed += 1;
        }
        removed
    }

    /// Lays another file over this one, as an engine lays a game's or user's over the default: a key
    /// replaces what was there, `+Key` adds a value that is not there, `.Key` adds it in any case,
    /// `-Key` takes one away, `!Key` all.
    pub fn overlay(&mut self, over: &Self) {
        for section in over.sections() {
            let mut replaced: Vec<String> = Vec::new();
            for (written, value) in over.entries(section) {
                let (operator, key) = operator(written);
                let there = self.position(section, key, Some(value)).is_some();
                match operator {
                    '+' if there => {}
                    '+' | '.' => self.add(section, key, value),
                    '-' => drop(self.remove(section, key, Some(value))),
                    '!' => drop(self.remove(section, key, None)),
                    _ => {
                        if !replaced.iter().any(|known| known.eq_ignore_ascii_case(key)) {
                            self.remove(section, key, None);
                            replaced.push(key.to_owned());
                        }
                        self.add(section, key, value);
                    }
                }
            }
        }
    }

    fn position(&self, section: &str, key: &str, value: Option<&str>) -> Option<usize> {
        let mut inside = false;
        self.lines.iter().position(|line| {
            if let IniPart::Section(name) = &line.part {
                inside = name.eq_ignore_ascii_case(section);
            }
            line.entry().is_some_and(|(known, has)| {
                inside
                    && known.eq_ignore_ascii_case(key)
                    && value.is_none_or(|value| value.eq_ignore_ascii_case(has))
            })
        })
    }

    fn end_of_line(&self, at: usize) -> &'static str {
        let raw = self.lines.get(at).map_or("\r\n", |line| line.raw.as_str());
        if raw.ends_with("\r\n") || !raw.ends_with('\n') { "\r\n" } else { "\n" }
    }

    fn finish_last_line(&mut self, end: &str) {
        let encoding = self.encoding;
        if let Some(last) = self.lines.last_mut().filter(|line| !line.raw.ends_with('\n')) {
            last.raw.push_str(end);
            if let Some(damaged) = &mut last.damaged {
                damaged.extend(encoding.encode(end).unwrap_or_default());
            }
        }
    }
}

/// The operator before a key, a space when there is none, and the key.
fn operator(key: &str) -> (char, &str) {
    match key.chars().next() {
        Some(first @ ('+' | '-' | '.' | '!')) => (first, &key[1..]),
        _ => (' ', key),
    }
}

/// A key without its index: `Paths[3]`, `Paths(3)`.
fn index_of(key: &str) -> (&str, Option<u32>) {
    let Some((name, rest)) = key.split_once(['[', '(']) else { return (key, None) };
    match rest.trim_end_matches([']', ')']).parse() {
        Ok(index) => (name, Some(index)),
        Err(_) => (key, None),
    }
}
