//! Things of packages that are looked for, or that may be there once: [`Noun`]s.

use super::Noun;

/// A chunk of an IoStore container.
pub const CHUNK: Noun = Noun::Own("chunk");
/// The name of a class that is known by its hash.
pub const CLASS_NAME: Noun = Noun::Own("name of the class");
/// A column of a data table.
pub const COLUMN: Noun = Noun::Own("column");
/// A file that belongs to a package, such as its bulk data.
pub const COMPANION_FILE: Noun = Noun::Own("companion file");
/// A method of compression.
pub const COMPRESSION_METHOD: Noun = Noun::Own("compression method");
/// The declaration of a property, which says its type.
pub const DECLARATION: Noun = Noun::Own("declaration");
/// A release of the engine.
pub const ENGINE_RELEASE: Noun = Noun::Own("engine release");
/// A row of the export table.
pub const EXPORT: Noun = Noun::Own("export");
/// A field of a struct.
pub const FIELD: Noun = Noun::Own("field");
/// A flag.
pub const FLAG: Noun = Noun::Own("flag");
/// A game with layouts of its own.
pub const GAME: Noun = Noun::Own("game");
/// A row of the import table.
pub const IMPORT: Noun = Noun::Own("import");
/// A key of a map.
pub const KEY: Noun = Noun::Own("key");
/// Objects and properties that a pattern means.
pub const MATCH: Noun = Noun::Own("match");
/// A mip of a texture.
pub const MIP: Noun = Noun::Own("mip");
/// A row of the name table.
pub const NAME: Noun = Noun::Own("name");
/// An export or an import.
pub const OBJECT: Noun = Noun::Own("object");
/// An object version of UE4 or UE5.
pub const OBJECT_VERSION: Noun = Noun::Own("object version");
/// A package.
pub const PACKAGE: Noun = Noun::Own("package");
/// A profile of what a generated package is for.
pub const PROFILE: Noun = Noun::Own("profile");
/// A property of an object or a struct.
pub const PROPERTY: Noun = Noun::Own("property");
/// A reference to an object or a package.
pub const REFERENCE: Noun = Noun::Own("reference");
/// A row of a data table.
pub const ROW: Noun = Noun::Own("row");
/// A class or struct in the mappings.
pub const SCHEMA: Noun = Noun::Own("schema");
/// The bones that an animation moves.
pub const SKELETON: Noun = Noun::Own("skeleton");
/// The path of an object in the table of soft paths.
pub const SOFT_PATH: Noun = Noun::Own("soft path");
/// A soft reference to an object or a package.
pub const SOFT_REFERENCE: Noun = Noun::Own("soft reference");
/// A string in code.
pub const STRING: Noun = Noun::Own("string");
/// A table of a scan.
pub const TABLE: Noun = Noun::Own("table");
/// A file format for tables.
pub const TABLE_FORMAT: Noun = Noun::Own("table format");
/// A gameplay tag.
pub const TAG: Noun = Noun::Own("tag");
/// A localized text.
pub const TEXT: Noun = Noun::Own("text");
/// A texture.
pub const TEXTURE: Noun = Noun::Own("texture");
/// The file of a texture's mips.
pub const TEXTURE_FILE_CACHE: Noun = Noun::Own("texture file cache");
/// A format of pixels.
pub const TEXTURE_FORMAT: Noun = Noun::Own("texture format");
/// A thumbnail of an object.
pub const THUMBNAIL: Noun = Noun::Own("thumbnail");
/// A type of properties.
pub const TYPE: Noun = Noun::Own("type");
/// A value of an enum.
pub const VALUE: Noun = Noun::Own("value");
