//! How long a piece of work takes.

use std::hint::black_box;
use std::time::{Duration, Instant};

/// Runs `work` once; what it returns is freed after the clock has stopped.
pub fn timed<T>(work: impl FnOnce() -> T) -> Duration {
    let start = Instant::now();
    let made = black_box(work());
    let time = start.elapsed();
    drop(made);
    time
}
