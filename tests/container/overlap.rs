//! Files that share their stored bytes are refused, whoever reads them.

use std::sync::Arc;

use bytes::Bytes;
use farchive::ErrorKind;
use farchive::container::pak::{Pak, PakOptions, PakVersion, PakWriter};
use farchive::container::{BlockMethod, ContainerOptions, GameContainer};

/// Version 3, whose index holds whole records: each file is 64 KiB of zeros.
fn made(count: usize) -> Vec<u8> {
    let mut bytes = Vec::new();
    let version = PakVersion::new(3).unwrap();
    let options = PakOptions { version, method: Some(BlockMethod::Zlib), ..PakOptions::default() };
    let mut writer = PakWriter::new(&mut bytes, options);
    (0..count).for_each(|row| writer.add(&format!("File{row:02}.bin"), &[0; 0x1_0000]).unwrap());
    writer.finish().unwrap();
    bytes
}

/// Lets the records of the files after the first say the place of the first.
fn on_one_stream(bytes: &mut [u8], count: usize) {
    let open = Pak::open(Arc::new(Bytes::copy_from_slice(bytes)), &ContainerOptions::new());
    let index = open.unwrap().trailer().index_offset as usize;
    for row in 1..count {
        let name = format!("File{row:02}.bin\0");
        let at = bytes[index..].windows(name.len()).position(|it| it == name.as_bytes()).unwrap();
        let place = index + at + name.len();
        bytes[place..place + 8].copy_from_slice(&0_u64.to_le_bytes());
    }
}

fn open(bytes: Vec<u8>) -> GameContainer {
    let pak = Pak::open(Arc::new(Bytes::from(bytes)), &ContainerOptions::new()).unwrap();
    GameContainer::Pak(Box::new(pak))
}

#[test]
fn a_thousand_files_of_one_stream_are_one() {
    let mut bytes = made(20);
    let pak = open(bytes.clone());
    assert!((0..20).all(|row| pak.overlaps().of(row).is_none() && pak.read(row).is_ok()));
    on_one_stream(&mut bytes, 20);
    let pak = open(bytes);
    assert_eq!(pak.read(0).unwrap(), vec![0; 0x1_0000]);
    for row in 1..20 {
        assert_eq!(pak.overlaps().of(row), Some(0));
        for read in [pak.read(row), pak.read_checked(row)] {
            let error = read.unwrap_err();
            assert!(matches!(error.kind(), ErrorKind::DamagedContainer { .. }), "{error}");
            assert!(error.to_string().contains("File00.bin"), "{error}");
        }
    }
}
