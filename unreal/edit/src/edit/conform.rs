//! Conforming: a new package keeps the numbers that those who have an old one know.

use crate::error::{Error, UnrealErrors};
use std::collections::HashMap;

use super::Edit;
use super::refusal::refuse_object_versions;
use super::renumber::Renumbering;
use crate::error::Result;
use crate::inspect::stored_generations;
use crate::package::Package;
use crate::primitive::{Guid, PackageIndex};
use crate::table::Generation;
use crate::table::next_row;
use crate::version::{UnrealVersions, threshold};

/// The names, imports and exports that conforming kept, added and emptied.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Conformed {
    /// Names that stand where the old package has them.
    pub names_kept: usize,
    /// Names that the old package does not have, behind its own.
    pub names_added: Vec<String>,
    /// Names of the old package that are gone; their rows are `None`.
    pub names_nulled: Vec<String>,
    /// Exports that stand where the old package has them.
    pub exports_kept: usize,
    /// Exports that the old package does not have, behind its own.
    pub exports_added: Vec<String>,
    /// Exports of the old package that are gone; their rows are null.
    pub exports_nulled: Vec<String>,
    /// Generations, the new one included.
    pub generations: usize,
    /// The GUID of the old package, which the new one has now; below file version 68 the new one's own,
    /// behind those of its predecessors.
    pub guid: Guid,
}

impl Edit {
    /// Conforms this package to an older one, so that both may meet on the net: it takes the GUID and the
    /// generations of the old one and adds a generation; names and exports of the old one get the rows that
    /// they have there, what is gone leaves a `None` or a null export, and what is new stands behind. Every
    /// reference to `None` uses the last one.
    ///
    /// Names match in any case, exports by path and class. A row `None` separates names that are new, as the
    /// engine's older tool does; the package should hold no names that nothing uses ([`Edit::prune`]).
    /// Below file version 68 the heritage table is extended instead. From file version 322 on objects keep
    /// the net index that they have in the old package, and new ones follow (inferred).
    ///
    /// Spec: ue1-3/07 §7.5, §7.7.
    ///
    /// # Errors
    /// `Refused` with the objects whose bodies are not decoded whole; `Invalid` when one has a heritage table
    /// and the other can't have one, or when the old generations don't fit the old tables.
    pub fn conform_to(&mut self, old: &Package) -> Result<Conformed> {
        refuse_object_versions(self, "conforming")?;
        refuse_object_versions(old, "conforming")?;
        let heritage = |package: &Package| package.versions().file() < threshold::HERITAGE_REMOVED;
        if heritage(self) && !heritage(old) {
            let reason = "a package with a heritage table can't go on from one with generations; \
                          convert one of them first";
            return Err(Error::invalid(reason));
        }
        self.restructure(|package| package.conform_rows(old))
    }

    fn conform_rows(&mut self, old: &Package) -> Result<Conformed> {
        let mut conformed = Conformed::default();
        let renumbering = Renumbering {
            names: self.conform_names(old, &mut conformed),
            imports: (0..self.tables().imports.len()).collect(),
            exports: self.conform_exports(old, &mut conformed),
        };
        self.keep_net_indices(old, &renumbering)?;
        let net_objects =
            self.tables().summary.generations.last().map_or(0, |g| g.net_object_count);
        self.renumber_rows(&renumbering)?;
        self.inherit(old, net_objects, &mut conformed)?;
        self.rebase()?;
        Ok(conformed)
    }

    /// Old names at their rows, then new ones.
    fn conform_names(&self, old: &Package, conformed: &mut Conformed) -> Vec<Option<usize>> {
        let mut left: HashMap<String, usize> = HashMap::new();
        let mut order = Vec::new();
        for (row, text) in self.names().iter().enumerate() {
            if !text.eq_ignore_ascii_case("None") {
                order.push(row);
                left.entry(text.to_ascii_lowercase()).or_insert(row);
            }
        }
        let mut placed = vec![false; self.tables().names.len()];
        let mut rows = Vec::with_capacity(self.tables().names.len().max(old.tables().names.len()));
        for text in old.names().iter() {
            let row = left.remove(&text.to_ascii_lowercase());
            match row {
                Some(row) => {
                    placed[row] = true;
                    conformed.names_kept += 1;
                }
                None if text.eq_ignore_ascii_case("None") => {}
                None => conformed.names_nulled.push(text.into_owned()),
            }
            rows.push(row);
        }
        let new: Vec<usize> = order.into_iter().filter(|&row| !placed[row]).collect();
        if !new.is_empty() || !rows.contains(&None) {
            rows.push(None);
        }
        let text = |&row: &usize| self.names().get(row).unwrap_or_default().into_owned();
        conformed.names_added = new.iter().map(text).collect();
        rows.extend(new.into_iter().map(Some));
        rows
    }

    /// Old exports at their rows, then new ones.
    fn conform_exports(&self, old: &Package, conformed: &mut Conformed) -> Vec<Option<usize>> {
        let titles = export_titles(self);
        let mut left: HashMap<&str, Vec<usize>> = HashMap::new();
        // In reverse, since several of one title are taken from the end.
        for row in
            (0..self.tables().exports.len()).rev().filter(|&row| !self.exports().is_null(row))
        {
            left.entry(&titles[row]).or_default().push(row);
        }
        let mut placed = vec![false; self.tables().exports.len()];
        let mut rows =
            Vec::with_capacity(self.tables().exports.len().max(old.tables().exports.len()));
        for (old_row, title) in export_titles(old).iter().enumerate() {
            let row = match old.exports().is_null(old_row) {
                true => None,
                false => left.get_mut(title.as_str()).and_then(Vec::pop),
            };
            match row {
                Some(row) => {
                    placed[row] = true;
                    conformed.exports_kept += 1;
                }
                None if old.exports().is_null(old_row) => {}
                None => conformed.exports_nulled.push(old.exports().path(old_row)),
            }
            rows.push(row);
        }
        let is_new = |&row: &usize| !placed[row] && !self.exports().is_null(row);
        let new: Vec<usize> = (0..self.tables().exports.len()).filter(is_new).collect();
        conformed.exports_added = new.iter().map(|&row| self.exports().path(row)).collect();
        rows.extend(new.into_iter().map(Some));
        rows
    }

    /// Objects of both packages keep the net index of the old one, new ones get the next.
    fn keep_net_indices(&mut self, old: &Package, renumbering: &Renumbering) -> Result<()> {
        if self.versions().file() < threshold::NET_OBJECT_COUNT_ADDED {
            return Ok(());
        }
        // Each is given its number here.
        self.decode_all();
        let mut known = vec![(None, false); old.export_count()];
        old.each_body(|row, decoded| {
            known[row] = (decoded.body.net_index, decoded.body.is_opaque());
        });
        let counted = old.tables().summary.generations.last().map_or(0, |g| g.net_object_count);
        let taken = known.iter().filter_map(|(index, _)| *index);
        let mut next = taken.fold(counted, |next, index| next.max(index.saturating_add(1)));
        for (new, row) in renumbering.exports.iter().enumerate() {
            let Some(decoded) = row.and_then(|row| self.bodies_mut().decoded.get_mut(&row)) else {
                continue;
            };
            let Some(index) = decoded.body.net_index.as_mut().filter(|index| **index >= 0) else {
                continue;
            };
            let (before, is_opaque) = known.get(new).copied().unwrap_or_default();
            match before.filter(|before| *before >= 0) {
                Some(before) => *index = before,
                None if is_opaque => {
                    let reason = "the net index of the old object is not known";
                    return Err(Error::refused(reason, vec![old.exports().path(new)]));
                }
                None => {
                    *index = next;
                    next = next.saturating_add(1);
                }
            }
        }
        if let Some(newest) = self.tables_mut().summary.generations.last_mut() {
            newest.net_object_count = next;
        }
        Ok(())
    }

    /// Takes the GUID and the generations of the old package over and adds one.
    fn inherit(
        &mut self,
        old: &Package,
        net_object_count: i32,
        conformed: &mut Conformed,
    ) -> Result<()> {
        if self.versions().file() < threshold::HERITAGE_REMOVED {
            let mut guids = old.tables().heritage.clone();
            let own = Some(self.guid()).filter(|own| !guids.contains(own));
            guids.push(own.unwrap_or_else(Guid::random));
            if self.versions().file() < threshold::HERITAGE_GUID_ADDED {
                guids =
                    vec![Guid::default(); old.tables().summary.heritage_count.max(0) as usize + 1];
            }
            conformed.generations = guids.len();
            conformed.guid = guids.last().copied().unwrap_or_default();
            self.set_history(guids, Vec::new());
            return Ok(());
        }
        let mut generations = stored_generations(old);
        let newest = Generation {
            export_count: next_row(self.tables().exports.len())?,
            name_count: next_row(self.tables().names.len())?,
            net_object_count,
        };
        let exceeds = |generation: &Generation| {
            generation.export_count > newest.export_count
                || generation.name_count > newest.name_count
        };
        if generations.iter().any(exceeds) {
            let reason = "a generation of the old package counts more rows than its tables have";
            return Err(Error::invalid(reason));
        }
        generations.push(newest);
        conformed.generations = generations.len();
        conformed.guid = old.guid();
        self.set_history(vec![old.guid()], generations);
        self.sync_counts()
    }

    /// Brings the heritage table's or summary's GUID and generations to these, the newest to come.
    pub(super) fn set_history(&mut self, guids: Vec<crate::Guid>, generations: Vec<Generation>) {
        if self.versions().file() < threshold::HERITAGE_REMOVED {
            self.tables_mut().summary.heritage_count =
                i32::try_from(guids.len()).unwrap_or(i32::MAX);
            if self.versions().file() >= threshold::HERITAGE_GUID_ADDED {
                self.tables_mut().heritage = guids;
            }
        } else {
            self.tables_mut().summary.guid = guids.last().copied().unwrap_or_default();
            self.tables_mut().summary.generations = generations;
        }
    }
}

/// Class and path of every export in lower case, each path made from that of its outer.
pub(super) fn export_titles(package: &Package) -> Vec<String> {
    let mut classes: HashMap<PackageIndex, String> = HashMap::new();
    let mut paths: HashMap<PackageIndex, String> = HashMap::new();
    (0..package.tables().exports.len())
        .map(|row| {
            let export = &package.tables().exports[row];
            let class = classes
                .entry(export.class_index)
                .or_insert_with(|| package.object_name(export.class_index).to_ascii_lowercase());
            let outer = export.outer_index;
            let name = package.object_name(PackageIndex::export(row));
            let around =
                paths.entry(outer).or_insert_with(|| package.path(outer).to_ascii_lowercase());
            let dot = if outer.is_null() { "" } else { "." };
            format!("{class} {around}{dot}{}", name.to_ascii_lowercase())
        })
        .collect()
}
