//! Damaged `.pak` files: an error or a result, never a panic, never more memory than the file is worth.

use unreal_packages::Guid;
use unreal_packages::container::pak::PakOptions;
use unreal_packages::container::{BlockMethod, Keys};

use super::memory::peak;
use super::pak::{Files, key, made, open};
use super::text::content;

/// Most memory that looking at a small file may take.
const MOST: usize = 64 << 20;

fn look(bytes: &[u8], what: &str) -> bool {
    let keys = Keys::new().with(None, key(7));
    let (opened, memory) = peak(|| {
        let Ok(pak) = open(bytes.to_vec(), keys) else { return false };
        for row in 0..pak.files().len() {
            let _ = pak.file(row);
            let _ = pak.read(row);
            let _ = pak.read_checked(row);
        }
        let _ = pak.check_tables();
        true
    });
    assert!(memory < MOST, "{what}: {memory} bytes");
    opened
}

fn samples() -> Vec<(String, Vec<u8>)> {
    // Two blocks where that shows something, else little, which is read again and again.
    let files = |version: &str| {
        let size = if version == "11" { 0x1_0010 } else { 600 };
        Files::from([
            ("A/B.ini".to_owned(), content(40, 1)),
            ("A/C/D.uasset".to_owned(), content(size, 2)),
        ])
    };
    let mut samples = Vec::new();
    for version in ["1", "3", "8a", "9", "11", "12", "13", "15"] {
        for key in [None, Some((Guid::default(), key(7)))] {
            let old = version.len() == 1 && version < "4";
            if old && key.is_some() {
                continue;
            }
            let method = (version != "1").then_some(BlockMethod::Zlib);
            let what = format!("version {version}, encrypted {}", key.is_some());
            let files = files(version);
            let version = version.parse().unwrap();
            let options = PakOptions { version, method, key, ..PakOptions::default() };
            samples.push((what, made(&options, &files).unwrap()));
        }
    }
    samples
}

#[test]
fn truncated_files_do_no_harm() {
    for (what, bytes) in samples() {
        assert!(look(&bytes, &what));
        for length in (0..bytes.len())
            .step_by(97)
            .chain((bytes.len().saturating_sub(300)..bytes.len()).step_by(3))
        {
            assert!(!look(&bytes[..length], &format!("{what}, {length} bytes")));
        }
        // What is cut off at the start moves everything.
        look(&bytes[1..], &what);
    }
}

#[test]
fn changed_bytes_do_no_harm() {
    for (what, bytes) in samples() {
        let tables = bytes.len() - bytes.len().min(1200)..bytes.len();
        for (turn, at) in (0..100.min(bytes.len())).chain(tables).enumerate() {
            // Every place, with one of the values.
            for value in [[0, 0x7f], [1, 0xff], [0x80, 0xfe]][turn % 3] {
                let mut bytes = bytes.clone();
                bytes[at] = value;
                look(&bytes, &format!("{what}, {value:#x} at {at:#x}"));
            }
        }
    }
}

#[test]
fn a_file_that_claims_too_much_is_refused() {
    let files = Files::from([("A.bin".to_owned(), vec![0; 0xabcd])]);
    let options = PakOptions { method: Some(BlockMethod::Zlib), ..PakOptions::default() };
    let bytes = made(&options, &files).unwrap();
    let sizes = 0xabcd_u32.to_le_bytes();
    let places: Vec<_> = memchr::memmem::find_iter(&bytes, &sizes).collect();
    assert!(places.len() >= 2);
    let mut bytes = bytes.clone();
    for place in places {
        bytes[place..place + 4].copy_from_slice(&0x7fff_ffff_u32.to_le_bytes());
    }
    let (_, memory) = peak(|| {
        let pak = open(bytes, Keys::new()).unwrap();
        assert!(pak.read(0).is_err());
    });
    assert!(memory < MOST);
}

#[test]
fn a_mount_point_is_a_path() {
    let files = Files::from([("A.bin".to_owned(), vec![7; 40])]);
    for version in ["3", "11"] {
        let version = version.parse().unwrap();
        let mount_point = "../../../h\0me/".to_owned();
        let bytes = made(&PakOptions { version, mount_point, ..PakOptions::default() }, &files);
        let error = open(bytes.unwrap(), Keys::new()).unwrap_err().to_string();
        assert!(error.contains("is no mount point: it holds a character 0"), "{error}");
    }
}
