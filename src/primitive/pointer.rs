//! Values behind pointers: stored as if they stood there themselves.

use std::borrow::Cow;
use std::marker::PhantomData;
use std::rc::Rc;
use std::sync::Arc;

use super::array::{self, deeper};
use crate::archive::{Archive, ArchiveExt, Archived};
use crate::error::Result;

impl<T: Archived + ?Sized> Archived for Box<T> {
    #[inline]
    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        deeper::<T, A, _>(ar, |ar| (**self).serialize(ar))
    }
}

/// A list that does not grow: as a [`Vec`].
macro_rules! slices {
    ($($slice:ty),*) => { $(
        impl<T: Archived + Default + Clone> Archived for $slice {
            const NESTS: bool = T::NESTS;

            fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
                let mut values: Vec<T> = std::mem::take(self).to_vec();
                let result = values.serialize(ar);
                *self = values.into();
                result
            }
        }
    )* };
}

impl<T: Archived + Default> Archived for Box<[T]> {
    const NESTS: bool = T::NESTS;

    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        if ar.is_loading() {
            let mut values = Vec::new();
            let result = values.serialize(ar);
            *self = values.into();
            return result;
        }
        array::serialize_list_count(self.len(), ar)?;
        array::save(self, ar)
    }
}
slices!(Arc<[T]>, Rc<[T]>);

/// Text that does not grow: as a [`String`].
macro_rules! texts {
    ($($text:ty),*) => { $(
        impl Archived for $text {
            const NESTS: bool = false;

            fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
                let mut text = String::from(&**self);
                text.serialize(ar)?;
                if ar.is_loading() {
                    *self = text.into();
                }
                Ok(())
            }
        }
    )* };
}
texts!(Box<str>, Arc<str>, Rc<str>, Cow<'_, str>);

/// A shared value: loading makes one of its own, and so does an archive that changes what it visits. Values that
/// several owners share are stored once for each.
macro_rules! shared {
    ($($pointer:ident),*) => { $(
        impl<T: Archived + Default + Clone> Archived for $pointer<T> {
            fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
                if ar.is_loading() {
                    let mut value = T::default();
                    let result = deeper::<T, A, _>(ar, |ar| value.serialize(ar));
                    *self = Self::new(value);
                    return result;
                }
                // Saving a copy leaves it shared.
                if ar.is_saving() && Self::get_mut(self).is_none() {
                    let mut value = (**self).clone();
                    return deeper::<T, A, _>(ar, |ar| value.serialize(ar));
                }
                deeper::<T, A, _>(ar, |ar| Self::make_mut(self).serialize(ar))
            }
        }
    )* };
}
shared!(Arc, Rc);

/// A list that may be borrowed: as a [`Vec`]; what is loaded is owned.
impl<T: Archived + Default + Clone> Archived for Cow<'_, [T]> {
    const NESTS: bool = T::NESTS;

    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        self.to_mut().serialize(ar)
    }
}

/// Nothing.
impl<T: ?Sized> Archived for PhantomData<T> {
    const NESTS: bool = false;

    #[inline(always)]
    fn serialize<A: Archive + ?Sized>(&mut self, _: &mut A) -> Result<()> {
        Ok(())
    }
}
