//! The GUID of the package.

use crate::error::{ErrorKind, Result};
use crate::package::Package;
use crate::primitive::Guid;
use crate::version::threshold;
use crate::version::threshold::ue5;

impl Package {
    /// Replaces the GUID.
    ///
    /// # Errors
    /// `NotInVersion` below file version 42 and from UE5 1016, where packages have none.
    pub fn set_guid(&mut self, guid: Guid) -> Result<()> {
        if self.versions.ue5 >= ue5::PACKAGE_SAVED_HASH {
            return Err(crate::Error::from(ErrorKind::NotInVersion).in_field("guid"));
        }
        if self.versions.file >= threshold::HERITAGE_REMOVED {
            self.tables.summary.guid = guid;
            return Ok(());
        }
        match self.tables.heritage.last_mut() {
            Some(last) if self.versions.file >= threshold::HERITAGE_GUID_ADDED => {
                *last = guid;
                Ok(())
            }
            _ => Err(crate::Error::from(ErrorKind::NotInVersion).in_field("guid")),
        }
    }

    /// Draws a new GUID.
    ///
    /// # Errors
    /// As [`Package::set_guid`].
    pub fn renew_guid(&mut self) -> Result<Guid> {
        let guid = Guid::random();
        self.set_guid(guid)?;
        Ok(guid)
    }
}
