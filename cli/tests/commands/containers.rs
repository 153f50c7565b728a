//! Containers on the command line: as folders, as environment, patched.

use crate::common;
use crate::related::made;

use common::{Folder, upk};
use unreal_packages::container::pak::{PakOptions, PakWriter};
use unreal_packages::container::{AesKey, BlockMethod};
use unreal_packages::edit::PackageEdit;
use unreal_packages::generate::Builder;
use unreal_packages::{EngineRelease, Guid, Package};

const KEY: &str = "0x0707070707070707070707070707070707070707070707070707070707070707";

/// A package of UE5 that imports from another one, as its two files.
fn package(object: &str, import: &str) -> (Vec<u8>, Vec<u8>) {
    let bytes = Builder::for_release(EngineRelease::new(5, 4))
        .import(import, "/Script/Engine.Thing")
        .export(object, "/Script/Engine.Thing", vec![7; 50])
        .build()
        .unwrap();
    let mut package = Package::from_bytes(bytes).unwrap();
    let path = format!("/Game/{object}");
    package.edit(|edit| edit.rename_package(&path, &Default::default())).unwrap();
    let bytes = package.to_bytes().unwrap();
    let header = Package::from_bytes(bytes.clone()).unwrap().summary().total_header_size as usize;
    (bytes[..header].to_vec(), bytes[header..].to_vec())
}

fn container(folder: &Folder, name: &str, options: PakOptions, files: &[(&str, &[u8])]) {
    let mut bytes = Vec::new();
    let mut writer = PakWriter::new(&mut bytes, options);
    files.iter().for_each(|(path, content)| writer.add(path, content).unwrap());
    writer.finish().unwrap();
    folder.write(name, bytes);
}

/// `Game.pak` with two packages in two files each, one of which imports the other, and the same encrypted.
fn folder() -> Folder {
    let folder = Folder::new();
    let (old, user) = (package("Old", "/Game/Wood.Wood"), package("User", "/Game/Old.Old"));
    let files: [(&str, &[u8]); 5] = [
        ("Town/Content/Old.uasset", &old.0),
        ("Town/Content/Old.uexp", &old.1),
        ("Town/Content/User.uasset", &user.0),
        ("Town/Content/User.uexp", &user.1),
        ("Town/Config/Game.ini", b"[Game]"),
    ];
    let method = Some(BlockMethod::Zlib);
    container(&folder, "Game.pak", PakOptions { method, ..PakOptions::default() }, &files);
    let key = Some((Guid::default(), AesKey::new([7; 32])));
    container(&folder, "Locked.pak", PakOptions { key, ..PakOptions::default() }, &files);
    folder
}

#[test]
fn packages_of_a_container_are_searched_and_edits_stand_before_it() {
    let folder = folder();
    let pak = folder.arg("Game.pak");
    let run = upk(&["grep", "-l", "Wood", &pak]).exits(0);
    assert!(run.out.contains("Old.uasset") && !run.err.contains("container"), "{run:?}");
    upk(&["grep", "NoSuchText", &pak]).exits(1);
    // A container without a package in it can't be searched.
    folder.write("Cut.pak", &folder.read("Game.pak")[..64]);
    upk(&["grep", "Wood", &folder.arg("Cut.pak")]).exits(2);
    let edits = folder.write("edits.txt", "set Old.Size=1").display().to_string();
    let run = upk(&["edit", &pak, &edits, "--dry-run"]).exits(2);
    assert!(run.err.contains("upk edit EDITS PACKAGE"), "{run:?}");
    // A container is all of its packages, and is never changed itself.
    let run = upk(&["edit", &edits, &pak, "--dry-run"]).exits(1);
    assert!(run.err.contains("Old.uasset") && run.err.contains("User.uasset"), "{run:?}");
    let run = upk(&["edit", &edits, &pak, "--in-place"]).exits(2);
    assert!(run.err.contains("never changed") && run.err.contains("_P.pak"), "{run:?}");
}

#[test]
fn one_patch_takes_edits_of_several_packages() {
    let folder = folder();
    let (pak, patch) = (folder.arg("Game.pak"), folder.arg("Mod_P.pak"));
    let edits = |text: &str| folder.write("edits.txt", text).display().to_string();
    let paths = |name: &str| -> Vec<String> {
        let rows = folder.run("ls", name, &["--json"]).exits(0).json();
        let rows = rows.iter().filter_map(|row| Some(row["path"].as_str()?.to_owned()));
        rows.filter(|path| path.ends_with(".uasset")).collect()
    };
    // Lines for all, lines for some.
    let all = edits("add-name Seen\npackage User 'Town/Content/U*' {\n  rename User Guest\n}\n");
    let before = folder.read("Game.pak");
    let run = upk(&["edit", &all, &pak, "-o", &patch]).exits(0);
    assert!(run.out.contains("2 packages edited"), "{run:?}");
    assert_eq!(paths("Mod_P.pak"), ["Town/Content/Old.uasset", "Town/Content/User.uasset"]);
    assert_eq!(folder.read("Game.pak"), before);
    let list = folder.run("list", "Mod_P.pak/User.uasset", &["--json"]).exits(0).json();
    assert_eq!(list[0]["path"], "Guest");
    folder.run("verify", "Mod_P.pak", &[]).exits(0);
    // What is there stays, also where only some packages would go in.
    upk(&["edit", &all, &pak, "-o", &patch]).exits(2);
    // Packages that no line is for are not in it; a package that nobody has is named.
    let some =
        edits("package /Game/Old.uasset {\n  rename Old Oak\n}\npackage None* {\n  prune\n}\n");
    let run = upk(&["edit", &some, &pak, "-o", &patch, "--overwrite"]).exits(1);
    assert!(run.err.contains("line 4: no package is called like None*"), "{run:?}");
    assert_eq!(paths("Mod_P.pak"), ["Town/Content/Old.uasset"]);
    let some = edits("package Content/Old {\n  rename Old Oak\n}\n");
    upk(&["edit", &some, &pak, "-o", &patch, "--overwrite"]).exits(0);
    assert_eq!(paths("Mod_P.pak"), ["Town/Content/Old.uasset"]);
    // Two of them by name; a third one lies elsewhere; one that no line is for.
    let [old, user] = ["Old", "User"].map(|name| format!("{pak}/{name}.uasset"));
    let all = edits("add-name Seen");
    upk(&["edit", &all, &old, &user, "-o", &patch, "--overwrite"]).exits(0);
    assert_eq!(paths("Mod_P.pak").len(), 2);
    folder.write("Other.pak", &before);
    let third = folder.arg("Other.pak/Old.uasset");
    let run = upk(&["edit", &all, &old, &third, "-o", &patch, "--overwrite"]).exits(1);
    assert!(run.err.contains("a patch is for one container"), "{run:?}");
    let some = edits("package Content/Old {\n  rename Old Oak\n}\n");
    let run = upk(&["edit", &some, &user, "-o", &patch, "--overwrite"]).exits(1);
    assert!(run.err.contains("no line is for"), "{run:?}");
    // Without a file of edits.
    let run = upk(&["set", &old, &user, "*.Size:int=3", "--dry-run"]);
    assert!(!run.err.contains("no such file is there"), "{run:?}");
    // A container that can't be opened is named.
    let all = edits("add-name Seen");
    let broken = folder.write("Broken.pak", &before[..before.len() / 2]).display().to_string();
    let run = upk(&["edit", &all, &broken, "-o", &folder.arg("Broken_P.pak")]).exits(1);
    assert!(run.err.contains("Broken.pak") && run.out.contains("1 failed"), "{run:?}");
    // Nothing to write is no patch.
    let nothing = edits("expect count(*) > 0\npackage Old {\n  expect count(*) > 99\n  prune\n}\n");
    let none = folder.arg("None_P.pak");
    upk(&["edit", &nothing, &pak, "-o", &none]).exits(1);
    assert!(!folder.path("None_P.pak").exists());
    let all = edits("add-name Seen");
    // A name without _P is that of a container that may never be looked into.
    let run = upk(&["edit", &all, &pak, "-o", &folder.arg("Mod.pak")]).exits(0);
    assert!(run.err.contains("_P"), "{run:?}");
}

#[test]
fn other_files_of_containers_are_changed_by_patches() {
    let folder = Folder::new();
    let files: [(&str, &[u8]); 2] = [
        ("Town/Content/L10N/Game.locres", &made::texts(3)),
        ("Town/AssetRegistry.bin", &made::registry()),
    ];
    container(&folder, "Game.pak", PakOptions::default(), &files);
    let patch = folder.arg("Texts_P.pak");
    folder.run("set", "Game.pak/L10N/Game.locres", &["Menu/Start=Begin", "-o", &patch]).exits(0);
    let texts = folder.run("get", "Texts_P.pak/L10N/Game.locres", &[]).exits(0).out;
    assert!(texts.contains("Menu/Start=Begin\n"), "{texts}");
    let rows = folder.run("ls", "Texts_P.pak", &["--json"]).exits(0).json();
    assert_eq!(rows[0]["path"], "Town/Content/L10N/Game.locres");
    folder.run("verify", "Texts_P.pak", &[]).exits(0);
    let patch = folder.arg("Assets_P.pak");
    let file = "Game.pak/AssetRegistry.bin";
    let asset = "/Game/A.A_2";
    let changes = [
        format!("{asset}[Size]=512x512"),
        format!("{asset}[ChunkIDs]=3,4"),
        format!("{asset}[PackageFlags]=0x8"),
    ];
    let changes: Vec<&str> = changes.iter().map(String::as_str).collect();
    folder.run("set", file, &[&changes[..], &["-o", &patch]].concat()).exits(0);
    let rows = folder.run("get", "Assets_P.pak/AssetRegistry.bin", &[asset]).exits(0).out;
    assert_eq!(rows, "Class=Texture2D\nSize=512x512\nChunkIDs=3,4\nPackageFlags=0x8\n");
    for wrong in
        ["/Game/A.A_2[None]=1", "/Game/B.B[Size]=1", "/Game/A.A_2=1", "/Game/A.A_2[ChunkIDs]=x"]
    {
        folder.run("set", file, &[wrong, "--dry-run"]).exits(1);
    }
    folder.run("set", file, &[changes[0], "-o", &folder.arg("No_P.utoc")]).exits(2);
}

#[test]
fn backups_are_not_packed() {
    let folder = Folder::new();
    let (header, bodies) = package("Old", "/Game/Wood.Wood");
    folder.write("Mod/Town/Old.uasset", header);
    folder.write("Mod/Town/Old.uexp", bodies);
    folder.run("rename", "Mod/Town/Old.uasset", &["Old", "Oak", "--in-place"]).exits(0);
    assert!(folder.path("Mod/Town/Old.uasset.bak").exists());
    // What is only called so is a file of the mod.
    folder.write("Mod/Town/notes.bak", "mine");
    let out = folder.arg("Mod_P.pak");
    let run = folder.run("pack", "Mod", &["-o", &out]).exits(0);
    assert!(run.err.contains("2 backups of edits left out"), "{run:?}");
    let rows = folder.run("ls", "Mod_P.pak", &["--json"]).exits(0).json();
    let paths: Vec<_> = rows.iter().filter_map(|row| row["path"].as_str()).collect();
    assert_eq!(&paths[..3], ["Town/notes.bak", "Town/Old.uasset", "Town/Old.uexp"]);
}

#[test]
fn a_container_is_listed_and_its_packages_are_packages() {
    let folder = folder();
    let rows = folder.run("ls", "Game.pak", &["--json"]).exits(0).json();
    assert_eq!(rows.len(), 6);
    assert_eq!(rows[5]["files"], 5);
    assert_eq!(rows[0]["path"], "Town/Config/Game.ini");
    let one = folder.run("ls", "Game.pak/Town/Config", &[]).exits(0).out;
    assert!(one.contains("Game.ini") && !one.contains("Old"), "{one}");
    for file in
        ["Game.pak/Town/Content/Old.uasset", "Game.pak/content/OLD.uasset", "Game.pak/Old.uasset"]
    {
        let list = folder.run("list", file, &["--json"]).exits(0).json();
        assert_eq!(list[0]["path"], "Old", "{file}");
        folder.run("info", file, &[]).exits(0);
        folder.run("explain", file, &["--range", "0..8"]).exits(0);
        folder.run("to-json", file, &[]).exits(0);
    }
    let same = folder.arg("Game.pak/Old.uasset");
    folder.run("diff", "Game.pak/Old.uasset", &[&same]).exits(0);
    let run = folder.run("info", "Game.pak/Olt.uasset", &[]).exits(2);
    assert!(run.err.contains("did you mean 'Old.uasset'"), "{run:?}");
    assert!(run.err.contains("upk ls"), "{run:?}");
    // A container is no package, and says what to do.
    let run = folder.run("info", "Game.pak", &[]).exits(2);
    assert!(run.err.contains("it is a container") && run.err.contains("upk ls FILE"), "{run:?}");
    folder.run("ls", "Game.pak/Nothing", &[]).exits(2);
    folder.write("Mod.u", common::small_package(69));
    folder.run("ls", "Mod.u", &[]).exits(2);
}

#[test]
fn encrypted_containers_need_their_key() {
    let folder = folder();
    let run = folder.run("ls", "Locked.pak", &[]).exits(2);
    assert!(run.err.contains("encrypted") && run.err.contains("--key"), "{run:?}");
    let run = folder.run("info", "Locked.pak", &[]).exits(2);
    assert!(run.err.contains("an encrypted container"), "{run:?}");
    let wrong = KEY.replace("07", "08");
    let run = folder.run("ls", "Locked.pak", &["--key", &wrong]).exits(2);
    assert!(run.err.contains("the key does not fit"), "{run:?}");
    folder.run("ls", "Locked.pak", &["--key", "short"]).exits(2);
    folder.run("ls", "Locked.pak", &["--key", &wrong, "--key", KEY]).exits(0);
    folder.run("info", "Locked.pak/Old.uasset", &["--key", KEY]).exits(0);
    let rows = folder.run("verify", "Locked.pak", &["--json"]).exits(0).json();
    assert_eq!(rows[0]["status"], "unsupported");
    let rows = folder.run("verify", "Locked.pak", &["--json", "--key", KEY]).exits(0).json();
    assert_eq!(rows.len(), 4);
    assert!(rows[..3].iter().all(|row| row["status"] == "identical"), "{rows:?}");
}

#[test]
fn verify_looks_at_every_hash_and_package() {
    let folder = folder();
    let rows = folder.run("verify", "Game.pak", &["--json"]).exits(0).json();
    assert_eq!(rows.len(), 4);
    assert_eq!(rows[0]["container_files"], 5);
    for row in &rows[..3] {
        assert_eq!(row["status"], "identical", "{row}");
        let sum = ["typed", "payload", "opaque", "gap"].map(|kind| row[kind].as_u64().unwrap());
        assert_eq!(sum.iter().sum::<u64>(), row["bytes"].as_u64().unwrap(), "{row}");
    }
    // A folder of containers, and a file that is damaged.
    let mut bytes = folder.read("Game.pak");
    bytes[90] ^= 1;
    folder.write("Damaged.pak", &bytes);
    let run = folder.run("verify", "", &["--key", KEY]).exits(1);
    assert!(run.out.contains("different    "), "{run:?}");
    assert!(run.out.contains("the SHA-1 of Town/"), "{run:?}");
    let run = folder.run("unpack", "Damaged.pak", &["-o", &folder.arg("Out")]).exits(1);
    assert!(run.err.contains("SHA-1") && run.out.contains("1 failed"), "{run:?}");
}

#[test]
fn unpack_pack_unpack_gives_the_same_files() {
    let folder = folder();
    folder.run("unpack", "Game.pak", &["-o", &folder.arg("One")]).exits(0);
    assert_eq!(folder.read("One/Town/Config/Game.ini"), b"[Game]");
    // What was unpacked are the packages.
    folder.run("verify", "One", &[]).exits(0);
    for (name, args) in [("A.pak", &[][..]), ("B.pak", &["--compress", "zlib", "--engine", "4.21"])]
    {
        let out = folder.arg(name);
        let args: Vec<&str> = ["-o", &out].into_iter().chain(args.iter().copied()).collect();
        folder.run("pack", "One", &args).exits(0);
        folder.run("pack", "One", &args).exits(2);
        let to = folder.arg(&format!("{name}.out"));
        folder.run("unpack", name, &["-o", &to]).exits(0);
        for file in ["Config/Game.ini", "Content/Old.uasset", "Content/User.uexp"] {
            let (one, two) = (format!("One/Town/{file}"), format!("{name}.out/Town/{file}"));
            assert_eq!(folder.read(&one), folder.read(&two), "{file}");
        }
    }
    // What is there stays.
    let run = folder.run("unpack", "Game.pak", &["-o", &folder.arg("One")]).exits(1);
    assert!(run.err.contains("is there already"), "{run:?}");
    // One folder, one file.
    folder.run("unpack", "Game.pak/Town/Config", &["-o", &folder.arg("Ini")]).exits(0);
    assert!(!folder.path("Ini/Town/Content").exists());
    // A container needs a name that says so, and IoStore a game.
    folder.run("pack", "One", &["-o", &folder.arg("Out.zip")]).exits(2);
    let run = folder.run("pack", "One", &["-o", &folder.arg("Out.utoc")]).exits(2);
    assert!(run.err.contains("--like"), "{run:?}");
    let args = ["-o", &folder.arg("Out.utoc"), "--engine", "5.4"];
    let run = folder.run("pack", "One", &args).exits(1);
    assert!(run.err.contains("Town/Content/Old.uasset: "), "{run:?}");
    assert!(!folder.path("Out.utoc").exists());
}

#[test]
fn a_change_makes_a_patch_and_never_touches_the_games_file() {
    let folder = folder();
    let before = folder.read("Game.pak");
    let file = "Game.pak/Old.uasset";
    let args = ["Old", "Oak", "--in-place"];
    let run = folder.run("rename", file, &args).exits(2);
    assert!(run.err.contains("never changed") && run.err.contains("_P.pak"), "{run:?}");
    for out in ["Game.pak", "Game.pak/Old.uasset", "Mod_P.utoc"] {
        let out = folder.arg(out);
        folder.run("rename", file, &["Old", "Oak", "-o", &out, "--overwrite"]).exits(2);
        assert_eq!(folder.read("Game.pak"), before);
    }
    // Nor by another spelling of its path, nor by packing a folder for it.
    let same = folder.arg("../").to_owned()
        + folder.path("").file_name().unwrap().to_str().unwrap()
        + "/Game.pak";
    folder.run("rename", file, &["Old", "Oak", "-o", &same, "--overwrite"]).exits(2);
    folder.run("unpack", "Game.pak", &["-o", &folder.arg("Files")]).exits(0);
    let game = folder.arg("Game.pak");
    folder.run("pack", "Files", &["-o", &game, "--like", &game, "--overwrite"]).exits(2);
    assert_eq!(folder.read("Game.pak"), before);
    let patch = folder.arg("Mod_P.pak");
    let report = folder.run("rename", file, &["Old", "Oak", "-o", &patch]).exits(0);
    assert!(report.out.contains("Mod_P.pak"), "{report:?}");
    folder.run("rename", file, &["Old", "Elm", "-o", &patch]).exits(2);
    assert_eq!(folder.read("Game.pak"), before);
    let rows = folder.run("ls", "Mod_P.pak", &["--json"]).exits(0).json();
    let paths: Vec<_> = rows[..rows.len() - 1].iter().map(|row| row["path"].clone()).collect();
    assert_eq!(paths, ["Town/Content/Old.uasset", "Town/Content/Old.uexp"]);
    let list = folder.run("list", "Mod_P.pak/Old.uasset", &["--json"]).exits(0).json();
    assert_eq!(list[0]["path"], "Oak");
    folder.run("verify", "Mod_P.pak", &[]).exits(0);
    // A package that lies in no container has no path in one.
    let out = folder.arg("Old.uasset");
    folder.run("rename", file, &["Old", "Ash", "-o", &out]).exits(0);
    assert!(folder.path("Old.uexp").exists());
    let run = folder.run("rename", "Old.uasset", &["Ash", "Fir", "-o", &folder.arg("X_P.pak")]);
    assert!(run.exits(2).err.contains("upk pack"));
}

#[test]
fn containers_are_an_environment_in_the_engines_order() {
    let folder = folder();
    let game = folder.arg("Game.pak");
    let uses = upk(&["uses", "/Game/Old.Old", &game, "--json"]).exits(0).json();
    assert_eq!(uses[0]["package"], "/Game/User");
    let user = folder.arg("Game.pak/User.uasset");
    let deps = upk(&["deps", &user, "--env", &game]).exits(0).out;
    assert!(deps.contains("/Game/Old"), "{deps}");
    let missing = upk(&["doctor", &game]).exits(1).out;
    assert!(
        missing.contains("/Game/Wood") && !missing.contains("package '/Game/Old'"),
        "{missing}"
    );
    // In a patch the object has another name: the patch is found first.
    std::fs::remove_file(folder.path("Locked.pak")).unwrap();
    let patch = folder.arg("Town_P.pak");
    folder.run("rename", "Game.pak/Old.uasset", &["Old", "Oak", "-o", &patch]).exits(0);
    let found = upk(&["doctor", &folder.arg("")]).exits(1).out;
    assert!(found.contains("/Game/Old.Old"), "{found}");
}

#[test]
fn doctor_reports_containers_that_cannot_be_opened() {
    let folder = folder();
    folder.write("Broken/Broken.pak", b"no container at all");
    folder.write("Closed/Locked.pak", folder.read("Locked.pak"));
    for (place, name) in [("Broken", "Broken.pak"), ("Closed", "Locked.pak")] {
        let rows = folder.run("doctor", place, &["--json"]).exits(1).json();
        assert_eq!(rows[0]["finding"], "unreadable", "{rows:?}");
        assert!(rows[0]["path"].as_str().unwrap().ends_with(name), "{rows:?}");
    }
    folder.run("doctor", "Closed", &["--key", KEY]).exits(1);
}

#[test]
fn packages_in_containers_of_two_folders_are_compared() {
    let folder = Folder::new();
    let packages = [package("Old", "/Game/Wood.Wood"), package("New", "/Game/Wood.Wood")];
    for (name, row, bodies) in [("old", 0, "cut"), ("new", 1, "off"), ("same", 0, "cut")] {
        let (header, body) = &packages[row];
        let damaged = [&header[..200], &[0; 9]].concat();
        let files: [(&str, &[u8]); 4] = [
            ("Town/A.uasset", header),
            ("Town/A.uexp", body),
            ("Town/Damaged.uasset", &damaged),
            ("Town/Damaged.uexp", bodies.as_bytes()),
        ];
        std::fs::create_dir(folder.path(name)).unwrap();
        container(&folder, &format!("{name}/Game.pak"), PakOptions::default(), &files);
    }
    let diff = |other: &str| {
        let run = folder.run("diff", "old", &[&folder.arg(other), "--json"]);
        let totals = run.json().pop().unwrap();
        let counts = ["changed", "failed", "renamed"].map(|key| totals[key].as_u64().unwrap());
        (run.code, counts)
    };
    assert_eq!(diff("same"), (0, [0, 0, 0]));
    assert_eq!(diff("new"), (2, [1, 1, 0]), "the damaged one differs, and can't be opened");
}
