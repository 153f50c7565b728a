//! What files beside packages consist of: entries by path, each with fields.

/// An entry of a file beside packages: an asset of a registry, a text of a language, a value of a save game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RelatedEntry {
    /// Which kind of entry it is: paths are unique within a kind, where the file keeps to it.
    pub group: &'static str,
    /// Its path.
    pub path: String,
    /// Its class or type.
    pub class: String,
    /// Its fields with their values as text.
    pub fields: Vec<(String, String)>,
}
