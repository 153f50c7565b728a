//! Declared properties.

use super::Field;
use crate::archive::layout::Layout;
use crate::error::Result;
use crate::primitive::{FString, Name, PackageIndex};
use crate::version::threshold;
use crate::{Archive, Archived, Described, Game};

/// The flag of properties that are replicated (spec: ue1-3/08 §8.5).
const NET: u64 = 0x20;
/// The flag of properties with a comment in UE2 (spec: ue1-3/06 §6.1).
const COMMENTED: u64 = 0x0200_0000;

/// A declared property.
///
/// Spec: ue1-3/06 §6.1, 10 §10.6. C++: `UProperty`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct UProperty {
    /// Base.
    pub field: Field,
    /// Elements of a static array; the high half is the size of one.
    pub array_dim: u32,
    /// Flags: a `u32`, a `u64` from 190. C++: `PropertyFlags`.
    #[archive(with = flags)]
    pub property_flags: u64,
    /// Category in the editor.
    #[archive(when = !is_console_cooked(ar))]
    pub category: Name,
    /// The enum that counts the elements.
    #[archive(when = has_array_enum(ar))]
    pub array_enum: PackageIndex,
    /// Place in the replication conditions.
    #[archive(when = self.property_flags & NET != 0)]
    pub rep_offset: u16,
    /// Names for SWAT 4's editor.
    #[archive(when = ar.versions().game == Game::Swat4)]
    pub vengeance: [Name; 2],
    /// The comment in the source.
    #[archive(when = has_comment(ar, self.property_flags))]
    pub comment: FString,
    /// Name of the ini section in XCOM 2.
    #[archive(when = ar.versions().game == Game::Xcom2)]
    pub config_name: Name,
    /// What the class adds.
    pub class: PropertyClass,
}

/// Whether a console's cooker has left out what only the editor needs: seen in Mass Effect 3 for PS3,
/// whose PC version keeps it (spec: ue1-3/06 §6.4).
fn is_console_cooked<A: Archive + ?Sized>(ar: &A) -> bool {
    let versions = ar.versions();
    versions.game == Game::MassEffect3 && versions.byte_order.is_big()
}

/// From 401, and in Mass Effect 1 already at 391.
fn has_array_enum<A: Archive + ?Sized>(ar: &A) -> bool {
    let versions = ar.versions();
    let early = versions.file >= 391 && versions.game == Game::MassEffect1;
    (versions.file >= 401 || early) && !is_console_cooked(ar)
}

fn flags<A: Archive + ?Sized>(flags: &mut u64, ar: &mut A) -> Result<()> {
    if ar.versions().file >= 190 {
        return ar.serialize_u64(flags);
    }
    crate::archive::private::narrow(flags, ar, A::serialize_u32)
}

fn has_comment<A: Archive + ?Sized>(ar: &A, flags: u64) -> bool {
    let versions = ar.versions();
    versions.game == Game::Swat4
        || ((70..threshold::COMPACT_INDEX_REMOVED).contains(&versions.file)
            && flags & COMMENTED != 0)
}

/// What a class of property adds to the others.
#[derive(Described, Debug, Clone, Default, PartialEq)]
pub enum PropertyClass {
    /// Nothing: ints, bools, floats, names, strings.
    #[default]
    Plain,
    /// One reference: the enum of bytes, the class of objects, the struct, the inner property of arrays.
    One(PackageIndex),
    /// Two references: class and metaclass; key and value.
    Two(PackageIndex, PackageIndex),
    /// The function, from version 185 the delegate it stands for.
    Delegate(PackageIndex, Name, PackageIndex),
    /// UE1: the inner property and the number of elements.
    FixedArray(PackageIndex, crate::Index),
    /// UE1: the size of a fixed string.
    FixedString(i32),
}

impl PropertyClass {
    /// What this class adds, if it is a property class.
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
}

impl UProperty {
    /// An empty property of this class, to be loaded.
    pub fn new(class: PropertyClass) -> Self {
        Self { class, ..Self::default() }
    }
}

/// Loads what [`PropertyClass::blank`] has prepared.
impl Archived for PropertyClass {
    const LAYOUT: &'static Layout = Self::DESCRIBED;

    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        match self {
            Self::Plain => Ok(()),
            Self::One(index) => index.serialize(ar),
            Self::Two(first, second) => {
                first.serialize(ar)?;
                second.serialize(ar)
            }
            Self::Delegate(function, name, delegate) => {
                function.serialize(ar)?;
                match ar.versions().file {
                    ..185 => Ok(()),
                    185..375 => name.serialize(ar),
                    _ => delegate.serialize(ar),
                }
            }
            Self::FixedArray(inner, count) => {
                inner.serialize(ar)?;
                count.serialize(ar)
            }
            Self::FixedString(size) => ar.serialize_i32(size),
        }
    }
}
