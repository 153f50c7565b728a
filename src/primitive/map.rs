//! Maps: a count, then keys and values in turn.

use crate::archive::layout::{Field, Layout};
use crate::archive::{Archive, ArchiveExt, Archived, Role, at_index, in_field};
use crate::error::Result;
use crate::primitive::array::{claim_elements, claim_saved, deeper, serialize_list_count};

/// A count as that of a [`Vec`], then that many keys with their values, in stored order. Nothing is sorted and double
/// keys are kept.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Map<K, V>(pub Vec<(K, V)>);

impl<K, V> From<Vec<(K, V)>> for Map<K, V> {
    fn from(pairs: Vec<(K, V)>) -> Self {
        Self(pairs)
    }
}

impl<K, V> From<Map<K, V>> for Vec<(K, V)> {
    fn from(map: Map<K, V>) -> Self {
        map.0
    }
}

impl<K: PartialEq, V> Map<K, V> {
    /// The first value of this key.
    #[inline]
    pub fn get(&self, key: &K) -> Option<&V> {
        self.0.iter().find(|(known, _)| known == key).map(|(_, value)| value)
    }
}

impl<K: Archived + Default, V: Archived + Default> Archived for Map<K, V> {
    const LAYOUT: &'static Layout = &Layout::manual(std::any::type_name::<Self>)
        .with_doc("Keys and values in the order of the file.")
        .with_parts(&[
            Field::plain("count", "Index", "Pairs."),
            Field::plain("pairs", "[(K, V)]", "A key, then its value."),
        ]);

    #[inline]
    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        let count = serialize_list_count(self.0.len(), ar)?;
        if !ar.is_loading() {
            deeper::<(K, V), A, _>(ar, |ar| {
                for (index, pair) in self.0.iter_mut().enumerate() {
                    at_index(index, ar, |ar| serialize_pair(pair, ar))?;
                }
                Ok(())
            })?;
            return claim_saved::<(K, V), A>(count, ar);
        }
        self.0.clear();
        claim_elements::<(K, V), A>(count, size_of::<(K, V)>(), ar)?;
        self.0.reserve_exact(count);
        deeper::<(K, V), A, _>(ar, |ar| {
            for index in 0..count {
                let mut pair = (K::default(), V::default());
                at_index(index, ar, |ar| serialize_pair(&mut pair, ar))?;
                self.0.push(pair);
            }
            Ok(())
        })
    }
}

#[inline]
fn serialize_pair<K: Archived, V: Archived, A: Archive + ?Sized>(
    (key, value): &mut (K, V),
    ar: &mut A,
) -> Result<()> {
    in_field("key", ar, |ar| {
        // What a map says does not depend on the order of its pairs.
        ar.role(Role::Identity);
        key.serialize(ar)
    })?;
    in_field("value", ar, |ar| value.serialize(ar))
}
