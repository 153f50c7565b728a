//! Copying objects from one package into another.

mod agreement;
mod gather;
mod listing;
mod meta_data;
mod needed;
mod options;

pub use options::{CopyOptions, Dependencies};

use crate::error::Error;
use crate::table::next_row;
use std::collections::{BTreeMap, BTreeSet};

pub(super) use self::gather::Fate;
use self::gather::Gathering;
pub(super) use self::needed::Needed;
use super::Edit;
use super::import::ImportStep;
use super::preload::PreloadDependencies;
use crate::archive::{Archived, Remap};
use crate::error::{ErrorKind, Result};
use crate::package::Package;
use crate::primitive::{Name, ObjectRef, PackageIndex, SoftObjectPath};
use crate::table::{DependsRow, NameEntry, NameHashes};
use crate::version::threshold;

/// What was copied.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Copied {
    /// The row of the object.
    pub row: usize,
    /// The paths of all objects that are new, in the order of the table.
    pub objects: Vec<String>,
    /// The paths of objects that were there already and are used instead of copies.
    pub reused: Vec<String>,
    /// The paths of objects of the source package that are imported now.
    pub imported: Vec<String>,
}

impl Edit {
    /// Copies an object of another package of the same version into this one, with everything in it and
    /// with what it needs: names, imports, soft paths, inline payloads, thumbnails, metadata, and other objects of its
    /// package as [`CopyOptions::dependencies`] says. Objects that are here already under the same path and
    /// class are used instead of copies, but for the object itself; references to what lies around it become
    /// references to what it is put into, as far as that is of the same classes. Actors come into the list of
    /// the level that they are put into. Existing rows stay where they are.
    ///
    /// Custom versions of UE4 and UE5 may differ where the copied bodies are stored alike by both; those that
    /// this package lacks and the bodies need are added to its header.
    ///
    /// # Errors
    /// `NotFound`; `Exists`; `Invalid` when the packages' layouts differ; `Refused` for bodies that are not
    /// decoded whole, for payloads that stand beside the other package or behind its bodies, for private
    /// objects that would have to be imported, for fields of structs and for levels.
    pub fn copy_from(
        &mut self,
        other: &Package,
        path: &str,
        options: &CopyOptions,
    ) -> Result<Copied> {
        self.check_same_versions(other)?;
        let options = &options.clone().with_paths(self, other);
        let mut source = Edit::of(other.clone());
        let root = source.find_export(path)?;
        let outer = self.group(options.into.as_deref())?;
        self.vacant(outer, &source.object_name(PackageIndex::export(root)))?;
        if source.is_field(root) || source.class_of_function(root).is_some() {
            let reason = "a field is copied with its struct or class only";
            return Err(Error::refused(reason, vec![path.to_owned()]));
        }
        if source.is_in_default(source.tables().exports[root].outer_index)
            != self.is_in_default(outer)
        {
            let reason = "components within the defaults of a class have another layout";
            return Err(Error::refused(reason, vec![path.to_owned()]));
        }
        if !source.bodies().replaced.is_empty() {
            source.rebase()?;
        }
        source.decode_all();
        let rows = source.decoded_with_inner(root)?;
        let around = self.places_around(&source, root, outer);
        let ours = (0..self.tables().exports.len()).filter(|&row| !self.exports().is_null(row));
        let mut gathering = Gathering {
            source: &mut source,
            target: self,
            options,
            root,
            around,
            known: ours.map(|row| (self.exports().path(row).to_ascii_lowercase(), row)).collect(),
            fates: BTreeMap::new(),
            names: BTreeSet::new(),
            imports: BTreeSet::new(),
            private: Vec::new(),
        };
        gathering.take(&rows)?;
        let rows = gathering.rows();
        let Gathering { fates, names, imports, private, .. } = gathering;
        if !private.is_empty() {
            let reason = "private objects can't be imported; let them come along";
            let shown = private.iter().map(|&row| source.exports().path(row)).collect();
            return Err(Error::refused(reason, shown));
        }
        source.decode_rows(rows.iter().copied())?;
        source.check_payloads(&rows)?;
        let needed = Needed { root, outer, fates, names, imports };
        let first = self.tables().exports.len();
        let done = self.transact(|package| {
            let copied = package.paste(&source, &needed, options)?;
            package.prove_copies(first)?;
            Ok(copied)
        });
        // What only the other package lists may be what says how the bodies are stored.
        match (done, self.more_custom_versions(&source)) {
            (Err(_), Some(custom)) if self.versions().has_soft_references() => {
                self.transact(|package| {
                    package.take_custom_versions(custom)?;
                    let copied = package.paste(&source, &needed, options)?;
                    package.prove_copies(first)?;
                    Ok(copied)
                })
            }
            (done, _) => done,
        }
    }

    /// Before UE4 the file version says all of a layout.
    fn prove_copies(&self, first: usize) -> Result<()> {
        match self.versions().has_soft_references() {
            true => self.prove_bodies(first..self.tables().exports.len()),
            false => Ok(()),
        }
    }

    /// What lies around the copied object in its package, outermost last, and what lies around its new place:
    /// as far as the classes are the same, the one stands for the other.
    fn places_around(
        &self,
        source: &Edit,
        root: usize,
        outer: PackageIndex,
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
        around
    }

    fn paste(&mut self, source: &Edit, needed: &Needed, options: &CopyOptions) -> Result<Copied> {
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
        for (&row, _) in needed.fates.iter().filter(|(_, fate)| **fate == Fate::Copied) {
            let within = |error: crate::Error| error.at_index(row).in_field("exports");
            let mut export = source.tables().exports[row].clone();
            if row == needed.root {
                copied.row = self.tables().exports.len();
                export.outer_index = PackageIndex::NULL;
            }
            export.serialize(&mut remap).map_err(within)?;
            if row == needed.root {
                export.outer_index = needed.outer;
            }
            export.serial_size = 0.into();
            export.serial_offset = 0.into();
            export.preload = self.no_preload();
            let new = self.push_export(export)?;
            if let Some(depends) = source.tables().depends.get(row) {
                // Of what it names, that which came along.
                let known = |index: &PackageIndex| objects.get(&index.value()).copied();
                let kept = depends.objects.iter().filter_map(known).map(PackageIndex::new);
                self.set_depends(new, DependsRow { objects: kept.collect() });
            }
            if let Some(decoded) = source.bodies().decoded.get(&row) {
                let mut decoded = decoded.clone();
                let table = source.tables().further.data_resources.as_ref();
                self.adopt_resources(&mut decoded.body, new, table, true)?;
                decoded.body.serialize(&mut remap).map_err(within)?;
                self.give_net_index(&mut decoded);
                self.set_decoded(new, decoded);
            }
        }
        self.adopt_thumbnails(source, needed, first)?;
        self.adopt_assets(source, needed, first)?;
        self.adopt_meta_data(source, needed, first)?;
        self.adopt_actors(source, needed, first)?;
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
        Ok(copied)
    }

    /// Names of the source, added with their flags where they are not here; `None` is the last one here.
    pub(super) fn adopt_names(
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
                _ => self.look_up_name(&text),
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

    /// An object of the source as seen from here: an import, or, where the source imports it from this
    /// package, an export.
    pub(super) fn adopt_import(
        &mut self,
        source: &Edit,
        index: PackageIndex,
        options: &CopyOptions,
    ) -> Result<PackageIndex> {
        let steps = source.import_steps(index, options.source_name.as_deref())?;
        let steps: Vec<_> = steps
            .iter()
            .map(|[name, class_package, class_name]| ImportStep { name, class_package, class_name })
            .collect();
        let package = steps.first().map_or("", |step| step.name);
        let is_here =
            options.target_name.as_deref().is_some_and(|n| n.eq_ignore_ascii_case(package));
        if is_here && steps.len() > 1 {
            let path: Vec<_> = steps[1..].iter().map(|step| step.name).collect();
            return Ok(PackageIndex::export(self.find_export(&path.join("."))?));
        }
        self.import_chain(&steps)
    }

    /// The path of an object from its package, each step with its class; exports need the package's name.
    fn import_steps(
        &self,
        index: PackageIndex,
        own_name: Option<&str>,
    ) -> Result<Vec<[String; 3]>> {
        let unnamed = || Error::invalid("to import from the source package its name is needed");
        let (text, core) = (str::to_owned, self.versions().core_package());
        let mut steps = Vec::new();
        let mut at = index;
        while steps.len() < 64 {
            match at.target() {
                ObjectRef::Null => break,
                ObjectRef::Import(row) => {
                    let Some(import) = self.tables().imports.get(row) else { break };
                    let [package, class] =
                        [import.class_package, import.class_name].map(|name| self.name_text(name));
                    steps.push([self.object_name(at), package, class]);
                    let outer = self.name_text(import.outer_name);
                    if self.versions().file < threshold::OUTER_INDEX_ADDED
                        && !outer.eq_ignore_ascii_case("None")
                    {
                        steps.push([outer, text(core), text("Package")]);
                    }
                }
                ObjectRef::Export(row) => {
                    let own = own_name.ok_or_else(unnamed)?;
                    let Some(export) = self.tables().exports.get(row) else { break };
                    let class = export.class_index;
                    let path = self.path(class);
                    let (package, class) = match class.target() {
                        ObjectRef::Null => (core, text("Class")),
                        ObjectRef::Export(_) => (own, self.object_name(class)),
                        ObjectRef::Import(_) => {
                            (path.split('.').next().unwrap_or_default(), self.object_name(class))
                        }
                    };
                    steps.push([self.object_name(at), text(package), class]);
                    if export.outer_index.is_null() {
                        steps.push([text(own), text(core), text("Package")]);
                    }
                }
            }
            at = self.outer(at);
        }
        if steps.is_empty() || !at.is_null() {
            return Err(ErrorKind::NotMapped { what: "object", index: index.value() }.into());
        }
        steps.reverse();
        Ok(steps)
    }
}
