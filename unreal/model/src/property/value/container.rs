//! Arrays, sets and maps: counts, then elements of one type.

use super::{Elements, Value};
use crate::archive::{Extent, at_index, in_field};
use crate::error::{ErrorKind, Result};
use crate::primitive::{Name, array};
use crate::property::codec::{
    Detail, ElementForm, Forms, PropertyTag, TypeOf, is_early, native_elements, struct_layout,
    unknown,
};
use crate::property::{PackageContext, PropertyKind};
use crate::version::UnrealVersions;
use crate::{Archive, ArchiveExt, Archived};

/// UE4 versions whose arrays of structs have a tag for their elements (spec: ue4-5/04 §5).
pub(in crate::property) const INNER_TAG_ADDED: u32 = 500;
/// First UE5 version without it.
pub(in crate::property) const INNER_TAG_REMOVED: u32 = 1012;

/// Structs behind a tag that names their type.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct StructArray {
    /// The name of the array once more.
    pub(in crate::property) name: Name,
    pub(in crate::property) tag: PropertyTag,
    /// The structs.
    pub elements: Elements,
}

impl StructArray {
    /// The name of the struct.
    pub fn struct_name(&self) -> Option<Name> {
        match &self.tag.detail {
            Detail::Struct(name, _) => Some(*name),
            _ => None,
        }
    }

    /// Writes or visits the count, the inner tag and the elements.
    pub(super) fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        serialize_count(self.elements.len(), "count", ar)?;
        self.around(ar, |ar, _, elements| elements.serialize(ar))
    }

    /// The inner tag, then the elements.
    fn around<A: Archive + ?Sized>(
        &mut self,
        ar: &mut A,
        inner: impl FnOnce(&mut A, &PropertyTag, &mut Elements) -> Result<()>,
    ) -> Result<()> {
        in_field("name", ar, |ar| self.name.serialize(ar))?;
        let elements = &mut self.elements;
        self.tag.around(&mut None, ar, |ar, tag, size| {
            let window = ar.open(Extent::Size(size))?;
            let result = inner(ar, tag, elements);
            ar.close(window, result)
        })
    }
}

/// A set.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Set {
    /// Elements that are taken from the inherited ones.
    pub removed: Elements,
    /// The elements.
    pub elements: Elements,
}

impl Set {
    #[inline(never)]
    pub(in crate::property) fn load<A: Archive + ?Sized>(
        known: TypeOf<'_>,
        forms: Forms,
        ar: &mut A,
    ) -> Result<Value> {
        let inner = inner_type(known, 0, forms.0, ar)?;
        let mut set = Self::default();
        let count = load_count("removed_count", ar)?;
        set.removed = load_elements(inner, count, forms.0, ar)?;
        let count = load_count("count", ar)?;
        set.elements = load_elements(inner, count, forms.0, ar)?;
        Ok(Value::Set(Box::new(set)))
    }

    /// Writes or visits the set.
    pub(super) fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        serialize_counted(&mut self.removed, "removed_count", ar)?;
        serialize_counted(&mut self.elements, "count", ar)
    }
}

/// A map.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct MapValue {
    /// Keys that are taken from the inherited ones; UE1 to UE3 have none.
    pub removed: Elements,
    /// Keys and values, in stored order.
    pub pairs: Vec<(Value, Value)>,
}

impl MapValue {
    #[inline(never)]
    pub(in crate::property) fn load<A: Archive + ?Sized>(
        known: TypeOf<'_>,
        forms: Forms,
        ar: &mut A,
    ) -> Result<Value> {
        let key = inner_type(known, 0, forms.0, ar)?;
        let value = inner_type(known, 1, forms.1, ar)?;
        let mut map = Self::default();
        let count = load_count("removed_count", ar)?;
        map.removed = load_elements(key, count, forms.0, ar)?;
        let count = load_count("count", ar)?;
        ar.claim(count as u64, size_of::<(Value, Value)>())?;
        map.pairs.reserve_exact(count);
        for index in 0..count {
            map.pairs.push(at_index(index, ar, |ar| load_pair((key, value), forms, ar))?);
        }
        Ok(Value::Map(Box::new(map)))
    }

    /// Writes or visits the map.
    pub(super) fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        match is_early(ar.versions()) {
            false => serialize_counted(&mut self.removed, "removed_count", ar)?,
            true if self.removed.is_empty() => {}
            true => return Err(ar.error(ErrorKind::NotInVersion).in_field("removed_count")),
        }
        serialize_count(self.pairs.len(), "count", ar)?;
        for (index, (key, value)) in self.pairs.iter_mut().enumerate() {
            at_index(index, ar, |ar| {
                in_field("key", ar, |ar| key.serialize(ar))?;
                in_field("value", ar, |ar| value.serialize(ar))
            })?;
        }
        Ok(())
    }
}

fn load_pair<A: Archive + ?Sized>(
    (key, value): (TypeOf<'_>, TypeOf<'_>),
    forms: Forms,
    ar: &mut A,
) -> Result<(Value, Value)> {
    let inner = |form| (form, ElementForm::Typed);
    Ok((
        in_field("key", ar, |ar| Value::load(key, inner(forms.0), ar))?,
        in_field("value", ar, |ar| Value::load(value, inner(forms.1), ar))?,
    ))
}

#[inline(never)]
pub(in crate::property) fn load_array<A: Archive + ?Sized>(
    known: TypeOf<'_>,
    forms: Forms,
    ar: &mut A,
) -> Result<Value> {
    let count = load_count("count", ar)?;
    if count == 0 && known.inner(0, ar.context()).is_none() {
        return Ok(Value::Array(Elements::default()));
    }
    let inner = inner_type(known, 0, forms.0, ar)?;
    let (ue4, ue5) = (ar.versions().ue4(), ar.versions().ue5());
    let has_inner_tag = matches!(known, TypeOf::Tag { .. })
        && ue4 >= INNER_TAG_ADDED
        && ue5 < INNER_TAG_REMOVED
        && inner.kind(ar.context()) == PropertyKind::Struct;
    if has_inner_tag {
        let mut structs = StructArray::default();
        structs.around(ar, |ar, tag, elements| {
            if ar.context().property_kind(&tag.type_name) != PropertyKind::Struct {
                return Err(unknown(ar));
            }
            let detail = &tag.detail;
            let element = TypeOf::Tag { kind: PropertyKind::Struct, detail, native: None };
            *elements = load_elements(element, count, forms.0, ar)?;
            Ok(())
        })?;
        return Ok(Value::StructArray(Box::new(structs)));
    }
    let elements = load_elements(inner, count, forms.0, ar)?;
    let empty = |value: &Value| matches!(value, Value::List(list) if list.properties.is_empty());
    match &elements {
        // References could look like this, too.
        Elements::Values(values)
            if known.inner(0, ar.context()).is_none() && values.iter().all(empty) =>
        {
            Err(unknown(ar))
        }
        _ => Ok(Value::Array(elements)),
    }
}

/// The type of elements or keys (0) or of values (1): known, or guessed where tags do not say it.
fn inner_type<'a, A: Archive + ?Sized>(
    known: TypeOf<'a>,
    wanted: usize,
    form: ElementForm,
    ar: &A,
) -> Result<TypeOf<'a>> {
    if let Some(inner) = known.inner(wanted, ar.context()) {
        return Ok(inner);
    }
    let kind = match form {
        ElementForm::Class(kind) => kind,
        // Only structs describe themselves.
        ElementForm::Tagged | ElementForm::As(_) => PropertyKind::Struct,
        ElementForm::Typed | ElementForm::Names | ElementForm::Odd => return Err(unknown(ar)),
    };
    Ok(TypeOf::Class { kind, structure: None })
}

/// Loads `count` elements.
fn load_elements<A: Archive + ?Sized>(
    known: TypeOf<'_>,
    count: usize,
    form: ElementForm,
    ar: &mut A,
) -> Result<Elements> {
    if count == 0 {
        return Ok(Elements::default());
    }
    let kind = known.kind(ar.context());
    let plain = match kind {
        PropertyKind::Byte => {
            let named = known.is_enum().unwrap_or(form == ElementForm::Names);
            Elements::of_kind(if named { PropertyKind::Name } else { PropertyKind::Byte })
        }
        PropertyKind::Struct => native_elements(struct_layout(known, form, ar)),
        kind => Elements::of_kind(kind),
    };
    if let Some(plain) = plain {
        return plain.load_plain(count, ar);
    }
    ar.claim(count as u64, size_of::<Value>())?;
    let mut values = Vec::with_capacity(count);
    for index in 0..count {
        let forms = (form, ElementForm::Typed);
        values.push(at_index(index, ar, |ar| Value::load(known, forms, ar))?);
    }
    Ok(Elements::Values(values))
}

/// A count, then the elements, in every direction but loading.
pub(super) fn serialize_counted<A: Archive + ?Sized>(
    elements: &mut Elements,
    field: &'static str,
    ar: &mut A,
) -> Result<()> {
    serialize_count(elements.len(), field, ar)?;
    elements.serialize(ar)
}

pub(in crate::property) fn load_count<A: Archive + ?Sized>(
    field: &'static str,
    ar: &mut A,
) -> Result<usize> {
    serialize_count(0, field, ar)
}

fn serialize_count<A: Archive + ?Sized>(
    count: usize,
    field: &'static str,
    ar: &mut A,
) -> Result<usize> {
    in_field(field, ar, |ar| array::serialize_list_count(count, ar))
}
