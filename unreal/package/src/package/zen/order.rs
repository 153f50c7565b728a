//! In which order the objects of a zen package are made and read.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::container::zen::{ZenCommand, ZenDependencies, ZenForm};
use crate::error::{Error, Result};

/// An object is made, its body read.
pub(super) const CREATE: usize = 0;
pub(super) const SERIALIZE: usize = 1;

/// Entries of an object: a step of each of them comes before a step of the object.
#[derive(Debug, Clone, Copy)]
pub(super) struct StepNeeds<'a> {
    /// The step of the others.
    pub before: usize,
    /// The object's own.
    pub after: usize,
    pub entries: &'a [i32],
}

impl<'a> StepNeeds<'a> {
    /// The four lists of an object: first what comes before it is made.
    ///
    /// # Errors
    /// `Invalid` for entries outside their list.
    pub fn of(counts: &ZenDependencies, entries: &'a [i32]) -> Result<[Self; 4]> {
        let mut rest = match usize::try_from(counts.first) {
            Ok(first) => entries.get(first..).ok_or_else(outside)?,
            Err(_) => &[],
        };
        let mut list = |length: u32, before, after| {
            let (entries, behind) = rest.split_at_checked(length as usize).ok_or_else(outside)?;
            rest = behind;
            Ok::<_, Error>(Self { before, after, entries })
        };
        Ok([
            list(counts.create_before_create, CREATE, CREATE)?,
            list(counts.serialize_before_create, SERIALIZE, CREATE)?,
            list(counts.create_before_serialize, CREATE, SERIALIZE)?,
            list(counts.serialize_before_serialize, SERIALIZE, SERIALIZE)?,
        ])
    }
}

pub(super) fn outside() -> Error {
    Error::invalid("entries of what must be there before an object stand outside")
}

/// Each step after those that it needs; of those that could come next public objects come first, making before
/// reading, then by row; in UE4 by row, making before reading (spec: ue4-5/12 §8).
///
/// # Errors
/// `Invalid` for entries outside their list, and where objects need one another.
pub(super) fn commands(
    form: ZenForm,
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
    for (row, counts) in dependencies.iter().enumerate() {
        edge(node(row, CREATE), node(row, SERIALIZE));
        for needs in StepNeeds::of(counts, entries)? {
            for &entry in needs.entries.iter().filter(|entry| **entry > 0) {
                let other = entry as usize - 1;
                if other >= count {
                    return Err(outside());
                }
                edge(node(other, needs.before), node(row, needs.after));
            }
        }
    }
    let key = |node: usize| {
        let rank = match form {
            ZenForm::Ue4_26 => (false, 0),
            _ => (!is_public[node / 2], node % 2),
        };
        Reverse((rank, node))
    };
    let ready = (0..count * 2).filter(|&node| waits_for[node] == 0);
    let mut ready: BinaryHeap<_> = ready.map(key).collect();
    let mut commands = Vec::with_capacity(count * 2);
    while let Some(Reverse((_, step))) = ready.pop() {
        commands.push(ZenCommand { export: (step / 2) as u32, command: (step % 2) as u32 });
        for &after in &followers[step] {
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
