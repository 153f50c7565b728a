//! What lies in actors: components and the like (UE3).

use super::actor::MapTextActor;
use super::adding::{AddedObject, Adding};
use super::inner_names::NameKind;
use crate::error::{Error, Result, UnrealErrors};
use crate::primitive::{ObjectFlags, PackageIndex};

/// `Transactional` and the three that say for whom an object is loaded: what components of actors have.
const OF_COMPONENTS: u64 = 0x0007_0001;
/// `Transactional`, `LoadForEdit`: those of brushes that only the editor needs.
const OF_EDITOR_COMPONENTS: u64 = 0x0004_0001;

impl<'a> Adding<'a> {
    /// Adds the objects that lie in one of the text, all without properties. `outer` and `path` are row and path of the
    /// object in the map, `place` is what stands before the names of its objects in references from the actor.
    pub(super) fn add_objects(
        &mut self,
        around: &'a MapTextActor,
        (outer, path): (usize, &str),
        place: &str,
        added: &mut Vec<AddedObject<'a>>,
    ) -> Result<()> {
        if self.level.is_none() && !around.objects.is_empty() {
            let reason = "objects within actors are those of UE3, which this package has not";
            return Err(Error::unsupported(format!("{}: {reason}", around.name)));
        }
        for object in &around.objects {
            let class = self.class_of(object)?;
            let outer = PackageIndex::export(outer);
            let name = self.names.pick(self.edit, outer, &object.name, &class);
            let own = format!("{path}.{name}");
            // The text says the lists of components that are not those of the class.
            let row = self.edit.add_unlisted_object(&own, &class)?;
            let Some(actor) = self.inner.len().checked_sub(1) else { continue };
            let flags = match self.is_for_editor.get(actor) {
                Some(true) => OF_EDITOR_COMPONENTS,
                _ => OF_COMPONENTS,
            };
            let flags = ObjectFlags::of_legacy(flags, self.edit.versions());
            self.edit.set_object_flags(row, flags)?;
            self.known.add_class(&class);
            let own_place = format!("{place}{}", object.name).to_ascii_lowercase();
            if let Some(inner) = self.inner.get_mut(actor) {
                inner.add(&own_place, NameKind::Path, &own);
                if !place.is_empty() {
                    inner.add(&object.name, NameKind::Name, &own);
                }
                if !object.template.is_empty() {
                    inner.add(&object.template, NameKind::Template, &own);
                }
            }
            self.set_archetype(row, object)?;
            let within = format!("{own_place}.");
            self.add_objects(object, (row, &own), &within, added)?;
            added.push(AddedObject { row, text: object, actor, place: within });
        }
        Ok(())
    }

    pub(super) fn set_archetype(&mut self, row: usize, object: &MapTextActor) -> Result<()> {
        if self.level.is_none() || object.archetype.is_empty() {
            return Ok(());
        }
        let done = self.edit.set_archetype(row, &object.archetype);
        done.map_err(|error| Error::invalid(format!("{}: {error}", object.name)))
    }
}
