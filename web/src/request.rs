//! What can be asked.

use serde::Deserialize;
use serde_json::{Map, Value};

use crate::change::Change;
use crate::failure::Result;
use crate::lent::LentFile;

/// What bytes that come along are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Part {
    Header,
    Bodies,
    Mappings,
    /// The objects of compiled code that `global.utoc` has: one part, of UE4 two.
    Scripts,
}

/// What is searched for in the bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Wanted {
    /// In any case, in eight and in sixteen bits a character.
    Text,
    Bytes,
    /// A whole number of four bytes, or of eight where it is larger; floats of both sizes.
    Number,
    #[serde(rename = "number-1")]
    Number1,
    #[serde(rename = "number-2")]
    Number2,
    #[serde(rename = "number-8")]
    Number8,
    /// The compact index of UE1 and UE2.
    Compact,
    /// A row of the name table.
    Name,
}

/// A request: what is wanted, and of which package.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Request {
    /// What the library knows: games, releases.
    Known {},
    /// Opens a package; the bytes of its parts come along, those of `lent` files stay where they are.
    Open {
        name: String,
        #[serde(default)]
        game: Option<String>,
        #[serde(default)]
        engine: Option<String>,
        parts: Vec<Part>,
        #[serde(default)]
        imported: Option<Vec<String>>,
        #[serde(default)]
        lent: Vec<LentFile>,
    },
    /// Opens the containers among the `lent` files.
    Containers { lent: Vec<LentFile> },
    /// Tries one more key on them.
    Unlock { key: String },
    /// Shows only the files of containers that have this text, or only packages.
    FilterFiles { text: String, packages: bool },
    /// Rows of the files of containers.
    Files { from: usize, count: usize },
    /// A file of a container with all that belongs to it.
    Take { container: usize, row: usize },
    /// The bytes of a sample.
    Sample { name: String },
    /// Closes a package.
    Close { package: u32 },
    /// Header and figures of a package as it is now.
    Summary { package: u32 },
    /// Rows of the tree.
    Tree { package: u32, from: usize, count: usize },
    /// Opens or closes a row's children.
    Toggle { package: u32, key: String, open: bool },
    /// Shows only what has this text; empty shows all.
    Filter { package: u32, text: String },
    /// The row of a place, its outers opened.
    Locate { package: u32, key: String },
    /// What is known of a place.
    Details { package: u32, key: String },
    /// Rows of a table.
    Rows { package: u32, key: String, from: usize, count: usize },
    /// The properties of an object.
    Properties { package: u32, row: usize },
    /// What is within a property.
    Within { package: u32, row: usize, path: String },
    /// Who refers to a place and what it refers to.
    References { package: u32, key: String },
    /// Bytes from..from + length.
    Bytes { package: u32, from: u64, length: u64 },
    /// The fields of these bytes.
    Fields { package: u32, from: u64, length: u64 },
    /// Everything about the field at a byte.
    Field { package: u32, at: u64 },
    /// The bytes at a place as every kind of value.
    Inspect { package: u32, at: u64 },
    /// Where an actor's place is stored.
    ActorPlace { package: u32, row: usize },
    /// A layout by its path.
    Layout { name: String },
    /// The actors, brushes and paths of its levels, from above.
    LevelMap { package: u32 },
    /// The objects with graphs of nodes in an object, itself among them.
    Graphs { package: u32, row: usize },
    /// The nodes and wires of an object's graph.
    NodeGraph { package: u32, row: usize },
    /// How many bytes each object has.
    ObjectBytes { package: u32 },
    /// The curves of an object.
    Curves { package: u32, row: usize },
    /// Which objects refer to which, and to which packages.
    Dependencies { package: u32 },
    /// The bytes of a property.
    PropertyRange { package: u32, row: usize, path: String },
    /// Where names, values, texts and code have a text.
    Search { package: u32, text: String },
    /// The next place of something.
    Find { package: u32, what: Wanted, text: String, from: u64, backwards: bool },
    /// An object as picture.
    Picture { package: u32, key: String },
    /// A mesh as binary glTF; `lent` are files of other packages, which may have its pictures, `paths` those of the
    /// files.
    Mesh {
        package: u32,
        row: usize,
        #[serde(default)]
        lent: Vec<LentFile>,
        #[serde(default)]
        paths: Vec<String>,
    },
    /// An object as file; of a table the rows from one on.
    Content {
        package: u32,
        row: usize,
        #[serde(default)]
        from: usize,
    },
    /// A texture as a DDS file.
    Dds { package: u32, row: usize },
    /// A table as a file of this format.
    Table { package: u32, row: usize, format: String },
    /// Code decompiled.
    Code { package: u32, row: usize },
    /// Rebuilds the package and says what each byte is, in so many parts.
    Proof { package: u32, parts: usize },
    /// Changes a package; `lent` are files of packages that code builds on.
    Change {
        package: u32,
        change: Change,
        #[serde(default)]
        lent: Vec<LentFile>,
    },
    /// Takes the last change back.
    Undo { package: u32 },
    /// Does the change that was taken back once more.
    Redo { package: u32 },
    /// What was changed.
    Changes { package: u32 },
    /// The files that saving makes.
    Save { package: u32 },
    /// What two packages differ in; `original` is the package as it was opened.
    Compare {
        old: u32,
        new: u32,
        #[serde(default)]
        original: bool,
    },
}

impl Request {
    /// The request of a JSON text: its field `op` says what is asked, a change's `do` what is changed.
    pub fn parse(text: &[u8]) -> Result<Self> {
        let mut request: Map<String, Value> = serde_json::from_slice(text)?;
        if let Some(Value::Object(change)) = request.get_mut("change") {
            *change = named(std::mem::take(change), "do");
        }
        Ok(serde_json::from_value(named(request, "op").into())?)
    }
}

/// An object that says in a field what it is, as serde reads an enum: of `{"op": "tree", "from": 0}` it is
/// `{"tree": {"from": 0}}`. With serde's `tag` each type would be compiled a second time, to be read from what serde keeps
/// meanwhile: a fiftieth of the module.
fn named(mut fields: Map<String, Value>, tag: &str) -> Map<String, Value> {
    let name = match fields.remove(tag) {
        Some(Value::String(name)) => name,
        _ => String::new(),
    };
    Map::from_iter([(name, Value::Object(fields))])
}
