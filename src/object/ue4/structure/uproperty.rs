//! Properties that are objects of their own.

use super::Field;
use crate::archive::layout::Layout;
use crate::error::Result;
use crate::primitive::{Name, PackageIndex};
use crate::version::custom;
use crate::{Archive, Archived, Described};

/// A property below UE4.25.
///
/// Spec: ue4-5/05 §2. C++: `UProperty`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct UProperty {
    /// Base.
    pub field: Field,
    /// Elements of a static array.
    pub array_dim: i32,
    /// Flags. C++: `PropertyFlags`.
    pub property_flags: u64,
    /// The function that is called when it was replicated.
    pub rep_notify: Name,
    /// When it is replicated. C++: `BlueprintReplicationCondition`.
    #[since(custom = custom::RELEASE, 21)]
    pub replication_condition: u8,
    /// What the class adds.
    pub kind: UPropertyKind,
}

/// What a class of property adds to the others.
#[derive(Described, Debug, Clone, Default, PartialEq)]
pub enum UPropertyKind {
    /// Nothing: numbers, names, strings, texts.
    #[default]
    Plain,
    /// One reference: enum, struct, class, signature or inner property.
    One(PackageIndex),
    /// Two references: class and metaclass, key and value, enum and numbers.
    Two(PackageIndex, PackageIndex),
    /// Size and whether native.
    Bool([u8; 2]),
}

impl UPropertyKind {
    /// What this class adds, if it is a class of properties.
    pub fn blank(class: &str) -> Option<Self> {
        let null = PackageIndex::NULL;
        Some(match class.strip_suffix("Property")? {
            "Int8" | "Int16" | "Int" | "Int64" | "UInt16" | "UInt32" | "UInt64" | "Float"
            | "Double" | "Name" | "Str" | "Text" => Self::Plain,
            "Byte"
            | "Struct"
            | "Object"
            | "WeakObject"
            | "LazyObject"
            | "SoftObject"
            | "AssetObject"
            | "Interface"
            | "Delegate"
            | "MulticastDelegate"
            | "MulticastInlineDelegate"
            | "MulticastSparseDelegate"
            | "Array"
            | "Set" => Self::One(null),
            "Class" | "SoftClass" | "AssetClass" | "Map" | "Enum" => Self::Two(null, null),
            "Bool" => Self::Bool([0; 2]),
            _ => return None,
        })
    }
}

/// Loads what [`UPropertyKind::blank`] has prepared.
impl Archived for UPropertyKind {
    const LAYOUT: &'static Layout = Self::DESCRIBED;

    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        match self {
            Self::Plain => Ok(()),
            Self::One(index) => index.serialize(ar),
            Self::Two(first, second) => {
                first.serialize(ar)?;
                second.serialize(ar)
            }
            Self::Bool(numbers) => numbers.serialize(ar),
        }
    }
}
