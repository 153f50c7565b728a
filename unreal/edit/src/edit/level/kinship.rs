//! Whether an object is an actor.

use crate::edit::Edit;
use crate::property::EngineClasses;
use crate::table::Export;

/// Ends of the names of classes whose objects lie in levels and are no actors (measured on the maps of the
/// corpora: geometry, components, blueprints of levels, containers).
const NOT_ACTORS: &[&str] =
    &["Model", "Component", "Polys", "Blueprint", "Class", "Container", "Level"];
/// Classes are followed this far.
const LONGEST_LINE: usize = 64;

/// Whether a class derives from `Actor`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kinship {
    Actor,
    Other,
    /// Its class is not known, and is called as those of what is no actor.
    OtherByName,
    Unknown,
}

impl Edit {
    /// The class of an export and those that it derives from, as far as the package, its surroundings and the
    /// engine's own classes say.
    pub(in crate::edit) fn class_line(&self, row: usize) -> Vec<String> {
        let mut chain = self.class_chain(row);
        let engine = EngineClasses::of(self.versions());
        let layouts = self.class_layouts();
        while let Some(class) = chain.last().filter(|_| chain.len() < LONGEST_LINE)
            && let Some(parent) = layouts
                .parent_of(class)
                .or_else(|| engine.and_then(|engine| engine.parent_of(class)))
        {
            chain.push(parent.to_owned());
        }
        chain
    }

    /// Whether an object is an actor by its class; by its siblings and its name where the class is unknown.
    pub(super) fn kinship(&self, row: usize) -> Kinship {
        let chain = self.class_line(row);
        let engine = EngineClasses::of(self.versions());
        let is = |name: &str| chain.iter().any(|class| class.eq_ignore_ascii_case(name));
        let (Some(first), Some(last)) = (chain.first(), chain.last()) else {
            return Kinship::Other;
        };
        if is("Actor") {
            return Kinship::Actor;
        }
        // What the engine's own classes derive from where nothing else is said.
        if is("Object") || engine.is_some_and(|engine| engine.has_class(last)) {
            return Kinship::Other;
        }
        if NOT_ACTORS.iter().any(|end| first.ends_with(end)) {
            return Kinship::OtherByName;
        }
        let (exports, versions) = (&self.tables().exports, self.versions());
        let class = exports.get(row).map(|export| export.class_index);
        let is_sibling = |export: &Export| {
            Some(export.class_index) == class && export.object_flags.has_stack(versions)
        };
        match exports.iter().any(is_sibling) {
            true => Kinship::Actor,
            false => Kinship::Unknown,
        }
    }
}
