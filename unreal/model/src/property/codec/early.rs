//! How values of UE1 to UE3 are loaded: the tag says their size, classes and structs the rest.

use std::sync::Arc;

use super::guess::refers_outside;
use super::tag::{Detail, PropertyTag};
use super::tag_form::{ToLoad, TypeTexts};
use super::{OPAQUE, load_native, native_elements, numbered, tagged};
use crate::archive::{Context, Kind, Span, at_index, in_field};
use crate::error::{ErrorKind, Result, UnrealError};
use crate::primitive::{Name, NameContext};
use crate::property::item::Label;
use crate::property::structure::StructStorage;
use crate::property::value::{Elements, MapValue, Value, load_count};
use crate::property::{
    Layouts, Naming, PackageContext, Property, PropertyKind, PropertyList, StructLayout, Type,
};
use crate::version::{UnrealVersions, Versions, threshold};
use crate::{Archive, ArchiveExt, Archived};

/// First file version that stores most structs as tagged lists (spec: ue1-3/05 §5.5).
const TAGGED_STRUCTS_ADDED: u32 = 118;
/// First file version in which a struct says itself whether it is stored without tags.
const IMMUTABLE_ADDED: u32 = 278;

/// The struct that there are two of.
const REGION: &str = "Region";

/// Whether lists are stored as UE1 to UE3 store them.
pub(in crate::property) fn is_early(versions: &Versions) -> bool {
    versions.ue4() | versions.ue5() == 0
}

/// The known part of a value's type: its kind, its struct, the types of its elements.
#[derive(Debug, Clone, Copy)]
struct Known<'a> {
    kind: PropertyKind,
    structure: &'a str,
    inner: &'a [Type],
}

impl Known<'_> {
    /// Whether there is a larger form.
    fn may_be_wide(self) -> bool {
        let is_region = || self.structure.eq_ignore_ascii_case(REGION);
        matches!(self.kind, PropertyKind::Byte | PropertyKind::Float)
            || self.kind == PropertyKind::Struct && is_region()
    }
}

impl<'a> From<&'a Type> for Known<'a> {
    fn from(known: &'a Type) -> Self {
        Self { kind: known.kind(), structure: known.type_name(), inner: known.inner() }
    }
}

impl PropertyTag {
    /// The kind of the property, and the struct that its number stands for.
    fn early_kind(
        &self,
        versions: &Versions,
        context: &Context,
    ) -> Option<(PropertyKind, &'static str)> {
        if versions.file() < super::named::NAMED_TYPE_ADDED {
            return numbered::of_number(self.number, versions);
        }
        let kind = context.property_kind(&self.type_name);
        kind.is_early().then_some((kind, ""))
    }
}

/// The type of a property as its tag says it, completed by what the class or struct around it declares.
pub(super) fn type_of(property: &Property, known: TypeTexts<'_>) -> Option<Type> {
    let Label::Tag(name, tag) = &property.label else { return None };
    let (context, scope) = (known.context, known.context.scope());
    let found = of_tag((name, tag), scope.map(AsRef::as_ref), known.versions, context);
    Some(found.unwrap_or_else(|| Type::of_value(&property.value)))
}

/// `None` for a number or name that stands for no type.
fn of_tag(
    (name, tag): (&Name, &PropertyTag),
    scope: Option<&str>,
    versions: &Versions,
    context: &Context,
) -> Option<Type> {
    let (kind, structure) = tag.early_kind(versions, context)?;
    if kind.is_container() {
        return Some(declared(name, scope, kind, context).cloned().unwrap_or(Type::new(kind)));
    }
    let named = match &tag.detail {
        Detail::Struct(name, _) | Detail::Enum(name) if !context.is_none(name) => {
            context.name_text(name)?
        }
        _ => structure.to_owned(),
    };
    let known = match tag.number {
        8 => Type::of_known_class("ClassProperty")?,
        _ => Type::new(kind),
    };
    let class = context.name_text(&tag.type_name).filter(|_| tag.number == 0);
    let known = class.and_then(|class| Type::of_known_class(&class)).unwrap_or(known);
    Some(if named.is_empty() { known } else { known.of_name(&named) })
}

/// The declaration of a container of this name and kind in a class or struct.
fn declared<'a>(
    name: &Name,
    scope: Option<&str>,
    kind: PropertyKind,
    context: &'a Context,
) -> Option<&'a Type> {
    let found = context.layouts().property_in(scope, &context.name_text(name)?, kind)?;
    (found.kind() == kind).then_some(found)
}

/// Whether it is the class or struct itself that declares it.
fn is_declared_in(name: &Name, scope: Option<&str>, kind: PropertyKind, context: &Context) -> bool {
    let text = context.name_text(name).unwrap_or_default();
    context.layouts().declared_in(scope, &text, kind).is_some_and(|found| found.kind() == kind)
}

/// The type, if UE1 to UE3 have it.
pub(super) fn checked(known: &Type) -> Result<&Type> {
    match known.kind().is_early() {
        true => Ok(known),
        false => {
            let reason = format!("'{known}' is a type of Unreal Engine 4 and 5");
            Err(UnrealError::unsupported(reason).into())
        }
    }
}

/// The name in a struct's tag.
pub(super) fn struct_detail(known: &Type, naming: &mut dyn Naming) -> Result<Detail> {
    if known.kind() != PropertyKind::Struct {
        return Ok(Detail::None);
    }
    let named = known.name().ok_or_else(|| known.incomplete())?;
    Ok(Detail::Struct(naming.name(&named.name)?, None))
}

/// Names of the forms of [`load_value`] in documents.
pub(super) const FORMS: &[&str] = &["typed", "opaque", "wide", "described"];
/// Enums as names, floats as vectors, a struct in the larger of two forms.
const WIDE: u8 = 2;
/// An array that describes itself, although another one is declared.
const DESCRIBED: u8 = 3;

/// Loads the value of a property, whose tag says its size: in the form that is given, if one is, else in the
/// first that fits. Bytes that do not fit are kept as they are. `form` becomes the form that fitted.
pub(super) fn load_value<A: Archive + ?Sized>(
    ToLoad { name, tag, size, is_bool, scope, form: given, .. }: ToLoad<'_>,
    form: &mut u8,
    ar: &mut A,
) -> Result<Value> {
    let given = given.map(|given| u8::try_from(given).unwrap_or(u8::MAX));
    *form = given.unwrap_or_default();
    let error = match tag.early_kind(ar.versions(), ar.context()) {
        Some((kind, structure)) if !is_bool && given != Some(OPAQUE) => {
            let loaded = match kind {
                PropertyKind::Array | PropertyKind::Map | PropertyKind::Struct => {
                    load_nested((name, tag), (kind, structure), size, (scope, given), form, ar)
                }
                _ => load_part(Known { kind, structure, inner: &[] }, false, size, ar),
            };
            match loaded {
                Ok(value) => return Ok(value),
                Err(error) if given.is_some() => return Err(error),
                Err(error) => Some(error),
            }
        }
        _ => None,
    };
    // Of unknown type, or in a form that the type does not have: kept as it is.
    *form = OPAQUE;
    Value::load_opaque(size, error.map(Arc::new), ar)
}

/// Loads a value of this type that must use up `size` bytes.
fn load_part<A: Archive + ?Sized>(
    known: Known<'_>,
    wide: bool,
    size: u64,
    ar: &mut A,
) -> Result<Value> {
    load_fitting((known, wide), size, |_| true, ar)
}

/// The same for a value that must be one of which `fits` is true.
fn load_fitting<A: Archive + ?Sized>(
    (known, wide): (Known<'_>, bool),
    size: u64,
    fits: impl Fn(&Value) -> bool,
    ar: &mut A,
) -> Result<Value> {
    let mut value = Value::default();
    ar.part(size, &mut |ar| {
        value = load(known, wide, size, ar)?;
        match fits(&value) {
            true => Ok(()),
            false => Err(super::unknown(ar)),
        }
    })?;
    Ok(value)
}

/// Loads the value of a property that holds others: tags name structs, declarations say what the others
/// hold.
fn load_nested<A: Archive + ?Sized>(
    (name, tag): (&Name, &PropertyTag),
    (kind, structure): (PropertyKind, &str),
    size: u64,
    (scope, given): (Option<&str>, Option<u8>),
    form: &mut u8,
    ar: &mut A,
) -> Result<Value> {
    let context = ar.context().clone();
    let named = match &tag.detail {
        Detail::Struct(name, _) => context.name_text(name),
        _ => Some(structure.to_owned()),
    };
    let structure = named.as_deref().ok_or_else(|| super::unknown(ar))?;
    let plain = Known { kind, structure, inner: &[] };
    let declared = match kind {
        PropertyKind::Struct => None,
        _ => declared(name, scope, kind, &context),
    };
    let known = declared.map_or(plain, Known::from);
    if let Some(given) = given {
        let known = if given == DESCRIBED { plain } else { known };
        return load_part(known, given == WIDE, size, ar);
    }
    // Classes that declare nothing themselves go by what others of the same name hold.
    let fits = |value: &Value| {
        !refers_outside(value, &context) || is_declared_in(name, scope, kind, &context)
    };
    let error = match load_fitting((known, false), size, fits, ar) {
        Ok(value) => return Ok(value),
        Err(error) => error,
    };
    let element = known.inner.first().map(Known::from);
    let is_wide = element.unwrap_or(known).may_be_wide();
    // Where a declaration does not fit, an array may still describe itself.
    let described =
        element.is_some_and(|it| kind == PropertyKind::Array && it.kind != PropertyKind::Struct);
    for (other, known, is_possible) in [(WIDE, known, is_wide), (DESCRIBED, plain, described)] {
        if is_possible && let Ok(value) = load_part(known, other == WIDE, size, ar) {
            *form = other;
            return Ok(value);
        }
    }
    Err(error)
}

/// Loads a value of this type; `size` is what its tag says, or a guess from the size of the array around
/// it.
fn load<A: Archive + ?Sized>(known: Known<'_>, wide: bool, size: u64, ar: &mut A) -> Result<Value> {
    let mut value = match known.kind {
        // A name of two numbers instead of a byte says an enum's value (spec: ue1-3/05 §5.4).
        PropertyKind::Byte if size == 8 => Value::Name(Name::default()),
        // Mass Effect 3 stores vectors where others store floats.
        PropertyKind::Float if size == 12 => Value::Float3([0.0; 3]),
        PropertyKind::FixedStr => {
            let mut span = Box::<Span>::default();
            ar.serialize_span(&mut span, size, Kind::Text)?;
            return Ok(Value::FixedStr(span));
        }
        PropertyKind::Array | PropertyKind::Map | PropertyKind::Struct => {
            return ar.nested(|ar| match known.kind {
                PropertyKind::Array => load_array(known, wide, size, ar),
                PropertyKind::Map => load_map(known, size, ar),
                _ => load_struct(known.structure, wide, ar),
            });
        }
        kind => Value::zero(kind).ok_or_else(|| super::unknown(ar))?,
    };
    value.serialize(ar)?;
    Ok(value)
}

fn load_array<A: Archive + ?Sized>(
    known: Known<'_>,
    wide: bool,
    size: u64,
    ar: &mut A,
) -> Result<Value> {
    let element = known.inner.first().map(Known::from);
    let start = ar.position();
    let count = load_count("count", ar)?;
    if count == 0 {
        return Ok(Value::Array(Elements::default()));
    }
    let each = size.saturating_sub(ar.position() - start) / count as u64;
    // Without a declaration only lists of tags describe themselves.
    let described = Known { kind: PropertyKind::Struct, structure: "", inner: &[] };
    let elements = load_elements(element.unwrap_or(described), count, (wide, each), ar)?;
    if let (None, Elements::Values(values)) = (element, &elements) {
        let empty = |value: &Value| value.as_list().is_some_and(|list| list.properties.is_empty());
        let zeros = |value: &Value| {
            value
                .as_list()
                .and_then(PropertyList::terminator)
                .is_some_and(|name| name.index.value() == 0)
        };
        let is_named = ar.versions().file() >= threshold::NAME_NUMBER_ADDED;
        // Zeros could be anything; eight bytes that name "none" could not.
        if values.iter().all(empty) && (!is_named || values.iter().any(zeros)) {
            return Err(ar.error(ErrorKind::NonCanonical { form: "an array of unknown elements" }));
        }
    }
    Ok(Value::Array(elements))
}

fn load_elements<A: Archive + ?Sized>(
    known: Known<'_>,
    count: usize,
    (wide, each): (bool, u64),
    ar: &mut A,
) -> Result<Elements> {
    let plain = match known.kind {
        PropertyKind::Byte if wide => Elements::of_kind(PropertyKind::Name),
        PropertyKind::Float if wide => Some(Elements::Float3(Vec::new())),
        PropertyKind::Struct => {
            match struct_form(known.structure, wide, ar.context().layouts(), ar.versions()) {
                StructForm::Native(layout) => native_elements(layout),
                _ => None,
            }
        }
        kind => Elements::of_kind(kind),
    };
    if let Some(plain) = plain {
        return plain.load_plain(count, ar);
    }
    ar.claim(count as u64, size_of::<Value>())?;
    let mut values = Vec::with_capacity(count);
    for index in 0..count {
        values.push(at_index(index, ar, |ar| load(known, wide, each, ar))?);
    }
    Ok(Elements::Values(values))
}

fn load_map<A: Archive + ?Sized>(known: Known<'_>, size: u64, ar: &mut A) -> Result<Value> {
    // Some maps are nothing at all (spec: ue1-3/05 §5.4).
    if size == 0 {
        return Ok(Value::Fields(Vec::new()));
    }
    let mut map = MapValue::default();
    let count = load_count("count", ar)?;
    if count > 0 {
        let unknown = ErrorKind::NonCanonical { form: "a map of unknown elements" };
        let [key, value] = known.inner else { return Err(ar.error(unknown)) };
        ar.claim(count as u64, size_of::<(Value, Value)>())?;
        map.pairs.reserve_exact(count);
        for index in 0..count {
            map.pairs.push(at_index(index, ar, |ar| load_pair(key, value, ar))?);
        }
    }
    Ok(Value::Map(Box::new(map)))
}

fn load_pair<A: Archive + ?Sized>(key: &Type, value: &Type, ar: &mut A) -> Result<(Value, Value)> {
    Ok((
        in_field("key", ar, |ar| load(key.into(), false, 0, ar))?,
        in_field("value", ar, |ar| load(value.into(), false, 0, ar))?,
    ))
}

fn load_struct<A: Archive + ?Sized>(name: &str, wide: bool, ar: &mut A) -> Result<Value> {
    match struct_form(name, wide, ar.context().layouts(), ar.versions()) {
        StructForm::Tagged => {
            let (mut properties, mut terminator) = (Vec::new(), Name::default());
            let scope = (!name.is_empty()).then_some(name);
            tagged::load(&mut properties, &mut terminator, Some(scope), ar)?;
            Ok(Value::List(PropertyList::new(properties, terminator)))
        }
        StructForm::Native(layout) => load_native(layout, false, ar),
        StructForm::Declared(layout) => {
            let mut fields = Vec::new();
            for field in &layout.fields {
                for _ in 0..field.dimension {
                    ar.claim(1, size_of::<Value>())?;
                    let known = Known::from(&field.property);
                    let value = at_index(fields.len(), ar, |ar| load(known, false, 0, ar))?;
                    fields.push(value);
                }
            }
            Ok(Value::Fields(fields))
        }
        StructForm::Unknown => {
            Err(ar.error(ErrorKind::NonCanonical { form: "a struct of unknown fields" }))
        }
    }
}

/// How the value of a struct is stored.
#[derive(Debug)]
pub(in crate::property) enum StructForm {
    /// As a tagged list.
    Tagged,
    /// As the engine's own struct, without tags.
    Native(StructStorage),
    /// As the fields that were declared, without tags.
    Declared(Arc<StructLayout>),
    /// Without tags, and with unknown fields.
    Unknown,
}

/// How a struct of this name is stored (spec: ue1-3/05 §5.5); `wide` in the larger of two forms.
pub(in crate::property) fn struct_form(
    name: &str,
    wide: bool,
    layouts: &Layouts,
    versions: &Versions,
) -> StructForm {
    let layout = layouts.structure(name).cloned();
    let native = native_layout(name, wide);
    let tagged = match versions.file() {
        ..TAGGED_STRUCTS_ADDED => false,
        // Three structs stay without tags (spec: ue1-3/05 §5.5; in 121/29 and 129/27 PointRegion
        // has them).
        TAGGED_STRUCTS_ADDED..IMMUTABLE_ADDED => {
            !["vector", "rotator", "color"].iter().any(|known| known.eq_ignore_ascii_case(name))
        }
        _ => !layout.as_ref().map_or(native.is_some(), |layout| layout.immutable),
    };
    let known = layout.as_ref().filter(|layout| !layout.fields.is_empty());
    match (native.filter(|_| known.is_none()), layout) {
        _ if tagged => StructForm::Tagged,
        (Some(layout), _) => StructForm::Native(layout),
        (None, Some(layout)) => StructForm::Declared(layout),
        (None, None) => StructForm::Unknown,
    }
}

/// The layout of the engine's own structs that are stored without tags (spec: ue1-3/01 §1.10, 05 §5.5).
fn native_layout(name: &str, wide: bool) -> Option<StructStorage> {
    use StructStorage::{Fields, Floats, Ints};
    // UWindow has a struct of the old name of PointRegion.
    if wide && name.eq_ignore_ascii_case(REGION) {
        return Some(Ints(4));
    }
    const STRUCTS: &[(&str, StructStorage)] = &[
        ("Vector", Floats(3)),
        ("Rotator", Ints(3)),
        ("Rotation", Ints(3)),
        ("Color", StructStorage::Color),
        ("Plane", Floats(4)),
        ("Vector2D", Floats(2)),
        ("Vector4", Floats(4)),
        ("Quat", Floats(4)),
        ("LinearColor", Floats(4)),
        ("Guid", Ints(4)),
        ("Box", Fields("ffffffb")),
        ("Matrix", Floats(16)),
        ("TwoVectors", Floats(6)),
        ("IntPoint", Ints(2)),
        ("PointRegion", Fields("oib")),
        ("Region", Fields("oib")),
        ("BioRwBox", Fields("ffffffb")),
        ("ADrop", Fields("bbbbbbbb")),
        ("IpAddr", Ints(2)),
        ("Scale", Fields("ffffb")),
        ("Coords", Floats(12)),
    ];
    STRUCTS.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, layout)| *layout)
}
