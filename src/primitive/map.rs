//! Maps: a count, then keys and values in turn.

use crate::archive::layout::{Field, Layout};
use crate::archive::{Archive, Archived};
use crate::error::Result;

/// `TMap`: an [`super::Index`] as count, then that many keys with their values, in stored order
/// (spec: ue1-3/01 §1.6). Nothing is sorted and double keys are kept.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Map<K, V>(pub Vec<(K, V)>);

impl<K: PartialEq, V> Map<K, V> {
    /// The first value of this key.
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
        self.0.serialize(ar)
    }
}
