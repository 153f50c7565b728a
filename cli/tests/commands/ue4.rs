//! Packages of UE4 and UE5.

use crate::common;

use common::{Folder, upk};
use unreal_packages::edit::PackageEdit;
use unreal_packages::generate::Builder;
use unreal_packages::primitive::PackageFlags;
use unreal_packages::{EngineRelease, Guid};

/// A folder with `Thing.uasset`, `Thing.uexp` and `Thing.ubulk`: cooked by 5.4, without versions.
fn cooked() -> Folder {
    let release = EngineRelease::new(5, 4);
    let bytes = Builder::for_release(release)
        .flags(PackageFlags(0x8000_2200))
        .guid(Guid::new(1, 2, 3, 4))
        .unversioned()
        .export("Thing", "/Script/Engine.DataAsset", vec![7; 50])
        .build()
        .unwrap();
    let package = unreal_packages::package::OpenOptions::new()
        .engine(release)
        .open_bytes(bytes.clone())
        .unwrap();
    let header = package.summary().total_header_size as usize;
    let folder = Folder::new();
    folder.write("Thing.uasset", &bytes[..header]);
    folder.write("Thing.uexp", &bytes[header..]);
    folder.write("Thing.ubulk", [5; 99]);
    folder
}

#[test]
fn verify_takes_header_and_bodies_together() {
    let folder = cooked();
    let path = folder.arg("");
    let rows = upk(&["verify", &path, "--json"]).exits(0).json();
    assert_eq!(rows[0]["status"], "identical", "{}", rows[0]);
    let both = (folder.read("Thing.uasset").len() + folder.read("Thing.uexp").len()) as u64;
    assert_eq!(rows[0]["bytes"], both);
    assert_eq!(rows.len(), 2, "companions are no packages: {rows:?}");
    let rows = upk(&["verify", &path, "--engine", "5.4", "--json"]).exits(0).json();
    assert_eq!(rows[0]["status"], "identical", "{}", rows[0]);
    assert_eq!((&rows[0]["ue4"], &rows[0]["ue5"]), (&522.into(), &1012.into()));
    assert_eq!(rows[0]["bytes"], both);
    assert_eq!(rows[0]["opaque"], 50);
    assert_eq!(rows[0]["gap"], 0);
    let companions = rows[0]["companions"].as_array().unwrap();
    assert_eq!(companions.len(), 1);
    assert!(companions[0].as_str().unwrap().ends_with("Thing.ubulk"));
    let wrong = upk(&["verify", &path, "--engine", "4.99"]).exits(2);
    assert!(wrong.err.contains("4.0 to 4.27"), "{wrong:?}");
}

#[test]
fn a_changed_package_is_written_as_two_files() {
    let folder = cooked();
    let out = folder.arg("Other.uasset");
    let rest = ["Another", "-o", &out, "--engine", "5.4"];
    let run = folder.run("add-name", "Thing.uasset", &rest).exits(0);
    assert!(run.out.contains("Thing.ubulk"), "{run:?}");
    assert_eq!(
        folder.names(),
        ["Other.uasset", "Other.uexp", "Thing.uasset", "Thing.ubulk", "Thing.uexp"]
    );
    assert_eq!(folder.read("Other.uexp"), folder.read("Thing.uexp"));
    let names = folder.run("list", "Other.uasset", &["--names", "--json", "--engine", "5.4"]);
    assert!(names.exits(0).json().iter().any(|row| row["name"] == "Another"));
    let run = folder.run(
        "replace-body",
        "Thing.uasset",
        &["Thing", &folder.arg("Thing.ubulk"), "--in-place", "--engine", "5.4"],
    );
    run.exits(0);
    assert_eq!(folder.read("Thing.uexp").len(), 99 + 4);
}

#[test]
fn json_of_a_split_package_is_written_as_two_files_again() {
    let folder = cooked();
    let json = folder.arg("Thing.json");
    folder.run("to-json", "Thing.uasset", &["-o", &json, "--engine", "5.4"]).exits(0);
    let out = folder.arg("Other.uasset");
    folder.run("from-json", "Thing.json", &["-o", &out]).exits(0);
    assert_eq!(folder.read("Other.uasset"), folder.read("Thing.uasset"));
    assert_eq!(folder.read("Other.uexp"), folder.read("Thing.uexp"));
    folder.write(
        "Wrong.json",
        String::from_utf8(folder.read("Thing.json"))
            .unwrap()
            .replace("\"closing_tag\"", "\"closing_day\""),
    );
    let wrong = folder.run("from-json", "Wrong.json", &["-o", &folder.arg("No.uasset")]).exits(1);
    assert!(wrong.err.contains("closing_tag") && wrong.err.contains("closing_day"), "{wrong:?}");
    let missing = ["-o", &folder.arg("No.uasset"), "--mappings", &folder.arg("No.usmap")];
    folder.run("from-json", "Thing.json", &missing).exits(2);
    assert!(!folder.names().contains(&"No.uasset".to_owned()));
}

#[test]
fn info_and_list_show_what_there_is() {
    let folder = cooked();
    let info = folder.run("info", "Thing.uasset", &["--json", "--engine", "5.4"]).exits(0).object();
    assert_eq!(info["release"], "5.4");
    assert_eq!(info["unversioned"], true);
    assert_eq!(info["split_at"], folder.read("Thing.uasset").len());
    assert_eq!(info["companions"][1]["kind"], "bulk");
    let names: Vec<_> = info["flags"]["names"].as_array().unwrap().iter().collect();
    assert_eq!(names, ["Cooked", "UnversionedProperties", "FilterEditorOnly"]);
    let text = folder.run("info", "Thing.uasset", &["--engine", "5.4"]).exits(0).out;
    assert!(text.contains("Unreal Engine 5") && text.contains("read as"), "{text}");
    let rows = folder.run("list", "Thing.uasset", &["--json", "--engine", "5.4"]).exits(0).json();
    assert_eq!((&rows[0]["path"], &rows[0]["size"]), (&"Thing".into(), &50.into()));
    assert_eq!(rows[0]["class"], "/Script/Engine.DataAsset");
    let explained = folder.run("explain", "Thing.uasset", &["--engine", "5.4"]).exits(0).out;
    assert!(explained.contains("summary.bulk_data_start_offset"), "{explained}");
    let refs = folder.run("refs", "Thing.uasset", &["/Script/Engine.DataAsset", "--engine", "5.4"]);
    assert!(refs.exits(0).out.contains("exports"));
}

#[test]
fn package_flags_that_decide_layouts_stay() {
    let folder = cooked();
    let rest = ["--remove", "FilterEditorOnly", "--in-place", "--engine", "5.4"];
    let run = folder.run("set-flags", "Thing.uasset", &rest);
    assert_eq!(run.code, 1, "{run:?}");
    let rest = ["--add", "ContainsMap", "--in-place", "--engine", "5.4"];
    folder.run("set-flags", "Thing.uasset", &rest).exits(0);
}

/// A data table without rows and a lamp, as 5.4 stores them.
fn table() -> Folder {
    let body = |more: usize| vec![0; 1 + 8 + 4 + more];
    let bytes = Builder::for_release(EngineRelease::new(5, 4))
        .name("None")
        .export("Weapons", "/Script/Engine.DataTable", body(4))
        .export("Lamp", "/Script/Engine.PointLight", body(0))
        .build()
        .unwrap();
    let folder = Folder::new();
    folder.write("Table.uasset", bytes);
    folder
}

#[test]
fn values_and_rows_are_set_and_shown() {
    let folder = table();
    let args = ["Weapons[Sword]=()", "Weapons[a=b]=()", "--in-place", "--no-backup"];
    folder.run("set", "Table.uasset", &args).exits(0);
    let args = [
        "Weapons[Sword].Damage=40",
        "Lamp.Intensity=5",
        "--type",
        "double",
        "--in-place",
        "--no-backup",
    ];
    folder.run("set", "Table.uasset", &args).exits(0);
    let args = ["Lamp.Mesh=/Game/M.M:Sub", "--type", "soft-object", "--in-place", "--no-backup"];
    folder.run("set", "Table.uasset", &args).exits(0);
    let args = [
        "--rename-row",
        "Weapons[a=b]=Axe",
        "Weapons[Sword].Damage=41.5",
        "--in-place",
        "--no-backup",
    ];
    let run = folder.run("set", "Table.uasset", &args).exits(0);
    assert!(run.out.contains("Weapons[Sword].Damage: 41.5, was 40.0"), "{run:?}");
    let get = |path: &str| folder.run("get", "Table.uasset", &[path]).exits(0).out;
    assert_eq!(get("Weapons"), "[Sword]=(Damage=41.5)\n[Axe]=()\n");
    assert_eq!(get("Weapons[Sword].Damage"), "[Sword].Damage=41.5\n");
    assert_eq!(get("Lamp"), "Intensity=5.0\nMesh=/Game/M.M:Sub\n");
    let values = folder.run("get", "Table.uasset", &["Lamp", "--json"]).exits(0).json();
    assert_eq!(
        (&values[1]["type"], &values[1]["value"]),
        (&"soft-object".into(), &"/Game/M.M:Sub".into())
    );
    folder.run("verify", "Table.uasset", &[]).exits(0);
    let before = folder.read("Table.uasset");
    let run = folder.run("set", "Table.uasset", &["Lamp.Height=1", "--in-place"]).exits(1);
    assert!(run.err.contains("Height"), "{run:?}");
    folder.run("set", "Table.uasset", &["Lamp.Intensity=much", "--in-place"]).exits(1);
    assert_eq!(folder.read("Table.uasset"), before);
}

#[test]
fn info_says_release_package_and_asset() {
    let bytes = Builder::for_release(EngineRelease::new(5, 4))
        .guid(Guid::default())
        .export("Lamp", "/Script/Engine.PointLight", vec![0; 13])
        .build()
        .unwrap();
    let mut package = unreal_packages::Package::from_bytes(bytes).unwrap();
    package.edit(|edit| edit.rename_package("/Game/Lights/Lamp", &Default::default())).unwrap();
    let folder = Folder::new();
    folder.write("Lamp.uasset", package.to_bytes().unwrap());
    // Nothing says which release saved it.
    let (json, out) = (folder.arg("Lamp.json"), folder.arg("Lamp.uasset"));
    folder.run("to-json", "Lamp.uasset", &["-o", &json]).exits(0);
    let text = String::from_utf8(folder.read("Lamp.json")).unwrap();
    folder.write("Lamp.json", text.replace("\"major\": 5,", "\"major\": 0,"));
    folder.run("from-json", "Lamp.json", &["--overwrite", "-o", &out]).exits(0);
    let info = folder.run("info", "Lamp.uasset", &["--json"]).exits(0).object();
    assert_eq!(info["likely_release"], "5.4", "{info}");
    assert_eq!(info["package"], "/Game/Lights/Lamp");
    assert_eq!((&info["guid"], &info["folder"]), (&serde_json::Value::Null, &info["guid"]));
    assert_eq!(info["asset"]["path"], "Lamp");
    assert_eq!(info["asset"]["class"], "/Script/Engine.PointLight");
    let text = folder.run("info", "Lamp.uasset", &[]).exits(0).out;
    for line in [
        "guid         none",
        "package      /Game/Lights/Lamp",
        "asset        Lamp (/Script/Engine.PointLight)",
        "release      5.4 or near it, by its versions",
    ] {
        assert!(text.contains(line), "{line}: {text}");
    }
    assert!(!text.contains("folder"), "{text}");
}

#[test]
fn list_shows_super_archetype_and_assets() {
    let folder = Folder::new();
    folder.write("Loot.csv", "---,Value:int\nGold,100\n");
    let (csv, out) = (folder.arg("Loot.csv"), folder.arg("DT_Loot.uasset"));
    let args = ["new", "data-table", "--engine", "5.4", "--package", "/Game/DT_Loot"];
    let more = ["--row-struct", "/Script/MyGame.Loot", &csv, "-o", &out];
    upk(&[&args[..], &more].concat()).exits(0);
    let json = folder.arg("Loot.json");
    folder.run("to-json", "DT_Loot.uasset", &["-o", &json]).exits(0);
    let text = String::from_utf8(folder.read("Loot.json")).unwrap();
    // The first object has neither.
    let added =
        "\"exports\":[\n{\n  \"super_index\": \"PackageMetaData\",\n  \"template_index\": -1,";
    let text = text.replacen("\"exports\":[\n{", added, 1);
    folder.write("Loot.json", text);
    folder.run("from-json", "Loot.json", &["--overwrite", "-o", &out]).exits(0);
    let import = folder.run("list", "DT_Loot.uasset", &["--imports", "--json"]).exits(0).json();
    let rows = folder.run("list", "DT_Loot.uasset", &["--json"]).exits(0).json();
    let table = &rows[0];
    assert_eq!(table["super"], "PackageMetaData", "{table}");
    assert_eq!(table["archetype"], import[0]["path"], "{table}");
    assert_eq!(table["is_asset"], true, "{table}");
    assert_eq!(rows[1]["is_asset"], false, "{rows:?}");
    let text = folder.run("list", "DT_Loot.uasset", &["--details"]).exits(0).out;
    let lines: Vec<Vec<&str>> =
        text.lines().map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(lines[0], ["row", "path", "class", "super", "archetype", "asset"]);
    let archetype = import[0]["path"].as_str().unwrap();
    assert_eq!(lines[1][3..], ["PackageMetaData", archetype, "asset"], "{text}");
    assert_eq!(lines[2].len(), 3, "{text}");
}

#[test]
fn notes_of_the_editor_are_no_asset() {
    let bytes = Builder::for_release(EngineRelease::new(4, 27))
        .export("PackageMetaData", "/Script/CoreUObject.MetaData", vec![0; 21])
        .build()
        .unwrap();
    let folder = Folder::new();
    folder.write("Left.uasset", bytes);
    let info = folder.run("info", "Left.uasset", &["--json"]).exits(0).object();
    assert_eq!(info["asset"], serde_json::Value::Null, "{info}");
}

#[test]
fn a_file_of_bodies_that_is_cut_says_so() {
    let folder = cooked();
    let bodies = folder.read("Thing.uexp");
    folder.write("Thing.uexp", &bodies[..20]);
    for more in [&[][..], &["--engine", "5.4"]] {
        let run = folder.run("list", "Thing.uasset", more).exits(2);
        assert!(run.err.contains("cut short"), "{run:?}");
    }
    std::fs::remove_file(folder.path("Thing.uexp")).unwrap();
    let run = folder.run("get", "Thing.uasset", &["Thing", "--engine", "5.4"]).exits(2);
    assert!(run.err.contains("a .uexp file that is not there"), "{run:?}");
    let run = folder.run("get", "Thing.uasset", &["Thing"]).exits(2);
    assert!(run.err.contains("a .uexp file that is not there"), "{run:?}");
}

/// Mappings of a table and its rows, whose value has this type.
fn table_mappings(value: unreal_packages::property::mappings::SchemaType) -> Vec<u8> {
    use unreal_packages::property::Mappings;
    use unreal_packages::property::mappings::{
        MappingData, MappingName, MappingProperty, MappingStruct, SchemaType,
    };
    let structure = |name, of, schema| MappingStruct {
        name,
        super_struct: u32::MAX,
        property_count: 1,
        properties: vec![MappingProperty { array_dim: 1, name: of, schema, ..<_>::default() }],
    };
    let names = ["DataTable", "RowStruct", "Loot", "Value"];
    let names = names.map(|name| MappingName(name.into())).to_vec();
    let structs = vec![structure(0, 1, SchemaType::Object), structure(2, 3, value)];
    let data = MappingData { names, structs, ..MappingData::default() };
    Mappings::new(data).to_bytes(3).unwrap()
}

/// What the editor stores takes the types of its columns from the mappings of the game.
#[test]
fn mappings_say_the_types_of_columns_of_new_tables() {
    use unreal_packages::property::mappings::SchemaType;
    let folder = Folder::new();
    folder.write("Game.usmap", table_mappings(SchemaType::Int64));
    folder.write("Loot.csv", "---,Value\nGold,100\n");
    folder.write("Typed.csv", "---,Value:int64\nGold,100\n");
    folder.write("Wrong.csv", "---,Value:float\nGold,100\n");
    folder.write("Other.csv", "---,Price\nGold,100\n");
    let new = |input: &str, more: &[&str]| {
        let (input, out) = (folder.arg(input), folder.arg("DT.uasset"));
        let args = ["new", "data-table", "--engine", "5.4", "--package", "/Game/DT", &input];
        upk(&[&args[..], more, &["-o", &out, "--overwrite"]].concat())
    };
    let mappings = folder.arg("Game.usmap");
    let of_loot = ["--row-struct", "/Script/Game.Loot", "--mappings", &mappings];
    for input in ["Loot.csv", "Typed.csv"] {
        new(input, &of_loot).exits(0);
        let out = folder.arg(input.trim_end_matches(".csv"));
        folder.run("extract", "DT.uasset", &["-o", &out, "--tables", "csv", "--types"]).exits(0);
        let table = std::fs::read_to_string(folder.path(&format!("{out}/DT.csv"))).unwrap();
        assert_eq!(table, "---,Value:int64\nGold,100\n");
    }
    let run = new("Wrong.csv", &of_loot).exits(1);
    assert!(run.err.contains("'Value' is declared as int64, not as float"), "{run:?}");
    let run = new("Other.csv", &of_loot).exits(1);
    assert!(run.err.contains("'Price' has no type") && run.err.contains("declared are Value"));
    new("Other.csv", &[&of_loot[..], &["--column", "Price:int"]].concat()).exits(0);
    let run = new("Loot.csv", &["--row-struct", "/Script/Game.Gold", "--mappings", &mappings]);
    assert!(run.exits(1).err.contains("Gold"));
    let run = new("Loot.csv", &["--row-struct", "/Script/Game.Loot"]).exits(1);
    assert!(run.err.contains("write Value:float"), "{run:?}");
}

#[test]
fn mappings_of_another_game_are_no_quiet_success() {
    use unreal_packages::property::mappings::SchemaType;
    let build = |row_struct: i32| {
        let mut body = vec![0x00, 0x03];
        body.extend(row_struct.to_le_bytes());
        body.extend([0; 4]);
        body.extend([1, 1, 0].map(i32::to_le_bytes).concat());
        body.extend([0x00, 0x03, 100, 0, 0, 0]);
        Builder::for_release(EngineRelease::new(5, 4))
            .flags(PackageFlags(0x8000_2200))
            .unversioned()
            .name("Gold")
            .import("/Script/Game.Loot", "/Script/CoreUObject.ScriptStruct")
            .export("Table", "/Script/Engine.DataTable", body)
            .build()
            .unwrap()
    };
    let options = unreal_packages::package::OpenOptions::new().engine(EngineRelease::new(5, 4));
    let package = options.open_bytes(build(0)).unwrap();
    let at = package.imports().iter().position(|import| import.path().ends_with("Loot")).unwrap();
    let folder = Folder::new();
    folder.write("Table.uasset", build(-1 - at as i32));
    folder.write("Right.usmap", table_mappings(SchemaType::Int));
    folder.write("Wrong.usmap", table_mappings(SchemaType::Str));
    let with = |mappings: &str| {
        let mappings = folder.arg(mappings);
        let more = ["Table", "--engine", "5.4", "--mappings", &mappings];
        folder.run("get", "Table.uasset", &more)
    };
    let right = with("Right.usmap").exits(0);
    assert!(right.out.contains("[Gold]=(Value=100)") && right.err.is_empty(), "{right:?}");
    let wrong = with("Wrong.usmap").exits(1);
    assert!(wrong.out.contains("RowStruct="), "{wrong:?}");
    assert!(wrong.err.contains("bytes of Table are not decoded"), "{wrong:?}");
    assert!(wrong.err.contains("mappings of this very game"), "{wrong:?}");
}
