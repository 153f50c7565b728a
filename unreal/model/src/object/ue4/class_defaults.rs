//! The end of the defaults of a blueprint's class.

use super::value::StructValue;
use crate::archive::layout::Layout;
use crate::archive::{in_field, private};
use crate::error::Result;
use crate::primitive::{NameContext, PackageIndex};
use crate::version::custom::{self, ue5_main};
use crate::{Archive, Archived, Described, Versions};

/// The data that all objects of a blueprint's class share.
///
/// Spec: ue4-5/04 §2. C++: `UClass::SerializeSparseClassData`.
#[derive(Described, Debug, Clone, PartialEq, Default)]
pub struct ClassDefaults {
    /// Their struct; null in most classes, not in those of animation blueprints.
    pub sparse_class_data_struct: PackageIndex,
    /// Their values, where there is a struct.
    pub sparse_class_data: StructValue,
}

impl Archived for ClassDefaults {
    const LAYOUT: &'static Layout = Self::DESCRIBED;

    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        let structure = &mut self.sparse_class_data_struct;
        in_field("sparse_class_data_struct", ar, |ar| structure.serialize(ar))?;
        if structure.is_null() {
            return private::absent(&mut self.sparse_class_data, ar, "sparse_class_data");
        }
        let name = ar.context().object_name(structure).unwrap_or_default();
        let data = &mut self.sparse_class_data;
        in_field("sparse_class_data", ar, |ar| data.serialize_as(&name, ar))
    }
}

/// Whether packages of these versions have it.
pub fn are_present(versions: &Versions) -> bool {
    versions.custom(&custom::UE5_MAIN) >= ue5_main::SPARSE_CLASS_DATA_STRUCT_SERIALIZATION
}
