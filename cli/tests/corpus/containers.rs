//! The command on real containers.

use serde_json::Value;

use crate::common::{Folder, upk};
use crate::folders::{corpus, has};

pub fn are_there() -> Result<(), String> {
    has("containers")
}

/// The keys of the manifest, each once.
fn keys() -> Vec<String> {
    let manifest = std::fs::read_to_string(corpus().join("containers/manifest.tsv")).unwrap();
    let column = manifest.lines().next().unwrap().split('\t').position(|name| name == "key");
    let keys = manifest.lines().skip(1).map(|line| line.split('\t').nth(column.unwrap()).unwrap());
    let keys: std::collections::BTreeSet<_> =
        keys.filter_map(|text| Some(text.split(' ').next()?.split_once(':')?.1)).collect();
    keys.into_iter().flat_map(|key| ["--key".to_owned(), key.to_owned()]).collect()
}

fn run(args: &[&str]) -> crate::common::Run {
    let keys = keys();
    assert_eq!(keys.len(), 4);
    let args: Vec<&str> = args.iter().copied().chain(keys.iter().map(String::as_str)).collect();
    upk(&args)
}

pub fn every_package_in_every_container_is_identical() {
    let (mut containers, mut packages) = (0, 0);
    for folder in ["UE5_8", "UE6_0", "repak/packs"] {
        let path = corpus().join("containers").join(folder);
        let mut rows = run(&["verify", "--json", path.to_str().unwrap()]).exits(0).json();
        rows.pop();
        for row in &rows {
            assert_eq!(row["status"], "identical", "{row}");
            match row["container_files"].as_u64() {
                None => packages += 1,
                Some(_) => containers += 1,
            }
        }
    }
    assert!(containers > 40, "{containers}");
    assert!(packages > 600, "{packages}");
}

/// The containers of a folder of fixtures.
fn containers(end: &str) -> Vec<String> {
    let mut found = Vec::new();
    for entry in walkdir::WalkDir::new(corpus().join("containers/UE5_8")) {
        let path = entry.unwrap().into_path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if name.ends_with(end) && !name.starts_with("global") {
            found.push(path.display().to_string());
        }
    }
    found.sort();
    found
}

pub fn unpack_pack_unpack_gives_the_same_files() {
    let mut compared = 0;
    for container in containers(".pak").into_iter().chain(containers(".utoc")) {
        let folder = Folder::new();
        let (one, two) = (folder.arg("One"), folder.arg("Two"));
        run(&["unpack", &container, "-o", &one]).exits(0);
        let is_store = container.ends_with("utoc");
        let packed = folder.arg(if is_store { "Again.utoc" } else { "Again.pak" });
        run(&["pack", &one, "-o", &packed, "--like", &container, "--compress", "zlib"]).exits(0);
        run(&["unpack", &packed, "-o", &two]).exits(0);
        for entry in walkdir::WalkDir::new(&one) {
            let path = entry.unwrap().into_path();
            if path.is_file() {
                let other = std::path::Path::new(&two).join(path.strip_prefix(&one).unwrap());
                assert!(
                    std::fs::read(&path).unwrap() == std::fs::read(&other).unwrap(),
                    "{other:?}"
                );
                compared += 1;
            }
        }
    }
    assert!(compared > 500, "{compared}");
}

pub fn a_package_of_a_real_container_is_patched() {
    let container = containers("Tagged/Zlib/CUE4ParseFixtures-Minimal-Zlib-Windows.utoc");
    let container = container.into_iter().chain(containers("Zlib-Windows.utoc")).next().unwrap();
    let rows = upk(&["ls", &container, "--json"]).exits(0).json();
    let packages = rows.iter().filter_map(|row| row["path"].as_str());
    let mut patched = 0;
    for package in packages.filter(|path| path.ends_with(".uasset")) {
        let file = format!("{container}/{package}");
        let folder = Folder::new();
        let patch = folder.arg("Mod_P.utoc");
        let name = package.rsplit('/').next().unwrap().trim_end_matches(".uasset");
        let values = upk(&["get", &file, name, "--json"]);
        let values: Vec<Value> = if values.code == 0 { values.json() } else { continue };
        let number =
            values.iter().find(|value| value["type"] == "int" && value["property"].is_string());
        let Some(property) = number.and_then(|value| value["property"].as_str()) else { continue };
        let set = format!("{name}.{property}=12345");
        upk(&["set", &file, &set, "-o", &patch]).exits(0);
        let inside = format!("{patch}/{package}");
        let got = upk(&["get", &inside, &format!("{name}.{property}")]).exits(0).out;
        assert!(got.contains("12345"), "{got}");
        upk(&["verify", &patch]).exits(0);
        assert!(folder.path("Mod_P.pak").exists() && folder.path("Mod_P.ucas").exists());
        patched += 1;
    }
    assert!(patched > 0);
}
