//! The laws for one value at one version.

use std::fmt::Debug;

use super::agreement::{lost, prints_alike, tiles};
use super::known::{LawContext, LawResult};
use super::streams;
use crate::archive::{
    Annotate, Archive, ArchiveExt, Archived, Counter, Loader, References, Remap, Saver, Space,
};
use crate::error::{ErrorKind, Result};
use crate::version::Versions;

/// The traits of a value whose laws can be tried.
pub trait Tried: Archived + Default + Clone + PartialEq + Debug {}

impl<T: Archived + Default + Clone + PartialEq + Debug> Tried for T {}

/// Every law for a value that this version has a place for; `garbage` is what loading must overwrite. Says its bytes.
///
/// # Errors
/// The law that is broken.
pub fn value<T: Tried>(
    one: &T,
    garbage: T,
    versions: &Versions,
    known: &LawContext,
) -> LawResult<Vec<u8>> {
    let law = Law { one, versions, known };
    let bytes = law.saving_leaves_the_value()?;
    law.loading_overwrites(garbage, &bytes)?;
    law.visiting_leaves_the_value()?;
    law.renumbering()?;
    law.annotation_tiles(&bytes)?;
    law.parts_are_windows(&bytes)?;
    law.cuts_are_errors(&bytes)?;
    streams::streams(one, &bytes, versions, known)?;
    #[cfg(feature = "json")]
    streams::document(one, versions, known, false)?;
    Ok(bytes)
}

/// A field that this version lacks is never lost silently, and the value stays.
///
/// # Errors
/// That it is saved, or what it is refused with.
pub fn misfit<T: Tried>(one: &T, versions: &Versions, known: &LawContext) -> LawResult {
    let mut value = one.clone();
    let Err(error) = save(&mut value, versions, known) else {
        return Err("a value was saved that this version has no place for".to_owned());
    };
    if !matches!(error.kind(), ErrorKind::NotInVersion | ErrorKind::OutOfRange { .. }) {
        return Err(format!("{one:?} is refused: {error}"));
    }
    if !error.to_string().contains(&format!("(version {versions})")) {
        return Err(format!("the version is not named: {error}"));
    }
    unchanged(&value, one, "saving")
}

/// Whatever bytes load save as they were; says whether they do.
///
/// # Errors
/// The bytes that they save as, or the reason why not.
pub fn changed_bytes<T: Tried>(
    bytes: &[u8],
    versions: &Versions,
    known: &LawContext,
) -> LawResult<bool> {
    let (mut value, mut loader) = (T::default(), Loader::new(bytes, versions.clone()));
    if value.serialize(&mut loader).is_err() {
        return Ok(false);
    }
    let used = loader.furthest() as usize;
    // A header says its versions itself.
    let mut saver = Saver::new(loader.versions().clone()).with_context(known.over(bytes));
    value.serialize(&mut saver).map_err(|error| format!("saving {value:?}: {error}"))?;
    match bytes.get(..used) == Some(saver.bytes()) || known.has_gaps {
        true => Ok(true),
        false => {
            let saved = saver.bytes();
            let lost = lost(|ar| T::default().serialize(ar), bytes, saved, versions);
            Err(format!("{value:?} saves as {saved:x?}{lost}"))
        }
    }
}

fn save<T: Archived>(value: &mut T, versions: &Versions, known: &LawContext) -> Result<Vec<u8>> {
    let mut saver = Saver::new(versions.clone()).with_context(known.context.clone());
    value.serialize(&mut saver)?;
    Ok(saver.into_bytes())
}

/// Equal also in what equality passes over, such as the forms of numbers.
fn unchanged<T: Tried>(now: &T, before: &T, by: &str) -> LawResult {
    match now == before && prints_alike(&format!("{now:?}"), &format!("{before:?}")) {
        true => Ok(()),
        false => Err(format!("{by} changes {before:?} to {now:?}")),
    }
}

fn same<V: PartialEq + Debug>(one: V, other: V, what: &str) -> LawResult {
    if one == other { Ok(()) } else { Err(format!("{what}: {one:?}, not {other:?}")) }
}

/// A value with all that its laws need.
struct Law<'a, T> {
    one: &'a T,
    versions: &'a Versions,
    known: &'a LawContext,
}

impl<T: Tried> Law<'_, T> {
    fn saver(&self) -> Saver {
        Saver::new(self.versions.clone()).with_context(self.known.context.clone())
    }

    fn loader<'b>(&self, bytes: &'b [u8]) -> Loader<'b> {
        Loader::new(bytes, self.versions.clone()).with_context(self.known.context.clone())
    }

    fn counter(&self) -> Counter {
        Counter::new(self.versions.clone()).with_context(self.known.context.clone())
    }

    /// Makes every span own its bytes.
    fn materialize(&self, value: &mut T, source: &[u8]) -> LawResult {
        let remap = Remap::new(self.versions.clone()).with_context(self.known.over(source));
        value.serialize(&mut remap.materializing()).map_err(|error| error.to_string())
    }

    /// Saving and counting leave the value; the count is the length.
    fn saving_leaves_the_value(&self) -> LawResult<Vec<u8>> {
        let mut value = self.one.clone();
        let bytes = save(&mut value, self.versions, self.known)
            .map_err(|error| format!("saving {:?}: {error}", self.one))?;
        unchanged(&value, self.one, "saving")?;
        let mut counter = self.counter();
        value.serialize(&mut counter).map_err(|error| format!("counting: {error}"))?;
        unchanged(&value, self.one, "counting")?;
        same(counter.length(), bytes.len() as u64, "counted bytes")?;
        let mut dynamic = self.saver();
        value.serialize(dynamic.as_dyn()).map_err(|error| error.to_string())?;
        same(dynamic.bytes(), &bytes[..], "saved through a pointer")?;
        let again = save(&mut value, self.versions, self.known);
        same(again.map_err(|error| error.to_string())?, bytes.clone(), "saved again")?;
        let mut saver = self.saver();
        value.serialize(&mut saver).map_err(|error| error.to_string())?;
        saver.finish().map_err(|error| format!("finishing: {error}"))
    }

    /// Whatever stood in the value is gone, and what was saved is there.
    fn loading_overwrites(&self, mut garbage: T, bytes: &[u8]) -> LawResult {
        let trailed = [bytes, &[0xcd; 9]].concat();
        let (mut clean, mut loader) = (T::default(), self.loader(&trailed));
        clean.serialize(&mut loader).map_err(|error| format!("loading: {error}"))?;
        same(loader.furthest(), bytes.len() as u64, "loaded bytes")?;
        let mut loader = self.loader(&trailed);
        garbage.serialize(loader.as_dyn()).map_err(|error| format!("loading again: {error}"))?;
        unchanged(&garbage, &clean, "what stood there before")?;
        self.materialize(&mut clean, &trailed)?;
        same(&clean, self.one, "loaded")?;
        let saved = save(&mut clean, self.versions, self.known);
        same(&saved.map_err(|error| error.to_string())?[..], bytes, "saved from what was loaded")?;
        // Straight from the source, without making the spans independent of it.
        let mut saver = self.saver().with_context(self.known.over(&trailed));
        garbage.serialize(&mut saver).map_err(|error| error.to_string())?;
        same(saver.bytes(), bytes, "saved from the source")
    }

    /// Collecting and renumbering by the identity change nothing.
    fn visiting_leaves_the_value(&self) -> LawResult {
        let mut value = self.one.clone();
        let mut references = References::new(self.versions.clone());
        value.serialize(&mut references).map_err(|error| format!("collecting: {error}"))?;
        unchanged(&value, self.one, "collecting")?;
        self.renumber(&mut value, &Some)?;
        unchanged(&value, self.one, "the identity")
    }

    fn renumber(&self, value: &mut T, rule: &dyn Fn(i32) -> Option<i32>) -> LawResult {
        let mut remap = Remap::new(self.versions.clone());
        for space in &self.known.spaces {
            remap = remap.with_rule(space, rule);
        }
        value.serialize(&mut remap).map_err(|error| format!("renumbering: {error}"))
    }

    /// Every reference follows a renumbering, and the way back restores the value; a row that has no new number is an
    /// error.
    fn renumbering(&self) -> LawResult {
        let collect = |value: &mut T, by: i32| {
            let mut references = References::new(self.versions.clone());
            value.serialize(&mut references).map_err(|error| error.to_string())?;
            let rows = |space: &&'static Space| -> Vec<(i32, u64)> {
                let rows = references.rows(space).iter();
                let mut rows: Vec<_> =
                    rows.map(|(row, count)| (row.wrapping_add(by), *count)).collect();
                rows.sort_unstable();
                rows
            };
            Ok::<_, String>(self.known.spaces.iter().map(rows).collect::<Vec<_>>())
        };
        let mut value = self.one.clone();
        let before = collect(&mut value, 1)?;
        self.renumber(&mut value, &|row| Some(row.wrapping_add(1)))?;
        same(collect(&mut value, 0)?, before.clone(), "rows after a renumbering")?;
        let is_same = value == *self.one;
        same(is_same, before.iter().all(Vec::is_empty), "whether it stays the same")?;
        self.renumber(&mut value, &|row| Some(row.wrapping_sub(1)))?;
        same(&value, self.one, "renumbered and back")?;
        for (space, rows) in self.known.spaces.iter().zip(&before) {
            let Some((missing, _)) = rows.first() else { continue };
            let missing = missing.wrapping_sub(1);
            let rule = |row: i32| (row != missing).then_some(row);
            let mut remap = Remap::new(self.versions.clone()).with_rule(space, &rule);
            match value.serialize(&mut remap) {
                Err(error) if matches!(error.kind(), ErrorKind::NotMapped { what, index } if *what == space.label && *index == missing) =>
                    {}
                other => return Err(format!("row {missing} has no number: {other:?}")),
            }
        }
        Ok(())
    }

    /// Each byte has one record, and the records are the same both ways.
    fn annotation_tiles(&self, bytes: &[u8]) -> LawResult {
        let context = self.known.over(bytes);
        let mut value = T::default();
        let mut loader = self.loader(bytes).with_context(context.clone());
        let mut annotate = Annotate::new(&mut loader);
        value.serialize(&mut annotate).map_err(|error| format!("explaining: {error}"))?;
        let loading = annotate.into_records();
        let mut saver = self.saver().with_context(context);
        let mut annotate = Annotate::new(&mut saver);
        value.serialize(&mut annotate).map_err(|error| format!("explaining: {error}"))?;
        let mut saving = annotate.into_records();
        // What a value is for is known where it is saved alone.
        saving.iter_mut().for_each(|record| record.role = None);
        tiles(&loading, bytes.len(), self.known)?;
        // As text: a number that is none is not equal to itself.
        match format!("{loading:?}") == format!("{saving:?}") {
            true => Ok(()),
            false => Err(format!("explained loading {loading:#?}, saving {saving:#?}")),
        }
    }

    /// A part must be used up exactly; where it is not, nothing has happened.
    fn parts_are_windows(&self, bytes: &[u8]) -> LawResult {
        // Values at places of their own are no matter of a part's size.
        if self.known.has_gaps {
            return Ok(());
        }
        let size = bytes.len() as u64;
        let trailed = [bytes, &[0xcd; 5]].concat();
        let mut value = T::default();
        for wrong in [size + 1, size + 5, size.wrapping_sub(1)] {
            let mut loader = self.loader(&trailed);
            let mut annotate = Annotate::new(&mut loader);
            let result = annotate.part(wrong, &mut |ar| value.serialize(ar));
            if result.is_ok() {
                return Err(format!("a part of {wrong} instead of {size} bytes is taken"));
            }
            same(annotate.position(), 0, "where a part that failed ends")?;
            same(annotate.records().len(), 0, "records of a part that failed")?;
        }
        let mut loader = self.loader(&trailed);
        let result = loader.part(size, &mut |ar| value.serialize(ar));
        result.map_err(|error| format!("as a part: {error}"))?;
        same(loader.remaining(), 5, "bytes behind a part")?;
        self.materialize(&mut value, &trailed)?;
        same(&value, self.one, "loaded as a part")?;
        let mut counter = self.counter();
        let result = counter.part(0, &mut |ar| value.serialize(ar));
        result.map_err(|error| format!("counting a part: {error}"))?;
        same(counter.length(), size, "a counted part")?;
        let mut saver = self.saver();
        let result = saver.part(0, &mut |ar| value.serialize(ar));
        result.map_err(|error| format!("saving a part: {error}"))?;
        same(saver.bytes(), bytes, "a saved part")
    }

    /// Fewer bytes are not enough.
    fn cuts_are_errors(&self, bytes: &[u8]) -> LawResult {
        for (end, _) in bytes.iter().enumerate() {
            let cut = bytes.get(..end).unwrap_or_default();
            if T::default().serialize(&mut self.loader(cut)).is_ok() {
                return Err(format!("{end} of {} bytes are enough", bytes.len()));
            }
        }
        Ok(())
    }
}
