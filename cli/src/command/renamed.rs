//! What a change of names has done, in words.

use serde_json::{Value, json};
use unreal_packages::edit::Renamed;

use crate::output::count;

/// Changes that are named; more are only counted.
const NAMED: usize = 12;

/// Warnings that are shown; more are only counted.
const CARE: usize = 40;

/// For people: a title, then what follows.
pub fn text(title: &str, renamed: &Renamed) -> String {
    let mut lines = vec![title.to_owned()];
    lines.extend(renamed.objects.iter().map(|(old, new)| format!("  {old} -> {new}")));
    lines.extend(renamed.changes.iter().take(NAMED).map(|change| format!("  {change}")));
    if renamed.changes.len() > NAMED {
        let more = (renamed.changes.len() - NAMED) as u64;
        lines.push(format!("  and {} more; --json has all", count(more, "change", "changes")));
    }
    if renamed.soft_paths > 0 {
        lines.push(format!(
            "  {}",
            count(renamed.soft_paths, "soft reference follows", "soft references follow")
        ));
    }
    lines.extend(renamed.care.iter().take(CARE).map(|care| format!("care: {care}")));
    if renamed.care.len() > CARE {
        lines.push(format!("care: and {} more; --json has all", renamed.care.len() - CARE));
    }
    lines.join("\n")
}

/// For scripts.
pub fn json(renamed: &Renamed) -> Value {
    json!({ "objects": renamed.objects, "changes": renamed.changes,
            "soft_paths": renamed.soft_paths, "care": renamed.care })
}
