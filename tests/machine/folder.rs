//! Folders that may not be written to.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use unreal_packages::package::SaveOptions;
use unreal_packages::version::UnrealVersions;
use unreal_packages::{ErrorKind, Versions};

use crate::common::{builder, open};

fn set_mode(folder: &Path, mode: u32) {
    std::fs::set_permissions(folder, std::fs::Permissions::from_mode(mode)).unwrap();
}

/// A user whom permissions stop.
pub fn ordinary_user() -> Result<(), String> {
    let folder = tempfile::tempdir().unwrap();
    set_mode(folder.path(), 0o555);
    let written = std::fs::write(folder.path().join("probe"), b"");
    set_mode(folder.path(), 0o755);
    match written {
        Ok(()) => Err("needs a user who may not write everywhere".to_owned()),
        Err(_) => Ok(()),
    }
}

pub fn a_folder_that_can_not_be_written_leaves_the_old_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("Test.u");
    std::fs::write(&path, b"old").unwrap();
    let package = open(&builder(Versions::ue1_to_3(69, 0)).build().unwrap());
    set_mode(folder.path(), 0o555);
    let saved = package.save(&SaveOptions::new());
    let result = saved.and_then(|saved| saved.write_file(&path));
    set_mode(folder.path(), 0o755);
    let error = result.unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Io { .. }), "{error}");
    assert_eq!(std::fs::read(&path).unwrap(), b"old");
}
