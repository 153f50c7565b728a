//! The items that code is made of.

use super::grammar::token_name;
use super::walk::serialize_wide;
use crate::archive::{Span, Step};
use crate::error::Result;
use crate::primitive::{Name, PackageIndex};
use crate::version::threshold;
use crate::{Archive, Archived, Versions};

/// First file version whose object references take eight bytes in memory (spec: ue1-3/06 §6.5).
const WIDE_OBJECTS: u32 = 587;

/// A token or one of its operands.
#[derive(Debug, Clone, PartialEq)]
pub enum ScriptItem {
    /// The byte that says what follows.
    Token(u8),
    /// One byte.
    Byte(u8),
    /// Two bytes.
    Word(u16),
    /// A place in the code, bytes in memory from its start.
    Label(u16),
    /// Four bytes, a number.
    Int(i32),
    /// Four bytes, floating point.
    Float(f32),
    /// A reference.
    Object(PackageIndex),
    /// A name.
    Name(Name),
    /// 8-bit characters; a zero byte follows.
    Text(Box<Span>),
    /// UTF-16 code units; a zero unit follows.
    Wide(Box<Span>),
}

impl ScriptItem {
    /// Bytes in memory: references and names have a fixed width there (spec: ue1-3/06 §6.5).
    pub fn memory_size(&self, versions: &Versions) -> u32 {
        match self {
            Self::Token(_) | Self::Byte(_) => 1,
            Self::Word(_) | Self::Label(_) => 2,
            Self::Int(_) | Self::Float(_) => 4,
            Self::Object(_) if versions.file >= WIDE_OBJECTS => 8,
            Self::Object(_) => 4,
            Self::Name(_) if versions.file >= threshold::NAME_NUMBER_ADDED => 8,
            Self::Name(_) => 4,
            Self::Text(span) => u32::try_from(span.len() + 1).unwrap_or(u32::MAX),
            Self::Wide(span) => u32::try_from(span.len() + 2).unwrap_or(u32::MAX),
        }
    }

    /// Reads the operand that the variant stands for, or writes or visits it.
    #[inline]
    pub(super) fn serialize_item<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        match self {
            Self::Token(token) => {
                let result = ar.serialize_u8(token);
                ar.step(Step::Note(&|_, versions| token_name(*token, versions).to_owned()));
                result
            }
            Self::Byte(value) => ar.serialize_u8(value),
            Self::Word(value) | Self::Label(value) => ar.serialize_u16(value),
            Self::Int(value) => ar.serialize_i32(value),
            Self::Float(value) => ar.serialize_f32(value),
            Self::Object(index) => index.serialize(ar),
            Self::Name(name) => name.serialize(ar),
            Self::Text(span) => ar.serialize_terminated(span),
            Self::Wide(span) => serialize_wide(span, ar),
        }
    }
}
