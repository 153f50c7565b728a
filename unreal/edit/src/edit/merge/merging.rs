//! A merge that runs.

use std::collections::{HashMap, HashSet};

use super::code::Faults;
use super::conflict::Conflicts;
use super::net_index::NetIndices;
use super::outcome::{MergeOptions, Merged};
use super::side::SideChanges;
use crate::edit::Edit;
use crate::error::{Error, Result, UnrealErrors};
use crate::inspect::ReferenceTexts;
use crate::package::Package;
use crate::primitive::{ObjectRef, PackageIndex};
use crate::version::EngineFacts;

/// The packages of a merge, and their changes.
pub(super) struct Merging<'a> {
    pub edit: &'a mut Edit,
    pub base: Edit,
    pub theirs: Edit,
    /// The changes of this package, as it was, since the base.
    pub our_changes: SideChanges,
    pub their_changes: SideChanges,
    pub conflicts: Conflicts,
    pub merged: Merged,
    /// Faults of both sides' code before the merge.
    pub faults: Faults,
    /// Indices on the net, as they are given to objects that come.
    pub net_indices: NetIndices,
    /// The paths of the base's objects where the base was given other names.
    pub base_paths: HashMap<usize, String>,
    /// Names that their side has given in vain.
    pub left_names: HashSet<String>,
}

impl Edit {
    /// Takes over what `theirs` has changed since `base`, of which this package and `theirs` both come: objects
    /// that came, went or have another name, their flags, class and outer, their properties, elements of arrays,
    /// rows of tables, code, and what else their classes store. What both have changed alike is no conflict.
    ///
    /// Where both have changed one place to different things, or where a change can't be carried over, that is a
    /// conflict: it is listed with both values, and the package stays as it was, unless
    /// [`MergeOptions::prefer`] says whose value holds. What only says which save this is, the GUID of both
    /// for one, stays as it is here and is listed in [`Merged::kept`].
    ///
    /// Afterwards the package is compared with the base: each change of either side must be there, and no other.
    ///
    /// # Errors
    /// `Invalid` where the three packages are not of one version.
    pub fn merge(
        &mut self,
        base: &Package,
        theirs: &Package,
        options: &MergeOptions,
    ) -> Result<Merged> {
        self.check_same_versions(base)?;
        self.check_same_versions(theirs)?;
        let outcome = self.merge_changes(base, theirs, options)?;
        if outcome.conflicts.is_empty() || !options.decides_nothing() {
            return Ok(outcome);
        }
        Ok(self.merge_the_other_way(base, theirs)?.unwrap_or(outcome))
    }

    /// Takes their package and carries our changes over to that: what nobody decodes, and so nothing can renumber,
    /// may have changed on their side alone. The files beside a package go with it, so that there must be none.
    fn merge_the_other_way(&mut self, base: &Package, theirs: &Package) -> Result<Option<Merged>> {
        let has_files = |package: &Package| !package.companions().is_empty();
        if has_files(self) || has_files(theirs) || self.container().is_some() {
            return Ok(None);
        }
        let ours = self.package.rebuilt()?;
        let mut other = Self::of(theirs.clone());
        other.set_checks(self.checks);
        let outcome = other.merge_changes(base, &ours, &MergeOptions::new())?;
        if !outcome.conflicts.is_empty() {
            return Ok(None);
        }
        let theirs = SideChanges::between(base, theirs).diff;
        *self.whole() = other.into_package();
        let both: HashSet<&String> = outcome.taken.iter().chain(&outcome.combined).collect();
        let changed = theirs.changed.iter().map(|object| &object.path);
        let (combined, taken): (Vec<_>, Vec<_>) = changed.partition(|path| both.contains(path));
        let added = theirs.added.iter().map(|object| &object.path);
        Ok(Some(Merged {
            taken: taken.into_iter().chain(added).cloned().collect(),
            combined: combined.into_iter().cloned().collect(),
            removed: theirs.removed.into_iter().map(|object| object.path).collect(),
            renamed: theirs.renamed.into_iter().map(|object| (object.old, object.new)).collect(),
            ..Merged::default()
        }))
    }

    /// Takes over their changes, all or none.
    fn merge_changes(
        &mut self,
        base: &Package,
        theirs: &Package,
        options: &MergeOptions,
    ) -> Result<Merged> {
        let our_changes = SideChanges::between(base, self);
        let their_changes = SideChanges::between(base, theirs);
        if their_changes.diff.is_empty() {
            return Ok(Merged::default());
        }
        let mut outcome = Merged::default();
        let done = self.transact(|edit| {
            edit.settle_replaced()?;
            let mut merging = Merging {
                edit,
                base: Edit::of(base.clone()),
                theirs: Edit::of(theirs.clone()),
                our_changes,
                their_changes,
                conflicts: Conflicts::new(options),
                merged: Merged::default(),
                faults: Faults::default(),
                net_indices: NetIndices::default(),
                base_paths: HashMap::new(),
                left_names: HashSet::new(),
            };
            merging.run()?;
            let Merging { conflicts, merged, .. } = merging;
            outcome = Merged { conflicts: conflicts.open, ..merged };
            match outcome.conflicts.is_empty() {
                true => Ok(()),
                false => {
                    let paths = outcome.conflicts.iter().map(|conflict| conflict.object.clone());
                    Err(Error::refused("both sides have changed it", paths.collect()))
                }
            }
        });
        match done {
            Err(error) if outcome.conflicts.is_empty() => Err(error),
            _ => Ok(outcome),
        }
    }
}

impl Merging<'_> {
    fn run(&mut self) -> Result<()> {
        for edit in [&mut self.base, &mut self.theirs] {
            edit.settle_replaced()?;
        }
        if self.conflicts.prefers_ours() {
            self.take_our_names();
        }
        self.merge_custom_versions()?;
        self.rename_objects();
        self.share_names();
        let plan = self.plan()?;
        self.faults =
            Faults::of([(&*self.edit, &self.our_changes), (&self.theirs, &self.their_changes)]);
        self.net_indices = NetIndices::between(&self.base, self.edit);
        self.check_entries();
        if let Err(error) = self.carry_over(&plan) {
            self.conflicts.block(String::new(), "", error.to_string());
        }
        self.remove_objects(&plan);
        self.settle_net_count();
        self.merge_header()?;
        if self.conflicts.open.is_empty() {
            self.check_code(&plan);
            self.drop_rows_of_the_base()?;
            self.prove(&plan);
        }
        Ok(())
    }

    /// Drops names and imports of the base that their side has no more and that nothing uses now: from UE4 on the
    /// editor makes both tables anew at each save.
    fn drop_rows_of_the_base(&mut self) -> Result<()> {
        // Their rows must stay where older generations have them.
        if self.edit.versions().has_generations() {
            return Ok(());
        }
        let names = |package: &Package| -> HashSet<String> {
            package.names().iter().map(|name| name.to_ascii_lowercase()).collect()
        };
        let imports = |package: &Package| -> HashSet<String> {
            let rows = (0..package.imports().len()).map(PackageIndex::import);
            rows.map(|index| package.reference_text(index).to_ascii_lowercase()).collect()
        };
        let mut gone_names = names(&self.base);
        let mut gone_imports = imports(&self.base);
        let (their_names, their_imports) = (names(&self.theirs), imports(&self.theirs));
        gone_names.retain(|name| !their_names.contains(name));
        gone_imports.retain(|import| !their_imports.contains(import));
        if gone_names.is_empty() && gone_imports.is_empty() {
            return Ok(());
        }
        self.edit.drop_rows(|kind, text| match kind {
            ObjectRef::Import(_) => gone_imports.contains(&text.to_ascii_lowercase()),
            _ => gone_names.contains(&text.to_ascii_lowercase()),
        })
    }

    /// The path of an object of the base.
    pub fn base_path(&self, row: usize) -> String {
        let known = self.base_paths.get(&row).cloned();
        known.unwrap_or_else(|| self.base.path(PackageIndex::export(row)))
    }
}
