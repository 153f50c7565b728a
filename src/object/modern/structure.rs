//! Classes, structs and functions of UE4 and UE5.

use super::field::Field;
use crate::Archived;
use crate::archive::{Archive, Kind, Span, in_field};
use crate::error::{ErrorKind, Result};
use crate::primitive::{PackageIndex, array};
use crate::version::custom::{FRAMEWORK, framework};

/// What classes, structs and functions have in common, from 4.25 on; the script and what each of them adds
/// stay as they are.
///
/// | order | type | field |
/// |---|---|---|
/// | 1 | idx | what it derives from |
/// | 2 | i32 n, n × idx | children: functions and the like |
/// | 3 | i32 n, n × field | properties |
/// | 4 | i32 | size of the script in memory, bytes |
/// | 5 | i32 | size of the script, bytes |
/// | 6 | | script |
/// | 7 | | what classes, structs and functions add |
///
/// Spec: ue4-5/05 §1. C++: `UStruct`.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Structure {
    /// What it derives from.
    pub super_struct: PackageIndex,
    /// Functions and the like.
    pub children: Vec<PackageIndex>,
    /// The properties that it declares.
    pub properties: Vec<Field>,
    /// Bytes of the script in memory.
    pub bytecode_buffer_size: i32,
    /// The script.
    pub script: Span,
    /// What it adds.
    pub rest: Span,
}

impl Archived for Structure {
    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        if ar.versions().custom(&FRAMEWORK) < framework::REMOVE_UFIELD_NEXT {
            return Err(ar.error(ErrorKind::NotInVersion));
        }
        in_field("super_struct", ar, |ar| self.super_struct.serialize(ar))?;
        in_field("children", ar, |ar| array::counted_i32(&mut self.children, ar))?;
        in_field("properties", ar, |ar| array::counted_i32(&mut self.properties, ar))?;
        in_field("bytecode_buffer_size", ar, |ar| self.bytecode_buffer_size.serialize(ar))?;
        let length = self.script.len();
        let mut stored = i32::try_from(length)
            .map_err(|_| ar.error(ErrorKind::OutOfRange { value: length.into(), bits: 31 }))?;
        in_field("script_size", ar, |ar| stored.serialize(ar))?;
        let length = u64::try_from(stored)
            .map_err(|_| ar.error(ErrorKind::NegativeCount { count: stored.into() }))?;
        in_field("script", ar, |ar| ar.serialize_span(&mut self.script, length, Kind::Opaque))?;
        let rest = match ar.is_loading() {
            true => ar.peek(usize::MAX).len() as u64,
            false => self.rest.len(),
        };
        in_field("rest", ar, |ar| ar.serialize_span(&mut self.rest, rest, Kind::Opaque))
    }
}
