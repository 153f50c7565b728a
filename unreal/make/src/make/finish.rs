//! From a draft to a package: rows get their places, references follow.

use std::collections::HashMap;

use crate::Archive as _;
use crate::archive::{Archived, Remap};
use crate::error::Result;
use crate::generate::{Profile, create};
use crate::object::{Body, Facts, Native};
use crate::package::{Decoded, Package};
use crate::primitive::{FString, NameFlags, NameRemap, ObjectRef, PackageIndex};
use crate::table::{DependsRow, Export, Import, NameEntry};
use crate::version::UnrealVersions;

use super::draft::PackageDraft;
use super::order::{export_order, sort_key};

/// The net index of an object without an owner on the net.
const NO_NET_INDEX: i32 = -1;

/// Which row of the draft stands at each place of the tables.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct RowPlaces {
    pub names: Vec<usize>,
    pub imports: Vec<usize>,
    pub exports: Vec<usize>,
}

impl RowPlaces {
    /// As the draft has them: objects in the order in which they were made.
    pub fn of_draft(draft: &PackageDraft) -> Self {
        Self {
            names: (0..draft.names().len()).collect(),
            imports: (0..draft.imports().len()).collect(),
            exports: draft.created.clone(),
        }
    }
}

/// The new row of each old one.
fn inverse(places: &[usize]) -> HashMap<usize, usize> {
    places.iter().enumerate().map(|(new, old)| (*old, new)).collect()
}

/// The place in UE3: names by their letters, imports by class and path, exports by the walk through their classes.
///
/// # Errors
/// As [`package`].
pub(super) fn sorted_places(
    draft: &PackageDraft,
    all: &RowPlaces,
    profile: &Profile,
    name_flags: &dyn Fn(&str) -> NameFlags,
) -> Result<RowPlaces> {
    let mut places = all.clone();
    places.names.sort_by_cached_key(|row| draft.names().get(*row).map(|it| it.to_lowercase()));
    let made = package(draft, &places, profile, name_flags)?;
    let mut imports: Vec<(String, usize)> = (0..places.imports.len())
        .map(|at| (sort_key(&made, PackageIndex::import(at)), places.imports[at]))
        .collect();
    imports.sort();
    places.imports = imports.into_iter().map(|it| it.1).collect();
    let exports = export_order(&made);
    places.exports = exports.into_iter().map(|at| all.exports[at]).collect();
    Ok(places)
}

/// The package with its rows at these places.
///
/// # Errors
/// `Invalid` where something refers to a row without a place.
pub(super) fn package(
    draft: &PackageDraft,
    places: &RowPlaces,
    profile: &Profile,
    name_flags: &dyn Fn(&str) -> NameFlags,
) -> Result<Package> {
    let names = inverse(&places.names);
    let imports = inverse(&places.imports);
    let exports = inverse(&places.exports);
    let by_name = |old: i32| {
        let new = names.get(&usize::try_from(old).ok()?)?;
        i32::try_from(*new).ok()
    };
    let by_object = |old: i32| match PackageIndex::new(old).target() {
        ObjectRef::Null => Some(0),
        ObjectRef::Import(row) => imports.get(&row).map(|row| PackageIndex::import(*row).value()),
        ObjectRef::Export(row) => exports.get(&row).map(|row| PackageIndex::export(*row).value()),
    };
    let mut package = create(profile)?;
    let versions = package.versions().clone();
    let mut remap = Remap::names_and_objects(versions.of_bodies(), &by_name, &by_object);
    let parts = package.parts_mut();
    let tables = parts.tables;
    tables.names = places
        .names
        .iter()
        .map(|&row| {
            let text = draft.names().get(row).map_or("None", String::as_str);
            NameEntry { text: stored_name(text), flags: name_flags(text) }
        })
        .collect();
    tables.lookup.forget();
    tables.imports.clear();
    for import in places.imports.iter().filter_map(|&row| draft.imports().get(row)) {
        let mut import = Import {
            class_package: import.class_package,
            class_name: import.class_name,
            outer_index: import.outer,
            object_name: import.name,
            ..Import::default()
        };
        import.serialize(&mut remap)?;
        tables.imports.push(import);
    }
    tables.exports = Default::default();
    for object in places.exports.iter().filter_map(|&row| draft.objects.get(row)) {
        let mut export = Export {
            class_index: object.class,
            super_index: object.super_index,
            outer_index: object.outer,
            object_name: object.name,
            archetype_index: object.archetype,
            object_flags: object.flags,
            ..Export::default()
        };
        export.serialize(&mut remap)?;
        tables.exports.push(export);
    }
    if versions.file() >= crate::version::threshold::DEPENDS_ADDED {
        tables.depends = vec![DependsRow::default(); places.exports.len()];
    }
    tables.sync_counts(&versions)?;
    for (row, &old) in places.exports.iter().enumerate() {
        let Some(object) = draft.objects.get(old) else { continue };
        let shape = package.shape(row, &package.class_chain(row));
        let is_class = object.class.is_null();
        let mut body =
            Body::new(&versions, shape, object.properties.clone(), object.native.clone());
        if is_class {
            body.properties = None;
        }
        if versions.file() >= 322 {
            body.net_index = Some(NO_NET_INDEX);
        }
        if let Some(component) = &mut body.component
            && component.template_name.is_some()
        {
            component.template_name = Some(object.name);
        }
        if matches!(body.native, Native::None)
            && let Some(make) = body.shape().maker
        {
            let (shape, context) = (body.shape().clone(), package.decoding_context());
            body.native = make(&Facts {
                class: &shape.class,
                name: shape.name,
                versions: &versions,
                properties: body.properties.as_ref(),
                prologue: None,
                context: &context,
            });
        }
        visit(&mut body, &mut remap)?;
        let decoded = Decoded { body, error: None, opaque: 0, payload: 0 };
        package.parts_mut().bodies.decoded.insert(row, decoded);
    }
    Ok(package)
}

fn visit(body: &mut Body, remap: &mut Remap<'_>) -> Result<()> {
    match &mut body.native {
        Native::Script(object) => object.serialize(remap)?,
        Native::Object(object) => object.serialize_dyn(remap.as_dyn())?,
        Native::None | Native::Opaque(_) => {}
    }
    for list in body.properties.iter_mut() {
        list.serialize(remap)?;
    }
    if let Some(component) = &mut body.component {
        component.serialize(remap)?;
    }
    Ok(())
}

fn stored_name(text: &str) -> FString {
    FString::ansi(text).unwrap_or_else(|| FString::new(text))
}
