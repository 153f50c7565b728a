//! Edits of thousands of objects: what takes them back must not be a copy of the package for each of them.

use crate::common::many_actors::actors_from_text;
use crate::memory;

/// Lights, and as many brushes, of the smallest edit: beyond it what grows by the square stands out.
const ROWS: usize = 600;
/// How many times as much memory the second doubling may take as the first one.
const MOST_GROWTH: f64 = 2.4;

#[test]
fn memory_grows_as_the_actors_that_are_added() {
    let [one, two, four] = [1, 2, 4].map(|times| memory::peak(|| actors_from_text(times * ROWS)).1);
    let growth = (four - two) as f64 / (two - one) as f64;
    println!("{one}, {two}, {four} bytes: {growth:.2} of {MOST_GROWTH} times");
    assert!(growth <= MOST_GROWTH, "{one}, {two}, {four} bytes: {growth:.2} times");
}
