//! One of two packages that are compared.

use std::borrow::Cow;
use std::cell::{OnceCell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

use super::ObjectTitle;
use super::pair::ObjectPairs;
use crate::archive::{Archived, Context, References, Remap};
use crate::decompile::Decompiler;
use crate::inspect::ReferenceTexts;
use crate::package::{Decoded, Decoder, Package, PathMap};
use crate::primitive::{NameRemap, ObjectRef, PackageIndex, Visit, Visitor, Way};
use crate::property::class_and_path;
use crate::version::UnrealVersions;

/// Numbers for the rows that no table has: the same row has one number on both sides, and no other row has it.
/// The hash of such a row ends at the greatest number, where all are one.
#[derive(Debug, Default)]
struct UnknownRows(RefCell<HashMap<i32, i32>>);

impl UnknownRows {
    /// From the greatest number down: those of rows that are known start at 1.
    fn number(&self, row: i32) -> i32 {
        let mut known = self.0.borrow_mut();
        let count = i32::try_from(known.len()).unwrap_or(i32::MAX);
        *known.entry(row).or_insert(i32::MAX - count)
    }
}

/// The objects of the new package that the old one has as well.
struct Twins<'a> {
    package: &'a Package,
    /// Their rows by those of the old package.
    rows: HashMap<usize, usize>,
}

/// One of the two packages. Its bodies are decoded one by one and not kept.
pub(super) struct Side<'a> {
    pub package: &'a Package,
    decoder: RefCell<Decoder>,
    pub context: Arc<Context>,
    /// Number of each name, the same on both sides for the same text.
    pub names: Vec<i32>,
    /// Number of each import, below zero; of each export, above.
    pub imports: Vec<i32>,
    pub exports: Vec<i32>,
    /// Number of each row of the list of soft paths.
    pub soft: Vec<i32>,
    /// Of the old package: what its paths have become, where it has another name now.
    pub renamed: Option<PathMap>,
    unknown: Rc<UnknownRows>,
    /// Of the old package.
    twins: Option<Twins<'a>>,
    decompiler: OnceCell<Decompiler>,
    /// Of the old package: whether code is compared item by item, which says nothing of what else the package declares.
    pub has_plain_code: bool,
}

impl<'a> Side<'a> {
    pub fn new(package: &'a Package) -> Self {
        let context = package.decoding_context();
        let decoder = RefCell::new(package.decoder());
        let (names, imports, exports, soft) = Default::default();
        let (renamed, unknown, twins) = Default::default();
        let (decompiler, has_plain_code) = (OnceCell::new(), false);
        Self {
            package,
            decoder,
            context,
            names,
            imports,
            exports,
            soft,
            renamed,
            unknown,
            twins,
            decompiler,
            has_plain_code,
        }
    }

    /// What writes the code of the package as source.
    pub fn decompiler(&self) -> &Decompiler {
        self.decompiler.get_or_init(|| Decompiler::new(self.package))
    }

    /// Rows that no table has get the same numbers on both sides from now on.
    pub fn share_numbers(&mut self, other: &Self) {
        self.unknown = other.unknown.clone();
    }

    /// The old package says references to objects that both have as the new one does from now on.
    pub fn set_twins(&mut self, new: &Side<'a>, pairs: &ObjectPairs) {
        let rows = pairs.both.iter().copied().collect();
        self.twins = Some(Twins { package: new.package, rows });
    }

    /// A body in its typed form, with what was changed in it.
    pub fn decoded(&self, row: usize) -> Option<Decoded> {
        let fresh = || self.decoder.borrow_mut().decode(self.package, row, |_| true);
        let shared = self.package.bodies().decoded.shared(row).cloned();
        shared.or_else(fresh).map(Arc::unwrap_or_clone)
    }

    pub fn object(&self, index: i32) -> i32 {
        let row = |index: i32| usize::try_from(i64::from(index).abs() - 1).ok();
        let found = match index {
            0 => return 0,
            1.. => row(index).and_then(|row| self.exports.get(row)),
            _ => row(index).and_then(|row| self.imports.get(row)),
        };
        found.copied().unwrap_or_else(|| self.unknown.number(index))
    }

    pub fn name(&self, index: i32) -> i32 {
        let row = usize::try_from(index).ok().and_then(|row| self.names.get(row));
        row.copied().unwrap_or_else(|| self.unknown.number(index))
    }

    /// Gives names, objects and soft paths of a value the numbers that both sides share; the name of the row
    /// `own_name` becomes 0. `None` for what can't be renumbered.
    pub fn renumber(&self, value: &mut impl Archived, own_name: Option<i32>) -> Option<()> {
        let name = |index| match own_name == Some(index) {
            true => Some(0),
            false => Some(self.name(index)),
        };
        let object = |index| Some(self.object(index));
        let versions = &self.package.versions().of_bodies();
        value.serialize(&mut Remap::names_and_objects(versions.clone(), &name, &object)).ok()?;
        if !self.soft.is_empty() {
            let (mut rows, context) = (SoftRows(self), self.context.clone());
            value.serialize(&mut Visit::new(&mut rows, versions.clone(), context)).ok()?;
        }
        Some(())
    }

    /// A reference as text, as the new package has it: what both have by the object, whatever its names were.
    pub fn reference_text(&self, index: PackageIndex) -> String {
        if let (Some(twins), ObjectRef::Export(row)) = (&self.twins, index.target())
            && let Some(&row) = twins.rows.get(&row)
        {
            return twins.package.reference_text(PackageIndex::export(row));
        }
        let text = self.package.reference_text(index);
        match class_and_path(&text) {
            (Some(class), path) if self.renamed.is_some() => {
                let now = |path: &str| self.now_in_full(path.to_owned());
                format!("{}'{}'", now(class), now(path))
            }
            _ => text,
        }
    }

    /// The new path of one that starts with the package's own. One that does not may be that of another
    /// package's object.
    pub fn now_in_full(&self, path: String) -> String {
        self.renamed.as_ref().and_then(|map| map.path(&path)).unwrap_or(path)
    }

    /// The new path of one within the old package.
    pub fn now(&self, path: String) -> String {
        let map = self.renamed.as_ref();
        map.and_then(|map| map.path(&path).or_else(|| map.object(&path))).unwrap_or(path)
    }

    pub fn title(&self, row: usize) -> ObjectTitle {
        ObjectTitle {
            path: self.package.path(PackageIndex::export(row)),
            class: self.package.class_path(row),
            row,
        }
    }

    /// The references of tables and bodies.
    pub fn references(&self) -> References {
        crate::inspect::references(self.package)
    }
}

/// Gives the rows of the list of soft paths the numbers that both sides share.
struct SoftRows<'s, 'a>(&'s Side<'a>);

impl Visitor for SoftRows<'_, '_> {
    fn takes_paths(&self) -> bool {
        false
    }

    fn soft_row(&mut self, row: &mut i32, _: &Way) {
        let known = usize::try_from(*row).ok().and_then(|row| self.0.soft.get(row));
        *row = known.copied().unwrap_or_else(|| self.0.unknown.number(*row));
    }
}

/// Bodies that somebody has replaced by bytes say nothing before they stand in a package and are decoded.
pub(crate) fn settled(package: &Package) -> Cow<'_, Package> {
    match package.bodies().replaced.is_empty() {
        true => Cow::Borrowed(package),
        // What can't be saved is compared as it is.
        false => package.rebuilt().map_or(Cow::Borrowed(package), Cow::Owned),
    }
}
