//! `upk script`: bytecode as a listing, and as text that can be put back.

use std::collections::BTreeSet;
use std::path::PathBuf;

use clap::Args;
use farchive::edit::{AssembledCode, Edit};
use farchive::inspect::{CodeTexts, operand_text};
use farchive::object::Native;
use farchive::package::Package;
use farchive::script::{ScriptItem, disassemble};
use serde_json::json;

use super::edit::Change;
use super::optional_save::OptionalSave;
use crate::args;
use crate::failure::{CommandResult, Failure, Outcome};
use crate::output::{Output, count};

/// List the bytecode of a function, state or class, write it as text, or put such text back
///
/// Places count bytes in memory, as jumps do. Every token stands on a line of its own, the tokens within it
/// are indented. --asm writes text that can be edited and put back with --assemble: one statement a line, labels
/// for jumps, paths for objects; sizes and jumps are computed.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  upk script Botpack.u Enforcer.Fire
  upk script Botpack.u Enforcer.Fire --json
  upk script BP_Door.uasset BP_Door_C.ReceiveBeginPlay
  upk script Botpack.u Enforcer.Fire --asm > fire.txt
  upk script Botpack.u --assemble fire.txt -o Changed.u
  upk script Botpack.u --asm")]
pub struct Script {
    /// The package
    file: PathBuf,
    /// The function, state or class: its path, or its row as #12; with --asm all that have code, unless it is given
    #[arg(required_unless_present_any = ["asm", "assemble"], conflicts_with = "assemble")]
    function: Option<String>,
    /// Write text that --assemble puts back
    #[arg(long, conflicts_with = "assemble")]
    asm: bool,
    /// Put the text of this file back, which --asm has written and you have edited; - for standard input
    #[arg(long, value_name = "TEXT", requires = "target")]
    assemble: Option<PathBuf>,
    #[command(flatten)]
    save: OptionalSave,
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
    /// Prints the listing or the text, or puts a text back.
    pub fn run(&self, out: &mut Output) -> CommandResult {
        if let Some(text) = &self.assemble {
            let text = args::read_text(text)?;
            return self.save.0.apply(&self.file, out, |edit| assemble(edit, &text));
        }
        let package = self.save.0.open.open(&self.file)?;
        match &self.function {
            _ if self.asm => self.write(&package, out),
            Some(function) => list(&package, function, out),
            None => Err(Failure::usage("say which function")),
        }
    }

    /// The code of one object or of all as text.
    fn write(&self, package: &Package, out: &mut Output) -> CommandResult {
        let texts = CodeTexts::new(package);
        let rows = match &self.function {
            Some(function) => {
                let row = package.find_export(function)?;
                row..row + 1
            }
            None => 0..package.exports().len(),
        };
        for row in rows {
            match texts.section(row)? {
                // Most structs and classes have none.
                Some(text) if self.function.is_none() && text.lines().count() <= 2 => {}
                Some(text) if out.is_json() => {
                    out.object(&json!({ "object": package.exports().path(row), "text": text }))?;
                }
                Some(text) => text.lines().try_for_each(|line| out.line(line))?,
                None => {
                    if let Some(function) = &self.function {
                        return Err(no_code(package, row, function));
                    }
                }
            }
        }
        Ok(Outcome::Fine)
    }
}

/// Puts a text back.
fn assemble(edit: &mut Edit, text: &str) -> Result<Change, Failure> {
    let done = edit.assemble(text)?;
    let changed: Vec<&AssembledCode> = done.iter().filter(|code| code.is_changed).collect();
    let line = |code: &&AssembledCode| {
        let [before, now] = code.sizes;
        format!("\n  {}: {now} bytes in memory, {before} before", code.object)
    };
    Ok(Change {
        text: format!(
            "put {} back, {} changed{}",
            count(done.len() as u64, "piece of code", "pieces of code"),
            changed.len(),
            changed.iter().map(line).collect::<String>()
        ),
        json: json!({ "kind": "assemble", "changes": done }),
    })
}

/// Why an object has none.
fn no_code(package: &Package, row: usize, function: &str) -> Failure {
    let why =
        match package.decode(row).ok().and_then(|it| it.error.as_ref().map(ToString::to_string)) {
            Some(error) => format!("its body could not be decoded: {error}"),
            None => "it is no function, state, struct or class".to_owned(),
        };
    Failure::failed(format!("'{function}' has no code: {why}"))
}

/// Prints a listing.
fn list(package: &Package, function: &str, out: &mut Output) -> CommandResult {
    let row = package.find_export(function)?;
    let decoded = package.decode(row)?;
    let Some((rows, memory)) = rows(package, &decoded.body.native)? else {
        return Err(no_code(package, row, function));
    };
    let labels: BTreeSet<u32> = rows.iter().flat_map(|row| row.labels.iter().copied()).collect();
    for row in &rows {
        print(row, labels.contains(&row.offset), out)?;
    }
    if !out.is_json() {
        let tokens = rows.len();
        out.line(format!("{tokens} tokens, {memory} bytes in memory"))?;
    }
    Ok(Outcome::Fine)
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
