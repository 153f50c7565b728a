//! Compressed packages on the command line.

use crate::common;

use common::{Folder, small_package, upk};
use serde_json::{Value, json};

/// `Mod.upk`, uncompressed, version 868.
fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("Mod.upk", small_package(868));
    folder
}

#[test]
fn compress_and_decompress_undo_each_other() {
    let folder = folder();
    let plain = folder.read("Mod.upk");
    for with in ["zlib", "lzo", "lzx", "lzma"] {
        for stored_as in ["chunks", "stream"] {
            let (packed, back) = (folder.arg("Packed.upk"), folder.arg("Back.upk"));
            let rest = ["--with", with, "--as", stored_as, "--overwrite", "-o", &packed, "--json"];
            let report = folder.run("compress", "Mod.upk", &rest).exits(0).object();
            assert_eq!(report["change"]["with"], with);
            assert_eq!(report["change"]["as"], stored_as);
            assert_eq!(report["changed"], true);
            assert_eq!(report["resaves_identically"], true);
            assert_ne!(folder.read("Packed.upk"), plain);
            let rows = folder.run("verify", "Packed.upk", &["--json"]).exits(0).json();
            assert_eq!(rows[0]["status"], "identical");
            assert_eq!(rows[0]["image"]["bytes"], plain.len());
            assert_eq!(rows[0]["image"]["storage"]["kind"], stored_as);
            assert_eq!(rows[0]["image"]["storage"]["method"], with);
            let report = folder
                .run("decompress", "Packed.upk", &["--overwrite", "-o", &back, "--json"])
                .exits(0)
                .object();
            assert_eq!(report["change"]["from"]["method"], with);
            assert_eq!(folder.read("Back.upk"), plain, "{with} {stored_as}");
        }
    }
    let rest = ["--with", "none", "--in-place"];
    folder.run("compress", "Packed.upk", &rest).exits(0);
    assert_eq!(folder.read("Packed.upk"), plain);
    let run = folder.run("decompress", "Mod.upk", &["--dry-run"]).exits(0);
    assert!(run.out.contains("uncompressed already") && run.out.contains("same as before"));
}

#[test]
fn other_commands_see_no_difference() {
    let folder = folder();
    let packed = folder.arg("Packed.upk");
    folder.run("compress", "Mod.upk", &["--with", "lzo", "--overwrite", "-o", &packed]).exits(0);
    for (command, rest) in [("list", &["--json"][..]), ("explain", &["--json"])] {
        let plain = folder.run(command, "Mod.upk", rest).exits(0).out;
        assert_eq!(folder.run(command, "Packed.upk", rest).exits(0).out, plain, "{command}");
    }
    let run = folder.run("info", "Packed.upk", &[]).exits(0);
    assert!(run.out.contains("stored as    LZO chunks: "), "{run:?}");
    assert!(run.out.contains("1 block"), "{run:?}");
    let info = folder.run("info", "Packed.upk", &["--json"]).exits(0).object();
    assert_eq!(info["storage"]["form"]["kind"], "chunks");
    assert_eq!(info["storage"]["file_bytes"], folder.read("Packed.upk").len());
    assert_eq!(info["bytes"], folder.read("Mod.upk").len());
    assert_eq!(info["storage"]["chunks"][0]["block_size"], 0x2_0000);
    assert!(folder.run("info", "Mod.upk", &["--json"]).exits(0).object()["storage"].is_null());
    // The file itself is explained when it is asked for.
    let fields = folder.run("explain", "Packed.upk", &["--file", "--json"]).exits(0).json();
    assert_eq!((&fields[0]["path"], &fields[0]["section"]), (&json!("summary.tag"), &Value::Null));
    assert_eq!(fields.last().unwrap()["end"], folder.read("Packed.upk").len());
    let block = fields.iter().find(|field| field["path"] == "chunks[0].blocks[0].data").unwrap();
    let range = format!("{}..{}", block["start"], block["end"]);
    let run = folder.run("explain", "Packed.upk", &["--file", "--range", &range]).exits(0);
    assert_eq!(run.out.lines().count(), 1, "{run:?}");
    let run = folder.run("explain", "Mod.upk", &["--file"]).exits(2);
    assert!(run.err.contains("is the package itself"), "{run:?}");
    // An edit keeps the compression.
    folder.run("rename", "Packed.upk", &["--name", "Readme", "Manual", "--in-place"]).exits(0);
    let renamed = folder.open("Packed.upk");
    assert!(renamed.container().is_some() && renamed.find_export("Texts.Manual").is_ok());
    let line = folder.run("verify", "Packed.upk", &[]).exits(0).out;
    assert!(line.contains("LZO chunks") && line.contains("bytes inside"), "{line}");
}

#[test]
fn redirect_files_are_packed_and_unpacked() {
    let folder = folder();
    folder.write("notes.txt", "any file can be in one");
    for (file, kind) in [("Mod.upk", "uz2"), ("notes.txt", "uz3")] {
        let (packed, back) = (folder.arg("packed"), folder.arg("back"));
        folder
            .run("compress", file, &["--as", kind, "--overwrite", "-o", &packed, "--dry-run"])
            .exits(0);
        assert!(!folder.path("packed").exists());
        folder.run("compress", file, &["--as", kind, "--overwrite", "-o", &packed]).exits(0);
        let report = folder
            .run("decompress", "packed", &["--overwrite", "-o", &back, "--json"])
            .exits(0)
            .object();
        assert_eq!(report["change"]["from"]["kind"], kind);
        assert_eq!(folder.read("back"), folder.read(file));
        std::fs::remove_file(folder.path("packed")).unwrap();
    }
}

#[test]
fn files_for_download_are_packed_and_unpacked() {
    let folder = folder();
    folder.write("notes.txt", "any file can be in one");
    for (kind, name, shown) in [
        ("uz", "notes.uz", "uz"),
        ("uz-new", "notes.uz", "uz"),
        ("uz2", "a.uz2", "uz2"),
        ("uz3", "b", "uz3"),
    ] {
        let (packed, back) = (folder.arg(name), folder.arg("back"));
        let options = ["--as", kind, "--overwrite", "-o", &packed, "--json"];
        let report = folder.run("pack", "notes.txt", &options).exits(0).object();
        assert_eq!(report["bytes_before"], 22);
        assert_eq!(report["bytes_after"], folder.read(name).len());
        let run = folder.run("unpack", name, &["--overwrite", "-o", &back, "--json"]).exits(0);
        let report = run.object();
        assert_eq!(report["kind"], shown);
        assert_eq!(report["name"] == "notes.txt", shown == "uz");
        assert_eq!(folder.read("back"), b"any file can be in one");
        folder.run("decompress", name, &["--overwrite", "-o", &back]).exits(0);
        assert_eq!(folder.read("back"), b"any file can be in one");
    }
    // The extension says the kind; a game reads the name, which can be another.
    let packed = folder.arg("Mod.u.uz");
    folder.run("pack", "notes.txt", &["--name", "Mod.u", "-o", &packed]).exits(0);
    let out = folder.arg("out");
    let run = folder.run("unpack", "Mod.u.uz", &["-o", &out]).exits(0);
    assert!(run.out.contains("Mod.u\n"), "{run:?}");
    // What is no such file, what is there, what has no name.
    let run = folder.run("unpack", "notes.txt", &["--overwrite", "-o", &out]).exits(2);
    assert!(run.err.contains("is no packed file"), "{run:?}");
    folder.run("unpack", "Mod.u.uz", &["-o", &out]).exits(2);
    folder.run("pack", "notes.txt", &["-o", &folder.arg("other")]).exits(2);
    folder.run("pack", "notes.txt", &["--name", "x", "-o", &folder.arg("x.uz2")]).exits(2);
    folder.run("pack", "notes.txt", &["--as", "uz", "-o", &folder.arg("x.uz2")]).exits(2);
    let run = folder.run("unpack", "Mod.u.uz", &["--max-image", "3", "--overwrite", "-o", &out]);
    assert!(run.exits(1).err.contains("--max-image"));
}

#[test]
fn what_cannot_be_done_is_refused() {
    let folder = folder();
    let out = folder.arg("Out.upk");
    folder.write("Old.u", small_package(69));
    let run =
        folder.run("compress", "Old.u", &["--with", "lzo", "--overwrite", "-o", &out]).exits(1);
    assert!(run.err.contains("compressed_chunks"), "{run:?}");
    let run = folder.run("compress", "Mod.upk", &["--overwrite", "-o", &out]).exits(2);
    assert!(run.err.contains("--with lzo"), "{run:?}");
    folder.run("compress", "Mod.upk", &["--with", "oodle", "--overwrite", "-o", &out]).exits(2);
    folder
        .run("compress", "Mod.upk", &["--with", "lzo", "--as", "uz2", "--overwrite", "-o", &out])
        .exits(2);
    folder.run("compress", "Mod.upk", &["--with", "lzo"]).exits(2);
    folder.run("decompress", ".", &["--overwrite", "-o", &out]).exits(2);
    assert!(!folder.path("Out.upk").exists());
    // A damaged block names itself.
    folder.run("compress", "Mod.upk", &["--with", "zlib", "--overwrite", "-o", &out]).exits(0);
    let mut bytes = folder.read("Out.upk");
    let at = bytes.len() - 3;
    bytes[at] ^= 1;
    folder.write("Out.upk", bytes);
    let run = upk(&["info", &out]).exits(2);
    assert!(run.err.contains("chunks[0].blocks[0]: the compressed data is damaged"), "{run:?}");
}
