//! Structs with their type.

use std::sync::Arc;

use super::{Opaque, Value};
use crate::archive::{Extent, Kind, Role, Span, in_field};
use crate::error::Result;
use crate::primitive::{NameContext, PackageIndex};
use crate::property::PropertyList;
use crate::property::codec::tagged::settle;
use crate::property::codec::{load_native, unknown};
use crate::property::structure::{StructStorage, Structure};
use crate::{Archive, ArchiveExt, Archived};

/// The mark before instanced structs of early versions.
const EARLY_MARK: u32 = 0xABAB_ABAB;

/// A struct with its type.
///
/// The size of the value, an i32, stands before it.
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
    /// Whether the value is in the rarer of two forms of its struct.
    odd: bool,
    /// Nothing here names the struct, which stands before the value, or the properties of a bag do.
    untyped: bool,
}

/// The forms of a value, as documents call them: what the struct says, the rarer form of it, bytes, nothing.
const FORMS: [&str; 4] = ["typed", "odd", "opaque", "empty"];

impl InstancedStruct {
    /// An instanced struct; the bytes of the struct itself are a list of tags or stay as they are.
    pub(in crate::property) fn load<A: Archive + ?Sized>(ar: &mut A) -> Result<Value> {
        let mut instanced = Self::default();
        instanced.serialize(ar)?;
        Ok(Value::Instanced(Box::new(instanced)))
    }

    /// A value whose struct stands elsewhere, null where it has no name: its size, then what the struct says.
    pub(in crate::property) fn load_untyped<A: Archive + ?Sized>(
        structure: PackageIndex,
        ar: &mut A,
    ) -> Result<Value> {
        let mut instanced = Self { structure, untyped: true, ..Self::default() };
        instanced.serialize(ar)?;
        Ok(Value::Instanced(Box::new(instanced)))
    }

    fn form(&self) -> i64 {
        match &self.value {
            Value::Opaque(_) => 2,
            Value::Fields(fields) if fields.is_empty() => 3,
            _ => i64::from(self.odd),
        }
    }

    pub(super) fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        if !self.untyped {
            self.serialize_type(ar)?;
        }
        let size_at = ar.position();
        let mut size = 0_u32;
        in_field("size", ar, |ar| ar.serialize_u32(&mut size))?;
        ar.role(Role::Size);
        let start = ar.position();
        let known = self.form();
        let form = ar.form("form", &FORMS, known);
        if ar.is_loading() {
            (self.value, self.odd) = load_instance(&self.structure, size.into(), form, ar)?;
            return Ok(());
        }
        in_field("value", ar, |ar| self.value.serialize(ar))?;
        match ar.is_saving() {
            true => settle(size_at, start, ar),
            false => Ok(()),
        }
    }

    /// The mark and the type before the size.
    fn serialize_type<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        let known = i64::from(self.early_version.is_some());
        let form = ar.form("early", &[], known);
        if ar.is_loading() {
            let found = ar.peek_number(0, 4) == Some(EARLY_MARK.into());
            self.early_version = form.map_or(found, |form| form != 0).then_some(0);
        }
        if let Some(version) = &mut self.early_version {
            let mut mark = EARLY_MARK;
            in_field("mark", ar, |ar| ar.serialize_u32(&mut mark))?;
            in_field("version", ar, |ar| ar.serialize_u8(version))?;
        }
        in_field("struct", ar, |ar| self.structure.serialize(ar))
    }
}

/// A list of tags or of the mappings' properties, or what the engine stores in a form of its own; and whether
/// that is the rarer form.
fn load_instance<A: Archive + ?Sized>(
    structure: &PackageIndex,
    size: u64,
    form: Option<i64>,
    ar: &mut A,
) -> Result<(Value, bool)> {
    if form.map_or(size == 0, |form| form == 3) {
        return Ok((Value::default(), false));
    }
    let name = ar.context().object_name(structure).unwrap_or_default();
    let layout = Structure::of_name(&name).layout(ar.versions());
    let mut error = None;
    for odd in [false, true] {
        // What holds others of its kind is read once: twice a level would be twice as often with each level.
        if form.map_or(odd && !layout.has_two_forms(), |form| form != i64::from(odd)) {
            continue;
        }
        let window = ar.open(Extent::Size(size))?;
        let mut value = Value::default();
        let result = in_field("value", ar, |ar| {
            value = load_typed(&name, layout, odd, ar)?;
            Ok(())
        });
        match ar.close(window, result) {
            Ok(()) => return Ok((value, odd)),
            Err(failed) if form.is_some() => return Err(failed),
            Err(failed) => error = error.or(Some(failed)),
        }
    }
    let mut span = Span::default();
    in_field("value", ar, |ar| {
        ar.serialize_span(&mut span, size, Kind::Opaque)?;
        if let Some(error) = &error {
            ar.note(error);
        }
        Ok(())
    })?;
    Ok((Value::Opaque(Box::new(Opaque { span, error: error.map(Arc::new) })), false))
}

fn load_typed<A: Archive + ?Sized>(
    name: &str,
    layout: StructStorage,
    odd: bool,
    ar: &mut A,
) -> Result<Value> {
    match layout {
        StructStorage::Tagged if odd => Err(unknown(ar)),
        StructStorage::Tagged => {
            let mut list = PropertyList::blank(name, ar.versions());
            list.serialize(ar)?;
            Ok(Value::List(list))
        }
        layout => load_native(layout, odd, ar),
    }
}
