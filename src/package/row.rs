//! What the export rows of all engines have in common.

use super::Package;
use crate::primitive::{Name, ObjectFlags, PackageIndex};
use crate::table::{Export, ModernExport};

/// The fields of an export that every engine has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ExportRow {
    /// The object's class; null for classes themselves.
    pub class_index: PackageIndex,
    /// What a struct, class or function derives from.
    pub super_index: PackageIndex,
    /// The object around it; null at the top of the package.
    pub outer_index: PackageIndex,
    /// The object that its defaults come from; the template from UE4.
    pub archetype_index: PackageIndex,
    /// Name of the object.
    pub object_name: Name,
    /// Flags.
    pub object_flags: ObjectFlags,
    /// Start of the body, from the start of the file (of header and bodies together from UE4).
    pub serial_offset: u64,
    /// Bytes of the body.
    pub serial_size: u64,
}

impl From<&Export> for ExportRow {
    fn from(row: &Export) -> Self {
        Self {
            class_index: row.class_index,
            super_index: row.super_index,
            outer_index: row.outer_index,
            archetype_index: row.archetype_index,
            object_name: row.object_name,
            object_flags: row.object_flags,
            serial_offset: u64::try_from(row.serial_offset.value()).unwrap_or(0),
            serial_size: u64::try_from(row.serial_size.value()).unwrap_or(0),
        }
    }
}

impl From<&ModernExport> for ExportRow {
    fn from(row: &ModernExport) -> Self {
        Self {
            class_index: row.class_index,
            super_index: row.super_index,
            outer_index: row.outer_index,
            archetype_index: row.template_index,
            object_name: row.object_name,
            object_flags: row.object_flags,
            serial_offset: u64::try_from(row.serial_offset).unwrap_or(0),
            serial_size: u64::try_from(row.serial_size).unwrap_or(0),
        }
    }
}

impl Package {
    /// Rows of the export table. Of the two lists behind it, classic and modern, one is always empty.
    pub(super) fn export_count(&self) -> usize {
        self.exports.len() + self.modern_exports().len()
    }

    /// What every engine's row has.
    pub(super) fn export_row(&self, row: usize) -> Option<ExportRow> {
        match &self.modern {
            None => self.exports.get(row).map(ExportRow::from),
            Some(modern) => modern.exports.get(row).map(ExportRow::from),
        }
    }

    /// Every row.
    pub(super) fn export_rows(&self) -> impl Iterator<Item = ExportRow> + '_ {
        let modern = self.modern_exports().iter().map(ExportRow::from);
        self.exports.iter().map(ExportRow::from).chain(modern)
    }

    /// Start and size of every body as the rows give them.
    pub(super) fn body_ranges(&self) -> impl Iterator<Item = (u64, u64)> + '_ {
        self.export_rows().map(|row| (row.serial_offset, row.serial_size))
    }

    /// The rows of UE4 and UE5; empty for classic packages.
    pub(super) fn modern_exports(&self) -> &[ModernExport] {
        self.modern.as_ref().map_or(&[], |modern| &modern.exports)
    }
}
