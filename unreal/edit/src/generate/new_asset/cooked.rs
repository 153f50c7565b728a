//! New assets as games store theirs: in a package of the game that is made empty for them, or in a blank one.

use std::sync::Arc;

use super::asset::{Content, NewAsset, OF_ASSETS, check_release};
use super::blank::blank;
use super::blueprint::Heritage;
use super::rows::ROW_STRUCT;
use super::texts::string_table;
use super::unique_names::UniqueNames;
use crate::Guid;
use crate::edit::{Edit, GENERATED, PackageEdit, RemoveOptions, has_preload};
use crate::error::{Error, ErrorKind, Result, UnrealError, UnrealErrors, Unsupported, noun};
use crate::inspect::own_path::main_asset;
use crate::object::Native;
use crate::package::Package;
use crate::package::checksum::package_source;
use crate::package::path_map::short_name;
use crate::primitive::{ObjectFlags, PackageFlags, PackageIndex};
use crate::property::{Mappings, PropertyList, Type};
use crate::version::threshold::ue5;
use crate::version::{EngineRelease, UnrealVersions};

/// The oldest release whose packages are made: older ones have other forms of texts and paths.
pub(super) const OLDEST: EngineRelease = EngineRelease::new(4, 15);

/// The package without its objects: what is left is how its cooker stores packages.
fn emptied(model: &Package, guid: Option<Guid>) -> Result<Package> {
    let mut package = model.clone();
    package.edit(Edit::take_objects)?;
    package.edit(|edit| edit.prune_cooked(guid))?;
    Ok(package)
}

impl NewAsset {
    /// The asset as a game stores its own: in a package like `model`, one that the game has cooked. Versions, flags, the
    /// form of properties and what the header says of the cooker are those of the model, of whose objects, names and imports
    /// nothing is left. A model without versions must have been opened for its release, one with unversioned properties
    /// with the game's mappings, which must know the class.
    ///
    /// Tags of the asset are left out: cooked packages have none. Its GUID is the model's none, or one of its own.
    ///
    /// ```no_run
    /// use std::sync::Arc;
    /// use unreal_packages::generate::NewAsset;
    /// use unreal_packages::package::{OpenOptions, SaveOptions};
    /// use unreal_packages::property::Mappings;
    ///
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let mappings = Mappings::from_bytes(&std::fs::read("Game.usmap")?)?;
    /// let model = OpenOptions::new().mappings(Arc::new(mappings)).open("DA_Sword.uasset")?;
    /// let asset = NewAsset::object("/Game/Items/DA_Axe", "/Script/MyGame.Weapon")
    ///     .property("Damage", "float".parse()?, "12.5");
    /// let made = asset.build_like(&model)?;
    /// made.save(&SaveOptions::new())?.write_file("DA_Axe.uasset")?;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`NewAsset::build`], of the model's release; `Invalid` for a model that is not cooked; `Unsupported` for one without
    /// the mappings that it needs, and for a blueprint of whose parent nothing says what it hands down; `NotFound` for a class
    /// that they do not know; what removing its objects and saving report.
    pub fn build_like(&self, model: &Package) -> Result<Package> {
        self.check_model(model)?;
        let heritage = self.heritage(Some(model))?;
        // The cooker keeps those that the editor gave.
        let flags =
            main_asset(model).and_then(|row| model.tables().exports.get(row)).map(|export| {
                ObjectFlags(export.object_flags.0 & OF_ASSETS.0 | ObjectFlags::UE4_PUBLIC.0)
            });
        let package = emptied(model, self.guid)?;
        self.furnish(package, has_preload(model), flags, heritage)
    }

    /// The asset as a game of this release stores its own, with nothing of the game at hand but its mappings: cooked,
    /// without versions, in a header and a `.uexp` file from 4.16 on. With mappings, which must know the class, properties
    /// are stored without their names and types; without them each says its own, as games do that do not ask for the other
    /// form. A game whose engine is its own wants [`NewAsset::build_like`].
    ///
    /// Tags of the asset are left out: cooked packages have none. From UE5.0 the GUID is zero if none is given.
    ///
    /// # Errors
    /// As [`NewAsset::build`] of other assets; `Unsupported` for mappings before 4.25, which has no such form, and for a
    /// blueprint of whose parent nothing says what it hands down; `NotFound` for a class that the mappings do not know.
    ///
    /// Spec: ue4-5/06 §2, §5.
    pub fn build_cooked(
        &self,
        release: EngineRelease,
        mappings: Option<Arc<Mappings>>,
    ) -> Result<Package> {
        check_release(release)?;
        if let Some(mappings) = &mappings {
            self.check_mappings(mappings)?;
        }
        let heritage = self.heritage(None)?;
        let mut package =
            self.furnish(blank(release, mappings, self.guid)?, true, None, heritage)?;
        // They stand where the sections behind them begin, which have their places now.
        package.edit(|edit| {
            edit.place_empty_sections();
            Ok(())
        })?;
        package.rebuilt()
    }

    /// Refuses a model that is no cooked package of UE4 or UE5, or that does not say how the objects are stored.
    fn check_model(&self, model: &Package) -> Result<()> {
        let versions = model.versions();
        if !versions.has_soft_references() {
            return Err(Error::invalid(
                "the package that the asset is to be like is of Unreal Engine 1 to 3: name one of UE4 or UE5",
            ));
        }
        if versions.ue4() < OLDEST.versions().ue4() {
            let reason = format!("assets are made for Unreal Engine {OLDEST} and newer");
            return Err(Error::unsupported(reason));
        }
        if !model.summary().package_flags.contains(PackageFlags::FILTER_EDITOR_ONLY) {
            return Err(Error::invalid(
                "the package that the asset is to be like is not cooked: name one of the game's own",
            ));
        }
        if !versions.unversioned_properties() {
            return Ok(());
        }
        let Some(mappings) = model.mappings() else {
            let reason = "properties without names need mappings (a .usmap file)".to_owned();
            return Err(UnrealError::Unsupported { why: Unsupported::NeedsMappings, reason }.into());
        };
        self.check_mappings(mappings)
    }

    /// Refuses mappings that do not say how the objects are stored.
    fn check_mappings(&self, mappings: &Mappings) -> Result<()> {
        let own = matches!(self.content, Content::Blueprint).then_some(GENERATED);
        for class in own.into_iter().chain([&*self.class]) {
            let name = class.rsplit('.').next().unwrap_or_default();
            if !mappings.knows(name) {
                let hint = " in the mappings".to_owned();
                let name = name.to_owned();
                return Err(ErrorKind::NotFound { what: noun::SCHEMA, name, hint }.into());
            }
        }
        Ok(())
    }

    /// The asset in a cooked package that is empty, with these flags instead of an asset's usual ones.
    fn furnish(
        &self,
        mut package: Package,
        has_preload: bool,
        flags: Option<ObjectFlags>,
        heritage: Option<Heritage>,
    ) -> Result<Package> {
        let name = self.checked_name()?;
        let (object, class) = package.edit(|edit| {
            edit.call_package(&self.path)?;
            if let Some(heritage) = &heritage {
                let class = format!("{name}_C");
                let new = heritage.class(&class, &self.class, edit.versions());
                let [class, default] = edit.add_class(&new)?;
                return Ok((default, Some(class)));
            }
            let native = self.native(edit)?;
            let list = PropertyList::new(Vec::new(), edit.none_name());
            let row = edit.add_native(name, &self.class, list, Some(native), false)?;
            if let (Some(export), Some(flags)) = (edit.tables_mut().exports.get_mut(row), flags) {
                export.object_flags = flags;
            }
            Ok((row, None))
        })?;
        package.edit(|edit| {
            self.fill(edit, object)?;
            if !has_preload {
                return Ok(());
            }
            if let Some(class) = class {
                edit.begin_preload_of_class(class)?;
            }
            edit.begin_preload(object)
        })?;
        package.rebuilt()
    }

    /// What the parent of a blueprint hands down; `None` of other assets.
    fn heritage(&self, model: Option<&Package>) -> Result<Option<Heritage>> {
        match self.content {
            Content::Blueprint => Heritage::of(&self.class, model, &self.heritage).map(Some),
            _ => Ok(None),
        }
    }

    /// What the class stores behind the properties, before a table has its rows.
    fn native(&self, edit: &Edit) -> Result<Native> {
        Ok(match &self.content {
            Content::Plain | Content::Blueprint => Native::None,
            Content::Strings(namespace, entries) => string_table(edit, namespace, entries)?,
            Content::Rows(rows) => Native::Object(Box::new(rows.without_rows())),
        })
    }

    /// Gives the object of a cooked package its rows and properties.
    fn fill(&self, edit: &mut Edit, row: usize) -> Result<()> {
        let object = &format!("#{row}");
        if let Content::Rows(rows) = &self.content {
            let (structure, class) = rows.row_struct_import(edit)?;
            let text = format!("{class}'{}'", edit.path(structure));
            edit.add_property(object, ROW_STRUCT, &Type::of_class("ObjectProperty")?, &text)?;
            edit.set_data_rows(row, &rows.data_rows())?;
        }
        let mut names = UniqueNames::of(noun::PROPERTY);
        for (name, known, text) in &self.properties {
            names.add(name)?;
            edit.add_property(object, name, known, text)?;
        }
        Ok(())
    }
}

impl Edit {
    /// Takes all objects away, and what the header says of them.
    fn take_objects(&mut self) -> Result<()> {
        let is_top = |row: &usize| self.outer(PackageIndex::export(*row)).is_null();
        let paths: Vec<String> =
            (0..self.exports().len()).filter(is_top).map(|row| format!("#{row}")).collect();
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

    /// Drops what nothing uses; a package without a GUID gets none, another one this one or a random one.
    fn prune_cooked(&mut self, own: Option<Guid>) -> Result<()> {
        let guid = self.tables().summary.guid;
        self.prune()?;
        if guid.is_zero() {
            self.tables_mut().summary.guid = guid;
        } else if let Some(own) = own {
            self.tables_mut().summary.guid = own;
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
