//! `.pak` files and IoStore containers: what is listed is read or there is an error, within memory that the file is
//! worth; tables that are read are written as they were.

use std::sync::Arc;

use bytes::Bytes;
use unreal_packages::Result;
use unreal_packages::container::iostore::IoStore;
use unreal_packages::container::pak::{Pak, TableCheck};
use unreal_packages::container::{AesKey, ContainerOptions, Keys, ReadAt};

use super::is_readable;
use crate::memory;

/// Bytes that a file of a container may become.
const MOST: u64 = 1 << 20;
/// Files that are read of a container, from its start.
const FILES: usize = 64;

/// The key of the seeds that are encrypted.
pub const KEY: [u8; 32] = [7; 32];

fn options() -> ContainerOptions {
    let keys = Keys::new().with(None, AesKey::new([1; 32])).with(None, AesKey::new(KEY));
    ContainerOptions::new().keys(keys).max_file(MOST)
}

/// What may be taken for a container of this many bytes: its tables, one file and what its codec needs.
fn limit(length: usize) -> usize {
    (64 << 20) + 64 * length + 4 * MOST as usize
}

pub fn pak(data: &[u8]) {
    let source: Arc<dyn ReadAt> = Arc::new(Bytes::copy_from_slice(data));
    let ((), peak) = memory::peak(|| match Pak::open(source, &options()) {
        Err(error) => is_readable(&error),
        Ok(pak) => {
            assert!(!pak.mount_point().contains('\0'), "{:?}", pak.mount_point());
            for row in 0..pak.files().len().min(FILES) {
                let plain = read_twice(pak.read(row), pak.read_checked(row));
                match (pak.file(row), plain) {
                    (Err(error), _) => is_readable(&error),
                    (Ok(facts), Some(plain)) => {
                        assert_eq!(facts.size, plain.len() as u64, "{}", facts.path);
                    }
                    (Ok(_), None) => {}
                }
            }
            tables(pak.check_tables());
        }
    });
    assert!(peak <= limit(data.len()), "{peak} bytes of memory for {}", data.len());
}

/// The length of the table of contents, then both files.
pub fn iostore(data: &[u8]) {
    let Some((length, files)) = data.split_first_chunk() else { return };
    let (toc, blocks) = files.split_at((u32::from_le_bytes(*length) as usize).min(files.len()));
    let source: Arc<dyn ReadAt> = Arc::new(Bytes::copy_from_slice(blocks));
    let ((), peak) = memory::peak(|| {
        match IoStore::new(Bytes::copy_from_slice(toc), vec![source], &options()) {
            Err(error) => is_readable(&error),
            Ok(store) => {
                let _ = store.header();
                for row in 0..store.files().len().min(FILES) {
                    read_twice(store.read(row), store.read_checked(row));
                    let _ = store.file(row).map_err(|error| is_readable(&error));
                }
                tables(store.check_tables());
            }
        }
    });
    assert!(peak <= limit(data.len()), "{peak} bytes of memory for {}", data.len());
}

/// The bytes of an input for [`iostore`].
pub fn input(toc: &[u8], blocks: &[u8]) -> Vec<u8> {
    [&(toc.len() as u32).to_le_bytes()[..], toc, blocks].concat()
}

/// What both ways of reading a file say: the same, where neither is an error.
fn read_twice(plain: Result<Vec<u8>>, checked: Result<Vec<u8>>) -> Option<Vec<u8>> {
    match (plain, checked) {
        (Ok(plain), Ok(checked)) => {
            assert!(plain == checked, "a file is read in two ways");
            Some(plain)
        }
        (plain, checked) => {
            for error in [&plain, &checked].into_iter().filter_map(|read| read.as_ref().err()) {
                is_readable(error);
            }
            plain.ok()
        }
    }
}

fn tables(checks: Result<Vec<TableCheck>>) {
    if let Err(error) = checks {
        is_readable(&error);
    }
}
