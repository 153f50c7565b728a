//! Saving a zen package whose order of loading can't be made anew: it is kept, and so is what it counts on.
//!
//! Up to 5.2 what bundles wait for depends on the bundles of other packages; later headers may come from a tool that
//! orders otherwise than the engine.

use std::collections::{HashMap, HashSet};

use super::around::ZenAround;
use super::imports::{SCRIPTS, chain};
use super::names::ZenNames;
use super::write::{
    bulk_data, filter, inner_path, is_public, no_public_hash, package_name, public_hash, versions,
};
use super::{bodies, bundles, placeholder};
use crate::container::zen::{ZenExport, ZenForm, ZenHeader, ZenReference, ZenTarget, hash};
use crate::error::{Error, Result, UnrealErrors};
use crate::package::Package;
use crate::primitive::{ObjectRef, PackageIndex};
use crate::table::Export;

/// The file of a changed package, `image`, with the order of loading of the one that was opened from `file`.
///
/// # Errors
/// `Unsupported` for changes that the order of loading depends on.
pub(super) fn save(
    package: &Package,
    image: &[u8],
    around: &ZenAround,
    file: &[u8],
) -> Result<Vec<u8>> {
    let old = &around.header;
    let form = ZenForm::of(&around.versions);
    let mut header = old.clone();
    let count = package.exports().len();
    if count != old.exports.len() {
        return Err(refused(form, format!("it had {} objects, now {count}", old.exports.len())));
    }
    header.imports = imports(package, old, form)?;
    let (old_ranges, old_end) = bodies::ranges(old, form, file.len())?;
    let mut names = ZenNames::of(package, used_names(package, around));
    let renamed = renamed(package, old)?;
    let mut shift = 0;
    for (row, export) in package.tables().exports.iter().enumerate() {
        let before = old.exports[row];
        let is_renamed = renamed.contains(&row);
        let words =
            export_words(package, (row, export), is_renamed, (&header, old), form, &mut names)?;
        let grown = export.size() as i64 - before.cooked_serial_size as i64;
        let body = file.get(old_ranges[row].clone()).unwrap_or_default();
        if (shift, grown) != (0, 0) && counts_positions(package, body, before.cooked_serial_offset)
        {
            let path = package.path(PackageIndex::export(row));
            let reason = format!("the body of '{path}' seems to count positions in a file");
            return Err(refused(form, reason));
        }
        let place = before.cooked_serial_offset.checked_add_signed(shift);
        let place = place.ok_or_else(|| Error::invalid("its body stands too far").at_index(row))?;
        header.exports[row] = ZenExport { cooked_serial_offset: place, ..words };
        shift += grown;
    }
    let (name, source_name) = (old.summary.name, old.summary.source_name);
    if form == ZenForm::Ue4_26 {
        // The package itself does not say them.
        header.summary.name = names.kept(&old.name(name)?, name);
        header.summary.source_name = names.kept(&old.name(source_name)?, source_name);
    } else {
        header.summary.name = names.kept(&package_name(package)?, name);
    }
    header.names = names.into_batch();
    header.summary.package_flags = package.summary().package_flags;
    header.bulk_data = bulk_data(package);
    if let (Some(said), Some(mut new)) = (&old.versions, versions(package)?) {
        new.zen = said.zen;
        header.versions = Some(new);
    }
    bundles::place(&mut header, form);
    let mut bytes = header.to_bytes(&around.versions)?;
    let order: Vec<usize> = match form.has_bundles() {
        true => header.reading_order().collect(),
        false => (0..count).collect(),
    };
    for row in order {
        let (start, size) = package.body_range(row);
        let body = image.get(start as usize..).and_then(|rest| rest.get(..size as usize));
        let body =
            body.ok_or_else(|| Error::invalid("its body ends behind the file").at_index(row))?;
        bytes.extend_from_slice(body);
    }
    bytes.extend_from_slice(file.get(old_end..).unwrap_or_default());
    Ok(bytes)
}

/// How many names of the package are those of the header: all that bodies may use.
fn used_names(package: &Package, around: &ZenAround) -> usize {
    let all = package.names().len();
    let used = package.summary().names_referenced_from_export_data_count;
    match ZenForm::of(&around.versions) {
        // Names that were added stand behind those that the imports needed when it was opened.
        ZenForm::Ue4_26 if all == around.names => around.header.names.texts.len(),
        ZenForm::Ue4_26 => all,
        _ => usize::try_from(used).unwrap_or(0),
    }
}

fn export_words(
    package: &Package,
    (row, export): (usize, &Export),
    is_renamed: bool,
    (header, old): (&ZenHeader, &ZenHeader),
    form: ZenForm,
    names: &mut ZenNames<'_>,
) -> Result<ZenExport> {
    let before = old.exports[row];
    let reference = |index: PackageIndex| match index.target() {
        ObjectRef::Null => Ok(ZenReference::NULL),
        ObjectRef::Export(row) => Ok(ZenTarget::Export(row as u64).into()),
        ObjectRef::Import(row) => {
            let missing = || Error::invalid(format!("there is no import {row}"));
            header.imports.get(row).copied().ok_or_else(missing)
        }
    };
    let mut words = ZenExport {
        cooked_serial_size: export.size(),
        object_name: names.name(export.object_name),
        outer: reference(export.outer_index)?,
        class: reference(export.class_index)?,
        super_struct: reference(export.super_index)?,
        template: reference(export.template_index)?,
        object_flags: export.object_flags.0 as u32,
        filter: filter(export).map_err(|error| error.at_index(row))?,
        ..before
    };
    let links = |it: &ZenExport| [it.outer, it.class, it.super_struct, it.template];
    if links(&words) != links(&before) {
        let path = package.path(PackageIndex::export(row));
        let reason = format!("'{path}' has another outer, class, base or template");
        return Err(refused(form, reason));
    }
    if is_renamed || words.object_flags != before.object_flags {
        let inner = inner_path(package, row)?;
        words.public_hash = match words.object_flags & 1 != 0 || is_public(export) {
            true => {
                let source = match form {
                    ZenForm::Ue4_26 => old.name(old.summary.source_name)?,
                    _ => String::new(),
                };
                public_hash(form, &source, &inner)
            }
            false => no_public_hash(form),
        };
    }
    Ok(words)
}

/// The exports that have another path.
fn renamed(package: &Package, old: &ZenHeader) -> Result<HashSet<usize>> {
    let mut renamed = HashSet::new();
    for (row, export) in old.exports.iter().enumerate() {
        if package.object_name(PackageIndex::export(row)) != old.name(export.object_name)? {
            renamed.insert(row);
        }
    }
    if renamed.is_empty() {
        return Ok(renamed);
    }
    for row in 0..old.exports.len() {
        if inner_path(package, row)? != old.inner_path(row)? {
            renamed.insert(row);
        }
    }
    Ok(renamed)
}

/// Whether a body seems to hold positions in the file that the package was cooked as.
pub(super) fn counts_positions(package: &Package, body: &[u8], start: u64) -> bool {
    let scan = package.bulk_scan();
    scan.is_some_and(|scan| scan.shows_absolute(body, start) || scan.shows_biased(body))
}

/// The imports as they were, and new ones of compiled code behind them.
fn imports(package: &Package, old: &ZenHeader, form: ZenForm) -> Result<Vec<ZenReference>> {
    let mut imports = old.imports.clone();
    if package.imports().len() < imports.len() {
        return Err(refused(form, "imports were removed".to_owned()));
    }
    let mut known: HashSet<ZenReference> = imports.iter().copied().collect();
    // Which package the outermost import of an object stands for.
    let mut packages: HashMap<PackageIndex, u32> = HashMap::new();
    for (row, import) in package.imports().iter().enumerate() {
        let (chain, root) = chain(package, import.index())?;
        let by_path = || hash::of_script_object(&import.path());
        let stands_for = placeholder::hash(chain.last().unwrap_or(&root));
        let Some(before) = old.imports.get(row) else {
            let added = ZenReference::from(ZenTarget::Script(stands_for.unwrap_or_else(by_path)));
            let is_script = root.starts_with(SCRIPTS) || placeholder::hash(&root).is_some();
            if !is_script || !known.insert(added) {
                let reason = format!("'{}' is imported anew", import.path());
                return Err(refused(form, reason));
            }
            imports.push(added);
            continue;
        };
        let is_same = match before.target() {
            ZenTarget::Null => chain.is_empty(),
            ZenTarget::Script(hash) => stands_for.unwrap_or_else(by_path) == hash,
            ZenTarget::Package { .. } if form == ZenForm::Ue4_26 => {
                stands_for.unwrap_or_else(by_path) == before.hash()
            }
            ZenTarget::Package { package: row_of_package, hash } => {
                let package_of = |index| package.outer(index);
                let public = stands_for.unwrap_or_else(|| hash::of_public_export(&chain.join(".")));
                let mut outermost = import.index();
                while !package_of(outermost).is_null() {
                    outermost = package_of(outermost);
                }
                // Those without one are objects of packages that have no import of their own.
                let is_own = outermost == import.index();
                old.imported_public_hashes.get(hash as usize) == Some(&public)
                    && (is_own
                        || *packages.entry(outermost).or_insert(row_of_package) == row_of_package)
            }
            ZenTarget::Export(_) => false,
        };
        if !is_same {
            return Err(refused(form, format!("'{}' was another import", import.path())));
        }
    }
    Ok(imports)
}

fn refused(form: ZenForm, what: String) -> Error {
    let reason = match form.has_bundles() {
        true => {
            "packages in containers up to 5.2 wait for bundles of other packages, so only values, names and \
             imports of compiled code can change in them; convert it (upk convert --to legacy) and cook or \
             pack that"
        }
        false => "its order of loading is not the engine's, so it is kept",
    };
    Error::unsupported(format!("{what}: {reason}"))
}
