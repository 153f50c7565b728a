//! Differences of two packages.

use std::fmt;

/// The differences of two packages; the first is the old one.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Diff {
    /// Fields of the header and of the tables that do not belong to one object: versions, flags, GUID,
    /// generations, thumbnails. Counts and offsets are left out.
    pub header: Vec<FieldDifference>,
    /// Objects that only the new package has.
    pub added: Vec<ObjectTitle>,
    /// Objects that only the old package has.
    pub removed: Vec<ObjectTitle>,
    /// Objects that have another name or lie elsewhere now; what lies in them is not listed.
    #[cfg_attr(feature = "serde", serde(default))]
    pub renamed: Vec<RenamedObject>,
    /// Objects that both have, differently.
    pub changed: Vec<ObjectDifference>,
}

impl Diff {
    /// Whether both packages say the same. Their tables may still be in another order.
    pub fn is_empty(&self) -> bool {
        self.header.is_empty()
            && self.added.is_empty()
            && self.removed.is_empty()
            && self.renamed.is_empty()
            && self.changed.is_empty()
    }

    /// Whether both packages hold the same, whatever each save makes anew and whatever rows nothing uses.
    pub fn says_nothing(&self) -> bool {
        let of_save = |field: &FieldDifference| {
            matches!(field.origin, FieldOrigin::Derived | FieldOrigin::Unused)
        };
        self.header.iter().all(of_save)
            && self.added.is_empty()
            && self.removed.is_empty()
            && self.renamed.is_empty()
            && self.changed.is_empty()
    }
}

/// One thing in which two packages differ; the fields of [`Diff`] say what each is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FoundDifference {
    /// A field of the header or of a table.
    Header(FieldDifference),
    /// An object that only the old package has.
    Removed(ObjectTitle),
    /// An object that only the new package has.
    Added(ObjectTitle),
    /// An object that has another name, or lies elsewhere.
    Renamed(RenamedObject),
    /// An object that both have, differently.
    Changed(ObjectDifference),
}

/// An object of one package.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ObjectTitle {
    /// Its path.
    pub path: String,
    /// The path of its class.
    pub class: String,
    /// Its row in the export table.
    pub row: usize,
}

/// An object that has another path than before.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct RenamedObject {
    /// Its path in the old package.
    pub old: String,
    /// Its path in the new package.
    pub new: String,
    /// The path of its class in the new package.
    pub class: String,
    /// Its rows in the old and in the new export table.
    pub rows: (usize, usize),
}

/// An object that differs.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ObjectDifference {
    /// Its path.
    pub path: String,
    /// The path of its class in the new package.
    pub class: String,
    /// Its rows in the old and in the new export table.
    pub rows: (usize, usize),
    /// In what.
    pub changes: Vec<Difference>,
}

/// A field with both values as text; `None` where one side does not have it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct FieldDifference {
    /// The path of the field.
    pub field: String,
    /// Its old value.
    pub old: Option<String>,
    /// Its new value.
    pub new: Option<String>,
    /// How it comes to be there.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "FieldOrigin::is_stored"))]
    pub origin: FieldOrigin,
}

/// How a field comes to be in a package.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum FieldOrigin {
    /// Somebody has set it.
    #[default]
    Stored,
    /// Each save by the editor makes it anew: GUIDs of a save, thumbnails, tags of the asset registry, lists of what
    /// the objects refer to. The layout says so ([`Role::Derived`](crate::archive::Role)).
    Derived,
    /// A row of a table that nothing uses: a name or an import.
    Unused,
    /// A file beside the package.
    Companion,
}

impl FieldOrigin {
    /// Whether somebody has set it.
    pub fn is_stored(&self) -> bool {
        *self == Self::Stored
    }
}

impl FieldDifference {
    pub(crate) fn of(field: impl Into<String>, old: Option<String>, new: Option<String>) -> Self {
        Self { field: field.into(), old, new, origin: FieldOrigin::Stored }
    }

    /// Whether it is a row of the name table.
    pub(crate) fn is_of_name(&self) -> bool {
        self.field == super::tables::NAME
    }

    pub(crate) fn with_origin(self, origin: FieldOrigin) -> Self {
        Self { origin, ..self }
    }
}

/// One difference of an object.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(tag = "kind", rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum Difference {
    /// A field of the export's row: class, super, archetype, flags.
    Attribute(FieldDifference),
    /// A property, or a default of a class.
    Property {
        /// Its name, with the element of a static array.
        property: String,
        /// The old value; `None` where it is not stored.
        old: Option<String>,
        /// The new value; `None` where it is not stored.
        new: Option<String>,
    },
    /// An element of an array that came or went: the ones behind it are only moved.
    Element {
        /// The property and the element: of the new array if it came, of the old one if it went.
        property: String,
        /// The value that went.
        old: Option<String>,
        /// The value that came.
        new: Option<String>,
    },
    /// The same properties in another order.
    Order,
    /// Code: the lines between the first and the last that differ.
    Code {
        /// The first line that differs, 0 the first of all.
        line: usize,
        /// The old lines.
        old: Vec<String>,
        /// The new lines.
        new: Vec<String>,
    },
    /// A field of the class's own data.
    Field(FieldDifference),
    /// Bytes that are kept as they are: texels, samples, what is not decoded.
    Data {
        /// Their path.
        field: String,
        /// The first byte that differs, from the start of the field.
        offset: u64,
        /// Bytes in the old package.
        old_size: u64,
        /// Bytes in the new package.
        new_size: u64,
        /// Bytes that differ, as far as both have any.
        differing: u64,
    },
    /// The same values, stored in another form: an overlong number, another encoding of a string.
    Form,
}

/// One line for people.
impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Attribute(field) | Self::Field(field) => field.fmt(f),
            Self::Property { property, old, new } => {
                write!(f, "{property}: {} -> {}", side(old), side(new))
            }
            Self::Element { property, old: Some(old), .. } => {
                write!(f, "{property} removed: {old}")
            }
            Self::Element { property, new, .. } => {
                write!(f, "{property} inserted: {}", side(new))
            }
            Self::Order => f.write_str("the same properties in another order"),
            Self::Code { line, old, new } => {
                let (removed, added) = (old.len(), new.len());
                write!(f, "code from line {line}: {removed} lines became {added}")
            }
            Self::Data { field, offset, old_size, new_size, differing } => {
                if old_size == new_size {
                    write!(f, "{field}: {differing} of {old_size} bytes, the first at {offset:#x}")
                } else {
                    write!(
                        f,
                        "{field}: {old_size} bytes became {new_size}, differing at {offset:#x}"
                    )
                }
            }
            Self::Form => f.write_str("the same values, stored in another form"),
        }
    }
}

impl fmt::Display for FieldDifference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {} -> {}", self.field, side(&self.old), side(&self.new))
    }
}

fn side(text: &Option<String>) -> &str {
    text.as_deref().unwrap_or("(not stored)")
}
