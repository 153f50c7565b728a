//! The names of a package of UE4 and UE5: its path and its main asset.

use std::collections::BTreeSet;

use super::meaning::ReferenceTexts;
use crate::error::{ErrorKind, Result};
use crate::package::Package;
use crate::package::checksum::package_source;
use crate::package::path_map::short_name;
use crate::primitive::{ObjectFlags, ObjectRef, PackageIndex};
use crate::table::NameEntry;
use crate::version::UnrealVersions;

/// Characters that the engine allows in no path of a package.
const FORBIDDEN: &str = "\\:*?\"<>|' ,.&!~\n\r\t@#";

/// Makes sure that a text can be the path of a package.
///
/// # Errors
/// `Invalid` with what is wrong.
#[doc(hidden)]
pub fn check_path(path: &str) -> Result<()> {
    let fault = if !path.starts_with('/') {
        "must start with a slash: /Game/Folder/Name"
    } else if path.ends_with('/') {
        "needs a name behind the last slash"
    } else if path.contains("//") {
        "has an empty folder"
    } else if path[1..].split('/').count() < 2 {
        "needs a root and a name: /Game/Name"
    } else if path.get(..8).is_some_and(|root| root.eq_ignore_ascii_case("/Script/")) {
        "is under /Script, where only the engine's own code lies"
    } else if path.contains(|c| FORBIDDEN.contains(c)) {
        "has a character that the engine does not allow (space, dot, quote, \\ : * ? < > | & ! ~ @ #)"
    } else if short_name(path).eq_ignore_ascii_case("None") {
        "can't end in None, which means nothing"
    } else {
        return Ok(());
    };
    Err(ErrorKind::Invalid { reason: format!("the package path '{path}' {fault}") }.into())
}

/// The editor's folder of a package of UE3 to UE5.0, its own path from UE5.1; empty when it has none.
pub fn folder_name(package: &Package) -> String {
    let folder = package.summary().folder_name.text(package.source());
    folder.map(|text| text.into_owned()).unwrap_or_default()
}

/// The path by which other packages of UE4 and UE5 call this one, `/Game/Folder/Name`: from UE5.1 on
/// the header says it, before it is what the package's own names and tags agree on. `None` where they do
/// not, and for UE1 to UE3.
pub fn package_path(package: &Package) -> Option<String> {
    if !package.versions().has_soft_references() {
        return None;
    }
    let folder = folder_name(package);
    if folder.starts_with('/') {
        return Some(folder);
    }
    let asset = package.exports().get(main_asset(package)?)?.name();
    // Cooked blueprints leave only the class.
    let asset = asset.strip_suffix("_C").unwrap_or(&asset);
    let mut found = BTreeSet::new();
    let mut note = |path: &str| {
        if !path.starts_with('/') {
            return;
        }
        let package = path.split(['.', ':']).next().unwrap_or_default();
        let own = short_name(package).eq_ignore_ascii_case(asset);
        if own && check_path(package).is_ok() {
            found.insert(package.to_owned());
        }
    };
    let is_path = |entry: &&NameEntry| {
        entry.text.comparable(package.source()).is_ok_and(|text| text.starts_with(b"/"))
    };
    for entry in package.tables().names.iter().filter(is_path) {
        note(&entry.text.text(package.source()).unwrap_or_default());
    }
    let registry =
        package.tables().further.asset_registry.iter().flat_map(|registry| &registry.assets);
    for value in registry.flat_map(|asset| &asset.tags).map(|tag| &tag.value) {
        let text = value.text(package.source()).unwrap_or_default();
        text.split(['\'', '"']).for_each(&mut note);
    }
    // What is imported is another package of the same name.
    let imported = |path: &String| {
        package.imports().iter().any(|import| import.path().eq_ignore_ascii_case(path))
    };
    found.retain(|path| !imported(path));
    found.dedup_by_case();
    match (found.pop_first(), found.is_empty()) {
        (Some(path), true) => Some(path),
        _ => None,
    }
}

/// The row of the main asset of a package of UE4 and UE5: the one that is called like the package.
pub fn main_asset(package: &Package) -> Option<usize> {
    if !package.versions().has_soft_references() {
        return None;
    }
    let objects = package.object_index();
    // What the editor notes of the others is none, also where nothing else is left. Most objects are of the
    // class of the one before.
    let mut last = None;
    let mut is_note = |row: usize| {
        let class = package.tables().exports[row].class_index;
        match last {
            Some((known, is)) if known == class => is,
            _ => last.insert((class, package.class_path(row).ends_with(".MetaData"))).1,
        }
    };
    let tops = objects.inner(PackageIndex::NULL).iter().filter_map(|index| match index.target() {
        ObjectRef::Export(row) => Some(row),
        _ => None,
    });
    let tops: Vec<usize> = tops.filter(|&row| !is_note(row)).collect();
    let name = |row: usize| package.exports().get(row).map(|row| row.name()).unwrap_or_default();
    let folder = folder_name(package);
    let rows = || tops.iter().copied();
    let exactly = |short: &str| {
        let named = objects.named(short).iter().filter_map(|index| match index.target() {
            ObjectRef::Export(row) => Some(row),
            _ => None,
        });
        named
            .filter(|row| tops.binary_search(row).is_ok())
            .find(|&row| name(row).eq_ignore_ascii_case(short))
    };
    let class = |short: &str| exactly(&format!("{short}_C"));
    let called = |short: &str| exactly(short).or_else(|| class(short));
    if folder.starts_with('/')
        && let Some(row) = called(short_name(&folder))
    {
        return Some(row);
    }
    let source = package.tables().summary.package_source;
    let by_source = |&row: &usize| package_source(&name(row)) == source;
    let by_class = |&row: &usize| {
        name(row).strip_suffix("_C").is_some_and(|short| package_source(short) == source)
    };
    let asset = |&row: &usize| {
        let export = &package.tables().exports[row];
        let flags = export.object_flags;
        export.is_asset.is_true() || flags.contains(ObjectFlags::UE4_STANDALONE)
    };
    // A zero is no hash of a name.
    let hashed = || rows().filter(|_| source != 0);
    let first = hashed().find(by_source).or_else(|| hashed().find(by_class));
    first.or_else(|| rows().find(asset)).or_else(|| match tops[..] {
        [only] => Some(only),
        _ => None,
    })
}

/// Paths that differ in letters' case only are one.
trait DedupByCase {
    fn dedup_by_case(&mut self);
}

impl DedupByCase for BTreeSet<String> {
    fn dedup_by_case(&mut self) {
        let mut seen = BTreeSet::new();
        self.retain(|path| seen.insert(path.to_ascii_lowercase()));
    }
}
