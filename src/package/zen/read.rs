//! From a package of a container to the package that it was cooked from.

use std::collections::{BTreeMap, HashMap};

use bytes::Bytes;

use super::placeholder;
use crate::archive::Span;
use crate::container::zen::{
    ScriptPaths, ZenDependencies, ZenExport, ZenHeader, ZenName, ZenReference, ZenTarget,
};
use crate::error::{Error, ErrorKind, Result};
use crate::package::checksum::package_source;
use crate::package::{Package, SaveOptions};
use crate::primitive::{Bool32, FString, Name, NameFlags, ObjectFlags, PackageIndex};
use crate::table::{
    CustomVersions, DataResource, DataResources, Export, ExportPreload, FileVersions, Generation,
    Import, NameEntry, NameHashes, PACKAGE_TAG, next_row,
};
use crate::version::threshold::ue5;
use crate::version::{EngineRelease, Versions};

/// The first release whose data resources have a cooked index.
const COOKED_INDEX: EngineRelease = EngineRelease::new(5, 5);
/// Public, standalone and transactional: what assets usually are.
const ASSET: u32 = 1 | 2 | 8;
/// In the package of the engine's own classes.
const CORE: &str = "/Script/CoreUObject";

/// The package as it was before it came into a container, as bytes. What its header does not say has the usual
/// form; imports that nobody knows are called by their hashes ([`placeholder`]).
pub(super) fn image_of(
    header: &ZenHeader,
    versions: &Versions,
    file: &Bytes,
    scripts: &ScriptPaths,
) -> Result<Bytes> {
    let mut making = Making::new(header, versions, file)?;
    making.imports(scripts)?;
    making.exports()?;
    making.finish()
}

struct Making<'a> {
    header: &'a ZenHeader,
    file: &'a Bytes,
    package: Package,
    rows: HashMap<String, i32>,
    /// Which import a reference means.
    by_reference: HashMap<ZenReference, PackageIndex>,
}

impl<'a> Making<'a> {
    fn new(header: &'a ZenHeader, versions: &Versions, file: &'a Bytes) -> Result<Self> {
        let mut package = Package::empty(Bytes::new());
        let mut versions = versions.clone();
        versions.apply_flags(header.summary.package_flags);
        versions.file = Versions::LEGACY_UE3;
        package.versions = versions;
        let mut making =
            Self { header, file, package, rows: HashMap::new(), by_reference: HashMap::new() };
        for text in &header.names.texts {
            making.push_name(text)?;
        }
        making.summary()?;
        Ok(making)
    }

    fn text(&self, text: &str) -> FString {
        FString::new_in(text, self.package.versions.byte_order, self.package.versions.game)
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
    fn name(&mut self, text: &str) -> Result<Name> {
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
        let row = row.ok_or_else(|| Error::invalid(format!("there is no name {}", name.row)))?;
        Ok(Name::numbered(row, name.number.cast_signed()))
    }

    fn summary(&mut self) -> Result<()> {
        let (header, versions) = (self.header, self.package.versions.clone());
        let name = self.own_name(header.summary.name)?;
        let name = self.package.name_text(name);
        let stored = FileVersions::of_new(&versions)?;
        let custom = header.versions.as_ref().map(|said| said.custom_versions.clone());
        let base = name.rsplit('/').next().unwrap_or(&name);
        let (folder_name, package_source) = (self.text(&name), package_source(base));
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
        summary.payload_toc_offset = -1;
        summary.data_resource_offset = -1;
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

    fn imports(&mut self, scripts: &ScriptPaths) -> Result<()> {
        let header = self.header;
        // Imported packages, by their names, fill the rows of nothing in order.
        let texts = header.imported_packages.texts.iter().zip(&header.imported_package_numbers);
        let full = |(text, number): (&String, &i32)| match *number {
            0 => text.clone(),
            number => format!("{text}_{}", i64::from(number) - 1),
        };
        let packages: Vec<String> = texts.map(full).collect();
        let sorted: BTreeMap<String, usize> =
            packages.iter().enumerate().map(|(row, it)| (it.to_ascii_lowercase(), row)).collect();
        let mut next = sorted.into_values();
        let mut package_rows = vec![PackageIndex::NULL; packages.len()];
        let mut targets = Vec::with_capacity(header.imports.len());
        for (row, reference) in header.imports.iter().enumerate() {
            let target = reference.target();
            if target == ZenTarget::Null {
                let package = next.next().ok_or_else(|| {
                    Error::invalid("there are fewer imported packages than imports of them")
                        .at_index(row)
                })?;
                package_rows[package] = PackageIndex::import(row);
                targets.push(Err(packages[package].clone()));
            } else {
                self.by_reference.insert(*reference, PackageIndex::import(row));
                targets.push(Ok(target));
            }
        }
        if next.next().is_some() {
            return Err(Error::invalid("there are more imported packages than imports of them"));
        }
        let classes: Vec<ZenReference> = header.exports.iter().map(|it| it.class).collect();
        for (row, target) in targets.into_iter().enumerate() {
            let usual = ("Object".to_owned(), CORE.to_owned());
            let is_class = classes.contains(&header.imports[row]);
            let (name, outer, class) = match target {
                Err(package) => {
                    (package, PackageIndex::NULL, ("Package".to_owned(), CORE.to_owned()))
                }
                Ok(ZenTarget::Script(hash)) => self.script(scripts, hash, is_class),
                Ok(ZenTarget::Package { package, hash }) => {
                    let outer = package_rows.get(package as usize).copied();
                    let public = header.imported_public_hashes.get(hash as usize);
                    let (Some(outer), Some(public)) = (outer, public) else {
                        return Err(Error::invalid("it names no package or object").at_index(row));
                    };
                    (placeholder::of(*public), outer, usual)
                }
                _ => return Err(Error::invalid("an import is an export").at_index(row)),
            };
            let object_name = self.name(&name)?;
            let names_package = Import::names_package(&self.package.versions);
            let import = Import {
                class_package: self.name(&class.1)?,
                class_name: self.name(&class.0)?,
                outer_index: outer,
                object_name,
                package_name: if names_package { object_name } else { Name::default() },
                ..Import::default()
            };
            self.package.tables.imports.push(import);
        }
        Ok(())
    }

    /// Name, outer and class of an object of compiled code.
    fn script(
        &self,
        scripts: &ScriptPaths,
        hash: u64,
        is_class: bool,
    ) -> (String, PackageIndex, (String, String)) {
        let class = |name: &str| (name.to_owned(), CORE.to_owned());
        let guessed = if is_class { class("Class") } else { class("Object") };
        let unknown = (placeholder::of(hash), PackageIndex::NULL, guessed.clone());
        let Some(known) = scripts.get(hash) else { return unknown };
        let outer = match known.outer {
            None => PackageIndex::NULL,
            Some(outer) => {
                let reference = ZenTarget::Script(outer).into();
                match self.by_reference.get(&reference) {
                    Some(outer) => *outer,
                    None => return unknown,
                }
            }
        };
        (known.name.clone(), outer, known.class.clone().unwrap_or(guessed))
    }

    fn reference(&self, reference: ZenReference) -> Result<PackageIndex> {
        match reference.target() {
            ZenTarget::Null => Ok(PackageIndex::NULL),
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
        let mut preloads = Vec::new();
        let mut at = u64::from(header.summary.header_size);
        for (row, words) in header.exports.iter().enumerate() {
            let located = |error: Error| error.at_index(row).in_field("exports");
            let mut export = self.export(words).map_err(located)?;
            export.preload = self
                .preload(row, &mut preloads)
                .map_err(|error| located(error.in_field("preload")))?;
            let start =
                u64::from(header.summary.header_size).checked_add(words.cooked_serial_offset);
            let body = start.filter(|start| *start == at).and_then(|start| {
                let end = start.checked_add(words.cooked_serial_size)?;
                self.file.get(usize::try_from(start).ok()?..usize::try_from(end).ok()?)
            });
            let misplaced =
                || located(Error::invalid("its body does not stand behind the one before"));
            let body = body.ok_or_else(misplaced)?;
            at += words.cooked_serial_size;
            self.package.bodies.replaced.insert(row, Span::owned(body));
            self.package.tables.exports.push(export);
        }
        let tag = self.file.get(at as usize..).unwrap_or_default();
        if tag != PACKAGE_TAG.to_le_bytes() {
            return Err(Error::unsupported(
                "something else than the package's tag stands behind the bodies",
            ));
        }
        let references = preloads.into_iter().map(PackageIndex::new).collect::<Vec<_>>();
        let summary = &mut self.package.tables.summary;
        summary.preload_dependency_count = next_row(references.len())?;
        self.package.tables.further.preload_dependencies = references;
        Ok(())
    }

    fn export(&self, words: &ZenExport) -> Result<Export> {
        let is_public = words.object_flags & 1 != 0;
        let generates = words.public_hash != 0 && !is_public;
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

    /// What must be there before an export, in the package's own order of lists.
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

    fn finish(mut self) -> Result<Bytes> {
        let tables = &mut self.package.tables;
        let own = next_row(self.header.names.texts.len())?;
        tables.sync_counts(&self.package.versions)?;
        if self.package.versions.ue5 >= ue5::NAMES_REFERENCED_FROM_EXPORT_DATA {
            tables.summary.names_referenced_from_export_data_count = own;
        }
        // Bodies in containers count no positions from the start of the file.
        let saved = self.package.save_here(&SaveOptions::of_image().force(true));
        saved.map(|saved| saved.bytes).map_err(|error| match error.kind() {
            ErrorKind::Refused { .. } => error.in_field("zen"),
            _ => error,
        })
    }
}
