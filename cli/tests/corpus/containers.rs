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

/// Of one side the names of compiled code are at hand: they count for the other, whose classes are then no others.
pub fn builds_of_two_releases_are_compared() {
    let folder = Folder::new();
    let name = "CUE4ParseFixtures-Minimal-Zlib-Windows";
    for (release, own) in [("UE5_8", "Old"), ("UE6_0", "New")] {
        let store = corpus().join("containers").join(release).join("IoStore/Tagged");
        for end in ["utoc", "ucas"] {
            let content = std::fs::read(store.join(format!("Zlib/{name}.{end}"))).unwrap();
            folder.write(&format!("{own}/{name}.{end}"), content);
            if own == "Old" {
                let global = std::fs::read(store.join(format!("global.{end}"))).unwrap();
                folder.write(&format!("Old/global.{end}"), global);
            }
        }
    }
    let [old, new] = ["Old", "New"].map(|side| folder.arg(side));
    let rows = upk(&["diff", &old, &new, "--json", "--sizes"]).exits(1).json();
    let totals = rows.last().unwrap();
    assert_eq!((&totals["changed"], &totals["failed"]), (&83.into(), &0.into()), "{totals}");
    assert!(rows.iter().all(|row| !row.to_string().contains("class_index")));
    // Objects by class and what is of none are the packages, whose bytes folders have.
    let sum = |list: &str| -> u64 {
        let all = totals[list].as_array().unwrap().iter();
        all.map(|row| row["bytes"][1].as_u64().unwrap()).sum()
    };
    assert_eq!(sum("folders"), totals["bytes"][1].as_u64().unwrap(), "{totals}");
    let class = |name: &str| {
        let mut classes = totals["classes"].as_array().unwrap().iter();
        classes.find(|row| row["name"] == name).unwrap()["bytes"].clone()
    };
    assert_eq!(class("/Script/Engine.Texture2D")[0], class("/Script/Engine.Texture2D")[1]);
    // One content in two containers is one build.
    let other = corpus().join("containers/UE5_8/IoStore/Tagged/Uncompressed");
    let end = "CUE4ParseFixtures-Minimal-Uncompressed-Windows.utoc";
    upk(&["diff", &folder.arg(&format!("Old/{name}.utoc")), other.join(end).to_str().unwrap()])
        .exits(0);
    // Registries of the same releases.
    let paks = ["UE5_8", "UE6_0"].map(|release| {
        let pak = "Pak/Uncompressed/CUE4ParseFixtures-Minimal-Uncompressed.pak";
        corpus().join("containers").join(release).join(pak).display().to_string()
    });
    let rows = upk(&["diff", &paks[0], &paks[1], "--json", "--stat"]).exits(1).json();
    let registry = rows.iter().find(|row| row["file"] == "CUE4ParseFixtures/AssetRegistry.bin");
    let counts = &registry.unwrap()["counts"];
    let counts = ["added", "removed", "changed"].map(|key| counts[key].as_u64().unwrap());
    assert_eq!(counts, [54, 6, 670]);
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
