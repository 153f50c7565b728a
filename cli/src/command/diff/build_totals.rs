//! The sums of a comparison of two builds.

use serde::Serialize;

use super::growth::signed;
use crate::output::{count, grouped};

/// How many packages and other files came, went and changed.
#[derive(Debug, Default, Serialize)]
pub(super) struct Totals {
    pub packages: usize,
    pub added: usize,
    pub removed: usize,
    pub renamed: usize,
    pub changed: usize,
    pub moved_objects: usize,
    /// The same of what is no package.
    pub files_added: usize,
    pub files_removed: usize,
    pub files_renamed: usize,
    pub files_changed: usize,
    /// Files that lie under others of their path: old, new.
    pub covered: [usize; 2],
    /// Bytes of all files: old, new.
    pub bytes: [u64; 2],
    pub failed: usize,
    pub same: bool,
}

impl Totals {
    /// All numbers in words.
    pub fn lines(&self) -> Vec<String> {
        let Self { packages, added, removed, renamed, changed, moved_objects, .. } = self;
        let mut lines = Vec::new();
        let [old, new] = self.covered;
        if old + new > 0 {
            lines.push(format!(
                "{old} and {new} files lie under others of their path, in patches, and were not compared"
            ));
        }
        if self.same {
            lines.push(format!("{}: the same", count(*packages as u64, "package", "packages")));
            return lines;
        }
        lines.push(format!(
            "{added} added, {removed} removed, {renamed} renamed, {changed} changed; {}",
            count(*moved_objects as u64, "object elsewhere", "objects elsewhere")
        ));
        let Self { files_added, files_removed, files_renamed, files_changed, .. } = self;
        if files_added + files_removed + files_renamed + files_changed > 0 {
            lines.push(format!(
                "other files: {files_added} added, {files_removed} removed, {files_renamed} renamed, {files_changed} changed"
            ));
        }
        let [old, new] = self.bytes;
        let by = signed(i128::from(new) - i128::from(old));
        lines.push(format!("{} bytes became {} ({by})", grouped(old), grouped(new)));
        lines
    }
}
