//! New assets of UE4 and UE5, and their content as files again.

use crate::common;

use common::{Folder, upk};
use unreal_packages::generate::Builder;
use unreal_packages::primitive::PackageFlags;
use unreal_packages::{EngineRelease, Package};

const WEAPONS: &str = "---,Damage:float,Ammo:int,Title:string,bHeavy:bool\n\
                       Sword,12.5,0,\"A \"\"big\"\" sword\",false\n\
                       Gun,3,,Größe,true\n";

#[test]
fn a_data_table_from_csv_is_extracted_as_csv_and_json() {
    for release in ["4.27", "5.0", "5.4", "5.7"] {
        let folder = Folder::new();
        folder.write("Weapons.csv", WEAPONS);
        let (input, output) = (folder.path("Weapons.csv"), folder.path("DT_Weapons.uasset"));
        let args = ["new", "data-table", "--engine", release, "--package", "/Game/DT_Weapons"];
        let more = ["--row-struct", "/Script/MyGame.Weapon", "--json", "-o"];
        let args: Vec<&std::ffi::OsStr> =
            args.iter().chain(&more).map(std::ffi::OsStr::new).collect();
        let made = upk(&[&args[..], &[output.as_os_str(), input.as_os_str()]].concat());
        let made = made.exits(0).object();
        assert_eq!(
            (&made["engine"], &made["resaves_identically"]),
            (&release.into(), &true.into())
        );
        let verified = upk(&["verify".as_ref(), output.as_os_str()]).exits(0);
        assert!(verified.out.contains("100.0% decoded"), "{}", verified.out);
        let out = folder.path("out");
        let extract = |format: &str| {
            let args =
                ["extract", "--overwrite", "--tables", format, "-o"].map(std::ffi::OsStr::new);
            upk(&[&args[..], &[out.as_os_str(), output.as_os_str()]].concat()).exits(0);
            std::fs::read_to_string(out.join(format!("DT_Weapons.{format}"))).unwrap()
        };
        let csv = extract("csv");
        let lines: Vec<_> = csv.lines().collect();
        assert_eq!(lines[0], "---,Damage,Ammo,Title,bHeavy");
        assert_eq!(lines[1], "Sword,12.5,0,\"A \"\"big\"\" sword\",False");
        let json: serde_json::Value = serde_json::from_str(&extract("json")).unwrap();
        assert_eq!(json[0]["Damage"], 12.5);
        assert_eq!(json[1]["Title"], "Größe");
        // An empty cell keeps the default of the struct, so nothing is stored.
        assert!(json[1].get("Ammo").is_none());
    }
}

#[test]
fn a_string_table_goes_to_json_and_back() {
    let folder = Folder::new();
    folder.write("Menu.csv", "Key,SourceString\nStart,Start!\nQuit,\"Ende, aus\"\n");
    let (csv, first) = (folder.path("Menu.csv"), folder.path("ST_Menu.uasset"));
    let make = |input: &std::path::Path, output: &std::path::Path, namespace: &[&str]| {
        let args = ["new", "string-table", "--engine", "5.6", "--package", "/Game/ST_Menu", "-o"];
        let args = args.iter().chain(namespace).map(std::ffi::OsStr::new).collect::<Vec<_>>();
        let (flags, rest) = args.split_at(args.len() - namespace.len());
        upk(&[flags, &[output.as_os_str(), input.as_os_str()], rest].concat()).exits(0);
    };
    make(&csv, &first, &["--namespace", "Main menu"]);
    let out = folder.path("out");
    upk(&["extract".as_ref(), first.as_os_str(), "-o".as_ref(), out.as_os_str()]).exits(0);
    let json = out.join("ST_Menu.json");
    let second = folder.path("Again.uasset");
    make(&json, &second, &[]);
    let bodies = [first, second].map(|path| {
        let package = Package::open(path).unwrap();
        package.body(package.find_export("ST_Menu").unwrap()).unwrap().to_vec()
    });
    assert_eq!(bodies[0], bodies[1]);
    let text = String::from_utf8_lossy(&bodies[0]).into_owned();
    assert!(text.contains("Main menu") && text.contains("Ende, aus"), "{text}");
}

#[test]
fn an_object_is_made_with_its_properties() {
    let folder = Folder::new();
    let output = folder.path("DA_Wolf.uasset");
    let shown = output.to_str().unwrap();
    let made = upk(&[
        "new",
        "asset",
        "--engine",
        "4.27",
        "--package",
        "/Game/DA_Wolf",
        "--class",
        "/Script/MyGame.Beast",
        "--set",
        "Health:float=50",
        "--set",
        "Name:string=Wolf",
        "-o",
        shown,
    ]);
    made.exits(0);
    let dump = upk(&["dump", shown]).exits(0);
    assert!(dump.out.contains("Health = 50"), "{}", dump.out);
    let again = [
        "new",
        "asset",
        "--engine",
        "4.27",
        "--package",
        "/Game/DA_Wolf",
        "--class",
        "/Script/M.B",
        "-o",
        shown,
    ];
    assert!(upk(&again).exits(2).err.contains("--overwrite"));
}

/// As in cooked ones: an element of a static array is no property with brackets in its name.
#[test]
fn elements_of_static_arrays_are_elements_of_new_assets() {
    let folder = Folder::new();
    let out = folder.arg("DA.uasset");
    let new = |sets: &[&str]| {
        let args = ["new", "asset", "--engine", "5.4", "--package", "/Game/DA", "--overwrite"];
        upk(&[&args[..], &["--class", "/Script/M.B", "-o", &out], sets].concat())
    };
    new(&["--set", "Slots:int=1", "--set", "Slots[2]:int=4"]).exits(0);
    assert_eq!(folder.run("get", "DA.uasset", &["DA"]).exits(0).out, "Slots=1\nSlots[2]=4\n");
    let run = new(&["--set", "Slots:int=1", "--set", "Slots[0]:int=4"]).exits(1);
    assert!(run.err.contains("Slots"), "{run:?}");
    let run = new(&["--set", "Stats.Armour:int=1"]).exits(1);
    assert!(run.err.contains("'Stats.Armour' lies within a property: give Stats"), "{run:?}");
}

#[test]
fn faults_of_tables_are_told_with_their_place() {
    let folder = Folder::new();
    folder.write("Wrong.csv", "---,Damage:float\nSword,many\n");
    folder.write("Untyped.csv", "---,Damage\nSword,1\n");
    folder.write("Table.txt", "");
    let run = |input: &str| {
        let (input, output) = (folder.path(input), folder.path("Out.uasset"));
        let (input, output) = (input.to_str().unwrap(), output.to_str().unwrap());
        upk(&[
            "new",
            "data-table",
            "--engine",
            "5.4",
            "--package",
            "/Game/DT",
            "--row-struct",
            "/Script/M.R",
            input,
            "-o",
            output,
        ])
    };
    let wrong = run("Wrong.csv").exits(1);
    assert!(wrong.err.contains("row Sword, column Damage"), "{}", wrong.err);
    let untyped = run("Untyped.csv").exits(1);
    assert!(untyped.err.contains("Damage:float"), "{}", untyped.err);
    let table = run("Table.txt").exits(2);
    assert!(table.err.contains(".csv, .xlsx or .json"), "{}", table.err);
    assert!(!folder.path("Out.uasset").exists());
}

/// A data table made of [`WEAPONS`].
fn weapons(folder: &Folder) {
    folder.write("Weapons.csv", WEAPONS);
    let (input, output) = (folder.arg("Weapons.csv"), folder.arg("DT.uasset"));
    let row_struct = ["--row-struct", "/Script/MyGame.Weapon"];
    let args = ["new", "data-table", "--engine", "5.4", "--package", "/Game/DT", &input];
    upk(&[&args[..], &row_struct, &["-o", &output]].concat()).exits(0);
}

#[test]
fn tables_go_out_and_in_again() {
    let folder = Folder::new();
    weapons(&folder);
    let before = folder.read("DT.uasset");
    let out = folder.arg("out");
    for format in ["csv", "json"] {
        let args = ["-o", &out, "--tables", format, "--overwrite"];
        folder.run("extract", "DT.uasset", &args).exits(0);
        let file = folder.arg(&format!("out/DT.{format}"));
        let run = folder.run("import", "DT.uasset", &["DT", &file, "--in-place"]).exits(0);
        assert!(run.out.contains("the table is the one that is there"), "{run:?}");
        assert_eq!(folder.read("DT.uasset"), before);
    }
    let csv = std::fs::read_to_string(folder.path("out/DT.csv")).unwrap();
    let changed = csv.replace("12.5", "40").replace("Gun,", "Rifle,");
    std::fs::write(folder.path("out/DT.csv"), changed).unwrap();
    std::fs::remove_file(folder.path("out/DT.json")).unwrap();
    let args = ["--from", &out, "--in-place", "--no-backup", "--json"];
    let done = folder.run("import", "DT.uasset", &args).exits(0).object();
    let facts = &done["change"]["imports"][0]["facts"];
    assert_eq!(
        (&facts["cells"], &facts["added"], &facts["removed"]),
        (&1.into(), &1.into(), &1.into()),
        "{done}"
    );
    let shown = folder.run("get", "DT.uasset", &["DT"]).exits(0).out;
    assert!(shown.contains("[Sword]=(Damage=40.0") && shown.contains("[Rifle]="), "{shown}");
    folder.run("verify", "DT.uasset", &[]).exits(0);
    let run = folder.run("import", "DT.uasset", &["DT", "--in-place"]).exits(2);
    assert!(run.err.contains("--from FOLDER"), "{run:?}");
}

#[test]
fn a_table_that_is_extracted_with_types_makes_another() {
    let folder = Folder::new();
    weapons(&folder);
    let out = folder.arg("out");
    folder.run("extract", "DT.uasset", &["-o", &out, "--tables", "csv", "--types"]).exits(0);
    let (table, again) = (folder.arg("out/DT.csv"), folder.arg("Again.uasset"));
    let head = std::fs::read_to_string(folder.path("out/DT.csv")).unwrap();
    assert!(head.starts_with("---,Damage:float,Ammo:int,Title:string,bHeavy:bool\n"), "{head}");
    let row_struct = ["--row-struct", "/Script/MyGame.Weapon"];
    let args = ["new", "data-table", "--engine", "5.4", "--package", "/Game/DT", &table];
    upk(&[&args[..], &row_struct, &["-o", &again]].concat()).exits(0);
    let rows = |file: &str| folder.run("get", file, &["DT"]).exits(0).out;
    assert_eq!(rows("DT.uasset"), rows("Again.uasset"));
}

/// How a package is read says nothing of one that is made, but for the one that it is to be like.
#[test]
fn new_assets_are_stored_as_one_thing_says() {
    let folder = Folder::new();
    let flags = PackageFlags::FILTER_EDITOR_ONLY;
    let model = Builder::for_release(EngineRelease::new(5, 4)).flags(flags).build().unwrap();
    folder.write("Model.uasset", model);
    let (out, model) = (folder.arg("Out.uasset"), folder.arg("Model.uasset"));
    let made = |more: &[&str]| {
        let asset = ["new", "asset", "--package", "/Game/Out", "--class", "/Script/G.Beast"];
        upk(&[&asset[..], more, &["-o", &out, "--overwrite"]].concat())
    };
    for (args, reason) in [
        (&[][..], "nothing says how the package is to be stored"),
        (&["--engine", "5.4", "--mappings", "no.usmap"], "--mappings says how a package is read"),
        (&["--like", &model, "--set", "A:int=1", "--set", "a=2"], "a is set twice"),
        (&["--like", &model, "--set", "A"], "write NAME=VALUE"),
        (&["--engine", "5.4", "--set", "A"], "write NAME:TYPE=VALUE"),
        (&["--cooked", "--like", &model], "cannot be used with"),
        (&["--cooked"], "the editor or the game that is to read it"),
        (&["--cooked", "--engine", "5.4", "--game", "swat4"], "--game says how a package is read"),
    ] {
        let run = made(args).exits(2);
        assert!(run.err.contains(reason), "{run:?}");
    }
    made(&["--like", &model, "--set", "A:int=1"]).exits(0);
    assert_eq!(upk(&["get", &out, "Out"]).exits(0).out, "A=1\n");
    // Header and body are two files, as games of this release have them.
    let run = made(&["--cooked", "--engine", "4.27", "--set", "A:int=2"]).exits(0);
    assert!(run.out.contains("as games of Unreal Engine 4.27 store theirs"), "{run:?}");
    assert!(folder.path("Out.uexp").exists());
    let engine = ["--engine", "4.27"];
    assert_eq!(upk(&[&["get", &out, "Out"], &engine[..]].concat()).exits(0).out, "A=2\n");
    upk(&[&["verify", &out], &engine[..]].concat()).exits(0);
    // Containers of 5.2 and 5.3 hold packages in different forms, which the package itself does not say.
    made(&["--cooked", "--engine", "5.2", "--set", "A:int=2"]).exits(0);
    let zen = folder.arg("Zen.uasset");
    let convert = ["convert", &out, "--to", "zen", "-o", &zen];
    let run = upk(&convert).exits(1);
    assert!(run.err.contains("5.2 to 5.3") && run.err.contains("--engine"), "{run:?}");
    upk(&[&convert[..], &["--engine", "5.2"]].concat()).exits(0);
    made(&["--cooked", "--engine", "5.3", "--set", "A:int=2"]).exits(0);
    upk(&[&convert[..], &["--engine", "5.3", "--overwrite"]].concat()).exits(0);
    // What a class hands down stands in those that are made from it: here and in the model, or it is said.
    let blueprint = |more: &[&str]| {
        let new = ["new", "blueprint", "--package", "/Game/BP_Wolf", "--parent", "/Script/G.Beast"];
        upk(&[&new[..], &["--set", "Health:float=9", "--overwrite", "-o", &out], more].concat())
    };
    let run = blueprint(&["--engine", "4.27"]).exits(2);
    assert!(run.err.contains("add --cooked"), "{run:?}");
    let run = blueprint(&["--engine", "4.27", "--cooked"]).exits(1);
    assert!(run.err.contains("/Script/G.Beast hands down"), "{run:?}");
    let run = blueprint(&["--engine", "4.27", "--cooked", "--class-flags", "Green"]).exits(2);
    assert!(run.err.contains("'Green'") && run.err.contains("HasInstancedReference"), "{run:?}");
    let flags = ["--class-flags", "HasInstancedReference,0x4", "--class-config", "Game"];
    blueprint(&[&["--engine", "4.27", "--cooked"], &flags[..]].concat()).exits(0);
    let run = upk(&[&["get", &out, "Default__BP_Wolf_C"], &engine[..]].concat()).exits(0);
    assert_eq!(run.out, "Health=9.0\n");
    let other = folder.arg("Other.uasset");
    let sister = ["new", "blueprint", "--package", "/Game/BP_Fox", "--parent", "/Script/G.Beast"];
    let like = ["--like", &out, "--engine", "4.27", "-o", &other];
    upk(&[&sister[..], &like].concat()).exits(0);
}

#[test]
fn new_assets_are_made_as_containers_of_each_release_hold_them() {
    let folder = Folder::new();
    let asset = ["new", "asset", "--package", "/Game/Out", "--class", "/Script/G.Beast"];
    let rest = ["--zen", "--set", "A:int=2"];
    for engine in ["4.26", "4.27", "5.0", "5.1", "5.2", "5.3", "5.4", "5.6", "5.8"] {
        let out = folder.arg(&format!("Out{engine}.uasset"));
        let engine = ["--engine", engine];
        upk(&[&asset[..], &rest, &["--cooked", "-o", &out], &engine].concat()).exits(0);
        let info = upk(&[&["info", &out, "--json"], &engine[..]].concat()).exits(0).object();
        assert_eq!(info["storage"]["form"]["kind"], "zen", "{info}");
        assert_eq!(upk(&[&["get", &out, "Out"], &engine[..]].concat()).exits(0).out, "A=2\n");
        upk(&[&["verify", &out], &engine[..]].concat()).exits(0);
    }
    let out = folder.arg("Out.uasset");
    let run = upk(&[&asset[..], &rest, &["--engine", "5.4", "-o", &out]].concat()).exits(2);
    assert!(run.err.contains("--cooked"), "{run:?}");
    let old = ["--cooked", "--engine", "4.25", "-o", &out];
    let run = upk(&[&asset[..], &rest, &old].concat()).exits(1);
    assert!(run.err.contains("before 4.26"), "{run:?}");
}

/// Before 5.1 packages do not say their names: in a container their paths do.
#[test]
fn packages_of_ue4_are_packed_under_the_names_of_their_paths() {
    let folder = Folder::new();
    let engine = ["--engine", "4.27"];
    std::fs::create_dir_all(folder.path("Mod/G/Content")).unwrap();
    let made = |name: &str, set: &str| {
        let (package, file) = (format!("/Game/{name}"), format!("Mod/G/Content/{name}.uasset"));
        let out = folder.arg(&file);
        let new = ["new", "asset", "--cooked", "--class", "/Script/G.Beast", "--package", &package];
        upk(&[&new[..], &["-o", &out, "--set", set], &engine].concat()).exits(0);
        out
    };
    made("Den", "A:int=2");
    let (container, pack) = (folder.arg("Mod_P.utoc"), folder.arg("Mod"));
    let pack = ["pack", &pack, "-o", &container, "--overwrite", "--engine", "4.27"];
    upk(&pack).exits(0);
    upk(&["verify", &container]).exits(0);
    let inside = format!("{container}/G/Content/Den.uasset");
    assert_eq!(upk(&[&["get", &inside, "Den"], &engine[..]].concat()).exits(0).out, "A=2\n");
    let info = upk(&[&["info", &inside, "--json"], &engine[..]].concat()).exits(0).object();
    assert_eq!(info["storage"]["form"]["kind"], "zen", "{info}");
    // Which parts of other packages one waits for only a cooker of the whole game knows.
    let wolf = made("Wolf", "Home:object=/Script/G.Beast'/Game/Den.Den'");
    let zen = folder.arg("Zen.uasset");
    let convert = ["convert", &wolf, "--to", "zen", "-o", &zen, "--engine", "4.27"];
    let run = upk(&convert).exits(1);
    assert!(run.err.contains("--package /Game/Folder/Name"), "{run:?}");
    let run = upk(&[&convert[..], &["--package", "/Game/Wolf"]].concat()).exits(1);
    assert!(run.err.contains("'/Game/Den'") && run.err.contains(".pak"), "{run:?}");
    assert!(upk(&pack).err.contains("'/Game/Den'"));
}
