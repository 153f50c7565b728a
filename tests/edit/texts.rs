//! What people write is read as it is meant, or refused at its place: words, groups, paths, points in time.

use unreal_packages::edit::PackageEdit;
use unreal_packages::generate::Builder;
use unreal_packages::inspect::{Condition, PackageValues};
use unreal_packages::package::Package;
use unreal_packages::property::equals_sign;
use unreal_packages::version::EngineRelease;

use crate::ue4::empty_body;

const RELEASE: EngineRelease = EngineRelease::new(5, 4);

/// A package of empty objects.
fn objects(names: &[&str]) -> Package {
    let object = |builder: Builder, name: &&str| {
        builder.export(*name, "/Script/Engine.PointLight", empty_body(RELEASE, 0))
    };
    let builder = names.iter().fold(Builder::for_release(RELEASE).name("None"), object);
    let mut package = Package::from_bytes(builder.build().unwrap()).unwrap();
    package.decode_all();
    package
}

fn set(package: &mut Package, path: &str, text: &str) -> Result<String, String> {
    let change = package.edit(|edit| edit.set_property("Lamp", path, text));
    change.map(|change| change.path()).map_err(|error| error.to_string())
}

fn shown(package: &Package, path: &str) -> String {
    let found = package.values().property("Lamp", path);
    found.unwrap_or_else(|error| panic!("{path}: {error}")).text
}

/// Sets a value of each type that a text may be for; `None` when it is refused.
fn taken(kind: &str, text: &str) -> Option<String> {
    let mut package = objects(&["Lamp"]);
    set(&mut package, &format!("It:{kind}"), text).ok()?;
    Some(shown(&package, "It"))
}

#[test]
fn words_are_numbers_or_nothing() {
    for (kind, text, expected) in [
        ("bool", "YES", Some("True")),
        ("bool", "2", None),
        ("int64", "0xFF", Some("255")),
        ("int64", "-7", Some("-7")),
        ("int64", "0x-5", None),
        ("int", "0xFFFFFFFF", Some("-1")),
        ("int", "-7", Some("-7")),
        ("int", "4294967295", None),
        ("float", "1.5f", Some("1.5")),
        ("double", "2", Some("2.0")),
        // Just above the middle of two neighbours: through 64 bits it would become the lower one.
        ("float", "1.00000005960464477540", Some("1.0000001")),
        ("float", "1e99", None),
        ("float", "f", None),
        ("float", "inf", Some("inf")),
    ] {
        let found = taken(kind, text);
        let same = match (&found, expected) {
            (Some(found), Some(expected)) => {
                let [found, expected] = [found, expected].map(|text| text.parse::<f64>());
                found == expected && expected.is_ok()
            }
            (found, expected) => found.is_none() == expected.is_none(),
        };
        assert!(same || found.as_deref() == expected, "{kind} {text}: {found:?}");
    }
}

#[test]
fn groups_words_and_quotes() {
    for (kind, text, expected) in [
        ("int", " 7 ", "7"),
        ("array:int", "()", "()"),
        ("array:int", "( 1,2 , 3)", "(1,2,3)"),
        ("struct:Part", r#"(X:int=1, Y:array:string=("a\"b\n","2"))"#, r#"(X=1,Y=("a\"b\n","2"))"#),
        ("string", r#""a\"b\n""#, r#""a\"b\n""#),
        ("name", "a'b", "\"a'b\""),
    ] {
        assert_eq!(taken(kind, text).as_deref(), Some(expected), "{kind} {text}");
    }
    let localized = r#"NSLOCTEXT("a", "b", "c (d), e")"#;
    assert_eq!(taken("text", localized).unwrap().replace(", ", ","), localized.replace(", ", ","));
}

#[test]
fn what_does_not_fit_is_refused_with_its_place() {
    let mut package = objects(&["Lamp"]);
    let before = package.to_bytes().unwrap();
    let mut refused = |text: &str| set(&mut package, "It:array:struct:Part", text).unwrap_err();
    for (text, place) in [
        ("(1", "character 3"),
        ("(1))", "character 4"),
        ("\"a", "character 3"),
        ("(,)", "character 2"),
        ("A'b", "character 4"),
        ("((a)=1)", "character 5"),
        ("f(1", "character 4"),
    ] {
        let error = refused(text);
        assert!(error.contains(place), "{text}: {error}");
    }
    refused(&"(".repeat(100_000));
    refused(&"a(".repeat(100_000));
    assert_eq!(package.to_bytes().unwrap(), before);
}

#[test]
fn quoting_is_read_back() {
    for text in ["", "a", "a\"b\\c\r\n\t", "ä(1,2)=' x "] {
        let mut package = objects(&["Lamp"]);
        set(&mut package, "It:string", "\"old\"").unwrap();
        let quoted = format!(
            "\"{}\"",
            text.replace('\\', "\\\\")
                .replace('"', "\\\"")
                .replace('\n', "\\n")
                .replace('\r', "\\r")
                .replace('\t', "\\t")
        );
        set(&mut package, "It", &quoted).unwrap();
        let once = shown(&package, "It");
        set(&mut package, "It", &once).unwrap();
        assert_eq!(shown(&package, "It"), once);
        let value = package.values().property("Lamp", "It").unwrap();
        assert_eq!(value.text, quoted, "{text:?}");
    }
}

#[test]
fn paths_have_names_keys_and_rows() {
    let mut package = objects(&["Lamp"]);
    set(
        &mut package,
        "Map:map:name:array:struct:Part",
        r#"(("a]\".",((X:int=1),(X:int=2),(X:int=3))))"#,
    )
    .unwrap();
    assert_eq!(shown(&package, r#"Map["a]\"."][ 2 ].X"#), "3");
    set(&mut package, r#""My. (name)":map:name:int"#, "((k,4))").unwrap();
    assert_eq!(shown(&package, r#""My. (name)"[k]"#), "4");
    let before = package.to_bytes().unwrap();
    let long = "A.".repeat(100_000);
    for wrong in [
        "",
        ".",
        "A.",
        "A[",
        "A[]",
        "A[1",
        "A[1]b",
        "A.[1]",
        "A[\"x]",
        "A[\"x\"y]",
        "\"A",
        "\"A\"b",
        &long,
    ] {
        assert!(package.values().property("Lamp", wrong).is_err(), "{wrong}");
        assert!(set(&mut package, wrong, "1").is_err(), "{wrong}");
    }
    assert_eq!(package.to_bytes().unwrap(), before);
    assert_eq!(equals_sign(r#"A["=]"].B'=.C'=1"#), Some(14));
}

/// Whatever the name is, the path that is shown leads to the value.
#[test]
fn names_of_every_kind_are_paths() {
    let mut package = objects(&["Lamp"]);
    let names = ["A", "A.B", "a\\\"b", " x", "c:int", "(d)"];
    for (number, name) in names.iter().enumerate() {
        let quoted = name.replace('\\', "\\\\").replace('"', "\\\"");
        set(&mut package, &format!("\"{quoted}\":int"), &number.to_string()).unwrap();
    }
    let values = package.values().properties("Lamp").unwrap();
    assert_eq!(values.len(), names.len());
    for (number, value) in values.iter().enumerate() {
        assert_eq!(shown(&package, &value.path), number.to_string(), "{}", value.path);
    }
}

/// Where the object ends and the path within it starts.
#[test]
fn an_object_is_as_much_of_a_path_as_there_is() {
    let package = objects(&["Lamp", "Lamp.Part"]);
    for (path, parts) in [
        ("Lamp.Part.Size:int", ("Lamp.Part", "Size:int")),
        ("Lamp.Size[C.D].E", ("Lamp", "Size[C.D].E")),
        ("PointLight'Lamp.Part'.C", ("PointLight'Lamp.Part'", "C")),
    ] {
        assert_eq!(package.values().split_property_path(path).unwrap(), parts);
    }
}

#[test]
fn ticks_are_dates_and_spans_both_ways() {
    let mut package = objects(&["Lamp"]);
    for (name, text, ticks) in [
        ("Date", "0001-01-01T00:00:00", 0),
        ("Date", "1970-01-01T00:00:00", 621_355_968_000_000_000),
        ("Date", "2024-02-29T12:00:00.5", 638_448_048_005_000_000),
        ("Date", "9999-12-31T23:59:59.9999999", 3_155_378_975_999_999_999),
        ("Span", "00:00:00", 0),
        ("Span", "-1.02:03:04.0000001", -937_840_000_001),
        ("Span", "10675199.02:48:05.4775807", i64::MAX),
        ("Span", "-10675199.02:48:05.4775808", i64::MIN),
    ] {
        let kind = if name == "Date" { "DateTime" } else { "Timespan" };
        let path = format!("{name}:struct:{kind}");
        set(&mut package, &path, &ticks.to_string()).unwrap();
        assert_eq!(shown(&package, name), text);
        let stored = package.to_bytes().unwrap();
        set(&mut package, name, "5").unwrap();
        set(&mut package, name, text).unwrap();
        assert!(package.to_bytes().unwrap() == stored, "{text}");
    }
    for wrong in [
        "",
        "2023-02-29",
        "2024-13-01",
        "2024-05",
        "2024-05-01T24:00",
        "a-b-c",
        "2024-05-01T1:2:3.",
    ] {
        assert!(set(&mut package, "Date", wrong).is_err(), "{wrong}");
    }
    for wrong in ["1:60", "x", "1.2.3:00", "--1:00", "99999999.00:00:00"] {
        assert!(set(&mut package, "Span", wrong).is_err(), "{wrong}");
    }
    set(&mut package, "Date", "2024-05-01 12:30Z").unwrap();
    assert_eq!(shown(&package, "Date"), "2024-05-01T12:30:00");
    // Before the first year there is no date.
    set(&mut package, "Date", "-1").unwrap();
    assert_eq!(shown(&package, "Date"), "-1");
}

/// Every 97th day that there is.
#[test]
fn days_are_read_back() {
    const DAY: i64 = 864_000_000_000;
    let days: Vec<i64> = (0..3_652_059).step_by(97).collect();
    let ticks: Vec<String> = days.iter().map(|day| (day * DAY).to_string()).collect();
    let mut package = objects(&["Lamp"]);
    set(&mut package, "Days:array:struct:DateTime", &format!("({})", ticks.join(","))).unwrap();
    let stored = package.to_bytes().unwrap();
    let text = shown(&package, "Days");
    let dates: Vec<&str> = text.trim_matches(['(', ')']).split(',').collect();
    assert_eq!(dates.len(), days.len());
    assert!(dates.is_sorted() && dates.iter().all(|date| date.ends_with("T00:00:00")));
    set(&mut package, "Days", "()").unwrap();
    set(&mut package, "Days", &text).unwrap();
    assert!(package.to_bytes().unwrap() == stored);
}

#[test]
fn names_with_other_letters_or_numbers_are_near() {
    let package =
        objects(&["LightRadius", "LightHue", "Brush", "Light1", "Light3", "PointLight_0"]);
    for (text, expected) in [
        ("LightRadus", "; did you mean 'LightRadius'?"),
        ("lighthu", "; did you mean 'LightHue'?"),
        ("Light12", "; did you mean 'Light1' or 'Light3'?"),
        ("Ligth1", "; did you mean 'Light1'?"),
        ("PointLight_12", "; did you mean 'PointLight_0'?"),
        ("Texture", ""),
    ] {
        let error = package.find_export(text).unwrap_err().to_string();
        match expected {
            "" => assert!(!error.contains("did you mean"), "{error}"),
            expected => assert!(error.contains(expected), "{text}: {error}"),
        }
    }
}

#[test]
fn wildcards_match_parts() {
    let long = "a".repeat(1_000);
    let names =
        ["Light12", "Light1", "A", "A.B", "A.B.C", "Map", "Map.SpotLight3", "xaybzc", &long];
    let package = objects(&names);
    let matching = |pattern: &str| -> Vec<&str> {
        package.values().matching(pattern, &[]).into_iter().map(|row| names[row]).collect()
    };
    for (pattern, expected) in [
        ("Light*", &["Light12", "Light1"][..]),
        ("light?", &["Light1"]),
        ("*ight*", &["Light12", "Light1", "Map.SpotLight3"]),
        ("A.*", &["A.B"]),
        ("*.*Light*", &["Map.SpotLight3"]),
        ("*a*b*c", &["xaybzc"]),
    ] {
        assert_eq!(matching(pattern), expected, "{pattern}");
    }
    assert_eq!(matching("*").len(), names.len());
    assert!(matching(&format!("{}b", "a*".repeat(300))).is_empty());
    assert!("class=Light".parse::<Condition>().is_ok());
    assert!("bHidden".parse::<Condition>().is_ok());
    assert!("Light=".parse::<Condition>().is_err());
}

#[test]
fn conditions_compare_numbers_and_texts() {
    let mut package = objects(&["Lamp"]);
    set(&mut package, "Size:float", "64").unwrap();
    set(&mut package, "Room:string", "\"Hall\"").unwrap();
    for (condition, fits) in [
        ("Size=64", true),
        ("Size=64.0", true),
        ("Size=65", false),
        ("Room=hall", true),
        ("Room=h", false),
    ] {
        let condition: Condition = condition.parse().unwrap();
        assert_eq!(package.values().fulfils(0, &condition), fits, "{condition:?}");
    }
}
