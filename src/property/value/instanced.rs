//! Structs with their type.

use super::{Opaque, Value};
use crate::archive::{Ahead, Kind, Span, in_field};
use crate::error::Result;
use crate::primitive::PackageIndex;
use crate::property::PropertyList;
use crate::property::codec::load_native;
use crate::property::codec::unversioned::UnversionedList;
use crate::property::list::settle;
use crate::property::structure::{StructStorage, Structure};
use crate::{Archive, ArchiveExt, Archived};

/// What stands before instanced structs of early versions.
const EARLY_MARK: u32 = 0xABAB_ABAB;

/// A struct with its type.
///
/// | order | type | field |
/// |---|---|---|
/// | 1 | u32, u8 | mark and version, in early versions |
/// | 2 | object | struct |
/// | 3 | i32 | size of the value |
/// | 4 | | value |
///
/// Spec: ue4-5/04 §6. C++: `FInstancedStruct`.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct InstancedStruct {
    /// The version that early forms store.
    pub early_version: Option<u8>,
    /// The struct.
    pub structure: PackageIndex,
    /// The value.
    pub value: Value,
}

impl InstancedStruct {
    /// An instanced struct; the bytes of the struct itself are a list of tags or stay as they are.
    pub(in crate::property) fn load<A: Archive + ?Sized>(ar: &mut A) -> Result<Value> {
        let mut instanced = Self::default();
        let early = ar.ahead_number(&[], 4) == Some(EARLY_MARK.into());
        instanced.early_version = early.then_some(0);
        instanced.serialize(ar)?;
        Ok(Value::Instanced(Box::new(instanced)))
    }

    pub(super) fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        if let Some(version) = &mut self.early_version {
            let mut mark = EARLY_MARK;
            in_field("mark", ar, |ar| ar.serialize_u32(&mut mark))?;
            in_field("version", ar, |ar| ar.serialize_u8(version))?;
        }
        in_field("struct", ar, |ar| self.structure.serialize(ar))?;
        let size_at = ar.position();
        let mut size = 0_u32;
        in_field("size", ar, |ar| ar.serialize_u32(&mut size))?;
        let start = ar.position();
        if ar.is_loading() {
            self.value = load_instance(&self.structure, size.into(), ar)?;
            return Ok(());
        }
        in_field("value", ar, |ar| self.value.serialize(ar))?;
        match ar.is_saving() {
            true => settle(size_at, start, ar),
            false => Ok(()),
        }
    }
}

/// A list of tags or of the mappings' properties, or what the engine stores in a form of its own.
fn load_instance<A: Archive + ?Sized>(
    structure: &PackageIndex,
    size: u64,
    ar: &mut A,
) -> Result<Value> {
    if size == 0 {
        return Ok(Value::default());
    }
    let name = ar.context().object_name(structure).unwrap_or_default();
    let mut span = Span::default();
    if let Some(Ahead::Span(Kind::Opaque, length)) = ar.ahead() {
        in_field("value", ar, |ar| ar.serialize_span(&mut span, length, Kind::Opaque))?;
        return Ok(Value::Opaque(Box::new(Opaque { span, error: None })));
    }
    let window = ar.open(Some(size))?;
    let mut value = Value::default();
    let result = in_field("value", ar, |ar| {
        value = match Structure::of_name(&name).layout(ar.versions()) {
            StructStorage::Tagged if ar.versions().unversioned_properties => {
                let mut list = UnversionedList::blank(&name);
                list.serialize(ar)?;
                Value::Unversioned(Box::new(list))
            }
            StructStorage::Tagged => {
                let mut list = PropertyList::default();
                list.serialize(ar)?;
                Value::Tagged(list)
            }
            layout => load_native(layout, Some(size), ar)?,
        };
        Ok(())
    });
    let Err(error) = ar.close(window, result) else { return Ok(value) };
    if ar.states() {
        return Err(error);
    }
    in_field("value", ar, |ar| ar.serialize_span(&mut span, size, Kind::Opaque))?;
    Ok(Value::Opaque(Box::new(Opaque { span, error: Some(error.into()) })))
}
