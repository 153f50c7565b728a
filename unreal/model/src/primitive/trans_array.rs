//! Arrays that store their allocated size.

use super::array;
use crate::archive::{Keyed, Role, Step, in_part};
use crate::error::{ErrorKind, Result};
use crate::{Archive, ArchiveExt, Archived};

/// `TTransArray` of UE1 and UE2: i32 count, i32 allocated maximum, elements (spec: ue1-3/01 §1.6).
#[derive(Debug, Clone, Default, PartialEq)]
pub struct TransArray<T> {
    /// Allocated elements as stored; normally as many as there are.
    pub maximum: i32,
    /// The elements.
    pub items: Vec<T>,
}

impl<T: Archived + Default> Archived for TransArray<T> {
    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        let length = self.items.len();
        let mut count = i32::try_from(length)
            .map_err(|_| ar.error(ErrorKind::OutOfRange { value: length as i128, bits: 31 }))?;
        in_part("count", ar, |ar| ar.serialize_i32(&mut count))?;
        ar.role(Role::Count);
        array::mark_empty(length, ar);
        maximum(&mut self.maximum, count, ar)?;
        let count = usize::try_from(count)
            .map_err(|_| ar.error(ErrorKind::NegativeCount { count: count.into() }))?;
        array::elements(&mut self.items, count, ar)
    }
}

/// The allocated maximum behind a count; archives that have keys leave it out where it is the count, so that
/// elements can be added to them.
pub(crate) fn maximum<A: Archive + ?Sized>(value: &mut i32, count: i32, ar: &mut A) -> Result<()> {
    if let Some(keys) = ar.keys() {
        let is_usual = match ar.is_loading() {
            true => keys.iter().all(|(key, _)| key != "maximum"),
            false => *value == count,
        };
        if is_usual {
            *value = count;
            ar.step(Step::Keyed(Keyed::Follows(4)));
            return Ok(());
        }
    }
    in_part("maximum", ar, |ar| ar.serialize_i32(value))
}
