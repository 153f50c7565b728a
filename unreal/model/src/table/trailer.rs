//! The package trailer: payloads of editor bulk data behind the package.

use super::PACKAGE_TAG;
use crate::archive::layout::Layout;
use crate::archive::{Kind, Role, Span, in_field, private};
use crate::error::{ErrorKind, UnrealError};
use crate::primitive::array;
use crate::{Archive, ArchiveExt, Archived, Described, Result};

const HEADER_TAG: u64 = 0xd1c4_3b2e_80a5_f697;
const FOOTER_TAG: u64 = 0x29bf_ca04_5138_de76;
/// First trailer version whose entries say how they are reached.
const ACCESS_PER_ENTRY: i32 = 1;
/// First trailer version whose entries have flags.
const FLAGS_ADDED: i32 = 2;
/// Bytes of the footer: tag, length, package tag.
const FOOTER: u64 = 20;

/// Payloads behind the end of an uncooked package, from UE5.1.
///
/// A tag and, behind the version, the sizes of header and payloads stand before the rest; a footer behind
/// it has a tag, the size of the whole and the package tag. Sizes are computed on saving.
/// Spec: ue4-5/03 §18. C++: `FPackageTrailer`.
#[derive(Described, Debug, Clone, Default, PartialEq, Eq)]
pub struct Trailer {
    /// Version of the trailer, 2 in UE5.1 to 5.7.
    pub version: i32,
    /// How all payloads are reached, in version 0.
    pub access_mode: u8,
    /// The payloads.
    pub entries: Vec<TrailerEntry>,
    /// Their bytes: those of local payloads.
    pub payloads: Span,
}

/// One payload.
///
/// Spec: ue4-5/03 §18.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct TrailerEntry {
    /// The first bytes of the raw payload's BLAKE3.
    pub identifier: [u8; 20],
    /// Start, bytes behind the trailer's header; -1 for none. C++: `OffsetInFile`.
    pub offset_in_file: i64,
    /// Bytes. C++: `CompressedSize`.
    pub compressed_size: u64,
    /// Bytes. C++: `RawSize`.
    pub raw_size: u64,
    /// C++: `Flags`.
    pub flags: u16,
    /// C++: `FilterFlags`.
    pub filter_flags: u16,
    /// 0 local, 1 referenced, 2 virtualized; before trailer version 1 all have one. C++: `AccessMode`.
    pub access_mode: u8,
}

impl TrailerEntry {
    fn serialize_row<A: Archive + ?Sized>(&mut self, version: i32, ar: &mut A) -> Result<()> {
        macro_rules! field {
            ($name:ident, $when:expr) => {
                if $when {
                    in_field(stringify!($name), ar, |ar| self.$name.serialize(ar))?;
                } else {
                    private::absent(&mut self.$name, ar, stringify!($name))?;
                }
            };
        }
        in_field("identifier", ar, |ar| ar.serialize_bytes(&mut self.identifier))?;
        field!(offset_in_file, true);
        field!(compressed_size, true);
        field!(raw_size, true);
        field!(flags, version >= FLAGS_ADDED);
        field!(filter_flags, version >= FLAGS_ADDED);
        field!(access_mode, version >= ACCESS_PER_ENTRY);
        Ok(())
    }

    fn size(version: i32) -> u64 {
        let flags = if version >= FLAGS_ADDED { 4 } else { 0 };
        44 + flags + u64::from(version >= ACCESS_PER_ENTRY)
    }
}

impl Trailer {
    fn header_size(&self) -> u64 {
        let mode = u64::from(self.version < ACCESS_PER_ENTRY);
        28 + mode + self.entries.len() as u64 * TrailerEntry::size(self.version)
    }

    fn mismatch<A: Archive + ?Sized>(ar: &A, what: &str) -> crate::Error {
        let reason = format!("a package trailer whose {what} is not what it should be");
        ar.error(UnrealError::unsupported(reason))
    }
}

impl Archived for Trailer {
    const LAYOUT: &'static Layout = Self::DESCRIBED;

    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        let loading = ar.is_loading();
        let mut tag = HEADER_TAG;
        in_field("tag", ar, |ar| ar.serialize_u64(&mut tag))?;
        in_field("version", ar, |ar| ar.serialize_i32(&mut self.version))?;
        if loading && (tag != HEADER_TAG || !(0..=FLAGS_ADDED).contains(&self.version)) {
            return Err(Self::mismatch(ar, "tag or version"));
        }
        let mut header = u32::try_from(self.header_size()).map_err(|_| {
            ar.error(ErrorKind::OutOfRange { value: self.header_size().into(), bits: 32 })
        })?;
        let mut payloads = self.payloads.len();
        in_field("header_length", ar, |ar| ar.serialize_u32(&mut header))?;
        ar.role(Role::Size);
        in_field("payloads_data_length", ar, |ar| ar.serialize_u64(&mut payloads))?;
        ar.role(Role::Size);
        let version = self.version;
        if version < ACCESS_PER_ENTRY {
            in_field("access_mode", ar, |ar| ar.serialize_u8(&mut self.access_mode))?;
        } else {
            private::absent(&mut self.access_mode, ar, "access_mode")?;
        }
        in_field("entries", ar, |ar| {
            array::counted_i32_by(&mut self.entries, ar, |row, ar| row.serialize_row(version, ar))
        })?;
        if loading && u64::from(header) != self.header_size() {
            return Err(Self::mismatch(ar, "header length"));
        }
        in_field("payloads", ar, |ar| {
            ar.serialize_span(&mut self.payloads, payloads, Kind::Payload)
        })?;
        let true_length = self.header_size() + self.payloads.len() + FOOTER;
        let (mut tag, mut length, mut package) = (FOOTER_TAG, true_length, PACKAGE_TAG);
        in_field("footer_tag", ar, |ar| ar.serialize_u64(&mut tag))?;
        in_field("trailer_length", ar, |ar| ar.serialize_u64(&mut length))?;
        ar.role(Role::Size);
        in_field("package_tag", ar, |ar| ar.serialize_u32(&mut package))?;
        if loading && (tag, length, package) != (FOOTER_TAG, true_length, PACKAGE_TAG) {
            return Err(Self::mismatch(ar, "footer"));
        }
        Ok(())
    }
}
