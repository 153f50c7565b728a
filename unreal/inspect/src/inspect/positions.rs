//! Positions in the file that bodies and tables hold: whether they lead where they should.

use std::fmt;

use crate::ByteOrder;
use crate::archive::{Kind, Span};
use crate::error::PathStep;
use crate::package::{CompanionKind, Decoded, Package};
use crate::primitive::{Visitor, Way};
use crate::version::UnrealVersions;

/// Flags of bulk data (spec: ue4-5/03 §17).
const AT_END_OF_FILE: u32 = 0x1;
const UNUSED: u32 = 0x20;
const SEPARATE_FILE: u32 = 0x100;
const OPTIONAL: u32 = 0x800;
const MEMORY_MAPPED: u32 = 0x1000;
const NO_OFFSET_FIX_UP: u32 = 0x1_0000;

/// A position that does not lead where it should.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct WrongPosition {
    /// The object in whose body it stands, or the table.
    pub place: String,
    /// The row of the object.
    pub export: Option<usize>,
    /// The field.
    pub field: String,
    /// The number that is stored.
    pub stored: i64,
    /// The fault.
    pub fault: PositionFault,
    /// Bytes that stand there, or that it promises.
    pub size: u64,
}

/// The fault of a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum PositionFault {
    /// The data stands right here, and the number is that of another place.
    Stale,
    /// The data would lie outside of its file.
    Outside,
}

impl fmt::Display for WrongPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { place, field, stored, size, .. } = self;
        match self.fault {
            PositionFault::Stale => write!(
                f,
                "{place}: {field} says {stored:#x}, which is another place than that of its {size} bytes"
            ),
            PositionFault::Outside => {
                write!(f, "{place}: {field} says {stored:#x} for {size} bytes, outside of the file")
            }
        }
    }
}

/// Positions of a package: how many there are, and which of them are wrong.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Positions {
    /// Positions that were looked at.
    pub checked: u64,
    /// The wrong positions.
    pub wrong: Vec<WrongPosition>,
    /// Stale ones that no reader uses: packages of UE3 whose flags disallow lazy loading are read from front to
    /// back. Originals hold such.
    pub unused: Vec<WrongPosition>,
    /// Files that payloads stand in and that are not beside the package, if it was opened by its path.
    pub missing: Vec<MissingFile>,
}

/// A file of bulk data that is not there.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct MissingFile {
    /// Its extension: `ubulk`.
    pub extension: String,
    /// Payloads that stand in it.
    pub payloads: u64,
    /// Bytes of those, as they are stored.
    pub bytes: u64,
}

impl Positions {
    /// The positions in all bodies as far as they can be decoded, and those of the table of data resources.
    /// Payloads beside the package are looked for
    /// where the companion file is there.
    pub fn of(package: &Package) -> Self {
        let mut found = Self::of_tables(package);
        package.each_body(|row, decoded| found.add_body(package, row, decoded));
        found
    }

    /// The positions in the table of data resources. Those that stand right before what they lead to are in bodies
    /// alone.
    #[doc(hidden)]
    pub fn of_tables(package: &Package) -> Self {
        let mut found = Self::default();
        let resources = package.tables().further.data_resources.iter();
        for (row, resource) in resources.flat_map(|table| &table.rows).enumerate() {
            found.checked += 1;
            let (offset, size) = (resource.serial_offset, resource.serial_size);
            found.note_missing(package, resource.legacy_bulk_data_flags, size);
            let flags = resource.legacy_bulk_data_flags;
            // Only what lies behind everything else counts from where that begins.
            let counts_on =
                flags & AT_END_OF_FILE != 0 && flags & (SEPARATE_FILE | NO_OFFSET_FIX_UP) == 0;
            if let Some(end) = file_end(package, flags)
                && is_outside(package, counts_on, offset, size, end)
            {
                found.wrong.push(WrongPosition {
                    place: "data resources".to_owned(),
                    export: None,
                    field: format!("[{row}].serial_offset"),
                    stored: offset,
                    fault: PositionFault::Outside,
                    size: u64::try_from(size).unwrap_or_default(),
                });
            }
        }
        found
    }

    /// Adds those in a body.
    #[doc(hidden)]
    pub fn add_body(&mut self, package: &Package, row: usize, decoded: &mut Decoded) {
        let mut visitor = PositionVisitor::of_body(package, row, self);
        package.show_body(&mut decoded.body, &package.decoding_context(), &mut visitor);
        visitor.end();
    }
}

impl Positions {
    fn add_missing(&mut self, file: MissingFile) {
        match self.missing.iter_mut().find(|known| known.extension == file.extension) {
            Some(known) => {
                known.payloads += file.payloads;
                known.bytes = known.bytes.saturating_add(file.bytes);
            }
            None => self.missing.push(file),
        }
    }

    /// A payload with these flags, in a file that may not be there.
    fn note_missing(&mut self, package: &Package, flags: u32, size: i64) {
        let kind = companion_kind(flags);
        let is_there = |kind| package.companions().iter().any(|known| known.kind == kind);
        if let Some(kind) = kind.filter(|kind| size > 0 && !is_there(*kind))
            && !package.read_from().is_empty()
        {
            let extension = kind.extension().to_owned();
            self.add_missing(MissingFile { extension, payloads: 1, bytes: size.unsigned_abs() });
        }
    }
}

/// The file beside the package that payloads with these flags stand in; `None` for the package itself.
fn companion_kind(flags: u32) -> Option<CompanionKind> {
    (flags & (SEPARATE_FILE | UNUSED) == SEPARATE_FILE).then_some(match flags {
        flags if flags & OPTIONAL != 0 => CompanionKind::OptionalBulk,
        flags if flags & MEMORY_MAPPED != 0 => CompanionKind::MappedBulk,
        _ => CompanionKind::Bulk,
    })
}

/// The size of the file that holds payloads with these flags; `None` where it is unknown.
fn file_end(package: &Package, flags: u32) -> Option<u64> {
    if flags & UNUSED != 0 {
        return None;
    }
    if flags & SEPARATE_FILE == 0 {
        return Some(package.source().len() as u64);
    }
    let kind = companion_kind(flags)?;
    let companion = package.companions().iter().find(|companion| companion.kind == kind)?;
    Some(companion.size)
}

/// Whether bulk data at this offset ends behind its file; `counts_on` where it is one behind the start of the
/// package's bulk data.
fn is_outside(package: &Package, counts_on: bool, offset: i64, size: i64, end: u64) -> bool {
    let start = if counts_on { package.tables().summary.bulk_data_start_offset } else { 0 };
    let first = offset.checked_add(start).and_then(|at| u64::try_from(at).ok());
    let last = first.zip(u64::try_from(size).ok()).and_then(|(at, size)| at.checked_add(size));
    last.is_none_or(|last| last > end)
}

/// A stale position whose data is still to come.
struct Pending {
    field: String,
    stored: Option<i64>,
    size: u64,
    /// The path that its data stands under.
    around: Vec<PathStep>,
}

/// The header of bulk data, field by field.
#[derive(Default)]
struct BulkHeader {
    flags: Option<u32>,
    size: i64,
}

/// Adds the positions of a body that is shown to it.
#[doc(hidden)]
pub struct PositionVisitor<'a> {
    package: &'a Package,
    row: usize,
    found: &'a mut Positions,
    pending: Option<Pending>,
    /// Whether there are headers of bulk data whose payload may lie elsewhere.
    has_headers: bool,
    header: BulkHeader,
}

impl fmt::Debug for PositionVisitor<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PositionVisitor").field("row", &self.row).finish_non_exhaustive()
    }
}

impl<'a> PositionVisitor<'a> {
    /// For the body of an export. [`PositionVisitor::end`] comes behind the last value.
    pub fn of_body(package: &'a Package, row: usize, found: &'a mut Positions) -> Self {
        let (pending, header) = (None, BulkHeader::default());
        let has_headers = package.versions().ue4() > 0;
        Self { package, row, found, pending, has_headers, header }
    }

    /// The body has ended. A stale position is none where there is nothing to find.
    pub fn end(&mut self) {
        let Some(Pending { field, stored, size, .. }) = self.pending.take() else { return };
        if size > 0 {
            self.wrong(field, stored.unwrap_or_default(), PositionFault::Stale, size);
        }
    }

    fn wrong(&mut self, field: String, stored: i64, fault: PositionFault, size: u64) {
        let is_unused = fault == PositionFault::Stale
            && self.package.summary().package_flags.disallows_lazy_loading(self.package.versions());
        let (place, export) = (self.package.exports().path(self.row), Some(self.row));
        let wrong = WrongPosition { place, export, field, stored, fault, size };
        if is_unused { self.found.unused.push(wrong) } else { self.found.wrong.push(wrong) }
    }
}

/// A number of four or eight bytes, in the order of the package.
fn number_of(package: &Package, bytes: &[u8]) -> Option<i64> {
    let big = package.versions().byte_order == ByteOrder::Big;
    Some(match bytes.len() {
        4 => {
            let word = <[u8; 4]>::try_from(bytes).ok()?;
            i64::from(if big { u32::from_be_bytes(word) } else { u32::from_le_bytes(word) })
        }
        8 => {
            let word = <[u8; 8]>::try_from(bytes).ok()?;
            if big { i64::from_be_bytes(word) } else { i64::from_le_bytes(word) }
        }
        _ => return None,
    })
}

impl Visitor for PositionVisitor<'_> {
    fn form(&mut self, name: &'static str, number: i64, path: &Way) {
        if name != "position" {
            return;
        }
        self.end();
        self.found.checked += 1;
        if number != 0 {
            let field = path.to_string();
            let mut around = path.steps();
            if matches!(path.last_field(), Some("offset" | "end" | "skip")) {
                around.pop();
            }
            self.pending = Some(Pending { field, stored: None, size: 0, around });
        }
    }

    fn bytes(&mut self, bytes: &[u8], path: &Way) {
        if let Some(pending) = &mut self.pending {
            if pending.stored.is_none() {
                pending.stored = number_of(self.package, bytes);
                return;
            }
            if path.starts_with(&pending.around) {
                pending.size += bytes.len() as u64;
            }
        }
        if !self.has_headers {
            return;
        }
        // Headers of bulk data whose payload lies elsewhere.
        let Some(field @ ("flags" | "size_on_disk" | "offset")) = path.last_field() else { return };
        match (field, number_of(self.package, bytes)) {
            ("flags", Some(flags)) if bytes.len() == 4 => {
                self.header = BulkHeader { flags: u32::try_from(flags).ok(), size: 0 };
            }
            ("size_on_disk", Some(size)) => self.header.size = size,
            ("offset", Some(offset)) => {
                let BulkHeader { flags: Some(flags), size } = std::mem::take(&mut self.header)
                else {
                    return;
                };
                if flags & (AT_END_OF_FILE | SEPARATE_FILE) == 0 || size <= 0 {
                    return;
                }
                self.found.checked += 1;
                self.found.note_missing(self.package, flags, size);
                // Bodies are shown as they are in memory, where offsets depend on no header.
                let counts_on = flags & SEPARATE_FILE == 0;
                if let Some(end) = file_end(self.package, flags)
                    && is_outside(self.package, counts_on, offset, size, end)
                {
                    let field = path.to_string();
                    let size = u64::try_from(size).unwrap_or_default();
                    self.wrong(field, offset, PositionFault::Outside, size);
                }
            }
            _ => {}
        }
    }

    fn span(&mut self, span: &mut Span, _: Kind, path: &Way) {
        if let Some(pending) = &mut self.pending
            && path.starts_with(&pending.around)
        {
            pending.size += span.len();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use crate::archive::layout::Link;
    use crate::table::LINKS;

    /// [`Positions::of_tables`](super::Positions::of_tables) looks at none of their rows.
    #[test]
    fn no_table_holds_a_position_in_front_of_its_data() {
        let mut open: Vec<_> = LINKS.concat().iter().filter_map(Link::layout).collect();
        let mut seen = HashSet::new();
        while let Some(layout) = open.pop() {
            if seen.insert(layout.name()) {
                let links = layout.fields().flat_map(|field| field.links);
                open.extend(links.filter_map(Link::layout));
            }
        }
        assert!(seen.contains("Export") && seen.contains("WideIndex"), "{seen:?}");
        assert!(!seen.contains("Position") && !seen.contains("LongPosition"), "{seen:?}");
    }
}
