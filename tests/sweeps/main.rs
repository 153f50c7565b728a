//! Every value there is: what a word of 32 bits can say is looked at for all 4,294,967,296 of them.
//!
//! Minutes in a release build, hours without: `cargo test --release --test sweeps -- --ignored --nocapture`.

mod compact;
mod strings;
mod versions;

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

/// Words that one thread takes at a time.
const BLOCK: u64 = 1 << 16;

/// Calls `work` with every block of all words of 32 bits, on every core, and says how long that took. What each
/// thread needs again and again is made by `start`; what the calls count is summed up.
fn sweep<T>(
    what: &str,
    start: impl Fn() -> T + Sync,
    work: impl Fn(&mut T, Range<u64>) -> u64 + Sync,
) -> u64 {
    let (next, counted) = (AtomicU64::new(0), AtomicU64::new(0));
    let began = Instant::now();
    let threads = std::thread::available_parallelism().map_or(1, |count| count.get());
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                let mut own = start();
                loop {
                    let first = next.fetch_add(BLOCK, Ordering::Relaxed);
                    if first > u64::from(u32::MAX) {
                        break;
                    }
                    counted.fetch_add(work(&mut own, first..first + BLOCK), Ordering::Relaxed);
                }
            });
        }
    });
    let counted = counted.into_inner();
    println!(
        "{what}: 4294967296 words, {counted} of them counted, {} s",
        began.elapsed().as_secs()
    );
    counted
}
