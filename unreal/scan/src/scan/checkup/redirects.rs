//! Redirectors: whether what stands in their place is there.

use std::path::Path;

use super::super::TableKind;
use super::super::depot::integers;
use super::tables::{TableReader, each_batch, texts};
use crate::environment::native;
use crate::error::Result;

/// Redirectors are followed this far.
const DEEPEST: usize = 16;

/// The object that a redirector leads to.
pub(super) struct RedirectTarget {
    package: String,
    path: String,
}

impl RedirectTarget {
    /// The path within its package, with dots.
    fn object(&self) -> String {
        let inside = self.path.get(self.package.len()..).unwrap_or_default();
        inside.trim_start_matches(['.', ':']).replace(':', ".")
    }
}

impl TableReader {
    pub(super) fn redirects(&mut self, folder: &Path) -> Result<()> {
        let columns = ["package_id", "from_export", "kind", "to_path", "to_package"];
        let mut redirects = std::mem::take(&mut self.redirects);
        each_batch(folder, TableKind::Refs, &columns, self.ids(), |batch| {
            let [from, kind, path, package] =
                ["from_export", "kind", "to_path", "to_package"].map(|name| texts(batch, name));
            let Some(ids) = integers(batch, "package_id") else { return };
            for row in (0..batch.num_rows()).filter(|&row| kind(row) == "redirect") {
                let Some(&at) = ids(row).and_then(|id| self.by_id.get(&id)) else { continue };
                let (package, path) = (package(row).to_owned(), path(row).to_owned());
                redirects
                    .entry((at, self.hash(from(row))))
                    .or_insert(RedirectTarget { package, path });
            }
        })?;
        self.redirects = redirects;
        Ok(())
    }

    /// Where a redirector leads whose target is not there, or of another class than the wanted one.
    pub(super) fn broken_redirect(
        &self,
        package: usize,
        object: &str,
        wanted: Option<u64>,
    ) -> Option<String> {
        let mut at = (package, self.hash(object));
        for _ in 0..DEEPEST {
            // What is not decoded is not known to be wrong.
            let target = self.redirects.get(&at)?;
            let Some(package) = self.find(&target.package) else {
                return (!native::is_package(&target.package)).then(|| target.path.clone());
            };
            if !self.packages[package].is_open {
                return None;
            }
            at = (package, self.hash(&target.object()));
            match self.exports.get(&at) {
                Some(export) if export.is_redirector => {}
                Some(export) if wanted.is_none_or(|wanted| wanted == export.class) => return None,
                _ => return Some(target.path.clone()),
            }
        }
        Some("itself".to_owned())
    }

    /// The redirector that stands in the place of an object, or of what is around it.
    pub(super) fn redirector_around<'a>(&self, package: usize, object: &'a str) -> Option<&'a str> {
        let dots = object.match_indices('.').map(|(at, _)| at);
        let mut parts = dots.chain([object.len()]).map(|end| &object[..end]);
        parts.find(|part| {
            let known = self.exports.get(&(package, self.hash(part)));
            known.is_some_and(|export| export.is_redirector)
        })
    }
}
