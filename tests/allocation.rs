//! Opening a package allocates a table at a time, not a row at a time.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use farchive::Package;
use farchive::generate::Builder;

/// Counts what the calling thread allocates and hands everything on to the system.
struct Counting;

thread_local! {
    static COUNT: Cell<u64> = const { Cell::new(0) };
}

fn count_one() {
    // A thread that is ending has no counter any more, and nobody who reads it.
    let _ = COUNT.try_with(|count| count.set(count.get() + 1));
}

// SAFETY: every call goes to the system's allocator unchanged; counting touches no memory of its own
// beside a thread-local number, which needs no allocation.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count_one();
        // SAFETY: the caller's promises are the system's conditions.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count_one();
        // SAFETY: as above.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count_one();
        // SAFETY: as above.
        unsafe { System.realloc(pointer, layout, size) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: as above.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// How often opening a package of so many names and exports allocates.
fn allocations(file: u32, names: usize, exports: usize) -> u64 {
    let mut builder = Builder::new(file);
    // The first name, `None`, is the builder's own.
    let texts: Vec<String> = (1..names).map(|row| format!("Name{row}")).collect();
    for text in &texts {
        builder = builder.name(text);
    }
    for row in 0..exports {
        builder = builder.export(&texts[row % 50], "Core.Class", vec![0; 8]);
    }
    let source = bytes::Bytes::from(builder.build().expect("the package can be built"));
    let before = COUNT.get();
    let package = Package::from_bytes(source).expect("the package opens");
    let after = COUNT.get();
    assert_eq!((package.names().len(), package.exports().len()), (names, exports));
    after - before
}

#[test]
fn opening_allocates_nothing_per_name() {
    for file in [61, 69, 128, 684, 868] {
        let (few, many) = (allocations(file, 100, 50), allocations(file, 400, 50));
        assert_eq!(few, many, "version {file}");
        assert!(few > 0, "the counter counts");
    }
}

#[test]
fn opening_allocates_nothing_per_export_without_lists() {
    for file in [61, 69, 128] {
        let (few, many) = (allocations(file, 100, 50), allocations(file, 100, 1_000));
        assert_eq!(few, many, "version {file}");
    }
}

#[test]
fn opening_a_large_package_allocates_as_often_as_a_small_one() {
    let (small, large) = (allocations(69, 100, 50), allocations(69, 3_600, 5_600));
    assert_eq!(small, large);
    assert!(large < 20, "{large} allocations");
}
