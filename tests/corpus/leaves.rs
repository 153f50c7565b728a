//! One leaf of a real package is changed at a time: `diff` and the canonical text both show it.

use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use unreal_packages::package::OpenOptions;

use crate::folders::{corpus, every};
use crate::json::packages;

#[path = "../common/leaves.rs"]
mod swept;

use swept::{Swept, sweep};

/// Packages (half of them in the door), and leaves of each, unless `UPK_LEAVES` says how many leaves, or `all` of all packages.
const PACKAGES: usize = 200;
const LEAVES: usize = 4;
/// Larger packages say nothing more.
const LARGEST: u64 = 60_000;

/// The packages that are looked at, from all over the list.
fn chosen(all: bool) -> Vec<(String, PathBuf, OpenOptions)> {
    let mut found = packages();
    for entry in std::fs::read_dir(corpus().join("wild")).into_iter().flatten().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        found.push((name, entry.path(), OpenOptions::new()));
    }
    let size = |path: &PathBuf| std::fs::metadata(path).map_or(u64::MAX, |facts| facts.len());
    found.retain(|(_, path, _)| size(path) <= LARGEST);
    let every = if all { 1 } else { found.len().div_ceil(PACKAGES).max(1) * every(2) };
    found.into_iter().step_by(every).collect()
}

/// What `UPK_LEAVES` asks for.
fn most() -> (bool, usize) {
    match std::env::var("UPK_LEAVES") {
        Ok(text) => text.parse().map_or((true, usize::MAX), |most| (false, most)),
        Err(_) => (false, LEAVES),
    }
}

pub fn one_changed_leaf_is_shown() {
    let (all, most) = most();
    let (packages, next) = (chosen(all), AtomicUsize::new(0));
    let (total, count) = (Mutex::new(Swept::default()), AtomicUsize::new(0));
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while let Some((name, path, options)) =
                    packages.get(next.fetch_add(1, Ordering::Relaxed))
                {
                    let Ok(package) = options.open(path) else { continue };
                    // A compressed file is compared by what is in it, and saved as it is.
                    let Ok(package) = options.open_bytes(package.source().to_vec()) else {
                        continue;
                    };
                    count.fetch_add(1, Ordering::Relaxed);
                    let seed = name
                        .bytes()
                        .fold(7, |seed: u64, byte| seed.wrapping_mul(31) + u64::from(byte));
                    let mut swept = sweep(&package, options, seed, most);
                    swept
                        .hidden
                        .iter_mut()
                        .for_each(|place| place.insert_str(0, &format!("{name} ")));
                    // The run is long: what is found is said at once.
                    swept.hidden.iter().for_each(|place| println!("{place}"));
                    total.lock().unwrap().add(swept);
                }
            });
        }
    });
    let (total, count) = (total.into_inner().unwrap(), count.into_inner());
    println!("{count} packages, {total}");
    assert!(count > 0 && total.shown > 0);
    let hidden = &total.hidden;
    assert!(hidden.is_empty(), "{} changes are hidden:\n{}", hidden.len(), hidden.join("\n"));
}
