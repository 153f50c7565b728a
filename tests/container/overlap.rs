//! Files that share their stored bytes are refused, whoever reads them.

use std::sync::Arc;

use bytes::Bytes;
use unreal_packages::container::iostore::{ChunkKind, IoStore, IoStoreOptions, IoStoreWriter};
use unreal_packages::container::pak::{Pak, PakOptions, PakVersion, PakWriter};
use unreal_packages::container::{BlockMethod, ContainerOptions, GameContainer, ReadAt};
use unreal_packages::error::{UnrealError, UnrealErrors};

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
            assert!(
                matches!(error.unreal(), Some(UnrealError::DamagedContainer { .. })),
                "{error}"
            );
            assert!(error.to_string().contains("File00.bin"), "{error}");
        }
    }
}

#[test]
fn chunks_may_be_equal_but_not_overlap() {
    let mut blocks = Vec::new();
    let mut writer = IoStoreWriter::new(&mut blocks, IoStoreOptions::new("Game")).unwrap();
    for id in 1..4 {
        let content = vec![id as u8; 0x1_8000];
        writer.add(&format!("F{id}.bin"), id, ChunkKind::BulkData, &content).unwrap();
    }
    let mut toc = writer.finish().unwrap();
    let open = |toc: &[u8]| {
        let blocks: Arc<dyn ReadAt> = Arc::new(Bytes::from(blocks.clone()));
        let options = ContainerOptions::new();
        let store = IoStore::new(Bytes::copy_from_slice(toc), vec![blocks], &options).unwrap();
        GameContainer::IoStore(Box::new(store))
    };
    let store = open(&toc);
    let chunks = store.as_store().unwrap().toc().chunk_ids.len();
    let row = |name: &str| store.files().iter().position(|path| path == name).unwrap();
    let rows = ["F1.bin", "F2.bin", "F3.bin"].map(row);
    assert!(rows.iter().all(|row| store.read(*row).is_ok()));
    // Ranges of ten bytes stand behind the header and the numbers of the chunks.
    let range = |chunk: usize| 144 + 12 * chunks + 10 * chunk;
    let chunk_of = |row: usize| store.as_store().unwrap().chunk_of(row).unwrap().0;
    let [first, second, _] = rows.map(chunk_of).map(range);
    toc.copy_within(first..first + 10, second);
    // Equal content that is stored once.
    let equal = open(&toc);
    let [one, other] = [rows[0], rows[1]].map(|row| equal.read(row).unwrap());
    assert_eq!(one, other);
    // The first block alone.
    toc[second + 5..second + 10].copy_from_slice(&[0, 0, 0, 0x80, 0]);
    let shared = open(&toc);
    // One of the two has the blocks; which one does not matter.
    let refused: Vec<_> = rows.iter().filter_map(|row| shared.read(*row).err()).collect();
    assert_eq!(refused.len(), 1);
    assert!(
        matches!(refused[0].unreal(), Some(UnrealError::DamagedContainer { .. })),
        "{}",
        refused[0]
    );
    assert!(shared.read(rows[2]).is_ok());
}
