//! Soft paths that say another text, in the form of the package's versions.

use std::collections::HashMap;

use super::uses::ChangedPath;
use crate::edit::Edit;
use crate::error::Result;
use crate::primitive::{SoftObjectPath, Utf8String};
use crate::version::UnrealVersions;
use crate::version::threshold::{ue4, ue5};

/// A part of a path that is empty is the name that means none.
fn or_none(text: &str) -> &str {
    if text.is_empty() { "None" } else { text }
}

impl Edit {
    /// Soft paths that do not say their target yet, with those that do.
    pub(super) fn soft_replacements(
        &mut self,
        targets: &[ChangedPath],
    ) -> Result<HashMap<SoftObjectPath, SoftObjectPath>> {
        // Names that are added below are those of new paths alone.
        let context = self.decoding_context();
        let stays = |target: &&ChangedPath| target.path.text(&context) == target.new;
        let changing: Vec<_> = targets.iter().filter(|target| !stays(target)).collect();
        drop(context);
        let mut found = HashMap::new();
        for target in changing {
            let new = self.soft_path_of(&target.path, &target.new)?;
            found.insert(target.path.clone(), new);
        }
        Ok(found)
    }

    /// The soft path of this text, in the form of the package's versions; what `old` has and the text has not
    /// changed is kept.
    pub(crate) fn soft_path_of(
        &mut self,
        old: &SoftObjectPath,
        text: &str,
    ) -> Result<SoftObjectPath> {
        let mut path = old.clone();
        if self.versions().ue4() < ue4::ADDED_SOFT_OBJECT_PATH {
            path.path = self.string(text);
            return Ok(path);
        }
        let (top, sub) = text.split_once(':').unwrap_or((text, ""));
        if self.versions().ue5() < ue5::FSOFTOBJECTPATH_REMOVE_ASSET_PATH_FNAMES {
            path.asset_path_name = self.add_object_name(or_none(top))?;
        } else {
            let (package, asset) = top.split_once('.').unwrap_or((top, ""));
            path.package_name = self.add_object_name(or_none(package))?;
            path.asset_name = self.add_object_name(or_none(asset))?;
        }
        let utf8 = !old.sub_path_utf8.is_empty();
        let was = match utf8 {
            true => old.sub_path_utf8.text(self.source()),
            false => old.sub_path.text(self.source()),
        };
        if was.unwrap_or_default() != sub {
            match utf8 {
                true => path.sub_path_utf8 = Utf8String::new(sub),
                false => path.sub_path = self.string(sub),
            }
        }
        Ok(path)
    }
}
