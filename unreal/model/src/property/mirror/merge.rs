//! From lists of properties to fields, and back into the lists.

use std::borrow::Cow;

use super::{AssignedValue, Mirror};
use crate::Versions;
use crate::archive::Context;
use crate::error::{ErrorKind, Result, noun};
use crate::primitive::{Name, NameContext};
use crate::property::{Naming, PackageContext, Place, Property, PropertyList, Value};

/// The number of the name that each property of a list has.
pub(super) fn places(list: &PropertyList, names: &[&str], context: &Context) -> Vec<Option<usize>> {
    let known = |property: &Property| {
        let text = property.name_text(|name| context.name_text(&name).unwrap_or_default());
        names.iter().position(|known| known.eq_ignore_ascii_case(&text))
    };
    list.properties.iter().map(known).collect()
}

/// Fills fields from a list; places of what they can't hold are forgotten.
pub(super) fn take_list<T: Mirror>(
    fields: &mut T,
    list: &PropertyList,
    places: &mut [Option<usize>],
    context: &Context,
) {
    let mut slots = fields.slots();
    for (property, place) in list.properties.iter().zip(places) {
        let slot = place.and_then(|place| slots.get_mut(place));
        let taken = slot.is_some_and(|slot| {
            let value = stored_value(list, property, context);
            value.is_some_and(|value| slot.take(property.array_index() as u32, &value, context))
        });
        if !taken {
            *place = None;
        }
    }
}

/// A list with what the fields say in place of what is stored; or why that can't be.
pub(super) fn merge<T: Mirror>(
    fields: &mut T,
    stored: &PropertyList,
    places: &[Option<usize>],
    context: &Context,
) -> std::result::Result<PropertyList, String> {
    let slots = fields.slots();
    let mut counts = vec![0; slots.len()];
    let mut list = stored.clone();
    // From behind, so that what goes moves nothing that is still to come.
    for (at, (property, place)) in stored.properties.iter().zip(places).enumerate().rev() {
        let Some((place, slot)) = place.and_then(|at| Some((at, slots.get(at)?))) else { continue };
        let Some(value) = stored_value(stored, property, context) else { continue };
        match slot.put(property.array_index() as u32, &value, context) {
            AssignedValue::Same => {}
            AssignedValue::Changed(value) => *list.properties[at].value_mut() = value,
            AssignedValue::Gone => {
                list.properties.remove(at);
                continue;
            }
            AssignedValue::Unfit => {
                let name = T::NAMES.get(place).copied().unwrap_or_default();
                return Err(format!("the new value of {name} can't be stored in its form"));
            }
        }
        counts[place] += 1;
    }
    for ((slot, stored), name) in slots.iter().zip(counts).zip(T::NAMES) {
        if slot.count() > stored {
            return Err(format!("the object stores no property {name}, so it can't be changed"));
        }
    }
    Ok(list)
}

/// The value of a property; of one that is zero and not stored what stands for zero.
fn stored_value<'a>(
    list: &PropertyList,
    property: &'a Property,
    context: &Context,
) -> Option<Cow<'a, Value>> {
    if !matches!(property.value(), Value::Zero) {
        return Some(Cow::Borrowed(property.value()));
    }
    let (mappings, versions) = (context.mappings().map(AsRef::as_ref), context.get::<Versions>()?);
    let known = list.schema_type(property, mappings)?;
    let zero = Value::zero_struct(&known, mappings, versions).or_else(|| {
        Value::blank(&known, Place::Property, &mut ZeroNaming { context, versions }).ok()
    });
    zero.map(Cow::Owned)
}

/// The naming that zeros are made with: nothing is added to the package.
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
        none.ok_or_else(|| ErrorKind::NotFound { what: noun::NAME, name, hint }.into())
    }

    fn soft_path(&mut self, text: &str) -> Result<Value> {
        let (name, hint) = (text.to_owned(), String::new());
        Err(ErrorKind::NotFound { what: noun::SOFT_PATH, name, hint }.into())
    }
}
