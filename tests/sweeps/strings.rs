//! The length word of strings.

use std::sync::Arc;

use unreal_packages::archive::{Archived, Context, Loader, Saver};
use unreal_packages::property::PackageContext;
use unreal_packages::version::UnrealVersions;
use unreal_packages::{ErrorKind, FString, Versions};

use super::sweep;

/// Bytes behind the length.
const ROOM: usize = 4_096;

/// In front of 4,096 bytes the length is one that fits, and the string is saved as it was; or it is an error,
/// found without memory for what is not there.
fn every_length(what: &str, versions: &Versions) {
    // Characters that are no zeros, but for some: with and without a terminator.
    let text: Vec<u8> = (0..ROOM).map(|at| if at % 7 > 4 { 0 } else { at as u8 | 1 }).collect();
    let source = [&[0; 4][..], &text].concat();
    let start = || {
        let context = Context::new(source.clone().into(), Vec::new());
        (source.clone(), Saver::new(versions.clone()).with_context(Arc::new(context)))
    };
    let legal = sweep(what, start, |(source, saver), words| {
        let mut legal = 0;
        for word in words {
            let length = word as u32 as i32;
            let stored = match versions.byte_order.is_big() {
                true => length.to_be_bytes(),
                false => length.to_le_bytes(),
            };
            source[..4].copy_from_slice(&stored);
            let units = u64::from(length.unsigned_abs());
            let bytes = if length < 0 { 2 * units } else { units };
            let mut loader = Loader::new(source, versions.clone());
            let mut string = FString::default();
            match string.serialize(&mut loader) {
                Ok(()) => {
                    assert!(bytes <= ROOM as u64, "{length} fits nowhere");
                    assert_eq!(loader.remaining(), ROOM as u64 - bytes, "{length}");
                    let end = 4 + bytes as usize;
                    let unit = if length < 0 { 2 } else { 1 };
                    let last = &source[end.saturating_sub(unit)..end];
                    let terminated = length != 0 && last.iter().all(|byte| *byte == 0);
                    let characters = bytes - if terminated { unit as u64 } else { 0 };
                    assert_eq!(string.span().len(), characters, "{length}");
                    saver.restart(0);
                    string.serialize(saver).unwrap();
                    assert_eq!(saver.bytes()[..4], stored);
                    assert!(saver.bytes()[4..] == source[4..end], "{length}");
                    legal += 1;
                }
                Err(error) => {
                    assert!(bytes > ROOM as u64, "{length}: {error}");
                    assert!(matches!(error.kind(), ErrorKind::UnexpectedEnd { .. }), "{error}");
                }
            }
        }
        legal
    });
    assert_eq!(legal, 1 + ROOM as u64 + ROOM as u64 / 2);
}

#[test]
#[ignore = "takes minutes: .ci/long runs it in a release build"]
fn every_length_fits_or_is_an_error() {
    every_length("lengths of strings", &Versions::ue1_to_3(868, 0));
}
