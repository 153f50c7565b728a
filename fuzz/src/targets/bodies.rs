//! A small package with the input as the body of an object: of any class, in many versions.

use std::sync::LazyLock;

use unreal_packages::compare::{canonical, diff};
use unreal_packages::content::PackageContents;
use unreal_packages::decompile::Decompiler;
use unreal_packages::edit::PackageEdit;
use unreal_packages::generate::Builder;
use unreal_packages::inspect::PackageValues;
use unreal_packages::object::maker_for;
use unreal_packages::package::Package;
use unreal_packages::primitive::PackageFlags;
use unreal_packages::version::UnrealVersions;
use unreal_packages::{Guid, Versions, inspect};

use super::versions::{by_key, chosen, key};
use super::{is_readable, saves_as};
use crate::exercise::explain_all;

/// Names that bodies use by their rows; new ones go to the end.
const NAMES: &[&str] = &[
    "None",
    "Value",
    "IntProperty",
    "StrProperty",
    "ArrayProperty",
    "StructProperty",
    "Vector",
    "ByteProperty",
    "BoolProperty",
    "FloatProperty",
    "NameProperty",
    "ObjectProperty",
    "MapProperty",
    "SetProperty",
    "EnumProperty",
    "TextProperty",
    "DoubleProperty",
    "SoftObjectProperty",
    "DelegateProperty",
    "MulticastInlineDelegateProperty",
    "Int64Property",
    "InterfaceProperty",
    "FieldPathProperty",
    "OptionalProperty",
    "Guid",
    "Color",
    "Rotator",
    "LinearColor",
    "Row",
    "EKind",
    "KA",
    "KB",
    "Points",
    "Numbers",
    "InstancedStruct",
    "GameplayTagContainer",
    "RawDistributionFloat",
    "PF_DXT1",
    "bHasComp",
    "Format",
    "PhysXPC",
    "Transform",
    "Box",
    "Plane",
    "Matrix",
    "FMaterialUniformExpressionConstant",
    "LazyObjectProperty",
    "AssetObjectProperty",
    "ClassProperty",
    "PointerProperty",
    "SoftClassProperty",
    "RichCurveKey",
    "Timespan",
    "DateTime",
    "Quat",
    "Vector2D",
    "IntPoint",
];

/// Classes whose objects are decoded by what the type of their data is called, and others.
static CLASSES: LazyLock<Vec<(u16, String)>> = LazyLock::new(|| {
    let types = unreal_packages::layouts().iter().filter_map(|link| link.layout());
    let is_class = |name: &String| {
        let known = [1, 2, 4, 7, 12].map(chosen);
        known.into_iter().any(|versions| maker_for(name, versions).is_some())
    };
    let named = types.map(|layout| layout.name()).filter(is_class);
    let others = ["Actor", "Thing", "BlueprintGeneratedClass", "State", "IntProperty", "Struct"];
    let mut all: Vec<_> =
        named.chain(others.map(str::to_owned)).map(|name| (key(&name), name)).collect();
    all.sort();
    all.dedup();
    all
});

/// An input: a class, the number of versions, a body.
pub fn input(class: &str, versions: u8, body: &[u8]) -> Vec<u8> {
    let [low, high] = key(class).to_le_bytes();
    [&[low, high, versions][..], body].concat()
}

/// The package that an input stands for.
pub fn package(data: &[u8]) -> Option<Package> {
    let ([low, high, number], body) = data.split_first_chunk()?;
    let class = by_key(&CLASSES, u16::from_le_bytes([*low, *high]));
    Some(built(class, chosen(*number), body))
}

fn built(class: &str, versions: &Versions, body: &[u8]) -> Package {
    let newer = versions.has_object_versions();
    let (module, object) =
        if newer { ("/Script/Engine", "/Script/CoreUObject") } else { ("Engine", "Core") };
    let mut builder = Builder::for_versions(versions.clone()).guid(Guid::new(1, 2, 3, 4));
    for name in NAMES {
        builder = builder.name(*name);
    }
    if versions.cooked() {
        let flags = PackageFlags::COOKED.0 | PackageFlags::FILTER_EDITOR_ONLY.0;
        builder = builder.flags(PackageFlags(flags));
    }
    let bytes = builder
        .import(format!("{module}.Actor"), format!("{object}.Class"))
        .import(format!("{object}.Vector"), format!("{object}.ScriptStruct"))
        .export("Thing", format!("{module}.{class}"), body)
        .export("Other", format!("{module}.Texture"), Vec::new())
        .build()
        .unwrap_or_else(|error| panic!("building a {class} of {versions}: {error}"));
    Package::from_bytes(bytes).unwrap_or_else(|error| panic!("{class} of {versions}: {error}"))
}

pub fn run(data: &[u8]) {
    let Some(mut package) = package(data) else { return };
    package.decode_all();
    for row in 0..package.exports().len() {
        if let Some(error) = package.decoded(row).and_then(|body| body.error.as_ref()) {
            is_readable(error);
        }
    }
    saves_as(&package, package.source());
    explain_all(&package);
    let same = diff(&package, &package);
    assert!(same.is_empty(), "a package differs from itself: {same:?}");
    let _ = inspect::references(&package);
    let _ = inspect::Positions::of(&package);
    let _ = package.values().properties("Thing").map_err(|error| is_readable(&error));
    written(&package);
    #[cfg(feature = "content")]
    let _ = package.contents().content_file(0).map_err(|error| is_readable(&error));
}

/// Code is written as text, and is the same when it is put back; classes are written as source.
fn written(package: &Package) {
    let each = |part: &str| {
        assert!(part.ends_with('\n') && !part.lines().any(|line| line.contains(char::is_control)));
        Ok::<_, std::convert::Infallible>(())
    };
    let Ok(()) = canonical(package, each);
    let texts = inspect::CodeTexts::new(package);
    let decompiler = Decompiler::new(package);
    for row in 0..package.exports().len() {
        let _ = decompiler.class(row).map_err(|error| is_readable(&error));
        let _ = decompiler.function(row).map_err(|error| is_readable(&error));
        let Some(text) = texts.section(row).unwrap_or_else(|error| panic!("row {row}: {error}"))
        else {
            continue;
        };
        match package.clone().edit(|edit| edit.assemble(&text)) {
            Ok(done) => assert!(done.iter().all(|code| !code.is_changed), "other code:\n{text}"),
            Err(error) => panic!("{error}\n{text}"),
        }
    }
}
