//! Whether a header and a file of bodies belong together.

use std::path::Path;

use crate::error::{Error, Result, UnrealError};
use crate::package::Package;

/// Bytes of the package tag that ends the file of bodies.
const CLOSING_TAG: u64 = 4;

impl Package {
    /// Whether the sizes that the header states are those of the two files: its own, and where the bodies
    /// end (spec: ue4-5/06 §1, §2). Bulk data may stand behind the bodies; then the tag must end the file.
    ///
    /// # Errors
    /// The mismatch of the two files.
    pub(in crate::package) fn check_pair(&self, header: u64, bodies: u64) -> Result<(), String> {
        let summary = &self.tables.summary;
        let stored = i64::from(summary.total_header_size);
        if stored > 0 && stored.cast_unsigned() != header {
            return Err(format!(
                "the header says that it has {stored} bytes, its file has {header}"
            ));
        }
        let length = header + bodies;
        let ends = self.body_ranges().map(|(start, size)| start.saturating_add(size));
        let end = ends.max().unwrap_or(0).max(header);
        let bulk = u64::try_from(summary.bulk_data_start_offset).unwrap_or(0);
        if bulk > length {
            let (stored, bodies) = (bulk.saturating_sub(header), bodies);
            return Err(format!(
                "the header wants {stored} bytes of bodies, the file has {bodies}: it is cut short, or \
                 of another save"
            ));
        }
        let has_tag = self.tables.further.closing_tag;
        let rest = length - end.min(length);
        if rest > 0 && !has_tag && end > header {
            return Err(format!("{rest} bytes stand behind the last body and no package tag"));
        }
        // An old header that is followed by longer bodies finds the tag in their midst.
        if has_tag && bulk > 0 && bulk < end {
            let least = end - header + CLOSING_TAG;
            return Err(format!("bodies end at {least} where the header says {bulk}"));
        }
        Ok(())
    }
}

/// The error for two files that do not belong together.
pub(in crate::package) fn mixed(header: &Path, bodies: &Path, reason: String) -> Error {
    let [header, bodies] = [header, bodies].map(|path| path.display().to_string());
    UnrealError::MixedPair { header, bodies, reason }.into()
}
