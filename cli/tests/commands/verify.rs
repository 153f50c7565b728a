//! `verify`.

use crate::common;

use common::{Folder, closed_package, small_package, upk};
use serde_json::Value;

const KEYS: &[&str] = &[
    "path",
    "status",
    "reason",
    "file_version",
    "licensee_version",
    "ue4",
    "ue5",
    "game",
    "newer_than_known",
    "exports",
    "exports_typed",
    "bytes",
    "typed",
    "payload",
    "opaque",
    "gap",
    "companions",
    "by_class",
    "image",
    "positions",
    "not_decoded",
];

fn number(row: &Value, key: &str) -> u64 {
    row[key].as_u64().unwrap_or_else(|| panic!("{key} of {row}"))
}

/// Rows and totals; checks what holds for all of them.
fn rows(out: Vec<Value>) -> (Vec<Value>, Value) {
    let mut rows = out;
    let totals = rows.pop().unwrap();
    for row in &rows {
        let keys: Vec<_> = row.as_object().unwrap().keys().map(String::as_str).collect();
        assert_eq!(keys, KEYS);
        let kinds = ["typed", "payload", "opaque", "gap"].map(|kind| number(row, kind));
        assert_eq!(kinds.iter().sum::<u64>(), number(row, "bytes"), "{row}");
        let identical = row["status"] == "identical";
        assert_eq!(row["reason"].as_str().unwrap().is_empty(), identical, "{row}");
    }
    let keys: Vec<_> = totals.as_object().unwrap().keys().map(String::as_str).collect();
    let positions =
        ["positions", "wrong_positions", "unused_positions", "missing_files", "damages"];
    let counts = ["packages", "identical", "different", "unsupported", "incomplete", "failed"];
    assert_eq!(keys, [&counts[..], &positions].concat());
    assert_eq!(number(&totals, "packages") as usize, rows.len());
    for status in &keys[1..6] {
        let counted = rows.iter().filter(|row| row["status"] == **status).count();
        assert_eq!(number(&totals, status) as usize, counted, "{status}");
    }
    (rows, totals)
}

#[test]
fn a_good_package_is_identical() {
    let folder = Folder::with_mod();
    let (rows, totals) = rows(folder.run("verify", "Mod.u", &["--json"]).exits(0).json());
    let row = &rows[0];
    assert_eq!(row["status"], "identical");
    assert_eq!(row["path"], folder.arg("Mod.u"));
    assert_eq!(number(row, "file_version"), 69);
    assert_eq!(row["game"], "mainline");
    assert_eq!(number(row, "exports"), 3);
    assert_eq!(number(row, "exports_typed"), 1, "the group has no body");
    assert_eq!(number(row, "bytes") as usize, folder.read("Mod.u").len());
    assert_eq!(number(row, "opaque"), 25, "two bodies without the names that end their properties");
    assert_eq!(number(&totals, "identical"), 1);
    let run = folder.run("verify", "Mod.u", &[]).exits(0);
    let last = run.out.lines().last().unwrap();
    assert_eq!(
        last,
        "1 package: 1 identical, 0 different, 0 unsupported, 0 failed; 0 positions, 0 wrong"
    );
}

#[test]
fn folders_are_searched_in_order_and_other_files_are_passed_over() {
    let folder = Folder::new();
    for (at, name) in ["z/Last.u", "b/c/Middle.upk", "a/First.utx"].into_iter().enumerate() {
        folder.write(name, small_package(61 + at as u32));
    }
    folder.write("b/readme.txt", "not a package, just a text");
    folder.write("b/empty", "");
    let (rows, _) = rows(folder.run("verify", "", &["--json"]).exits(0).json());
    let paths: Vec<_> = rows.iter().map(|row| row["path"].as_str().unwrap()).collect();
    assert_eq!(
        paths,
        [folder.arg("a/First.utx"), folder.arg("b/c/Middle.upk"), folder.arg("z/Last.u")]
    );
    let again = folder.run("verify", "", &["--json"]).exits(0);
    assert_eq!(again.out, folder.run("verify", "", &["--json"]).exits(0).out);
}

#[test]
fn a_named_file_that_is_no_package_fails() {
    let folder = Folder::with_mod();
    folder.write("readme.txt", "not a package, just a text");
    let args = ["verify", &folder.arg("readme.txt"), &folder.arg(""), "--json"];
    let (rows, totals) = rows(upk(&args).exits(1).json());
    assert_eq!(rows[1]["status"], "failed");
    assert!(rows[1]["reason"].as_str().unwrap().contains("not an Unreal package"));
    assert_eq!(number(&rows[1], "opaque"), 26);
    assert_eq!(number(&totals, "identical"), 1);
}

#[test]
fn a_path_that_is_not_there_is_wrong_usage() {
    let folder = Folder::with_mod();
    let run = upk(&["verify", &folder.arg("Mod.u"), &folder.arg("missing.u")]).exits(2);
    assert!(run.err.contains("missing.u") && run.out.is_empty(), "{run:?}");
}

#[test]
fn unsupported_packages_say_why_and_do_not_fail_the_run() {
    let folder = Folder::new();
    let lineage: Vec<u8> =
        "Lineage2Ver111 and more".encode_utf16().flat_map(u16::to_le_bytes).collect();
    folder.write("a.u", lineage);
    folder.write("b.upk", closed_package());
    let (rows, totals) = rows(folder.run("verify", "", &["--json"]).exits(0).json());
    assert_eq!(number(&totals, "unsupported"), 2);
    assert!(rows[0]["reason"].as_str().unwrap().contains("encrypted"));
    assert_eq!(number(&rows[0], "file_version"), 0);
    assert_eq!(rows[0]["game"], "");
    assert!(rows[1]["reason"].as_str().unwrap().contains("flags 0x2000"));
    assert_eq!(number(&rows[1], "file_version"), 868);
    assert_eq!(number(&rows[1], "opaque"), number(&rows[1], "bytes"));
}

#[test]
fn a_damaged_package_fails_with_its_field_and_versions() {
    let folder = Folder::with_mod();
    let bytes = folder.read("Mod.u");
    folder.write("Cut.u", &bytes[..bytes.len() - 5]);
    let (rows, totals) = rows(folder.run("verify", "", &["--json"]).exits(1).json());
    assert_eq!(rows[0]["status"], "failed");
    assert!(rows[0]["reason"].as_str().unwrap().starts_with("exports[2]."), "{}", rows[0]);
    assert_eq!(number(&rows[0], "file_version"), 69);
    assert_eq!(number(&rows[0], "opaque"), number(&rows[0], "bytes"));
    assert_eq!(number(&totals, "failed"), 1);
    let run = folder.run("verify", "", &[]).exits(1);
    assert!(run.out.starts_with("failed       "), "{run:?}");
}

#[test]
fn every_truncation_gives_a_row_and_no_panic() {
    let folder = Folder::new();
    for version in [40, 69, 868] {
        let bytes = small_package(version);
        for length in 0..bytes.len() {
            folder.write(&format!("{version}/{length:04}.u"), &bytes[..length]);
        }
    }
    let run = folder.run("verify", "", &["--json"]);
    assert!(!run.out.contains("panic") && !run.err.contains("panic"), "{run:?}");
    rows(run.json());
}

#[cfg(unix)]
#[test]
fn links_in_circles_end_and_links_to_nothing_are_passed_over() {
    let folder = Folder::with_mod();
    std::os::unix::fs::symlink(folder.path(""), folder.path("circle")).unwrap();
    std::os::unix::fs::symlink(folder.path("nothing"), folder.path("dangling")).unwrap();
    let (rows, _) = rows(folder.run("verify", "", &["--json"]).exits(0).json());
    assert_eq!(rows.len(), 1);
}

#[test]
fn an_empty_folder_is_fine() {
    let folder = Folder::new();
    let (rows, _) = rows(folder.run("verify", "", &["--json"]).exits(0).json());
    assert!(rows.is_empty());
}

#[test]
fn mappings_name_the_properties_of_unversioned_packages() {
    use unreal_packages::generate::Builder;
    use unreal_packages::primitive::PackageFlags;
    use unreal_packages::property::Mappings;
    use unreal_packages::property::mappings::{
        MappingData, MappingName, MappingProperty, MappingStruct, SchemaType,
    };
    let folder = Folder::with_mod();
    // One property of the only class, which is 7, and no GUID.
    let body = [&[0x00, 0x03, 7, 0, 0, 0][..], &[0; 4]].concat();
    let flags =
        PackageFlags(PackageFlags::FILTER_EDITOR_ONLY.0 | PackageFlags::UNVERSIONED_PROPERTIES.0);
    let package = Builder::for_release("5.4".parse().unwrap())
        .unversioned()
        .flags(flags)
        .name("None")
        .export("Thing", "/Script/Game.Thing", body)
        .build()
        .unwrap();
    let number =
        MappingProperty { array_dim: 1, name: 1, schema: SchemaType::Int, ..<_>::default() };
    let thing = MappingStruct {
        name: 0,
        super_struct: u32::MAX,
        property_count: 1,
        properties: vec![number],
    };
    let names = ["Thing", "Number"].map(|name| MappingName(name.into())).to_vec();
    let data = MappingData { names, structs: vec![thing], ..MappingData::default() };
    let path = folder.path("Thing.uasset");
    std::fs::write(&path, package).unwrap();
    let mappings = folder.path("Game.usmap");
    std::fs::write(&mappings, Mappings::new(data).to_bytes(3).unwrap()).unwrap();
    let path = path.to_str().unwrap();
    let run = |more: &[&str]| {
        let (rows, _) = rows(upk(&[&["verify", path, "--json"], more].concat()).exits(0).json());
        rows.into_iter().next().unwrap()
    };
    let blind = run(&["--engine", "5.4"]);
    assert_eq!((opaque_bytes(&blind), blind["not_decoded"].as_array().unwrap().len()), (10, 1));
    let seen = run(&["--engine", "5.4", "--mappings", mappings.to_str().unwrap()]);
    assert_eq!((opaque_bytes(&seen), seen["not_decoded"].as_array().unwrap().len()), (0, 0));
    let wrong = upk(&["verify", path, "--mappings", path]).exits(2);
    assert!(wrong.err.contains("mappings begin with C4 30"), "{}", wrong.err);
}

/// Opaque bytes.
fn opaque_bytes(row: &Value) -> u64 {
    number(row, "opaque")
}

#[test]
fn a_position_that_leads_nowhere_fails_the_run() {
    let folder = Folder::new();
    // A sound whose lazy array says an end that is not its own.
    let body = [&[0, 0][..], &[0x77, 0, 0, 0], &[6], b"sounds"].concat();
    let builder = unreal_packages::generate::Builder::new(69).name("None");
    folder.write("Held.u", builder.export("Held", "Engine.Sound", body).build().unwrap());
    let (rows, totals) = rows(folder.run("verify", "Held.u", &["--json"]).exits(1).json());
    assert_eq!(rows[0]["status"], "identical");
    assert_eq!(rows[0]["positions"]["wrong"][0]["fault"], "stale");
    assert_eq!(rows[0]["positions"]["wrong"][0]["stored"], 0x77);
    assert_eq!(number(&totals, "wrong_positions"), 1);
    let run = folder.run("verify", "Held.u", &[]).exits(1);
    assert!(run.out.contains("Held: ") && run.out.ends_with("1 positions, 1 wrong\n"), "{run:?}");
}

#[test]
fn bulk_data_that_is_not_there_is_found() {
    use unreal_packages::generate::Builder;
    use unreal_packages::package::FurtherSections;
    use unreal_packages::primitive::PackageFlags;
    use unreal_packages::table::{DataResource, DataResources};
    let row = DataResource {
        serial_size: 40,
        raw_size: 40,
        duplicate_serial_offset: -1,
        legacy_bulk_data_flags: 0x1_0501,
        ..DataResource::default()
    };
    let mut sections = FurtherSections::default();
    sections.data_resources = Some(DataResources { version: 1, rows: vec![row, row] });
    let package = Builder::for_release("5.4".parse().unwrap())
        .flags(PackageFlags(PackageFlags::COOKED.0 | PackageFlags::FILTER_EDITOR_ONLY.0))
        .sections(sections)
        .export("Thing", "/Script/Game.Thing", vec![0; 20])
        .build()
        .unwrap();
    let folder = Folder::new();
    folder.write("Thing.uasset", package);
    let run = folder.run("verify", "Thing.uasset", &[]).exits(1);
    let said = "2 payloads stand in the .ubulk file, which is not there (80 bytes)";
    assert!(run.out.contains(said) && run.out.contains("1 file of bulk data missing"), "{run:?}");
    let (rows, totals) = rows(folder.run("verify", "Thing.uasset", &["--json"]).exits(1).json());
    assert_eq!(rows[0]["status"], "identical");
    assert_eq!(rows[0]["positions"]["missing"][0]["extension"], "ubulk");
    assert_eq!(number(&totals, "missing_files"), 1);
    folder.write("Thing.ubulk", [7; 40]);
    folder.run("verify", "Thing.uasset", &[]).exits(0);
    folder.write("Thing.ubulk", [7; 39]);
    folder.run("verify", "Thing.uasset", &[]).exits(1);
}
