//! A scan replaces and removes what scans have written, and nothing else.

use std::time::{Duration, UNIX_EPOCH};

use unreal_packages::scan::{TableKind, TableSet, content_hash};

use crate::common::tables::all_rows;
use crate::common::{Folder, Run, small_package, upk};

fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("packages/Mod.u", small_package(69));
    folder
}

fn scan(folder: &Folder) -> Run {
    upk(&["scan", &folder.arg("packages"), "-o", &folder.arg("depot")])
}

/// A scan refuses this folder, names the file, and leaves everything as it is.
#[track_caller]
fn is_refused(folder: &Folder, name: &str) {
    let before = folder.read(name);
    let run = scan(folder).exits(1);
    assert!(run.err.contains(&folder.arg(name)), "{name}: {run:?}");
    assert_eq!(folder.read(name), before, "{name}");
}

#[test]
fn files_that_no_scan_has_written_stay() {
    for name in [
        "depot/tables.sql",
        "depot/exports/00000001.parquet",
        "depot/packages/00000007.parquet",
        "depot/refs/.draft-00000001.parquet",
        "depot/refs/.draft-0123456789abcdef-00000001.parquet",
        "depot/.scan-manifest",
        "depot/.scan-others",
    ] {
        let folder = folder();
        folder.write(name, b"mine");
        is_refused(&folder, name);
        // The same once a scan has written there.
        std::fs::remove_file(folder.path(name)).unwrap();
        scan(&folder).exits(0);
        folder.write(name, b"mine");
        is_refused(&folder, name);
    }
    // What a scan would touch in no case is in nobody's way.
    let folder = folder();
    for name in ["depot/readme.txt", "depot/exports/mine.parquet", "depot/mine/00000001.parquet"] {
        folder.write(name, b"mine");
    }
    scan(&folder).exits(0);
    std::fs::remove_file(folder.path("packages/Mod.u")).unwrap();
    folder.write("packages/Other.u", small_package(68));
    upk(&["scan", &folder.arg("packages"), "-o", &folder.arg("depot"), "--fresh", "--compact"])
        .exits(0);
    for name in ["depot/readme.txt", "depot/exports/mine.parquet", "depot/mine/00000001.parquet"] {
        assert_eq!(folder.read(name), b"mine", "{name}");
    }
}

#[test]
fn a_file_that_was_changed_since_is_not_its_own_any_more() {
    let folder = folder();
    scan(&folder).exits(0);
    let views = folder.read("depot/tables.sql");
    folder.write("depot/tables.sql", [&views[..], b"CREATE VIEW mine AS SELECT 1;\n"].concat());
    is_refused(&folder, "depot/tables.sql");
    folder.write("depot/tables.sql", &views);
    // Of the same size, and seen when it would go.
    let mut table = folder.read("depot/names/00000001.parquet");
    let middle = table.len() / 2;
    table[middle] ^= 1;
    folder.write("depot/names/00000001.parquet", &table);
    folder.write("packages/Mod.u", small_package(68));
    is_refused(&folder, "depot/names/00000001.parquet");
    assert!(folder.path("depot/packages/00000001.parquet").exists());
}

/// Folders of scans that kept no list, and those that were copied.
#[test]
fn tables_of_former_versions_count_as_written_by_a_scan() {
    let folder = folder();
    scan(&folder).exits(0);
    std::fs::remove_file(folder.path("depot/.scan-manifest")).unwrap();
    folder.write("packages/Mod.u", small_package(68));
    scan(&folder).exits(0);
    upk(&["scan", &folder.arg("packages"), "-o", &folder.arg("fresh")]).exits(0);
    assert_eq!(all_rows(&folder.path("depot")), all_rows(&folder.path("fresh")));
}

/// Its lines are those of tables, to the last letter.
#[test]
fn views_of_the_users_own_are_not_taken_for_a_scans() {
    let folder = folder();
    scan(&folder).exits(0);
    std::fs::remove_file(folder.path("depot/.scan-manifest")).unwrap();
    let text = String::from_utf8(folder.read("depot/tables.sql")).unwrap();
    for mine in [
        "CREATE OR REPLACE VIEW mine AS SELECT 1;\n".to_owned(),
        text.lines().nth(1).unwrap().replace("packages", "mine"),
        text.lines().nth(1).unwrap().replace(");", ") WHERE bytes > 1;"),
        text.lines().nth(1).unwrap().replace("packages/", "exports/").replace("packages\\", "exports\\"),
        "CREATE OR REPLACE VIEW packages AS SELECT * FROM read_parquet('x') -- ('/packages/*.parquet');"
            .to_owned(),
    ] {
        folder.write("depot/tables.sql", format!("{text}{mine}"));
        is_refused(&folder, "depot/tables.sql");
        // What was looked at then is not listed by that.
        std::fs::remove_file(folder.path("depot/.scan-manifest")).unwrap();
    }
    // Those of a folder that was moved are a scan's, whatever its name.
    for place in ["/else where/it''s", "C:\\depot"] {
        let line = text.lines().nth(1).unwrap();
        let (before, rest) = line.split_once('\'').unwrap();
        let end = rest.rfind("packages").unwrap() - 1;
        let line = format!("{before}'{place}{}", &rest[end..]);
        folder.write("depot/tables.sql", format!("{}\n{line}\n", text.lines().next().unwrap()));
        scan(&folder).exits(0);
        assert_eq!(folder.read("depot/tables.sql"), text.as_bytes());
        std::fs::remove_file(folder.path("depot/.scan-manifest")).unwrap();
    }
}

/// Whoever brings the list along can name any file in it.
#[test]
fn a_list_from_elsewhere_gives_no_right_to_remove() {
    let folder = folder();
    let other = self::folder();
    scan(&other).exits(0);
    let text = String::from_utf8(other.read("depot/.scan-manifest")).unwrap();
    let proof = text.lines().find(|line| line.starts_with("proof ")).unwrap();
    let zeros = "0".repeat(64);
    let long = "drafts 1\n".repeat(2000);
    for lines in [
        format!("drafts 0\nfile {zeros} 99999999 packages/00000007.parquet\n"),
        format!("drafts 0\nfile {zeros} 99999999 packages/00000007.parquet\n{proof}\n"),
        format!("drafts 0\n{long}file {zeros} 99999999 packages/00000007.parquet\n{proof}\n"),
    ] {
        for (name, content) in [
            ("depot/packages/.draft-0-precious.txt", &b"mine"[..]),
            ("depot/packages/.draft-0-00000001.parquet", b"mine"),
            ("depot/packages/00000007.parquet", &[0; 100]),
            ("depot/packages/00000007.parquet", b""),
        ] {
            folder.write("depot/.scan-manifest", format!("farchive scan 1\n{lines}"));
            folder.write(name, content);
            is_refused(&folder, name);
            // Nor the next time, when the list is this folder's own.
            is_refused(&folder, name);
            std::fs::remove_dir_all(folder.path("depot")).unwrap();
        }
    }
}

/// What the list of other files names nobody looks at: brought along, it would hide packages.
#[test]
fn a_list_of_other_files_from_elsewhere_hides_nothing() {
    let folder = folder();
    folder.write("packages/notes.doc", b"no package");
    let opened = |folder: &Folder| {
        let (packages, out) = (folder.arg("packages"), folder.arg("depot"));
        upk(&["scan", &packages, "-o", &out, "--json"]).exits(0).object()["opened"].clone()
    };
    assert_eq!(opened(&folder), 2);
    let list = String::from_utf8(folder.read("depot/.scan-others")).unwrap();
    assert!(list.lines().nth(1).unwrap().ends_with("notes.doc"), "{list}");
    // As a download brings it: with the list of what scans have written, which names it as it is.
    let copy = self::folder();
    let (there, here) = (folder.arg("packages"), copy.arg("packages"));
    let row = list.lines().nth(1).unwrap();
    let modified = row.split(' ').nth(1).unwrap();
    let bytes = copy.read("packages/Mod.u").len();
    let hiding = list.replace(row, &format!("{bytes} {modified} {here}/Mod.u"));
    assert!(!hiding.contains(&there), "{hiding}");
    let (hash, size) = (content_hash(hiding.as_bytes()), hiding.len());
    let listed = String::from_utf8(folder.read("depot/.scan-manifest")).unwrap();
    copy.write("depot/.scan-manifest", format!("{listed}file {hash} {size} .scan-others\n"));
    copy.write("depot/.scan-others", hiding);
    let since = UNIX_EPOCH + Duration::from_nanos(modified.parse().unwrap());
    let file = std::fs::File::options().append(true).open(copy.path("packages/Mod.u")).unwrap();
    file.set_modified(since).unwrap();
    assert_eq!(opened(&copy), 1);
    assert_eq!(opened(&copy), 0);
}

/// What a list says of content is right wherever it is.
#[test]
fn a_copy_of_the_tables_is_brought_up_to_date() {
    let folder = folder();
    scan(&folder).exits(0);
    let copy = self::folder();
    copy.write("packages/Mod.u", small_package(68));
    for table in TableSet::USUAL.iter() {
        let name = format!("depot/{table}/00000001.parquet");
        copy.write(&name, folder.read(&name));
    }
    for name in ["depot/tables.sql", "depot/.scan-manifest"] {
        copy.write(name, folder.read(name));
    }
    scan(&copy).exits(0);
    upk(&["scan", &copy.arg("packages"), "-o", &copy.arg("fresh")]).exits(0);
    assert_eq!(all_rows(&copy.path("depot")), all_rows(&copy.path("fresh")));
}

#[test]
fn numbers_that_no_scan_gives_are_no_shards() {
    let folder = folder();
    scan(&folder).exits(0);
    let shard = |number| folder.path(&format!("depot/packages/{number:08}.parquet"));
    let names = ["18446744073709551615", "018446744073709551614", "1", "+0000001"];
    for (name, number) in names.into_iter().zip(1..) {
        std::fs::remove_file(folder.path("depot/.scan-manifest")).unwrap();
        let moved = folder.path(&format!("depot/packages/{name}.parquet"));
        std::fs::rename(shard(number), &moved).unwrap();
        scan(&folder).exits(0);
        assert!(moved.exists() && shard(number + 1).exists(), "{name}");
        std::fs::remove_file(moved).unwrap();
    }
    // One that is a shard's, behind which there is no room.
    std::fs::rename(shard(5), shard(u64::MAX - 1)).unwrap();
    let run = scan(&folder).exits(1);
    assert!(run.err.contains("has no numbers left for files"), "{run:?}");
}

#[cfg(unix)]
#[test]
fn links_in_its_folder_lead_nowhere() {
    use std::os::unix::fs::symlink;
    let folder = folder();
    folder.write("mine", b"mine");
    std::fs::create_dir(folder.path("depot")).unwrap();
    for (name, target) in [("depot/.lock", "../mine"), ("depot/.lock", "../nothing")] {
        symlink(target, folder.path(name)).unwrap();
        scan(&folder).exits(1);
        assert_eq!(folder.read("mine"), b"mine");
        assert!(!folder.path("nothing").exists());
        std::fs::remove_file(folder.path(name)).unwrap();
    }
    let _ = std::fs::remove_dir_all(folder.path("depot"));
    // Another scan's list, of so many lines that it would be written anew.
    let list = format!("farchive scan 1\n{}", "drafts 1\n".repeat(2000));
    folder.write("list", &list);
    std::fs::create_dir(folder.path("depot")).unwrap();
    symlink("../list", folder.path("depot/.scan-manifest")).unwrap();
    let run = scan(&folder).exits(1);
    assert!(run.err.contains(".scan-manifest is not read: it is a link"), "{run:?}");
    assert_eq!(folder.read("list"), list.as_bytes());
    let _ = std::fs::remove_dir_all(folder.path("depot"));
    scan(&folder).exits(0);
    std::fs::rename(folder.path("depot/refs"), folder.path("elsewhere")).unwrap();
    symlink("../elsewhere", folder.path("depot/refs")).unwrap();
    let run = scan(&folder).exits(1);
    assert!(run.err.contains("refs is not read: it is a link"), "{run:?}");
    std::fs::remove_file(folder.path("depot/refs")).unwrap();
    std::fs::rename(folder.path("elsewhere"), folder.path("depot/refs")).unwrap();
    std::fs::rename(folder.path("depot/tables.sql"), folder.path("tables.sql")).unwrap();
    symlink("../tables.sql", folder.path("depot/tables.sql")).unwrap();
    is_refused(&folder, "depot/tables.sql");
}

#[test]
fn the_folder_of_the_tables_is_not_scanned() {
    let folder = folder();
    let packages = folder.arg("packages");
    for (place, out) in
        [(&*packages, packages.clone()), (&folder.arg("packages/Mod.u"), packages.clone())]
    {
        let run = upk(&["scan", place, "-o", &out]).exits(2);
        assert!(run.err.contains("they are one"), "{run:?}");
    }
    assert!(!folder.path("packages/packages").exists());
    let out = folder.arg("packages/depot");
    upk(&["scan", &packages, "-o", &out]).exits(0);
    folder.write("packages/depot/Hidden.u", small_package(68));
    // Under another name of the same folder, too.
    for place in [packages.clone(), format!("{packages}/../packages")] {
        let run = upk(&["scan", &place, "-o", &out, "--json"]).exits(0);
        assert!(run.err.contains("holds the tables and was not looked into"), "{run:?}");
        assert_eq!(run.object()["packages"], 1);
    }
}

#[test]
fn no_packages_are_no_silent_success() {
    let folder = Folder::new();
    folder.write("packages/readme.txt", "no package");
    let run = scan(&folder).exits(1);
    assert!(run.err.contains("there are no packages in"), "{run:?}");
    assert!(run.out.starts_with("0 packages"), "{run:?}");
    assert!(folder.path("depot").join(TableKind::Packages.name()).is_dir());
}
