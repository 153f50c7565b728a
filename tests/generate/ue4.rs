//! New assets of UE4 and UE5: every release, read back by this library; benches/another_reader.rs reads them with another one.

use crate::common::assets::{object, strings, weapons};
use crate::common::forms::mappings;
use unreal_packages::edit::PreloadDependencies;
use unreal_packages::inspect::{PackageValues, folder_name, package_path};
use unreal_packages::package::checksum::saved_hash_is_right;

use unreal_packages::compare::diff;
use unreal_packages::edit::PackageEdit;
use unreal_packages::error::{UnrealError, UnrealErrors};
use unreal_packages::generate::{Builder, NewAsset, NewRows};
use unreal_packages::object::ue4::table::{data_table::DataTable, string_table::StringTable};
use unreal_packages::package::{Package, SaveOptions, native_as};
use unreal_packages::primitive::{PackageFlags, PackageIndex};
use unreal_packages::property::{History, Value};
use unreal_packages::version::{UnrealVersions, custom};
use unreal_packages::{EngineRelease, ErrorKind, Guid};

fn releases() -> impl Iterator<Item = EngineRelease> {
    EngineRelease::all().filter(|release| *release >= EngineRelease::new(4, 15))
}

fn all() -> [(&'static str, NewAsset); 3] {
    [("DT_Weapons", weapons()), ("ST_Menu", strings()), ("DA_Level", object())]
}

#[test]
fn assets_of_every_release_save_identically_and_are_typed_to_the_last_byte() {
    for release in releases() {
        for (name, asset) in all() {
            let mut package =
                asset.build(release).unwrap_or_else(|why| panic!("{release} {name}: {why}"));
            let source = package.source().to_vec();
            assert_eq!(package.versions().release().unwrap().ue5(), release.ue5(), "{release}");
            package.decode_all();
            for row in 0..package.exports().len() {
                let decoded = package.decoded(row).unwrap();
                assert!(decoded.error.is_none(), "{release} {name}: {:?}", decoded.error);
            }
            let coverage = package.coverage();
            assert_eq!((coverage.opaque, coverage.gap), (0, 0), "{release} {name}");
            let saved = package.save(&SaveOptions::new()).unwrap();
            assert!(saved.bytes == source, "{release} {name}");
            assert_ne!(saved_hash_is_right(&package), Some(false), "{release} {name}");
            let row = package.find_export(name).unwrap();
            assert_eq!(
                package.exports().get(row).unwrap().class().rsplit('.').next().unwrap(),
                match name {
                    "DT_Weapons" => "DataTable",
                    "ST_Menu" => "StringTable",
                    _ => "LevelData",
                }
            );
        }
    }
}

#[test]
fn values_are_what_was_said() {
    for release in releases() {
        let package = weapons().build(release).unwrap();
        let decoded = package.decode(package.find_export("DT_Weapons").unwrap()).unwrap();
        let table = native_as::<DataTable>(&decoded.body).unwrap();
        assert_eq!(table.row_struct, "WeaponRow");
        let names: Vec<_> =
            table.rows.iter().map(|row| package.name_text(row.name).to_string()).collect();
        assert_eq!(names, ["Sword", "Kanone", "Unset"]);
        let context = package.context();
        let value = |row: usize, name| table.rows[row].value.properties.value(name, &context);
        assert_eq!(value(0, "Damage"), Some(&Value::Float(12.5)));
        assert_eq!(value(1, "Ammo"), Some(&Value::Int(-3)));
        assert_eq!(value(1, "bHeavy"), Some(&Value::Bool(true)));
        assert_eq!(value(2, "Ammo"), None);
        match (value(1, "Title"), value(1, "Slot")) {
            (Some(Value::Str(title)), Some(Value::Name(slot))) => {
                assert_eq!(title.text(package.source()).unwrap(), "Größe");
                assert_eq!(package.name_text(*slot), "Back_2");
            }
            other => panic!("{other:?}"),
        }
        let package = strings().build(release).unwrap();
        let decoded = package.decode(package.find_export("ST_Menu").unwrap()).unwrap();
        let table = native_as::<StringTable>(&decoded.body).unwrap();
        let text =
            |text: &unreal_packages::FString| text.text(package.source()).unwrap().into_owned();
        assert_eq!(text(&table.namespace), "Menu");
        let entries: Vec<_> = table.entries.0.iter().map(|(k, v)| (text(k), text(v))).collect();
        assert_eq!(entries[1], ("Quit".to_owned(), "Ende – aus".to_owned()));
    }
}

#[test]
fn properties_of_many_types_are_read_back() {
    let stated = [
        ("Title", "text", "Wolf"),
        ("Long", "text", "NSLOCTEXT(\"Beasts\", \"Wolf\", \"A \\\"wolf\\\"\")"),
        ("Place", "struct:Vector", "(X=1,Y=-2.5,Z=3)"),
        ("Tint", "struct:LinearColor", "(0.5,0,1,1)"),
        ("Steps", "array:int", "(3,1,2)"),
        ("Words", "array:string", "(\"a, b\",c)"),
        ("Icon", "object", "/Script/Engine.Texture2D'/Game/T_Wolf.T_Wolf'"),
        ("Soft", "soft-object", "/Game/T_Wolf.T_Wolf"),
        ("Kind", "enum:EBeast", "EBeast::Wolf"),
    ];
    for release in releases() {
        let mut asset = NewAsset::object("/Game/DA_Wolf", "/Script/MyGame.Beast");
        for (name, known, text) in stated {
            asset = asset.property(name, known.parse().unwrap(), text);
        }
        let mut package = asset.build(release).unwrap_or_else(|why| panic!("{release}: {why}"));
        package.decode_all();
        assert_eq!(package.coverage().opaque, 0, "{release}");
        assert!(package.find("/Game/T_Wolf.T_Wolf").is_some(), "{release}");
        let body = &package.decoded(0).unwrap().body;
        let (properties, context) =
            (&body.prologue.as_ref().unwrap().properties, package.context());
        let value = |name| properties.value(name, &context).unwrap();
        match value("Place") {
            Value::Double3(place) => assert_eq!(*place, [1.0, -2.5, 3.0]),
            Value::Float3(place) => assert_eq!(*place, [1.0, -2.5, 3.0]),
            other => panic!("{release}: {other:?}"),
        }
        assert_eq!(value("Tint"), &Value::Float4([0.5, 0.0, 1.0, 1.0]), "{release}");
        let Value::Array(steps) = value("Steps") else { panic!("{release}") };
        assert_eq!(steps.len(), 3);
        let Value::Array(words) = value("Words") else { panic!("{release}") };
        let words = words.to_values(package.source()).unwrap();
        let Value::Str(first) = &words[0] else { panic!("{release}") };
        assert_eq!(first.text(package.source()).unwrap(), "a, b");
        let Value::Text(long) = value("Long") else { panic!("{release}") };
        match &long.history {
            History::Base { namespace, source, .. } => {
                assert_eq!(namespace.text(package.source()).unwrap(), "Beasts");
                assert_eq!(source.text(package.source()).unwrap(), "A \"wolf\"");
            }
            other => panic!("{release}: {other:?}"),
        }
    }
}

#[test]
fn headers_are_those_of_the_editor() {
    for release in releases() {
        for (name, asset) in all() {
            let package = asset.build(release).unwrap();
            let summary = package.summary();
            let (exports, names) = (package.exports().len() as i32, package.names().len() as i32);
            let newest = summary.generations.last().unwrap();
            assert_eq!((newest.export_count, newest.name_count), (exports, names), "{release}");
            assert_eq!(
                summary.preload_dependency_count,
                if release >= EngineRelease::new(4, 14) { -1 } else { 0 }
            );
            let export = &package.exports().entries()[0];
            assert_eq!(export.object_flags.0, 0xb, "{release} {name}");
            assert!(
                export.is_asset == true.into()
                    && export.not_always_loaded_for_editor_game == true.into()
            );
            let listed: Vec<_> = package
                .versions()
                .custom_versions
                .iter()
                .flat_map(|l| l.iter().map(|(g, _)| *g))
                .collect();
            assert!(listed.contains(&custom::EDITOR), "{release} {name}");
            assert!(listed.len() <= 2, "{release} {name}: {listed:?}");
            let registry = package.tables().further.asset_registry.as_ref().unwrap();
            let text =
                |text: &unreal_packages::FString| text.text(package.source()).unwrap().into_owned();
            assert_eq!(text(&registry.assets[0].object_path), name);
            let class = text(&registry.assets[0].object_class_name);
            assert_eq!(
                class.starts_with("/Script/"),
                release >= EngineRelease::new(5, 1),
                "{release}: {class}"
            );
            if release >= EngineRelease::new(5, 1) {
                assert!(folder_name(&package).starts_with("/Game/"), "{release}");
                assert!(package.tables().further.trailer.as_ref().unwrap().entries.is_empty());
                assert!(summary.payload_toc_offset > 0);
            } else {
                assert_eq!(folder_name(&package), "None");
                assert!(package.tables().further.trailer.is_none());
            }
            // The metadata is an object until UE5.6 gives it a section.
            assert_eq!(
                package.tables().further.meta_data.is_some(),
                release >= EngineRelease::new(5, 6)
            );
            assert_eq!(
                package.find_export("PackageMetaData").is_ok(),
                package.tables().further.meta_data.is_none()
            );
        }
    }
}

#[test]
fn what_does_not_fit_is_refused() {
    let release = EngineRelease::new(5, 4);
    let fails = |asset: NewAsset| match asset.build(release) {
        Err(error) => error.into_kind(),
        Ok(_) => panic!("was made"),
    };
    let path = NewAsset::object("Data", "/Script/Engine.DataAsset");
    assert!(matches!(fails(path), ErrorKind::Invalid { .. }));
    let class = NewAsset::object("/Game/Data", "DataAsset");
    assert!(matches!(fails(class), ErrorKind::Invalid { .. }));
    let mut rows = NewRows::of("/Script/MyGame.Row");
    rows.column("Count", "int".parse().unwrap());
    assert!(rows.row("TooMany", ["1", "2"]).is_err());
    rows.row("Wrong", ["many"]).unwrap();
    match fails(NewAsset::data_table("/Game/DT", rows)) {
        ErrorKind::Invalid { reason } => {
            assert!(reason.contains("row Wrong, column Count"), "{reason}")
        }
        other => panic!("{other:?}"),
    }
    let old = EngineRelease::new(4, 10);
    assert!(matches!(
        object().build(old).unwrap_err().unreal(),
        Some(UnrealError::Unsupported { .. })
    ));
}

#[test]
fn what_engines_would_lose_is_refused() {
    let release = EngineRelease::new(5, 4);
    let kind = |asset: NewAsset| asset.build(release).map(|_| ()).map_err(|e| e.into_kind());
    for path in ["/Game/None", "/Game/Data/DT,W*", "/Game/D T", "/Script/DT", "/Game//DT"] {
        let made = kind(NewAsset::object(path, "/Script/MyGame.Data"));
        assert!(matches!(made, Err(ErrorKind::Invalid { .. })), "{path}: {made:?}");
    }
    let table = |columns: &[&str], names: &[&str]| {
        let mut rows = NewRows::of("/Script/MyGame.Row");
        columns.iter().for_each(|column| rows.column(column, "int".parse().unwrap()));
        names.iter().for_each(|name| rows.row(name, ["1"; 0]).unwrap());
        kind(NewAsset::data_table("/Game/DT", rows))
    };
    assert!(table(&["A", "B"], &["Sword", "Sword_1", "Sword_01"]).is_ok());
    for (columns, rows) in [(&["A"][..], &["Sword", "SWORD"][..]), (&["A", "a"], &["Sword"])] {
        let made = table(columns, rows);
        assert!(matches!(made, Err(ErrorKind::Exists { .. })), "{rows:?}: {made:?}");
    }
    for (columns, rows) in
        [(&["A"][..], &["none"][..]), (&["A"], &[""]), (&["None"], &["A"]), (&[""], &["A"])]
    {
        let made = table(columns, rows);
        assert!(matches!(made, Err(ErrorKind::Invalid { .. })), "{rows:?}: {made:?}");
    }
    let texts = |keys: [&str; 2]| {
        kind(NewAsset::string_table("/Game/ST", "Menu", keys.map(|key| (key, "Text"))))
    };
    assert!(texts(["Start", "START"]).is_ok());
    assert!(matches!(texts(["Start", "Start"]), Err(ErrorKind::Exists { .. })));
    let twice = |name: &str| object().property(name, "int".parse().unwrap(), "8");
    assert!(matches!(kind(twice("NUMBER")), Err(ErrorKind::Exists { .. })));
    assert!(matches!(kind(twice("None")), Err(ErrorKind::Invalid { .. })));
    assert!(matches!(kind(object().tag("nativeclass", "")), Err(ErrorKind::Exists { .. })));
}

#[test]
fn an_asset_is_stored_like_a_cooked_one_of_which_nothing_is_left() {
    let flags = PackageFlags::FILTER_EDITOR_ONLY.with(PackageFlags::UE4_COOKED);
    let model = Builder::for_release(EngineRelease::new(5, 4))
        .flags(flags)
        .import("/Game/Wood.Wood", "/Script/Engine.Material")
        .export("Old", "/Script/Engine.Thing", vec![7; 50])
        .build()
        .unwrap();
    let mut model = Package::from_bytes(model).unwrap();
    model.edit(|edit| edit.rename_package("/Game/Old", &Default::default())).unwrap();
    let mut rows = NewRows::of("/Script/MyGame.Weapon");
    rows.column("Damage", "float".parse().unwrap());
    rows.row("Sword", ["12.5"]).unwrap();
    let table = NewAsset::data_table("/Game/Data/DT_New", rows);
    let made = table.build_like(&model).unwrap();
    assert_eq!(made.summary().package_flags, flags);
    assert_eq!(made.exports().len(), 1);
    assert_eq!(package_path(&made).as_deref(), Some("/Game/Data/DT_New"));
    assert_eq!(made.values().property("DT_New", "[Sword].Damage").unwrap().text, "12.5");
    let names: Vec<String> = made.names().iter().map(|name| name.to_string()).collect();
    for gone in ["Old", "/Game/Old", "/Game/Wood", "Wood", "Thing", "NewAsset0"] {
        assert!(!names.iter().any(|name| name == gone), "{gone} in {names:?}");
    }
    // A model that has an object of the new one's path gives that up as well.
    let again = table.build_like(&made).unwrap();
    assert!(diff(&made, &again).says_nothing(), "{:?}", diff(&made, &again));
    assert!(again.to_bytes().unwrap() == *again.source());
    // Packages of the editor hold what cooked ones leave out.
    let editor = table.build(EngineRelease::new(5, 4)).unwrap();
    let error = table.build_like(&editor).unwrap_err().to_string();
    assert!(error.contains("is not cooked"), "{error}");
}

#[test]
fn models_that_do_not_say_how_objects_are_stored_are_refused() {
    let cooked = PackageFlags::FILTER_EDITOR_ONLY;
    let asset = NewAsset::object("/Game/DA_New", "/Script/MyGame.Beast");
    let refused = |builder: Builder| {
        let model = Package::from_bytes(builder.build().unwrap()).unwrap();
        asset.build_like(&model).unwrap_err().to_string()
    };
    // The same bit says something else there.
    let error = refused(Builder::new(868).flags(cooked));
    assert!(error.contains("Unreal Engine 1 to 3"), "{error}");
    let error = refused(Builder::for_release(EngineRelease::new(4, 10)).flags(cooked));
    assert!(error.contains("4.15"), "{error}");
    let flags = cooked.with(PackageFlags::UNVERSIONED_PROPERTIES);
    let error = refused(Builder::for_release(EngineRelease::new(5, 4)).flags(flags));
    assert!(error.contains("need mappings"), "{error}");
    // Classes that a project has made are of a class of their own.
    let model = Builder::for_release(EngineRelease::new(5, 4)).flags(cooked).build().unwrap();
    let model = Package::from_bytes(model).unwrap();
    let asset = NewAsset::object("/Game/DA_New", "/Game/Beasts/BP_Wolf.BP_Wolf_C");
    let made = asset.build_like(&model).unwrap();
    let class = made.imports().iter().find(|import| import.path().ends_with("BP_Wolf_C")).unwrap();
    assert_eq!(class.class(), "/Script/Engine.BlueprintGeneratedClass");
}

#[test]
fn cooked_assets_of_every_release_are_what_their_loaders_ask_for() {
    for release in releases() {
        for (name, asset) in all() {
            let place = format!("{release} {name}");
            let mut package = asset.build_cooked(release, None).unwrap();
            let (versions, summary) = (package.versions().clone(), package.summary().clone());
            assert!(summary.versions.is_unversioned(), "{place}");
            assert!(!versions.has_editor_only_data() && !versions.unversioned_properties());
            // The loader of 4.16 and later is driven by events: it asks for a header of its own and for lists of what
            // comes before.
            assert_eq!(
                package.split_at().is_some(),
                release >= EngineRelease::new(4, 16),
                "{place}"
            );
            let preload = PreloadDependencies::of(&package, 0).unwrap();
            let paths = |list: &[PackageIndex]| -> Vec<String> {
                list.iter().map(|index| package.path(*index)).collect()
            };
            let class = package.exports().get(0).unwrap().class().to_string();
            let default = class.replace('.', ".Default__");
            assert_eq!(paths(&preload.serialized_before_creation), [class, default], "{place}");
            if name == "DT_Weapons" {
                let row_struct = paths(&preload.serialized_before_serialization);
                assert_eq!(row_struct, ["/Script/MyGame.WeaponRow"], "{place}");
            }
            assert_eq!(package_path(&package).unwrap().rsplit('/').next(), Some(name), "{place}");
            package.decode_all();
            assert!(package.decoded(0).unwrap().error.is_none(), "{place}");
            let coverage = package.coverage();
            assert_eq!((coverage.opaque, coverage.gap), (0, 0), "{place}");
            assert!(package.to_bytes().unwrap() == *package.source(), "{place}");
            // What the editor saves says the same.
            let editor = asset.build(release).unwrap();
            let values = |package: &Package| -> Vec<(String, String)> {
                let values = package.values().properties(name).unwrap();
                values.into_iter().map(|value| (value.path, value.text)).collect()
            };
            assert_eq!(values(&package), values(&editor), "{place}");
        }
    }
}

#[test]
fn cooked_assets_leave_out_what_mappings_say() {
    let thing = "/Script/Engine.Thing";
    let asset =
        NewAsset::object("/Game/DA_New", thing).property("Number", "int".parse().unwrap(), "7");
    let release = EngineRelease::new(5, 4);
    let made = asset.build_cooked(release, Some(mappings())).unwrap();
    assert!(made.versions().unversioned_properties());
    assert_eq!(made.values().property("DA_New", "Number").unwrap().text, "7");
    assert!(!made.names().iter().any(|name| *name == *"Number"), "no name says it");
    assert!(made.guid().is_zero());
    let own = asset.clone().guid(Guid::new(7, 7, 7, 7));
    assert_eq!(own.build_cooked(release, None).unwrap().guid(), Guid::new(7, 7, 7, 7));
    let refused = |asset: &NewAsset, release: EngineRelease| {
        asset.build_cooked(release, Some(mappings())).unwrap_err().to_string()
    };
    let error = refused(&asset, EngineRelease::new(4, 24));
    assert!(error.contains("leave the mappings out"), "{error}");
    let error = refused(&asset, EngineRelease::new(4, 10));
    assert!(error.contains("4.15"), "{error}");
    let error = refused(&NewAsset::object("/Game/DA_New", "/Script/Engine.Other"), release);
    assert!(error.contains("'Other'") && error.contains("mappings"), "{error}");
}
