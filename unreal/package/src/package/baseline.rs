//! The baseline: the rows and names that were there before the first edit.

use std::collections::BTreeSet;

use super::Package;
use crate::version::{UnrealVersions, threshold};

/// How long the tables were when the package was opened or made. What stands behind came with edits: bytes
/// that nobody decodes can't refer to it, and it goes again when nothing uses it.
#[derive(Debug, Clone, Default)]
#[doc(hidden)]
pub struct Baseline {
    pub names: usize,
    pub imports: usize,
    pub exports: usize,
    /// The list of soft paths.
    pub soft_paths: usize,
    /// The list of packages to which soft paths lead.
    pub soft_packages: usize,
    /// How many names the header says that bodies use.
    referenced_names: i32,
    /// Names behind that were asked for as such.
    pub kept_names: BTreeSet<usize>,
    /// Imports behind that were asked for as such.
    pub kept_imports: BTreeSet<usize>,
    /// The rows of exports that this edit has removed.
    pub gaps: BTreeSet<usize>,
    /// Whether the package was saved and opened again meanwhile: bodies that are not decoded may use what came
    /// with edits.
    pub rebuilt: bool,
}

impl Baseline {
    fn of(package: &Package) -> Self {
        let tables = &package.tables;
        Self {
            names: tables.names.len(),
            imports: tables.imports.len(),
            exports: tables.exports.len(),
            soft_paths: tables.further.soft_object_paths.len(),
            soft_packages: tables.further.soft_package_references.len(),
            referenced_names: tables.summary.names_referenced_from_export_data_count,
            ..Self::default()
        }
    }
}

impl Package {
    /// The first edit begins, or a further one.
    #[doc(hidden)]
    pub fn begin_edits(&mut self) {
        if self.baseline.is_none() {
            self.baseline = Some(Baseline::of(self));
        }
    }

    /// Whether what stands before the bodies has other rows than before the first edit, so that bodies move.
    #[doc(hidden)]
    pub fn header_grows(&self) -> bool {
        let Some(baseline) = &self.baseline else { return false };
        let in_front = self.versions.file() >= threshold::COMPACT_INDEX_REMOVED;
        let (imports, exports) = (self.tables.imports.len(), self.tables.exports.len());
        self.tables.names.len() != baseline.names
            || in_front && (imports, exports) != (baseline.imports, baseline.exports)
    }

    /// Rows of before have moved: all there are count as theirs from now on.
    #[doc(hidden)]
    pub fn renew_baseline(&mut self) {
        self.baseline = Some(Baseline::of(self));
    }

    /// Rows were taken back: what was asked for among them is not there any more.
    #[doc(hidden)]
    pub fn trim_baseline(&mut self) {
        let (names, imports) = (self.tables.names.len(), self.tables.imports.len());
        if let Some(baseline) = &mut self.baseline {
            baseline.kept_names.retain(|row| *row < names);
            baseline.kept_imports.retain(|row| *row < imports);
        }
    }

    /// Sets the baseline of a package that was saved and opened again since its first edit.
    #[doc(hidden)]
    pub fn set_baseline(&mut self, baseline: Option<Baseline>) {
        self.baseline = baseline.map(|baseline| Baseline { rebuilt: true, ..baseline });
    }

    /// The baseline of the first edit; `None` for a package that is being made.
    #[doc(hidden)]
    pub fn baseline(&self) -> Option<&Baseline> {
        self.baseline.as_ref()
    }

    /// The same for notes of what was asked for.
    #[doc(hidden)]
    pub fn baseline_mut(&mut self) -> Option<&mut Baseline> {
        self.baseline.as_mut()
    }

    /// Whether the edit in progress has removed the export of a row, and the row is still empty.
    #[doc(hidden)]
    pub fn is_emptied(&self, row: usize) -> bool {
        self.baseline.as_ref().is_some_and(|baseline| baseline.gaps.contains(&row))
            && self.exports().is_null(row)
    }

    /// The names are those of before again: so is what the header says of them.
    #[doc(hidden)]
    pub fn settle_referenced_names(&mut self) {
        if let Some(baseline) = &self.baseline
            && baseline.names == self.tables.names.len()
        {
            self.tables.summary.names_referenced_from_export_data_count = baseline.referenced_names;
        }
    }
}
