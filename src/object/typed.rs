//! Objects whose properties are fields of Rust structs.

use super::body::{Body, Native, Shape};
use super::prologue::Properties;
use super::script_object::ScriptObject;
use crate::archive::Context;
use crate::error::Result;
use crate::property::{Mirror, Mirrored, PropertyList};
use crate::{Archive, ArchiveExt, Archived};

/// The whole body of an object, its properties as fields of a struct: of a class of UE1 and UE2 its
/// defaults. Properties without tags stay among what stands around.
///
/// What stands around the properties — state frame, what components begin with, index on the net, what
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
    pub(crate) fn of(mut body: Body, context: &Context) -> Option<Self> {
        let list = std::mem::take(list_of(&mut body)?);
        Some(Self { properties: Mirrored::new(list, context), body })
    }

    /// The properties as the fields say them.
    ///
    /// # Errors
    /// `Invalid` for a field that is set and not stored, and for a value that can't be stored in its form.
    pub(crate) fn list(&self, context: &Context) -> Result<PropertyList> {
        self.properties.clone().merged(context)
    }

    /// What stands around the properties.
    pub fn around(&self) -> &Body {
        &self.body
    }
}

/// The properties of an object, or the defaults of a class.
fn list_of(body: &mut Body) -> Option<&mut PropertyList> {
    if body.properties.is_some() {
        return body.properties.as_mut();
    }
    if let Some(prologue) = &mut body.prologue {
        return match &mut prologue.properties {
            Properties::Tagged(list) => Some(list),
            Properties::Unversioned(_) => None,
        };
    }
    match &mut body.native {
        Native::Script(object) => match &mut **object {
            ScriptObject::Class(class) => Some(&mut class.defaults),
            _ => None,
        },
        _ => None,
    }
}

impl<T: Mirror> Archived for TypedBody<T> {
    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        if ar.is_loading() {
            self.body.serialize(ar)?;
            let list = list_of(&mut self.body).map(std::mem::take).unwrap_or_default();
            self.properties = Mirrored::new(list, ar.context());
            return Ok(());
        }
        let merged = self.properties.merged(ar.context())?;
        if let Some(list) = list_of(&mut self.body) {
            *list = merged;
        }
        let result = self.body.serialize(ar);
        let list = list_of(&mut self.body).map(std::mem::take).unwrap_or_default();
        result?;
        if !ar.is_saving() {
            self.properties.visited(list, ar.context());
        }
        Ok(())
    }
}
