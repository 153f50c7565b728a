//! The components of an object by name, in its row (file versions 178 to 542).

use std::collections::{BTreeMap, HashMap, HashSet};

use super::Edit;
use super::rows::export_row;
use crate::error::{Error, Result, UnrealErrors};
use crate::object::Shape;
use crate::package::Package;
use crate::primitive::{Name, ObjectRef, PackageIndex};
use crate::table::ComponentEntry;
use crate::version::{UnrealVersions, Versions, threshold};

/// The lists of components, by the rows of the objects that have them.
pub(super) type ComponentLists = BTreeMap<usize, Vec<ComponentEntry>>;

/// Whether rows of these versions list components.
pub(super) fn has_component_lists(versions: &Versions) -> bool {
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

    /// The lists that rows have which list components: in the order of their rows, of several with one name the
    /// first.
    pub(super) fn component_lists(&self) -> ComponentLists {
        let exports = &self.tables().exports;
        let mut classes: HashMap<PackageIndex, bool> = HashMap::new();
        let mut names: HashSet<(usize, Name)> = HashSet::new();
        let mut lists = ComponentLists::new();
        for (row, export) in exports.iter().enumerate() {
            let Some(owner) = export_row(export.outer_index) else { continue };
            let is_component = classes.entry(export.class_index);
            if owner >= exports.len() || !*is_component.or_insert_with(|| self.is_component(row)) {
                continue;
            }
            if let Some(name) =
                component_name(self, row).filter(|name| names.insert((owner, *name)))
            {
                let entry = ComponentEntry { name, export: PackageIndex::export(row) };
                lists.entry(owner).or_default().push(entry);
            }
        }
        lists
    }

    /// Whether the lists are those that the rows have by themselves ([`Edit::component_lists`]), so that nothing is
    /// lost without them.
    ///
    /// # Errors
    /// `Refused` with the objects whose lists say something else, each with the first component of which they do.
    pub(super) fn check_component_lists(&self) -> Result<()> {
        let lists = self.component_lists();
        let mut others = Vec::new();
        for (row, export) in self.tables().exports.iter().enumerate() {
            let stored = &export.details.component_map;
            let usual = lists.get(&row).map_or(&[][..], Vec::as_slice);
            let same =
                stored.iter().zip(usual).take_while(|(stored, usual)| stored == usual).count();
            if let Some(entry) = stored.get(same).or_else(|| usual.get(same)) {
                let (owner, component) = (self.exports().path(row), self.path(entry.export));
                others.push(format!("{owner}: {component} as {}", self.name_text(entry.name)));
            }
        }
        if others.is_empty() {
            return Ok(());
        }
        let reason = "rows of that version list no components, and these would be listed otherwise by what they start \
                      from";
        Err(Error::refused(reason, others))
    }

    /// Empties all lists; says whether there were any.
    pub(super) fn drop_component_lists(&mut self) -> bool {
        let has_list = |row: &usize| !self.tables().exports[*row].details.component_map.is_empty();
        let rows: Vec<usize> = (0..self.tables().exports.len()).filter(has_list).collect();
        for &row in &rows {
            self.change_export(row, |export| export.details.component_map.clear());
        }
        !rows.is_empty()
    }

    /// Gives rows these lists.
    pub(super) fn put_component_lists(&mut self, lists: ComponentLists) {
        for (row, list) in lists {
            self.change_export(row, |export| export.details.component_map = list);
        }
    }
}
