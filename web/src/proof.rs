//! Whether a package is rebuilt to its bytes, and what each of them is.

use std::ops::Range;

use serde_json::{Value, json};
use unreal_packages::archive::{Archived, Kind, References};
use unreal_packages::inspect::Rebuilt;
use unreal_packages::package::{Decoded, Package, PackageSpan, Section};
use unreal_packages::version::UnrealVersions;

use crate::opened::Opened;

/// How many bytes of a part are payload, opaque and gap; the others are typed.
#[derive(Debug, Clone, Copy, Default)]
struct Part([u64; 3]);

/// The kinds of all bytes by parts of the package.
struct Map {
    parts: Vec<Part>,
    length: u64,
}

impl Map {
    fn new(count: usize, length: u64) -> Self {
        let count = count.clamp(1, 1 << 16).min(usize::try_from(length).unwrap_or(1).max(1));
        Self { parts: vec![Part::default(); count], length: length.max(1) }
    }

    fn start(&self, part: usize) -> u64 {
        (u128::from(self.length) * part as u128 / self.parts.len() as u128) as u64
    }

    fn add(&mut self, range: Range<u64>, kind: Kind) {
        let at = match kind {
            Kind::Text => return,
            Kind::Payload => 0,
            Kind::Opaque => 1,
            Kind::Gap => 2,
        };
        let count = self.parts.len();
        let range = range.start.min(self.length)..range.end.min(self.length);
        let mut part = (u128::from(range.start) * count as u128 / u128::from(self.length)) as usize;
        let mut from = range.start;
        while from < range.end && part < count {
            let end = self.start(part + 1).min(range.end);
            if end > from
                && let Some(Part(bytes)) = self.parts.get_mut(part)
            {
                bytes[at] += end - from;
                from = end;
            }
            part += 1;
        }
    }

    /// Three bytes a part: the shares of payload, opaque and gap.
    fn into_bytes(self) -> Vec<u8> {
        let share = |(at, part): (usize, &Part)| {
            let size = (self.start(at + 1) - self.start(at)).max(1);
            part.0.map(|bytes| (bytes.saturating_mul(255).div_ceil(size)).min(255) as u8)
        };
        self.parts.iter().enumerate().flat_map(share).collect()
    }
}

/// Rebuilds a package from its model and compares.
pub(crate) fn of(opened: &Opened, parts: usize) -> (Value, Vec<u8>) {
    let package = opened.package();
    let mut map = Map::new(parts, package.source().len() as u64);
    let mut is_decoded = vec![false; package.exports().len()];
    let versions = package.versions().of_bodies();
    let look = |package: &Package, row: usize, decoded: &mut Decoded| {
        let mut references = References::new(versions.clone());
        // Visiting never fails: it neither reads nor writes.
        let _ = decoded.body.serialize(&mut references);
        is_decoded[row] = true;
        for (span, kind) in references.spans() {
            if let Some(range) =
                span.range().filter(|range| range.end <= package.source().len() as u64)
            {
                map.add(range, *kind);
            }
        }
    };
    // The file around a package is compared as well; otherwise nothing need be made anew.
    let (is_same, rebuilt) = match package.container() {
        Some(_) => (None, Rebuilt::looking(package, look)),
        None => Rebuilt::proving(package, look),
    };
    for span in PackageSpan::of(package) {
        let is_shown = match span.section {
            Section::Body(row) => !is_decoded.get(row as usize).copied().unwrap_or(false),
            _ => true,
        };
        if is_shown {
            map.add(span.start..span.end, span.kind);
        }
    }
    let (file, image) = (package.file(), package.source());
    let difference = |saved: &[u8]| {
        let at = saved.iter().zip(file).position(|(new, old)| new != old);
        at.unwrap_or_else(|| saved.len().min(file.len()))
    };
    let reason = match (&rebuilt.saved, is_same) {
        (Err(error), _) => Some(format!("can't be rebuilt: {error}")),
        (Ok(_), Some(true)) => None,
        (Ok(saved), Some(false)) if saved.bytes.is_empty() => {
            Some("other bytes come out".to_owned())
        }
        (Ok(saved), Some(false)) => {
            Some(format!("first difference at {:#x}", difference(&saved.bytes)))
        }
        (Ok(saved), None) => {
            let same_image = saved.image.as_ref().is_none_or(|saved| *saved == image);
            let at = difference(&saved.bytes);
            match (same_image, saved.bytes == file) {
                (true, true) => None,
                (true, false) if saved.image.is_some() => {
                    Some(format!("the image is identical, the file around it differs at {at:#x}"))
                }
                _ => Some(format!("first difference at {at:#x}")),
            }
        }
    };
    let identical = reason.is_none();
    let rebuilt_bytes = if identical { file.len() } else { 0 };
    let undecoded: Vec<Value> = rebuilt
        .errors
        .iter()
        .take(100)
        .map(|(row, error)| json!({ "key": format!("export:{row}"), "path": package.exports().path(*row), "error": error.to_string() }))
        .collect();
    let coverage = rebuilt.coverage;
    let value = json!({
        "identical": identical, "reason": reason, "rebuilt": rebuilt_bytes, "bytes": file.len(),
        "image": image.len(),
        "coverage": { "typed": coverage.typed, "payload": coverage.payload, "opaque": coverage.opaque, "gap": coverage.gap },
        "positions": { "checked": rebuilt.positions.checked, "wrong": rebuilt.positions.wrong.len() },
        "undecoded": undecoded, "undecoded_count": rebuilt.errors.len(),
    });
    (value, map.into_bytes())
}
