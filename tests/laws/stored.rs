//! Values beside the bytes that they are stored as.

use std::fmt::Debug;

use unreal_packages::archive::{Archived, Counter, Loader, Saver};
use unreal_packages::property::PackageContext;
use unreal_packages::version::UnrealVersions;
use unreal_packages::{ErrorKind, Versions};

/// A format of one's own.
pub fn own() -> Versions {
    Versions::own(1)
}

/// A version of UE1 to UE3.
pub fn file(version: u32) -> Versions {
    Versions::ue1_to_3(version, 0)
}

pub fn saved<T: Archived>(value: &mut T, versions: &Versions) -> unreal_packages::Result<Vec<u8>> {
    let mut saver = Saver::new(versions.clone());
    value.serialize(&mut saver)?;
    Ok(saver.into_bytes())
}

/// The value that stands at the start of the bytes, and how many of them it takes.
pub fn loaded<T: Archived + Default>(
    bytes: &[u8],
    versions: &Versions,
) -> unreal_packages::Result<(T, usize)> {
    let mut value = T::default();
    let mut loader = Loader::new(bytes, versions.clone());
    value.serialize(&mut loader)?;
    Ok((value, bytes.len() - loader.remaining() as usize))
}

/// The value is stored as these bytes: saved, loaded, counted; fewer are an error, and `old` is overwritten.
#[track_caller]
pub fn over<T: Archived + Default + PartialEq + Debug>(
    mut value: T,
    mut old: T,
    versions: &Versions,
    bytes: &[u8],
) {
    assert_eq!(saved(&mut value, versions).unwrap(), bytes, "saved at {versions}");
    let behind = [bytes, &[0xcd; 9]].concat();
    let (found, used) = loaded::<T>(&behind, versions).unwrap();
    assert_eq!((&found, used), (&value, bytes.len()), "loaded at {versions}");
    old.serialize(&mut Loader::new(&behind, versions.clone())).unwrap();
    assert_eq!(old, value, "what was there is overwritten");
    let mut counter = Counter::new(versions.clone());
    value.serialize(&mut counter).unwrap();
    assert_eq!(counter.length(), bytes.len() as u64);
    for end in 0..bytes.len() {
        assert!(loaded::<T>(&bytes[..end], versions).is_err(), "{end} bytes were enough");
    }
}

#[track_caller]
pub fn stored<T: Archived + Default + PartialEq + Debug>(
    value: T,
    versions: &Versions,
    bytes: &[u8],
) {
    over(value, T::default(), versions, bytes);
}

/// What loading these bytes fails with, and where: the path of the value.
#[track_caller]
pub fn refused<T: Archived + Default + Debug>(
    bytes: &[u8],
    versions: &Versions,
) -> (ErrorKind, String) {
    let error = loaded::<T>(bytes, versions).expect_err("bytes that are no value");
    let path = error.path().to_string();
    (error.into_kind(), path)
}

/// The same of a value that keeps spans of what it is loaded from.
#[track_caller]
pub fn kept<T: Archived + Default + Clone + PartialEq + Debug>(
    value: T,
    versions: &Versions,
    bytes: &[u8],
) {
    use std::sync::Arc;

    use unreal_packages::archive::Context;

    let before = value.clone();
    let mut value = value;
    assert_eq!(saved(&mut value, versions).unwrap(), bytes, "saved at {versions}");
    assert_eq!(value, before, "saving changes nothing");
    let behind = [bytes, &[0xcd; 9]].concat();
    let (mut found, used) = loaded::<T>(&behind, versions).unwrap();
    assert_eq!(used, bytes.len(), "loaded at {versions}");
    let context = Arc::new(Context::new(behind.clone().into(), Vec::new()));
    let mut saver = Saver::new(versions.clone()).with_context(context.clone());
    found.serialize(&mut saver).unwrap();
    assert_eq!(saver.bytes(), bytes, "loaded and saved");
    let mut counter = Counter::new(versions.clone()).with_context(context);
    found.serialize(&mut counter).unwrap();
    assert_eq!(counter.length(), bytes.len() as u64);
    crate::sample::own(&mut found, &behind, versions);
    assert_eq!(found, value, "loaded at {versions}");
    for end in 0..bytes.len() {
        assert!(loaded::<T>(&bytes[..end], versions).is_err(), "{end} bytes were enough");
    }
}

/// How many bytes each value of a type takes, as its layout says.
pub fn size<T: Archived>(versions: &Versions) -> Option<u64> {
    match T::LAYOUT.shape {
        unreal_packages::archive::layout::Shape::Manual { size, .. } => size(versions),
        _ => None,
    }
}
