//! Two folders of packages: which came, went, moved and changed, and the objects in them.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};

use rayon::prelude::*;
use serde::Serialize;
use serde_json::json;
use unreal_packages::compare::{self, FoundDifference};
use unreal_packages::container::Containers;
use unreal_packages::environment::is_passed_over;
use unreal_packages::file::{self, FileOrigin};
use unreal_packages::package::{CompanionKind, OpenOptions, Package};
use unreal_packages::scan::{ObjectHash, content_hash, object_hashes};
use unreal_packages::{Error, ErrorKind};

use super::Diff;
use crate::failure::{CommandResult, Failure, Outcome};
use crate::files::collect;
use crate::input;
use crate::output::{Output, Paint, count};
use crate::progress;

/// Pairs of packages for each thread that are compared before the first one's differences are printed.
const AHEAD: usize = 4;

/// A package of a folder: the file, and the hash of its content where that can be read. Without one it is the same
/// as no other.
type FoundPackage = (PathBuf, Option<String>);

/// The packages of a folder by their path in it.
type Files = BTreeMap<String, FoundPackage>;

/// An object that says the same in another package now.
#[derive(Debug, Serialize)]
struct MovedObject {
    old_package: String,
    old: String,
    new_package: String,
    new: String,
    class: String,
}

/// What a pair of packages differs in.
struct Changed {
    diff: compare::Diff,
    /// Objects that only one of them has, with their hashes: removed, added.
    alone: [Vec<ObjectHash>; 2],
}

#[derive(Debug, Default, Serialize)]
struct Totals {
    packages: usize,
    added: usize,
    removed: usize,
    renamed: usize,
    changed: usize,
    moved_objects: usize,
    failed: usize,
    same: bool,
}

impl Diff {
    /// Prints what two folders differ in.
    pub(super) fn folders(&self, out: &mut Output) -> CommandResult {
        let options = self.open.options(&self.new)?.threads(1).origin(FileOrigin::Found);
        let environment = self.open.environment(&self.new)?;
        let open = |path: &Path| -> Result<Package, Error> {
            let mut package = input::open(path, &options)?;
            if let Some(environment) = &environment {
                environment.add_class_layouts(&mut package);
            }
            Ok(package)
        };
        let (old, new) = (files(&self.old, &options)?, files(&self.new, &options)?);
        let mut totals = Totals { packages: new.len(), ..Totals::default() };
        let only = |these: &Files, others: &Files| -> Vec<String> {
            these.keys().filter(|path| !others.contains_key(*path)).cloned().collect()
        };
        let (mut removed, mut added) = (only(&old, &new), only(&new, &old));
        for (before, after) in take_renamed(&old, &new, &mut removed, &mut added) {
            totals.renamed += 1;
            match out.is_json() {
                true => {
                    out.object(&json!({ "package": after, "state": "renamed", "old": before }))?
                }
                false => out.painted(Paint::Renamed, format!("> {before} -> {after}"))?,
            }
        }
        let mut alone: [Vec<(String, ObjectHash)>; 2] = Default::default();
        for (paths, files, state, paint, side) in [
            (&removed, &old, "removed", Paint::Removed, 0),
            (&added, &new, "added", Paint::Added, 1),
        ] {
            for path in paths {
                match out.is_json() {
                    true => out.object(&json!({ "package": path, "state": state }))?,
                    false => {
                        let sign = if side == 0 { '-' } else { '+' };
                        out.painted(paint, format!("{sign} {path}"))?;
                    }
                }
                // What can't be opened has no objects that could be elsewhere.
                let objects = match open(&files[path].0) {
                    Ok(package) => object_hashes(&package),
                    Err(error) => {
                        out.warn(format!("{path}: {error}"))?;
                        Vec::new()
                    }
                };
                alone[side].extend(objects.into_iter().map(|object| (path.clone(), object)));
            }
        }
        (totals.removed, totals.added) = (removed.len(), added.len());
        let pairs: Vec<_> = new
            .iter()
            .filter_map(|(path, after)| Some((path, old.get(path)?, after)))
            .filter(|(_, before, after)| before.1.is_none() || before.1 != after.1)
            .collect();
        let bar = progress::bar(pairs.len(), "packages");
        for pairs in pairs.chunks(rayon::current_num_threads().max(1) * AHEAD) {
            let compare = |(_, before, after): &(&String, &FoundPackage, &FoundPackage)| {
                let (old, new) = (open(&before.0)?, open(&after.0)?);
                Ok::<_, Error>(changed(&old, &new))
            };
            let found: Vec<_> = pairs.par_iter().map(compare).collect();
            for ((path, _, _), found) in pairs.iter().zip(found) {
                bar.inc(1);
                match found {
                    Err(error) => {
                        totals.failed += 1;
                        out.warn(format!("{path}: {error}"))?;
                    }
                    Ok(Changed { diff, alone: own }) => {
                        totals.changed += 1;
                        self.package(path, diff, out)?;
                        for (all, own) in alone.iter_mut().zip(own) {
                            all.extend(own.into_iter().map(|object| ((*path).clone(), object)));
                        }
                    }
                }
            }
        }
        bar.finish_and_clear();
        for moved in moved(&alone) {
            totals.moved_objects += 1;
            match out.is_json() {
                true => out.object(&moved)?,
                false => {
                    let MovedObject { old_package, old, new_package, new, class } = moved;
                    let text = format!("> {old_package}: {old} -> {new_package}: {new} ({class})");
                    out.painted(Paint::Renamed, text)?;
                }
            }
        }
        let parts = [totals.added, totals.removed, totals.renamed, totals.changed, totals.failed];
        totals.same = parts == [0; 5];
        self.end(&totals, out)?;
        match totals.failed {
            0 if totals.same => Ok(Outcome::Fine),
            0 => Ok(Outcome::Wrong),
            failed => {
                out.flush()?;
                let failed = count(failed as u64, "package", "packages");
                Err(Failure::usage(format!(
                    "{failed} can't be compared\n  next: `upk verify` says why of each"
                )))
            }
        }
    }

    fn end(&self, totals: &Totals, out: &mut Output) -> Result<(), Failure> {
        if out.is_json() {
            return out.object(totals);
        }
        let Totals { packages, added, removed, renamed, changed, moved_objects, same, .. } = totals;
        out.line(match same {
            true => format!("{}: the same", count(*packages as u64, "package", "packages")),
            false => format!(
                "{added} added, {removed} removed, {renamed} renamed, {changed} changed; {}",
                count(*moved_objects as u64, "object elsewhere", "objects elsewhere")
            ),
        })
    }

    /// One package whose bytes have changed.
    fn package(&self, path: &str, diff: compare::Diff, out: &mut Output) -> Result<(), Failure> {
        if out.is_json() {
            let mut object = json!({ "package": path, "state": "changed" });
            let lists = serde_json::to_value(&diff)?;
            if let (Some(object), serde_json::Value::Object(lists)) =
                (object.as_object_mut(), lists)
            {
                object.extend(lists);
            }
            return out.object(&object);
        }
        if diff.is_empty() {
            return out.painted(Paint::Changed, format!("~ {path}: nothing but the form"));
        }
        out.painted(Paint::Changed, format!("~ {path}"))?;
        let header = diff.header.into_iter().map(FoundDifference::Header);
        let removed = diff.removed.into_iter().map(FoundDifference::Removed);
        let added = diff.added.into_iter().map(FoundDifference::Added);
        let renamed = diff.renamed.into_iter().map(FoundDifference::Renamed);
        let changed = diff.changed.into_iter().map(FoundDifference::Changed);
        let header = header.filter(|_| !self.summary);
        let mut all = header.chain(removed).chain(added).chain(renamed).chain(changed);
        all.try_for_each(|found| self.line(&found, out))
    }
}

/// The packages of a folder, those that are broken too; what is none is left out.
fn files(folder: &Path, options: &OpenOptions) -> Result<Files, Failure> {
    let (found, unlisted) = collect(&[folder.to_owned()])?;
    if let Some((path, reason)) = unlisted.first() {
        return Err(Failure::usage(format!("{}: {reason}", path.display())));
    }
    let files: Vec<_> = found.into_keys().collect();
    let one = |file: &PathBuf| {
        let path = file.strip_prefix(folder).unwrap_or(file).display().to_string();
        let hash = match options.open(file) {
            Ok(package) => {
                // Header and bodies are one package, and files with bulk data belong to it; of one in a container
                // no file is known.
                let hashes = package.read_from().iter().map(|state| state.content_hash());
                let hashes = hashes.collect::<Vec<_>>();
                let own = match hashes.is_empty() {
                    true => content_hash(package.file()),
                    false => hashes.join(" "),
                };
                let apart =
                    package.companions().iter().filter(|it| it.kind != CompanionKind::Exports);
                let apart =
                    apart.map(|it| Some(format!(" {:?} {}", it.kind, it.content_hash().ok()?)));
                apart.collect::<Option<String>>().map(|apart| own + &apart)
            }
            Err(error) if is_passed_over(file, &error) => return None,
            // Damaged ones differ where their bytes do.
            Err(_) => hash_of_damaged(file),
        };
        Some((path.replace('\\', "/"), (file.clone(), hash)))
    };
    Ok(files.par_iter().filter_map(one).collect())
}

/// The hash of a package that can't be opened, with that of its bodies; `None` where one can't be read.
fn hash_of_damaged(file: &Path) -> Option<String> {
    let read = |path: &Path| match Containers::split(path) {
        Some(_) => input::read(path),
        None => file::read_found(path),
    };
    let header = content_hash(&read(file).ok()?.0);
    let bodies = CompanionKind::Exports.path_beside(file);
    match read(&bodies) {
        Ok((bodies, _)) => Some(format!("{header} {}", content_hash(&bodies))),
        Err(error) if error.is_not_found() => Some(header),
        Err(error) if matches!(error.kind(), ErrorKind::NotFound { .. }) => Some(header),
        Err(_) => None,
    }
}

/// Takes packages out that only lie elsewhere: those whose bytes one package of each side has.
fn take_renamed(
    old: &Files,
    new: &Files,
    removed: &mut Vec<String>,
    added: &mut Vec<String>,
) -> Vec<(String, String)> {
    let by_hash = |paths: &[String], files: &Files| {
        let mut found: HashMap<String, Vec<String>> = HashMap::new();
        for path in paths {
            if let Some(hash) = &files[path].1 {
                found.entry(hash.clone()).or_default().push(path.clone());
            }
        }
        found
    };
    let (before, after) = (by_hash(removed, old), by_hash(added, new));
    let mut pairs = Vec::new();
    for (hash, from) in &before {
        if let ([from], Some([to])) = (&from[..], after.get(hash).map(Vec::as_slice)) {
            pairs.push((from.clone(), to.clone()));
        }
    }
    pairs.sort();
    removed.retain(|path| !pairs.iter().any(|pair| pair.0 == *path));
    added.retain(|path| !pairs.iter().any(|pair| pair.1 == *path));
    pairs
}

/// What two packages differ in; objects that only one has with their hashes.
fn changed(old: &Package, new: &Package) -> Changed {
    let diff = compare::diff(old, new);
    let hashes = |package: &Package, rows: Vec<usize>| -> Vec<ObjectHash> {
        if rows.is_empty() {
            return Vec::new();
        }
        let mut all = object_hashes(package).into_iter().map(Some).collect::<Vec<_>>();
        rows.into_iter().filter_map(|row| all.get_mut(row)?.take()).collect()
    };
    let removed = diff.removed.iter().map(|object| object.row).collect();
    let added = diff.added.iter().map(|object| object.row).collect();
    let alone = [hashes(old, removed), hashes(new, added)];
    Changed { diff, alone }
}

/// Objects that one package has lost and another one has got: of one class and hash, each the only one.
fn moved([removed, added]: &[Vec<(String, ObjectHash)>; 2]) -> Vec<MovedObject> {
    type Places<'a> = HashMap<(&'a str, &'a str), Vec<&'a (String, ObjectHash)>>;
    fn by_hash(objects: &[(String, ObjectHash)]) -> Places<'_> {
        let mut found = Places::new();
        for object in objects {
            if let Some(hash) = &object.1.hash {
                found.entry((&object.1.class, hash)).or_default().push(object);
            }
        }
        found
    }
    let (before, after) = (by_hash(removed), by_hash(added));
    let mut moved = Vec::new();
    for (key, from) in &before {
        if let ([from], Some([to])) = (&from[..], after.get(key).map(Vec::as_slice))
            && from.0 != to.0
        {
            moved.push(MovedObject {
                old_package: from.0.clone(),
                old: from.1.path.clone(),
                new_package: to.0.clone(),
                new: to.1.path.clone(),
                class: to.1.class.clone(),
            });
        }
    }
    moved.sort_by(|a, b| (&a.old_package, &a.old).cmp(&(&b.old_package, &b.old)));
    moved
}
