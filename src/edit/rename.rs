//! Renaming objects and moving them to other groups.

use super::Edit;
use super::refusal::refuse_object_versions;
use super::renaming::Renamed;
use crate::error::{Error, ErrorKind, Result};
use crate::object::script_object::ScriptObject;
use crate::primitive::{FString, Name, ObjectRef, PackageIndex};
use crate::version::Engine;

impl Edit {
    /// Gives an object another name. Everything that refers to the object follows, since references are
    /// numbers; so do thumbnails, the friendly names of script objects and the object with a class's
    /// defaults. What means the object by its name does not: calls of virtual functions, property tags,
    /// and the imports of other packages ([`Edit::rename_name`] changes the former).
    ///
    /// In UE4 and UE5 the object's soft paths, thumbnails and tags follow within the package, and with a
    /// blueprint its class and its defaults. The main asset is called like its package:
    /// [`Edit::rename_package`] renames both.
    ///
    /// # Errors
    /// `NotFound`; `Exists`; `BadText`; `Invalid` for `None`.
    pub fn rename_object(&mut self, path: &str, new: &str) -> Result<Renamed> {
        let row = self.find_export(path)?;
        if new.eq_ignore_ascii_case("None") {
            let reason = "'None' means no object".to_owned();
            return Err(ErrorKind::Invalid { reason }.into());
        }
        if self.versions().has_soft_references() {
            return self.rename_with_paths(row, new);
        }
        let old = self.exports().get(row).map(|export| export.name()).unwrap_or_default();
        if !old.eq_ignore_ascii_case(new) {
            self.vacant(self.tables().exports[row].outer_index, new)?;
        }
        self.transact(|package| {
            if package.is_structure(PackageIndex::export(row)) {
                package.decode_row(row);
            }
            let mut renamed = Renamed::default();
            renamed.objects.push(package.rename_row(row, new)?);
            let default = package.class_default(row).map(|index| index.target());
            if let Some(ObjectRef::Export(default)) = default
                && default < package.tables().exports.len()
            {
                let new = format!("Default__{new}");
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
        self.tables_mut().exports[row].object_name = name;
        let file = self.versions().file;
        if let Some(script) = self.script_mut(row) {
            rename_friendly(script, old_name, name, file);
        }
        self.retitle_thumbnails(&old_path, row)?;
        Ok((old_path, self.exports().path(row)))
    }

    /// Moves an object with all that lies in it into another group, or to the top of the package.
    ///
    /// # Errors
    /// `NotFound`; `Exists`; `Invalid` for a group within the object itself; `Refused` for fields of
    /// scripts, and for components of UE3 whose layout depends on where they lie.
    pub fn move_object(&mut self, path: &str, into: Option<&str>) -> Result<()> {
        refuse_object_versions(self, "moving objects")?;
        let row = self.find_export(path)?;
        let outer = self.group(into)?;
        let mut at = outer;
        for _ in 0..=self.tables().exports.len() {
            if at == PackageIndex::export(row) {
                let reason = format!("'{path}' can't be moved into itself");
                return Err(ErrorKind::Invalid { reason }.into());
            }
            at = self.outer(at);
        }
        if self.tables().exports[row].outer_index == outer {
            return Ok(());
        }
        self.check_place(row, outer)?;
        self.vacant(outer, &self.object_name(PackageIndex::export(row)))?;
        self.transact(|package| {
            let old_path = package.exports().path(row);
            package.tables_mut().exports[row].outer_index = outer;
            package.retitle_thumbnails(&old_path, row)
        })
    }

    /// Whether an object may lie in `outer` as far as the layout of bodies is concerned.
    fn check_place(&self, row: usize, outer: PackageIndex) -> Result<()> {
        let path = || vec![self.exports().path(row)];
        let is_script = self.is_script(PackageIndex::export(row));
        if self.is_field(row) || is_script && self.is_script(outer) {
            let reason = "fields stand in the chain of their struct and can't be moved";
            return Err(Error::refused(reason, path()));
        }
        if self.is_in_default(self.tables().exports[row].outer_index) != self.is_in_default(outer) {
            let reason = "components within the defaults of a class have another layout";
            return Err(Error::refused(reason, path()));
        }
        Ok(())
    }

    /// UE3: whether what lies in `outer` belongs to the defaults of a class.
    pub(super) fn is_in_default(&self, outer: PackageIndex) -> bool {
        self.versions().engine() == Engine::Ue3
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
                self.bodies_mut().decoded.insert(row, decoded);
            }
        }
    }

    /// Thumbnails of an object, and of those in it, get its new path.
    pub(super) fn retitle_thumbnails(&mut self, old: &str, row: usize) -> Result<()> {
        if self.tables().thumbnails.is_empty() {
            return Ok(());
        }
        let new = self.exports().path(row);
        let source = self.source_bytes();
        let (order, game) = (self.versions().byte_order, self.versions().game);
        for thumbnail in &mut self.tables_mut().thumbnails {
            let path = thumbnail.object_path.text(&source)?;
            let rest = path.get(..old.len()).filter(|head| head.eq_ignore_ascii_case(old));
            let rest = rest.map(|_| path[old.len()..].to_owned());
            if let Some(rest) = rest.filter(|rest| rest.is_empty() || rest.starts_with('.')) {
                thumbnail.object_path = FString::new_in(&format!("{new}{rest}"), order, game);
            }
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
    if let Some(friendly) = friendly.filter(|friendly| **friendly == old) {
        *friendly = new;
    }
}
