//! Maps and sets of the standard library: sorted, or sorted when they are stored.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};
use std::hash::{BuildHasher, Hash};

use super::array;
use crate::archive::{Archive, ArchiveExt, Archived, Direction, Role, at_index, in_field};
use crate::error::{ErrorKind, Result};
use crate::version::Versions;

/// A count as that of a [`Vec`], then keys and values in turn, ascending by key: another order and double
/// keys are no form that this type could keep. [`super::Map`] keeps any.
///
/// Loading, it is built once, from keys that ascend. Saving, it stays as it is: keys can't be lent as `&mut` where they
/// are, so one copy takes each key in turn, and keeps its room; texts need none. Only a visitor, which may renumber keys, takes the map
/// apart.
impl<K, V> Archived for BTreeMap<K, V>
where
    K: Archived + Default + Clone + Ord,
    V: Archived + Default,
{
    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        let count = array::serialize_list_count(self.len(), ar)?;
        if array::count_alike::<(K, V), A>(count, ar) {
            return Ok(());
        }
        // A map without pairs opens its level as it does when it is saved: what that refuses counting refuses.
        if count > 0 && array::count_seen(self.iter(), seen_pair, ar) {
            return Ok(());
        }
        match ar.direction() {
            Direction::Loading => {
                let (pairs, result) = load_pairs(count, ar);
                // Sorted pairs make a map in one go, where `extend` would look for each key's place.
                *self = pairs.into_iter().collect();
                result
            }
            Direction::Saving => save_pairs(self.iter_mut(), count, ar),
            Direction::Visiting => {
                let mut pairs: Vec<(K, V)> = std::mem::take(self).into_iter().collect();
                let result = visit_pairs(&mut pairs, ar);
                *self = pairs.into_iter().collect();
                result
            }
        }
    }
}

/// As a [`BTreeMap`]: ascending by key, whatever order they have in memory.
impl<K, V, S> Archived for HashMap<K, V, S>
where
    K: Archived + Default + Clone + Ord + Hash,
    V: Archived + Default,
    S: BuildHasher,
{
    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        let count = array::serialize_list_count(self.len(), ar)?;
        if array::count_alike::<(K, V), A>(count, ar) {
            return Ok(());
        }
        // A map without pairs opens its level as it does when it is saved: what that refuses counting refuses.
        if count > 0 && array::count_seen(self.iter(), seen_pair, ar) {
            return Ok(());
        }
        match ar.direction() {
            Direction::Loading => {
                self.clear();
                let (pairs, result) = load_pairs(count, ar);
                self.extend(pairs);
                result
            }
            Direction::Saving => {
                let mut pairs: Vec<(&K, &mut V)> = self.iter_mut().collect();
                pairs.sort_unstable_by_key(|(key, _)| *key);
                save_pairs(pairs.into_iter(), count, ar)
            }
            Direction::Visiting => {
                let mut pairs: Vec<(K, V)> = self.drain().collect();
                pairs.sort_unstable_by(|(one, _), (other, _)| one.cmp(other));
                let result = visit_pairs(&mut pairs, ar);
                self.extend(pairs);
                result
            }
        }
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

/// Loads pairs whose keys ascend. Those before the one that fails are there.
fn load_pairs<K, V, A>(count: usize, ar: &mut A) -> (Vec<(K, V)>, Result<()>)
where
    K: Archived + Default + Ord,
    V: Archived + Default,
    A: Archive + ?Sized,
{
    let mut pairs: Vec<(K, V)> = Vec::new();
    let result = array::claim_elements::<(K, V), A>(count, size_of::<(K, V)>(), ar);
    if result.is_err() {
        return (pairs, result);
    }
    pairs.reserve_exact(count);
    let result = array::deeper::<(K, V), A, _>(ar, |ar| {
        for index in 0..count {
            let mut pair = <(K, V)>::default();
            at_index(index, ar, |ar| {
                let start = ar.position();
                serialize_pair(&mut pair.0, &mut pair.1, ar)?;
                ascends(pairs.last().map(|(last, _)| last), &pair.0, start, ar)
            })?;
            pairs.push(pair);
        }
        Ok(())
    });
    let result = result.and_then(|()| array::claim_saved::<(K, V), A>(count, ar));
    (pairs, result)
}

/// The bytes of a pair, where a glance says them.
#[inline(always)]
fn seen_pair<K: Archived, V: Archived>((key, value): (&K, &V), versions: &Versions) -> Option<u64> {
    Some(key.seen_size(versions)?.saturating_add(value.seen_size(versions)?))
}

/// Saves pairs where they stand.
fn save_pairs<'a, K, V, A>(
    pairs: impl Iterator<Item = (&'a K, &'a mut V)>,
    count: usize,
    ar: &mut A,
) -> Result<()>
where
    K: Archived + Default + Clone + 'a,
    V: Archived + 'a,
    A: Archive + ?Sized,
{
    let mut copy = K::default();
    array::deeper::<(K, V), A, _>(ar, |ar| {
        for (index, (key, value)) in pairs.enumerate() {
            at_index(index, ar, |ar| {
                in_field("key", ar, |ar| {
                    ar.role(Role::Identity);
                    key.save_lent(&mut copy, ar)
                })?;
                in_field("value", ar, |ar| value.serialize(ar))
            })?;
        }
        Ok(())
    })?;
    array::claim_saved::<(K, V), A>(count, ar)
}

/// Shows pairs to a visitor.
fn visit_pairs<K: Archived, V: Archived, A: Archive + ?Sized>(
    pairs: &mut [(K, V)],
    ar: &mut A,
) -> Result<()> {
    array::deeper::<(K, V), A, _>(ar, |ar| {
        for (index, (key, value)) in pairs.iter_mut().enumerate() {
            at_index(index, ar, |ar| serialize_pair(key, value, ar))?;
        }
        Ok(())
    })
}

#[inline]
fn serialize_pair<K: Archived, V: Archived, A: Archive + ?Sized>(
    key: &mut K,
    value: &mut V,
    ar: &mut A,
) -> Result<()> {
    in_field("key", ar, |ar| {
        ar.role(Role::Identity);
        key.serialize(ar)
    })?;
    in_field("value", ar, |ar| value.serialize(ar))
}
