//! The GUID of the package.

use crate::edit::Edit;
use crate::error::{ErrorKind, Result};
use crate::primitive::Guid;
use crate::version::threshold::ue5;
use crate::version::{EngineFacts, UnrealVersions, threshold};

impl Edit {
    /// Replaces the GUID.
    ///
    /// # Errors
    /// `NotInVersion` below file version 42 and from UE5 1016, where packages have none.
    pub fn set_guid(&mut self, guid: Guid) -> Result<()> {
        if self.versions().ue5() >= ue5::PACKAGE_SAVED_HASH {
            return Err(crate::Error::from(ErrorKind::NotInVersion).in_field("guid"));
        }
        if self.versions().file() >= threshold::HERITAGE_REMOVED {
            self.tables_mut().summary.guid = guid;
            return Ok(());
        }
        let has_guid = self.versions().file() >= threshold::HERITAGE_GUID_ADDED;
        match self.tables_mut().heritage.last_mut() {
            Some(last) if has_guid => {
                *last = guid;
                Ok(())
            }
            _ => Err(crate::Error::from(ErrorKind::NotInVersion).in_field("guid")),
        }
    }

    /// Makes it a package of its own: a new GUID, and in UE1 to UE3 one generation, that of the rows that
    /// there are. No reader takes it for the package that it was made from.
    ///
    /// # Errors
    /// As [`Edit::set_guid`].
    pub fn renew_identity(&mut self) -> Result<Guid> {
        if !self.versions().has_generations() {
            return self.renew_guid();
        }
        if self.versions().file() < threshold::HERITAGE_GUID_ADDED {
            return Err(crate::Error::from(ErrorKind::NotInVersion).in_field("guid"));
        }
        let guid = Guid::random();
        let newest = self.tables().summary.generations.last().copied().unwrap_or_default();
        self.set_history(vec![guid], vec![newest]);
        self.sync_counts()?;
        Ok(guid)
    }

    /// Draws a new GUID.
    ///
    /// # Errors
    /// As [`Edit::set_guid`].
    pub fn renew_guid(&mut self) -> Result<Guid> {
        let guid = Guid::random();
        self.set_guid(guid)?;
        Ok(guid)
    }
}
