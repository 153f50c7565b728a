//! What a body refers to.

use super::body_hash::BodyHasher;
use crate::archive::Context;
use crate::error::{PathStep, WrittenPath};
use crate::package::Package;
use crate::primitive::{Name, PackageIndex, SoftObjectPath, Visitor};

/// What is referred to.
pub(super) enum ReferredTo {
    Object(PackageIndex),
    Soft(String),
}

/// Goes through a body once: collects what it refers to, and gives names and objects the numbers by which the
/// body is hashed.
pub(super) struct BodyVisitor<'a, 'p> {
    pub package: &'p Package,
    pub context: &'a Context,
    pub hasher: Option<&'a mut BodyHasher<'p>>,
    /// Whether references are wanted.
    pub collects: bool,
    pub found: Vec<(String, ReferredTo)>,
    /// Soft paths that the body names by their row.
    pub soft_texts: Vec<String>,
}

impl BodyVisitor<'_, '_> {
    fn note(&mut self, way: &[PathStep], referred: ReferredTo) {
        if self.collects {
            self.found.push((WrittenPath(way).to_string(), referred));
        }
    }
}

impl Visitor for BodyVisitor<'_, '_> {
    fn object(&mut self, index: &mut PackageIndex, way: &[PathStep]) {
        if !index.is_null() {
            self.note(way, ReferredTo::Object(*index));
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
        if self.collects {
            let text = path.text(self.context);
            if !text.is_empty() {
                self.note(way, ReferredTo::Soft(text));
            }
        }
    }

    fn soft_row(&mut self, row: &mut i32, way: &[PathStep]) {
        let known = usize::try_from(*row).ok();
        let Some(path) = known.and_then(|row| self.package.soft_object_paths().get(row)) else {
            return;
        };
        let text = path.text(self.context);
        if !text.is_empty() {
            self.note(way, ReferredTo::Soft(text.clone()));
        }
        if self.hasher.is_some() {
            self.soft_texts.push(text);
            *row = self.soft_texts.len() as i32;
        }
    }
}
