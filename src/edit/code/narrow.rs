//! Places that are stored in two bytes.

use crate::error::{Error, Result};

/// A place that is stored in two bytes, of which the largest number means none.
pub(super) fn narrow(place: u64) -> Result<u16> {
    u16::try_from(place).ok().filter(|place| *place != u16::MAX).ok_or_else(|| {
        Error::invalid(format!("the code would reach place {place:#x}, which two bytes can't say"))
    })
}
