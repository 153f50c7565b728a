//! A file format that is longer than memory: an archive of recordings, with a table of offsets and checksums.
//!
//! Run it with `cargo run -p farchive --example streams`. It writes recordings to a stream one after the other, reads
//! them again, and goes to one of them by its offset.

use std::io::Cursor;

use farchive::archive::checksum::{self, Checksum};
use farchive::{
    Archive, ArchiveExt, Archived, ReadLoader, Result, Versions, WriteSaver, from_bytes, to_bytes,
};

/// One recording. Its samples are checked.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
struct Recording {
    time: u64,
    title: String,
    #[archive(with = checked)]
    samples: Vec<i16>,
}

/// A checksum stands behind the samples: made anew when they are saved, compared when they are loaded.
fn checked<A: Archive + ?Sized>(samples: &mut Vec<i16>, ar: &mut A) -> Result<()> {
    checksum::behind::<Fletcher, A>(ar, |ar| samples.serialize(ar))
}

/// Fletcher-32 over bytes, in a few lines. The type of any crate does as well.
#[derive(Default)]
struct Fletcher(u32, u32);

impl Checksum for Fletcher {
    type Value = u32;

    fn update(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 + u32::from(*byte)) % 65535;
            self.1 = (self.1 + self.0) % 65535;
        }
    }

    fn value(&self) -> u32 {
        self.1 << 16 | self.0
    }
}

/// Where each recording stands in the file: a table that is saved behind them, and the place of the table at the start.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
#[archive(magic = b"RECS")]
struct Table {
    #[archive(with = elsewhere)]
    offsets: Offsets,
}

#[derive(Debug, Clone, Default, PartialEq)]
struct Offsets {
    place: u64,
    list: Vec<u64>,
}

/// The offset here, the list there. All archives go there and back: readers, writers, those that count and explain.
fn elsewhere<A: Archive + ?Sized>(offsets: &mut Offsets, ar: &mut A) -> Result<()> {
    offsets.place.serialize(ar)?;
    let place = offsets.place;
    ar.at_offset(place, |ar| offsets.list.serialize(ar))
}

fn recording(number: u64) -> Recording {
    let samples = (0..1000).map(|at| (at * number % 251) as i16).collect();
    Recording { time: 1_700_000_000 + number, title: format!("take {number}"), samples }
}

fn main() -> Result<()> {
    let versions = Versions::own(1);

    // Written one after the other: the stream holds one recording at a time. The header is patched at the end, which a
    // writer can that seeks.
    let mut saver = WriteSaver::seekable(Cursor::new(Vec::new()), versions.clone())?;
    saver.put(&[0_u8; 12])?;
    let mut offsets = Vec::new();
    for number in 1..=100 {
        offsets.push(saver.position());
        saver.put(&mut recording(number))?;
    }
    let place = saver.position();
    saver.put(&offsets)?;
    let mut header = b"RECS".to_vec();
    header.extend_from_slice(&place.to_le_bytes());
    saver.patch(0, farchive::archive::Patch::Bytes(&header))?;
    let (file, length) = saver.finish()?;
    let bytes = file.into_inner();
    println!("wrote 100 recordings in {length} bytes");

    // Read by way of the table: only what is asked for.
    let mut loader = ReadLoader::seekable(Cursor::new(&bytes), versions.clone())?;
    let mut table = Table::default();
    table.serialize(&mut loader)?;
    let wanted = table.offsets.list[41];
    let mut one = Recording::default();
    loader.at_offset(wanted, |ar| one.serialize(ar))?;
    assert_eq!(one, recording(42));
    println!("recording 42 stands at {wanted:#x}: '{}'", one.title);

    // Recordings as they come through a pipe, which neither seeks nor says how long it is.
    let pipe = bytes.get(12..place as usize).unwrap_or_default();
    let mut loader = ReadLoader::new(pipe, versions.clone());
    let mut seconds = 0;
    for recording in loader.values::<Recording>() {
        seconds += recording?.samples.len() / 1000;
    }
    println!("{seconds} seconds in all");

    // A byte that has changed on the way is found, with its place.
    let mut damaged = to_bytes(&recording(7), &versions)?;
    damaged[100] ^= 1;
    let error = from_bytes::<Recording>(&damaged, &versions).expect_err("the checksum differs");
    println!("damaged: {error}");
    Ok(())
}
