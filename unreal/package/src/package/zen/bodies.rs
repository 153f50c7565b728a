//! Where the bodies of a zen package stand.

use std::ops::Range;

use crate::container::zen::{ZenForm, ZenHeader};
use crate::error::{Error, Result};

/// The ranges of the bodies in the file, by the rows of their exports, and where the last one ends. From 5.3 they
/// stand in the order of rows, before in the order in which they are read.
///
/// # Errors
/// `Invalid` for bodies that do not stand one behind the other within the file.
pub(super) fn ranges(
    header: &ZenHeader,
    form: ZenForm,
    length: usize,
) -> Result<(Vec<Range<usize>>, usize)> {
    let start = header.size();
    let located =
        |row: usize, reason: &str| Error::invalid(reason).at_index(row).in_field("exports");
    let mut at = start;
    let mut ranges = vec![0..0; header.exports.len()];
    let mut place = |row: usize, at: &mut u64| {
        let size = header.exports[row].cooked_serial_size;
        let end = at.checked_add(size).filter(|end| *end <= length as u64);
        let end = end.ok_or_else(|| located(row, "its body ends behind the file"))?;
        ranges[row] = *at as usize..end as usize;
        *at = end;
        Ok::<_, Error>(())
    };
    if !form.has_bundles() {
        for (row, export) in header.exports.iter().enumerate() {
            if start.checked_add(export.cooked_serial_offset) != Some(at) {
                return Err(located(row, "its body does not stand behind the one before"));
            }
            place(row, &mut at)?;
        }
        return Ok((ranges, at as usize));
    }
    let unfit = || Error::invalid("they are not one behind the other").in_field("bundles");
    let mut is_placed = vec![false; header.exports.len()];
    let mut next = 0;
    for bundle in &header.bundles {
        let steps =
            bundle.first as usize..(bundle.first as usize).saturating_add(bundle.count as usize);
        let is_at = form == ZenForm::Ue4_26 || start.checked_add(bundle.serial_offset) == Some(at);
        if steps.start != next || !is_at {
            return Err(unfit());
        }
        next = steps.end;
        for step in
            header.commands.get(steps).ok_or_else(unfit)?.iter().filter(|it| it.command == 1)
        {
            let row = step.export as usize;
            match is_placed.get_mut(row) {
                Some(is_placed) if !*is_placed => *is_placed = true,
                _ => return Err(unfit()),
            }
            place(row, &mut at)?;
        }
    }
    let unread = |&row: &usize| !is_placed[row] && header.exports[row].cooked_serial_size > 0;
    match (0..is_placed.len()).find(unread) {
        Some(row) => Err(located(row, "no bundle reads its body")),
        None => Ok((ranges, at as usize)),
    }
}
