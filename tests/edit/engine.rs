//! What the engines' own classes declare is built in: a package that declares nothing takes their properties.

use unreal_packages::edit::PackageEdit;
use unreal_packages::generate::Builder;
use unreal_packages::inspect::PackageValues;
use unreal_packages::package::{OpenOptions, Package};
use unreal_packages::version::EngineRelease;

use crate::common::save_twice;
use crate::ue4::{RELEASES, empty_body, reopened};

fn set(package: &mut Package, path: &str, text: &str) -> Result<(), String> {
    let (object, property) = path.split_once('.').unwrap();
    let set = package.edit(|edit| edit.set_property(object, property, text));
    set.map(|_| ()).map_err(|error| error.to_string())
}

fn get(package: &Package, path: &str) -> (String, String) {
    let (object, property) = path.split_once('.').unwrap();
    let found = package.values().property(object, property);
    let found = found.unwrap_or_else(|error| panic!("{path}: {error}"));
    (found.text, found.property_type.to_string())
}

/// Sets each, and reads all of them again from what was saved.
fn takes(mut package: Package, again: impl Fn(&Package) -> Package, values: &[[&str; 3]]) {
    package.decode_all();
    let versions = package.versions().clone();
    for [path, value, _] in values {
        set(&mut package, path, value).unwrap_or_else(|e| panic!("{versions} {path}: {e}"));
    }
    let package = again(&package);
    for [path, value, known] in values {
        assert_eq!(
            get(&package, path),
            (value.to_string(), known.to_string()),
            "{versions} {path}"
        );
    }
}

/// A package of UE1 to UE3 with these objects, which store nothing.
fn early(file: u32, objects: &[(&str, &str)]) -> Package {
    // UE3 has a network index before the properties, and numbers in names.
    let body = if file < 300 { vec![0] } else { vec![0; 12] };
    let builder = Builder::new(file).name("None");
    let builder = objects
        .iter()
        .fold(builder, |builder, (name, class)| builder.export(*name, *class, body.clone()));
    Package::from_bytes(builder.build().unwrap()).unwrap()
}

fn early_again(package: &Package) -> Package {
    let mut again = Package::from_bytes(save_twice(package)).unwrap();
    again.decode_all();
    again
}

#[test]
fn objects_of_ue1_take_what_their_classes_declare() {
    for file in [61, 68, 69] {
        let objects = [("Light0", "Engine.Light"), ("Mover0", "Engine.Mover")];
        takes(
            early(file, &objects),
            early_again,
            &[
                ["Light0.LightRadius", "64", "byte"],
                ["Light0.LightType", "LT_Pulse", "byte"],
                ["Mover0.MoveTime", "2.5", "float"],
                ["Mover0.MoverEncroachType", "ME_CrushWhenEncroach", "byte"],
                ["Mover0.Tag", "Door", "name"],
            ],
        );
    }
}

#[test]
fn objects_of_ue2_take_what_their_classes_declare() {
    for file in [121, 128] {
        let objects = [
            ("Light0", "Engine.Light"),
            ("StaticMeshActor0", "Engine.StaticMeshActor"),
            ("Brush0", "Engine.Brush"),
        ];
        takes(
            early(file, &objects),
            early_again,
            &[
                ["Light0.LightBrightness", "64.5", "float"],
                ["Light0.LightRadius", "64.0", "float"],
                ["Light0.LightHue", "30", "byte"],
                ["Light0.LightEffect", "LE_Spotlight", "byte"],
                ["StaticMeshActor0.Tag", "Rock", "name"],
                ["StaticMeshActor0.Location", "(X=1.0,Y=2.0,Z=3.0)", "struct:Vector"],
                ["StaticMeshActor0.bHidden", "True", "bool"],
                ["Brush0.PolyFlags", "8", "int"],
                ["Brush0.Group", "Hall", "name"],
            ],
        );
        let mut package = early(file, &objects);
        let error = set(&mut package, "Light0.LightEffect", "LE_None_Such").unwrap_err();
        assert!(error.contains("LE_QuadraticNonIncidence"), "{error}");
        assert!(set(&mut package, "Light0.Unheard", "1").is_err());
    }
}

#[test]
fn objects_of_ue3_take_what_their_classes_declare() {
    let objects = [
        ("PointLight0", "Engine.PointLight"),
        ("WorldInfo0", "Engine.WorldInfo"),
        ("Zone0", "GameFramework.MobileInputZone"),
    ];
    takes(
        early(868, &objects),
        early_again,
        &[
            ["PointLight0.bHidden", "True", "bool"],
            ["PointLight0.Location", "(X=1.0,Y=2.0,Z=3.0)", "struct:Vector"],
            ["WorldInfo0.KillZ", "-9000.0", "float"],
            ["WorldInfo0.Tag", "Sky", "name"],
            ["Zone0.Type", "ZoneType_Slider", "byte-enum:EZoneType"],
        ],
    );
}

#[test]
fn objects_of_ue4_and_ue5_take_what_their_classes_declare() {
    for (major, minor) in RELEASES {
        let release = EngineRelease::new(major, minor);
        let body = || empty_body(release, 0);
        let builder = Builder::for_release(release)
            .name("None")
            .export("Rock", "/Script/Engine.StaticMeshActor", body())
            .export("Lamp", "/Script/Engine.PointLightComponent", body());
        let package = Package::from_bytes(builder.build().unwrap()).unwrap();
        takes(
            package,
            |package| reopened(package, &OpenOptions::new()),
            &[
                ["Rock.bHidden", "True", "bool"],
                ["Rock.StaticMeshComponent", "PointLightComponent'Lamp'", "object"],
                ["Lamp.Intensity", "5000.0", "float"],
                ["Lamp.SourceRadius", "2.0", "float"],
                ["Lamp.CastShadows", "False", "bool"],
                ["Lamp.Mobility", "Movable", "byte-enum:EComponentMobility"],
            ],
        );
    }
}

/// The objects' bodies below classes of the engine's that store one property with another type.
fn with_stored(old: &Package, class: &str, builder: Builder) -> Package {
    let names = old.names().iter().map(|name| name.into_owned());
    let body = old.exports().get(0).unwrap().body().to_vec();
    let builder = names.fold(builder, Builder::name).export("Lamp", class, body);
    let mut package = Package::from_bytes(builder.build().unwrap()).unwrap();
    package.decode_all();
    package
}

#[test]
fn what_an_object_stores_counts_more() {
    for (file, path, class) in [
        (69, "Lamp.LightRadius", "Engine.Light"),
        (128, "Lamp.LightBrightness", "Engine.Light"),
        (868, "Lamp.KillZ", "Engine.WorldInfo"),
    ] {
        let mut old = early(file, &[("Lamp", "Mine.Thing")]);
        set(&mut old, &format!("{path}:int"), "70000").unwrap();
        let old = early_again(&old);
        let mut package = with_stored(&old, class, Builder::new(file));
        assert_eq!(get(&package, path), ("70000".into(), "int".into()), "{file}");
        set(&mut package, path, "80000").unwrap();
        assert!(set(&mut package, path, "1.5").is_err());
        assert_eq!(get(&early_again(&package), path), ("80000".into(), "int".into()));
    }
    for (major, minor) in RELEASES {
        let release = EngineRelease::new(major, minor);
        let builder = Builder::for_release(release).name("None");
        let builder = builder.export("Lamp", "/Script/Game.Thing", empty_body(release, 0));
        let mut old = Package::from_bytes(builder.build().unwrap()).unwrap();
        old.decode_all();
        set(&mut old, "Lamp.Intensity:int", "70000").unwrap();
        let old = reopened(&old, &OpenOptions::new());
        let class = "/Script/Engine.PointLightComponent";
        let mut package = with_stored(&old, class, Builder::for_release(release));
        set(&mut package, "Lamp.Intensity", "80000").unwrap();
        assert!(set(&mut package, "Lamp.Intensity", "1.5").is_err());
        let package = reopened(&package, &OpenOptions::new());
        assert_eq!(get(&package, "Lamp.Intensity"), ("80000".into(), "int".into()), "{release}");
    }
}
