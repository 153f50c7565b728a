//! The difference of two packages as a file of edits.

use serde_json::json;
use unreal_packages::package::Package;

use super::Diff;
use crate::command::edit_script::patch::PatchSides;
use crate::failure::{CommandResult, Outcome};
use crate::form::Form;
use crate::output::{Output, count};
use crate::target::Target;

impl Diff {
    /// Writes the lines that make the new package of the old one.
    pub(super) fn as_edits(&self, old: &Package, new: &Package, out: &mut Output) -> CommandResult {
        let standard = std::path::PathBuf::from("-");
        let path = self.output.as_ref().unwrap_or(&standard);
        let target = Target::new(path, self.overwrite, Form::Any, out)?;
        let patch = PatchSides { old, new, file: &self.old, open: &self.open }.patch()?;
        target.write(patch.text.as_bytes(), out)?;
        if out.is_json() {
            out.object(&json!({ "patch": target.shown(), "commands": patch.commands,
                                "parts": patch.parts, "bytes": patch.text.len() }))?;
            return Ok(Outcome::Fine);
        }
        if target.path().is_some() {
            let commands = count(patch.commands as u64, "line", "lines");
            let parts = count(patch.parts as u64, "part", "parts");
            let shown = target.shown();
            out.summary(format!("wrote {shown}: {commands} of commands, {parts} of the document"))?;
            out.line(format!("  next: upk edit {shown} {} --dry-run", self.old.display()))?;
        }
        Ok(Outcome::Fine)
    }
}
