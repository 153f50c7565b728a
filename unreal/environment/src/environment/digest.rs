//! Digests: the tables of a package, without bodies, as other packages need them.

use std::collections::HashMap;

use super::soft;
use crate::archive::layout::Layout;
use crate::error::{ErrorKind, Result};
use crate::package::Package;
use crate::primitive::{Bool32, Guid, PackageIndex, split_soft_path};
use crate::table::Generation;
use crate::version::{UE4, UE5, UnrealVersions, threshold};
use crate::{Archive, ArchiveExt, Archived, Described, Engine, Versions};

/// Outers are followed this far.
pub(super) const DEEPEST: usize = 64;
/// No text.
pub(super) const NO_TEXT: u32 = u32::MAX;
pub(super) const PUBLIC: u32 = 0x4;

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
    pub(super) texts: Vec<DigestText>,
    /// The import table.
    pub imports: Vec<DigestImport>,
    /// The export table.
    pub exports: Vec<DigestExport>,
    /// UE4 and UE5: what it refers to without loading it.
    pub soft: Vec<DigestSoft>,
    /// Where redirectors lead to, by row.
    pub(super) redirects: Vec<RedirectRow>,
    /// Texts in lower case, for looking up.
    #[archive(skip)]
    pub(super) ids: HashMap<Box<str>, u32>,
    /// Outer, name and row of every export, sorted.
    #[archive(skip)]
    pub(super) order: Vec<(i32, u32, u32)>,
}

/// One row of the import table.
#[derive(Archived, Debug, Clone, Copy, Default, PartialEq)]
pub struct DigestImport {
    /// Package of the class.
    pub class_package: u32,
    /// Name of the class.
    pub class_name: u32,
    /// Below file version 50 the package, else no text.
    pub(super) outer_name: u32,
    /// The object around it.
    #[archive(with = PackageIndex::fixed)]
    pub outer: PackageIndex,
    /// The object's name.
    pub name: u32,
    /// UE5: the package loads without it.
    pub optional: Bool32,
    /// UE4 and UE5: the package that it lies in where that is not its outermost object's, else no text.
    pub(super) file_package: u32,
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
pub(super) struct RedirectRow {
    pub(super) row: u32,
    #[archive(with = PackageIndex::fixed)]
    pub(super) target: PackageIndex,
}

/// One row of the export table.
#[derive(Archived, Debug, Clone, Copy, Default, PartialEq)]
pub struct DigestExport {
    /// The class; null means that the object is a class.
    #[archive(with = PackageIndex::fixed)]
    pub class: PackageIndex,
    /// The class or struct that it derives from.
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
#[derive(Described, Debug, Clone, Default, PartialEq)]
pub(super) struct DigestText(pub(super) Box<str>);

impl Archived for DigestText {
    const LAYOUT: &'static Layout = Self::DESCRIBED;

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
    /// The tables alone: enough to know which packages are imported.
    pub(super) fn of_tables(package: &Package) -> Self {
        let versions = package.versions();
        let mut digest = Self {
            file: versions.file(),
            licensee: versions.licensee(),
            ue4: versions.ue4(),
            ue5: versions.ue5(),
            guid: package.guid(),
            flags: package.summary().package_flags.0,
            bytes: package.file().len() as u64,
            name_count: package.names().len() as i32,
            generations: package.summary().generations.to_vec(),
            ..Self::default()
        };
        let by_name = versions.file() < threshold::OUTER_INDEX_ADDED && versions.ue4() == 0;
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
            let file_package = match package.file_package(import) {
                Some(name) => text(&mut digest, name),
                None => NO_TEXT,
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
            let entry = export.entry();
            let row = DigestExport {
                class: entry.class_index,
                super_index: entry.super_index,
                outer: entry.outer_index,
                name: text(&mut digest, entry.object_name),
                flags: entry.object_flags.legacy(versions) as u32,
                export_flags: entry.details.export_flags.0,
            };
            digest.exports.push(row);
        }
        digest
    }

    /// The tables of an open package, what it refers to softly, and where its redirectors lead.
    pub fn of(package: &Package) -> Self {
        let mut digest = Self::of_tables(package);
        for reference in soft::references(package) {
            let (of, object) = split_soft_path(&reference);
            let object = if object.is_empty() { NO_TEXT } else { digest.intern(object) };
            let row = DigestSoft { package: digest.intern(of), object };
            digest.soft.push(row);
        }
        digest.redirects = soft::redirects(package)
            .into_iter()
            .map(|(row, target)| RedirectRow { row: row as u32, target })
            .collect();
        digest.index();
        digest
    }

    fn intern(&mut self, text: &str) -> u32 {
        let lower = text.to_ascii_lowercase().into_boxed_str();
        *self.ids.entry(lower).or_insert_with(|| {
            self.texts.push(DigestText(text.into()));
            self.texts.len() as u32 - 1
        })
    }

    /// Makes ready what is looked up and not stored.
    pub(super) fn index(&mut self) {
        if self.ids.is_empty() {
            let lower = |text: &DigestText| text.0.to_ascii_lowercase().into_boxed_str();
            self.ids = self.texts.iter().map(lower).zip(0..).collect();
        }
        let rows = self.exports.iter().zip(0..);
        self.order = rows.map(|(row, at)| (row.outer.value(), row.name, at)).collect();
        self.order.sort_unstable();
    }

    /// The engine's versions, without the game.
    pub fn versions(&self) -> Versions {
        Versions::ue1_to_3(self.file, self.licensee).with(UE4, self.ue4).with(UE5, self.ue5)
    }

    /// The engine generation.
    pub fn engine(&self) -> Engine {
        self.versions().engine()
    }
}

/// Whether objects of this class declare properties or values, in UE4 and UE5.
pub(super) fn is_declaration(class: &str) -> bool {
    const DECLARING: &[&str] =
        &["Class", "ScriptStruct", "UserDefinedStruct", "Enum", "UserDefinedEnum"];
    class.ends_with("GeneratedClass") || DECLARING.contains(&class)
}
