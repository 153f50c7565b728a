//! Values whose type is chosen at run time.

use std::any::Any;
use std::fmt;

use super::{Archive, Archived};
use crate::error::Result;

/// A value whose type is chosen at run time; every [`Archived`] value that clones and prints is one.
pub trait Object: Any + Send + Sync {
    /// [`Archived::serialize`] through a pointer.
    ///
    /// # Errors
    /// Whatever the archive reports.
    fn serialize_dyn(&mut self, ar: &mut dyn Archive) -> Result<()>;

    /// A copy behind a new pointer.
    fn clone_object(&self) -> Box<dyn Object>;

    /// What `{:?}` says of it: its values, or in a build without debug assertions the name of its type.
    ///
    /// # Errors
    /// Those of the formatter.
    fn debug_object(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result;
}

impl<T: Archived + Any + fmt::Debug + Send + Sync + Clone> Object for T {
    fn serialize_dyn(&mut self, ar: &mut dyn Archive) -> Result<()> {
        self.serialize(ar)
    }

    fn clone_object(&self) -> Box<dyn Object> {
        Box::new(self.clone())
    }

    // Each type's own words would be in every program, since any of them may be behind a pointer: of `upk` they were
    // some two million bytes, of which it never prints one.
    fn debug_object(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        #[cfg(any(debug_assertions, feature = "testing"))]
        return fmt::Debug::fmt(self, f);
        #[cfg(not(any(debug_assertions, feature = "testing")))]
        f.write_str(std::any::type_name::<T>())
    }
}

impl fmt::Debug for dyn Object {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.debug_object(f)
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
