//! A format with axes of its own: the framework alone, and nothing of Unreal.

use farchive::archive::Archive;
use farchive::version::{Axis, Counts, Format, Guid, Measure};
use farchive::{Archived, Counter, ErrorKind, Loader, Result, Saver, Versions};

const FORMAT: Axis = Axis::FIRST;
const ENGINE: Axis = Axis::new(1, "engine");
const PHYSICS: Guid = Guid::new(1, 2, 3, 4);

/// From format 5 on counts are compact.
static LEVELS: Format =
    Format::new("levels", &[FORMAT, ENGINE]).with_counts(|axes| match axes.get(FORMAT) {
        0..5 => Counts::Unsigned,
        _ => Counts::Compact,
    });

#[derive(Archived, Debug, Clone, Default, PartialEq)]
#[archive(magic = b"LEVL")]
struct Level {
    width: u8,
    #[since(3)]
    height: u8,
    #[since(engine = 7)]
    #[until(engine = 9)]
    gravity: u8,
    #[since(custom = PHYSICS, 2)]
    mass: u8,
    rows: Vec<u8>,
}

fn at(format: u32, engine: u32, physics: i32) -> Versions {
    let versions = Versions::of(&LEVELS).with(FORMAT, format).with(ENGINE, engine);
    versions.with_custom_versions(vec![(PHYSICS, physics)])
}

fn saved(level: &Level, versions: &Versions) -> Result<Vec<u8>> {
    let mut saver = Saver::new(versions.clone());
    level.clone().serialize(&mut saver)?;
    Ok(saver.into_bytes())
}

#[test]
fn each_axis_decides_its_own_fields() {
    for format in 2..=6 {
        for engine in 6..=9 {
            for physics in 1..=2 {
                let versions = at(format, engine, physics);
                let set = |is_there: bool| u8::from(is_there) * 9;
                let level = Level {
                    width: 1,
                    height: set(format >= 3),
                    gravity: set((7..9).contains(&engine)),
                    mass: set(physics >= 2),
                    rows: vec![4, 5],
                };
                let bytes = saved(&level, &versions).unwrap();
                let gated = [level.height, level.gravity, level.mass];
                let present = gated.iter().filter(|it| **it > 0).count();
                let count = if format < 5 { 4 } else { 1 };
                assert_eq!(
                    bytes.len(),
                    4 + 1 + present + count + 2,
                    "{versions}, physics {physics}"
                );
                let mut loaded = Level::default();
                loaded.serialize(&mut Loader::new(&bytes, versions.clone())).unwrap();
                assert_eq!(loaded, level);
                let mut counter = Counter::new(versions.clone());
                loaded.serialize(&mut counter).unwrap();
                assert_eq!(counter.length(), bytes.len() as u64);
            }
        }
    }
}

#[test]
fn a_version_learned_while_loading_changes_how_counts_are_stored() {
    let mut versions = at(4, 7, 1);
    assert_eq!(versions.counts(), Counts::Unsigned);
    versions.set(FORMAT, 5);
    assert_eq!(versions.counts(), Counts::Compact);
    let mut loader = Loader::new(&[2, 8, 9], Versions::of(&LEVELS));
    loader.set_versions(versions);
    let mut rows: Vec<u8> = Vec::new();
    rows.serialize(&mut loader).unwrap();
    assert_eq!(rows, [8, 9]);
}

#[test]
fn errors_and_layouts_call_axes_by_their_names() {
    let level = Level { gravity: 1, ..Level::default() };
    let error = saved(&level, &at(3, 9, 1)).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::NotInVersion));
    assert_eq!(
        error.to_string(),
        "gravity at 0x6 (version 3, engine 9): the value is set, but this version has no such field"
    );
    let bounds: Vec<String> = Level::LAYOUT.bounds().map(|bound| bound.to_string()).collect();
    let guid = format!("from custom {PHYSICS} 2");
    assert_eq!(bounds, ["from 3", "from engine 7", "until engine 9", guid.as_str()]);
    let measures: Vec<_> = Level::THRESHOLDS.iter().map(|it| (it.measure, it.value)).collect();
    let engine = Measure::Axis(ENGINE);
    let expected =
        [(Measure::Axis(FORMAT), 3), (engine, 7), (engine, 9), (Measure::Custom(PHYSICS), 2)];
    assert_eq!(measures, expected);
}

#[test]
fn a_format_has_at_most_eight_axes() {
    assert_eq!(Axis::new(7, "last").name(), "last");
    assert!(std::panic::catch_unwind(|| Axis::new(8, "ninth")).is_err());
}
