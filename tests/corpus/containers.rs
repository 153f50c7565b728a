//! Containers that engines and other tools have made.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use bytes::Bytes;
use unreal_packages::container::iostore::{
    ChunkKind, ContainerHeader, IoStoreOptions, IoStoreWriter,
};
use unreal_packages::container::pak::{PakOptions, PakWriter};
use unreal_packages::container::{ContainerOptions, GameContainer, Keys, ReadAt};

use crate::folders::{corpus, has};

pub fn are_there() -> Result<(), String> {
    has("containers")
}

/// The containers that the manifest lists, with their keys.
pub fn all(kind: &str) -> Vec<(String, PathBuf, ContainerOptions)> {
    let folder = corpus().join("containers");
    let manifest = std::fs::read_to_string(folder.join("manifest.tsv")).unwrap();
    let mut lines = manifest.lines().map(|line| line.split('\t').collect::<Vec<_>>());
    let header = lines.next().unwrap();
    let column = |name: &str| header.iter().position(|known| *known == name).unwrap();
    let (file, kinds, keys) = (column("file"), column("kind"), column("key"));
    let of_kind = lines.filter(|row| row[kinds] == kind);
    let open = |row: Vec<&str>| {
        let text = row[keys].split(' ').next().unwrap();
        let text = text.trim_start_matches("ascii:").trim_start_matches("base64:");
        let mut known = Keys::new();
        if !text.is_empty() {
            known = known.with_text(text).unwrap();
        }
        (row[file].to_owned(), folder.join(row[file]), ContainerOptions::new().keys(known))
    };
    of_kind.map(open).collect()
}

/// The packages of 5.8 and 6.0 in containers whose path is one of those that are looked for.
#[cfg(feature = "content")]
pub fn fixtures(
    is_wanted: impl Fn(&str) -> bool,
    look: &mut impl FnMut(&str, unreal_packages::package::Package),
) {
    use unreal_packages::container::zen::KnownObjects;
    use unreal_packages::package::OpenOptions;
    for (name, path, options) in all("utoc") {
        if !name.contains("Tagged") || name.contains("global") || name.contains("Oodle") {
            continue;
        }
        let store = GameContainer::open(&path, &options).unwrap();
        let global = path.ancestors().map(|folder| folder.join("global.utoc"));
        let Some(global) = global.into_iter().find(|file| file.is_file()) else { continue };
        let global = GameContainer::open(&global, &ContainerOptions::new()).unwrap();
        let scripts = global.as_store().and_then(|store| store.script_objects()).unwrap();
        let names = Arc::new(KnownObjects::new(scripts));
        for file in store.files().iter().filter(|file| file.ends_with(".uasset")) {
            if is_wanted(file) {
                let package = OpenOptions::new().import_names(names.clone()).open(path.join(file));
                let package = package.unwrap_or_else(|error| panic!("{name} {file}: {error}"));
                look(&format!("{name} {file}"), package);
            }
        }
    }
}

type Files = BTreeMap<String, Bytes>;

fn contents(container: &GameContainer, name: &str) -> Files {
    let read = |(row, path): (usize, &String)| {
        (
            path.clone(),
            container.read_checked(row).unwrap_or_else(|error| panic!("{name}: {path}: {error}")),
        )
    };
    container.files().iter().enumerate().map(read).collect()
}

fn tables_are_right(container: &GameContainer, name: &str) {
    let tables = container.check_tables().unwrap_or_else(|error| panic!("{name}: {error}"));
    assert!(!tables.is_empty(), "{name}");
    for table in tables {
        assert!(table.identical && table.hash_is_right, "{name}: {table:?}");
    }
}

pub fn paks_are_read_and_their_tables_rebuilt() {
    let (mut files, paks) = (0, all("pak"));
    assert!(paks.len() > 30, "{}", paks.len());
    for (name, path, options) in paks {
        let pak =
            GameContainer::open(&path, &options).unwrap_or_else(|error| panic!("{name}: {error}"));
        tables_are_right(&pak, &name);
        files += contents(&pak, &name).len();
    }
    assert!(files > 200, "{files}");
}

pub fn paks_come_back_from_their_files() {
    for (name, path, options) in all("pak") {
        let pak = GameContainer::open(&path, &options).unwrap();
        let GameContainer::Pak(inner) = &pak else { panic!("{name}") };
        let files = contents(&pak, &name);
        let mut bytes = Vec::new();
        let options = PakOptions { version: inner.version(), ..PakOptions::default() };
        let mut writer = PakWriter::new(&mut bytes, options);
        files.iter().for_each(|(path, content)| writer.add(path, content).unwrap());
        writer.finish().unwrap();
        let source: Arc<dyn ReadAt> = Arc::new(Bytes::from(bytes));
        let again =
            unreal_packages::container::pak::Pak::open(source, &ContainerOptions::new()).unwrap();
        assert!(contents(&GameContainer::Pak(Box::new(again)), &name) == files, "{name}");
    }
}

pub fn stores_are_read_and_their_tables_rebuilt() {
    let (mut files, mut headers, stores) = (0, 0, all("utoc"));
    assert!(stores.len() >= 10, "{}", stores.len());
    for (name, path, options) in stores {
        let store =
            GameContainer::open(&path, &options).unwrap_or_else(|error| panic!("{name}: {error}"));
        tables_are_right(&store, &name);
        let GameContainer::IoStore(inner) = &store else { panic!("{name}") };
        headers += usize::from(inner.header().is_some());
        let found = contents(&store, &name);
        if Path::new(&name).file_stem().is_some_and(|stem| stem == "global") {
            assert_eq!(inner.kind_of(0), Some(ChunkKind::ScriptObjects), "{name}");
        }
        files += found.len();
    }
    assert!(files > 500, "{files}");
    assert!(headers >= 8, "{headers}");
}

pub fn stores_come_back_from_their_files() {
    for (name, path, options) in all("utoc") {
        let open = GameContainer::open(&path, &options).unwrap();
        let GameContainer::IoStore(store) = &open else { panic!("{name}") };
        let Some(header) = store.header() else { continue };
        let (mut blocks, files) = (Vec::new(), contents(&open, &name));
        let like = IoStoreOptions::like(store, path.file_stem().unwrap().to_string_lossy());
        let mut writer = IoStoreWriter::new(&mut blocks, like).unwrap();
        for (row, path) in store.files().iter().enumerate() {
            let ((_, id), kind) = (store.chunk_of(row).unwrap(), store.kind_of(row).unwrap());
            match kind {
                ChunkKind::ContainerHeader => {}
                ChunkKind::ExportBundleData => {
                    let entry = header.store_entry(id.id).unwrap().clone();
                    writer.add_package(path, id.id, entry, &files[path]).unwrap();
                }
                kind => writer.add(path, id.id, kind, &files[path]).unwrap(),
            }
        }
        let toc = writer.finish().unwrap();
        let blocks: Arc<dyn ReadAt> = Arc::new(Bytes::from(blocks));
        let again = unreal_packages::container::iostore::IoStore::new(
            toc.into(),
            vec![blocks],
            &ContainerOptions::new(),
        )
        .unwrap();
        // The same number of the container, and what the packages need of each other.
        assert_eq!(again.toc_header().container_id, store.toc_header().container_id, "{name}");
        let again_header = again.header().unwrap();
        assert_eq!(again_header.package_ids, header.package_ids, "{name}");
        assert_eq!(again_header.store_entries, header.store_entries, "{name}");
        assert!(contents(&GameContainer::IoStore(Box::new(again)), &name) == files, "{name}");
    }
}

pub fn container_headers_of_older_releases_come_back() {
    let mut seen = Vec::new();
    for (name, path, _) in all("container header chunk") {
        let bytes = Bytes::from(std::fs::read(&path).unwrap());
        let mut header =
            ContainerHeader::load(&bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!(header.to_bytes(bytes.clone()).unwrap() == bytes, "{name}");
        assert!(!header.package_ids.is_empty(), "{name}");
        seen.push(header.version);
    }
    seen.sort_unstable();
    seen.dedup();
    assert!(seen.len() >= 3, "{seen:?}");
}
