//! `upk diff`: what two packages differ in.

use std::path::PathBuf;

use clap::Args;
use farchive::compare::{Difference, ObjectTitle, diff};
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
        let diff = diff(&old, &new);
        let same = diff.is_empty();
        let outcome = if same { Outcome::Fine } else { Outcome::Wrong };
        let bytes = old.source() == new.source();
        if out.is_json() {
            out.object(&json!({
                "old": self.old.display().to_string(), "new": self.new.display().to_string(),
                "same": same, "same_bytes": bytes,
                "header": diff.header, "added": diff.added, "removed": diff.removed,
                "changed": diff.changed,
            }))?;
            return Ok(outcome);
        }
        for field in &diff.header {
            out.line(format!("header {}", cut(&field.to_string())))?;
        }
        let title = |object: &ObjectTitle| format!("{} ({})", object.path, object.class);
        for object in &diff.removed {
            out.line(format!("- {}", title(object)))?;
        }
        for object in &diff.added {
            out.line(format!("+ {}", title(object)))?;
        }
        for object in &diff.changed {
            out.line(format!("~ {} ({})", object.path, object.class))?;
            if !self.summary {
                self.print(&object.changes, out)?;
            }
        }
        out.line(match (same, bytes) {
            (true, true) => "the files are the same".to_owned(),
            (true, false) => {
                "nothing differs but the form: the order of tables, how values are stored"
                    .to_owned()
            }
            _ => format!(
                "{} added, {} removed, {} changed, {} of the header",
                count(diff.added.len() as u64, "object", "objects"),
                diff.removed.len(),
                diff.changed.len(),
                count(diff.header.len() as u64, "field", "fields"),
            ),
        })?;
        Ok(outcome)
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

/// One line of bearable length; JSON has all of it.
fn cut(text: &str) -> String {
    const LONGEST: usize = 400;
    match text.char_indices().nth(LONGEST) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_owned(),
    }
}
