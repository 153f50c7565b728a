//! From a package of a container to the package that it was cooked from.

use std::collections::HashMap;

use bytes::Bytes;

use super::bodies;
use super::read_imports::KnownNames;
use super::write::later_bytes;
use crate::archive::Span;
use crate::container::zen::{
    ZenDependencies, ZenExport, ZenForm, ZenHeader, ZenName, ZenReference, ZenTarget,
};
use crate::error::{Error, Result, UnrealError, UnrealErrors};
use crate::package::checksum::package_source;
use crate::package::{Package, SaveOptions};
use crate::primitive::{Bool32, FString, Name, NameFlags, ObjectFlags, PackageIndex};
use crate::table::{
    CustomVersions, DataResource, DataResources, Export, ExportPreload, FileVersions, Generation,
    NameEntry, NameHashes, next_row,
};
use crate::version::threshold::ue5;
use crate::version::{EngineRelease, FILE, UnrealVersions, Versions};

/// The first release whose data resources have a cooked index.
pub(super) const COOKED_INDEX: EngineRelease = EngineRelease::new(5, 5);
/// Public, standalone and transactional: what assets usually are.
const ASSET: u32 = 1 | 2 | 8;
/// The package as it was before it came into a container, as bytes. What its header does not say has the usual
/// form; imports that nobody knows are called by their hashes ([`super::placeholder`]).
pub(super) fn image_of(
    header: &ZenHeader,
    versions: &Versions,
    file: &Bytes,
    known: KnownNames<'_>,
) -> Result<Bytes> {
    let mut making = Making::new(header, versions, file)?;
    making.imports(known)?;
    making.exports()?;
    making.finish()
}

pub(super) struct Making<'a> {
    pub header: &'a ZenHeader,
    file: &'a Bytes,
    pub package: Package,
    rows: HashMap<String, i32>,
    /// Which import a reference means.
    pub by_reference: HashMap<ZenReference, PackageIndex>,
    pub form: ZenForm,
}

impl<'a> Making<'a> {
    fn new(header: &'a ZenHeader, versions: &Versions, file: &'a Bytes) -> Result<Self> {
        let mut package = Package::empty(Bytes::new());
        let mut versions = versions.clone();
        let form = ZenForm::of(&versions);
        header.summary.package_flags.apply_to(&mut versions);
        versions.set(FILE, Versions::LEGACY_UE3);
        package.versions = versions;
        if header.bulk_data.iter().any(|row| row.pad != [0; 3]) {
            return Err(Error::invalid("a pad is not zero").in_field("bulk_data"));
        }
        if !header.cell_imports.is_empty() || !header.cell_exports.is_empty() {
            return Err(Error::unsupported("it has Verse cells"));
        }
        let (rows, by_reference) = (HashMap::new(), HashMap::new());
        let mut making = Self { header, file, package, rows, by_reference, form };
        for text in &header.names.texts {
            making.push_name(text)?;
        }
        making.summary()?;
        Ok(making)
    }

    fn text(&self, text: &str) -> FString {
        FString::new_in(text, self.package.versions.byte_order, self.package.versions.game())
    }

    fn push_name(&mut self, text: &str) -> Result<i32> {
        let mut entry =
            NameEntry { text: self.text(text), flags: NameFlags::ordinary(&self.package.versions) };
        entry.set_hashes(NameHashes::of(text));
        let row = next_row(self.package.tables.names.len())?;
        self.package.tables.names.push(entry);
        self.rows.entry(text.to_owned()).or_insert(row);
        Ok(row)
    }

    /// The name of a text, added if it is not there.
    pub fn name(&mut self, text: &str) -> Result<Name> {
        let (base, number) = match self.rows.contains_key(text) {
            true => (text, 0),
            false => Name::split(text).unwrap_or((text, 0)),
        };
        let row = match self.rows.get(base) {
            Some(row) => *row,
            None => self.push_name(base)?,
        };
        Ok(Name::numbered(row, number))
    }

    /// A name of the header.
    fn own_name(&self, name: ZenName) -> Result<Name> {
        let row = i32::try_from(name.row).ok();
        let row = row.filter(|row| (*row as usize) < self.header.names.texts.len());
        let number = i32::try_from(name.number).ok();
        let (Some(row), Some(number)) = (row, number) else {
            return Err(Error::invalid(format!("there is no name {} {}", name.row, name.number)));
        };
        Ok(Name::numbered(row, number))
    }

    fn summary(&mut self) -> Result<()> {
        let (header, versions) = (self.header, self.package.versions.clone());
        let name = self.own_name(header.summary.name)?;
        let name = self.package.name_text(name);
        if self.form == ZenForm::Ue4_26 {
            self.own_name(header.summary.source_name)?;
        }
        let stored = FileVersions::of_new(&versions)?;
        let custom = header.versions.as_ref().map(|said| said.custom_versions.clone());
        let base = name.rsplit('/').next().unwrap_or(&name);
        // Packages of UE4 do not say their name.
        let folder_name = if self.form == ZenForm::Ue4_26 { "None" } else { &name };
        let (folder_name, package_source) = (self.text(folder_name), package_source(base));
        let summary = &mut self.package.tables.summary;
        summary.tag = crate::table::Tag::default();
        summary.versions = match &header.versions {
            Some(said) => FileVersions {
                ue4: said.ue4,
                ue5: said.ue5,
                licensee: said.licensee,
                ..stored.clone()
            },
            None => FileVersions {
                legacy_file_version: stored.legacy_file_version,
                ..FileVersions::default()
            },
        };
        *summary.custom_versions_mut(&versions) = CustomVersions::Plain(custom.unwrap_or_default());
        summary.folder_name = folder_name;
        summary.package_flags = header.summary.package_flags;
        summary.package_source = package_source;
        summary.generations = vec![Generation::default()];
        if versions.ue5() >= ue5::PAYLOAD_TOC {
            summary.payload_toc_offset = -1;
        }
        if versions.ue5() >= ue5::DATA_RESOURCES {
            summary.data_resource_offset = -1;
        }
        let further = &mut *self.package.tables.further;
        further.closing_tag = true;
        further.asset_registry.get_or_insert_default();
        if !header.bulk_data.is_empty() {
            further.data_resources = Some(DataResources {
                version: if versions.is_release(COOKED_INDEX) { 2 } else { 1 },
                rows: header
                    .bulk_data
                    .iter()
                    .map(|row| DataResource {
                        cooked_index: row.cooked_index,
                        serial_offset: row.serial_offset,
                        duplicate_serial_offset: row.duplicate_serial_offset,
                        serial_size: row.serial_size,
                        raw_size: row.serial_size,
                        legacy_bulk_data_flags: row.flags,
                        ..DataResource::default()
                    })
                    .collect(),
            });
        }
        Ok(())
    }

    fn reference(&self, reference: ZenReference) -> Result<PackageIndex> {
        match reference.target() {
            ZenTarget::Null if reference == ZenReference::NULL => Ok(PackageIndex::NULL),
            ZenTarget::Export(row) if row < self.header.exports.len() as u64 => {
                Ok(PackageIndex::export(row as usize))
            }
            _ => {
                let known = self.by_reference.get(&reference).copied();
                let missing = || Error::invalid("it refers to an object that is not imported");
                known.ok_or_else(missing)
            }
        }
    }

    fn exports(&mut self) -> Result<()> {
        let header = self.header;
        let (ranges, _) = bodies::ranges(header, self.form, self.file.len())?;
        let mut preloads = Vec::new();
        for (row, (words, range)) in header.exports.iter().zip(ranges).enumerate() {
            let located = |error: Error| error.at_index(row).in_field("exports");
            let mut export = self.export(words).map_err(located)?;
            export.preload = match self.form.has_bundles() {
                true => ExportPreload { first: -1, ..ExportPreload::default() },
                false => self
                    .preload(row, &mut preloads)
                    .map_err(|error| located(error.in_field("preload")))?,
            };
            self.package.bodies.replaced.insert(row, Span::owned(&self.file[range]));
            self.package.tables.exports.push(export);
        }
        let references = preloads.into_iter().map(PackageIndex::new).collect::<Vec<_>>();
        let summary = &mut self.package.tables.summary;
        summary.preload_dependency_count = next_row(references.len())?;
        self.package.tables.further.preload_dependencies = references;
        Ok(())
    }

    fn export(&self, words: &ZenExport) -> Result<Export> {
        let is_public = words.object_flags & 1 != 0;
        let has_hash = self.form > ZenForm::Ue4_26 && words.public_hash != 0;
        let generates = has_hash && !is_public;
        let is_asset = words.outer == ZenReference::NULL && words.object_flags & ASSET == ASSET;
        if words.filter.flags > 2 || words.filter.pad != [0; 3] {
            return Err(Error::invalid("nobody knows what it is filtered by"));
        }
        Ok(Export {
            class_index: self.reference(words.class)?,
            super_index: self.reference(words.super_struct)?,
            template_index: self.reference(words.template)?,
            outer_index: self.reference(words.outer)?,
            object_name: self.own_name(words.object_name)?,
            object_flags: ObjectFlags(words.object_flags.into()),
            not_for_client: Bool32::from(words.filter.flags == 1),
            not_for_server: Bool32::from(words.filter.flags == 2),
            is_asset: Bool32::from(is_asset),
            generate_public_hash: Bool32::from(generates),
            ..Export::default()
        })
    }

    /// Dependencies of an export, in the package's own order of lists.
    fn preload(&self, row: usize, all: &mut Vec<i32>) -> Result<ExportPreload> {
        let outside = || Error::invalid("its entries stand outside their table");
        let header = self.header;
        let Some(counts) = header.dependencies.get(row) else { return Err(outside()) };
        let ZenDependencies { first, .. } = *counts;
        let mut rest = match usize::try_from(first) {
            Ok(first) => header.dependency_entries.get(first..).ok_or_else(outside)?,
            Err(_) => &[],
        };
        let mut take = |count: u32| {
            let (list, behind) = rest.split_at_checked(count as usize).ok_or_else(outside)?;
            rest = behind;
            Ok::<_, Error>(list)
        };
        let create_create = take(counts.create_before_create)?;
        let serialize_create = take(counts.serialize_before_create)?;
        let create_serialize = take(counts.create_before_serialize)?;
        let serialize_serialize = take(counts.serialize_before_serialize)?;
        let listed = create_create.len()
            + serialize_create.len()
            + create_serialize.len()
            + serialize_serialize.len();
        if listed > 0 && usize::try_from(first) != Ok(all.len()) {
            return Err(Error::invalid("its entries do not stand behind those before"));
        }
        let start = next_row(all.len())?;
        for list in [serialize_serialize, create_serialize, serialize_create, create_create] {
            all.extend(list);
        }
        let count = |list: &[i32]| next_row(list.len());
        Ok(ExportPreload {
            first: if first < 0 { -1 } else { start },
            serialization_before_serialization: count(serialize_serialize)?,
            create_before_serialization: count(create_serialize)?,
            serialization_before_create: count(serialize_create)?,
            create_before_create: count(create_create)?,
        })
    }

    /// Bytes of the header that the package was cooked with. Bodies up to 5.1 count positions from its start; it
    /// is longer than the one that is made by what containers leave out.
    fn header_size(&self) -> u64 {
        let cooked = i64::from(self.header.summary.cooked_header_size);
        let size = cooked + later_bytes(&self.package.versions, self.header.imports.len());
        // Whatever it says, memory is bounded by the file.
        let most = self.header.size() * 8;
        u64::try_from(size).ok().filter(|size| *size <= most).unwrap_or(0)
    }

    fn finish(mut self) -> Result<Bytes> {
        let tables = &mut self.package.tables;
        // Cooked packages say nothing there, for each export.
        tables.depends.resize(tables.exports.len(), Default::default());
        let own = next_row(self.header.names.texts.len())?;
        tables.sync_counts(&self.package.versions)?;
        if self.package.versions.ue5() >= ue5::NAMES_REFERENCED_FROM_EXPORT_DATA {
            tables.summary.names_referenced_from_export_data_count = own;
        }
        let options = SaveOptions::of_image().force(true).header_size(self.header_size());
        let saved = options.save(&mut self.package);
        saved.map(|saved| saved.bytes).map_err(|error| match error.unreal() {
            Some(UnrealError::Refused { .. }) => error.in_field("zen"),
            _ => error,
        })
    }
}
