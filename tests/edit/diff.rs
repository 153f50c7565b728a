//! What two packages differ in: nothing that does not matter, and nothing left out.

use crate::common;
use crate::common::level;

use common::difference::difference;
use common::versions_at_thresholds;
use level::{level, level_with, open_level};
use unreal_packages::Guid;
use unreal_packages::compare::{Diff, Difference, diff};
use unreal_packages::edit::PackageEdit;
use unreal_packages::generate::Builder;
use unreal_packages::package::Package;
use unreal_packages::primitive::ObjectFlags;
use unreal_packages::version::UnrealVersions;

/// The only object that differs, and how, in words.
fn only(diff: &Diff) -> (&str, Vec<String>) {
    assert!(diff.header.is_empty() && diff.added.is_empty() && diff.removed.is_empty(), "{diff:?}");
    let [object] = &diff.changed[..] else { panic!("{diff:?}") };
    (&object.path, object.changes.iter().map(ToString::to_string).collect())
}

#[test]
fn a_package_does_not_differ_from_itself() {
    for file in versions_at_thresholds() {
        let bytes = common::builder(unreal_packages::Versions::ue1_to_3(file, 0)).build().unwrap();
        let package = Package::from_bytes(bytes).unwrap();
        assert!(diff(&package, &package).is_empty(), "{file}");
    }
    let package = Package::from_bytes(level(69)).unwrap();
    // One that is decoded and one that is not.
    assert!(diff(&package, &open_level(69)).is_empty());
}

/// Names, imports and exports in another order, gaps elsewhere: nothing that a package says.
#[test]
fn the_order_of_tables_does_not_matter() {
    let package = |first: &str, second: &str, names: [&str; 2]| {
        let mut builder = Builder::new(69).guid(Guid::new(1, 2, 3, 4));
        for name in names {
            builder = builder.name(name);
        }
        let bytes = builder
            .export(first, "Engine.Thing", vec![0])
            .export(second, "Engine.Thing", vec![0])
            .build()
            .unwrap();
        Package::from_bytes(bytes).unwrap()
    };
    let mut one = package("A", "B", ["X", "Y"]);
    let mut other = package("B", "A", ["Y", "X"]);
    for package in [&mut one, &mut other] {
        let stated = "object".parse().unwrap();
        package.edit(|edit| edit.add_property("A", "Friend", &stated, "B")).unwrap();
        package
            .edit(|edit| edit.add_property("B", "Group", &"name".parse().unwrap(), "Y"))
            .unwrap();
    }
    assert!(difference(&one, &other).is_empty());
    // A name that nothing uses is told by nothing else.
    let mut more = other.clone();
    more.edit(|edit| edit.add_name("Unused")).unwrap();
    let lines: Vec<_> = difference(&one, &more).header.iter().map(ToString::to_string).collect();
    assert_eq!(lines, ["name: (not stored) -> Unused"]);
    other.edit(|edit| edit.set_property("A", "Friend", "A")).unwrap();
    let diff = difference(&one, &other);
    assert_eq!(only(&diff), ("A", vec!["Friend: Thing'B' -> Thing'A'".to_owned()]));
}

#[test]
fn changed_properties_are_told_with_both_values() {
    let old = open_level(69);
    let mut new = old.clone();
    new.edit(|edit| edit.set_property("Lamp0", "Count", "3")).unwrap();
    new.edit(|edit| edit.set_property("Lamp0", "Owner", "Engine.Texture'Botpack.Skins.Blue'"))
        .unwrap();
    let expected = vec![
        "Count: (not stored) -> 3".to_owned(),
        "Owner: (not stored) -> Texture'Botpack.Skins.Blue'".to_owned(),
    ];
    assert_eq!(only(&difference(&old, &new)), ("Lamp0", expected.clone()));
    // The same of what was saved.
    let saved = Package::from_bytes(new.to_bytes().unwrap()).unwrap();
    assert_eq!(only(&difference(&old, &saved)), ("Lamp0", expected));
    assert!(difference(&new, &saved).is_empty());
    let mut newer = new.clone();
    newer.edit(|edit| edit.set_property("Lamp0", "Count", "4")).unwrap();
    newer.edit(|edit| edit.remove_property("Lamp0", "Owner")).unwrap();
    let expected = vec![
        "Count: 3 -> 4".to_owned(),
        "Owner: Texture'Botpack.Skins.Blue' -> (not stored)".to_owned(),
    ];
    assert_eq!(only(&difference(&new, &newer)), ("Lamp0", expected));
    // Defaults of a class are its properties.
    let mut class = old.clone();
    class.edit(|edit| edit.set_property("Lamp", "Title", "x")).unwrap();
    let diff = difference(&old, &class);
    assert_eq!(only(&diff), ("Lamp", vec!["Title: (not stored) -> \"x\"".to_owned()]));
}

#[test]
fn the_order_of_properties_is_told() {
    let mut one = open_level(69);
    let mut other = one.clone();
    for property in ["Count", "Ratio"] {
        one.edit(|edit| edit.set_property("Lamp0", property, "1")).unwrap();
    }
    for property in ["Ratio", "Count"] {
        other.edit(|edit| edit.set_property("Lamp0", property, "1")).unwrap();
    }
    assert_eq!(difference(&one, &other).changed[0].changes, [Difference::Order]);
}

#[test]
fn objects_come_and_go_and_change_their_class() {
    let old = Package::from_bytes(level(69)).unwrap();
    let new = level_with(69, |builder| builder.export("Fresh", "Lamp", vec![0]));
    let new = Package::from_bytes(new).unwrap();
    let diff = difference(&old, &new);
    assert_eq!((diff.added.len(), diff.removed.len(), diff.changed.len()), (1, 0, 0));
    assert_eq!((&*diff.added[0].path, &*diff.added[0].class), ("Fresh", "Lamp"));
    assert_eq!(diff.added[0].row, new.find_export("Fresh").unwrap());
    let build = |class: &str| {
        let builder = Builder::new(69).guid(Guid::new(1, 2, 3, 4));
        Package::from_bytes(builder.export("A", class, vec![0]).build().unwrap()).unwrap()
    };
    let diff = difference(&build("Engine.Light"), &build("Engine.Lamp"));
    let expected = vec!["class_index: Class'Engine.Light' -> Class'Engine.Lamp'".to_owned()];
    assert_eq!(only(&diff), ("A", expected));
}

#[test]
fn flags_and_header_fields_are_told() {
    let old = open_level(69);
    let mut new = old.clone();
    let flags = ObjectFlags(new.exports().entries()[0].object_flags.0 | 0x8_0000);
    new.edit(|edit| edit.set_object_flags(0, flags)).unwrap();
    let diff = difference(&old, &new);
    let (path, changes) = only(&diff);
    assert_eq!((path, changes.len()), ("Lamp", 1));
    assert!(changes[0].starts_with("object_flags: ") && changes[0].contains("Standalone"));
    let mut new = old.clone();
    new.edit(|edit| edit.set_package_flags(unreal_packages::primitive::PackageFlags(0x8))).unwrap();
    new.edit(|edit| edit.set_guid(Guid::new(9, 9, 9, 9))).unwrap();
    let fields: Vec<_> = difference(&old, &new).header.into_iter().map(|f| f.field).collect();
    assert_eq!(fields, ["guid", "package_flags"]);
    // Another version of the same is another header and nothing else.
    let other = Package::from_bytes(level(68)).unwrap();
    let diff = difference(&old, &other);
    assert_eq!(diff.header.len(), 1, "{diff:?}");
    assert_eq!(diff.header[0].to_string(), "versions.legacy_file_version: 69 (69/0) -> 68 (68/0)");
    assert!(diff.changed.is_empty());
}

#[test]
fn texts_and_bytes_of_native_data_are_told() {
    let old = open_level(69);
    let mut new = old.clone();
    new.edit(|edit| edit.set_text("Texts", "goodbye")).unwrap();
    let expected = vec!["text: hello -> goodbye".to_owned()];
    assert_eq!(only(&difference(&old, &new)), ("Texts", expected));
    // Of a class that is not known only the bytes are.
    let mut new = old.clone();
    new.edit(|edit| edit.replace_body(edit.find_export("Stranger").unwrap(), vec![7, 8])).unwrap();
    let expected = vec!["body: 1 bytes became 2, differing at 0x0".to_owned()];
    assert_eq!(only(&difference(&old, &new)), ("Stranger", expected));
    let sound = |samples: &[u8]| {
        let mut body = vec![0, 0];
        // The end of the data, as a lazy array has it, wherever it stands: settled below.
        body.extend([0; 4]);
        body.push(samples.len() as u8);
        body.extend(samples);
        let build = |body: Vec<u8>| {
            Builder::new(61).guid(Guid::new(1, 2, 3, 4)).export("S", "Engine.Sound", body)
        };
        body.drain(2..6);
        Package::from_bytes(build(body).build().unwrap()).unwrap()
    };
    let diff = difference(&sound(&[1, 2, 3, 4]), &sound(&[1, 9, 3, 9]));
    assert_eq!(only(&diff), ("S", vec!["data: 2 of 4 bytes, the first at 0x1".to_owned()]));
}

/// Bytes that replaced a body are compared by what they mean, as those that stand in a package are.
#[test]
fn replaced_bodies_are_compared_by_what_they_say() {
    let old = open_level(69);
    let mut new = old.clone();
    let lamp = new.find_export("Lamp0").unwrap();
    let body = new.body(lamp).unwrap().to_vec();
    new.edit(|edit| edit.replace_body(lamp, body)).unwrap();
    assert!(difference(&old, &new).is_empty());
    // The same with other numbers for the names.
    let mut other = new.clone();
    let mut renumbering = unreal_packages::edit::Renumbering::identity(&other);
    renumbering.names.reverse();
    other.edit(|edit| edit.renumber(&renumbering)).unwrap();
    assert!(other.body(lamp).unwrap() != new.body(lamp).unwrap());
    assert!(difference(&new, &other).is_empty());
}

#[test]
fn changed_code_is_told_as_lines() {
    use unreal_packages::archive::{Archived, Saver};
    use unreal_packages::object::script_object::Function;
    use unreal_packages::script::{Script, ScriptItem};
    let package = |items: Vec<ScriptItem>| {
        let versions = unreal_packages::Versions::ue1_to_3(69, 0);
        let script = Script { items };
        let mut function = Function::default();
        function.base.script = script;
        let mut saver = Saver::new(versions);
        function.serialize(&mut saver).unwrap();
        let mut body = vec![0];
        body.extend(saver.bytes());
        let builder = Builder::new(69).guid(Guid::new(1, 2, 3, 4));
        Package::from_bytes(builder.export("F", "Core.Function", body).build().unwrap()).unwrap()
    };
    let token = ScriptItem::Token;
    let old = package(vec![token(0x04), token(0x0b), token(0x04), token(0x25), token(0x0b)]);
    let new = package(vec![
        token(0x04),
        token(0x0b),
        token(0x04),
        token(0x1d),
        ScriptItem::Int(7),
        token(0x0b),
    ]);
    let diff = difference(&old, &new);
    let [Difference::Code { line: 3, old, new }] = &diff.changed[0].changes[..] else {
        panic!("{diff:?}")
    };
    assert_eq!(old.len(), 1);
    assert!(new[0].ends_with(" 7"), "{new:?}");
}

fn thing() -> Package {
    let builder = Builder::new(69).guid(Guid::new(1, 2, 3, 4));
    Package::from_bytes(builder.export("A", "Engine.Thing", vec![0]).build().unwrap()).unwrap()
}

#[test]
fn elements_are_told_by_their_paths_and_other_types_in_words() {
    let mut old = thing();
    let array = "array:int".parse().unwrap();
    old.edit(|edit| edit.add_property("A", "List", &array, "(1,2,3)")).unwrap();
    let mut new = old.clone();
    new.edit(|edit| edit.set_property("A", "List[1]", "7")).unwrap();
    assert_eq!(only(&difference(&old, &new)), ("A", vec!["List[1]: 2 -> 7".to_owned()]));
    let (mut one, mut other) = (thing(), thing());
    one.edit(|edit| edit.add_property("A", "Fresh", &"int".parse().unwrap(), "1")).unwrap();
    other.edit(|edit| edit.add_property("A", "Fresh", &"float".parse().unwrap(), "1")).unwrap();
    let expected = vec!["Fresh: 1 (int) -> 1.0 (float)".to_owned()];
    assert_eq!(only(&difference(&one, &other)), ("A", expected));
}

/// Of every engine: an import that nothing uses is told, one that comes with a property is told by that.
#[test]
fn imports_are_told_unless_what_uses_them_is() {
    let old = thing();
    let mut new = old.clone();
    new.edit(|edit| edit.add_import("Skins.Blue", "Engine.Texture")).unwrap();
    let lines: Vec<_> = difference(&old, &new).header.iter().map(ToString::to_string).collect();
    assert_eq!(lines.len(), 2, "{lines:?}");
    assert!(lines[1].starts_with("import: (not stored) -> ") && lines[1].contains("Skins.Blue"));
    let mut new = old.clone();
    let text = "Engine.Texture'Skins.Blue'";
    new.edit(|edit| edit.add_property("A", "Skin", &"object".parse().unwrap(), text)).unwrap();
    let expected = vec!["Skin: (not stored) -> Texture'Skins.Blue'".to_owned()];
    assert_eq!(only(&difference(&old, &new)), ("A", expected));
}

/// Packages of two engines are compared by the same fields.
#[test]
fn engines_are_compared_by_their_fields() {
    let old = open_level(69);
    let release = unreal_packages::EngineRelease::new(5, 4);
    let bytes = Builder::for_versions(release.versions()).name("None").build().unwrap();
    let new = Package::from_bytes(bytes).unwrap();
    let found = difference(&old, &new);
    assert!(found.header.iter().any(|field| field.field.starts_with("versions.")), "{found:?}");
    assert_eq!((found.removed.len(), found.added.len()), (old.exports().len(), 0));
}

/// Values in another stored form are a difference that can't be missed.
#[test]
fn another_form_of_the_same_values_is_told() {
    let package = |length: &[u8]| {
        let mut body = vec![0, 0, 0, 0, 0, 0, 0, 0, 0];
        body.extend(length);
        body.extend([b'h', b'i', 0]);
        let builder = Builder::new(69).guid(Guid::new(1, 2, 3, 4));
        Package::from_bytes(builder.export("T", "Core.TextBuffer", body).build().unwrap()).unwrap()
    };
    let diff = difference(&package(&[3]), &package(&[0x43, 0]));
    assert_eq!(diff.changed[0].changes, [Difference::Form]);
}

#[cfg(feature = "serde")]
#[test]
fn a_difference_goes_through_json() {
    let old = open_level(69);
    let mut new = old.clone();
    new.edit(|edit| edit.set_property("Lamp0", "Count", "3")).unwrap();
    let diff = diff(&old, &new);
    let text = serde_json::to_string(&diff).unwrap();
    assert_eq!(serde_json::from_str::<Diff>(&text).unwrap(), diff);
}

fn source_text(text: &str) -> Package {
    let mut body = vec![0; 9];
    let length = unreal_packages::Index::from(text.len() as i32 + 1);
    let mut saver = unreal_packages::Saver::new(unreal_packages::Versions::ue1_to_3(69, 0));
    unreal_packages::Archived::serialize(&mut length.clone(), &mut saver).unwrap();
    body.extend(saver.bytes());
    body.extend(text.bytes());
    body.push(0);
    let builder = Builder::new(69).guid(Guid::new(1, 2, 3, 4));
    Package::from_bytes(builder.export("T", "Core.TextBuffer", body).build().unwrap()).unwrap()
}

fn canonical_text(package: &Package) -> String {
    let mut text = String::new();
    unreal_packages::compare::canonical(package, |part| {
        text.push_str(part);
        Ok::<_, unreal_packages::Error>(())
    })
    .unwrap();
    text
}

/// The lines that one text has and the other has not, in both directions.
fn changed_lines(old: &Package, new: &Package) -> [Vec<String>; 2] {
    let hunks = unreal_packages::compare::line_hunks(&canonical_text(old), &canonical_text(new));
    let all = |side: fn(&unreal_packages::compare::LineHunk) -> &Vec<String>| {
        hunks.iter().flat_map(side).map(|line| line.trim().to_owned()).collect()
    };
    [all(|hunk| &hunk.old), all(|hunk| &hunk.new)]
}

/// One line of a source that is another one is one line, in canonical text as well.
#[test]
fn texts_of_several_lines_stand_line_by_line() {
    for end in ["\n", "\r\n"] {
        let with = |text: &str| source_text(&text.replace('\n', end));
        let old = with("class A;\nvar int B;\nvar int C;\n");
        let new = with("class A;\nvar int B2;\nvar int C;\n");
        let [went, came] = changed_lines(&old, &new);
        assert_eq!(
            (went, came),
            (vec!["| var int B;".to_owned()], vec!["| var int B2;".to_owned()])
        );
    }
    // What ends lines is no less a difference than what stands in them.
    let (old, new) = (source_text("a\nb\n"), source_text("a\r\nb\r\n"));
    assert_ne!(canonical_text(&old), canonical_text(&new));
    let (old, new) = (source_text("a\nb\r\n"), source_text("a\r\nb\n"));
    assert_ne!(canonical_text(&old), canonical_text(&new));
}

/// An element that comes is one line: those behind it stand as they stood.
#[test]
fn elements_that_come_are_a_line_each() {
    let release = unreal_packages::EngineRelease::new(4, 27);
    let base = crate::rename::blueprint(release);
    let with = |kind: &str, elements: &str| {
        let mut package = base.clone();
        let kind = kind.parse().unwrap();
        package.edit(|edit| edit.add_property("BP_Door", "Rows", &kind, elements)).unwrap();
        package
    };
    for (kind, old, new, line) in [
        ("array:int", "(4,5)", "(9,4,5)", "Rows[] = 9"),
        (
            "array:struct:Vector",
            "((1,2,3),(4,5,6))",
            "((1,2,3),(7,8,9),(4,5,6))",
            "Rows[] = (7.0,8.0,9.0)",
        ),
    ] {
        let mut lines = changed_lines(&with(kind, old), &with(kind, new));
        lines.iter_mut().for_each(|lines| lines.retain(|line| !line.starts_with("Rows.count")));
        let [went, came] = lines;
        assert_eq!((went, came), (Vec::new(), vec![line.to_owned()]), "{kind}");
    }
    let [went, came] =
        changed_lines(&with("array:string", "(\"\",\"a\")"), &with("array:string", "(\"a\",\"\")"));
    assert!(!went.is_empty() && !came.is_empty());
}
