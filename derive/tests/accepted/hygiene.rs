//! The code works whatever the names of the prelude mean where it stands.
#![no_implicit_prelude]
#![deny(warnings)]
#![allow(dead_code)]

mod shadowed {
    pub struct Result;
    pub struct Option;
    pub struct Vec;
    pub struct Box;
    pub struct String;
    pub struct Error;
    pub struct Step;
    pub struct Versions;
    pub trait Default {}
    pub trait PartialEq {}
    pub trait Sized {}
    pub trait Archive {}
    pub trait Clone {}
    #[allow(non_upper_case_globals)]
    pub const None: u8 = 0;
    #[allow(non_snake_case)]
    pub fn Some() {}
    #[allow(non_snake_case)]
    pub fn Ok() {}
    #[allow(non_snake_case)]
    pub fn Err() {}
    #[allow(non_camel_case_types)]
    pub struct u32;
    pub mod core {}
    pub mod std {}
    pub mod farchive {}

    /// Whatever a caller's own traits call their methods.
    pub trait Enter {
        fn enter(&self) {}
        fn step(&self) {}
        fn leave(&self) {}
        fn is_loading(&self) {}
        fn versions(&self) {}
        fn serialize(&self) {}
        fn in_field(&self) {}
    }
    impl<T> Enter for T {}

    const FIRST: ::core::primitive::u32 = 3;
    const GUID: ::farchive::Guid = ::farchive::Guid::new(1, 2, 3, 4);

    fn own<A: ::farchive::Archive + ?::core::marker::Sized>(
        value: &mut u8,
        ar: &mut A,
    ) -> ::core::result::Result<(), ::farchive::Error> {
        ::farchive::Archived::serialize(value, ar)
    }

    #[derive(::farchive::Archived)]
    pub struct Struct<T> {
        plain: u8,
        #[since(FIRST)]
        #[until(custom = GUID, 7)]
        gated: T,
        #[archive(when = true, with = own)]
        with: u8,
        #[archive(skip)]
        skipped: ::std::vec::Vec<u8>,
    }

    #[derive(::farchive::Archived)]
    #[repr(i16)]
    pub enum Enum<T> {
        None,
        #[since(FIRST)]
        Some(T),
        Ok {
            #[since(FIRST + 1)]
            result: T,
            #[archive(when = ::farchive::Archive::versions(ar).number() > 2, with = own)]
            error: u8,
        },
        Err = 7,
    }

    impl<T> Enum<T> {
        pub const NEW: Self = Self::Err;
    }
}

#[test]
fn works() {
    let versions = <::farchive::Versions as ::core::default::Default>::default();
    let mut saver = ::farchive::Saver::new(versions);
    let mut value = shadowed::Enum::<u8>::NEW;
    let result = ::farchive::Archived::serialize(&mut value, &mut saver);
    ::core::assert!(result.is_ok());
    ::core::assert_eq!(saver.bytes(), [7, 0]);
}
