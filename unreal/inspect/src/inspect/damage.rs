//! Signs of damage that no field tells: sectors of zeros, and bytes behind the end.

use std::fmt;
use std::ops::Range;

use crate::package::Package;
use crate::table::PACKAGE_TAG;
use crate::version::EngineFacts;

/// The smallest unit that disks and transfers lose as a whole, bytes.
const SECTOR: usize = 512;
/// Zeros that may stand beside lost sectors by themselves, on each side.
const BESIDE: usize = 8;

/// Signs of damage in the file of a package.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Damage {
    /// Whole sectors of zeros where no zeros stand beside them, from the start of the file (of header and bodies
    /// together): those of a disk or a transfer that were lost. Runs of zeros that packages have by themselves
    /// begin and end anywhere.
    pub zeroed: Vec<Range<u64>>,
    /// Bytes behind everything that belongs to the package.
    pub trailing: Option<Range<u64>>,
}

impl Damage {
    /// The damage that is seen in the file that a package was opened from, and in the package itself.
    pub fn of(package: &Package) -> Self {
        let file = package.file();
        let split = package.split_at().and_then(|at| usize::try_from(at).ok());
        // Sectors are those of each file.
        let (header, bodies) = file.split_at(split.unwrap_or(file.len()).min(file.len()));
        let mut zeroed = zeroed(header, 0);
        zeroed.extend(self::zeroed(bodies, header.len() as u64));
        let source = package.source();
        let tag = PACKAGE_TAG.to_le_bytes();
        let is_whole = package.versions().has_closing_tag()
            && (source.ends_with(&tag) || source.ends_with(&PACKAGE_TAG.to_be_bytes()));
        let end = source.len() as u64;
        let claims = package.claims();
        let last = claims.gaps.last().filter(|gap| gap.end == end);
        let trailing = last.filter(|_| !is_whole).cloned();
        Self { zeroed, trailing }
    }

    /// Whether there are none.
    pub fn is_none(&self) -> bool {
        self.zeroed.is_empty() && self.trailing.is_none()
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.zeroed.len() + usize::from(self.trailing.is_some())
    }

    /// A line for each.
    pub fn lines(&self) -> impl Iterator<Item = DamageLine> {
        let lines =
            self.zeroed.iter().map(|range| DamageLine { range: range.clone(), is_zero: true });
        let trailing = self.trailing.iter();
        lines.chain(trailing.map(|range| DamageLine { range: range.clone(), is_zero: false }))
    }
}

/// One sign of damage as text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DamageLine {
    range: Range<u64>,
    is_zero: bool,
}

impl fmt::Display for DamageLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (start, size) = (self.range.start, self.range.end - self.range.start);
        match self.is_zero {
            true => write!(f, "{size} bytes at {start:#x} are zero, whole sectors: data is lost"),
            false => write!(f, "{size} bytes at {start:#x}, behind its end, belong to nothing"),
        }
    }
}

/// Runs of whole sectors of zeros with other bytes before and behind them; `at` is where the bytes stand.
fn zeroed(bytes: &[u8], at: u64) -> Vec<Range<u64>> {
    let is_zero = |sector: &[u8; SECTOR]| sector[0] == 0 && sector.iter().all(|byte| *byte == 0);
    let (sectors, _) = bytes.as_chunks::<SECTOR>();
    let mut found = Vec::new();
    let mut next = 0;
    while next < sectors.len() {
        let first = next;
        next += 1;
        if !is_zero(&sectors[first]) {
            continue;
        }
        while sectors.get(next).is_some_and(is_zero) {
            next += 1;
        }
        let (start, end) = (first * SECTOR, next * SECTOR);
        let zeros =
            |bytes: &mut dyn Iterator<Item = &u8>| bytes.take_while(|byte| **byte == 0).count();
        let before = zeros(&mut bytes[..start].iter().rev().take(BESIDE + 1));
        let behind = &bytes[end..];
        // What is left of the last sector was lost with it.
        let is_end = behind.len() < SECTOR && behind.iter().all(|byte| *byte == 0);
        let after = if is_end { 0 } else { zeros(&mut behind.iter().take(BESIDE + 1)) };
        if before <= BESIDE && after <= BESIDE {
            let end = if is_end { bytes.len() } else { end };
            found.push(at + start as u64..at + end as u64);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::zeroed;

    #[test]
    fn whole_sectors_of_zeros_are_found_and_other_zeros_are_not() {
        let of = |zeros: std::ops::Range<usize>, size: usize| {
            let mut bytes = vec![7; size];
            bytes[zeros].fill(0);
            let found = zeroed(&bytes, 0x1000).into_iter();
            found.map(|range| (range.start, range.end)).collect::<Vec<_>>()
        };
        assert_eq!(of(1024..1536, 4000), [(0x1400, 0x1600)]);
        assert_eq!(
            of(1020..2050, 4000),
            [(0x1400, 0x1800)],
            "zeros beside them are the file's own"
        );
        assert_eq!(of(3072..4000, 4000), [(0x1c00, 0x1fa0)], "up to the end");
        for other in [1000..1530, 1030..1600, 1024..1500, 900..1536, 1024..1600, 0..0] {
            assert!(of(other.clone(), 4000).is_empty(), "{other:?}");
        }
    }
}
