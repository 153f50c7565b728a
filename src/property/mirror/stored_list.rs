//! Lists of properties as mirrors see them: with tags or without.

use std::borrow::Cow;

use crate::Versions;
use crate::archive::Context;
use crate::error::{ErrorKind, Result};
use crate::primitive::Name;
use crate::property::unversioned::UnversionedList;
use crate::property::{Naming, Place, Properties, PropertyList, Value};

/// A list whose properties are fields of a struct.
pub(in crate::property) trait StoredList: Clone {
    /// How many properties there are.
    fn count(&self) -> usize;

    /// The name of a property and its element of a static array.
    fn name(&self, at: usize, context: &Context) -> Option<(Cow<'_, str>, u32)>;

    /// The value of a property; of one that is zero and not stored what stands for zero.
    fn value(&self, at: usize, context: &Context) -> Option<Cow<'_, Value>>;

    /// Stores another value.
    fn set(&mut self, at: usize, value: Value);

    /// Takes a property out.
    fn remove(&mut self, at: usize);
}

impl StoredList for PropertyList {
    fn count(&self) -> usize {
        self.properties.len()
    }

    fn name(&self, at: usize, context: &Context) -> Option<(Cow<'_, str>, u32)> {
        let property = self.properties.get(at)?;
        Some((context.name_text(&property.name())?.into(), property.array_index() as u32))
    }

    fn value(&self, at: usize, _: &Context) -> Option<Cow<'_, Value>> {
        self.properties.get(at).map(|property| Cow::Borrowed(property.value()))
    }

    fn set(&mut self, at: usize, value: Value) {
        if let Some(property) = self.properties.get_mut(at) {
            *property.value_mut() = value;
        }
    }

    fn remove(&mut self, at: usize) {
        self.properties.remove(at);
    }
}

impl StoredList for UnversionedList {
    fn count(&self) -> usize {
        self.properties.len()
    }

    fn name(&self, at: usize, _: &Context) -> Option<(Cow<'_, str>, u32)> {
        let property = self.properties.get(at)?;
        Some((property.name().into(), property.array_index().into()))
    }

    fn value(&self, at: usize, context: &Context) -> Option<Cow<'_, Value>> {
        let property = self.properties.get(at)?;
        if let Some(value) = &property.value {
            return Some(Cow::Borrowed(value));
        }
        let (mappings, versions) = (context.mappings()?, context.get::<Versions>()?);
        if let Some(zero) = self.zero(property.slot(), mappings, versions) {
            return Some(Cow::Owned(zero));
        }
        let (known, _) = mappings.property_type(self.class(), property.name())?;
        let mut naming = ZeroNaming { context, versions };
        Value::blank(&known, Place::Property, &mut naming).ok().map(Cow::Owned)
    }

    fn set(&mut self, at: usize, value: Value) {
        if let Some(property) = self.properties.get_mut(at) {
            property.value = Some(value);
        }
    }

    fn remove(&mut self, at: usize) {
        self.properties.remove(at);
    }
}

impl StoredList for Properties {
    fn count(&self) -> usize {
        match self {
            Self::Tagged(list) => list.count(),
            Self::Unversioned(list) => list.count(),
        }
    }

    fn name(&self, at: usize, context: &Context) -> Option<(Cow<'_, str>, u32)> {
        match self {
            Self::Tagged(list) => StoredList::name(list, at, context),
            Self::Unversioned(list) => StoredList::name(list, at, context),
        }
    }

    fn value(&self, at: usize, context: &Context) -> Option<Cow<'_, Value>> {
        match self {
            Self::Tagged(list) => StoredList::value(list, at, context),
            Self::Unversioned(list) => StoredList::value(list, at, context),
        }
    }

    fn set(&mut self, at: usize, value: Value) {
        match self {
            Self::Tagged(list) => list.set(at, value),
            Self::Unversioned(list) => list.set(at, value),
        }
    }

    fn remove(&mut self, at: usize) {
        match self {
            Self::Tagged(list) => list.remove(at),
            Self::Unversioned(list) => list.remove(at),
        }
    }
}

/// What zeros are made of: nothing is added to the package.
struct ZeroNaming<'a> {
    context: &'a Context,
    versions: &'a Versions,
}

impl Naming for ZeroNaming<'_> {
    fn versions(&self) -> &Versions {
        self.versions
    }

    fn name(&mut self, text: &str) -> Result<Name> {
        let none = self.context.none().filter(|_| text.eq_ignore_ascii_case("None"));
        let (name, hint) = (text.to_owned(), String::new());
        none.ok_or_else(|| ErrorKind::NotFound { what: "name", name, hint }.into())
    }

    fn soft_path(&mut self, text: &str) -> Result<Value> {
        let (name, hint) = (text.to_owned(), String::new());
        Err(ErrorKind::NotFound { what: "soft path", name, hint }.into())
    }
}
