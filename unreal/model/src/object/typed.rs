//! Objects whose properties are fields of Rust structs.

use super::body::{Body, Shape};
use crate::archive::Context;
use crate::error::Result;
use crate::property::{Mirror, Mirrored, PropertyList};
use crate::{Archive, ArchiveExt, Archived, Versions};

/// The whole body of an object, its properties as fields of a struct: of a class of UE1 and UE2 its
/// defaults.
///
/// The parts around the properties — state frame, prefix of components, index on the net, what
/// the class adds — is kept as it was loaded.
#[derive(Debug, Clone, Default)]
pub struct TypedBody<T> {
    /// The properties.
    pub properties: Mirrored<T>,
    /// Everything else; its own list is empty.
    body: Body,
}

/// An object that `upk headers --rust` has written a struct for.
pub trait TypedObject: Archived {
    /// Its properties.
    type Properties: Mirror;

    /// The object with this body.
    fn new(body: TypedBody<Self::Properties>) -> Self;

    /// Its body.
    fn body(&self) -> &TypedBody<Self::Properties>;
}

impl<T: Mirror> TypedBody<T> {
    /// A body of this shape, to be loaded.
    pub fn blank(shape: Shape) -> Self {
        Self { properties: Mirrored::default(), body: Body::blank(shape) }
    }

    /// A body that was loaded; `None` when it has no properties.
    #[doc(hidden)]
    pub fn of(mut body: Body, context: &Context, versions: &Versions) -> Option<Self> {
        let list = taken(&mut body)?;
        Some(Self { properties: Mirrored::new(list, context, versions), body })
    }

    /// Stores the properties as the fields say them in a body of the same object.
    ///
    /// # Errors
    /// `Invalid` for a field that is set and not stored, and for a value that can't be stored in its form.
    #[doc(hidden)]
    pub fn store(&self, body: &mut Body, context: &Context, versions: &Versions) -> Result<()> {
        put(body, self.properties.clone().merged(context, versions)?);
        Ok(())
    }

    /// The parts around the properties.
    pub fn around(&self) -> &Body {
        &self.body
    }
}

/// Takes the properties out of a body.
fn taken(body: &mut Body) -> Option<PropertyList> {
    body.lists_mut().next().map(std::mem::take)
}

/// Puts them back.
fn put(body: &mut Body, properties: PropertyList) {
    if let Some(held) = body.lists_mut().next() {
        *held = properties;
    }
}

impl<T: Mirror> Archived for TypedBody<T> {
    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        if ar.is_loading() {
            self.body.serialize(ar)?;
            let list = taken(&mut self.body).unwrap_or_default();
            self.properties = Mirrored::new(list, ar.context(), ar.versions());
            return Ok(());
        }
        put(&mut self.body, self.properties.merged(ar.context(), ar.versions())?);
        let result = self.body.serialize(ar);
        let list = taken(&mut self.body).unwrap_or_default();
        result?;
        if !ar.is_saving() {
            self.properties.visited(list, ar.context(), ar.versions());
        }
        Ok(())
    }
}
