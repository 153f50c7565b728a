//! Blueprint classes as pseudo-code.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::code::{EventStub, code_of, stub};
use super::function;
use super::names::{is_temporary, shown_name};
use super::variable::variables;
use crate::decompile::code::INDENT;
use crate::decompile::scripts::Scripts;
use crate::error::Result;
use crate::inspect::PackageValues;
use crate::object::ue4::structure::class::Class;
use crate::object::ue4::structure::function::Function;
use crate::primitive::{ObjectRef, PackageIndex};

/// The prefix of an event graph's function.
const GRAPH: &str = "ExecuteUbergraph_";
/// Classes have one; each is looked for in every function.
const MOST_GRAPHS: usize = 4;
/// Longer values are left out of declarations.
const LONGEST_VALUE: usize = 200;

/// The functions of a class: event graphs with their events, and the others.
struct ClassFunctions {
    graphs: Vec<(PackageIndex, Vec<(PackageIndex, EventStub)>)>,
    others: Vec<PackageIndex>,
}

impl ClassFunctions {
    fn of(scripts: &Scripts, class: PackageIndex) -> Result<Self> {
        let is_function = |index: &PackageIndex| scripts.typed::<Function>(*index).is_some();
        let all: Vec<_> = scripts.package.exports().children(class).filter(is_function).collect();
        let is_graph = |index: &PackageIndex| scripts.name(*index).starts_with(GRAPH);
        let (mut graphs, mut rest): (Vec<_>, Vec<_>) = all.into_iter().partition(is_graph);
        rest.extend(graphs.drain(graphs.len().min(MOST_GRAPHS)..));
        let mut found = Self { graphs: Vec::new(), others: Vec::new() };
        found.graphs.extend(graphs.into_iter().map(|graph| (graph, Vec::new())));
        for index in rest {
            let code = code_of(scripts, index)?;
            let event = found.graphs.iter_mut().find_map(|(graph, events)| {
                let stub = stub(scripts, &code, *graph).filter(|stub| stub.is_pure)?;
                Some((events, stub))
            });
            match event {
                Some((events, stub)) => events.push((index, stub)),
                None => found.others.push(index),
            }
        }
        Ok(found)
    }
}

/// A class with all that it declares; `None` for what is no class of UE4 or UE5.
pub(in crate::decompile) fn text(scripts: &Scripts, index: PackageIndex) -> Result<Option<String>> {
    let Some(class) = scripts.typed::<Class>(index) else { return Ok(None) };
    let mut out = format!("class {}", shown_name(&scripts.name(index)));
    let interfaces = class.interfaces.iter().chain(&class.interfaces_old).map(|it| it.class);
    let parents: Vec<String> = std::iter::once(class.base.super_struct)
        .chain(interfaces)
        .filter(|parent| !parent.is_null())
        .map(|parent| shown_name(&scripts.name(parent)))
        .collect();
    if !parents.is_empty() {
        let _ = write!(out, " : {}", parents.join(", "));
    }
    out.push_str("\n{\n");
    let mut values = defaults(scripts, class.class_default_object);
    let mut has_variables = false;
    for variable in variables(scripts, index).iter().filter(|it| !is_temporary(&it.name)) {
        let _ = write!(out, "{INDENT}{} {}", variable.of, shown_name(&variable.name));
        if let Some(value) = values.remove(&variable.name) {
            let _ = write!(out, " = {value}");
        }
        out.push_str(";\n");
        scripts.check(&out)?;
        has_variables = true;
    }
    let functions = ClassFunctions::of(scripts, index)?;
    let mut is_first = !has_variables;
    let mut add = |out: &mut String, text: String| {
        if !std::mem::take(&mut is_first) {
            out.push('\n');
        }
        out.push_str(&text);
        scripts.check(out)
    };
    for (graph, events) in &functions.graphs {
        add(&mut out, function::events(scripts, *graph, events, 1)?)?;
    }
    for other in &functions.others {
        add(&mut out, function::function(scripts, *other, 1)?)?;
    }
    if !values.is_empty() {
        let mut text = format!("{INDENT}defaults\n{INDENT}{{\n");
        for (name, value) in &values {
            let _ = writeln!(text, "{INDENT}{INDENT}{} = {value};", shown_name(name));
        }
        let _ = writeln!(text, "{INDENT}}}");
        add(&mut out, text)?;
    }
    out.push_str("}\n");
    Ok(Some(out))
}

/// Default values of variables, by their names, as far as they are short.
fn defaults(scripts: &Scripts, holder: PackageIndex) -> BTreeMap<String, String> {
    let ObjectRef::Export(row) = holder.target() else { return BTreeMap::new() };
    // What is around it is worth having all the same.
    let found = scripts.package.values().properties(&format!("#{row}")).unwrap_or_default();
    let is_short = |text: &str| text.len() <= LONGEST_VALUE && !text.contains('\n');
    found.into_iter().filter(|it| is_short(&it.text)).map(|it| (it.path, it.text)).collect()
}

/// A function with its declaration, of the event graph all events; `None` for what is no function of UE4 or UE5.
pub(in crate::decompile) fn function_text(
    scripts: &Scripts,
    index: PackageIndex,
) -> Result<Option<String>> {
    if scripts.typed::<Function>(index).is_none() {
        return Ok(None);
    }
    let around = scripts.package.outer(index);
    let name = scripts.name(index);
    if name.starts_with(GRAPH) {
        let functions = ClassFunctions::of(scripts, around)?;
        let own = functions.graphs.iter().find(|(graph, _)| *graph == index);
        let events = own.map_or(&[][..], |(_, events)| events);
        return function::events(scripts, index, events, 0).map(Some);
    }
    // An event stands with the part of the graph that it leads to.
    let is_graph = |other: &PackageIndex| scripts.name(*other).starts_with(GRAPH);
    let code = code_of(scripts, index)?;
    for graph in scripts.package.exports().children(around).filter(is_graph) {
        if let Some(stub) = stub(scripts, &code, graph).filter(|stub| stub.is_pure) {
            return function::event(scripts, graph, index, &stub).map(Some);
        }
    }
    function::function(scripts, index, 0).map(Some)
}
