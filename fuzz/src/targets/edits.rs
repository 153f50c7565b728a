//! Changes from the input on small packages of UE1 to UE5: each commit is saved, opened again and says the same;
//! a call that fails leaves everything as it was.

use super::input::Input;
use super::operations::{base, change, reopened};

/// Most commits of an input.
const COMMITS: usize = 6;

pub fn run(data: &[u8]) {
    let mut input = Input::new(data);
    let mut package = base(&mut input);
    for _ in 0..COMMITS {
        if input.is_empty() {
            return;
        }
        if change(&mut package, &mut input) {
            let again = reopened(&package);
            // Every other commit goes on from the file.
            if input.byte() % 2 == 1 {
                package = again;
            }
        }
    }
}
