//! Keys are proven, and never guessed: by the index, by hashes, by the content itself.

use std::sync::Arc;

use bytes::Bytes;
use unreal_packages::container::iostore::{ChunkKind, IoStore, IoStoreOptions, IoStoreWriter};
use unreal_packages::container::pak::{Pak, PakOptions, PakVersion, PakWriter};
use unreal_packages::container::{BlockMethod, ContainerOptions, Keys, ReadAt};
use unreal_packages::error::{UnrealError, UnrealErrors};
use unreal_packages::{Guid, Result};

use super::pak::key;

/// Bytes that look like nothing.
pub fn noise(size: usize, seed: u64) -> Vec<u8> {
    let mut state = seed;
    let mut next = || {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (state ^ state >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ mixed >> 31) as u8
    };
    (0..size).map(|_| next()).collect()
}

/// A file whose entries are encrypted and whose index is not.
fn with_open_index(
    files: &[(&str, Vec<u8>)],
    version: u32,
    method: Option<BlockMethod>,
) -> Vec<u8> {
    let version = PakVersion::new(version).unwrap();
    let key = Some((Guid::default(), key(7)));
    let options = PakOptions { version, method, key, open_index: true, ..PakOptions::default() };
    let mut bytes = Vec::new();
    let mut writer = PakWriter::new(&mut bytes, options);
    files.iter().for_each(|(path, content)| writer.add(path, content).unwrap());
    writer.finish().unwrap();
    bytes
}

/// The forms in which files with an open index are made: block by block, and as a stream.
fn forms() -> impl Iterator<Item = (u32, Option<BlockMethod>)> {
    [8, 11, 15].into_iter().flat_map(|version| {
        [None, Some(BlockMethod::Zlib), Some(BlockMethod::Lz4)].map(|method| (version, method))
    })
}

fn open(bytes: &[u8], keys: &[u8]) -> Result<Pak> {
    let keys = keys.iter().fold(Keys::new(), |keys, byte| keys.with(None, key(*byte)));
    let source = Arc::new(Bytes::copy_from_slice(bytes));
    Pak::open(source, &ContainerOptions::new().keys(keys))
}

fn files() -> Vec<(&'static str, Vec<u8>)> {
    vec![
        ("A.ini", b"[/Script/Engine.Engine]\r\nGameName=Town and more of it\r\n".to_vec()),
        ("B.bin", noise(4096, 1)),
        ("C.bin", noise(30, 2)),
        ("D.uasset", [&[0xc1, 0x83, 0x2a, 0x9e][..], &noise(2044, 3)].concat()),
        ("Zero.bin", Vec::new()),
    ]
}

#[test]
fn a_wrong_key_before_the_right_one_changes_nothing() {
    for (version, method) in forms() {
        let bytes = with_open_index(&files(), version, method);
        for keys in [&[7][..], &[1, 7], &[7, 1], &[1, 2, 3, 7]] {
            let pak = open(&bytes, keys).unwrap();
            for (row, (path, content)) in files().iter().enumerate() {
                assert_eq!(pak.files()[row], *path);
                assert!(pak.read(row).unwrap() == *content, "{path} {keys:?} {method:?} {version}");
                assert!(pak.read_checked(row).unwrap() == *content && pak.proves_key(row));
            }
        }
    }
}

#[test]
fn a_wrong_key_alone_gives_no_noise() {
    for (version, method) in forms() {
        let bytes = with_open_index(&files(), version, method);
        for keys in [&[1][..], &[1, 2], &[]] {
            let pak = open(&bytes, keys).unwrap();
            for (row, (path, content)) in files().iter().enumerate() {
                if content.is_empty() {
                    assert!(pak.read(row).unwrap().is_empty());
                    continue;
                }
                for read in [pak.read(row), pak.read_checked(row)] {
                    let kind = read.unwrap_err().into_kind();
                    let is_refused = matches!(
                        kind.unreal(),
                        Some(UnrealError::NeedsKey { .. } | UnrealError::UnprovenKey { .. })
                    );
                    assert!(is_refused, "{path} {keys:?} {method:?} {version}: {kind:?}");
                }
            }
        }
    }
}

#[test]
fn what_nothing_proves_is_said() {
    let files = [("A.bin", noise(4096, 1)), ("B.bin", noise(16, 2))];
    let bytes = with_open_index(&files, 11, None);
    // The right key: nothing shows that it is.
    let pak = open(&bytes, &[7]).unwrap();
    for row in 0..2 {
        let kind = pak.read(row).unwrap_err().into_kind();
        assert!(matches!(kind.unreal(), Some(UnrealError::UnprovenKey { .. })), "{kind:?}");
        assert!(!pak.proves_key(row));
    }
    let options = ContainerOptions::new().keys(Keys::new().with(None, key(7))).unproven_keys(true);
    let pak = Pak::open(Arc::new(Bytes::from(bytes)), &options).unwrap();
    assert!(pak.read(0).unwrap() == files[0].1 && !pak.proves_key(0));
}

/// A store without an index by path: its chunks have hashes of what they hold.
fn store(files: &[Vec<u8>], own: u8) -> (Vec<u8>, Vec<u8>) {
    let mut blocks = Vec::new();
    let options = IoStoreOptions {
        key: Some((Guid::new(1, 2, 3, 4), key(own))),
        ..IoStoreOptions::new("Game")
    };
    let mut writer = IoStoreWriter::new(&mut blocks, options).unwrap();
    for (id, content) in (1..).zip(files) {
        writer.add(&format!("F{id}.bin"), id, ChunkKind::BulkData, content).unwrap();
    }
    let toc = writer.finish().unwrap();
    (toc, blocks)
}

fn open_store(toc: &[u8], blocks: &[u8], keys: &[u8]) -> Result<IoStore> {
    let keys = keys.iter().fold(Keys::new(), |keys, byte| keys.with(None, key(*byte)));
    let blocks: Arc<dyn ReadAt> = Arc::new(Bytes::copy_from_slice(blocks));
    let options = ContainerOptions::new().keys(keys);
    IoStore::new(Bytes::copy_from_slice(toc), vec![blocks], &options)
}

#[test]
fn encrypted_chunks_are_read_with_the_key_that_gives_their_hash() {
    let files = [noise(16, 1), noise(5000, 2)];
    let (toc, blocks) = store(&files, 7);
    for keys in [&[7][..], &[1, 7], &[7, 1]] {
        let store = open_store(&toc, &blocks, keys).unwrap();
        for (row, path) in store.files().iter().enumerate() {
            let Some(id) = path.strip_prefix('F').and_then(|it| it.strip_suffix(".bin")) else {
                continue;
            };
            let at = id.parse::<usize>().unwrap() - 1;
            assert!(store.read(row).unwrap() == files[at], "{path} {keys:?}");
        }
    }
    let error = open_store(&toc, &blocks, &[1, 2]).unwrap_err();
    assert!(matches!(error.unreal(), Some(UnrealError::NeedsKey { tried: 2, .. })), "{error}");
    // The index of one key, blocks of another: no noise, though the key of the index is right.
    let (_, others) = store_of_other_key(&files);
    let store = open_store(&toc, &others, &[7]).unwrap();
    let row = store.files().iter().position(|path| path == "F1.bin").unwrap();
    assert!(store.read(row).is_err());
    // With both keys each is read with its own.
    let store = open_store(&toc, &others, &[7, 9]).unwrap();
    assert!(store.read(row).unwrap() == files[0]);
}

fn store_of_other_key(files: &[Vec<u8>]) -> (Vec<u8>, Vec<u8>) {
    store(files, 9)
}

/// Most files are of one block and prove nothing; the one that does is found among any number of them.
#[test]
fn one_file_among_many_proves_the_key() {
    for count in [1, 63, 64, 65, 70, 127, 128, 300] {
        let names: Vec<String> = (0..count).map(|row| format!("{row:03}.bin")).collect();
        let noise_of = |(row, name): (usize, &'_ String)| (name.clone(), noise(16, row as u64));
        let mut owned: Vec<_> = names.iter().enumerate().map(noise_of).collect();
        owned.push(("Text.txt".into(), b"hello world, this is a text of some length ".repeat(3)));
        let files: Vec<(&str, Vec<u8>)> =
            owned.iter().map(|(name, content)| (&**name, content.clone())).collect();
        let pak = open(&with_open_index(&files, 8, None), &[7]).unwrap();
        for (row, path) in pak.files().iter().enumerate() {
            let content = &owned.iter().find(|(name, _)| name == path).unwrap().1;
            assert!(pak.proves_key(row), "{path} of {count}");
            assert!(pak.read(row).unwrap() == *content, "{path} of {count}");
        }
    }
}

/// A file that none of those is which are read to find a key proves it for the others once it is read.
#[test]
fn a_key_that_was_proven_once_is_remembered() {
    let mut owned: Vec<(String, Vec<u8>)> = Vec::new();
    owned.extend((0..203).map(|row| (format!("A{row:03}.bin"), noise(16, row))));
    owned.push(("B.txt".into(), b"hello world, this is a text of some length 12345".to_vec()));
    owned.extend((0..300).map(|row| (format!("C{row:03}.bin"), noise(512, 1000 + row))));
    let files: Vec<(&str, Vec<u8>)> =
        owned.iter().map(|(name, content)| (&**name, content.clone())).collect();
    let pak = open(&with_open_index(&files, 8, None), &[1, 7]).unwrap();
    let row = |name: &str| pak.files().iter().position(|path| path == name).unwrap();
    let kind = pak.read(row("A000.bin")).unwrap_err().into_kind();
    assert!(matches!(kind.unreal(), Some(UnrealError::UnprovenKey { .. })), "{kind:?}");
    assert!(pak.read(row("B.txt")).unwrap() == owned[203].1);
    for (name, content) in &owned {
        assert!(pak.read(row(name)).unwrap() == *content && pak.proves_key(row(name)), "{name}");
    }
}
