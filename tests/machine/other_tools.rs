//! Made packages, read by Kaitai Struct and ImHex.

use unreal_packages::EngineRelease;
use unreal_packages::generate::Profile;
use unreal_packages::primitive::PackageFlags;

use crate::common::everything::everything;
use crate::common::{open, ue4};
use crate::rows::{IMHEX, KAITAI, Tool, rows_are_read_the_same};

pub fn headers_of_made_packages_are_read_the_same_by_kaitai() {
    headers_of_made_packages_are_read_the_same(KAITAI);
    headers_of_made_packages_of_ue4_and_ue5_are_read_the_same(KAITAI);
}

pub fn headers_of_made_packages_are_read_the_same_by_imhex() {
    headers_of_made_packages_are_read_the_same(IMHEX);
    headers_of_made_packages_of_ue4_and_ue5_are_read_the_same(IMHEX);
}

fn headers_of_made_packages_are_read_the_same(tool: Tool) {
    for profile in Profile::ALL {
        let package = open(&everything(profile).to_bytes().unwrap());
        assert!(rows_are_read_the_same(tool, &format!("made {profile}"), &package) > 0);
    }
}

fn headers_of_made_packages_of_ue4_and_ue5_are_read_the_same(tool: Tool) {
    for release in [(4, 0), (4, 27), (5, 0), (5, 6)] {
        let versions = EngineRelease::new(release.0, release.1).versions();
        let bytes = ue4::rich(&versions, PackageFlags::default()).build().unwrap();
        let package = open(&bytes);
        assert!(rows_are_read_the_same(tool, &format!("made {versions}"), &package) > 0);
    }
}
