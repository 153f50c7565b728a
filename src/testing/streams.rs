//! That streams and documents say the same as memory.

use std::fmt::Debug;
use std::io::{self, Cursor, Read};

use super::known::{LawContext, LawResult};
use crate::archive::{Archived, ReadLoader, WriteSaver};
use crate::version::Versions;

/// A reader that gives a few bytes at a time.
struct Drops<'a>(&'a [u8]);

impl Read for Drops<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let most = buffer.len().min(7);
        self.0.read(buffer.get_mut(..most).unwrap_or_default())
    }
}

/// A value that owns its bytes, which it is stored as, by way of streams.
///
/// # Errors
/// The difference.
pub(super) fn streams<T: Archived + Default + Clone + PartialEq + Debug>(
    value: &T,
    bytes: &[u8],
    versions: &Versions,
    known: &LawContext,
) -> LawResult {
    let same = |loaded: T, what: &str| match loaded == *value {
        true => Ok(()),
        false => Err(format!("{what} gives {loaded:?}, not {value:?}")),
    };
    let mut loader =
        ReadLoader::new(Drops(bytes), versions.clone()).with_context(known.context.clone());
    let mut loaded = T::default();
    let result = loaded.serialize(&mut loader).and_then(|()| loader.finish());
    result.map_err(|error| format!("from a stream: {error}"))?;
    same(loaded, "a stream")?;
    let mut loaded = T::default();
    let loader = ReadLoader::seekable(Cursor::new(bytes), versions.clone());
    let result = loader.and_then(|loader| {
        let mut loader = loader.with_context(known.context.clone());
        loaded.serialize(&mut loader)?;
        loader.finish()
    });
    result.map_err(|error| format!("from a stream that seeks: {error}"))?;
    same(loaded, "a stream that seeks")?;

    let mut saver =
        WriteSaver::new(Vec::new(), versions.clone()).with_context(known.context.clone());
    let result = saver.put(&mut value.clone()).and_then(|()| saver.finish());
    match result.map_err(|error| format!("to a stream: {error}"))? {
        (written, length) if written == bytes && length == bytes.len() as u64 => {}
        (written, _) => return Err(format!("written to a stream it is {written:x?}")),
    }
    let saver = WriteSaver::seekable(Cursor::new(Vec::new()), versions.clone());
    let result = saver.and_then(|saver| {
        let mut saver = saver.with_context(known.context.clone());
        saver.put(&mut value.clone())?;
        saver.finish()
    });
    match result.map_err(|error| format!("to a stream that seeks: {error}"))? {
        (written, _) if written.get_ref() == bytes => Ok(()),
        (written, _) => Err(format!("written by seeking it is {:x?}", written.into_inner())),
    }
}

/// A value by way of a document: the one that says all, or the one that [`to_json`](crate::to_json) writes.
///
/// # Errors
/// The difference.
#[cfg(feature = "json")]
pub(super) fn document<T: Archived + Default + Clone + PartialEq + Debug>(
    value: &T,
    versions: &Versions,
    known: &LawContext,
    is_readable: bool,
) -> LawResult {
    use crate::archive::{JsonLoader, JsonSaver};

    let context = known.context.clone();
    let mut saver = JsonSaver::new(versions.clone(), context.clone(), &(), 0);
    if is_readable {
        saver = saver.readable();
    }
    value.clone().serialize(&mut saver).map_err(|error| format!("to a document: {error}"))?;
    let document = saver.into_value();
    let text = document.to_string();
    let length = text.len() as u64;
    let mut loader = JsonLoader::new(&document, (versions.clone(), context), &(), 0, length);
    if is_readable {
        loader = loader.readable();
    }
    let mut loaded = T::default();
    let result = loaded.serialize(&mut loader);
    loader.finish(result).map_err(|error| format!("from {text}: {error}"))?;
    match loaded == *value {
        true => Ok(()),
        false => Err(format!("{text} gives {loaded:?}, not {value:?}")),
    }
}
