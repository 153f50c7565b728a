//! Objects without what they store of the level around them.

use crate::edit::Edit;
use crate::edit::level::{detach, drop_lights, keeps_lights};
use crate::error::{Error, Result, UnrealErrors};
use crate::package::Decoded;
use crate::primitive::{ObjectRef, PackageIndex};

/// The light that was computed for the lights of a level.
const LIGHTS: &str = "lights";

impl Edit {
    /// The decoded body of an export as another level can have it, and what was taken out.
    ///
    /// Lights go out of the lists of what they light: computed light is that of the old place, and would name
    /// the lights of the other level.
    ///
    /// # Errors
    /// `Refused` for a model whose light maps do not fit its list of lights.
    pub(super) fn detached(
        &self,
        row: usize,
        is_actor: bool,
    ) -> Result<Option<(Decoded, Vec<String>)>> {
        let Some(mut decoded) = self.bodies().decoded.get(&row).cloned() else { return Ok(None) };
        let context = self.source_context();
        let mut dropped = Vec::new();
        if is_actor {
            dropped = detach(&mut decoded.body, |name| self.name_text(name));
        }
        let is_light = |light: PackageIndex| !light.is_null();
        if drop_lights(&mut decoded.body, &is_light, &context) {
            dropped.push(LIGHTS.to_owned());
        }
        if keeps_lights(&decoded.body, &is_light) {
            let reason = "its light maps do not fit its list of lights, which belong to the other level: \
                          rebuild lighting in the editor first";
            return Err(Error::refused(reason, vec![self.exports().path(row)]));
        }
        Ok(Some((decoded, dropped)))
    }

    /// Whether an export may stand in a level that is not decoded.
    pub(super) fn may_be_actor(&self, row: usize) -> bool {
        let Some(export) = self.tables().exports.get(row) else { return false };
        match export.outer_index.target() {
            ObjectRef::Export(outer) => self.levels().contains(&outer),
            ObjectRef::Null => export.object_flags.has_stack(self.versions()),
            ObjectRef::Import(_) => false,
        }
    }
}
