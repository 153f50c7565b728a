//! Parts of a document, put in place.

use std::collections::HashMap;

use serde_json::Value;

use super::document::{PackageDocument, rows_hash, with_place_of, without_place};
use super::part::{DocumentPart, PartHash, PartPlace};
use crate::edit::Edit;
use crate::error::{Error, Result, UnrealErrors};
use crate::package::{Package, SaveOptions};

/// Lists whose rows may stand anywhere, as long as they are there.
const FREE_LISTS: [&str; 2] = ["names", "imports"];

/// What became of parts.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PutParts {
    /// How many are in place, or were there before.
    pub put: usize,
    /// Those that do not fit.
    pub unfit: Vec<UnfitPart>,
}

/// A part that does not fit the package.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnfitPart {
    /// Which of the parts, from 0.
    pub part: usize,
    /// Its place.
    pub place: PartPlace,
    /// Why it does not fit.
    pub reason: String,
}

const OTHER: &str = "something else stands there than it expects";

impl Edit {
    /// Puts parts of a document in place ([`parts_between`](super::parts_between)), all at once: objects may refer to
    /// others that come with them. With `fitting` those that do not fit are left out, and the report names them;
    /// rows of names and imports then are added where they are not there yet.
    ///
    /// # Errors
    /// `Invalid` with the places that do not fit, without `fitting`; `Refused` with those whose bytes are not decoded and
    /// may say rows, where these mean others here; as [`Package::from_json`], where what comes out is
    /// no package.
    pub fn put_parts(&mut self, parts: &[DocumentPart], fitting: bool) -> Result<PutParts> {
        self.transact(|edit| {
            let base = PackageDocument::of(edit)?;
            let (package, mut done) = match edit.with_parts(base, parts, fitting) {
                Ok(found) => found,
                Err(_) if fitting && parts.len() > 1 => return edit.put_one_by_one(parts),
                Err(error) => return Err(error),
            };
            if !fitting && !done.unfit.is_empty() {
                let places: Vec<_> = done.unfit.iter().map(|it| it.place.to_string()).collect();
                return Err(Error::invalid(format!("{OTHER}: {}", places.join(", "))));
            }
            done.put = parts.len() - done.unfit.len();
            edit.take_document(package)?;
            Ok(done)
        })
    }

    /// Each part by itself, where all together make no package.
    fn put_one_by_one(&mut self, parts: &[DocumentPart]) -> Result<PutParts> {
        let mut done = PutParts::default();
        for (at, part) in parts.iter().enumerate() {
            let unfit = match self.put_parts(std::slice::from_ref(part), true) {
                Ok(one) => one.unfit.into_iter().next().map(|unfit| unfit.reason),
                Err(error) => Some(error.to_string()),
            };
            match unfit {
                None => done.put += 1,
                Some(reason) => {
                    done.unfit.push(UnfitPart { part: at, place: part.place.clone(), reason });
                }
            }
        }
        Ok(done)
    }

    /// The package of a document.
    fn take_document(&mut self, mut package: Package) -> Result<()> {
        let saved = SaveOptions::new().save(&mut package)?;
        let again = self.package.reopened(saved.bytes.clone())?;
        let mut own = self.package.replaced_by(again, &saved);
        own.begin_edits();
        *self.whole() = own;
        Ok(())
    }

    /// The package with the parts that fit.
    fn with_parts(
        &self,
        mut document: PackageDocument,
        parts: &[DocumentPart],
        fitting: bool,
    ) -> Result<(Package, PutParts)> {
        let mut done = PutParts::default();
        let mut rows: HashMap<String, usize> = HashMap::new();
        for row in 0..self.export_count() {
            let paths = [self.exports().path(row).to_ascii_lowercase(), format!("#{row}")];
            for path in paths {
                rows.entry(path).or_insert(row);
            }
        }
        let mut kept: Vec<Option<Value>> =
            std::mem::take(&mut document.exports).into_iter().map(Some).collect();
        let mut coming = Vec::new();
        // Rows of lists are those of before: from the last one on, so that no part moves another's.
        let mut lists = Vec::new();
        let mut expected_rows = None;
        for (at, part) in parts.iter().enumerate() {
            let mut fits = true;
            match &part.place {
                PartPlace::Object { path, row } => {
                    let here = rows.get(&path.to_ascii_lowercase()).copied();
                    let entry = here.and_then(|row| kept.get(row)?.clone());
                    let found = entry.as_ref().map(without_place);
                    match (&entry, here, &part.value) {
                        // It is there already.
                        _ if found == part.value => {}
                        _ if found.as_ref().map(PartHash::of) != part.was => fits = false,
                        (Some(entry), Some(row), value) => {
                            kept[row] = value.clone().map(|value| with_place_of(value, entry));
                        }
                        (_, _, Some(value)) => {
                            coming.push((row.unwrap_or(usize::MAX), value.clone()));
                        }
                        _ => {}
                    }
                }
                PartPlace::Key(key) => fits = put_key(&mut document, key, part),
                PartPlace::Rows { key, row, count } => lists.push((at, key, *row, *count, part)),
            }
            match fits {
                true => expected_rows = part.rows.or(expected_rows),
                false => done.unfit.push(unfit(at, part)),
            }
        }
        for (at, key, row, count, part) in lists.into_iter().rev() {
            if !put_rows(&mut document, (key, row, count), part, fitting) {
                done.unfit.push(unfit(at, part));
            }
        }
        done.unfit.sort_by_key(|unfit| unfit.part);
        let mut exports: Vec<Value> = kept.into_iter().flatten().collect();
        coming.sort_by_key(|(row, _)| *row);
        for (row, value) in coming {
            exports.insert(row.min(exports.len()), value);
        }
        document.exports = exports;
        let text = document.into_text();
        let package = Package::from_json_with(&text, self.mappings().cloned())?;
        if expected_rows.is_some_and(|expected| expected != rows_hash(&package)) {
            let says = "bytes of them are not decoded and may say rows, which mean others here";
            let parts = parts.iter().filter(|part| part.rows.is_some());
            return Err(Error::refused(says, parts.map(|part| part.place.to_string()).collect()));
        }
        Ok((package, done))
    }
}

fn unfit(at: usize, part: &DocumentPart) -> UnfitPart {
    UnfitPart { part: at, place: part.place.clone(), reason: OTHER.to_owned() }
}

/// Puts the value of a key; whether what stands there is what is expected.
fn put_key(document: &mut PackageDocument, key: &str, part: &DocumentPart) -> bool {
    let (outer, inner) = match key.split_once('.') {
        Some((outer, inner)) => (Some(outer), inner),
        None => (None, key),
    };
    let map = match outer {
        None => Some(&mut document.keys),
        Some(outer) => document.keys.get_mut(outer).and_then(Value::as_object_mut),
    };
    let Some(map) = map else { return false };
    let found = map.get(inner);
    if found == part.value.as_ref() {
        return true;
    }
    if found.map(PartHash::of) != part.was {
        return false;
    }
    match &part.value {
        Some(value) => drop(map.insert(inner.to_owned(), value.clone())),
        None => drop(map.shift_remove(inner)),
    }
    true
}

/// Puts rows of a list; whether those that stand there are what is expected.
fn put_rows(
    document: &mut PackageDocument,
    (key, row, count): (&str, usize, usize),
    part: &DocumentPart,
    fitting: bool,
) -> bool {
    let Some(Value::Array(coming)) = &part.value else { return false };
    let Some(list) = document.keys.get_mut(key).and_then(Value::as_array_mut) else { return false };
    let range = row..row.saturating_add(count);
    let found = list.get(range.clone());
    let was = found.filter(|_| count > 0).map(|rows| PartHash::of(&Value::Array(rows.to_vec())));
    if found.is_some() && was == part.was {
        list.splice(range, coming.iter().cloned());
        return true;
    }
    let is_free = fitting && FREE_LISTS.contains(&key);
    if is_free {
        let missing: Vec<Value> =
            coming.iter().filter(|row| !list.contains(row)).cloned().collect();
        list.extend(missing);
    }
    is_free
}
