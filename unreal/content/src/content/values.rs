//! Values of properties by name.

use crate::package::Package;
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
