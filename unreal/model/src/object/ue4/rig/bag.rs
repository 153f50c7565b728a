//! Values of rigs that say their types themselves.

use super::machine::RigPath;
use crate::archive::layout::Layout;
use crate::archive::private::absent;
use crate::archive::{Extent, Role, in_field};
use crate::error::{ErrorKind, Result};
use crate::object::ue4::condition::{custom as custom_version, fixed, when, when_counted};
use crate::object::ue4::value::StructValue;
use crate::primitive::{FString, Guid, Name, PackageIndex, array};
use crate::version::custom::{self, property_bag};
use crate::{Archive, ArchiveExt, Archived, Described};

/// A memory of a rig. C++: `FRigVMMemoryStorageStruct`.
#[derive(Described, Debug, Clone, Default, PartialEq)]
pub struct RigMemory {
    /// What the bag stores of its form.
    pub bag_version: u8,
    /// Whether it has values.
    pub has_values: bool,
    /// What the values are.
    pub properties: Vec<BagProperty>,
    /// The values, behind their size.
    pub values: StructValue,
    /// Which memory it is. C++: `ERigVMMemoryType`.
    pub memory: u8,
    /// Paths within the values.
    pub paths: Vec<RigPath>,
}

/// What a value of a bag is. C++: `FPropertyBagPropertyDesc`.
#[derive(Described, Debug, Clone, Default, PartialEq)]
pub struct BagProperty {
    /// Its struct, enum or class.
    pub type_object: PackageIndex,
    /// Its GUID.
    pub guid: Guid,
    /// Its name.
    pub name: Name,
    /// Its type. C++: `EPropertyBagPropertyType`.
    pub kind: u8,
    /// Containers around it. C++: `EPropertyBagContainerType`.
    pub containers: Vec<u8>,
    /// Whether what the editor keeps for it is there.
    pub has_metadata: bool,
    /// What the editor keeps for it.
    pub metadata: Vec<(Name, FString)>,
    /// The class of classes that it may hold.
    pub meta_class: PackageIndex,
}

impl Archived for BagProperty {
    const LAYOUT: &'static Layout = Self::DESCRIBED;

    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        let version = custom_version(ar, custom::PROPERTY_BAG);
        if version >= property_bag::PROPERTY_FLAGS {
            return Err(ar.error(ErrorKind::NonCanonical { form: "a bag that is newer than 5.6" }));
        }
        in_field("type_object", ar, |ar| self.type_object.serialize(ar))?;
        in_field("guid", ar, |ar| self.guid.serialize(ar))?;
        in_field("name", ar, |ar| self.name.serialize(ar))?;
        in_field("kind", ar, |ar| ar.serialize_u8(&mut self.kind))?;
        let mut count = 1;
        if version >= property_bag::CONTAINER_TYPES {
            let length = self.containers.len();
            let too_many = ErrorKind::OutOfRange { value: length as i128, bits: 8 };
            count = u8::try_from(length).map_err(|_| ar.error(too_many))?;
            in_field("container_count", ar, |ar| ar.serialize_u8(&mut count))?;
        }
        in_field("containers", ar, |ar| fixed(&mut self.containers, count.into(), ar))?;
        in_field("has_metadata", ar, |ar| self.has_metadata.serialize(ar))?;
        when_counted(self.has_metadata, &mut self.metadata, "metadata", ar)?;
        let has_class = self.has_metadata && version >= property_bag::META_CLASS;
        when(has_class, &mut self.meta_class, "meta_class", ar)
    }
}

impl Archived for RigMemory {
    const LAYOUT: &'static Layout = Self::DESCRIBED;

    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        let has_version = custom_version(ar, custom::PROPERTY_BAG) < property_bag::CONTAINER_TYPES;
        when(has_version, &mut self.bag_version, "bag_version", ar)?;
        in_field("has_values", ar, |ar| self.has_values.serialize(ar))?;
        when_counted(self.has_values, &mut self.properties, "properties", ar)?;
        match self.has_values {
            true => self.serialize_values(ar)?,
            false => absent(&mut self.values, ar, "values")?,
        }
        in_field("memory", ar, |ar| ar.serialize_u8(&mut self.memory))?;
        in_field("paths", ar, |ar| array::counted_i32(&mut self.paths, ar))
    }
}

impl RigMemory {
    fn serialize_values<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        let size_at = ar.position();
        let mut size = 0_u32;
        in_field("size", ar, |ar| ar.serialize_u32(&mut size))?;
        ar.role(Role::Size);
        let start = ar.position();
        // What visits has no size to keep to.
        let is_sized = ar.is_loading();
        let window = ar.open(if is_sized { Extent::Size(size.into()) } else { Extent::Level })?;
        let values = &mut self.values;
        let read = in_field("values", ar, |ar| values.serialize_as("PropertyBag", ar));
        ar.close(window, read)?;
        if ar.is_saving() {
            let length = ar.position() - start;
            let error = ErrorKind::OutOfRange { value: length.into(), bits: 32 };
            let length = u32::try_from(length).map_err(|_| ar.error(error))?;
            return ar.patch_u32(size_at, length);
        }
        Ok(())
    }
}
