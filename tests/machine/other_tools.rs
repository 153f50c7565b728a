//! Made packages, read by Kaitai Struct.

use unreal_packages::EngineRelease;
use unreal_packages::generate::Profile;
use unreal_packages::primitive::PackageFlags;

use crate::common::everything::everything;
use crate::common::{open, ue4};
use crate::rows::rows_are_read_the_same;

pub fn headers_of_made_packages_are_read_the_same() {
    for profile in Profile::ALL {
        let package = open(&everything(profile).to_bytes().unwrap());
        assert!(rows_are_read_the_same(&format!("made {profile}"), &package) > 0);
    }
}

pub fn headers_of_made_packages_of_ue4_and_ue5_are_read_the_same() {
    for release in [(4, 0), (4, 27), (5, 0), (5, 6)] {
        let versions = EngineRelease::new(release.0, release.1).versions();
        let bytes = ue4::rich(&versions, PackageFlags::default()).build().unwrap();
        let package = open(&bytes);
        assert!(rows_are_read_the_same(&format!("made {versions}"), &package) > 0);
    }
}
