//! Actors of UE1 to UE3 in their level: what an added one gets, what a copied one leaves behind, and what
//! belongs to a brush.

use unreal_packages::edit::{CopyOptions, Dependencies, PackageEdit, Placement};
use unreal_packages::error::{UnrealError, UnrealErrors};
use unreal_packages::generate::Builder;
use unreal_packages::inspect::PackageValues;
use unreal_packages::object::{ue1, ue2, ue3};
use unreal_packages::package::{Package, native_as};
use unreal_packages::primitive::{ObjectFlags, Payload};
use unreal_packages::property::PropertyList;
use unreal_packages::version::{Engine, UnrealVersions};
use unreal_packages::{PackageIndex, Result, Span};

use super::checks::doubted;
use super::common::{GUID, reopen_decoded};

/// UE1, UE2 of both forms of structs, UE3 of both sizes of probe masks.
pub(super) const FILES: [u32; 6] = [61, 69, 118, 128, 576, 868];
const LOAD_FLAGS: u64 = 0x0207_0001;

/// What stands before the names of actors.
pub(super) fn prefix(engine: Engine) -> &'static str {
    match engine {
        Engine::Ue1 | Engine::Ue2 => "",
        _ => "World.PersistentLevel.",
    }
}

/// A map with settings, a brush of the editor, and two lights; `name` is what the second one is called.
pub(super) fn map(file: u32, name: &str) -> Package {
    let mut package = Package::from_bytes(Builder::new(file).guid(GUID).build().unwrap()).unwrap();
    let engine = package.versions().engine();
    let made = package.edit(|edit| -> Result<()> {
        let plain = PropertyList::default;
        let prefix = prefix(engine);
        let level = if prefix.is_empty() { "MyLevel" } else { "World.PersistentLevel" };
        if !prefix.is_empty() {
            edit.add_plain_object("World", "Core.Package", plain())?;
        }
        match engine {
            Engine::Ue1 => {
                edit.add_object(level, "Engine.Level", plain(), ue1::Level::default())?
            }
            Engine::Ue2 => {
                edit.add_object(level, "Engine.Level", plain(), ue2::Level::default())?
            }
            _ => {
                let native = ue3::world::level::Level::default();
                edit.add_object(level, "Engine.Level", plain(), native)?
            }
        };
        let settings = if prefix.is_empty() { "LevelInfo" } else { "WorldInfo" };
        edit.add_blank_object(&format!("{prefix}Settings"), &format!("Engine.{settings}"))?;
        edit.add_blank_object(&format!("{prefix}Builder"), "Engine.Brush")?;
        if engine == Engine::Ue2 {
            edit.add_blank_object("Volume", "Engine.DefaultPhysicsVolume")?;
        }
        edit.add_blank_object(&format!("{prefix}Light0"), "Engine.Light")?;
        edit.add_blank_object(&format!("{prefix}{name}"), "Engine.Light")?;
        Ok(())
    });
    made.unwrap_or_else(|error| panic!("{file}: {error}"));
    reopen_decoded(&package)
}

pub(super) fn actors(package: &Package) -> Vec<String> {
    let listed = (0..package.exports().len()).find_map(|row| {
        let body = &package.decoded(row)?.body;
        let ue1 = native_as::<ue1::Level>(body).map(|level| level.actors.items.clone());
        let ue2 = || native_as::<ue2::Level>(body).map(|level| level.actors.items.clone());
        let ue3 = || native_as::<ue3::world::level::Level>(body).map(|level| level.actors.clone());
        ue1.or_else(ue2).or_else(ue3)
    });
    listed.unwrap().into_iter().map(|index| package.path(index)).collect()
}

pub(super) fn value(package: &Package, path: &str, property: &str) -> Option<String> {
    package.values().property(path, property).ok().map(|found| found.text)
}

#[test]
fn an_added_actor_is_what_the_editor_makes() {
    for file in FILES {
        let package = map(file, "Light1");
        let engine = package.versions().engine();
        let prefix = prefix(engine);
        let path = format!("{prefix}Light1");
        assert_eq!(actors(&package).last(), Some(&path), "{file}");
        let row = package.find_export(&path).unwrap();
        let export = package.exports().get(row).unwrap();
        let flags = if file < 195 { LOAD_FLAGS } else { LOAD_FLAGS << 32 };
        assert_eq!(export.flags(), ObjectFlags(flags), "{file}");
        let decoded = package.decoded(row).unwrap();
        assert!(decoded.is_complete(), "{file}: {:?}", decoded.error);
        let frame = decoded.body.state_frame.as_ref().unwrap();
        let class = export.entry().class_index;
        assert_eq!((frame.node, frame.state_node), (class, class));
        assert_eq!(frame.offset.unwrap().value(), -1);
        let all = if file < 691 { u64::MAX } else { u32::MAX.into() };
        assert_eq!((frame.probe_mask, frame.latent_action), (all, 0));
        let value = |property| value(&package, &path, property);
        assert_eq!(value("Tag").as_deref(), Some("Light"), "{file}");
        let settings = "LevelInfo'Settings'";
        match engine {
            Engine::Ue1 | Engine::Ue2 => {
                assert_eq!(value("Level").as_deref(), Some(settings), "{file}");
                let region = format!("(Zone={settings},iLeaf=-1,ZoneNumber=0)");
                assert_eq!(value("Region"), Some(region), "{file}");
            }
            _ => assert_eq!((value("Level"), value("Region")), (None, None)),
        }
        let volume = (engine == Engine::Ue2).then_some("DefaultPhysicsVolume'Volume'");
        assert_eq!(value("PhysicsVolume").as_deref(), volume, "{file}");
    }
}

#[test]
fn what_an_added_object_is_to_the_level_is_said() {
    for file in [69, 128] {
        let mut package = map(file, "Light1");
        let place = |package: &mut Package, path: &str, class: &str| {
            package.edit(|edit| {
                let row = edit.add_blank_object(path, class)?;
                Ok(edit.placement(row))
            })
        };
        let level = package.find_export("MyLevel").unwrap();
        let before = actors(&package).len();
        assert_eq!(place(&mut package, "Lamp", "Engine.Light").unwrap(), Placement::Placed(level));
        assert_eq!(place(&mut package, "Thing", "Mod.Thing").unwrap(), Placement::Unknown);
        assert_eq!(place(&mut package, "Skin", "Engine.Texture").unwrap(), Placement::None);
        for path in ["G.Lamp", "MyLevel.Lamp"] {
            let part = format!(
                "stand beside their level, at the top of the package: write 'Lamp' instead of '{path}'"
            );
            doubted(&package, &part, |edit| edit.add_blank_object(path, "Engine.Light"));
        }
        let again = reopen_decoded(&package);
        assert_eq!(actors(&again)[before..], ["Lamp"], "{file}");
    }
    // No package at hand says what the last three derive from.
    for class in ["PointLight", "KActor", "AIController", "GameInfo"] {
        let mut package = map(868, "Light1");
        let placement = package.edit(|edit| {
            let class = format!("Engine.{class}");
            let row = edit.add_blank_object("World.PersistentLevel.Lamp", &class)?;
            Ok(edit.placement(row))
        });
        assert!(matches!(placement.unwrap(), Placement::WithoutComponents(_)), "{class}");
    }
}

/// The class may be called as those of what is no actor.
#[test]
fn what_is_said_to_be_an_actor_is_one() {
    let mut package = map(868, "Light1");
    let path = "World.PersistentLevel.Box";
    let placed = package.edit(|edit| {
        let plain = edit.add_blank_object(&format!("{path}0"), "Mod.RoomContainer")?;
        let actor = edit.add_blank_actor(&format!("{path}1"), "Mod.RoomContainer")?;
        Ok([edit.placement(plain), edit.placement(actor)])
    });
    let [plain, actor] = placed.unwrap();
    assert_eq!(plain, Placement::None);
    assert!(matches!(actor, Placement::WithoutComponents(_)), "{actor:?}");
    assert_eq!(actors(&reopen_decoded(&package)).last(), Some(&format!("{path}1")));
}

/// An actor that lies in no level is in no list: refused with what to write instead, and taken in when it comes into
/// one.
#[test]
fn an_actor_outside_of_the_level_is_refused() {
    for file in [576, 868] {
        let mut package = map(file, "Light1");
        for path in ["Lamp", "World.Lamp"] {
            let part = format!("write 'World.PersistentLevel.Lamp' instead of '{path}'");
            doubted(&package, &part, |edit| edit.add_blank_object(path, "Engine.Light"));
        }
        let placement = package.edit(|edit| {
            edit.set_checks(false);
            let row = edit.add_blank_object("Lamp", "Engine.Light")?;
            Ok(edit.placement(row))
        });
        assert_eq!(placement.unwrap(), Placement::Outside, "{file}");
        package.edit(|edit| edit.move_object("Lamp", Some("World.PersistentLevel"))).unwrap();
        let again = reopen_decoded(&package);
        let path = "World.PersistentLevel.Lamp";
        assert_eq!(actors(&again).last().map(String::as_str), Some(path), "{file}");
        assert_eq!(value(&again, path, "Tag").as_deref(), Some("Light"), "{file}");
        // What is no actor may lie anywhere, and so may anything where there is no level.
        package.edit(|edit| edit.add_blank_object("Skin", "Engine.Texture2D")).unwrap();
        let empty = Builder::new(file).guid(GUID).build().unwrap();
        let mut empty = Package::from_bytes(empty).unwrap();
        empty.edit(|edit| edit.add_blank_object("Lamp", "Engine.Light")).unwrap();
    }
}

/// Before UE3 actors stand beside their level, whoever puts them elsewhere.
#[test]
fn an_actor_does_not_come_into_its_level_or_a_group() {
    for file in [69, 128] {
        let mut package = map(file, "Light1");
        package
            .edit(|edit| edit.add_plain_object("Group", "Core.Package", PropertyList::default()))
            .unwrap();
        let source = map(file, "Lamp");
        let refused = |change: &dyn Fn(&mut unreal_packages::edit::Edit) -> Result<()>| {
            let error = package.clone().edit(change).unwrap_err();
            assert!(matches!(error.unreal(), Some(UnrealError::Refused { .. })), "{file}: {error}");
            assert!(error.to_string().contains("stand beside their level"), "{file}: {error}");
        };
        for place in ["MyLevel", "Group", "Builder"] {
            refused(&|edit| edit.move_object("Light1", Some(place)));
            let options = CopyOptions::new().into_group(place);
            refused(&|edit| edit.copy_from(&source, "Lamp", &options).map(drop));
        }
        refused(&|edit| edit.move_object("Settings", Some("MyLevel")));
    }
}

#[test]
fn a_copied_actor_stands_in_the_other_level() {
    for file in [61, 69, 118, 128] {
        let mut source = map(file, "Lamp");
        source
            .edit(|edit| {
                edit.add_blank_object("Zone", "Engine.ZoneInfo")?;
                edit.set_property("Lamp", "Region", "(Zone=Zone,iLeaf=3,ZoneNumber=2)")?;
                edit.set_property("Lamp", "Number:int", "7")
            })
            .unwrap();
        let source = reopen_decoded(&source);
        let mut target = map(file, "Light1");
        let copied =
            target.edit(|edit| edit.copy_from(&source, "Lamp", &CopyOptions::new())).unwrap();
        assert_eq!(copied.objects, ["Lamp"], "{file}");
        assert!(copied.dropped.contains(&"Lamp.Region".to_owned()), "{copied:?}");
        let again = reopen_decoded(&target);
        assert_eq!(actors(&again).last().map(String::as_str), Some("Lamp"));
        assert_eq!(value(&again, "Lamp", "Level").unwrap(), "LevelInfo'Settings'");
        let region = "(Zone=LevelInfo'Settings',iLeaf=-1,ZoneNumber=0)";
        assert_eq!(value(&again, "Lamp", "Region").unwrap(), region);
        assert_eq!(value(&again, "Lamp", "Number").unwrap(), "7");
    }
}

#[test]
fn other_actors_come_along_only_where_that_is_said() {
    for file in FILES {
        let mut source = map(file, "Lamp");
        let prefix = prefix(source.versions().engine());
        let [lamp, light] = ["Lamp", "Light0"].map(|name| format!("{prefix}{name}"));
        source
            .edit(|edit| {
                edit.set_property(&light, "Number:int", "3")?;
                edit.set_property(&lamp, "Owner:object", &light)
            })
            .unwrap();
        let source = reopen_decoded(&source);
        let target = map(file, "Light1");
        let options = match prefix {
            "" => CopyOptions::new(),
            prefix => CopyOptions::new().into_group(prefix.trim_end_matches('.')),
        };
        let error =
            target.clone().edit(|edit| edit.copy_from(&source, &lamp, &options)).unwrap_err();
        match error.unreal() {
            Some(UnrealError::Refused { objects, .. }) => {
                assert_eq!(*objects, std::slice::from_ref(&light), "{file}")
            }
            _ => panic!("{file}: {error}"),
        }
        let options = options.dependencies(Dependencies::Copy);
        let mut target = target;
        let copied = target.edit(|edit| edit.copy_from(&source, &lamp, &options)).unwrap();
        let other = format!("{prefix}Light2");
        assert_eq!(copied.renamed, [(light.clone(), other.clone())], "{file}");
        let again = reopen_decoded(&target);
        assert_eq!(value(&again, &lamp, "Owner").unwrap(), format!("Light'{other}'"));
        assert!(actors(&again).contains(&other), "{file}");
    }
}

/// A map with a brush whose model lists the light.
fn with_door(file: u32) -> Package {
    let mut package = map(file, "Light1");
    let light = PackageIndex::export(package.find_export("Light0").unwrap());
    let is_ue1 = package.versions().engine() == Engine::Ue1;
    package
        .edit(|edit| {
            let plain = PropertyList::default;
            let polys =
                edit.add_object("Polys7", "Engine.Polys", plain(), ue1::Polys::default())?;
            let polys = PackageIndex::export(polys);
            if is_ue1 {
                let model = ue1::Model {
                    polys,
                    light_maps: vec![ue1::LightMap {
                        u_clamp: 8.into(),
                        v_clamp: 1.into(),
                        ..Default::default()
                    }],
                    light_bits: Payload(Span::owned(vec![0xff])),
                    lights: vec![light, PackageIndex::NULL],
                    ..Default::default()
                };
                edit.add_object("Model7", "Engine.Model", plain(), model)?;
            } else {
                let lights = vec![light, PackageIndex::NULL];
                let model = ue2::Model { polys, lights, ..Default::default() };
                edit.add_object("Model7", "Engine.Model", plain(), model)?;
            }
            edit.add_blank_object("Door", "Engine.Brush")?;
            edit.set_property("Door", "Brush:object", "Model'Model7'")
        })
        .unwrap_or_else(|error| panic!("{file}: {error}"));
    reopen_decoded(&package)
}

/// The model of an actor: its path, that of its polygons, its lights.
fn model(package: &Package, actor: &str) -> (String, String, Vec<String>) {
    let text = value(package, actor, "Brush").unwrap();
    let path = text.trim_start_matches("Model'").trim_end_matches('\'').to_owned();
    let body = &package.decoded(package.find_export(&path).unwrap()).unwrap().body;
    let (polys, lights) = match native_as::<ue1::Model>(body) {
        Some(model) => (model.polys, &model.lights),
        None => {
            let model: &ue2::Model = native_as(body).unwrap();
            (model.polys, &model.lights)
        }
    };
    let lights = lights.iter().filter(|light| !light.is_null());
    (path, package.path(polys), lights.map(|&light| package.path(light)).collect())
}

#[test]
fn a_duplicated_brush_has_a_model_of_its_own() {
    for file in [69, 128] {
        let mut package = with_door(file);
        package.edit(|edit| edit.duplicate_object("Door", "Gate")).unwrap();
        let again = reopen_decoded(&package);
        let expected = |model: &str, polys: &str| {
            (model.to_owned(), polys.to_owned(), vec!["Light0".to_owned()])
        };
        assert_eq!(model(&again, "Door"), expected("Model7", "Polys7"), "{file}");
        assert_eq!(model(&again, "Gate"), expected("Model8", "Polys8"), "{file}");
        assert_eq!(actors(&again).last().map(String::as_str), Some("Gate"));
    }
}

/// Even where the target has all of the same, the copy has its own: two brushes never share a model. Lights of the
/// other level are not lights of this one, whatever they are called.
#[test]
fn a_copied_brush_has_a_model_of_its_own_and_no_lights_of_the_target() {
    for file in [69, 128] {
        let source = with_door(file);
        for target in [with_door(file), map(file, "Light1")] {
            let mut target = target;
            let had_door = target.find_export("Door").is_ok();
            let options = CopyOptions::new().named("Gate");
            let copied = target.edit(|edit| edit.copy_from(&source, "Door", &options)).unwrap();
            let again = reopen_decoded(&target);
            let (own, polys) = if had_door { ("Model8", "Polys8") } else { ("Model7", "Polys7") };
            let expected = (own.to_owned(), polys.to_owned(), Vec::new());
            assert_eq!(model(&again, "Gate"), expected, "{file}: {copied:?}");
            assert!(copied.dropped.contains(&format!("{own}.lights")), "{copied:?}");
            let lights = |package: &Package| {
                actors(package).iter().filter(|path| path.starts_with("Light")).count()
            };
            assert_eq!(lights(&again), 2, "{file}");
        }
    }
}
