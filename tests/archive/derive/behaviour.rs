//! The code of the derive, run: every axis one below, at and above its bound, and the laws.

use unreal_packages::archive::{Record, Threshold};
use unreal_packages::version::{FILE, LICENSEE, Measure, UE4, UE5, UnrealVersions};
use unreal_packages::{
    Annotate, Archive, ArchiveExt, Archived, Counter, ErrorKind, Guid, Loader, References, Result,
    Saver, Versions,
};

const PHYSICS: Guid = Guid::new(1, 2, 3, 4);

fn file(version: u32) -> Versions {
    Versions::unreal().with(FILE, version)
}

/// Versions that stand at `value` on one axis and at zero on every other.
fn on(measure: Measure, value: i64) -> Versions {
    match measure {
        Measure::Axis(axis) => {
            Versions::unreal().with(axis, u32::try_from(value).expect("a version"))
        }
        Measure::Custom(guid) => {
            Versions::unreal().with_custom_versions(vec![(guid, value as i32)])
        }
    }
}

fn save<T: Archived>(value: &mut T, versions: &Versions) -> Result<Vec<u8>> {
    let mut saver = Saver::new(versions.clone());
    value.serialize(&mut saver)?;
    Ok(saver.into_bytes())
}

fn load<T: Archived>(value: &mut T, bytes: &[u8], versions: &Versions) -> Result<()> {
    value.serialize(&mut Loader::new(bytes, versions.clone()))
}

/// Saves, and sees to the laws on the way: counting agrees, nothing changes the value, a value with
/// other contents becomes this one when it is loaded over.
#[track_caller]
fn save_by_the_laws<T>(value: &T, before_loading: &T, versions: &Versions) -> Vec<u8>
where
    T: Archived + Clone + PartialEq + std::fmt::Debug,
{
    let mut subject = value.clone();
    let bytes = save(&mut subject, versions).expect("the value can be saved");
    assert_eq!(subject, *value, "saving changed the value");

    let mut counter = Counter::new(versions.clone());
    subject.serialize(&mut counter).expect("the value can be counted");
    assert_eq!(counter.length(), bytes.len() as u64, "counting and saving disagree");
    assert_eq!(subject, *value, "counting changed the value");

    subject.serialize(&mut References::new(versions.clone())).expect("the value can be visited");
    assert_eq!(subject, *value, "visiting changed the value");

    let mut loaded = before_loading.clone();
    load(&mut loaded, &bytes, versions).expect("what was saved can be loaded");
    assert_eq!(loaded, *value, "loading did not overwrite every field");
    bytes
}

fn annotate<T: Archived>(value: &mut T, versions: &Versions) -> Vec<Record> {
    let mut saver = Saver::new(versions.clone());
    let mut annotate = Annotate::new(&mut saver);
    value.serialize(&mut annotate).expect("the value can be annotated");
    annotate.into_records()
}

/// A type whose field `gated` is there from 10 up to, but not including, 20 on one axis.
macro_rules! gated_on {
    ($test:ident, $axis:expr, $since:meta, $until:meta) => {
        #[test]
        fn $test() {
            #[derive(Archived, Debug, Clone, PartialEq)]
            struct Gated {
                first: u8,
                #[$since]
                #[$until]
                gated: u32,
                last: u8,
            }
            assert_eq!(
                Gated::THRESHOLDS,
                [Threshold { measure: $axis, value: 10 }, Threshold { measure: $axis, value: 20 }]
            );
            let other = Gated { first: 9, gated: 9, last: 9 };
            for version in Gated::THRESHOLDS.iter().flat_map(|it| it.value - 1..=it.value + 1) {
                let versions = on($axis, version);
                let mut full = Gated { first: 1, gated: 2, last: 3 };
                let without = Gated { gated: 0, ..full };
                if (10..20).contains(&version) {
                    assert_eq!(save_by_the_laws(&full, &other, &versions), [1, 2, 0, 0, 0, 3]);
                } else {
                    assert_eq!(save_by_the_laws(&without, &other, &versions), [1, 3]);
                    let error = save(&mut full, &versions).expect_err("a field without a place");
                    assert!(matches!(error.kind(), ErrorKind::NotInVersion));
                    assert_eq!(error.path(), "gated");
                    assert_eq!(error.offset(), Some(1));
                }
            }
        }
    };
}

gated_on!(file_version_bounds, Measure::Axis(FILE), since(10), until(20));
gated_on!(licensee_bounds, Measure::Axis(LICENSEE), since(licensee = 10), until(licensee = 20));
gated_on!(ue4_bounds, Measure::Axis(UE4), since(ue4 = 10), until(ue4 = 20));
gated_on!(ue5_bounds, Measure::Axis(UE5), since(ue5 = 10), until(ue5 = 20));
gated_on!(
    custom_bounds,
    Measure::Custom(PHYSICS),
    since(custom = PHYSICS, 10),
    until(custom = PHYSICS, 20)
);

#[test]
fn unlisted_custom_version_is_below_every_bound() {
    #[derive(Archived, Debug, Clone, Default, PartialEq)]
    struct Listed {
        #[since(custom = PHYSICS, 0)]
        since: u8,
        #[until(custom = PHYSICS, 0)]
        until: u16,
    }
    let (listed, unlisted) = (Listed { since: 1, until: 0 }, Listed { since: 0, until: 1 });
    let with = on(Measure::Custom(PHYSICS), 0);
    assert_eq!(save_by_the_laws(&listed, &unlisted, &with), [1]);
    assert_eq!(save_by_the_laws(&unlisted, &listed, &Versions::unreal()), [1, 0]);
}

#[test]
fn every_bound_and_condition_of_a_field_must_hold() {
    #[derive(Archived, Debug, Clone, Default, PartialEq)]
    struct Several {
        flags: u8,
        #[since(10)]
        #[until(licensee = 5)]
        #[archive(when = self.flags & 1 != 0)]
        gated: u8,
    }
    let other = Several { flags: 7, gated: 7 };
    for (version, licensee, flags) in [(10, 4, 1), (9, 4, 1), (10, 5, 1), (10, 4, 2)] {
        let versions = file(version).with(LICENSEE, licensee);
        let present = (version, licensee, flags) == (10, 4, 1);
        let value = Several { flags, gated: u8::from(present) };
        let bytes = save_by_the_laws(&value, &other, &versions);
        assert_eq!(bytes.len(), 1 + usize::from(present), "at {versions}, flags {flags}");
    }
}

#[test]
fn condition_sees_what_has_been_loaded_before_it() {
    #[derive(Archived, Debug, Clone, Default, PartialEq)]
    struct Announced {
        has_extra: u8,
        #[archive(when = self.has_extra == 1)]
        extra: u16,
    }
    let (with, without) =
        (Announced { has_extra: 1, extra: 5 }, Announced { has_extra: 0, extra: 0 });
    assert_eq!(save_by_the_laws(&with, &without, &file(0)), [1, 5, 0]);
    assert_eq!(save_by_the_laws(&without, &with, &file(0)), [0]);
    let mut contradiction = Announced { has_extra: 0, extra: 5 };
    let error = save(&mut contradiction, &file(0)).expect_err("the extra would be lost");
    assert!(matches!(error.kind(), ErrorKind::NotInVersion));
}

/// A `u32` in one byte.
fn in_one_byte<A: Archive + ?Sized>(value: &mut u32, ar: &mut A) -> Result<()> {
    if ar.is_loading() {
        // Whatever the value was before must not matter.
        *value = 0;
    }
    let mut byte = u8::try_from(*value)
        .map_err(|_| ar.error(ErrorKind::OutOfRange { value: (*value).into(), bits: 8 }))?;
    ar.serialize_u8(&mut byte)?;
    *value = byte.into();
    Ok(())
}

#[test]
fn other_function_replaces_the_type_s_own() {
    #[derive(Archived, Debug, Clone, Default, PartialEq)]
    struct Small {
        #[archive(with = in_one_byte)]
        small: u32,
        #[archive(with = unreal_packages::primitive::array::counted_u32)]
        list: Vec<u16>,
    }
    let value = Small { small: 7, list: vec![1, 2] };
    let bytes = save_by_the_laws(&value, &Small { small: 300, list: vec![9] }, &file(0));
    assert_eq!(bytes, [7, 2, 0, 0, 0, 1, 0, 2, 0]);
    let error = save(&mut Small { small: 256, list: vec![] }, &file(0)).expect_err("too high");
    assert_eq!(error.path(), "small");
}

#[test]
fn skipped_field_is_left_out_and_loaded_as_default() {
    #[derive(Archived, Debug, Clone, Default, PartialEq)]
    struct Cached(u8, #[archive(skip)] Option<String>);
    let mut value = Cached(1, Some("kept".into()));
    let bytes = save(&mut value, &file(0)).expect("it can be saved");
    assert_eq!(bytes, [1]);
    assert_eq!(value.1.as_deref(), Some("kept"));
    load(&mut value, &bytes, &file(0)).expect("it can be loaded");
    assert_eq!(value, Cached(1, None));
}

#[derive(Archived, Debug, Clone, PartialEq)]
#[repr(i16)]
enum Shape {
    Nothing = -1,
    Dot,
    #[since(10)]
    Circle(u32, #[since(12)] u8),
    #[until(20)]
    Polygon {
        closed: u8,
        #[archive(when = *closed == 1)]
        fill: u8,
        #[archive(skip)]
        area: u32,
        corners: Vec<u8>,
    } = 300,
}

#[test]
fn variants_are_stored_as_discriminant_and_fields() {
    let circle = Shape::Circle(2, 3);
    let polygon = Shape::Polygon { closed: 1, fill: 2, area: 0, corners: vec![7] };
    let at = file(12);
    assert_eq!(save_by_the_laws(&Shape::Nothing, &circle, &at), [0xff, 0xff]);
    assert_eq!(save_by_the_laws(&Shape::Dot, &polygon, &at), [0, 0]);
    assert_eq!(save_by_the_laws(&circle, &polygon, &at), [1, 0, 2, 0, 0, 0, 3]);
    assert_eq!(save_by_the_laws(&polygon, &Shape::Dot, &at), [0x2c, 1, 1, 2, 1, 7]);
    let open = Shape::Polygon { closed: 0, fill: 0, area: 0, corners: vec![] };
    assert_eq!(save_by_the_laws(&open, &polygon, &at), [0x2c, 1, 0, 0]);
}

#[test]
fn gates_of_variant_fields_work_like_those_of_structs() {
    let full = Shape::Circle(2, 3);
    let without = Shape::Circle(2, 0);
    assert_eq!(save_by_the_laws(&without, &full, &file(11)), [1, 0, 2, 0, 0, 0]);
    let error = save(&mut full.clone(), &file(11)).expect_err("a field without a place");
    assert!(matches!(error.kind(), ErrorKind::NotInVersion));
    assert_eq!(error.path(), "1");
}

#[test]
fn unknown_discriminants_are_refused() {
    for (version, bytes, message) in [
        (10, [7, 0], "7 is no variant of Shape"),
        (10, [0xfe, 0xff], "-2 is no variant of Shape"),
        // The variant is known, but not in these versions.
        (9, [1, 0], "1 is the variant Circle of Shape, which is there from 10"),
        (20, [0x2c, 1], "300 is the variant Polygon of Shape, which is there until 20"),
    ] {
        let mut loaded = Shape::Dot;
        let error = load(&mut loaded, &bytes, &file(version)).expect_err("an unknown variant");
        assert_eq!(error.kind().to_string(), message);
        assert_eq!(loaded, Shape::Dot);
    }
}

#[test]
fn variant_that_the_version_lacks_is_not_saved_but_visited() {
    let mut circle = Shape::Circle(2, 0);
    let versions = file(9);
    let mut saver = Saver::new(versions.clone());
    let error = circle.serialize(&mut saver).expect_err("a variant without a place");
    assert!(matches!(error.kind(), ErrorKind::NotInVersion));
    assert!(saver.bytes().is_empty(), "nothing of the variant is written");
    circle.serialize(&mut References::new(versions)).expect("visitors take every variant");
    let polygon = Shape::Polygon { closed: 0, fill: 0, area: 0, corners: vec![] };
    for version in [19, 20, 21] {
        assert_eq!(save(&mut polygon.clone(), &file(version)).is_ok(), version < 20);
    }
}

#[test]
fn thresholds_are_those_of_variants_and_fields_each_once() {
    let at = |value| Threshold { measure: Measure::Axis(FILE), value };
    assert_eq!(Shape::THRESHOLDS, [at(10), at(12), at(20)]);

    const LATER: u32 = 100;
    #[derive(Archived)]
    struct Tiled {
        #[until(LATER)]
        old: u8,
        #[since(LATER)]
        new: u8,
        #[since(licensee = 100)]
        licensee: u8,
        always: u8,
    }
    assert_eq!(
        Tiled::THRESHOLDS,
        [at(100), Threshold { measure: Measure::Axis(LICENSEE), value: 100 }]
    );
    assert!(<Vec<u8> as Archived>::THRESHOLDS.is_empty());
}

#[derive(Archived, Debug, Clone, Default, PartialEq)]
struct Outer {
    a: Middle,
}

#[derive(Archived, Debug, Clone, Default, PartialEq)]
struct Middle {
    b: Vec<Inner>,
}

#[derive(Archived, Debug, Clone, Default, PartialEq)]
struct Inner {
    before: u16,
    #[since(5)]
    c: u16,
}

#[test]
fn errors_tell_the_way_to_the_field() {
    let versions = file(5);
    let inner = Inner { before: 1, c: 2 };
    let value = Outer { a: Middle { b: vec![inner; 4] } };
    let bytes = save_by_the_laws(&value, &Outer::default(), &versions);
    let cut = &bytes[..bytes.len() - 1];
    let error = load(&mut Outer::default(), cut, &versions).expect_err("a byte is missing");
    assert_eq!(error.path(), "a.b[3].c");
    assert_eq!(error.to_string(), "a.b[3].c at 0xf (version 5/0): needed 2 bytes, 1 remain");
    let error = save(&mut value.clone(), &file(4)).expect_err("a field without a place");
    assert_eq!(error.path(), "a.b[0].c");
}

#[test]
fn annotations_know_every_byte_and_the_way_to_it() {
    let inner = Inner { before: 1, c: 2 };
    let mut value = (Outer { a: Middle { b: vec![inner; 2] } }, Shape::Circle(1, 2));
    let records = annotate(&mut value, &file(12));
    let paths: Vec<_> = records.iter().map(|it| it.path.as_str()).collect();
    assert_eq!(
        paths,
        [
            "0.a.b",
            "0.a.b[0].before",
            "0.a.b[0].c",
            "0.a.b[1].before",
            "0.a.b[1].c",
            "1.discriminant",
            "1.0",
            "1.1"
        ]
    );
    let mut end = 0;
    for record in records {
        assert_eq!(record.start, end, "{} leaves a hole", record.path);
        end = record.end;
    }
    assert_eq!(end, save(&mut value, &file(12)).expect("it can be saved").len() as u64);
}

#[test]
fn values_serialise_through_a_pointer() {
    let mut saver = Saver::new(file(12));
    let archive: &mut dyn Archive = &mut saver;
    Shape::Circle(2, 3).serialize(archive).expect("it can be saved");
    assert_eq!(saver.bytes(), [1, 0, 2, 0, 0, 0, 3]);
}
