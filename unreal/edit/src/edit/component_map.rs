//! The components of an object by name, in its row (file versions 178 to 542).

use std::collections::HashSet;

use super::Edit;
use crate::object::Shape;
use crate::primitive::{ObjectRef, PackageIndex};
use crate::table::ComponentEntry;
use crate::version::{UnrealVersions, threshold};

impl Edit {
    /// Lists a component in the row of what it lies in, or says its name there anew: that of what it starts from, or
    /// else its own. So are all 643 components in the rows of real packages. Where that name is another one's already,
    /// that one stays and this one is not listed: it is a map.
    pub(super) fn settle_component(&mut self, row: usize) {
        if !self.has_component_maps() || !self.is_component(row) {
            return;
        }
        let index = PackageIndex::export(row);
        let ObjectRef::Export(outer) = self.outer(index).target() else { return };
        let export = &self.tables().exports[row];
        let name = match export.archetype().target() {
            ObjectRef::Null => Some(export.object_name),
            ObjectRef::Export(row) => self.tables().exports.get(row).map(|row| row.object_name),
            ObjectRef::Import(row) => self.tables().imports.get(row).map(|row| row.object_name),
        };
        let (Some(name), Some(owner)) = (name, self.tables().exports.get(outer)) else { return };
        let map = &owner.details.component_map;
        let own = map.iter().position(|entry| entry.export == index);
        if let Some(other) = map.iter().position(|entry| entry.name == name) {
            if Some(other) != own {
                self.unlist_component(row);
            }
            return;
        }
        self.change_export(outer, |export| match own {
            Some(own) => export.details.component_map[own].name = name,
            None => export.details.component_map.push(ComponentEntry { name, export: index }),
        });
    }

    /// The same for an object that has another name now, and for the components that start from it.
    pub(super) fn settle_named_component(&mut self, row: usize) {
        if !self.has_component_maps() {
            return;
        }
        self.settle_component(row);
        let source = PackageIndex::export(row);
        let rows = self.tables().exports.iter().enumerate();
        let starting = rows.filter(|(_, export)| export.archetype() == source).map(|(row, _)| row);
        for row in starting.collect::<Vec<_>>() {
            self.settle_component(row);
        }
    }

    fn has_component_maps(&self) -> bool {
        let listed = threshold::COMPONENT_MAP_ADDED..threshold::COMPONENT_MAP_REMOVED;
        listed.contains(&self.versions().file())
    }

    /// Takes a component out of the row of what it lies in.
    pub(super) fn unlist_component(&mut self, row: usize) {
        let index = PackageIndex::export(row);
        let ObjectRef::Export(outer) = self.outer(index).target() else { return };
        let lists = |entry: &ComponentEntry| entry.export == index;
        let owner = self.tables().exports.get(outer);
        if owner.is_some_and(|owner| owner.details.component_map.iter().any(lists)) {
            self.change_export(outer, |export| {
                export.details.component_map.retain(|entry| !lists(entry));
            });
        }
    }

    /// Takes components out of the rows of those that stay; says which rows had them.
    pub(super) fn unlist_components(&mut self, gone: &HashSet<usize>) -> Vec<usize> {
        if !self.has_component_maps() {
            return Vec::new();
        }
        let goes = |entry: &ComponentEntry| match entry.export.target() {
            ObjectRef::Export(row) => gone.contains(&row),
            _ => false,
        };
        let rows = self.tables().exports.iter().enumerate();
        let rows = rows.filter(|(row, export)| {
            !gone.contains(row) && export.details.component_map.iter().any(goes)
        });
        let rows: Vec<usize> = rows.map(|(row, _)| row).collect();
        for &row in &rows {
            self.change_export(row, |export| {
                export.details.component_map.retain(|entry| !goes(entry));
            });
        }
        rows
    }

    fn is_component(&self, row: usize) -> bool {
        let is =
            |class: &String| class.eq_ignore_ascii_case("Component") || Shape::is_component(class);
        self.class_line(row).iter().any(is)
    }
}
