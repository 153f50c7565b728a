//! Where objects are: by their names, and by what is around them.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::hash::Hash;

use super::Package;
use super::object_path::ObjectPath;
use crate::primitive::{Name, PackageIndex};
use crate::table::{hash_continued, hash_of};

/// Rows of exports and imports by half of the hashes of their names, and exports by their outers and by their classes. A
/// hash may be another name's as well: the caller compares the texts.
#[derive(Debug, Clone, Default)]
#[doc(hidden)]
pub struct ObjectIndex {
    named: RowsByKey<u32>,
    inner: RowsByKey<PackageIndex>,
    of_class: RowsByKey<PackageIndex>,
}

/// Lists of rows, of which most have one.
#[derive(Debug, Clone)]
struct RowsByKey<K> {
    one: HashMap<K, PackageIndex>,
    /// The lists that have none or several.
    lists: HashMap<K, Vec<PackageIndex>>,
}

impl<K> Default for RowsByKey<K> {
    fn default() -> Self {
        Self { one: HashMap::new(), lists: HashMap::new() }
    }
}

impl<K: Copy + Eq + Hash> RowsByKey<K> {
    fn get(&self, key: K) -> &[PackageIndex] {
        match self.lists.get(&key) {
            Some(rows) => rows,
            None => self.one.get(&key).map_or(&[], std::slice::from_ref),
        }
    }

    /// Rows of each table stay in order: exports have ascending numbers, imports descending ones.
    fn insert(&mut self, key: K, index: PackageIndex) {
        let rows = match self.lists.get_mut(&key) {
            Some(rows) => rows,
            None => match self.one.entry(key) {
                Entry::Vacant(place) => {
                    place.insert(index);
                    return;
                }
                Entry::Occupied(first) => self.lists.entry(key).or_insert(vec![first.remove()]),
            },
        };
        let at = match rows.last() {
            Some(last) if order(last) > order(&index) => {
                rows.partition_point(|known| order(known) <= order(&index))
            }
            _ => rows.len(),
        };
        rows.insert(at, index);
    }

    fn remove(&mut self, key: K, index: PackageIndex) {
        if let Some(rows) = self.lists.get_mut(&key) {
            // A level has tens of thousands in it: it is not looked for from the start.
            let from = rows.partition_point(|known| order(known) < order(&index));
            let alike = rows[from..].iter().take_while(|known| order(known) == order(&index));
            if let Some(at) = alike.enumerate().find(|(_, known)| **known == index) {
                rows.remove(from + at.0);
            }
        } else if self.one.get(&key) == Some(&index) {
            self.one.remove(&key);
        }
    }
}

/// Export and import of one row have the same.
fn order(index: &PackageIndex) -> i64 {
    i64::from(index.value()).abs()
}

/// Half of a hash tells names apart well enough.
fn half(hash: u64) -> u32 {
    (hash ^ hash >> 32) as u32
}

impl ObjectIndex {
    fn of(package: &Package) -> Self {
        let mut index = Self::default();
        index.named.one.reserve(package.export_count() + package.tables.imports.len());
        for row in 0..package.export_count() {
            let entry = &package.tables.exports[row];
            index.add(PackageIndex::export(row), package.name_hash(entry.object_name));
            index.put(PackageIndex::export(row), entry.outer_index);
            index.join(PackageIndex::export(row), entry.class_index);
        }
        for (row, entry) in package.tables.imports.iter().enumerate() {
            index.add(PackageIndex::import(row), package.name_hash(entry.object_name));
        }
        index
    }

    /// Objects that may have this name: those of each table ascending.
    pub fn named(&self, text: &str) -> &[PackageIndex] {
        self.named.get(half(hash_of(text)))
    }

    /// The exports that lie directly in an object, ascending.
    pub fn inner(&self, outer: PackageIndex) -> &[PackageIndex] {
        self.inner.get(outer)
    }

    /// The exports of a class, ascending; of null classes themselves, and rows that are empty.
    pub fn of_class(&self, class: PackageIndex) -> &[PackageIndex] {
        self.of_class.get(class)
    }

    /// A row has this name now.
    pub fn add(&mut self, index: PackageIndex, hash: u64) {
        self.named.insert(half(hash), index);
    }

    /// A row has this name no more.
    pub fn drop_name(&mut self, index: PackageIndex, hash: u64) {
        self.named.remove(half(hash), index);
    }

    /// An export lies in this object now.
    pub fn put(&mut self, index: PackageIndex, outer: PackageIndex) {
        self.inner.insert(outer, index);
    }

    /// An export lies there no more.
    pub fn take_out(&mut self, index: PackageIndex, outer: PackageIndex) {
        self.inner.remove(outer, index);
    }

    /// An export is of this class now.
    pub fn join(&mut self, index: PackageIndex, class: PackageIndex) {
        self.of_class.insert(class, index);
    }

    /// An export is of this class no more.
    pub fn leave(&mut self, index: PackageIndex, class: PackageIndex) {
        self.of_class.remove(class, index);
    }
}

impl Package {
    /// Where objects are.
    #[doc(hidden)]
    pub fn object_index(&self) -> std::sync::Arc<ObjectIndex> {
        let make = || std::sync::Arc::new(ObjectIndex::of(self));
        self.caches.objects.get_or(|_| true, make)
    }

    /// The hash of a name's text with its number; letters of any case have the same.
    #[doc(hidden)]
    pub fn name_hash(&self, name: Name) -> u64 {
        let row = usize::try_from(name.index.value()).ok();
        match (row.and_then(|row| self.names().get(row)), name.number) {
            (Some(text), 0) => hash_of(&text),
            (Some(text), number) => {
                hash_continued(hash_of(&text), &format!("_{}", i64::from(number) - 1))
            }
            (None, _) => hash_of(&self.name_text(name)),
        }
    }

    /// Imports and exports whose names are in this row of the name table, with those names.
    #[doc(hidden)]
    pub fn objects_named_by(&self, row: usize) -> Vec<(PackageIndex, Name)> {
        let is = |name: Name| usize::try_from(name.index.value()) == Ok(row);
        let imports = self.tables.imports.iter().map(|import| import.object_name).enumerate();
        let imports = imports.map(|(at, name)| (PackageIndex::import(at), name));
        let exports = self.tables.exports.iter().map(|export| export.object_name).enumerate();
        let exports = exports.map(|(at, name)| (PackageIndex::export(at), name));
        imports.chain(exports).filter(|(_, name)| is(*name)).collect()
    }

    /// The objects of this path: exports first, each table in its order.
    #[doc(hidden)]
    pub fn objects_at(&self, wanted: &ObjectPath<'_>) -> Vec<PackageIndex> {
        let path = &*wanted.path;
        // What stands for a path that is too long ends in the row.
        if let Some((_, row)) = path.strip_prefix('…').and_then(|path| path.rsplit_once(" #"))
            && let Ok(row) = row.parse::<u32>()
        {
            let both = [PackageIndex::export(row as usize), PackageIndex::import(row as usize)];
            let is = |index: &PackageIndex| self.path(*index).eq_ignore_ascii_case(path);
            let found: Vec<_> = both.into_iter().filter(is).collect();
            if !found.is_empty() {
                return found;
            }
        }
        let index = self.object_index();
        // A name may have dots itself.
        let tails = path.match_indices('.').map(|(at, _)| &path[at + 1..]);
        let mut found: Vec<PackageIndex> = Vec::new();
        for tail in std::iter::once(path).chain(tails) {
            let is = |&&index: &&PackageIndex| self.is_at(index, wanted);
            found.extend(index.named(tail).iter().filter(is));
        }
        found.sort_by_key(|index| (index.value() < 0, i64::from(index.value()).abs()));
        found.dedup();
        found
    }
}
