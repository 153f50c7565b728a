//! Properties as fields of Rust structs, which `upk headers --rust` writes.

mod field_slot;
mod structure;
mod value;

use std::fmt;

pub use field_slot::{AssignedValue, FieldSlot};
pub use value::{DelegateValue, EnumValue, MirrorValue, Pairs};

use super::PropertyList;
use crate::archive::Context;
use crate::error::{ErrorKind, Result};
use crate::{Archive, ArchiveExt, Archived};

/// A struct whose fields are the properties of a class, or the fields of a struct.
pub trait Mirror: Default + Clone + PartialEq + fmt::Debug {
    /// The names of the properties, in the order of [`Mirror::slots`].
    const NAMES: &'static [&'static str];

    /// Elements of each property: 1 for a single value, more for a static array.
    const DIMENSIONS: &'static [u32];

    /// The fields.
    fn slots(&mut self) -> Vec<&mut dyn FieldSlot>;
}

/// Properties as they are stored, with those of a class as fields of a struct.
///
/// What was loaded keeps its order and form; fields that were changed are saved in their place, emptied ones
/// are left out. A property that was not stored can't be added here.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Mirrored<T> {
    /// The properties of the class.
    pub fields: T,
    list: PropertyList,
    /// The field of each stored property; `None` for what is no property of the class or of another type.
    places: Vec<Option<usize>>,
}

impl<T: Mirror> Archived for Mirrored<T> {
    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        if ar.is_loading() {
            let mut list = PropertyList::default();
            list.serialize(ar)?;
            *self = Self::new(list, ar.context());
            return Ok(());
        }
        let mut list = self.merged(ar.context())?;
        list.serialize(ar)?;
        if !ar.is_saving() {
            self.visited(list, ar.context());
        }
        Ok(())
    }
}

impl<T: Mirror> Mirrored<T> {
    /// The properties of a list; the context knows its names.
    pub(crate) fn new(list: PropertyList, context: &Context) -> Self {
        let places = places(&list, T::NAMES, context);
        let mut mirrored = Self { fields: T::default(), list, places };
        mirrored.refresh(context);
        mirrored
    }

    /// How many of the stored properties are fields, and how many are not: they stay as they are.
    pub fn counts(&self) -> (usize, usize) {
        let fields = self.places.iter().flatten().count();
        (fields, self.places.len() - fields)
    }

    /// Takes the list over that a visitor may have renumbered.
    pub(crate) fn visited(&mut self, list: PropertyList, context: &Context) {
        (self.list, self.fields) = (list, T::default());
        self.refresh(context);
    }

    /// Fills the fields from the list.
    fn refresh(&mut self, context: &Context) {
        take_list(&mut self.fields, &self.list, &mut self.places, context);
    }

    /// The list as the fields say it.
    ///
    /// # Errors
    /// `Invalid` for a field that is set and not stored, and for a value that can't be stored in its form.
    pub(crate) fn merged(&mut self, context: &Context) -> Result<PropertyList> {
        merge(&mut self.fields, &self.list, &self.places, context)
            .map_err(|reason| ErrorKind::Invalid { reason }.into())
    }
}

/// The number of the name that each property of a list has.
fn places(list: &PropertyList, names: &[&str], context: &Context) -> Vec<Option<usize>> {
    let known = |property: &super::Property| {
        let text = context.name_text(&property.name())?;
        names.iter().position(|known| known.eq_ignore_ascii_case(&text))
    };
    list.properties.iter().map(known).collect()
}

/// Fills fields from a list; places of what they can't hold are forgotten.
fn take_list<T: Mirror>(
    fields: &mut T,
    list: &PropertyList,
    places: &mut [Option<usize>],
    context: &Context,
) {
    let mut slots = fields.slots();
    for (property, place) in list.properties.iter().zip(places) {
        let slot = place.and_then(|place| slots.get_mut(place));
        let taken = slot.is_some_and(|slot| {
            slot.take(property.array_index() as u32, property.value(), context)
        });
        if !taken {
            *place = None;
        }
    }
}

/// A list with what the fields say in place of what is stored; or why that can't be.
fn merge<T: Mirror>(
    fields: &mut T,
    stored: &PropertyList,
    places: &[Option<usize>],
    context: &Context,
) -> std::result::Result<PropertyList, String> {
    let slots = fields.slots();
    let mut counts = vec![0; slots.len()];
    let mut list = PropertyList { properties: Vec::new(), terminator: stored.terminator };
    for (property, place) in stored.properties.iter().zip(places) {
        let mut property = property.clone();
        if let Some((place, slot)) = place.and_then(|at| Some((at, slots.get(at)?))) {
            match slot.put(property.array_index() as u32, property.value(), context) {
                AssignedValue::Same => {}
                AssignedValue::Changed(value) => *property.value_mut() = value,
                AssignedValue::Gone => continue,
                AssignedValue::Unfit => {
                    let name = T::NAMES.get(place).copied().unwrap_or_default();
                    return Err(format!("the new value of {name} can't be stored in its form"));
                }
            }
            counts[place] += 1;
        }
        list.properties.push(property);
    }
    for ((slot, stored), name) in slots.iter().zip(counts).zip(T::NAMES) {
        if slot.count() > stored {
            return Err(format!("the object stores no property {name}, so it can't be changed"));
        }
    }
    Ok(list)
}
