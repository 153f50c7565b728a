//! `upk set-string`: strings in code.

use std::path::Path;

use clap::Args;
use serde_json::json;
use unreal_packages::edit::{Edit, ScriptTextChange};

use super::edit::{Change, EditArgs, Editing};
use crate::failure::{CommandResult, Failure};
use crate::output::{Output, count};

/// Replace string constants in the code of a function, state or class
///
/// The new text may have any length: jumps follow, and so do the events that enter an event graph, labels,
/// replication conditions and objects that stand in a state. `upk script` lists the code with its strings and
/// their places. Every string that says OLD is replaced; with --at the one at that place alone.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  upk set-string Botpack.u Enforcer.Fire 'Reloading' 'Reloading, take cover' -o Out.u
  upk set-string Botpack.u Enforcer.Fire Reloading Empty --at 0x0 --in-place
  upk set-string BP_Door.uasset BP_Door_C.ReceiveBeginPlay Hello 'Hello there' --dry-run")]
pub struct SetString {
    #[command(flatten)]
    edit: EditArgs,
    /// The function, state or class: its path, or its row as #12
    function: String,
    /// The text as it is
    old: String,
    /// What it is to say
    new: String,
    /// Only the string at this place: bytes in memory, as `upk script` shows them, 0x1f or 001f
    #[arg(long, value_name = "PLACE", value_parser = place)]
    at: Option<u32>,
}

/// A place as listings show it, hexadecimal.
fn place(text: &str) -> Result<u32, String> {
    let digits = text.strip_prefix("0x").unwrap_or(text);
    u32::from_str_radix(digits, 16).map_err(|error| error.to_string())
}

impl SetString {
    /// Replaces and saves.
    pub fn run(&self, out: &mut Output) -> CommandResult {
        self.edit.apply(self, out)
    }
}

impl Editing for SetString {
    fn change(&self, edit: &mut Edit, _: &Path) -> Result<Change, Failure> {
        let mut seen = Vec::new();
        let replaced = edit.change_script_texts(&self.function, |at, text| {
            let is_meant = text == self.old && self.at.is_none_or(|only| only == at);
            if !is_meant {
                seen.push(format!("{at:04x} {text:?}"));
            }
            is_meant.then(|| self.new.clone())
        })?;
        if replaced.is_empty() && self.old != self.new {
            let (function, old) = (&self.function, &self.old);
            let at = self.at.map(|at| format!(" at {at:04x}")).unwrap_or_default();
            let next = match seen.is_empty() {
                true => "it has no strings; `upk script` lists its code".to_owned(),
                false => format!("its strings are {}", seen[..seen.len().min(8)].join(", ")),
            };
            let reason = format!("no string of '{function}'{at} says {old:?}\n  next: {next}");
            return Err(Failure::failed(reason));
        }
        let strings = count(replaced.len() as u64, "string", "strings");
        let line = |change: &ScriptTextChange| {
            let ScriptTextChange { place, old, new, .. } = change;
            format!("\n  {place:04x}  {new:?}, was {old:?}")
        };
        Ok(Change {
            text: format!(
                "replaced {strings} in {}{}",
                self.function,
                replaced.iter().map(line).collect::<String>()
            ),
            json: json!({ "kind": "set-string", "object": self.function, "changes": replaced }),
        })
    }
}
