//! What a save did, in words and as JSON.

use serde_json::{Value, json};
use unreal_packages::package::{Ground, Package, SaveReport};

use crate::output::count;

/// The word for the layout that was used: `in-place`, `canonical`, `keep`.
pub fn layout(report: &SaveReport) -> String {
    let word = serde_json::to_value(report.layout).ok();
    word.as_ref().and_then(Value::as_str).unwrap_or("unknown").to_owned()
}

/// What is to be done about bodies that moved though nobody knows what is in them.
pub const FORCED: &str = "look at these in the game: they were not checked";

/// Whether such bodies moved.
pub fn is_forced(report: &SaveReport) -> bool {
    report.moved.iter().any(|moved| moved.ground == Ground::Forced)
}

/// One line on the layout, then one for each ground on which bodies moved.
pub fn lines(report: &SaveReport) -> Vec<String> {
    let bodies = count(report.moved.len() as u64, "body", "bodies");
    let mut lines = vec![format!("layout: {}, {bodies} moved", layout(report))];
    let mut grounds: Vec<(Ground, u64)> = Vec::new();
    for moved in &report.moved {
        match grounds.iter_mut().find(|(ground, _)| *ground == moved.ground) {
            Some((_, number)) => *number += 1,
            None => grounds.push((moved.ground, 1)),
        }
    }
    for (ground, number) in grounds {
        lines.push(format!("  {}: {}", count(number, "body", "bodies"), ground.label()));
        if ground == Ground::Forced {
            lines.push(format!("  {FORCED}"));
        }
    }
    lines
}

/// The bodies that moved, one object each.
pub fn moved_json(report: &SaveReport, package: &Package) -> Vec<Value> {
    let one = |moved: &unreal_packages::package::Moved| {
        json!({ "export": moved.export, "path": package.exports().path(moved.export),
                "from": moved.from, "to": moved.to, "ground": moved.ground,
                "why": moved.ground.label() })
    };
    report.moved.iter().map(one).collect()
}
