//! Groups of actors that are mirrored, turned and moved.

use unreal_packages::edit::{ActorMotion, MirrorAxis, PackageEdit, PlacedActors};
use unreal_packages::error::{UnrealError, UnrealErrors};
use unreal_packages::package::{OpenOptions, Package};
use unreal_packages::version::{Engine, UnrealVersions};
use unreal_packages::{EngineRelease, Result};

use super::common::reopen_decoded;
use super::placed_actors::{FILES, map, prefix, value};

const AXES: [MirrorAxis; 3] = [MirrorAxis::X, MirrorAxis::Y, MirrorAxis::Z];

/// A map with two lights at places of their own, one of which looks aside.
fn lights(file: u32) -> (Package, [String; 2]) {
    let mut package = map(file, "Light1");
    let prefix = prefix(package.versions().engine());
    let lights = ["Light0", "Light1"].map(|name| format!("{prefix}{name}"));
    let vector = "struct:Vector".parse().unwrap();
    let rotator = "struct:Rotator".parse().unwrap();
    package
        .edit(|edit| {
            edit.add_property(&lights[0], "Location", &vector, "(X=100,Y=0,Z=0)")?;
            edit.add_property(&lights[1], "Location", &vector, "(X=200,Y=0,Z=50)")?;
            let aside = "(Pitch=2000,Yaw=16384,Roll=300)";
            edit.add_property(&lights[1], "Rotation", &rotator, aside)
        })
        .unwrap_or_else(|error| panic!("{file}: {error}"));
    (reopen_decoded(&package), lights)
}

fn place(package: &mut Package, paths: &[&str], motion: &ActorMotion) -> Result<PlacedActors> {
    let rows: Vec<usize> = paths.iter().map(|path| package.find_export(path).unwrap()).collect();
    package.edit(|edit| edit.place_actors(&rows, motion, None))
}

fn refusal(package: &Package, paths: &[&str], motion: &ActorMotion) -> String {
    let mut changed = package.clone();
    let error = place(&mut changed, paths, motion).unwrap_err();
    assert!(matches!(error.unreal(), Some(UnrealError::Refused { .. })), "{error}");
    assert!(changed.to_bytes().unwrap() == package.to_bytes().unwrap());
    error.to_string()
}

#[test]
fn actors_are_turned_about_the_middle_of_their_group_and_moved_behind_that() {
    for file in FILES {
        let (mut package, [first, second]) = lights(file);
        let motion = ActorMotion::new().rotation("(Yaw=90deg)").offset("(Z=8)");
        let done = place(&mut package, &[&first, &second], &motion).unwrap();
        assert_eq!(done.pivot, Some([150.0, 0.0, 25.0]), "{file}");
        assert_eq!(done.degrees, Some([0.0, 90.0, 0.0]));
        let again = reopen_decoded(&package);
        let value = |path: &str, property| value(&again, path, property).unwrap();
        assert_eq!(value(&first, "Location"), "(X=150.0,Y=-50.0,Z=8.0)", "{file}");
        assert_eq!(value(&second, "Location"), "(X=150.0,Y=50.0,Z=58.0)", "{file}");
        assert_eq!(value(&first, "Rotation"), "(Pitch=0,Yaw=16384,Roll=0)", "{file}");
        assert_eq!(value(&second, "Rotation"), "(Pitch=2000,Yaw=32768,Roll=300)", "{file}");
    }
}

#[test]
fn what_is_turned_there_and_back_or_mirrored_twice_is_where_it_was() {
    for file in FILES {
        let (package, [first, second]) = lights(file);
        let text = |package: &Package, property| value(package, &second, property).unwrap();
        let motions = AXES.map(|axis| [0, 1].map(|_| ActorMotion::new().mirror(axis)));
        let turns = ["90deg", "16384", "3000uu"].map(|by| {
            [by.to_owned(), format!("-{by}")]
                .map(|by| ActorMotion::new().rotation(format!("(Yaw={by})")))
        });
        for [there, back] in motions.into_iter().chain(turns) {
            let mut changed = package.clone();
            let pivot = "(X=7,Y=-3,Z=2)";
            for motion in [there, back] {
                place(&mut changed, &[&first, &second], &motion.pivot(pivot)).unwrap();
            }
            let again = reopen_decoded(&changed);
            assert_eq!(text(&again, "Rotation"), text(&package, "Rotation"), "{file}");
            let numbers = |text: String| -> Vec<f64> {
                let parts = text.trim_matches(['(', ')']).split(',');
                parts.map(|part| part[2..].parse().unwrap()).collect()
            };
            let [now, before] = [&again, &package].map(|it| numbers(text(it, "Location")));
            let is_close = |(a, b): (&f64, &f64)| (a - b).abs() < 1e-4;
            assert!(now.iter().zip(&before).all(is_close), "{file}: {now:?} {before:?}");
        }
    }
}

#[test]
fn a_mirrored_actor_looks_where_its_image_does_and_its_shape_is_scaled() {
    for file in FILES {
        let (package, [_, light]) = lights(file);
        let engine = package.versions().engine();
        let expected = [
            ("(X=-200.0,Y=0.0,Z=50.0)", "(Pitch=2000,Yaw=16384,Roll=-300)", 1),
            ("(X=200.0,Y=0.0,Z=50.0)", "(Pitch=2000,Yaw=-16384,Roll=-300)", 1),
            ("(X=200.0,Y=0.0,Z=-50.0)", "(Pitch=-2000,Yaw=16384,Roll=-300)", 2),
        ];
        for (axis, (place_now, rotation, scaled)) in AXES.into_iter().zip(expected) {
            let mut changed = package.clone();
            let motion = ActorMotion::new().mirror(axis).pivot("(X=0,Y=0,Z=0)");
            place(&mut changed, &[&light], &motion).unwrap();
            let again = reopen_decoded(&changed);
            assert_eq!(value(&again, &light, "Location").unwrap(), place_now, "{file} {axis:?}");
            assert_eq!(value(&again, &light, "Rotation").unwrap(), rotation, "{file} {axis:?}");
            let scale = match (engine, scaled) {
                (Engine::Ue1, _) => None,
                (_, 1) => Some("(X=1.0,Y=-1.0,Z=1.0)".to_owned()),
                _ => Some("(X=1.0,Y=1.0,Z=-1.0)".to_owned()),
            };
            assert_eq!(value(&again, &light, "DrawScale3D"), scale, "{file} {axis:?}");
        }
    }
}

/// A map of UE1 or UE2 with a mover that stands at its second key.
fn mover(file: u32) -> Package {
    let mut package = map(file, "Light1");
    let [vector, rotator] = ["struct:Vector", "struct:Rotator"].map(|it| it.parse().unwrap());
    package
        .edit(|edit| {
            let class = if file == 69 { "Engine.Mover" } else { "Engine.Brush" };
            edit.add_blank_object("Door", class)?;
            edit.add_property("Door", "Location", &vector, "(X=10,Y=20,Z=0)")?;
            edit.add_property("Door", "BasePos", &vector, "(X=10,Y=0,Z=0)")?;
            edit.add_property("Door", "BaseRot", &rotator, "(Pitch=0,Yaw=100,Roll=0)")?;
            edit.add_property("Door", "PrePivot", &vector, "(X=1,Y=2,Z=3)")?;
            edit.add_property("Door", "KeyPos[1]", &vector, "(X=0,Y=20,Z=0)")?;
            edit.add_property("Door", "KeyRot[1]", &rotator, "(Pitch=0,Yaw=500,Roll=7)")
        })
        .unwrap_or_else(|error| panic!("{file}: {error}"));
    reopen_decoded(&package)
}

#[test]
fn the_keys_of_a_mover_follow() {
    for file in [69, 128] {
        let package = mover(file);
        let mut turned = package.clone();
        let quarter = ActorMotion::new().rotation("(Yaw=16384)").pivot("(X=0,Y=0,Z=0)");
        place(&mut turned, &["Door"], &quarter).unwrap();
        let again = reopen_decoded(&turned);
        let is = |package: &Package, property, text: &str| {
            assert_eq!(
                value(package, "Door", property).as_deref(),
                Some(text),
                "{file} {property}"
            );
        };
        is(&again, "Location", "(X=-20.0,Y=10.0,Z=0.0)");
        is(&again, "BasePos", "(X=0.0,Y=10.0,Z=0.0)");
        is(&again, "BaseRot", "(Pitch=0,Yaw=16484,Roll=0)");
        is(&again, "KeyPos[1]", "(X=-20.0,Y=0.0,Z=0.0)");
        is(&again, "KeyRot[1]", "(Pitch=0,Yaw=500,Roll=7)");
        // Of a brush the pivot lies in its own terms.
        is(&again, "PrePivot", "(X=1.0,Y=2.0,Z=3.0)");
        let tilt = ActorMotion::new().rotation("(Pitch=100)");
        assert!(refusal(&package, &["Door"], &tilt).contains("only a turn about Z keeps"));
        let mirror = ActorMotion::new().mirror(MirrorAxis::Y).pivot("(X=0,Y=0,Z=0)");
        if file == 128 {
            assert!(refusal(&package, &["Door"], &mirror).contains("mirror it in the editor"));
            continue;
        }
        let mut mirrored = package.clone();
        place(&mut mirrored, &["Door"], &mirror).unwrap();
        let again = reopen_decoded(&mirrored);
        is(&again, "KeyPos[1]", "(X=0.0,Y=-20.0,Z=0.0)");
        is(&again, "KeyRot[1]", "(Pitch=0,Yaw=500,Roll=7)");
        is(&again, "BaseRot", "(Pitch=0,Yaw=100,Roll=0)");
        let scale = |scale: &str| format!("(Scale={scale},SheerRate=0.0,SheerAxis=5)");
        is(&again, "PostScale", &scale("(X=1.0,Y=-1.0,Z=1.0)"));
        // Scales of the world are turned by quarters alone.
        mirrored.edit(|edit| edit.set_property("Door", "PostScale.Scale.Y", "2")).unwrap();
        let eighth = ActorMotion::new().rotation("(Yaw=8192)");
        assert!(refusal(&mirrored, &["Door"], &eighth).contains("PostScale"));
        place(&mut mirrored, &["Door"], &quarter).unwrap();
        is(&reopen_decoded(&mirrored), "PostScale", &scale("(X=2.0,Y=1.0,Z=1.0)"));
    }
}

#[test]
fn what_has_no_place_and_what_is_no_rotator_is_refused() {
    let (package, [light, _]) = lights(69);
    let turn = ActorMotion::new().rotation("(Yaw=90deg)");
    assert!(refusal(&package, &[&light, "MyLevel"], &turn).contains("only actors have a place"));
    for text in ["90", "(Yaw)", "(Yaw=x)", "(X=1)", "(Yaw=inf)"] {
        let motion = ActorMotion::new().rotation(text);
        let error = place(&mut package.clone(), &[&light], &motion).unwrap_err();
        assert!(error.to_string().contains("write (Pitch=0,Yaw=0,Roll=0)"), "{text}: {error}");
    }
}

/// A map of UE4 or UE5 with an actor and one that hangs on it.
fn scene(release: EngineRelease) -> Package {
    let builder = unreal_packages::generate::Builder::for_release(release);
    let options = OpenOptions::new().engine(release);
    let mut package = options.open_bytes(builder.build().unwrap()).unwrap();
    let [object, vector, rotator] =
        ["object", "struct:Vector", "struct:Rotator"].map(|it| it.parse().unwrap());
    package
        .edit(|edit| {
            edit.add_blank_object("Map", "/Script/Engine.World")?;
            edit.add_blank_object("Map.Level", "/Script/Engine.Level")?;
            edit.add_blank_object("Map.Level.Settings", "/Script/Engine.WorldSettings")?;
            edit.add_blank_object("Map.Level.Brush", "/Script/Engine.Brush")?;
            for actor in ["Map.Level.Lamp", "Map.Level.Bulb"] {
                edit.add_blank_object(actor, "/Script/Engine.PointLight")?;
                let root = format!("{actor}.Light");
                edit.add_blank_object(&root, "/Script/Engine.PointLightComponent")?;
                edit.add_property(actor, "RootComponent", &object, &root)?;
                edit.add_property(&root, "RelativeLocation", &vector, "(X=100,Y=0,Z=10)")?;
            }
            let turned = "(Pitch=0,Yaw=135,Roll=0)";
            edit.add_property("Map.Level.Lamp.Light", "RelativeRotation", &rotator, turned)?;
            let lamp = "Map.Level.Lamp.Light";
            edit.add_property("Map.Level.Bulb.Light", "AttachParent", &object, lamp)
        })
        .unwrap_or_else(|error| panic!("{release}: {error}"));
    package
}

#[test]
fn what_hangs_on_an_actor_keeps_its_place_beside_it() {
    for release in [EngineRelease::new(4, 20), EngineRelease::new(5, 4)] {
        let package = scene(release);
        let (lamp, bulb) = ("Map.Level.Lamp.Light", "Map.Level.Bulb.Light");
        let before = value(&package, bulb, "RelativeLocation");
        let mut changed = package.clone();
        let motion =
            ActorMotion::new().mirror(MirrorAxis::X).rotation("(Yaw=90)").pivot("(X=0,Y=0,Z=0)");
        place(&mut changed, &["Map.Level.Lamp", "Map.Level.Bulb"], &motion).unwrap();
        let value = |path: &str, property| value(&changed, path, property);
        assert_eq!(value(bulb, "RelativeLocation"), before, "{release}");
        assert_eq!(value(bulb, "RelativeRotation"), None);
        let is = |property, text: &str| {
            assert_eq!(value(lamp, property).as_deref(), Some(text), "{release} {property}");
        };
        is("RelativeLocation", "(X=0.0,Y=-100.0,Z=10.0)");
        is("RelativeRotation", "(Pitch=0.0,Yaw=135.0,Roll=0.0)");
        is("RelativeScale3D", "(X=1.0,Y=-1.0,Z=1.0)");
        assert!(refusal(&package, &["Map.Level.Bulb"], &motion).contains("not in the group"));
    }
}
