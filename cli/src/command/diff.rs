//! `upk diff`: what two packages differ in.

use std::path::PathBuf;

use clap::Args;
use farchive::compare::{Difference, FoundDifference, each_difference};
use serde_json::json;

use crate::args::OpenArgs;
use crate::failure::{CommandResult, Failure, Outcome};
use crate::output::{Output, count};

/// Compare two packages object by object: header, properties, code, data
///
/// Objects are matched by their paths, names and references by what they mean, so the order of tables does
/// not matter. Exit code 0 when nothing differs, 1 when something does, 2 when a file can't be read.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  upk diff Old.u New.u
  upk diff Old.unr New.unr --summary
  upk diff Old.u New.u --json | jq -r '.changed[].path'")]
pub struct Diff {
    /// The old package
    old: PathBuf,
    /// The new package
    new: PathBuf,
    /// Only the objects, not in what they differ
    #[arg(long)]
    summary: bool,
    /// Show this many differences of an object; 0 for all
    #[arg(long, value_name = "COUNT", default_value_t = 20)]
    limit: usize,
    #[command(flatten)]
    open: OpenArgs,
}

impl Diff {
    /// Prints what differs.
    pub fn run(&self, out: &mut Output) -> CommandResult {
        let old = self.open.open(&self.old)?;
        let new = self.open.open(&self.new)?;
        let bytes = old.source() == new.source();
        let mut shown = Shown { counts: [0; 4], list: None };
        if out.is_json() {
            let (old_file, new_file) = (self.old.display(), self.new.display());
            let head = json!({ "old": old_file.to_string(), "new": new_file.to_string() });
            let head = head.to_string();
            out.raw(head.strip_suffix('}').unwrap_or(&head).as_bytes())?;
            out.raw(b",")?;
        }
        each_difference(&old, &new, |found| {
            shown.counts[Shown::list_of(&found)] += 1;
            if out.is_json() { shown.json(&found, out) } else { self.line(&found, out) }
        })?;
        let [header, removed, added, changed] = shown.counts;
        let same = shown.counts == [0; 4];
        if out.is_json() {
            shown.end(out)?;
            out.raw(format!(",\"same\":{same},\"same_bytes\":{bytes}}}\n").as_bytes())?;
        } else {
            out.line(match (same, bytes) {
                (true, true) => "the files are the same".to_owned(),
                (true, false) => {
                    "nothing differs but the form: the order of tables, how values are stored"
                        .to_owned()
                }
                _ => format!(
                    "{} added, {removed} removed, {changed} changed, {} of the header",
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
                out.line(format!("header {}", cut(&field.to_string())))
            }
            FoundDifference::Removed(object) => {
                out.line(format!("- {} ({})", object.path, object.class))
            }
            FoundDifference::Added(object) => {
                out.line(format!("+ {} ({})", object.path, object.class))
            }
            FoundDifference::Changed(object) => {
                out.line(format!("~ {} ({})", object.path, object.class))?;
                if self.summary { Ok(()) } else { self.print(&object.changes, out) }
            }
        }
    }

    fn print(&self, changes: &[Difference], out: &mut Output) -> Result<(), Failure> {
        let shown = if self.limit == 0 { changes.len() } else { self.limit.min(changes.len()) };
        for change in &changes[..shown] {
            out.line(format!("    {}", cut(&change.to_string())))?;
            if let Difference::Code { old, new, .. } = change {
                let lines = old.iter().map(|line| ('-', line)).chain(new.iter().map(|l| ('+', l)));
                let all = old.len() + new.len();
                let shown = if self.limit == 0 { all } else { self.limit };
                for (sign, line) in lines.take(shown) {
                    out.line(format!("      {sign} {}", cut(line)))?;
                }
                if shown < all {
                    out.line(format!("      … {} more lines", all - shown))?;
                }
            }
        }
        if shown < changes.len() {
            let more = changes.len() - shown;
            out.line(format!("    … {more} more; --limit 0 shows all"))?;
        }
        Ok(())
    }
}

/// The lists of the JSON, in their order.
const LISTS: [&str; 4] = ["header", "removed", "added", "changed"];

/// What has been written so far.
struct Shown {
    /// By list.
    counts: [u64; 4],
    /// The list that is open.
    list: Option<usize>,
}

impl Shown {
    fn list_of(found: &FoundDifference) -> usize {
        match found {
            FoundDifference::Header(_) => 0,
            FoundDifference::Removed(_) => 1,
            FoundDifference::Added(_) => 2,
            FoundDifference::Changed(_) => 3,
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

/// One line of bearable length; JSON has all of it.
fn cut(text: &str) -> String {
    const LONGEST: usize = 400;
    match text.char_indices().nth(LONGEST) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_owned(),
    }
}
