//! How fast bodies are decoded and saved again, on one thread, beside copying the same bytes.
//!
//! ```text
//! cargo bench -p farchive-benches --bench bodies               # the largest script package of the corpus
//! cargo bench -p farchive-benches --bench bodies -- FILE...    # these packages
//! ```
//! `UPK_CORPUS` names a folder with `conform/`; without one, and without files, it says that it skipped.

#[path = "support/clock.rs"]
mod clock;

use std::hint::black_box;
use std::path::PathBuf;
use std::time::Duration;

use bytes::Bytes;
use clock::timed;
use unreal_packages::package::{Package, SaveOptions};

const TURNS: usize = 15;

fn main() {
    let quick = std::env::args().any(|argument| argument == "--quick");
    let named = std::env::args().skip(1).filter(|argument| !argument.starts_with('-'));
    let mut files: Vec<PathBuf> = named.map(PathBuf::from).collect();
    if files.is_empty() {
        files.extend(largest());
    }
    if files.is_empty() {
        println!("skipped: no corpus (set UPK_CORPUS to a folder with conform/)");
        return;
    }
    println!("| package | bytes | decode and save, MB/s | copy, MB/s | ratio |");
    println!("|---|---:|---:|---:|---:|");
    for file in files {
        let source = Bytes::from(std::fs::read(&file).expect("a file that can be read"));
        let (mut ours, mut copies) = (Vec::new(), Vec::new());
        for _ in 0..if quick { 3 } else { TURNS } {
            ours.push(timed(|| {
                let mut package = Package::from_bytes(source.clone()).expect("a package");
                package.decode_all();
                SaveOptions::new().save(&mut package).expect("a package that can be saved").bytes
            }));
            copies.push(timed(|| black_box(&source).to_vec()));
        }
        let rate = |times: Vec<Duration>| source.len() as f64 / 1e6 / median(times).as_secs_f64();
        let (ours, copies) = (rate(ours), rate(copies));
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        let ratio = copies / ours;
        println!("| {name} | {} | {ours:.0} | {copies:.0} | {ratio:.1} |", source.len());
    }
}

/// The largest script package among the conformed ones.
fn largest() -> Option<PathBuf> {
    let corpus = std::env::var_os("UPK_CORPUS").map(PathBuf::from);
    let default = || PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared/corpus"));
    let folder = corpus.unwrap_or_else(default).join("conform");
    let files = std::fs::read_dir(folder).ok()?.flatten();
    files
        .max_by_key(|entry| entry.metadata().map_or(0, |data| data.len()))
        .map(|entry| entry.path())
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times[times.len() / 2]
}
