//! Engine releases of UE4 and UE5, and the versions that they write.

use std::fmt;
use std::str::FromStr;

use super::{Guid, UnrealVersions, Versions, custom};
use crate::error::{Error, ErrorKind, noun};

/// A release of Unreal Engine 4 or 5: `4.27`, `5.4`.
///
/// Stands for the object versions and custom versions that it writes: packages without versions need one
/// to be read (`OpenOptions::engine`, `--engine`). Spec: ue4-5/02 §7.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct EngineRelease {
    major: u8,
    minor: u8,
}

/// Major, minor, legacy file version, UE4 and UE5 object version.
const KNOWN: &[(u8, u8, i32, u32, u32)] = &[
    (4, 0, -3, 342, 0),
    (4, 1, -3, 352, 0),
    (4, 2, -3, 363, 0),
    (4, 3, -3, 382, 0),
    (4, 4, -3, 385, 0),
    (4, 5, -3, 401, 0),
    (4, 6, -3, 413, 0),
    (4, 7, -5, 434, 0),
    (4, 8, -5, 451, 0),
    (4, 9, -5, 482, 0),
    (4, 10, -6, 482, 0),
    (4, 11, -6, 498, 0),
    (4, 12, -6, 504, 0),
    (4, 13, -6, 505, 0),
    (4, 14, -7, 508, 0),
    (4, 15, -7, 510, 0),
    (4, 16, -7, 513, 0),
    (4, 17, -7, 513, 0),
    (4, 18, -7, 514, 0),
    (4, 19, -7, 516, 0),
    (4, 20, -7, 516, 0),
    (4, 21, -7, 517, 0),
    (4, 22, -7, 517, 0),
    (4, 23, -7, 517, 0),
    (4, 24, -7, 518, 0),
    (4, 25, -7, 518, 0),
    (4, 26, -7, 522, 0),
    (4, 27, -7, 522, 0),
    (5, 0, -8, 522, 1004),
    (5, 1, -8, 522, 1008),
    (5, 2, -8, 522, 1009),
    (5, 3, -8, 522, 1009),
    (5, 4, -8, 522, 1012),
    (5, 5, -8, 522, 1013),
    (5, 6, -9, 522, 1017),
    (5, 7, -9, 522, 1018),
    (5, 8, -9, 522, 1018),
];

/// Releases that write what the newest one of the table does (spec: ue4-5/12 §5).
const ALIKE: [(u8, u8); 2] = [(5, 9), (6, 0)];

impl EngineRelease {
    /// The release with these numbers, known or not.
    #[inline]
    pub const fn new(major: u8, minor: u8) -> Self {
        Self { major, minor }
    }

    /// Every release whose versions are known, ascending.
    pub fn all() -> impl DoubleEndedIterator<Item = Self> {
        KNOWN.iter().map(|&(major, minor, ..)| Self { major, minor })
    }

    /// The first number.
    #[inline]
    pub const fn major(self) -> u8 {
        self.major
    }

    /// The second number.
    #[inline]
    pub const fn minor(self) -> u8 {
        self.minor
    }

    /// Its number on the axis of releases: never 0, which stands for none.
    #[inline]
    pub(super) const fn number(self) -> u32 {
        1 << 16 | (self.major as u32) << 8 | self.minor as u32
    }

    /// The release of a number on the axis of releases.
    #[inline]
    pub(super) const fn of_number(number: u32) -> Option<Self> {
        if number == 0 { None } else { Some(Self::new((number >> 8) as u8, number as u8)) }
    }

    /// The release whose numbers a text says, known or not.
    #[doc(hidden)]
    pub fn of_text(text: &str) -> Option<Self> {
        let digits = text.trim_start_matches(['u', 'U', 'e', 'E']);
        let mut parts = digits.split('.').map(|part| part.parse::<u8>().ok());
        match (parts.next().flatten(), parts.next().flatten()) {
            (Some(major), Some(minor)) => Some(Self { major, minor }),
            _ => None,
        }
    }

    /// Whether its rules are known; those of a newer one are taken to be the newest known ones.
    #[inline]
    pub fn is_known(self) -> bool {
        self.row().is_some() || ALIKE.contains(&(self.major, self.minor))
    }

    /// Whether it came after every release that is known.
    fn is_newer(self) -> bool {
        ALIKE.iter().all(|&(major, minor)| self > Self { major, minor })
    }

    fn row(self) -> Option<&'static (u8, u8, i32, u32, u32)> {
        KNOWN.iter().find(|row| (row.0, row.1) == (self.major, self.minor))
    }

    /// The UE4 object version that it writes; of an unknown release that of the newest one before it.
    #[inline]
    pub fn ue4(self) -> u32 {
        self.nearest().3
    }

    /// The UE5 object version that it writes, 0 for UE4.
    #[inline]
    pub fn ue5(self) -> u32 {
        self.nearest().4
    }

    /// The legacy file version that its packages start with: -3 for 4.0 to -9 for 5.8.
    #[inline]
    pub fn legacy_file_version(self) -> i32 {
        self.nearest().2
    }

    fn nearest(self) -> (u8, u8, i32, u32, u32) {
        let before = KNOWN.iter().rev().find(|row| (row.0, row.1) <= (self.major, self.minor));
        before.copied().unwrap_or(KNOWN[0])
    }

    /// The newest release that writes no higher object versions: what a package of previews is read as.
    #[inline]
    pub fn of_versions(ue4: u32, ue5: u32) -> Self {
        let fits = |row: &&(u8, u8, i32, u32, u32)| row.3 <= ue4.max(KNOWN[0].3) && row.4 <= ue5;
        let row = KNOWN.iter().rev().find(fits).unwrap_or(&KNOWN[0]);
        Self { major: row.0, minor: row.1 }
    }

    /// The release of a package that says none: of those that write its object versions the newest one that writes no higher
    /// custom versions than it stores.
    pub fn of_stored(versions: &Versions) -> Self {
        let newest = Self::of_versions(versions.ue4(), versions.ue5());
        // Packages list those alone that their objects use: -1 stands for the others.
        let is_written = |(guid, least): &(Guid, i32)| {
            let stored = versions.custom(guid);
            stored < 0 || stored >= *least
        };
        let fits = |release: &Self| {
            *release <= newest
                && (release.ue4(), release.ue5()) == (newest.ue4(), newest.ue5())
                && custom::defaults(*release).iter().all(is_written)
        };
        Self::all().rev().find(fits).unwrap_or(newest)
    }

    /// Everything that packages of this release are read with: object versions and custom versions.
    #[inline]
    pub fn versions(self) -> Versions {
        let mut versions = Versions::ue4_and_5(self.ue4(), self.ue5()).with_release(Some(self));
        versions.set_custom_versions(custom::defaults(self));
        versions
    }
}

impl fmt::Display for EngineRelease {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.major, self.minor)
    }
}

/// Takes `4.27`, `5.4`, also with a patch number (`5.4.1`) or a prefix (`UE5.4`, `ue4.27`); of releases that are
/// not known those that are newer than all known ones.
impl FromStr for EngineRelease {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let release = Self::of_text(text);
        release.filter(|release| release.is_known() || release.is_newer()).ok_or_else(|| {
            let hint = "; known are 4.0 to 4.27, 5.0 to 5.9 and 6.0".to_owned();
            ErrorKind::NotFound { what: noun::ENGINE_RELEASE, name: text.to_owned(), hint }.into()
        })
    }
}

#[cfg(feature = "serde")]
impl serde::Serialize for EngineRelease {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

#[cfg(feature = "serde")]
impl<'de> serde::Deserialize<'de> for EngineRelease {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = <std::borrow::Cow<'de, str>>::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}
