//! Where instructions lie, and what refers to them when others in front of them change their size.

use super::ScriptItem;
use crate::Versions;
use crate::error::{Error, Result};
use crate::version::EngineFacts;

/// The largest place that two bytes can say; the next one means none.
pub(super) const FARTHEST: u64 = 0xfffe;

/// The places of items in memory, bytes from the start of the code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CodePlaces {
    /// Of each item, and of the end.
    starts: Vec<u64>,
    /// For each item where the next token lies, from which skips count.
    next_token: Vec<u64>,
    /// Whether labels take two bytes, of which the largest number means none.
    narrow: bool,
}

impl CodePlaces {
    /// The places of a script's items.
    pub fn of(items: &[ScriptItem], versions: &Versions) -> Self {
        let mut starts = Vec::with_capacity(items.len() + 1);
        let mut at = 0;
        for item in items {
            starts.push(at);
            at += u64::from(item.memory_size(versions));
        }
        starts.push(at);
        let mut next_token = vec![at; items.len()];
        let mut next = at;
        for ((item, start), place) in items.iter().zip(&starts).zip(&mut next_token).rev() {
            *place = next;
            if item.token().is_some() {
                next = *start;
            }
        }
        Self { starts, next_token, narrow: !versions.has_wide_labels() }
    }

    /// Where an item lies.
    pub fn of_item(&self, index: usize) -> Option<u64> {
        self.starts.get(index).copied()
    }

    /// Where the next token behind an item lies, from which skips count; the end where none does.
    pub(super) fn after(&self, index: usize) -> u64 {
        self.next_token.get(index).or(self.starts.last()).copied().unwrap_or_default()
    }

    /// The item that starts at a place; the number of items for the end.
    pub fn item_at(&self, place: u64) -> Option<usize> {
        self.starts.binary_search(&place).ok()
    }

    /// The place that an operand refers to: a label, an entry of a table of labels, the end of what is skipped.
    pub fn target(&self, index: usize, item: &ScriptItem) -> Option<u64> {
        match item {
            ScriptItem::Label(0xffff) | ScriptItem::Place(0xffff) if self.narrow => None,
            ScriptItem::Label(place) | ScriptItem::Place(place) => Some(u64::from(*place)),
            ScriptItem::Skip(size) => Some(self.next_token.get(index)? + u64::from(*size)),
            _ => None,
        }
    }
}

/// The way from places in a script to those in the same script with other operands or statements.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MovedPlaces {
    old: CodePlaces,
    new: CodePlaces,
    /// The item that each old one has become, and the end; `None` where all are there, one for one.
    kept: Option<Vec<Option<usize>>>,
}

impl MovedPlaces {
    /// From a script to one with as many items, of which some have another size.
    pub fn between(old: &[ScriptItem], new: &[ScriptItem], versions: &Versions) -> Self {
        let (old, new) = (CodePlaces::of(old, versions), CodePlaces::of(new, versions));
        Self { old, new, kept: None }
    }

    /// From a script to one of other statements; `kept` says what each item has become, and the end.
    pub(super) fn along(
        old: &[ScriptItem],
        new: &[ScriptItem],
        kept: Vec<Option<usize>>,
        versions: &Versions,
    ) -> Self {
        let (old, new) = (CodePlaces::of(old, versions), CodePlaces::of(new, versions));
        Self { old, new, kept: Some(kept) }
    }

    /// Whether nothing lies elsewhere or has gone.
    pub fn is_unchanged(&self) -> bool {
        let stays = |(row, kept): (usize, &Option<usize>)| *kept == Some(row);
        self.old == self.new
            && self.kept.as_ref().is_none_or(|kept| kept.iter().enumerate().all(stays))
    }

    /// Where that what lay at a place lies now.
    ///
    /// # Errors
    /// `Invalid` for a place within an operand whose size has changed, or within code that has gone.
    pub fn place(&self, old: u64) -> Result<u64> {
        let (from, to) = (&self.old.starts, &self.new.starts);
        // Behind the end there is nothing that could move.
        if from.last().is_none_or(|end| *end < old) {
            return Ok(old);
        }
        let index = from.partition_point(|start| *start <= old).saturating_sub(1);
        let now = match &self.kept {
            None => index,
            Some(kept) => kept.get(index).copied().flatten().ok_or_else(|| {
                Error::invalid(format!(
                    "place {old:#x} of its code, which something refers to, lies in a statement that is \
                     another one or has gone"
                ))
            })?,
        };
        let (Some(start), Some(moved)) = (from.get(index), to.get(now)) else { return Ok(old) };
        let within = old - start;
        let size = |starts: &[u64], index: usize| {
            starts.get(index + 1).map(|end| end.saturating_sub(starts[index]))
        };
        if within > 0 && size(from, index) != size(to, now) {
            return Err(Error::invalid(format!(
                "place {old:#x} of its code, which something refers to, lies within an operand that changes"
            )));
        }
        Ok(moved + within)
    }

    /// Lets the labels, tables and skips of the changed script refer to what they did.
    ///
    /// # Errors
    /// As [`MovedPlaces::place`]; `Invalid` where the code becomes longer than jumps reach.
    pub fn retarget(&self, items: &mut [ScriptItem]) -> Result<()> {
        let far = |place: u64| {
            Error::invalid(format!("the code would reach place {place:#x}, which a jump can't say"))
        };
        for (index, item) in items.iter_mut().enumerate() {
            let Some(target) = self.old.target(index, item) else { continue };
            let place = self.place(target)?;
            let base = self.new.next_token.get(index).copied().unwrap_or_default();
            let value = match item {
                ScriptItem::Skip(_) => place.checked_sub(base).ok_or_else(|| far(place))?,
                _ => place,
            };
            if value > FARTHEST && self.new.narrow && !matches!(item, ScriptItem::Place(_)) {
                return Err(far(place));
            }
            let value = u32::try_from(value).map_err(|_| far(place))?;
            if let ScriptItem::Label(to) | ScriptItem::Place(to) | ScriptItem::Skip(to) = item {
                *to = value;
            }
        }
        Ok(())
    }
}
