//! Maps and sets of the standard library: sorted, or sorted when they are stored.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};
use std::hash::{BuildHasher, Hash};

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
        // A whole map of sorted pairs is made in one go, where `extend` would look for each key's place.
        *self = pairs.into_iter().collect();
        result
    }
}

/// As a [`BTreeMap`]: ascending by key, whatever order they have in memory.
impl<K, V, S> Archived for HashMap<K, V, S>
where
    K: Archived + Default + Ord + Hash,
    V: Archived + Default,
    S: BuildHasher,
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

/// A count as that of a [`Vec`], then the values, ascending, each once.
impl<T: Archived + Default + Ord> Archived for BTreeSet<T> {
    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        let mut values: Vec<T> = std::mem::take(self).into_iter().collect();
        let result = serialize_sorted(&mut values, ar);
        *self = values.into_iter().collect();
        result
    }
}

/// As a [`BTreeSet`]: ascending, whatever order they have in memory.
impl<T, S> Archived for HashSet<T, S>
where
    T: Archived + Default + Ord + Hash,
    S: BuildHasher,
{
    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        let mut values: Vec<T> = self.drain().collect();
        values.sort();
        let result = serialize_sorted(&mut values, ar);
        self.extend(values);
        result
    }
}

/// As a [`Vec`].
impl<T: Archived + Default> Archived for VecDeque<T> {
    const NESTS: bool = T::NESTS;

    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        let mut values: Vec<T> = std::mem::take(self).into();
        let result = values.serialize(ar);
        *self = values.into();
        result
    }
}

/// Refuses what does not come behind the value before it; it starts at `start`.
fn ascends<T: Ord, A: Archive + ?Sized>(
    last: Option<&T>,
    value: &T,
    start: u64,
    ar: &A,
) -> Result<()> {
    match last {
        Some(last) if ar.is_loading() && last >= value => {
            Err(ar.error_at(start, ErrorKind::NonCanonical { form: "keys that do not ascend" }))
        }
        _ => Ok(()),
    }
}

fn serialize_sorted<T, A>(values: &mut Vec<T>, ar: &mut A) -> Result<()>
where
    T: Archived + Default + Ord,
    A: Archive + ?Sized,
{
    let count = array::serialize_list_count(values.len(), ar)?;
    if !ar.is_loading() {
        array::deeper::<T, A, _>(ar, |ar| {
            for (index, value) in values.iter_mut().enumerate() {
                at_index(index, ar, |ar| value.serialize(ar))?;
            }
            Ok(())
        })?;
        return array::claim_saved::<T, A>(count, ar);
    }
    values.clear();
    array::claim_elements::<T, A>(count, size_of::<T>(), ar)?;
    array::deeper::<T, A, _>(ar, |ar| {
        for index in 0..count {
            let mut value = T::default();
            at_index(index, ar, |ar| {
                let start = ar.position();
                value.serialize(ar)?;
                ascends(values.last(), &value, start, ar)
            })?;
            values.push(value);
        }
        Ok(())
    })
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
                let start = ar.position();
                in_field("key", ar, |ar| key.serialize(ar))?;
                in_field("value", ar, |ar| value.serialize(ar))?;
                ascends(before.last().map(|(last, _)| last), key, start, ar)
            })?;
        }
        Ok(())
    })?;
    array::claim_saved::<(K, V), A>(count, ar)
}
