//! What the text calls the objects that lie in an actor.

use std::collections::HashMap;

/// The paths in the map of what lies in an actor, by what the text calls it, in lower case.
#[derive(Debug, Default)]
pub(super) struct InnerNames(HashMap<String, (NameKind, Option<String>)>);

/// What a name of an object within an actor is; the first one counts where two objects have it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum NameKind {
    /// Its path from the actor.
    Path,
    /// Its name alone, of one that lies deeper.
    Name,
    /// The name that it has in the default of the actor's class.
    Template,
}

impl InnerNames {
    /// Of two objects that have a name of one kind it means neither.
    pub fn add(&mut self, name: &str, kind: NameKind, path: &str) {
        let key = name.to_ascii_lowercase();
        match self.0.get_mut(&key) {
            Some((known, one)) if *known == kind => {
                one.take_if(|one| one != path);
            }
            Some((known, _)) if *known < kind => {}
            _ => {
                self.0.insert(key, (kind, Some(path.to_owned())));
            }
        }
    }

    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.get(name)?.1.as_deref()
    }
}
