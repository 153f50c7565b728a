//! `upk verify` on real packages.

use std::collections::HashMap;

use serde_json::Value;

use crate::common::upk;
use crate::folders::corpus;

pub fn real_packages_are_identical_or_say_why_they_are_unsupported() {
    let folders = ["classic", "conform"].map(|name| corpus().join(name));
    let args = ["verify", "--json", folders[0].to_str().unwrap(), folders[1].to_str().unwrap()];
    let mut rows = upk(&args).exits(0).json();
    let totals = rows.pop().unwrap();
    assert_eq!((&totals["different"], &totals["failed"]), (&0.into(), &0.into()), "{totals}");
    for row in &rows {
        let kinds = ["typed", "payload", "opaque", "gap"].map(|kind| row[kind].as_u64().unwrap());
        assert_eq!(kinds.iter().sum::<u64>(), row["bytes"].as_u64().unwrap(), "{row}");
    }
    let by_name: HashMap<_, _> = rows
        .iter()
        .map(|row| (row["path"].as_str().unwrap().rsplit(['/', '\\']).next().unwrap(), row))
        .collect();
    let manifest = std::fs::read_to_string(folders[0].join("manifest.tsv")).unwrap();
    let mut lines = manifest.lines().map(|line| line.split('\t').collect::<Vec<_>>());
    let header = lines.next().unwrap();
    let column = |name: &str| header.iter().position(|column| *column == name).unwrap();
    let [file, bytes, version, compression, notes] =
        ["file", "bytes", "file_version", "compression", "notes"].map(column);
    let mut seen = 0;
    for line in lines {
        let row: &Value = by_name.get(line[file]).unwrap_or_else(|| panic!("no row: {line:?}"));
        let (status, reason) = (row["status"].as_str().unwrap(), row["reason"].as_str().unwrap());
        assert_eq!(row["bytes"].to_string(), line[bytes], "{row}");
        let notes = line.get(notes).copied().unwrap_or_default();
        let expected = match notes.contains("encrypted (AES)") {
            true => ("unsupported", "encrypted"),
            false => ("identical", ""),
        };
        assert_eq!(status, expected.0, "{row}");
        assert!(reason.to_lowercase().contains(expected.1), "{row}");
        let inside = line[compression] != "none" || notes.contains("Lineage2");
        assert_eq!(row["image"].is_object(), inside && status == "identical", "{row}");
        if let Some(image) = row["image"].as_object() {
            assert_eq!(image["identical"], true, "{row}");
            let number = |kind: &str| image[kind].as_u64().unwrap();
            let kinds = ["typed", "payload", "opaque", "gap"].map(number);
            assert_eq!(kinds.iter().sum::<u64>(), number("bytes"), "{row}");
            assert_eq!(row["opaque"], 0, "{row}");
        }
        if line[version].parse::<u32>().is_ok_and(|version| version > 0) {
            assert_eq!(row["file_version"].to_string(), line[version], "{row}");
        }
        seen += 1;
    }
    assert!(seen > 0);
    println!("{} packages, {} of them in the manifest", rows.len(), seen);
}

pub fn packages_of_ue4_and_ue5_are_identical_or_ask_for_their_release() {
    let folder = corpus().join("modern");
    // Some lack their bulk data.
    let mut rows = upk(&["verify", "--json", folder.to_str().unwrap()]).exits(1).json();
    let totals = rows.pop().unwrap();
    assert_eq!(totals["missing_files"], 4, "{totals}");
    assert_eq!((&totals["different"], &totals["failed"]), (&0.into(), &0.into()), "{totals}");
    for row in rows.iter().filter(|row| row["status"] == "unsupported") {
        assert!(row["reason"].as_str().unwrap().contains("--engine"), "{row}");
    }
    println!("{totals}");
    assert!(!rows.is_empty());
}

/// `info` counts bytes as `verify` does, with what stands in a compressed file.
pub fn info_agrees_with_verify() {
    const LARGEST: u64 = 200_000;
    let folders = ["classic", "modern"].map(|name| corpus().join(name));
    let args = ["verify", "--json", folders[0].to_str().unwrap(), folders[1].to_str().unwrap()];
    let mut rows = upk(&args).exits(1).json();
    rows.pop();
    // One of each kind: the same numbers in another package show nothing new.
    let mut kinds = std::collections::HashSet::new();
    let of_kind = |row: &&Value| {
        let number = |key: &str| row[key].as_u64().unwrap();
        let small = number("bytes") <= LARGEST && row["status"] == "identical";
        let key =
            (number("file_version"), number("licensee_version"), number("ue4"), number("ue5"));
        small && kinds.insert((key, row["opaque"] == 0))
    };
    let mut seen = 0;
    for row in rows.iter().filter(of_kind) {
        let info = upk(&["info", "--json", row["path"].as_str().unwrap()]).exits(0).object();
        let counted = if row["image"].is_object() { &row["image"] } else { row };
        for kind in ["typed", "payload", "opaque", "gap"] {
            assert_eq!(info["coverage"][kind], counted[kind], "{kind} of {row}");
        }
        seen += 1;
    }
    println!("{seen} packages");
    assert!(seen > 50, "{seen}");
}
