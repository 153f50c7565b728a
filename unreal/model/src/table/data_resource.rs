//! Data resources: where cooked packages keep their bulk data.

use crate::archive::layout::Layout;
use crate::archive::{Step, in_field, private};
use crate::error::UnrealError;
use crate::primitive::{PackageIndex, script_flags};
use crate::{Archive, ArchiveExt, Archived, Described, Result};

/// First version of the table whose rows have a cooked index.
const COOKED_INDEX_ADDED: u32 = 2;
/// The newest version that is known.
const NEWEST: u32 = 2;

/// The table of bulk data of a cooked package, from UE5 object version 1009.
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
/// The start counts from the start of the companion file, or from the start of the object's body when the
/// payload stands in it. Spec: ue4-5/03 §16. C++: `FObjectDataResource`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct DataResource {
    /// C++: `Flags`.
    pub flags: u32,
    /// From table version 2. C++: `CookedIndex`.
    pub cooked_index: u8,
    /// C++: `SerialOffset`.
    pub serial_offset: i64,
    /// -1 for none. C++: `DuplicateSerialOffset`.
    pub duplicate_serial_offset: i64,
    /// Bytes as stored. C++: `SerialSize`.
    pub serial_size: i64,
    /// Bytes in memory. C++: `RawSize`.
    pub raw_size: i64,
    /// The object that uses it. C++: `OuterIndex`.
    pub outer_index: PackageIndex,
    /// Flags of the bulk data. C++: `LegacyBulkDataFlags`.
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
        in_field("legacy_bulk_data_flags", ar, |ar| {
            script_flags::bulk(&mut self.legacy_bulk_data_flags, ar)
        })?;
        Ok(())
    }
}

impl Archived for DataResources {
    const LAYOUT: &'static Layout = Self::DESCRIBED;

    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        in_field("version", ar, |ar| ar.serialize_u32(&mut self.version))?;
        if ar.is_loading() && self.version > NEWEST {
            let reason = format!("data resources of version {}", self.version);
            return Err(ar.error(UnrealError::unsupported(reason)));
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
