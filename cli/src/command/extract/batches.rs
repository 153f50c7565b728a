//! Objects that are decoded at a time.

use unreal_packages::package::Package;

/// Bytes of bodies that are decoded at a time, and rows of a batch: the tables are copied for each.
const BATCH_BYTES: u64 = 16 << 20;
const BATCH_ROWS: usize = 1024;

/// The rows in batches, of at least as many as there are threads.
pub(super) fn batches<'r>(
    package: &Package,
    rows: &'r [usize],
    at_once: usize,
) -> impl Iterator<Item = &'r [usize]> {
    let sizes: Vec<u64> = rows
        .iter()
        .map(|row| {
            package
                .tables()
                .exports
                .get(*row)
                .map_or(0, |export| export.serial_size.value().max(0) as u64)
        })
        .collect();
    let mut start = 0;
    std::iter::from_fn(move || {
        let (mut end, mut bytes) = (start, 0_u64);
        while end < rows.len() && end - start < BATCH_ROWS.max(at_once) {
            bytes = bytes.saturating_add(sizes.get(end).copied().unwrap_or(0));
            if bytes > BATCH_BYTES && end - start >= at_once {
                break;
            }
            end += 1;
        }
        let batch = rows.get(start..end)?;
        start = end;
        (!batch.is_empty()).then_some(batch)
    })
}
