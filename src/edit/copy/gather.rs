//! Finding out what a copied object needs.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::{CopyOptions, Dependencies};
use crate::archive::{Archived, References};
use crate::edit::Edit;
use crate::error::{Error, ErrorKind, Result};
use crate::package::Package;
use crate::primitive::{ObjectFlags, ObjectRef, PackageIndex};
use crate::version::threshold;

/// The flag of objects that other packages may import (spec: ue1-3/08 §8.4).
const PUBLIC: u64 = 4;

/// What an export of the source becomes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::edit) enum Fate {
    Copied,
    Reused(PackageIndex),
    Imported,
}

/// The plan of a copy: the fate of every export that is met.
pub(super) struct Gathering<'a> {
    pub source: &'a mut Edit,
    pub target: &'a Package,
    pub options: &'a CopyOptions,
    pub root: usize,
    /// What lies around the root, and what stands for it in the target.
    pub around: BTreeMap<usize, PackageIndex>,
    /// Where each path of the target stands, in lower case.
    pub known: HashMap<String, usize>,
    pub fates: BTreeMap<usize, Fate>,
    pub names: BTreeSet<i32>,
    pub imports: BTreeSet<usize>,
    pub private: Vec<usize>,
}

impl Gathering<'_> {
    /// Takes an export and all that lies in it, and finds out what these refer to.
    pub fn take(&mut self, rows: &[usize]) -> Result<()> {
        let mut open = Vec::new();
        for &row in rows {
            if self.fates.insert(row, Fate::Copied) != Some(Fate::Copied) {
                open.push(row);
            }
        }
        while let Some(row) = open.pop() {
            for index in self.references(row) {
                match index.target() {
                    ObjectRef::Null => {}
                    ObjectRef::Import(row) => drop(self.imports.insert(row)),
                    ObjectRef::Export(row) => self.meet(row, &mut open)?,
                }
            }
        }
        Ok(())
    }

    /// What one row and its body refer to; its names are noted.
    fn references(&mut self, row: usize) -> Vec<PackageIndex> {
        let mut references = References::new(self.source.versions().clone());
        let mut export = self.source.tables().exports[row].clone();
        if row == self.root {
            export.outer_index = PackageIndex::NULL;
        }
        // Visiting never fails: it neither reads nor writes.
        let _ = export.serialize(&mut references);
        if let Some(decoded) = self.source.decoded_mut(row) {
            let _ = decoded.body.serialize(&mut references);
        }
        self.names.extend(references.names().keys());
        references.objects().keys().copied().map(PackageIndex::new).collect()
    }

    fn meet(&mut self, row: usize, open: &mut Vec<usize>) -> Result<()> {
        if row >= self.source.tables().exports.len() || self.fates.contains_key(&row) {
            return Ok(());
        }
        if let Some(&place) = self.around.get(&row) {
            self.fates.insert(row, Fate::Reused(place));
            return Ok(());
        }
        let path = self.source.exports().path(row);
        let class =
            |package: &Package, row| package.exports().get(row).map(|export| export.class());
        let known = self.known.get(&path.to_ascii_lowercase()).copied();
        if let Some(known) = known
            && class(self.target, known) == class(self.source, row)
        {
            self.fates.insert(row, Fate::Reused(PackageIndex::export(known)));
            return Ok(());
        }
        let flags = self.source.tables().exports[row].object_flags;
        let versions = self.source.versions();
        let is_public = match versions.ue4 {
            1.. => flags.contains(ObjectFlags::UE4_PUBLIC),
            0 if versions.file < threshold::FLAGS_64_BIT => flags.0 & PUBLIC != 0,
            0 => flags.0 >> 32 & PUBLIC != 0,
        };
        // A group is only a place: it comes along with what lies in it here.
        let is_around = self.is_around_copied(row);
        let imported = match self.options.dependencies {
            _ if is_around => false,
            Dependencies::Copy => false,
            Dependencies::Auto => is_public && self.options.source_name.is_some(),
            Dependencies::Import => true,
        };
        if imported {
            if !is_public {
                self.private.push(row);
            }
            self.fates.insert(row, Fate::Imported);
            return Ok(());
        }
        if self.is_level(row) {
            let reason = "a level does not come along with what lies in it: name the level that it is \
                          copied into";
            return Err(Error::refused(reason, vec![path]));
        }
        if known.is_some() {
            return Err(ErrorKind::Exists { what: "export", name: path }.into());
        }
        let rows = match is_around && !self.source.is_script(PackageIndex::export(row)) {
            true => vec![row],
            false => self.source.with_inner(&[row]),
        };
        for row in rows {
            if self.fates.insert(row, Fate::Copied) != Some(Fate::Copied) {
                open.push(row);
            }
        }
        Ok(())
    }

    /// UE3 and newer: whether it is a level, or the world of one.
    fn is_level(&self, row: usize) -> bool {
        let class = self.source.tables().exports[row].class_index;
        let class = self.source.object_name(class);
        self.source.versions().has_default_objects()
            && ["Level", "World"].iter().any(|known| class.eq_ignore_ascii_case(known))
    }

    /// Whether something that is copied lies directly in this export.
    fn is_around_copied(&self, row: usize) -> bool {
        let outer = PackageIndex::export(row);
        self.fates.iter().any(|(&inner, &fate)| {
            fate == Fate::Copied
                && inner != self.root
                && self.source.tables().exports[inner].outer_index == outer
        })
    }

    pub fn rows(&self) -> Vec<usize> {
        let copied = self.fates.iter().filter(|(_, fate)| **fate == Fate::Copied);
        copied.map(|(&row, _)| row).collect()
    }
}
