//! From a cooked package to its form in containers.

use std::borrow::Cow;
use std::collections::HashSet;

use super::bundles::{self, BundleWaits, BundledSteps};
use super::context::ZenContext;
use super::imports::ZenImports;
use super::names::ZenNames;
use super::{order, refusal};
use crate::container::zen::{
    ZenBulkData, ZenDependencies, ZenExport, ZenFilter, ZenForm, ZenHeader, ZenName, ZenReference,
    ZenSummary, ZenVersions, hash,
};
use crate::error::{Error, ErrorKind, Result, UnrealErrors};
use crate::package::{LayoutKind, Package, SaveOptions};
use crate::primitive::{Bool32, Name, ObjectRef, PackageIndex};
use crate::table::{CustomVersions, Export, ExportPreload, Import};
use crate::version::threshold::ue5;
use crate::version::{UnrealVersions, Versions};

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
    /// A cooked package as the engine stores it in a container. From 5.1 on the package itself is enough: what it
    /// imports is known by hashes of names. For those before there is [`ZenContext`].
    ///
    /// # Errors
    /// As [`ZenContext::of`].
    pub fn of(package: &Package) -> Result<Self> {
        ZenContext::new().of(package)
    }
}

impl ZenContext<'_> {
    /// A cooked package as the engine stores it in a container.
    ///
    /// # Errors
    /// `Unsupported` for packages that are not cooked, or by a release before 4.26, for what such a header can't say,
    /// for a package whose name is not given, before 5.3 for one that does not say what its objects wait for, and in UE4 for
    /// one that imports from others; `Invalid` for tables that contradict one another.
    pub fn of(&self, package: &Package) -> Result<ZenPackage> {
        refusal::refuse(package)?;
        let saved = package.save(&SaveOptions::of_image())?;
        match saved.report.layout {
            LayoutKind::InPlace => self.of_saved(package, &saved.bytes),
            _ => self.of_saved(&package.reopened(saved.bytes.clone())?, &saved.bytes),
        }
    }

    pub(super) fn of_saved(&self, package: &Package, image: &[u8]) -> Result<ZenPackage> {
        let mut parts = self.parts(package, image, &HashSet::new())?;
        let mut bytes = parts.header.to_bytes(package.versions())?;
        bytes.extend_from_slice(&parts.bodies);
        let (name, imported) = (parts.name, parts.imported);
        Ok(ZenPackage { bytes, id: hash::of_package(&name), name, imported })
    }

    /// The header of a saved package, and its bodies. `scripts` are hashes of objects that are known to be of
    /// compiled code, whatever their package is called.
    pub(super) fn parts<'a>(
        &self,
        package: &Package,
        image: &'a [u8],
        scripts: &HashSet<u64>,
    ) -> Result<ZenParts<'a>> {
        refusal::refuse(package)?;
        let form = ZenForm::of(package.versions());
        let name = self.name_of(package)?;
        let mut bodies = bodies(package, image)?;
        let ZenDraft { mut header, imports, dependencies, entries, steps } =
            ZenDraft::of(package, &name, scripts)?;
        let imported = imports.packages.keys().copied().collect();
        if form.has_bundles() {
            let (dependencies, entries, imports) = (&dependencies, &entries, &imports);
            let waits = BundleWaits { steps: &steps, dependencies, entries, imports };
            refuse_unordered(package, imports)?;
            if form == ZenForm::Ue4_26 {
                refuse_imports(imports)?;
            } else {
                header.arcs = waits.within()?;
                header.package_arcs = waits.outside()?;
            }
            header.bundles = steps.bundles;
            bundles::place(&mut header, form);
            bodies = Cow::Owned(in_order(package, image, &header)?);
        } else {
            (header.imported_packages, header.imported_package_numbers) = imports.package_names();
            (header.dependencies, header.dependency_entries) = (dependencies, entries);
        }
        (header.imports, header.imported_public_hashes) = (imports.rows, imports.public_hashes);
        Ok(ZenParts { header, bodies, name, imported })
    }
}

/// Containers of UE4 store which bundles of other packages those of one wait for, and cookers divide packages that wait
/// for one another into several: both follow from all packages of a game.
fn refuse_imports(imports: &ZenImports) -> Result<()> {
    match imports.packages.values().next() {
        None => Ok(()),
        Some(name) => Err(Error::unsupported(format!(
            "it imports from '{name}', and containers of UE4 store for which parts of other packages one waits, which only \
             a cooker of the whole game knows: make a .pak file of it"
        ))),
    }
}

/// Packages that came out of containers before 5.3 do not say what each of their objects waits for: put in again they
/// would wait for nothing.
fn refuse_unordered(package: &Package, imports: &ZenImports) -> Result<()> {
    let exports = &package.tables().exports;
    let needs_order = exports.len() > 1 || !exports.is_empty() && !imports.packages.is_empty();
    match needs_order && exports.iter().all(|export| export.preload.first < 0) {
        true => Err(Error::unsupported(
            "it does not say what its objects wait for, as packages that were taken out of containers before 5.3: change \
             the package in its container",
        )),
        false => Ok(()),
    }
}

/// A package in its form in containers.
pub(super) struct ZenParts<'a> {
    pub header: ZenHeader,
    /// The bodies behind it.
    pub bodies: Cow<'a, [u8]>,
    pub name: String,
    /// The numbers of the packages that it imports from, as containers list them.
    pub imported: Vec<u64>,
}

/// What a package says by itself.
struct ZenDraft {
    /// Without imports, and without what its objects wait for.
    header: ZenHeader,
    imports: ZenImports,
    dependencies: Vec<ZenDependencies>,
    entries: Vec<i32>,
    steps: BundledSteps,
}

impl ZenDraft {
    fn of(package: &Package, name: &str, scripts: &HashSet<u64>) -> Result<Self> {
        let tables = package.tables();
        let summary = &tables.summary;
        let form = ZenForm::of(package.versions());
        let used = match form {
            ZenForm::Ue4_26 => package.names().len(),
            _ => usize::try_from(summary.names_referenced_from_export_data_count).unwrap_or(0),
        };
        let mut names = ZenNames::of(package, used);
        let imports = ZenImports::of(package, scripts)?;
        let mut header = ZenHeader::default();
        for (row, export) in tables.exports.iter().enumerate() {
            let words = export_words(package, (name, form), (row, export), &imports, &mut names)?;
            header.exports.push(words);
        }
        let (base, number) = Name::split(name).unwrap_or((name, 0));
        let own_name = names.text(base, number);
        header.summary = ZenSummary {
            name: own_name,
            source_name: if form == ZenForm::Ue4_26 { own_name } else { ZenName::default() },
            package_flags: summary.package_flags,
            cooked_header_size: cooked_header_size(package)?,
            ..ZenSummary::default()
        };
        header.versions = match form {
            ZenForm::Ue4_26 => None,
            _ => versions(package)?,
        };
        header.names = names.into_batch();
        header.bulk_data = bulk_data(package);
        let (dependencies, entries) = dependencies(package, &imports)?;
        let nothing = no_public_hash(form);
        let is_public: Vec<bool> =
            header.exports.iter().map(|it| it.public_hash != nothing).collect();
        header.commands = order::commands(form, &dependencies, &entries, &is_public)?;
        let steps = BundledSteps::of(form, &header.commands, &is_public);
        Ok(Self { header, imports, dependencies, entries, steps })
    }
}

/// The hash of an object that other packages can't refer to.
pub(super) fn no_public_hash(form: ZenForm) -> u64 {
    match form {
        ZenForm::Ue4_26 => ZenReference::NULL.stored,
        _ => 0,
    }
}

/// The hash by which other packages refer to an object; in UE4 the name of the package is part of it.
pub(super) fn public_hash(form: ZenForm, package: &str, inner: &str) -> u64 {
    match form {
        ZenForm::Ue4_26 => {
            let path = hash::of_script_object(&format!("{package}.{inner}"));
            ZenReference::of_path(path).stored
        }
        _ => hash::of_public_export(inner),
    }
}

/// The bodies in the order in which they are read.
fn in_order(package: &Package, image: &[u8], header: &ZenHeader) -> Result<Vec<u8>> {
    let mut bodies = Vec::new();
    for row in header.reading_order() {
        let (start, size) = package.body_range(row);
        let body = image.get(start as usize..).and_then(|rest| rest.get(..size as usize));
        let behind = || Error::invalid("its body ends behind the file").at_index(row);
        bodies.extend_from_slice(body.ok_or_else(behind)?);
    }
    Ok(bodies)
}

/// The bodies with what ends the file: what stands in the `.uexp` file.
fn bodies<'a>(package: &Package, image: &'a [u8]) -> Result<Cow<'a, [u8]>> {
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
        Some(bodies) => Ok(Cow::Borrowed(bodies)),
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

/// The name of a package as its header says it: before 5.1 it says none.
pub(super) fn package_name(package: &Package) -> Result<String> {
    let name = package.summary().folder_name.text(package.source());
    let name = name.map_err(|error| error.in_field("folder_name"))?.into_owned();
    match name.starts_with('/') {
        true => Ok(name),
        false => Err(Error::unsupported(format!(
            "its header does not say its path, which the hashes of its objects are made of, but '{name}': say it \
             (--package /Game/Folder/Name)"
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
        zen: match ZenForm::of(package.versions()) {
            ZenForm::Ue4_26 | ZenForm::Ue5_0 => 0,
            ZenForm::Ue5_2 => 1,
            _ => ZEN_VERSION,
        },
        ue4: said.ue4,
        ue5: said.ue5,
        licensee: said.licensee,
        custom_versions,
    }))
}

fn export_words(
    package: &Package,
    (name, form): (&str, ZenForm),
    (row, export): (usize, &Export),
    imports: &ZenImports,
    names: &mut ZenNames<'_>,
) -> Result<ZenExport> {
    // From 5.0 on places count from the end of the header.
    let start = match form {
        ZenForm::Ue4_26 => 0,
        _ => i64::from(package.summary().total_header_size),
    };
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
            true => public_hash(form, name, &inner_path(package, row)?),
            false => no_public_hash(form),
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
