//! Another path for a package of UE4 and UE5, another name for one of its objects.

use super::Edit;
use super::default_object::default_name;
use super::renaming::{Plan, Renamed, Scope};
use crate::error::{Error, ErrorKind, Result, UnrealErrors, noun};
use crate::inspect::own_path::{check_path, folder_name, main_asset, package_path};
use crate::package::ObjectPath;
use crate::package::checksum::package_source;
use crate::package::path_map::{PathMap, family, short_name};
use crate::primitive::PackageIndex;
use crate::version::UnrealVersions;
use crate::version::threshold::ue5;

/// How [`Edit::rename_package`] goes about it.
#[derive(Debug, Clone, Default)]
pub struct RenamePackage {
    from: Option<String>,
    keep_object: bool,
}

impl RenamePackage {
    /// The usual way: the main asset gets the package's new name, as engines expect it.
    pub fn new() -> Self {
        Self::default()
    }

    /// The path that the package has so far, for packages before UE5.1 that do not say it.
    #[must_use]
    pub fn from(mut self, path: &str) -> Self {
        self.from = Some(path.to_owned());
        self
    }

    /// Objects keep their names.
    #[must_use]
    pub fn keep_object(mut self, keep: bool) -> Self {
        self.keep_object = keep;
        self
    }
}

impl Edit {
    /// Gives a package of UE4 and UE5 another path, `/Game/Folder/Name`. Its header, names, tags, thumbnails
    /// and soft paths to itself follow, and so do the main asset, the class of a blueprint and its defaults,
    /// which are called like the package (spec: ue4-5/06 §5). Other packages that refer to it are the
    /// caller's: [`Edit::retarget`]. The file is to be called like the last part of the path.
    ///
    /// # Errors
    /// `Unsupported` for UE1 to UE3, whose packages are called like their files; `Invalid` for a path that
    /// no package can have; `Exists` where the package refers to another one of that path already, or an
    /// object has the name of the main asset.
    pub fn rename_package(&mut self, path: &str, options: &RenamePackage) -> Result<Renamed> {
        if !self.versions().has_soft_references() {
            let reason =
                "packages of Unreal Engine 1 to 3 are called like their files: rename the file";
            return Err(Error::unsupported(reason));
        }
        check_path(path)?;
        if let Some(from) = &options.from {
            check_path(from)?;
        }
        let stored = package_path(self);
        let old = options.from.clone().or_else(|| stored.clone());
        let asset = main_asset(self);
        let asset_name = asset.map(|row| self.object_name(PackageIndex::export(row)));
        let old_short = match &old {
            Some(path) => Some(short_name(path).to_owned()),
            None => asset_name.map(|name| name.strip_suffix("_C").unwrap_or(&name).to_owned()),
        };
        let new_short = short_name(path);
        let taken = |known: &str| {
            let other = !known.eq_ignore_ascii_case(old.as_deref().unwrap_or_default());
            other && known.eq_ignore_ascii_case(path)
        };
        if let Some(name) = self.imports().iter().map(|row| row.path()).find(|path| taken(path)) {
            return Err(ErrorKind::Exists { what: noun::IMPORT, name }.into());
        }
        let mut map = PathMap {
            old: old.clone().unwrap_or_default(),
            new: path.to_owned(),
            whole: true,
            objects: Vec::new(),
        };
        let mut rows = Vec::new();
        if let Some(old_short) = old_short.as_deref().filter(|_| !options.keep_object)
            && old_short != new_short
        {
            let names = family(old_short, new_short);
            rows = self.family_rows(&names);
            map.objects = self.path_changes(&rows)?;
            // Paths also mean what is not stored: the class without the blueprint, its skeleton.
            map.objects.extend(names);
        }
        self.transact(|package| {
            let mut renamed = package.carry_out(&Plan { map, scope: Scope::All, rows })?;
            package.rename_header(old.as_deref(), old_short.as_deref(), path, &mut renamed);
            let Some(old) = &old else {
                renamed.care.push(
                    "the package does not say its old path: paths to itself stay unless it is given"
                        .to_owned(),
                );
                return Ok(renamed);
            };
            package.note_leftovers(short_name(old), &mut renamed);
            Ok(renamed)
        })
    }

    /// Objects at the top that are called like the package, and the blueprint of a level.
    fn family_rows(&self, names: &[(String, String)]) -> Vec<(PackageIndex, String)> {
        let tops = self.tables().exports.iter().enumerate().filter(|(_, export)| {
            export.outer_index.is_null()
                || self.object_name(export.class_index).eq_ignore_ascii_case("LevelScriptBlueprint")
        });
        let rows = tops.filter_map(|(row, _)| {
            let index = PackageIndex::export(row);
            let name = self.object_name(index);
            let (_, new) = names.iter().find(|(old, _)| old.eq_ignore_ascii_case(&name))?;
            Some((index, new.clone()))
        });
        rows.collect()
    }

    /// Old and new paths of objects that get new names.
    fn path_changes(&self, rows: &[(PackageIndex, String)]) -> Result<Vec<(String, String)>> {
        let mut changes = Vec::new();
        for (index, new) in rows {
            let old = self.path(*index);
            let new = match old.rsplit_once('.') {
                Some((outer, _)) => format!("{outer}.{new}"),
                None => new.clone(),
            };
            let wanted = ObjectPath { class: None, path: new.as_str().into() };
            let taken = self
                .objects_at(&wanted)
                .into_iter()
                .any(|other| other.value() > 0 && !rows.iter().any(|(row, _)| *row == other));
            if taken {
                return Err(ErrorKind::Exists { what: noun::EXPORT, name: new }.into());
            }
            changes.push((old, new));
        }
        // The blueprint of a level lies in the world, which has a new name itself.
        let moved = PathMap { objects: changes.clone(), ..PathMap::default() };
        for (old, new) in &mut changes {
            let outer = old.rsplit_once('.').and_then(|(outer, _)| moved.object(outer));
            if let Some((outer, (_, name))) = outer.zip(new.rsplit_once('.')) {
                *new = format!("{outer}.{name}");
            }
        }
        Ok(changes)
    }

    /// The fields of the header that say the path.
    fn rename_header(
        &mut self,
        old: Option<&str>,
        old_short: Option<&str>,
        path: &str,
        renamed: &mut Renamed,
    ) {
        let stored = folder_name(self);
        let name = self.string(path);
        // From UE5.1 on every package says it.
        let states_path = self.versions().ue5() >= ue5::ADD_SOFTOBJECTPATH_LIST;
        let summary = &mut self.tables_mut().summary;
        if stored.starts_with('/') || states_path {
            summary.folder_name = name;
            renamed.note("package name", &stored, path);
        }
        let stored = summary.package_source;
        let known = [old.map(short_name), old_short];
        let known = known.into_iter().flatten().any(|name| package_source(name) == stored);
        let new = package_source(short_name(path));
        if known && new != stored {
            summary.package_source = new;
            renamed.note("package source", &format!("{stored:#010x}"), &format!("{new:#010x}"));
        } else if stored != 0 && !known {
            renamed.care.push(format!(
                "the package source {stored:#010x} is not that of the old name and stays"
            ));
        }
    }

    /// Notes the import and the function that still go by the old name.
    fn note_leftovers(&self, old: &str, renamed: &mut Renamed) {
        let built = format!("/{old}_BuiltData").to_ascii_lowercase();
        for import in self.imports().iter() {
            let path = import.path();
            if path.to_ascii_lowercase().ends_with(&built) {
                renamed.care.push(format!(
                    "it imports {path}, which keeps its name: rename that package as well"
                ));
            }
        }
        let graph = format!("ExecuteUbergraph_{old}");
        let called = |row: &usize| self.object_name(PackageIndex::export(*row)) == graph;
        if let Some(row) = (0..self.export_count()).find(called) {
            renamed.care.push(format!(
                "the function {} keeps its name; the editor gives it the new one when it compiles",
                self.exports().path(row)
            ));
        }
    }

    /// Another name for one object; what a blueprint has beside it follows.
    pub(crate) fn rename_with_paths(&mut self, row: usize, new: &str) -> Result<Renamed> {
        let index = PackageIndex::export(row);
        let old = self.object_name(index);
        if self.object_name(index) == new {
            return Ok(Renamed::default());
        }
        let is_top = self.outer(index).is_null();
        let is_main = main_asset(self) == Some(row);
        let mut rows = vec![(index, new.to_owned())];
        // The class of a blueprint goes by the blueprint's name, its defaults by the class's.
        let class = format!("{old}_C");
        let mut classes = vec![(index, new.to_owned())];
        for (at, export) in self.tables().exports.iter().enumerate() {
            let other = PackageIndex::export(at);
            if is_top
                && is_main
                && export.outer_index.is_null()
                && self.object_name(other).eq_ignore_ascii_case(&class)
            {
                rows.push((other, format!("{new}_C")));
                classes.push((other, format!("{new}_C")));
            }
        }
        for (class, name) in classes {
            let default = default_name(&self.object_name(class));
            for (at, export) in self.tables().exports.iter().enumerate() {
                let other = PackageIndex::export(at);
                if export.class_index == class
                    && self.object_name(other).eq_ignore_ascii_case(&default)
                {
                    rows.push((other, default_name(&name)));
                }
            }
        }
        let own = package_path(self);
        let mut objects = self.path_changes(&rows)?;
        if is_main {
            objects.extend(family(&old, new));
        }
        let path = own.clone().unwrap_or_default();
        let map = PathMap { old: path.clone(), new: path, whole: false, objects };
        let short = own.as_deref().map(|path| short_name(path).to_owned());
        self.transact(|package| {
            let mut renamed = package.carry_out(&Plan { map, scope: Scope::All, rows })?;
            if is_main {
                let called = short.unwrap_or(old);
                renamed.care.push(format!(
                    "engines look for the main asset by the package's own name, {called}: rename the \
                     package as well"
                ));
            }
            if own.is_none() {
                renamed.care.push(
                    "the package does not say its path: soft paths to the object stay".to_owned(),
                );
            }
            Ok(renamed)
        })
    }
}
