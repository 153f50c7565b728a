//! Files with bulk data beside packages, and files that are stored otherwise, compared and merged.

use crate::common;
use unreal_packages::EngineRelease;
use unreal_packages::generate::Builder;

use common::{Folder, small_package, upk};

/// Folders `a` and `b` with the same package and the same bulk data.
fn folder() -> Folder {
    let folder = Folder::new();
    let bytes = Builder::for_release(EngineRelease::new(4, 27))
        .export("Thing", "/Script/Engine.Thing", vec![7; 50])
        .build()
        .unwrap();
    for side in ["a", "b"] {
        std::fs::create_dir_all(folder.path(side)).unwrap();
        folder.write(&format!("{side}/Thing.uasset"), &bytes);
        folder.write(&format!("{side}/Thing.ubulk"), [5; 99]);
    }
    folder
}

#[test]
fn bulk_data_beside_a_package_is_compared() {
    let folder = folder();
    let (a, b) = (folder.arg("a"), folder.arg("b"));
    let file = folder.arg("b/Thing.uasset");
    let run = folder.run("diff", "a/Thing.uasset", &[&file]).exits(0);
    assert_eq!(run.out, "the files are the same\n");
    upk(&["diff", &a, &b]).exits(0);
    let text = |side: &str| {
        folder.run("dump", &format!("{side}/Thing.uasset"), &["--canonical"]).exits(0).out
    };
    assert_eq!(text("a"), text("b"));
    let mut bulk = vec![5; 99];
    bulk[98] = 6;
    folder.write("b/Thing.ubulk", &bulk);
    let run = folder.run("diff", "a/Thing.uasset", &[&file]).exits(1);
    assert!(run.out.starts_with("header companion .ubulk: 99 bytes, "), "{run:?}");
    let report = folder.run("diff", "a/Thing.uasset", &[&file, "--json"]).exits(1).object();
    assert_eq!((&report["same"], &report["same_bytes"]), (&false.into(), &false.into()));
    let run = upk(&["diff", &a, &b]).exits(1);
    assert!(run.out.contains("~ Thing.uasset\nheader companion .ubulk: "), "{run:?}");
    assert_ne!(text("a"), text("b"));
    std::fs::remove_file(folder.path("b/Thing.ubulk")).unwrap();
    let run = folder.run("diff", "a/Thing.uasset", &[&file]).exits(1);
    assert!(run.out.contains(" -> (not stored)\n"), "{run:?}");
    upk(&["diff", &a, &b]).exits(1);
    assert_ne!(text("a"), text("b"));
}

#[test]
fn bulk_data_that_a_merge_does_not_write_is_a_conflict() {
    let folder = folder();
    std::fs::create_dir_all(folder.path("c")).unwrap();
    folder.write("c/Thing.uasset", folder.read("a/Thing.uasset"));
    folder.write("c/Thing.ubulk", [6; 99]);
    let [base, ours, theirs] =
        ["a", "b", "c"].map(|side| folder.arg(&format!("{side}/Thing.uasset")));
    let out = folder.arg("Out.uasset");
    let run = upk(&["merge", &base, &ours, &theirs, "-o", &out]).exits(1);
    assert!(run.out.contains("conflict header.companion .ubulk: "), "{run:?}");
    assert!(!folder.path("Out.uasset").exists());
    // Theirs is the base's: ours stays.
    upk(&["merge", &base, &theirs, &ours, "-o", &out]).exits(0);
    upk(&["merge", &ours, &theirs, &theirs, "-o", &out, "--overwrite"]).exits(0);
    // Both have others.
    folder.write("b/Thing.ubulk", [8; 99]);
    let run = upk(&["merge", &base, &ours, &theirs, "--dry-run"]).exits(1);
    assert!(run.out.contains("both sides have changed it"), "{run:?}");
    upk(&["merge", &base, &ours, &theirs, "--dry-run", "--prefer", "ours"]).exits(0);
    upk(&["merge", &base, &ours, &theirs, "--dry-run", "--prefer", "theirs"]).exits(1);
}

/// Both unpack to the same package.
#[test]
fn files_that_are_only_compressed_otherwise_are_not_called_the_same() {
    let folder = Folder::new();
    folder.write("Mod.upk", small_package(868));
    let (zlib, lzo) = (folder.arg("Zlib.upk"), folder.arg("Lzo.upk"));
    for (with, out) in [("zlib", &zlib), ("lzo", &lzo)] {
        folder.run("compress", "Mod.upk", &["--with", with, "-o", out]).exits(0);
    }
    let run = upk(&["diff", &zlib, &lzo]).exits(0);
    let said =
        "the packages are the same, the files are not: they are compressed or split otherwise\n";
    assert_eq!(run.out, said);
    let report = upk(&["diff", &zlib, &lzo, "--json"]).exits(0).object();
    assert_eq!((&report["same"], &report["same_bytes"]), (&true.into(), &false.into()));
    let run = upk(&["diff", &zlib, &zlib]).exits(0);
    assert_eq!(run.out, "the files are the same\n");
}
