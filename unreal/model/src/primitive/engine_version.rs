//! The engine version that a package was saved by.

use super::FString;
use crate::Archived;
use crate::version::EngineRelease;

/// Version of an engine build, from UE4 object version 336.
///
/// All zero in cooked packages. Spec: ue4-5/01 §6. C++: `FEngineVersion`.
#[derive(Archived, Debug, Clone, Default, PartialEq, Eq)]
pub struct EngineVersion {
    /// First number.
    pub major: u16,
    /// Second number.
    pub minor: u16,
    /// Third number.
    pub patch: u16,
    /// Changelist of the build; bit 31 tells a licensee's build.
    pub changelist: u32,
    /// Branch of the build, `++UE5+Release-5.4`.
    pub branch: FString,
}

impl EngineVersion {
    /// That of cooked packages.
    pub const ZERO: Self =
        Self { major: 0, minor: 0, patch: 0, changelist: 0, branch: FString::EMPTY };

    /// The release that it belongs to; `None` when it is zero.
    #[inline]
    pub fn release(&self) -> Option<EngineRelease> {
        let major = u8::try_from(self.major).ok().filter(|&major| major > 0)?;
        Some(EngineRelease::new(major, u8::try_from(self.minor).ok()?))
    }

    /// The changelist without its licensee bit.
    #[inline]
    pub fn bare_changelist(&self) -> u32 {
        self.changelist & 0x7fff_ffff
    }
}

impl std::fmt::Display for EngineVersion {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (major, minor, patch) = (self.major, self.minor, self.patch);
        write!(f, "{major}.{minor}.{patch}-{}", self.bare_changelist())
    }
}
