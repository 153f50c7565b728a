//! Merging of the parts that belong to no object.

use super::conflict::{BOTH, MergeConflict};
use super::merging::Merging;
use super::rows::merged_rows;
use crate::compare::{FieldDifference, FieldOrigin};
use crate::edit::Edit;
use crate::error::Result;
use crate::primitive::{FString, Rare};
use crate::table::{CustomVersions, SavedBy, Summary};

/// Takes over fields of the summary that only their side has changed.
macro_rules! take {
    ($merging:ident: $($field:ident,)*) => { $({
        let base = &$merging.base.tables().summary.$field;
        let theirs = &$merging.theirs.tables().summary.$field;
        let ours = &$merging.edit.tables().summary.$field;
        if base != theirs && ours == base {
            let theirs = theirs.clone();
            $merging.edit.summary_mut().$field = theirs;
        }
    })* };
}

impl Merging<'_> {
    /// Takes over what they have changed in the header, as far as edits can.
    pub(super) fn merge_header(&mut self) -> Result<()> {
        self.merge_summary()?;
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
        Ok(())
    }

    fn merge_field(&mut self, field: &FieldDifference) -> Result<()> {
        let is_same = |other: &&FieldDifference| other.field == field.field;
        let ours = self.our_changes.diff.header.iter().find(is_same);
        match (field.origin, ours) {
            (FieldOrigin::Unused, _) => {
                // A text that no table can take is theirs alone.
                if let Some(name) = field.new.as_ref().filter(|_| field.is_of_name())
                    && self.edit.add_kept_name(name).is_err()
                {
                    self.merged.kept.push(field.to_string());
                }
                Ok(())
            }
            (FieldOrigin::Derived, Some(_)) => {
                self.merged.kept.push(field.to_string());
                Ok(())
            }
            (FieldOrigin::Derived, None) => Ok(()),
            (FieldOrigin::Companion, ours) => {
                let takes = ours.is_none_or(|ours| {
                    self.conflicts.takes_theirs(MergeConflict {
                        object: String::new(),
                        place: field.field.clone(),
                        ours: ours.new.clone(),
                        theirs: field.new.clone(),
                        reason: BOTH.to_owned(),
                    })
                });
                if !takes {
                    return Ok(());
                }
                let reason = "their side has other bytes in a file beside the package, \
                              which a merge does not write";
                Err(crate::Error::invalid(reason))
            }
            (FieldOrigin::Stored, None) => Ok(()),
            (FieldOrigin::Stored, Some(ours)) => {
                let takes = self.conflicts.takes_theirs(MergeConflict {
                    object: String::new(),
                    place: field.field.clone(),
                    ours: ours.new.clone(),
                    theirs: field.new.clone(),
                    reason: BOTH.to_owned(),
                });
                if takes
                    && self.base.tables().summary.package_flags
                        != self.theirs.tables().summary.package_flags
                {
                    self.edit.set_package_flags(self.theirs.summary().package_flags)?;
                }
                Ok(())
            }
        }
    }

    /// Fields of the summary that their side alone has changed.
    fn merge_summary(&mut self) -> Result<()> {
        take! { self:
            package_flags, chunk_id, chunk_ids, persistent, engine_version, cooker_version,
            compression_flags, mass_effect, mass_effect_tail, mass_effect_3_cooked, chimera_squad,
            num_texture_allocations,
        }
        let only_theirs = |three: [crate::Guid; 3]| three[0] == three[1] && three[1] != three[2];
        if only_theirs([self.base.guid(), self.edit.guid(), self.theirs.guid()]) {
            self.edit.set_guid(self.theirs.guid())?;
        }
        let saved_by = |edit: &Edit| -> Result<Rare<SavedBy>> {
            let mut saved_by = edit.tables().summary.saved_by.clone();
            saved_by.engine_version.branch.materialize(edit.source())?;
            saved_by.compatible_version.branch.materialize(edit.source())?;
            Ok(saved_by)
        };
        let (base, theirs) = (saved_by(&self.base)?, saved_by(&self.theirs)?);
        if base != theirs && saved_by(self.edit)? == base {
            self.edit.summary_mut().saved_by = theirs;
        }
        type Text = fn(&mut Summary) -> &mut FString;
        let texts: [Text; 2] =
            [|summary| &mut summary.folder_name, |summary| &mut summary.localization_id];
        for field in texts {
            let text = |edit: &Edit| -> Result<FString> {
                let mut text = field(&mut edit.tables().summary.clone()).clone();
                text.materialize(edit.source())?;
                Ok(text)
            };
            let (base, ours, theirs) = (text(&self.base)?, text(self.edit)?, text(&self.theirs)?);
            if base != theirs && ours == base {
                *field(self.edit.summary_mut()) = theirs;
            }
        }
        let packages = |edit: &Edit| -> Result<Vec<FString>> {
            let mut packages = edit.tables().summary.additional_packages.clone();
            packages.iter_mut().try_for_each(|text| text.materialize(edit.source()))?;
            Ok(packages)
        };
        let (base, ours, theirs) =
            (packages(&self.base)?, packages(self.edit)?, packages(&self.theirs)?);
        if base != theirs {
            let key = |text: &FString| text.text(&[]).unwrap_or_default().into_owned();
            let merged = merged_rows(&base, &ours, &theirs, key, |_, ours, _| ours.clone());
            self.edit.summary_mut().additional_packages = merged;
        }
        Ok(())
    }

    /// The versions of modules and plugins by which objects are stored: each is the newest of both sides. Before
    /// anything else is taken over, since bodies are stored by them.
    pub(super) fn merge_custom_versions(&mut self) -> Result<()> {
        let of = |edit: &Edit| edit.tables().summary.custom_versions().clone();
        let (base, ours, theirs) = (of(&self.base), of(self.edit), of(&self.theirs));
        if base == theirs || ours == theirs {
            return Ok(());
        }
        use CustomVersions::{Named, Plain, Tagged};
        let merged = match (&base, &ours, &theirs) {
            (Plain(base), Plain(ours), Plain(theirs)) => Plain(merged_rows(
                base,
                ours,
                theirs,
                |row| row.key,
                |_, ours, theirs| {
                    if ours.version < theirs.version { *theirs } else { *ours }
                },
            )),
            (Tagged(base), Tagged(ours), Tagged(theirs)) => Tagged(merged_rows(
                base,
                ours,
                theirs,
                |row| row.tag,
                |_, ours, theirs| {
                    if ours.version < theirs.version { *theirs } else { *ours }
                },
            )),
            (Named(base), Named(ours), Named(theirs)) => {
                let own = |rows: &[crate::table::NamedVersion], edit: &Edit| -> Result<Vec<_>> {
                    let mut rows = rows.to_vec();
                    for row in &mut rows {
                        row.friendly_name.materialize(edit.source())?;
                    }
                    Ok(rows)
                };
                let (base, ours, theirs) =
                    (own(base, &self.base)?, own(ours, self.edit)?, own(theirs, &self.theirs)?);
                Named(merged_rows(
                    &base,
                    &ours,
                    &theirs,
                    |row| row.key,
                    |_, ours, theirs| {
                        if ours.version < theirs.version { theirs.clone() } else { ours.clone() }
                    },
                ))
            }
            _ => return Ok(()),
        };
        // What is not taken over is stored by them, too.
        self.edit.decode_all();
        let told = self.edit.summary().likely_release(self.edit.versions());
        let mut versions = self.edit.versions().clone();
        versions.set_custom_versions(merged.rows());
        let parts = self.edit.whole().parts_mut();
        *parts.tables.summary.custom_versions_mut(&versions) = merged;
        *parts.versions = versions;
        self.edit.refuse_other_release(told)
    }
}
