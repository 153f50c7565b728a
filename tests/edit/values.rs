//! Values as people write them: types that others show or that the engine declares, enums by name, elements
//! that are added and inserted, points in time, paths with wildcards.

use unreal_packages::edit::PackageEdit;
use unreal_packages::generate::Builder;
use unreal_packages::inspect::{Condition, PackageValues};
use unreal_packages::package::{OpenOptions, Package};
use unreal_packages::version::EngineRelease;

use crate::common::level::{level_with, open_level};
use crate::common::save_twice;
use crate::ue4::{RELEASES, empty_body, reopened, texts};

fn set(package: &mut Package, object: &str, path: &str, text: &str) -> Result<String, String> {
    let change = package.edit(|edit| edit.set_property(object, path, text));
    change.map(|change| change.path()).map_err(|error| error.to_string())
}

fn text(package: &Package, object: &str, path: &str) -> String {
    let found = package.values().property(object, path);
    found.unwrap_or_else(|error| panic!("{object}.{path}: {error}")).text
}

fn tables(release: EngineRelease) -> Package {
    let body = |more| empty_body(release, more);
    let builder = Builder::for_release(release)
        .name("None")
        .export("DT", "/Script/Engine.DataTable", body(4))
        .export("Lamp", "/Script/Engine.PointLight", body(0))
        .export("Lamp2", "/Script/Engine.PointLight", body(0))
        .export("Other", "/Script/Game.Thing", body(0));
    let mut package = Package::from_bytes(builder.build().unwrap()).unwrap();
    package.decode_all();
    package
}

/// A row takes the types of the others, whatever they hold, and all comes back when it is read again.
#[test]
fn rows_grow_by_what_other_rows_show() {
    for (major, minor) in RELEASES {
        let release = EngineRelease::new(major, minor);
        let mut package = tables(release);
        set(&mut package, "DT", "[A]", "()").unwrap();
        for (path, value) in [
            ("[A].Damage:int", "5"),
            ("[A].Title:string", "a, b"),
            ("[A].Kind:byte-enum:EKind", "KA"),
            ("[A].Tags:array:name", "(X,Y)"),
            ("[A].Place:struct:Vector", "(1,2,3)"),
            ("[A].Inner:struct:Part", "()"),
            ("[A].Inner.Deep:float", "1.5"),
        ] {
            set(&mut package, "DT", path, value)
                .unwrap_or_else(|e| panic!("{release} {path}: {e}"));
        }
        let row = text(&package, "DT", "[A]");
        set(&mut package, "DT", "[B]", &row).unwrap_or_else(|error| panic!("{release}: {error}"));
        // What the text leaves out is left out.
        set(&mut package, "DT", "[C]", "(Title=\"c\")").unwrap();
        let error = set(&mut package, "DT", "[D]", "(Title:text=\"c\")").unwrap_err();
        assert!(error.contains("'Title' is stored as string"), "{error}");
        let error = set(&mut package, "DT", "[D]", "(Unheard=1)").unwrap_err();
        assert!(error.contains("Unheard:int"), "{error}");
        assert!(set(&mut package, "DT", "[D]^", "()").is_err());
        let package = reopened(&package, &OpenOptions::new());
        assert_eq!(text(&package, "DT", "[B]"), row, "{release}");
        assert_eq!(text(&package, "DT", "[C]"), "(Title=\"c\")");
        assert_eq!(package.values().table_rows("DT").unwrap().len(), 3);
    }
}

/// Arrays of structs, and objects of the same class.
#[test]
fn elements_and_objects_grow_by_what_others_show() {
    for (major, minor) in RELEASES {
        let release = EngineRelease::new(major, minor);
        let mut package = tables(release);
        // Below UE4 500 nothing names the struct of an element: the first one shows what it holds.
        let first = "((Desc:string=\"one\",Count:int=1))";
        set(&mut package, "Lamp", "Links:array:struct:Link", first).unwrap();
        let path = set(&mut package, "Lamp", "Links[+]", "(Desc=\"three\",Count=3)").unwrap();
        assert_eq!(path, "Lamp.Links[1]");
        let path = set(&mut package, "Lamp", "Links[1]^", "(Desc=\"two\")").unwrap();
        assert_eq!(path, "Lamp.Links[1]");
        let links = "((Desc=\"one\",Count=1),(Desc=\"two\"),(Desc=\"three\",Count=3))";
        assert_eq!(text(&package, "Lamp", "Links"), links, "{release}");
        // Another object of the class has the same property.
        set(&mut package, "Lamp2", "Links", "((Count=7))").unwrap();
        assert!(set(&mut package, "Other", "Links", "((Count=7))").is_err());
        for wrong in ["Links[9]^", "Links[+].Count", "Links[x]^"] {
            assert!(set(&mut package, "Lamp", wrong, "1").is_err(), "{wrong}");
        }
        let package = reopened(&package, &OpenOptions::new());
        assert_eq!(text(&package, "Lamp", "Links"), links, "{release}");
        assert_eq!(text(&package, "Lamp2", "Links"), "((Count=7))");
    }
}

/// UE3: a level of actors, whose classes nobody declares.
#[test]
fn ue3_elements_take_the_fields_of_their_siblings() {
    let none = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0].to_vec();
    let builder = Builder::new(868)
        .name("None")
        .export("Act", "Mine.SeqAct_Own", none.clone())
        .export("Act2", "Mine.SeqAct_Own", none);
    let mut package = Package::from_bytes(builder.build().unwrap()).unwrap();
    package.decode_all();
    set(&mut package, "Act", "Ports:array:struct:Port", "((Desc:string=\"In\",Draw:int=4))")
        .unwrap();
    set(&mut package, "Act", "Ports[1]", "(Desc=\"New\")").unwrap();
    set(&mut package, "Act2", "Ports", "((Desc=\"Far\"))").unwrap();
    let package = Package::from_bytes(save_twice(&package)).unwrap();
    assert_eq!(text(&package, "Act", "Ports"), "((Desc=\"In\",Draw=4),(Desc=\"New\"))");
    assert_eq!(text(&package, "Act2", "Ports"), "((Desc=\"Far\"))");
}

/// The example of the readme: nothing but a map is there.
#[test]
fn the_engines_own_properties_are_known() {
    for file in [61, 68, 69] {
        let light = |builder: Builder| builder.export("Light1", "Engine.Light", vec![0]);
        let mut package = Package::from_bytes(level_with(file, light)).unwrap();
        set(&mut package, "Light1", "LightRadius", "64").unwrap();
        set(&mut package, "Light1", "LightType", "LT_Pulse").unwrap();
        set(&mut package, "Light1", "Location", "(1,2,3)").unwrap();
        set(&mut package, "Light1", "MultiSkins[7]", "None").unwrap();
        assert!(
            set(&mut package, "Light1", "MultiSkins[8]", "None")
                .unwrap_err()
                .contains("8 elements")
        );
        assert!(
            set(&mut package, "Light1", "LightType", "LT_No").unwrap_err().contains("LT_Steady")
        );
        assert!(set(&mut package, "Light1", "LightRadius", "x").is_err());
        assert!(
            set(&mut package, "Light1", "Unheard", "1").unwrap_err().contains("state the type")
        );
        // What the package's own class declares counts.
        assert!(set(&mut package, "Lamp0", "LightRadius", "64").is_err());
        let package = Package::from_bytes(save_twice(&package)).unwrap();
        assert_eq!(text(&package, "Light1", "LightType"), "LT_Pulse");
        let conditions: Vec<Condition> =
            vec!["class=Actor".parse().unwrap(), "LightRadius=64".parse().unwrap()];
        let rows = package.values().matching("*", &conditions);
        assert_eq!(rows, [package.find_export("Light1").unwrap()]);
    }
    for (major, minor) in [(5, 2), (5, 4), (5, 6)] {
        let mut package = tables(EngineRelease::new(major, minor));
        set(&mut package, "Lamp", "bHidden", "true").unwrap();
        let package = reopened(&package, &OpenOptions::new());
        assert_eq!(text(&package, "Lamp", "bHidden"), "True");
    }
}

#[test]
fn wildcards_mean_what_stores_or_declares() {
    let mut package = open_level(69);
    let expand = |package: &Package, path: &str, conditions: &[&str], stored| {
        let conditions: Vec<Condition> =
            conditions.iter().map(|text| text.parse().unwrap()).collect();
        let found = package.values().expand(path, &conditions, stored);
        found.map(|found| found.len()).map_err(|error| error.to_string())
    };
    // The class itself has defaults, and two objects are of it.
    assert_eq!(expand(&package, "Lamp*.Count", &[], false), Ok(3));
    assert_eq!(expand(&package, "Lamp?.Count", &["class=Lamp"], false), Ok(2));
    assert!(
        expand(&package, "Lamp?.Count", &[], true).unwrap_err().contains("no object that fits")
    );
    set(&mut package, "Lamp1", "Count", "7").unwrap();
    set(&mut package, "Lamp1", "Where", "(1,2,3)").unwrap();
    assert_eq!(expand(&package, "*.Count", &[], true), Ok(1));
    assert_eq!(expand(&package, "Lamp?.Where.X", &["Count=7"], false), Ok(1));
    assert_eq!(expand(&package, "Lamp1.*", &[], true), Ok(2));
    assert!(expand(&package, "Lamp1.Count", &["Count=8"], true).is_err());
    assert_eq!(expand(&package, "Stranger*.Foo:int", &[], false), Ok(1));
}

#[test]
fn classes_before_paths_say_which_object() {
    let light = |builder: Builder| {
        builder.export("Twin", "Engine.Light", vec![0]).export("Twin", "Engine.Info", vec![0])
    };
    let mut package = Package::from_bytes(level_with(69, light)).unwrap();
    assert!(set(&mut package, "Twin", "Tag", "A").unwrap_err().contains("several"));
    set(&mut package, "Light'Twin'", "Tag", "A").unwrap();
    assert_eq!(text(&package, "Engine.Light'Twin'", "Tag"), "A");
    assert!(package.values().property("Info'Twin'", "Tag").is_err());
    let path = "Light'Twin'.Tag";
    assert_eq!(package.values().split_property_path(path).unwrap(), ("Light'Twin'", "Tag"));
}

/// Points in time and structs with their type are set as they are shown.
#[test]
fn times_and_structs_with_their_type() {
    for (major, minor) in RELEASES {
        let release = EngineRelease::new(major, minor);
        let mut package = tables(release);
        set(&mut package, "Lamp", "When:struct:DateTime", "2024-05-01T12:00:00").unwrap();
        assert_eq!(text(&package, "Lamp", "When"), "2024-05-01T12:00:00");
        set(&mut package, "Lamp", "When", "638501616000000001").unwrap();
        assert_eq!(text(&package, "Lamp", "When"), "2024-05-01T12:00:00.0000001");
        assert!(set(&mut package, "Lamp", "When", "soon").unwrap_err().contains("2024-05-01T12"));
        set(&mut package, "Lamp", "Wait:struct:Timespan", "-1.02:00:00").unwrap();
        // Before, nothing names the struct of an element.
        let named = release.ue4() >= 500;
        if named {
            set(&mut package, "Lamp", "Waits:array:struct:Timespan", "(00:00:01,(5),7)").unwrap();
        }
        let package = reopened(&package, &OpenOptions::new());
        assert_eq!(text(&package, "Lamp", "Wait"), "-1.02:00:00");
        if named {
            let waits = "(00:00:01,00:00:00.0000005,00:00:00.0000007)";
            assert_eq!(text(&package, "Lamp", "Waits"), waits);
        }
        if release.ue5() < 1000 {
            continue;
        }
        let mut package = package;
        let structure = "/Script/CoreUObject.ScriptStruct'/Script/Game.Part'";
        let value = format!("(Struct={structure},Value=(A:int=1))");
        set(&mut package, "Lamp", "Held:struct:InstancedStruct", &value).unwrap();
        let shown = text(&package, "Lamp", "Held");
        assert_eq!(shown, "(Struct=ScriptStruct'/Script/Game.Part',Value=(A=1))");
        set(&mut package, "Lamp", "Held", "(A=2)").unwrap();
        set(&mut package, "Lamp", "Held.A", "3").unwrap();
        let mut package = reopened(&package, &OpenOptions::new());
        let shown = text(&package, "Lamp", "Held");
        assert!(shown.ends_with("Value=(A=3))"), "{shown}");
        set(&mut package, "Lamp", "Held", &shown).unwrap();
        set(&mut package, "Lamp", "Held", "(Struct=None)").unwrap();
        assert_eq!(text(&package, "Lamp", "Held"), "(Struct=None,Value=())");
    }
}

/// What is shown is taken, and changes nothing.
#[test]
fn what_is_shown_is_taken() {
    for (major, minor) in RELEASES {
        let mut package = tables(EngineRelease::new(major, minor));
        for (path, value) in [
            ("\"An (odd). name\":int", "1"),
            ("Title:string", "a \"b\" (c), d=e\n"),
            ("Names:array:name", "(\"a,b\",\" c\",d)"),
            ("Spot:struct:Part", "(\"x.y\":int=1,\"z=\":string=\"=\")"),
            ("When:struct:DateTime", "-1"),
            ("Tag:name", "a'b"),
        ] {
            set(&mut package, "Lamp", path, value)
                .unwrap_or_else(|error| panic!("{path}: {error}"));
        }
        let before = package.to_bytes().unwrap();
        let shown = texts(&package);
        assert!(shown.len() >= 6);
        for (path, text) in shown {
            let (object, property) = package.values().split_property_path(&path).unwrap();
            let (object, property) = (object.to_owned(), property.to_owned());
            set(&mut package, &object, &property, &text)
                .unwrap_or_else(|e| panic!("{path}={text}: {e}"));
            assert_eq!(package.values().property(&object, &property).unwrap().text, text);
        }
        assert!(package.to_bytes().unwrap() == before);
    }
}
