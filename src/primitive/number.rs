//! Numbers, tuples and fixed arrays.

use crate::archive::{Archive, ArchiveExt, Archived, Step};
use crate::error::Result;
use crate::version::Versions;

macro_rules! numbers {
    ($($type:ty),*) => { paste::paste! { $(
        impl Archived for $type {
            const BULK: bool = true;
            const NESTS: bool = false;

            #[inline(always)]
            fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
                ar.[<serialize_ $type>](self)
            }

            #[inline(always)]
            fn fixed_size(_: &Versions) -> Option<u64> {
                Some(size_of::<$type>() as u64)
            }
        }
    )* } };
}
numbers!(i8, u16, i16, u32, i32, u64, i64, f32, f64);

impl Archived for u8 {
    const BULK: bool = true;
    const NESTS: bool = false;

    #[inline(always)]
    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        ar.serialize_u8(self)
    }

    #[inline]
    fn serialize_slice<A: Archive + ?Sized>(slice: &mut [Self], ar: &mut A) -> Result<()> {
        ar.serialize_bytes(slice)
    }

    #[inline(always)]
    fn fixed_size(_: &Versions) -> Option<u64> {
        Some(1)
    }
}

impl<T: Archived, const N: usize> Archived for [T; N] {
    const NESTS: bool = T::NESTS;

    #[inline]
    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        T::serialize_slice(self, ar)
    }

    #[inline(always)]
    fn fixed_size(versions: &Versions) -> Option<u64> {
        T::fixed_size(versions)?.checked_mul(N as u64)
    }
}

macro_rules! tuples {
    ($($($name:ident $at:tt),*;)*) => { $(
        impl<$($name: Archived),*> Archived for ($($name,)*) {
            const NESTS: bool = $($name::NESTS)||*;

            #[inline]
            fn serialize<Ar: Archive + ?Sized>(&mut self, ar: &mut Ar) -> Result<()> {
                $(
                    ar.enter(Step::Field(stringify!($at)));
                    let result = self.$at.serialize(ar);
                    ar.leave();
                    result.map_err(|error| error.in_field(stringify!($at)))?;
                )*
                Ok(())
            }

            #[inline(always)]
            fn fixed_size(versions: &Versions) -> Option<u64> {
                Some(0 $(+ $name::fixed_size(versions)?)*)
            }
        }
    )* };
}
tuples! {
    T 0;
    T 0, U 1;
    T 0, U 1, V 2;
    T 0, U 1, V 2, W 3;
    T 0, U 1, V 2, W 3, X 4;
    T 0, U 1, V 2, W 3, X 4, Y 5;
    T 0, U 1, V 2, W 3, X 4, Y 5, Z 6;
    T 0, U 1, V 2, W 3, X 4, Y 5, Z 6, S 7;
}
