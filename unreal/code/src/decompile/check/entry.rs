//! Where events enter the event graph of a blueprint.

use crate::decompile::call::arguments;
use crate::decompile::expression::reference;
use crate::decompile::scripts::Scripts;
use crate::script::{ScriptExpression, ScriptItem};

/// How the functions are called that hold event graphs.
const EVENT_GRAPH: &str = "ExecuteUbergraph";

/// The fault of the place at which a call enters an event graph.
pub(super) fn fault(scripts: &Scripts, whole: &ScriptExpression) -> Option<String> {
    if !matches!(whole.name, "FinalFunction" | "LocalFinalFunction") {
        return None;
    }
    let graph = reference(whole)?;
    let name = scripts.name(graph);
    if !name.get(..EVENT_GRAPH.len())?.eq_ignore_ascii_case(EVENT_GRAPH) {
        return None;
    }
    let entry = arguments(whole).next()?;
    let at = match (entry.name, entry.items().next()) {
        ("IntZero", _) => 0,
        ("IntOne", _) => 1,
        ("IntConst", Some(ScriptItem::Int(at))) => *at,
        _ => return None,
    };
    let starts = scripts.statement_starts(graph)?;
    let is_start = u32::try_from(at).is_ok_and(|at| starts.binary_search(&at).is_ok());
    (!is_start).then(|| format!("{name} has no statement at {at}, where it is entered"))
}
