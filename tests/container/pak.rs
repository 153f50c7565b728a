//! `.pak` files of every version, made and read.

use std::collections::BTreeMap;
use std::sync::Arc;

use bytes::Bytes;
use unreal_packages::container::pak::{Pak, PakOptions, PakVersion, PakWriter, path_hash};
use unreal_packages::container::{AesKey, BlockMethod, ContainerOptions, Keys};
use unreal_packages::error::{UnrealError, UnrealErrors};
use unreal_packages::{ErrorKind, Guid, Result};

use super::text::content;

pub type Files = BTreeMap<String, Vec<u8>>;

/// Files of many sizes: none, less than a block of the cipher, one and several blocks.
pub fn files() -> Files {
    let sizes = [0, 1, 15, 16, 17, 1000, 0x1_0000, 0x1_0001, 0x2_8000];
    let name = |(row, size): (usize, &usize)| {
        let folder = ["", "Game/Content/", "Game/Content/Maps/", "Engine/Config/"][row % 4];
        let extension = ["uasset", "ini", "bin"][row % 3];
        (format!("{folder}File{row}.{extension}"), content(*size, row as u64))
    };
    let mut files: Files = sizes.iter().enumerate().map(name).collect();
    // What does not become smaller.
    files.insert("Noise.bin".to_owned(), blake3_like(5000));
    files
}

/// Bytes that nothing compresses.
fn blake3_like(size: usize) -> Vec<u8> {
    let mut state = 1_u64;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 24) as u8
    };
    (0..size).map(|_| next()).collect()
}

pub fn key(byte: u8) -> AesKey {
    AesKey::new([byte; 32])
}

pub fn made(options: &PakOptions, files: &Files) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut writer = PakWriter::new(&mut bytes, options.clone());
    for (path, content) in files {
        writer.add(path, content)?;
    }
    writer.finish()?;
    Ok(bytes)
}

pub fn open(bytes: Vec<u8>, keys: Keys) -> Result<Pak> {
    Pak::open(Arc::new(Bytes::from(bytes)), &ContainerOptions::new().keys(keys))
}

/// Everything in it, read and checked.
pub fn all(pak: &Pak) -> Result<Files> {
    let read = |(row, path): (usize, &String)| Ok((path.clone(), pak.read_checked(row)?));
    pak.files().iter().enumerate().map(read).collect()
}

/// All versions with all methods that they have, and what they are encrypted with.
fn every_form() -> Vec<PakOptions> {
    let methods = [
        None,
        Some(BlockMethod::Zlib),
        Some(BlockMethod::Gzip),
        Some(BlockMethod::Zstd),
        Some(BlockMethod::Lz4),
    ];
    let mut forms = Vec::new();
    for version in PakVersion::all() {
        for method in methods {
            let is_named = matches!(method, Some(BlockMethod::Zstd | BlockMethod::Lz4));
            let has_blocks = version.number() >= 3;
            if (is_named && version.number() < 8) || (method.is_some() && !has_blocks) {
                continue;
            }
            for key in [None, Some((Guid::new(1, 2, 3, 4), key(7)))] {
                if key.is_some() && version.number() < 4 {
                    continue;
                }
                let mount_point = "../../../".to_owned();
                let alignment = if version.number() % 2 == 0 { 64 } else { 1 };
                let path_hash_seed = 5;
                let options = PakOptions { version, mount_point, method, ..PakOptions::default() };
                forms.push(PakOptions { path_hash_seed, alignment, key, ..options });
            }
        }
    }
    forms
}

#[test]
fn every_version_method_and_cipher_is_read_again() {
    let (files, forms) = (files(), every_form());
    assert!(forms.len() > 80, "{}", forms.len());
    for options in forms {
        let what = format!("{options:?}");
        let bytes = made(&options, &files).expect(&what);
        let keys = Keys::new().with(None, key(1)).with(None, key(7));
        let pak = open(bytes, keys).expect(&what);
        assert_eq!(pak.version(), options.version);
        assert!(all(&pak).expect(&what) == files, "{what}");
        for table in pak.check_tables().unwrap() {
            assert!(table.identical && table.hash_is_right, "{what}: {table:?}");
        }
        let small = pak.files().iter().position(|path| path == "Noise.bin").unwrap();
        let compressed = options.method.filter(|_| false);
        assert_eq!(pak.file(small).unwrap().method, compressed, "{what}");
        let large = pak.files().iter().position(|path| path.ends_with("File8.bin")).unwrap();
        let row = pak.file(large).unwrap();
        assert_eq!((row.method, row.size), (options.method, 0x2_8000), "{what}");
        assert_eq!(row.encrypted, options.key.is_some());
        assert!(options.method.is_none() || row.stored < row.size, "{what}");
    }
}

#[test]
fn what_is_encrypted_cannot_be_seen_without_the_key() {
    let secret = content(100_000, 3);
    let files = Files::from([("Secret/Plan.txt".to_owned(), secret.clone())]);
    for version in ["7", "11", "15"] {
        let version = version.parse().unwrap();
        let key = Some((Guid::new(9, 9, 9, 9), key(7)));
        let bytes = made(&PakOptions { version, key, ..PakOptions::default() }, &files).unwrap();
        assert!(memchr::memmem::find(&bytes, &secret[..32]).is_none());
        assert!(memchr::memmem::find(&bytes, b"Plan.txt").is_none());
        for keys in [Keys::new(), Keys::new().with(None, super::pak::key(8))] {
            let error = open(bytes.clone(), keys.clone()).unwrap_err();
            let Some(UnrealError::NeedsKey { key, tried }) = error.unreal() else {
                panic!("{error}")
            };
            assert_eq!(*tried, keys.len());
            assert!(key.contains("000000090000000900000009"), "{key}");
        }
    }
}

#[test]
fn keys_are_taken_as_people_write_them() {
    let bytes: Vec<u8> = (0..32).collect();
    let hex: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    let wanted = AesKey::new(bytes.try_into().unwrap());
    let base64 = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";
    for text in
        [hex.clone(), format!("0x{hex}"), base64.to_owned(), format!("0X{}", hex.to_uppercase())]
    {
        assert!(text.parse::<AesKey>().unwrap() == wanted, "{text}");
    }
    let ascii = "0123456789abcdefghijklmnopqrstuv";
    assert!(ascii.parse::<AesKey>().unwrap().bytes() == ascii.as_bytes());
    for text in ["", "0x12", &hex[1..], "0123456789abcdefghijklmnopqrstuvw"] {
        let error = text.parse::<AesKey>().unwrap_err().to_string();
        assert!(text.is_empty() || !error.contains(text), "{error}");
    }
    assert_eq!(format!("{wanted:?}"), "AesKey(..)");
    let guid = "000102030405060708090A0B0C0D0E0F";
    assert_eq!(Keys::new().with_text(&format!("{guid}:{hex}")).unwrap().len(), 1);
    assert!(Keys::new().with_text("nonsense:0x12").is_err());
}

#[test]
fn a_deleted_file_is_listed_and_not_read() {
    for version in ["6", "11", "13"] {
        let mut bytes = Vec::new();
        let options = PakOptions { version: version.parse().unwrap(), ..PakOptions::default() };
        let mut writer = PakWriter::new(&mut bytes, options);
        writer.add("Here.txt", b"here").unwrap();
        writer.delete("Gone.txt").unwrap();
        writer.finish().unwrap();
        let pak = open(bytes, Keys::new()).unwrap();
        let row = |name: &str| pak.files().iter().position(|path| path == name).unwrap();
        assert!(pak.file(row("Gone.txt")).unwrap().deleted);
        assert!(pak.read(row("Gone.txt")).unwrap_err().to_string().contains("deleted"));
        assert_eq!(pak.read(row("Here.txt")).unwrap(), b"here");
    }
}

#[test]
fn a_changed_byte_of_a_file_is_noticed() {
    for options in every_form().into_iter().filter(|options| options.key.is_none()) {
        let files = Files::from([("A.txt".to_owned(), content(300, 1))]);
        let mut bytes = made(&options, &files).unwrap();
        let pak = open(bytes.clone(), Keys::new()).unwrap();
        assert!(pak.read_checked(0).is_ok());
        // The record before the data has about 80 bytes.
        bytes[150] ^= 1;
        let pak = open(bytes, Keys::new()).unwrap();
        let error = pak.read_checked(0).unwrap_err().to_string();
        assert!(error.contains("SHA-1 of A.txt"), "{error}");
    }
}

#[test]
fn paths_that_lead_out_or_stand_twice_are_refused() {
    for path in ["../x", "a/../b", "", "/a", "a//b", "./a"] {
        let mut bytes = Vec::new();
        let mut writer = PakWriter::new(&mut bytes, PakOptions::default());
        assert!(writer.add(path, b"").is_err(), "{path}");
    }
    let mut bytes = Vec::new();
    let mut writer = PakWriter::new(&mut bytes, PakOptions::default());
    writer.add("a", b"1").unwrap();
    writer.add("a", b"2").unwrap();
    assert!(matches!(writer.finish().unwrap_err().kind(), ErrorKind::Exists { .. }));
}

#[test]
fn hashes_of_paths_are_the_engines() {
    assert_eq!(path_hash("test.txt", 0x205C_5A7D), 0x505F_7936_2BA1_72EA);
    assert_eq!(path_hash("Directory/NESTED.txt", 0x205C_5A7D), 0xF778_C4CF_A568_9E1F);
}
