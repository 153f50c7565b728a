//! Folders of packages and containers take back what was extracted of them.

use serde_json::{Value, json};
use unreal_packages::container::pak::{PakOptions, PakWriter};
use unreal_packages::content::{Image, Pixels};

use crate::common::{Folder, Run, small_package, upk};

/// A picture of few colours.
fn picture(shift: u8) -> Vec<u8> {
    let color = |at: u32| [(at % 8 * 8) as u8, (at / 8 * 8) as u8, shift, 255];
    Image::from_rgba(8, 8, (0..64).map(color).collect()).unwrap().to_png().unwrap()
}

/// Packages in `Mods` and in folders below it: two with a picture, one with texts, one with nothing that comes out, and a
/// file that is no package.
fn mods() -> Folder {
    let folder = Folder::new();
    for (package, name, shift) in [("Textures/Stone.utx", "Rough", 1), ("Wood.utx", "Oak", 2)] {
        let input = folder.write(&format!("in/{name}.png"), picture(shift)).display().to_string();
        std::fs::create_dir_all(folder.path("Mods/Textures")).unwrap();
        let output = folder.arg(&format!("Mods/{package}"));
        upk(&["new", "textures", "-o", &output, &input]).exits(0);
    }
    folder.write("Mods/Texts.u", small_package(69));
    upk(&["new", "empty", "-o", &folder.arg("Mods/Empty.u")]).exits(0);
    folder.write("Mods/readme.txt", "no package");
    folder
}

const ALL: [&str; 4] = ["Textures/Stone.utx", "Wood.utx", "Texts.u", "Empty.u"];

fn bytes(folder: &Folder) -> Vec<Vec<u8>> {
    ALL.iter().map(|package| folder.read(&format!("Mods/{package}"))).collect()
}

fn extract(folder: &Folder, from: &str) -> Run {
    folder.run("extract", from, &["-o", &folder.arg("Out")])
}

fn import(folder: &Folder, packages: &[&str], rest: &[&str]) -> Run {
    let packages: Vec<String> = packages.iter().map(|package| folder.arg(package)).collect();
    let from = folder.arg("Out");
    let mut args = vec!["import"];
    args.extend(packages.iter().map(String::as_str));
    upk(&[&args[..], &["--from", &from], rest].concat())
}

fn sums(run: &Run) -> Value {
    run.json().last().unwrap()["summary"].clone()
}

#[test]
fn a_folder_of_packages_takes_back_what_was_extracted() {
    for jobs in ["1", "4"] {
        let folder = mods();
        extract(&folder, "Mods").exits(0);
        let before = bytes(&folder);
        let rest = ["--in-place", "--json", "--jobs", jobs];
        let run = import(&folder, &["Mods"], &rest).exits(0);
        let none = json!({ "edited": 0, "same": 2, "left_alone": 2, "failed": 0, "partly": 0,
                           "dry_run": false, "run": null });
        assert_eq!(sums(&run), none, "{run:?}");
        assert_eq!(run.json().len(), 3, "{run:?}");
        assert_eq!(bytes(&folder), before);
        // One picture is another.
        folder.write("Out/Textures/Stone.utx/Rough.png", picture(99));
        let dry = import(&folder, &["Mods"], &["--dry-run"]).exits(0);
        assert!(
            dry.out.contains("1 package edited, 1 the same as before, 2 without files"),
            "{dry:?}"
        );
        assert_eq!(bytes(&folder), before);
        let run = import(&folder, &["Mods"], &rest).exits(0);
        assert_eq!(sums(&run)["edited"], 1, "{run:?}");
        let now = bytes(&folder);
        assert!(now[0] != before[0] && now[1..] == before[1..]);
        folder.run("verify", "Mods", &[]).exits(0);
        assert!(folder.path("Mods/Textures/Stone.utx.bak").exists());
        assert!(!folder.path("Mods/Wood.utx.bak").exists(), "what is the same is not written");
        let run = sums(&run)["run"].as_str().unwrap().to_owned();
        folder.run("restore", "Mods", &["--run", &run]).exits(0);
        assert_eq!(bytes(&folder), before);
        let named = import(&folder, &["Mods"], &["--in-place", "--run", "Repaint"]).exits(0);
        assert!(named.out.contains("--run Repaint"), "{named:?}");
        assert!(!named.out.contains("Wood.utx"), "what is the same has no lines: {named:?}");
    }
}

#[test]
fn a_package_that_fails_stays_and_the_others_go_on() {
    let folder = mods();
    extract(&folder, "Mods").exits(0);
    let before = bytes(&folder);
    folder.write("Out/Wood.utx/Oak.png", "no picture");
    folder.write("Out/Textures/Stone.utx/Rough.png", picture(99));
    let run = import(&folder, &["Mods"], &["--in-place"]).exits(1);
    assert!(run.err.contains("Wood.utx") && run.out.contains("1 failed"), "{run:?}");
    let now = bytes(&folder);
    assert!(now[0] != before[0] && now[1..] == before[1..]);
}

#[test]
fn packages_that_are_named_have_a_folder_each_or_are_alone() {
    let folder = mods();
    let [stone, wood] = ["Mods/Textures/Stone.utx", "Mods/Wood.utx"];
    extract(&folder, "Mods/Textures").exits(0);
    folder.write("Out/Wood.utx/Oak.png", picture(98));
    folder.write("Out/Stone.utx/Rough.png", picture(99));
    let run = import(&folder, &[stone, wood], &["--dry-run"]).exits(0);
    assert!(run.out.contains("2 packages edited"), "{run:?}");
    // One alone: its folder within, or the folder itself.
    let changed = |run: Run| run.exits(0).object()["changed"].clone();
    assert_eq!(changed(import(&folder, &[wood], &["--dry-run", "--json"])), true);
    let rest = ["--from", &folder.arg("Out/Wood.utx"), "--dry-run", "--json"];
    assert_eq!(changed(folder.run("import", wood, &rest)), true);
    let rest = ["Oak", "--from", &folder.arg("Out/Wood.utx/Oak.png"), "--dry-run", "--json"];
    assert_eq!(changed(folder.run("import", wood, &rest)), true);
}

#[test]
fn words_that_mean_no_package_are_refused() {
    let folder = mods();
    extract(&folder, "Mods").exits(0);
    let out = folder.arg("Out.utx");
    for (rest, code, said) in [
        (&["--from", "Out", "-o", &out][..], 2, "several packages can't go to one file"),
        (&["--dry-run", "Rough", "Rough.png"], 2, "has many packages"),
        (&["--from", "Out", "--dry-run", "Rough"], 2, "no file 'Rough' is there"),
        (&["--from", "Mods", "--dry-run"], 1, "has no folder for any of the packages"),
        (&["--from", "in/Oak.png", "--dry-run"], 2, "is no folder"),
    ] {
        let rest: Vec<String> = rest
            .iter()
            .map(|word| match folder.path(word).exists() {
                true => folder.arg(word),
                false => (*word).to_owned(),
            })
            .collect();
        let rest: Vec<&str> = rest.iter().map(String::as_str).collect();
        let run = folder.run("import", "Mods", &rest);
        assert!(run.code == code && run.err.contains(said), "{rest:?}: {run:?}");
    }
    let run = folder.run("import", "Mods/Wood.utx", &["Oak", "Oak.png", "More", "--dry-run"]);
    assert!(run.exits(2).err.contains("--from"));
}

/// `Game.pak` with two data tables, one of them in a folder.
fn container() -> Folder {
    let folder = Folder::new();
    folder.write("Weapons.csv", "Name,Damage:float\nSword,12.5\nAxe,20\n");
    let input = folder.arg("Weapons.csv");
    let mut bytes = Vec::new();
    let mut writer = PakWriter::new(&mut bytes, PakOptions::default());
    for name in ["One", "More/Two"] {
        let output = folder.arg("Table.uasset");
        let package = format!("/Game/{name}");
        let args = ["new", "data-table", "--engine", "5.4", "--package", &package, &input];
        let rest = ["--row-struct", "/Script/MyGame.Weapon", "--overwrite", "-o", &output];
        upk(&[&args[..], &rest].concat()).exits(0);
        let path = format!("Town/Content/{name}.uasset");
        writer.add(&path, &folder.read("Table.uasset")).unwrap();
    }
    writer.finish().unwrap();
    folder.write("Game.pak", bytes);
    folder
}

#[test]
fn a_container_takes_back_what_was_extracted_as_a_patch() {
    let folder = container();
    extract(&folder, "Game.pak").exits(0);
    let two = "Out/Town/Content/More/Two.uasset/Two.json";
    let table = String::from_utf8(folder.read(two)).unwrap();
    let (patch, before) = (folder.arg("Mod_P.pak"), folder.read("Game.pak"));
    let same = import(&folder, &["Game.pak"], &["-o", &patch]).exits(0);
    assert!(same.out.contains("no patch was written"), "{same:?}");
    assert!(!folder.path("Mod_P.pak").exists());
    folder.write(two, table.replace("12.5", "40.0"));
    let run = import(&folder, &["Game.pak"], &["--in-place"]).exits(2);
    assert!(run.err.contains("never changed"), "{run:?}");
    let run = import(&folder, &["Game.pak"], &["-o", &patch, "--json"]).exits(0);
    assert_eq!((&sums(&run)["edited"], &sums(&run)["same"]), (&1.into(), &1.into()), "{run:?}");
    assert_eq!(folder.read("Game.pak"), before);
    let listed = folder.run("ls", "Mod_P.pak", &[]).exits(0).out;
    assert!(listed.contains("More/Two.uasset") && !listed.contains("One.uasset"), "{listed}");
    let shown = folder.run("get", "Mod_P.pak/Town/Content/More/Two.uasset", &["Two"]).exits(0).out;
    assert!(shown.contains("Damage=40.0"), "{shown}");
    // A folder in it, by its whole path and by its end alone.
    for (from, file) in [("Game.pak/Town/Content", "More/Two"), ("Game.pak/More", "Two")] {
        std::fs::remove_dir_all(folder.path("Out")).unwrap();
        extract(&folder, from).exits(0);
        let whole = format!("Out/{file}.uasset/Two.json");
        let by_end = "Out/Town/Content/More/Two.uasset/Two.json".to_owned();
        let file = [whole, by_end].into_iter().find(|file| folder.path(file).exists()).unwrap();
        folder.write(&file, table.replace("12.5", "41.0"));
        let run = import(&folder, &[from], &["--dry-run", "--json"]).exits(0);
        assert_eq!(sums(&run)["edited"], 1, "{from}: {run:?}");
    }
    // A package in it alone.
    let one = "Game.pak/Town/Content/More/Two.uasset";
    let run = import(&folder, &[one], &["-o", &patch, "--overwrite", "--json"]).exits(0);
    assert_eq!(run.object()["changed"], true);
}

/// A sound of a format that is not made here: its file ends as the format is called.
#[test]
fn sounds_of_any_format_are_found_and_stay() {
    let folder = Folder::new();
    let mut wave =
        b"RIFF\x2c\0\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0\x22\x56\0\0\x44\xac\0\0\x02\0\x10\0"
            .to_vec();
    wave.extend(b"data\x08\0\0\0\x01\0\x02\0\x03\0\x04\0");
    let input = folder.write("Bang.wav", wave).display().to_string();
    let [package, document] = ["A.uax", "A.json"].map(|name| folder.arg(name));
    upk(&["new", "sounds", "-o", &package, &input]).exits(0);
    upk(&["to-json", &package, "-o", &document]).exits(0);
    let text = String::from_utf8(folder.read("A.json")).unwrap();
    folder.write("A.json", text.replace("\"WAV\"", "\"BINKA\""));
    upk(&["from-json", &document, "-o", &package, "--overwrite"]).exits(0);
    let before = folder.read("A.uax");
    extract(&folder, "A.uax").exits(0);
    assert!(folder.path("Out/Bang.binka").exists());
    let run = import(&folder, &["A.uax"], &["--in-place"]).exits(0);
    assert!(run.out.contains("the content is the one that is there"), "{run:?}");
    assert_eq!(folder.read("A.uax"), before);
}

#[test]
fn one_channel_of_many_textures_comes_back() {
    let folder = mods();
    folder.run("extract", "Mods", &["-o", &folder.arg("Out"), "--channel", "green"]).exits(0);
    let rough = "Out/Textures/Stone.utx/Rough~green.png";
    let levels = Image::read(&folder.read(rough)).unwrap();
    let rest = ["--channel", "green", "--dry-run"];
    let same = import(&folder, &["Mods"], &rest).exits(0);
    assert!(same.out.contains("0 packages edited, 2 the same as before"), "{same:?}");
    let turned = levels.to_rgba().into_iter().rev().map(|texel| texel[0]).collect();
    let turned = Image::new(8, 8, Pixels::Gray(turned)).unwrap();
    folder.write(rough, turned.to_png().unwrap());
    let run = import(&folder, &["Mods"], &["--channel", "green", "--in-place", "--own-palette"]);
    assert!(run.exits(0).out.contains("1 package edited"));
    folder.run("extract", "Mods", &["-o", &folder.arg("Again"), "--channel", "green"]).exits(0);
    let again = folder.read("Again/Textures/Stone.utx/Rough~green.png");
    assert_eq!(Image::read(&again).unwrap().to_rgba(), turned.to_rgba());
}
