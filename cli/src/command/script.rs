//! `upk script`: bytecode as a listing, and as text that can be put back.

use std::collections::BTreeSet;
use std::path::PathBuf;

use clap::Args;
use serde_json::json;
use unreal_packages::decompile::{DeclaredScripts, Decompiler};
use unreal_packages::edit::{AssembledCode, Edit};
use unreal_packages::inspect::{CodeTexts, operand_text};
use unreal_packages::object::Native;
use unreal_packages::package::Package;
use unreal_packages::script::{ScriptItem, disassemble};

use super::edit::Change;
use super::optional_save::OptionalSave;
use crate::args;
use crate::failure::{CommandResult, Failure, Outcome};
use crate::output::{Output, count};

/// List the bytecode of a function, state or class, write it as text, or put such text back
///
/// Places count bytes in memory, as jumps do. Every token stands on a line of its own, the tokens within it
/// are indented; behind ';' stands what a number means: the native function that it calls, the types of a
/// conversion. Without an object all that have code are listed. --asm writes text that can be edited and put back with --assemble: one statement a line, labels
/// for jumps, paths for objects; sizes and jumps are computed. Code that the engine could not run is refused: without
/// its end, with jumps amid statements, calls with other values than a function takes, as far as the package and
/// --env declare it; --force puts it back all the same.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  upk script Botpack.u Enforcer.Fire
  upk script Botpack.u Enforcer.Fire --json
  upk script Botpack.u
  upk script BP_Door.uasset BP_Door_C.ReceiveBeginPlay
  upk script Botpack.u Enforcer.Fire --asm > fire.txt
  upk script Botpack.u --assemble fire.txt -o Changed.u
  upk script Botpack.u --asm")]
pub struct Script {
    /// The package
    file: PathBuf,
    /// The function, state or class: its path, or its row as #12; all that have code, unless it is given
    #[arg(conflicts_with = "assemble")]
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
    /// What a number in it means.
    meaning: Option<String>,
    /// Places that its operands refer to.
    labels: Vec<u32>,
}

impl Script {
    /// Prints the listing or the text, or puts a text back.
    pub fn run(&self, out: &mut Output) -> CommandResult {
        if let Some(text) = &self.assemble {
            let text = args::read_text(text)?;
            let environment = self.save.0.open.environment(&self.file)?;
            return self.save.0.apply(&self.file, out, |edit| {
                let declared = environment.as_ref().map(|it| it.scripts_around(edit));
                assemble(edit, &text, declared.unwrap_or_default())
            });
        }
        let package = self.save.0.open.open(&self.file)?;
        match &self.function {
            _ if self.asm => self.write(&package, out),
            Some(function) => {
                let row = package.find_export(function)?;
                match list(&package, &Decompiler::new(&package), row, false, out)? {
                    true => Ok(Outcome::Fine),
                    false => Err(no_code(&package, row, function)),
                }
            }
            None => list_all(&package, out),
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
fn assemble(edit: &mut Edit, text: &str, declared: DeclaredScripts) -> Result<Change, Failure> {
    let done = edit.assemble_with(text, declared)?;
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

/// Prints the listings of all objects that have code.
fn list_all(package: &Package, out: &mut Output) -> CommandResult {
    let decompiler = Decompiler::new(package);
    for row in 0..package.exports().len() {
        list(package, &decompiler, row, true, out)?;
    }
    Ok(Outcome::Fine)
}

/// Prints a listing; whether the object has code. Among others only code that has tokens is listed.
fn list(
    package: &Package,
    decompiler: &Decompiler,
    row: usize,
    among_others: bool,
    out: &mut Output,
) -> Result<bool, Failure> {
    let decoded = package.decode(row)?;
    let Some((rows, memory)) = rows(package, decompiler, row, &decoded.body.native)? else {
        return Ok(false);
    };
    if rows.is_empty() && among_others {
        return Ok(false);
    }
    let path = package.exports().path(row);
    if !out.is_json() {
        if among_others {
            out.line(format!("{path}:"))?;
        }
        if let Some(signature) = decompiler.signature(row)? {
            out.line(signature)?;
        }
    }
    let labels: BTreeSet<u32> = rows.iter().flat_map(|row| row.labels.iter().copied()).collect();
    for row in &rows {
        print(row, among_others.then_some(&*path), labels.contains(&row.offset), out)?;
    }
    if !out.is_json() {
        let tokens = rows.len();
        out.line(format!("{tokens} tokens, {memory} bytes in memory"))?;
    }
    Ok(true)
}

/// The tokens of an object and their size in memory, bytes; `None` where it has no code.
fn rows(
    package: &Package,
    decompiler: &Decompiler,
    row: usize,
    native: &Native,
) -> Result<Option<(Vec<Row>, u64)>, Failure> {
    let versions = package.versions();
    let Some(script) = native.code() else { return Ok(None) };
    let (items, memory) = (&script.items, script.memory_size(versions));
    let none = |name: &unreal_packages::Name| package.name_text(*name).eq_ignore_ascii_case("None");
    let lines = disassemble(items, versions, none)?.into_iter().map(|line| Row {
        meaning: decompiler.meaning(row, &line),
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

/// Prints a token; `object` says where code of several objects is listed.
fn print(row: &Row, object: Option<&str>, label: bool, out: &mut Output) -> Result<(), Failure> {
    if out.is_json() {
        let mut token = json!({
            "offset": row.offset, "depth": row.depth, "token": row.token,
            "name": row.name, "operands": row.operands, "label": label,
        });
        if let Some(meaning) = &row.meaning {
            token["meaning"] = json!(meaning);
        }
        if let Some(object) = object {
            token["object"] = json!(object);
        }
        return out.object(&token);
    }
    if label {
        out.line(format!("label_{:04x}:", row.offset))?;
    }
    let indent = "  ".repeat((row.depth as usize).min(40));
    let mut text = format!("  {:04x}  {indent}{}", row.offset, row.name);
    if !row.operands.is_empty() {
        text += &format!(" {}", row.operands.join(", "));
    }
    if let Some(meaning) = &row.meaning {
        text += &format!(" ; {meaning}");
    }
    out.line(text)
}
