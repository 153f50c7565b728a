//! Actors from text into a map.

use super::actor::{MapText, MapTextActor};
use super::adding::{AddedActors, AddedObject, Adding, FOR_EDITOR, HAS_STACK, MapTextSources};
use super::inner_names::InnerNames;
use super::known_classes::KnownClasses;
use super::references::map_package;
use crate::edit::{Edit, Placement};
use crate::error::{Error, Result, UnrealErrors};
use crate::primitive::{ObjectFlags, PackageIndex};
use crate::property::{PropertyKind, Type};
use crate::version::EngineFacts;

/// Classes of which each map has one of its own.
const ONE_A_MAP: &[&str] = &["LevelInfo", "WorldInfo", "DefaultPhysicsVolume"];

/// Actors from UnrealEd's text.
pub trait MapTextEdits {
    /// Adds the actors of a text to the level of a map, as UnrealEd pastes them: under their names where those are free,
    /// else under the next ones; references among them are references among the new ones. A brush gets a model with its
    /// polygons, and takes part in the level's geometry when that is built the next time. Classes and textures that the
    /// package does not know are asked of `sources`. In UE3 the objects in an actor come with it, with what the text says
    /// that they start from.
    ///
    /// The builder brush of the text, and its `LevelInfo` or `WorldInfo`, are those of its map, and are left out. A
    /// reference to an actor that is neither in the text nor in the map becomes `None`, and in UE3 one to an object of a
    /// class whose package nothing says; [`AddedActors::left_out`] says so.
    ///
    /// # Errors
    /// `Unsupported` for UE4 and later; `Invalid` for a class whose package nothing says, for a property whose type
    /// nothing declares, and for a value that does not fit it; `Refused` for an actor that would stand in no level. The
    /// package is as before then.
    fn add_map_text(&mut self, text: &MapText, sources: &dyn MapTextSources)
    -> Result<AddedActors>;
}

impl MapTextEdits for Edit {
    fn add_map_text(
        &mut self,
        text: &MapText,
        sources: &dyn MapTextSources,
    ) -> Result<AddedActors> {
        if !self.versions().has_actor_text() && !self.versions().has_component_prefixes() {
            let reason = "the editor's text of actors is read for UE1 to UE3 alone";
            return Err(Error::unsupported(reason));
        }
        self.attempt(|edit| Adding::new(edit, text, sources).run(text))
    }
}

impl<'a> Adding<'a> {
    fn new(edit: &'a mut Edit, text: &MapText, sources: &'a dyn MapTextSources) -> Self {
        let properties = text.actors.iter().flat_map(|actor| &actor.properties);
        let package = map_package(properties.map(|(name, value)| (name.as_str(), value.as_str())));
        let package = package.to_owned();
        let known = KnownClasses::of(edit);
        let level = known.first_rows.get("level").filter(|_| !edit.versions().has_actor_text());
        let level = level.map(|&row| (edit.exports().path(row), row));
        let (paths, inner, is_for_editor, models, names, actors, done) = Default::default();
        Self {
            edit,
            sources,
            package,
            level,
            paths,
            inner,
            is_for_editor,
            models,
            names,
            known,
            actors,
            done,
        }
    }

    fn run(mut self, text: &'a MapText) -> Result<AddedActors> {
        let mut added: Vec<AddedObject<'a>> = Vec::new();
        for actor in &text.actors {
            let class = self.class_of(actor)?;
            if !self.is_of_its_map(actor, &class) {
                self.add_actor(actor, &class, &mut added)?;
            }
        }
        let declared = self.declared(&added)?;
        let has_brush = self.has_brush(&added);
        for ((object, properties), has_brush) in added.iter().zip(declared).zip(has_brush) {
            if let Some(brush) = &object.text.brush {
                let model = self.model(object, brush)?;
                let text = format!("Model'{model}'");
                let path = format!("#{}", object.row);
                match has_brush {
                    true => self.edit.set_property(&path, "Brush", &text)?,
                    // Nothing is known of the class, and what has a brush in the text has this property.
                    false => {
                        let kind = Type::new(PropertyKind::Object);
                        self.edit.add_property(&path, "Brush", &kind, &text)?
                    }
                };
            }
            self.set_properties(object, properties)?;
        }
        Ok(self.done)
    }

    /// Adds an actor with what lies in it, all without properties.
    fn add_actor(
        &mut self,
        actor: &'a MapTextActor,
        class: &str,
        added: &mut Vec<AddedObject<'a>>,
    ) -> Result<()> {
        let name = self.free_name(&actor.name, class);
        let path = match &self.level {
            Some((level, _)) => format!("{level}.{name}"),
            None => name,
        };
        // In UE1 and UE2, where actors stand at the top, only the class tells them from textures.
        let row = match self.level.is_some() {
            true => self.edit.add_blank_actor(&path, class)?,
            false => self.edit.add_blank_object(&path, class)?,
        };
        let placement = self.edit.placement(row);
        if !matches!(placement, Placement::Placed(_) | Placement::WithoutComponents(_)) {
            let reason =
                format!("'{class}' is not known as a class of actors, or there is no level");
            return Err(Error::refused(reason, vec![actor.name.clone()]));
        }
        let is_for_editor = class.eq_ignore_ascii_case("Engine.Brush");
        if is_for_editor {
            let flags = ObjectFlags::of_legacy(FOR_EDITOR | HAS_STACK, self.edit.versions());
            self.edit.set_object_flags(row, flags)?;
        }
        self.known.add_class(class);
        self.paths.insert(actor.name.to_ascii_lowercase(), path.clone());
        self.done.rows.push(row);
        added.push(AddedObject { row, text: actor, actor: self.inner.len(), place: String::new() });
        self.inner.push(InnerNames::default());
        self.is_for_editor.push(is_for_editor);
        self.set_archetype(row, actor)?;
        self.add_objects(actor, (row, &path), "", added)
    }

    /// The path of an actor's class.
    pub(super) fn class_of(&self, actor: &MapTextActor) -> Result<String> {
        let class = &actor.class;
        if class.contains('.') {
            return Ok(class.clone());
        }
        let known = self.known.paths.get(&class.to_ascii_lowercase()).cloned();
        known.or_else(|| self.sources.class_path(class)).ok_or_else(|| {
            Error::invalid(format!(
                "{}: nothing says in which package the class '{class}' is: write it with its package, as in Engine.Light",
                actor.name
            ))
        })
    }

    /// Whether an actor is the one of its kind in the map that the text is of.
    fn is_of_its_map(&mut self, actor: &MapTextActor, class: &str) -> bool {
        let kind = class.rsplit('.').next().unwrap_or_default();
        let is_builder = kind.eq_ignore_ascii_case("Brush")
            && !actor.properties.iter().any(|(name, _)| name.eq_ignore_ascii_case("CsgOper"));
        let is_single = ONE_A_MAP.iter().any(|one| one.eq_ignore_ascii_case(kind));
        if !is_builder && !is_single {
            return false;
        }
        let own = self.known.first_rows.get(&kind.to_ascii_lowercase()).filter(|_| is_single);
        if let Some(&row) = own {
            let path = self.edit.exports().path(row);
            self.paths.insert(actor.name.to_ascii_lowercase(), path);
        }
        let what = if is_builder { "builder brush" } else { kind };
        self.done.left_out.push(format!("{}: the map has a {what} of its own", actor.name));
        true
    }

    /// The name itself where no actor has it, or else the next one of its kind: `Light7`.
    pub(super) fn free_name(&mut self, name: &str, class: &str) -> String {
        let level = self.level.as_ref().map(|(_, row)| PackageIndex::export(*row));
        loop {
            let free = self.names.pick(self.edit, level.unwrap_or_default(), name, class);
            // At the top also not that of an import, which a path of one name might mean.
            if level.is_some() || self.edit.find(&free).is_none() {
                return free;
            }
        }
    }
}
