//! Whether a body of UE4 or UE5 may move: the shapes that file positions take (spec: ue4-5/03 §17, 09 §1).

use crate::package::{CompanionKind, Package, SectionPlace};
use crate::version::{EngineRelease, UnrealVersions, Versions};

/// Bulk data flags.
const AT_END: u32 = 0x1;
/// Flags that cooked references to a companion may have beside: compressed, not inline, optional, mapped, wide.
const COOKED_SEPARATE: u32 = 0x2 | 0x400 | 0x800 | 0x1000 | WIDE;
const COMPRESSED: u32 = 0x2 | 0x10 | 0x200;
const SEPARATE: u32 = 0x100;
const WIDE: u32 = 0x2000;
const NO_FIX_UP: u32 = 0x1_0000;
/// Every bulk data flag that files hold.
const KNOWN: u32 = 0x7_ffff;
/// From this release on the ends of shaders in cooked materials are relative.
const SHADERS_RELATIVE: EngineRelease = EngineRelease::new(4, 20);
/// How far an inline payload's stored position may be off: one extractor is off by 8 everywhere.
const SLACK: u64 = 64;
/// Bytes of editor bulk data before its size: flags, GUID, hash.
const EDITOR_PREFIX: usize = 4 + 16 + 20;
/// Editor bulk data whose payload is in the package trailer, and every flag that it knows.
const IN_TRAILER: u32 = 0x200;
const EDITOR_KNOWN: u32 = 0xfff;

/// The facts about the package that the search needs.
#[doc(hidden)]
pub struct Scan<'a> {
    versions: &'a Versions,
    bulk_start: u64,
    length: u64,
    /// Size of the largest companion with bulk data; `None` when none is known.
    companion: Option<u64>,
    /// Whether bulk data stands in a table instead of headers in bodies.
    has_table: bool,
}

impl std::fmt::Debug for Scan<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Scan").finish_non_exhaustive()
    }
}

impl Package {
    /// `None` for UE1 to UE3.
    #[doc(hidden)]
    pub fn bulk_scan(&self) -> Option<Scan<'_>> {
        if !self.versions.has_tiled_layout() {
            return None;
        }
        let bulk = self.companions.iter().filter(|file| file.kind != CompanionKind::Exports);
        Some(Scan {
            versions: self.versions(),
            bulk_start: u64::try_from(self.tables.summary.bulk_data_start_offset).unwrap_or(0),
            length: self.source.len() as u64,
            companion: bulk.map(|file| file.size).max(),
            has_table: self.tables.further.data_resources.is_some(),
        })
    }

    /// Whether a body that is not decoded whole refers to a companion by a number that counts from the start of
    /// bulk data. Where the companion is there, what means a place in it is hardly anything else, and `force` does
    /// not move it; without one small numbers take that shape as well.
    pub(in crate::package) fn counts_from_bulk_data(
        &self,
        row: usize,
        old: SectionPlace,
        force: bool,
    ) -> bool {
        if self.bodies.replaced.contains_key(&row) {
            return false;
        }
        let body = self.source.get(old.start as usize..old.end() as usize).unwrap_or_default();
        self.bulk_scan()
            .filter(|scan| !force || scan.companion.is_some())
            .is_some_and(|scan| scan.shows_biased(body))
    }
}

/// A bulk data header as it may stand at some place of a body.
struct Header {
    flags: u32,
    count: u64,
    size: u64,
    offset: i64,
    length: usize,
}

impl Scan<'_> {
    /// Classes that hold positions in shapes which the search can't tell from other numbers.
    pub fn class_has_positions(&self, class: &str) -> bool {
        let versions = self.versions;
        let ue4 = versions.ue5() == 0;
        let any = |parts: &[&str]| parts.iter().any(|part| class.contains(part));
        // Skip offsets of mips.
        versions.cooked() && ue4 && any(&["Texture2D", "TextureCube", "VolumeTexture"])
            // Ends of shaders.
            || versions.cooked()
                && !versions.is_release(SHADERS_RELATIVE)
                && (class == "Material" || any(&["MaterialInstance"]))
            // Ends of captures.
            || !versions.cooked() && ue4 && any(&["ReflectionCaptureComponent"])
    }

    /// Whether a number in `body`, which starts at `start`, is an absolute position. Those of the table of data
    /// resources are relative: they matter where a body changes its size, not where it moves.
    pub fn shows_absolute(&self, body: &[u8], start: u64) -> bool {
        if self.has_table {
            return false;
        }
        (0..body.len().saturating_sub(7)).any(|at| {
            let Some(number) = self.long(body, at) else { return false };
            let here = start + at as u64 + 8;
            if number > 0 && number as u64 == here {
                return true;
            }
            self.header(body, at).is_some_and(|header| {
                let payload = start + (at + header.length) as u64;
                let inline = header.flags & (AT_END | SEPARATE | 0x20) == 0
                    && header.size <= (body.len() - at - header.length) as u64
                    && header
                        .offset
                        .checked_sub_unsigned(payload)
                        .is_some_and(|off| off.unsigned_abs() <= SLACK);
                let at_end = header.flags & (AT_END | NO_FIX_UP | SEPARATE) == AT_END | NO_FIX_UP
                    && self.is_behind_bodies(header.offset, header.size);
                inline || at_end
            }) || self.is_editor_bulk_data(body, at)
        })
    }

    /// Whether bulk data headers of the package may refer to a companion, counted from the start of bulk data.
    pub fn may_show_biased(&self) -> bool {
        !self.has_table && self.versions.cooked()
    }

    /// Whether a bulk data header in `body` refers to a companion, counted from the start of bulk data.
    pub fn shows_biased(&self, body: &[u8]) -> bool {
        if !self.may_show_biased() {
            return false;
        }
        (0..body.len().saturating_sub(19)).any(|at| {
            self.header(body, at).is_some_and(|header| {
                let place = header.offset.checked_add_unsigned(self.bulk_start);
                let place = place.and_then(|place| u64::try_from(place).ok());
                let end = place.and_then(|place| place.checked_add(header.size));
                let limit = self.companion.unwrap_or(i32::MAX as u64);
                header.flags & !COOKED_SEPARATE == AT_END | SEPARATE
                    && end.is_some_and(|end| end <= limit)
            })
        })
    }

    /// Whether a bulk data header in `body` refers to a payload that ends behind `from`, which counts from the start of
    /// bulk data.
    pub fn shows_payloads_behind(&self, body: &[u8], from: u64) -> bool {
        if self.has_table {
            return false;
        }
        let from = self.bulk_start.saturating_add(from);
        (0..body.len().saturating_sub(7)).any(|at| {
            self.header(body, at).is_some_and(|header| {
                let base = if header.flags & NO_FIX_UP == 0 { self.bulk_start } else { 0 };
                let start = header.offset.checked_add_unsigned(base);
                let end = start.and_then(|start| start.checked_add_unsigned(header.size));
                header.flags & (AT_END | SEPARATE | 0x20) == AT_END
                    && start.is_some_and(|start| self.is_behind_bodies(start, header.size))
                    && end.and_then(|end| u64::try_from(end).ok()).is_some_and(|end| end > from)
            }) || self.is_editor_bulk_data(body, at)
        })
    }

    /// The bulk data header at `at`, if it can be one: known flags, sizes that agree.
    fn header(&self, body: &[u8], at: usize) -> Option<Header> {
        let flags = self.word(body, at)?;
        if flags & !KNOWN != 0 {
            return None;
        }
        let (count, size, rest) = if flags & WIDE != 0 {
            (self.long(body, at + 4)? as u64, self.long(body, at + 12)? as u64, 20)
        } else {
            (self.word(body, at + 4)?.into(), self.word(body, at + 8)?.into(), 12)
        };
        let offset = self.long(body, at + rest)?;
        let agree = size > 0 && (count == size || flags & COMPRESSED != 0 && count >= size);
        agree
            .then_some(Header { flags, count, size, offset, length: rest + 8 })
            .filter(|header| header.count <= i64::MAX as u64)
    }

    fn is_behind_bodies(&self, offset: i64, size: u64) -> bool {
        let end = u64::try_from(offset).ok().and_then(|start| start.checked_add(size));
        offset as u64 >= self.bulk_start && end.is_some_and(|end| end <= self.length)
    }

    /// Editor bulk data of UE5 whose payload stands behind the bodies.
    fn is_editor_bulk_data(&self, body: &[u8], at: usize) -> bool {
        if self.versions.ue5() == 0 {
            return false;
        }
        let Some(flags) = self.word(body, at) else { return false };
        if flags & !EDITOR_KNOWN != 0 || flags & IN_TRAILER != 0 {
            return false;
        }
        // GUID and hash are random.
        let random = body.get(at + 4..at + EDITOR_PREFIX).unwrap_or_default();
        if random.iter().filter(|&&byte| byte == 0).count() > 8 {
            return false;
        }
        let size = self.long(body, at + EDITOR_PREFIX);
        let offset = self.long(body, at + EDITOR_PREFIX + 8);
        match (size, offset) {
            (Some(size), Some(offset)) if size > 0 => {
                self.is_behind_bodies(offset, 0) && (offset as u64) < self.length
            }
            _ => false,
        }
    }

    fn word(&self, body: &[u8], at: usize) -> Option<u32> {
        let bytes = *body.get(at..)?.first_chunk::<4>()?;
        let big = self.versions.byte_order.is_big();
        Some(if big { u32::from_be_bytes(bytes) } else { u32::from_le_bytes(bytes) })
    }

    fn long(&self, body: &[u8], at: usize) -> Option<i64> {
        let bytes = *body.get(at..)?.first_chunk::<8>()?;
        let big = self.versions.byte_order.is_big();
        Some(if big { i64::from_be_bytes(bytes) } else { i64::from_le_bytes(bytes) })
    }
}
