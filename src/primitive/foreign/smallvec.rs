//! Lists that keep a few elements in place.

use smallvec::{Array, SmallVec};

use crate::archive::{Archive, ArchiveExt, Archived};
use crate::error::Result;
use crate::primitive::array;

macro_rules! lists {
    ($type:ident) => {
        impl<T: Array> Archived for $type<T>
        where
            T::Item: Archived + Default,
        {
            const NESTS: bool = T::Item::NESTS;

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
    };
}
lists!(SmallVec);
