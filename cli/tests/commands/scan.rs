//! Folders of packages as tables.

use std::time::{Duration, SystemTime};

use serde_json::Value;
use unreal_packages::container::AesKey;
use unreal_packages::container::pak::{PakOptions, PakWriter};
use unreal_packages::content::TextEdits;
use unreal_packages::edit::PackageEdit;
use unreal_packages::generate::Builder;
use unreal_packages::package::Package;
use unreal_packages::primitive::PackageFlags;
use unreal_packages::scan::TableKind;
use unreal_packages::{EngineRelease, Guid};

use crate::common::tables::{all_rows, batches, rows};
use crate::common::{Folder, command, upk};

/// A package with texts, a GUID and a name of its own.
fn with_texts(number: u32, texts: &[(&str, &str)]) -> Vec<u8> {
    let builder = Builder::new(69).guid(Guid::new(number, 0, 0, 0)).name(format!("Only{number}"));
    let bytes = builder.import("Core.Object", "Core.Class").build().unwrap();
    let mut package = Package::from_bytes(bytes).unwrap();
    let added = package
        .edit(|edit| texts.iter().try_for_each(|(name, text)| edit.add_text(name, text).map(drop)));
    added.unwrap();
    package.to_bytes().unwrap()
}

/// The same with one text.
fn package(number: u32, text: &str) -> Vec<u8> {
    with_texts(number, &[("Readme", text)])
}

pub fn scan(folder: &Folder, rest: &[&str]) -> Value {
    let (packages, out) = (folder.arg("packages"), folder.arg("depot"));
    let args: Vec<&str> =
        ["scan", &packages, "-o", &out, "--json"].into_iter().chain(rest.iter().copied()).collect();
    upk(&args).exits(0).object()
}

/// The tables are those of a scan that starts with nothing.
#[track_caller]
fn is_as_fresh(folder: &Folder) {
    let _ = std::fs::remove_dir_all(folder.path("fresh"));
    upk(&["scan", &folder.arg("packages"), "-o", &folder.arg("fresh")]);
    let (kept, fresh) = (all_rows(&folder.path("depot")), all_rows(&folder.path("fresh")));
    for (table, rows) in &fresh {
        assert_eq!(&kept[table], rows, "{table}");
    }
}

/// Rows in the files of a table, of former packages too.
fn stored(folder: &Folder, table: TableKind) -> usize {
    batches(&folder.path("depot"), table).iter().map(|batch| batch.num_rows()).sum()
}

fn folder_of(count: u32) -> Folder {
    let folder = Folder::new();
    for number in 0..count {
        folder.write(&format!("packages/Mod{number}.u"), package(number, "first"));
    }
    folder
}

/// A column of a table by its name.
fn column(table: TableKind, name: &str) -> usize {
    table.columns().iter().position(|column| column.name == name).unwrap()
}

#[test]
fn packages_say_who_has_saved_them_for_which_game() {
    let folder = Folder::new();
    let write = |name: &str, builder: Builder| {
        folder.write(&format!("packages/{name}"), builder.build().unwrap());
    };
    write("Mod.u", Builder::new(69).import("Botpack.Enforcer", "Core.Class"));
    write("Old.u", Builder::new(60).import("UnrealShare.Light", "Core.Class"));
    write("Skins.utx", Builder::new(69).import("Engine.Texture", "Core.Class"));
    write("Kit.udk", Builder::new(868));
    write("New.uasset", Builder::for_release(EngineRelease::new(5, 4)));
    let cooked = PackageFlags(0x8000_0200);
    write("Cooked.uasset", Builder::for_release(EngineRelease::new(4, 27)).flags(cooked));
    scan(&folder, &[]);
    let packages = rows(&folder.path("depot"), TableKind::Packages);
    let of = |name: &str, wanted: &str| {
        let path = column(TableKind::Packages, "relative_path");
        let row = packages.iter().find(|row| row[path].as_deref() == Some(name)).unwrap();
        row[column(TableKind::Packages, wanted)].clone()
    };
    for (name, title, release, by) in [
        ("Mod.u", Some("ut99"), None, None),
        ("Old.u", Some("unreal"), None, None),
        ("Skins.utx", None, None, None),
        ("Kit.udk", Some("udk"), None, Some("editor")),
        ("New.uasset", None, Some("5.4"), Some("editor")),
        ("Cooked.uasset", None, Some("4.26-4.27"), Some("cooker")),
    ] {
        assert_eq!(of(name, "title").as_deref(), title, "{name}");
        assert_eq!(of(name, "release").as_deref(), release, "{name}");
        assert_eq!(of(name, "saved_by").as_deref(), by, "{name}");
        assert_eq!(of(name, "sha1"), None, "{name}");
    }
    let version = of("New.uasset", "engine_version").unwrap();
    assert!(version.starts_with("5.4."), "{version}");
    // Other hashes where they are asked for: then every file is read again.
    let report = scan(&folder, &["--hashes", "sha1,md5"]);
    assert_eq!(report["opened"], 6, "{report}");
    let packages = rows(&folder.path("depot"), TableKind::Packages);
    let [path, sha1, md5] =
        ["relative_path", "sha1", "md5"].map(|name| column(TableKind::Packages, name));
    for (tool, at) in [("sha1sum", sha1), ("md5sum", md5)] {
        for row in &packages {
            let file = folder.path(&format!("packages/{}", row[path].as_deref().unwrap()));
            let Ok(output) = std::process::Command::new(tool).arg(&file).output() else { continue };
            let wanted = String::from_utf8(output.stdout).unwrap();
            assert_eq!(row[at].as_deref(), wanted.split(' ').next(), "{tool} {}", file.display());
        }
    }
    assert_eq!(scan(&folder, &["--hashes", "sha1,md5"])["unchanged"], 6);
    let (packages, out) = (folder.arg("packages"), folder.arg("depot"));
    upk(&["scan", &packages, "-o", &out, "--hashes", "crc32"]).exits(2);
}

#[test]
fn tags_of_assets_are_rows() {
    let folder = Folder::new();
    let out = folder.path("packages/DT.uasset");
    std::fs::create_dir_all(folder.path("packages")).unwrap();
    let csv = folder.write("Rows.csv", "---,Damage:float\nSword,12\n").display().to_string();
    let args = ["new", "data-table", "--engine", "5.4", "--package", "/Game/DT", "--row-struct"];
    let rest = ["/Script/Game.Row", "-o", out.to_str().unwrap(), &csv];
    upk(&[&args[..], &rest].concat()).exits(0);
    scan(&folder, &["--tables", "tags"]);
    let tags = rows(&folder.path("depot"), TableKind::Tags);
    let row: Vec<_> = tags[0][1..].iter().map(|cell| cell.as_deref().unwrap()).collect();
    assert_eq!(row[..3], ["DT", "/Script/Engine.DataTable", "RowStructure"], "{tags:?}");
    assert!(row[3].contains("/Script/Game.Row"), "{tags:?}");
}

#[test]
fn tables_hold_what_packages_hold() {
    let folder = folder_of(3);
    folder.write("packages/Broken.u", &package(9, "x")[..40]);
    folder.write("packages/readme.txt", "no package");
    let report = scan(&folder, &[]);
    assert_eq!((&report["packages"], &report["failed"]), (&4.into(), &1.into()), "{report}");
    let packages = rows(&folder.path("depot"), TableKind::Packages);
    let status = |row: &Vec<Option<String>>| row[25].clone().unwrap();
    assert_eq!(packages.iter().filter(|row| status(row) == "opened").count(), 3);
    let broken = packages.iter().find(|row| status(row) == "failed").unwrap();
    assert!(broken[26].as_ref().unwrap().contains("needed"), "{broken:?}");
    let findings = rows(&folder.path("depot"), TableKind::Findings);
    assert_eq!(findings.len(), 1);
    assert_eq!(findings[0][1].as_deref(), Some("unreadable"));
    // Equal bodies have equal hashes, whatever the package.
    let exports = rows(&folder.path("depot"), TableKind::Exports);
    let texts: Vec<_> =
        exports.iter().filter(|row| row[3].as_deref() == Some("Core.TextBuffer")).collect();
    assert_eq!(texts.len(), 3);
    assert!(texts.iter().all(|row| row[10].is_some() && row[10] == texts[0][10]), "{texts:?}");
    let imports = rows(&folder.path("depot"), TableKind::Imports);
    assert!(imports.iter().any(|row| row[2].as_deref() == Some("Core.Object")));
    assert!(
        std::fs::read_to_string(folder.path("depot/tables.sql")).unwrap().contains("SEMI JOIN")
    );
    upk(&["scan", &folder.arg("nowhere"), "-o", &folder.arg("depot")]).exits(2);
    upk(&["scan", &folder.arg("packages"), "-o", &folder.arg("depot"), "--tables", "export"])
        .exits(2);
}

#[test]
fn what_is_no_package_is_opened_once() {
    let folder = folder_of(2);
    for name in ["a", "many/b", "z.doc"] {
        folder.write(&format!("packages/{name}"), b"no package");
    }
    assert_eq!(scan(&folder, &[])["opened"], 5);
    let again = scan(&folder, &[]);
    assert_eq!((&again["opened"], &again["unchanged"]), (&0.into(), &5.into()), "{again}");
    // Another key may open what looked like nothing.
    assert_eq!(scan(&folder, &["--game", "mainline"])["opened"], 5);
    assert_eq!(scan(&folder, &["--game", "mainline", "--fresh"])["opened"], 5);
    folder.write("packages/many/b", package(7, "a package after all"));
    std::fs::remove_file(folder.path("packages/a")).unwrap();
    let changed = scan(&folder, &["--game", "mainline"]);
    let numbers =
        ["packages", "opened", "added", "removed"].map(|key| changed[key].as_u64().unwrap());
    assert_eq!(numbers, [3, 1, 1, 0], "{changed}");
    std::fs::remove_file(folder.path("packages/z.doc")).unwrap();
    assert_eq!(scan(&folder, &["--game", "mainline"])["opened"], 0);
    assert!(!folder.path("depot/.scan-others").exists(), "there are none any more");
}

#[test]
fn only_what_has_changed_is_opened() {
    let folder = folder_of(20);
    assert_eq!(scan(&folder, &[])["opened"], 20);
    let again = scan(&folder, &[]);
    assert_eq!((&again["opened"], &again["unchanged"]), (&0.into(), &20.into()), "{again}");
    // Another time and the same bytes: the content decides.
    let file = std::fs::File::options().append(true).open(folder.path("packages/Mod3.u")).unwrap();
    file.set_modified(SystemTime::now() + Duration::from_secs(10)).unwrap();
    let touched = scan(&folder, &[]);
    assert_eq!((&touched["opened"], &touched["same_content"]), (&1.into(), &1.into()), "{touched}");
    assert_eq!(scan(&folder, &[])["opened"], 0, "its time is known now");
    is_as_fresh(&folder);
    folder.write("packages/Mod4.u", package(4, "another text"));
    std::fs::remove_file(folder.path("packages/Mod5.u")).unwrap();
    folder.write("packages/New.u", package(99, "new"));
    let changed = scan(&folder, &[]);
    let numbers =
        ["packages", "opened", "added", "removed"].map(|key| changed[key].as_u64().unwrap());
    assert_eq!(numbers, [20, 2, 2, 1], "{changed}");
    is_as_fresh(&folder);
    std::fs::rename(folder.path("packages"), folder.path("elsewhere")).unwrap();
    std::fs::create_dir(folder.path("packages")).unwrap();
    let (packages, out) = (folder.arg("packages"), folder.arg("depot"));
    let empty = upk(&["scan", &packages, "-o", &out, "--json"]).exits(1).object();
    assert_eq!((&empty["packages"], &empty["removed"]), (&0.into(), &20.into()), "{empty}");
    is_as_fresh(&folder);
    assert_eq!(stored(&folder, TableKind::Exports), 0);
}

#[test]
fn containers_are_folders_and_backups_are_none() {
    let folder = folder_of(2);
    let key = Some((Guid::default(), AesKey::new([7; 32])));
    for (name, key) in [("Game.pak", None), ("Locked.pak", key)] {
        let mut bytes = Vec::new();
        let mut writer = PakWriter::new(&mut bytes, PakOptions { key, ..PakOptions::default() });
        // Names of UE4: a package of another engine is one all the same.
        writer.add("Town/Content/Mod8.uasset", &package(8, "in a container")).unwrap();
        writer.add("Town/Config/Game.ini", b"[Game]").unwrap();
        writer.finish().unwrap();
        folder.write(&format!("packages/{name}"), bytes);
    }
    folder.write("packages/Mod1.u.bak", package(1, "former"));
    folder.write("packages/Alone.u.bak", package(3, "alone"));
    let (packages, out) = (folder.arg("packages"), folder.arg("depot"));
    // What is locked is a row with its error, and the scan says so.
    let run = upk(&["scan", &packages, "-o", &out, "--json"]).exits(1);
    assert!(run.err.contains("Locked.pak") && run.err.contains("--key"), "{run:?}");
    assert_eq!(run.object()["packages"], 5);
    let key = format!("0x{}", "07".repeat(32));
    let both = scan(&folder, &["--key", &key]);
    assert_eq!((&both["packages"], &both["unchanged"]), (&5.into(), &4.into()), "{both}");
    let rows = rows(&folder.path("depot"), TableKind::Packages);
    let contained: Vec<_> =
        rows.iter().filter(|row| row[1].as_ref().unwrap().ends_with("Mod8.uasset")).collect();
    assert_eq!(contained.len(), 2);
    for row in contained {
        assert_eq!(row[25].as_deref(), Some("opened"));
        assert_eq!(row[4].as_ref().unwrap(), &package(8, "in a container").len().to_string());
    }
    // A container that was written later is looked into again.
    assert_eq!(scan(&folder, &["--key", &key])["opened"], 0);
    let file = std::fs::File::options().append(true).open(folder.path("packages/Game.pak"));
    file.unwrap().set_modified(SystemTime::now() + Duration::from_secs(10)).unwrap();
    let again = scan(&folder, &["--key", &key]);
    assert_eq!((&again["opened"], &again["same_content"]), (&1.into(), &1.into()), "{again}");
}

#[test]
fn former_rows_count_for_nothing_and_go() {
    let folder = folder_of(40);
    scan(&folder, &[]);
    let all = stored(&folder, TableKind::Exports);
    let first = package(7, "first");
    folder.write("packages/Mod7.u", package(7, "second, which is longer"));
    scan(&folder, &[]);
    assert_eq!(stored(&folder, TableKind::Exports), all + 1, "the former rows are there");
    assert_eq!(stored(&folder, TableKind::Packages), 40);
    is_as_fresh(&folder);
    // A content that comes back must not meet its former rows.
    folder.write("packages/Mod7.u", &first);
    scan(&folder, &[]);
    is_as_fresh(&folder);
    folder.write("packages/Mod8.u", package(8, "second"));
    scan(&folder, &["--compact"]);
    assert_eq!(stored(&folder, TableKind::Exports), all);
    is_as_fresh(&folder);
    // Many are taken out without being asked for.
    for number in 10..30 {
        folder.write(
            &format!("packages/Mod{number}.u"),
            package(number, "third, the longest of all"),
        );
    }
    assert!(scan(&folder, &[])["compacted"].as_u64().unwrap() > 0);
    assert_eq!(stored(&folder, TableKind::Exports), all);
    is_as_fresh(&folder);
}

#[test]
fn many_small_scans_leave_few_files() {
    let folder = folder_of(4);
    scan(&folder, &[]);
    for number in 10..40 {
        folder.write(&format!("packages/Mod{number}.u"), package(number, "one at a time"));
        scan(&folder, &[]);
    }
    let files = std::fs::read_dir(folder.path("depot/exports")).unwrap().count();
    assert!(files <= 17, "{files} files");
    is_as_fresh(&folder);
}

#[test]
fn half_of_a_scan_is_not_taken_for_a_whole_one() {
    let folder = folder_of(10);
    scan(&folder, &[]);
    let first = |table: &str| {
        let mut files: Vec<_> = std::fs::read_dir(folder.path("depot").join(table))
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .collect();
        files.sort();
        files.remove(0)
    };
    // Killed before the packages had their name, or while it wrote.
    std::fs::rename(first("packages"), folder.path("depot/packages/.draft-00000001.parquet"))
        .unwrap();
    assert_eq!(scan(&folder, &[])["opened"], 10);
    is_as_fresh(&folder);
    assert!(!folder.path("depot/packages/.draft-00000001.parquet").exists());
    // Cut short by a loss of power.
    let exports = first("exports");
    let bytes = std::fs::read(&exports).unwrap();
    std::fs::write(&exports, &bytes[..bytes.len() / 2]).unwrap();
    assert_eq!(scan(&folder, &[])["opened"], 10);
    is_as_fresh(&folder);
    // Written, and the older shard not yet without its rows.
    let older = first("packages");
    let kept = std::fs::read(&older).unwrap();
    folder.write("packages/Mod1.u", package(1, "changed"));
    scan(&folder, &[]);
    std::fs::write(&older, kept).unwrap();
    assert_eq!(scan(&folder, &[])["opened"], 0);
    is_as_fresh(&folder);
}

#[test]
fn killed_scans_go_on() {
    let folder = folder_of(600);
    let out = folder.arg("depot");
    let start = std::time::Instant::now();
    upk(&["scan", &folder.arg("packages"), "-o", &folder.arg("fresh")]).exits(0);
    // The clock only chooses the moments; what is there afterwards must be whole at any.
    let whole = start.elapsed();
    for part in 0..10_u32 {
        let mut run = command(&["scan", &folder.arg("packages"), "-o", &out]);
        let mut child = run.stdout(std::process::Stdio::null()).spawn().unwrap();
        std::thread::sleep(whole * part / 12);
        child.kill().unwrap();
        child.wait().unwrap();
    }
    scan(&folder, &[]);
    is_as_fresh(&folder);
}

#[test]
fn other_options_start_over() {
    let folder = folder_of(3);
    scan(&folder, &["--tables", "exports,names"]);
    assert!(!folder.path("depot/refs").exists());
    assert_eq!(scan(&folder, &["--tables", "names,exports"])["opened"], 0);
    assert_eq!(scan(&folder, &[])["opened"], 3);
    is_as_fresh(&folder);
    assert_eq!(scan(&folder, &["--game", "mainline"])["opened"], 3);
    assert_eq!(scan(&folder, &["--game", "mainline", "--fresh"])["opened"], 3);
    assert_eq!(stored(&folder, TableKind::Packages), 3);
}

/// Files that are called like packages and are none.
fn with_broken() -> Folder {
    let folder = Folder::new();
    folder.write("packages/Good.u", package(1, "good"));
    folder.write("packages/Zeros.utx", [0; 2000]);
    folder.write("packages/Empty.u", "");
    folder.write("packages/Pointer.uasset", "version https://git-lfs.github.com/spec/v1\n");
    folder.write("packages/readme.txt", "no package");
    folder
}

#[test]
fn broken_packages_are_listed_everywhere() {
    let folder = with_broken();
    let verified = folder.run("verify", "packages", &["--json"]).exits(1).json();
    let paths: Vec<_> = verified.iter().filter_map(|row| row["path"].as_str()).collect();
    assert_eq!(paths.len(), 4, "{paths:?}");
    let report = scan(&folder, &[]);
    assert_eq!((&report["packages"], &report["failed"]), (&4.into(), &3.into()), "{report}");
    let scanned = format!("{:?}", rows(&folder.path("depot"), TableKind::Packages));
    let is_scanned = |path: &&str| scanned.contains(&path.escape_debug().to_string());
    assert!(paths.iter().all(is_scanned), "{scanned}");
    // What is known to be broken is so in the next scan.
    assert_eq!(scan(&folder, &[])["packages"], 4);
    is_as_fresh(&folder);
    for args in [
        ["doctor", "--scan", &folder.arg("depot")].as_slice(),
        &["doctor", &folder.arg("packages")],
    ] {
        let run = upk(args).exits(1);
        for name in ["Zeros.utx", "Empty.u", "Pointer.uasset"] {
            assert!(run.out.contains(name), "{name}: {run:?}");
        }
    }
    assert!(upk(&["grep", "good", &folder.arg("packages")]).exits(2).err.contains("Zeros.utx"));
}

#[test]
fn folders_with_broken_packages_are_compared() {
    let folder = with_broken();
    folder.write("old/Good.u", package(1, "good"));
    folder.write("old/Zeros.utx", package(2, "fine"));
    folder.write("old/Junk.unr", "junk");
    folder.write("packages/Junk.unr", "other junk");
    let (old, new) = (folder.arg("old"), folder.arg("packages"));
    let run = upk(&["diff", &old, &new]).exits(2);
    for (text, name) in [(&run.err, "Zeros.utx"), (&run.err, "Junk.unr"), (&run.out, "+ Empty.u")] {
        assert!(text.contains(name), "{name}: {run:?}");
    }
    assert!(!run.out.contains("- Zeros.utx") && run.out.contains("+ readme.txt"), "{run:?}");
    assert!(run.err.contains("2 packages can't be compared"), "{run:?}");
    // What is broken on both sides alike is the same.
    upk(&["diff", &new, &new]).exits(0);
}

#[test]
fn folders_are_compared_package_by_package() {
    let folder = Folder::new();
    for side in ["old", "new"] {
        folder.write(&format!("{side}/Same.u"), package(1, "same"));
    }
    folder.write("old/Gone.u", package(2, "gone"));
    folder.write("new/Came.u", package(3, "came"));
    folder.write("old/A.u", package(4, "moved as a whole"));
    folder.write("new/Sub/B.u", package(4, "moved as a whole"));
    folder.write("old/Changed.u", package(5, "before"));
    folder.write("new/Changed.u", package(5, "after!"));
    // A text that is in another package now.
    let wanders = ("Wanderer", "it wanders");
    folder.write("old/One.u", with_texts(6, &[("Stays", "stays"), wanders]));
    folder.write("new/One.u", with_texts(6, &[("Stays", "stays")]));
    folder.write("old/Two.u", with_texts(7, &[("Else", "else")]));
    folder.write("new/Two.u", with_texts(7, &[("Else", "else"), ("Nomad", "it wanders")]));
    let (old, new) = (folder.arg("old"), folder.arg("new"));
    let run = upk(&["diff", &old, &new, "--summary"]).exits(1);
    for line in [
        "- Gone.u",
        "+ Came.u",
        "> A.u -> Sub/B.u",
        "~ Changed.u",
        "~ Readme (Core.TextBuffer)",
        "> One.u: Wanderer -> Two.u: Nomad (Core.TextBuffer)",
        "1 added, 1 removed, 1 renamed, 3 changed; 1 object elsewhere",
    ] {
        assert!(run.out.lines().any(|known| known == line), "{line}: {run:?}");
    }
    let rows = upk(&["diff", &old, &new, "--json"]).exits(1).json();
    let changed = rows.iter().find(|row| row["package"] == "Changed.u").unwrap();
    assert_eq!(changed["changed"][0]["path"], "Readme");
    assert_eq!(rows.last().unwrap()["moved_objects"], 1);
    upk(&["diff", &old, &old]).exits(0);
    upk(&["diff", &old, &folder.arg("new/Same.u")]).exits(2);
    folder.write("new/Changed.u", &package(5, "after!")[..50]);
    upk(&["diff", &old, &new]).exits(2);
}
