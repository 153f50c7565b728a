//! Content of a package that is made: objects of other packages, put between its own rows.

use std::collections::HashMap;

use crate::archive::{Archived, References, Remap};
use crate::error::Result;
use crate::object::Native;
use crate::object::script_object::ScriptObject;
use crate::package::Package;
use crate::primitive::{Name, NameRemap, ObjectRef, PackageIndex};
use crate::version::UnrealVersions;

use super::draft::PackageDraft;
use super::maker::Maker;
use super::order::class_name;

impl Maker {
    /// Takes the objects of a package that are no code: textures, sounds and the like come into the package that is
    /// made, with the groups around them. Returns whether there are any.
    pub fn content(&mut self, package: Package) -> bool {
        let has_any = !content_rows(&package).is_empty();
        if has_any {
            self.content.push(package);
        }
        has_any
    }
}

/// The rows of objects that are neither code nor lie in code.
pub(super) fn content_rows(package: &Package) -> Vec<usize> {
    let is_code = |index: PackageIndex| {
        let class = class_name(package, index);
        class == "Class" || class == "TextBuffer" || ScriptObject::blank(&class).is_some()
    };
    let rows = 0..package.exports().len();
    rows.filter(|row| {
        let mut at = PackageIndex::export(*row);
        for _ in 0..64 {
            match at.target() {
                ObjectRef::Export(_) if is_code(at) => return false,
                ObjectRef::Export(_) => at = package.outer(at),
                _ => break,
            }
        }
        let class = class_name(package, PackageIndex::export(*row));
        !class.eq_ignore_ascii_case("Package")
    })
    .collect()
}

/// Puts the content of a package into a draft.
///
/// # Errors
/// What an object can't be decoded for.
pub(super) fn add_content(draft: &mut PackageDraft, package: &Package) -> Result<()> {
    let mut placed = HashMap::new();
    let rows = content_rows(package);
    for &row in &rows {
        place(draft, package, row, &mut placed);
    }
    for row in rows {
        let Some(&own) = placed.get(&row) else { continue };
        let decoded = package.decode(row)?;
        let mut body = decoded.body.clone();
        let versions = package.versions().of_bodies();
        let context = package.decoding_context();
        let mut references = References::new(versions.clone()).with_context(context.clone());
        body.clone().serialize(&mut references)?;
        let mut names = HashMap::new();
        for &name in references.rows(&Name::SPACE).keys() {
            let text = package.name_text(Name::new(name));
            names.insert(name, draft.name(&text).index.value());
        }
        let mut objects = HashMap::new();
        for &index in references.rows(&PackageIndex::SPACE).keys() {
            let own = object(draft, package, PackageIndex::new(index), &mut placed);
            objects.insert(index, own.value());
        }
        let by_name = |row: i32| names.get(&row).copied();
        let by_object = |row: i32| objects.get(&row).copied();
        let remap = Remap::names_and_objects(versions, &by_name, &by_object);
        let mut remap = remap.with_context(context).materializing();
        let is_known = !matches!(body.native, Native::Opaque(_));
        if is_known {
            body.serialize(&mut remap)?;
            let made = &mut draft.objects[own];
            made.properties = body.properties.unwrap_or_default();
            made.native = body.native;
        }
    }
    Ok(())
}

/// The row of an object of the other package, and of what is around it.
fn place(
    draft: &mut PackageDraft,
    package: &Package,
    row: usize,
    placed: &mut HashMap<usize, usize>,
) -> usize {
    if let Some(own) = placed.get(&row) {
        return *own;
    }
    let index = PackageIndex::export(row);
    let outer = match package.outer(index).target() {
        ObjectRef::Export(outer) if placed.len() < package.exports().len() => {
            PackageIndex::export(place(draft, package, outer, placed))
        }
        _ => PackageIndex::NULL,
    };
    let (class, path) = (class_name(package, index), package.path(index));
    let of = package.tables().exports.get(row).map_or(PackageIndex::NULL, |it| it.class_index);
    let of = object(draft, package, of, placed);
    let own = draft.create_object(of, &class, &path, outer);
    if let Some(export) = package.tables().exports.get(row) {
        draft.objects[own].flags = export.object_flags;
    }
    placed.insert(row, own);
    own
}

/// A reference of the other package as one of the draft.
fn object(
    draft: &mut PackageDraft,
    package: &Package,
    index: PackageIndex,
    placed: &mut HashMap<usize, usize>,
) -> PackageIndex {
    match index.target() {
        ObjectRef::Null => PackageIndex::NULL,
        ObjectRef::Export(row) => {
            let class = class_name(package, index);
            match class == "Class" || ScriptObject::blank(&class).is_some() {
                // Code of the same name is that of the sources.
                true => PackageIndex::export(draft.reserve(&class, &package.path(index))),
                false => PackageIndex::export(place(draft, package, row, placed)),
            }
        }
        ObjectRef::Import(_) => {
            let mut steps = Vec::new();
            let mut at = index;
            while let ObjectRef::Import(row) = at.target() {
                let Some(import) = package.tables().imports.get(row).filter(|_| steps.len() < 64)
                else {
                    break;
                };
                let text = |name| package.name_text(name);
                let class = format!("{}.{}", text(import.class_package), text(import.class_name));
                steps.push((text(import.object_name), class));
                at = import.outer_index;
            }
            steps.reverse();
            let parts: Vec<(&str, &str)> =
                steps.iter().map(|(name, class)| (name.as_str(), class.as_str())).collect();
            draft.import(&parts)
        }
    }
}
