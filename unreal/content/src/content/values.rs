//! Values of properties by name.

use crate::archive::Object;
use crate::error::{Error, Result};
use crate::object::Body;
use crate::package::Package;
use crate::package::decode::native_as_mut;
use crate::property::{Property, PropertyList, Value};

/// The first value of the property of this name.
pub(super) fn value<'a>(
    package: &Package,
    list: &'a PropertyList,
    name: &str,
) -> Option<&'a Value> {
    let is = |property: &&Property| {
        property.array_index() == 0
            && property.name_text(|name| package.name_text(name)).eq_ignore_ascii_case(name)
    };
    list.properties.iter().find(is).map(Property::value)
}

/// Gives a property that is there another value of the same type.
pub(super) fn set_value(package: &Package, list: &mut PropertyList, name: &str, new: Value) {
    let is = |property: &&mut Property| {
        property.array_index() == 0
            && property.name_text(|name| package.name_text(name)).eq_ignore_ascii_case(name)
    };
    if let Some(property) = list.properties.iter_mut().find(is)
        && std::mem::discriminant(property.value()) == std::mem::discriminant(&new)
    {
        *property.value_mut() = new;
    }
}

/// The data of a body that is changed as the type it was found to be. It would be another one where what says how bodies
/// are read has changed under it, and a change that is passed over then would leave half of itself behind.
pub(super) fn typed_mut<T: Object>(body: &mut Body) -> Result<&mut T> {
    native_as_mut(body).ok_or_else(|| Error::invalid("its body is read as something else now"))
}
