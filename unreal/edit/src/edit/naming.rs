//! Names and soft paths for new values.

use super::Edit;
use crate::error::Result;
use crate::inspect::access::Additions;
use crate::inspect::rows_by_name::RowsByName;
use crate::package::Package;
use crate::primitive::{Name, PackageIndex, SoftObjectPath, Utf8String};
use crate::property::{Naming, Value, class_and_path};
use crate::table::next_row;
use crate::version::custom::{FORTNITE_MAIN, fortnite_main};
use crate::version::threshold::{ue4, ue5};
use crate::version::{EngineFacts, UnrealVersions};
use crate::{Error, Versions};

/// Gives names, imports and paths that go again when nothing uses them.
pub(super) struct AsNeeded<'a>(pub &'a mut Edit);

impl Naming for AsNeeded<'_> {
    fn versions(&self) -> &Versions {
        self.0.package.versions()
    }

    fn name(&mut self, text: &str) -> Result<Name> {
        self.0.needed_name(text)
    }

    fn soft_path(&mut self, text: &str) -> Result<Value> {
        self.0.needed_soft_path(text)
    }
}

impl Additions for AsNeeded<'_> {
    fn package(&self) -> &Package {
        &self.0.package
    }

    fn is_checked(&self) -> bool {
        self.0.is_checked()
    }

    fn names_called(&mut self, text: &str) -> Vec<Name> {
        self.0.package.names_called(text)
    }

    fn rows_by_name(&mut self) -> &mut RowsByName {
        &mut self.0.rows_by_name
    }

    fn import(&mut self, path: &str, class: &str) -> Result<PackageIndex> {
        self.0.import_of(path, class)
    }
}

/// Gives names that stay: what they are for may come later.
impl Naming for Edit {
    fn versions(&self) -> &Versions {
        self.package.versions()
    }

    fn name(&mut self, text: &str) -> Result<Name> {
        let name = self.needed_name(text)?;
        self.keep_names();
        Ok(name)
    }

    fn soft_path(&mut self, text: &str) -> Result<Value> {
        let path = self.needed_soft_path(text)?;
        self.keep_names();
        Ok(path)
    }
}

impl Additions for Edit {
    fn package(&self) -> &Package {
        self
    }

    fn is_checked(&self) -> bool {
        self.checks
    }

    fn names_called(&mut self, text: &str) -> Vec<Name> {
        self.package.names_called(text)
    }

    fn rows_by_name(&mut self) -> &mut RowsByName {
        &mut self.rows_by_name
    }

    fn import(&mut self, path: &str, class: &str) -> Result<PackageIndex> {
        self.add_import(path, class)
    }
}

impl Edit {
    /// The name of a text; `Light_3` becomes the name `Light` with a number, as the engine has it. It goes again when
    /// nothing uses it.
    #[doc(hidden)]
    pub fn needed_name(&mut self, text: &str) -> Result<Name> {
        if text.is_empty() || text.eq_ignore_ascii_case("None") {
            let last = self.versions().takes_last_none().then(|| self.last_none()).flatten();
            return match last.and_then(|row| i32::try_from(row).ok()) {
                Some(row) => Ok(Name::new(row)),
                None => self.name_row("None"),
            };
        }
        self.add_object_name(text)
    }

    /// A soft path as bodies of this package hold it.
    fn needed_soft_path(&mut self, text: &str) -> Result<Value> {
        self.transact(|edit| {
            let path = edit.new_soft_path(text)?;
            edit.list_soft_package(bare_path(text))?;
            if edit.soft_object_paths().is_empty() {
                // Without a list bodies hold paths in full (spec: ue4-5/01 §7).
                return Ok(Value::SoftObject(Box::new(path)));
            }
            edit.soft_path_row(path).map(Value::SoftObjectIndex)
        })
    }

    /// A soft path in the form of this version.
    pub(super) fn new_soft_path(&mut self, text: &str) -> Result<SoftObjectPath> {
        let wrong = |reason: &str| -> Error {
            let reason = format!("'{text}' is no soft path: {reason}");
            Error::invalid(reason)
        };
        let path = bare_path(text);
        if !path.is_empty() && !path.starts_with('/') {
            return Err(wrong("write /Game/Folder/Asset.Asset, or None"));
        }
        let (asset_path, sub) = path.split_once(':').unwrap_or((path, ""));
        let (package, asset) = asset_path.split_once('.').unwrap_or((asset_path, ""));
        if asset.contains('.') {
            return Err(wrong("objects within the asset stand behind a colon"));
        }
        let (v4, v5) = (self.versions().ue4(), self.versions().ue5());
        let utf8 = self.versions().custom(&FORTNITE_MAIN)
            >= fortnite_main::SOFT_OBJECT_PATH_UTF8_SUB_PATHS;
        let mut made = SoftObjectPath::default();
        if v4 < ue4::ADDED_SOFT_OBJECT_PATH {
            made.path = self.string(path);
            return Ok(made);
        }
        if v5 < ue5::FSOFTOBJECTPATH_REMOVE_ASSET_PATH_FNAMES {
            made.asset_path_name = self.needed_name(asset_path)?;
        } else {
            made.package_name = self.needed_name(package)?;
            made.asset_name = self.needed_name(asset)?;
        }
        match utf8 {
            true => made.sub_path_utf8 = Utf8String::new(sub),
            false => made.sub_path = self.string(sub),
        }
        Ok(made)
    }

    /// The row of the list that is this path; rows are added at the end, so that others stay.
    pub(super) fn soft_path_row(&mut self, path: SoftObjectPath) -> Result<i32> {
        let context = self.named_context();
        let wanted = path.text(&context);
        let is = |known: &SoftObjectPath| known.text(&context) == wanted;
        if let Some(row) = self.soft_object_paths().iter().position(is) {
            return next_row(row);
        }
        let row = next_row(self.soft_object_paths().len())?;
        self.further_mut().soft_object_paths.push(path);
        self.sync_counts()?;
        Ok(row)
    }
}

/// A soft path without the class around it, as the editor copies references
/// (`Class'/Game/Folder/Asset.Asset'`); empty for none.
fn bare_path(text: &str) -> &str {
    let (_, path) = class_and_path(text.trim());
    if path.eq_ignore_ascii_case("None") { "" } else { path }
}
