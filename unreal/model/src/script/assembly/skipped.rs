//! Which code is skipped as a whole: what tokens say to pass over is nearly always the next expression.

use std::collections::HashSet;

use crate::Versions;
use crate::error::Result;
use crate::primitive::Name;
use crate::script::ScriptItem;
use crate::script::walk::disassemble;

/// The operands that say the size of the expression behind them.
///
/// # Errors
/// An item that does not follow the grammar.
pub(super) fn whole(
    items: &[ScriptItem],
    versions: &Versions,
    none: impl Fn(&Name) -> bool,
) -> Result<HashSet<usize>> {
    if !items.iter().any(|item| matches!(item, ScriptItem::Skip(_))) {
        return Ok(HashSet::new());
    }
    let lines = disassemble(items, versions, none)?;
    // Of each token's expression, from the last to the first: its own size and those of what it holds.
    let mut sizes = vec![0_u64; lines.len()];
    let mut held: Vec<u64> = Vec::new();
    for (line, size) in lines.iter().zip(&mut sizes).rev() {
        let depth = line.depth as usize;
        held.resize(held.len().max(depth + 2), 0);
        let own = line.operands.iter().map(|item| u64::from(item.memory_size(versions)));
        *size = 1 + own.sum::<u64>() + std::mem::take(&mut held[depth + 1]);
        held[depth] += *size;
    }
    let mut tokens = 0;
    let mut found = HashSet::new();
    for (row, item) in items.iter().enumerate() {
        match item {
            ScriptItem::Token(_) => tokens += 1,
            ScriptItem::Skip(size) if sizes.get(tokens) == Some(&u64::from(*size)) => {
                found.insert(row);
            }
            _ => {}
        }
    }
    Ok(found)
}
