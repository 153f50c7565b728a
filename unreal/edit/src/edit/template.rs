//! The objects that new exports take their defaults from, and what else the engines note of a new object.

use super::Edit;
use super::default_object::default_name;
use super::import::ImportStep;
use crate::error::Result;
use crate::primitive::{ObjectRef, PackageIndex};
use crate::table::{AssetData, AssetTag};
use crate::version::UnrealVersions;
use crate::version::threshold::{ue4, ue5};

impl Edit {
    /// Lets a new export of a cooked package take its defaults from those of its class: of 1,571 exports of cooked
    /// packages from 4.15 on all but one say so, of 214 assets that the editor saved 206 say nothing
    /// (spec: ue4-5/06 §6).
    pub(crate) fn settle_template(&mut self, row: usize) -> Result<()> {
        let Some(export) = self.tables().exports.get(row) else { return Ok(()) };
        let template = self.template_of(export.class_index)?;
        self.change_export(row, |export| export.template_index = template);
        Ok(())
    }

    /// The object that holds the defaults of a class, `Default__Class`, imported where it is not there. Null
    /// where rows don't say it (before UE4 508, and in packages of the editor), for classes, and where a class
    /// of the package has none.
    pub(super) fn template_of(&mut self, class: PackageIndex) -> Result<PackageIndex> {
        let versions = self.versions();
        if versions.ue4() < ue4::TEMPLATEINDEX_IN_COOKED_EXPORTS || versions.has_editor_only_data()
        {
            return Ok(PackageIndex::NULL);
        }
        let (class_name, around) = (self.object_name(class), self.outer(class));
        let name = default_name(&class_name);
        match class.target() {
            ObjectRef::Null => Ok(PackageIndex::NULL),
            ObjectRef::Export(_) => {
                let is_default = |index: &PackageIndex| {
                    let own = match index.target() {
                        ObjectRef::Export(row) => self.tables().exports.get(row),
                        _ => None,
                    };
                    own.is_some_and(|export| export.class_index == class)
                        && self.object_name(*index).eq_ignore_ascii_case(&name)
                };
                let exports = (0..self.tables().exports.len()).map(PackageIndex::export);
                Ok(exports.into_iter().find(is_default).unwrap_or_default())
            }
            // A class that lies in no package is none that can be imported from.
            ObjectRef::Import(_) if around.is_null() || !self.outer(around).is_null() => {
                Ok(PackageIndex::NULL)
            }
            ObjectRef::Import(_) => {
                let (package, core) = (self.object_name(around), self.versions().core_package());
                let steps = [
                    ImportStep { name: &package, class_package: core, class_name: "Package" },
                    ImportStep { name: &name, class_package: &package, class_name: &class_name },
                ];
                self.import_chain(&steps)
            }
        }
    }

    /// Adds what the asset registry is to know of an object at the top of a package of the editor: its path,
    /// its class and these tags. Cooked packages and objects within others have no entry.
    pub(crate) fn note_asset(&mut self, row: usize, tags: Vec<AssetTag>) {
        let Some(export) = self.exports().get(row) else { return };
        if !self.versions().has_editor_only_data() || !export.entry().outer_index.is_null() {
            return;
        }
        let (path, class) = (export.path(), export.class());
        // Short names before UE5.1, paths from then on (spec: ue4-5/03 §12).
        let class = match self.versions().ue5() >= ue5::ADD_SOFTOBJECTPATH_LIST {
            true => class.as_str(),
            false => class.rsplit('.').next().unwrap_or_default(),
        };
        let (object_path, object_class_name) = (self.string(&path), self.string(class));
        self.push_asset(AssetData { object_path, object_class_name, tags });
    }
}
