//! Where objects are: by their names, and by what is around them.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use super::Package;
use super::object_path::ObjectPath;
use crate::primitive::{Name, PackageIndex};
use crate::table::{hash_continued, hash_of};

/// Rows of exports and imports by the hashes of their names, and exports by their outers. A hash may be
/// another name's as well: whoever asks compares the texts.
#[derive(Debug, Clone, Default)]
pub(crate) struct ObjectIndex {
    named: HashMap<u64, NamedRows>,
    inner: HashMap<PackageIndex, NamedRows>,
}

/// Rows in their order; most lists have one.
#[derive(Debug, Clone)]
enum NamedRows {
    One(PackageIndex),
    Many(Vec<PackageIndex>),
}

impl NamedRows {
    fn as_slice(&self) -> &[PackageIndex] {
        match self {
            Self::One(index) => std::slice::from_ref(index),
            Self::Many(rows) => rows,
        }
    }

    /// Those of each table stay in order: exports have ascending numbers, imports descending ones.
    fn insert(&mut self, index: PackageIndex) {
        let order = |index: &PackageIndex| i64::from(index.value()).abs();
        let mut rows = match self {
            Self::One(first) => vec![*first],
            Self::Many(rows) => std::mem::take(rows),
        };
        let at = match rows.last() {
            Some(last) if order(last) > order(&index) => {
                rows.partition_point(|known| order(known) <= order(&index))
            }
            _ => rows.len(),
        };
        rows.insert(at, index);
        *self = Self::Many(rows);
    }

    fn remove(&mut self, index: PackageIndex) {
        match self {
            Self::One(first) if *first == index => *self = Self::Many(Vec::new()),
            Self::One(_) => {}
            Self::Many(rows) => rows.retain(|known| *known != index),
        }
    }
}

impl ObjectIndex {
    fn of(package: &Package) -> Self {
        let mut index = Self::default();
        for row in 0..package.export_count() {
            let entry = &package.tables.exports[row];
            index.add(PackageIndex::export(row), package.name_hash(entry.object_name));
            index.put(PackageIndex::export(row), entry.outer_index);
        }
        for (row, entry) in package.tables.imports.iter().enumerate() {
            index.add(PackageIndex::import(row), package.name_hash(entry.object_name));
        }
        index
    }

    /// Objects that may have this name: those of each table ascending.
    pub fn named(&self, text: &str) -> &[PackageIndex] {
        self.named.get(&hash_of(text)).map_or(&[], NamedRows::as_slice)
    }

    /// The exports that lie directly in an object, ascending.
    pub fn inner(&self, outer: PackageIndex) -> &[PackageIndex] {
        self.inner.get(&outer).map_or(&[], NamedRows::as_slice)
    }

    /// A row has this name now.
    pub fn add(&mut self, index: PackageIndex, hash: u64) {
        insert(self.named.entry(hash), index);
    }

    /// A row has this name no more.
    pub fn drop_name(&mut self, index: PackageIndex, hash: u64) {
        if let Some(rows) = self.named.get_mut(&hash) {
            rows.remove(index);
        }
    }

    /// An export lies in this object now.
    pub fn put(&mut self, index: PackageIndex, outer: PackageIndex) {
        insert(self.inner.entry(outer), index);
    }

    /// An export lies there no more.
    pub fn take_out(&mut self, index: PackageIndex, outer: PackageIndex) {
        if let Some(rows) = self.inner.get_mut(&outer) {
            rows.remove(index);
        }
    }
}

fn insert<K>(rows: Entry<'_, K, NamedRows>, index: PackageIndex) {
    match rows {
        Entry::Occupied(mut rows) => rows.get_mut().insert(index),
        Entry::Vacant(place) => drop(place.insert(NamedRows::One(index))),
    }
}

impl Package {
    /// Where objects are.
    pub(crate) fn object_index(&self) -> std::sync::Arc<ObjectIndex> {
        let make = || std::sync::Arc::new(ObjectIndex::of(self));
        self.caches.objects.get_or(|_| true, make)
    }

    /// The hash of a name's text with its number; letters of any case have the same.
    pub(crate) fn name_hash(&self, name: Name) -> u64 {
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
    pub(crate) fn objects_named_by(&self, row: usize) -> Vec<(PackageIndex, Name)> {
        let is = |name: Name| usize::try_from(name.index.value()) == Ok(row);
        let imports = self.tables.imports.iter().map(|import| import.object_name).enumerate();
        let imports = imports.map(|(at, name)| (PackageIndex::import(at), name));
        let exports = self.tables.exports.iter().map(|export| export.object_name).enumerate();
        let exports = exports.map(|(at, name)| (PackageIndex::export(at), name));
        imports.chain(exports).filter(|(_, name)| is(*name)).collect()
    }

    /// The objects of this path: exports first, each table in its order.
    pub(crate) fn objects_at(&self, wanted: &ObjectPath<'_>) -> Vec<PackageIndex> {
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
