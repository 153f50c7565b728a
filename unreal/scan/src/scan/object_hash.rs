//! The hashes of a package's objects, without tables.

use std::sync::Arc;

use super::body_hash::BodyHasher;
use super::reference_rows::HashVisitor;
use crate::package::Package;

/// An object with the hash of its body.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct ObjectHash {
    /// Its path within the package.
    pub path: String,
    /// The path of its class.
    pub class: String,
    /// The hash, as in `exports.body_hash`; `None` for an object without a body.
    pub hash: Option<String>,
}

/// The hash of every object of a package, in the order of its table.
pub fn object_hashes(package: &Package) -> Vec<ObjectHash> {
    let context = package.decoding_context();
    let mut hasher = BodyHasher::new(package);
    let mut decoder = package.decoder();
    let mut hash = |row: usize| {
        if package.body_range(row).1 == 0 {
            return None;
        }
        let Some(mut decoded) = decoder.decode(package, row, |_| true) else {
            return Some(hasher.raw(row));
        };
        let decoded = Arc::make_mut(&mut decoded);
        Some(hasher.hash(package, row, decoded, &context))
    };
    let exports = package.exports().iter();
    exports
        .map(|export| ObjectHash {
            path: export.path(),
            class: export.class(),
            hash: hash(export.row()),
        })
        .collect()
}

impl<'a> BodyHasher<'a> {
    /// The hash of a decoded body, whose names and objects have other numbers afterwards.
    pub(super) fn hash(
        &mut self,
        package: &'a Package,
        row: usize,
        decoded: &mut crate::package::Decoded,
        context: &Arc<crate::archive::Context>,
    ) -> String {
        self.start();
        let soft_texts = Vec::new();
        let mut visitor = HashVisitor { package, context, hasher: self, soft_texts };
        package.show_body(&mut decoded.body, context, &mut visitor);
        let soft_texts = visitor.soft_texts;
        let whole = decoded.is_complete();
        let hash = self.finish(&mut decoded.body, whole, &soft_texts);
        hash.unwrap_or_else(|| self.raw(row))
    }
}
