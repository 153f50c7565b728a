//! From a cooked package to its form in containers.

use std::collections::HashSet;

use super::imports::ZenImports;
use super::names::ZenNames;
use super::order;
use super::read::COOKED_INDEX;
use crate::compression::ContainerForm;
use crate::container::zen::{
    ZenBulkData, ZenDependencies, ZenExport, ZenFilter, ZenHeader, ZenSummary, ZenVersions, hash,
};
use crate::error::{Error, ErrorKind, Result, UnrealErrors};
use crate::package::{LayoutKind, Package, ReleaseDetection, SaveOptions};
use crate::primitive::{Bool32, Name, ObjectRef, PackageFlags, PackageIndex};
use crate::table::{COOKED_PACKAGE_NAMES, CustomVersions, Export, ExportPreload, Import};
use crate::version::threshold::ue5;
use crate::version::{EngineRelease, UnrealVersions, Versions};

/// The newest form of the header.
const ZEN_VERSION: u32 = 3;
/// Objects that other packages may refer to.
const PUBLIC: u64 = 1;
/// Bytes that the summary of a package has more since import type hierarchies, and an import since it names its
/// package: containers count without them.
const LATER_BYTES: i64 = 8;
/// Objects that lie in one another deeper than this are taken to do so without an end.
const DEEPEST: usize = 256;

/// A package as IoStore containers hold it, and what their headers say of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ZenPackage {
    /// The header and the bodies behind it.
    pub bytes: Vec<u8>,
    /// The name of the package.
    pub name: String,
    /// The number that containers know it by.
    pub id: u64,
    /// The numbers of the packages that it imports from, ascending.
    pub imported: Vec<u64>,
}

impl ZenPackage {
    /// A cooked package as the engine stores it in a container. The package itself is enough: what it imports is
    /// known by hashes of names.
    ///
    /// # Errors
    /// `Unsupported` for packages that are not cooked, or by a release before 5.3, and for what such a header can't
    /// say; `Invalid` for tables that contradict one another.
    pub fn of(package: &Package) -> Result<Self> {
        let saved = package.save(&SaveOptions::of_image())?;
        match saved.report.layout {
            LayoutKind::InPlace => Self::of_saved(package, &saved.bytes),
            _ => Self::of_saved(&package.reopened(saved.bytes.clone())?, &saved.bytes),
        }
    }

    pub(super) fn of_saved(package: &Package, image: &[u8]) -> Result<Self> {
        let (mut header, bodies) = Self::parts(package, image, &HashSet::new())?;
        let mut bytes = header.to_bytes(package.versions())?;
        bytes.extend_from_slice(bodies);
        let name = package_name(package)?;
        let imported = ZenImports::of(package, &HashSet::new())?.packages.into_keys().collect();
        Ok(Self { bytes, id: hash::of_package(&name), name, imported })
    }

    /// The header of a saved package, and its bodies. `scripts` are hashes of objects that are known to be of
    /// compiled code, whatever their package is called.
    pub(super) fn parts<'a>(
        package: &Package,
        image: &'a [u8],
        scripts: &HashSet<u64>,
    ) -> Result<(ZenHeader, &'a [u8])> {
        refuse(package)?;
        let tables = package.tables();
        let summary = &tables.summary;
        let bodies = bodies(package, image)?;
        let used = summary.names_referenced_from_export_data_count;
        let mut names = ZenNames::of(package, usize::try_from(used).unwrap_or(0));
        let imports = ZenImports::of(package, scripts)?;
        let mut header = ZenHeader::default();
        for (row, export) in tables.exports.iter().enumerate() {
            let words = export_words(package, row, export, &imports, &mut names)?;
            header.exports.push(words);
        }
        let name = package_name(package)?;
        let (base, number) = Name::split(&name).unwrap_or((&name, 0));
        header.summary = ZenSummary {
            name: names.text(base, number),
            package_flags: summary.package_flags,
            cooked_header_size: cooked_header_size(package)?,
            ..ZenSummary::default()
        };
        header.versions = versions(package)?;
        header.names = names.into_batch();
        header.bulk_data = bulk_data(package);
        (header.dependencies, header.dependency_entries) = dependencies(package, &imports)?;
        let is_public: Vec<bool> = header.exports.iter().map(|it| it.public_hash != 0).collect();
        header.commands =
            order::commands(&header.dependencies, &header.dependency_entries, &is_public)?;
        (header.imported_packages, header.imported_package_numbers) = imports.package_names();
        (header.imports, header.imported_public_hashes) = (imports.rows, imports.public_hashes);
        Ok((header, bodies))
    }
}

/// The releases with which containers hold packages in another form.
const FORMS: [EngineRelease; 3] = [FIRST, COOKED_INDEX, COOKED_PACKAGE_NAMES];
const FIRST: EngineRelease = EngineRelease::new(5, 3);

/// A package that says no version may be read by releases of different forms, and the wrong form is one that the game does
/// not read.
fn refuse_unsure(package: &Package) -> Result<()> {
    // One out of a container goes back in the form that it had.
    let is_zen = package.container().is_some_and(|it| it.form() == ContainerForm::Zen);
    let Some(found) = ReleaseDetection::of(package).filter(|_| !is_zen) else { return Ok(()) };
    let form = |release: EngineRelease| FORMS.map(|first| release >= first);
    let mut forms = found.best().map(form);
    let first = forms.next();
    match forms.all(|form| Some(form) == first) {
        true => Ok(()),
        false => Err(Error::unsupported(format!(
            "it says no version, and releases that read it ({}) have containers of different forms: say which one it is of \
             (--engine 5.3)",
            found.best_text()
        ))),
    }
}

fn refuse(package: &Package) -> Result<()> {
    refuse_unsure(package)?;
    let (versions, summary) = (package.versions(), package.summary());
    let further = &package.tables().further;
    let reason = if versions.ue5() < ue5::DATA_RESOURCES || !versions.is_release(FIRST) {
        "it is of a release before 5.3, whose containers hold packages in another form"
    } else if !summary.package_flags.contains(PackageFlags::UE4_COOKED)
        || !versions.filter_editor_only()
    {
        "it is not cooked: containers hold cooked packages"
    } else if !further.soft_object_paths.is_empty() {
        "it has a list of soft object paths, which packages in containers have not"
    } else if summary.cell_export_count > 0 || summary.cell_import_count > 0 {
        "it has Verse cells"
    } else if summary.payload_toc_offset > 0 {
        "it has a package trailer"
    } else {
        return Ok(());
    };
    Err(Error::unsupported(reason))
}

/// The bodies with what ends the file: what stands in the `.uexp` file.
fn bodies<'a>(package: &Package, image: &'a [u8]) -> Result<&'a [u8]> {
    let mut end = u64::try_from(package.summary().total_header_size).unwrap_or(u64::MAX);
    let bodies = usize::try_from(end).ok().and_then(|end| image.get(end..));
    for export in package.exports().iter() {
        if export.size() > 0 && export.offset() != end {
            return Err(Error::unsupported(format!(
                "the body of '{}' does not stand right behind the one before",
                export.path()
            )));
        }
        end = end.saturating_add(export.size());
    }
    let tagged = package.tables().further.closing_tag;
    match bodies.filter(|_| tagged && end.checked_add(4) == Some(image.len() as u64)) {
        Some(bodies) => Ok(bodies),
        None => Err(Error::unsupported(
            "something else than the package's tag stands behind the bodies",
        )),
    }
}

/// The rows that containers have for the payloads of a package.
pub(super) fn bulk_data(package: &Package) -> Vec<ZenBulkData> {
    let resources = package.tables().further.data_resources.iter().flat_map(|table| &table.rows);
    let bulk_data = resources.map(|row| ZenBulkData {
        serial_offset: row.serial_offset,
        duplicate_serial_offset: row.duplicate_serial_offset,
        serial_size: row.serial_size,
        flags: row.legacy_bulk_data_flags,
        cooked_index: row.cooked_index,
        pad: [0; 3],
    });
    bulk_data.collect()
}

/// The side, client or server, that does not load an object.
pub(super) fn filter(export: &Export) -> Result<ZenFilter> {
    let flags = match (export.not_for_client, export.not_for_server) {
        (Bool32(0), Bool32(0)) => 0,
        (_, Bool32(0)) => 1,
        (Bool32(0), _) => 2,
        _ => return Err(Error::unsupported("it is neither for clients nor for servers")),
    };
    Ok(ZenFilter { flags, pad: [0; 3] })
}

/// Whether other packages may refer to an object.
pub(super) fn is_public(export: &Export) -> bool {
    export.object_flags.0 & PUBLIC != 0 || export.generate_public_hash.0 != 0
}

pub(super) fn package_name(package: &Package) -> Result<String> {
    let name = package.summary().folder_name.text(package.source());
    let name = name.map_err(|error| error.in_field("folder_name"))?.into_owned();
    match name.starts_with('/') {
        true => Ok(name),
        false => Err(Error::unsupported(format!(
            "its header does not say its path, which the hashes of its objects are made of, but '{name}'"
        ))),
    }
}

/// Bytes of the header of a package that containers do not count.
pub(super) fn later_bytes(versions: &Versions, imports: usize) -> i64 {
    match versions.ue5() >= ue5::IMPORT_TYPE_HIERARCHIES {
        true if Import::names_package(versions) => LATER_BYTES * (imports as i64 + 1),
        true => LATER_BYTES,
        false => 0,
    }
}

/// The size of the package's header outside of containers, as these store it.
pub(super) fn cooked_header_size(package: &Package) -> Result<u32> {
    let summary = package.summary();
    let later = later_bytes(package.versions(), package.imports().len());
    let size = i64::from(summary.total_header_size) - later;
    u32::try_from(size).map_err(|_| ErrorKind::OutOfRange { value: size.into(), bits: 32 }.into())
}

pub(super) fn versions(package: &Package) -> Result<Option<ZenVersions>> {
    let summary = package.summary();
    if summary.versions.is_unversioned() {
        return Ok(None);
    }
    let custom_versions = match summary.custom_versions() {
        CustomVersions::Plain(list) => list.clone(),
        CustomVersions::Absent => Vec::new(),
        _ => return Err(Error::unsupported("its custom versions have an old form")),
    };
    let said = &summary.versions;
    Ok(Some(ZenVersions {
        zen: ZEN_VERSION,
        ue4: said.ue4,
        ue5: said.ue5,
        licensee: said.licensee,
        custom_versions,
    }))
}

fn export_words(
    package: &Package,
    row: usize,
    export: &Export,
    imports: &ZenImports,
    names: &mut ZenNames<'_>,
) -> Result<ZenExport> {
    let start = i64::from(package.summary().total_header_size);
    let place = u64::try_from(export.serial_offset.value().saturating_sub(start));
    let place = place.map_err(|_| Error::invalid("its body stands in the header").at_index(row))?;
    Ok(ZenExport {
        cooked_serial_offset: place,
        cooked_serial_size: export.size(),
        object_name: names.name(export.object_name),
        outer: imports.reference(export.outer_index)?,
        class: imports.reference(export.class_index)?,
        super_struct: imports.reference(export.super_index)?,
        template: imports.reference(export.template_index)?,
        public_hash: match is_public(export) {
            true => hash::of_public_export(&inner_path(package, row)?),
            false => 0,
        },
        object_flags: export.object_flags.0 as u32,
        filter: filter(export).map_err(|error| error.at_index(row))?,
    })
}

/// The path of an export within its package.
pub(super) fn inner_path(package: &Package, row: usize) -> Result<String> {
    let mut names = Vec::new();
    let mut index = PackageIndex::export(row);
    while let ObjectRef::Export(_) = index.target() {
        if names.len() > DEEPEST {
            return Err(Error::invalid("objects lie in one another without an end").at_index(row));
        }
        names.push(package.object_name(index));
        index = package.outer(index);
    }
    names.reverse();
    Ok(names.join("."))
}

/// Dependencies of each export: the package's own lists in another order, but for script objects and
/// packages, which always are.
fn dependencies(
    package: &Package,
    imports: &ZenImports,
) -> Result<(Vec<ZenDependencies>, Vec<i32>)> {
    let table = &package.tables().further.preload_dependencies;
    let outside = || Error::invalid("preload dependencies stand outside their table");
    let (mut counts, mut entries, mut listed) = (Vec::new(), Vec::new(), 0);
    for (row, export) in package.tables().exports.iter().enumerate() {
        let ExportPreload { first, .. } = export.preload;
        let preload = &export.preload;
        let mut at = usize::try_from(first).unwrap_or(0);
        let lengths = [
            preload.serialization_before_serialization,
            preload.create_before_serialization,
            preload.serialization_before_create,
            preload.create_before_create,
        ];
        let mut lists = Vec::with_capacity(lengths.len());
        for length in lengths {
            let length = usize::try_from(length).map_err(|_| outside().at_index(row))?;
            let end = at.checked_add(length).ok_or_else(outside)?;
            let list = table.get(at..end).ok_or_else(|| outside().at_index(row))?;
            at = end;
            let mut kept = Vec::new();
            for &index in list {
                let stays = match index.target() {
                    ObjectRef::Import(_) => imports.reference(index)?.stored >> 62 == 2,
                    _ => true,
                };
                if stays {
                    kept.push(index.value());
                }
            }
            lists.push(kept);
        }
        // Lists of a real table stand one behind the other.
        listed += lists.iter().map(Vec::len).sum::<usize>();
        if listed > table.len() {
            return Err(outside().at_index(row));
        }
        let length = |list: &Vec<i32>| list.len() as u32;
        counts.push(ZenDependencies {
            first: if first < 0 { -1 } else { entries.len() as i32 },
            create_before_create: length(&lists[3]),
            serialize_before_create: length(&lists[2]),
            create_before_serialize: length(&lists[1]),
            serialize_before_serialize: length(&lists[0]),
        });
        lists.into_iter().rev().for_each(|list| entries.extend(list));
    }
    Ok((counts, entries))
}
