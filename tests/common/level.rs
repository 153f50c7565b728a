//! A small package with a class of its own, written without the library's property editing.

use unreal_packages::archive::{Archived, Saver};
use unreal_packages::generate::Builder;
use unreal_packages::object::script_object::{
    Class, Enum, Field, PropertyClass, Struct, UProperty,
};
use unreal_packages::package::Package;
use unreal_packages::version::UnrealVersions;
use unreal_packages::{Guid, Name, PackageIndex, Versions};

/// Names in the order of their rows, `None` the first.
const NAMES: &[&str] = &[
    "Lamp", "Count", "Title", "Where", "Kind", "EKind", "KA", "KB", "Skins", "Numbers", "Vector",
    "Owner", "Tag", "bOn", "Ratio", "Lamp0", "Lamp1", "Texts", "Vectors", "Point", "Px", "Py",
    "Spot",
];

fn name(text: &str) -> Name {
    let row = NAMES.iter().position(|known| *known == text).expect("a known name");
    Name::new(row as i32 + 1)
}

fn bytes<T: Archived>(value: &mut T, file: u32) -> Vec<u8> {
    let mut saver = Saver::new(Versions::ue1_to_3(file, 0));
    value.serialize(&mut saver).unwrap();
    saver.into_bytes()
}

/// Rows: 0 the class, 1 the enum, 2 the struct, then its properties, then the objects.
const PROPERTIES: &[(&str, &str, u32)] = &[
    ("Count", "IntProperty", 1),
    ("Title", "StrProperty", 1),
    ("Where", "StructProperty", 1),
    ("Kind", "ByteProperty", 1),
    ("Skins", "ObjectProperty", 4),
    ("Numbers", "ArrayProperty", 1),
    ("Owner", "ObjectProperty", 1),
    ("Tag", "NameProperty", 1),
    ("bOn", "BoolProperty", 1),
    ("Ratio", "FloatProperty", 1),
    ("Spot", "StructProperty", 1),
];
const FIRST: usize = 3;

/// A class `Lamp` with properties of every type, objects `Lamp0` and `Lamp1` of it without properties, and
/// one of a class that is not known.
pub fn level(file: u32) -> Vec<u8> {
    level_with(file, |builder| builder)
}

/// The same with more.
pub fn level_with(file: u32, more: impl FnOnce(Builder) -> Builder) -> Vec<u8> {
    let mut builder = Builder::new(file).guid(Guid::new(1, 2, 3, 4));
    for text in NAMES {
        builder = builder.name(*text);
    }
    builder = builder.import("Core.Object.Vector", "Core.Struct");
    // Where the array's inner property and the struct's fields will stand.
    let after = FIRST + PROPERTIES.len();
    let export = |row: usize| PackageIndex::export(row);
    let field = |next: Option<usize>| Field {
        next: next.map(export).unwrap_or_default(),
        ..Field::default()
    };
    let mut class = Class::default();
    class.base.base =
        Struct { children: export(1), friendly_name: name("Lamp").into(), ..Struct::default() };
    builder = builder.export("Lamp", "Core.Class", bytes(&mut class, file));
    let mut kinds = Enum { field: field(Some(2)), names: vec![name("KA"), name("KB")] };
    let mut body = vec![0];
    body.extend(bytes(&mut kinds, file));
    builder = builder.export("Lamp.EKind", "Core.Enum", body);
    let mut point = Struct {
        field: field(Some(FIRST)),
        children: export(after + 1),
        friendly_name: name("Point").into(),
        ..Struct::default()
    };
    let mut body = vec![0];
    body.extend(bytes(&mut point, file));
    builder = builder.export("Lamp.Point", "Core.Struct", body);
    let property =
        |class: &str, path: String, at: Option<usize>, dim: u32, inner: PropertyClass| {
            let mut property =
                UProperty { field: field(at), array_dim: dim, ..UProperty::new(inner) };
            let mut body = vec![0];
            body.extend(bytes(&mut property, file));
            (path, format!("Core.{class}"), body)
        };
    for (at, (name, class, dim)) in PROPERTIES.iter().enumerate() {
        let inner = match (*name, *class) {
            ("Kind", _) => PropertyClass::One(export(1)),
            // Struct `Vector` of another package: behind its package and the class around it.
            ("Where", _) => PropertyClass::One(PackageIndex::import(2)),
            ("Spot", _) => PropertyClass::One(export(2)),
            ("Numbers", _) => PropertyClass::One(export(after)),
            (_, "ObjectProperty") => PropertyClass::One(PackageIndex::NULL),
            _ => PropertyClass::Plain,
        };
        let next = (at + 1 < PROPERTIES.len()).then_some(FIRST + at + 1);
        let (path, class, body) = property(class, format!("Lamp.{name}"), next, *dim, inner);
        builder = builder.export(path, class, body);
    }
    let (path, class, body) =
        property("IntProperty", "Lamp.Numbers.Numbers".to_owned(), None, 1, PropertyClass::Plain);
    builder = builder.export(path, class, body);
    for (at, field) in ["Px", "Py"].iter().enumerate() {
        let next = (at == 0).then_some(after + 2);
        let (path, class, body) =
            property("FloatProperty", format!("Lamp.Point.{field}"), next, 1, PropertyClass::Plain);
        builder = builder.export(path, class, body);
    }
    builder = builder
        .export("Lamp0", "Lamp", vec![0])
        .export("Lamp1", "Lamp", vec![0])
        .export("Stranger", "Other.Thing", vec![0])
        .export("Texts", "Core.TextBuffer", {
            let mut body = vec![0, 0, 0, 0, 0, 0, 0, 0, 0];
            body.extend([6, b'h', b'e', b'l', b'l', b'o', 0]);
            body
        });
    more(builder).build().unwrap_or_else(|error| panic!("building: {error}"))
}

/// The package opened; every body must decode.
pub fn open_level(file: u32) -> Package {
    let mut package = Package::from_bytes(level(file)).unwrap();
    package.decode_all();
    for row in 0..package.exports().len() {
        let decoded = package.decoded(row).unwrap();
        assert!(decoded.is_complete(), "{}: {:?}", package.exports().path(row), decoded.error);
    }
    package
}
