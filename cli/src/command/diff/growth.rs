//! How much a build has grown: by class and by folder.

use std::collections::BTreeMap;

use serde::Serialize;

use super::build_side::{BuildFiles, BuildSide};
use crate::output::{grouped, table};

/// A class or folder with its size on both sides.
#[derive(Debug, Clone, Default, Serialize)]
pub(super) struct Growth {
    pub name: String,
    /// Objects of the class, files of the folder: old, new.
    pub count: [u64; 2],
    /// Bytes: old, new.
    pub bytes: [u64; 2],
}

impl Growth {
    /// Bytes that came, or went.
    pub fn by(&self) -> i128 {
        i128::from(self.bytes[1]) - i128::from(self.bytes[0])
    }
}

/// A number with its sign, its thousands apart.
pub(super) fn signed(number: i128) -> String {
    let digits = grouped(u64::try_from(number.unsigned_abs()).unwrap_or(u64::MAX));
    match number {
        0 => digits,
        1.. => format!("+{digits}"),
        _ => format!("-{digits}"),
    }
}

/// What has changed most comes first, then what is largest.
fn sorted(found: BTreeMap<String, Growth>) -> Vec<Growth> {
    let named = |(name, growth)| Growth { name, ..growth };
    let mut all: Vec<Growth> = found.into_iter().map(named).collect();
    all.sort_by_key(|it| {
        (std::cmp::Reverse(it.by().unsigned_abs()), std::cmp::Reverse(it.bytes[1]))
    });
    all
}

/// The classes of both sides.
pub(super) fn by_class(sides: [&BuildSide; 2]) -> Vec<Growth> {
    let mut found: BTreeMap<String, Growth> = BTreeMap::new();
    for (at, side) in sides.into_iter().enumerate() {
        for (class, size) in &side.classes {
            let growth = found.entry(class.clone()).or_default();
            growth.count[at] = size.objects;
            growth.bytes[at] = size.bytes;
        }
    }
    sorted(found)
}

/// The folders of both sides, each with the files in itself.
pub(super) fn by_folder(sides: [&BuildSide; 2]) -> Vec<Growth> {
    let mut found: BTreeMap<String, Growth> = BTreeMap::new();
    let mut add = |at: usize, files: &BuildFiles| {
        for (path, file) in files {
            let folder = path.rsplit_once('/').map_or(".", |(folder, _)| folder);
            let growth = found.entry(folder.to_owned()).or_default();
            growth.count[at] += 1;
            growth.bytes[at] = growth.bytes[at].saturating_add(file.bytes);
        }
    };
    for (at, side) in sides.into_iter().enumerate() {
        add(at, &side.packages);
        add(at, &side.others);
    }
    sorted(found)
}

/// The rows as lines: `limit` of them, 0 for all.
pub(super) fn lines(noun: &str, things: &str, all: &[Growth], limit: usize) -> Vec<String> {
    let shown = if limit == 0 { all.len() } else { limit.min(all.len()) };
    let row = |it: &Growth| {
        let Growth { name, count, bytes } = it;
        let numbers = [count[1], bytes[0], bytes[1]].map(grouped);
        let mut row = numbers.to_vec();
        row.extend([signed(it.by()), name.clone()]);
        row
    };
    let rows: Vec<_> = all[..shown].iter().map(row).collect();
    let mut lines =
        table(&[things, "old", "new", "growth", noun], &[true, true, true, true, false], &rows);
    if shown < all.len() {
        lines.push(format!("… {} more; --limit 0 shows all", all.len() - shown));
    }
    lines
}
