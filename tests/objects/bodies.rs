//! Bodies of generated packages: decoded, rebuilt, visited; and whatever bytes stand in them.

use proptest::prelude::*;
use std::sync::Arc;
use unreal_packages::archive::{Archived, Context, Counter, Loader, References, Remap, Saver};
use unreal_packages::generate::Builder;
use unreal_packages::inspect::{Explanation, references};
use unreal_packages::object::Native;
use unreal_packages::object::text::TextBuffer;
use unreal_packages::package::{Package, PackageSpan, SaveOptions, native_as};
use unreal_packages::primitive::{NameReferences, NameRemap};
use unreal_packages::property::{Elements, PackageContext, PropertyList, Value};
use unreal_packages::script::{Script, ScriptItem, disassemble};
use unreal_packages::table::NameEntry;
use unreal_packages::version::UnrealVersions;
use unreal_packages::{ErrorKind, FString, Game, PackageIndex, Versions};

/// Row 0 is `None`; the others are what the tests need.
const NAMES: &[&str] = &[
    "None",
    "Count",
    "Title",
    "Where",
    "Vector",
    "Inner",
    "Holder",
    "IntProperty",
    "StrProperty",
    "StructProperty",
    "ArrayProperty",
    "BoolProperty",
    "ByteProperty",
    "Modules",
    "ObjectProperty",
    "MyEnum",
];

fn context(source: Vec<u8>) -> Arc<Context> {
    let entry = |text: &&str| NameEntry { text: FString::from(*text), ..NameEntry::default() };
    Arc::new(Context::new(source.into(), NAMES.iter().map(entry).collect()))
}

fn name(text: &str, versions: &Versions) -> Vec<u8> {
    let row = NAMES.iter().position(|known| *known == text).expect("a known name") as u8;
    match versions.file() {
        ..178 => vec![row],
        178..343 => vec![row, 0, 0, 0],
        _ => vec![row, 0, 0, 0, 0, 0, 0, 0],
    }
}

/// An int, a string, a vector, a tagged struct with an int, a bool, in UE2's tags.
fn classic_list(versions: &Versions) -> Vec<u8> {
    let n = |text: &str| name(text, versions);
    let mut bytes = n("Count");
    bytes.extend([0x22, 7, 0, 0, 0]);
    bytes.extend(n("Title"));
    bytes.extend([0x5d, 6, 5, b't', b'e', b'x', b't', 0]);
    bytes.extend(n("Where"));
    bytes.push(0x3a);
    bytes.extend(n("Vector"));
    bytes.extend([0; 12]);
    bytes.extend(n("Inner"));
    bytes.push(0x5a);
    bytes.extend(n("Holder"));
    let mut inner = n("Count");
    inner.extend([0xa2, 3, 9, 0, 0, 0]);
    inner.extend(n("None"));
    bytes.push(inner.len() as u8);
    bytes.extend(inner);
    bytes.extend(n("Holder"));
    bytes.extend([0xd3, 0]);
    bytes.extend(n("None"));
    bytes
}

fn named_list(versions: &Versions) -> Vec<u8> {
    let n = |text: &str| name(text, versions);
    let tag = |name: &str, kind: &str, size: u32| {
        let mut bytes = n(name);
        bytes.extend(n(kind));
        bytes.extend(size.to_le_bytes());
        bytes.extend(0u32.to_le_bytes());
        bytes
    };
    let mut bytes = tag("Count", "IntProperty", 4);
    bytes.extend(7u32.to_le_bytes());
    bytes.extend(tag("Holder", "BoolProperty", 0));
    bytes.extend(if versions.file() < 673 { vec![1, 0, 0, 0] } else { vec![1] });
    bytes.extend(tag("Title", "ByteProperty", 8));
    if versions.file() >= 633 {
        bytes.extend(n("MyEnum"));
    }
    bytes.extend(n("Title"));
    let mut inner = tag("Count", "IntProperty", 4);
    inner.extend(9u32.to_le_bytes());
    inner.extend(n("None"));
    // Without a declaration: lists of tags describe themselves.
    bytes.extend(tag("Inner", "ArrayProperty", 4 + inner.len() as u32));
    bytes.extend(1u32.to_le_bytes());
    bytes.extend(inner);
    bytes.extend(n("None"));
    bytes
}

fn load(bytes: &[u8], versions: &Versions) -> unreal_packages::Result<PropertyList> {
    let mut list = PropertyList::default();
    let mut loader = Loader::new(bytes, versions.clone()).with_context(context(bytes.to_vec()));
    list.serialize(&mut loader)?;
    Ok(list)
}

fn samples() -> Vec<(Versions, Vec<u8>)> {
    let classic = [118, 128, 177].map(|file| Versions::ue1_to_3(file, 0));
    let named = [343, 512, 633, 672, 673, 868].map(|file| Versions::ue1_to_3(file, 0));
    let classic = classic.into_iter().map(|v| (v.clone(), classic_list(&v)));
    classic.chain(named.into_iter().map(|v| (v.clone(), named_list(&v)))).collect()
}

#[test]
fn property_lists_are_typed_and_come_out_as_they_went_in() {
    for (versions, bytes) in samples() {
        let mut list = load(&bytes, &versions).unwrap();
        assert!(list.properties.len() >= 4, "{versions}");
        for property in &list.properties {
            assert!(!matches!(property.value(), Value::Opaque(_)), "{versions}: {property:?}");
        }
        assert_eq!(list.properties[0].value(), &Value::Int(7));
        let before = list.clone();
        let context = context(bytes.clone());
        let mut saver = Saver::new(versions.clone()).with_context(context.clone());
        list.serialize(&mut saver).unwrap();
        assert_eq!(saver.bytes(), bytes, "{versions}");
        let mut counter = Counter::new(versions.clone()).with_context(context);
        list.serialize(&mut counter).unwrap();
        assert_eq!(counter.length(), bytes.len() as u64, "{versions}");
        assert_eq!(list, before);
    }
}

#[test]
fn every_name_in_a_list_is_found_and_renumbered() {
    for (versions, bytes) in samples() {
        let mut list = load(&bytes, &versions).unwrap();
        let mut references = References::new(versions.clone());
        list.serialize(&mut references).unwrap();
        assert!(references.names()[&0] >= 2, "the terminators of both lists");
        // Far enough to change the width of compact indices, and so of sizes.
        let (up, down) = (|row: i32| Some(row + 100), |row: i32| Some(row - 100));
        let same = |row: i32| Some(row);
        list.serialize(&mut Remap::names_and_objects(versions.clone(), &up, &same)).unwrap();
        let mut renumbered = Saver::new(versions.clone()).with_context(context(bytes.clone()));
        list.serialize(&mut renumbered).unwrap();
        assert_ne!(renumbered.bytes(), bytes);
        list.serialize(&mut Remap::names_and_objects(versions.clone(), &down, &same)).unwrap();
        let mut saver = Saver::new(versions.clone()).with_context(context(bytes.clone()));
        list.serialize(&mut saver).unwrap();
        assert_eq!(saver.bytes(), bytes, "{versions}");
    }
}

#[test]
fn a_wider_name_widens_the_size_of_the_struct_around_it() {
    let versions = Versions::ue1_to_3(128, 0);
    let bytes = classic_list(&versions);
    let mut list = load(&bytes, &versions).unwrap();
    let (wide, same) = (|row: i32| Some(if row == 1 { 8000 } else { row }), |row: i32| Some(row));
    list.serialize(&mut Remap::names_and_objects(versions.clone(), &wide, &same)).unwrap();
    let mut saver = Saver::new(versions).with_context(context(bytes.clone()));
    list.serialize(&mut saver).unwrap();
    // `Count` stands twice, once within the struct, whose size grows by one.
    assert_eq!(saver.bytes().len(), bytes.len() + 2);
    let size_at = bytes.iter().position(|&byte| byte == 0x5a).unwrap() + 2;
    assert_eq!(saver.bytes()[size_at + 1], bytes[size_at] + 1);
}

#[test]
fn truncated_lists_are_errors() {
    for (versions, bytes) in samples() {
        for length in 0..bytes.len() {
            assert!(load(&bytes[..length], &versions).is_err(), "{versions} cut at {length}");
        }
    }
}

proptest! {
    #[test]
    fn any_bytes_make_a_list_or_an_error(
        bytes in prop::collection::vec(prop_oneof![0u8..20, any::<u8>()], 0..300),
        file in prop::sample::select(vec![61u32, 69, 128, 343, 512, 868]),
    ) {
        let versions = Versions::ue1_to_3(file, 0);
        if let Ok(mut list) = load(&bytes, &versions) {
            let mut saver = Saver::new(versions).with_context(context(bytes.clone()));
            list.serialize(&mut saver).unwrap();
            let length = saver.bytes().len();
            prop_assert_eq!(saver.bytes(), &bytes[..length]);
        }
    }

    #[test]
    fn any_bytes_make_a_script_or_an_error(
        bytes in prop::collection::vec(any::<u8>(), 0..200),
        size in 0i32..200,
        file in prop::sample::select(vec![61u32, 69, 128, 343, 512, 684, 868]),
    ) {
        let versions = Versions::ue1_to_3(file, 0);
        let mut source = size.to_le_bytes().to_vec();
        if file >= 639 {
            source.extend(size.to_le_bytes());
        }
        source.extend(bytes);
        let mut script = Script::default();
        let mut loader = Loader::new(&source, versions.clone()).with_context(context(source.clone()));
        if script.serialize(&mut loader).is_ok() {
            prop_assert_eq!(script.memory_size(&versions), size as u64);
            let mut saver = Saver::new(versions.clone()).with_context(context(source.clone()));
            script.serialize(&mut saver).unwrap();
            let length = saver.bytes().len();
            prop_assert_eq!(saver.bytes(), &source[..length]);
            prop_assert!(disassemble(&script.items, &versions, |name| name.index.value() == 0).is_ok());
        }
    }
}

#[test]
fn structs_within_structs_end_somewhere() {
    // Each level: name, struct tag with a four-byte size, name of the struct.
    let versions = Versions::ue1_to_3(128, 0);
    let mut bytes = vec![0];
    for _ in 0..4000 {
        let mut outer = vec![5, 0x7a, 6];
        outer.extend((bytes.len() as u32).to_le_bytes());
        outer.extend(&bytes);
        outer.push(0);
        bytes = outer;
    }
    let list = load(&bytes, &versions).unwrap();
    fn depth(list: &PropertyList) -> usize {
        match list.properties.first().map(|property| property.value()) {
            Some(Value::List(inner)) => 1 + depth(inner),
            _ => 0,
        }
    }
    assert!((30..200).contains(&depth(&list)), "deep enough for real files, and bounded");
}

#[test]
fn expressions_within_expressions_end_somewhere() {
    let versions = Versions::ue1_to_3(69, 0);
    // 100,000 times "bool variable of".
    let mut bytes = 100_001i32.to_le_bytes().to_vec();
    bytes.extend(vec![0x2d; 100_000]);
    bytes.push(0x0b);
    let mut script = Script::default();
    let mut loader = Loader::new(&bytes, versions).with_context(context(bytes.clone()));
    let error = script.serialize(&mut loader).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::TooDeep { .. }), "{error}");
}

#[test]
fn a_script_knows_its_labels_and_its_size_in_memory() {
    let versions = Versions::ue1_to_3(69, 0);
    // if (!local) goto 9; return; nothing: 07 label, 2d 00 object, 04 0b
    let code = [0x07, 0x09, 0x00, 0x2d, 0x00, 0x41, 0x01, 0x04, 0x0b];
    // In memory the reference takes 4 bytes instead of 2.
    let mut bytes = 11i32.to_le_bytes().to_vec();
    bytes.extend(code);
    let mut script = Script::default();
    let mut loader = Loader::new(&bytes, versions.clone()).with_context(context(bytes.clone()));
    script.serialize(&mut loader).unwrap();
    assert_eq!(script.memory_size(&versions), 11);
    let lines = disassemble(&script.items, &versions, |_| false).unwrap();
    let names: Vec<_> = lines.iter().map(|line| (line.offset, line.depth, line.name)).collect();
    assert_eq!(
        names,
        [
            (0, 0, "JumpIfNot"),
            (3, 1, "BoolVariable"),
            (4, 2, "LocalVariable"),
            (9, 0, "Return"),
            (10, 1, "Nothing"),
        ]
    );
    assert_eq!(lines[0].operands, [ScriptItem::Label(9)]);
    let mut references = References::new(versions);
    script.serialize(&mut references).unwrap();
    assert_eq!(references.objects().keys().copied().collect::<Vec<_>>(), [65]);
}

/// A text buffer without properties: none, position, top, text.
fn text_body(text: &str) -> Vec<u8> {
    let mut body = vec![0, 0, 0, 0, 0, 0, 0, 0, 0, text.len() as u8 + 1];
    body.extend(text.as_bytes());
    body.push(0);
    body
}

#[test]
fn a_decoded_package_is_rebuilt_from_its_typed_bodies() {
    let bytes = Builder::new(69)
        .export("Readme", "Engine.TextBuffer", text_body("hello"))
        .export("Odd", "Engine.TextBuffer", vec![0, 1, 2])
        .build()
        .unwrap();
    let mut package = Package::from_bytes(bytes.clone()).unwrap();
    assert_eq!(package.coverage().opaque, 16 + 3);
    package.decode_all();
    let readme = package.decoded(0).unwrap();
    assert!(readme.is_complete() && readme.error.is_none());
    assert!(matches!(readme.body.native, Native::Object(_)));
    let text = &native_as::<TextBuffer>(&readme.body).unwrap().text;
    assert_eq!(text.text(package.source()).unwrap(), "hello");
    // What does not fit is kept, and says why.
    let odd = package.decoded(1).unwrap();
    assert!(odd.error.is_some() && !odd.is_complete());
    assert_eq!(package.coverage().opaque, 2);
    let explained = Explanation::of(&package).unwrap();
    assert!(explained.iter().any(|row| row.record.path == "bodies[0].text.characters"));
    // Scrambling all that is no span changes nothing.
    let mut scrambled = bytes.clone();
    let spans = PackageSpan::of(&package);
    for (at, byte) in scrambled.iter_mut().enumerate() {
        if !spans.iter().any(|span| (span.start..span.end).contains(&(at as u64))) {
            *byte ^= 0xff;
        }
    }
    let saved = package.save(&SaveOptions::new().source(scrambled.to_vec())).unwrap();
    assert_eq!(saved.bytes, bytes);
}

/// Files that once took forever or overflowed the stack.
#[test]
fn small_files_take_little_work() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/regressions");
    let mut files = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let bytes = std::fs::read(entry.unwrap().path()).unwrap();
        let mut package = Package::from_bytes(bytes.clone()).unwrap();
        package.decode_all();
        assert_eq!(package.save(&SaveOptions::new()).unwrap().bytes, bytes);
        files += 1;
    }
    assert_eq!(files, 3);
}

#[test]
fn classes_of_other_packages_type_arrays() {
    // No properties; super, next, dimension, flags, category.
    let property = [0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0];
    let library = Builder::new(69)
        .export("Numbers", "Core.ArrayProperty", [&property[..], &[2]].concat())
        .export("Number", "Core.IntProperty", property)
        .build()
        .unwrap();
    let library = Package::from_bytes(library).unwrap();
    // Name 1, an array of 9 bytes: two elements; then none.
    let body = [1, 0x59, 9, 2, 7, 0, 0, 0, 8, 0, 0, 0, 0];
    let user = Builder::new(69).name("Numbers").export("Thing", "Library.Holder", body);
    let mut package = Package::from_bytes(user.build().unwrap()).unwrap();
    let value = |package: &Package| {
        let body = package.decode(0).unwrap().into_owned().body;
        body.properties.unwrap().properties[0].value().clone()
    };
    assert!(matches!(value(&package), Value::Opaque(_)));
    package.add_class_layouts(&library.layouts());
    assert_eq!(value(&package), Value::Array(Elements::Int(vec![7, 8])));
}

/// What arrays of a name hold in most classes is a guess in those that declare nothing: rows that are not there show
/// that it was wrong.
#[test]
fn references_to_rows_that_are_not_there_are_none() {
    let array = |class: &str, property: &str, words: [i32; 3]| {
        // Net index; name, type, size, index; the array; none.
        let numbers = [&[0, 2, 0, 1, 0, 16, 0, 3], &words[..], &[0, 0]].concat();
        let body = numbers.into_iter().flat_map(i32::to_le_bytes).collect::<Vec<_>>();
        let builder = Builder::new(684).name("None").name("ArrayProperty").name(property);
        let bytes = builder.export("Node", class, body).build().unwrap();
        let package = Package::from_bytes(bytes).unwrap();
        let body = package.decode(0).unwrap().into_owned().body;
        body.properties.unwrap().properties[0].value().clone()
    };
    let floats = [0.0_f32, 5.0, 300.0].map(|number| number.to_bits().cast_signed());
    let (plain, blend) = ("Engine.Thing", "Engine.AnimNodeBlendBySpeed");
    assert!(matches!(array(plain, "Constraints", floats), Value::Opaque(_)));
    // Its own class knows better.
    let expected = Value::Array(Elements::Float(vec![0.0, 5.0, 300.0]));
    assert_eq!(array(blend, "Constraints", floats), expected);
    let objects = [0, 1, -2].map(PackageIndex::new).to_vec();
    let expected = Value::Array(Elements::Object(objects));
    assert_eq!(array(plain, "Constraints", [0, 1, -2]), expected);
    for outside in [2, -100] {
        assert!(matches!(array(plain, "Constraints", [0, 1, outside]), Value::Opaque(_)));
    }
    // Numbers refer to nothing.
    let expected = Value::Array(Elements::Int(vec![0, 1, 100]));
    assert_eq!(array(plain, "BoundsBodies", [0, 1, 100]), expected);
}

#[test]
fn an_edited_bool_is_saved() {
    let versions = Versions::ue1_to_3(128, 0);
    let bytes = classic_list(&versions);
    let mut list = load(&bytes, &versions).unwrap();
    let flag = list.properties.last_mut().unwrap();
    assert_eq!(flag.value(), &Value::Bool(true));
    *flag.value_mut() = Value::Bool(false);
    let mut saver = Saver::new(versions.clone()).with_context(context(bytes.clone()));
    list.serialize(&mut saver).unwrap();
    let again = load(saver.bytes(), &versions).unwrap();
    assert_eq!(again.properties.last().unwrap().value(), &Value::Bool(false));
}

proptest! {
    /// Damage anywhere in a package: it opens or not; what opens decodes without a panic and is rebuilt.
    #[test]
    fn damaged_packages_decode_and_are_rebuilt(
        file in prop::sample::select(vec![61u32, 69, 128, 512, 868]),
        damage in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6),
    ) {
        let classes = ["Core.Function", "Core.Class", "Core.State", "Engine.Texture", "Engine.Model",
            "Engine.StaticMesh", "Engine.SkeletalMesh", "Engine.Level", "Engine.Material",
            "Engine.Texture2D", "Core.TextBuffer", "Core.StructProperty", "Core.ArrayProperty"];
        let mut builder = Builder::new(file);
        for (at, class) in classes.iter().enumerate() {
            builder = builder.export(format!("Object{at}"), *class, vec![0; 40 + 13 * at]);
        }
        let mut bytes = builder.build().unwrap();
        for (at, value) in damage {
            let at = at.index(bytes.len());
            bytes[at] = value;
        }
        if let Ok(mut package) = Package::from_bytes(bytes.clone()) {
            package.decode_all();
            references(&package);
            Explanation::of(&package).unwrap();
            let saved = package.save(&SaveOptions::new()).unwrap();
            prop_assert_eq!(saved.bytes, bytes);
        }
    }
}

/// Games have tokens of their own beside those of their engine's version.
#[test]
fn tokens_of_a_game_stand_before_those_of_the_engine() {
    use unreal_packages::script::token_name;
    let of = |file, game| Versions::ue1_to_3(file, 0).with_game(game);
    assert_eq!(token_name(0x39, &of(69, Game::Swat4)), "Conversion");
    assert_eq!(token_name(0x46, &of(129, Game::Swat4)), "Construct");
    assert_eq!(token_name(0x46, &of(684, Game::Swat4)), "DynArrayFind");
    assert_eq!(token_name(0x5b, &of(684, Game::MassEffect3)), "LocalFloatVariable");
}
