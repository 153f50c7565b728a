//! Looking: names, imports, exports, paths, children.

use std::borrow::Cow;
use std::collections::HashMap;
use std::iter;

use super::Package;
use super::zen::placeholder;
use crate::primitive::{FString, Name, ObjectFlags, ObjectRef, PackageIndex};
use crate::table::{Export, Import, NameEntry, Pieces};
use crate::version::{UnrealVersions, threshold};

/// Outers and parents are followed this far: deeper than any real package, and an end for circles.
const DEEPEST: usize = 64;
/// Bytes that the names of a path may have together.
pub(crate) const LONGEST_PATH: usize = 4096;

impl Package {
    /// The name table.
    #[inline]
    pub fn names(&self) -> Names<'_> {
        Names(self)
    }

    /// The import table.
    #[inline]
    pub fn imports(&self) -> Imports<'_> {
        Imports(self)
    }

    /// The export table.
    #[inline]
    pub fn exports(&self) -> Exports<'_> {
        Exports(self)
    }

    /// The text of a name, its number included: `Light`, `Light_3`; `#7` where the index is out of range.
    pub fn name_text(&self, name: Name) -> String {
        let row = usize::try_from(name.index.value()).ok();
        match (row.and_then(|row| self.names().get(row)), name.number) {
            (Some(text), 0) => text.into_owned(),
            (Some(text), number) => format!("{text}_{}", i64::from(number) - 1),
            (None, _) => format!("#{}", name.index.value()),
        }
    }

    /// A text in the form in which this package stores it.
    #[doc(hidden)]
    #[inline]
    pub fn string(&self, text: &str) -> FString {
        FString::new_in(text, self.versions.byte_order, self.versions.game())
    }

    /// As [`Names::find`], remembering what it has seen.
    #[doc(hidden)]
    pub fn look_up_name(&mut self, text: &str) -> Option<usize> {
        let mut lookup = std::mem::take(&mut self.tables.lookup);
        let names = self.names();
        let row = lookup.first(text, names.len(), |row| names.get(row));
        let found = row.and_then(|row| match names.get(row) {
            Some(known) if known.eq_ignore_ascii_case(text) => Some(row),
            // Another text has the same hash.
            _ => names.find(text),
        });
        self.tables.lookup = lookup;
        found
    }

    /// The names that have a text, case apart: to compare many names with it by their numbers.
    #[doc(hidden)]
    pub fn names_called(&mut self, text: &str) -> Vec<Name> {
        let mut lookup = std::mem::take(&mut self.tables.lookup);
        let names = self.names();
        let mut called = Vec::new();
        let mut add = |text: &str, number: i32| {
            let rows = lookup.all(text, names.len(), |row| names.get(row));
            let rows = rows.filter(|&row| {
                names.get(row).is_some_and(|known| known.eq_ignore_ascii_case(text))
            });
            let rows = rows.filter_map(|row| i32::try_from(row).ok());
            called.extend(rows.map(|row| Name { number, ..Name::new(row) }));
        };
        add(text, 0);
        if self.versions.has_name_numbers()
            && let Some((base, number)) = Name::split(text)
        {
            add(base, number);
        }
        self.tables.lookup = lookup;
        called
    }

    /// The rows of names that are paths: those with a slash, ascending.
    #[doc(hidden)]
    pub fn path_names(&mut self) -> Vec<usize> {
        let mut lookup = std::mem::take(&mut self.tables.lookup);
        let names = self.names();
        let rows = lookup.paths(names.len(), |row| names.get(row));
        let rows = rows.iter().map(|&row| row as usize).collect();
        self.tables.lookup = lookup;
        rows
    }

    /// The name that means "none"; the last row of that text, as conformed packages want it
    /// (spec: ue1-3/07 §7.5).
    #[doc(hidden)]
    #[inline]
    pub fn none_name(&self) -> Name {
        let row = self.last_none();
        Name::new(row.and_then(|row| i32::try_from(row).ok()).unwrap_or(0))
    }

    /// Whether a name has this text, case apart.
    #[doc(hidden)]
    pub fn is_name(&self, name: Name, text: &str) -> bool {
        let row = usize::try_from(name.index.value()).ok();
        let known = row.and_then(|row| self.names().get(row));
        match known {
            Some(known) if name.number == 0 => known.eq_ignore_ascii_case(text),
            // Most begin otherwise: no text is made of them.
            Some(known) if !starts_with(text, &known) => false,
            _ => self.name_text(name).eq_ignore_ascii_case(text),
        }
    }

    /// Whether a row of the name table is `None`.
    #[doc(hidden)]
    #[inline]
    pub fn is_none_name(&self, row: usize) -> bool {
        self.names().get(row).is_some_and(|text| text.eq_ignore_ascii_case("None"))
    }

    /// The row of `None` that references use: the last one (spec: ue1-3/07 §7.5).
    #[doc(hidden)]
    #[inline]
    pub fn last_none(&self) -> Option<usize> {
        let find = || (0..self.tables.names.len()).rev().find(|&row| self.is_none_name(row));
        self.caches.none.get_or(|_| true, find)
    }

    /// The package that an import says it lies in beside its outermost object's (UE4 and UE5); cooked packages
    /// repeat the object's own name there, which says nothing (spec: ue4-5/03 §4).
    #[doc(hidden)]
    pub fn file_package(&self, import: &Import) -> Option<Name> {
        let name = import.package_name;
        let says = Import::names_package(self.versions())
            && name != import.object_name
            && !self.is_name(name, "None");
        says.then_some(name)
    }

    /// Whether an export is a group: an object of class `Package`.
    #[doc(hidden)]
    pub fn is_group(&self, index: PackageIndex) -> bool {
        let ObjectRef::Export(row) = index.target() else { return false };
        self.tables.exports.get(row).is_some_and(|export| {
            !export.class_index.is_null()
                && self.object_name(export.class_index).eq_ignore_ascii_case("Package")
        })
    }

    fn name_of(&self, index: PackageIndex) -> Option<Name> {
        match index.target() {
            ObjectRef::Null => None,
            ObjectRef::Import(row) => self.tables.imports.get(row).map(|import| import.object_name),
            ObjectRef::Export(row) => self.tables.exports.get(row).map(|export| export.object_name),
        }
    }

    /// The bare name of an object; empty for null and for references out of range.
    #[inline]
    pub fn object_name(&self, index: PackageIndex) -> String {
        self.name_of(index).map(|name| self.name_text(name)).unwrap_or_default()
    }

    /// The object around an object; null at the top.
    pub fn outer(&self, index: PackageIndex) -> PackageIndex {
        match index.target() {
            ObjectRef::Null => None,
            ObjectRef::Import(row) => self.tables.imports.get(row).map(|import| import.outer_index),
            ObjectRef::Export(row) => self.tables.exports.get(row).map(|export| export.outer_index),
        }
        .unwrap_or_default()
    }

    /// An object and those that it lies in, the outermost last; none for null.
    #[doc(hidden)]
    pub fn outers(&self, index: PackageIndex) -> impl Iterator<Item = PackageIndex> {
        let known = |index: PackageIndex| (!index.is_null()).then_some(index);
        iter::successors(known(index), move |&index| known(self.outer(index))).take(DEEPEST)
    }

    /// A class, struct, function or state and those that it derives from, as far as the package has them: one of
    /// another package is the last. None for null.
    #[doc(hidden)]
    pub fn ancestors(&self, index: PackageIndex) -> impl Iterator<Item = PackageIndex> {
        let known = |index: PackageIndex| (!index.is_null()).then_some(index);
        let parent = move |index: &PackageIndex| match index.target() {
            ObjectRef::Export(row) => known(self.tables.exports.get(row)?.super_index),
            _ => None,
        };
        iter::successors(known(index), parent).take(DEEPEST)
    }

    /// The full path of an object within its package, `Group.Texture`; for imports the package comes
    /// first, `Engine.Actor`. Empty for null.
    ///
    /// No engine has paths of more than 1,023 characters. One of more than 4,096 bytes, which only made-up
    /// packages have, is the object's own name with its row instead, `…Texture #12`, so that the paths of all
    /// objects do not grow faster than their tables. Objects are found by it as by any path.
    pub fn path(&self, index: PackageIndex) -> String {
        let mut names = Vec::new();
        let (mut at, mut length) = (index, 0);
        while !at.is_null() && names.len() < DEEPEST {
            names.extend(self.name_of(at));
            // Below version 50 an import names its package instead of referring to it.
            if let ObjectRef::Import(row) = at.target()
                && self.versions.file() < threshold::OUTER_INDEX_ADDED
                && let Some(import) = self.tables.imports.get(row)
                && !self.is_name(import.outer_name, "None")
            {
                names.push(import.outer_name);
            }
            at = self.outer(at);
        }
        for name in &names {
            length = self.name_bytes(*name).saturating_add(length + 1);
        }
        if length > LONGEST_PATH {
            return self.short_path(index);
        }
        let circle = (!at.is_null()).then(|| "…".to_owned());
        let parts = names.iter().rev().map(|name| self.name_text(*name));
        circle.into_iter().chain(parts).collect::<Vec<_>>().join(".")
    }

    /// An object whose path is too long.
    fn short_path(&self, index: PackageIndex) -> String {
        const LONGEST_NAME: usize = 256;
        let name = self.object_name(index);
        let name = match name.char_indices().nth(LONGEST_NAME) {
            Some((end, _)) => format!("{}…", &name[..end]),
            None => name,
        };
        let row = match index.target() {
            ObjectRef::Null => 0,
            ObjectRef::Import(row) | ObjectRef::Export(row) => row,
        };
        format!("…{name} #{row}")
    }

    /// Bytes that a name's text takes in its table.
    fn name_bytes(&self, name: Name) -> usize {
        let entry = usize::try_from(name.index.value()).ok();
        let entry = entry.and_then(|row| self.tables.names.get(row));
        entry.map_or(0, |entry| usize::try_from(entry.text.span().len()).unwrap_or(usize::MAX))
    }

    /// The object with this path, exports first; case does not matter.
    ///
    /// Objects within an asset of UE4 and UE5 may stand behind a colon, as the engine writes them. The class may
    /// stand before the path: `Texture'Skins.Blue'`.
    #[inline]
    pub fn find(&self, path: &str) -> Option<PackageIndex> {
        let wanted = self.object_path(path);
        self.objects_at(&wanted).first().copied()
    }

    /// A path of UE4 and UE5 with dots for its colon.
    #[doc(hidden)]
    pub fn with_dots<'a>(&self, path: &'a str) -> Cow<'a, str> {
        match self.versions.has_subobject_paths() && path.contains(':') {
            true => Cow::Owned(path.replace(':', ".")),
            false => Cow::Borrowed(path),
        }
    }

    #[doc(hidden)]
    pub fn has_path(&self, index: PackageIndex, path: &str) -> bool {
        let name = self.object_name(index);
        // The last part alone says no in nearly all cases.
        let tail = path.len().checked_sub(name.len()).and_then(|at| path.get(at..));
        !name.is_empty()
            && tail.is_some_and(|tail| tail.eq_ignore_ascii_case(&name))
            && self.path(index).eq_ignore_ascii_case(path)
    }

    /// The first export whose last part is this; case does not matter.
    #[doc(hidden)]
    #[inline]
    pub fn export_called(&self, name: &str) -> Option<PackageIndex> {
        let index = self.object_index();
        let is = |index: &PackageIndex| self.object_name(*index).eq_ignore_ascii_case(name);
        index.named(name).iter().copied().filter(|index| index.value() > 0).find(is)
    }
}

/// The name table of a package.
#[derive(Debug, Clone, Copy)]
pub struct Names<'a>(&'a Package);

impl<'a> Names<'a> {
    /// Number of rows.
    #[inline]
    pub fn len(self) -> usize {
        self.0.tables.names.len()
    }

    /// Whether there are no rows.
    #[inline]
    pub fn is_empty(self) -> bool {
        self.0.tables.names.is_empty()
    }

    /// The rows as stored.
    #[inline]
    pub fn entries(self) -> &'a Pieces<NameEntry> {
        &self.0.tables.names
    }

    /// The text of a row.
    #[inline]
    pub fn get(self, row: usize) -> Option<Cow<'a, str>> {
        self.0.tables.names.get(row)?.text.text(&self.0.source).ok()
    }

    /// The text of every row.
    pub fn iter(self) -> impl Iterator<Item = Cow<'a, str>> {
        (0..self.len()).filter_map(move |row| self.get(row))
    }

    /// The first row with this text; case does not matter.
    #[inline]
    pub fn find(self, text: &str) -> Option<usize> {
        self.iter().position(|name| name.eq_ignore_ascii_case(text))
    }
}

/// The import table of a package.
#[derive(Debug, Clone, Copy)]
pub struct Imports<'a>(&'a Package);

impl<'a> Imports<'a> {
    /// Number of rows.
    #[inline]
    pub fn len(self) -> usize {
        self.0.tables.imports.len()
    }

    /// Whether there are no rows.
    #[inline]
    pub fn is_empty(self) -> bool {
        self.0.tables.imports.is_empty()
    }

    /// The rows as stored.
    #[inline]
    pub fn entries(self) -> &'a [Import] {
        &self.0.tables.imports
    }

    /// One row.
    #[inline]
    pub fn get(self, row: usize) -> Option<ImportView<'a>> {
        (row < self.len()).then_some(ImportView { package: self.0, row })
    }

    /// Every row.
    pub fn iter(self) -> impl Iterator<Item = ImportView<'a>> {
        (0..self.len()).map(move |row| ImportView { package: self.0, row })
    }
}

/// One import.
#[derive(Debug, Clone, Copy)]
pub struct ImportView<'a> {
    package: &'a Package,
    row: usize,
}

impl<'a> ImportView<'a> {
    /// Row of the table.
    #[inline]
    pub fn row(self) -> usize {
        self.row
    }

    /// The reference to it.
    #[inline]
    pub fn index(self) -> PackageIndex {
        PackageIndex::import(self.row)
    }

    /// The row as stored.
    #[inline]
    pub fn entry(self) -> &'a Import {
        &self.package.tables.imports[self.row]
    }

    /// The object's name.
    #[inline]
    pub fn name(self) -> String {
        self.package.object_name(self.index())
    }

    /// The path, its package first: `Engine.Actor`.
    #[inline]
    pub fn path(self) -> String {
        self.package.path(self.index())
    }

    /// The class with its package: `Core.Class`.
    pub fn class(self) -> String {
        let entry = self.entry();
        let package = self.package.name_text(entry.class_package);
        format!("{package}.{}", self.package.name_text(entry.class_name))
    }
}

/// The export table of a package.
#[derive(Debug, Clone, Copy)]
pub struct Exports<'a>(pub(super) &'a Package);

impl<'a> Exports<'a> {
    /// Number of rows.
    #[inline]
    pub fn len(self) -> usize {
        self.0.export_count()
    }

    /// Whether there are no rows.
    #[inline]
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// The rows as stored.
    #[inline]
    pub fn entries(self) -> &'a Pieces<Export> {
        &self.0.tables.exports
    }

    /// One row.
    #[inline]
    pub fn get(self, row: usize) -> Option<ExportView<'a>> {
        (row < self.len()).then_some(ExportView { package: self.0, row })
    }

    /// Every row.
    pub fn iter(self) -> impl Iterator<Item = ExportView<'a>> {
        (0..self.len()).map(move |row| ExportView { package: self.0, row })
    }

    /// The exports that lie directly in `outer`; null asks for the top of the package.
    pub fn children(self, outer: PackageIndex) -> impl Iterator<Item = PackageIndex> + 'a {
        let index = self.0.object_index();
        let inner = index.inner(outer).to_vec();
        inner.into_iter()
    }

    /// The exports of every outer, in table order: the object tree in one pass.
    pub fn tree(self) -> HashMap<PackageIndex, Vec<PackageIndex>> {
        let mut tree: HashMap<_, Vec<_>> = HashMap::new();
        for (row, export) in self.0.tables.exports.iter().enumerate() {
            tree.entry(export.outer_index).or_default().push(PackageIndex::export(row));
        }
        tree
    }

    /// Whether an export is a null export: no class, no body, and `None` as its name
    /// (spec: ue1-3/07 §7.5).
    pub fn is_null(self, row: usize) -> bool {
        self.0.tables.exports.get(row).is_some_and(|export| {
            let references = [export.class_index, export.super_index, export.outer_index];
            references.iter().all(|index| index.is_null())
                && export.serial_size.value() == 0
                && usize::try_from(export.object_name.index.value())
                    .is_ok_and(|name| self.0.is_none_name(name))
        })
    }

    /// The path of a row.
    #[inline]
    pub fn path(self, row: usize) -> String {
        self.0.path(PackageIndex::export(row))
    }
}

/// One export.
#[derive(Debug, Clone, Copy)]
pub struct ExportView<'a> {
    package: &'a Package,
    row: usize,
}

impl<'a> ExportView<'a> {
    /// Row of the table.
    #[inline]
    pub fn row(self) -> usize {
        self.row
    }

    /// The reference to it.
    #[inline]
    pub fn index(self) -> PackageIndex {
        PackageIndex::export(self.row)
    }

    /// The row as stored.
    #[inline]
    pub fn entry(self) -> &'a Export {
        &self.package.tables.exports[self.row]
    }

    /// Bytes of the body as the row gives them.
    #[inline]
    pub fn size(self) -> u64 {
        self.entry().size()
    }

    /// Start of the body, from the start of the file (of header and bodies together from UE4).
    #[inline]
    pub fn offset(self) -> u64 {
        self.entry().offset()
    }

    /// The object's name.
    #[inline]
    pub fn name(self) -> String {
        self.package.object_name(self.index())
    }

    /// The path within the package: `Group.Texture`.
    #[inline]
    pub fn path(self) -> String {
        self.package.path(self.index())
    }

    /// The path of the class; `Core.Class` (`/Script/CoreUObject.Class` from UE4) for classes themselves.
    pub fn class(self) -> String {
        let class = self.entry().class_index;
        match class.is_null() {
            true => self.package.versions.class_of_classes().to_owned(),
            false => self.package.path(class),
        }
    }

    /// Whether its class has a name: in zen packages classes are called by hashes where nothing at hand names them.
    pub fn has_named_class(self) -> bool {
        let class = self.class();
        !class.rsplit(['.', ':']).next().is_some_and(placeholder::is)
    }

    /// The object flags.
    #[inline]
    pub fn flags(self) -> ObjectFlags {
        self.entry().object_flags
    }

    /// The bytes of the body.
    #[inline]
    pub fn body(self) -> &'a [u8] {
        self.package.body(self.row).unwrap_or_default()
    }
}

/// Whether a text begins with another one, case apart.
fn starts_with(text: &str, start: &str) -> bool {
    text.get(..start.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(start))
}
