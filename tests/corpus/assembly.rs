//! Code of real packages as text: put back it is the same, and what was added goes again without a trace.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use unreal_packages::edit::PackageEdit;
use unreal_packages::inspect::CodeTexts;
use unreal_packages::package::Package;

use crate::files;
use crate::folders::every;
use crate::manifest;

/// Pieces of code of each package that get a statement more.
const LONGER: usize = 4;

#[derive(Debug, Default)]
struct Tally {
    packages: usize,
    sections: usize,
    statements: usize,
    longer: usize,
    refused: BTreeMap<String, usize>,
}

/// Every section of a package that has statements, by its row.
fn sections(package: &Package) -> Vec<(usize, String)> {
    let texts = CodeTexts::new(package);
    let section = |row| Some((row, texts.section(row).unwrap()?));
    let found = (0..package.exports().len()).filter_map(section);
    found.filter(|(_, text)| text.lines().count() > 2).collect()
}

fn check(name: &str, package: &Package, tally: &Mutex<Tally>) {
    let all = sections(package);
    if all.is_empty() {
        return;
    }
    let text: String = all.iter().map(|(_, text)| text.as_str()).collect();
    let mut same = package.clone();
    let done =
        same.edit(|edit| edit.assemble(&text)).unwrap_or_else(|error| panic!("{name}: {error}"));
    assert_eq!(done.len(), all.len(), "{name}");
    for code in &done {
        assert!(!code.is_changed, "{name}: the code of {} is another one", code.object);
    }
    let mut seen = Tally { packages: 1, sections: all.len(), ..Tally::default() };
    seen.statements = text.lines().filter(|line| line.starts_with("    ")).count();
    let before = package.to_bytes().unwrap();
    for (row, text) in all.iter().step_by(all.len().div_ceil(LONGER)) {
        let (title, statements) = text.split_once('\n').unwrap();
        let longer = format!("{title}\n    Nothing\n{statements}");
        let mut changed = package.clone();
        match changed.edit(|edit| edit.assemble(&longer)) {
            Ok(done) => assert!(done[0].is_changed && done[0].sizes[1] == done[0].sizes[0] + 1),
            Err(error) => {
                let reason = error.to_string();
                let reason = reason.rsplit(": ").next().unwrap_or_default().to_owned();
                *seen.refused.entry(reason).or_default() += 1;
                continue;
            }
        }
        let shown = CodeTexts::new(&changed).section(*row).unwrap().unwrap();
        assert!(shown.contains("    Nothing\n"), "{name} #{row}");
        // Places of labels are in their names: apart from those it is what was asked for.
        assert_eq!(shown.lines().count(), longer.lines().count(), "{name} #{row}");
        changed.edit(|edit| edit.assemble(text)).unwrap();
        assert!(changed.to_bytes().unwrap() == before, "{name} #{row}: it does not come back");
        seen.longer += 1;
    }
    let mut tally = tally.lock().unwrap();
    tally.packages += seen.packages;
    tally.sections += seen.sections;
    tally.statements += seen.statements;
    tally.longer += seen.longer;
    for (reason, count) in seen.refused {
        *tally.refused.entry(reason).or_default() += count;
    }
}

fn each<T: Sync>(what: &str, all: &[T], check: impl Fn(&T, &Mutex<Tally>) + Sync) {
    let (next, tally) = (AtomicUsize::new(0), Mutex::new(Tally::default()));
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while let Some(one) = all.get(next.fetch_add(1, Ordering::Relaxed)) {
                    check(one, &tally);
                }
            });
        }
    });
    let Tally { packages, sections, statements, longer, refused } = tally.into_inner().unwrap();
    println!(
        "{what}: {packages} packages, {sections} pieces of code with {statements} statements came back; {longer} \
         took one more and lost it again"
    );
    for (reason, count) in &refused {
        println!("refused {count}: {reason}");
    }
    assert!(packages > 0 && longer > refused.values().sum::<usize>());
}

pub fn unreal_script_comes_back_from_text() {
    let all: Vec<_> =
        ["classic", "conform"].iter().copied().flat_map(files::of).step_by(every(3)).collect();
    each("UnrealScript", &all, |(name, bytes), tally| {
        let Ok(mut package) = Package::from_bytes(bytes.clone()) else { return };
        package.decode_all();
        check(name, &package, tally);
    });
}

pub fn kismet_comes_back_from_text() {
    let all: Vec<_> = manifest::packages().into_iter().step_by(every(3)).collect();
    each("Kismet", &all, |entry, tally| {
        let Ok(mut package) = entry.options_with_mappings().open(&entry.path) else { return };
        package.decode_all();
        check(entry.name(), &package, tally);
    });
}
