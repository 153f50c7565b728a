//! The statements of functions, and what event stubs say.

use crate::decompile::scripts::Scripts;
use crate::error::Result;
use crate::object::ue4::structure;
use crate::primitive::{Name, PackageIndex};
use crate::script::{ScriptExpression, ScriptItem, statements};

/// Marks of debug builds.
const MARKS: [&str; 4] = ["Tracepoint", "WireTracepoint", "InstrumentationEvent", "Breakpoint"];

/// The statements of a function without marks of debug builds.
pub(super) fn code_of(scripts: &Scripts, index: PackageIndex) -> Result<Vec<ScriptExpression>> {
    let native = scripts.native_of(index);
    let items = native.and_then(structure::of).map_or(&[][..], |it| &it.script.items);
    let none = |name: &Name| scripts.some_text(*name).is_none();
    let mut found = statements(items, scripts.package.versions(), none)?;
    found.retain(|statement| !MARKS.contains(&statement.name));
    Ok(found)
}

/// The name of the variable that an expression is.
pub(super) fn variable_name(scripts: &Scripts, whole: &ScriptExpression) -> Option<String> {
    whole.name.ends_with("Variable").then(|| property_name(scripts, whole))?
}

/// The name of the property that a token refers to.
pub(super) fn property_name(scripts: &Scripts, whole: &ScriptExpression) -> Option<String> {
    whole.items().find_map(|item| match item {
        ScriptItem::Property(property) => Some(match property.path.first() {
            Some(name) => scripts.text(*name),
            None => scripts.name(property.owner),
        }),
        _ => None,
    })
}

/// The object that a token refers to.
pub(super) fn object_of(whole: &ScriptExpression) -> Option<PackageIndex> {
    whole.items().find_map(|item| match item {
        ScriptItem::Object(index) => Some(*index),
        _ => None,
    })
}

/// The stub of an event: it puts its parameters into the frame of the event graph and leads to a place there.
#[derive(Debug, Clone)]
pub(super) struct EventStub {
    /// The place, bytes in memory.
    pub entry: u32,
    /// The variables of the frame with the parameters that they are.
    pub renamed: Vec<(String, String)>,
    /// Whether it does nothing else.
    pub is_pure: bool,
}

/// Whether a call is of a function, by itself or by its name.
fn calls(scripts: &Scripts, call: &ScriptExpression, function: PackageIndex) -> bool {
    call.items().any(|item| match item {
        ScriptItem::Object(index) => *index == function,
        ScriptItem::Name(name) => scripts.text(*name) == scripts.name(function),
        _ => false,
    })
}

/// The stub of a function that leads to the event graph.
pub(super) fn stub(
    scripts: &Scripts,
    code: &[ScriptExpression],
    graph: PackageIndex,
) -> Option<EventStub> {
    let (mut entry, mut renamed, mut is_pure) = (None, Vec::new(), true);
    for statement in code {
        match statement.name {
            name if name.ends_with("Function")
                && entry.is_none()
                && calls(scripts, statement, graph) =>
            {
                let first = statement.expressions().next()?;
                entry = first.items().find_map(|item| match item {
                    ScriptItem::Int(place) => u32::try_from(*place).ok(),
                    _ => None,
                });
            }
            "LetValueOnPersistentFrame" => {
                let value = statement.expressions().next();
                let parameter = value.and_then(|value| variable_name(scripts, value));
                match (property_name(scripts, statement), parameter) {
                    (Some(variable), Some(parameter)) => renamed.push((variable, parameter)),
                    _ => is_pure = false,
                }
            }
            "EndOfScript" | "Nothing" => {}
            "Return" if statement.expressions().next().is_none_or(|it| it.name == "Nothing") => {}
            _ => is_pure = false,
        }
    }
    entry.map(|entry| EventStub { entry, renamed, is_pure })
}
