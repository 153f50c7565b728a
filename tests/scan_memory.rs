//! Bringing tables up to date takes no more memory for more files: neither those that there are nor those that are
//! known are held.

#[path = "common/peak.rs"]
mod peak;

use std::path::{Path, PathBuf};

use unreal_packages::package::OpenOptions;
use unreal_packages::scan::{Depot, FileFault, FileToScan, ScanReport, TableKind, TableSet};

/// Files of which all exist as one on the disk: what counts is that each has a row.
fn files(file: &Path, count: usize) -> impl Iterator<Item = FileToScan> + Send + use<> {
    let file = file.to_owned();
    (0..count).map(move |number| {
        let path = format!("Content/Folder{:06}/Package{number:08}.uasset", number / 100);
        let fault = Some(FileFault { is_unsupported: true, reason: "for the test".to_owned() });
        let found = FileToScan::found(PathBuf::from(&path));
        FileToScan { file: file.clone(), fault, ..found }
    })
}

/// What a scan did, and the most bytes that it held.
fn scan(folder: &Path, files: impl Iterator<Item = FileToScan> + Send) -> (ScanReport, u64) {
    let before = peak::start();
    let mut depot =
        Depot::open(folder, TableSet::of([TableKind::Packages]), "").expect("the tables open");
    let report = depot.update(files, &OpenOptions::new().threads(1), |_| {}, &|_| {});
    (report.expect("the tables are written"), peak::most() - before)
}

#[test]
fn a_scan_of_more_files_takes_no_more_memory() {
    let few = 40_000;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().expect("threads");
    let costs: Vec<[u64; 3]> = [few, 4 * few]
        .into_iter()
        .map(|count| {
            let folder = tempfile::tempdir().expect("a folder");
            let file = folder.path().join("File");
            std::fs::write(&file, "content").expect("the file is written");
            let tables = folder.path().join("tables");
            let all = || files(&file, count);
            let (first, first_cost) = pool.install(|| scan(&tables, all()));
            assert_eq!((first.packages, first.opened), (count as u64, count as u64));
            // Nothing has changed.
            let (second, second_cost) = pool.install(|| scan(&tables, all()));
            assert_eq!((second.unchanged, second.opened), (count as u64, 0));
            // Some are gone, and others new.
            let some = || all().enumerate().filter(|(at, _)| at % 10 > 0).map(|(_, file)| file);
            let (third, third_cost) = pool.install(|| scan(&tables, some()));
            assert_eq!((third.removed, third.opened), (count as u64 / 10, 0));
            let (fourth, _) = pool.install(|| scan(&tables, all()));
            assert_eq!((fourth.packages, fourth.opened), (count as u64, count as u64 / 10));
            [first_cost, second_cost, third_cost]
        })
        .collect();
    for (few_cost, many_cost) in costs[0].iter().zip(&costs[1]) {
        // Each shard and each of its files is known by name: 4 bytes for a file.
        let allowed = few_cost + 4 * 3 * few as u64 + (2 << 20);
        assert!(*many_cost < allowed, "{costs:?}");
    }
}

#[test]
fn files_out_of_order_are_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut listed: Vec<_> = files(Path::new("none"), 3).collect();
    listed.swap(0, 2);
    let tables = folder.path().join("tables");
    let mut depot =
        Depot::open(&tables, TableSet::of([TableKind::Packages]), "").expect("the tables open");
    let error = depot.update(listed, &OpenOptions::new(), |_| {}, &|_| {}).expect_err("no order");
    assert!(error.to_string().contains("files are in order"), "{error}");
}
