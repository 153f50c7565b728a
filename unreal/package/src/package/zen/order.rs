//! In which order the objects of a zen package are made and read.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::container::zen::{ZenCommand, ZenDependencies};
use crate::error::{Error, Result};

/// An object is made, its body read.
const CREATE: usize = 0;
const SERIALIZE: usize = 1;

/// Each step after those that it needs; of those that could come next public objects come first, making before
/// reading, then by row (spec: ue4-5/12 §8).
///
/// # Errors
/// `Invalid` for entries outside their list, and where objects need one another.
pub(super) fn commands(
    dependencies: &[ZenDependencies],
    entries: &[i32],
    is_public: &[bool],
) -> Result<Vec<ZenCommand>> {
    let node = |row: usize, command: usize| row * 2 + command;
    let count = is_public.len();
    let mut followers: Vec<Vec<usize>> = vec![Vec::new(); count * 2];
    let mut waits_for = vec![0_u32; count * 2];
    let mut edge = |before: usize, after: usize| {
        followers[before].push(after);
        waits_for[after] += 1;
    };
    let outside = || Error::invalid("entries of what must be there before an object stand outside");
    for (row, counts) in dependencies.iter().enumerate() {
        edge(node(row, CREATE), node(row, SERIALIZE));
        let mut rest = match usize::try_from(counts.first) {
            Ok(first) => entries.get(first..).ok_or_else(outside)?,
            Err(_) => &[],
        };
        let lists = [
            (counts.create_before_create, CREATE, CREATE),
            (counts.serialize_before_create, SERIALIZE, CREATE),
            (counts.create_before_serialize, CREATE, SERIALIZE),
            (counts.serialize_before_serialize, SERIALIZE, SERIALIZE),
        ];
        for (length, before, after) in lists {
            let list = rest.split_at_checked(length as usize).ok_or_else(outside)?;
            rest = list.1;
            for &entry in list.0.iter().filter(|entry| **entry > 0) {
                let other = entry as usize - 1;
                if other >= count {
                    return Err(outside());
                }
                edge(node(other, before), node(row, after));
            }
        }
    }
    let key = |node: usize| Reverse((!is_public[node / 2], node % 2, node / 2));
    let ready = (0..count * 2).filter(|&node| waits_for[node] == 0);
    let mut ready: BinaryHeap<_> = ready.map(key).collect();
    let mut commands = Vec::with_capacity(count * 2);
    while let Some(Reverse((_, command, row))) = ready.pop() {
        commands.push(ZenCommand { export: row as u32, command: command as u32 });
        for &after in &followers[node(row, command)] {
            waits_for[after] -= 1;
            if waits_for[after] == 0 {
                ready.push(key(after));
            }
        }
    }
    match commands.len() == count * 2 {
        true => Ok(commands),
        false => Err(Error::invalid("objects must be there before one another, in a circle")),
    }
}
