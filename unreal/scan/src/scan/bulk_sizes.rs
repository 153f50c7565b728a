//! Sizes of objects with their bulk data, by the place where it lies: a texture of UE4 is a few hundred bytes of body
//! and megabytes elsewhere.
//!
//! Each byte of the files counts once: for the object whose body refers to it first, or for none
//! ([`PackageSizes::unknown`]), so that the sizes of all objects, of the tables and of what is left are the size of the
//! files together.

use std::collections::HashSet;

use crate::ByteOrder;
use crate::archive::{Archived, Loader};
use crate::compression::CompressedBuffer;
use crate::package::{CompanionKind, Decoded, Package, Section};
use crate::primitive::{ObjectRef, Visitor, Way};
use crate::version::UnrealVersions;

// Flags of bulk data of UE4 and UE5 (spec: ue4-5/03 §17).
const AT_END_OF_FILE: u32 = 0x1;
const UNUSED: u32 = 0x20;
const SEPARATE_FILE: u32 = 0x100;
const OPTIONAL: u32 = 0x800;
const MEMORY_MAPPED: u32 = 0x1000;
// Flags of editor bulk data.
const VIRTUALIZED: u32 = 0x1;
const HAS_SIDECAR: u32 = 0x2;
const STORED_IN_TRAILER: u32 = 0x200;
/// Flag of bulk data of UE3 in a `.tfc` file (spec: ue1-3/01 §1.8).
const IN_CACHE: u32 = 0x1;

/// Where bulk data of an object lies outside of its body.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum BulkFile {
    /// Behind the bodies of the package.
    Package,
    /// In the package's trailer.
    Trailer,
    /// In a file beside the package.
    Beside(CompanionKind),
}

/// Bytes of bulk data of one object, by place.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct ObjectBulk {
    /// Within the body, of whose size they are a part.
    pub inline: u64,
    pub package: u64,
    pub trailer: u64,
    pub ubulk: u64,
    pub uptnl: u64,
    pub upayload: u64,
    /// In texture file caches, which several packages share: no part of the total.
    pub tfc: u64,
}

impl ObjectBulk {
    /// Bytes outside of the body in the files of the package.
    pub fn outside(&self) -> u64 {
        self.package + self.trailer + self.ubulk + self.uptnl + self.upayload
    }

    fn at(&mut self, place: BulkFile) -> &mut u64 {
        match place {
            BulkFile::Package => &mut self.package,
            BulkFile::Trailer => &mut self.trailer,
            BulkFile::Beside(CompanionKind::OptionalBulk) => &mut self.uptnl,
            BulkFile::Beside(CompanionKind::Payload) => &mut self.upayload,
            BulkFile::Beside(_) => &mut self.ubulk,
        }
    }
}

/// Bytes of a package that are of no object.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct PackageSizes {
    /// Header and bodies, decompressed, and the files of bulk data beside them.
    pub total: u64,
    /// Header, tables, gaps.
    pub tables: u64,
    /// Bulk data that no body that could be decoded refers to.
    pub unknown: u64,
}

/// What is known of the sizes of a package's objects.
pub(super) struct BulkSizes {
    objects: Vec<ObjectBulk>,
    /// Bytes of each place that no object has yet.
    left: Vec<(BulkFile, u64)>,
    /// Starts of what has been counted.
    seen: HashSet<(BulkFile, i64)>,
    resources: HashSet<usize>,
}

impl BulkSizes {
    pub fn new(package: &Package) -> Self {
        let mut left = Vec::new();
        let of_section = |section: Section| {
            let places = package.sections().into_iter().filter(|place| place.section == section);
            places.map(|place| place.size).sum::<u64>()
        };
        left.push((BulkFile::Package, of_section(Section::BulkData)));
        let trailer = package.tables().further.trailer.as_ref();
        let payloads = trailer.map_or(0, |trailer| trailer.payloads.len());
        left.push((BulkFile::Trailer, payloads));
        let beside = package.companions().iter();
        let beside = beside.filter(|file| file.kind != CompanionKind::Exports);
        left.extend(beside.map(|file| (BulkFile::Beside(file.kind), file.size)));
        left.retain(|(_, size)| *size > 0);
        let objects = vec![ObjectBulk::default(); package.exports().len()];
        Self { objects, left, seen: HashSet::new(), resources: HashSet::new() }
    }

    /// Whether bodies need be looked into: most packages have all in their bodies.
    pub fn looks(&self, package: &Package) -> bool {
        let versions = package.versions();
        !self.left.is_empty() || versions.ue4() == 0 && versions.file() >= FIRST_WITH_BULK_DATA
    }

    /// Adds what a body says of itself; what adds to that what it refers to, where there may be such.
    pub fn of_body<'a>(
        &'a mut self,
        package: &'a Package,
        row: usize,
        decoded: &Decoded,
    ) -> Option<BulkVisitor<'a>> {
        self.objects[row].inline = decoded.payload;
        let header = BulkFields::default();
        self.looks(package).then_some(BulkVisitor { package, row, header, sizes: self })
    }

    fn add(&mut self, row: usize, place: BulkFile, start: i64, size: u64) {
        let Some((_, left)) = self.left.iter_mut().find(|(known, _)| *known == place) else {
            return;
        };
        if !self.seen.insert((place, start)) {
            return;
        }
        let size = size.min(*left);
        *left -= size;
        *self.objects[row].at(place) += size;
    }

    fn add_resource(&mut self, package: &Package, row: usize, resource: usize) {
        let table = package.tables().further.data_resources.as_ref();
        let Some(known) = table.and_then(|table| table.rows.get(resource)) else { return };
        if !self.resources.insert(resource) {
            return;
        }
        let (flags, offset) = (known.legacy_bulk_data_flags, known.serial_offset);
        let size = u64::try_from(known.serial_size).unwrap_or_default();
        if let Some(place) = place_of(flags) {
            self.add(row, place, offset, size);
        }
    }

    /// The sizes of all objects, and what is of none.
    pub fn finish(mut self, package: &Package) -> (Vec<ObjectBulk>, PackageSizes) {
        // Rows of bodies that could not be decoded say themselves whose they are.
        let resources = package.tables().further.data_resources.iter();
        for (resource, known) in resources.flat_map(|table| &table.rows).enumerate() {
            if let ObjectRef::Export(row) = known.outer_index.target()
                && row < self.objects.len()
            {
                self.add_resource(package, row, resource);
            }
        }
        let image = package.source().len() as u64;
        let beside = package.companions().iter();
        let beside = beside.filter(|file| file.kind != CompanionKind::Exports);
        let total = image + beside.map(|file| file.size).sum::<u64>();
        let unknown = self.left.iter().map(|(_, size)| size).sum();
        let bodies = (0..self.objects.len()).map(|row| package.body_range(row).1).sum::<u64>();
        let outside = self.objects.iter().map(ObjectBulk::outside).sum::<u64>();
        let of_objects = bodies.saturating_add(outside).saturating_add(unknown);
        let tables = total.saturating_sub(of_objects);
        (self.objects, PackageSizes { total, tables, unknown })
    }
}

/// First file version of UE3 with bulk data.
const FIRST_WITH_BULK_DATA: u32 = 266;

/// Where bulk data of UE4 and UE5 with these flags lies; `None` for the body, and where there is none.
fn place_of(flags: u32) -> Option<BulkFile> {
    match flags {
        flags if flags & UNUSED != 0 => None,
        flags if flags & SEPARATE_FILE == 0 => {
            (flags & AT_END_OF_FILE != 0).then_some(BulkFile::Package)
        }
        flags if flags & OPTIONAL != 0 => Some(BulkFile::Beside(CompanionKind::OptionalBulk)),
        flags if flags & MEMORY_MAPPED != 0 => Some(BulkFile::Beside(CompanionKind::MappedBulk)),
        _ => Some(BulkFile::Beside(CompanionKind::Bulk)),
    }
}

/// The header of bulk data, field by field.
#[derive(Default)]
struct BulkFields {
    flags: Option<u32>,
    size_on_disk: Option<i64>,
    payload_size: Option<i64>,
    content: Option<[u8; 20]>,
}

/// Looks for headers of bulk data in a body.
pub(super) struct BulkVisitor<'a> {
    package: &'a Package,
    row: usize,
    header: BulkFields,
    sizes: &'a mut BulkSizes,
}

impl BulkVisitor<'_> {
    fn number(&self, bytes: &[u8]) -> Option<i64> {
        let is_big = self.package.versions().byte_order == ByteOrder::Big;
        Some(match bytes.len() {
            4 => {
                let word = <[u8; 4]>::try_from(bytes).ok()?;
                i64::from(if is_big { i32::from_be_bytes(word) } else { i32::from_le_bytes(word) })
            }
            8 => {
                let word = <[u8; 8]>::try_from(bytes).ok()?;
                if is_big { i64::from_be_bytes(word) } else { i64::from_le_bytes(word) }
            }
            _ => return None,
        })
    }

    /// A header whose offset comes last.
    fn add(&mut self, offset: i64) {
        let header = std::mem::take(&mut self.header);
        let Some(flags) = header.flags else { return };
        if let Some(size) = header.size_on_disk.and_then(|size| u64::try_from(size).ok()) {
            if self.package.versions().ue4() > 0 {
                if let Some(place) = place_of(flags) {
                    self.sizes.add(self.row, place, offset, size);
                }
            } else if flags & UNUSED == 0 && flags & IN_CACHE != 0 {
                self.sizes.objects[self.row].tfc += size;
            }
        } else if header.payload_size.is_some_and(|size| size > 0) && flags & VIRTUALIZED == 0 {
            let is_beside = flags & HAS_SIDECAR != 0;
            match is_beside {
                // It stands alone in its file.
                true => {
                    let place = BulkFile::Beside(CompanionKind::Payload);
                    self.sizes.add(self.row, place, offset, u64::MAX);
                }
                false => {
                    let size = self.buffer_size(offset).or(header.payload_size);
                    let size = size.and_then(|size| u64::try_from(size).ok()).unwrap_or_default();
                    self.sizes.add(self.row, BulkFile::Package, offset, size);
                }
            }
        }
    }

    /// Bytes of the compressed buffer at an offset behind the start of bulk data.
    fn buffer_size(&self, offset: i64) -> Option<i64> {
        let start = offset.checked_add(self.package.tables().summary.bulk_data_start_offset)?;
        let bytes = self.package.source().get(usize::try_from(start).ok()?..)?;
        let mut buffer = CompressedBuffer::default();
        buffer.serialize(&mut Loader::new(bytes, Default::default())).ok()?;
        i64::try_from(buffer.total_size).ok()
    }

    /// A payload of the trailer, by the hash that it is known by.
    fn add_of_trailer(&mut self) {
        let Some(content) = self.header.content else { return };
        let trailer = self.package.tables().further.trailer.as_ref();
        let entries = trailer.into_iter().flat_map(|trailer| &trailer.entries);
        // How the trailer reaches payloads that it holds itself.
        const LOCAL: u8 = 0;
        let mut entries = entries.filter(|entry| entry.access_mode == LOCAL);
        if let Some(entry) = entries.find(|entry| entry.identifier == content) {
            let (offset, size) = (entry.offset_in_file, entry.compressed_size);
            self.sizes.add(self.row, BulkFile::Trailer, offset, size);
        }
    }
}

impl Visitor for BulkVisitor<'_> {
    fn bytes(&mut self, bytes: &[u8], path: &Way) {
        let Some(field) = path.last_field() else { return };
        let number = || self.number(bytes);
        match field {
            "flags" if bytes.len() == 4 => {
                let flags = number().map(|flags| flags as u32);
                self.header = BulkFields { flags, ..BulkFields::default() };
            }
            "resource" => {
                if let Some(row) = number().and_then(|row| usize::try_from(row).ok()) {
                    self.sizes.add_resource(self.package, self.row, row);
                }
            }
            "size_on_disk" => self.header.size_on_disk = number(),
            "content_id" => self.header.content = bytes.try_into().ok(),
            "payload_size" => {
                self.header.payload_size = number();
                if self.header.flags.is_some_and(|flags| flags & STORED_IN_TRAILER != 0) {
                    self.add_of_trailer();
                }
            }
            "offset" => {
                if let Some(offset) = number() {
                    self.add(offset);
                }
            }
            _ => {}
        }
    }
}
