//! A file of edits that makes one package of another.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use unreal_packages::compare::{self, Diff, Difference, FieldOrigin, ObjectDifference};
use unreal_packages::edit::{EditOptions, parts_between};
use unreal_packages::edit_file::{PackageHash, put_line, quoted};
use unreal_packages::inspect::{Expectation, PackageValues};
use unreal_packages::package::{Package, SaveOptions};

use super::read_statements;
use super::statements::{Manner, carry_out};
use crate::args::OpenArgs;
use crate::failure::Failure;

/// Objects that a refusal names.
const NAMED: usize = 12;

/// The text of a file of edits, which was carried out and compared with the package that it makes.
#[derive(Debug, Clone)]
pub struct PatchText {
    pub text: String,
    /// Lines that are commands and their conditions.
    pub commands: usize,
    /// Lines that put a part of the document in place.
    pub parts: usize,
}

/// The packages that a patch stands between.
#[derive(Clone, Copy)]
pub struct PatchSides<'a> {
    pub old: &'a Package,
    pub new: &'a Package,
    /// The old package's file.
    pub file: &'a Path,
    pub open: &'a OpenArgs,
}

/// Lines for an object of the old package.
type ObjectLines = BTreeMap<usize, Vec<String>>;

impl PatchSides<'_> {
    /// The lines that make the new package: commands where they say all that an object differs in, parts of the
    /// document elsewhere. They are carried out here, and what comes out has no difference from the new package.
    ///
    /// # Errors
    /// `Failed` with the objects that can't be said so.
    pub fn patch(&self) -> Result<PatchText, Failure> {
        let diff = compare::diff(self.old, self.new);
        let files = diff.header.iter().filter(|field| field.origin == FieldOrigin::Companion);
        let files: Vec<&str> = files.map(|field| field.field.as_str()).collect();
        if !files.is_empty() {
            return Err(refused("the files beside them differ, which no line says", &files));
        }
        let commands = self.commands(&diff);
        let is_commanded = |object: &ObjectDifference| commands.contains_key(&object.rows.0);
        let plain = diff.header.is_empty()
            && diff.added.is_empty()
            && diff.changed.iter().all(is_commanded);
        if plain {
            let mut lines: Vec<String> = commands.values().flatten().cloned().collect();
            let removed = diff.removed.iter().map(|it| format!("remove {}", quoted(&it.path)));
            lines.extend(removed);
            lines.extend(diff.renamed.iter().filter_map(|object| {
                let (outer, name) = object.new.rsplit_once('.').unwrap_or(("", &object.new));
                let old = object.old.rsplit_once('.').map_or("", |(outer, _)| outer);
                (outer == old).then(|| format!("rename {} {}", quoted(&object.old), quoted(name)))
            }));
            if let Ok(patch) = self.proved(&lines, &[]) {
                return Ok(patch);
            }
        }
        let mut why = None;
        let covered: BTreeSet<usize> = commands.keys().copied().collect();
        let none = ObjectLines::new();
        for (lines, covered) in [(&commands, covered), (&none, BTreeSet::new())] {
            if lines.is_empty() && !commands.is_empty() && why.is_none() {
                continue;
            }
            let parts: Vec<String> =
                parts_between(self.old, self.new, &covered)?.iter().map(put_line).collect();
            let lines: Vec<String> = lines.values().flatten().cloned().collect();
            match self.proved(&lines, &parts) {
                Ok(patch) => return Ok(patch),
                Err(failure) => why = Some(failure),
            }
        }
        Err(why.unwrap_or_else(|| refused("they differ in what no line says", &[])))
    }

    /// The lines with their head, carried out.
    fn proved(&self, commands: &[String], parts: &[String]) -> Result<PatchText, Failure> {
        let mut text =
            "# Made by `upk diff OLD NEW --as-edits`: `upk edit` carries it out.\n".to_owned();
        text.push_str(&format!("base {}\n", PackageHash::of(self.old)));
        for line in parts.iter().chain(commands) {
            text.push_str(line);
            text.push('\n');
        }
        let statements = read_statements("the patch", &text, self.open, &[])?;
        let mut package = self.old.clone();
        let manner = Manner { file: self.file, open: self.open, fitting: false };
        let (_, saved) = SaveOptions::new()
            .edit(&mut package, |edit| carry_out(&statements, edit, manner).map(drop))?;
        // What the file itself says of its version must be enough to open it again.
        let mut package = self.open.options(self.file)?.open_bytes(saved.bytes)?;
        if let Some(environment) = self.open.environment(self.file)? {
            environment.add_class_layouts(&mut package);
        }
        let left = compare::diff(&package, self.new);
        match left.is_empty() {
            true => Ok(PatchText { text, commands: commands.len(), parts: parts.len() }),
            false => {
                Err(refused("lines of edits can't say all in which they differ", &named(&left)))
            }
        }
    }

    /// Commands for each object whose differences they can say.
    fn commands(&self, diff: &Diff) -> ObjectLines {
        let objects = diff.changed.iter();
        objects.filter_map(|object| Some((object.rows.0, self.commands_of(object)?))).collect()
    }

    /// Each value with the condition that the old one is there; `None` where one can't be said.
    fn commands_of(&self, object: &ObjectDifference) -> Option<Vec<String>> {
        let (before, after) = object.rows;
        let path = self.old.exports().path(before);
        if self.old.find_export(&path).ok()? != before {
            return None;
        }
        let mut lines = Vec::new();
        for change in &object.changes {
            let Difference::Property { property, old, new } = change else { return None };
            let place = format!("{path}.{property}");
            let value =
                |package: &Package, row| package.values().stored_property(row, property).ok();
            let (condition, command) = match (old, new) {
                (Some(_), Some(_)) => {
                    let (old, new) = (value(self.old, before)?, value(self.new, after)?);
                    (
                        self.condition(&place, &old.text)?,
                        format!("set {}", quoted(&format!("{place}={}", new.text))),
                    )
                }
                (None, Some(_)) => {
                    let new = value(self.new, after)?;
                    let assignment = format!("{place}:{}={}", new.property_type, new.text);
                    (
                        self.holding(format!("!stored({place})"))?,
                        format!("set {}", quoted(&assignment)),
                    )
                }
                (Some(_), None) => {
                    let old = value(self.old, before)?;
                    (self.condition(&place, &old.text)?, format!("set --remove {}", quoted(&place)))
                }
                (None, None) => return None,
            };
            lines.extend([format!("expect {}", quoted(&condition)), command]);
        }
        Some(lines)
    }

    /// A condition that a value is as this text says, and that holds.
    fn condition(&self, place: &str, text: &str) -> Option<String> {
        let quoted = text.replace('\\', "\\\\").replace('"', "\\\"");
        let own = text.trim_matches('"');
        let texts = [format!("{place} == {text}"), format!("{place} == \"{quoted}\"")];
        let bare = format!("{place} == \"{own}\"");
        texts.into_iter().chain([bare]).find_map(|text| self.holding(text))
    }

    fn holding(&self, text: String) -> Option<String> {
        let expectation: Expectation = text.parse().ok()?;
        matches!(self.old.values().unmet(&expectation), Ok(None)).then_some(text)
    }
}

/// The objects in which packages differ.
fn named(diff: &Diff) -> Vec<&str> {
    let header = diff.header.iter().map(|field| field.field.as_str());
    let titles = diff.added.iter().chain(&diff.removed).map(|title| title.path.as_str());
    let renamed = diff.renamed.iter().map(|object| object.new.as_str());
    let changed = diff.changed.iter().map(|object| object.path.as_str());
    header.chain(titles).chain(renamed).chain(changed).collect()
}

fn refused(reason: &str, objects: &[&str]) -> Failure {
    let mut shown = objects[..objects.len().min(NAMED)].join(", ");
    if objects.len() > NAMED {
        shown.push_str(&format!(" and {} more", objects.len() - NAMED));
    }
    let next = "send the package itself, or `upk merge` it with theirs";
    Failure::failed(format!("{reason}: {shown}\n  next: {next}"))
}
