//! A name that is another one's already, by inheritance, by import or by what the engine looks for: refused, unless
//! it is wanted all the same.

use unreal_packages::edit::{Edit, PackageEdit};
use unreal_packages::generate::Builder;
use unreal_packages::inspect::PackageValues;
use unreal_packages::object::ue3;
use unreal_packages::package::Package;
use unreal_packages::property::PropertyList;
use unreal_packages::version::{EngineRelease, UnrealVersions};
use unreal_packages::{ErrorKind, Result, Versions};

use super::checks::doubted;
use super::common::code::{Code, Member, property};
use super::common::{GUID, reopen_decoded};
use super::ue4::{RELEASES, empty_body};

const FILES: [u32; 4] = [68, 69, 128, 868];

fn function(name: &'static str) -> Member {
    Member::Function(name, 0, 0, Vec::new())
}

/// Three classes, each derived from the one before, the first from `parent`.
fn classes(file: u32, parent: &str) -> Package {
    let mut code = Code::new(Versions::ue1_to_3(file, 0), GUID);
    let members = |variable, called| [property(variable, "IntProperty"), function(called)];
    code.class("Thing", parent, false, &members("Height", "Light"), &[]);
    code.class("Lamp", "Thing", false, &members("Width", "Glow"), &[]);
    code.class("Lantern", "Lamp", false, &members("Depth", "Swing"), &[]);
    code.class("Stone", parent, false, &members("Weight", "Fall"), &[]);
    Package::from_bytes(code.build()).unwrap()
}

fn rename(path: &str, new: &str) -> impl Fn(&mut Edit) -> Result<()> + use<> {
    let [path, new] = [path, new].map(str::to_owned);
    move |edit| edit.rename_object(&path, &new).map(drop)
}

#[test]
fn a_name_that_the_line_of_classes_has_is_refused() {
    for file in FILES {
        let package = classes(file, "Engine.Actor");
        for (path, new, part) in [
            ("Lamp.Width", "Height", "'Height' is the name of Thing.Height, which Lamp inherits"),
            ("Lantern.Depth", "height", "Thing.Height, which Lantern inherits"),
            ("Lamp.Width", "Depth", "'Depth' is the name of Lantern.Depth, which inherits Lamp"),
            ("Thing.Height", "Depth", "Lantern.Depth, which inherits Thing"),
            ("Lamp.Width", "bHidden", "Actor.bHidden, which Lamp inherits: values of both"),
            ("Lamp.Glow", "Light", "Thing.Light, which Lamp inherits: the one would override"),
            ("Lamp.Glow", "Swing", "Lantern.Swing, which inherits Lamp"),
        ] {
            doubted(&package, part, rename(path, new));
        }
        doubted(&package, "Thing.Height", |edit| edit.duplicate_object("Lamp.Width", "Height"));
        doubted(&package, "Thing.Light", |edit| edit.duplicate_object("Lamp.Glow", "Light"));
        // Neither does the engine's own line end at its nearest class.
        if file < 178 {
            let triggers = classes(file, "Engine.Triggers");
            doubted(&triggers, "Actor.bHidden, which Lamp", rename("Lamp.Width", "bHidden"));
        }
        // Names of other lines and of other kinds, and the same in other letters.
        for (path, new) in [
            ("Lamp.Width", "Weight"),
            ("Lamp.Glow", "Fall"),
            ("Lamp.Width", "Swing"),
            ("Lamp.Width", "WIDTH"),
            ("Stone.Weight", "Height"),
            ("Thing.Height", "Extent"),
        ] {
            let done = package.clone().edit(rename(path, new));
            done.unwrap_or_else(|error| panic!("{file} {path} {new}: {error}"));
        }
    }
}

/// What packages around one declare: properties, functions.
#[test]
fn a_name_that_a_class_of_another_package_has_is_refused() {
    for file in FILES {
        let mut package = classes(file, "Mine.Base");
        let mut code = Code::new(Versions::ue1_to_3(file, 0), GUID);
        let members = [property("Size", "IntProperty"), function("Shrink")];
        code.class("Root", "Core.Object", false, &members, &[]);
        code.class("Base", "Root", false, &[function("Grow")], &[]);
        let around = Package::from_bytes(code.build()).unwrap();
        let wanted = [("Lamp.Width", "Size"), ("Lamp.Glow", "Shrink"), ("Lamp.Glow", "Grow")];
        for (path, new) in wanted {
            package.clone().edit(rename(path, new)).unwrap();
        }
        package.add_class_layouts(&around.layouts());
        for ((path, new), part) in
            wanted.into_iter().zip(["Root.Size, which", "Root.Shrink, which", "Base.Grow, which"])
        {
            doubted(&package, part, rename(path, new));
        }
    }
}

/// An import within a class above, and a value that is stored, say that a name is inherited.
#[test]
fn a_name_that_is_imported_or_stored_is_refused() {
    for file in [69, 128] {
        let mut code = Code::new(Versions::ue1_to_3(file, 0), GUID);
        code.object("Mine.Base.Grow", "Function");
        let shine = code.name("Shine").index.value() as u8;
        let members = [property("Width", "IntProperty"), function("Glow")];
        // A tag of an integer, four bytes.
        code.class("Lamp", "Mine.Base", false, &members, &[shine, 0x22, 5, 0, 0, 0]);
        let package = Package::from_bytes(code.build()).unwrap();
        assert_eq!(package.values().property("Lamp", "Shine").unwrap().text, "5");
        doubted(&package, "Mine.Base.Grow, which Lamp inherits", rename("Lamp.Glow", "Grow"));
        let part = "Lamp stores a value of 'Shine', which Lamp inherits";
        doubted(&package, part, rename("Lamp.Width", "Shine"));
        package.clone().edit(rename("Lamp.Width", "Grow")).unwrap();
    }
}

/// A name of the table is what objects are called by: the same holds for it.
#[test]
fn another_text_for_a_name_asks_what_is_called_by_it() {
    let package = classes(69, "Engine.Actor");
    let change = |old: &'static str, new: &'static str| {
        move |edit: &mut Edit| edit.rename_name(old, new).map(drop)
    };
    doubted(&package, "Actor.bHidden, which Lamp inherits", change("Width", "bHidden"));
    let part = "'Actor' is the name of Engine.Actor, an object of another package";
    doubted(&package, part, change("Actor", "Being"));
    package.clone().edit(change("Width", "Extent")).unwrap();
    // An override of what is imported is one no longer.
    let mut code = Code::new(Versions::ue1_to_3(69, 0), GUID);
    code.class("Lamp", "Mine.Base", false, &[function("Glow")], &[]);
    let grow = code.object("Mine.Base.Glow", "Function");
    code.derive("Lamp.Glow", grow);
    let package = Package::from_bytes(code.build()).unwrap();
    doubted(&package, "overrides Mine.Base.Glow", change("Glow", "Shine"));
}

#[test]
fn objects_that_the_engine_finds_by_name_keep_it() {
    for file in [69, 128] {
        let builder = Builder::new(file).guid(GUID).name("None");
        let builder = builder.export("MyLevel", "Engine.Level", []);
        let builder = builder.export("Group", "Core.Package", [0]);
        let package = Package::from_bytes(builder.build().unwrap()).unwrap();
        let part = "the engine finds the Level of a map by its name, 'MyLevel'";
        doubted(&package, part, rename("MyLevel", "Other"));
        doubted(&package, part, |edit| edit.rename_name("MyLevel", "Other"));
        doubted(&package, part, |edit| edit.move_object("MyLevel", Some("Group")));
    }
    let mut package = Package::from_bytes(Builder::new(868).guid(GUID).build().unwrap()).unwrap();
    let made = package.edit(|edit| {
        edit.add_blank_object("TheWorld", "Engine.World")?;
        edit.add_plain_object("Lights", "Core.Package", PropertyList::default())?;
        edit.add_plain_object("Lights.TheWorld", "Engine.Info", PropertyList::default())?;
        let level = ue3::world::level::Level::default();
        edit.add_object("Lights.PersistentLevel", "Engine.Level", PropertyList::default(), level)
    });
    made.unwrap();
    let package = reopen_decoded(&package);
    doubted(&package, "World of a map by its name, 'TheWorld'", rename("TheWorld", "Other"));
    doubted(&package, "by its name, 'PersistentLevel'", rename("Lights.PersistentLevel", "Other"));
    package.clone().edit(rename("Lights.TheWorld", "Other")).unwrap();
}

/// The copy would be the same component a second time.
#[test]
fn a_node_of_a_component_is_not_duplicated() {
    for release in RELEASES.map(|(major, minor)| EngineRelease::new(major, minor)) {
        let builder = Builder::for_release(release).name("None");
        let node = builder.export("Node", "/Script/Engine.SCS_Node", empty_body(release, 0));
        let mut package = Package::from_bytes(node.build().unwrap()).unwrap();
        package.decode_all();
        let part = "Node stands for a component of a blueprint";
        doubted(&package, part, |edit| edit.duplicate_object("Node", "Other"));
    }
}

/// A class that a delegate names stands for its defaults; what objects of other classes have is another function.
#[test]
fn delegates_follow_the_class_that_they_name() {
    let mut code = Code::new(Versions::ue1_to_3(128, 0), GUID);
    code.class("Lamp", "Core.Object", false, &[function("Glow")], &[]);
    code.class("Stone", "Core.Object", false, &[function("Glow")], &[]);
    code.instance("Pebble", "Stone", &[0]);
    let mut package = Package::from_bytes(code.build()).unwrap();
    package
        .edit(|edit| {
            edit.set_property("Lamp", "OnClick:delegate", "Lamp.Glow")?;
            edit.set_property("Stone", "OnClick:delegate", "Pebble.Glow")
        })
        .unwrap();
    let mut package = reopen_decoded(&package);
    let renamed = package.edit(|edit| edit.rename_object("Lamp.Glow", "Shine")).unwrap();
    assert!(renamed.care.is_empty(), "{renamed:?}");
    let again = reopen_decoded(&package);
    let value = |path: &str| again.values().property(path, "OnClick").unwrap().text;
    assert_eq!(value("Lamp"), "Class'Lamp'.Shine");
    assert_eq!(value("Stone"), "Stone'Pebble'.Glow");
}

/// What can't be forced is refused as before.
#[test]
fn a_name_beside_it_is_taken() {
    for file in FILES {
        let mut package = classes(file, "Engine.Actor");
        let error = package.edit(rename("Lamp.Width", "Glow")).unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::Exists { .. }), "{error}");
    }
}
