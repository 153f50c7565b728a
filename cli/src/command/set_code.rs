//! `upk set-code`: code as its text.

use std::path::{Path, PathBuf};

use clap::Args;
use serde_json::json;
use unreal_packages::edit::Edit;
use unreal_packages::make::{Maker, source_text};

use super::edit::{Change, EditArgs, Editing};
use super::make::{add_environment, diagnostic_json, stem};
use crate::args;
use crate::failure::{CommandResult, Failure};
use crate::output::{Output, count, grouped};

/// Replace a function, a state or the default values of a class by UnrealScript
///
/// The text declares it as it is declared, with other statements and local variables, of any length; everything else
/// stays as it was. What the class builds on is looked for in --env. Another declaration (parameters, words before the
/// function) needs the package made anew: upk make. The text that the class carries is not changed: upk source --decompile
/// shows what it does now.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  upk set-code Botpack.u Enforcer.Fire Fire.uc -o Out.u --env ~/Games/UT
  upk set-code Botpack.u Enforcer values.uc -o Out.u      a block defaultproperties
  upk set-code Botpack.u Enforcer.Fire Fire.uc --dry-run
Next: upk source Botpack.u -o - --decompile")]
pub struct SetCode {
    #[command(flatten)]
    edit: EditArgs,
    /// The function (Class.Function, Class.State.Function), the state, or the class for its default values
    object: String,
    /// The file with its text; - for standard input
    text: PathBuf,
}

impl SetCode {
    /// Replaces and saves.
    pub fn run(&self, out: &mut Output) -> CommandResult {
        self.edit.apply(self, out)
    }
}

impl Editing for SetCode {
    fn change(&self, edit: &mut Edit, file: &Path) -> Result<Change, Failure> {
        let bytes = args::read(&self.text)?;
        let own = stem(file);
        let mut maker = Maker::of_package(&own, edit)?;
        if let Some(environment) = self.edit.save.open.environment(file)? {
            add_environment(&mut maker, &environment, &own)?;
        }
        let shown = self.text.display().to_string();
        let done = maker.set_code(edit, &self.object, &shown, &source_text(&bytes))?;
        let mut lines: Vec<String> = done.diagnostics.iter().map(ToString::to_string).collect();
        if done.has_errors() {
            let errors = done.diagnostics.iter().filter(|it| it.is_error()).count() as u64;
            let message = format!("{shown} has {}", count(errors, "error", "errors"));
            let lines = lines.iter().flat_map(|it| it.lines()).map(str::to_owned).collect();
            return Err(Failure::listing(message, lines, "correct the text: nothing was written"));
        }
        for object in &done.objects {
            let [old, new] = object.sizes.map(grouped);
            let path = &object.object;
            lines.push(match object.is_changed {
                false => format!("{path}: the same as before"),
                true => format!("{path}: {new} bytes in memory, were {old}"),
            });
            let names = [(&object.added, "new"), (&object.removed, "gone")];
            for (names, what) in names.into_iter().filter(|it| !it.0.is_empty()) {
                lines.push(format!("  local variables {what}: {}", names.join(", ")));
            }
        }
        let objects = done.objects.iter().map(|it| {
            json!({ "object": it.object, "changed": it.is_changed, "before": it.sizes[0], "after": it.sizes[1],
                    "added": it.added, "removed": it.removed })
        });
        let warnings: Vec<_> = done.diagnostics.iter().map(diagnostic_json).collect();
        let json = json!({ "kind": "set-code", "objects": objects.collect::<Vec<_>>(), "warnings": warnings });
        Ok(Change { text: lines.join("\n"), json })
    }
}
