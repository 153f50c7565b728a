//! Bodies of UE4 and UE5 packages, changed byte by byte: properties of every kind, texts, tables, bytecode.

use unreal_packages::edit::PackageEdit;
use unreal_packages::object::ue4::structure::{Struct, function::Function};
use unreal_packages::object::ue4::table::string_table::StringTable;
use unreal_packages::package::Package;
use unreal_packages::primitive::{Map, PackageFlags, Real};
use unreal_packages::property::{
    Elements, Naming, Place, Property, PropertyList, Text, Type, Value,
};
use unreal_packages::script::{Script, ScriptItem};
use unreal_packages::version::{FILE, UnrealVersions};
use unreal_packages::{
    Archived, EngineRelease, FString, Name, PackageIndex, Saver, Span, Versions,
};

use super::{is_proportionate, limit, memory};
use crate::common::ue4::builder;

/// Types of properties, nested.
const TYPES: &[&str] = &[
    "bool",
    "byte",
    "byte-enum:ELight",
    "int8",
    "int64",
    "float",
    "double",
    "name",
    "string",
    "text",
    "object",
    "lazy-object",
    "soft-object",
    "delegate",
    "multicast-inline-delegate",
    "struct:Vector",
    "struct:Guid",
    "struct:Color",
    "struct:GameplayTagContainer",
    "struct:Row",
    "array:int",
    "array:byte",
    "array:string",
    "array:soft-object",
    "array:struct:Vector",
    "array:struct:Row",
    "array:text",
];
/// Types whose tags name what they hold from UE4 509 on.
const NEWER: &[&str] =
    &["enum:EMode", "set:name", "map:name:int", "map:int:struct:Row", "map:string:text"];
/// Levels of structs in structs.
const DEEP: usize = 40;

/// Ten releases, uncooked and cooked.
fn versions() -> Vec<(Versions, PackageFlags)> {
    let releases =
        [(4, 3), (4, 8), (4, 12), (4, 16), (4, 20), (4, 27), (5, 0), (5, 2), (5, 4), (5, 6)];
    let of = |(major, minor)| EngineRelease::new(major, minor).versions();
    let flags = [PackageFlags(0), PackageFlags::FILTER_EDITOR_ONLY];
    releases.into_iter().flat_map(|release| flags.map(|flags| (of(release), flags))).collect()
}

fn two_elements(value: &mut Value, element: &Type, package: &mut Package) {
    let one = package.edit(|edit| Value::blank(element, Place::Element, edit)).unwrap();
    let elements = Elements::of_values(vec![one.clone(), one.clone()]);
    match value {
        Value::Array(values) => *values = elements,
        Value::StructArray(structs) => structs.elements = elements,
        Value::Set(set) => set.elements = elements,
        Value::Map(map) => map.pairs = vec![(one.clone(), one)],
        _ => {}
    }
}

/// Properties of every kind, and structs in structs.
fn properties(package: &mut Package) -> PropertyList {
    let package_tells = package.versions().ue4() >= 500;
    let newer = if package.versions().ue4() >= 509 { NEWER } else { &[] };
    let mut list = PropertyList::new(Vec::new(), package.edit(|edit| edit.name("None")).unwrap());
    // Below UE4 500 nothing tells the struct of an array's elements.
    let told = |text: &&&str| package_tells || **text != "array:struct:Vector";
    for text in TYPES.iter().filter(told).chain(newer) {
        let known: Type = text.parse().unwrap();
        let mut property =
            package.edit(|edit| Property::blank(&text.replace(':', "-"), 0, &known, edit)).unwrap();
        if let Some(element) = text.strip_prefix("array:").or(text.strip_prefix("set:")) {
            two_elements(property.value_mut(), &element.parse().unwrap(), package);
        }
        if let Value::Text(text) = property.value_mut() {
            **text = Text::default();
        }
        list.properties.push(property);
    }
    let row: Type = "struct:Row".parse().unwrap();
    let mut inner = package.edit(|edit| Property::blank("Deep", 0, &row, edit)).unwrap();
    for _ in 0..DEEP {
        let mut outer = package.edit(|edit| Property::blank("Deep", 0, &row, edit)).unwrap();
        if let Value::List(list) = outer.value_mut() {
            list.properties = vec![inner];
        }
        inner = outer;
    }
    list.properties.push(inner);
    list
}

fn code(depth: usize) -> Script {
    let token = ScriptItem::Token;
    let mut items = vec![token(0x06), ScriptItem::Label(9), token(0x23)];
    items.extend([Real::new(1.0), Real::new(2.0), Real::new(0.5)].map(ScriptItem::Real));
    items.extend([token(0x1f), ScriptItem::Text(Box::new(Span::owned(&b"text"[..])))]);
    items.extend([
        token(0x69),
        ScriptItem::Word(1),
        ScriptItem::Label(77),
        token(0x17),
        token(0x25),
    ]);
    items.extend([ScriptItem::Label(5), token(0x26), token(0x0b)]);
    // An expression in an expression.
    items.extend((0..depth).map(|_| token(0x04)));
    items.extend([token(0x0b), token(0x53)]);
    Script { items }
}

fn bytes_of(value: &mut impl Archived, package: &Package) -> Vec<u8> {
    let mut versions = package.versions().clone();
    versions.set(FILE, 864);
    let mut saver = Saver::new(versions).with_context(package.context());
    value.serialize(&mut saver).unwrap();
    saver.into_bytes()
}

/// A package whose bodies are known to their end.
fn package(versions: &Versions, flags: PackageFlags) -> Package {
    let mut package = builder(versions).flags(flags);
    for (name, class) in [
        ("Things", "/Script/Engine.Thing"),
        ("Texts", "/Script/Engine.StringTable"),
        ("Code", "/Script/CoreUObject.Function"),
    ] {
        package = package.export(name, class, vec![0]);
    }
    let mut package = Package::from_bytes(package.build().unwrap()).unwrap();
    let list = properties(&mut package);
    let none = PropertyList::new(Vec::new(), list.terminator().unwrap());
    let control = package.versions().ue5() >= 1011;
    let start = |mut list: PropertyList, package: &Package| {
        let mut bytes = vec![0; usize::from(control)];
        bytes.extend(bytes_of(&mut list, package));
        bytes.extend([0; 4]);
        bytes
    };
    let text = |text: &str| FString::from(text);
    let mut table = StringTable {
        namespace: text("ns"),
        entries: Map(vec![(text("key"), text("Größe")), (text("other"), text(""))]),
        meta_data: Map(vec![(text("key"), Map(vec![(Name::new(0), text("said"))]))]),
    };
    let mut function = Function {
        base: Struct {
            script: code(30),
            children: vec![PackageIndex::new(1); 2],
            ..Struct::default()
        },
        ..Function::default()
    };
    if package.versions().custom(&unreal_packages::version::custom::FRAMEWORK)
        < unreal_packages::version::custom::framework::REMOVE_UFIELD_NEXT
    {
        function.base.children.clear();
    }
    let things = start(list, &package);
    let mut texts = start(none.clone(), &package);
    texts.extend(bytes_of(&mut table, &package));
    let mut functions = start(none, &package);
    functions.extend(bytes_of(&mut function, &package));
    for (name, body) in [("Things", things), ("Texts", texts), ("Code", functions)] {
        let row = package.find_export(name).unwrap();
        package
            .edit(|edit| {
                edit.set_checks(false);
                edit.replace_body(row, body)
            })
            .unwrap();
    }
    Package::from_bytes(package.to_bytes().unwrap()).unwrap()
}

/// Decodes all, saves again, within memory and what may be allocated. Says whether every body is known to its end.
fn exercise(bytes: &[u8], what: &str) -> bool {
    let (is_known, work) = memory::work(|| decode_and_save(bytes, what));
    is_proportionate(work, bytes.len(), what);
    is_known
}

fn decode_and_save(bytes: &[u8], what: &str) -> bool {
    let (package, peak) = memory::peak(|| {
        let mut package = Package::from_bytes(bytes.to_vec()).ok()?;
        package.decode_all();
        Some(package)
    });
    assert!(peak <= limit(bytes.len()), "{what}: decoding took {peak} bytes of memory");
    let Some(package) = package else { return false };
    let (saved, peak) = memory::peak(|| package.to_bytes());
    assert!(peak <= limit(bytes.len()), "{what}: saving took {peak} bytes of memory");
    let saved = saved.unwrap_or_else(|error| panic!("{what}: {error}"));
    assert!(saved == bytes, "{what}: saves differently");
    let rows = ["Things", "Texts", "Code"].map(|name| package.find_export(name));
    rows.into_iter().flatten().all(|row| {
        let decoded = package.decoded(row).unwrap();
        decoded.error.is_none() && decoded.opaque == 0
    })
}

#[test]
fn changed_ue4_bodies_decode_or_stay_as_they_are() {
    let (mut known, mut changed_count) = (0, 0);
    let all = versions();
    assert_eq!(all.len(), 20);
    for (versions, flags) in all {
        let what = format!("{versions} {flags:?}");
        let package = package(&versions, flags);
        let bytes = package.source().to_vec();
        assert!(exercise(&bytes, &what), "{what}: the package itself is known");
        for name in ["Things", "Texts", "Code"] {
            let row = package.find_export(name).unwrap();
            let body = package.exports().get(row).unwrap().body().to_vec();
            let at = bytes.windows(body.len()).position(|part| part == body).unwrap();
            for offset in at..at + body.len() {
                // Each place once, with values in turn: all of them for each package took minutes.
                let value = [0x00, 0x7f, 0xff, bytes[offset] ^ 1][offset % 4];
                let mut changed = bytes.clone();
                changed[offset] = value;
                let what = format!("{what}: {name} with {value:#x} at {:#x}", offset - at);
                known += usize::from(exercise(&changed, &what));
                changed_count += 1;
            }
        }
    }
    assert!(known > changed_count / 20, "{known} of {changed_count} were known to their end");
    assert!(known < changed_count, "a changed size or count shows");
}

/// What nests deeper than any stack holds is kept as bytes.
#[test]
fn bottomless_bodies_stay_as_they_are() {
    let (versions, flags) = versions().swap_remove(10);
    let mut package = package(&versions, flags);
    let row: Type = "struct:Row".parse().unwrap();
    let mut list = PropertyList::new(Vec::new(), package.edit(|edit| edit.name("None")).unwrap());
    let property = package.edit(|edit| Property::blank("Deep", 0, &row, edit)).unwrap();
    list.properties.push(property);
    // A tag claims what follows it, which is a tag again.
    let one = bytes_of(&mut list, &package);
    let tag = one.len() - 16;
    let mut bottomless = Vec::new();
    for left in (0..20_000_u32).rev() {
        let mut part = one[..tag].to_vec();
        let size = left * tag as u32 + 16;
        part[16..20].copy_from_slice(&size.to_le_bytes());
        bottomless.extend(part);
    }
    bottomless.extend(&one[tag..]);
    bottomless.extend([0; 4]);
    let mut function = Function {
        base: Struct { script: code(50_000), ..Struct::default() },
        ..Function::default()
    };
    let mut code =
        bytes_of(&mut PropertyList::new(Vec::new(), list.terminator().unwrap()), &package);
    code.extend([0; 4]);
    code.extend(bytes_of(&mut function, &package));
    for (name, body) in [("Things", bottomless), ("Code", code)] {
        let row = package.find_export(name).unwrap();
        package.edit(|edit| edit.replace_body(row, body)).unwrap();
    }
    let bytes = package.to_bytes().unwrap();
    assert!(!exercise(&bytes, "bottomless"), "it is not known to its end");
}

/// Structs that name their own struct and do not fit: each is tried once, not once for each form of those
/// around it.
#[test]
fn structs_in_structs_that_do_not_fit_are_tried_once() {
    let (versions, flags) = versions().swap_remove(14);
    assert_eq!((versions.ue5(), flags), (1009, PackageFlags(0)));
    let mut package = package(&versions, flags);
    let class = "/Script/CoreUObject.ScriptStruct";
    let structure = package
        .edit(|edit| edit.add_import("/Script/StructUtils.InstancedStruct", class))
        .unwrap()
        .value();
    let known: Type = "struct:InstancedStruct".parse().unwrap();
    let mut list = PropertyList::new(Vec::new(), package.edit(|edit| edit.name("None")).unwrap());
    list.properties.push(package.edit(|edit| Property::blank("Deep", 0, &known, edit)).unwrap());
    let one = bytes_of(&mut list, &package);
    let mut value = vec![0; 8];
    for _ in 0..90 {
        let size = value.len() as u32 + 1;
        let inner = std::mem::take(&mut value);
        value.extend(structure.to_le_bytes());
        value.extend(size.to_le_bytes());
        value.extend(inner);
        value.push(0);
    }
    // The blank value is eight bytes, the terminator eight more.
    let (tag, end) = one.split_at(one.len() - 16);
    let mut body = tag.to_vec();
    body[16..20].copy_from_slice(&(value.len() as u32).to_le_bytes());
    body.extend(value);
    body.extend(&end[8..]);
    body.extend([0; 4]);
    let row = package.find_export("Things").unwrap();
    package.edit(|edit| edit.replace_body(row, body)).unwrap();
    let bytes = package.to_bytes().unwrap();
    assert!(!exercise(&bytes, "structs in structs"), "it is not known to its end");
}
