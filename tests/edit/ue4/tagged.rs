//! Values of every kind: added, read, set, removed.

use unreal_packages::PackageIndex;
use unreal_packages::edit::PackageEdit;
use unreal_packages::inspect::{PackageValues, Referrer};
use unreal_packages::package::{OpenOptions, Package};
use unreal_packages::table::Export;
use unreal_packages::version::EngineRelease;

use super::common::{save, ue4};
use super::{RELEASES, empty_body, reopened, texts};

/// A type, a text to add it with, another to set, and what `property` says of both where that differs.
type Case = (&'static str, &'static str, &'static str, &'static str, &'static str);

const CASES: &[Case] = &[
    ("bool", "true", "False", "True", "False"),
    ("byte", "7", "255", "7", "255"),
    ("byte-enum:ELight", "LT_Steady", "LT_Pulse", "LT_Steady", "LT_Pulse"),
    ("int8", "-7", "0x7F", "-7", "127"),
    ("int16", "-700", "700", "-700", "700"),
    ("int", "70000", "0xFFFFFFFF", "70000", "-1"),
    ("int64", "-7000000000", "1", "-7000000000", "1"),
    ("uint16", "65535", "1", "65535", "1"),
    ("uint32", "4000000000", "1", "4000000000", "1"),
    ("uint64", "18446744073709551615", "1", "18446744073709551615", "1"),
    ("float", "1.5", "-0.25f", "1.5", "-0.25"),
    ("double", "1.5", "1e300", "1.5", "1e300"),
    ("name", "Hall", "Hall_12", "Hall", "Hall_12"),
    ("string", "plain, \"quoted\"", "\"Größe\"", "\"plain, \\\"quoted\\\"\"", "\"Größe\""),
    ("object", "Notes", "None", "TextAsset'Notes'", "None"),
    (
        "class",
        "/Script/CoreUObject.Class'/Script/Engine.Pawn'",
        "/Script/Engine.Actor",
        "Class'/Script/Engine.Pawn'",
        "Class'/Script/Engine.Actor'",
    ),
    (
        "soft-object",
        "/Game/A.A:B.C",
        "/Game/Longer/Path.Path",
        "/Game/A.A:B.C",
        "/Game/Longer/Path.Path",
    ),
    ("soft-class", "/Game/B.B_C", "None", "/Game/B.B_C", "None"),
    ("delegate", "Notes.OnHit", "OnMiss", "TextAsset'Notes'.OnHit", "OnMiss"),
    ("multicast-delegate", "(Notes.OnHit,OnMiss)", "()", "(TextAsset'Notes'.OnHit,OnMiss)", "()"),
    (
        "lazy-object",
        "00000001000000020000000300000004",
        "00000000000000000000000000000000",
        "00000001000000020000000300000004",
        "00000000000000000000000000000000",
    ),
    ("struct:Vector", "(1,2,3)", "(Y=5)", "(X=1.0,Y=2.0,Z=3.0)", "(X=1.0,Y=5.0,Z=3.0)"),
    ("struct:Color", "(1,2,3,4)", "(A=0)", "(B=1,G=2,R=3,A=4)", "(B=1,G=2,R=3,A=0)"),
    (
        "struct:Box",
        "(Min=(X=1,Y=2,Z=3),Max=(X=4,Y=5,Z=6),IsValid=1)",
        "(Min=(Y=0))",
        "(Min=(X=1.0,Y=2.0,Z=3.0),Max=(X=4.0,Y=5.0,Z=6.0),IsValid=1)",
        "(Min=(X=1.0,Y=0.0,Z=3.0),Max=(X=4.0,Y=5.0,Z=6.0),IsValid=1)",
    ),
    (
        "struct:Guid",
        "00000001000000020000000300000004",
        "FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF",
        "00000001000000020000000300000004",
        "FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF",
    ),
    ("struct:SoftObjectPath", "/Game/A.A", "/Game/B.B", "/Game/A.A", "/Game/B.B"),
    ("struct:GameplayTagContainer", "(Red,Blue)", "(Green_1)", "(Red,Blue)", "(Green_1)"),
    ("array:int", "(1,2,3)", "()", "(1,2,3)", "()"),
    ("array:byte", "(1,2,255)", "(0)", "(1,2,255)", "(0)"),
    ("array:bool", "(true,false)", "(1)", "(True,False)", "(True)"),
    ("array:string", "(\"a\",\"\")", "(\"b\")", "(\"a\",\"\")", "(\"b\")"),
    ("array:object", "(Notes,None)", "(Last)", "(TextAsset'Notes',None)", "(Thing'Last')"),
    ("array:soft-object", "(/Game/A.A,None)", "(/Game/C.C)", "(/Game/A.A,None)", "(/Game/C.C)"),
    ("array:struct:Vector", "((1,2,3))", "()", "((X=1.0,Y=2.0,Z=3.0))", "()"),
];
/// Types of versions that have sets and maps whose tags name what they hold.
const NEWER: &[Case] = &[
    ("enum:EMode", "EMode::Fast", "Slow", "EMode::Fast", "EMode::Slow"),
    ("set:name", "(Red,Blue)", "(Green)", "(Red,Blue)", "(Green)"),
    ("map:name:int", "((Red,1),(Blue,2))", "((Blue,3))", "((Red,1),(Blue,2))", "((Blue,3))"),
    ("map:string:struct:Vector", "((\"a\",(1,2,3)))", "()", "((\"a\",(X=1.0,Y=2.0,Z=3.0)))", "()"),
    ("optional:int", "(5)", "()", "(5)", "()"),
    ("field-path", "Inner.Leaf", "None", "Inner.Leaf", "None"),
    ("utf8-string", "Größe", "", "\"Größe\"", "\"\""),
    ("ansi-string", "plain", "", "\"plain\"", "\"\""),
];

fn package(release: EngineRelease, listed: bool) -> Package {
    let versions = release.versions();
    let builder = match listed {
        true => ue4::rich(&versions, Default::default()),
        false => ue4::builder(&versions),
    };
    let builder = builder
        .export("Lamp", "/Script/Engine.PointLight", empty_body(release, 0))
        .export("Other", "/Script/Engine.PointLight", empty_body(release, 0));
    let mut package = Package::from_bytes(builder.build().unwrap()).unwrap();
    package.decode_all();
    package
}

#[test]
fn values_of_every_kind_are_added_set_and_removed() {
    for (major, minor) in RELEASES {
        let release = EngineRelease::new(major, minor);
        for listed in [false, true] {
            let mut package = package(release, listed);
            let newer = if release.ue4() >= 509 { NEWER } else { &[] };
            let cases: Vec<_> = CASES
                .iter()
                .chain(newer)
                // The structs of maps have no names in old tags.
                .filter(|case| release.ue5() >= 1012 || case.0 != "map:string:struct:Vector")
                // Nor have those of arrays in older ones.
                .filter(|case| release.ue4() >= 500 || case.0 != "array:struct:Vector")
                .collect();
            for (at, (known, first, ..)) in cases.iter().enumerate() {
                let known = known.parse().unwrap();
                let change = package
                    .edit(|edit| edit.add_property("Lamp", &format!("P{at}"), &known, first));
                let change = change.unwrap_or_else(|error| panic!("{release} {known}: {error}"));
                assert_eq!(change.old, None);
            }
            let mut package = reopened(&package, &OpenOptions::new());
            for (at, (known, _, second, shown, _)) in cases.iter().enumerate() {
                let name = format!("p{at}");
                let value = package.values().property("Lamp", &name).unwrap();
                assert_eq!(value.text, *shown, "{release} {known}");
                // What is shown can be set.
                let before = package.to_bytes().unwrap();
                package.edit(|edit| edit.set_property("Lamp", &name, shown)).unwrap();
                assert!(package.to_bytes().unwrap() == before, "{release} {known}");
                let set = package.edit(|edit| edit.set_property("Lamp", &name, second));
                set.unwrap_or_else(|error| panic!("{release} {known}: {error}"));
            }
            let mut package = reopened(&package, &OpenOptions::new());
            assert_eq!(package.values().properties("Lamp").unwrap().len(), cases.len());
            for (at, (known, _, _, _, shown)) in cases.iter().enumerate() {
                let name = format!("P{at}");
                assert_eq!(
                    package.values().property("Lamp", &name).unwrap().text,
                    *shown,
                    "{release} {known}"
                );
                let wrong =
                    if known.contains("string") || known.contains("name") || *shown == "\"\"" {
                        "("
                    } else {
                        "nothing of the kind)"
                    };
                let before = texts(&package);
                let takes_all = ["string", "name", "utf8-string", "ansi-string"].contains(known)
                    || known.contains("enum:");
                if !takes_all {
                    assert!(
                        package.edit(|edit| edit.set_property("Lamp", &name, wrong)).is_err(),
                        "{known}"
                    );
                }
                assert_eq!(texts(&package), before);
                package.edit(|edit| edit.remove_property("Lamp", &name)).unwrap();
            }
            assert!(
                reopened(&package, &OpenOptions::new())
                    .values()
                    .properties("Lamp")
                    .unwrap()
                    .is_empty()
            );
        }
    }
}

#[test]
fn elements_fields_and_keys() {
    for (major, minor) in [(4, 18), (4, 27), (5, 0), (5, 4), (5, 6)] {
        let mut package = package(EngineRelease::new(major, minor), false);
        let mut add = |name: &str, known: &str, text: &str| {
            let known = known.parse().unwrap();
            let done = package.edit(|edit| edit.add_property("Lamp", name, &known, text));
            done.unwrap_or_else(|error| panic!("{name}: {error}"));
        };
        add("Place", "struct:Vector", "(1,2,3)");
        add("Places", "array:struct:Vector", "((1,2,3),(4,5,6))");
        add("Points", "map:name:int", "((Red,1),(Blue,2))");
        add("Static", "int", "1");
        add("Static[2]", "int", "3");
        add("Nested", "struct:Row", "()");
        add("Nested.Count", "int", "5");
        add("Nested.Inner", "struct:Row", "()");
        add("Nested.Inner.Deep", "string", "deep");
        add("Rows", "array:struct:Row", "((),())");
        add("Rows[1].Count", "int", "9");
        for (way, text, shown) in [
            ("Place.Y", "7.5", "(X=1.0,Y=7.5,Z=3.0)"),
            ("Places[1].Z", "0", "((X=1.0,Y=2.0,Z=3.0),(X=4.0,Y=5.0,Z=0.0))"),
            (
                "Places[2]",
                "(7,8,9)",
                "((X=1.0,Y=2.0,Z=3.0),(X=4.0,Y=5.0,Z=0.0),(X=7.0,Y=8.0,Z=9.0))",
            ),
            ("Points[blue]", "20", "((Red,1),(Blue,20))"),
            ("Points[\"Green\"]", "30", "((Red,1),(Blue,20),(Green,30))"),
            ("Nested.Inner.Deep", "deeper", "(Count=5,Inner=(Deep=\"deeper\"))"),
            ("Rows[1].Count", "10", "((),(Count=10))"),
        ] {
            let change = package.edit(|edit| edit.set_property("Lamp", way, text));
            change.unwrap_or_else(|error| panic!("{way}: {error}"));
            let name = way.split(['.', '[']).next().unwrap();
            assert_eq!(package.values().property("Lamp", name).unwrap().text, shown);
        }
        assert_eq!(package.values().property("Lamp", "Static[2]").unwrap().text, "3");
        package.edit(|edit| edit.set_property("Lamp", "Static[1]", "2")).unwrap();
        let statics = texts(&package).into_iter().filter(|(path, _)| path.contains("Static"));
        let statics: Vec<_> = statics.map(|(_, text)| text).collect();
        assert_eq!(statics, ["1", "2", "3"]);
        for way in ["Places[0]", "Points[Red]", "Nested.Inner", "Static[1]"] {
            package.edit(|edit| edit.remove_property("Lamp", way)).unwrap();
            assert!(package.values().property("Lamp", way).is_err() || way == "Places[0]");
        }
        assert!(package.values().property("Lamp", "Places").unwrap().text.starts_with("((X=4.0"));
        for (way, text) in [
            ("Places[9]", "(1,2,3)"),
            ("Places[x]", "(1,2,3)"),
            ("Place.Q", "1"),
            ("Place", "(1,2)"),
            ("Points[Grey].X", "1"),
            ("Count", "1"),
            ("Static", "99999999999"),
            ("[Row]", "()"),
        ] {
            let before = texts(&package);
            let names = package.names().len();
            assert!(package.edit(|edit| edit.set_property("Lamp", way, text)).is_err(), "{way}");
            assert_eq!((texts(&package), package.names().len()), (before, names), "{way}");
        }
        let wrong =
            package.edit(|edit| edit.add_property("Lamp", "Static", &"name".parse().unwrap(), "5"));
        assert!(wrong.unwrap_err().to_string().contains("stored as int"));
        reopened(&package, &OpenOptions::new());
    }
}

#[test]
fn texts_keep_their_keys() {
    for (major, minor) in RELEASES {
        let release = EngineRelease::new(major, minor);
        let mut package = package(release, false);
        let text = "text".parse().unwrap();
        let located = r#"NSLOCTEXT("ns","key","Hello")"#;
        package.edit(|edit| edit.add_property("Lamp", "Title", &text, located)).unwrap();
        package.edit(|edit| edit.set_property("Lamp", "Title", "Größe")).unwrap();
        package.edit(|edit| edit.add_property("Lamp", "Plain", &text, "\"as it is\"")).unwrap();
        let package = reopened(&package, &OpenOptions::new());
        let shown = package.values().property("Lamp", "Title").unwrap().text;
        assert_eq!(shown, r#"NSLOCTEXT("ns","key","Größe")"#, "{release}");
        let shown = package.values().property("Lamp", "Plain").unwrap().text;
        assert!(shown.contains("\"as it is\""), "{release} {shown}");
        assert_eq!(shown.starts_with("INVTEXT"), release.ue4() >= 517, "{release} {shown}");
    }
}

/// A row of the list that two values share: setting one leaves the other.
#[test]
fn strings_of_8_bit_characters_have_no_terminator() {
    for (major, minor) in [(5, 4), (5, 7)] {
        let mut package = package(EngineRelease::new(major, minor), false);
        let known = "ansi-string".parse().unwrap();
        package.edit(|edit| edit.add_property("Lamp", "Word", &known, "plain")).unwrap();
        let set = package.edit(|edit| edit.set_property("Lamp", "Word", "Größe"));
        assert!(set.unwrap_err().to_string().contains("ASCII"));
        let bytes = package.to_bytes().unwrap();
        let has = |part: &[u8]| bytes.windows(part.len()).any(|window| window == part);
        assert!(has(b"\x05\0\0\0plain") && !has(b"\x06\0\0\0plain"));
        let again = reopened(&package, &OpenOptions::new());
        assert_eq!(again.values().property("Lamp", "Word").unwrap().text, "\"plain\"");
    }
}

#[test]
fn soft_paths_get_rows_of_their_own() {
    let release = EngineRelease::new(5, 4);
    let mut package = package(release, true);
    let known = "soft-object".parse().unwrap();
    let rows = package.tables().further.soft_object_paths.len();
    for object in ["Lamp", "Other"] {
        package.edit(|edit| edit.add_property(object, "Mesh", &known, "/Game/M.M")).unwrap();
    }
    assert_eq!(package.tables().further.soft_object_paths.len(), rows + 1);
    package.edit(|edit| edit.set_property("Other", "Mesh", "/Game/N.N:Sub")).unwrap();
    let package = reopened(&package, &OpenOptions::new());
    assert_eq!(package.tables().further.soft_object_paths.len(), rows + 2);
    assert_eq!(package.values().property("Lamp", "Mesh").unwrap().text, "/Game/M.M");
    assert_eq!(package.values().property("Other", "Mesh").unwrap().text, "/Game/N.N:Sub");
    let mut again = package.clone();
    assert!(again.edit(|edit| edit.set_property("Lamp", "Mesh", "Game/M.M")).is_err());
    assert!(again.edit(|edit| edit.set_property("Lamp", "Mesh", "/Game/M.M.N")).is_err());
    assert_eq!(
        again.tables().further.soft_object_paths,
        package.tables().further.soft_object_paths
    );
    assert_eq!(again.names().len(), package.names().len());
}

/// From 5.4 on the row says where the properties end.
#[test]
fn rows_say_where_the_properties_end() {
    let release = EngineRelease::new(5, 6);
    let mut package = package(release, false);
    let row = package.find_export("Lamp").unwrap();
    // As the engine writes it: control and the end of the list.
    let text = "string".parse().unwrap();
    package.edit(|edit| edit.add_property("Lamp", "Title", &text, &"x".repeat(500))).unwrap();
    let again = reopened(&package, &OpenOptions::new());
    let (old, new) = (&package.exports().entries()[row], &again.exports().entries()[row]);
    assert_eq!(new.serial_size.value(), again.body(row).unwrap().len() as i64);
    assert!(new.size() > old.size() + 500);
}

/// What the class adds behind its properties moves along, and what uses a name is counted anew.
#[test]
fn rows_follow_properties_that_grow() {
    let release = EngineRelease::new(5, 4);
    let mut body = empty_body(release, 0);
    body.extend([0xee; 3]);
    let builder = ue4::builder(&release.versions()).export("Lamp", "/Script/Engine.Thing", body);
    let mut package = Package::from_bytes(builder.build().unwrap()).unwrap();
    let row = package.find_export("Lamp").unwrap();
    // As the engine writes it, the row says where the list ends.
    let entry = &package.exports().entries()[row];
    let stored = save(&mut entry.clone(), package.versions()).unwrap();
    let ends = Export { script_serialization_end_offset: 9, ..entry.clone() };
    let ends = save(&mut ends.clone(), package.versions()).unwrap();
    let mut bytes = package.source().to_vec();
    let at = bytes.windows(stored.len()).position(|window| window == stored).unwrap();
    bytes[at..at + ends.len()].copy_from_slice(&ends);
    package = Package::from_bytes(bytes).unwrap();
    package.decode_all();
    let int = "int".parse().unwrap();
    // Control and the name that ends the list; a tag of two names, size, index, flags; a value.
    for (name, end) in [("Number", 9 + 29), ("Other", 9 + 2 * 29)] {
        package.edit(|edit| edit.add_property("Lamp", name, &int, "7")).unwrap();
        package = reopened(&package, &OpenOptions::new());
        let export = &package.exports().entries()[row];
        assert_eq!(export.script_serialization_end_offset, end);
        assert_eq!(export.serial_size.value(), end + 4 + 3);
        let prologue = package.decoded(row).unwrap().body.prologue.as_ref().unwrap();
        assert_eq!(prologue.range(), (0, end as u64));
        assert!(package.body(row).unwrap().ends_with(&[0xee; 3]));
    }
    let kind = package.names().find("IntProperty").unwrap();
    let users = Referrer::of_name(&package, kind);
    assert!(users.iter().any(|user| user.count == 2), "{users:?}");
    let users = Referrer::of_object(&package, PackageIndex::export(row));
    assert!(users.iter().all(|user| user.count <= 1), "{users:?}");
}

/// What a text leaves out, or says in its own way, does not become something else.
#[test]
fn texts_mean_what_is_stored() {
    let release = EngineRelease::new(4, 27);
    let builder = ue4::builder(&release.versions()).export(
        "Lamp",
        "/Script/Engine.PointLight",
        empty_body(release, 0),
    );
    let mut package = Package::from_bytes(builder.build().unwrap()).unwrap();
    let mut add = |path: &str, known: &str, text: &str| {
        package
            .edit(|edit| edit.add_property("Lamp", path, &known.parse().unwrap(), text))
            .unwrap();
    };
    add("Modes", "array:enum:EMode", "(EMode::Slow)");
    add("ByMode", "map:enum:EMode:int", "((EMode::Slow,1))");
    add("ByText", "map:string:int", "((\"abc\",1))");
    add("Names", "array:name", "(\"A,B\",C)");
    add("Class", "class", "None");
    add("Health", "float", "1");
    let set = |package: &mut Package, path: &str, text: &str| {
        package
            .edit(|edit| edit.set_property("Lamp", path, text))
            .map(|change| change.new.unwrap_or_default())
    };
    // Short names of an enum's values get their enum.
    set(&mut package, "Modes[1]", "Fast").unwrap();
    set(&mut package, "ByMode[Slow]", "5").unwrap();
    set(&mut package, "ByMode[Fast]", "6").unwrap();
    // Strings are keys without regard to case.
    set(&mut package, "ByText[ABC]", "2").unwrap();
    let text =
        |package: &Package, path: &str| package.values().property("Lamp", path).unwrap().text;
    let names = text(&package, "Names");
    set(&mut package, "Names", &names.replace(')', ",D)")).unwrap();
    let package = reopened(&package, &OpenOptions::new());
    assert_eq!(text(&package, "Modes"), "(EMode::Slow,EMode::Fast)");
    assert_eq!(text(&package, "ByMode"), "((EMode::Slow,5),(EMode::Fast,6))");
    assert_eq!(text(&package, "ByText"), "((\"abc\",2))");
    assert_eq!(text(&package, "Names"), "(\"A,B\",C,D)");
    let class = package.values().property("Lamp", "Class").unwrap();
    assert!(class.property_type.to_string().starts_with("object"), "{}", class.property_type);
    // Nothing says that it is a static array.
    let mut package = package.clone();
    assert!(package.edit(|edit| edit.set_property("Lamp", "Health[7]", "3")).is_err());
}

/// A reader of the saved file would take the structs for something else.
#[test]
fn structs_that_tags_leave_out_are_refused() {
    for (release, known) in [
        (EngineRelease::new(4, 27), "map:string:struct:Vector"),
        (EngineRelease::new(4, 27), "map:string:struct:LinearColor"),
        (EngineRelease::new(4, 10), "array:struct:Vector"),
    ] {
        let mut package = package(release, false);
        let before = package.to_bytes().unwrap();
        let known: unreal_packages::property::Type = known.parse().unwrap();
        let value = if known.to_string().starts_with("map") { "((\"a\",()))" } else { "(())" };
        let added = package.edit(|edit| edit.add_property("Lamp", "P", &known, value));
        assert!(added.is_err(), "{release} {known}");
        assert!(package.to_bytes().unwrap() == before);
    }
}
