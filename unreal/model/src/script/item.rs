//! The items that code is made of.

use super::grammar::token_name;
use crate::archive::{Kind, Role, Span, Step, in_part, private};
use crate::error::Result;
use crate::primitive::{Name, PackageIndex, Real};
use crate::property::path_has_owner;
use crate::version::{UnrealVersions, custom, threshold};
use crate::{Archive, ArchiveExt, Archived, Versions};

/// First file version whose object references take eight bytes in memory (spec: ue1-3/06 §6.5).
const WIDE_OBJECTS: u32 = 587;
/// First UE4 version whose names take twelve bytes in memory (spec: ue4-5/05 §3).
const CASE_PRESERVING_NAMES: u32 = 400;

/// A token or one of its operands.
#[derive(Debug, Clone, PartialEq)]
pub enum ScriptItem {
    /// The byte that says what follows.
    Token(u8),
    /// One byte.
    Byte(u8),
    /// Two bytes.
    Word(u16),
    /// A place in the code, bytes in memory from its start: two bytes in UnrealScript, four in Kismet.
    Label(u32),
    /// How much of the code that follows can be passed over, bytes in memory from the next token on: two bytes
    /// in UnrealScript, four in Kismet.
    Skip(u32),
    /// A place in the code in a table of labels, bytes in memory from its start: four bytes.
    Place(u32),
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
    /// A property of Kismet: a reference, or a path from UE4.25 on.
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
    #[since(custom = custom::CORE, custom::core::PROPERTIES)]
    pub path: Vec<Name>,
    /// The struct that the path starts in, which early 4.25 leaves out; where there are no paths, the property.
    #[archive(when = has_owner(ar.versions()))]
    pub owner: PackageIndex,
}

/// Paths came before their owners: packages of 4.25's previews have the first alone.
fn has_owner(versions: &Versions) -> bool {
    versions.custom(&custom::CORE) < custom::core::PROPERTIES || path_has_owner(versions)
}

impl ScriptItem {
    /// An empty operand of this letter, as rows of the grammar write them.
    pub(super) fn blank(operand: u8) -> Self {
        match operand {
            b'b' => Self::Byte(0),
            b'w' => Self::Word(0),
            b'l' => Self::Label(0),
            b'k' => Self::Skip(0),
            b'd' => Self::Int(0),
            b'q' => Self::Long(0),
            b'f' => Self::Float(0.0),
            b'D' => Self::Double(0.0),
            b'r' => Self::Real(Real::default()),
            b'O' => Self::Object(PackageIndex::NULL),
            b'N' => Self::Name(Name::default()),
            b'p' => Self::Property(Box::default()),
            b's' => Self::Text(Box::default()),
            _ => Self::Wide(Box::default()),
        }
    }

    /// Its token, if it is one.
    #[inline]
    pub fn token(&self) -> Option<u8> {
        match self {
            Self::Token(token) => Some(*token),
            _ => None,
        }
    }

    /// Whether it is the label that stands for none; Kismet has none.
    pub fn is_no_label(&self, versions: &Versions) -> bool {
        *self == Self::Label(0xffff) && !versions.has_object_versions()
    }

    /// Bytes in memory: references and names have a fixed width there (spec: ue1-3/06 §6.5, ue4-5/05 §3).
    #[inline]
    pub fn memory_size(&self, versions: &Versions) -> u32 {
        let text = |length: u64| u32::try_from(length).unwrap_or(u32::MAX);
        match self {
            Self::Token(_) | Self::Byte(_) => 1,
            Self::Word(_) => 2,
            Self::Label(_) | Self::Skip(_) if !versions.has_object_versions() => 2,
            Self::Label(_) | Self::Skip(_) | Self::Place(_) | Self::Int(_) | Self::Float(_) => 4,
            Self::Object(_) if versions.file() < WIDE_OBJECTS => 4,
            Self::Long(_) | Self::Double(_) | Self::Object(_) | Self::Property(_) => 8,
            Self::Real(_) => Real::size(versions),
            Self::Name(_) if versions.file() < threshold::NAME_NUMBER_ADDED => 4,
            Self::Name(_) if versions.ue4() < CASE_PRESERVING_NAMES => 8,
            Self::Name(_) => 12,
            Self::Text(span) => text(span.len() + 1),
            Self::Wide(span) => text(span.len() + 2),
        }
    }

    /// Reads the operand that the variant stands for, or writes or visits it.
    #[inline(always)]
    pub(super) fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        match self {
            Self::Token(token) => {
                let result = ar.serialize_u8(token);
                ar.step(Step::Note(&|_, versions| match token_name(*token, versions) {
                    // The token is the number of the function.
                    name @ "Native" => format!("{name} {token}"),
                    name => name.to_owned(),
                }));
                result
            }
            Self::Byte(value) => ar.serialize_u8(value),
            Self::Word(value) => ar.serialize_u16(value),
            Self::Label(value) | Self::Skip(value) if ar.versions().has_object_versions() => {
                ar.serialize_u32(value)
            }
            Self::Label(value) | Self::Skip(value) => private::narrow(value, ar, A::serialize_u16),
            Self::Place(value) => ar.serialize_u32(value),
            Self::Int(value) => ar.serialize_i32(value),
            Self::Long(value) => ar.serialize_i64(value),
            Self::Float(value) => ar.serialize_f32(value),
            Self::Double(value) => ar.serialize_f64(value),
            Self::Real(value) => value.serialize(ar),
            Self::Object(index) => index.serialize(ar),
            Self::Name(name) => name.serialize(ar),
            Self::Property(path) => path.serialize(ar),
            Self::Text(span) => ar.serialize_terminated(span),
            Self::Wide(span) => wide(span, ar),
        }
    }
}

/// Code units up to a zero one.
fn wide<A: Archive + ?Sized>(span: &mut Span, ar: &mut A) -> Result<()> {
    // A document says itself how long it is.
    let length = match ar.is_loading() {
        true => {
            let (units, _) = ar.peek(usize::MAX).as_chunks::<2>();
            2 * units.iter().take_while(|unit| **unit != [0; 2]).count() as u64
        }
        false => span.len(),
    };
    in_part("characters", ar, |ar| ar.serialize_span(span, length, Kind::Text))?;
    in_part("terminator", ar, |ar| ar.serialize_bytes(&mut [0; 2]))?;
    ar.role(Role::Terminator);
    Ok(())
}
