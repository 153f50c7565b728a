//! Data resources: where cooked packages keep their bulk data.

use crate::archive::layout::Layout;
use crate::archive::{Step, in_field, private};
use crate::error::ErrorKind;
use crate::primitive::PackageIndex;
use crate::{Archive, ArchiveExt, Archived, Described, Result};

/// First version of the table whose rows have a cooked index.
const COOKED_INDEX_ADDED: u32 = 2;
/// The newest version that is known.
const NEWEST: u32 = 2;

/// The table of bulk data of a cooked package, from UE5 object version 1009: u32 version, i32 n, n × row.
///
/// Bodies then store a row's number instead of a bulk data header. Spec: ue4-5/03 §16.
#[derive(Described, Debug, Clone, Default, PartialEq, Eq)]
pub struct DataResources {
    /// 1 in UE5.2 to 5.4, 2 from 5.5.
    pub version: u32,
    /// The rows.
    pub rows: Vec<DataResource>,
}

/// One payload.
///
/// | order | type | field | table version |
/// |---|---|---|---|
/// | 1 | u32 | flags | |
/// | 2 | u8 | cooked index | from 2 |
/// | 3 | i64 | start | |
/// | 4 | i64 | start of the duplicate, -1 for none | |
/// | 5 | i64 ×2 | size as stored, size in memory, bytes | |
/// | 6 | i32 | object that uses it | |
/// | 7 | u32 | flags of the bulk data | |
///
/// The start counts from the start of the companion file, or from the start of the object's body when the
/// payload stands in it. Spec: ue4-5/03 §16. C++: `FObjectDataResource`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct DataResource {
    /// C++: `Flags`.
    pub flags: u32,
    /// C++: `CookedIndex`.
    pub cooked_index: u8,
    /// C++: `SerialOffset`.
    pub serial_offset: i64,
    /// C++: `DuplicateSerialOffset`.
    pub duplicate_serial_offset: i64,
    /// C++: `SerialSize`.
    pub serial_size: i64,
    /// C++: `RawSize`.
    pub raw_size: i64,
    /// C++: `OuterIndex`.
    pub outer_index: PackageIndex,
    /// C++: `LegacyBulkDataFlags`.
    pub legacy_bulk_data_flags: u32,
}

impl DataResource {
    fn serialize_row<A: Archive + ?Sized>(&mut self, version: u32, ar: &mut A) -> Result<()> {
        macro_rules! field {
            ($name:ident) => {
                in_field(stringify!($name), ar, |ar| self.$name.serialize(ar))?
            };
        }
        field!(flags);
        if version >= COOKED_INDEX_ADDED {
            field!(cooked_index);
        } else {
            private::absent(&mut self.cooked_index, ar, "cooked_index")?;
        }
        field!(serial_offset);
        field!(duplicate_serial_offset);
        field!(serial_size);
        field!(raw_size);
        field!(outer_index);
        field!(legacy_bulk_data_flags);
        Ok(())
    }
}

impl Archived for DataResources {
    const LAYOUT: &'static Layout = Self::DESCRIBED;

    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        in_field("version", ar, |ar| ar.serialize_u32(&mut self.version))?;
        if ar.is_loading() && self.version > NEWEST {
            let reason = format!("data resources of version {}", self.version);
            return Err(ar.error(ErrorKind::Unsupported { reason }));
        }
        let version = self.version;
        ar.enter(Step::Field("rows"));
        let rows = crate::primitive::array::counted_i32_by(&mut self.rows, ar, |row, ar| {
            row.serialize_row(version, ar)
        });
        ar.leave();
        rows.map_err(|error| error.in_field("rows"))
    }
}
