//! Building small packages from nothing.

use bytes::Bytes;

use super::edit::next_row;
use super::{Modern, Package, SaveOptions};
use crate::archive::Span;
use crate::error::{ErrorKind, Result};
use crate::primitive::{FString, Guid, Index, ObjectFlags, PackageFlags, PackageIndex};
use crate::table::{DependsRow, Export, Generation, VersionWord};
use crate::version::{ByteOrder, EngineRelease, Versions, threshold};

/// Flags of an ordinary public object: Public and the three load flags (spec: ue1-3/07 §7.6).
const PUBLIC: u64 = 0x0007_0004;

/// Makes a package of a chosen version from nothing: names, imports, exports with bodies.
///
/// Calls are remembered and carried out by [`Builder::build`], which reports what does not fit.
#[derive(Debug, Clone)]
pub struct Builder {
    pub(super) versions: Versions,
    pub(super) guid: Guid,
    pub(super) flags: PackageFlags,
    pub(super) unversioned: bool,
    pub(super) sections: Modern,
    pub(super) steps: Vec<Step>,
}

#[derive(Debug, Clone)]
pub(super) enum Step {
    Name(String),
    Import(String, String),
    Export(String, String, Vec<u8>),
}

impl Builder {
    /// A package of this file version, main line, little-endian.
    pub fn new(file: u32) -> Self {
        Self::for_versions(Versions::classic(file, 0))
    }

    /// A package of these versions, byte order and game.
    pub fn for_versions(versions: Versions) -> Self {
        let flags = match versions.is_modern() {
            true => PackageFlags(0),
            false => PackageFlags::ALLOW_DOWNLOAD,
        };
        let (guid, sections) = (Guid::random(), Modern::default());
        Self { versions, guid, flags, unversioned: false, sections, steps: Vec::new() }
    }

    /// A package of UE4 or UE5 as this release saves it.
    pub fn for_release(release: EngineRelease) -> Self {
        Self::for_versions(release.versions())
    }

    /// States no versions, as cooked packages of UE4 and UE5 do.
    #[must_use]
    pub fn unversioned(mut self) -> Self {
        self.unversioned = true;
        self
    }

    /// The GUID, instead of a random one.
    #[must_use]
    pub fn guid(mut self, guid: Guid) -> Self {
        self.guid = guid;
        self
    }

    /// The package flags, instead of `AllowDownload` (none from UE4).
    #[must_use]
    pub fn flags(mut self, flags: PackageFlags) -> Self {
        self.flags = flags;
        self
    }

    /// The byte order.
    #[must_use]
    pub fn byte_order(mut self, order: ByteOrder) -> Self {
        self.versions.byte_order = order;
        self
    }

    /// Further sections of a package of UE4 or UE5: soft references, resources, bulk data. Summary and
    /// exports are made by the builder; names are numbered in the order in which they are added, after
    /// `None`.
    #[must_use]
    pub fn sections(mut self, sections: Modern) -> Self {
        self.sections = sections;
        self
    }

    /// Adds a name.
    #[must_use]
    pub fn name(mut self, text: impl Into<String>) -> Self {
        self.steps.push(Step::Name(text.into()));
        self
    }

    /// Adds an import as [`Package::add_import`] does.
    #[must_use]
    pub fn import(mut self, path: impl Into<String>, class: impl Into<String>) -> Self {
        self.steps.push(Step::Import(path.into(), class.into()));
        self
    }

    /// Adds a public export: its path in the package, the path of its class (`Engine.TextBuffer`), its
    /// body. The groups around it must have been added before.
    #[must_use]
    pub fn export(
        mut self,
        path: impl Into<String>,
        class: impl Into<String>,
        body: impl Into<Vec<u8>>,
    ) -> Self {
        self.steps.push(Step::Export(path.into(), class.into(), body.into()));
        self
    }

    /// The package as bytes.
    ///
    /// # Errors
    /// What a step can't do, `NotFound` for a group that is not there, or what the version can't hold.
    pub fn build(self) -> Result<Vec<u8>> {
        if self.versions.is_modern() {
            return self.build_modern();
        }
        let mut package = Package::empty(Bytes::new());
        let file = self.versions.file;
        let word = |version: u32| {
            u16::try_from(version)
                .map_err(|_| ErrorKind::OutOfRange { value: version.into(), bits: 16 })
        };
        package.summary.version =
            VersionWord { file: word(file)?, licensee: word(self.versions.licensee)? };
        package.versions = self.versions;
        package.summary.package_flags = self.flags;
        if file < threshold::HERITAGE_REMOVED {
            package.summary.heritage_count = 1;
            if file >= threshold::HERITAGE_GUID_ADDED {
                package.heritage.push(self.guid);
            }
        } else {
            package.summary.guid = self.guid;
            package.summary.generations.push(Generation::default());
        }
        if file >= threshold::FOLDER_NAME_ADDED {
            package.summary.folder_name = FString::new("None");
        }
        // Offsets that are above zero are settled when the sections have their places.
        package.summary.name_offset = 1;
        package.summary.import_offset = 1;
        package.summary.export_offset = 1;
        package.add_name("None")?;
        for step in self.steps {
            package.build_step(step)?;
        }
        package.sync_counts()?;
        if file >= threshold::DEPENDS_ADDED {
            package.depends = vec![DependsRow::default(); package.exports.len()];
        }
        if file >= threshold::IMPORT_EXPORT_GUIDS_ADDED && !package.exports.is_empty() {
            package.summary.import_export_guids_offset = 1;
        }
        Ok(package.save(&SaveOptions::new())?.bytes)
    }
}

impl Package {
    pub(super) fn build_step(&mut self, step: Step) -> Result<()> {
        match step {
            Step::Name(text) => self.add_name(&text).map(drop),
            Step::Import(path, class) => self.add_import(&path, &class).map(drop),
            Step::Export(path, class, body) => self.build_export(&path, &class, body),
        }
    }

    fn build_export(&mut self, path: &str, class: &str, body: Vec<u8>) -> Result<()> {
        let (outer, name) = match path.rsplit_once('.') {
            Some((group, name)) => (PackageIndex::export(self.find_export(group)?), name),
            None => (PackageIndex::NULL, path),
        };
        let of_classes = if self.is_modern() { "/Script/CoreUObject.Class" } else { "Core.Class" };
        let class_index = match class {
            class if class == of_classes => PackageIndex::NULL,
            class => match self.find(class) {
                Some(index) => index,
                None => self.add_import(class, of_classes)?,
            },
        };
        if self.is_modern() {
            return self.build_modern_export(class_index, outer, name, body);
        }
        let flags = match self.versions.file {
            ..threshold::FLAGS_64_BIT => PUBLIC,
            _ => PUBLIC << 32,
        };
        let export = Export {
            class_index,
            outer_index: outer,
            object_name: self.add_name(name)?,
            object_flags: ObjectFlags(flags),
            serial_size: Index::new(0),
            ..Export::default()
        };
        next_row(self.exports.len())?;
        if !body.is_empty() {
            self.replaced.insert(self.exports.len(), Span::owned(body));
        }
        self.exports.push(export);
        Ok(())
    }
}
