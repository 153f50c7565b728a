//! Thumbnails: which object each one shows.

use unreal_packages::Versions;
use unreal_packages::content::PackageContents;
use unreal_packages::version::UnrealVersions;

use super::common::open;
use super::common::parts::Parts;

#[test]
fn thumbnails_are_found_by_the_path_of_their_object() {
    let mut parts = Parts::rich(Versions::ue1_to_3(868, 0));
    let package = open(&parts.assemble());
    let row = package.find_export("Group.Skin").unwrap();
    let found = package.contents().thumbnail_of(row);
    assert_eq!(found, Some(0));
    // An image without bytes shows nothing.
    parts.images[0].image = unreal_packages::archive::Span::owned(Vec::new());
    assert_eq!(open(&parts.assemble()).contents().thumbnail_of(row), None);
    let other =
        (0..package.exports().len()).find(|other| package.exports().path(*other) == "Group");
    assert_eq!(other.and_then(|other| package.contents().thumbnail_of(other)), None);
    assert_eq!(package.contents().thumbnail_of(999), None);
}
