//! A list of properties with those of a class as fields of a struct.

use std::sync::Arc;

use super::class_fields::Mirror;
use super::merge::{merge, places, take_list};
use crate::archive::Context;
use crate::error::{ErrorKind, Result};
use crate::property::{Mappings, PackageContext, PropertyList};
use crate::{Archive, ArchiveExt, Archived, Versions};

/// Properties as they are stored, with those of a class as fields of a struct.
///
/// Loaded properties keep their order and form; fields that were changed are saved in their place, emptied ones
/// are left out. A property that was not stored can't be added here; in a list without tags, zeros are stored.
#[derive(Debug, Clone, Default)]
pub struct Mirrored<T> {
    /// The properties of the class.
    pub fields: T,
    list: PropertyList,
    /// The field of each stored property; `None` for what is no property of the class or of another type.
    places: Vec<Option<usize>>,
    /// The mappings that the list was loaded with: they give the zeros that have no bytes.
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
            let mut list = PropertyList::default();
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
    pub(crate) fn new(list: PropertyList, context: &Context, versions: &Versions) -> Self {
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
    pub(crate) fn visited(&mut self, list: PropertyList, context: &Context, versions: &Versions) {
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
    pub(crate) fn merged(
        &mut self,
        context: &Context,
        versions: &Versions,
    ) -> Result<PropertyList> {
        let context = self.context(context, versions);
        merge(&mut self.fields, &self.list, &self.places, &context)
            .map_err(|reason| ErrorKind::Invalid { reason }.into())
    }
}
