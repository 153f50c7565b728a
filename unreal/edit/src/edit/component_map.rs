//! The components of an object by name, in its row (file versions 178 to 542).

use super::Edit;
use super::rows::export_row;
use crate::object::Shape;
use crate::package::Package;
use crate::primitive::{Name, ObjectRef, PackageIndex};
use crate::table::ComponentEntry;
use crate::version::{UnrealVersions, Versions, threshold};

/// Whether rows of these versions list components.
fn has_component_lists(versions: &Versions) -> bool {
    (threshold::COMPONENT_MAP_ADDED..threshold::COMPONENT_MAP_REMOVED).contains(&versions.file())
}

/// The name by which a component is listed: that of what it starts from, or else its own. So are all 643 components
/// in the rows of real packages (391 to 530).
fn component_name(package: &Package, row: usize) -> Option<Name> {
    let export = package.tables().exports.get(row)?;
    match export.archetype().target() {
        ObjectRef::Null => Some(export.object_name),
        ObjectRef::Export(row) => package.tables().exports.get(row).map(|row| row.object_name),
        ObjectRef::Import(row) => package.tables().imports.get(row).map(|row| row.object_name),
    }
}

impl Edit {
    /// Lists a component in the row of what it lies in, or says its name there anew. Where that name is another one's
    /// already, that one stays and this one is not listed: it is a map.
    pub(super) fn settle_component(&mut self, row: usize) {
        if !has_component_lists(self.versions()) || !self.is_component(row) {
            return;
        }
        let index = PackageIndex::export(row);
        let (name, outer) = (component_name(self, row), export_row(self.outer(index)));
        let (Some(name), Some(outer)) = (name, outer) else { return };
        let Some(owner) = self.tables().exports.get(outer) else { return };
        let map = &owner.details.component_map;
        if map.iter().any(|entry| entry.name == name && entry.export != index) {
            self.unlist_components([outer], |listed| listed == index);
            return;
        }
        let own = map.iter().position(|entry| entry.export == index);
        if own.is_some_and(|own| map[own].name == name) {
            return;
        }
        self.change_export(outer, |export| match own {
            Some(own) => export.details.component_map[own].name = name,
            None => export.details.component_map.push(ComponentEntry { name, export: index }),
        });
    }

    /// The same for the components that start from an object, which has another name now.
    pub(super) fn settle_started_from(&mut self, source: PackageIndex) {
        if !has_component_lists(self.versions()) {
            return;
        }
        let rows = self.tables().exports.iter().enumerate();
        let starting = rows.filter(|(_, export)| export.archetype() == source).map(|(row, _)| row);
        for row in starting.collect::<Vec<_>>() {
            self.settle_component(row);
        }
    }

    /// Takes components out of the lists of these rows; says which had any of them.
    pub(super) fn unlist_components(
        &mut self,
        owners: impl IntoIterator<Item = usize>,
        goes: impl Fn(PackageIndex) -> bool,
    ) -> Vec<usize> {
        if !has_component_lists(self.versions()) {
            return Vec::new();
        }
        let lists = |row: &usize| {
            let owner = self.tables().exports.get(*row);
            let map = owner.map_or(&[][..], |owner| owner.details.component_map.as_slice());
            map.iter().any(|entry| goes(entry.export))
        };
        let owners: Vec<usize> = owners.into_iter().filter(lists).collect();
        for &owner in &owners {
            self.change_export(owner, |export| {
                export.details.component_map.retain(|entry| !goes(entry.export));
            });
        }
        owners
    }

    fn is_component(&self, row: usize) -> bool {
        let is =
            |class: &String| class.eq_ignore_ascii_case("Component") || Shape::is_component(class);
        self.class_line(row).iter().any(is)
    }
}
