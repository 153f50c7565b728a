//! Adding the copies.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::CopyOptions;
use super::copied::Copied;
use super::free_names::FreeNames;
use super::gather::Fate;
use super::needed::Needed;
use crate::archive::{Archived, Remap};
use crate::edit::Edit;
use crate::edit::default_object::default_name;
use crate::edit::preload::PreloadDependencies;
use crate::edit::rows::export_row;
use crate::error::{ErrorKind, Result, noun};
use crate::inspect::ReferenceTexts;
use crate::primitive::{Name, NameRemap, ObjectRef, PackageIndex, SoftObjectPath};
use crate::table::{DependsRow, NameEntry, NameHashes, next_row};

/// The decisions before anything is added, by rows of the source.
pub(super) struct CopyPlan<'a> {
    /// Copies that are called otherwise than their originals.
    pub names: BTreeMap<usize, String>,
    /// The actors of the source with their levels.
    pub actors: &'a HashMap<usize, usize>,
}

impl Edit {
    pub(super) fn paste(
        &mut self,
        source: &Edit,
        needed: &Needed,
        plan: &CopyPlan<'_>,
        options: &CopyOptions,
    ) -> Result<Copied> {
        let mut copied = Copied::default();
        let soft = self.adopt_soft_paths(source, needed)?;
        let names = self.adopt_names(source, &needed.names)?;
        let mut objects: BTreeMap<i32, i32> = BTreeMap::from([(0, 0)]);
        for &row in &needed.imports {
            let index = PackageIndex::import(row);
            objects.insert(index.value(), self.adopt_import(source, index, options)?.value());
        }
        let mut next = self.tables().exports.len();
        for (&row, &fate) in &needed.fates {
            let index = PackageIndex::export(row);
            let new = match fate {
                Fate::Copied => {
                    next += 1;
                    PackageIndex::export(next - 1)
                }
                Fate::Reused(known) => {
                    copied.reused.push(self.path(known));
                    if let ObjectRef::Export(row) = known.target() {
                        copied.reused_rows.push(row);
                    }
                    known
                }
                Fate::Imported => {
                    let new = self.adopt_import(source, index, options)?;
                    copied.imported.push(self.path(new));
                    new
                }
            };
            objects.insert(index.value(), new.value());
        }
        let by_name = |old: i32| names.get(&old).copied();
        let by_object = |old: i32| objects.get(&old).copied();
        let by_path = |old: i32| soft.get(&old).copied();
        let mut remap = Remap::names_and_objects(self.versions().clone(), &by_name, &by_object)
            .with_rule(&SoftObjectPath::SPACE, &by_path)
            .with_context(source.source_context())
            .materializing()
            .refusing_opaque();
        let first = self.tables().exports.len();
        let mut dropped_parts = Vec::new();
        for (&row, _) in needed.fates.iter().filter(|(_, fate)| **fate == Fate::Copied) {
            let within = |error: crate::Error| error.at_index(row).in_field("exports");
            let mut export = source.tables().exports[row].clone();
            let is_root = needed.roots.contains(&row);
            if is_root {
                export.outer_index = PackageIndex::NULL;
            }
            export.serialize(&mut remap).map_err(within)?;
            if is_root {
                export.outer_index = needed.outer;
            }
            export.serial_size = 0.into();
            export.serial_offset = 0.into();
            export.preload = self.no_preload();
            let old_name = export.object_name;
            let new = self.push_export(export)?;
            if let Some(depends) = source.tables().depends.get(row) {
                // Of what it names, that which came along.
                let known = |index: &PackageIndex| objects.get(&index.value()).copied();
                let kept = depends.objects.iter().filter_map(known).map(PackageIndex::new);
                self.set_depends(new, DependsRow { objects: kept.collect() });
            }
            if let Some((mut decoded, dropped)) =
                source.detached(row, plan.actors.contains_key(&row))?
            {
                let table = source.tables().further.data_resources.as_ref();
                self.adopt_resources(&mut decoded.body, new, table, true)?;
                decoded.body.serialize(&mut remap).map_err(within)?;
                self.give_net_index(&mut decoded);
                self.set_decoded(new, decoded);
                dropped_parts.extend(dropped.into_iter().map(|part| (new, part)));
            }
            if let Some(name) = plan.names.get(&row) {
                let new_name = self.add_object_name(name)?;
                self.name_copy(new, old_name, new_name);
            }
        }
        self.adopt_thumbnails(source, needed, first)?;
        self.adopt_assets(source, needed, first)?;
        self.adopt_meta_data(source, needed, first)?;
        self.adopt_actors(source, needed, first, plan.actors)?;
        let new_row = |row: &usize| objects.get(&PackageIndex::export(*row).value());
        let new_rows = needed.roots.iter().filter_map(new_row).copied();
        copied.rows = new_rows.filter_map(|index| export_row(PackageIndex::new(index))).collect();
        copied.row = copied.rows.first().copied().unwrap_or_default();
        if !needed.outer.is_null() {
            for &row in &copied.rows {
                self.list_new(row)?;
            }
        }
        for row in first..self.tables().exports.len() {
            self.settle_component(row);
        }
        self.renew_identities(needed, first, plan.actors);
        let rows = needed.fates.iter().filter(|(_, fate)| **fate == Fate::Copied);
        for (at, (&row, _)) in rows.enumerate() {
            let mapped = |index: PackageIndex| {
                objects.get(&index.value()).map(|&index| PackageIndex::new(index))
            };
            let lists = PreloadDependencies::of(self, first + at);
            if lists.is_some()
                && let Some(lists) = PreloadDependencies::of(source, row)
            {
                self.set_preload(first + at, &lists.mapped(mapped))?;
            }
            self.settle_preload(first + at)?;
        }
        self.sync_counts()?;
        copied.objects =
            (first..self.tables().exports.len()).map(|row| self.exports().path(row)).collect();
        let new = |row: usize| copied.objects.get(row - first).cloned().unwrap_or_default();
        let rows = needed.copied().zip(first..);
        copied.renamed = rows
            .filter(|(row, _)| plan.names.contains_key(row))
            .map(|(row, copy)| (source.exports().path(row), new(copy)))
            .collect();
        copied.dropped =
            dropped_parts.into_iter().map(|(row, part)| format!("{}.{part}", new(row))).collect();
        Ok(copied)
    }

    /// Gives copies GUIDs and labels of their own where two objects would be taken for one: actors with all that lies
    /// in them, since several levels are loaded at once, and what becomes a part of an object that is here. What comes
    /// along, or lies at the top of its package, keeps them: that it is there already is seen by what it says.
    fn renew_identities(&mut self, needed: &Needed, first: usize, actors: &HashMap<usize, usize>) {
        let is_part = match needed.outer.target() {
            ObjectRef::Export(row) => !self.class_name_of(row).eq_ignore_ascii_case("Package"),
            _ => false,
        };
        let is_renewed =
            |row: &usize| actors.contains_key(row) || is_part && needed.roots.contains(row);
        let renewed: BTreeSet<usize> = needed
            .copied()
            .enumerate()
            .filter(|(_, row)| is_renewed(row))
            .map(|(at, _)| first + at)
            .collect();
        if renewed.is_empty() {
            return;
        }
        let lies_in = |row: &usize| {
            let mut outers = self.outers(PackageIndex::export(*row));
            outers.any(|outer| export_row(outer).is_some_and(|outer| renewed.contains(&outer)))
        };
        let rows: Vec<usize> = (first..self.tables().exports.len()).filter(lies_in).collect();
        self.make_unique(&rows);
    }

    /// Names of the source, added with their flags where they are not here; `None` is the last one here.
    pub(in crate::edit) fn adopt_names(
        &mut self,
        source: &Edit,
        used: &BTreeSet<i32>,
    ) -> Result<BTreeMap<i32, i32>> {
        let none = self.last_none();
        let mut names = BTreeMap::new();
        for &old in used {
            let row = usize::try_from(old).ok().filter(|&row| row < source.tables().names.len());
            let Some((row, text)) = row.and_then(|row| Some((row, source.names().get(row)?)))
            else {
                return Err(ErrorKind::NotMapped { what: "name", index: old }.into());
            };
            let known = match none {
                Some(none) if source.is_none_name(row) => Some(none),
                _ => self.row_of_name(&text),
            };
            let new = match known {
                Some(row) => Name::new(next_row(row)?),
                None => {
                    let mut entry = NameEntry::clone(&source.tables().names[row]);
                    entry.text.materialize(source.source())?;
                    if self.has_name_hashes() {
                        // Tools leave them out.
                        entry.set_hashes(NameHashes::of(&text));
                    }
                    self.push_name(entry)?
                }
            };
            names.insert(old, new.index.value());
        }
        Ok(names)
    }

    /// The names of copies that can't keep theirs, or are to have others; by rows of the source.
    ///
    /// # Errors
    /// `Exists` for classes and what else others find by its name.
    pub(super) fn names_of_copies(
        &self,
        source: &Edit,
        needed: &Needed,
        options: &CopyOptions,
    ) -> Result<BTreeMap<usize, String>> {
        let (mut free, mut names) = (FreeNames::default(), BTreeMap::new());
        if let Some(name) = &options.name {
            names.insert(needed.roots[0], name.clone());
            for default in source.defaults_of(needed.roots[0]) {
                names.insert(default, default_name(name));
            }
        }
        for row in needed.copied() {
            let outer = match source.tables().exports[row].outer_index.target() {
                _ if needed.roots.contains(&row) => needed.outer,
                ObjectRef::Null => PackageIndex::NULL,
                ObjectRef::Export(outer) => match needed.fates.get(&outer) {
                    Some(Fate::Reused(place)) => *place,
                    // In what is new itself nothing has the name.
                    _ => continue,
                },
                ObjectRef::Import(_) => continue,
            };
            let known = names.get(&row).cloned();
            let name = known.unwrap_or_else(|| source.object_name(PackageIndex::export(row)));
            let class = source.class_path(row);
            let picked = free.pick(self, outer, &name, &class);
            if picked == name {
                continue;
            }
            // Of several objects the caller has not chosen each, and sees which got another name.
            let is_root = needed.roots == [row];
            if is_root || source.is_script(PackageIndex::export(row)) {
                let name = source.exports().path(row);
                return Err(ErrorKind::Exists { what: noun::EXPORT, name }.into());
            }
            names.insert(row, picked);
        }
        Ok(names)
    }
}
