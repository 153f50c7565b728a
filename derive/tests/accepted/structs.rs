//! Structs of every shape.
#![deny(warnings, unused, trivial_numeric_casts, unused_qualifications)]
#![allow(dead_code)] // what counts is that it compiles

use farchive::{Archive, Archived, Result};

#[derive(Archived, Debug, Default, PartialEq)]
pub struct Named {
    pub first: u32,
    pub r#type: u8,
    pub ar: u16,
    pub result: i8,
    pub error: i64,
    inner: Inner,
}

#[derive(Archived, Debug, Default, PartialEq)]
struct Inner {
    list: Vec<u32>,
}

#[derive(Archived, Debug, Default, PartialEq)]
struct Tuple(u32, #[since(3)] i16, #[archive(skip)] String);

#[derive(Archived, Debug, Default, PartialEq)]
struct Unit;

#[derive(Archived, Debug, Default, PartialEq)]
struct Empty {}

#[derive(Archived, Debug, Default, PartialEq)]
struct Keys {
    flags: u32,
    #[archive(when = self.flags & 1 != 0 || self.flags > 9)]
    extra: u32,
    #[since(2)]
    #[archive(when = (self.flags == 3), with = halved)]
    half: u32,
    #[archive(when = ar.versions().number() > 7)]
    late: u32,
    #[archive(with = Self::doubled)]
    double: u32,
    #[archive(skip)]
    cached: Option<String>,
}

fn halved<A: Archive + ?Sized>(value: &mut u32, ar: &mut A) -> Result<()> {
    value.serialize(ar)
}

impl Keys {
    fn doubled<A: Archive + ?Sized>(value: &mut u32, ar: &mut A) -> Result<()> {
        value.serialize(ar)
    }
}

#[test]
fn works() {
    let mut saver = farchive::Saver::new(farchive::Versions::default());
    Named::default().serialize(&mut saver).unwrap();
    Tuple::default().serialize(&mut saver).unwrap();
    Unit.serialize(&mut saver).unwrap();
    Empty {}.serialize(&mut saver).unwrap();
    Keys::default().serialize(&mut saver).unwrap();
    // Also through a pointer.
    Keys::default().serialize(saver.as_dyn()).unwrap();
}

/// Another crate that exports the framework.
mod another {
    pub use farchive as framework;
}

#[derive(another::framework::Archived, Default, PartialEq)]
#[archive(magic = b"DOOR", crate = another::framework)]
struct Door<T: Default + PartialEq> {
    #[since(3)]
    width: T,
}

#[derive(another::framework::Described)]
#[archive(crate = crate::structs::another::framework)]
#[allow(dead_code)]
struct Handle(u8);

#[test]
fn the_framework_may_be_elsewhere() {
    let bytes = b"DOOR\x07\0";
    let mut door = Door::<u16>::default();
    let mut loader = farchive::Loader::new(bytes, farchive::Versions::own(3));
    Archived::serialize(&mut door, &mut loader).unwrap();
    assert_eq!(door.width, 7);
    assert_eq!(Handle::DESCRIBED.fields().count(), 1);
}
