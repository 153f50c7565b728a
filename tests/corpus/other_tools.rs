//! Real packages, read by Kaitai Struct and ImHex.

use std::collections::BTreeMap;

use unreal_packages::package::Package;
use unreal_packages::version::UnrealVersions;

use crate::files;
use crate::folders::every;
use crate::rows::{IMHEX, KAITAI, Tool, rows_are_read_the_same};

pub fn headers_of_every_version_are_read_the_same_by_kaitai() {
    headers_of_every_version_are_read_the_same(KAITAI);
}

pub fn headers_of_every_version_are_read_the_same_by_imhex() {
    headers_of_every_version_are_read_the_same(IMHEX);
}

/// One package of each version, or of every sixth: the tools take a second for each header and row.
fn headers_of_every_version_are_read_the_same(tool: Tool) {
    let mut packages = BTreeMap::new();
    for folder in ["classic", "modern"] {
        for (name, bytes) in files::of(folder) {
            let Ok(package) = Package::from_bytes(bytes) else { continue };
            let versions = package.versions();
            let version = (versions.file(), versions.ue4(), versions.ue5(), versions.byte_order);
            let key = format!("{version:?}");
            packages.entry(key).or_insert((name, package));
        }
    }
    let mut rows = 0;
    for (name, package) in packages.values().step_by(every(6)) {
        rows += rows_are_read_the_same(tool, name, package);
    }
    println!("{} versions, {rows} rows", packages.len());
    assert!(packages.len() > 20, "{}", packages.len());
}
