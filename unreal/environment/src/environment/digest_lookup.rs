//! Looking things up in the tables of a package.

use super::digest::{DEEPEST, NO_TEXT, PUBLIC, is_declaration};
use super::{Digest, native};
use crate::package::stands_for_package;
use crate::primitive::{ObjectRef, PackageFlags, PackageIndex};
use crate::version::EngineFacts;

impl Digest {
    /// The text of a name's number; empty for one that is not there.
    pub fn text(&self, id: u32) -> &str {
        self.texts.get(id as usize).map_or("", |text| &text.0)
    }

    /// The number of a text in any case.
    pub(super) fn id(&self, text: &str) -> Option<u32> {
        self.ids.get(text.to_ascii_lowercase().as_str()).copied()
    }

    /// The rows of exports of this name that lie directly in `outer`; null for the top.
    pub(super) fn children(&self, outer: PackageIndex, name: u32) -> impl Iterator<Item = usize> {
        let key = (outer.value(), name);
        let start = self.order.partition_point(|row| (row.0, row.1) < key);
        let rest = self.order[start..].iter();
        rest.take_while(move |row| (row.0, row.1) == key).map(|row| row.2 as usize)
    }

    /// Whether other packages may refer to an export.
    pub(super) fn is_public(&self, row: usize) -> bool {
        self.exports.get(row).is_some_and(|export| export.flags & PUBLIC != 0)
    }

    /// The package and the object within it that a soft reference means; the object is empty for the
    /// package itself.
    pub fn soft_reference(&self, row: usize) -> (&str, &str) {
        self.soft
            .get(row)
            .map_or(("", ""), |soft| (self.text(soft.package), self.text(soft.object)))
    }

    /// The same as one path.
    pub(super) fn soft_path(&self, row: usize) -> String {
        match self.soft_reference(row) {
            (package, "") => package.to_owned(),
            (package, object) => format!("{package}.{object}"),
        }
    }

    /// Where a redirector leads to, if that is known.
    pub(super) fn redirect(&self, row: usize) -> Option<PackageIndex> {
        let at = self.redirects.binary_search_by_key(&row, |redirect| redirect.row as usize);
        Some(self.redirects[at.ok()?].target)
    }

    /// The package that an import lies in where that is not its outermost object's (UE4, UE5).
    pub(super) fn file_package(&self, index: PackageIndex) -> Option<&str> {
        let ObjectRef::Import(row) = index.target() else { return None };
        let name = self.imports.get(row)?.file_package;
        (name != NO_TEXT).then(|| self.text(name))
    }

    /// Whether classes, structs or enums stand in the export table.
    pub fn declares(&self) -> bool {
        self.has_code() || self.exports.iter().any(|row| is_declaration(self.name(row.class)))
    }

    /// Whether a class stands in the export table.
    pub fn has_code(&self) -> bool {
        let is_null = |name: u32| self.text(name).eq_ignore_ascii_case("None");
        self.exports.iter().any(|export| export.class.is_null() && !is_null(export.name))
    }

    /// The bare name of an object.
    pub fn name(&self, index: PackageIndex) -> &str {
        match index.target() {
            ObjectRef::Null => "",
            ObjectRef::Import(row) => self.imports.get(row).map_or("", |row| self.text(row.name)),
            ObjectRef::Export(row) => self.exports.get(row).map_or("", |row| self.text(row.name)),
        }
    }

    /// The object around an object.
    pub fn outer(&self, index: PackageIndex) -> PackageIndex {
        match index.target() {
            ObjectRef::Null => None,
            ObjectRef::Import(row) => self.imports.get(row).map(|row| row.outer),
            ObjectRef::Export(row) => self.exports.get(row).map(|row| row.outer),
        }
        .unwrap_or_default()
    }

    /// The package that an import names below file version 50, where it refers to none.
    pub(super) fn named_package(&self, index: PackageIndex) -> Option<&str> {
        let ObjectRef::Import(row) = index.target() else { return None };
        let name = self.imports.get(row)?.outer_name;
        (name != NO_TEXT).then(|| self.text(name))
    }

    /// The path of an object, packages first: `Engine.Actor`; that of an export is within its package.
    pub fn path(&self, index: PackageIndex) -> String {
        let mut parts = Vec::new();
        let mut at = index;
        while !at.is_null() && parts.len() < DEEPEST {
            parts.push(self.name(at));
            parts.extend(self.named_package(at));
            at = self.outer(at);
        }
        parts.reverse();
        parts.join(".")
    }

    /// The outermost object around one, and whether it is a package: of an import it must be, an export
    /// may lie in a copy of another package.
    pub(super) fn root(&self, index: PackageIndex) -> PackageIndex {
        let mut at = index;
        for _ in 0..DEEPEST {
            let outer = self.outer(at);
            if outer.is_null() {
                break;
            }
            at = outer;
        }
        at
    }

    /// The names from below `root` down to an object.
    pub(super) fn way(&self, root: PackageIndex, index: PackageIndex) -> Vec<&str> {
        let mut names = Vec::new();
        let mut at = index;
        while at != root && names.len() < DEEPEST {
            names.push(self.name(at));
            at = self.outer(at);
        }
        names.reverse();
        names
    }

    /// The object that these names lead to from `start`.
    pub(super) fn descend(&self, start: PackageIndex, names: &[&str]) -> Option<PackageIndex> {
        names.iter().try_fold(start, |outer, name| {
            self.children(outer, self.id(name)?).next().map(PackageIndex::export)
        })
    }

    /// Whether an export stands for another package ([`stands_for_package`]).
    pub(super) fn is_forced_package(&self, index: PackageIndex) -> bool {
        let ObjectRef::Export(row) = index.target() else { return false };
        self.exports.get(row).is_some_and(|export| {
            stands_for_package(export.outer, export.export_flags, self.name(export.class))
        })
    }

    /// The packages whose objects this one carries copies of.
    pub(super) fn forced_packages(&self) -> impl Iterator<Item = &str> {
        let rows = (0..self.exports.len()).map(PackageIndex::export);
        rows.filter(|row| self.is_forced_package(*row)).map(|row| self.name(row))
    }

    /// Whether it was cooked for a platform.
    pub fn is_cooked(&self) -> bool {
        self.versions().has_cooked_flag() && self.flags & PackageFlags::COOKED.0 != 0
    }

    /// Package and name of the class of an export of the package called `own`.
    pub fn class_of<'a>(&'a self, row: usize, own: &'a str) -> (&'a str, &'a str) {
        let class = self.exports.get(row).map(|export| export.class).unwrap_or_default();
        if class.is_null() {
            return ("Core", "Class");
        }
        let root = self.root(class);
        let package = match root.target() {
            ObjectRef::Import(_) => self.named_package(class).unwrap_or_else(|| self.name(root)),
            _ if root != class && self.is_forced_package(root) => self.name(root),
            _ => own,
        };
        (package, self.name(class))
    }

    /// The names of the packages that imports lie in, each once, in the order of the table; packages
    /// without a file of their own are left out.
    pub fn packages(&self) -> Vec<&str> {
        let mut seen = vec![false; self.texts.len()];
        let mut found = Vec::new();
        for row in 0..self.imports.len() {
            let index = PackageIndex::import(row);
            let root = self.root(index);
            let named = self.file_package(index).or_else(|| self.named_package(root));
            let name = named.unwrap_or_else(|| self.name(root));
            let id = self.id(name).unwrap_or(NO_TEXT) as usize;
            if let Some(seen) = seen.get_mut(id).filter(|seen| !**seen) {
                *seen = true;
                found.push(name);
            }
        }
        found.retain(|name| !native::is_package(name));
        found
    }
}
