//! That all archives tell the same story of what bytes are.

use super::known::{LawContext, LawResult};
use crate::archive::{
    Annotate, Archive, Counter, Loader, Object, Record, References, Remap, Saver,
};
use crate::error::Result;
use crate::version::Versions;

/// The laws for a value that bytes begin with, whose type is chosen at run time; `garbage` is another value of it. Says
/// how many bytes it takes, or `None` where the type does not load them.
///
/// # Errors
/// The law that is broken.
pub fn bytes(
    make: &dyn Fn() -> Box<dyn Object>,
    mut garbage: Box<dyn Object>,
    bytes: &[u8],
    versions: &Versions,
    known: &LawContext,
) -> LawResult<Option<usize>> {
    let context = known.over(bytes);
    let mut value = make();
    let mut loader = Loader::new(bytes, versions.clone()).with_context(context.clone());
    if value.serialize_dyn(&mut loader).is_err() {
        return Ok(None);
    }
    let used = loader.furthest() as usize;
    let (text, loaded) = (format!("{value:?}"), value.clone());
    // A header says its versions itself.
    let versions = loader.versions().clone();
    let unchanged = |value: &dyn Object, by: &str| {
        let now = format!("{value:?}");
        let is_same = known.is_same.is_some_and(|is_same| is_same(value, &*loaded));
        match now == text || is_same && prints_alike(&now, &text) {
            true => Ok(()),
            false => Err(format!("{by} changes {text} to {value:?}")),
        }
    };

    let mut again = Loader::new(bytes, versions.clone()).with_context(context.clone());
    garbage.serialize_dyn(&mut again).map_err(|error| format!("loading over a value: {error}"))?;
    unchanged(&*garbage, "what stood there before")?;

    let saver = || Saver::new(versions.clone()).with_context(context.clone());
    let mut saved = saver();
    value.serialize_dyn(&mut saved).map_err(|error| format!("saving {text}: {error}"))?;
    unchanged(&*value, "saving")?;
    if bytes.get(..used) != Some(saved.bytes()) && !known.has_gaps {
        let lost = lost(|ar| garbage.serialize_dyn(ar), bytes, saved.bytes(), &versions);
        return Err(format!("{text} saves as {:x?}{lost}", saved.bytes()));
    }

    let mut counter = Counter::new(versions.clone()).with_context(context.clone());
    value.serialize_dyn(&mut counter).map_err(|error| format!("counting: {error}"))?;
    unchanged(&*value, "counting")?;
    if counter.length() != used as u64 {
        return Err(format!("{} bytes are counted, {used} saved", counter.length()));
    }

    let mut references = References::new(versions.clone());
    value.serialize_dyn(&mut references).map_err(|error| format!("collecting: {error}"))?;
    unchanged(&*value, "collecting")?;
    let mut remap = Remap::new(versions.clone());
    for space in &known.spaces {
        remap = remap.with_rule(space, &Some);
    }
    value.serialize_dyn(&mut remap).map_err(|error| format!("renumbering: {error}"))?;
    unchanged(&*value, "the identity")?;

    let mut loader = Loader::new(bytes, versions.clone()).with_context(context.clone());
    let mut annotate = Annotate::new(&mut loader);
    let mut explained = make();
    explained.serialize_dyn(&mut annotate).map_err(|error| format!("explaining: {error}"))?;
    unchanged(&*explained, "explaining")?;
    tiles(&annotate.into_records(), used, known)?;
    let mut saved = saver();
    let mut annotate = Annotate::new(&mut saved);
    value.serialize_dyn(&mut annotate).map_err(|error| format!("explaining: {error}"))?;
    tiles(&annotate.into_records(), used, known)?;
    Ok(Some(used))
}

/// Whether two values that are equal also print as the same, but for the order of what has none: a hash map's keys.
pub(super) fn prints_alike(one: &str, other: &str) -> bool {
    let sorted = |text: &str| {
        let mut bytes = text.as_bytes().to_vec();
        bytes.sort_unstable();
        bytes
    };
    one == other || sorted(one) == sorted(other)
}

/// Each byte has one record.
///
/// # Errors
/// The record that does not begin where the one before it ends.
pub(super) fn tiles(records: &[Record], length: usize, known: &LawContext) -> LawResult {
    let mut at = 0;
    for record in records {
        let follows = record.start == at || known.has_gaps;
        if !follows || record.end <= record.start {
            return Err(format!("{record:?} does not begin at {at}"));
        }
        at = at.max(record.end);
    }
    match at == length as u64 {
        true => Ok(()),
        false => Err(format!("{at} of {length} bytes are explained")),
    }
}

/// What is lost of bytes that save otherwise, and what to do where saving works the field out; `load` loads
/// them into any value of the type.
pub(super) fn lost(
    load: impl FnOnce(&mut dyn Archive) -> Result<()>,
    bytes: &[u8],
    saved: &[u8],
    versions: &Versions,
) -> String {
    let place = bytes.iter().zip(saved).position(|(one, other)| one != other);
    let Some(at) = place.map(|at| at as u64) else { return String::new() };
    let mut loader = Loader::new(bytes, versions.clone());
    let mut annotate = Annotate::new(&mut loader);
    // The bytes load: that was tried.
    let _ = load(&mut annotate);
    let records = annotate.into_records();
    let field = records.iter().find(|it| it.start <= at && at < it.end).map(|it| &*it.path);
    format!(
        ": the first byte that differs is {at:#x} ({}). Loading must keep what stands there or refuse it; of a field that \
         is `computed` something must look at the number: `count = …` or `tag = …` of another field, or `after_load`",
        field.unwrap_or("of no field")
    )
}
