//! Values as bytes and what each byte says, compared field by field.

use std::collections::HashMap;
use std::sync::Arc;

use super::canonical::bytes_text;
use super::{Difference, FieldDifference, FieldOrigin, Side, alignment};
use crate::archive::{Annotate, Archive, Archived, Context, Record, RecordValue, Role, Saver};
use crate::error::Result;
use crate::primitive::{Name, NameContext, PackageIndex, SoftObjectPath};
use crate::version::Versions;

/// Bodies are written as if they stood here, so that file positions in them differ from other numbers.
pub(super) const BASE: u64 = 0x4000_0000;

/// A value as bytes and records.
#[derive(Debug, Default)]
pub(super) struct SerializedValue {
    bytes: Vec<u8>,
    pub(super) records: Vec<Record>,
    /// Whether it has a list whose order says nothing.
    pub(super) is_keyed: bool,
}

impl SerializedValue {
    fn bytes_of(&self, record: &Record) -> &[u8] {
        let range = (record.start - BASE) as usize..(record.end - BASE) as usize;
        self.bytes.get(range).unwrap_or_default()
    }

    /// The text of a record: texts of names and objects. Two that differ have two texts.
    pub(super) fn text(&self, record: &Record) -> String {
        match &record.value {
            RecordValue::Reference { space, .. }
                if !record.meaning.is_empty() || **space != SoftObjectPath::SPACE =>
            {
                record.meaning.clone()
            }
            RecordValue::Integer(value) => match record.meaning.as_str() {
                "" => value.to_string(),
                meaning => format!("{value} ({meaning})"),
            },
            // Many bits mean no number.
            RecordValue::Float(value) if value.is_nan() => {
                let bits = RecordValue::Bytes(self.bytes_of(record).to_vec());
                format!("{value} ({bits})")
            }
            value => value.to_string(),
        }
    }

    /// The text of a record of characters.
    fn characters_text(&self, record: &Record) -> String {
        // What is no character is shown as one mark, whatever it is.
        match record.meaning.contains(char::REPLACEMENT_CHARACTER) {
            true => format!("{} ({})", record.meaning, bytes_text(self.bytes_of(record))),
            false => record.meaning.clone(),
        }
    }

    /// What a record says, texts and bytes as well.
    pub(super) fn content(&self, record: &Record) -> String {
        match record.value {
            RecordValue::Span(_) if Self::characters(record) => self.characters_text(record),
            RecordValue::Span(_) => bytes_text(self.bytes_of(record)),
            _ => self.text(record),
        }
    }

    /// Each field with what it says, without those that say nothing by themselves.
    pub(super) fn texts(
        &self,
        skipped: impl Fn(&str) -> bool,
    ) -> std::vec::IntoIter<(String, String)> {
        let is_wanted = |record: &&Record| !skipped(&record.path) && !says_nothing(record);
        let text = |record: &Record| match record.value {
            RecordValue::Span(_) if Self::characters(record) => {
                let text = format!("\"{}\"", self.characters_text(record));
                (string_path(&record.path).to_owned(), text)
            }
            RecordValue::Span(_) => (record.path.clone(), bytes_text(self.bytes_of(record))),
            _ => (record.path.clone(), self.text(record)),
        };
        let found: Vec<_> = self.records.iter().filter(is_wanted).map(text).collect();
        found.into_iter()
    }

    /// Characters are compared as text, other spans as bytes.
    fn characters(record: &Record) -> bool {
        record.value == RecordValue::Span(crate::Kind::Text)
    }
}

/// Writes what `serialize` hands to an archive and says what its bytes are.
pub(super) fn written(
    serialize: impl FnOnce(&mut dyn Archive) -> Result<()>,
    versions: &Versions,
    context: &Arc<Context>,
) -> SerializedValue {
    let mut saver = Saver::new(versions.clone()).at(BASE).with_context(context.clone());
    let mut annotate = Annotate::new(&mut saver);
    // What can't be written is compared as far as it can.
    let _ = serialize(&mut annotate);
    let mut records = annotate.into_records();
    for record in &mut records {
        // A row beyond the table: no path says it.
        if let RecordValue::Reference { space, row, number } = record.value
            && *space == Name::SPACE
            && context.name_text(&Name::numbered(row, number)).is_none()
        {
            record.meaning = format!("#{row} {number}");
            record.role = None;
        }
    }
    show_counts(&mut records);
    SerializedValue { bytes: saver.into_bytes(), records, is_keyed: false }
}

/// A list whose elements are being looked at.
struct OpenList {
    count: usize,
    /// The path of its elements in front of their number.
    path: String,
    /// The last of its records that says something.
    last: Option<usize>,
    /// Its elements stand in one record.
    is_whole: bool,
}

/// Shows how many elements a list has where the last of them says nothing: a list of empty texts.
fn show_counts(records: &mut [Record]) {
    let mut open: Vec<OpenList> = Vec::new();
    let mut shown = Vec::new();
    let close = |open: &mut Vec<OpenList>, records: &[Record], shown: &mut Vec<usize>| {
        let Some(list) = open.pop() else { return };
        if let Some(outer) = open.last_mut() {
            outer.last = list.last.or(outer.last);
        }
        let RecordValue::Integer(count) = records[list.count].value else { return };
        let last = format!("{}[{}]", list.path, count - 1);
        let is_seen = list.last.is_some_and(|at| records[at].path.starts_with(&last));
        if count > 0 && !list.is_whole && !is_seen {
            shown.push(list.count);
        }
    };
    for (at, record) in records.iter().enumerate() {
        let rest =
            |list: &OpenList| record.path.strip_prefix(&*list.path).map(|rest| rest.bytes().next());
        while open.last().is_some_and(|list| !matches!(rest(list), Some(None | Some(b'[' | b'.'))))
        {
            close(&mut open, records, &mut shown);
        }
        if record.role == Some(Role::Count) {
            let path = record.path.rsplit_once('.');
            let path = match path {
                Some((list, "count")) => list,
                None if record.path == "count" => "",
                _ => &record.path,
            };
            open.push(OpenList { count: at, path: path.to_owned(), last: None, is_whole: false });
        } else if let Some(list) = open.last_mut().filter(|_| !says_nothing(record)) {
            list.last = Some(at);
            // The elements as one range of bytes.
            let rest = record.path.get(list.path.len()..).unwrap_or_default();
            let is_range = matches!(record.value, RecordValue::Span(_)) && !rest.contains('[');
            list.is_whole |= rest.is_empty() || is_range;
        }
    }
    while !open.is_empty() {
        close(&mut open, records, &mut shown);
    }
    shown.into_iter().for_each(|at| records[at].role = None);
}

/// The same for a value of a package, objects by their paths.
pub(super) fn records_of<T: Archived>(side: &Side<'_>, value: &mut T) -> SerializedValue {
    let mut found = written(|ar| value.serialize(ar), side.package.versions(), &side.context);
    for record in &mut found.records {
        if let RecordValue::Reference { space, row, .. } = record.value
            && *space == PackageIndex::SPACE
        {
            record.meaning = side.reference_text(PackageIndex::new(row));
        }
        // A package without that name, as those without tags are, stores no end of a list: the one that is compared was put
        // there in the list's place.
        if record.role == Some(Role::Terminator)
            && matches!(record.value, RecordValue::Reference { .. })
            && side.package.last_none().is_none()
        {
            record.meaning = "None".to_owned();
        }
    }
    found.is_keyed = alignment::by_identity(&mut found);
    found
}

/// Whether a record only says how others are stored: saving makes it anew, or the path of another one says it.
fn says_nothing(record: &Record) -> bool {
    match record.role {
        None => false,
        // Another end than the usual one is kept.
        Some(Role::Terminator) => match &record.value {
            RecordValue::Integer(value) => *value == 0,
            RecordValue::Bytes(bytes) => bytes.iter().all(|byte| *byte == 0),
            RecordValue::Reference { .. } => record.meaning.eq_ignore_ascii_case("None"),
            RecordValue::Float(_) | RecordValue::Span(_) => false,
        },
        Some(Role::Count | Role::Length | Role::Size | Role::Position | Role::Key) => true,
        Some(_) => false,
    }
}

/// Whether a record is a row of the name table.
fn is_name(record: &Record) -> bool {
    matches!(record.value, RecordValue::Reference { space, .. } if *space == Name::SPACE)
}

fn origin_of(record: &Record) -> FieldOrigin {
    match record.role {
        Some(Role::Derived) => FieldOrigin::Derived,
        _ => FieldOrigin::Stored,
    }
}

/// The path of the string whose characters stand at `path`.
fn string_path(path: &str) -> &str {
    let string = path.strip_suffix("characters").unwrap_or(path);
    string.strip_suffix('.').unwrap_or(string)
}

/// Compares records by their paths; those of one path in their order.
pub(super) fn compare(
    old: &SerializedValue,
    new: &SerializedValue,
    skipped: impl Fn(&str) -> bool,
) -> (Vec<FieldDifference>, Vec<Difference>) {
    fn keys(written: &SerializedValue) -> Vec<(&str, usize)> {
        let mut counts: HashMap<&str, usize> = HashMap::new();
        let mut keys = Vec::with_capacity(written.records.len());
        for record in &written.records {
            let count = counts.entry(record.path.as_str()).or_default();
            keys.push((record.path.as_str(), *count));
            *count += 1;
        }
        keys
    }
    let (old_keys, new_keys) = (keys(old), keys(new));
    let found: HashMap<_, _> = new_keys.iter().enumerate().map(|(at, key)| (*key, at)).collect();
    let mut taken = vec![false; new_keys.len()];
    let (mut fields, mut data) = (Vec::new(), Vec::new());
    for (record, key) in old.records.iter().zip(&old_keys) {
        let other = found.get(key).map(|&at| {
            taken[at] = true;
            &new.records[at]
        });
        // A position that is made anew on one side alone is another one on the other.
        if skipped(&record.path) || says_nothing(record) && other.is_none_or(says_nothing) {
            continue;
        }
        let is_span = |record: &Record| matches!(record.value, RecordValue::Span(_));
        match other {
            Some(other) if is_span(record) && is_span(other) => {
                let (a, b) = (old.bytes_of(record), new.bytes_of(other));
                if a == b {
                    continue;
                }
                if SerializedValue::characters(record) && SerializedValue::characters(other) {
                    // Another encoding is another form of the same.
                    let (old, new) = (old.characters_text(record), new.characters_text(other));
                    if old != new {
                        let (old, new) = (Some(old), Some(new));
                        let field = string_path(&record.path);
                        let found = FieldDifference::of(field, old, new);
                        fields.push(found.with_origin(origin_of(record)));
                    }
                    continue;
                }
                let first = a.iter().zip(b).position(|(a, b)| a != b);
                data.push(Difference::Data {
                    field: record.path.clone(),
                    offset: first.unwrap_or(a.len().min(b.len())) as u64,
                    old_size: a.len() as u64,
                    new_size: b.len() as u64,
                    differing: a.iter().zip(b).filter(|(a, b)| a != b).count() as u64,
                });
            }
            other => {
                let (old, new) = (old.text(record), other.map(|other| new.text(other)));
                // Names that have other letters alone are the same for the engines.
                let is_same = match (&new, other.is_some_and(|it| is_name(it) && is_name(record))) {
                    (Some(new), true) => *new == old || new.eq_ignore_ascii_case(&old),
                    (new, _) => new.as_ref() == Some(&old),
                };
                if !is_same {
                    let found = FieldDifference::of(&*record.path, Some(old), new);
                    fields.push(found.with_origin(origin_of(record)));
                }
            }
        }
    }
    for (record, _) in new.records.iter().zip(&taken).filter(|(_, taken)| !**taken) {
        if !skipped(&record.path) && !says_nothing(record) {
            let new = Some(match SerializedValue::characters(record) {
                true => record.meaning.clone(),
                false => new.text(record),
            });
            let found = FieldDifference::of(&*record.path, None, new);
            fields.push(found.with_origin(origin_of(record)));
        }
    }
    (fields, data)
}
