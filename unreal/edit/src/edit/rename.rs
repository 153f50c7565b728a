//! Renaming objects.

use super::Edit;
use super::default_object::default_name;
use super::renaming::Renamed;
use crate::error::Result;
use crate::object::script_object::ScriptObject;
use crate::primitive::{Name, ObjectRef, PackageIndex, StoredName};
use crate::version::{EngineFacts, UnrealVersions};

impl Edit {
    /// Gives an object another name. Everything that refers to the object follows, since references are
    /// numbers; so do thumbnails, the friendly names of script objects and the object with a class's
    /// defaults. What means a declaration by its name follows where the types say that it does: stored values of
    /// a property, in the class's defaults, in classes that derive from it and in objects; functions and states
    /// that override each other, and calls of them by name; structs and enums that tags name. What can't
    /// follow is listed in [`Renamed::care`]: names as values (timers), ini files, compiled code. Imports of
    /// other packages stay ([`uses_of_name`] finds what else they say).
    ///
    /// [`uses_of_name`]: crate::edit::uses_of_name
    ///
    /// In UE4 and UE5 the object's soft paths, thumbnails and tags follow within the package, and with a
    /// blueprint its class and its defaults. The main asset is called like its package:
    /// [`Edit::rename_package`] renames both.
    ///
    /// # Errors
    /// `NotFound`; `Exists`; `BadText`; `Invalid` for `None`; `Doubtful` for characters that names of objects do
    /// not have, for a function or state that overrides one of another package, for a name that the class or struct
    /// around a declaration inherits or that one which derives from it declares, and for objects that the engine
    /// finds by their name: `MyLevel` before UE3, `TheWorld` and `PersistentLevel` later.
    pub fn rename_object(&mut self, path: &str, new: &str) -> Result<Renamed> {
        let row = self.find_export(path)?;
        self.check_object_name(new, self.tables().exports[row].outer_index, Some(row))?;
        self.check_fixed_name(row)?;
        let declaration = self.declaration(row)?;
        let rows = declaration.as_ref().map_or_else(|| vec![row], |known| known.rows.clone());
        let old = self.exports().get(row).map(|export| export.name()).unwrap_or_default();
        if !self.versions().has_soft_references() && !old.eq_ignore_ascii_case(new) {
            for &row in &rows {
                self.vacant(self.tables().exports[row].outer_index, new)?;
            }
        }
        if let Some(declaration) = &declaration {
            self.check_inherited(declaration, new)?;
        }
        if self.versions().has_soft_references() {
            return self.transact(|package| {
                let mut renamed = Renamed::default();
                for &row in &rows {
                    renamed.add(package.rename_with_paths(row, new)?);
                }
                if let Some(declaration) = &declaration {
                    package.follow_declaration(declaration, &mut renamed)?;
                }
                Ok(renamed)
            });
        }
        self.transact(|package| {
            let mut renamed = Renamed::default();
            for &row in &rows {
                if package.is_structure(PackageIndex::export(row)) {
                    package.decode_row(row);
                }
                renamed.objects.push(package.rename_row(row, new)?);
            }
            if let Some(declaration) = &declaration {
                package.follow_declaration(declaration, &mut renamed)?;
            }
            let default = package.class_default(row).map(|index| index.target());
            if let Some(ObjectRef::Export(default)) = default
                && default < package.tables().exports.len()
            {
                let new = default_name(new);
                renamed.objects.push(package.rename_row(default, &new)?);
            }
            Ok(renamed)
        })
    }

    /// Says the old and the new path.
    fn rename_row(&mut self, row: usize, new: &str) -> Result<(String, String)> {
        let (old_path, old_name) =
            (self.exports().path(row), self.tables().exports[row].object_name);
        // The same text in other letters is the same row of the table, which keeps its letters.
        let name = self.add_object_name(new)?;
        self.change_export(row, |export| export.object_name = name);
        self.settle_component(row);
        self.settle_started_from(PackageIndex::export(row));
        let file = self.versions().file();
        if let Some(script) = self.script_mut(row) {
            rename_friendly(script, old_name, name, file);
        }
        self.retitle_thumbnails(&old_path, row)?;
        Ok((old_path, self.exports().path(row)))
    }

    /// UE3: whether what lies in `outer` belongs to the defaults of a class.
    pub(super) fn is_in_default(&self, outer: PackageIndex) -> bool {
        self.versions().has_component_prefixes()
            && matches!(outer.target(), ObjectRef::Export(row) if self.lies_in_default(row))
    }

    /// Decodes one body for changes; what can't be decoded whole stays as it is.
    pub(super) fn decode_row(&mut self, row: usize) {
        let free =
            !self.bodies().decoded.contains_key(&row) && !self.bodies().replaced.contains_key(&row);
        if free
            && self.tables().exports[row].serial_size.value() > 0
            && !self.sharing_bodies().contains(&row)
        {
            let decoded = self.decode_with(row, &self.decoding_context());
            if decoded.opaque == 0 {
                self.set_decoded(row, decoded);
            }
        }
    }

    /// Thumbnails of an object, and of those in it, get its new path.
    pub(super) fn retitle_thumbnails(&mut self, old: &str, row: usize) -> Result<()> {
        for (row, path) in self.retitled_thumbnails(old, &self.exports().path(row))? {
            self.tables_mut().thumbnails[row].object_path = path;
        }
        Ok(())
    }
}

/// The friendly name is the object's own, unless it was an operator's.
pub(super) fn rename_friendly(script: &mut ScriptObject, old: Name, new: Name, file: u32) {
    // Structs have it first, functions later; elsewhere it is not stored (spec: ue1-3/06 §6.1).
    const MOVED: u32 = 160;
    let friendly = match script {
        ScriptObject::Function(function) if file >= MOVED => Some(&mut function.friendly_name),
        script if file < MOVED => script.structure_mut().map(|s| &mut s.friendly_name),
        _ => None,
    };
    let friendly = friendly.and_then(StoredName::get_mut);
    if let Some(friendly) = friendly.filter(|friendly| **friendly == old) {
        *friendly = new;
    }
}
