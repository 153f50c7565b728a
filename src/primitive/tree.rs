//! Maps that are sorted by their keys.

use std::collections::{BTreeMap, HashMap};
use std::hash::Hash;

use super::array;
use crate::archive::{Archive, ArchiveExt, Archived, at_index, in_field};
use crate::error::{ErrorKind, Result};

/// A count as that of a [`Vec`], then keys and values in turn, ascending by key: another order and double
/// keys are no form that this type could keep. [`super::Map`] keeps any.
impl<K, V> Archived for BTreeMap<K, V>
where
    K: Archived + Default + Ord,
    V: Archived + Default,
{
    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        let count = array::serialize_list_count(self.len(), ar)?;
        // Keys can't change where they are: a visitor may renumber them.
        let mut pairs: Vec<(K, V)> = std::mem::take(self).into_iter().collect();
        let result = serialize_pairs(&mut pairs, count, ar);
        self.extend(pairs);
        result
    }
}

/// As a [`BTreeMap`]: ascending by key, whatever order they have in memory.
impl<K, V> Archived for HashMap<K, V>
where
    K: Archived + Default + Ord + Hash,
    V: Archived + Default,
{
    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        let count = array::serialize_list_count(self.len(), ar)?;
        let mut pairs: Vec<(K, V)> = self.drain().collect();
        pairs.sort_by(|(one, _), (other, _)| one.cmp(other));
        let result = serialize_pairs(&mut pairs, count, ar);
        self.extend(pairs);
        result
    }
}

fn serialize_pairs<K, V, A>(pairs: &mut Vec<(K, V)>, count: usize, ar: &mut A) -> Result<()>
where
    K: Archived + Default + Ord,
    V: Archived + Default,
    A: Archive + ?Sized,
{
    if ar.is_loading() {
        pairs.clear();
        array::claim_elements::<(K, V), A>(count, size_of::<(K, V)>(), ar)?;
    }
    array::deeper::<(K, V), A, _>(ar, |ar| {
        for index in 0..count {
            at_index(index, ar, |ar| {
                if ar.is_loading() {
                    pairs.push(Default::default());
                }
                let (before, rest) = pairs.split_at_mut(index);
                let Some((key, value)) = rest.first_mut() else { return Ok(()) };
                in_field("key", ar, |ar| key.serialize(ar))?;
                in_field("value", ar, |ar| value.serialize(ar))?;
                match before.last() {
                    Some((last, _)) if ar.is_loading() && *last >= *key => {
                        Err(ar.error(ErrorKind::NonCanonical { form: "keys that do not ascend" }))
                    }
                    _ => Ok(()),
                }
            })?;
        }
        Ok(())
    })?;
    array::claim_saved::<(K, V), A>(count, ar)
}
