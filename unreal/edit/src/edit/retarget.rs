//! Other packages and objects in the place of those that a package refers to.

mod redirect;

pub use self::redirect::Redirected;

use super::Edit;
use super::import::ImportStep;
use super::renaming::{Plan, Renamed, Scope};
use crate::error::{Error, ErrorKind, Noun, Result, UnrealErrors, noun};
use crate::inspect::ReferencePlace;
use crate::inspect::own_path::check_path;
use crate::package::path_map::{PathMap, family, short_name};
use crate::primitive::{FString, Name, PackageIndex};
use crate::table::SoftPackageReference;
use crate::version::UnrealVersions;
use crate::version::threshold::ue4;

/// The package of a path and the object in it; colons are dots in the latter.
fn split(path: &str) -> (&str, Option<String>) {
    match path.split_once('.') {
        Some((package, object)) => (package, Some(object.replace(':', "."))),
        None => (path, None),
    }
}

/// The map of paths from one package to another, or from one object to another.
fn map_of(old: &str, new: &str) -> Result<PathMap> {
    let ((old_package, old_object), (new_package, new_object)) = (split(old), split(new));
    if !old_package.starts_with('/') {
        return Err(Error::invalid(format!(
            "'{old}' is no path: /Game/Folder/Name or /Game/Folder/Name.Name"
        )));
    }
    if !new_package.get(..8).is_some_and(|root| root.eq_ignore_ascii_case("/Script/")) {
        check_path(new_package)?;
    }
    match (old_object, new_object) {
        (None, None) => Ok(PathMap::of_package(old_package, new_package)),
        (Some(old), Some(new)) if new.split('.').any(str::is_empty) => {
            Err(Error::invalid(format!("'{old}' can't become '{new}', which has an empty part")))
        }
        (Some(old), Some(new)) if old.split('.').count() != new.split('.').count() => {
            Err(Error::invalid(format!("'{old}' and '{new}' lie at different depths")))
        }
        (Some(old), Some(new)) => Ok(PathMap::of_object((old_package, &old), (new_package, &new))),
        _ => Err(Error::invalid(format!(
            "'{old}' and '{new}': both must be packages (/Game/Name) or both objects (/Game/Name.Name)"
        ))),
    }
}

impl Edit {
    /// Lets every soft reference of a UE4 or UE5 package to an object (`/Game/Old.Old`), or to a whole package
    /// (`/Game/Old`, with the assets that are called like it), go to another one: rows of tables, paths in
    /// bodies, soft package references, dependencies that the asset registry knows. Imports stay:
    /// [`Edit::retarget`] changes both.
    ///
    /// # Errors
    /// `NotFound` where nothing refers to it softly; `Invalid` for what is no path; `Unsupported` for UE1 to
    /// UE3.
    pub fn retarget_soft(&mut self, old: &str, new: &str) -> Result<Renamed> {
        self.needs_soft_references()?;
        let map = map_of(old, new)?;
        self.transact(|package| {
            let plan = Plan { map: map.clone(), scope: Scope::Soft, rows: Vec::new() };
            let mut renamed = package.carry_out(&plan)?;
            package.settle_soft_packages(&map, &mut renamed)?;
            found(&renamed, noun::SOFT_REFERENCE, old)?;
            Ok(renamed)
        })
    }

    /// Lets every reference of a UE4 or UE5 package to an object (`/Game/Old.Old`), or to a whole package
    /// (`/Game/Old`, with the assets that are called like it), go to another one: imports, soft references,
    /// tags of the asset registry.
    ///
    /// # Errors
    /// `NotFound` where nothing refers to it; `Exists` where the new object is imported already; `Invalid` for
    /// what is no path; `Unsupported` for UE1 to UE3 ([`Edit::retarget_import`]).
    pub fn retarget(&mut self, old: &str, new: &str) -> Result<Renamed> {
        self.needs_soft_references()?;
        let map = map_of(old, new)?;
        let plain = |path: &str| path.replace(':', ".");
        let import = |path: &str| {
            let path = plain(path);
            self.imports().iter().any(|row| row.path().eq_ignore_ascii_case(&path))
        };
        if !plain(old).eq_ignore_ascii_case(&plain(new)) && import(old) && import(new) {
            return Err(ErrorKind::Exists { what: noun::IMPORT, name: plain(new) }.into());
        }
        self.transact(|package| {
            let before: Vec<_> = package.imports().iter().map(|row| row.path()).collect();
            let rows = match map.whole {
                true => package.assets_of(&map),
                false => package.move_import(&map)?,
            };
            let plan = Plan { map: map.clone(), scope: Scope::References, rows };
            let mut renamed = package.carry_out(&plan)?;
            package.retarget_classes(&map)?;
            let after = package.imports().iter().map(|row| row.path());
            renamed.objects = before.into_iter().zip(after).filter(|(a, b)| a != b).collect();
            package.settle_soft_packages(&map, &mut renamed)?;
            found(&renamed, noun::REFERENCE, old)?;
            Ok(renamed)
        })
    }

    /// As [`Edit::retarget`], and the import is of another class; with the same path of that alone.
    pub(crate) fn retarget_with_soft_paths(
        &mut self,
        old: &str,
        new: &str,
        (class_package, class_name): (&str, &str),
    ) -> Result<PackageIndex> {
        self.transact(|package| {
            let path = new.replace(':', ".");
            if path != old.replace(':', ".") {
                package.retarget(old, new)?;
            }
            let is_new = |row: &usize| package.has_path(PackageIndex::import(*row), &path);
            let Some(row) = (0..package.tables().imports.len()).find(is_new) else {
                return Err(not_found(noun::IMPORT, old));
            };
            let class = (package.add_name(class_package)?, package.add_name(class_name)?);
            package.change_import(row, |import| {
                (import.class_package, import.class_name) = class;
            });
            // What it derives from is known of the old one.
            let hierarchies = &mut package.tables_mut().further.import_type_hierarchies;
            hierarchies.retain(|known| known.import != PackageIndex::import(row));
            package.sync_counts()?;
            Ok(PackageIndex::import(row))
        })
    }

    fn needs_soft_references(&self) -> Result<()> {
        if self.versions().has_soft_references() {
            return Ok(());
        }
        let reason = "packages of Unreal Engine 1 to 3 refer to others by imports alone, which are \
                      retargeted one by one with the class of what is new";
        Err(Error::unsupported(reason))
    }

    /// Imported objects whose class lies in the package, or is the object, that others take the place of.
    fn retarget_classes(&mut self, map: &PathMap) -> Result<()> {
        for row in 0..self.tables().imports.len() {
            let import = self.tables().imports[row];
            let (package, class) =
                (self.name_text(import.class_package), self.name_text(import.class_name));
            let is_new = map.whole && package.eq_ignore_ascii_case(&map.new);
            let new = match is_new {
                true => map.object(&class).map(|class| format!("{package}.{class}")),
                false => map.path(&format!("{package}.{class}")),
            };
            if let Some((package, class)) = new.as_deref().and_then(|new| new.split_once('.')) {
                let class = (self.add_object_name(package)?, self.add_object_name(class)?);
                self.change_import(row, |import| {
                    (import.class_package, import.class_name) = class;
                });
            }
        }
        self.sync_counts()
    }

    /// Imports from a package that are called like it, with their new names.
    fn assets_of(&self, map: &PathMap) -> Vec<(PackageIndex, String)> {
        let names = family(short_name(&map.old), short_name(&map.new));
        let lies_in = |index: PackageIndex| {
            let outer = self.outer(index);
            !outer.is_null() && self.path(outer).eq_ignore_ascii_case(&map.old)
        };
        let imports = (0..self.tables().imports.len()).map(PackageIndex::import);
        let called = |index: PackageIndex| {
            let name = self.object_name(index);
            let (old, new) = names.iter().find(|(old, _)| old.eq_ignore_ascii_case(&name))?;
            (old != new).then(|| (index, new.clone()))
        };
        imports.filter(|&index| lies_in(index)).filter_map(called).collect()
    }

    /// Lets the import of an object lie where the new one does; says which rows get other names.
    fn move_import(&mut self, map: &PathMap) -> Result<Vec<(PackageIndex, String)>> {
        let Some((old_object, new_object)) = map.objects.first() else { return Ok(Vec::new()) };
        let old = format!("{}.{old_object}", map.old);
        let new = format!("{}.{new_object}", map.new);
        let is_old = |row: &usize| self.has_path(PackageIndex::import(*row), &old);
        let Some(row) = (0..self.tables().imports.len()).find(is_old) else {
            return Ok(Vec::new());
        };
        let (Some((old_outer, _)), Some((outer, name))) =
            (old.rsplit_once('.'), new.rsplit_once('.'))
        else {
            return Ok(Vec::new());
        };
        let mut rows = vec![(PackageIndex::import(row), name.to_owned())];
        if outer.eq_ignore_ascii_case(old_outer) {
            return Ok(rows);
        }
        let old_index = self.tables().imports[row].outer_index;
        let imports = (0..self.tables().imports.len()).map(PackageIndex::import);
        let known = imports.clone().find(|&index| self.has_path(index, outer));
        let alone = || {
            let mut model = self.clone();
            model.decode_all();
            let unseen = |row| model.decoded(row).is_some_and(|body| !body.is_complete());
            !(0..model.export_count()).any(unseen)
                && ReferencePlace::to(&model, old_index).len() == 1
        };
        self.tables_mut().imports[row].outer_index = match known {
            Some(known) => known,
            None if outer.contains('.') => {
                let reason = format!("'{outer}' is not imported: import it first, with its class");
                return Err(Error::invalid(reason));
            }
            // Nothing else is used of the old package.
            None if alone() => {
                rows.push((old_index, outer.to_owned()));
                old_index
            }
            None => {
                let (class_package, class_name) = ("/Script/CoreUObject", "Package");
                self.import_chain(&[ImportStep { name: outer, class_package, class_name }])?
            }
        };
        Ok(rows)
    }

    /// Rows of soft package references follow their paths: an object's row changes when nothing else of its
    /// package is referred to, else there is a further one.
    fn settle_soft_packages(&mut self, map: &PathMap, renamed: &mut Renamed) -> Result<()> {
        let (source, order, game) =
            (self.source_bytes(), self.versions().byte_order, self.versions().game());
        if self.versions().ue4() < ue4::ADDED_SOFT_OBJECT_PATH {
            for reference in &mut self.tables_mut().further.soft_package_references {
                let old = reference.path.text(&source)?.into_owned();
                let bare = |path: &PathMap| old.eq_ignore_ascii_case(&path.old);
                // From 484 on only packages stand here.
                let new = map.path(&old).or_else(|| bare(map).then(|| map.new.clone()));
                if let Some(new) = new.filter(|new| *new != old) {
                    reference.path = FString::new_in(&new, order, game);
                    renamed.note("soft package reference", &old, &new);
                }
            }
            return Ok(());
        }
        if map.whole || renamed.soft_paths == 0 || map.old.eq_ignore_ascii_case(&map.new) {
            return Ok(());
        }
        let names: Vec<Name> =
            self.tables().further.soft_package_references.iter().map(|row| row.name).collect();
        let row_of = |package: &Self, path: &str| {
            names.iter().position(|name| package.name_text(*name).eq_ignore_ascii_case(path))
        };
        let Some(old_row) = row_of(self, &map.old) else { return Ok(()) };
        let is_left = self.soft_packages().iter().any(|path| path.eq_ignore_ascii_case(&map.old));
        let name = self.add_object_name(&map.new)?;
        if is_left && row_of(self, &map.new).is_some() {
            return Ok(());
        }
        let further = &mut *self.tables_mut().further;
        if is_left {
            let used = further
                .asset_dependencies
                .as_ref()
                .and_then(|known| known.soft_package_used_in_game.get(old_row));
            let row = SoftPackageReference { name, ..SoftPackageReference::default() };
            further.soft_package_references.push(row);
            if let Some(dependencies) = &mut further.asset_dependencies {
                dependencies.soft_package_used_in_game.push(used.unwrap_or(true));
            }
        } else {
            further.soft_package_references[old_row].name = name;
        }
        renamed.note("soft package reference", &map.old, &map.new);
        self.sync_counts()
    }
}

fn not_found(what: Noun, name: &str) -> crate::Error {
    ErrorKind::NotFound { what, name: name.to_owned(), hint: String::new() }.into()
}

/// A call that changes nothing has failed.
fn found(renamed: &Renamed, what: Noun, name: &str) -> Result<()> {
    let nothing =
        renamed.objects.is_empty() && renamed.changes.is_empty() && renamed.soft_paths == 0;
    if !nothing {
        return Ok(());
    }
    let hint = match renamed.care.first() {
        Some(care) => format!("; {care}"),
        None => String::new(),
    };
    Err(ErrorKind::NotFound { what, name: name.to_owned(), hint }.into())
}
