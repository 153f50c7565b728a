//! Two builds: which packages and files came, went, moved and changed, and the objects in them.

use std::path::Path;

use rayon::prelude::*;
use serde_json::Value;
use unreal_packages::Error;
use unreal_packages::compare::{self, EntryDifference, FoundDifference};
use unreal_packages::file::FileOrigin;
use unreal_packages::package::Package;
use unreal_packages::scan::{ObjectHash, object_hashes};

use super::Diff;
use super::both_names::with_names;
use super::build_line::{BuildLine, BuildState, ObjectCounts};
use super::build_side::{BuildFile, BuildFiles, BuildPaths, BuildSide};
use super::build_totals::Totals;
use super::entries::{self, EntryCounts};
use super::growth::{self, Growth};
use super::moved::{MovedObject, moved, take_renamed};
use crate::color::Paint;
use crate::failure::{CommandResult, Failure, Outcome};
use crate::input;
use crate::output::{Output, count, printable};
use crate::progress;

/// Pairs of packages for each thread that are compared before the first one's differences are printed.
const AHEAD: usize = 4;

/// What a pair of packages differs in.
struct Changed {
    diff: compare::Diff,
    /// Objects that only one of them has, with their hashes: removed, added.
    alone: [Vec<ObjectHash>; 2],
}

/// A comparison that goes on.
struct Comparing<'a> {
    diff: &'a Diff,
    totals: Totals,
    lines: Vec<BuildLine>,
    /// Objects that only one side has, with their packages.
    alone: [Vec<(String, ObjectHash)>; 2],
}

impl Diff {
    /// Prints what two builds differ in.
    pub(super) fn builds(&self, out: &mut Output) -> CommandResult {
        let [old, new] = [&self.old, &self.new].map(|place| BuildPaths::find(place, out));
        let (old, new) = (old?, new?);
        let mut options = self.open.options(&self.new)?.threads(1).origin(FileOrigin::Found);
        if self.open.env.is_empty() && self.open.script_objects.is_empty() {
            let stores = old.stores.union(&new.stores).cloned().collect();
            options = with_names(options, &stores)?;
        }
        let environment = self.open.environment(&self.new)?;
        let open = |path: &Path| -> Result<Package, Error> {
            let mut package = input::open(path, &options)?;
            if let Some(environment) = &environment {
                environment.add_class_layouts(&mut package);
            }
            Ok(package)
        };
        let target = self.markdown_target(out)?;
        let read = |paths: BuildPaths, out: &mut Output| {
            BuildSide::read(paths, &options, self.wants_sizes(), out)
        };
        let (old, new) = (read(old, out)?, read(new, out)?);
        let mut all = Comparing {
            diff: self,
            totals: Totals {
                packages: new.packages.len(),
                covered: [old.covered, new.covered],
                bytes: [old.bytes(), new.bytes()],
                ..Totals::default()
            },
            lines: Vec::new(),
            alone: Default::default(),
        };
        all.packages(&old.packages, &new.packages, &open, out)?;
        all.others(&old.others, &new.others, out)?;
        let moved = moved(&all.alone);
        all.totals.moved_objects = moved.len();
        all.moved(&moved, out)?;
        let sides = [&old, &new];
        let classes = if self.wants_sizes() { growth::by_class(sides) } else { Vec::new() };
        let folders = if self.wants_sizes() { growth::by_folder(sides) } else { Vec::new() };
        let Comparing { mut totals, lines, .. } = all;
        let Totals { added, removed, renamed, changed, failed, .. } = totals;
        let files =
            [totals.files_added, totals.files_removed, totals.files_renamed, totals.files_changed];
        totals.same = [added, removed, renamed, changed, failed] == [0; 5] && files == [0; 4];
        match target {
            Some(target) => {
                let page = self.markdown_page(&totals, &lines, &moved, [&classes, &folders]);
                target.write(page.as_bytes(), out)?;
                if target.path().is_some() {
                    out.summary(format!("wrote {}", target.shown()))?;
                }
            }
            None => self.end(&totals, [&classes, &folders], out)?,
        }
        match totals.failed {
            0 if totals.same || self.markdown => Ok(Outcome::Fine),
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

    fn wants_sizes(&self) -> bool {
        self.sizes || self.markdown
    }

    fn end(
        &self,
        totals: &Totals,
        [classes, folders]: [&[Growth]; 2],
        out: &mut Output,
    ) -> Result<(), Failure> {
        if out.is_json() {
            let mut object = serde_json::to_value(totals)?;
            if self.wants_sizes() {
                object["classes"] = serde_json::to_value(classes)?;
                object["folders"] = serde_json::to_value(folders)?;
            }
            return out.object(&object);
        }
        if self.wants_sizes() {
            for (noun, things, all) in [("class", "objects", classes), ("folder", "files", folders)]
            {
                let lines = growth::lines(noun, things, all, self.limit);
                lines.into_iter().try_for_each(|line| out.line(line))?;
                out.line("")?;
            }
        }
        if self.name_only {
            return Ok(());
        }
        totals.lines().into_iter().try_for_each(|line| out.summary(line))
    }
}

/// Paths that only one side has.
fn only(these: &BuildFiles, others: &BuildFiles) -> Vec<String> {
    these.keys().filter(|path| !others.contains_key(*path)).cloned().collect()
}

/// Pairs of one path whose content differs, or can't be read.
fn differing<'a>(
    old: &'a BuildFiles,
    new: &'a BuildFiles,
) -> Vec<(&'a String, &'a BuildFile, &'a BuildFile)> {
    let pairs = new.iter().filter_map(|(path, after)| Some((path, old.get(path)?, after)));
    pairs.filter(|(_, old, new)| old.hash.is_none() || old.hash != new.hash).collect()
}

impl Comparing<'_> {
    /// Files that came, went or lie elsewhere; those that came and went are returned.
    fn apart(
        &mut self,
        is_package: bool,
        old: &BuildFiles,
        new: &BuildFiles,
        out: &mut Output,
    ) -> Result<[Vec<String>; 3], Failure> {
        let (mut removed, mut added) = (only(old, new), only(new, old));
        let renamed = take_renamed(old, new, &mut removed, &mut added);
        let bytes = |files: &BuildFiles, path: &String| files.get(path).map(|file| file.bytes);
        for (before, after) in &renamed {
            let bytes = [bytes(old, before), bytes(new, after)];
            let state = BuildState::Renamed(before.clone());
            self.line(BuildLine { path: after.clone(), is_package, state, bytes }, out)?;
        }
        for path in &removed {
            let (bytes, state) = ([bytes(old, path), None], BuildState::Removed);
            self.line(BuildLine { path: path.clone(), is_package, state, bytes }, out)?;
        }
        for path in &added {
            let (bytes, state) = ([None, bytes(new, path)], BuildState::Added);
            self.line(BuildLine { path: path.clone(), is_package, state, bytes }, out)?;
        }
        Ok([removed, added, renamed.into_iter().map(|pair| pair.1).collect()])
    }

    fn packages(
        &mut self,
        old: &BuildFiles,
        new: &BuildFiles,
        open: &(impl Fn(&Path) -> Result<Package, Error> + Sync),
        out: &mut Output,
    ) -> Result<(), Failure> {
        let [removed, added, renamed] = self.apart(true, old, new, out)?;
        self.totals.renamed = renamed.len();
        (self.totals.removed, self.totals.added) = (removed.len(), added.len());
        let pairs = differing(old, new);
        if self.diff.name_only {
            // Which they are is known without a look into them.
            for (path, before, after) in pairs {
                self.totals.changed += 1;
                let state = BuildState::Changed(ObjectCounts::default());
                let bytes = [Some(before.bytes), Some(after.bytes)];
                self.line(BuildLine { path: path.clone(), is_package: true, state, bytes }, out)?;
            }
            return Ok(());
        }
        for (side, paths, files) in [(0, removed, old), (1, added, new)] {
            for path in paths {
                // What can't be opened has no objects that could be elsewhere.
                let objects = match open(&files[&path].path) {
                    Ok(package) => object_hashes(&package),
                    Err(error) => {
                        out.warn(printable(&format!("{path}: {error}")))?;
                        Vec::new()
                    }
                };
                self.alone[side].extend(objects.into_iter().map(|object| (path.clone(), object)));
            }
        }
        let bar = progress::bar(pairs.len(), "packages");
        for pairs in pairs.chunks(rayon::current_num_threads().max(1) * AHEAD) {
            let compare = |(_, before, after): &(&String, &BuildFile, &BuildFile)| {
                let (old, new) = (open(&before.path)?, open(&after.path)?);
                Ok::<_, Error>(changed(&old, &new))
            };
            let found: Vec<_> = pairs.par_iter().map(compare).collect();
            for ((path, before, after), found) in pairs.iter().zip(found) {
                bar.inc(1);
                let bytes = [Some(before.bytes), Some(after.bytes)];
                let line =
                    |state| BuildLine { path: (*path).clone(), is_package: true, state, bytes };
                match found {
                    Err(error) => {
                        self.totals.failed += 1;
                        out.warn(printable(&format!("{path}: {error}")))?;
                        self.lines.push(line(BuildState::Failed(error.to_string())));
                    }
                    Ok(Changed { diff, alone }) => {
                        self.totals.changed += 1;
                        let line = line(BuildState::Changed(ObjectCounts::of(&diff)));
                        self.changed_package(line, diff, out)?;
                        for (all, own) in self.alone.iter_mut().zip(alone) {
                            all.extend(own.into_iter().map(|object| ((*path).clone(), object)));
                        }
                    }
                }
            }
        }
        bar.finish_and_clear();
        Ok(())
    }

    /// What is no package.
    fn others(
        &mut self,
        old: &BuildFiles,
        new: &BuildFiles,
        out: &mut Output,
    ) -> Result<(), Failure> {
        let [removed, added, renamed] = self.apart(false, old, new, out)?;
        self.totals.files_renamed = renamed.len();
        (self.totals.files_removed, self.totals.files_added) = (removed.len(), added.len());
        for (path, before, after) in differing(old, new) {
            let bytes = [Some(before.bytes), Some(after.bytes)];
            let line = |state| BuildLine { path: path.clone(), is_package: false, state, bytes };
            if before.hash.is_none() || after.hash.is_none() {
                // It was named when it could not be read.
                self.totals.failed += 1;
                self.lines.push(line(BuildState::Failed("it can't be read".to_owned())));
                continue;
            }
            self.totals.files_changed += 1;
            let found = match self.diff.name_only {
                true => None,
                false => entries::of_files(&before.path, &after.path).or_else(|failure| {
                    out.warn(printable(&format!("{path}: {failure}")))?;
                    Ok::<_, Failure>(None)
                })?,
            };
            let counts = found.as_deref().map(EntryCounts::of);
            self.changed_file(line(BuildState::ChangedFile(counts)), found.as_deref(), out)?;
        }
        Ok(())
    }

    fn moved(&self, moved: &[MovedObject], out: &mut Output) -> Result<(), Failure> {
        if self.diff.markdown {
            return Ok(());
        }
        for it in moved {
            if out.is_json() {
                out.object(it)?;
                continue;
            }
            let MovedObject { old_package, old, new_package, new, class } = it;
            let text = format!("> {old_package}: {old} -> {new_package}: {new} ({class})");
            out.painted(Paint::Renamed, text)?;
        }
        Ok(())
    }

    /// Prints a line with nothing below it, and keeps it.
    fn line(&mut self, line: BuildLine, out: &mut Output) -> Result<(), Failure> {
        if !self.diff.markdown {
            match out.is_json() {
                true => out.object(&line.json())?,
                false if self.diff.name_only => out.line(&line.path)?,
                false => out.painted(line.paint(), line.text(self.diff.stat))?,
            }
        }
        self.lines.push(line);
        Ok(())
    }

    /// A package whose bytes have changed.
    fn changed_package(
        &mut self,
        line: BuildLine,
        diff: compare::Diff,
        out: &mut Output,
    ) -> Result<(), Failure> {
        if self.diff.markdown || self.diff.stat {
            return self.line(line, out);
        }
        if out.is_json() {
            let mut object = line.json();
            if let (Some(object), Value::Object(lists)) =
                (object.as_object_mut(), serde_json::to_value(&diff)?)
            {
                object.extend(lists);
            }
            self.lines.push(line);
            return out.object(&object);
        }
        let is_same = diff.is_empty();
        let text = if is_same { ": nothing but the form" } else { "" };
        out.painted(Paint::Changed, format!("~ {}{text}", line.path))?;
        self.lines.push(line);
        let header = diff.header.into_iter().map(FoundDifference::Header);
        let removed = diff.removed.into_iter().map(FoundDifference::Removed);
        let added = diff.added.into_iter().map(FoundDifference::Added);
        let renamed = diff.renamed.into_iter().map(FoundDifference::Renamed);
        let changed = diff.changed.into_iter().map(FoundDifference::Changed);
        let header = header.filter(|_| !self.diff.summary);
        let mut all = header.chain(removed).chain(added).chain(renamed).chain(changed);
        all.try_for_each(|found| self.diff.line(&found, out))
    }

    /// Another file whose bytes have changed.
    fn changed_file(
        &mut self,
        line: BuildLine,
        found: Option<&[EntryDifference]>,
        out: &mut Output,
    ) -> Result<(), Failure> {
        let is_full = !self.diff.markdown && !self.diff.stat && !self.diff.name_only;
        let Some(found) = found.filter(|_| is_full) else { return self.line(line, out) };
        if out.is_json() {
            let mut object = line.json();
            object["entries"] = self.diff.entries_json(found)?;
            self.lines.push(line);
            return out.object(&object);
        }
        self.line(line, out)?;
        self.diff.entries(found, "  ", out)
    }
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
