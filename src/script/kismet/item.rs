//! The items that Kismet code is made of.

use super::grammar::token_name;
use crate::archive::{Span, Step};
use crate::error::Result;
use crate::primitive::{Name, PackageIndex, Real};
use crate::script::walk::serialize_wide;
use crate::version::custom;
use crate::{Archive, Archived, Versions};

/// First UE4 version whose names take twelve bytes in memory (spec: ue4-5/05 §3).
const CASE_PRESERVING_NAMES: u32 = 400;

/// A token or one of its operands.
#[derive(Debug, Clone, PartialEq)]
pub enum KismetItem {
    /// The byte that says what follows.
    Token(u8),
    /// One byte.
    Byte(u8),
    /// Two bytes.
    Word(u16),
    /// A place in the code, bytes in memory from its start.
    Label(u32),
    /// Four bytes, a number.
    Int(i32),
    /// Eight bytes, a number.
    Long(i64),
    /// Four bytes, floating point.
    Float(f32),
    /// Eight bytes, floating point.
    Double(f64),
    /// Four bytes, eight with large world coordinates.
    Real(Real),
    /// A reference.
    Object(PackageIndex),
    /// A name.
    Name(Name),
    /// A property: a reference, or a path from UE4.25 on.
    Property(Box<PropertyReference>),
    /// 8-bit characters; a zero byte follows.
    Text(Box<Span>),
    /// UTF-16 code units; a zero unit follows.
    Wide(Box<Span>),
}

/// How a property is referred to.
///
/// Spec: ue4-5/04 §5, 05 §3. C++: `TFieldPath`, `FFieldPath`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct PropertyReference {
    /// Names from the property, the innermost, outwards.
    #[since(custom = custom::RELEASE, 30)]
    pub path: Vec<Name>,
    /// The struct that the path starts in; where there are no paths, the property.
    pub owner: PackageIndex,
}

impl KismetItem {
    /// Bytes in memory: references and names have a fixed width there (spec: ue4-5/05 §3).
    pub fn memory_size(&self, versions: &Versions) -> u32 {
        let text = |length: u64| u32::try_from(length).unwrap_or(u32::MAX);
        match self {
            Self::Token(_) | Self::Byte(_) => 1,
            Self::Word(_) => 2,
            Self::Label(_) | Self::Int(_) | Self::Float(_) => 4,
            Self::Long(_) | Self::Double(_) | Self::Object(_) | Self::Property(_) => 8,
            Self::Real(_) => Real::size(versions),
            Self::Name(_) if versions.ue4 < CASE_PRESERVING_NAMES => 8,
            Self::Name(_) => 12,
            Self::Text(span) => text(span.len() + 1),
            Self::Wide(span) => text(span.len() + 2),
        }
    }

    /// Reads the operand that the variant stands for, or writes or visits it.
    pub(super) fn serialize_item<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        match self {
            Self::Token(token) => {
                let result = ar.serialize_u8(token);
                ar.step(Step::Meaning(token_name(*token)));
                result
            }
            Self::Byte(value) => ar.serialize_u8(value),
            Self::Word(value) => ar.serialize_u16(value),
            Self::Label(value) => ar.serialize_u32(value),
            Self::Int(value) => ar.serialize_i32(value),
            Self::Long(value) => ar.serialize_i64(value),
            Self::Float(value) => ar.serialize_f32(value),
            Self::Double(value) => ar.serialize_f64(value),
            Self::Real(value) => value.serialize(ar),
            Self::Object(index) => index.serialize(ar),
            Self::Name(name) => name.serialize(ar),
            Self::Property(path) => path.serialize(ar),
            Self::Text(span) => ar.serialize_terminated(span),
            Self::Wide(span) => serialize_wide(span, ar),
        }
    }
}
