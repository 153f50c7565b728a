//! What belongs to no object.

use super::conflict::{BOTH, MergeConflict};
use super::merging::Merging;
use crate::compare::{FieldDifference, is_companion};

/// Whether a field only says which save of a package this is, or follows from what is in it.
pub(super) fn is_of_save(field: &str) -> bool {
    const OF_NAMES: [&str; 3] = ["flags of the name ", "rows of the name ", "letters of the name "];
    if OF_NAMES.iter().any(|of| field.starts_with(of)) {
        return true;
    }
    let first = field.split(['.', '[']).next().unwrap_or(field);
    matches!(
        first,
        "guid"
            | "persistent_guid"
            | "generations"
            | "engine_version"
            | "cooker_version"
            | "saved_by_engine_version"
            | "compatible_with_engine_version"
            | "heritage"
            | "bulk_data_start_offset"
            | "names_referenced_from_export_data_count"
            | "package_source"
            | "saved_hash"
    )
}

/// Whether a field is a row that nothing uses.
pub(super) fn is_unused(field: &str) -> bool {
    matches!(field, "name" | "import")
}

impl Merging<'_> {
    /// Takes over what they have changed in the header, as far as edits can.
    pub(super) fn merge_header(&mut self) {
        let fields = std::mem::take(&mut self.their_changes.diff.header);
        for field in &fields {
            if self.our_changes.diff.header.contains(field) {
                continue;
            }
            if let Err(reason) = self.merge_field(field) {
                self.conflicts.block(String::new(), &field.field, reason.to_string());
            }
        }
        self.their_changes.diff.header = fields;
    }

    fn merge_field(&mut self, field: &FieldDifference) -> crate::Result<()> {
        let is_same = |other: &&FieldDifference| other.field == field.field;
        let ours = self.our_changes.diff.header.iter().find(is_same);
        match &*field.field {
            "name" => {
                if let Some(name) = &field.new {
                    self.edit.add_kept_name(name)?;
                }
                Ok(())
            }
            "guid" if ours.is_none() => self.edit.set_guid(self.theirs.guid()),
            name if is_of_save(name) => {
                self.merged.kept.push(field.to_string());
                Ok(())
            }
            name => {
                let mut takes = true;
                if let Some(ours) = ours.filter(|_| !is_unused(name) && !is_row(name)) {
                    takes = self.conflicts.takes_theirs(MergeConflict {
                        object: String::new(),
                        place: name.to_owned(),
                        ours: ours.new.clone(),
                        theirs: field.new.clone(),
                        reason: BOTH.to_owned(),
                    });
                }
                if takes && is_companion(name) {
                    let reason = "their side has other bytes in a file beside the package, \
                                  which a merge does not write";
                    return Err(crate::Error::invalid(reason));
                }
                if takes && name == "package_flags" {
                    self.edit.set_package_flags(self.theirs.summary().package_flags)?;
                }
                Ok(())
            }
        }
    }
}

/// Whether a field is one of several rows that are called alike.
fn is_row(field: &str) -> bool {
    matches!(field, "soft object path" | "soft package reference")
}
