//! What a body refers to.

use super::body_hash::BodyHasher;
use crate::archive::Context;
use crate::package::Package;
use crate::primitive::{Name, PackageIndex, SoftObjectPath, Visitor, Way};

/// What is referred to.
pub(super) enum ReferredTo<'a> {
    Object(PackageIndex),
    Soft(&'a str),
}

/// Hands on what a body refers to, each with the path of the field that refers.
pub(super) struct ReferenceVisitor<'a, F: FnMut(&Way, ReferredTo<'_>)> {
    pub package: &'a Package,
    pub context: &'a Context,
    pub each: F,
}

impl<F: FnMut(&Way, ReferredTo<'_>)> Visitor for ReferenceVisitor<'_, F> {
    fn object(&mut self, index: &mut PackageIndex, way: &Way) {
        if !index.is_null() {
            (self.each)(way, ReferredTo::Object(*index));
        }
    }

    fn soft_path(&mut self, path: &mut SoftObjectPath, way: &Way) {
        let text = path.text(self.context);
        if !text.is_empty() {
            (self.each)(way, ReferredTo::Soft(&text));
        }
    }

    fn soft_row(&mut self, row: &mut i32, way: &Way) {
        let text = soft_text(self.package, self.context, *row).unwrap_or_default();
        if !text.is_empty() {
            (self.each)(way, ReferredTo::Soft(&text));
        }
    }
}

/// Gives the names and objects of a body the numbers by which it is hashed.
pub(super) struct HashVisitor<'a, 'p> {
    pub package: &'p Package,
    pub context: &'a Context,
    pub hasher: &'a mut BodyHasher<'p>,
    /// Soft paths that the body names by their row.
    pub soft_texts: Vec<String>,
}

impl Visitor for HashVisitor<'_, '_> {
    fn takes_paths(&self) -> bool {
        false
    }

    fn object(&mut self, index: &mut PackageIndex, _: &Way) {
        self.hasher.object(index);
    }

    fn name(&mut self, name: &mut Name, _: &Way) {
        self.hasher.name(name);
    }

    fn soft_row(&mut self, row: &mut i32, _: &Way) {
        if let Some(text) = soft_text(self.package, self.context, *row) {
            self.soft_texts.push(text);
            *row = self.soft_texts.len() as i32;
        }
    }
}

/// A row of the package's list of soft paths.
fn soft_text(package: &Package, context: &Context, row: i32) -> Option<String> {
    let path = usize::try_from(row).ok().and_then(|row| package.soft_object_paths().get(row))?;
    Some(path.text(context))
}
