//! Packages that say no versions, and what finds the release that has saved them.

use unreal_packages::error::{UnrealError, UnrealErrors, Unsupported};
use unreal_packages::generate::Builder;
use unreal_packages::package::{OpenOptions, ReleaseDetection};
use unreal_packages::primitive::PackageFlags;
use unreal_packages::version::UnrealVersions;
use unreal_packages::{EngineRelease, Package};

use crate::common::GUID;

const COOKED: PackageFlags = PackageFlags(0x8000_0200);

fn release(text: &str) -> EngineRelease {
    text.parse().unwrap()
}

/// A cooked package without versions, with one object that has a soft path with this value.
fn package(of: &str, value: &[u8]) -> Vec<u8> {
    let mut body = Vec::new();
    // Names stand in this order: None, then those below.
    for number in [1, 0, 2, 0, value.len() as i32, 0] {
        body.extend(number.to_le_bytes());
    }
    body.push(0);
    body.extend(value);
    body.extend([0; 12]);
    let builder = Builder::for_release(release(of)).guid(GUID).flags(COOKED).unversioned();
    let names = ["Link", "SoftObjectProperty", "A", "B", "C", "D", "E", "F"];
    let builder = names.into_iter().fold(builder, Builder::name);
    builder.export("Thing", "/Script/Engine.Thing", body).build().unwrap()
}

/// A path as one text, which releases before 4.18 store.
fn as_text(text: &str) -> Vec<u8> {
    let mut value = (text.len() as i32 + 1).to_le_bytes().to_vec();
    value.extend(text.bytes());
    value.push(0);
    value
}

/// A path as a name and a text.
fn as_name(row: i32) -> Vec<u8> {
    [row, 0, 0].into_iter().flat_map(i32::to_le_bytes).collect()
}

/// What both of them are: a text of zeros, or a name.
fn as_both() -> Vec<u8> {
    as_name(8)
}

fn best(found: &ReleaseDetection) -> Vec<String> {
    found.best().map(|release| release.to_string()).collect()
}

#[test]
fn what_reads_the_bodies_best_is_the_release() {
    let old = Package::from_bytes(package("4.16", &as_text("/Game/A.A"))).unwrap();
    let found = ReleaseDetection::of(&old).unwrap();
    assert_eq!(best(found), ["4.16", "4.17"]);
    assert_eq!(
        (found.release(), old.versions().release()),
        (Some(release("4.17")), Some(release("4.17")))
    );
    assert_eq!(found.best_text(), "4.16 to 4.17");
    assert!(found.fits().len() > 9 && found.decoded() > 0, "{found:?}");
    let wrong = found.fits().iter().find(|fit| fit.release == release("4.27")).unwrap();
    assert!(wrong.unread > 0 && !wrong.is_best, "{wrong:?}");

    let new = Package::from_bytes(package("4.20", &as_name(3))).unwrap();
    let found = ReleaseDetection::of(&new).unwrap();
    let best = best(found);
    assert!(best.contains(&"4.20".to_owned()) && best.contains(&"4.27".to_owned()), "{best:?}");
    assert!(!best.contains(&"4.17".to_owned()), "{best:?}");
    assert_eq!(new.versions().release(), Some(release("4.27")));
    assert_eq!(new.to_bytes().unwrap(), new.source());
}

#[test]
fn a_header_that_only_one_release_has_needs_no_bodies() {
    let built = Builder::for_release(release("4.14")).flags(COOKED).unversioned();
    let built = built.export("Thing", "/Script/Engine.Thing", vec![7; 40]).build().unwrap();
    let opened = Package::from_bytes(built).unwrap();
    let found = ReleaseDetection::of(&opened).unwrap();
    assert_eq!((found.fits().len(), found.decoded(), found.opened()), (1, 0, 1));
    assert_eq!(found.release(), Some(release("4.14")));
    let said = Builder::for_release(release("4.14")).export("Thing", "Core.Thing", vec![7]);
    let said = Package::from_bytes(said.build().unwrap()).unwrap();
    assert_eq!(ReleaseDetection::of(&said), None);
}

#[test]
fn two_readings_that_are_equally_good_are_asked_about() {
    let bytes = package("4.20", &as_both());
    let error = Package::from_bytes(bytes.clone()).unwrap_err();
    let text = error.to_string();
    assert!(
        matches!(
            error.unreal(),
            Some(UnrealError::Unsupported { why: Unsupported::NeedsRelease, .. })
        ),
        "{error}"
    );
    assert!(text.contains("4.16 to 4.27") && text.contains("--engine 4.27"), "{text}");

    let opened = OpenOptions::new().partly().open_bytes(bytes.clone()).unwrap();
    let found = ReleaseDetection::of(&opened).unwrap();
    assert_eq!(found.release(), None);
    assert!(found.problem().unwrap().contains("4.16 to 4.27"), "{found:?}");
    assert_eq!(opened.exports().path(0), "Thing");
    let refused = opened.to_bytes().unwrap_err();
    assert!(refused.to_string().contains("--engine"), "{refused}");

    let told = OpenOptions::new().engine(release("4.20")).open_bytes(bytes.clone()).unwrap();
    assert_eq!(told.to_bytes().unwrap(), bytes);
}

#[test]
fn a_release_that_reads_less_than_another_is_questioned() {
    let options = OpenOptions::new().engine(release("4.27"));
    let opened = options.open_bytes(package("4.16", &as_text("/Game/A.A"))).unwrap();
    let better = ReleaseDetection::better(&opened, &options).unwrap();
    assert_eq!(best(&better), ["4.16", "4.17"]);
    for right in ["4.18", "4.20", "4.27"] {
        let options = OpenOptions::new().engine(release(right));
        let opened = options.open_bytes(package("4.20", &as_name(3))).unwrap();
        assert_eq!(ReleaseDetection::better(&opened, &options), None, "{right}");
    }
    let wrong = OpenOptions::new().engine(release("5.4"));
    let error = wrong.open_bytes(package("4.20", &as_name(3))).unwrap_err().to_string();
    assert!(error.contains("5.4") && error.contains("4.18 to 4.27"), "{error}");
}

#[test]
fn what_no_release_fits_is_shown_as_far_as_it_goes() {
    let mut bytes = package("4.20", &as_name(3));
    let whole = Package::from_bytes(bytes.clone()).unwrap();
    let exports = whole.summary().export_offset as usize;
    // The class of the object.
    bytes[exports + 3] = 0x7f;
    let row = whole.exports().get(0).unwrap();
    assert_eq!(row.path(), "Thing");
    // Where its body ends.
    let size = row.entry().size() as i64;
    let at =
        (0..bytes.len() - 8).rev().find(|&at| bytes[at..at + 8] == size.to_le_bytes()).unwrap();
    bytes[at..at + 8].copy_from_slice(&0x7fff_ffff_i64.to_le_bytes());
    let error = Package::from_bytes(bytes.clone()).unwrap_err().to_string();
    assert!(error.contains("exports[0].serial_offset"), "{error}");
    let opened = OpenOptions::new().partly().open_bytes(bytes.clone()).unwrap();
    assert_eq!(ReleaseDetection::of(&opened).unwrap().fits(), []);
    assert_eq!(opened.names().len(), whole.names().len());
    assert_eq!(opened.exports().path(0), "Thing");
    assert!(opened.to_bytes().is_err());
    let coverage = opened.coverage();
    assert!(coverage.gap > 0, "{coverage:?}");
    for end in 0..bytes.len() {
        if let Ok(opened) = OpenOptions::new().partly().open_bytes(bytes[..end].to_vec()) {
            let _ = (opened.coverage(), opened.sections(), opened.exports().path(0));
            assert!(opened.to_bytes().is_err(), "{end}");
        }
    }
}
