//! What a piece of work costs: an allocator that counts for each thread how much memory is taken at one time, how
//! much all in all, and how often. Work that grows faster than its input takes more of these, or runs longer under
//! `tests/machine/growth.rs`, which counts instructions; a clock would count what else the machine does.

#![allow(dead_code)] // each suite uses its own part of this module

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

struct Counting;

#[global_allocator]
static COUNTING: Counting = Counting;

thread_local! {
    static NOW: Cell<isize> = const { Cell::new(0) };
    static PEAK: Cell<isize> = const { Cell::new(0) };
    static COUNT: Cell<u64> = const { Cell::new(0) };
    static TOTAL: Cell<u64> = const { Cell::new(0) };
}

fn add(bytes: isize) {
    // A thread that is ending has no cells any more, and is of no interest.
    let _ = NOW.try_with(|now| {
        now.set(now.get() + bytes);
        let _ = PEAK.try_with(|peak| peak.set(peak.get().max(now.get())));
    });
    if bytes > 0 {
        let _ = COUNT.try_with(|count| count.set(count.get() + 1));
        let _ = TOTAL.try_with(|total| total.set(total.get() + bytes as u64));
    }
}

// SAFETY: every call is handed on to the system's allocator as it is; counting allocates nothing.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        add(layout.size() as isize);
        // SAFETY: as the caller's.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        add(layout.size() as isize);
        // SAFETY: as the caller's.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        add(-(layout.size() as isize));
        // SAFETY: as the caller's.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // Old and new stand side by side while the bytes are copied.
        add(size as isize);
        add(-(layout.size() as isize));
        // SAFETY: as the caller's.
        unsafe { System.realloc(pointer, layout, size) }
    }
}

/// The result of some work, and the most memory that this thread had more than before at one time.
pub fn peak<T>(work: impl FnOnce() -> T) -> (T, usize) {
    let before = NOW.get();
    PEAK.set(before);
    let result = work();
    (result, usize::try_from(PEAK.get() - before).unwrap_or(0))
}

/// What some work has allocated on this thread.
#[derive(Debug, Clone, Copy)]
pub struct Work {
    /// How often.
    pub count: u64,
    /// Bytes, those included that were freed again.
    pub bytes: u64,
}

/// The result of some work, and what it has allocated.
pub fn work<T>(work: impl FnOnce() -> T) -> (T, Work) {
    let (count, bytes) = (COUNT.get(), TOTAL.get());
    let result = work();
    (result, Work { count: COUNT.get() - count, bytes: TOTAL.get() - bytes })
}

#[test]
fn memory_is_counted() {
    let ((length, peak), work) = work(|| {
        peak(|| {
            drop(vec![1u8; 5000]);
            vec![1u8; 3000].len()
        })
    });
    assert_eq!((length, peak), (3000, 5000));
    assert_eq!((work.count, work.bytes), (2, 8000));
}
