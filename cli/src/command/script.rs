//! `upk script`: bytecode as a listing.

use farchive::inspect::operand_text;
use std::collections::BTreeSet;
use std::path::PathBuf;

use clap::Args;
use farchive::object::Native;
use farchive::object::ue4::structure;
use farchive::package::Package;
use farchive::script::{ScriptItem, disassemble, kismet};
use farchive::{PackageIndex, Span};
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
    if let Some(structure) = structure::of(native) {
        let script = &structure.script;
        let lines = kismet::disassemble(script, versions)?.into_iter().map(|line| Row {
            offset: line.offset,
            depth: line.depth,
            token: line.token,
            name: line.name,
            operands: line.operands.iter().map(|item| kismet_operand(package, item)).collect(),
            labels: line.operands.iter().filter_map(kismet_label).collect(),
        });
        return Ok(Some((lines.collect(), script.memory_size(versions))));
    }
    let script = match native {
        Native::Script(object) => object.structure().map(|structure| &structure.script),
        _ => None,
    };
    let Some(script) = script else { return Ok(None) };
    let none = |name: &farchive::Name| package.name_text(*name).eq_ignore_ascii_case("None");
    let lines = disassemble(script, versions, none)?.into_iter().map(|line| Row {
        offset: line.offset,
        depth: line.depth,
        token: line.token,
        name: line.name,
        operands: line.operands.iter().map(|item| operand_text(package, item)).collect(),
        labels: line.operands.iter().filter_map(label).collect(),
    });
    Ok(Some((lines.collect(), u64::try_from(script.memory_size).unwrap_or(0))))
}

fn label(item: &ScriptItem) -> Option<u32> {
    match item {
        ScriptItem::Label(at) => Some((*at).into()),
        _ => None,
    }
}

fn kismet_label(item: &kismet::KismetItem) -> Option<u32> {
    match item {
        kismet::KismetItem::Label(at) => Some(*at),
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

fn object(package: &Package, index: PackageIndex) -> String {
    if index.is_null() { "null".to_owned() } else { package.path(index) }
}

fn text(package: &Package, span: &Span) -> String {
    let bytes = span.bytes(package.source()).unwrap_or_default();
    format!("{:?}", farchive::primitive::ansi_text(bytes))
}

fn wide(package: &Package, span: &Span) -> String {
    let bytes = span.bytes(package.source()).unwrap_or_default();
    let big = package.versions().byte_order.is_big();
    let units = bytes.chunks_exact(2).map(|unit| match big {
        true => u16::from_be_bytes([unit[0], unit[1]]),
        false => u16::from_le_bytes([unit[0], unit[1]]),
    });
    let text: String = char::decode_utf16(units).map(|unit| unit.unwrap_or('\u{fffd}')).collect();
    format!("{text:?}")
}

fn kismet_operand(package: &Package, item: &kismet::KismetItem) -> String {
    use kismet::KismetItem;
    match item {
        KismetItem::Token(value) => format!("{value:#04x}"),
        KismetItem::Byte(value) => value.to_string(),
        KismetItem::Word(value) => value.to_string(),
        KismetItem::Label(at) => format!("label_{at:04x}"),
        KismetItem::Int(value) => value.to_string(),
        KismetItem::Long(value) => value.to_string(),
        KismetItem::Float(value) => format!("{value:?}"),
        KismetItem::Double(value) => format!("{value:?}"),
        KismetItem::Real(value) => format!("{value:?}"),
        KismetItem::Object(index) => object(package, *index),
        KismetItem::Name(name) => format!("'{}'", package.name_text(*name)),
        KismetItem::Property(path) => {
            // Innermost first; read from outside like every other path.
            let names = path.path.iter().rev().map(|name| package.name_text(*name));
            let owner = (!path.owner.is_null()).then(|| package.path(path.owner));
            let parts: Vec<_> = owner.into_iter().chain(names).collect();
            if parts.is_empty() { "none".to_owned() } else { parts.join(".") }
        }
        KismetItem::Text(span) => text(package, span),
        KismetItem::Wide(span) => wide(package, span),
    }
}
