//! Adding objects.

use super::Edit;
use super::refusal::refuse_object_versions;
use crate::archive::Span;
use crate::error::{Error, ErrorKind, Result};
use crate::object::script_object::ScriptObject;
use crate::package::Package;
use crate::package::further::FurtherSections;
use crate::package::tables::next_row;
use crate::primitive::{ObjectFlags, PackageIndex, Rare};
use crate::table::{DependsRow, Export, ExportPreload, Summary};
use crate::version::threshold::{self, ue4};

/// Where names and imports end before a change that adds to them at their ends only, so that cutting those
/// rows off is all that a failure needs.
pub(super) struct Before {
    names: usize,
    imports: usize,
    summary: Summary,
    further: Rare<FurtherSections>,
}

impl Before {
    pub fn of(package: &Package) -> Self {
        Self {
            names: package.tables().names.len(),
            imports: package.tables().imports.len(),
            summary: package.tables().summary.clone(),
            further: package.tables().further.clone(),
        }
    }

    /// Takes back what was added.
    pub fn restore(self, package: &mut Edit) {
        package.tables_mut().names.truncate(self.names);
        package.tables_mut().imports.truncate(self.imports);
        package.tables_mut().summary = self.summary;
        package.tables_mut().further = self.further;
        package.tables_mut().lookup.forget();
    }
}

impl Edit {
    /// Adds a public object behind the others: its path in the package, the path of its class
    /// (`Engine.Texture`; `Core.Package` for a group), its body as it stands in a file. The group around it
    /// must be there; a class that is not there is imported.
    ///
    /// # Errors
    /// `Exists`; `NotFound` for the group; `Refused` for a field of a script, which its struct would not
    /// know; `BadText`.
    pub fn add_export(
        &mut self,
        path: &str,
        class: &str,
        body: impl Into<Vec<u8>>,
    ) -> Result<usize> {
        refuse_object_versions(self, "adding objects")?;
        let (group, name) = match path.rsplit_once('.') {
            Some((group, name)) => (Some(group), name),
            None => (None, path),
        };
        let outer = self.group(group)?;
        self.vacant(outer, name)?;
        let class_name = class.rsplit('.').next().unwrap_or(class);
        if ScriptObject::blank(class_name).is_some() && self.is_script(outer) {
            let reason = "a field stands in the chain of its struct; duplicate one that is there";
            return Err(Error::refused(reason, vec![path.to_owned()]));
        }
        self.transact(|package| {
            let class = package.class_reference(class)?;
            let row = package.append_export(outer, name, class, body.into())?;
            package.sync_counts()?;
            Ok(row)
        })
    }

    /// The export that `path` means, or the top of the package.
    pub(super) fn group(&self, path: Option<&str>) -> Result<PackageIndex> {
        let Some(path) = path else { return Ok(PackageIndex::NULL) };
        if self.versions().file < threshold::OUTER_INDEX_ADDED {
            let version = self.versions().file;
            let reason = format!("version {version} has no groups: '{path}' can't hold objects");
            return Err(ErrorKind::Invalid { reason }.into());
        }
        Ok(PackageIndex::export(self.find_export(path)?))
    }

    /// Makes sure that no export of this name lies directly in `outer`.
    pub(super) fn vacant(&self, outer: PackageIndex, name: &str) -> Result<()> {
        let taken = self
            .tables()
            .exports
            .iter()
            .enumerate()
            .filter(|(_, export)| export.outer_index == outer)
            .map(|(row, _)| PackageIndex::export(row))
            .find(|&index| self.object_name(index).eq_ignore_ascii_case(name));
        match taken {
            Some(index) => Err(ErrorKind::Exists { what: "export", name: self.path(index) }.into()),
            None => Ok(()),
        }
    }

    /// The reference to a class by its path: null for `Core.Class`, imported where it is not there.
    pub(crate) fn class_reference(&mut self, class: &str) -> Result<PackageIndex> {
        let of_classes = self.versions().class_of_classes();
        match class {
            class if class == of_classes => Ok(PackageIndex::NULL),
            class => match self.find(class) {
                Some(index) => Ok(index),
                None => self.add_import(class, of_classes),
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
        let (v4, at_top) = (self.versions().ue4, outer_index.is_null());
        let mut export = Export {
            class_index,
            outer_index,
            object_flags: ObjectFlags::of_new(self.versions(), at_top),
            object_name: self.add_object_name(name)?,
            not_always_loaded_for_editor_game: (v4 >= ue4::LOAD_FOR_EDITOR_GAME).into(),
            is_asset: (v4 >= ue4::COOKED_ASSETS_IN_EDITOR_SUPPORT && at_top).into(),
            ..Export::default()
        };
        if v4 >= ue4::PRELOAD_DEPENDENCIES_IN_COOKED_EXPORTS {
            export.preload = ExportPreload::NONE;
        }
        let row = self.push_export(export)?;
        if !body.is_empty() {
            self.bodies_mut().replaced.insert(row, Span::owned(body));
        }
        Ok(row)
    }

    /// Adds a row and what the other tables say of it.
    pub(super) fn push_export(&mut self, export: Export) -> Result<usize> {
        let row = self.tables().exports.len();
        next_row(row)?;
        // A table that ends early stays short: its missing rows say nothing.
        if self.versions().file >= threshold::DEPENDS_ADDED && self.tables().depends.len() == row {
            self.tables_mut().depends.push(DependsRow::default());
        }
        self.tables_mut().exports.push(export);
        Ok(row)
    }
}
