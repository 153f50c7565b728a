//! A scan replaces and removes what scans have written, and nothing else.

use farchive::scan::TableKind;

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
    assert!(run.err.contains(name), "{name}: {run:?}");
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
