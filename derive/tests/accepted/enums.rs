//! Enums of every width and shape.
#![deny(warnings, unused, trivial_numeric_casts, unused_qualifications)]
#![allow(dead_code)] // what counts is that it compiles

use farchive::{ArchiveExt, Archived};

use super::axes::ENGINE;

macro_rules! of_width {
    ($($name:ident $repr:ident),*) => { $(
        #[derive(Archived)]
        #[repr($repr)]
        pub enum $name {
            First,
            Second = 5,
            Third,
        }
    )* };
}
of_width!(U8 u8, I8 i8, U16 u16, I16 i16, U32 u32, I32 i32, U64 u64, I64 i64);

const HIGH: i16 = 400;

#[derive(Archived)]
#[repr(i16)]
#[non_exhaustive]
pub enum Signed {
    Lowest = -3,
    Next,
    High = HIGH,
    r#Raw = HIGH * 2,
}

#[derive(Archived, Debug, PartialEq)]
#[repr(C, u8)]
pub enum Data {
    Unit,
    EmptyTuple(),
    EmptyStruct {},
    Tuple(u32, #[archive(skip)] u8),
    #[since(4)]
    #[until(9)]
    #[since(engine = 2)]
    Struct {
        first: u32,
        #[since(6)]
        second: Vec<u32>,
    },
    /// Names that the generated code uses as well.
    Names {
        ar: u8,
        result: u32,
        error: u32,
        discriminant: u32,
        r#type: u32,
    },
    When {
        #[archive(skip)]
        never: bool,
        count: u32,
        #[archive(when = *count > 1 && !*never || ar.is_loading())]
        more: u32,
    },
    WhenTuple(u32, #[archive(when = *_0 > 1)] u32),
}

#[test]
fn works() {
    let mut saver = farchive::Saver::new(farchive::Versions::default());
    let mut names = Data::Names { ar: 1, result: 2, error: 3, discriminant: 4, r#type: 5 };
    names.serialize(&mut saver).unwrap();
    Signed::Next.serialize(&mut saver).unwrap();
    let bytes = saver.into_bytes();
    assert_eq!(bytes, [5, 1, 2, 0, 0, 0, 3, 0, 0, 0, 4, 0, 0, 0, 5, 0, 0, 0, 0xfe, 0xff]);
    let mut loader = farchive::Loader::new(&bytes, farchive::Versions::default());
    let mut loaded = Data::Unit;
    loaded.serialize(&mut loader).unwrap();
    assert_eq!(loaded, names);
}
