//! The JSON form of every package that can be opened: nothing is lost.

use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use farchive::package::{OpenOptions, Package, SaveOptions};

use crate::folders::corpus;
use crate::{files, manifest};

/// Packages with how they are opened.
fn packages() -> Vec<(String, PathBuf, OpenOptions)> {
    let mut all = Vec::new();
    for folder in ["classic", "conform"] {
        let files = files::of(folder).into_iter();
        all.extend(files.map(|(name, _)| {
            let path = corpus().join(folder).join(&name);
            (name, path, OpenOptions::new())
        }));
    }
    all.extend(
        manifest::packages().into_iter().map(|entry| {
            (entry.name().to_owned(), entry.path.clone(), entry.options_with_mappings())
        }),
    );
    all
}

pub fn every_package_comes_back_byte_for_byte() {
    let packages = packages();
    let (next, done) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let faults = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while let Some((name, path, options)) =
                    packages.get(next.fetch_add(1, Ordering::Relaxed))
                {
                    let Ok(package) = options.open(path) else { continue };
                    done.fetch_add(1, Ordering::Relaxed);
                    let mut text = Vec::new();
                    package.to_json(&mut text, false).unwrap();
                    let saved = Package::from_json_with(&text, package.mappings().cloned())
                        .and_then(|package| package.save(&SaveOptions::new()));
                    let fault = match saved {
                        Ok(saved) if saved.bytes != package.file() => {
                            let (a, b) = (saved.bytes, package.file());
                            let at = a.iter().zip(b).position(|(a, b)| a != b);
                            format!("{} bytes, not {}; differs at {at:x?}", a.len(), b.len())
                        }
                        Ok(saved) if saved.split != package.split_at() => "other files".to_owned(),
                        Ok(_) => continue,
                        Err(error) => error.to_string(),
                    };
                    faults.lock().unwrap().push(format!("{name}: {fault}"));
                }
            });
        }
    });
    let done = done.into_inner();
    println!("{done} packages");
    assert!(done > 0);
    let faults = faults.into_inner().unwrap();
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
}
