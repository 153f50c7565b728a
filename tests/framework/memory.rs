//! Streams that are longer than any memory: what is allocated at once is counted.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::io::{self, Read, Seek, SeekFrom, Write};

use farchive::{Archived, ReadLoader, Versions, WriteSaver};

/// Counts what the calling thread holds, and hands everything on to the system.
struct Counting;

thread_local! {
    static HELD: Cell<i64> = const { Cell::new(0) };
    static PEAK: Cell<i64> = const { Cell::new(0) };
}

fn hold(bytes: i64) {
    // A thread that is ending has no counter any more.
    let _ = HELD.try_with(|held| {
        held.set(held.get() + bytes);
        PEAK.with(|peak| peak.set(peak.get().max(held.get())));
    });
}

// SAFETY: every call goes to the system's allocator unchanged; counting touches no memory of its own
// beside thread-local numbers, which need no allocation.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        hold(layout.size() as i64);
        // SAFETY: the caller's promises are the system's conditions.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        hold(-(layout.size() as i64));
        // SAFETY: as above.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// What `work` holds at once.
fn peak_of(work: impl FnOnce()) -> i64 {
    let before = HELD.get();
    PEAK.set(before);
    work();
    PEAK.get() - before
}

/// Bytes that are never all there: one record again and again.
struct Repeated {
    record: Vec<u8>,
    at: u64,
    length: u64,
}

impl Read for Repeated {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let from = (self.at % self.record.len() as u64) as usize;
        let left = (self.length - self.at).min(buffer.len() as u64) as usize;
        let count = left.min(self.record.len() - from);
        buffer[..count].copy_from_slice(&self.record[from..from + count]);
        self.at += count as u64;
        Ok(count)
    }
}

impl Seek for Repeated {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.at = match to {
            SeekFrom::Start(at) => at,
            SeekFrom::End(by) => self.length.saturating_add_signed(by),
            SeekFrom::Current(by) => self.at.saturating_add_signed(by),
        };
        Ok(self.at)
    }
}

/// Counts what is written, and keeps nothing.
#[derive(Default)]
struct Gone(u64, u64);

impl Write for Gone {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 += bytes.len() as u64;
        self.1 = self.1.max(self.0);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Seek for Gone {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        if let SeekFrom::Start(at) = to {
            self.0 = at;
        }
        Ok(self.0)
    }
}

#[derive(Archived, Debug, Clone, Default, PartialEq)]
struct Record {
    id: u32,
    samples: Vec<u8>,
}

/// 64 KiB and a few bytes.
fn record() -> Record {
    Record { id: 7, samples: vec![1; 64 << 10] }
}

/// What reading and writing so many bytes holds at once, a record being read or written after the other.
fn through(length: u64) {
    let versions = Versions::own(1);
    let bytes = farchive::to_bytes(&record(), &versions).unwrap();
    let count = length / bytes.len() as u64;
    let length = count * bytes.len() as u64;
    let most = 1 << 20;
    for seeks in [false, true] {
        let reader = Repeated { record: bytes.clone(), at: 0, length };
        let held = peak_of(|| {
            let mut loader = match seeks {
                true => ReadLoader::seekable(reader, versions.clone()).unwrap(),
                false => ReadLoader::new(reader, versions.clone()),
            };
            let mut read = 0;
            for value in loader.values::<Record>() {
                read += u64::from(value.unwrap().id == 7);
            }
            assert_eq!(read, count);
            loader.finish().unwrap();
        });
        assert!(held < most, "{held} bytes at once");
    }
    let mut value = record();
    for seeks in [false, true] {
        let held = peak_of(|| {
            let mut saver = match seeks {
                true => WriteSaver::seekable(Gone::default(), versions.clone()).unwrap(),
                false => WriteSaver::new(Gone::default(), versions.clone()),
            };
            (0..count).for_each(|_| saver.put(&mut value).unwrap());
            let (gone, written) = saver.finish().unwrap();
            assert_eq!((gone.1, written), (length, length));
        });
        assert!(held < most, "{held} bytes at once");
    }
}

#[test]
fn a_long_stream_takes_the_memory_of_one_value() {
    through(64 << 20);
}

#[test]
#[ignore = "ten gigabytes go through it: minutes without optimisation"]
fn ten_gigabytes_take_the_memory_of_one_value() {
    through(10_000_000_000);
}

#[test]
fn a_writer_that_seeks_holds_no_value() {
    let mut large = vec![[1_u8; 16]; 1 << 20];
    let held = peak_of(|| {
        let mut saver = WriteSaver::seekable(Gone::default(), Versions::own(1)).unwrap();
        saver.put(&mut large).unwrap();
        assert_eq!(saver.finish().unwrap().1, (16 << 20) + 4);
    });
    assert!(held < 1 << 20, "{held} bytes at once");
}
