//! Fields of structs and parameters of functions.

use unreal_packages::edit::{PackageEdit, RemoveOptions};
use unreal_packages::generate::Builder;
use unreal_packages::inspect::PackageValues;
use unreal_packages::object::Native;
use unreal_packages::object::script_object::ScriptObject;
use unreal_packages::package::Package;
use unreal_packages::primitive::ObjectRef;

use super::common::objects::{assert_same, dump};
use super::common::open;
use super::{fields, refused, reopen};

pub fn chain(package: &Package, structure: &str) -> Vec<String> {
    let script = |row: usize| match package.decode(row).unwrap().into_owned().body.native {
        Native::Script(object) => *object,
        other => panic!("{other:?}"),
    };
    let mut next = script(package.find_export(structure).unwrap()).structure().unwrap().children;
    let mut names = Vec::new();
    while let ObjectRef::Export(row) = next.target() {
        names.push(package.object_name(next));
        next = script(row).field().next;
        assert!(names.len() < 9999, "a circle");
    }
    names
}

#[test]
fn a_struct_takes_its_friendly_name_along() {
    let mut package = fields(69);
    package.edit(|edit| edit.rename_object("Point", "Place")).unwrap();
    let again = reopen(&package);
    let Native::Script(object) = again.decode(0).unwrap().into_owned().body.native else {
        panic!()
    };
    let friendly = object.structure().unwrap().friendly_name;
    assert_eq!(again.name_text(friendly.get().unwrap()), "Place");
    assert_eq!(chain(&again, "Place"), ["X", "Y", "Z"]);
}

#[test]
fn fields_leave_and_join_the_chain_of_their_struct() {
    for file in [69, 128] {
        let package = fields(file);
        assert_eq!(chain(&package, "Point"), ["X", "Y", "Z"]);
        for (gone, left) in [("X", ["Y", "Z"]), ("Y", ["X", "Z"]), ("Z", ["X", "Y"])] {
            let mut package = package.clone();
            package
                .edit(|edit| edit.remove_object(&format!("Point.{gone}"), RemoveOptions::Refuse))
                .unwrap();
            assert_eq!(chain(&reopen(&package), "Point"), left);
        }
        let mut two = package.clone();
        two.edit(|edit| edit.remove_objects(&["Point.X", "Point.Y"], RemoveOptions::Refuse))
            .unwrap();
        assert_eq!(chain(&reopen(&two), "Point"), ["Z"]);
        let mut more = package.clone();
        more.edit(|edit| edit.duplicate_object("Point.Y", "W")).unwrap();
        assert_eq!(chain(&more, "Point"), ["X", "Y", "W", "Z"]);
        more.edit(|edit| edit.remove_object("Point.W", RemoveOptions::Refuse)).unwrap();
        assert_same(&dump(&reopen(&more)), &dump(&package), "there and back");
        let mut twice = package.clone();
        twice.edit(|edit| edit.duplicate_object("Point", "Place")).unwrap();
        assert_eq!(chain(&reopen(&twice), "Place"), ["X", "Y", "Z"]);
        assert_eq!(chain(&reopen(&twice), "Point"), ["X", "Y", "Z"]);
    }
}

#[test]
fn parameters_stay_with_their_function() {
    let mut package = fields(69);
    package.decode_all();
    let row = package.find_export("Point.Y").unwrap();
    let mut body = package.body(row).unwrap().to_vec();
    // Elements take four bytes behind the end of the list and two references; then the flags.
    body[7] = 0x80;
    package.edit(|edit| edit.replace_body(row, body)).unwrap();
    let package = open(&package.to_bytes().unwrap());
    let Native::Script(object) = package.decode(row).unwrap().into_owned().body.native else {
        panic!()
    };
    let ScriptObject::Property(property) = *object else { panic!() };
    assert_eq!(property.property_flags, 0x80);
    let mut removed = package.clone();
    let options = RemoveOptions::NullReferences;
    assert_eq!(refused(removed.edit(|edit| edit.remove_object("Point.Y", options))), ["Point.Y"]);
    assert_eq!(refused(removed.edit(|edit| edit.duplicate_object("Point.Y", "W"))), ["Point.Y"]);
    removed.edit(|edit| edit.remove_object("Point", RemoveOptions::Refuse)).unwrap();
}

/// Actors of a level that know the next one: those that stay know one another when one goes.
#[test]
fn a_chain_of_actors_closes_over_those_that_go() {
    let names = ["None", "NavigationPointList", "nextNavigationPoint", "PawnList", "nextPawn"];
    for file in [69, 128, 868] {
        let none = if file < 178 { vec![0] } else { vec![0; 12] };
        let mut builder = Builder::new(file);
        for name in names {
            builder = builder.name(name);
        }
        for (name, class) in [
            ("Info", "LevelInfo"),
            ("A", "PathNode"),
            ("B", "PathNode"),
            ("C", "PathNode"),
            ("D", "PathNode"),
        ] {
            builder = builder.export(name, format!("Engine.{class}"), none.clone());
        }
        let mut package = Package::from_bytes(builder.build().unwrap()).unwrap();
        let links = [
            ("Info", "NavigationPointList", "A"),
            ("A", "nextNavigationPoint", "B"),
            ("B", "nextNavigationPoint", "C"),
            ("C", "nextNavigationPoint", "D"),
            ("Info", "PawnList", "D"),
            ("D", "nextPawn", "C"),
        ];
        package
            .edit(|edit| {
                links.iter().try_for_each(|(from, name, to)| {
                    let to = format!("PathNode'{to}'");
                    edit.add_property(from, name, &"object".parse()?, &to).map(drop)
                })
            })
            .unwrap();
        let package = Package::from_bytes(package.to_bytes().unwrap()).unwrap();
        let value = |package: &Package, object: &str, name: &str| {
            package.values().property(object, name).map(|value| value.text).unwrap_or_default()
        };
        let next = |package: &Package, object: &str| value(package, object, "nextNavigationPoint");
        let without = |gone: &[&str]| {
            let mut package = package.clone();
            let before = package.to_bytes().unwrap();
            let removed = package.edit(|edit| edit.remove_objects(gone, RemoveOptions::Refuse));
            let removed = removed.unwrap_or_else(|error| panic!("{file} {gone:?}: {error}"));
            let left = reopen(&package);
            package.edit(|edit| edit.restore(&removed)).unwrap();
            assert!(package.to_bytes().unwrap() == before, "{file} {gone:?}");
            left
        };
        assert_eq!(next(&without(&["B"]), "A"), "PathNode'C'");
        assert_eq!(next(&without(&["B", "C"]), "A"), "PathNode'D'");
        let left = without(&["A"]);
        assert_eq!(value(&left, "Info", "NavigationPointList"), "PathNode'B'");
        // The last one of a chain stores nothing.
        let left = without(&["D"]);
        assert!(left.values().property("C", "nextNavigationPoint").is_err());
        assert_eq!(value(&left, "Info", "PawnList"), "PathNode'C'");
        let left = without(&["A", "B", "C", "D"]);
        assert!(left.values().properties("Info").unwrap().is_empty());
    }
}
