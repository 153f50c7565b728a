//! `upk script`: bytecode as a listing.

use std::collections::BTreeSet;
use std::path::PathBuf;

use clap::Args;
use farchive::object::Native;
use farchive::package::Package;
use farchive::script::{Item, Line, disassemble};
use serde_json::json;

use crate::args::OpenArgs;
use crate::failure::{CommandResult, Failure, Outcome};
use crate::output::Output;

/// List the bytecode of a function, state or class
///
/// Places count bytes in memory, as jumps do. Every token stands on a line of its own, the tokens within it
/// are indented.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  upk script Botpack.u Enforcer.Fire
  upk script Botpack.u '#120' --json")]
pub struct Script {
    /// The package
    file: PathBuf,
    /// The function, state or class: its path, or its row as #12
    function: String,
    #[command(flatten)]
    open: OpenArgs,
}

impl Script {
    /// Prints the listing.
    pub fn run(&self, out: &mut Output) -> CommandResult {
        let package = self.open.open(&self.file)?;
        let row = package.find_export(&self.function)?;
        let decoded = package.decode(row)?;
        let script = match &decoded.body.native {
            Native::Script(object) => object.structure().map(|structure| &structure.script),
            _ => None,
        };
        let Some(script) = script else {
            let why = match decoded.error {
                Some(error) => format!("its body could not be decoded: {error}"),
                None => "it is no function, state, struct or class".to_owned(),
            };
            return Err(Failure::failed(format!("'{}' has no code: {why}", self.function)));
        };
        let none = |name: &farchive::Name| package.name_text(*name).eq_ignore_ascii_case("None");
        let lines = disassemble(script, package.versions(), none)?;
        let labels: BTreeSet<u16> = lines
            .iter()
            .flat_map(|line| &line.operands)
            .filter_map(|item| match item {
                Item::Label(at) => Some(*at),
                _ => None,
            })
            .collect();
        for line in &lines {
            let label = u16::try_from(line.offset).is_ok_and(|at| labels.contains(&at));
            self.print(&package, line, label, out)?;
        }
        if !out.is_json() {
            let (memory, tokens) = (script.memory_size, lines.len());
            out.line(format!("{tokens} tokens, {memory} bytes in memory"))?;
        }
        Ok(Outcome::Fine)
    }

    fn print(
        &self,
        package: &Package,
        line: &Line,
        label: bool,
        out: &mut Output,
    ) -> Result<(), Failure> {
        let operands: Vec<_> =
            line.operands.iter().map(|item| package.operand_text(item)).collect();
        if out.is_json() {
            return out.object(&json!({
                "offset": line.offset, "depth": line.depth, "token": line.token,
                "name": line.name, "operands": operands, "label": label,
            }));
        }
        if label {
            out.line(format!("label_{:04x}:", line.offset))?;
        }
        let indent = "  ".repeat((line.depth as usize).min(40));
        out.line(format!("  {:04x}  {indent}{} {}", line.offset, line.name, operands.join(", ")))
    }
}
