//! One of two packages that are compared.

use std::borrow::Cow;
use std::cell::RefCell;
use std::sync::Arc;

use super::ObjectTitle;
use crate::archive::{Context, References};
use crate::package::{Decoded, Decoder, Package, PathMap};
use crate::primitive::PackageIndex;

/// What is added to indices out of range, so that they meet no number that is given.
const BEYOND: i32 = 1 << 30;

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
}

impl<'a> Side<'a> {
    pub fn new(package: &'a Package) -> Self {
        let context = package.decoding_context();
        let decoder = RefCell::new(package.decoder());
        let (names, imports, exports, soft) = Default::default();
        Self { package, decoder, context, names, imports, exports, soft, renamed: None }
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
        found.copied().unwrap_or_else(|| index.saturating_add(index.signum() * BEYOND))
    }

    pub fn name(&self, index: i32) -> i32 {
        let row = usize::try_from(index).ok().and_then(|row| self.names.get(row));
        row.copied().unwrap_or_else(|| index.wrapping_neg().saturating_sub(BEYOND))
    }

    /// A reference as text, as the new package has it.
    pub fn reference_text(&self, index: PackageIndex) -> String {
        let text = self.package.reference_text(index);
        match text.strip_suffix('\'').and_then(|text| text.split_once('\'')) {
            Some((class, path)) if self.renamed.is_some() => {
                format!("{}'{}'", self.now(class.to_owned()), self.now(path.to_owned()))
            }
            _ => text,
        }
    }

    /// What a path within the old package has become.
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

    /// What tables and bodies refer to.
    pub fn references(&self) -> References {
        crate::inspect::references(self.package)
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
