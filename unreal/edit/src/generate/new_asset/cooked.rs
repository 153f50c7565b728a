//! New assets as a game has cooked its own: stored like one of them.

use super::rows::ROW_STRUCT;
use super::unique_names::UniqueNames;
use super::{Content, NewAsset, string_table};
use crate::edit::{Edit, PackageEdit, RemoveOptions};
use crate::error::{Error, Result, noun};
use crate::inspect::own_path::main_asset;
use crate::object::Native;
use crate::package::Package;
use crate::package::checksum::package_source;
use crate::package::path_map::short_name;
use crate::primitive::{ObjectFlags, PackageFlags, PackageIndex};
use crate::property::{PropertyList, Type};
use crate::version::UnrealVersions;
use crate::version::threshold::ue5;

/// Flags that assets have.
const OF_ASSETS: ObjectFlags =
    ObjectFlags::UE4_PUBLIC.with(ObjectFlags::UE4_STANDALONE).with(ObjectFlags::UE4_TRANSACTIONAL);

impl NewAsset {
    /// The asset as a game stores its own: in a package like `model`, one that the game has cooked. Versions, flags, the
    /// form of properties and what the header says of the cooker are those of the model, of whose objects, names and imports
    /// nothing is left. A model without versions must have been opened for its release, one with unversioned properties
    /// with the game's mappings, which must know the class.
    ///
    /// Tags of the asset are left out: cooked packages have none.
    ///
    /// ```no_run
    /// use unreal_packages::generate::NewAsset;
    /// use unreal_packages::package::{Mappings, OpenOptions};
    ///
    /// # fn main() -> unreal_packages::Result<()> {
    /// let options = OpenOptions::new().mappings(Mappings::read("Game.usmap")?);
    /// let model = options.open("DA_Sword.uasset")?;
    /// let asset = NewAsset::object("/Game/Items/DA_Axe", "/Script/MyGame.Weapon")
    ///     .property("Damage", "float".parse()?, "12.5");
    /// asset.build_like(&model)?.save_to("DA_Axe.uasset")?;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`NewAsset::build`]; `Invalid` for a model that is not cooked; what removing its objects and saving report.
    pub fn build_like(&self, model: &Package) -> Result<Package> {
        let name = self.checked_name()?.to_owned();
        if !model.summary().package_flags.contains(PackageFlags::FILTER_EDITOR_ONLY) {
            return Err(Error::invalid(
                "the package that the asset is to be like is not cooked: name one of the game's own",
            ));
        }
        // The cooker keeps those that the editor gave.
        let flags = main_asset(model)
            .and_then(|row| model.tables().exports.get(row))
            .map(|export| export.object_flags.0 & OF_ASSETS.0);
        let mut package = model.clone();
        package.edit(|edit| {
            let native = match &self.content {
                Content::Plain => Native::None,
                Content::Strings(namespace, entries) => string_table(edit, namespace, entries)?,
                Content::Rows(rows) => Native::Object(Box::new(rows.without_rows())),
            };
            // Added while the model's own objects still say how such packages list what must be loaded first.
            let name = edit.free_name();
            let list = PropertyList::new(Vec::new(), edit.none_name());
            edit.add_native(&name, &self.class, list, Some(native), false)?;
            edit.leave_alone(&name)
        })?;
        package.edit(|edit| {
            let object = "#0";
            edit.rename_object(object, &name)?;
            edit.prune_cooked()?;
            edit.call_package(&self.path)
        })?;
        package.edit(|edit| {
            let object = "#0";
            if let (Some(export), Some(flags)) = (edit.tables_mut().exports.get_mut(0), flags) {
                export.object_flags = ObjectFlags(flags | ObjectFlags::UE4_PUBLIC.0);
            }
            if let Content::Rows(rows) = &self.content {
                let (structure, class) = rows.row_struct_import(edit)?;
                let text = format!("{class}'{}'", edit.path(structure));
                edit.add_property(object, ROW_STRUCT, &Type::of_class("ObjectProperty")?, &text)?;
                edit.set_data_rows(0, &rows.data_rows())?;
            }
            let mut names = UniqueNames::of(noun::PROPERTY);
            for (name, known, text) in &self.properties {
                names.add(name)?;
                edit.add_property(object, name, known, text)?;
            }
            Ok(())
        })?;
        package.rebuilt()
    }
}

impl Edit {
    /// A name that no object has.
    fn free_name(&self) -> String {
        let mut number = 0;
        loop {
            let name = format!("NewAsset{number}");
            match self.find_export(&name) {
                Ok(_) => number += 1,
                Err(_) => return name,
            }
        }
    }

    /// Takes all other objects away, and what the header says of them.
    fn leave_alone(&mut self, name: &str) -> Result<()> {
        let kept = self.find_export(name)?;
        let is_other =
            |row: &usize| *row != kept && self.outer(PackageIndex::export(*row)).is_null();
        let paths: Vec<String> =
            (0..self.exports().len()).filter(is_other).map(|row| format!("#{row}")).collect();
        let paths: Vec<&str> = paths.iter().map(String::as_str).collect();
        self.remove_objects(&paths, RemoveOptions::NullReferences)?;
        let tables = self.tables_mut();
        tables.summary.chunk_ids.clear();
        let further = &mut tables.further;
        further.soft_package_references.clear();
        further.soft_object_paths.clear();
        further.import_type_hierarchies.clear();
        further.data_resources = further.data_resources.take().map(|_| Default::default());
        further.world_tile_info = None;
        self.sync_counts()
    }

    /// Drops what nothing uses; a package without a GUID gets none.
    fn prune_cooked(&mut self) -> Result<()> {
        let guid = self.tables().summary.guid;
        self.prune()?;
        if guid.is_zero() {
            self.tables_mut().summary.guid = guid;
        }
        Ok(())
    }

    /// The header says this path.
    fn call_package(&mut self, path: &str) -> Result<()> {
        let by_path = self.versions().ue5() >= ue5::ADD_SOFTOBJECTPATH_LIST;
        let text = self.string(path);
        // Loaders look for it among the names where nothing else says it.
        self.add_name(path)?;
        let summary = &mut self.tables_mut().summary;
        if by_path {
            summary.folder_name = text;
        }
        summary.package_source = package_source(short_name(path));
        // What the model holds is gone: how it is stored stays.
        let kept = PackageFlags::UE4_COOKED
            .with(PackageFlags::FILTER_EDITOR_ONLY)
            .with(PackageFlags::UNVERSIONED_PROPERTIES);
        summary.package_flags = PackageFlags(summary.package_flags.0 & kept.0);
        Ok(())
    }
}
