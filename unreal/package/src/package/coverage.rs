//! Coverage: how far each byte is understood.

use std::ops::Range;

use super::{Decoded, Package, Section, SectionPlace};
use crate::archive::{Archive, Archived, Coverage, Kind, References};
use crate::version::UnrealVersions;

/// Two sections that claim the same bytes; the first one has them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Overlap {
    /// The section that has the bytes. Where several earlier ones touch, the latest of them.
    pub first: Section,
    /// The section that claims them as well.
    pub second: Section,
    /// First byte, from the start of the file.
    pub start: u64,
    /// Behind the last byte.
    pub end: u64,
}

/// A range of the source that the model still points to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PackageSpan {
    /// First byte, from the start of the file.
    pub start: u64,
    /// Behind the last byte.
    pub end: u64,
    /// The kind of the bytes.
    pub kind: Kind,
    /// The section that points there.
    pub section: Section,
}

impl Overlap {
    /// Sections that claim the same bytes. Such a package can be saved only as it lies.
    pub fn of(package: &Package) -> Vec<Self> {
        package.claims().overlaps.clone()
    }
}

impl PackageSpan {
    /// Every source range that the model still points to. Every other byte of the source may change
    /// without changing what is saved.
    pub fn of(package: &Package) -> Vec<Self> {
        let claims = package.claims();
        let mut spans = Vec::new();
        let mut model = package.clone();
        for place in &package.places {
            let mut references = References::new(package.versions.clone());
            // Visiting never fails: it neither reads nor writes.
            let _ = model.serialize_section(place.section, references.as_dyn());
            for (span, kind) in references.spans() {
                if let Some(range) = span.range() {
                    let (start, end) = (range.start, range.end);
                    spans.push(PackageSpan { start, end, kind: *kind, section: place.section });
                }
            }
        }
        for (Range { start, end }, section) in claims.owned() {
            if let Section::Body(row) = section
                && !package.bodies.replaced.contains_key(&(row as usize))
                && !package.bodies.decoded.contains_key(&(row as usize))
            {
                spans.push(PackageSpan { start, end, kind: Kind::Opaque, section });
            }
        }
        // New bodies among them: they may share bytes of the source with the ones they were copied from.
        for (row, decoded) in model.bodies.decoded.iter_mut() {
            let section = Section::Body(row as u32);
            let mut references = References::new(package.versions.of_bodies());
            let _ = decoded.body.serialize(&mut references);
            for (span, kind) in references.spans() {
                if let Some(range) = span.range() {
                    spans.push(PackageSpan {
                        start: range.start,
                        end: range.end,
                        kind: *kind,
                        section,
                    });
                }
            }
        }
        for (row, gap) in claims.gaps.iter().enumerate() {
            let section = Section::Gap(row as u32);
            spans.push(PackageSpan { start: gap.start, end: gap.end, kind: Kind::Gap, section });
        }
        spans.sort_by_key(|span| (span.start, span.end));
        spans
    }
}

impl Package {
    /// The kinds of all bytes of the source; bodies that are not decoded are opaque.
    pub fn coverage(&self) -> Coverage {
        self.coverage_by(|row| {
            self.bodies.decoded.get(&row).map(|decoded| (decoded.opaque, decoded.payload))
        })
    }

    /// The same with bodies as far as they can be decoded.
    #[doc(hidden)]
    pub fn full_coverage(&self) -> Coverage {
        let mut coverage = self.coverage_by(|_| None);
        // A body that is decoded has its bytes alone.
        self.each_body(|row, decoded| {
            let (size, Decoded { opaque, payload, .. }) = (self.body_range(row).1, decoded);
            coverage.opaque = (coverage.opaque + *opaque).saturating_sub(size);
            coverage.payload += *payload;
            coverage.typed += size.saturating_sub(*opaque + *payload);
        });
        coverage
    }

    /// `body` says how many bytes of a decoded body are opaque and payload.
    #[doc(hidden)]
    pub fn coverage_by(&self, body: impl Fn(usize) -> Option<(u64, u64)>) -> Coverage {
        let claims = self.claims();
        let mut coverage = Coverage {
            gap: claims.gaps.iter().map(|gap| gap.end - gap.start).sum(),
            ..Coverage::default()
        };
        for (range, section) in claims.owned() {
            let bytes = range.end - range.start;
            match section {
                Section::Body(row) => match body(row as usize) {
                    Some((opaque, payload)) => {
                        coverage.opaque += opaque;
                        coverage.payload += payload;
                        coverage.typed += bytes - opaque - payload;
                    }
                    None => coverage.opaque += bytes,
                },
                Section::ThumbnailImage(row) => {
                    let image =
                        self.tables.images[row as usize].1.image.range().unwrap_or_default();
                    let payload =
                        image.end.min(range.end).saturating_sub(image.start.max(range.start));
                    coverage.payload += payload;
                    coverage.typed += bytes - payload;
                }
                Section::BulkData => coverage.payload += bytes,
                Section::Trailer => {
                    let payloads = self.tables.further.trailer.as_ref();
                    let payloads = payloads.and_then(|trailer| trailer.payloads.range());
                    let payloads = payloads.unwrap_or_default();
                    let end = payloads.end.min(range.end);
                    let payload = end.saturating_sub(payloads.start.max(range.start));
                    coverage.payload += payload;
                    coverage.typed += bytes - payload;
                }
                _ => coverage.typed += bytes,
            }
        }
        coverage
    }

    /// Where every section stands in the source, ascending; gaps included.
    pub fn sections(&self) -> Vec<SectionPlace> {
        let mut places: Vec<_> = self.old_places().collect();
        places.sort_by_key(|place| (place.start, place.size));
        places
    }
}
