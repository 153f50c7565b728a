//! Whether a body may move: the search for absolute file positions in opaque bytes.

mod bulk;

use super::Ground;
use super::decode::Decoded;
use super::{Package, SaveOptions, SectionPlace};
use crate::archive::Loader;
use crate::primitive::{CompactIndex, ObjectRef};
use crate::version::{EngineFacts, UnrealVersions, Versions};
use crate::{Archived, ByteOrder};

/// First file version whose lazy arrays store their end (spec: ue1-3/01 §1.7; 62 itself is inferred).
const LAZY_END_ADDED: u32 = 62;
/// First file version whose lazy arrays have loader flags (spec: ue1-3/01 §1.7).
const LAZY_FLAGS_ADDED: u32 = 251;
/// First file version that has bulk data instead of lazy arrays (spec: ue1-3/01 §1.8).
const BULK_DATA_ADDED: u32 = 266;

/// Classes of UE1 and UE2 whose bodies hold no file positions: scripts, and resources without lazy
/// arrays (spec: ue1-3/06, 10).
const WITHOUT_POSITIONS: &str = "\
    Const Enum Struct Function State TextBuffer Palette Polys ByteProperty IntProperty \
    BoolProperty FloatProperty ObjectProperty NameProperty ClassProperty ArrayProperty \
    StructProperty StrProperty StringProperty MapProperty FixedArrayProperty DelegateProperty \
    ScriptStruct InterfaceProperty ComponentProperty";

/// Classes whose bodies hold positions in shapes that the scan does not know (spec: ue1-3/11 §11.9).
const WITH_POSITIONS: &str = "ShaderCache ShaderCachePayload";

impl Package {
    /// On which ground the body of an export may move from `old`, or `None` when it must stay. `is_typed` where it is decoded to its last byte and
    /// not kept.
    pub(super) fn may_move(
        &self,
        row: usize,
        old: SectionPlace,
        options: &SaveOptions,
        is_typed: bool,
    ) -> Option<Ground> {
        if options.force {
            return Some(Ground::Forced);
        }
        if self.bodies.replaced.contains_key(&row) {
            return Some(Ground::Replaced);
        }
        if self.bodies.pinned.contains(&row) {
            return None;
        }
        let class = self.class_name_of(row);
        if class.as_deref().is_some_and(|class| is_one_of(class, WITH_POSITIONS)) {
            return None;
        }
        if is_typed || self.bodies.decoded.get(&row).is_some_and(Decoded::is_complete) {
            return Some(Ground::Decoded);
        }
        if class.as_deref().is_none_or(|class| is_one_of(class, WITHOUT_POSITIONS)) {
            return Some(Ground::ClassWithoutPositions);
        }
        if options.strict {
            return None;
        }
        let body = self.source.get(old.start as usize..old.end() as usize)?;
        let length = self.source.len() as u64;
        if let Some(scan) = self.bulk_scan() {
            let class = class.as_deref().unwrap_or_default();
            let clean = !scan.class_has_positions(class) && !scan.shows_absolute(body, old.start);
            return clean.then_some(Ground::NoPositionsSeen);
        }
        (!shows_positions(body, old.start, length, &self.versions))
            .then_some(Ground::NoPositionsSeen)
    }

    /// The name of an export's class, `None` for a class itself; unreadable names are empty.
    fn class_name_of(&self, row: usize) -> Option<String> {
        let class = self.tables.exports.get(row)?.class_index;
        (class.target() != ObjectRef::Null).then(|| self.object_name(class))
    }
}

fn is_one_of(class: &str, list: &str) -> bool {
    list.split(' ').any(|known| known.eq_ignore_ascii_case(class))
}

/// Whether `body`, which starts `start` bytes into a file of `length`, shows one of the shapes that
/// absolute file positions take.
#[doc(hidden)]
pub fn shows_positions(body: &[u8], start: u64, length: u64, versions: &Versions) -> bool {
    let end = start + body.len() as u64;
    let big = versions.byte_order == ByteOrder::Big;
    let word = |at: usize| -> Option<u64> {
        let bytes = body.get(at..at + 4)?.try_into().ok()?;
        Some(u64::from(if big { u32::from_be_bytes(bytes) } else { u32::from_le_bytes(bytes) }))
    };
    let here = |at: usize| start + at as u64;
    (0..body.len().saturating_sub(4)).any(|at| {
        let Some(first) = word(at) else { return false };
        match versions.file() {
            ..LAZY_END_ADDED => false,
            LAZY_END_ADDED..LAZY_FLAGS_ADDED => {
                first > here(at + 4)
                    && first <= end
                    && lazy_array_fits(&body[at + 4..], first - here(at + 4), versions)
            }
            LAZY_FLAGS_ADDED..BULK_DATA_ADDED => first > here(at + 8) && first <= end,
            _ => {
                debug_assert!(versions.has_bulk_content());
                let (Some(count), Some(size), Some(offset)) =
                    (word(at + 4), word(at + 8), word(at + 12))
                else {
                    return false;
                };
                // Inline: the payload stands right behind its header. Elsewhere: bytes at a place
                // outside this body (flag 0x40).
                let elsewhere = first & 0x40 != 0
                    && first < 0x200
                    && size > 0
                    && (count == size || first & 0x92 != 0)
                    && offset + size <= length
                    && (offset >= end || offset + size <= start)
                    && offset > 0;
                offset == here(at + 16) || elsewhere
            }
        }
    })
}

/// Whether a count stands at the start of `rest` whose elements fill the bytes up to `length` evenly.
fn lazy_array_fits(rest: &[u8], length: u64, versions: &Versions) -> bool {
    let mut count = CompactIndex::default();
    let mut wide = 0i32;
    let mut loader = Loader::new(rest, versions.clone());
    let read = if versions.has_compact_index() {
        count.serialize(&mut loader).map(|()| count.value())
    } else {
        wide.serialize(&mut loader).map(|()| wide)
    };
    let taken = rest.len() as u64 - loader.remaining();
    let (Ok(count), Some(data)) = (read, length.checked_sub(taken)) else { return false };
    match u64::try_from(count) {
        Ok(0) => data == 0,
        Ok(count) => data >= count && data % count == 0,
        Err(_) => false,
    }
}
