//! Preload dependencies: what must be there before an export of a cooked package is made and read.
//!
//! Each export of a cooked package (UE4 507 on, where the loader is driven by events) has four lists, which
//! stand one behind the other in one table; every package of the corpus that has the table, 106, has them in
//! the order of the exports, without gaps (spec: ue4-5/03 §14). Measured on 14,948 references of the 69 that
//! were not made from containers, all but 74 of which are as the rule says:
//!
//! | what | where | how many |
//! |---|---|---|
//! | class, template | serialised before the export is created | all |
//! | outer, super | created before the export is created | all; of a struct, and of what lies in the defaults of a class, also serialised before it is read |
//! | what the body refers to and none of these is | created before the export is read, in the order in which the body has them | all; what a class asks for by itself stands in "serialised before read" instead |
//! | objects of `/Script/CoreUObject` | nowhere | all: nothing of it loads anything |
//! | the object with a class's own defaults | nowhere | the 74 others: it is loaded behind its class |
//!
//! Entries that the body does not say (960) follow from the code of classes: subobjects of templates,
//! components of defaults. They stay as they are.

use std::collections::BTreeSet;

use super::Edit;
use crate::archive::{Archived, Context};
use crate::error::{Error, Result};
use crate::object::Body;
use crate::object::ue4::table::data_table::DataTable;
use crate::package::{Package, native_as};
use crate::primitive::{ObjectRef, PackageIndex, Visit, Visitor, Way};
use crate::property::Value;
use crate::table::{ExportPreload, next_row};
use crate::version::UnrealVersions;
use crate::version::threshold::ue4;

/// The objects that must be there before an export, in the order in which the table has the lists.
///
/// Spec: ue4-5/03 §14.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct PreloadDependencies {
    /// To be serialised before it is serialised. C++: `SerializationBeforeSerializationDependencies`.
    pub serialized_before_serialization: Vec<PackageIndex>,
    /// To be created before it is serialised. C++: `CreateBeforeSerializationDependencies`.
    pub created_before_serialization: Vec<PackageIndex>,
    /// To be serialised before it is created. C++: `SerializationBeforeCreateDependencies`.
    pub serialized_before_creation: Vec<PackageIndex>,
    /// To be created before it is created. C++: `CreateBeforeCreateDependencies`.
    pub created_before_creation: Vec<PackageIndex>,
}

impl PreloadDependencies {
    /// The preload dependencies of an export; `None` where the package has no table of them.
    pub fn of(package: &Package, row: usize) -> Option<Self> {
        let table = &package.tables().further.preload_dependencies;
        let preload = package.tables().exports.get(row)?.preload;
        if !has_preload(package) {
            return None;
        }
        let mut at = usize::try_from(preload.first).unwrap_or(table.len());
        let mut take = |count: i32| {
            let count = usize::try_from(count).unwrap_or(0);
            let taken = table.get(at..at.saturating_add(count)).unwrap_or_default().to_vec();
            at = at.saturating_add(count);
            taken
        };
        Some(Self {
            serialized_before_serialization: take(preload.serialization_before_serialization),
            created_before_serialization: take(preload.create_before_serialization),
            serialized_before_creation: take(preload.serialization_before_create),
            created_before_creation: take(preload.create_before_create),
        })
    }

    /// The four lists, in the table's order.
    pub fn lists(&self) -> [&[PackageIndex]; 4] {
        [
            &self.serialized_before_serialization,
            &self.created_before_serialization,
            &self.serialized_before_creation,
            &self.created_before_creation,
        ]
    }

    fn lists_mut(&mut self) -> [&mut Vec<PackageIndex>; 4] {
        [
            &mut self.serialized_before_serialization,
            &mut self.created_before_serialization,
            &mut self.serialized_before_creation,
            &mut self.created_before_creation,
        ]
    }

    fn holds(&self, index: PackageIndex) -> bool {
        self.lists().iter().any(|list| list.contains(&index))
    }

    /// The same with other references; those without one are left out.
    pub(super) fn mapped(mut self, by: impl Fn(PackageIndex) -> Option<PackageIndex>) -> Self {
        for list in self.lists_mut() {
            *list = list.iter().filter_map(|&index| by(index)).collect();
        }
        self
    }
}

/// Whether the package has a table of preload dependencies.
pub(crate) fn has_preload(package: &Package) -> bool {
    let summary = &package.tables().summary;
    package.versions().ue4() >= ue4::PRELOAD_DEPENDENCIES_IN_COOKED_EXPORTS
        && summary.preload_dependency_count > 0
        && !package.tables().further.preload_dependencies.is_empty()
}

/// The references of a body in the order in which they stand there.
#[derive(Default)]
struct Visited(Vec<PackageIndex>, BTreeSet<i32>);

impl Visitor for Visited {
    fn takes_paths(&self) -> bool {
        false
    }

    fn object(&mut self, index: &mut PackageIndex, _: &Way) {
        if !index.is_null() && self.1.insert(index.value()) {
            self.0.push(*index);
        }
    }
}

/// Where the first of the references stands in a list that has some of them.
fn first_of(references: &[PackageIndex], list: &[PackageIndex]) -> usize {
    list.iter().position(|index| references.contains(index)).unwrap_or(0)
}

impl Edit {
    /// Brings the preload dependencies of an export up to date: whatever its row and its body refer to and
    /// none of its lists has is added where the module's rule says. Does nothing where the package has no
    /// such table.
    ///
    /// # Errors
    /// `OutOfRange` for a table beyond what the header can count.
    pub(crate) fn settle_preload(&mut self, row: usize) -> Result<()> {
        self.settle_preload_since(row, &[])
    }

    /// The same after a change of the body, which had these references before: those that it has lost leave
    /// the list of what must be created before it is read, and of the others those that no list had stay so
    /// (packages that were made from containers have lists of another kind).
    ///
    /// # Errors
    /// As [`Edit::settle_preload`].
    pub(crate) fn settle_preload_since(
        &mut self,
        row: usize,
        before: &[PackageIndex],
    ) -> Result<()> {
        match PreloadDependencies::of(self, row) {
            Some(old) => self.settle_preload_from(row, old, before),
            None => Ok(()),
        }
    }

    /// Gives the package a table of preload dependencies, which has none yet, with those of this export.
    ///
    /// # Errors
    /// As [`Edit::settle_preload`].
    pub(crate) fn begin_preload(&mut self, row: usize) -> Result<()> {
        self.settle_preload_from(row, PreloadDependencies::default(), &[])?;
        // References of bodies count where there is a table.
        self.settle_preload(row)
    }

    fn settle_preload_from(
        &mut self,
        row: usize,
        old: PreloadDependencies,
        before: &[PackageIndex],
    ) -> Result<()> {
        let Some(export) = self.tables().exports.get(row) else { return Ok(()) };
        let [class, template, outer, super_index] =
            [export.class_index, export.template_index, export.outer_index, export.super_index];
        let mut new = old.clone();
        let wanted = |index: &&PackageIndex| self.is_preloaded(row, **index);
        for index in [class, template].iter().filter(wanted) {
            if !new.serialized_before_creation.contains(index) {
                new.serialized_before_creation.push(*index);
            }
        }
        for index in [outer, super_index].iter().filter(wanted) {
            // What is serialised before is created before as well.
            let known = [&new.serialized_before_creation, &new.created_before_creation];
            if !known.iter().any(|list| list.contains(index)) {
                new.created_before_creation.push(*index);
            }
        }
        let references = self.references_of(row);
        let lost = |index: &PackageIndex| {
            before.contains(index) && references.as_ref().is_some_and(|now| !now.contains(index))
        };
        if let Some(asked) = self.asked_for(row).filter(|index| wanted(&index)) {
            new.serialized_before_serialization.retain(|index| !lost(index));
            let known = [&new.serialized_before_serialization, &new.serialized_before_creation];
            let is_serialized = known.iter().any(|list| list.contains(&asked));
            // What no list had before stays so: see below.
            let was_left_out = before.contains(&asked) && !old.holds(asked);
            if !is_serialized && !was_left_out {
                new.created_before_serialization.retain(|index| *index != asked);
                new.created_before_creation.retain(|index| *index != asked);
                new.serialized_before_serialization.push(asked);
            }
        }
        new.created_before_serialization.retain(|index| !lost(index));
        let mut last = None;
        for index in references.iter().flatten().copied() {
            if !self.is_preloaded(row, index) {
                continue;
            }
            let created = &mut new.created_before_serialization;
            match created.iter().position(|&known| known == index) {
                Some(at) => last = Some(at),
                None if new.holds(index) || before.contains(&index) => {}
                None => {
                    let created = &mut new.created_before_serialization;
                    let at = match last {
                        Some(last) => last + 1,
                        // The first of all: before what the body has first of those that follow.
                        None => first_of(references.as_deref().unwrap_or_default(), created),
                    };
                    created.insert(at.min(created.len()), index);
                    last = Some(at);
                }
            }
        }
        if new == old { Ok(()) } else { self.set_preload(row, &new) }
    }

    /// What the class of an object asks for by itself: a data table can't read its rows without their struct.
    fn asked_for(&self, row: usize) -> Option<PackageIndex> {
        let decoded = self.bodies().decoded.get(&row)?;
        native_as::<DataTable>(&decoded.body)?;
        decoded.body.lists().next()?.properties.iter().find_map(|property| {
            let is_it = property.name_text(|name| self.name_text(name)) == "RowStruct";
            match property.value() {
                Value::Object(index) if is_it => Some(*index),
                _ => None,
            }
        })
    }

    /// The references of a decoded body, in its order; `None` for one that is not decoded.
    pub(super) fn references_of(&self, row: usize) -> Option<Vec<PackageIndex>> {
        self.bodies().decoded.get(&row).map(|decoded| self.preload_references(&decoded.body))
    }

    /// The references of a body where preload dependencies count them; none in other packages.
    pub(super) fn preload_references(&self, body: &Body) -> Vec<PackageIndex> {
        if !has_preload(self) {
            return Vec::new();
        }
        let mut visited = Visited::default();
        let mut visit = Visit::new(&mut visited, self.versions().of_bodies(), Context::nothing());
        // Visiting never fails: it neither reads nor writes.
        let _ = body.clone().serialize(&mut visit);
        visited.0
    }

    /// Whether an object that an export refers to is one that has to be there before it.
    pub(super) fn is_preloaded(&self, row: usize, index: PackageIndex) -> bool {
        let is_there = match index.target() {
            ObjectRef::Null => false,
            ObjectRef::Import(import) => import < self.tables().imports.len(),
            // Not itself, nor, of a class, the object with its defaults.
            ObjectRef::Export(export) => {
                export != row
                    && self.tables().exports.get(export).is_some_and(|other| {
                        other.class_index != PackageIndex::export(row)
                            || !other.object_flags.is_class_default(self.versions())
                    })
            }
        };
        is_there && !self.is_of_core(index)
    }

    fn is_of_core(&self, index: PackageIndex) -> bool {
        let mut at = index;
        for _ in 0..64 {
            let ObjectRef::Import(row) = at.target() else { return false };
            let Some(import) = self.tables().imports.get(row) else { return false };
            if import.outer_index.is_null() {
                return self.is_name(import.object_name, self.versions().core_package());
            }
            at = import.outer_index;
        }
        false
    }

    /// Puts these lists in the place of those that an export has; the other exports' stay theirs.
    ///
    /// # Errors
    /// `OutOfRange`.
    pub(super) fn set_preload(&mut self, row: usize, new: &PreloadDependencies) -> Result<()> {
        let lists = new.lists();
        let total: usize = lists.iter().map(|list| list.len()).sum();
        next_row(self.tables().further.preload_dependencies.len() + total)?;
        let range = |preload: &ExportPreload| -> Option<std::ops::Range<usize>> {
            let counts = [
                preload.serialization_before_serialization,
                preload.create_before_serialization,
                preload.serialization_before_create,
                preload.create_before_create,
            ];
            let count: usize =
                counts.iter().map(|&count| usize::try_from(count).unwrap_or(0)).sum();
            let first = usize::try_from(preload.first).ok()?;
            (count > 0).then(|| first..first + count)
        };
        let Some(export) = self.tables().exports.get(row) else {
            return Err(Error::invalid("an export that is not there has no preload dependencies"));
        };
        let old = range(&export.preload);
        let others = self.tables().exports.iter().enumerate().filter(|(at, _)| *at != row);
        let others: Vec<_> =
            others.filter_map(|(at, other)| Some((at, range(&other.preload)?))).collect();
        let shared = old.as_ref().is_some_and(|old| {
            others.iter().any(|(_, other)| other.start < old.end && old.start < other.end)
        });
        let length = self.tables().further.preload_dependencies.len();
        // In the order of the exports; a range that others share stays for them.
        let (at, gone) = match &old {
            Some(old) if !shared && old.end <= length => (old.start, old.len()),
            Some(_) => (length, 0),
            None => {
                let before = others.iter().rev().find(|(other, _)| *other < row);
                (before.map_or(0, |(_, range)| range.end).min(length), 0)
            }
        };
        let flat: Vec<PackageIndex> = lists.concat();
        let moves = |first: i32| usize::try_from(first).is_ok_and(|first| first >= at + gone);
        let shift = |first: &mut i32| -> Result<()> {
            if moves(*first) {
                let old = usize::try_from(*first).unwrap_or_default();
                *first = next_row(old + total - gone)?;
            }
            Ok(())
        };
        let tables = self.tables_mut();
        tables.further.preload_dependencies.splice(at..at + gone, flat);
        for (other, export) in tables.exports.iter_mut().enumerate() {
            if other != row {
                shift(&mut export.preload.first)?;
            }
        }
        for cell in &mut tables.further.cell_exports {
            shift(&mut cell.first_export_dependency)?;
        }
        let count = |list: usize| next_row(lists[list].len());
        if let Some(export) = tables.exports.get_mut(row) {
            export.preload = match total {
                0 => ExportPreload::NONE,
                _ => ExportPreload {
                    first: next_row(at)?,
                    serialization_before_serialization: count(0)?,
                    create_before_serialization: count(1)?,
                    serialization_before_create: count(2)?,
                    create_before_create: count(3)?,
                },
            };
        }
        tables.summary.preload_dependency_count =
            next_row(tables.further.preload_dependencies.len())?;
        tables.sync_further()
    }
}
