//! The tables of a scan.

use std::fmt;
use std::sync::{Arc, OnceLock};

use arrow_schema::{Schema, SchemaRef};

use super::{ColumnType, TableColumn};
use crate::error::near::{did_you_mean, nearest};
use crate::error::{Error, ErrorKind, noun};

/// A table of a scan.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum TableKind {
    /// One row a file.
    Packages,
    /// One row an entry of a name table.
    Names,
    /// One row an import.
    Imports,
    /// One row an export.
    Exports,
    /// One row a property that an object stores, and a row of a data, curve or string table.
    Properties,
    /// One row a value without parts: a field of a struct, an element of an array, a cell of a table.
    Leaves,
    /// One row a place that refers to an object.
    Refs,
    /// One row something that is wrong with one package.
    Findings,
    /// One row a tag of an asset.
    Tags,
}

/// Each column of a table: its name, its type, whether it may have no value, what it means.
macro_rules! columns {
    ($($name:literal $column:ident $nullable:ident $doc:literal,)*) => {
        &[$(TableColumn::new($name, ColumnType::$column, columns!(@$nullable), $doc),)*]
    };
    (@always) => { false };
    (@or_null) => { true };
}

const PACKAGES: &[TableColumn] = columns! {
    "package_id" Integer always "Key of the package: 64 bits of a BLAKE3 hash of `relative_path` and `blake3`",
    "path" Text always "The file as the scan has found it; of a package in two files that of the header",
    "relative_path" Text always "Its path below the folder that was scanned, with `/`; of several folders with the name of each first, and `path` where two would be called the same",
    "mount_path" Text always "What other packages call it: `Engine`, `/Game/Maps/Entry`",
    "bytes" Integer always "Size, bytes: that of the file, of header and bodies together",
    "modified" Integer or_null "When the file was written, nanoseconds since 1970",
    "blake3" Text or_null "BLAKE3 hash of the file's bytes; of header and bodies one of both hashes",
    "engine" Text or_null "`UE1` to `UE5`",
    "file_version" Integer or_null "File version of UE1 to UE3; 864 from UE4",
    "licensee" Integer or_null "Licensee version",
    "ue4" Integer or_null "Object version of UE4, 0 before",
    "ue5" Integer or_null "Object version of UE5, 0 before",
    "game" Text or_null "The game whose layouts are used, as `--game` takes it",
    "flags" Integer or_null "Package flags",
    "guid" Text or_null "The GUID, 32 hexadecimal digits",
    "saved_hash" Text or_null "The hash that the header states, from UE5 1016, 40 hexadecimal digits",
    "generations" Integer or_null "PackageRows of the table of generations",
    "image_bytes" Integer or_null "Size of the package when decompressed, bytes: `typed`, `payload`, `opaque` and `gap` together",
    "typed" Integer or_null "Bytes with a named field",
    "payload" Integer or_null "Bytes of bulk data whose meaning is known",
    "opaque" Integer or_null "Bytes that are kept and not decoded",
    "gap" Integer or_null "Bytes that nothing claims",
    "total_bytes" Integer or_null "Header and bodies, decompressed, and the files of bulk data beside them (`.ubulk` …): `table_bytes`, `unknown_bulk` and `total_size` of all exports together",
    "table_bytes" Integer or_null "Bytes of those that are of no object: header, tables, thumbnails, gaps",
    "unknown_bulk" Integer or_null "Bytes of those of bulk data that no decoded body refers to",
    "status" Text always "`opened`, `unsupported` or `failed`",
    "error" Text or_null "Why it could not be opened",
    "release" Text or_null "The release of UE4 or UE5 that saved it, as its header says or as it is read best: `5.4`; of one whose header says no release those that write its object versions: `4.26-4.27`",
    "saved_by" Text or_null "From UE3: `editor`, or `cooker` for a package made for a platform",
    "engine_version" Text or_null "The whole version of the engine that saved it, where the header says one: `5.4.3-34507850+++UE5+Release-5.4`; of UE3 the number of its build. Cooked packages of UE4 and UE5 say none",
    "changelist" Integer or_null "The changelist of that engine's build, from UE4",
    "title" Text or_null "The game that it was made for, where its code, its versions or a package that it imports says it: `ut99`, `unreal`, `ut2004`, `ut3`, `udk`; nothing for what several games can load alike",
    "sha1" Text or_null "SHA-1 of the file's bytes, where `--hashes sha1` asks for it; of header and bodies that of the header's",
    "md5" Text or_null "MD5 of them, where `--hashes md5` asks for it",
};

const NAMES: &[TableColumn] = columns! {
    "package_id" Integer always "The package",
    "i" Integer always "Row of the name table",
    "text" Text always "The name",
    "flags" Integer or_null "Its flags; from UE4 there are none",
};

const IMPORTS: &[TableColumn] = columns! {
    "package_id" Integer always "The package",
    "i" Integer always "Row of the import table",
    "path" Text always "The object, its package first",
    "class" Text always "The class that is asked for, its package first",
    "optional" Boolean always "UE5: the package loads without it",
    "resolved_package" Text always "The package that the object lies in, as `mount_path` has it",
};

const EXPORTS: &[TableColumn] = columns! {
    "package_id" Integer always "The package",
    "i" Integer always "Row of the export table",
    "path" Text always "The object's path within the package",
    "class" Text always "Path of its class",
    "super" Text or_null "Path of what it derives from",
    "outer" Text or_null "Path of the object around it",
    "archetype" Text or_null "Path of its archetype",
    "flags" Integer always "Object flags",
    "size" Integer always "Size of the body, bytes",
    "offset" Integer always "Start of the body, bytes from the start of the file, of header and bodies together",
    "body_hash" Text or_null "Hash of the body with names and references as texts, 32 hexadecimal digits: equal objects of different packages have the same; nothing where the objects of a package share so many bytes that together they are eight times larger than it",
    "total_size" Integer always "Bytes of the object: of its body and of its bulk data wherever that lies in the files of the package. Each byte counts for one object",
    "inline_bulk" Integer always "Bytes of bulk data in the body, of which they are a part",
    "package_bulk" Integer always "Bytes of bulk data behind the bodies of the package",
    "trailer_bulk" Integer always "Bytes of payloads in the trailer of the package",
    "ubulk" Integer always "Bytes in `.ubulk` and `.m.ubulk`, if they are there",
    "uptnl" Integer always "Bytes in `.uptnl`, if it is there",
    "upayload" Integer always "Bytes in `.upayload`, if it is there",
    "tfc" Integer always "UE3: bytes in texture file caches (`.tfc`), which packages share: no part of `total_size`",
};

const TAGS: &[TableColumn] = columns! {
    "package_id" Integer always "The package",
    "asset" Text always "Path of the asset within the package",
    "class" Text always "Path of its class, as the tags say it",
    "key" Text always "The tag",
    "value" Text always "Its value, as text",
};

const PROPERTIES: &[TableColumn] = columns! {
    "package_id" Integer always "The package",
    "export_i" Integer always "Row of the export that stores it",
    "export" Text always "Path of that export",
    "path" Text always "The path within the object, as `upk get` prints it: `Skin`, `Keys[2]`, `[Row]`",
    "name" Text always "The property's name, or that of the table's row",
    "type" Text always "Its type",
    "array_index" Integer always "The element of a static array, else 0",
    "text" Text always "The value, as `upk set` takes it",
    "number" Real or_null "The value of numbers, of bools 0 and 1",
    "reference" Text or_null "The path of the object that the value refers to, as in `refs.to_path`",
};

const LEAVES: &[TableColumn] = columns! {
    "package_id" Integer always "The package",
    "export_i" Integer always "Row of the export that stores it",
    "export" Text always "Path of that export",
    "path" Text always "The path within the object, as `upk get` takes it: `Location.X`, `Keys[2].Time`, `[Sword].Damage`",
    "property" Text always "The property or the table's row that it is in, as in `properties.path`",
    "name" Text always "The field that it is, or whose element it is: `X`, `Time`, `Damage`",
    "kind" Text always "`bool`, `integer`, `number`, `text`, `object`, `soft`, `bytes`, `none`",
    "integer" Integer or_null "The value of whole numbers below 2^63, of bools 0 and 1",
    "number" Real or_null "The value of all numbers, of bools 0 and 1",
    "text" Text or_null "The value of strings, names, enums and texts, without quotes",
    "reference" Text or_null "The path of the object that the value refers to, as in `refs.to_path`",
};

const REFS: &[TableColumn] = columns! {
    "package_id" Integer always "The package that refers",
    "from_i" Integer or_null "Row of the export that refers; none for lists of the header",
    "from_export" Text or_null "Path of that export",
    "place" Text always "Where it refers: the path of the field",
    "kind" Text always "`hard`: loaded with it; `soft`: loaded when asked for; `redirect`: what a redirector leads to",
    "to_path" Text always "The object, its package first",
    "to_package" Text always "The package that it lies in, as `mount_path` has it",
};

const FINDINGS: &[TableColumn] = columns! {
    "package_id" Integer always "The package",
    "rule" Text always "`unreadable`, `unsupported`, `not-decoded`, `wrong-position`",
    "severity" Text always "`error`, `warning` or `note`",
    "object" Text or_null "The object or table that it is about",
    "message" Text always "What is wrong",
};

impl TableKind {
    /// All of them.
    pub const ALL: [Self; 9] = [
        Self::Packages,
        Self::Names,
        Self::Imports,
        Self::Exports,
        Self::Properties,
        Self::Leaves,
        Self::Refs,
        Self::Findings,
        Self::Tags,
    ];

    /// The name of the table, and of the folder of its files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Packages => "packages",
            Self::Names => "names",
            Self::Imports => "imports",
            Self::Exports => "exports",
            Self::Properties => "properties",
            Self::Leaves => "leaves",
            Self::Refs => "refs",
            Self::Findings => "findings",
            Self::Tags => "tags",
        }
    }

    /// What a row stands for.
    pub fn doc(self) -> &'static str {
        match self {
            Self::Packages => "a file that is a package, also one that can't be opened",
            Self::Names => "an entry of a name table",
            Self::Imports => "an import",
            Self::Exports => "an export",
            Self::Properties => {
                "a property that an object stores, or a row of a data, curve or string table"
            }
            Self::Leaves => {
                "a value without parts: a field of a struct, an element of an array, a cell of a table. It is made where it is asked for: `--tables leaves`"
            }
            Self::Refs => "a place in a body that refers to an object, or a soft path in a header",
            Self::Findings => "something that is wrong with one package, seen by itself",
            Self::Tags => {
                "a tag by which the editor's asset registry knows an asset without loading it: of packages of UE4 and UE5 that the editor has saved"
            }
        }
    }

    /// Its columns, in order.
    pub fn columns(self) -> &'static [TableColumn] {
        match self {
            Self::Packages => PACKAGES,
            Self::Names => NAMES,
            Self::Imports => IMPORTS,
            Self::Exports => EXPORTS,
            Self::Properties => PROPERTIES,
            Self::Leaves => LEAVES,
            Self::Refs => REFS,
            Self::Findings => FINDINGS,
            Self::Tags => TAGS,
        }
    }

    /// Its schema.
    pub fn schema(self) -> SchemaRef {
        static SCHEMAS: OnceLock<[SchemaRef; 9]> = OnceLock::new();
        let make = |table: Self| {
            let fields: Vec<_> = table.columns().iter().map(TableColumn::field).collect();
            Arc::new(Schema::new(fields))
        };
        SCHEMAS.get_or_init(|| Self::ALL.map(make))[self as usize].clone()
    }
}

impl fmt::Display for TableKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl std::str::FromStr for TableKind {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let found = Self::ALL.into_iter().find(|table| table.name().eq_ignore_ascii_case(text));
        found.ok_or_else(|| {
            let names = Self::ALL.iter().map(|table| table.name().to_owned());
            let hint = did_you_mean(&nearest(text, names));
            ErrorKind::NotFound { what: noun::TABLE, name: text.to_owned(), hint }.into()
        })
    }
}

/// Some of the tables; [`TableKind::Packages`] always, since the others refer to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct TableSet(u16);

impl TableSet {
    /// All tables.
    pub const ALL: Self = Self((1 << TableKind::ALL.len()) - 1);
    /// Those that a scan makes where none are named: all but [`TableKind::Leaves`], which has the most rows.
    pub const USUAL: Self = Self(Self::ALL.0 & !(1 << TableKind::Leaves as u16));

    /// These, and the packages.
    pub fn of(tables: impl IntoIterator<Item = TableKind>) -> Self {
        let bit = |table: TableKind| 1 << table as u16;
        Self(tables.into_iter().map(bit).fold(bit(TableKind::Packages), |all, bit| all | bit))
    }

    /// Whether a table is among them.
    pub fn contains(self, table: TableKind) -> bool {
        self.0 & 1 << table as u16 != 0
    }

    /// The tables, in their order.
    pub fn iter(self) -> impl Iterator<Item = TableKind> {
        TableKind::ALL.into_iter().filter(move |table| self.contains(*table))
    }
}
