//! Maps and sets that keep an order of their own.

use std::hash::{BuildHasher, Hash};

use indexmap::{IndexMap, IndexSet};

use crate::archive::{Archive, ArchiveExt, Archived, at_index};
use crate::error::{ErrorKind, Result};
use crate::primitive::Map;

/// Refuses a key that was there before: the map would keep one of them.
fn once<A: Archive + ?Sized>(is_new: bool, index: usize, ar: &mut A) -> Result<()> {
    match is_new {
        true => Ok(()),
        false => at_index(index, ar, |ar| {
            Err(ar.error(ErrorKind::NonCanonical { form: "a key that stands twice" }))
        }),
    }
}

macro_rules! ordered {
    ($($type:ident<$($parameter:ident),*>: $list:ty, $insert:expr;)*) => { $(
        impl<$($parameter,)* S> Archived for $type<$($parameter,)* S>
        where
            K: Archived + Default + Hash + Eq,
            $($parameter: Archived + Default,)*
            S: BuildHasher,
        {
            fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
                // Keys can't change where they are: a visitor may renumber them.
                let mut list: $list = self.drain(..).collect::<Vec<_>>().into();
                let result = list.serialize(ar);
                let insert: fn(&mut Self, _) -> bool = $insert;
                for (index, value) in Vec::from(list).into_iter().enumerate() {
                    let is_new = insert(self, value);
                    if ar.is_loading() {
                        once(is_new, index, ar)?;
                    }
                }
                result
            }
        }
    )* };
}
ordered! {
    IndexMap<K, V>: Map<K, V>, |map, (key, value)| map.insert(key, value).is_none();
    IndexSet<K>: Vec<K>, |set, key| set.insert(key);
}
