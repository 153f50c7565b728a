//! The same for packages as containers hold them, of every form.

use unreal_packages::EngineRelease;
use unreal_packages::package::OpenOptions;

use super::{EXTREMES, exercise_with};
use crate::common::zen::{BUNDLED, bundled, zen};

/// A package of each form, with what its container lists.
fn samples() -> Vec<(String, OpenOptions, Vec<u8>)> {
    let mut samples = Vec::new();
    for (major, minor) in [(5, 3), (5, 5), (5, 8)] {
        let release = EngineRelease::new(major, minor);
        let options = OpenOptions::new().engine(release);
        samples.push((format!("{release}"), options, zen(release, true).bytes));
    }
    let release = EngineRelease::new(5, 6);
    samples.push(("5.6 with versions".to_owned(), OpenOptions::new(), zen(release, false).bytes));
    samples.push(("5.6 to be detected".to_owned(), OpenOptions::new(), zen(release, true).bytes));
    for (major, minor) in BUNDLED {
        let release = EngineRelease::new(major, minor);
        let (bytes, imported) = bundled(release, false);
        let options = OpenOptions::new().engine(release).imported_packages(imported);
        samples.push((format!("{release}"), options, bytes));
    }
    samples
}

#[test]
fn truncated_zen_packages_fail() {
    for (what, options, bytes) in samples() {
        for length in 0..bytes.len() {
            let what = format!("{what} cut to {length}");
            let opened = exercise_with(&options, &bytes[..length], false, &what);
            // The tag behind the bodies is kept as it is.
            assert!(!opened || length + 4 >= bytes.len(), "{what} of {} opened", bytes.len());
        }
        assert!(exercise_with(&options, &bytes, true, &what));
    }
}

#[test]
fn changed_zen_headers_open_or_fail() {
    let mut opened = 0;
    for (what, options, bytes) in samples() {
        let size = options.open_bytes(bytes.clone()).unwrap();
        let size = size.container().unwrap().zen_header().unwrap().size() as usize;
        for at in (0..size).step_by(2) {
            for value in [0xff, bytes[at] ^ 1] {
                let mut changed = bytes.clone();
                changed[at] = value;
                let what = format!("{what} with {value:#x} at {at:#x}");
                opened += u32::from(exercise_with(&options, &changed, false, &what));
            }
        }
        for (turn, at) in (0..size - 4).step_by(4).enumerate() {
            let value = EXTREMES[turn % EXTREMES.len()];
            let mut changed = bytes.clone();
            changed[at..at + 4].copy_from_slice(&value.to_le_bytes());
            let what = format!("{what} with {value:#x} at {at:#x}");
            exercise_with(&options, &changed, false, &what);
        }
    }
    assert!(opened > 0);
}
