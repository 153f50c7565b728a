//! Classes of declared properties.

use crate::archive::layout::Layout;
use crate::archive::{at_index, in_field};
use crate::error::Result;
use crate::primitive::{Name, PackageIndex};
use crate::version::UnrealVersions;
use crate::{Archive, Archived, Described};

/// The part that a class of property adds to the others.
#[derive(Described, Debug, Clone, Default, PartialEq)]
pub enum PropertyClass {
    /// Nothing: numbers, bools, names, strings, texts.
    #[default]
    Plain,
    /// One reference: the enum of bytes, the class of objects, the struct, the inner property of arrays; in UE4
    /// the signature of delegates.
    One(PackageIndex),
    /// Two references: class and metaclass; key and value; in UE4 enum and numbers.
    Two(PackageIndex, PackageIndex),
    /// The function, from version 185 the delegate it stands for.
    Delegate(PackageIndex, Name, PackageIndex),
    /// UE1: the inner property and the number of elements.
    FixedArray(PackageIndex, crate::Index),
    /// UE1: the size of a fixed string.
    FixedString(i32),
    /// UE4: size and whether native.
    Bool([u8; 2]),
}

impl PropertyClass {
    /// The empty part of this class of UE1 to UE3, if it is a property class.
    pub fn blank(class: &str) -> Option<Self> {
        let null = PackageIndex::NULL;
        let is = |name: &str| class.eq_ignore_ascii_case(name);
        let any = |names: &[&str]| names.iter().any(|name| is(name));
        Some(match () {
            () if any(&["IntProperty", "BoolProperty", "FloatProperty", "NameProperty"]) => {
                Self::Plain
            }
            () if any(&["StrProperty", "PointerProperty", "StringRefProperty"]) => Self::Plain,
            () if is("BioMask4Property") => Self::Plain,
            () if any(&["ByteProperty", "ObjectProperty", "ComponentProperty"]) => Self::One(null),
            () if any(&["InterfaceProperty", "StructProperty", "ArrayProperty"]) => Self::One(null),
            () if any(&["ClassProperty", "MapProperty"]) => Self::Two(null, null),
            () if is("DelegateProperty") => Self::Delegate(null, Name::default(), null),
            () if is("FixedArrayProperty") => Self::FixedArray(null, crate::Index::default()),
            () if is("StringProperty") => Self::FixedString(0),
            () => return None,
        })
    }

    /// The empty part of this class of UE4, if it is a property class.
    pub fn of_ue4(class: &str) -> Option<Self> {
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

/// Loads what [`PropertyClass::blank`] or [`PropertyClass::of_ue4`] has prepared.
impl Archived for PropertyClass {
    const LAYOUT: &'static Layout = Self::DESCRIBED;

    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        match self {
            Self::Plain => Ok(()),
            Self::One(index) => index.serialize(ar),
            Self::Two(first, second) => {
                at_index(0, ar, |ar| first.serialize(ar))?;
                at_index(1, ar, |ar| second.serialize(ar))
            }
            Self::Delegate(function, name, delegate) => {
                in_field("function", ar, |ar| function.serialize(ar))?;
                match ar.versions().file() {
                    ..185 => Ok(()),
                    185..375 => in_field("name", ar, |ar| name.serialize(ar)),
                    _ => in_field("delegate", ar, |ar| delegate.serialize(ar)),
                }
            }
            Self::FixedArray(inner, count) => {
                in_field("inner", ar, |ar| inner.serialize(ar))?;
                in_field("count", ar, |ar| count.serialize(ar))
            }
            Self::FixedString(size) => ar.serialize_i32(size),
            Self::Bool(numbers) => numbers.serialize(ar),
        }
    }
}
