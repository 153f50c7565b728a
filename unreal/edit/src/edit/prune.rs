//! Pruning: what nothing uses goes.

use std::collections::HashSet;

use super::Edit;
use super::renumber::{HiddenRows, Renumbering};
use crate::archive::{Archive, Archived, References};
use crate::error::Result;
use crate::inspect::ReferenceTexts;
use crate::package::Section;
use crate::primitive::{Guid, NameReferences, ObjectRef, PackageIndex};
use crate::table::Generation;
use crate::version::UnrealVersions;
use crate::version::threshold::{self, ue5};

/// The rows that pruning dropped.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Pruned {
    /// Names that nothing used.
    pub names: Vec<String>,
    /// Rows `None` that were merged into the one that is left.
    pub nones: usize,
    /// The paths of imports that nothing used.
    pub imports: Vec<String>,
    /// Null exports.
    pub null_exports: usize,
    /// Generations before the newest.
    pub generations: usize,
    /// The new GUID; `None` below file version 42, where packages have none.
    pub guid: Option<Guid>,
}

impl Edit {
    /// Drops names, imports and null exports that nothing uses, leaves one `None`, and starts anew: with one
    /// generation and, where packages have one, a new GUID, as a package that was never conformed.
    ///
    /// Rows that opaque bytes may use stay.
    ///
    /// # Errors
    /// Whatever saving the package reports.
    pub fn prune(&mut self) -> Result<Pruned> {
        self.restructure(Self::prune_rows)
    }

    fn prune_rows(&mut self) -> Result<Pruned> {
        let (used, hidden) = self.used_rows();
        let refers = |index: PackageIndex| used.objects().contains_key(&index.value());
        let mut pruned = Pruned::default();
        let mut kept = Renumbering::default();
        let mut none_kept = false;
        for row in 0..self.tables().names.len() {
            let is_none = self.is_none_name(row);
            let is_used = !is_none && used.names().contains_key(&(row as i32));
            if is_none && !none_kept || is_used || row < hidden.names {
                none_kept |= is_none;
                kept.names.push(Some(row));
            } else if is_none {
                pruned.nones += 1;
            } else {
                pruned.names.push(self.names().get(row).unwrap_or_default().into_owned());
            }
        }
        for row in 0..self.tables().imports.len() {
            match refers(PackageIndex::import(row)) || row < hidden.imports {
                true => kept.imports.push(row),
                false => pruned.imports.push(self.path(PackageIndex::import(row))),
            }
        }
        for row in 0..self.tables().exports.len() {
            let is_used = refers(PackageIndex::export(row)) || row < hidden.exports;
            match self.exports().is_null(row) && !is_used {
                true => pruned.null_exports += 1,
                false => kept.exports.push(Some(row)),
            }
        }
        pruned.generations = match self.versions().file() {
            ..threshold::HERITAGE_REMOVED => self.tables().summary.heritage_count.max(0) as usize,
            _ => self.tables().summary.generations.len(),
        }
        .saturating_sub(1);
        self.renumber_rows(&kept)?;
        let has_guid = self.versions().file() >= threshold::HERITAGE_GUID_ADDED
            && self.versions().ue5() < ue5::PACKAGE_SAVED_HASH;
        pruned.guid = has_guid.then(Guid::random);
        let newest = self.tables().summary.generations.last().copied();
        let generation = Generation {
            net_object_count: newest.map_or(0, |generation| generation.net_object_count),
            ..Generation::default()
        };
        self.set_history(vec![pruned.guid.unwrap_or_default()], vec![generation]);
        self.sync_counts()?;
        self.rebase()?;
        Ok(pruned)
    }

    /// What tables and bodies use, and the rows that bytes may use which nobody decodes.
    fn used_rows(&mut self) -> (References, HiddenRows) {
        let mut used = References::new(self.versions().of_bodies());
        let hidden = HiddenRows::looking(
            self,
            |_| false,
            |_, decoded| {
                // Visiting never fails: it neither reads nor writes.
                let _ = decoded.body.serialize(&mut used);
                used.forget_spans();
            },
        );
        self.add_used_rows(&mut used, &hidden);
        (used, hidden)
    }

    /// Drops the imports of a package, and of what lies in it, that nothing uses: a row of the table is enough for an
    /// engine to load the package.
    ///
    /// # Errors
    /// Whatever renumbering the others reports.
    pub fn drop_unused_imports(&mut self, package: &str) -> Result<()> {
        let is_of = |text: &str| {
            let path = text.split('\'').nth(1).unwrap_or(text);
            let head = path.get(..package.len());
            head.is_some_and(|head| head.eq_ignore_ascii_case(package))
                && matches!(path.as_bytes().get(package.len()), None | Some(b'.'))
        };
        self.drop_rows(|row, text| matches!(row, ObjectRef::Import(_)) && is_of(text))
    }

    /// Drops the names and imports that nothing uses and that `goes` is true of: a name by its text, an import by its
    /// path.
    pub(super) fn drop_rows(&mut self, goes: impl Fn(ObjectRef, &str) -> bool) -> Result<()> {
        self.restructure(|edit| {
            let (mut used, hidden) = edit.used_rows();
            // What stays though nothing uses it needs its names and what is around it.
            let imports = (0..edit.tables().imports.len()).map(PackageIndex::import);
            let stays = |index: &PackageIndex| {
                !used.objects().contains_key(&index.value())
                    && !goes(index.target(), &edit.reference_text(*index))
            };
            let staying: Vec<PackageIndex> = imports.filter(stays).collect();
            edit.add_imports(&mut used, staying);
            let mut kept = Renumbering::identity(edit);
            kept.names.retain(|row| {
                let Some(row) = *row else { return true };
                let text = edit.names().get(row).unwrap_or_default();
                let is_used = used.names().contains_key(&(row as i32)) || row < hidden.names;
                is_used || edit.is_none_name(row) || !goes(ObjectRef::Null, &text)
            });
            kept.imports.retain(|&row| {
                let index = PackageIndex::import(row);
                let is_used = used.objects().contains_key(&index.value()) || row < hidden.imports;
                is_used || !goes(ObjectRef::Import(row), &edit.reference_text(index))
            });
            let rows = |edit: &Self| (edit.tables().names.len(), edit.tables().imports.len());
            if rows(edit) == (kept.names.len(), kept.imports.len()) {
                return Ok(());
            }
            edit.renumber_rows(&kept)?;
            edit.sync_counts()?;
            edit.rebase()
        })
    }

    /// Adds what tables and decoded bodies refer to, and what the imports among that refer to.
    fn add_used_rows(&mut self, used: &mut References, hidden: &HiddenRows) {
        /// Sections that only describe the rows of other tables, or are empty.
        const NO_USE: &[Section] =
            &[Section::Summary, Section::Names, Section::Imports, Section::ImportTypeHierarchies];
        for decoded in self.bodies_mut().decoded.values_mut() {
            let _ = decoded.body.serialize(used);
            used.forget_spans();
        }
        used.set_versions(self.versions().clone());
        let sections = self.header_sections();
        for section in sections.into_iter().filter(|section| !NO_USE.contains(section)) {
            let _ = self.package.serialize_section(section, used);
        }
        // The groups and packages around used imports are used.
        let mut open: Vec<_> = used.objects().keys().copied().map(PackageIndex::new).collect();
        open.extend((0..hidden.imports).map(PackageIndex::import));
        self.add_imports(used, open);
    }

    /// Adds what these imports refer to: names, and what is around them.
    fn add_imports(&mut self, used: &mut References, mut open: Vec<PackageIndex>) {
        let mut met = HashSet::new();
        while let Some(index) = open.pop() {
            if let ObjectRef::Import(row) = index.target()
                && met.insert(row)
                && let Some(import) = self.tables_mut().imports.get_mut(row)
            {
                open.push(import.outer_index);
                let _ = import.serialize(used);
            }
        }
        if !self.tables().further.import_type_hierarchies.is_empty() {
            for row in &mut self.tables_mut().further.import_type_hierarchies {
                if matches!(row.import.target(), ObjectRef::Import(import) if met.contains(&import))
                {
                    let _ = row.serialize(used);
                }
            }
        }
    }
}
