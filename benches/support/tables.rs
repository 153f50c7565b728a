//! Large tables, against a reader and a writer written by hand.

use std::hint::black_box;
use std::sync::Arc;

use unreal_packages::archive::Context;
use unreal_packages::primitive::array;
use unreal_packages::property::PackageContext;
use unreal_packages::table::{Export, NameEntry};
use unreal_packages::version::UnrealVersions;
use unreal_packages::{Loader, Saver, Versions};

use super::{Case, Scale, hand, sample, timed};

/// The bar against code written by hand.
const BAR: f64 = 1.15;
const HAND: &str = "hand-written";

fn titled(verb: &str, what: &str, file: u32) -> String {
    format!("{verb} {what}, version {file}")
}

/// Reading fills a list that is kept from pass to pass: pages that are touched for the first time
/// would cost both sides more than the reading does, and hide the difference.
pub fn exports(file: u32, scale: Scale) -> Vec<Case> {
    let versions = Versions::ue1_to_3(file, 0);
    let rows = scale.rows;
    let sample = sample::exports(file, rows);
    let bytes: Arc<[u8]> = sample::saved(&mut sample.clone(), &versions).into();
    let capacity = bytes.len();

    let read = Case {
        title: titled("read", "exports", file),
        rival: HAND,
        bar: BAR,
        ours: {
            let (bytes, versions) = (bytes.clone(), versions.clone());
            let mut list: Vec<Export> = Vec::new();
            Box::new(move || {
                list.clear();
                let mut loader = Loader::new(&bytes, black_box(versions.clone()));
                let time =
                    timed(|| array::elements(black_box(&mut list), rows, &mut loader).is_ok());
                assert_eq!(list.len(), rows);
                time
            })
        },
        other: {
            let mut list: Vec<Export> = Vec::new();
            let (bytes, expected) = (bytes.clone(), sample.clone());
            let mut checked = false;
            Box::new(move || {
                list.clear();
                let version = black_box(file);
                let time = timed(|| {
                    hand::read_rows(
                        black_box(&mut list),
                        rows,
                        &bytes,
                        &mut 0,
                        version,
                        hand::read_export,
                    )
                });
                if !checked {
                    assert!(list == expected, "both read the same rows");
                    checked = true;
                }
                time
            })
        },
    };
    let write = Case {
        title: titled("write", "exports", file),
        rival: HAND,
        bar: BAR,
        ours: {
            let (mut list, versions) = (sample.clone(), versions.clone());
            let mut expected = Some(bytes.clone());
            Box::new(move || {
                let mut saver = Saver::new(black_box(versions.clone())).with_capacity(capacity);
                let time = timed(|| array::elements(black_box(&mut list), 0, &mut saver).is_ok());
                if let Some(expected) = expected.take() {
                    assert!(saver.bytes() == &*expected, "saved as loaded");
                }
                time
            })
        },
        other: {
            let mut expected = Some(bytes);
            Box::new(move || {
                let version = black_box(file);
                let mut out = Vec::with_capacity(capacity);
                let time = timed(|| {
                    black_box(&sample)
                        .iter()
                        .try_for_each(|row| hand::write_export(&mut out, row, version))
                });
                if let Some(expected) = expected.take() {
                    assert!(*out == *expected, "both write the same bytes");
                }
                time
            })
        },
    };
    vec![read, write]
}

pub fn names(file: u32, scale: Scale) -> Vec<Case> {
    let versions = Versions::ue1_to_3(file, 0);
    let rows = scale.rows;
    let bytes: Arc<[u8]> = sample::name_bytes(&versions, rows).into();
    let capacity = bytes.len();
    let source = bytes::Bytes::copy_from_slice(&bytes);
    let mut ranges = Vec::new();
    hand::read_rows(&mut ranges, rows, &bytes, &mut 0, file, hand::read_name_range)
        .expect("the sample can be read");
    let mut entries: Vec<NameEntry> = Vec::new();
    array::elements(&mut entries, rows, &mut Loader::new(&bytes, versions.clone()))
        .expect("the sample can be read");

    let read = Case {
        title: titled("read", "names as ranges", file),
        rival: HAND,
        bar: BAR,
        ours: {
            let (bytes, versions) = (bytes.clone(), versions.clone());
            let mut list: Vec<NameEntry> = Vec::new();
            Box::new(move || {
                list.clear();
                let mut loader = Loader::new(&bytes, black_box(versions.clone()));
                let time =
                    timed(|| array::elements(black_box(&mut list), rows, &mut loader).is_ok());
                assert_eq!(list.len(), rows);
                time
            })
        },
        other: {
            let bytes = bytes.clone();
            let mut list = Vec::new();
            Box::new(move || {
                list.clear();
                let version = black_box(file);
                let time = timed(|| {
                    hand::read_rows(
                        black_box(&mut list),
                        rows,
                        &bytes,
                        &mut 0,
                        version,
                        hand::read_name_range,
                    )
                });
                assert_eq!(list.len(), rows);
                time
            })
        },
    };
    let write = Case {
        title: titled("write", "names from ranges", file),
        rival: HAND,
        bar: BAR,
        ours: {
            let context = Arc::new(Context::new(source, Vec::new()));
            let mut expected = Some(bytes.clone());
            Box::new(move || {
                let mut saver = Saver::new(black_box(versions.clone()))
                    .with_context(context.clone())
                    .with_capacity(capacity);
                let time =
                    timed(|| array::elements(black_box(&mut entries), 0, &mut saver).is_ok());
                if let Some(expected) = expected.take() {
                    assert!(saver.bytes() == &*expected, "saved as loaded");
                }
                time
            })
        },
        other: {
            let mut expected = Some(bytes.clone());
            Box::new(move || {
                let version = black_box(file);
                let mut out = Vec::with_capacity(capacity);
                let time = timed(|| {
                    black_box(&ranges)
                        .iter()
                        .try_for_each(|row| hand::write_name_range(&mut out, row, &bytes, version))
                });
                if let Some(expected) = expected.take() {
                    assert!(*out == *expected, "both write the same bytes");
                }
                time
            })
        },
    };
    vec![read, write]
}

/// Ranges of the source against a `String` a name, each into a list of its own.
pub fn owned_names(scale: Scale) -> Vec<Case> {
    [69, 684]
        .into_iter()
        .map(|file| {
            let versions = Versions::ue1_to_3(file, 0);
            let rows = scale.fresh_rows;
            let bytes: Arc<[u8]> = sample::name_bytes(&versions, rows).into();
            let owned = bytes.clone();
            let mut list = Vec::new();
            hand::read_rows(&mut list, rows, &bytes, &mut 0, file, hand::read_owned_name)
                .expect("the sample can be read");
            let expected = sample::texts(rows);
            assert!(list.iter().zip(&expected).all(|(name, text)| name.text == *text));
            assert!(list.iter().all(|name| name.flags == list[0].flags));
            drop((list, expected));
            Case {
                title: titled("open", "names", file),
                rival: "a String a name",
                bar: 1.0 / 3.0,
                ours: Box::new(move || {
                    let mut loader = Loader::new(&bytes, black_box(versions.clone()));
                    timed(|| {
                        let mut list: Vec<NameEntry> = Vec::new();
                        array::elements(&mut list, rows, &mut loader).map(|()| list)
                    })
                }),
                other: Box::new(move || {
                    let version = black_box(file);
                    timed(|| {
                        let mut list = Vec::new();
                        let read = hand::read_owned_name;
                        hand::read_rows(&mut list, rows, &owned, &mut 0, version, read)
                            .map(|()| list)
                    })
                }),
            }
        })
        .collect()
}
