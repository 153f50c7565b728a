//! Every axis, with numbers, constants and expressions.
#![deny(warnings, unused, trivial_numeric_casts, unused_qualifications)]
#![allow(dead_code)] // what counts is that it compiles

use farchive::archive::Threshold;
use farchive::version::{Axis, Measure};
use farchive::{ArchiveExt, Archived, Guid};

pub const ENGINE: Axis = Axis::new(1, "engine");

mod levels {
    pub const LICENSEE: super::Axis = super::Axis::new(2, "licensee");
}

mod version {
    pub const FIRST: u32 = 68;
    pub const LAST: u32 = 100;
    pub const PHYSICS: super::Guid = super::Guid::new(1, 2, 3, 4);
    pub const PHYSICS_ADDED: i32 = 3;
}

#[derive(Archived)]
pub struct Axes {
    #[since(5)]
    #[until(0x44)]
    pub numbers: u32,
    #[since(version::FIRST)]
    #[until(version::LAST + 1)]
    pub constants: u32,
    #[since(engine = 1)]
    #[until(engine = version::LAST)]
    pub named: u32,
    #[since(levels::licensee = 214)]
    #[until(levels::licensee = 1009)]
    pub by_path: u32,
    #[since(custom = version::PHYSICS, version::PHYSICS_ADDED)]
    pub custom: u32,
    #[since(custom = Guid::new(5, 6, 7, 8), 0,)]
    #[until(custom = version::PHYSICS, 4)]
    #[since(version::FIRST)]
    pub several: u32,
}

macro_rules! versioned {
    ($name:ident, $version:expr, $guid:expr, $function:path, $type:ty) => {
        #[derive(Archived)]
        pub struct $name {
            #[since($version)]
            #[until(custom = $guid, $version)]
            #[archive(when = ar.is_loading(), with = $function)]
            pub field: $type,
        }
    };
}

fn function<A: farchive::Archive + ?Sized>(value: &mut u8, ar: &mut A) -> farchive::Result<()> {
    value.serialize(ar)
}

versioned!(FromMacro, 7, Guid::new(1, 1, 1, 1), function, u8);

#[test]
fn works() {
    let thresholds = Axes::THRESHOLDS;
    let at = |axis, value| Threshold { measure: Measure::Axis(axis), value };
    let custom = |guid, value| Threshold { measure: Measure::Custom(guid), value };
    assert_eq!(
        thresholds,
        [
            at(Axis::FIRST, 5),
            at(Axis::FIRST, 0x44),
            at(Axis::FIRST, 68),
            at(Axis::FIRST, 101),
            at(ENGINE, 1),
            at(ENGINE, 100),
            at(levels::LICENSEE, 214),
            at(levels::LICENSEE, 1009),
            custom(version::PHYSICS, 3),
            custom(Guid::new(5, 6, 7, 8), 0),
            custom(version::PHYSICS, 4),
        ]
    );
    assert_eq!(FromMacro::THRESHOLDS.len(), 2);
}
