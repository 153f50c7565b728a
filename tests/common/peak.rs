//! An allocator that knows how much is held, and the most that was.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicU64, Ordering};

/// Counts the bytes of all threads and hands everything on to the system.
struct Held;

static HELD: AtomicU64 = AtomicU64::new(0);
static MOST: AtomicU64 = AtomicU64::new(0);

fn add(size: usize) {
    let held = HELD.fetch_add(size as u64, Ordering::Relaxed) + size as u64;
    MOST.fetch_max(held, Ordering::Relaxed);
}

// SAFETY: every call goes to the system's allocator unchanged; counting touches no memory beside two numbers.
unsafe impl GlobalAlloc for Held {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        add(layout.size());
        // SAFETY: the caller's promises are the system's conditions.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        add(layout.size());
        // SAFETY: as above.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        add(size);
        HELD.fetch_sub(layout.size() as u64, Ordering::Relaxed);
        // SAFETY: as above.
        unsafe { System.realloc(pointer, layout, size) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        HELD.fetch_sub(layout.size() as u64, Ordering::Relaxed);
        // SAFETY: as above.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Held = Held;

/// Counts the most from here on; how much is held now.
pub fn start() -> u64 {
    let held = HELD.load(Ordering::Relaxed);
    MOST.store(held, Ordering::Relaxed);
    held
}

/// The most that was held, bytes.
pub fn most() -> u64 {
    MOST.load(Ordering::Relaxed)
}
