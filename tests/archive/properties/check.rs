//! The laws, for one list.

use std::sync::Arc;

use unreal_packages::archive::Context;
use unreal_packages::primitive::{NameReferences, NameRemap};
use unreal_packages::property::{PackageContext, PropertyList, Value};
use unreal_packages::table::NameEntry;
use unreal_packages::{
    Annotate, Archived, Counter, FString, Loader, References, Remap, Result, Saver, Versions,
};

use super::list::Stored;

pub fn context(list: &Stored) -> Arc<Context> {
    let entry = |text: &String| NameEntry { text: FString::new(text), ..NameEntry::default() };
    let names = list.names.texts().iter().map(entry).collect();
    Arc::new(Context::new(list.bytes.clone().into(), names))
}

pub fn load_list(list: &Stored, versions: &Versions) -> (PropertyList, Arc<Context>) {
    let context = context(list);
    let mut loader = Loader::new(&list.bytes, versions.clone()).with_context(context.clone());
    let mut loaded = PropertyList::default();
    loaded.serialize(&mut loader).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(loader.remaining(), 0, "{versions}");
    (loaded, context)
}

pub fn save(
    list: &mut PropertyList,
    versions: &Versions,
    context: &Arc<Context>,
) -> Result<Vec<u8>> {
    let mut saver = Saver::new(versions.clone()).with_context(context.clone()).at(1000);
    list.serialize(&mut saver)?;
    Ok(saver.into_bytes())
}

/// Everything that must hold for a sound list, all of whose values are known.
pub fn lists_hold(list: &Stored, versions: &Versions, what: &str) -> PropertyList {
    let what = format!("{what} at {versions}, {:?}", versions.custom_versions.is_some());
    let (mut loaded, context) = load_list(list, versions);
    let original = loaded.clone();
    loaded.walk(&mut |value| {
        if let Value::Opaque(opaque) = value {
            panic!("{what}: {:?}", opaque.error);
        }
    });
    assert_eq!(save(&mut loaded, versions, &context).unwrap(), list.bytes, "{what}");
    assert_eq!(loaded, original, "{what}: saving changes");
    let mut counter = Counter::new(versions.clone()).with_context(context.clone());
    loaded.serialize(&mut counter).unwrap();
    assert_eq!(counter.length(), list.bytes.len() as u64, "{what}");
    visiting(&mut loaded, &original, versions, &what);
    explaining(list, &mut loaded, versions, &context, &what);
    original
}

fn visiting(loaded: &mut PropertyList, original: &PropertyList, versions: &Versions, what: &str) {
    let collect = |list: &mut PropertyList| {
        let mut references = References::new(versions.clone());
        list.serialize(&mut references).unwrap();
        (references.names().clone(), references.objects().clone())
    };
    let (names, objects) = collect(loaded);
    loaded.serialize(&mut Remap::names_and_objects(versions.clone(), &Some, &Some)).unwrap();
    assert_eq!(loaded, original, "{what}: the identity changes");
    let (up, down) = (|row: i32| Some(row + 100), |row: i32| Some(row - 100));
    loaded.serialize(&mut Remap::names_and_objects(versions.clone(), &up, &up)).unwrap();
    let shifted = |map: std::collections::BTreeMap<i32, u64>| {
        map.into_iter().map(|(row, count)| (row + 100, count)).collect()
    };
    assert_eq!(collect(loaded), (shifted(names), shifted(objects)), "{what}");
    loaded.serialize(&mut Remap::names_and_objects(versions.clone(), &down, &down)).unwrap();
    assert_eq!(loaded, original, "{what}: there and back");
}

/// Each byte has one record, and they are the same both ways.
fn explaining(
    list: &Stored,
    loaded: &mut PropertyList,
    versions: &Versions,
    context: &Arc<Context>,
    what: &str,
) {
    let mut loader = Loader::new(&list.bytes, versions.clone()).with_context(context.clone());
    let mut annotate = Annotate::new(&mut loader);
    PropertyList::default().serialize(&mut annotate).unwrap();
    let loading = annotate.into_records();
    let mut at = 0;
    for record in &loading {
        assert_eq!(record.start, at, "{what}: {record:?}");
        at = record.end;
    }
    assert_eq!(at, list.bytes.len() as u64, "{what}");
    let mut saver = Saver::new(versions.clone()).with_context(context.clone());
    let mut annotate = Annotate::new(&mut saver);
    loaded.serialize(&mut annotate).unwrap();
    let mut saving = annotate.into_records();
    // What a value is for is known where it is saved alone.
    saving.iter_mut().for_each(|record| record.role = None);
    assert_eq!(format!("{loading:#?}"), format!("{saving:#?}"), "{what}");
}

/// Cut and changed bytes are an error, or save as they are.
pub fn damage(list: &Stored, versions: &Versions, what: &str) {
    let attempt = |bytes: &[u8]| -> Result<()> {
        let changed = Stored { bytes: bytes.to_vec(), names: list.names.clone() };
        let context = self::context(&changed);
        let mut loader = Loader::new(bytes, versions.clone()).with_context(context.clone());
        let mut loaded = PropertyList::default();
        loaded.serialize(&mut loader)?;
        let used = bytes.len() - loader.remaining() as usize;
        let saved = save(&mut loaded, versions, &context)?;
        assert!(saved == bytes[..used], "{what}: {bytes:x?} saves as {saved:x?}");
        Ok(())
    };
    for end in (0..list.bytes.len()).step_by(5) {
        assert!(attempt(&list.bytes[..end]).is_err(), "{what}: {end} bytes are enough");
    }
    let mut bytes = list.bytes.clone();
    for at in (0..bytes.len()).step_by(3) {
        for byte in [0xff, bytes[at] ^ 1] {
            let old = std::mem::replace(&mut bytes[at], byte);
            let _ = attempt(&bytes);
            bytes[at] = old;
        }
    }
}
