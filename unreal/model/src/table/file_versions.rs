//! The version numbers at the start of packages.

use super::CustomVersions;
use crate::archive::layout::Layout;
use crate::archive::{in_field, private};
use crate::error::{ErrorKind, UnrealError};
use crate::version::threshold::{ue4, ue5};
use crate::version::{FILE, Game, LICENSEE, UE4, UE5, UnrealVersions, Versions};
use crate::{Archive, ArchiveExt, Archived, Described, Result};

/// The versions of a package; loading them tells the archive. Newer ones than those that are known count as they
/// stand there, so that the newest known rules are used.
///
/// The object versions are all zero in cooked packages: then the versions that the archive has already count.
/// Spec: ue1-3/02 §2.1, ue4-5/02 §2 to §5.
#[derive(Described, Debug, Clone, Default, PartialEq, Eq)]
pub struct FileVersions {
    /// Below 0 the form of a header of UE4 or UE5, else the versions of UE1 to UE3
    /// ([`FileVersions::file`]). C++: `LegacyFileVersion`.
    pub legacy_file_version: i32,
    /// The version for readers of UE3. C++: `LegacyUE3Version`.
    pub legacy_ue3_version: i32,
    /// C++: `FileVersionUE4`.
    pub ue4: i32,
    /// C++: `FileVersionUE5`.
    pub ue5: i32,
    /// C++: `FileVersionLicenseeUE`.
    pub licensee: i32,
    /// Custom versions: the layouts of the package's modules and plugins.
    pub custom_versions: CustomVersions,
}

/// The newest form of a header that is known.
const NEWEST_FORM: i32 = -9;
/// The forms of headers of UE4 and UE5, those included that are not known yet; other numbers are the versions
/// of UE1 to UE3.
const FORMS: std::ops::Range<i32> = -16..0;

impl FileVersions {
    /// The versions of a package of UE1 to UE3.
    #[inline]
    pub fn of_file(file: u16, licensee: u16) -> Self {
        let word = u32::from(file) | u32::from(licensee) << 16;
        Self { legacy_file_version: word as i32, ..Self::default() }
    }

    /// Whether the header has object versions, as those of UE4 and UE5 have.
    #[inline]
    pub fn has_object_versions(&self) -> bool {
        FORMS.contains(&self.legacy_file_version)
    }

    /// File and licensee version of UE1 to UE3.
    #[inline]
    pub fn file(&self) -> (u16, u16) {
        let word = self.legacy_file_version as u32;
        (word as u16, (word >> 16) as u16)
    }

    /// Whether the header has a form that is not known yet: it is read as the newest known one.
    #[inline]
    pub fn is_newer_form(&self) -> bool {
        self.has_object_versions() && self.legacy_file_version < NEWEST_FORM
    }

    /// Whether the package does not say its versions.
    #[inline]
    pub fn is_unversioned(&self) -> bool {
        self.unversioned() == Some(true)
    }

    /// The same; `None` below UE4, where every package says them.
    #[inline]
    pub fn unversioned(&self) -> Option<bool> {
        self.has_object_versions().then_some((self.ue4 | self.ue5 | self.licensee) == 0)
    }

    /// The versions of a package that is made anew.
    ///
    /// # Errors
    /// `OutOfRange` for versions of UE1 to UE3 that no header can hold.
    pub fn of_new(versions: &Versions) -> Result<Self> {
        let (ue4, ue5) = (versions.ue4(), versions.ue5());
        if !versions.has_object_versions() {
            let word = |version: u32| {
                u16::try_from(version)
                    .map_err(|_| ErrorKind::OutOfRange { value: version.into(), bits: 16 })
            };
            return Ok(Self::of_file(word(versions.file())?, word(versions.licensee())?));
        }
        let release = versions.release().filter(|it| (it.ue4(), it.ue5()) == (ue4, ue5));
        let legacy_file_version = match release {
            Some(release) => release.legacy_file_version(),
            None => legacy_file_version(ue4, ue5),
        };
        Ok(Self::new(versions, legacy_file_version))
    }

    /// The versions of a package of UE4 or UE5 whose header has this form.
    pub fn new(versions: &Versions, legacy_file_version: i32) -> Self {
        Self {
            legacy_file_version,
            legacy_ue3_version: match legacy_file_version {
                -4 => 0,
                _ => Versions::LEGACY_UE3 as i32,
            },
            ue4: versions.ue4() as i32,
            ue5: versions.ue5() as i32,
            licensee: versions.licensee() as i32,
            custom_versions: CustomVersions::Absent,
        }
    }

    /// Which form the list of custom versions has.
    pub fn custom_version_form(&self) -> CustomVersions {
        match self.legacy_file_version {
            form if form == -1 || !FORMS.contains(&form) => CustomVersions::Absent,
            -2 => CustomVersions::Tagged(Vec::new()),
            -5..=-3 => CustomVersions::Named(Vec::new()),
            _ => CustomVersions::Plain(Vec::new()),
        }
    }

    fn tell<A: Archive + ?Sized>(&self, ar: &mut A) -> Result<()> {
        let mut versions = ar.versions().clone();
        if !self.has_object_versions() {
            let (file, licensee) = self.file();
            let numbers = [(FILE, file.into()), (LICENSEE, licensee.into()), (UE4, 0), (UE5, 0)];
            for (axis, number) in numbers {
                versions.set(axis, number);
            }
            if versions.game() == Game::Detect {
                versions.set_game(Game::detect(versions.file(), versions.licensee()));
            }
            ar.set_versions(versions);
            return Ok(());
        }
        let unsupported = |ar: &A, reason: String| ar.error(UnrealError::unsupported(reason));
        if self.is_unversioned() {
            if !versions.has_object_versions() {
                let reason = "the package has no versions: say its engine release (--engine 5.4)";
                return Err(unsupported(ar, reason.to_owned()));
            }
            return Ok(());
        }
        let number = |stored: i32| {
            u32::try_from(stored)
                .map_err(|_| unsupported(ar, format!("the object version {stored}")))
        };
        // Newer ones are read with the newest rules.
        let stored = (number(self.ue4)?, number(self.ue5)?);
        if stored.0 < ue4::OLDEST_LOADABLE_PACKAGE || (stored.1 > 0 && stored.1 < 1000) {
            let reason = format!("UE4 object version {}, older than any release", stored.0);
            return Err(unsupported(ar, reason));
        }
        versions.set(UE4, stored.0);
        versions.set(UE5, stored.1);
        versions.set(FILE, Versions::LEGACY_UE3);
        versions.set(LICENSEE, self.licensee as u32);
        versions.custom_versions = None;
        if versions.game() == Game::Detect {
            versions.set_game(Game::Mainline);
        }
        ar.set_versions(versions);
        Ok(())
    }
}

/// The form of header that packages of these object versions have (spec: ue4-5/02 §3).
fn legacy_file_version(v4: u32, v5: u32) -> i32 {
    match (v4, v5) {
        (_, ue5::METADATA_SERIALIZATION_OFFSET..) => -9,
        (_, 1..) => -8,
        (ue4::PRELOAD_DEPENDENCIES_IN_COOKED_EXPORTS.., _) => -7,
        (483.., _) => -6,
        (434.., _) => -5,
        (303.., _) => -3,
        _ => -2,
    }
}

impl Archived for FileVersions {
    const LAYOUT: &'static Layout = Self::DESCRIBED;

    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        in_field("legacy_file_version", ar, |ar| {
            ar.serialize_i32(&mut self.legacy_file_version)?;
            if !self.has_object_versions() {
                let (file, licensee) = self.file();
                ar.note(&format_args!("{file}/{licensee}"));
            }
            Ok(())
        })?;
        let (legacy, is_later) = (self.legacy_file_version, self.has_object_versions());
        let mut field = |name, value: &mut i32, present: bool| match present {
            true => in_field(name, ar, |ar| ar.serialize_i32(value)),
            false => private::absent(value, ar, name),
        };
        field("legacy_ue3_version", &mut self.legacy_ue3_version, is_later && legacy != -4)?;
        field("ue4", &mut self.ue4, is_later)?;
        field("ue5", &mut self.ue5, is_later && legacy <= -8)?;
        field("licensee", &mut self.licensee, is_later)?;
        if ar.is_loading() {
            self.tell(ar)?;
            self.custom_versions = self.custom_version_form();
        }
        let list = &mut self.custom_versions;
        match is_later && ar.versions().ue5() < ue5::PACKAGE_SAVED_HASH {
            true => in_field("custom_versions", ar, |ar| list.serialize(ar)),
            false => private::absent(list, ar, "custom_versions"),
        }
    }
}
