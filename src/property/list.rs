//! Lists of tagged properties.

use super::codec::{
    Detail, FORMS, FittingForm, NAMES, OPAQUE, PropertyTag, TypeOf, early, is_early,
};
use super::{Elements, Extensions, PropertyKind, Type, TypeNode, Value};
use crate::archive::{Context, Step, in_field, in_part};
use crate::error::{ErrorKind, Result};
use crate::primitive::{Guid, Name};
use crate::{Archive, ArchiveExt, Archived, Versions};

/// One property: name, tag, value.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Property {
    name: Name,
    tag: PropertyTag,
    value: Value,
}

impl Property {
    pub(super) fn from_parts(name: Name, tag: PropertyTag, value: Value) -> Self {
        Self { name, tag, value }
    }

    pub(super) fn tag(&self) -> &PropertyTag {
        &self.tag
    }

    /// Its name.
    pub fn name(&self) -> Name {
        self.name
    }

    /// The name of its class (`IntProperty`), from UE3 on.
    pub fn type_name(&self) -> Name {
        self.tag.type_name
    }

    /// The complete name of its type, from UE5 1012 on, where it has inner types; else empty.
    pub fn type_nodes(&self) -> &[TypeNode] {
        match &self.tag.detail {
            Detail::Tree(nodes) => nodes,
            _ => &[],
        }
    }

    /// Element of a static array; 0 for a single value.
    pub fn array_index(&self) -> i32 {
        self.tag.array_index
    }

    /// The name of the struct, for structs.
    pub fn struct_name(&self) -> Option<Name> {
        match &self.tag.detail {
            Detail::Struct(name, _) => Some(*name),
            Detail::Tree(nodes) => nodes.get(1).map(|node| node.name),
            _ => None,
        }
    }

    /// The GUID of the struct; zero unless the project made it.
    pub fn struct_guid(&self) -> Guid {
        match &self.tag.detail {
            Detail::Struct(_, Some(guid)) => **guid,
            _ => Guid::default(),
        }
    }

    /// The name of the enum, for bytes and enums of UE3 and below UE5 1012.
    pub fn enum_name(&self) -> Option<Name> {
        match &self.tag.detail {
            Detail::Enum(name) => Some(*name),
            _ => None,
        }
    }

    /// The types of elements, or of keys and values, below UE5 1012.
    pub fn inner_types(&self) -> (Option<Name>, Option<Name>) {
        match &self.tag.detail {
            Detail::Inner(name) => (Some(*name), None),
            Detail::Pair(key, value) => (Some(*key), Some(*value)),
            _ => (None, None),
        }
    }

    /// The type as its tag says it, completed by what the class `scope` declares: in UE1 to UE3 tags leave out
    /// what arrays and maps hold. `None` where nothing says it.
    pub(crate) fn early_type(
        &self,
        scope: Option<&str>,
        versions: &Versions,
        context: &Context,
    ) -> Option<Type> {
        self.tag.early_type(&self.name, scope, versions, context)
    }

    /// The property's own GUID.
    pub fn guid(&self) -> Option<Guid> {
        self.tag.extra.as_ref().and_then(|extra| extra.guid)
    }

    /// How the value overrides an inherited one.
    pub fn extensions(&self) -> Option<Extensions> {
        self.tag.extra.as_ref().and_then(|extra| extra.extensions)
    }

    /// Its value.
    pub fn value(&self) -> &Value {
        &self.value
    }

    /// Its value, to be changed; the new one must be of the same type.
    pub fn value_mut(&mut self) -> &mut Value {
        &mut self.value
    }

    /// The tag, then what it belongs to; loading, `inner` loads it from the size that the tag says.
    pub(super) fn around<A: Archive + ?Sized, R>(
        tag: &mut PropertyTag,
        boolean: &mut Option<bool>,
        ar: &mut A,
        inner: impl FnOnce(&mut A, &PropertyTag, Option<bool>, u64) -> Result<R>,
    ) -> Result<R> {
        let mut size = 0;
        let mut size_at = 0;
        in_field("tag", ar, |ar| {
            size_at = tag.serialize(boolean, &mut size, ar)?;
            Ok(())
        })?;
        let start = ar.position();
        let done = inner(ar, tag, *boolean, size.into())?;
        if ar.is_saving() {
            settle(size_at, start, ar)?;
        }
        Ok(done)
    }

    /// What follows the name, in every direction but loading.
    fn serialize_rest<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        let early = is_early(ar.versions());
        let form = self.form(ar.context());
        let Self { tag, value, .. } = self;
        let mut boolean = match value {
            Value::Bool(flag) => Some(*flag),
            _ => tag.boolean,
        };
        if early {
            return ar.prefixed(
                |ar, size| {
                    let bits = 32;
                    let mut size = u32::try_from(size).map_err(|_| {
                        ar.error(ErrorKind::OutOfRange { value: size.into(), bits })
                    })?;
                    in_field("tag", ar, |ar| tag.serialize_early(&mut boolean, &mut size, ar))
                },
                |ar| {
                    ar.form("form", early::FORMS, form);
                    in_part("value", ar, |ar| value.serialize(ar))
                },
            );
        }
        Self::around(tag, &mut boolean, ar, |ar, _, _, _| {
            ar.form("form", FORMS, form);
            in_part("value", ar, |ar| value.serialize(ar))
        })
    }

    /// The form of the value among those that its type may have.
    fn form(&self, context: &Context) -> i64 {
        let is_byte = |name: Name| context.roles().kind(name.index.value()) == PropertyKind::Byte;
        match (&self.value, &self.tag) {
            (Value::Opaque(_), _) => OPAQUE.into(),
            // Given by an edit.
            (Value::Array(Elements::Name(_)), PropertyTag { detail: Detail::Inner(inner), .. })
                if is_byte(*inner) =>
            {
                NAMES.into()
            }
            (_, tag) if tag.form.0 == OPAQUE => 0,
            (_, tag) => tag.form.0.into(),
        }
    }

    /// What follows the name, loading.
    fn load_rest<A: Archive + ?Sized>(name: Name, ar: &mut A) -> Result<Self> {
        let (mut tag, mut form, mut boolean) = (PropertyTag::default(), 0, None);
        let value = Self::around(&mut tag, &mut boolean, ar, |ar, tag, boolean, size| {
            let native = tag.native(ar.versions());
            let kind = ar.context().roles().kind(tag.type_name.index.value());
            let of_type = TypeOf::Tag { kind, detail: &tag.detail, native };
            match boolean {
                Some(flag) if size == 0 => Ok(Value::Bool(flag)),
                _ => {
                    let given = ar.form("form", FORMS, 0);
                    in_part("value", ar, |ar| {
                        Value::load_sized(of_type, &name, size, given, &mut form, ar)
                    })
                }
            }
        })?;
        tag.form = FittingForm(form);
        tag.boolean = boolean.filter(|_| !matches!(value, Value::Bool(_)));
        Ok(Self { name, tag, value })
    }

    /// What follows the name, loading from UE1 to UE3.
    fn load_early<A: Archive + ?Sized>(
        name: Name,
        scope: Option<&str>,
        ar: &mut A,
    ) -> Result<Self> {
        let (mut tag, mut form, mut boolean, mut size) = (PropertyTag::default(), 0, None, 0);
        in_field("tag", ar, |ar| tag.serialize_early(&mut boolean, &mut size, ar))?;
        let value = match boolean {
            Some(flag) if size == 0 => Value::Bool(flag),
            _ => {
                let given = ar.form("form", early::FORMS, 0);
                let known = (scope, boolean.is_some(), given);
                in_part("value", ar, |ar| {
                    early::load_value((&name, &tag), size.into(), known, &mut form, ar)
                })?
            }
        };
        tag.form = FittingForm(form);
        tag.boolean = boolean.filter(|_| !matches!(value, Value::Bool(_)));
        Ok(Self { name, tag, value })
    }
}

/// Writes the size of what stands behind `start` to where it was announced.
pub(super) fn settle<A: Archive + ?Sized>(size_at: u64, start: u64, ar: &mut A) -> Result<()> {
    let size = ar.position() - start;
    let size = i32::try_from(size)
        .map_err(|_| ar.error(ErrorKind::OutOfRange { value: size.into(), bits: 31 }))?;
    ar.patch_u32(size_at, size.cast_unsigned())
}

/// Properties up to a name that means "none"; the name is kept, since its index is the package's own.
///
/// Spec: ue1-3/05 §5.3, §5.4; ue4-5/04 §3.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PropertyList {
    /// The properties in stored order.
    pub properties: Vec<Property>,
    /// The name that ends the list.
    pub terminator: Name,
}

impl Archived for PropertyList {
    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        if ar.is_loading() {
            let scope = ar.context().scope().cloned();
            return self.load(scope.as_deref(), ar);
        }
        for (index, property) in self.properties.iter_mut().enumerate() {
            // Outside the property's own step: loading, nobody knows it before its name is read.
            in_field("property_name", ar, |ar| property.name.serialize(ar))?;
            in_step(ar, property.name, index, |ar| property.serialize_rest(ar))?;
        }
        in_field("property_name", ar, |ar| self.terminator.serialize(ar))
    }
}

impl PropertyList {
    /// Loads the properties of an object or value of this class or struct.
    pub(super) fn load<A: Archive + ?Sized>(
        &mut self,
        scope: Option<&str>,
        ar: &mut A,
    ) -> Result<()> {
        let early = is_early(ar.versions());
        self.properties.clear();
        loop {
            let mut name = Name::default();
            in_field("property_name", ar, |ar| name.serialize(ar))?;
            if ar.context().is_none(&name) {
                self.terminator = name;
                return Ok(());
            }
            ar.claim(1, size_of::<Property>())?;
            let index = self.properties.len();
            let property = in_step(ar, name, index, |ar| match early {
                true => Property::load_early(name, scope, ar),
                false => Property::load_rest(name, ar),
            })?;
            self.properties.push(property);
        }
    }
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

/// For inner tags, whose type is always a struct.
pub(super) fn is_struct<A: Archive + ?Sized>(tag: &PropertyTag, ar: &A) -> bool {
    ar.context().roles().kind(tag.type_name.index.value()) == PropertyKind::Struct
}
