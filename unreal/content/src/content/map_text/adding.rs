//! Actors that come from text into a map: what is known while they do.

use std::collections::HashMap;

use super::actor::{MapTextActor, MapTextBrush};
use super::inner_names::InnerNames;
use super::known_classes::KnownClasses;
use crate::edit::{Edit, FreeNames};

/// `Transactional`, `LoadForEdit`, `NotForClient`, `NotForServer`: brushes that only the editor needs, since the level
/// holds what was built from them.
pub(super) const FOR_EDITOR: u64 = 0x0034_0001;
/// A state frame stands before the properties, as of every placed actor.
pub(super) const HAS_STACK: u64 = 0x0200_0000;

/// What came of actors from text.
#[derive(Debug, Clone, Default, PartialEq, Eq, serde::Serialize)]
pub struct AddedActors {
    /// The rows of the actors.
    pub rows: Vec<usize>,
    /// What of the text the map has not got, with the reason.
    pub left_out: Vec<String>,
}

/// What the text of a map names and its package need not know.
pub trait MapTextSources {
    /// The path of a class: `Engine.Light` for `Light`.
    fn class_path(&self, class: &str) -> Option<String>;

    /// The path of the class of an object of another package: `Engine.FireTexture` for `Fires.Torch`.
    fn class_of(&self, object: &str) -> Option<String>;
}

/// Nothing but what the package knows.
impl MapTextSources for () {
    fn class_path(&self, _: &str) -> Option<String> {
        None
    }

    fn class_of(&self, _: &str) -> Option<String> {
        None
    }
}

/// An addition of actors that is under way.
pub(super) struct Adding<'a> {
    pub edit: &'a mut Edit,
    pub sources: &'a dyn MapTextSources,
    /// The package of the map, as the text calls it.
    pub package: String,
    /// The path of the level that actors lie in, and its row; `None` where they stand beside it (UE1, UE2).
    pub level: Option<(String, usize)>,
    /// The paths that objects of the text have in the map, by their names in lower case.
    pub paths: HashMap<String, String>,
    /// The same of what lies in an actor, for each.
    pub inner: Vec<InnerNames>,
    /// Whether an actor is one that only the editor needs, for each.
    pub is_for_editor: Vec<bool>,
    /// The models of brushes, with their paths.
    pub models: HashMap<&'a str, (&'a MapTextBrush, String)>,
    pub names: FreeNames,
    pub known: KnownClasses,
    /// Whether an object of the map is an actor of its level.
    pub actors: HashMap<usize, bool>,
    pub done: AddedActors,
}

/// An actor or an object within one, that was added.
pub(super) struct AddedObject<'a> {
    pub row: usize,
    pub text: &'a MapTextActor,
    /// The number of the actor among those that were added.
    pub actor: usize,
    /// What stands before the names of the objects in it, in references from the actor.
    pub place: String,
}
