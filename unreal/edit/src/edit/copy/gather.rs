//! Finding out what copied objects need.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use super::{CopyOptions, Dependencies, Needed};
use crate::archive::{Archived, References};
use crate::compare::Identity;
use crate::edit::Edit;
use crate::edit::data_resource;
use crate::error::{Error, Result, UnrealErrors};
use crate::package::Package;
use crate::primitive::{NameReferences, ObjectFlags, ObjectRef, PackageIndex};
use crate::version::{EngineFacts, UnrealVersions, threshold};

/// The flag of objects that other packages may import (spec: ue1-3/08 §8.4).
const PUBLIC: u64 = 4;

/// The fate of an export of the source.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::edit) enum Fate {
    Copied,
    Reused(PackageIndex),
    Imported,
}

/// The plan of a copy: the fate of every export that is met.
pub(super) struct Gathering<'a> {
    source: &'a Edit,
    target: &'a Package,
    options: &'a CopyOptions,
    roots: &'a [usize],
    /// The objects around the roots, with those that stand for them in the target.
    around: BTreeMap<usize, PackageIndex>,
    /// The actors of the source's levels.
    actors: &'a HashMap<usize, usize>,
    /// Made when something is met that may be in the target.
    identity: Option<Identity<'a>>,
    fates: BTreeMap<usize, Fate>,
    /// The objects around copied ones, but for the roots.
    outers: HashSet<PackageIndex>,
    names: BTreeSet<i32>,
    imports: BTreeSet<usize>,
    /// Private objects that would have to be imported.
    private: Vec<usize>,
    /// Actors that would come along without having been named.
    foreign: Vec<usize>,
}

impl<'a> Gathering<'a> {
    pub fn new(
        source: &'a Edit,
        target: &'a Package,
        options: &'a CopyOptions,
        (roots, around): (&'a [usize], BTreeMap<usize, PackageIndex>),
        actors: &'a HashMap<usize, usize>,
    ) -> Self {
        let (fates, outers, identity) = Default::default();
        let (names, imports, private, foreign) = Default::default();
        Self {
            source,
            target,
            options,
            roots,
            around,
            actors,
            identity,
            fates,
            outers,
            names,
            imports,
            private,
            foreign,
        }
    }

    /// Takes exports with all that lies in them, and finds out what these refer to.
    pub fn take(&mut self, rows: &[usize]) -> Result<()> {
        let mut open = Vec::new();
        self.copy(rows, &mut open);
        while let Some(row) = open.pop() {
            for index in self.references(row)? {
                match index.target() {
                    ObjectRef::Null => {}
                    ObjectRef::Import(row) => drop(self.imports.insert(row)),
                    ObjectRef::Export(row) => self.meet(row, &mut open)?,
                }
            }
        }
        Ok(())
    }

    /// The rows that the copy needs, private objects that would have to be imported, and actors that would come
    /// along.
    pub fn finish(self, outer: PackageIndex) -> (Needed, Vec<usize>, Vec<usize>) {
        let Self { roots, fates, names, imports, private, foreign, .. } = self;
        let roots = roots.to_vec();
        (Needed { roots, outer, fates, names, imports }, private, foreign)
    }

    fn copy(&mut self, rows: &[usize], open: &mut Vec<usize>) {
        for &row in rows {
            if self.fates.insert(row, Fate::Copied) != Some(Fate::Copied) {
                open.push(row);
                if !self.roots.contains(&row)
                    && let Some(export) = self.source.tables().exports.get(row)
                {
                    self.outers.insert(export.outer_index);
                }
            }
        }
    }

    /// The references of one row and its body; its names are noted.
    fn references(&mut self, row: usize) -> Result<Vec<PackageIndex>> {
        let mut references = References::new(self.source.versions().clone());
        let mut export = self.source.tables().exports[row].clone();
        if self.roots.contains(&row) {
            export.outer_index = PackageIndex::NULL;
        }
        // Visiting never fails: it neither reads nor writes.
        let _ = export.serialize(&mut references);
        if let Some((mut decoded, _)) = self.source.detached(row, self.actors.contains_key(&row))? {
            let _ = decoded.body.serialize(&mut references);
        }
        self.names.extend(references.names().keys());
        Ok(references.objects().keys().copied().map(PackageIndex::new).collect())
    }

    fn meet(&mut self, row: usize, open: &mut Vec<usize>) -> Result<()> {
        if row >= self.source.tables().exports.len() || self.fates.contains_key(&row) {
            return Ok(());
        }
        if let Some(&place) = self.around.get(&row) {
            self.fates.insert(row, Fate::Reused(place));
            return Ok(());
        }
        if let Some(twin) = self.twin(row) {
            self.fates.insert(row, Fate::Reused(PackageIndex::export(twin)));
            return Ok(());
        }
        let flags = self.source.tables().exports[row].object_flags;
        let versions = self.source.versions();
        let is_public = match versions.ue4() {
            1.. => flags.contains(ObjectFlags::UE4_PUBLIC),
            0 if versions.file() < threshold::FLAGS_64_BIT => flags.0 & PUBLIC != 0,
            0 => flags.0 >> 32 & PUBLIC != 0,
        };
        // A group is only a place: it comes along with what lies in it here.
        let is_around = self.outers.contains(&PackageIndex::export(row));
        let imported = match self.options.dependencies {
            _ if is_around => false,
            Dependencies::Copy => false,
            Dependencies::Auto => is_public && self.other_name().is_some(),
            Dependencies::Import => true,
        };
        if imported {
            if self.other_name().is_none() && self.options.source_name.is_some() {
                let reason = "both packages have one name: nothing can be imported from the other";
                return Err(Error::refused(reason, vec![self.source.exports().path(row)]));
            }
            if !is_public {
                self.private.push(row);
            }
            self.fates.insert(row, Fate::Imported);
            return Ok(());
        }
        if self.is_level(row) {
            let reason = "a level does not come along with what lies in it: name the level that it is \
                          copied into";
            return Err(Error::refused(reason, vec![self.source.exports().path(row)]));
        }
        if self.actors.contains_key(&row) && self.options.dependencies != Dependencies::Copy {
            // All of them are told at once.
            self.foreign.push(row);
            self.fates.insert(row, Fate::Imported);
            return Ok(());
        }
        let rows = match is_around && !self.source.is_script(PackageIndex::export(row)) {
            true => vec![row],
            false => self.source.with_inner(&[row]),
        };
        self.copy(&rows, open);
        Ok(())
    }

    /// The export of the target that says the same as this one.
    fn twin(&mut self, row: usize) -> Option<usize> {
        let (source, target) = (self.source, self.target);
        let identity = self.identity.get_or_insert_with(|| {
            let places = self.around.iter().filter_map(|(&here, there)| match there.target() {
                ObjectRef::Export(there) => Some((here, there)),
                _ => None,
            });
            let copied = self.fates.iter().filter(|(_, fate)| **fate == Fate::Copied);
            let copied = copied.map(|(&row, _)| row);
            // Who wants copies of all wants no object that imports some.
            let name = other_name(self.options);
            let name = name.filter(|_| self.options.dependencies != Dependencies::Copy);
            Identity::new(source, target, &places.collect(), copied, name)
        });
        identity.twin(row, &|row| source.has_payload_elsewhere(row))
    }

    fn other_name(&self) -> Option<&'a str> {
        other_name(self.options)
    }

    /// UE3 and newer: whether it is a level, or the world of one.
    fn is_level(&self, row: usize) -> bool {
        let class = self.source.class_name_of(row);
        self.source.versions().has_default_objects()
            && ["Level", "World"].iter().any(|known| class.eq_ignore_ascii_case(known))
    }
}

/// The name of the source, as the target can import from it. Another file of the target's own name is no other
/// package to the engine: an import from there would mean the target's own objects.
fn other_name(options: &CopyOptions) -> Option<&str> {
    let own = options.target_name.as_deref();
    options
        .source_name
        .as_deref()
        .filter(|name| !own.is_some_and(|own| own.eq_ignore_ascii_case(name)))
}

impl Edit {
    /// Whether a part of what an object says may stand elsewhere than in its body.
    fn has_payload_elsewhere(&self, row: usize) -> bool {
        let mut in_table = false;
        if self.tables().further.data_resources.is_some()
            && let Some(decoded) = self.bodies().decoded.get(&row)
        {
            data_resource::visit(&mut decoded.body.clone(), self.versions(), &mut |resource| {
                in_table |= resource >= 0;
                resource
            });
        }
        in_table || self.check_payloads(&[row]).is_err()
    }
}
