//! The versions at which a law is tried.

use std::collections::BTreeSet;

use crate::archive::Layout;
use crate::archive::layout::Link;
use crate::version::{Axis, ByteOrder, Measure, Versions};

/// Versions of a format of one's own: 1, and one below, at and above each at which the layout changes, of the type or
/// of what it contains; each in both byte orders.
pub fn versions_around(layout: &'static Layout) -> Vec<Versions> {
    let mut files = BTreeSet::from([1]);
    let (mut seen, mut waiting) = (BTreeSet::new(), vec![layout]);
    while let Some(layout) = waiting.pop() {
        if !seen.insert((layout.path)()) {
            continue;
        }
        let bounds = layout.bounds().filter(|bound| bound.measure == Measure::Axis(Axis::FIRST));
        let around = bounds.flat_map(|bound| [bound.value - 1, bound.value, bound.value + 1]);
        files.extend(around.filter_map(|file| u32::try_from(file).ok()));
        waiting.extend(layout.fields().flat_map(|field| field.links).filter_map(Link::layout));
    }
    let orders = [ByteOrder::Little, ByteOrder::Big];
    let both = |file| orders.map(|byte_order| Versions::own(file).with_byte_order(byte_order));
    files.into_iter().flat_map(both).collect()
}
