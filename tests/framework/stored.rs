//! One value and its bytes: all archives agree on it.

use std::fmt::Debug;

use farchive::{
    Annotate, Archive, Archived, Counter, Error, Loader, References, Remap, Result, Saver,
    Versions, from_json, to_json_value,
};
use serde_json::Value;

/// What the laws ask of a type.
pub trait Stored: Archived + Clone + Default + PartialEq + Debug {}

impl<T: Archived + Clone + Default + PartialEq + Debug> Stored for T {}

pub fn own(version: u32) -> Versions {
    Versions::own(version)
}

pub fn saved<T: Archived>(value: &mut T, version: u32) -> Result<Vec<u8>> {
    let mut saver = Saver::new(own(version));
    value.serialize(&mut saver)?;
    Ok(saver.into_bytes())
}

pub fn loaded<T: Archived + Default>(bytes: &[u8], version: u32) -> Result<T> {
    let (mut value, mut loader) = (T::default(), Loader::new(bytes, own(version)));
    value.serialize(&mut loader)?;
    assert_eq!(loader.remaining(), 0, "bytes are left over");
    Ok(value)
}

/// The error of loading these bytes.
pub fn refused<T: Stored>(bytes: &[u8], version: u32) -> Error {
    loaded::<T>(bytes, version).expect_err("it is refused")
}

/// Checks that the value is stored as these bytes in version 1, and that all archives take it.
pub fn stored<T: Stored>(value: T, bytes: &[u8]) -> Value {
    stored_in(value, 1, bytes)
}

/// The same in a version; gives the document that people read.
pub fn stored_in<T: Stored>(value: T, version: u32, bytes: &[u8]) -> Value {
    let mut same = value.clone();
    assert_eq!(saved(&mut same, version).expect("it is saved"), bytes);
    assert_eq!(same, value, "saving leaves the value");
    assert_eq!(loaded::<T>(bytes, version).expect("it is loaded"), value);
    let mut counter = Counter::new(own(version));
    same.serialize(&mut counter).expect("it is counted");
    assert_eq!(counter.length(), bytes.len() as u64);
    same.serialize(&mut References::new(own(version))).expect("it is visited");
    same.serialize(&mut Remap::new(own(version))).expect("it is renumbered");
    assert_eq!(same, value, "visiting leaves the value");
    let mut loader = Loader::new(bytes, own(version));
    let mut annotate = Annotate::new(&mut loader);
    T::default().serialize(&mut annotate).expect("it is explained");
    let mut end = 0;
    for record in annotate.records() {
        assert_eq!(record.start, end, "{} leaves a gap", record.path);
        end = record.end;
    }
    assert_eq!(end, bytes.len() as u64, "every byte is explained");
    for length in 0..bytes.len() {
        // Fewer bytes are another value or an error, never a panic.
        let mut loader = Loader::new(&bytes[..length], own(version));
        let _ = T::default().serialize(&mut loader);
    }
    for (at, _) in bytes.iter().enumerate() {
        let mut other = bytes.to_vec();
        other[at] ^= 0xff;
        let (mut changed, mut loader) = (T::default(), Loader::new(&other, own(version)));
        if changed.serialize(&mut loader).is_ok() {
            let end = loader.position() as usize;
            assert_eq!(saved(&mut changed, version).expect("it saves again"), other[..end]);
        }
    }
    let document = to_json_value(&value, &own(version)).expect("it is a document");
    let text = document.to_string();
    let read = from_json::<T>(&text, &own(version));
    assert_eq!(read.unwrap_or_else(|error| panic!("{error}: {text}")), value, "{text}");
    document
}
