//! Code of packages replaced by text: one function, state or block of values, and nothing else.

use unreal_packages::compare::diff;
use unreal_packages::decompile::Decompiler;
use unreal_packages::generate::Profile;
use unreal_packages::inspect::PackageValues;
use unreal_packages::make::{Maker, SetCode};
use unreal_packages::package::Package;
use unreal_packages::prelude::*;

const OBJECT: &str = "class Object native;\nstruct Vector { var() float X, Y, Z; };\n\
native(146) static final operator(20) int +(int A, int B);\n\
static native(150) final operator(24) bool <(int A, int B);\n";
const ACTOR: &str = "class Actor extends Object native;\nvar Actor Owner;\nvar name Tag;\n\
event Touch(Actor Other) {}\nfunction Fire(optional float Value) {}\n";
const THING: &str = "class Thing extends Actor;\n\nvar() int Speed;\nvar string Title;\n\n\
function int Add(int A, optional int B)\n{\n\tlocal int Sum;\n\tlocal array<int> Old;\n\n\tSum = A + B;\n\treturn Sum;\n}\n\n\
function Other()\n{\n\tSpeed = Add(Speed, 1);\n}\n\n\
auto state Idle\n{\n\tignores Fire;\n\n\tfunction Touch(Actor Other)\n\t{\n\t\tSpeed = 1;\n\t}\n\nBegin:\n\tSpeed = 0;\nOn:\n\tSpeed = 2;\n}\n\n\
defaultproperties\n{\n    Speed=12\n    Title=\"A thing\"\n}\n";

fn around(mut maker: Maker) -> Maker {
    maker.environment_text("Core", "Object.uc", OBJECT);
    maker.environment_text("Engine", "Actor.uc", ACTOR);
    maker
}

fn thing(profile: Profile) -> Package {
    let mut maker = around(Maker::new("Mine", profile));
    maker.source("Thing.uc", THING);
    let made = maker.make().unwrap();
    made.package.unwrap_or_else(|| panic!("{}", made.diagnostics[0]))
}

fn set(package: &mut Package, object: &str, text: &str) -> unreal_packages::Result<SetCode> {
    let maker = around(Maker::of_package("Mine", package)?);
    package.edit(|edit| maker.set_code(edit, object, "text.uc", text))
}

/// The text that the decompiler writes of a class.
fn text_of(package: &Package) -> String {
    let row = package.find_export("Thing").unwrap();
    Decompiler::new(package).class(row).unwrap().unwrap()
}

#[test]
fn a_function_put_in_by_its_own_text_changes_nothing() {
    for profile in [Profile::UT99, Profile::UT2004] {
        let before = thing(profile);
        for (object, start) in
            [("Thing.Add", "function int Add"), ("Thing.Other", "function Other")]
        {
            let text = text_of(&before);
            let from = text.find(start).unwrap();
            let end = from + text[from..].find("\n}").unwrap() + 2;
            let mut package = before.clone();
            let set = set(&mut package, object, &text[from..end]).unwrap();
            assert!(!set.has_errors(), "{}", set.diagnostics[0]);
            assert!(!set.objects[0].is_changed, "{:?}", set.objects);
            assert_eq!(package.to_bytes().unwrap(), before.source());
        }
    }
}

#[test]
fn a_longer_function_leaves_everything_else_as_it_was() {
    for profile in [Profile::UT99, Profile::UT2004] {
        let before = thing(profile);
        let mut package = before.clone();
        let text = "function Other()\n{\n\tlocal int I, J;\n\tlocal Actor Found;\n\tlocal array<string> All;\n\n\
                    \tfor (I = 0; I < 9; I = I + 1)\n\t\tJ = J + Add(I);\n\tFound = Owner;\n\tTitle = \"Another one\";\n\
                    \tif (J < 3)\n\t\tTag = 'Unheard';\n}\n";
        let set = set(&mut package, "Thing.Other", text).unwrap();
        assert!(!set.has_errors(), "{}", set.diagnostics[0]);
        assert_eq!(set.objects[0].added, ["I", "J", "Found", "All"]);
        let package = Package::from_bytes(package.to_bytes().unwrap()).unwrap();
        assert!(package.find_export("Thing.Other.All.All").is_ok());
        let shown = text_of(&package);
        assert!(
            shown.contains("Tag = 'Unheard'") && shown.contains("J += ")
                || shown.contains("J = J + "),
            "{shown}"
        );
        Decompiler::new(&package).check_code(0..package.exports().len()).unwrap();
        let found = diff(&before, &package);
        let added: Vec<_> = found.added.iter().map(|it| it.path.as_str()).collect();
        assert!(added.iter().all(|path| path.starts_with("Thing.Other.")), "{added:?}");
        let changed: Vec<_> = found.changed.iter().map(|it| it.path.as_str()).collect();
        assert_eq!(changed, ["Thing.Other"]);
        assert!(found.removed.is_empty() && found.renamed.is_empty());
        assert_eq!(package.to_bytes().unwrap(), package.source());
    }
}

#[test]
fn local_variables_go_with_their_text_and_come_with_another_type() {
    let before = thing(Profile::UT99);
    let mut package = before.clone();
    let text = "function int Add(int A, optional int B)\n{\n\tlocal string Sum;\n\n\tSum = Title;\n\treturn A;\n}\n";
    let set = set(&mut package, "Thing.Add", text).unwrap();
    assert!(!set.has_errors(), "{}", set.diagnostics[0]);
    assert_eq!(set.objects[0].added, ["Sum"]);
    assert_eq!(set.objects[0].removed, ["Sum", "Old"]);
    let package = Package::from_bytes(package.to_bytes().unwrap()).unwrap();
    assert!(package.find_export("Thing.Add.Old").is_err());
    let shown = text_of(&package);
    assert!(shown.contains("local string Sum;"), "{shown}");
    assert_eq!(package.exports().len(), before.exports().len() - 2);
}

#[test]
fn a_state_is_put_in_with_its_functions_and_labels() {
    let before = thing(Profile::UT99);
    let mut package = before.clone();
    let text = "auto state Idle\n{\n\tignores Fire;\n\n\tfunction Touch(Actor Other)\n\t{\n\t\tlocal int I;\n\n\t\tSpeed = I;\n\t}\n\n\
                Begin:\n\tSpeed = 5;\n\tTitle = \"More\";\nOn:\n\tSpeed = 7;\nOff:\n\tstop;\n}\n";
    let done = set(&mut package, "Thing.Idle", text).unwrap();
    assert!(!done.has_errors(), "{}", done.diagnostics[0]);
    assert_eq!(done.objects.len(), 2);
    let package = Package::from_bytes(package.to_bytes().unwrap()).unwrap();
    let shown = text_of(&package);
    for part in ["Off:", "Speed = 7", "Speed = I", "local int I"] {
        assert!(shown.contains(part), "{part}: {shown}");
    }
    // A function that the text lacks would be lost.
    let mut package = before.clone();
    let lacking = set(&mut package, "Thing.Idle", "auto state Idle\n{\nBegin:\n\tSpeed = 5;\n}\n");
    assert!(lacking.unwrap_err().to_string().contains("lacks its function"));
    assert_eq!(package.to_bytes().unwrap(), before.source());
}

#[test]
fn default_values_are_those_of_the_text() {
    let before = thing(Profile::UT99);
    let mut package = before.clone();
    let same = "defaultproperties\n{\n    Title=\"A thing\"\n    Speed=12\n}\n";
    let done = set(&mut package, "Thing", same).unwrap();
    assert!(!done.objects[0].is_changed);
    assert_eq!(package.to_bytes().unwrap(), before.source());
    let text = "defaultproperties\n{\n    Tag=Some\n    Speed=13\n}\n";
    let done = set(&mut package, "Thing.defaultproperties", text).unwrap();
    assert!(done.objects[0].is_changed && done.diagnostics.is_empty());
    let row = package.find_export("Thing").unwrap();
    let value = |name: &str| package.values().stored_property(row, name).map(|it| it.text);
    assert_eq!(value("Speed").unwrap(), "13");
    assert_eq!(value("Tag").unwrap(), "Some");
    assert!(value("Title").is_err());
}

#[test]
fn what_does_not_fit_is_refused_and_changes_nothing() {
    let before = thing(Profile::UT99);
    for (object, text, message) in [
        ("Thing.Add", "function int Add(int A) { return A; }", "other parameters"),
        ("Thing.Add", "final function int Add(int A, optional int B) { return A; }", "other words"),
        ("Thing.Add", "function int Add(int A, optional int B);", "no body"),
        ("Thing.Add", "function Other() {}", "declares the function 'Add'"),
        ("Thing.Other", "function Other() {} function More() {}", "and nothing else"),
        ("Thing", "function Other() {}", "defaultproperties"),
        ("Thing.Speed", "function Other() {}", "name a function"),
    ] {
        let mut package = before.clone();
        let error = set(&mut package, object, text).unwrap_err().to_string();
        assert!(error.contains(message), "{object}: {error}");
        assert_eq!(package.to_bytes().unwrap(), before.source());
    }
    let mut package = before.clone();
    let text = "function Other()\n{\n\tSpeed = Sped;\n\tTitel = \"\";\n}\n";
    let done = set(&mut package, "Thing.Other", text).unwrap();
    let places: Vec<_> = done.diagnostics.iter().map(|it| (it.line, it.column)).collect();
    assert_eq!(places, [(3, 10), (4, 2)]);
    assert!(done.diagnostics[0].hint.as_ref().is_some_and(|it| it.contains("Speed")));
    assert_eq!(package.to_bytes().unwrap(), before.source());
}
