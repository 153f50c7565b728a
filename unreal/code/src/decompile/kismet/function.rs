//! Functions and events of blueprints as pseudo-code.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use super::code::{EventStub, code_of};
use super::expression::KismetExpressions;
use super::fold::Folding;
use super::names::{is_temporary, shown_name};
use super::variable::{KismetVariable, PARAMETER, RESULT, variables};
use super::writer::KismetWriter;
use crate::decompile::code::INDENT;
use crate::decompile::scripts::Scripts;
use crate::error::Result;
use crate::object::ue4::structure::function::Function;
use crate::primitive::PackageIndex;
use crate::script::{FlowStatement, KismetFlow, ScriptExpression};

/// Words before functions by their flags.
const WORDS: [(u32, &str); 9] = [
    (0x2_0000, "public"),
    (0x8_0000, "protected"),
    (0x4_0000, "private"),
    (0x2000, "static"),
    (0x20_0000, "server"),
    (0x100_0000, "client"),
    (0x4000, "multicast"),
    (0x1000_0000, "pure"),
    (0x4000_0000, "const"),
];
/// The flag of functions that are called over the net and arrive.
const RELIABLE: u32 = 0x80;
const NET: u32 = 0x40;

/// The words, the name and the parameters of a function.
fn head(scripts: &Scripts, index: PackageIndex, word: &str) -> (String, Vec<KismetVariable>) {
    let flags = scripts.typed::<Function>(index).map_or(0, |it| it.function_flags);
    let mut out = String::new();
    for (flag, word) in WORDS {
        if flags & flag != 0 {
            let _ = write!(out, "{word} ");
        }
    }
    if flags & (NET | RELIABLE) == NET | RELIABLE {
        out.push_str("reliable ");
    }
    out.push_str(word);
    let (parameters, locals): (Vec<_>, Vec<_>) =
        variables(scripts, index).into_iter().partition(|it| it.flags & PARAMETER != 0);
    let result = parameters.iter().find(|it| it.flags & RESULT != 0);
    let of = result.map_or("void", |it| it.of.as_str());
    let given = parameters.iter().filter(|it| it.flags & RESULT == 0);
    let given: Vec<String> = given.map(KismetVariable::parameter).collect();
    let name = shown_name(&scripts.name(index));
    let _ = write!(out, " {of} {name}({})", given.join(", "));
    (out, locals)
}

/// A block with the line that stands before it.
struct TitledBlock<'a> {
    title: String,
    locals: Vec<KismetVariable>,
    block: Vec<FlowStatement<'a>>,
}

/// A function that is no event; `entries` are places that something else leads to.
pub(super) fn function(scripts: &Scripts, index: PackageIndex, depth: usize) -> Result<String> {
    let code = code_of(scripts, index)?;
    let (title, mut locals) = head(scripts, index, "function");
    if code.iter().all(|statement| statement.name == "EndOfScript") {
        return Ok(format!("{}{title};\n", INDENT.repeat(depth)));
    }
    locals.retain(|local| !is_temporary(&local.name));
    let mut flow = KismetFlow::new(&code, &BTreeSet::new());
    let block = flow.block(0).unwrap_or_default();
    let blocks = vec![TitledBlock { title, locals, block }];
    written(scripts, &code, flow, blocks, BTreeMap::new(), depth)
}

/// The events of a graph, and what no event leads to.
pub(super) fn events(
    scripts: &Scripts,
    graph: PackageIndex,
    stubs: &[(PackageIndex, EventStub)],
    depth: usize,
) -> Result<String> {
    let code = code_of(scripts, graph)?;
    let entries: BTreeSet<u32> = stubs.iter().map(|(_, stub)| stub.entry).collect();
    let mut flow = KismetFlow::new(&code, &entries);
    // Where events go in.
    let names: Vec<&str> = code.iter().take(2).map(|statement| statement.name).collect();
    flow.take(match names[..] {
        ["PushExecutionFlow", "ComputedJump"] => 2,
        ["ComputedJump", ..] => 1,
        _ => 0,
    });
    let mut seen = BTreeMap::<&str, usize>::new();
    let all = stubs.iter().flat_map(|(_, stub)| &stub.renamed);
    all.for_each(|(variable, _)| *seen.entry(variable).or_default() += 1);
    let mut renamed = BTreeMap::new();
    let mut blocks = Vec::new();
    for (index, stub) in stubs {
        let (title, locals) = head(scripts, *index, "event");
        // What two events put their parameters into keeps its name.
        let own = stub.renamed.iter().filter(|(variable, _)| seen[variable.as_str()] == 1);
        renamed.extend(own.cloned());
        let block = flow.block(stub.entry).unwrap_or_default();
        let locals = if stub.is_pure { Vec::new() } else { locals };
        blocks.push(TitledBlock { title, locals, block });
    }
    if blocks.is_empty() || code.is_empty() {
        let (title, _) = head(scripts, graph, "function");
        blocks.push(TitledBlock { title, locals: Vec::new(), block: Vec::new() });
    }
    written(scripts, &code, flow, blocks, renamed, depth)
}

/// One event with what it leads to in a graph.
pub(super) fn event(
    scripts: &Scripts,
    graph: PackageIndex,
    index: PackageIndex,
    stub: &EventStub,
) -> Result<String> {
    let code = code_of(scripts, graph)?;
    let mut flow = KismetFlow::new(&code, &BTreeSet::from([stub.entry]));
    let block = flow.block(stub.entry).unwrap_or_default();
    // What other events do is no part of it.
    flow.take(code.len());
    let (title, _) = head(scripts, index, "event");
    let blocks = vec![TitledBlock { title, locals: Vec::new(), block }];
    let renamed = stub.renamed.iter().cloned().collect();
    written(scripts, &code, flow, blocks, renamed, 0)
}

fn written<'a>(
    scripts: &'a Scripts,
    code: &'a [ScriptExpression],
    mut flow: KismetFlow<'a>,
    mut blocks: Vec<TitledBlock<'a>>,
    renamed: BTreeMap<String, String>,
    depth: usize,
) -> Result<String> {
    let mut rest = Vec::new();
    while let Some(block) = flow.rest() {
        rest.push(block);
    }
    let labels = flow.gotos().clone();
    let mut folding = Folding::new(scripts, code, labels.clone());
    for it in &mut blocks {
        it.block = folding.block(std::mem::take(&mut it.block));
    }
    let rest: Vec<_> = rest.into_iter().map(|block| folding.block(block)).collect();
    let (folded, targets) = (folding.folded, labels.clone());
    let into = KismetExpressions { scripts, folded, renamed, labels, out: String::new() };
    let mut writer = KismetWriter { into, targets };
    let last = blocks.len().saturating_sub(1);
    for (at, it) in blocks.iter().enumerate() {
        let title = &it.title;
        writer.line(depth, |out| out.push(title));
        writer.line(depth, |out| out.push("{"));
        for local in &it.locals {
            let text = format!("{} {};", local.of, shown_name(&local.name));
            writer.line(depth + 1, |out| out.push(&text));
        }
        writer.block(&it.block, depth + 1);
        if at == last {
            for block in &rest {
                writer.line(depth + 1, |out| out.push("return;"));
                writer.block(block, depth + 1);
            }
        }
        writer.line(depth, |out| out.push("}"));
        scripts.check(&writer.into.out)?;
        if at != last {
            writer.into.push("\n");
        }
    }
    Ok(writer.into.out)
}
