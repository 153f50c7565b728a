//! What other packages need to know about a package: its tables, without bodies.

use std::collections::HashMap;

use super::{native, soft};
use crate::error::{ErrorKind, Result};
use crate::package::Package;
use crate::primitive::{Bool32, Guid, ObjectFlags, ObjectRef, PackageFlags, PackageIndex};
use crate::table::{Generation, Import};
use crate::version::threshold;
use crate::{Archive, Archived, Engine, Versions};

/// Outers are followed this far.
pub(super) const DEEPEST: usize = 64;
/// No text.
const NO_TEXT: u32 = u32::MAX;
const PUBLIC: u32 = 0x4;
const FORCED_EXPORT: u32 = 0x1;

/// The tables of a package in a form of their own: what can be resolved without opening it again.
///
/// Names are numbers of [`Digest::text`], one for all spellings of a name.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct Digest {
    file: u32,
    licensee: u32,
    ue4: u32,
    ue5: u32,
    /// The package's GUID.
    pub guid: Guid,
    /// Package flags.
    pub flags: u32,
    /// Size of the file, bytes.
    pub bytes: u64,
    /// Rows of the name table.
    pub name_count: i32,
    /// Table sizes of all generations, oldest first.
    pub generations: Vec<Generation>,
    texts: Vec<Text>,
    /// The import table.
    pub imports: Vec<DigestImport>,
    /// The export table.
    pub exports: Vec<DigestExport>,
    /// UE4 and UE5: what it refers to without loading it.
    pub soft: Vec<DigestSoft>,
    /// Where redirectors lead to, by row.
    redirects: Vec<Redirect>,
    /// Texts in lower case, for looking up.
    #[archive(skip)]
    ids: HashMap<Box<str>, u32>,
    /// Outer, name and row of every export, sorted.
    #[archive(skip)]
    order: Vec<(i32, u32, u32)>,
}

/// One row of the import table.
#[derive(Archived, Debug, Clone, Copy, Default, PartialEq)]
pub struct DigestImport {
    /// Package of the class.
    pub class_package: u32,
    /// Name of the class.
    pub class_name: u32,
    /// Below file version 50 the package, else no text.
    outer_name: u32,
    /// The object around it.
    #[archive(with = PackageIndex::fixed)]
    pub outer: PackageIndex,
    /// The object's name.
    pub name: u32,
    /// UE5: the package loads without it.
    pub optional: Bool32,
    /// UE4 and UE5: the package that it lies in where that is not its outermost object's, else no text.
    file_package: u32,
}

/// A soft reference.
#[derive(Archived, Debug, Clone, Copy, Default, PartialEq)]
pub struct DigestSoft {
    /// The package.
    pub package: u32,
    /// The object within it, no text for the package itself.
    pub object: u32,
}

/// Where a redirector leads to.
#[derive(Archived, Debug, Clone, Copy, Default, PartialEq)]
struct Redirect {
    row: u32,
    #[archive(with = PackageIndex::fixed)]
    target: PackageIndex,
}

/// One row of the export table.
#[derive(Archived, Debug, Clone, Copy, Default, PartialEq)]
pub struct DigestExport {
    /// The class; null means that the object is a class.
    #[archive(with = PackageIndex::fixed)]
    pub class: PackageIndex,
    /// What it derives from.
    #[archive(with = PackageIndex::fixed)]
    pub super_index: PackageIndex,
    /// The object around it.
    #[archive(with = PackageIndex::fixed)]
    pub outer: PackageIndex,
    /// The object's name.
    pub name: u32,
    /// The flags of UE1 and UE2, wherever the version keeps them; of UE4 and UE5 only whether it is public,
    /// in UE1's bit.
    pub flags: u32,
    /// Flags of the export.
    pub export_flags: u32,
}

/// A text in UTF-8 behind its length.
#[derive(Debug, Clone, Default, PartialEq)]
struct Text(Box<str>);

impl Archived for Text {
    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        let mut count = self.0.len() as u32;
        ar.serialize_u32(&mut count)?;
        ar.claim(count.into(), 1)?;
        let mut bytes = self.0.as_bytes().to_vec();
        bytes.resize(count as usize, 0);
        ar.serialize_bytes(&mut bytes)?;
        if ar.is_loading() {
            let text = String::from_utf8(bytes);
            let bad = |_| ar.error(ErrorKind::BadText { reason: "it is not UTF-8" });
            self.0 = text.map_err(bad)?.into();
        }
        Ok(())
    }
}

impl Digest {
    /// The tables of an open package.
    pub fn of(package: &Package) -> Self {
        let versions = package.versions();
        let mut digest = Self {
            file: versions.file,
            licensee: versions.licensee,
            ue4: versions.ue4,
            ue5: versions.ue5,
            guid: package.guid(),
            flags: package.package_flags().0,
            bytes: package.file().len() as u64,
            name_count: package.names().len() as i32,
            generations: package.generations().to_vec(),
            ..Self::default()
        };
        let by_name = versions.file < threshold::OUTER_INDEX_ADDED && versions.ue4 == 0;
        // Most names are used many times.
        let mut known = HashMap::new();
        let mut text = |digest: &mut Self, name: crate::Name| {
            *known
                .entry((name.index.value(), name.number))
                .or_insert_with(|| digest.intern(&package.name_text(name)))
        };
        for import in package.imports().entries() {
            let outer_name = match by_name {
                true if !package.name_text(import.outer_name).eq_ignore_ascii_case("None") => {
                    text(&mut digest, import.outer_name)
                }
                _ => NO_TEXT,
            };
            let is_none = package.name_text(import.package_name).eq_ignore_ascii_case("None");
            let file_package =
                match versions.is_modern() && Import::names_package(versions) && !is_none {
                    true => text(&mut digest, import.package_name),
                    false => NO_TEXT,
                };
            let row = DigestImport {
                file_package,
                class_package: text(&mut digest, import.class_package),
                class_name: text(&mut digest, import.class_name),
                outer_name,
                outer: import.outer_index,
                name: text(&mut digest, import.object_name),
                optional: import.import_optional,
            };
            digest.imports.push(row);
        }
        for export in package.exports().iter() {
            let common = export.common();
            let modern = export.modern_entry().is_some();
            let public = modern && common.object_flags.contains(ObjectFlags::MODERN_PUBLIC);
            let row = DigestExport {
                class: common.class_index,
                super_index: common.super_index,
                outer: common.outer_index,
                name: text(&mut digest, common.object_name),
                flags: match modern {
                    true => u32::from(public) * PUBLIC,
                    false => common.object_flags.legacy(versions) as u32,
                },
                export_flags: if modern { 0 } else { export.entry().export_flags.0 },
            };
            digest.exports.push(row);
        }
        for reference in soft::references(package) {
            let (of, object) = soft::split(&reference);
            let object = if object.is_empty() { NO_TEXT } else { digest.intern(object) };
            let row = DigestSoft { package: digest.intern(of), object };
            digest.soft.push(row);
        }
        digest.redirects = soft::redirects(package)
            .into_iter()
            .map(|(row, target)| Redirect { row: row as u32, target })
            .collect();
        digest.index();
        digest
    }

    fn intern(&mut self, text: &str) -> u32 {
        let lower = text.to_ascii_lowercase().into_boxed_str();
        *self.ids.entry(lower).or_insert_with(|| {
            self.texts.push(Text(text.into()));
            self.texts.len() as u32 - 1
        })
    }

    /// Makes ready what is looked up and not stored.
    pub(super) fn index(&mut self) {
        if self.ids.is_empty() {
            let lower = |text: &Text| text.0.to_ascii_lowercase().into_boxed_str();
            self.ids = self.texts.iter().map(lower).zip(0..).collect();
        }
        let rows = self.exports.iter().zip(0..);
        self.order = rows.map(|(row, at)| (row.outer.value(), row.name, at)).collect();
        self.order.sort_unstable();
    }

    /// The engine's versions, without the game.
    pub fn versions(&self) -> Versions {
        Versions { ue4: self.ue4, ue5: self.ue5, ..Versions::classic(self.file, self.licensee) }
    }

    /// The engine generation.
    pub fn engine(&self) -> Engine {
        self.versions().engine()
    }

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

    /// Whether classes, structs or enums stand in the export table, also those of UE4 and UE5.
    pub fn declares(&self) -> bool {
        if !self.versions().is_modern() {
            return self.has_code();
        }
        self.exports.iter().any(|export| is_declaration(self.name(export.class)))
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

    /// Whether an export is the copy of another package: UE3's cooker puts objects of other packages
    /// into the one that needs them, within an export that stands for theirs.
    pub(super) fn is_forced_package(&self, index: PackageIndex) -> bool {
        let ObjectRef::Export(row) = index.target() else { return false };
        self.exports.get(row).is_some_and(|export| {
            export.outer.is_null()
                && export.export_flags & FORCED_EXPORT != 0
                && self.name(export.class).eq_ignore_ascii_case("Package")
        })
    }

    /// The packages whose objects this one carries copies of.
    pub(super) fn forced_packages(&self) -> impl Iterator<Item = &str> {
        let rows = (0..self.exports.len()).map(PackageIndex::export);
        rows.filter(|row| self.is_forced_package(*row)).map(|row| self.name(row))
    }

    /// Whether it was cooked for a platform.
    pub fn is_cooked(&self) -> bool {
        self.engine() == Engine::Ue3 && self.flags & PackageFlags::COOKED.0 != 0
    }

    /// Package and name of the class of an export of the package called `own`.
    pub(super) fn class_of<'a>(&'a self, row: usize, own: &'a str) -> (&'a str, &'a str) {
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

/// Whether objects of this class declare properties or values, in UE4 and UE5.
pub(super) fn is_declaration(class: &str) -> bool {
    const DECLARING: &[&str] =
        &["Class", "ScriptStruct", "UserDefinedStruct", "Enum", "UserDefinedEnum"];
    class.ends_with("GeneratedClass") || DECLARING.contains(&class)
}
