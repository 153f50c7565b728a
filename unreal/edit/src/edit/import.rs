//! Imports: adding them with what is around them, and letting one refer to another object.

use super::Edit;
use super::default_object::{class_of_default, default_name};
use crate::error::{Error, ErrorKind, Result, noun};
use crate::primitive::{ObjectRef, PackageIndex};
use crate::table::Import;
use crate::version::{EngineFacts, UnrealVersions, threshold};

/// One step of the path to an imported object.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ImportStep<'a> {
    pub name: &'a str,
    pub class_package: &'a str,
    pub class_name: &'a str,
}

impl<'a> ImportStep<'a> {
    /// A package or group.
    pub fn group(name: &'a str) -> Self {
        Self { name, class_package: "Core", class_name: "Package" }
    }
}

impl Edit {
    /// Adds an import, with the packages and groups around it, or returns the one that is there.
    ///
    /// `path` starts with the package (`Engine.Actor`, `Botpack.Skins.Blue`, `/Script/Engine.Actor`),
    /// `class` is the class with its package (`Core.Class`, `/Script/CoreUObject.Class`). A path without a
    /// dot imports the package itself. In UE4 and UE5 the asset registry's data notes that the game uses it.
    /// It stays also when nothing uses it.
    ///
    /// # Errors
    /// `Invalid` for an empty part or a class without package; `BadText`; `Exists` when the object is
    /// imported with another class.
    pub fn add_import(&mut self, path: &str, class: &str) -> Result<PackageIndex> {
        let index = self.import_of(path, class)?;
        if let (ObjectRef::Import(row), Some(baseline)) =
            (index.target(), self.package.baseline_mut())
            && row >= baseline.imports
        {
            baseline.kept_imports.insert(row);
        }
        Ok(index)
    }

    /// The import of this path and class, added where it is not there; it goes again when nothing uses it.
    pub(crate) fn import_of(&mut self, path: &str, class: &str) -> Result<PackageIndex> {
        let class = self.checked_import(path, class)?;
        let chain = self.path_steps(&self.path_parts(path), class);
        self.import_chain(&chain)
    }

    /// The steps of a path to an imported object of a class, which is said by its package and its name. Amid the path
    /// stand groups and objects with the defaults of classes of the same package, which are of these classes.
    pub(super) fn path_steps<'a>(
        &self,
        parts: &[&'a str],
        (class_package, class_name): (&'a str, &'a str),
    ) -> Vec<ImportStep<'a>> {
        let (core, last) = (self.versions().core_package(), parts.len().saturating_sub(1));
        let has_defaults = self.versions().has_default_objects();
        let steps = parts.iter().enumerate().map(|(depth, &name)| match class_of_default(name) {
            _ if depth == 0 => ImportStep { name, class_package: core, class_name: "Package" },
            _ if depth == last => ImportStep { name, class_package, class_name },
            Some(class_name) if has_defaults => {
                ImportStep { name, class_package: parts[0], class_name }
            }
            _ => ImportStep { name, class_package: core, class_name: "Package" },
        });
        steps.collect()
    }

    /// Adds an import with those around it, outermost first. Of those only the name counts where they are
    /// there already.
    pub(crate) fn import_chain(&mut self, chain: &[ImportStep<'_>]) -> Result<PackageIndex> {
        self.transact(|edit| edit.add_chain(chain))
    }

    fn add_chain(&mut self, chain: &[ImportStep<'_>]) -> Result<PackageIndex> {
        let by_name = self.versions().file() < threshold::OUTER_INDEX_ADDED;
        let mut outer = PackageIndex::NULL;
        for (depth, step) in chain.iter().enumerate() {
            let last = depth + 1 == chain.len();
            let mut import = Import { outer_index: outer, ..Import::default() };
            if by_name {
                if !last {
                    continue;
                }
                let package = if depth > 0 { chain[0].name } else { "None" };
                import.outer_name = self.name_row(package)?;
            }
            let index = self.object_index();
            let is = |entry: &Import| {
                entry.outer_index == outer
                    && (!by_name || entry.outer_name == import.outer_name)
                    && self.is_name(entry.object_name, step.name)
            };
            let known = index.named(step.name).iter().find_map(|index| match index.target() {
                ObjectRef::Import(row) => {
                    let entry = self.tables().imports.get(row)?;
                    is(entry).then_some((row, entry))
                }
                _ => None,
            });
            drop(index);
            if let Some((row, entry)) = known {
                if last && !self.is_name(entry.class_name, step.class_name) {
                    let path: Vec<_> = chain.iter().map(|step| step.name).collect();
                    let name =
                        format!("{} (as {})", path.join("."), self.name_text(entry.class_name));
                    return Err(ErrorKind::Exists { what: noun::IMPORT, name }.into());
                }
                outer = PackageIndex::import(row);
                continue;
            }
            import.class_package = self.name_row(step.class_package)?;
            import.class_name = self.name_row(step.class_name)?;
            import.object_name = self.add_object_name(step.name)?;
            if Import::names_package(self.versions()) {
                // Cooked rows repeat the object's name (spec: ue4-5/03 §4).
                import.package_name = match self.versions().has_editor_only_data() {
                    true => self.name_row("None")?,
                    false => import.object_name,
                };
            }
            outer = self.push_import(import)?;
            if self.tables().further.asset_dependencies.is_some()
                && let Some(dependencies) = &mut self.further_mut().asset_dependencies
            {
                dependencies.import_used_in_game.push(true);
            }
        }
        self.sync_counts()?;
        Ok(outer)
    }

    /// Lets an import refer to another object: everything that refers to it follows, and what is imported
    /// from within it as well, so that a whole package can be exchanged for another, and of a class of UE3 its defaults. In UE4 and UE5 soft
    /// references follow ([`Edit::retarget`], which keeps the class).
    ///
    /// # Errors
    /// As [`Edit::add_import`]; `NotFound`; `Exists` when the new object is imported already.
    pub fn retarget_import(&mut self, old: &str, new: &str, class: &str) -> Result<PackageIndex> {
        let (class_package, class_name) = self.checked_import(new, class)?;
        if self.versions().has_soft_references() {
            return self.retarget_with_soft_paths(old, new, (class_package, class_name));
        }
        let is_old = |row: &usize| self.path(PackageIndex::import(*row)).eq_ignore_ascii_case(old);
        let Some(row) = (0..self.tables().imports.len()).find(is_old) else {
            let (name, hint) = (old.to_owned(), String::new());
            return Err(ErrorKind::NotFound { what: noun::IMPORT, name, hint }.into());
        };
        self.transact(|package| {
            let (parent, name) = match new.rsplit_once('.') {
                Some((parent, name)) => (Some(parent), name),
                None => (None, new),
            };
            let mut import = Import::default();
            if package.versions().file() < threshold::OUTER_INDEX_ADDED {
                import.outer_name = package.add_name(parent.unwrap_or("None"))?;
            } else if let Some(parent) = parent {
                import.outer_index = package.import_around(parent)?;
            }
            let mut outer = import.outer_index;
            for _ in 0..=package.tables().imports.len() {
                if outer == PackageIndex::import(row) {
                    return Err(Error::invalid(format!("'{old}' can't lie in itself")));
                }
                outer = package.outer(outer);
            }
            let same = |other: &usize| {
                let entry = &package.tables().imports[*other];
                *other != row
                    && entry.outer_index == import.outer_index
                    && entry.outer_name == import.outer_name
                    && package.is_name(entry.object_name, name)
            };
            if (0..package.tables().imports.len()).any(|other| same(&other)) {
                return Err(ErrorKind::Exists { what: noun::IMPORT, name: new.to_owned() }.into());
            }
            import.class_package = package.add_name(class_package)?;
            import.class_name = package.add_name(class_name)?;
            import.object_name = package.add_object_name(name)?;
            package.change_import(row, |known| *known = import);
            package.sync_counts()?;
            if class_name.ends_with("Class") && package.versions().has_default_objects() {
                package.retarget_default(old, new)?;
            }
            Ok(PackageIndex::import(row))
        })
    }

    /// The object with the defaults of a class follows it, as archetypes and templates name it: of UE3 alone, since
    /// later ones are retargeted by their paths.
    fn retarget_default(&mut self, old: &str, new: &str) -> Result<()> {
        let default = |path: &str| {
            let (parent, name) = path.rsplit_once('.')?;
            Some(format!("{parent}.{}", default_name(name)))
        };
        let (Some(old_default), Some(new_default)) = (default(old), default(new)) else {
            return Ok(());
        };
        let is = |path: &str| {
            let mut imports = (0..self.tables().imports.len()).map(PackageIndex::import);
            imports.any(|index| self.path(index).eq_ignore_ascii_case(path))
        };
        let package = new.split('.').next().unwrap_or_default();
        let name = new.rsplit('.').next().unwrap_or_default();
        match (is(&old_default), is(&new_default)) {
            (false, _) => Ok(()),
            (true, true) => self.redirect(&old_default, &new_default, false).map(drop),
            (true, false) => {
                let class = format!("{package}.{name}");
                self.retarget_import(&old_default, &new_default, &class).map(drop)
            }
        }
    }

    /// The import with this path, whatever it is, or a new group.
    fn import_around(&mut self, path: &str) -> Result<PackageIndex> {
        let mut imports = (0..self.tables().imports.len()).map(PackageIndex::import);
        if let Some(known) = imports.find(|&index| self.path(index).eq_ignore_ascii_case(path)) {
            return Ok(known);
        }
        let chain: Vec<_> = path.split('.').map(ImportStep::group).collect();
        self.import_chain(&chain)
    }

    /// The names in a path, outermost first; subobjects of UE4 and UE5 stand behind a colon.
    fn path_parts<'a>(&self, path: &'a str) -> Vec<&'a str> {
        match self.versions().has_subobject_paths() {
            true => path.split(['.', ':']).collect(),
            false => path.split('.').collect(),
        }
    }

    /// The parts of a class's path, where both paths can be imported.
    fn checked_import<'a>(&self, path: &str, class: &'a str) -> Result<(&'a str, &'a str)> {
        let Some((class_package, class_name)) = class.split_once('.') else {
            return Err(Error::invalid(format!(
                "the class '{class}' needs its package: Core.Class"
            )));
        };
        let parts = self.path_parts(path);
        if parts.iter().chain(&[class_package, class_name]).any(|part| part.is_empty()) {
            return Err(Error::invalid(format!("'{path}' of class '{class}' has an empty part")));
        }
        if self.versions().file() < threshold::OUTER_INDEX_ADDED && parts.len() > 2 {
            let version = self.versions().file();
            return Err(Error::invalid(format!("version {version} imports no objects of groups")));
        }
        Ok((class_package, class_name))
    }
}
