//! The rows of the export table.

use super::Package;

impl Package {
    /// Rows of the export table.
    #[doc(hidden)]
    pub fn export_count(&self) -> usize {
        self.tables.exports.len()
    }

    /// Start and size of every body as the rows give them, bytes.
    pub(super) fn body_ranges(&self) -> impl Iterator<Item = (u64, u64)> + '_ {
        self.tables.exports.iter().map(|row| (row.offset(), row.size()))
    }
}
