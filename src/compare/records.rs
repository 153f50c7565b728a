//! Values as bytes and what each byte says, compared field by field.

use std::collections::HashMap;

use super::canonical::bytes_text;
use super::{Difference, FieldDifference, Side};
use crate::archive::{Annotate, Archived, Record, RecordValue, Saver};
use crate::primitive::{PackageIndex, SoftObjectPath};

/// Bodies are written as if they stood here, so that file positions in them differ from other numbers.
pub(super) const BASE: u64 = 0x4000_0000;

/// A value as bytes and records.
#[derive(Debug, Default)]
pub(super) struct SerializedValue {
    bytes: Vec<u8>,
    records: Vec<Record>,
}

impl SerializedValue {
    fn bytes_of(&self, record: &Record) -> &[u8] {
        let range = (record.start - BASE) as usize..(record.end - BASE) as usize;
        self.bytes.get(range).unwrap_or_default()
    }

    /// What a record says: texts of names and objects, positions from their own place.
    fn text(&self, record: &Record) -> String {
        match &record.value {
            RecordValue::Reference { space, .. }
                if !record.meaning.is_empty() || **space != SoftObjectPath::SPACE =>
            {
                record.meaning.clone()
            }
            RecordValue::Integer(value) => {
                let end = (BASE + self.bytes.len() as u64).into();
                let last = record.path.rsplit('.').next().unwrap_or_default();
                if matches!(last, "end" | "offset") && (BASE.into()..=end).contains(value) {
                    return "the place behind it".to_owned();
                }
                match record.meaning.as_str() {
                    "" => value.to_string(),
                    meaning => format!("{value} ({meaning})"),
                }
            }
            value => value.to_string(),
        }
    }

    /// Each field with what it says, without those that only say how the others are stored.
    pub(super) fn texts(
        self,
        skipped: impl Fn(&str) -> bool,
    ) -> impl Iterator<Item = (String, String)> {
        let is_wanted = |record: &&Record| !skipped(&record.path) && !is_storage(&record.path);
        let text = |record: &Record| match record.value {
            RecordValue::Span(_) if Self::characters(record) => {
                (string_path(&record.path).to_owned(), format!("\"{}\"", record.meaning))
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

/// Writes a value and says what its bytes are, objects by their paths.
pub(super) fn records_of<T: Archived>(side: &Side<'_>, value: &mut T) -> SerializedValue {
    let mut saver =
        Saver::new(side.package.versions().clone()).at(BASE).with_context(side.context.clone());
    let mut annotate = Annotate::new(&mut saver);
    // What can't be written is compared as far as it can.
    let _ = value.serialize(&mut annotate);
    let mut records = annotate.into_records();
    for record in &mut records {
        if let RecordValue::Reference { space, row, .. } = record.value
            && *space == PackageIndex::SPACE
        {
            record.meaning = side.reference_text(PackageIndex::new(row));
        }
    }
    SerializedValue { bytes: saver.into_bytes(), records }
}

/// Fields that only say how the others are stored.
fn is_storage(path: &str) -> bool {
    let last = path.rsplit('.').next().unwrap_or(path);
    matches!(last, "length" | "terminator" | "property_name")
}

/// The path of the string whose characters stand at `path`.
fn string_path(path: &str) -> &str {
    let string = path.strip_suffix("characters").unwrap_or(path);
    string.strip_suffix('.').unwrap_or(string)
}

/// Fields that say how much follows, or where.
pub(super) fn is_derived(path: &str) -> bool {
    let last = path.rsplit('.').next().unwrap_or(path);
    matches!(last, "count" | "size" | "disk_size" | "memory_size" | "offset_in_file" | "end")
}

/// Compares records by their paths; those of one path in their order.
pub(super) fn compare(
    old: SerializedValue,
    new: SerializedValue,
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
    let (old_keys, new_keys) = (keys(&old), keys(&new));
    let found: HashMap<_, _> = new_keys.iter().enumerate().map(|(at, key)| (*key, at)).collect();
    let mut taken = vec![false; new_keys.len()];
    let (mut fields, mut data) = (Vec::new(), Vec::new());
    let wanted = |path: &str| !skipped(path) && !is_storage(path);
    for (record, key) in old.records.iter().zip(&old_keys) {
        let other = found.get(key).map(|&at| {
            taken[at] = true;
            &new.records[at]
        });
        if !wanted(&record.path) {
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
                    if record.meaning != other.meaning {
                        fields.push(FieldDifference {
                            field: string_path(&record.path).to_owned(),
                            old: Some(record.meaning.clone()),
                            new: Some(other.meaning.clone()),
                        });
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
                if new.as_ref() != Some(&old) {
                    fields.push(FieldDifference {
                        field: record.path.clone(),
                        old: Some(old),
                        new,
                    });
                }
            }
        }
    }
    for (record, _) in new.records.iter().zip(&taken).filter(|(_, taken)| !**taken) {
        if wanted(&record.path) {
            let new = Some(match SerializedValue::characters(record) {
                true => record.meaning.clone(),
                false => new.text(record),
            });
            fields.push(FieldDifference { field: record.path.clone(), old: None, new });
        }
    }
    (fields, data)
}
