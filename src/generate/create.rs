//! Packages with nothing in them.

use super::Profile;
use crate::edit::Edit;
use crate::error::{ErrorKind, Result};
use crate::package::Package;
use crate::primitive::{FString, Guid, PackageFlags};
use crate::table::{FileVersions, Generation};
use crate::version::{Versions, threshold};

/// A new package of this game with nothing in it but the name `None`; its GUID is a new one.
///
/// It has no source: save it to get a file.
///
/// # Errors
/// `OutOfRange` for versions that no header can hold.
pub fn create(profile: &Profile) -> Result<Package> {
    let mut edit = create_for(profile.versions.clone(), profile.flags, Guid::random())?;
    edit.tables_mut().summary.engine_version = profile.engine_version;
    Ok(edit.into_package())
}

/// The same of any version before UE4.
pub(super) fn create_for(versions: Versions, flags: PackageFlags, guid: Guid) -> Result<Edit> {
    let file = versions.file;
    let word = |version: u32| {
        u16::try_from(version)
            .map_err(|_| ErrorKind::OutOfRange { value: version.into(), bits: 16 })
    };
    let stored = FileVersions::of_file(word(file)?, word(versions.licensee)?);
    let mut edit = Edit::blank(versions);
    let tables = edit.tables_mut();
    let summary = &mut tables.summary;
    summary.versions = stored;
    summary.package_flags = flags;
    if file < threshold::HERITAGE_REMOVED {
        summary.heritage_count = 1;
        if file >= threshold::HERITAGE_GUID_ADDED {
            tables.heritage.push(guid);
        }
    } else {
        summary.guid = guid;
        summary.generations.push(Generation::default());
    }
    if file >= threshold::FOLDER_NAME_ADDED {
        summary.folder_name = FString::new("None");
    }
    // Offsets that are above zero are settled when the sections have their places.
    (summary.name_offset, summary.import_offset, summary.export_offset) = (1, 1, 1);
    edit.add_name("None")?;
    Ok(edit)
}
