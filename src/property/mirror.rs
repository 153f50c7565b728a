//! Properties as fields of Rust structs, which `upk headers --rust` writes.

mod field_slot;
mod stored_list;
mod structure;
mod value;

use std::fmt;
use std::sync::Arc;

pub use field_slot::{AssignedValue, FieldSlot};
pub use value::{DelegateValue, EnumValue, MirrorValue, Pairs};

use self::stored_list::StoredList;
use super::{Mappings, Properties};
use crate::archive::Context;
use crate::error::{ErrorKind, Result};
use crate::{Archive, ArchiveExt, Archived, Versions};

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
/// are left out. A property that was not stored can't be added here; in a list without tags, zeros are stored.
#[derive(Debug, Clone, Default)]
pub struct Mirrored<T> {
    /// The properties of the class.
    pub fields: T,
    list: Properties,
    /// The field of each stored property; `None` for what is no property of the class or of another type.
    places: Vec<Option<usize>>,
    /// What the list was loaded with: it says what zeros are that have no bytes.
    mappings: Option<Arc<Mappings>>,
}

impl<T: PartialEq> PartialEq for Mirrored<T> {
    fn eq(&self, other: &Self) -> bool {
        self.fields == other.fields && self.list == other.list && self.places == other.places
    }
}

/// Loading takes a list with tags: the class of one without is not known here.
impl<T: Mirror> Archived for Mirrored<T> {
    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        if ar.is_loading() {
            let mut list = Properties::default();
            list.serialize(ar)?;
            *self = Self::new(list, ar.context(), ar.versions());
            return Ok(());
        }
        let mut list = self.merged(ar.context(), ar.versions())?;
        list.serialize(ar)?;
        if !ar.is_saving() {
            self.visited(list, ar.context(), ar.versions());
        }
        Ok(())
    }
}

impl<T: Mirror> Mirrored<T> {
    /// The properties of a list; the context knows its names.
    pub(crate) fn new(list: Properties, context: &Context, versions: &Versions) -> Self {
        let places = places(&list, T::NAMES, context);
        let mappings = context.mappings().cloned();
        let mut mirrored = Self { fields: T::default(), list, places, mappings };
        mirrored.refresh(context, versions);
        mirrored
    }

    /// How many of the stored properties are fields, and how many are not: they stay as they are.
    pub fn counts(&self) -> (usize, usize) {
        let fields = self.places.iter().flatten().count();
        (fields, self.places.len() - fields)
    }

    /// Takes the list over that a visitor may have renumbered.
    pub(crate) fn visited(&mut self, list: Properties, context: &Context, versions: &Versions) {
        (self.list, self.fields) = (list, T::default());
        self.refresh(context, versions);
    }

    /// The same context with what says of zeros without bytes which form they have.
    fn context(&self, context: &Context, versions: &Versions) -> Context {
        let mappings = context.mappings().or(self.mappings.as_ref()).cloned();
        context.clone().with_mappings(mappings).with(versions.clone())
    }

    /// Fills the fields from the list.
    fn refresh(&mut self, context: &Context, versions: &Versions) {
        let context = self.context(context, versions);
        take_list(&mut self.fields, &self.list, &mut self.places, &context);
    }

    /// The list as the fields say it.
    ///
    /// # Errors
    /// `Invalid` for a field that is set and not stored, and for a value that can't be stored in its form.
    pub(crate) fn merged(&mut self, context: &Context, versions: &Versions) -> Result<Properties> {
        let context = self.context(context, versions);
        merge(&mut self.fields, &self.list, &self.places, &context)
            .map_err(|reason| ErrorKind::Invalid { reason }.into())
    }
}

/// The number of the name that each property of a list has.
fn places<L: StoredList>(list: &L, names: &[&str], context: &Context) -> Vec<Option<usize>> {
    let known = |at: usize| {
        let (text, _) = list.name(at, context)?;
        names.iter().position(|known| known.eq_ignore_ascii_case(&text))
    };
    (0..list.count()).map(known).collect()
}

/// Fills fields from a list; places of what they can't hold are forgotten.
fn take_list<T: Mirror, L: StoredList>(
    fields: &mut T,
    list: &L,
    places: &mut [Option<usize>],
    context: &Context,
) {
    let mut slots = fields.slots();
    for (at, place) in places.iter_mut().enumerate() {
        let slot = place.and_then(|place| slots.get_mut(place));
        let taken = slot.is_some_and(|slot| {
            let (name, value) = (list.name(at, context), list.value(at, context));
            name.zip(value).is_some_and(|((_, index), value)| slot.take(index, &value, context))
        });
        if !taken {
            *place = None;
        }
    }
}

/// A list with what the fields say in place of what is stored; or why that can't be.
fn merge<T: Mirror, L: StoredList>(
    fields: &mut T,
    stored: &L,
    places: &[Option<usize>],
    context: &Context,
) -> std::result::Result<L, String> {
    let slots = fields.slots();
    let mut counts = vec![0; slots.len()];
    let mut list = stored.clone();
    // From behind, so that what goes moves nothing that is still to come.
    for (at, place) in places.iter().enumerate().rev() {
        let Some((place, slot)) = place.and_then(|at| Some((at, slots.get(at)?))) else { continue };
        let held = stored.name(at, context).zip(stored.value(at, context));
        let Some(((_, index), value)) = held else { continue };
        match slot.put(index, &value, context) {
            AssignedValue::Same => {}
            AssignedValue::Changed(value) => list.set(at, value),
            AssignedValue::Gone => {
                list.remove(at);
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
