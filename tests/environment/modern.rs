//! Packages of UE4 and UE5.

use farchive::Versions;
use farchive::environment::Outcome;
use farchive::package::{Builder, Package};

use crate::game::{Folder, outcome};

#[test]
fn packages_of_later_engines_find_each_other_by_their_paths() {
    let folder = Folder::new();
    folder.write("My.uproject", "{}");
    let versions = Versions::modern(510, 0);
    let builder = || Builder::for_versions(versions.clone());
    let sea = builder().export("Sea", "/Script/Engine.Texture2D", vec![0; 8]).build().unwrap();
    folder.write("Content/Water/Sea.uasset", sea);
    let map = builder()
        .import("/Game/Water/Sea.Sea", "/Script/Engine.Texture2D")
        .import("/Game/Water/Sea.Lake", "/Script/Engine.Texture2D")
        .import("/Game/Gone.Gone", "/Script/Engine.Texture2D")
        .import("/Script/Engine.Actor", "/Script/CoreUObject.Class")
        .build()
        .unwrap();
    let map = Package::from_bytes(map).unwrap();
    let environment = folder.environment();
    let of = |path: &str| outcome(&environment, &map, path);
    assert_eq!(of("/Game/Water/Sea.Sea"), Outcome::Found { row: Some(0) });
    let near = vec!["/Game/Water/Sea.Sea".to_owned()];
    assert!(
        matches!(of("/Game/Water/Sea.Lake"), Outcome::ObjectMissing { near: found } if found != near)
    );
    assert_eq!(of("/Game/Gone.Gone"), Outcome::PackageMissing);
    assert_eq!(of("/Script/Engine.Actor"), Outcome::Native);
}
