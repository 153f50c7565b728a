//! Adding objects.

use super::Edit;
use super::blueprint_class::GENERATED;
use crate::archive::Span;
use crate::error::{Error, ErrorKind, Result, UnrealErrors, noun};
use crate::object::script_object::ScriptObject;
use crate::primitive::{ObjectFlags, ObjectRef, PackageIndex};
use crate::table::{DependsRow, Export, ExportPreload};
use crate::version::UnrealVersions;
use crate::version::threshold::{self, ue4};

impl Edit {
    /// Adds a public object behind the others: its path in the package, the path of its class
    /// (`Engine.Texture`; `Core.Package` for a group), its body as it stands in a file. The group around it
    /// must be there; a class that is not there is imported, and so is, in UE4 and UE5, the object that holds
    /// its defaults.
    ///
    /// # Errors
    /// `Exists`; `NotFound` for the group; `Refused` for a field of a script, which its struct would not
    /// know; `BadText`; `Doubtful` for characters that names of objects do not have.
    pub fn add_export(
        &mut self,
        path: &str,
        class: &str,
        body: impl Into<Vec<u8>>,
    ) -> Result<usize> {
        let path = &*self.with_dots(path);
        let (group, name) = match path.rsplit_once('.') {
            Some((group, name)) => (Some(group), name),
            None => (None, path),
        };
        let outer = self.group(group)?;
        self.vacant(outer, name)?;
        self.check_object_name(name, outer, None)?;
        let class_name = class.rsplit('.').next().unwrap_or(class);
        if ScriptObject::blank(class_name).is_some() && self.is_script(outer) {
            let reason = "a field stands in the chain of its struct; duplicate one that is there";
            return Err(Error::refused(reason, vec![path.to_owned()]));
        }
        self.transact(|package| {
            let class = package.class_of_new(class)?;
            let row = package.append_export(outer, name, class, body.into())?;
            package.settle_template(row)?;
            package.note_asset(row, Vec::new());
            package.settle_preload(row)?;
            package.settle_component(row);
            package.list_new(row)?;
            package.sync_counts()?;
            Ok(row)
        })
    }

    /// The export that `path` means, or the top of the package.
    pub(super) fn group(&self, path: Option<&str>) -> Result<PackageIndex> {
        let Some(path) = path else { return Ok(PackageIndex::NULL) };
        if self.versions().file() < threshold::OUTER_INDEX_ADDED {
            let version = self.versions().file();
            let reason = format!("version {version} has no groups: '{path}' can't hold objects");
            return Err(Error::invalid(reason));
        }
        Ok(PackageIndex::export(self.find_export(path)?))
    }

    /// Makes sure that no export of this name lies directly in `outer`.
    pub(super) fn vacant(&self, outer: PackageIndex, name: &str) -> Result<()> {
        let objects = self.object_index();
        let is = |&&index: &&PackageIndex| {
            matches!(index.target(), ObjectRef::Export(_))
                && self.outer(index) == outer
                && self.object_name(index).eq_ignore_ascii_case(name)
        };
        let taken = objects.named(name).iter().find(is).copied();
        match taken {
            Some(index) => {
                Err(ErrorKind::Exists { what: noun::EXPORT, name: self.path(index) }.into())
            }
            None => Ok(()),
        }
    }

    /// The reference to the class of a new object.
    pub(super) fn class_of_new(&mut self, class: &str) -> Result<PackageIndex> {
        if !class.contains('.') && self.find(class).is_none() {
            let example = self.versions().class_of_classes();
            let reason = format!("the class '{class}' needs its package, as in {example}");
            return Err(Error::invalid(reason));
        }
        self.class_reference(class)
    }

    /// The reference to a class by its path: null for `Core.Class`, imported where it is not there.
    pub(crate) fn class_reference(&mut self, class: &str) -> Result<PackageIndex> {
        let of_classes = self.versions().class_of_classes();
        match class {
            class if class == of_classes => Ok(PackageIndex::NULL),
            class => match self.find(class) {
                Some(index) => Ok(index),
                None if is_of_blueprint(class, of_classes) => self.import_of(class, GENERATED),
                None => self.import_of(class, of_classes),
            },
        }
    }

    /// Adds a row behind the others; the counts are brought up to date later.
    pub(crate) fn append_export(
        &mut self,
        outer_index: PackageIndex,
        name: &str,
        class_index: PackageIndex,
        body: Vec<u8>,
    ) -> Result<usize> {
        let (v4, at_top) = (self.versions().ue4(), outer_index.is_null());
        let mut export = Export {
            class_index,
            outer_index,
            object_flags: ObjectFlags::of_new(self.versions(), at_top),
            object_name: self.add_object_name(name)?,
            not_always_loaded_for_editor_game: (v4 >= ue4::LOAD_FOR_EDITOR_GAME).into(),
            is_asset: (v4 >= ue4::COOKED_ASSETS_IN_EDITOR_SUPPORT && at_top).into(),
            ..Export::default()
        };
        export.preload = self.no_preload();
        let row = self.push_export(export)?;
        if !body.is_empty() {
            self.set_replaced(row, Span::owned(body));
        }
        Ok(row)
    }

    /// The preload dependencies of a row that has none, as rows of this version say it.
    pub(super) fn no_preload(&self) -> ExportPreload {
        match self.versions().ue4() {
            ue4::PRELOAD_DEPENDENCIES_IN_COOKED_EXPORTS.. => ExportPreload::NONE,
            _ => ExportPreload::default(),
        }
    }

    /// Adds a row and what the other tables say of it.
    pub(super) fn push_export(&mut self, export: Export) -> Result<usize> {
        let row = self.tables().exports.len();
        // A table that ends early stays short: its missing rows say nothing.
        let has_depends = self.versions().file() >= threshold::DEPENDS_ADDED
            && self.tables().depends.len() == row;
        self.push_row(export, has_depends.then(DependsRow::default))
    }
}

/// Whether a class is one that a project has made, where those are of a class of their own: loaders look for an object of
/// that.
fn is_of_blueprint(class: &str, of_classes: &str) -> bool {
    let is_compiled = |class: &str| class.starts_with("/Script/");
    is_compiled(of_classes) && !is_compiled(class) && class.ends_with("_C")
}
