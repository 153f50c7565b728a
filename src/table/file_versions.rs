//! The version numbers at the start of UE4 and UE5 packages.

use super::CustomVersions;
use crate::archive::in_field;
use crate::error::ErrorKind;
use crate::version::threshold::{ue4, ue5};
use crate::version::{Game, Versions};
use crate::{Archive, ArchiveExt, Archived, Result};

/// The last form of the header that is known.
const NEWEST_LEGACY: i32 = -9;
/// The newest object versions whose header is known.
const NEWEST: (u32, u32) = (ue4::CORRECT_LICENSEE_FLAG, ue5::IMPORT_TYPE_HIERARCHIES);

/// The versions of a UE4 or UE5 package; loading them tells the archive, and refuses what is newer than
/// what is known.
///
/// | order | type | field | versions |
/// |---|---|---|---|
/// | 1 | i32 | legacy file version, -2 to -9 | |
/// | 2 | i32 | UE3 version, 864 or 0 | not in legacy version -4 |
/// | 3 | i32 | UE4 object version | |
/// | 4 | i32 | UE5 object version | from legacy version -8 |
/// | 5 | i32 | licensee version | |
///
/// All zero in cooked packages: then the versions that the archive knows already count.
/// Spec: ue4-5/02 §2, §3, §5.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct FileVersions {
    /// Form of the header. C++: `LegacyFileVersion`.
    pub legacy_file_version: i32,
    /// What readers of UE3 see. C++: `LegacyUE3Version`.
    pub legacy_ue3_version: i32,
    /// C++: `FileVersionUE4`.
    pub ue4: i32,
    /// C++: `FileVersionUE5`.
    pub ue5: i32,
    /// C++: `FileVersionLicenseeUE`.
    pub licensee: i32,
}

impl FileVersions {
    /// Whether the package does not say its versions.
    pub fn is_unversioned(&self) -> bool {
        (self.ue4 | self.ue5 | self.licensee) == 0
    }

    /// The versions of a package that is made anew.
    pub fn new(versions: &Versions, legacy_file_version: i32) -> Self {
        Self {
            legacy_file_version,
            legacy_ue3_version: match legacy_file_version {
                -4 => 0,
                _ => Versions::LEGACY_UE3 as i32,
            },
            ue4: versions.ue4 as i32,
            ue5: versions.ue5 as i32,
            licensee: versions.licensee as i32,
        }
    }

    /// Which form the list of custom versions has.
    pub fn custom_version_form(&self) -> CustomVersions {
        match self.legacy_file_version {
            -1.. => CustomVersions::Absent,
            -2 => CustomVersions::Tagged(Vec::new()),
            -5..=-3 => CustomVersions::Named(Vec::new()),
            _ => CustomVersions::Plain(Vec::new()),
        }
    }

    fn tell<A: Archive + ?Sized>(&self, ar: &mut A) -> Result<()> {
        let mut versions = ar.versions().clone();
        let unsupported = |ar: &A, reason: String| ar.error(ErrorKind::Unsupported { reason });
        if !(NEWEST_LEGACY..0).contains(&self.legacy_file_version) {
            let form = self.legacy_file_version;
            return Err(unsupported(ar, format!("a header of form {form}, newer than UE5.8")));
        }
        if self.is_unversioned() {
            if !versions.is_modern() {
                let reason = "the package has no versions: say its engine release (--engine 5.4)";
                return Err(unsupported(ar, reason.to_owned()));
            }
            return Ok(());
        }
        let number = |stored: i32| u32::try_from(stored).unwrap_or(u32::MAX);
        let stored = (number(self.ue4), number(self.ue5));
        if stored.0 > NEWEST.0 || stored.1 > NEWEST.1 {
            let (ue4, ue5) = stored;
            let reason = format!("object versions {ue4} and {ue5}, newer than UE5.8");
            return Err(unsupported(ar, reason));
        }
        if stored.0 < ue4::OLDEST_LOADABLE_PACKAGE || (stored.1 > 0 && stored.1 < 1000) {
            let reason = format!("UE4 object version {}, older than any release", stored.0);
            return Err(unsupported(ar, reason));
        }
        (versions.ue4, versions.ue5) = stored;
        versions.file = Versions::LEGACY_UE3;
        versions.licensee = self.licensee as u32;
        versions.custom_versions = None;
        if versions.game == Game::Detect {
            versions.game = Game::Mainline;
        }
        ar.set_versions(versions);
        Ok(())
    }
}

impl Archived for FileVersions {
    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        let legacy = &mut self.legacy_file_version;
        in_field("legacy_file_version", ar, |ar| ar.serialize_i32(legacy))?;
        let legacy = *legacy;
        let mut field = |name, value: &mut i32, present: bool| match present {
            true => in_field(name, ar, |ar| ar.serialize_i32(value)),
            false => crate::archive::private::absent(value, ar, name),
        };
        field("legacy_ue3_version", &mut self.legacy_ue3_version, legacy != -4)?;
        field("ue4", &mut self.ue4, true)?;
        field("ue5", &mut self.ue5, legacy <= -8)?;
        field("licensee", &mut self.licensee, true)?;
        if ar.is_loading() { self.tell(ar) } else { Ok(()) }
    }
}
