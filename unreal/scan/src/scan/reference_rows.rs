//! What a body refers to.

use super::body_hash::BodyHasher;
use crate::archive::Context;
use crate::error::PathStep;
use crate::package::Package;
use crate::primitive::{Name, PackageIndex, SoftObjectPath, Visitor};

/// What is referred to.
pub(super) enum ReferredTo<'a> {
    Object(PackageIndex),
    Soft(&'a str),
}

/// Takes references, each with the path of the field that refers.
pub(super) type ReferenceSink<'a> = &'a mut dyn FnMut(&[PathStep], ReferredTo<'_>);

/// Goes through a body once: hands on what it refers to, and gives names and objects the numbers by which the
/// body is hashed.
pub(super) struct BodyVisitor<'a, 'p> {
    pub package: &'p Package,
    pub context: &'a Context,
    pub hasher: Option<&'a mut BodyHasher<'p>>,
    pub each: Option<ReferenceSink<'a>>,
    /// Soft paths that the body names by their row.
    pub soft_texts: Vec<String>,
}

impl Visitor for BodyVisitor<'_, '_> {
    fn object(&mut self, index: &mut PackageIndex, way: &[PathStep]) {
        if let Some(each) = self.each.as_mut().filter(|_| !index.is_null()) {
            each(way, ReferredTo::Object(*index));
        }
        if let Some(hasher) = &mut self.hasher {
            hasher.object(index);
        }
    }

    fn name(&mut self, name: &mut Name, _: &[PathStep]) {
        if let Some(hasher) = &mut self.hasher {
            hasher.name(name);
        }
    }

    fn soft_path(&mut self, path: &mut SoftObjectPath, way: &[PathStep]) {
        if let Some(each) = &mut self.each {
            let text = path.text(self.context);
            if !text.is_empty() {
                each(way, ReferredTo::Soft(&text));
            }
        }
    }

    fn soft_row(&mut self, row: &mut i32, way: &[PathStep]) {
        let known = usize::try_from(*row).ok();
        let Some(path) = known.and_then(|row| self.package.soft_object_paths().get(row)) else {
            return;
        };
        let text = path.text(self.context);
        if let Some(each) = self.each.as_mut().filter(|_| !text.is_empty()) {
            each(way, ReferredTo::Soft(&text));
        }
        if self.hasher.is_some() {
            self.soft_texts.push(text);
            *row = self.soft_texts.len() as i32;
        }
    }
}
