//! Prints how much of the bodies of packages nobody decodes, by engine, release and class: each folder is a collection
//! of its own.
//!
//! ```text
//! cargo run --release --example opaque_shares -- [--json] [--classes N] FOLDER…
//! ```
//! Files that are no packages are passed over; those that can't be opened are counted.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use unreal_packages::Package;
use unreal_packages::inspect::{Share, Shares};

/// What stands beside packages, and is read with them.
const BESIDE: [&str; 4] = ["uexp", "ubulk", "uptnl", "usmap"];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (mut is_json, mut classes, mut folders) = (false, 10, Vec::new());
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--json" => is_json = true,
            "--classes" => classes = arguments.next().unwrap_or_default().parse()?,
            _ => folders.push(PathBuf::from(argument)),
        }
    }
    for folder in folders {
        let mut files = Vec::new();
        list(&folder, &mut files)?;
        let (mut shares, mut unopened) = (Shares::default(), 0);
        for file in &files {
            match Package::open(file) {
                Ok(package) => drop(shares.add(&package)),
                Err(_) => unopened += 1,
            }
        }
        match is_json {
            true => println!("{}", as_json(&folder, unopened, &shares)),
            false => print(&folder, unopened, &shares, classes),
        }
    }
    Ok(())
}

/// Files of a folder and of those in it, but those that belong to others.
fn list(path: &Path, files: &mut Vec<PathBuf>) -> std::io::Result<()> {
    if !path.is_dir() {
        let extension = path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
        if !BESIDE.contains(&extension.as_str()) {
            files.push(path.to_owned());
        }
        return Ok(());
    }
    let mut entries = std::fs::read_dir(path)?.collect::<Result<Vec<_>, _>>()?;
    entries.sort_by_key(|entry| entry.path());
    entries.iter().try_for_each(|entry| list(&entry.path(), files))
}

fn print(folder: &Path, unopened: usize, shares: &Shares, classes: usize) {
    println!("{}: {unopened} files are no packages or can't be opened", folder.display());
    for (engine, share) in &shares.engines {
        println!("  {engine}: {}", text(share));
        let releases = shares.releases.iter().filter(|((of, _), _)| of == engine);
        for ((_, release), share) in releases {
            println!("    {release}: {}", text(share));
        }
        let mut by_class = BTreeMap::<&str, Share>::new();
        for (key, share) in shares.classes.iter().filter(|(key, _)| key.engine == *engine) {
            by_class.entry(&key.class).or_default().add(share);
        }
        let mut by_class: Vec<_> = by_class.into_iter().collect();
        by_class.sort_by_key(|(_, share)| std::cmp::Reverse(share.opaque));
        for (class, share) in by_class.iter().filter(|(_, share)| share.opaque > 0).take(classes) {
            println!("    {class}: {}", text(share));
        }
    }
}

fn text(share: &Share) -> String {
    let counted = share.bytes.saturating_sub(share.payload);
    let Share { files, opaque_files, opaque, .. } = share;
    format!(
        "{:.3} %, {opaque} of {counted} bytes, in {opaque_files} of {files} files",
        share.percent()
    )
}

/// One object for a folder.
fn as_json(folder: &Path, unopened: usize, shares: &Shares) -> String {
    let numbers = |share: &Share| {
        format!(
            r#""files":{},"opaque_files":{},"bodies":{},"bytes":{},"payload":{},"opaque":{},"percent":{:.4}"#,
            share.files,
            share.opaque_files,
            share.bodies,
            share.bytes,
            share.payload,
            share.opaque,
            share.percent()
        )
    };
    let engine = |engine: &dyn std::fmt::Display| format!(r#""engine":{:?}"#, engine.to_string());
    let engines =
        shares.engines.iter().map(|(of, share)| format!("{{{},{}}}", engine(of), numbers(share)));
    let releases = shares.releases.iter().map(|((of, release), share)| {
        format!(r#"{{{},"release":{release:?},{}}}"#, engine(of), numbers(share))
    });
    let classes = shares.classes.iter().map(|(key, share)| {
        format!(
            r#"{{{},"release":{:?},"class":{:?},{}}}"#,
            engine(&key.engine),
            key.release,
            key.class,
            numbers(share)
        )
    });
    format!(
        r#"{{"folder":{:?},"unopened":{unopened},"engines":[{}],"releases":[{}],"classes":[{}]}}"#,
        folder.display().to_string(),
        engines.collect::<Vec<_>>().join(","),
        releases.collect::<Vec<_>>().join(","),
        classes.collect::<Vec<_>>().join(",")
    )
}
