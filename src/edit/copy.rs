//! Copying objects from one package into another.

mod gather;

use crate::error::Error;
use crate::package::tables::next_row;
use std::collections::{BTreeMap, BTreeSet};

use self::gather::{Fate, Gathering};
use super::Edit;
use super::import::ImportStep;
use super::refusal::refuse_object_versions;
use crate::archive::{Archived, Remap};
use crate::error::{ErrorKind, Result};
use crate::package::Package;
use crate::primitive::{Name, ObjectRef, PackageIndex};
use crate::table::{DependsRow, NameEntry};
use crate::version::{Engine, threshold};

/// What becomes of the other objects of the source package that a copied object refers to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Dependencies {
    /// Public ones are imported from the source package, if its name is known; private ones, which can't be
    /// imported, come along.
    #[default]
    Auto,
    /// All come along.
    Copy,
    /// All are imported; private ones are refused.
    Import,
}

/// How an object is copied into another package.
#[derive(Debug, Clone, Default)]
pub struct CopyOptions {
    into: Option<String>,
    dependencies: Dependencies,
    source_name: Option<String>,
    target_name: Option<String>,
}

impl CopyOptions {
    /// To the top of the package, dependencies as [`Dependencies::Auto`] says.
    pub fn new() -> Self {
        Self::default()
    }

    /// Puts the object into this group, which must be there.
    #[must_use]
    pub fn into_group(mut self, path: impl Into<String>) -> Self {
        self.into = Some(path.into());
        self
    }

    /// What becomes of other objects that the copied one refers to.
    #[must_use]
    pub fn dependencies(mut self, dependencies: Dependencies) -> Self {
        self.dependencies = dependencies;
        self
    }

    /// The name of the source package, as its file has it: objects of it can be imported then.
    #[must_use]
    pub fn source_name(mut self, name: impl Into<String>) -> Self {
        self.source_name = Some(name.into());
        self
    }

    /// The name of the package that is copied into: what the source imports from it is found there then.
    #[must_use]
    pub fn target_name(mut self, name: impl Into<String>) -> Self {
        self.target_name = Some(name.into());
        self
    }
}

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
    /// with what it needs: names, imports, and other objects of its package as
    /// [`CopyOptions::dependencies`] says. Objects that are here already under the same path and class are
    /// used instead of copies, but for the object itself. Existing rows stay where they are.
    ///
    /// # Errors
    /// `NotFound`; `Exists`; `Invalid` when the packages' layouts differ; `Refused` for bodies that are not
    /// decoded whole, for private objects that would have to be imported, and for fields of structs.
    pub fn copy_from(
        &mut self,
        other: &Package,
        path: &str,
        options: &CopyOptions,
    ) -> Result<Copied> {
        refuse_object_versions(self, "copying objects")?;
        let (ours, theirs) = (&self.versions(), &other.versions());
        if ours != theirs {
            let reason = format!(
                "the layouts of version {theirs} and version {ours} may differ; \
                 convert one of the packages first"
            );
            return Err(ErrorKind::Invalid { reason }.into());
        }
        let mut source = Edit::of(other.clone());
        let root = source.find_export(path)?;
        let outer = self.group(options.into.as_deref())?;
        self.vacant(outer, &source.object_name(PackageIndex::export(root)))?;
        if source.is_field(root) {
            let reason = "a field is copied with its struct only";
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
        let rows = source.with_inner(&[root]);
        let ours = (0..self.tables().exports.len()).filter(|&row| !self.exports().is_null(row));
        let mut gathering = Gathering {
            source: &mut source,
            target: self,
            options,
            root,
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
        source.decode_rows(rows.into_iter())?;
        self.transact(|package| {
            let needed = Needed { root, outer, fates, names, imports };
            package.paste(&source, needed, options)
        })
    }

    fn paste(&mut self, source: &Edit, needed: Needed, options: &CopyOptions) -> Result<Copied> {
        let mut copied = Copied::default();
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
        let mut remap = Remap::names_and_objects(self.versions().clone(), &by_name, &by_object)
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
            let new = self.push_export(export)?;
            if let (Some(depends), Some(place)) =
                (source.tables().depends.get(row), self.tables_mut().depends.get_mut(new))
            {
                // Of what it names, that which came along.
                let known = |index: &PackageIndex| objects.get(&index.value()).copied();
                let kept = depends.objects.iter().filter_map(known).map(PackageIndex::new);
                *place = DependsRow { objects: kept.collect() };
            }
            if let Some(decoded) = source.bodies().decoded.get(&row) {
                let mut decoded = decoded.clone();
                decoded.body.serialize(&mut remap).map_err(within)?;
                self.give_net_index(&mut decoded);
                self.bodies_mut().decoded.insert(new, decoded);
            }
        }
        self.adopt_thumbnails(source, &needed, first)?;
        self.sync_counts()?;
        copied.objects =
            (first..self.tables().exports.len()).map(|row| self.exports().path(row)).collect();
        Ok(copied)
    }

    /// Names of the source, added with their flags where they are not here; `None` is the last one here.
    fn adopt_names(&mut self, source: &Edit, used: &BTreeSet<i32>) -> Result<BTreeMap<i32, i32>> {
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
                    let number = next_row(self.tables().names.len())?;
                    self.tables_mut().names.push(entry);
                    Name::new(number)
                }
            };
            names.insert(old, new.index.value());
        }
        Ok(names)
    }

    /// An object of the source as seen from here: an import, or, where the source imports it from this
    /// package, an export.
    fn adopt_import(
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

    /// The way to an object from its package, each step with its class; exports need the package's name.
    fn import_steps(
        &self,
        index: PackageIndex,
        own_name: Option<&str>,
    ) -> Result<Vec<[String; 3]>> {
        let unnamed = || ErrorKind::Invalid {
            reason: "to import from the source package its name is needed".to_owned(),
        };
        let text = str::to_owned;
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
                        steps.push([outer, text("Core"), text("Package")]);
                    }
                }
                ObjectRef::Export(row) => {
                    let own = own_name.ok_or_else(unnamed)?;
                    let Some(export) = self.tables().exports.get(row) else { break };
                    let class = export.class_index;
                    let path = self.path(class);
                    let (package, class) = match class.target() {
                        ObjectRef::Null => ("Core", text("Class")),
                        ObjectRef::Export(_) => (own, self.object_name(class)),
                        ObjectRef::Import(_) => {
                            (path.split('.').next().unwrap_or_default(), self.object_name(class))
                        }
                    };
                    steps.push([self.object_name(at), text(package), class]);
                    if export.outer_index.is_null() {
                        steps.push([text(own), text("Core"), text("Package")]);
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

    /// Thumbnails of what was copied, with their images.
    fn adopt_thumbnails(&mut self, source: &Edit, needed: &Needed, first: usize) -> Result<()> {
        if source.tables().thumbnails.is_empty() || self.versions().engine() != Engine::Ue3 {
            return Ok(());
        }
        let copied = needed.fates.iter().filter(|(_, fate)| **fate == Fate::Copied);
        let paths: BTreeMap<String, usize> = copied
            .enumerate()
            .map(|(at, (&row, _))| (source.exports().path(row).to_ascii_lowercase(), first + at))
            .collect();
        for thumbnail in &source.tables().thumbnails {
            let path = thumbnail.object_path.text(source.source())?.to_ascii_lowercase();
            let (Some(&row), Some(image)) = (paths.get(&path), source.tables().image(thumbnail))
            else {
                continue;
            };
            let (mut thumbnail, mut image) = (thumbnail.clone(), image.clone());
            image.image.materialize(source.source())?;
            thumbnail.class_name.materialize(source.source())?;
            // Images are known by their offsets; this one gets its true one when it is saved.
            let last = self.tables().images.last().map_or(0, |(at, _)| *at);
            let taken = self
                .tables()
                .thumbnails
                .iter()
                .filter_map(|row| u64::try_from(row.file_offset).ok());
            let place = taken.fold(last, u64::max) + 1;
            thumbnail.file_offset = i32::try_from(place)
                .map_err(|_| ErrorKind::OutOfRange { value: place.into(), bits: 31 })?;
            let (order, game) = (self.versions().byte_order, self.versions().game);
            let title = self.exports().path(row);
            thumbnail.object_path = crate::FString::new_in(&title, order, game);
            self.tables_mut().images.push((place, image));
            self.tables_mut().thumbnails.push(thumbnail);
        }
        Ok(())
    }
}

/// What a copied object needs.
struct Needed {
    root: usize,
    outer: PackageIndex,
    fates: BTreeMap<usize, Fate>,
    names: BTreeSet<i32>,
    imports: BTreeSet<usize>,
}
