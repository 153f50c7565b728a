//! Mappings files, and unversioned lists that are read with them.

use std::sync::Arc;

use unreal_packages::archive::Context;
use unreal_packages::error::{UnrealError, UnrealErrors, Unsupported};
use unreal_packages::primitive::{NameReferences, NameRemap};
use unreal_packages::property::mappings::{
    Compression, MappingData, MappingEnum, MappingName, MappingProperty, MappingStruct,
    MappingValue, SchemaType, Usmap,
};
use unreal_packages::property::{Mappings, PackageContext, PropertyList, Value};
use unreal_packages::table::NameEntry;
use unreal_packages::version::UnrealVersions;
use unreal_packages::{
    Annotate, Archived, Counter, ErrorKind, FString, Loader, References, Remap, Saver, Span,
    Versions,
};

/// A class with a parent: Child { Many[3]: Int, Text: Str, Inner: Pair, Kind: Enum }, Parent { Flag: Bool,
/// (not stored), Names: Array of Name, Map: Map of Name to Int }, Pair { A: Int, B: Int }.
fn data() -> MappingData {
    let mut names = Vec::new();
    let mut name = |text: &str| {
        let found = names.iter().position(|known: &MappingName| &*known.0 == text);
        found.unwrap_or_else(|| {
            names.push(MappingName(text.into()));
            names.len() - 1
        }) as u32
    };
    let mut property = |schema_index, array_dim, text: &str, schema| MappingProperty {
        schema_index,
        array_dim,
        name: name(text),
        schema,
    };
    let int = || Box::new(SchemaType::Int);
    let child = vec![
        property(0, 3, "Many", SchemaType::Int),
        property(3, 1, "Text", SchemaType::Str),
        property(4, 1, "Inner", SchemaType::Unknown),
        property(5, 1, "Kind", SchemaType::Unknown),
    ];
    let parent = vec![
        property(0, 1, "Flag", SchemaType::Bool),
        property(2, 1, "Names", SchemaType::Array(Box::new(SchemaType::Name))),
        property(3, 1, "Map", SchemaType::Map(Box::new(SchemaType::Name), int())),
    ];
    let pair = vec![property(0, 1, "A", SchemaType::Int), property(1, 1, "B", SchemaType::Int)];
    let (pair_name, kind) = (name("Pair"), name("EKind"));
    let structure = |name, super_struct, property_count, properties| MappingStruct {
        name,
        super_struct,
        property_count,
        properties,
    };
    let (child_name, parent_name) = (name("Child"), name("Parent"));
    let mut structs = vec![
        structure(child_name, parent_name, 6, child),
        structure(parent_name, u32::MAX, 4, parent),
        structure(pair_name, u32::MAX, 2, pair),
    ];
    structs[0].properties[2].schema = SchemaType::Struct(pair_name);
    structs[0].properties[3].schema = SchemaType::Enum(Box::new(SchemaType::Byte), kind);
    let values = vec![MappingValue { number: 0, name: name("EKind::One") }];
    let enums = vec![MappingEnum { name: kind, values }];
    MappingData { names, enums, structs, ..MappingData::default() }
}

fn context(bytes: &[u8]) -> Arc<Context> {
    let entry = |text| NameEntry { text: FString::new(text), ..NameEntry::default() };
    let names = ["First", "None", "One"].map(entry).to_vec();
    let mappings = Arc::new(Mappings::new(data()));
    let context = Context::new(bytes.to_vec().into(), names);
    Arc::new(context.with_mappings(Some(mappings)))
}

fn versions() -> Versions {
    Versions::ue4_and_5(522, 1009).with_unversioned_properties(true).with_filter_editor_only(true)
}

fn load(bytes: &[u8]) -> unreal_packages::Result<PropertyList> {
    let mut loader = Loader::new(bytes, versions()).with_context(context(bytes));
    let mut list = PropertyList::unversioned("Child");
    list.serialize(&mut loader)?;
    match loader.remaining() {
        0 => Ok(list),
        left => Err(ErrorKind::LeftOver { left, size: bytes.len() as u64 }.into()),
    }
}

fn save(list: &mut PropertyList, bytes: &[u8]) -> Vec<u8> {
    let mut saver = Saver::new(versions()).with_context(context(bytes));
    list.serialize(&mut saver).unwrap();
    saver.into_bytes()
}

/// Skip, whether there are zeros, last, values.
fn fragment(skip: u16, zeros: bool, last: bool, values: u16) -> [u8; 2] {
    (skip | u16::from(zeros) << 7 | u16::from(last) << 8 | values << 9).to_le_bytes()
}

/// Many[1] is 5, Many[2] is zero, Inner { B: 9 }, Kind 1, Flag, Names [One], Map { One: 7 }.
fn sample() -> Vec<u8> {
    [
        &fragment(1, true, false, 2)[..],
        &fragment(1, false, false, 3),
        &fragment(1, false, true, 2),
        &[0b10],
        &[5, 0, 0, 0],
        &fragment(1, false, true, 1),
        &[9, 0, 0, 0],
        &[1],
        &[1],
        &[1, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0],
        &[0, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 7, 0, 0, 0],
    ]
    .concat()
}

#[test]
fn lists_follow_the_schema_of_class_and_parents() {
    let bytes = sample();
    let mut list = load(&bytes).unwrap();
    let found: Vec<_> = list
        .properties
        .iter()
        .map(|p| (p.name_text(|_| unreachable!()), p.array_index(), p.slot()))
        .collect();
    let expected = [
        ("Many", 1, 1),
        ("Many", 2, 2),
        ("Inner", 0, 4),
        ("Kind", 0, 5),
        ("Flag", 0, 6),
        ("Names", 0, 8),
        ("Map", 0, 9),
    ]
    .map(|(name, index, slot)| (name.into(), index, Some(slot)));
    assert_eq!(found, expected);
    assert_eq!(list.properties[0].value(), &Value::Int(5));
    assert_eq!(list.properties[1].value(), &Value::Zero);
    assert_eq!(list.properties[3].value(), &Value::Byte(1));
    let original = list.clone();
    assert_eq!(save(&mut list, &bytes), bytes);
    assert_eq!(list, original);
    let mut counter = Counter::new(versions());
    list.serialize(&mut counter).unwrap();
    assert_eq!(counter.length(), bytes.len() as u64);
    let mut references = References::new(versions());
    list.serialize(&mut references).unwrap();
    assert_eq!(references.names().get(&2), Some(&2));
    let shift = |row: i32| Some(row + 5);
    list.serialize(&mut Remap::names_and_objects(versions(), &shift, &shift)).unwrap();
    let back = |row: i32| Some(row - 5);
    list.serialize(&mut Remap::names_and_objects(versions(), &back, &back)).unwrap();
    assert_eq!(list, original);
}

#[test]
fn explanations_name_the_properties() {
    let bytes = sample();
    let mut loader = Loader::new(&bytes, versions()).with_context(context(&bytes));
    let mut annotate = Annotate::new(&mut loader);
    let mut list = PropertyList::unversioned("Child");
    list.serialize(&mut annotate).unwrap();
    let loading = annotate.into_records();
    assert_eq!(loading.last().map(|record| record.end), Some(bytes.len() as u64));
    assert!(loading.iter().any(|record| record.path == "Inner.B"), "{loading:#?}");
    let mut saver = Saver::new(versions()).with_context(context(&bytes));
    let mut annotate = Annotate::new(&mut saver);
    list.serialize(&mut annotate).unwrap();
    let mut saving = annotate.into_records();
    saving.iter_mut().for_each(|record| record.role = None);
    assert_eq!(format!("{loading:#?}"), format!("{saving:#?}"));
}

#[test]
fn headers_are_made_anew_where_properties_changed() {
    let bytes = sample();
    let mut list = load(&bytes).unwrap();
    list.properties.remove(3);
    *list.properties[0].value_mut() = Value::Zero;
    let saved = save(&mut list, &bytes);
    let expected_header = [
        &fragment(1, true, false, 2)[..],
        &fragment(1, false, false, 1),
        &fragment(1, false, false, 1),
        &fragment(1, false, true, 2),
        &[0b11],
    ]
    .concat();
    assert!(saved.starts_with(&expected_header), "{saved:x?}");
    let mut again = load(&saved).unwrap();
    let shape = |list: &PropertyList| {
        let each = list.properties.iter();
        each.map(|p| (p.slot(), *p.value() == Value::Zero)).collect::<Vec<_>>()
    };
    assert_eq!(shape(&again), shape(&list));
    assert_eq!(save(&mut again, &saved), saved);
    list.properties.swap(0, 1);
    let mut saver = Saver::new(versions());
    assert!(list.serialize(&mut saver).is_err(), "out of order");
}

#[test]
fn lists_refuse_what_they_can_not_store() {
    let bytes = sample();
    let mut list = load(&bytes).unwrap();
    let zero = list.properties[1].clone();
    let refused = |list: &mut PropertyList| {
        let mut saver = Saver::new(versions()).with_context(context(&bytes));
        list.serialize(&mut saver).unwrap_err().to_string()
    };
    // A property without a tag among tags, a zero where it would be stored.
    let error = refused(&mut PropertyList::new(vec![zero], unreal_packages::Name::new(1)));
    assert!(error.contains("without a tag"), "{error}");
    *list.properties[0].value_mut() = Value::Fields(vec![Value::Zero]);
    refused(&mut list);
}

#[test]
fn unusual_headers_are_kept() {
    // A fragment that passes over nothing, one without values, bits beyond the last value.
    let bytes = [
        &fragment(0, false, false, 0)[..],
        &fragment(1, true, false, 1),
        &fragment(3, false, true, 0),
        &[0b1110],
        &[5, 0, 0, 0],
    ]
    .concat();
    let mut list = load(&bytes).unwrap();
    assert_eq!(save(&mut list, &bytes), bytes);
}

#[test]
fn damaged_lists_are_errors_or_save_as_they_are() {
    let bytes = sample();
    for end in 0..bytes.len() {
        assert!(load(&bytes[..end]).is_err(), "{end}");
    }
    for at in 0..bytes.len() {
        for byte in 0..=255 {
            let mut changed = bytes.clone();
            changed[at] = byte;
            if let Ok(mut list) = load(&changed) {
                assert_eq!(save(&mut list, &changed), changed);
            }
        }
    }
}

#[test]
fn without_mappings_or_schema_a_list_is_an_error() {
    let bytes = sample();
    let mut loader = Loader::new(&bytes, versions());
    let error = PropertyList::unversioned("Child").serialize(&mut loader).unwrap_err();
    assert!(
        matches!(
            error.unreal(),
            Some(UnrealError::Unsupported { why: Unsupported::NeedsMappings, .. })
        ),
        "{error}"
    );
    let mut loader = Loader::new(&bytes, versions()).with_context(context(&bytes));
    let error = PropertyList::unversioned("Stranger").serialize(&mut loader).unwrap_err();
    assert!(error.to_string().contains("'Stranger' not found in the mappings"), "{error}");
}

#[test]
fn files_of_every_version_load_and_save() {
    for version in 0..=4 {
        let bytes = Mappings::new(data()).to_bytes(version).unwrap();
        let file = Usmap::from_bytes(&bytes).unwrap();
        assert_eq!((file.version, file.compression), (version, Compression::None));
        assert_eq!(file.data(&bytes).unwrap(), data(), "{version}");
        let again = Mappings::from_bytes(&bytes).unwrap();
        assert_eq!(again.to_bytes(version).unwrap(), bytes);
        for end in 0..bytes.len() {
            assert!(Mappings::from_bytes(&bytes[..end]).is_err(), "{version}: {end}");
        }
        for at in 0..bytes.len() {
            let mut changed = bytes.clone();
            changed[at] ^= 0xff;
            if let Ok(mappings) = Mappings::from_bytes(&changed) {
                let _ = mappings.knows("Child");
            }
        }
    }
    let mut long = data();
    long.names[0] = MappingName("x".repeat(300).as_str().into());
    assert!(Mappings::new(long.clone()).to_bytes(1).is_err(), "names of version 1 are short");
    assert!(Mappings::new(long).to_bytes(2).is_ok());
}

#[test]
fn classes_that_derive_from_themselves_have_no_schema() {
    let mut data = data();
    data.structs[1].super_struct = data.structs[0].name;
    let bytes = sample();
    let context = Context::new(bytes.clone().into(), Vec::new());
    let context = Arc::new(context.with_mappings(Some(Arc::new(Mappings::new(data)))));
    let mut loader = Loader::new(&bytes, versions()).with_context(context);
    assert!(PropertyList::unversioned("Child").serialize(&mut loader).is_err());
}

/// A block as Brotli and Zstandard store it when they do not compress.
#[cfg(feature = "usmap-codecs")]
#[test]
fn compressed_blocks_are_opened() {
    let plain = Mappings::new(data()).to_bytes(3).unwrap();
    let block = Usmap::from_bytes(&plain).unwrap().block.bytes(&plain).unwrap().to_vec();
    let length = block.len() as u32;
    let head = (0x0b | (length - 1) << 7 | 1 << 23).to_le_bytes();
    let brotli = [&head[..3], &block, &[3]].concat();
    let size = u8::try_from(length).expect("a short block");
    let header = (length << 3 | 1).to_le_bytes();
    let zstandard = [&[0x28, 0xb5, 0x2f, 0xfd, 0x20, size][..], &header[..3], &block].concat();
    for (method, stored) in [(2, brotli), (3, zstandard)] {
        let mut bytes = plain[..7].to_vec();
        bytes.push(method);
        bytes.extend((stored.len() as u32).to_le_bytes());
        bytes.extend(length.to_le_bytes());
        bytes.extend(&stored);
        let mappings = Mappings::from_bytes(&bytes).unwrap_or_else(|e| panic!("{method}: {e}"));
        assert_eq!(mappings.data(), &data());
        bytes.truncate(bytes.len() - 9);
        assert!(Mappings::from_bytes(&bytes).is_err());
    }
}

#[test]
fn blocks_that_are_not_compressed_may_say_more_than_there_is() {
    let whole = Mappings::new(data()).to_bytes(4).unwrap();
    let sizes = whole.len() - Usmap::from_bytes(&whole).unwrap().block.len() as usize - 8;
    let mut overstated = whole.clone();
    for at in [sizes, sizes + 4] {
        let stated = u32::from_le_bytes(*overstated[at..].first_chunk().unwrap()) + 2480;
        overstated[at..at + 4].copy_from_slice(&stated.to_le_bytes());
    }
    let read = Mappings::from_bytes(&overstated).unwrap();
    assert_eq!(read.data(), &data());
    let mut file = Usmap::from_bytes(&overstated).unwrap();
    assert_eq!(file.decompressed_size as u64, file.block.len() + 2480);
    file.block = Span::owned(file.block.bytes(&overstated).unwrap().to_vec());
    assert_eq!(file.to_bytes().unwrap(), overstated);
    // One that is cut is none.
    for end in sizes..whole.len() {
        assert!(Mappings::from_bytes(&whole[..end]).is_err(), "{end}");
    }
}

#[cfg(feature = "json")]
#[test]
fn mappings_as_json_say_the_same() {
    let property = |name: &str, class: &str, more: &str| {
        format!(
            r#"{{"name":"{name}","offset":8,"array_dim":1,"size":4,"type":"{class}","flags":"CPF_Edit"{more}}}"#
        )
    };
    let many = property("Many", "IntProperty", "").replace("dim\":1", "dim\":3");
    let int = property("", "IntProperty", "");
    let name = property("", "NameProperty", "");
    let kind = r#","container":{"name":"","array_dim":1,"type":"ByteProperty","enum":null},"enum":"/Script/Game.EKind""#;
    let child = [
        many,
        property("Text", "StrProperty", ""),
        property("Inner", "StructProperty", r#","struct":"/Script/Game.Pair""#),
        property("Kind", "EnumProperty", kind),
    ];
    let parent = [
        property("Flag", "BoolProperty", r#","field_size":1"#),
        property("Names", "ArrayProperty", &format!(r#","inner":{name}"#)),
        property("Map", "MapProperty", &format!(r#","key_prop":{name},"value_prop":{int}"#)),
        property("Old", "ByteProperty", r#","enum":"/Script/Game.EKind""#),
        property("Wide", "FUtf8StrProperty", ""),
    ];
    let object = |class: &str, parent: &str, properties: &[String]| {
        let properties = properties.join(",");
        format!(
            r#"{{"type":"{class}","address":"0x10","class":"/Script/CoreUObject.Class","property_values":{{"x":[1,{{}}]}},
            "super_struct":{parent},"properties":[{properties}],"properties_size":8}}"#
        )
    };
    let text = format!(
        r#" {{"metadata":{{"tool":"t","engine_version":{{"major":5,"minor":3}}}},"image_base_address":"0x0","objects":{{
        "/Script/Game":{{"type":"Package","children":[]}},
        "/Script/Game.Child":{},"/Script/Game.Parent":{},"/Script/Game.Pair":{},
        "/Script/Game.EKind":{{"type":"Enum","cpp_type":"EKind","names":[["EKind::Two",2],["EKind::One",0]]}}}},
        "vtables":{{}}}}"#,
        object("Class", r#""/Script/Game.Parent""#, &child),
        object("Class", "null", &parent),
        object(
            "ScriptStruct",
            "null",
            &[property("A", "IntProperty", ""), property("B", "IntProperty", "")]
        ),
    );
    let read = Mappings::from_bytes(text.as_bytes()).unwrap();
    assert_eq!(read.parent_of("Child"), Some("Parent"));
    assert_eq!(read.enum_number("EKind", "Two"), Some(2));
    assert_eq!(read.enum_number("EKind", "EKind::One"), Some(0));
    let versions = read.versions().unwrap();
    assert_eq!((versions.ue4, versions.ue5), (522, 1009));
    let of = |class: &str| {
        let data = read.data();
        let text = |row: u32| data.names[row as usize].0.to_string();
        let found = data.structs.iter().find(|known| text(known.name) == class).unwrap();
        let types =
            found.properties.iter().map(|it| (it.schema_index, text(it.name), it.schema.clone()));
        (found.property_count, types.collect::<Vec<_>>())
    };
    let (count, child) = of("Child");
    assert_eq!(count, 6);
    assert_eq!((child[0].0, child[1].0, child[3].0), (0, 3, 5));
    assert_eq!((&*child[1].1, &child[1].2), ("Text", &SchemaType::Str));
    assert!(matches!(&child[3].2, SchemaType::Enum(number, _) if **number == SchemaType::Byte));
    let (_, parent) = of("Parent");
    assert!(matches!(&parent[1].2, SchemaType::Array(inner) if **inner == SchemaType::Name));
    assert!(matches!(&parent[2].2, SchemaType::Map(_, value) if **value == SchemaType::Int));
    assert!(matches!(&parent[3].2, SchemaType::Enum(..)));
    assert_eq!(parent[4].2, SchemaType::Utf8Str);
    // The same as a .usmap file.
    let again = Mappings::from_bytes(&read.to_bytes(4).unwrap()).unwrap();
    assert_eq!(again.data(), read.data());
    let wrong = text.replace(",\"inner\":", ",\"outer\":");
    let error = Mappings::from_bytes(wrong.as_bytes()).unwrap_err().to_string();
    assert!(error.contains("Parent") && error.contains("Names"), "{error}");
    for end in 0..text.len() {
        assert!(Mappings::from_bytes(&text.as_bytes()[..end]).is_err(), "{end}");
    }
}
