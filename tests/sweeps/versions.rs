//! The version word of packages.

use std::collections::BTreeSet;
use std::ops::Range;

use unreal_packages::archive::layout::{Layout, Link};
use unreal_packages::archive::{Archive, Archived, Loader, Saver};
use unreal_packages::generate::Builder;
use unreal_packages::package::Package;
use unreal_packages::table::FileVersions;
use unreal_packages::version::{Game, LICENSEE, Measure, UnrealVersions, threshold};
use unreal_packages::{ErrorKind, Versions};

use super::sweep;

/// Words that are the forms of UE4's and UE5's headers.
const FORMS: Range<i32> = -16..0;

/// Both versions of the word are told to the archive, the game follows from them, and the word comes back.
#[test]
#[ignore = "takes minutes: .ci/long runs it in a release build"]
fn every_version_word_is_split_and_comes_back() {
    let saver = || Saver::new(Versions::unreal());
    let games = sweep("version words", saver, |saver, words| {
        let mut games = 0;
        for word in words {
            let word = word as u32;
            let bytes = word.to_le_bytes();
            let mut loader = Loader::new(&bytes, Versions::unreal());
            let mut versions = FileVersions::default();
            let loaded = versions.serialize(&mut loader);
            if FORMS.contains(&(word as i32)) {
                assert!(loaded.is_err(), "{word:#x}: nothing stands behind the form");
                continue;
            }
            loaded.unwrap();
            let (file, licensee) = (word as u16, (word >> 16) as u16);
            assert_eq!(versions.file(), (file, licensee), "{word:#x}");
            assert!(versions == FileVersions::of_file(file, licensee), "{word:#x}");
            let told = loader.versions();
            assert_eq!((told.file(), told.licensee()), (file.into(), licensee.into()), "{word:#x}");
            assert_eq!((told.ue4(), told.ue5()), (0, 0), "{word:#x}");
            assert_eq!(told.game(), Game::detect(told.file(), told.licensee()), "{word:#x}");
            games += u64::from(told.game() != Game::Mainline);
            saver.restart(0);
            versions.serialize(saver).unwrap();
            assert_eq!(*saver.bytes(), bytes);
        }
        games
    });
    assert!(games > 0);
}

/// Licensee versions at which a layout changes.
fn licensee_bounds() -> BTreeSet<u16> {
    let (mut seen, mut bounds) = (BTreeSet::new(), BTreeSet::new());
    let mut waiting: Vec<&'static Layout> =
        unreal_packages::layouts().iter().filter_map(Link::layout).collect();
    while let Some(layout) = waiting.pop() {
        if seen.insert((layout.path)()) {
            let licensee = layout.bounds().filter(|bound| bound.measure == Measure::Axis(LICENSEE));
            bounds.extend(licensee.filter_map(|bound| u16::try_from(bound.value).ok()));
            waiting.extend(layout.fields().flat_map(|it| it.links).filter_map(Link::layout));
        }
    }
    bounds
}

/// Licensee versions that a package of this version is opened with: both sides of every layout's bounds, of
/// each change of the game, and of the ends.
fn licensees(file: u16, bounds: &BTreeSet<u16>) -> BTreeSet<u16> {
    let detect = |licensee: u16| Game::detect(file.into(), licensee.into());
    let changes = (1..=u16::MAX).filter(|&at| detect(at) != detect(at - 1));
    let edges = changes.chain(bounds.iter().copied()).chain([0, u16::MAX]);
    edges.flat_map(|at| [at.saturating_sub(1), at, at.saturating_add(1)]).collect()
}

/// Opens the package with each of the licensee versions, and what opens is saved as it was.
fn opens(bytes: &mut [u8], licensees: impl Iterator<Item = u16>) -> (u64, u64) {
    let (mut opened, mut refused) = (0, 0);
    for licensee in licensees {
        bytes[6..8].copy_from_slice(&licensee.to_le_bytes());
        match Package::from_bytes(bytes.to_vec()) {
            Ok(package) => {
                let versions = package.versions();
                if !versions.has_object_versions() {
                    assert_eq!(versions.licensee(), u32::from(licensee));
                }
                assert!(package.to_bytes().unwrap() == bytes, "{versions:?}");
                opened += 1;
            }
            Err(error) => {
                assert!(!matches!(error.kind(), ErrorKind::Io { .. }), "{error}");
                refused += 1;
            }
        }
    }
    (opened, refused)
}

/// A package of this version where one can be made, else the header of one that can.
fn package(file: u16) -> Vec<u8> {
    let build = |file: u16| {
        let builder = Builder::new(file.into()).name("Some");
        builder.export("Note", "Core.TextBuffer", vec![0; 16]).build()
    };
    let mut bytes = build(file).or_else(|_| build(868)).unwrap();
    bytes[4..6].copy_from_slice(&file.to_le_bytes());
    bytes
}

/// Every file version with the licensee versions at which something changes, and the file versions at which
/// something changes with every licensee version.
#[test]
#[ignore = "takes minutes: .ci/long runs it in a release build"]
fn every_header_opens_or_is_an_error() {
    let began = std::time::Instant::now();
    let bounds = licensee_bounds();
    let around = threshold::ALL.iter().flat_map(|&at| [at - 1, at, at + 1]);
    let whole: BTreeSet<u16> = around
        .chain([61, 69, 128, 512, 684, 868])
        .filter_map(|at| u16::try_from(at).ok())
        .collect();
    let next = std::sync::atomic::AtomicU32::new(0);
    let totals = std::sync::Mutex::new((0, 0));
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, |count| count.get()) {
            scope.spawn(|| {
                while let Ok(file) =
                    u16::try_from(next.fetch_add(1, std::sync::atomic::Ordering::Relaxed))
                {
                    let mut bytes = package(file);
                    let (opened, refused) = match whole.contains(&file) {
                        true => opens(&mut bytes, 0..=u16::MAX),
                        false => opens(&mut bytes, licensees(file, &bounds).into_iter()),
                    };
                    let mut totals = totals.lock().unwrap();
                    *totals = (totals.0 + opened, totals.1 + refused);
                }
            });
        }
    });
    let (opened, refused) = totals.into_inner().unwrap();
    let seconds = began.elapsed().as_secs();
    println!("headers: {opened} opened, {refused} refused, {seconds} s");
    assert!(opened > 0 && refused > 0);
}
