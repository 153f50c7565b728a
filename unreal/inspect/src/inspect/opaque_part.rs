//! Bytes that are not decoded, each with the reason.

use crate::Kind;
use crate::archive::{Annotate, Archive, Archived, Loader, RecordValue};
use crate::error::Result;
use crate::object::{Body, Native, TAIL};
use crate::package::{Decoded, Package};
use crate::version::UnrealVersions;

/// Parts of one body that are told apart: hostile bytes could have one every few bytes.
const MOST_PARTS: usize = 4096;

/// Bytes of a body that are kept as they are, and why nobody decodes them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpaquePart {
    /// Row of the export table.
    pub row: usize,
    /// The field that has the bytes, within the body; `body` where that is all of it.
    pub field: String,
    /// The first byte, from the start of the package.
    pub start: u64,
    /// How many bytes.
    pub size: u64,
    /// What was expected in their place, or that nobody knows what they hold.
    pub reason: String,
}

impl OpaquePart {
    /// The parts of all bodies of a package; they are decoded one after the other and not kept.
    pub fn of(package: &Package) -> Vec<Self> {
        let mut parts = Vec::new();
        let mut seen = vec![false; package.exports().len()];
        package.each_body(|row, decoded| {
            seen[row] = true;
            parts.extend(Self::of_body(package, row, decoded));
        });
        for row in (0..seen.len()).filter(|row| !seen[*row]) {
            parts.extend(Self::undecoded(package, row));
        }
        parts.sort_by_key(|part| (part.row, part.start));
        parts
    }

    /// The body of a row that is not decoded at all, if it has bytes.
    pub fn undecoded(package: &Package, row: usize) -> Option<Self> {
        let (start, size) = package.body_range(row);
        let reason = match package.bodies().replaced.contains_key(&row) {
            true => "the body was replaced",
            false => "the body shares its bytes with another section",
        };
        let field = "body".to_owned();
        (size > 0).then(|| Self { row, field, start, size, reason: reason.to_owned() })
    }

    /// The parts of one decoded body. Their sizes add up to what is opaque of it. A body that ends too early has no
    /// opaque byte and one part of no bytes, at its end.
    pub fn of_body(package: &Package, row: usize, decoded: &Decoded) -> Vec<Self> {
        let (start, size) = package.body_range(row);
        let error = decoded.error.as_ref().map(|error| error.to_string());
        if decoded.opaque == 0 {
            let field = TAIL.to_owned();
            let ends = |reason| Self { row, field, start: start + size, size: 0, reason };
            return error.map(ends).into_iter().collect();
        }
        let whole = |reason: String| {
            let field = "body".to_owned();
            vec![Self { row, field, start, size: decoded.opaque, reason }]
        };
        if decoded.body.is_opaque() {
            return whole(error.unwrap_or_else(|| "the body was replaced".to_owned()));
        }
        let mut parts = Vec::new();
        let mut left = decoded.opaque;
        let mut take = |field: String, place: (u64, u64), meaning: String| {
            left = left.saturating_sub(place.1);
            if parts.len() < MOST_PARTS {
                let is_end = field == "rest" && matches!(decoded.body.native, Native::Opaque(_));
                let reason = match &error {
                    Some(error) if is_end || field == TAIL => error.clone(),
                    _ if !meaning.is_empty() => meaning,
                    _ => "nobody knows what these bytes hold".to_owned(),
                };
                parts.push(Self { row, field, start: place.0, size: place.1, reason });
            } else if let Some(last) = parts.last_mut() {
                last.field = "further fields".to_owned();
                last.size += place.1;
            }
        };
        let read = each_opaque(package, (row, start, size), &decoded.body, &mut take);
        match read {
            Ok(()) if left == 0 => parts,
            // A body that means another package is read with that alone.
            _ => whole(error.unwrap_or_else(|| "its parts can't be told apart".to_owned())),
        }
    }
}

/// The opaque fields of a body, which is read once more for that: field, place and size, why.
fn each_opaque(
    package: &Package,
    (row, start, size): (usize, u64, u64),
    body: &Body,
    take: &mut dyn FnMut(String, (u64, u64), String),
) -> Result<()> {
    let context = package.loading_context(row);
    let mut loader =
        Loader::new(package.source(), package.versions().of_bodies()).with_context(context);
    loader.seek(package.source(), start, start + size)?;
    let mut found = |record: crate::archive::Record| {
        if record.value == RecordValue::Span(Kind::Opaque) {
            take(record.path, (record.start, record.end - record.start), record.meaning);
        }
    };
    let mut again = Body::blank(body.shape().clone());
    let mut annotate = Annotate::streaming(&mut loader, 0..u64::MAX, &mut found);
    let read = again.serialize(&mut annotate as &mut dyn Archive);
    annotate.finish();
    read
}
