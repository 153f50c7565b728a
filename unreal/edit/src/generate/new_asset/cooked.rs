//! A package of a game made empty but for one object.

use crate::Guid;
use crate::edit::{Edit, RemoveOptions};
use crate::error::{Error, ErrorKind, Result, UnrealError, UnrealErrors, Unsupported, noun};
use crate::package::Package;
use crate::package::checksum::package_source;
use crate::package::path_map::short_name;
use crate::primitive::{PackageFlags, PackageIndex};
use crate::version::threshold::ue5;
use crate::version::{EngineRelease, UnrealVersions};

/// The oldest release whose packages are made: older ones have other forms of texts and paths.
pub(super) const OLDEST: EngineRelease = EngineRelease::new(4, 15);

/// Refuses a model that is no cooked package of UE4 or UE5, or that does not say how objects of a class are stored.
pub(super) fn check_model(model: &Package, class: &str) -> Result<()> {
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
    let name = class.rsplit('.').next().unwrap_or_default();
    if mappings.knows(name) {
        return Ok(());
    }
    let hint = " in the mappings".to_owned();
    Err(ErrorKind::NotFound { what: noun::SCHEMA, name: name.to_owned(), hint }.into())
}

impl Edit {
    /// A name that no object has.
    pub(super) fn free_name(&self) -> String {
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
    pub(super) fn leave_alone(&mut self, name: &str) -> Result<()> {
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

    /// Drops what nothing uses; a package without a GUID gets none, another one this one or a random one.
    pub(super) fn prune_cooked(&mut self, own: Option<Guid>) -> Result<()> {
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
    pub(super) fn call_package(&mut self, path: &str) -> Result<()> {
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
