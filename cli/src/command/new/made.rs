//! What was made: checked, written and reported.

use serde_json::{Map, Value, json};
use unreal_packages::package::Saved;

use crate::failure::{CommandResult, Failure, Outcome};
use crate::output::Output;
use crate::target::Target;

/// A new package on its way to its file.
pub(super) struct Made<'a> {
    pub target: Target,
    pub dry_run: bool,
    pub saved: &'a Saved,
    pub exports: usize,
    /// What the JSON says beside that, an object.
    pub facts: Value,
    /// The same for people.
    pub what: String,
}

impl Made<'_> {
    /// Writes the file, unless the package re-saves differently, and reports it.
    pub fn finish(self, resaves_identically: bool, out: &mut Output) -> CommandResult {
        if !resaves_identically {
            let next = "nothing was written; please report it";
            return Err(Failure::failed(format!(
                "the result re-saves differently\n  next: {next}"
            )));
        }
        if !self.dry_run {
            self.target.write_package(self.saved, out)?;
        }
        let shown = self.target.shown();
        if out.is_json() {
            let mut report = Map::new();
            report.insert("output".to_owned(), json!((!self.dry_run).then_some(&shown)));
            report.insert("dry_run".to_owned(), json!(self.dry_run));
            if let Value::Object(facts) = self.facts {
                report.extend(facts);
            }
            report.insert("exports".to_owned(), json!(self.exports));
            report.insert("bytes".to_owned(), json!(self.saved.bytes.len()));
            report.insert("resaves_identically".to_owned(), json!(true));
            out.object(&Value::Object(report))?;
            return Ok(Outcome::Fine);
        }
        let what = self.what;
        match self.dry_run {
            true => out.line(format!("dry run, nothing written: {what}"))?,
            false => {
                out.summary(format!("wrote {shown}: {what}; reopened, re-saves identically"))?
            }
        }
        Ok(Outcome::Fine)
    }
}
