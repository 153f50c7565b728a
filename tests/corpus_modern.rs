//! Every package of UE4 and UE5 of the corpus: opened as its manifest says, re-saved byte for byte,
//! covered, explained, changed and re-opened.
//!
//! `UPK_CORPUS` names a folder with `modern/manifest.tsv`; without one the tests say that they are skipped.

mod common;

use std::collections::BTreeMap;
use std::path::PathBuf;

use common::{corpus, scramble};
use farchive::package::{LayoutKind, OpenOptions, Package, SaveOptions, Section};
use farchive::table::NameHashes;
use farchive::{EngineRelease, ErrorKind};

/// A package of the manifest: columns by name.
struct Entry {
    path: PathBuf,
    columns: BTreeMap<String, String>,
}

impl Entry {
    fn name(&self) -> &str {
        &self.columns["file"]
    }

    fn column(&self, name: &str) -> &str {
        &self.columns[name]
    }

    fn options(&self) -> OpenOptions {
        match self.column("engine_hint").parse::<EngineRelease>() {
            Ok(release) => OpenOptions::new().engine(release),
            Err(_) => OpenOptions::new(),
        }
    }

    fn open(&self) -> Package {
        let name = self.name();
        self.options().open(&self.path).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    fn reopen(&self, bytes: Vec<u8>) -> Package {
        let name = self.name();
        let opened = self.options().open_bytes(bytes);
        opened.unwrap_or_else(|error| panic!("{name} again: {error}"))
    }
}

fn entries() -> Vec<Entry> {
    let Some(folder) = corpus().map(|corpus| corpus.join("modern")) else { return Vec::new() };
    let Ok(text) = std::fs::read_to_string(folder.join("manifest.tsv")) else {
        println!("skipped: no manifest in {}", folder.display());
        return Vec::new();
    };
    let mut lines = text.lines().map(|line| line.split('\t').map(str::to_owned));
    let head: Vec<_> = lines.next().unwrap().collect();
    let entries: Vec<_> = lines
        .map(|line| head.iter().cloned().zip(line).collect::<BTreeMap<_, _>>())
        .filter(|row| [".uasset", ".umap"].iter().any(|end| row["file"].ends_with(end)))
        .map(|columns| Entry { path: folder.join(&columns["file"]), columns })
        .collect();
    assert!(!entries.is_empty(), "the manifest names no package");
    entries
}

#[test]
fn every_package_saves_identically() {
    let mut faults = Vec::new();
    let entries = entries();
    for entry in &entries {
        let name = entry.name();
        let package = match entry.options().open(&entry.path) {
            Ok(package) => package,
            Err(error) => {
                faults.push(format!("{name}: {error}"));
                continue;
            }
        };
        let saved = match package.save(&SaveOptions::new()) {
            Ok(saved) => saved,
            Err(error) => {
                faults.push(format!("{name}: {error}"));
                continue;
            }
        };
        if saved.bytes != package.source() || saved.report.layout != LayoutKind::InPlace {
            let at = saved.bytes.iter().zip(package.source()).position(|(a, b)| a != b);
            faults.push(format!("{name}: differs at {at:x?}"));
        }
        if package.exports().len().to_string() != entry.column("exports")
            || package.imports().len().to_string() != entry.column("imports")
            || package.names().len().to_string() != entry.column("names")
        {
            faults.push(format!("{name}: other counts than the manifest's"));
        }
        let stored = entry.column("ue4").parse().unwrap_or(0);
        if stored > 0 && package.versions().ue4 != stored {
            faults.push(format!("{name}: UE4 object version {}", package.versions().ue4));
        }
        if (entry.column("split_uexp") == "1") != package.split_at().is_some() {
            faults.push(format!("{name}: split is not what the manifest says"));
        }
    }
    println!("{} packages", entries.len());
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
}

#[test]
fn headers_are_typed_to_the_last_byte() {
    let mut faults = Vec::new();
    let mut gaps = BTreeMap::<String, u64>::new();
    for entry in entries() {
        let Ok(package) = entry.options().open(&entry.path) else { continue };
        if !package.overlaps().is_empty() {
            faults.push(format!("{}: overlaps {:?}", entry.name(), package.overlaps()));
        }
        for place in package.sections() {
            if let Section::Gap(_) = place.section {
                let range = place.start as usize..place.end() as usize;
                let zeros = package.source()[range].iter().all(|&byte| byte == 0);
                let note = entry.column("note");
                let line = format!(
                    "{}: gap {:#x}..{:#x}, zeros {zeros} ({note})",
                    entry.name(),
                    place.start,
                    place.end()
                );
                *gaps.entry(note.to_owned()).or_default() += 1;
                faults.push(line);
            }
        }
    }
    assert!(faults.is_empty(), "{} faults:\n{}\n{gaps:?}", faults.len(), faults.join("\n"));
}
