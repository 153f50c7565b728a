//! Things that are looked for, or that may be there once.

use std::fmt;

macro_rules! nouns {
    ($($(#[$doc:meta])* $noun:ident = $word:literal),* $(,)?) => {
        /// The kind of thing that was not found or is there already; displays as its word.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum Noun {
            $($(#[$doc])* $noun,)*
            /// A thing of a format of one's own.
            Own(&'static str),
        }

        impl Noun {
            const ALL: &[Self] = &[$(Self::$noun),*];

            /// The word in messages.
            pub const fn word(self) -> &'static str {
                match self {
                    $(Self::$noun => $word,)*
                    Self::Own(word) => word,
                }
            }
        }
    };
}

nouns! {
    /// A chunk of an IoStore container.
    Chunk = "chunk",
    /// A column of a data table.
    Column = "column",
    /// A file that belongs to a package, such as its bulk data.
    CompanionFile = "companion file",
    /// A method of compression.
    CompressionMethod = "compression method",
    /// The declaration of a property, which says its type.
    Declaration = "declaration",
    /// A release of the engine.
    EngineRelease = "engine release",
    /// A row of the export table.
    Export = "export",
    /// A field of a struct.
    Field = "field",
    /// A file, on the disk or in a container.
    File = "file",
    /// A flag.
    Flag = "flag",
    /// A game with layouts of its own.
    Game = "game",
    /// A row of the import table.
    Import = "import",
    /// A key of a map.
    Key = "key",
    /// Objects and properties that a pattern means.
    Match = "match",
    /// A mip of a texture.
    Mip = "mip",
    /// A row of the name table.
    Name = "name",
    /// An export or an import.
    Object = "object",
    /// An object version of UE4 or UE5.
    ObjectVersion = "object version",
    /// A package.
    Package = "package",
    /// A profile of what a generated package is for.
    Profile = "profile",
    /// A property of an object or a struct.
    Property = "property",
    /// A reference to an object or a package.
    Reference = "reference",
    /// A row of a data table.
    Row = "row",
    /// A class or struct in the mappings.
    Schema = "schema",
    /// The path of an object in the table of soft paths.
    SoftPath = "soft path",
    /// A soft reference to an object or a package.
    SoftReference = "soft reference",
    /// A string in code.
    String = "string",
    /// A table of a scan.
    Table = "table",
    /// A file format for tables.
    TableFormat = "table format",
    /// A gameplay tag.
    Tag = "tag",
    /// A localized text.
    Text = "text",
    /// A texture.
    Texture = "texture",
    /// The file of a texture's mips.
    TextureFileCache = "texture file cache",
    /// A format of pixels.
    TextureFormat = "texture format",
    /// A thumbnail of an object.
    Thumbnail = "thumbnail",
    /// A type of properties.
    Type = "type",
    /// A value of an enum.
    Value = "value",
}

impl Noun {
    /// The noun with this word, such as the label of a number space; one of a format's own where there is none.
    pub fn named(word: &'static str) -> Self {
        Self::ALL.iter().copied().find(|noun| noun.word() == word).unwrap_or(Self::Own(word))
    }
}

impl fmt::Display for Noun {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}
