//! Copying objects from one package into another.

mod agreement;
mod copied;
mod detach;
mod free_names;
mod gather;
mod listing;
mod meta_data;
mod needed;
mod options;
mod paste;
mod steps;

pub use copied::Copied;
pub use options::{CopyOptions, Dependencies};

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

pub use self::free_names::FreeNames;
pub(super) use self::gather::Fate;
use self::gather::Gathering;
pub(super) use self::needed::Needed;
use self::paste::CopyPlan;
use super::Edit;
use crate::compare::settled;
use crate::error::{Error, Result, UnrealErrors};
use crate::package::Package;
use crate::primitive::{ObjectRef, PackageIndex};
use crate::version::UnrealVersions;

impl Edit {
    /// Copies an object of another package into this one, with everything in it, with
    /// what belongs to it (the model of a brush) and with what it needs: names, imports, soft paths, inline
    /// payloads, thumbnails, metadata, and other objects of its package as [`CopyOptions::dependencies`] says.
    ///
    /// An object that is here already is used instead of a copy where it says the same: it has the same path
    /// and class, and [`diff`](crate::compare::diff) finds no difference between the two, nor between what
    /// they refer to in their packages. Where another object has the name of a copy, the copy gets a free one.
    /// References to what lies around the object become references to what it is put into, as far as that is
    /// of the same classes. Existing rows stay where they are.
    ///
    /// Actors come into the list of the level that they are put into, refer to its settings instead of those of
    /// their own level, and have GUIDs and labels of their own; so has what becomes a part of another object. Other actors come along with [`Dependencies::Copy`] alone.
    ///
    /// In UE1 to UE3 a package of another file version of the same engine and game is converted on the way
    /// ([`converted`](super::converted)), where every value stays what it is. Custom versions of UE4 and UE5 may differ where the copied bodies are stored alike by both; those that
    /// this package lacks and the bodies need are added to its header.
    ///
    /// # Errors
    /// `NotFound`; `Exists`; `Invalid` when the packages' layouts differ; what
    /// converting can't keep exactly; `Refused` for bodies that are not
    /// decoded whole, for payloads that stand beside the other package or behind its bodies, for private
    /// objects that would have to be imported, for other actors, for fields of structs and for levels.
    pub fn copy_from(
        &mut self,
        other: &Package,
        path: &str,
        options: &CopyOptions,
    ) -> Result<Copied> {
        self.copy_objects_from(other, &[path], options)
    }

    /// As [`Edit::copy_from`] for several objects at once: references among them are references among the copies, and
    /// other actors that one of them refers to may be others of them. An object that lies in another one of them
    /// comes along with it. Of several objects each gets a free name where another object has its own.
    ///
    /// # Errors
    /// As [`Edit::copy_from`]; `Invalid` for no object, and for several under one name.
    pub fn copy_objects_from(
        &mut self,
        other: &Package,
        paths: &[&str],
        options: &CopyOptions,
    ) -> Result<Copied> {
        let converted = self.converted_for_copy(other)?;
        let from = converted.is_some().then(|| other.versions().file());
        let other = converted.as_ref().unwrap_or(other);
        self.check_same_versions(other)?;
        let options = &options.clone().with_paths(self, other);
        let mut source = Edit::of(other.clone());
        let roots = source.outermost(paths)?;
        let outer = self.group(options.into.as_deref())?;
        if let (Some(name), 2..) = (&options.name, roots.len()) {
            let number = roots.len();
            return Err(Error::invalid(format!("{number} objects can't all be called '{name}'")));
        }
        if let [root] = roots[..] {
            let own_name = source.object_name(PackageIndex::export(root));
            self.vacant(outer, options.name.as_ref().unwrap_or(&own_name))?;
        }
        if let Some(name) = &options.name {
            self.check_object_name(name, outer, None)?;
        }
        for &root in &roots {
            self.check_copied(&mut source, root, outer)?;
        }
        if !source.bodies().replaced.is_empty() {
            source.rebase()?;
        }
        source.decode_all();
        let mut rows = BTreeSet::new();
        for &root in &roots {
            rows.extend(source.decoded_with_inner(root)?);
        }
        let rows = source.decoded_with_owned(rows.into_iter().collect())?;
        let (actors, unlisted) = match source.all_actors() {
            Ok(actors) => (actors, None),
            Err(error) => (HashMap::new(), Some(error)),
        };
        let actors = &actors;
        let mut around = BTreeMap::new();
        for &root in &roots {
            around.extend(self.places_around(&mut source, root, outer, actors));
        }
        // None of the roots lies around another one: this is what each level has of its own.
        let fixed = roots.iter().filter(|row| around.contains_key(row));
        let fixed: Vec<_> = fixed.map(|&row| source.exports().path(row)).collect();
        if !fixed.is_empty() {
            let reason =
                "a level has settings and a default volume of its own, and takes no others";
            return Err(Error::refused(reason, fixed));
        }
        let target = settled(&self.package);
        let mut gathering = Gathering::new(&source, &target, options, (&roots, around), actors);
        gathering.take(&rows)?;
        let (needed, private, foreign) = gathering.finish(outer);
        drop(target);
        let refused = |reason: &str, rows: Vec<usize>| match rows.is_empty() {
            true => Ok(()),
            false => {
                let shown = rows.into_iter().map(|row| source.exports().path(row)).collect();
                Err(Error::refused(reason, shown))
            }
        };
        refused("private objects can't be imported; let them come along", private)?;
        refused(
            "the object refers to other actors of its level, which come along only if all \
             dependencies are copied",
            foreign,
        )?;
        if let Some(error) = unlisted
            && needed.copied().any(|row| source.may_be_actor(row))
        {
            return Err(error);
        }
        let plan = CopyPlan { names: self.names_of_copies(&source, &needed, options)?, actors };
        let rows: Vec<usize> = needed.copied().collect();
        source.decode_rows(rows.iter().copied())?;
        source.check_payloads(&rows)?;
        let first = self.tables().exports.len();
        let done = self.transact(|package| {
            let copied = package.paste(&source, &needed, &plan, options)?;
            package.prove_copies(first)?;
            Ok(copied)
        });
        // What only the other package lists may be what says how the bodies are stored.
        let done = match (done, self.more_custom_versions(&source)) {
            (Err(_), Some(custom)) if self.versions().has_soft_references() => {
                self.transact(|package| {
                    package.take_custom_versions(custom)?;
                    let copied = package.paste(&source, &needed, &plan, options)?;
                    package.prove_copies(first)?;
                    Ok(copied)
                })
            }
            (done, _) => done,
        };
        done.map(|copied| Copied { converted_from: from, ..copied })
    }

    /// Whether an object of another package may be copied into `outer`.
    fn check_copied(&self, source: &mut Edit, root: usize, outer: PackageIndex) -> Result<()> {
        let path = vec![source.exports().path(root)];
        if source.is_field(root) || source.class_of_function(root).is_some() {
            return Err(Error::refused("a field is copied with its struct or class only", path));
        }
        if source.is_in_default(source.tables().exports[root].outer_index)
            != self.is_in_default(outer)
        {
            let reason = "components within the defaults of a class have another layout";
            return Err(Error::refused(reason, path));
        }
        Ok(())
    }

    /// The rows of these objects without those that lie in others of them, each once.
    pub(super) fn outermost(&self, paths: &[&str]) -> Result<Vec<usize>> {
        let rows = paths.iter().map(|path| self.find_export(path)).collect::<Result<Vec<_>>>()?;
        let all: HashSet<PackageIndex> = rows.iter().map(|&r| PackageIndex::export(r)).collect();
        let mut seen = HashSet::new();
        let lies_in_none = |row: &usize| {
            !self.outers(PackageIndex::export(*row)).skip(1).any(|outer| all.contains(&outer))
        };
        let rows: Vec<usize> =
            rows.into_iter().filter(lies_in_none).filter(|row| seen.insert(*row)).collect();
        match rows.is_empty() {
            true => Err(Error::invalid("no object is named")),
            false => Ok(rows),
        }
    }

    /// Before UE4 the file version says all of a layout.
    fn prove_copies(&self, first: usize) -> Result<()> {
        match self.versions().has_soft_references() {
            true => self.prove_bodies(first..self.tables().exports.len()),
            false => Ok(()),
        }
    }

    /// The objects around the copied one in its package, outermost last, and those around its new place:
    /// as far as the classes are the same, the one stands for the other. For an actor so do the levels and
    /// what each level has of its own.
    fn places_around(
        &mut self,
        source: &mut Edit,
        root: usize,
        outer: PackageIndex,
        actors: &HashMap<usize, usize>,
    ) -> BTreeMap<usize, PackageIndex> {
        let class =
            |package: &Package, row| package.exports().get(row).map(|export| export.class());
        let mut around = BTreeMap::new();
        let (mut old, mut new) = (source.outer(PackageIndex::export(root)), outer);
        while let (ObjectRef::Export(here), ObjectRef::Export(there)) = (old.target(), new.target())
            && class(source, here) == class(self, there)
            && around.len() < 64
        {
            around.insert(here, new);
            (old, new) = (source.outer(old), self.outer(new));
        }
        if let Some(&here) = actors.get(&root)
            && let Some(there) = self.level_at(outer)
        {
            around.insert(here, PackageIndex::export(there));
            for pair in source.fixtures(here).into_iter().zip(self.fixtures(there)) {
                if let (Some(here), Some(there)) = pair {
                    around.insert(here, PackageIndex::export(there));
                }
            }
        }
        around
    }
}
