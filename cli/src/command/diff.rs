//! `upk diff`: what two packages differ in, two builds, two files beside packages.

mod as_edits;
mod both_names;
mod build_line;
mod build_side;
mod build_totals;
mod builds;
mod entries;
mod growth;
mod html;
mod markdown;
mod moved;
mod shown;

use std::path::PathBuf;

use clap::Args;
use serde_json::json;
use unreal_packages::compare::{
    Difference, FieldOrigin, FoundDifference, RenamedObject, each_difference,
};
use unreal_packages::file::FileState;

use crate::args::OpenArgs;
use crate::color::Paint;
use crate::failure::{CommandResult, Failure, Outcome};
use crate::output::{Output, count, cut};
use crate::related;
use build_side::is_build;
use shown::moved;

/// Compare two packages object by object: header, properties, code, data; or two builds, or two asset registries
///
/// Objects are matched by their paths, names and references by what they mean, so the order of tables does
/// not matter; what has another name or place and says the same is one line. Arrays are compared element by
/// element: what was inserted or removed is said, and not that all behind it moved. Bulk data in a file beside the
/// package is compared with it. Code is compared as source, where it has some, and texts of several lines line by line.
///
/// --as-edits writes a file of edits instead, which makes NEW of OLD: it begins with OLD's hash, each value stands behind
/// a condition that the old one is there, and what no command says is a part of the package's document (`put`). It was
/// carried out before it is written, and what came out has no difference from NEW; where that can't be, the objects are
/// named and nothing is written.
///
/// --html writes a page instead: what changed in words is marked, long hunks are folded, pictures of textures and
/// thumbnails stand side by side, and what a save makes anew is one line. It is one file, light or dark as the reader's
/// system, without scripts and without anything from elsewhere.
///
/// A build is a folder, a container (.pak, .utoc), a folder in one, or a folder of containers; either side may be any of
/// these. In containers files are known by the paths that the game knows, whatever container they lie in; where several
/// have one path, that of the last patch (_P) counts. Packages of one path are compared where their bytes differ; one
/// that is only elsewhere, and an object that says the same in another package, is one line. What is no package is
/// compared too: registries of assets and texts of languages entry by entry, the rest by its bytes. --stat says how many
/// objects of each package came, went and changed, --sizes how much each class and folder has grown, --markdown all of
/// it as a report. Files that are called like packages (.unr, .u, .uasset ...) and can't be opened are named.
///
/// Two files beside packages (AssetRegistry.bin, .locres, save games) are compared entry by entry: assets with their tags,
/// bundles and chunks, dependencies, what is known of packages; texts by their keys.
///
/// Exit code 0 when nothing differs, 1 when something does, 2 when a file can't be read; with --as-edits, --html and
/// --markdown 0 when the file is written, 1 when it can't be.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  upk diff Old.u New.u
  upk diff Old.unr New.unr --summary
  upk diff Old.u New.u --stat
  upk diff Old.u New.u --name-only
  upk diff Old.u New.u --word-diff
  upk diff Old.u New.u --color always
  upk diff Old.u New.u --json | jq -r '.changed[].path'
  upk diff Old.u New.u --as-edits -o changes.txt
  upk diff Old.u New.u --html -o changes.html
  upk diff Old New --summary                 two builds or mods: which packages, which objects
  upk diff Old.pak New.pak --stat
  upk diff Old.pak New.pak --sizes --json | tail -1
  upk diff Old.pak New.pak -o changes.md --markdown
  upk diff Old/AssetRegistry.bin New/AssetRegistry.bin")]
pub struct Diff {
    /// The old package or build
    old: PathBuf,
    /// The new package or build
    new: PathBuf,
    /// Only the objects, not in what they differ
    #[arg(long)]
    summary: bool,
    /// Only the paths of what differs, one a line
    #[arg(long, conflicts_with_all = ["summary", "stat"])]
    name_only: bool,
    /// One line for each object, of builds for each package: how many differences, and what came and went
    #[arg(long, conflicts_with = "summary")]
    stat: bool,
    /// Show each field of the header that a save by the editor makes anew: otherwise one line names them
    #[arg(long)]
    derived: bool,
    /// Show what came and went within a line: [-old-]{+new+}
    #[arg(long)]
    word_diff: bool,
    /// Show this many differences of an object; 0 for all
    #[arg(long, value_name = "COUNT", default_value_t = 20)]
    limit: usize,
    /// Write the difference as a file of edits, which `upk edit` carries out on OLD
    #[arg(long, conflicts_with_all = ["summary", "name_only", "stat", "word_diff", "derived"])]
    as_edits: bool,
    /// Of builds: how large each class and folder is on both sides
    #[arg(long)]
    sizes: bool,
    /// Of builds: write a report in Markdown, with sizes by class and folder
    #[arg(long, conflicts_with_all = ["as_edits", "html", "json", "summary", "name_only", "stat", "word_diff", "derived"])]
    markdown: bool,
    /// Write the difference as a page for a browser: one file without scripts, with the pictures of textures
    #[arg(long, requires = "output",
          conflicts_with_all = ["as_edits", "summary", "name_only", "stat", "word_diff", "derived"])]
    html: bool,
    /// Write it here; without it edits and reports go to standard output
    #[arg(short, long, value_name = "OUT")]
    output: Option<PathBuf>,
    /// Replace a file that is there
    #[arg(long, requires = "output")]
    overwrite: bool,
    #[command(flatten)]
    open: OpenArgs,
}

/// The path of what differs.
fn name_of(found: &FoundDifference) -> String {
    match found {
        FoundDifference::Header(_) => "header".to_owned(),
        FoundDifference::Removed(object) | FoundDifference::Added(object) => object.path.clone(),
        FoundDifference::Renamed(object) => object.new.clone(),
        FoundDifference::Changed(object) => object.path.clone(),
    }
}

/// What differs in one line, with what came and what went.
fn stat_of(found: &FoundDifference) -> String {
    match found {
        FoundDifference::Header(field) => format!("header {} | 1", field.field),
        FoundDifference::Removed(object) => format!("{} | removed", object.path),
        FoundDifference::Added(object) => format!("{} | added", object.path),
        FoundDifference::Renamed(object) => format!("{} | from {}", object.new, object.old),
        FoundDifference::Changed(object) => {
            let (mut came, mut went) = (0, 0);
            for change in &object.changes {
                match change {
                    Difference::Code { old, new, .. } => {
                        (came, went) = (came + new.len(), went + old.len());
                    }
                    Difference::Element { new, .. } => match new {
                        Some(_) => came += 1,
                        None => went += 1,
                    },
                    Difference::Property { old, new, .. } => {
                        came += usize::from(new.is_some());
                        went += usize::from(old.is_some());
                    }
                    _ => (came, went) = (came + 1, went + 1),
                }
            }
            format!("{} | {} +{came} -{went}", object.path, object.changes.len())
        }
    }
}

impl Diff {
    /// Prints what differs.
    pub fn run(&self, out: &mut Output) -> CommandResult {
        if self.output.is_some() && !self.as_edits && !self.html && !self.markdown {
            let next =
                "add --html for a page, --markdown for a report, or --as-edits for a file of edits";
            return Err(Failure::usage(format!("-o without a form to write\n  next: {next}")));
        }
        let wrong =
            |reason: &str, next: &str| Err(Failure::usage(format!("{reason}\n  next: {next}")));
        match (is_build(&self.old)?, is_build(&self.new)?) {
            (true, true) if self.html => {
                return wrong("builds have no page", "name two packages, or use --markdown");
            }
            (true, true) if self.as_edits => {
                let next = "name two packages: each has a file of edits of its own";
                return wrong("builds have no file of edits", next);
            }
            (true, true) => return self.builds(out),
            (false, false) if self.markdown || self.sizes => {
                let next = "name two folders or containers; --html makes a page of two packages";
                return wrong("--markdown and --sizes are for builds", next);
            }
            (false, false) => {}
            _ => {
                let next = "name two packages, or two builds";
                return wrong("one of them is a folder or container, the other is not", next);
            }
        }
        match (related::open(&self.old)?, related::open(&self.new)?) {
            (Some(old), Some(new)) if !self.as_edits && !self.html => {
                return self.related(&old, &new, out);
            }
            (Some(old), Some(_)) => {
                let reason = format!("of {} there is no page and no file of edits", old.noun());
                return wrong(&reason, "leave the option away");
            }
            _ => {}
        }
        let old = self.open.open(&self.old)?;
        let new = self.open.open(&self.new)?;
        if self.as_edits {
            return self.as_edits(&old, &new, out);
        }
        if let Some(path) = self.output.as_ref().filter(|_| self.html) {
            return self.html(&old, &new, path, out);
        }
        let images = old.source() == new.source();
        // What is read from standard input is no file.
        let files = [&old, &new].map(|package| package.read_from());
        let hashes =
            files.map(|files| files.iter().map(FileState::content_hash).collect::<Vec<_>>());
        let one_is_none = files.iter().any(|files| files.is_empty());
        let files_agree = images && (one_is_none || hashes[0] == hashes[1]);
        let mut shown = Shown { counts: [0; 5], list: None };
        if out.is_json() {
            let (old_file, new_file) = (self.old.display(), self.new.display());
            let head = json!({ "old": old_file.to_string(), "new": new_file.to_string() });
            let head = head.to_string();
            out.raw(head.strip_suffix('}').unwrap_or(&head).as_bytes())?;
            out.raw(b",")?;
        }
        let mut derived = Vec::new();
        each_difference(&old, &new, |found| {
            shown.counts[Shown::list_of(&found)] += 1;
            match found {
                found if out.is_json() => shown.json(&found, out),
                FoundDifference::Header(field)
                    if field.origin == FieldOrigin::Derived && !self.derived =>
                {
                    derived.push(field.field);
                    Ok(())
                }
                found if self.name_only => out.line(name_of(&found)),
                found if self.stat => out.line(stat_of(&found)),
                found => self.line(&found, out),
            }
        })?;
        if !derived.is_empty() && !self.name_only {
            let fields = count(derived.len() as u64, "field", "fields");
            let text = format!("header {fields} made anew by saving: {}", derived.join(", "));
            out.painted(Paint::Changed, cut(&text))?;
        }
        if self.name_only && !out.is_json() {
            let same = shown.counts == [0; 5];
            return Ok(if same { Outcome::Fine } else { Outcome::Wrong });
        }
        let [header, removed, added, renamed, changed] = shown.counts;
        let same = shown.counts == [0; 5];
        let bytes = same && files_agree;
        if out.is_json() {
            shown.end(out)?;
            out.raw(format!(",\"same\":{same},\"same_bytes\":{bytes}}}\n").as_bytes())?;
        } else {
            out.line(match (same, bytes) {
                (true, true) => "the files are the same".to_owned(),
                (true, false) if images => {
                    "the packages are the same, the files are not: they are compressed or split otherwise"
                        .to_owned()
                }
                (true, false) => {
                    "nothing differs but the form: the order of tables, how values are stored"
                        .to_owned()
                }
                _ => format!(
                    "{} added, {removed} removed, {renamed} renamed, {changed} changed, {} of the header",
                    count(added, "object", "objects"),
                    count(header, "field", "fields"),
                ),
            })?;
        }
        Ok(if same { Outcome::Fine } else { Outcome::Wrong })
    }

    /// One line, or several for an object that has changed.
    fn line(&self, found: &FoundDifference, out: &mut Output) -> Result<(), Failure> {
        match found {
            FoundDifference::Header(field) => {
                out.painted(Paint::Changed, format!("header {}", cut(&field.to_string())))
            }
            FoundDifference::Removed(object) => {
                out.painted(Paint::Removed, format!("- {} ({})", object.path, object.class))
            }
            FoundDifference::Added(object) => {
                out.painted(Paint::Added, format!("+ {} ({})", object.path, object.class))
            }
            FoundDifference::Renamed(RenamedObject { old, new, class, .. }) => {
                out.painted(Paint::Renamed, format!("> {old} -> {new} ({class})"))
            }
            FoundDifference::Changed(object) => {
                if let Some(moved) = moved(object) {
                    return out.painted(Paint::Renamed, moved);
                }
                out.painted(Paint::Changed, format!("~ {} ({})", object.path, object.class))?;
                if self.summary { Ok(()) } else { self.print(&object.changes, out) }
            }
        }
    }
}

/// The lists of the JSON, in their order.
const LISTS: [&str; 5] = ["header", "removed", "added", "renamed", "changed"];

/// What has been written so far.
struct Shown {
    /// By list.
    counts: [u64; 5],
    /// The list that is open.
    list: Option<usize>,
}

impl Shown {
    fn list_of(found: &FoundDifference) -> usize {
        match found {
            FoundDifference::Header(_) => 0,
            FoundDifference::Removed(_) => 1,
            FoundDifference::Added(_) => 2,
            FoundDifference::Renamed(_) => 3,
            FoundDifference::Changed(_) => 4,
        }
    }

    /// One more of its list, which is opened first, and those before it that are empty.
    fn json(&mut self, found: &FoundDifference, out: &mut Output) -> Result<(), Failure> {
        let list = Self::list_of(found);
        if self.list == Some(list) {
            out.raw(b",")?;
        }
        self.open_to(list, out)?;
        let text = match found {
            FoundDifference::Header(field) => serde_json::to_string(field),
            FoundDifference::Removed(title) | FoundDifference::Added(title) => {
                serde_json::to_string(title)
            }
            FoundDifference::Renamed(object) => serde_json::to_string(object),
            FoundDifference::Changed(object) => serde_json::to_string(object),
        };
        out.raw(text?.as_bytes())
    }

    fn open_to(&mut self, list: usize, out: &mut Output) -> Result<(), Failure> {
        let next = self.list.map_or(0, |open| open + 1);
        for (at, name) in LISTS.iter().enumerate().take(list + 1).skip(next) {
            let end = if at > 0 { "]," } else { "" };
            out.raw(format!("{end}\"{name}\":[").as_bytes())?;
        }
        self.list = Some(list);
        Ok(())
    }

    fn end(&mut self, out: &mut Output) -> Result<(), Failure> {
        self.open_to(LISTS.len() - 1, out)?;
        out.raw(b"]")
    }
}
