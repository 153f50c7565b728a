//! Parameters of every kind, and the bounds that the derive adds.
#![deny(warnings, unused, trivial_numeric_casts, unused_qualifications)]
#![allow(dead_code)] // what counts is that it compiles

use std::marker::PhantomData;

use farchive::Archived;

#[derive(Archived, Debug, Default, PartialEq)]
pub struct Plain<T> {
    pub value: T,
}

#[derive(Archived)]
pub struct Gated<T>
where
    T: Default,
{
    #[since(3)]
    pub list: Vec<T>,
    #[archive(when = self.list.len() > 3)]
    pub last: T,
}

/// Not serialisable, and it need not be.
pub struct Marker;

#[derive(Archived)]
pub struct Skipped<'a, T: ?Sized, M> {
    pub value: u32,
    #[archive(skip)]
    pub marker: PhantomData<(&'a T, M)>,
}

#[derive(Archived)]
pub struct Bytes<const N: usize> {
    #[since(2)]
    pub bytes: [u8; N],
}

/// Nothing keeps the field's type from mentioning the type itself.
#[derive(Archived, Default, PartialEq)]
pub struct Node<T: Default> {
    pub value: T,
    #[since(2)]
    pub children: Vec<Node<T>>,
}

#[derive(Archived)]
#[repr(u8)]
pub enum Either<L, R> {
    Left(L),
    Right {
        #[since(3)]
        right: R,
    },
}

fn is_archived<T: Archived>() {}

#[test]
fn works() {
    is_archived::<Plain<u8>>();
    is_archived::<Plain<Plain<Vec<u32>>>>();
    is_archived::<Gated<u8>>();
    is_archived::<Skipped<'static, str, Marker>>();
    is_archived::<Node<u8>>();
    is_archived::<Either<u8, u32>>();
}

#[allow(dead_code)]
fn arrays_of_any_length_with_default<const N: usize>()
where
    [u8; N]: Default,
{
    is_archived::<Bytes<N>>();
}
