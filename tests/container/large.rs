//! A container as large as a game's: 20 GB and 200,000 files, of which only the tables are stored.

use std::io::Write;
use std::sync::Arc;

use bytes::Bytes;
use unreal_packages::Result;
use unreal_packages::container::pak::{Pak, PakOptions, PakWriter};
use unreal_packages::container::{ContainerOptions, ReadAt};

use super::counted::Counted;
use super::memory::peak;
use super::text::content;

const FILES: u64 = 200_000;
const SIZE: usize = 100;
const ALIGNMENT: u64 = 0x2_0000;

/// Bytes that are kept only where they are not zero: pieces with their places.
#[derive(Debug, Default)]
struct Sparse {
    pieces: Vec<(u64, Bytes)>,
    length: u64,
}

impl Write for Sparse {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        // Zeros that move the next file come in long pieces; 26 GB need not be looked at one by one.
        let is_padding = bytes.len() > 50_000 && bytes[..64].iter().all(|byte| *byte == 0);
        if !is_padding {
            self.pieces.push((self.length, Bytes::copy_from_slice(bytes)));
        }
        self.length += bytes.len() as u64;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl ReadAt for Sparse {
    fn length(&self) -> u64 {
        self.length
    }

    fn read_at(&self, at: u64, bytes: &mut [u8]) -> Result<()> {
        let end = at + bytes.len() as u64;
        assert!(end <= self.length);
        bytes.fill(0);
        let first = self.pieces.partition_point(|(start, piece)| start + piece.len() as u64 <= at);
        for (start, piece) in self.pieces[first..].iter().take_while(|(start, _)| *start < end) {
            for (row, byte) in piece.iter().enumerate() {
                let place = start + row as u64;
                if (at..end).contains(&place) {
                    bytes[(place - at) as usize] = *byte;
                }
            }
        }
        Ok(())
    }
}

#[test]
fn a_game_is_listed_in_little_memory_and_a_file_costs_itself() {
    let mut sparse = Sparse::default();
    let options = PakOptions { alignment: ALIGNMENT, ..PakOptions::default() };
    let mut writer = PakWriter::new(&mut sparse, options);
    let content = content(SIZE, 1);
    for row in 0..FILES {
        let path = format!("Game/Content/Folder{}/Asset{row}.uasset", row / 100);
        writer.add(&path, &content).unwrap();
    }
    writer.finish().unwrap();
    assert!(sparse.length > 20_000_000_000, "{}", sparse.length);
    let counted = Arc::new(Counted::new(sparse));
    let (pak, memory) = peak(|| Pak::open(counted.clone(), &ContainerOptions::new()).unwrap());
    let (reads, bytes) = counted.take();
    println!("{memory} bytes of memory, {reads} reads of {bytes} bytes");
    assert_eq!(pak.files().len() as u64, FILES);
    assert!(memory < 500 << 20, "{memory}");
    // The trailer and three indexes.
    assert_eq!(reads, 4);
    assert!(bytes < 20_000_000, "{bytes}");
    let (sum, memory) =
        peak(|| (0..pak.files().len()).map(|row| pak.file(row).unwrap().size).sum::<u64>());
    assert_eq!((sum, counted.take()), (FILES * SIZE as u64, (0, 0)));
    assert!(memory < 1 << 20);
    let row = pak.files().iter().position(|path| path.ends_with("Asset123456.uasset")).unwrap();
    assert_eq!(pak.read_checked(row).unwrap(), content);
    let (reads, bytes) = counted.take();
    assert!(reads == 1 && bytes < SIZE as u64 + 100, "{reads} reads of {bytes} bytes");
}
