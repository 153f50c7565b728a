//! Code of real packages: strings and names 7 characters longer and shorter, and every jump lands on the same
//! instruction.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use unreal_packages::Versions;
use unreal_packages::decompile::Decompiler;
use unreal_packages::edit::{PackageEdit, RenamePackage};
use unreal_packages::inspect::package_path;
use unreal_packages::package::Package;
use unreal_packages::script::{CodePlaces, Script, ScriptItem, ScriptString};
use unreal_packages::version::UnrealVersions;

use crate::files;
use crate::manifest;

/// Functions of a package of UE1 to UE3 whose strings are changed.
const FUNCTIONS: usize = 8;
/// How much longer and shorter.
const LENGTH: usize = 7;

/// What was seen and changed.
#[derive(Debug, Default)]
struct Tally {
    packages: usize,
    scripts: usize,
    references: usize,
    /// Labels and skips that lead amid an operand.
    astray: usize,
    strings: usize,
    renamed: usize,
    /// Packages that took strings of other lengths in all their code.
    whole: usize,
    refused: BTreeMap<String, usize>,
}

impl Tally {
    fn add(&mut self, other: Self) {
        self.packages += other.packages;
        self.scripts += other.scripts;
        self.references += other.references;
        self.astray += other.astray;
        self.strings += other.strings;
        self.renamed += other.renamed;
        self.whole += other.whole;
        for (reason, count) in other.refused {
            *self.refused.entry(reason).or_default() += count;
        }
    }

    /// Looks where labels and skips of a script lead.
    fn look(&mut self, script: &Script, versions: &Versions) {
        let places = CodePlaces::of(&script.items, versions);
        self.scripts += 1;
        for (at, item) in script.items.iter().enumerate() {
            let Some(target) = places.target(at, item) else { continue };
            self.references += 1;
            // A skip of the compilers of UE3 may end amid an expression that an operator was put around.
            self.astray += usize::from(places.item_at(target).is_none());
        }
    }
}

fn scripts(package: &Package) -> Vec<(usize, Script)> {
    let rows = 0..package.exports().len();
    let script = |row| Some((row, package.decoded(row)?.body.native.code()?.clone()));
    rows.filter_map(script).filter(|(_, script)| !script.items.is_empty()).collect()
}

/// Every operand that leads to an instruction leads to it still.
fn assert_follows(name: &str, old: &Script, new: &Script, versions: &Versions) {
    let (was, is) = (CodePlaces::of(&old.items, versions), CodePlaces::of(&new.items, versions));
    assert_eq!(old.items.len(), new.items.len(), "{name}");
    for (at, (a, b)) in old.items.iter().zip(&new.items).enumerate() {
        assert_eq!(
            std::mem::discriminant(&kind(a)),
            std::mem::discriminant(&kind(b)),
            "{name} {at}"
        );
        let Some(target) = was.target(at, a) else { continue };
        let item = was.item_at(target);
        let lands = is.target(at, b).and_then(|target| is.item_at(target));
        assert!(item.is_none() || lands == item, "{name} item {at}: {a:?} became {b:?}");
    }
}

/// Strings of both widths are one kind.
fn kind(item: &ScriptItem) -> ScriptItem {
    match item {
        ScriptItem::Wide(_) => ScriptItem::Text(Box::default()),
        other => other.clone(),
    }
}

/// Longer by 7 characters, or shorter by as many.
fn other(text: &str, longer: bool) -> String {
    let length = text.chars().count();
    match longer {
        true => format!("{text}{}", "x".repeat(LENGTH)),
        false => text.chars().take(length.saturating_sub(LENGTH)).collect(),
    }
}

/// Changes the strings of this many scripts, saves, opens again and looks where everything leads.
fn change(
    name: &str,
    package: &Package,
    open: &dyn Fn(Vec<u8>) -> Package,
    limit: usize,
    tally: &mut Tally,
) {
    let versions = package.versions().of_bodies();
    let before = scripts(package);
    let order = versions.byte_order;
    let has_strings = |script: &Script| !ScriptString::all(&script.items, &versions).is_empty();
    let with_strings: Vec<_> = before.iter().filter(|(_, script)| has_strings(script)).collect();
    let step = with_strings.len().div_ceil(limit).max(1);
    for longer in [true, false] {
        let mut changed = package.clone();
        let mut refused = false;
        for (row, _) in with_strings.iter().step_by(step) {
            let done = changed.edit(|edit| {
                edit.change_script_texts(&format!("#{row}"), |_, text| Some(other(text, longer)))
            });
            match done {
                Ok(done) => tally.strings += done.len(),
                Err(error) => {
                    refused = true;
                    let reason = error.to_string();
                    let reason = reason.rsplit("package: ").next().unwrap_or_default().to_owned();
                    *tally.refused.entry(format!("{name}: {reason}")).or_default() += 1;
                }
            }
        }
        let bytes = match changed.to_bytes() {
            Ok(bytes) => bytes,
            Err(error) => {
                *tally.refused.entry(format!("{name}: {error}")).or_default() += 1;
                continue;
            }
        };
        let again = open(bytes);
        let after: BTreeMap<_, _> = scripts(&again).into_iter().collect();
        for (row, old) in &before {
            let path = format!("{name} {}", again.exports().path(*row));
            assert_follows(&path, old, &after[row], &versions);
        }
        // Texts are those that were set.
        for (row, old) in with_strings.iter().step_by(step).filter(|_| !refused) {
            let new = &after[row];
            let texts = |package: &Package, script: &Script| -> Vec<String> {
                let all = ScriptString::all(&script.items, &versions);
                let text =
                    |string: &ScriptString| string.text(&script.items, package.source(), order);
                all.iter().map(|string| text(string).unwrap()).collect()
            };
            let wanted =
                texts(package, old).iter().map(|text| other(text, longer)).collect::<Vec<_>>();
            assert_eq!(texts(&again, new), wanted, "{name} #{row}");
        }
        tally.whole += usize::from(!refused && longer);
    }
}

/// Takes all packages in two threads.
fn each<T: Sync>(all: &[T], check: impl Fn(&mut Tally, &T) + Sync) -> Tally {
    let (next, sum) = (AtomicUsize::new(0), Mutex::new(Tally::default()));
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                let mut tally = Tally::default();
                while let Some(one) = all.get(next.fetch_add(1, Ordering::Relaxed)) {
                    check(&mut tally, one);
                }
                sum.lock().unwrap().add(tally);
            });
        }
    });
    sum.into_inner().unwrap()
}

fn report(what: &str, tally: &Tally) {
    let Tally { packages, scripts, references, astray, strings, renamed, whole, .. } = tally;
    println!(
        "{what}: {packages} packages with {scripts} scripts; {references} labels and skips, {astray} lead \
         amid one; {strings} strings changed, {renamed} packages \
         renamed, {whole} took all"
    );
    for (reason, count) in &tally.refused {
        println!("refused {count}: {reason}");
    }
}

pub fn strings_of_unreal_script_change_their_lengths() {
    let all: Vec<_> = ["classic", "conform"].iter().copied().flat_map(files::of).collect();
    let tally = each(&all, |tally, (name, bytes)| {
        let Ok(mut package) = Package::from_bytes(bytes.clone()) else { return };
        package.decode_all();
        let versions = package.versions().of_bodies();
        let scripts = scripts(&package);
        if scripts.is_empty() {
            return;
        }
        tally.packages += 1;
        scripts.iter().for_each(|(_, script)| tally.look(script, &versions));
        let open = |bytes: Vec<u8>| {
            let mut package = Package::from_bytes(bytes).unwrap();
            package.decode_all();
            package
        };
        change(name, &package, &open, FUNCTIONS, tally);
    });
    report("UE1 to UE3", &tally);
    assert!(tally.strings > 0);
}

pub fn strings_and_names_of_kismet_change_their_lengths() {
    let all = manifest::packages();
    let tally = each(&all, |tally, entry| {
        let Ok(mut package) = entry.options_with_mappings().open(&entry.path) else { return };
        package.decode_all();
        let versions = package.versions().of_bodies();
        let before = scripts(&package);
        if before.is_empty() {
            return;
        }
        let name = entry.name();
        tally.packages += 1;
        before.iter().for_each(|(_, script)| tally.look(script, &versions));
        let open = |bytes: Vec<u8>| {
            let mut package = entry.options_with_mappings().open_bytes(bytes).unwrap();
            package.decode_all();
            package
        };
        change(name, &package, &open, usize::MAX, tally);
        let old = package_path(&package).unwrap_or_else(|| format!("/Game/{}", "Long".repeat(4)));
        let shorter = match old.len().checked_sub(LENGTH) {
            Some(length) if length > 4 => format!("/G/{}", "B".repeat(length - 3)),
            _ => "/G/B".to_owned(),
        };
        for path in [format!("{old}{}", "x".repeat(LENGTH)), shorter] {
            let mut changed = package.clone();
            let options = RenamePackage::new().from(&old);
            let done = changed.edit(|edit| edit.rename_package(&path, &options));
            let saved = done.and_then(|_| changed.to_bytes());
            match saved {
                Ok(bytes) => {
                    let again = open(bytes);
                    let after: BTreeMap<_, _> = scripts(&again).into_iter().collect();
                    for (row, old) in &before {
                        assert_follows(&format!("{name} #{row}"), old, &after[row], &versions);
                    }
                    tally.renamed += 1;
                }
                Err(error) => *tally.refused.entry(format!("{name}: {error}")).or_default() += 1,
            }
        }
    });
    report("Kismet", &tally);
    assert_eq!(tally.astray, 0);
    // Two packages have bodies that are not decoded, which may hold positions.
    assert!(tally.packages - tally.whole <= 2 && 2 * tally.packages - tally.renamed <= 4);
}

/// What compilers have written can run: none of it is refused when it is put back.
pub fn no_code_of_a_compiler_is_refused() {
    let (pieces, wrong) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let look = |name: &str, package: &Package| {
        let has_code = |row: &usize| {
            let decoded = package.decode(*row);
            decoded.is_ok_and(|it| it.body.native.code().is_some_and(|code| !code.items.is_empty()))
        };
        let rows: Vec<usize> = (0..package.exports().len()).filter(has_code).collect();
        if rows.is_empty() {
            return;
        }
        let decompiler = Decompiler::new(package);
        for row in rows {
            pieces.fetch_add(1, Ordering::Relaxed);
            for fault in decompiler.code_faults(row).unwrap() {
                let path = package.exports().path(row);
                let place = fault.place;
                let line = format!("{name} {path} at {place:#x}: {}", fault.reason);
                wrong.lock().unwrap().push(line);
            }
        }
    };
    let all: Vec<_> = ["classic", "conform"].iter().copied().flat_map(files::of).collect();
    each(&all, |_, (name, bytes)| {
        if let Ok(package) = Package::from_bytes(bytes.clone()) {
            look(name, &package);
        }
    });
    each(&manifest::packages(), |_, entry| {
        if let Ok(package) = entry.options_with_mappings().open(&entry.path) {
            look(entry.name(), &package);
        }
    });
    let wrong = wrong.into_inner().unwrap();
    println!("{} pieces of code, {} faults", pieces.load(Ordering::Relaxed), wrong.len());
    assert!(pieces.into_inner() > 0);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
