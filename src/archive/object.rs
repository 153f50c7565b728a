//! Values whose type is chosen at run time.

use std::any::Any;
use std::fmt;

use super::{Archive, Archived};
use crate::error::Result;

/// A value whose type is chosen at run time; every [`Archived`] value that clones and prints is one.
pub trait Object: Any + fmt::Debug + Send + Sync {
    /// [`Archived::serialize`] through a pointer.
    ///
    /// # Errors
    /// Whatever the archive reports.
    fn serialize_dyn(&mut self, ar: &mut dyn Archive) -> Result<()>;

    /// A copy behind a new pointer.
    fn clone_object(&self) -> Box<dyn Object>;
}

impl<T: Archived + Any + fmt::Debug + Send + Sync + Clone> Object for T {
    fn serialize_dyn(&mut self, ar: &mut dyn Archive) -> Result<()> {
        self.serialize(ar)
    }

    fn clone_object(&self) -> Box<dyn Object> {
        Box::new(self.clone())
    }
}

impl Clone for Box<dyn Object> {
    fn clone(&self) -> Self {
        (**self).clone_object()
    }
}

impl dyn Object {
    /// The value as a `T`, if it is one.
    pub fn downcast_ref<T: Object>(&self) -> Option<&T> {
        (self as &dyn Any).downcast_ref()
    }

    /// The value as a `T`, if it is one.
    pub fn downcast_mut<T: Object>(&mut self) -> Option<&mut T> {
        (self as &mut dyn Any).downcast_mut()
    }
}
