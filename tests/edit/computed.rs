//! Conditions and sums: what an expression says of objects, and what a value becomes by it.

use unreal_packages::edit::{Computation, PackageEdit};
use unreal_packages::inspect::{Answer, Formula, FormulaNumber, Inherited, PackageValues, Subject};
use unreal_packages::package::Package;

use super::code::reopened;
use super::common::level::open_level;

/// A thing with one number and one text.
struct Thing;

impl Subject for Thing {
    fn value(&mut self, path: &str) -> Answer {
        match path {
            "Hue" => Answer::Number(FormulaNumber::Whole(20)),
            "Tag" => Answer::Text("\"Hall\"".to_owned()),
            "Skin" => Answer::Text("Texture'Skins.Blue'".to_owned()),
            "Kind" => Answer::Choice(1, "LT_Steady".to_owned()),
            "Location.Z" => Answer::Number(FormulaNumber::Real(100.5)),
            "On" => Answer::Truth(true),
            _ => Answer::Unknown,
        }
    }

    fn stores(&mut self, path: &str) -> bool {
        path == "Hue"
    }

    fn is(&mut self, path: &str, text: &str) -> Option<bool> {
        (path == "class").then(|| ["Light", "Actor"].contains(&text))
    }
}

fn holds(text: &str) -> Result<Option<bool>, String> {
    let expression: Formula = text.parse().map_err(|error| format!("{error}"))?;
    expression.holds(&mut Thing).map_err(|error| format!("{error}"))
}

#[test]
fn conditions_are_true_false_or_unknown() {
    for (text, expected) in [
        ("class==Light && Hue<30 && Location.Z>100", Some(true)),
        ("class=Actor", Some(true)),
        ("class!=Pawn", Some(true)),
        ("Hue==0x14", Some(true)),
        ("Hue*2+2==42 && -Hue<0", Some(true)),
        ("Hue>=20||Missing>1", Some(true)),
        ("Missing>1||Hue>=20", Some(true)),
        ("Hue<20&&Missing>1", Some(false)),
        ("Missing>1", None),
        ("!(Missing>1)", None),
        ("stored(Hue) && !stored(Tag)", Some(true)),
        ("Tag==hall", Some(true)),
        ("Tag~H*", Some(true)),
        ("Tag!~\"*x*\"", Some(true)),
        ("Skin==Blue", Some(true)),
        ("Skin==Texture'Skins.Blue'", Some(true)),
        ("Skin==Sound'Skins.Blue'", Some(false)),
        ("Kind==LT_Steady && Kind==1 && Kind==ELightType::LT_Steady", Some(true)),
        ("Kind==2", Some(false)),
        ("On", Some(true)),
        ("On==1 && On==true", Some(true)),
        ("clamp(Hue*10,0,50)==50 && round(Location.Z)==101", Some(true)),
        ("10-4-3==3 && 7/2==3.5 && 7%4==3", Some(true)),
    ] {
        assert_eq!(holds(text), Ok(expected), "{text}");
    }
}

#[test]
fn what_is_no_expression_says_where() {
    for (text, place) in [
        ("Hue<", "at its end"),
        ("(Hue<3", "at its end"),
        ("Hue<3 4", "at '4'"),
        ("Hue<3<4", "at '<4'"),
        ("Tag==\"x", "at '\"x'"),
        ("lamp(3)", "there is no function 'lamp'"),
        ("clamp(3)", "takes 3 values"),
        ("Hue<3 $", "at '$'"),
        ("", "at its end"),
    ] {
        let error = holds(text).unwrap_err();
        assert!(error.contains(place), "{text}: {error}");
    }
    for (text, reason) in [
        ("Tag<3", "takes numbers"),
        ("Hue", "is no condition"),
        ("Hue/0==1", "divided by zero"),
        ("clamp(1,3,2)==1", "bounds"),
    ] {
        let error = holds(text).unwrap_err();
        assert!(error.contains(reason), "{text}: {error}");
    }
    assert!(holds(&"(".repeat(500)).unwrap_err().contains("too deeply"));
    assert!(holds(&"!".repeat(500)).unwrap_err().contains("too deeply"));
    assert!(holds(&"Hue+".repeat(100_000)).unwrap_err().contains("too long"));
}

fn text(package: &Package, object: &str, property: &str) -> String {
    package.values().property(object, property).unwrap().text
}

#[test]
fn values_are_computed_from_what_an_object_has() {
    let mut package = open_level(69);
    let done = package.edit(|edit| {
        edit.set_property("Lamp0", "Count", "7")?;
        edit.set_property("Lamp0", "Ratio", "0.5")?;
        edit.set_property("Lamp0", "Where", "(X=1,Y=2,Z=3)")?;
        let compute = [
            ("Count", Computation::Multiply, "1.5"),
            ("Ratio", Computation::Add, "Count/4"),
            ("Where", Computation::Add, "(Z=64,X=-1)"),
            ("Where.Y", Computation::Replace, "clamp(value*100, 0, 150)"),
        ];
        for (property, how, text) in compute {
            edit.compute_property("Lamp0", property, how, text, None)?;
        }
        // What no object of its line stores is zero, since all of its classes are here.
        edit.compute_property("Lamp1", "Count", Computation::Add, "5", None)
    });
    done.unwrap();
    let package = reopened(&package);
    assert_eq!(text(&package, "Lamp0", "Count"), "11");
    assert_eq!(text(&package, "Lamp0", "Ratio"), "3.25");
    assert_eq!(text(&package, "Lamp0", "Where"), "(X=0.0,Y=150.0,Z=67.0)");
    assert_eq!(text(&package, "Lamp1", "Count"), "5");
    let mut package = package;
    let failed = package
        .edit(|edit| edit.compute_property("Stranger", "Count", Computation::Multiply, "2", None));
    let error = failed.unwrap_err().to_string();
    assert!(error.contains("stored(Count)"), "{error}");
    let failed = package.edit(|edit| {
        edit.compute_property("Lamp0", "Title", Computation::Add, "2", None).map(drop)
    });
    assert!(failed.is_err());
}

#[test]
fn what_is_not_stored_comes_from_the_class() {
    let mut package = open_level(69);
    package.edit(|edit| edit.set_property("Lamp", "Count", "42")).unwrap();
    let package = reopened(&package);
    let effective = package.values().effective();
    let lamp = package.find_export("Lamp1").unwrap();
    let Inherited::Value(value) = effective.value(lamp, "Count").unwrap() else { panic!() };
    assert_eq!(value.text, "42");
    assert_eq!(effective.value(lamp, "Ratio").unwrap(), Inherited::Zero);
    assert_eq!(effective.value(lamp, "Unheard").unwrap(), Inherited::Unknown);
    let conditions = ["class==Lamp && Count==42 && Ratio==0".parse().unwrap()];
    let selection = package.values().select("*", &conditions).unwrap();
    assert_eq!(selection.rows.len(), 2);
    // Nothing says what the class of another package has.
    let conditions = ["name==Stranger && Count==42".parse().unwrap()];
    let selection = package.values().select("*", &conditions).unwrap();
    let stranger = package.find_export("Stranger").unwrap();
    assert_eq!((selection.rows, selection.undecided), (vec![], vec![stranger]));
}

#[test]
fn parts_of_a_struct_are_set_over_what_an_object_inherits() {
    let mut package = open_level(69);
    package.edit(|edit| edit.set_property("Lamp", "Where", "(X=1,Y=2,Z=3)")).unwrap();
    let mut package = reopened(&package);
    let change = package.edit(|edit| edit.set_property_over("Lamp1", "Where", "(Y=7)", None));
    assert_eq!(change.unwrap().old, None);
    assert_eq!(text(&reopened(&package), "Lamp1", "Where"), "(X=1.0,Y=7.0,Z=3.0)");
    // Of what nothing says the rest, all must be given.
    let failed = package.edit(|edit| edit.set_property_over("Texts", "Where", "(Y=7)", None));
    assert!(failed.is_err());
    let change =
        package.edit(|edit| edit.set_property_over("Stranger", "Rotation", "(Yaw=16384)", None));
    change.unwrap();
    assert_eq!(text(&reopened(&package), "Stranger", "Rotation"), "(Pitch=0,Yaw=16384,Roll=0)");
}

#[test]
fn operators_stand_at_the_end_of_a_path() {
    for (path, expected) in [
        ("A.B*", ("A.B", Some(Computation::Multiply))),
        ("A.B +", ("A.B", Some(Computation::Add))),
        ("A.B-", ("A.B", Some(Computation::Subtract))),
        ("A.B/", ("A.B", Some(Computation::Divide))),
        ("A.B:", ("A.B", Some(Computation::Replace))),
        ("A*.B[2]", ("A*.B[2]", None)),
    ] {
        assert_eq!(Computation::split(path), expected);
    }
}
