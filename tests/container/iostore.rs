//! IoStore containers of every version that can be made.

use std::collections::BTreeMap;
use std::sync::Arc;

use bytes::Bytes;
use unreal_packages::container::iostore::{
    ChunkKind, ContainerHeader, IoStore, IoStoreOptions, IoStoreWriter, StoreEntry,
};
use unreal_packages::container::{AesKey, BlockMethod, ContainerOptions, Keys, ReadAt};
use unreal_packages::error::{UnrealError, UnrealErrors};
use unreal_packages::{ErrorKind, Guid, Result};

use super::counted::Counted;
use super::memory::peak;
use super::text::content;

pub type Files = BTreeMap<String, Vec<u8>>;

pub fn files() -> Files {
    let sizes = [0, 1, 16, 1000, 0x1_0000, 0x1_0001, 0x2_8000];
    let name = |(row, size): (usize, &usize)| {
        let folder = ["Game/Content/", "Game/Content/Maps/", "Game/Content/Maps/Inner/"][row % 3];
        (format!("{folder}File{row}.uasset"), content(*size, row as u64))
    };
    let mut files: Files = sizes.iter().enumerate().map(name).collect();
    files.insert("Game/Content/File0.ubulk".to_owned(), content(70_000, 99));
    files
}

pub fn key(byte: u8) -> AesKey {
    AesKey::new([byte; 32])
}

/// What a package needs, different for each; those of UE4 do not say their shader maps.
fn entry(row: u64, header_version: i32) -> StoreEntry {
    let shader_maps = if header_version == 0 { 0 } else { row % 3 };
    StoreEntry {
        imported_packages: (0..row).collect(),
        shader_maps: (0..shader_maps).map(|at| [at as u8; 20]).collect(),
        ..StoreEntry::default()
    }
}

/// The two files of a container.
pub fn made(options: &IoStoreOptions, files: &Files) -> Result<(Vec<u8>, Vec<u8>)> {
    let mut blocks = Vec::new();
    let mut writer = IoStoreWriter::new(&mut blocks, options.clone())?;
    for (row, (path, content)) in files.iter().enumerate() {
        match ChunkKind::of_path(path) {
            ChunkKind::ExportBundleData => {
                // Not in the order of their numbers.
                let id = (row as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
                let entry = entry(row as u64, options.header_version);
                writer.add_package(path, id, entry, content)?;
            }
            kind => writer.add(path, row as u64, kind, content)?,
        }
    }
    let toc = writer.finish()?;
    Ok((toc, blocks))
}

pub fn open(toc: Vec<u8>, blocks: Vec<u8>, keys: Keys) -> Result<IoStore> {
    let blocks: Arc<dyn ReadAt> = Arc::new(Bytes::from(blocks));
    IoStore::new(toc.into(), vec![blocks], &ContainerOptions::new().keys(keys))
}

/// Everything in it that has a path, read and checked.
fn all(store: &IoStore) -> Result<Files> {
    let named = store.files().iter().enumerate().filter(|(_, path)| path.contains('/'));
    named.map(|(row, path)| Ok((path.clone(), store.read_checked(row)?))).collect()
}

fn every_form() -> Vec<IoStoreOptions> {
    let methods = [None, Some(BlockMethod::Zlib), Some(BlockMethod::Zstd), Some(BlockMethod::Lz4)];
    let versions =
        [(2, 0), (3, 0), (5, 1), (5, 2), (5, 3), (6, 3), (7, 4), (8, 4), (8, 5), (9, 5), (10, 5)];
    let mut forms = Vec::new();
    for (version, header_version) in versions {
        for method in methods {
            for key in [None, Some((Guid::new(4, 3, 2, 1), key(7)))] {
                let options = IoStoreOptions::new("Mod_P");
                forms.push(IoStoreOptions { version, header_version, method, key, ..options });
            }
        }
    }
    forms
}

#[test]
fn every_version_method_and_cipher_is_read_again() {
    let files = files();
    for options in every_form() {
        let what = format!("{options:?}");
        let (toc, blocks) = made(&options, &files).expect(&what);
        let keys = Keys::new().with(None, key(1)).with(None, key(7));
        let store = open(toc, blocks, keys).expect(&what);
        assert!(all(&store).expect(&what) == files, "{what}");
        let tables = store.check_tables().unwrap();
        assert_eq!(tables.len(), 3, "{what}");
        for table in tables {
            assert!(table.identical && table.hash_is_right, "{what}: {table:?}");
        }
        let header = store.header().expect(&what);
        assert_eq!(header.version, options.header_version);
        assert_eq!(header.package_ids.len(), files.len() - 1);
        assert!(header.package_ids.is_sorted());
        for (row, _) in files.keys().enumerate().filter(|(_, path)| path.ends_with("uasset")) {
            let id = (row as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            let wanted = entry(row as u64, options.header_version);
            assert_eq!(header.store_entry(id), Some(&wanted), "{what}");
        }
        let bulk = store.files().iter().position(|path| path.ends_with("ubulk")).unwrap();
        assert_eq!(store.kind_of(bulk), Some(ChunkKind::BulkData));
        let row = store.file(bulk).unwrap();
        assert_eq!((row.method, row.encrypted), (options.method, options.key.is_some()));
    }
}

#[test]
fn without_the_key_nothing_is_seen() {
    for version in [8, 10] {
        let key = Some((Guid::new(9, 9, 9, 9), key(7)));
        let options = IoStoreOptions { version, key, ..IoStoreOptions::new("Locked") };
        let (toc, blocks) = made(&options, &files()).unwrap();
        assert!(memchr::memmem::find(&toc, b"File1").is_none());
        assert!(memchr::memmem::find(&blocks, &content(1000, 3)[..32]).is_none());
        for keys in [Keys::new(), Keys::new().with(None, self::key(8))] {
            let error = open(toc.clone(), blocks.clone(), keys).unwrap_err();
            assert!(matches!(error.unreal(), Some(UnrealError::NeedsKey { .. })), "{error}");
        }
    }
}

#[test]
fn a_changed_byte_of_a_chunk_is_noticed() {
    let (toc, mut blocks) = made(&IoStoreOptions::new("Mod"), &files()).unwrap();
    let store = open(toc.clone(), blocks.clone(), Keys::new()).unwrap();
    let row = store.files().iter().position(|path| path.ends_with("File3.uasset")).unwrap();
    let (chunk, _) = store.chunk_of(row).unwrap();
    let offset = store.toc().chunk_ranges[chunk].offset / 0x1_0000;
    let place = store.toc().blocks[offset as usize].offset as usize;
    blocks[place] ^= 1;
    let store = open(toc, blocks, Keys::new()).unwrap();
    let error = store.read_checked(row).unwrap_err().to_string();
    assert!(error.contains("BLAKE3"), "{error}");
    assert!(store.read(row).is_ok());
}

#[test]
fn a_chunk_costs_its_own_blocks() {
    let (toc, blocks) = made(&IoStoreOptions::new("Mod"), &files()).unwrap();
    let counted = Arc::new(Counted::new(Bytes::from(blocks)));
    let store = IoStore::new(toc.into(), vec![counted.clone()], &ContainerOptions::new()).unwrap();
    assert_eq!(counted.take(), (0, 0));
    let row = store.files().iter().position(|path| path.ends_with("File6.uasset")).unwrap();
    assert_eq!(store.read(row).unwrap().len(), 0x2_8000);
    assert_eq!(counted.take(), (1, 0x2_8000));
}

#[test]
fn headers_of_every_version_come_back() {
    for version in 0..=5 {
        let ids: Vec<u64> = (1..6).collect();
        let mut header = ContainerHeader {
            version,
            container_id: 7,
            package_count: if version <= 1 { 5 } else { 0 },
            store_entries: ids.iter().map(|id| entry(*id, version)).collect(),
            package_ids: ids,
            ..ContainerHeader::default()
        };
        if version >= 2 {
            header.optional_ids = vec![3];
            header.optional_entries = vec![entry(2, version)];
        }
        if version >= 4 {
            header.soft_references = Some(Default::default());
        }
        let bytes = Bytes::from(header.to_bytes(Bytes::new()).unwrap());
        let mut again = ContainerHeader::load(&bytes).unwrap();
        assert_eq!(again, header, "version {version}");
        assert!(again.to_bytes(bytes.clone()).unwrap() == bytes);
        for length in 0..bytes.len() {
            let _ = ContainerHeader::load(&bytes[..length]);
        }
    }
}

fn look(toc: &[u8], blocks: &[u8], what: &str) -> bool {
    let (opened, memory) = peak(|| {
        let keys = Keys::new().with(None, key(7));
        let Ok(store) = open(toc.to_vec(), blocks.to_vec(), keys) else { return false };
        for row in 0..store.files().len() {
            let _ = store.file(row);
            let _ = store.read_checked(row);
        }
        let _ = store.check_tables();
        true
    });
    assert!(memory < 64 << 20, "{what}: {memory} bytes");
    opened
}

#[test]
fn damaged_tables_do_no_harm() {
    let files = Files::from([
        ("A/B.uasset".to_owned(), content(100, 1)),
        ("A/C/D.uasset".to_owned(), content(0x1_0010, 2)),
    ]);
    for key in [None, Some((Guid::default(), key(7)))] {
        for (version, method) in [(5, None), (8, Some(BlockMethod::Zlib)), (10, None)] {
            let options = IoStoreOptions { version, method, key, ..IoStoreOptions::new("Mod") };
            let (toc, blocks) = made(&options, &files).unwrap();
            assert!(look(&toc, &blocks, "whole"));
            for length in (0..toc.len()).step_by(3) {
                assert!(!look(&toc[..length], &blocks, &format!("{length} bytes")));
            }
            look(&toc, &blocks[..blocks.len() / 2], "half of the blocks");
            for at in 0..toc.len() {
                for value in [[0, 0x7f], [1, 0xff], [0x80, 0xfe]][at % 3] {
                    let mut toc = toc.clone();
                    toc[at] = value;
                    look(&toc, &blocks, &format!("version {version}, {value:#x} at {at:#x}"));
                }
            }
        }
    }
}

#[test]
fn a_chunk_that_is_there_twice_is_refused() {
    let mut blocks = Vec::new();
    let mut writer = IoStoreWriter::new(&mut blocks, IoStoreOptions::new("Mod")).unwrap();
    writer.add("a.ubulk", 1, ChunkKind::BulkData, b"1").unwrap();
    writer.add("b.ubulk", 1, ChunkKind::BulkData, b"2").unwrap();
    assert!(matches!(writer.finish().unwrap_err().kind(), ErrorKind::Exists { .. }));
}
