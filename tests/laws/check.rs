//! The laws themselves, for one value at one version.

use std::fmt::Debug;

use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestRng, TestRunner};
use unreal_packages::archive::{Context, Record};
use unreal_packages::primitive::{NameReferences, NameRemap};
use unreal_packages::property::PackageContext;
use unreal_packages::version::UnrealVersions;
use unreal_packages::{
    Annotate, Archive, ArchiveExt, Counter, ErrorKind, Loader, References, Remap, Saver, Versions,
};

use super::sample::{Sample, own};
use crate::common::{all_versions, load, save, ue4_versions};

pub type Outcome = Result<(), TestCaseError>;

/// Runs a law over random values at these versions. The numbers are drawn from a fixed seed for each
/// version, so that a failure comes back.
fn at_versions<T: Debug + 'static>(
    all: Vec<Versions>,
    cases: u32,
    strategy: impl Fn(&Versions) -> BoxedStrategy<T>,
    law: impl Fn(T, &Versions) -> Outcome,
) {
    for versions in all {
        let config = Config { cases, failure_persistence: None, ..Config::default() };
        let mut seed = [versions.byte_order.is_big() as u8 + 1; 32];
        seed[..4].copy_from_slice(&versions.file().to_le_bytes());
        seed[4..8].copy_from_slice(&(versions.ue4() + versions.ue5()).to_le_bytes());
        let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &seed);
        TestRunner::new_with_rng(config, rng)
            .run(&strategy(&versions), |value| law(value, &versions))
            .unwrap_or_else(|error| {
                panic!("{versions} {:?} {:?}: {error}", versions.byte_order, versions.game())
            });
    }
}

/// All laws for a random value, another one as the garbage that loading must overwrite, and a change
/// to the bytes.
pub fn every_law<T: Sample>(cases: u32) {
    every_law_at::<T>(all_versions(), cases);
}

/// The same at the versions of UE4 and UE5.
pub fn every_ue4_law<T: Sample>(cases: u32) {
    every_law_at::<T>(ue4_versions(), cases);
}

fn every_law_at<T: Sample>(all: Vec<Versions>, cases: u32) {
    let strategy = |versions: &Versions| {
        let change = (any::<u16>(), any::<u8>());
        (T::any(versions), T::any(versions), proptest::collection::vec(change, 1..4)).boxed()
    };
    at_versions(all, cases, strategy, |(value, garbage, changes), versions| {
        let mut fitted = value.clone();
        fitted.fit(versions);
        if fitted != value {
            misfit_is_an_error(value, versions)?;
        }
        let bytes = saving_leaves_the_value(&fitted, versions)?;
        loading_overwrites(&fitted, garbage, &bytes, versions)?;
        visiting_leaves_the_value(&fitted, versions)?;
        renumbering(&fitted, versions)?;
        annotation_tiles::<T>(&bytes, versions)?;
        parts_are_windows(&fitted, &bytes, versions)?;
        for end in 0..bytes.len() {
            prop_assert!(load::<T>(&bytes[..end], versions).is_err(), "{end} bytes were enough");
        }
        changed_bytes::<T>(bytes, &changes, versions)
    });
}

/// Equal also in what equality passes over: the forms of compact indices.
fn unchanged<T: Sample>(now: &T, before: &T) -> Outcome {
    prop_assert_eq!(now, before);
    prop_assert_eq!(format!("{now:?}"), format!("{before:?}"));
    Ok(())
}

/// Law 2: what this version has no place for is never lost silently, and the value stays.
fn misfit_is_an_error<T: Sample>(value: T, versions: &Versions) -> Outcome {
    let mut saved = value.clone();
    let Err(error) = save(&mut saved, versions) else {
        return Err(TestCaseError::fail("a value was saved that this version has no place for"));
    };
    let expected = matches!(error.kind(), ErrorKind::NotInVersion | ErrorKind::OutOfRange { .. });
    prop_assert!(expected, "{error}");
    prop_assert!(error.to_string().contains(&format!("(version {versions})")), "{error}");
    unchanged(&saved, &value)
}

/// Laws 1, 5: saving and counting leave the value; the count is the length, at any position.
fn saving_leaves_the_value<T: Sample>(
    fitted: &T,
    versions: &Versions,
) -> Result<Vec<u8>, TestCaseError> {
    let mut value = fitted.clone();
    let saved = save(&mut value, versions);
    prop_assert!(saved.is_ok(), "{} for {fitted:?}", saved.unwrap_err());
    let bytes = saved.unwrap();
    unchanged(&value, fitted)?;
    let mut counter = Counter::new(versions.clone()).at(1000);
    value.serialize(&mut counter).unwrap();
    unchanged(&value, fitted)?;
    prop_assert_eq!(counter.length(), bytes.len() as u64);
    prop_assert_eq!(counter.position(), 1000 + bytes.len() as u64);
    let mut dynamic = Saver::new(versions.clone()).at(1000);
    value.serialize(dynamic.as_dyn()).unwrap();
    prop_assert_eq!(dynamic.bytes(), &bytes[..], "the same through a pointer");
    prop_assert_eq!(save(&mut value, versions).unwrap(), bytes.clone(), "the same again");
    Ok(bytes)
}

/// Laws 2, 5: whatever stood in the value is gone, and what was saved is there.
fn loading_overwrites<T: Sample>(
    fitted: &T,
    mut garbage: T,
    bytes: &[u8],
    versions: &Versions,
) -> Outcome {
    let mut trailed = bytes.to_vec();
    trailed.extend([0xcd; 9]);
    let (mut clean, used) =
        load::<T>(&trailed, versions).map_err(|e| TestCaseError::fail(e.to_string()))?;
    prop_assert_eq!(used, bytes.len(), "exactly what was saved is read");
    let mut loader = Loader::new(&trailed, versions.clone());
    garbage.serialize(loader.as_dyn()).unwrap();
    unchanged(&garbage, &clean)?;
    own(&mut clean, bytes, versions);
    prop_assert_eq!(&clean, fitted);
    prop_assert_eq!(save(&mut clean, versions).unwrap(), bytes);
    // Straight from the source, without making the spans independent of it.
    let context = Context::new(trailed.clone().into(), Vec::new());
    let mut saver = Saver::new(versions.clone()).with_context(context.into());
    garbage.serialize(&mut saver).unwrap();
    prop_assert_eq!(saver.bytes(), bytes);
    Ok(())
}

/// Law 1: collecting and renumbering by the identity change nothing.
fn visiting_leaves_the_value<T: Sample>(fitted: &T, versions: &Versions) -> Outcome {
    let mut value = fitted.clone();
    let mut references = References::new(versions.clone());
    value.serialize(&mut references).unwrap();
    unchanged(&value, fitted)?;
    value.serialize(&mut Remap::names_and_objects(versions.clone(), &Some, &Some)).unwrap();
    unchanged(&value, fitted)
}

/// Law 5: every reference follows a renumbering, and the way back restores the value.
fn renumbering<T: Sample>(fitted: &T, versions: &Versions) -> Outcome {
    let collect = |value: &mut T| {
        let mut references = References::new(versions.clone());
        value.serialize(&mut references).unwrap();
        (references.names().clone(), references.objects().clone())
    };
    let up = |index: i32| Some(index.wrapping_add(1));
    let down = |index: i32| Some(index.wrapping_sub(1));
    let mut value = fitted.clone();
    let (names, objects) = collect(&mut value);
    value.serialize(&mut Remap::names_and_objects(versions.clone(), &up, &up)).unwrap();
    let shift = |map: std::collections::BTreeMap<i32, u64>| {
        map.into_iter().map(|(index, count)| (index.wrapping_add(1), count)).collect()
    };
    prop_assert_eq!(collect(&mut value), (shift(names.clone()), shift(objects.clone())));
    let is_same = &value == fitted;
    prop_assert_eq!(is_same, names.is_empty() && objects.is_empty());
    value.serialize(&mut Remap::names_and_objects(versions.clone(), &down, &down)).unwrap();
    prop_assert_eq!(&value, fitted);
    if let Some(&missing) = names.keys().next() {
        let rule = |index: i32| (index != missing).then_some(index);
        let result = value.serialize(&mut Remap::names_and_objects(versions.clone(), &rule, &Some));
        let error = result.unwrap_err();
        let not_mapped = matches!(error.kind(), ErrorKind::NotMapped { what: "name", index } if *index == missing);
        prop_assert!(not_mapped, "{error}");
    }
    Ok(())
}

/// Law 5: each byte has one record, and the records are the same both ways.
fn annotation_tiles<T: Sample>(bytes: &[u8], versions: &Versions) -> Outcome {
    let context = std::sync::Arc::new(Context::new(bytes.to_vec().into(), Vec::new()));
    let mut value = T::default();
    let mut loader = Loader::new(bytes, versions.clone()).with_context(context.clone());
    let mut annotate = Annotate::new(&mut loader);
    value.serialize(&mut annotate).unwrap();
    let loading = annotate.into_records();
    let mut saver = Saver::new(versions.clone()).with_context(context);
    let mut annotate = Annotate::new(&mut saver);
    value.serialize(&mut annotate).unwrap();
    let mut saving = annotate.into_records();
    // What a value is for is known where it is saved alone.
    saving.iter_mut().for_each(|record| record.role = None);
    prop_assert_eq!(saver.bytes(), bytes);
    tiles(&loading, bytes.len())?;
    prop_assert_eq!(format!("{loading:#?}"), format!("{saving:#?}"), "loading, then saving");
    Ok(())
}

fn tiles(records: &[Record], length: usize) -> Outcome {
    let mut at = 0;
    for record in records {
        prop_assert_eq!(record.start, at, "{:?}", record);
        prop_assert!(record.end > record.start, "no bytes: {record:?}");
        at = record.end;
    }
    prop_assert_eq!(at, length as u64);
    Ok(())
}

/// A part must be used up exactly; where it is not, nothing has happened.
fn parts_are_windows<T: Sample>(fitted: &T, bytes: &[u8], versions: &Versions) -> Outcome {
    let size = bytes.len() as u64;
    let mut trailed = bytes.to_vec();
    trailed.extend([0xcd; 5]);
    let mut value = T::default();
    for wrong in [size + 1, size + 5, size.wrapping_sub(1)] {
        let mut loader = Loader::new(&trailed, versions.clone());
        let mut annotate = Annotate::new(&mut loader);
        let result = annotate.part(wrong, &mut |ar| value.serialize(ar));
        prop_assert!(result.is_err(), "a part of {wrong} instead of {size} bytes");
        prop_assert_eq!(annotate.position(), 0);
        prop_assert!(annotate.records().is_empty());
    }
    let mut loader = Loader::new(&trailed, versions.clone());
    loader.part(size, &mut |ar| value.serialize(ar)).unwrap();
    prop_assert_eq!(loader.remaining(), 5);
    own(&mut value, bytes, versions);
    prop_assert_eq!(&value, fitted);
    let mut counter = Counter::new(versions.clone());
    counter.part(0, &mut |ar| value.serialize(ar)).unwrap();
    prop_assert_eq!(counter.length(), size);
    let mut saver = Saver::new(versions.clone());
    saver.part(0, &mut |ar| value.serialize(ar)).unwrap();
    prop_assert_eq!(saver.bytes(), bytes);
    Ok(())
}

/// Law 5: whatever bytes load, they save as they were.
fn changed_bytes<T: Sample>(
    mut bytes: Vec<u8>,
    changes: &[(u16, u8)],
    versions: &Versions,
) -> Outcome {
    if bytes.is_empty() {
        return Ok(());
    }
    for &(at, byte) in changes {
        let at = usize::from(at) % bytes.len();
        bytes[at] = byte;
    }
    bytes.extend([0x11; 8]);
    let mut value = T::default();
    let mut loader = Loader::new(&bytes, versions.clone());
    if value.serialize(&mut loader).is_ok() {
        let used = bytes.len() - loader.remaining() as usize;
        let context = Context::new(bytes.clone().into(), Vec::new());
        // A header says its versions itself.
        let mut saver = Saver::new(loader.versions().clone()).with_context(context.into());
        value.serialize(&mut saver).map_err(|e| TestCaseError::fail(e.to_string()))?;
        prop_assert_eq!(saver.bytes(), &bytes[..used]);
    }
    Ok(())
}
