//! Lists of tagged properties.

use super::tag::{Tag, TagNames};
use super::{PropertyType, Value};
use crate::archive::{Context, Kind, Span, Step, in_field};
use crate::error::{ErrorKind, Result};
use crate::primitive::Name;
use crate::{Archive, ArchiveExt, Archived};

/// One property of an object: name, tag, value.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Property {
    name: Name,
    tag: Tag,
    value: Value,
    /// Bytes of the value as stored; on save the true size counts.
    size: u32,
}

impl Property {
    /// A new property with the tag that its type has in this version; `None` where it has none.
    pub(crate) fn new(
        name: Name,
        index: u32,
        property: &PropertyType,
        names: TagNames,
        file: u32,
        value: Value,
    ) -> Option<Self> {
        let tag = Tag::new(property, index, names, file)?;
        Some(Self { name, tag, value, size: 0 })
    }

    /// Its name.
    pub fn name(&self) -> Name {
        self.name
    }

    /// Element of a static array; 0 for a single value.
    pub fn array_index(&self) -> u32 {
        self.tag.index
    }

    /// The type as its tag tells it, without what the class declares; `context` is that of the package.
    pub fn tag_type(
        &self,
        context: &crate::archive::Context,
        versions: &crate::Versions,
    ) -> Option<PropertyType> {
        self.tag.property_type(versions.file, context)
    }

    /// Bytes of the value as they were stored.
    pub fn stored_size(&self) -> u32 {
        self.size
    }

    /// The name of the struct, for structs.
    pub fn struct_name(&self) -> Option<Name> {
        self.tag.struct_name
    }

    /// The name of the enum, for bytes of UE3.
    pub fn enum_name(&self) -> Option<Name> {
        self.tag.enum_name
    }

    /// Its value.
    pub fn value(&self) -> &Value {
        &self.value
    }

    /// Its value, to be changed; the new one must be of the same type.
    pub fn value_mut(&mut self) -> &mut Value {
        &mut self.value
    }
}

/// Properties up to a name that means "none"; the name is kept, since its index is the package's own.
///
/// Spec: ue1-3/05 §5.3, §5.4.
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
        for index in 0..self.properties.len() {
            let property = &mut self.properties[index];
            // Outside the property's own step: loading, nobody knows it before its name is read.
            in_field("property_name", ar, |ar| property.name.serialize(ar))?;
            in_step(ar, property.name, index, |ar| {
                let Property { tag, value, .. } = property;
                if let Value::Bool(flag) = value {
                    // The tag stores it.
                    tag.boolean = Some(*flag);
                }
                ar.prefixed(
                    |ar, size| {
                        let bits = 32;
                        let mut size = u32::try_from(size).map_err(|_| {
                            ar.error(ErrorKind::OutOfRange { value: size.into(), bits })
                        })?;
                        in_field("tag", ar, |ar| tag.serialize(&mut size, ar))
                    },
                    |ar| value.serialize(ar),
                )
            })?;
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
        self.properties.clear();
        loop {
            let mut property = Property::default();
            in_field("property_name", ar, |ar| property.name.serialize(ar))?;
            if ar.context().is_none(&property.name) {
                self.terminator = property.name;
                return Ok(());
            }
            ar.claim(1, size_of::<Property>())?;
            let index = self.properties.len();
            in_step(ar, property.name, index, |ar| {
                let Property { tag, size, .. } = &mut property;
                in_field("tag", ar, |ar| tag.serialize(size, ar))?;
                property.load_value(scope, ar)
            })?;
            self.properties.push(property);
        }
    }
}

impl Property {
    fn load_value<A: Archive + ?Sized>(&mut self, scope: Option<&str>, ar: &mut A) -> Result<()> {
        let size = u64::from(self.size);
        if let Some(flag) = self.tag.boolean {
            self.value = Value::Bool(flag);
            if size == 0 {
                return Ok(());
            }
        } else if let Some(property) = self.declared_type(scope, ar.versions().file, ar.context()) {
            // Where a declaration does not fit, an array may still describe itself.
            let second = matches!(&property, PropertyType::Array(Some(element))
                if !matches!(**element, PropertyType::Struct(_)));
            let second = second.then_some(PropertyType::Array(None));
            for property in std::iter::once(property).chain(second) {
                let mut value = Value::default();
                let loaded = ar.part(size, &mut |ar| {
                    value = Value::load(&property, size, ar)?;
                    Ok(())
                });
                if loaded.is_ok() {
                    self.value = value;
                    return Ok(());
                }
            }
        }
        // Of unknown type, or in a form that the type does not have: kept as it is.
        let mut span = Span::default();
        ar.serialize_span(&mut span, size, Kind::Opaque)?;
        self.value = Value::Opaque(span);
        Ok(())
    }

    /// The type as the tag tells it, completed by what the class declares.
    pub(crate) fn declared_type(
        &self,
        scope: Option<&str>,
        file: u32,
        context: &Context,
    ) -> Option<PropertyType> {
        let told = self.tag.property_type(file, context)?;
        Some(match told {
            PropertyType::Struct(name) if name.is_empty() => {
                PropertyType::Struct(context.name_text(&self.tag.struct_name?)?.into())
            }
            PropertyType::Array(_) | PropertyType::Map(_) => {
                let declared = context
                    .name_text(&self.name)
                    .and_then(|name| context.layouts().property_in(scope, &name, &told).cloned());
                match (&told, declared) {
                    (PropertyType::Array(_), Some(found @ PropertyType::Array(_))) => found,
                    (PropertyType::Map(_), Some(found @ PropertyType::Map(_))) => found,
                    _ => told,
                }
            }
            told => told,
        })
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
