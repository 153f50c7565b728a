//! Files around an image that a room above makes: what they hold is more than bytes.

use std::any::Any;
use std::fmt;

use super::{ContainerForm, Rewrap};
use crate::archive::Record;
use crate::error::Result;

/// A form of files that needs the package to be made.
pub(crate) trait FileAround: fmt::Debug + Send + Sync {
    /// In which way the file is not the package itself.
    fn form(&self) -> ContainerForm;

    /// Bytes of the file that are fields of its own; the others stand in the image as well.
    fn typed(&self) -> u64;

    /// The fields of the file.
    ///
    /// # Errors
    /// None that opening did not report.
    fn fields(&self, file: &[u8]) -> Result<Vec<Record>>;

    /// The file around a saved image.
    ///
    /// # Errors
    /// A value that the file can't hold.
    fn rewrap(&self, new: &Rewrap<'_>) -> Result<Vec<u8>>;

    /// The type itself, for the room that has made it.
    fn as_any(&self) -> &dyn Any;
}
