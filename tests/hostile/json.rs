//! Damaged JSON documents: other values, missing keys, deep nesting.

use std::sync::Arc;

use serde_json::Value;
use unreal_packages::Package;
use unreal_packages::inspect::PackageEnums;
use unreal_packages::property::Mappings;

use super::damage::{Numbers, damage};
use super::{is_proportionate, limit, memory};
use crate::common::forms;

fn exercise(document: &Value, mappings: Option<Arc<Mappings>>) -> bool {
    let text = document.to_string();
    let (saved, work) = memory::work(|| {
        let (read, peak) = memory::peak(|| Package::from_json_with(text.as_bytes(), mappings));
        assert!(peak <= limit(4 * text.len()), "reading took {peak} bytes of memory: {text}");
        read.and_then(|package| {
            let (saved, peak) = memory::peak(|| package.to_bytes());
            assert!(peak <= limit(4 * text.len()), "saving took {peak} bytes of memory: {text}");
            saved
        })
    });
    is_proportionate(work, 4 * text.len(), &text);
    if let Err(error) = &saved {
        let error = error.to_string();
        assert!(!error.is_empty() && error.lines().count() == 1, "{error}");
    }
    saved.is_ok()
}

#[test]
fn damaged_documents_make_packages_or_fail() {
    let mut numbers = Numbers(7);
    let level = Package::from_bytes(crate::common::level::level(69)).unwrap();
    for package in [forms::tagged(), forms::complete(), forms::unversioned(), level] {
        let mut text = Vec::new();
        package.to_json_with(&mut text, false, &PackageEnums::new(&package)).unwrap();
        let document: Value = serde_json::from_slice(&text).unwrap();
        let mappings = || package.mappings().cloned();
        assert!(exercise(&document, mappings()));
        let mut made = 0;
        for _ in 0..1000 {
            let mut damaged = document.clone();
            for _ in 0..=numbers.below(3) {
                damage(&mut damaged, &mut numbers);
            }
            made += u32::from(exercise(&damaged, mappings()));
        }
        assert!((34..967).contains(&made), "{made} of 1000 make packages");
    }
}

#[test]
fn documents_that_nest_deeply_fail() {
    for (open, close) in [("[", "]"), ("{\"a\":", "}")] {
        let text = format!("{}0{}", open.repeat(100_000), close.repeat(100_000));
        assert!(Package::from_json(text.as_bytes()).is_err());
    }
}
