//! Releases of the engine and the versions that each of them writes.

use unreal_packages::EngineRelease;
use unreal_packages::version::UnrealVersions;
use unreal_packages::version::custom::{self, fortnite_main};

#[test]
fn releases_are_read_from_text_and_know_their_versions() {
    for release in EngineRelease::all() {
        assert_eq!(release.to_string().parse::<EngineRelease>().unwrap(), release);
        assert!(release.versions().has_object_versions());
    }
    let release: EngineRelease = "UE5.4".parse().unwrap();
    assert_eq!((release.ue4(), release.ue5(), release.legacy_file_version()), (522, 1012, -8));
    assert!("5.99".parse::<EngineRelease>().is_err());
    assert!("4".parse::<EngineRelease>().is_err());
    assert_eq!(EngineRelease::of_versions(522, 1010).to_string(), "5.3");
    assert_eq!(EngineRelease::of_versions(219, 0).to_string(), "4.0");
}

#[test]
fn custom_versions_of_a_release_never_fall() {
    let mut before = EngineRelease::new(4, 0).versions();
    for release in EngineRelease::all() {
        let versions = release.versions();
        for (guid, _) in custom::ALL {
            assert!(versions.custom(guid) >= before.custom(guid), "{release} {guid}");
        }
        before = versions;
    }
    let of = |text: &str| text.parse::<EngineRelease>().unwrap().versions();
    let utf8 = fortnite_main::SOFT_OBJECT_PATH_UTF8_SUB_PATHS;
    assert!(of("5.6").custom(&custom::FORTNITE_MAIN) >= utf8);
    assert!(of("5.5").custom(&custom::FORTNITE_MAIN) < utf8);
    assert_eq!(of("4.11").custom(&custom::FORTNITE_MAIN), -1);
}
