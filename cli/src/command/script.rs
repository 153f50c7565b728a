//! `upk script`: bytecode as a listing.

use farchive::inspect::operand_text;
use std::collections::BTreeSet;
use std::path::PathBuf;

use clap::Args;
use farchive::object::Native;
use farchive::package::Package;
use farchive::script::{ScriptItem, disassemble};
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
  upk script Botpack.u Enforcer.Fire --json
  upk script BP_Door.uasset BP_Door_C.ReceiveBeginPlay")]
pub struct Script {
    /// The package
    file: PathBuf,
    /// The function, state or class: its path, or its row as #12
    function: String,
    #[command(flatten)]
    open: OpenArgs,
}

/// A token, whichever bytecode it belongs to.
struct Row {
    offset: u32,
    depth: u32,
    token: u8,
    name: &'static str,
    operands: Vec<String>,
    /// Places that its operands refer to.
    labels: Vec<u32>,
}

impl Script {
    /// Prints the listing.
    pub fn run(&self, out: &mut Output) -> CommandResult {
        let package = self.open.open(&self.file)?;
        let row = package.find_export(&self.function)?;
        let decoded = package.decode(row)?;
        let Some((rows, memory)) = rows(&package, &decoded.body.native)? else {
            let why = match &decoded.error {
                Some(error) => format!("its body could not be decoded: {error}"),
                None => "it is no function, state, struct or class".to_owned(),
            };
            return Err(Failure::failed(format!("'{}' has no code: {why}", self.function)));
        };
        let labels: BTreeSet<u32> =
            rows.iter().flat_map(|row| row.labels.iter().copied()).collect();
        for row in &rows {
            print(row, labels.contains(&row.offset), out)?;
        }
        if !out.is_json() {
            let tokens = rows.len();
            out.line(format!("{tokens} tokens, {memory} bytes in memory"))?;
        }
        Ok(Outcome::Fine)
    }
}

/// The tokens of an object and their size in memory, bytes; `None` where it has no code.
fn rows(package: &Package, native: &Native) -> Result<Option<(Vec<Row>, u64)>, Failure> {
    let versions = package.versions();
    let Some(script) = native.code() else { return Ok(None) };
    let (items, memory) = (&script.items, script.memory_size(versions));
    let none = |name: &farchive::Name| package.name_text(*name).eq_ignore_ascii_case("None");
    let lines = disassemble(items, versions, none)?.into_iter().map(|line| Row {
        offset: line.offset,
        depth: line.depth,
        token: line.token,
        name: line.name,
        operands: line.operands.iter().map(|item| operand_text(package, item)).collect(),
        labels: line.operands.iter().filter_map(label).collect(),
    });
    Ok(Some((lines.collect(), memory)))
}

fn label(item: &ScriptItem) -> Option<u32> {
    match item {
        ScriptItem::Label(at) | ScriptItem::Place(at) => Some(*at),
        _ => None,
    }
}

fn print(row: &Row, label: bool, out: &mut Output) -> Result<(), Failure> {
    if out.is_json() {
        return out.object(&json!({
            "offset": row.offset, "depth": row.depth, "token": row.token,
            "name": row.name, "operands": row.operands, "label": label,
        }));
    }
    if label {
        out.line(format!("label_{:04x}:", row.offset))?;
    }
    let indent = "  ".repeat((row.depth as usize).min(40));
    out.line(format!("  {:04x}  {indent}{} {}", row.offset, row.name, row.operands.join(", ")))
}
