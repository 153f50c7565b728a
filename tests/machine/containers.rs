//! Made containers, read by a reader that shares nothing with the library.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value as Json;
use unreal_packages::container::BlockMethod;
use unreal_packages::container::iostore::{ChunkKind, IoStoreOptions, IoStoreWriter, StoreEntry};
use unreal_packages::container::pak::{PakOptions, PakVersion, PakWriter};

type Files = BTreeMap<String, Vec<u8>>;

fn files() -> Files {
    let content = |size: usize, step: usize| (0..size).map(|at| (at / step) as u8).collect();
    Files::from([
        ("Game/Content/A.uasset".to_owned(), content(0, 1)),
        ("Game/Content/Maps/B.umap".to_owned(), content(70_000, 9)),
        ("Game/Content/Maps/C.uasset".to_owned(), content(500, 1)),
        ("Game/Content/Maps/B.ubulk".to_owned(), content(3000, 100)),
    ])
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn run(paths: &[PathBuf]) -> Vec<Json> {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/reader_containers.py");
    let output = Command::new("python3").arg(script).args(paths).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn same(seen: &Json, files: &Files, what: &str) {
    assert_eq!(seen["error"], Json::Null, "{what}");
    let found = seen["files"].as_object().unwrap();
    assert_eq!(found.len(), files.len(), "{what}");
    for (path, content) in files {
        assert!(found[path] == hex(content), "{what}: {path}");
    }
}

fn pak(path: &Path, options: PakOptions, files: &Files) {
    let mut out = std::fs::File::create(path).unwrap();
    let mut writer = PakWriter::new(&mut out, options);
    files.iter().for_each(|(path, content)| writer.add(path, content).unwrap());
    writer.finish().unwrap();
}

pub fn paks_of_every_version_are_seen_the_same() {
    let (folder, mut files) = (tempfile::tempdir().unwrap(), files());
    files.insert("Engine/Config/Base.ini".to_owned(), b"[A]\nB=C\n".to_vec());
    let (mut paths, mut names) = (Vec::new(), Vec::new());
    for version in PakVersion::all() {
        for method in [None, Some(BlockMethod::Zlib), Some(BlockMethod::Gzip)] {
            if method.is_some() && version.number() < 3 {
                continue;
            }
            let path = folder.path().join(format!("{}.pak", paths.len()));
            let path_hash_seed = 77;
            let options = PakOptions { version, method, path_hash_seed, ..PakOptions::default() };
            pak(&path, options, &files);
            names.push(format!("version {version}, {method:?}"));
            paths.push(path);
        }
    }
    let seen = run(&paths);
    assert_eq!(seen.len(), names.len());
    seen.iter().zip(&names).for_each(|(seen, name)| same(seen, &files, name));
    // It looks: a changed byte of a file is seen.
    let mut bytes = std::fs::read(&paths[0]).unwrap();
    bytes[100] ^= 1;
    std::fs::write(&paths[0], bytes).unwrap();
    assert!(run(&paths[..1])[0]["error"].as_str().unwrap().contains("SHA-1 of a file"));
}

pub fn stores_of_every_version_are_seen_the_same() {
    let (folder, files) = (tempfile::tempdir().unwrap(), files());
    let (mut paths, mut names) = (Vec::new(), Vec::new());
    for (version, header_version) in [(5, 1), (5, 2), (5, 3), (6, 3), (8, 4), (8, 5), (10, 5)] {
        for method in [None, Some(BlockMethod::Zlib)] {
            let path = folder.path().join(format!("{}.utoc", paths.len()));
            let options = IoStoreOptions {
                version,
                header_version,
                method,
                ..IoStoreOptions::new(paths.len().to_string())
            };
            let mut blocks = std::fs::File::create(path.with_extension("ucas")).unwrap();
            let mut writer = IoStoreWriter::new(&mut blocks, options).unwrap();
            for (row, (path, content)) in files.iter().enumerate() {
                let id = 1000 - row as u64;
                let entry = StoreEntry {
                    imported_packages: (0..row as u64).collect(),
                    shader_maps: vec![[1; 20]; row % 2],
                    ..StoreEntry::default()
                };
                match ChunkKind::of_path(path) {
                    ChunkKind::ExportBundleData => writer.add_package(path, id, entry, content),
                    kind => writer.add(path, id, kind, content),
                }
                .unwrap();
            }
            std::fs::write(&path, writer.finish().unwrap()).unwrap();
            names.push(format!("version {version}, header {header_version}, {method:?}"));
            paths.push(path);
        }
    }
    let seen = run(&paths);
    assert_eq!(seen.len(), names.len());
    seen.iter().zip(&names).for_each(|(seen, name)| same(seen, &files, name));
}
