//! Names and soft paths for new values.

use super::Edit;
use crate::error::{ErrorKind, Result};
use crate::inspect::access::Additions;
use crate::package::Package;
use crate::package::tables::next_row;
use crate::primitive::{FString, Name, PackageIndex, SoftObjectPath, Utf8String};
use crate::property::{Naming, Value};
use crate::version::custom::{FORTNITE_MAIN, fortnite_main};
use crate::version::threshold::{ue4, ue5};
use crate::{Error, Versions};

/// `Light_3` becomes the name `Light` with a number, as the engine has it.
impl Naming for Edit {
    fn versions(&self) -> &Versions {
        self.package.versions()
    }

    fn name(&mut self, text: &str) -> Result<Name> {
        if text.is_empty() || text.eq_ignore_ascii_case("None") {
            // Of several rows the engine's saver takes the last (spec: ue1-3/05 §5.7).
            let last = self.last_none().filter(|_| !self.versions().has_object_versions());
            return match last.and_then(|row| i32::try_from(row).ok()) {
                Some(row) => Ok(Name::new(row)),
                None => self.add_name("None"),
            };
        }
        self.add_object_name(text)
    }

    fn soft_path(&mut self, text: &str) -> Result<Value> {
        // Names are added at the end only, so that taking them back is all that a failure needs.
        let names = self.tables().names.len();
        let (paths, summary) = (self.soft_object_paths().len(), self.tables().summary.clone());
        let made = self.new_soft_path(text).and_then(|path| {
            if self.soft_object_paths().is_empty() {
                // Without a list bodies hold paths in full (spec: ue4-5/01 §7).
                return Ok(Value::SoftObject(Box::new(path)));
            }
            self.soft_path_row(path).map(Value::SoftObjectIndex)
        });
        made.inspect_err(|_| {
            self.tables_mut().names.truncate(names);
            self.tables_mut().lookup.forget();
            if self.tables().further.soft_object_paths.len() > paths {
                self.tables_mut().further.soft_object_paths.truncate(paths);
            }
            self.tables_mut().summary = summary;
        })
    }
}

impl Additions for Edit {
    fn package(&self) -> &Package {
        self
    }

    fn import(&mut self, path: &str, class: &str) -> Result<PackageIndex> {
        self.add_import(path, class)
    }
}

impl Edit {
    /// A soft path in the form of this version.
    fn new_soft_path(&mut self, text: &str) -> Result<SoftObjectPath> {
        let wrong = |reason: &str| -> Error {
            let reason = format!("'{text}' is no soft path: {reason}");
            ErrorKind::Invalid { reason }.into()
        };
        let path = text.trim();
        // As the editor copies references: Class'/Game/Folder/Asset.Asset'.
        let path =
            path.strip_suffix('\'').and_then(|path| path.split_once('\'')).map_or(path, |p| p.1);
        let path = if path.eq_ignore_ascii_case("None") { "" } else { path };
        if !path.is_empty() && !path.starts_with('/') {
            return Err(wrong("write /Game/Folder/Asset.Asset, or None"));
        }
        let (asset_path, sub) = path.split_once(':').unwrap_or((path, ""));
        let (package, asset) = asset_path.split_once('.').unwrap_or((asset_path, ""));
        if asset.contains('.') {
            return Err(wrong("objects within the asset stand behind a colon"));
        }
        let (v4, v5) = (self.versions().ue4, self.versions().ue5);
        let (order, game) = (self.versions().byte_order, self.versions().game);
        let utf8 = self.versions().custom(&FORTNITE_MAIN)
            >= fortnite_main::SOFT_OBJECT_PATH_UTF8_SUB_PATHS;
        let mut made = SoftObjectPath::default();
        if v4 < ue4::ADDED_SOFT_OBJECT_PATH {
            made.path = FString::new_in(path, order, game);
            return Ok(made);
        }
        if v5 < ue5::FSOFTOBJECTPATH_REMOVE_ASSET_PATH_FNAMES {
            made.asset_path_name = self.name(asset_path)?;
        } else {
            made.package_name = self.name(package)?;
            made.asset_name = self.name(asset)?;
        }
        match utf8 {
            true => made.sub_path_utf8 = Utf8String::new(sub),
            false => made.sub_path = FString::new_in(sub, order, game),
        }
        Ok(made)
    }

    /// The row of the list that is this path; rows are added at the end, so that others stay.
    fn soft_path_row(&mut self, path: SoftObjectPath) -> Result<i32> {
        let context = self.named_context();
        let wanted = path.text(&context);
        let is = |known: &SoftObjectPath| known.text(&context) == wanted;
        if let Some(row) = self.soft_object_paths().iter().position(is) {
            return next_row(row);
        }
        let rows = &mut self.tables_mut().further.soft_object_paths;
        let count = next_row(rows.len() + 1)?;
        rows.push(path);
        self.tables_mut().summary.soft_object_paths_count = count;
        Ok(count - 1)
    }
}
