//! Lists with tags: a name, a tag and a value each, up to a name that means "none".
//!
//! Spec: ue1-3/05 §5.3, §5.4; ue4-5/04 §3.

use super::tag::{Detail, FittingForm, PropertyTag};
use super::tag_form::ToLoad;
use super::{NAMES, OPAQUE, is_early};
use crate::archive::{Context, Role, Step, in_field, in_part};
use crate::error::{ErrorKind, Result};
use crate::primitive::Name;
use crate::property::item::Label;
use crate::property::{Elements, PackageContext, Property, PropertyKind, Roles, Value};
use crate::{Archive, ArchiveExt, Archived};

/// Reads, writes or visits a list; loading, for the class or struct that the archive's context says.
pub(in crate::property) fn serialize<A: Archive + ?Sized>(
    properties: &mut Vec<Property>,
    terminator: &mut Name,
    ar: &mut A,
) -> Result<()> {
    if ar.is_loading() {
        return load(properties, terminator, None, ar);
    }
    for (index, property) in properties.iter_mut().enumerate() {
        let Label::Tag(name, tag) = &mut property.label else {
            let reason = "a property without a tag in a list with tags".to_owned();
            return Err(ar.error(ErrorKind::Invalid { reason }));
        };
        // Outside the property's own step: loading, nobody knows it before its name is read.
        in_field("property_name", ar, |ar| name.serialize(ar))?;
        ar.role(Role::Key);
        in_step(ar, *name, index, |ar| save_rest(tag, &mut property.value, ar))?;
    }
    in_field("property_name", ar, |ar| terminator.serialize(ar))?;
    ar.role(Role::Terminator);
    Ok(())
}

/// Loads the properties of an object or value of this class or struct, or of the one that the archive's
/// context says.
pub(super) fn load<A: Archive + ?Sized>(
    properties: &mut Vec<Property>,
    terminator: &mut Name,
    scope: Option<Option<&str>>,
    ar: &mut A,
) -> Result<()> {
    properties.clear();
    let context = ar.context().clone();
    let around = Around { scope, roles: context.roles(), context: &context };
    loop {
        let mut name = Name::default();
        in_field("property_name", ar, |ar| name.serialize(ar))?;
        if name.number == 0 && around.roles.is_none(name.index.value()) {
            *terminator = name;
            return Ok(());
        }
        ar.claim(1, size_of::<Property>())?;
        let index = properties.len();
        // Where it stays from the start: it is large.
        properties.push(Property::tagged(name, PropertyTag::default(), Value::Zero));
        let Some(Property { label: Label::Tag(_, tag), value }) = properties.last_mut() else {
            continue;
        };
        if let Err(error) = in_step(ar, name, index, |ar| load_rest(&name, tag, value, &around, ar))
        {
            properties.truncate(index);
            return Err(error);
        }
    }
}

/// The list around a property that is loaded.
struct Around<'a> {
    /// The class or struct whose property it is, unless the context says it.
    scope: Option<Option<&'a str>>,
    roles: &'a Roles,
    context: &'a Context,
}

/// Loads the part behind the name into a blank tag and its value.
fn load_rest<A: Archive + ?Sized>(
    name: &Name,
    tag: &mut PropertyTag,
    value: &mut Value,
    around: &Around<'_>,
    ar: &mut A,
) -> Result<()> {
    let (mut form, mut boolean, mut size) = (0, None, 0);
    in_field("tag", ar, |ar| tag.serialize(&mut boolean, &mut size, ar))?;
    *value = match boolean {
        Some(flag) if size == 0 => Value::Bool(flag),
        _ => {
            let (_, forms) = PropertyTag::facts(ar.versions());
            let (is_bool, size) = (boolean.is_some(), size.into());
            let given = ar.form("form", forms, 0);
            let kind = around.roles.kind(tag.type_name.index.value());
            let scope = match around.scope {
                None if is_early(ar.versions()) => around.context.scope().map(AsRef::as_ref),
                scope => scope.flatten(),
            };
            let known = ToLoad { name, tag, kind, size, is_bool, scope, form: given };
            in_part("value", ar, |ar| PropertyTag::load_value(known, &mut form, ar))?
        }
    };
    tag.form = FittingForm(form);
    tag.boolean = boolean.filter(|_| !matches!(value, Value::Bool(_)));
    Ok(())
}

/// Saves the part behind the name: every direction but loading.
fn save_rest<A: Archive + ?Sized>(
    tag: &mut PropertyTag,
    value: &mut Value,
    ar: &mut A,
) -> Result<()> {
    let form = form_of(tag, value, ar.context());
    let mut boolean = match value {
        Value::Bool(flag) => Some(*flag),
        _ => tag.boolean,
    };
    let (is_patched, forms) = PropertyTag::facts(ar.versions());
    if is_patched {
        return tag.around(&mut boolean, ar, |ar, _, _| {
            ar.form("form", forms, form);
            in_part("value", ar, |ar| value.serialize(ar))
        });
    }
    ar.prefixed(
        |ar, size| {
            let error = ErrorKind::OutOfRange { value: size.into(), bits: 32 };
            let mut size = u32::try_from(size).map_err(|_| ar.error(error))?;
            in_field("tag", ar, |ar| tag.serialize(&mut boolean, &mut size, ar).map(drop))
        },
        |ar| {
            ar.form("form", forms, form);
            in_part("value", ar, |ar| value.serialize(ar))
        },
    )
}

/// The form of the value among those that its type may have.
#[inline]
fn form_of(tag: &PropertyTag, value: &Value, context: &Context) -> i64 {
    let is_byte = |name: Name| context.roles().kind(name.index.value()) == PropertyKind::Byte;
    match (value, &tag.detail) {
        (Value::Opaque(_), _) => OPAQUE.into(),
        // Given by an edit.
        (Value::Array(Elements::Name(_)), Detail::Inner(inner)) if is_byte(*inner) => NAMES.into(),
        _ if tag.form.0 == OPAQUE => 0,
        _ => tag.form.0.into(),
    }
}

impl PropertyTag {
    /// The tag, then what it belongs to; loading, `inner` loads it from the size that the tag says.
    pub fn around<A: Archive + ?Sized, R>(
        &mut self,
        boolean: &mut Option<bool>,
        ar: &mut A,
        inner: impl FnOnce(&mut A, &Self, u64) -> Result<R>,
    ) -> Result<R> {
        let mut size = 0;
        let size_at = in_field("tag", ar, |ar| self.serialize(boolean, &mut size, ar))?;
        let start = ar.position();
        let done = inner(ar, self, size.into())?;
        if ar.is_saving() {
            settle(size_at, start, ar)?;
        }
        Ok(done)
    }
}

/// Writes the size of what stands behind `start` to where it was announced.
pub(in crate::property) fn settle<A: Archive + ?Sized>(
    size_at: u64,
    start: u64,
    ar: &mut A,
) -> Result<()> {
    let size = ar.position() - start;
    let size = i32::try_from(size)
        .map_err(|_| ar.error(ErrorKind::OutOfRange { value: size.into(), bits: 31 }))?;
    ar.patch_u32(size_at, size.cast_unsigned())
}

/// Runs `inner` inside the step of one property; its name is looked up only where somebody wants it.
fn in_step<A: Archive + ?Sized, R>(
    ar: &mut A,
    name: Name,
    index: usize,
    inner: impl FnOnce(&mut A) -> Result<R>,
) -> Result<R> {
    let (row, number) = (name.index.value(), name.number);
    let step = Step::Row { space: &Name::SPACE, row, number, index };
    ar.step(step);
    let result = inner(ar);
    ar.step(Step::Leave);
    result.map_err(|error| {
        let step = step.entered(ar.context());
        step.into_iter().fold(error, |error, step| error.within(step))
    })
}
