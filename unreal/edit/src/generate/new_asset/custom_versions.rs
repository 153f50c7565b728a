//! Which custom versions the header of a new package lists.

use std::sync::Arc;

use crate::archive::Saver;
use crate::edit::Edit;
use crate::error::Result;
use crate::version::UnrealVersions;
use crate::version::custom::EDITOR;
use crate::{Archived, Guid};

impl Edit {
    /// The header lists the custom versions that bodies are stored by: those without which they would be
    /// other bytes; and that of the editor's objects, which every package of the editor has.
    pub(super) fn choose_custom_versions(&mut self) -> Result<()> {
        let all: Vec<_> = self.versions().custom_versions.iter().flat_map(|l| l.to_vec()).collect();
        let whole = self.bodies_by(&all)?;
        let mut used = Vec::new();
        for (at, (guid, version)) in all.iter().enumerate() {
            let mut others = all.clone();
            others.remove(at);
            if *guid == EDITOR || self.bodies_by(&others).ok().as_ref() != Some(&whole) {
                used.push((*guid, *version));
            }
        }
        // Two that only matter together would be missed one by one.
        let listed = if self.bodies_by(&used)? == whole { used } else { all };
        self.whole().parts_mut().versions.set_custom_versions(listed);
        self.list_custom_versions();
        Ok(())
    }

    /// The bytes of all bodies by these custom versions.
    fn bodies_by(&self, custom: &[(Guid, i32)]) -> Result<Vec<u8>> {
        let mut versions = self.versions().of_bodies();
        versions.set_custom_versions(custom.to_vec());
        let context = self.context();
        let mut saver = Saver::new(versions).with_context(Arc::clone(&context));
        for decoded in self.bodies().decoded.values() {
            decoded.body.clone().serialize(&mut saver)?;
        }
        Ok(saver.into_bytes())
    }
}
