//! `upk explain`: every byte with its field, value and meaning.

use std::ops::Range;
use std::path::PathBuf;
use std::str::FromStr;

use clap::Args;
use serde_json::json;
use unreal_packages::archive::{Record, RecordValue};
use unreal_packages::inspect::Explanation;
use unreal_packages::package::Section;

use crate::args::OpenArgs;
use crate::failure::{CommandResult, Failure, Outcome};
use crate::output::Output;

/// Explain every byte of a package: place, bytes, field, type, value, meaning
///
/// Of a compressed or encrypted package the places are those of the package as it lies in memory; --file explains
/// the file itself: its own header, the tables of its chunks, its blocks.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  upk explain Engine.u | less
  upk explain Engine.u Actor.Tick            the body of one object
  upk explain Engine.u --range 0..0x40       the header
  upk explain Engine.u --range 0x1000..      from there to the end
  upk explain Engine.u --range ..64 --json   the first 64 bytes, for scripts
  upk explain Packed.upk --file              the chunks and blocks of a compressed file")]
pub struct Explain {
    /// The package
    file: PathBuf,
    /// Only the body of this export: its path, or its row as #12
    object: Option<String>,
    /// The file around a compressed or encrypted package instead of the package
    #[arg(long = "file", conflicts_with = "object")]
    file_itself: bool,
    /// Only these bytes: A..B, A.. or ..B, decimal or 0x…; B is not included
    #[arg(long, value_name = "A..B")]
    range: Option<ByteRange>,
    /// How many bytes of each field to show
    #[arg(long, value_name = "COUNT", default_value_t = 12)]
    bytes: usize,
    #[command(flatten)]
    open: OpenArgs,
}

/// A range as the user writes it: either end may be open.
#[derive(Debug, Clone, Copy, PartialEq)]
struct ByteRange {
    start: u64,
    end: Option<u64>,
}

impl FromStr for ByteRange {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (start, end) = text
            .split_once("..")
            .ok_or_else(|| "two dots are missing; write 0x10..0x40, 16.. or ..64".to_owned())?;
        let start = if start.is_empty() { 0 } else { number(start)? };
        let end = if end.is_empty() { None } else { Some(number(end)?) };
        match end {
            Some(end) if end <= start => Err(format!("nothing lies between {start} and {end}")),
            _ => Ok(Self { start, end }),
        }
    }
}

fn number(text: &str) -> Result<u64, String> {
    let hex = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X"));
    hex.map_or_else(|| text.parse(), |hex| u64::from_str_radix(hex, 16))
        .map_err(|_| format!("'{text}' is no number; write 64 or 0x40"))
}

impl Explain {
    /// Prints the fields in the order of their bytes.
    pub fn run(&self, out: &mut Output) -> CommandResult {
        let package = self.open.open(&self.file)?;
        let around = match (self.file_itself, package.container()) {
            (false, _) => None,
            (true, Some(container)) => Some(container),
            (true, None) => {
                let message = format!("'{}' is the package itself", self.file.display());
                return Err(Failure::usage(format!("{message}\n  next: leave --file away")));
            }
        };
        let bytes = around.map_or(package.source(), |container| container.file());
        let length = bytes.len() as u64;
        let range = match self.range {
            Some(range) if range.start >= length => {
                let (start, file) = (range.start, self.file.display());
                let message =
                    format!("{start:#x} lies behind the end: '{file}' has {length:#x} bytes");
                return Err(Failure::usage(message));
            }
            Some(range) => range.start..range.end.unwrap_or(length).min(length),
            None => 0..length,
        };
        let show =
            |explanation: Explanation, out: &mut Output| match clip(explanation.record, &range) {
                Some(record) => self.print(bytes, &record, Some(explanation.section), out),
                None => Ok(()),
            };
        if let Some(container) = around {
            let fields = container.fields()?.into_iter();
            let met = fields.filter_map(|record| clip(record, &range));
            met.into_iter().try_for_each(|record| self.print(bytes, &record, None, out))?;
        } else if let Some(object) = &self.object {
            let explained = Explanation::of_body(&package, package.find_export(object)?)?;
            explained.into_iter().try_for_each(|explanation| show(explanation, out))?;
        } else {
            let each = &mut |explanation| show(explanation, out);
            Explanation::each::<Failure>(&package, range.clone(), each)?;
        }
        Ok(Outcome::Fine)
    }

    fn print(
        &self,
        bytes: &[u8],
        record: &Record,
        section: Option<Section>,
        out: &mut Output,
    ) -> Result<(), Failure> {
        if !out.is_json() {
            return out.line(line(bytes, record, self.bytes));
        }
        out.object(&json!({
            "start": record.start,
            "end": record.end,
            "bytes": preview(bytes, record, self.bytes).0.replace(' ', ""),
            "section": section.map(|section| section.to_string()),
            "path": record.path,
            "type": record.type_name,
            "value": record.value.to_string(),
            "meaning": record.meaning,
        }))
    }
}

/// The part of a row that lies in the range. Fields stay whole, since half a number means nothing; plain
/// bytes are cut, so that one can look anywhere into a body.
fn clip(mut record: Record, range: &Range<u64>) -> Option<Record> {
    if record.end <= range.start || record.start >= range.end {
        return None;
    }
    if matches!(record.value, RecordValue::Span(_)) {
        record.start = record.start.max(range.start);
        record.end = record.end.min(range.end);
    }
    Some(record)
}

/// One field for people.
pub fn line(source: &[u8], record: &Record, bytes: usize) -> String {
    let (hex, more) = preview(source, record, bytes);
    let hex = if more { format!("{hex} …") } else { hex };
    let width = bytes.saturating_mul(3).saturating_add(1).min(48);
    let place = format!("{:#010x}..{:#010x}", record.start, record.end);
    let (type_name, value) = (record.type_name, record.value.to_string());
    let value = match &record.value {
        // The bytes stand there already.
        RecordValue::Bytes(_) => type_name.to_owned(),
        // `name 7` says its type itself.
        _ if value.starts_with(type_name) => value,
        _ => format!("{type_name} {value}"),
    };
    let meaning = match record.meaning.as_str() {
        "" => String::new(),
        meaning => format!(" = {meaning}"),
    };
    format!("{place}  {hex:<width$}  {}: {value}{meaning}", record.path)
}

/// The first bytes in hexadecimal, and whether there are more.
fn preview(source: &[u8], record: &Record, bytes: usize) -> (String, bool) {
    let (start, end) = (record.start as usize, record.end as usize);
    let all = source.get(start..end).unwrap_or_default();
    let shown: Vec<_> = all.iter().take(bytes).map(|byte| format!("{byte:02x}")).collect();
    (shown.join(" "), all.len() > bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_take_both_bases_and_open_ends() {
        let range = |text: &str| text.parse::<ByteRange>();
        assert_eq!(range("0x10..32"), Ok(ByteRange { start: 16, end: Some(32) }));
        assert_eq!(range("5.."), Ok(ByteRange { start: 5, end: None }));
        assert_eq!(range("..0X20"), Ok(ByteRange { start: 0, end: Some(32) }));
        assert_eq!(range(".."), Ok(ByteRange { start: 0, end: None }));
        for wrong in ["", "5", "9..3", "4..4", "x..y", "-1..4", "0x..4"] {
            assert!(range(wrong).is_err(), "{wrong}");
        }
    }
}
