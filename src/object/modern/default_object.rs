//! Objects that hold the defaults of a class.

use crate::error::{ErrorKind, Result};
use crate::primitive::PackageIndex;
use crate::version::custom;
use crate::{Archive, Archived};

/// First entry of the UE5 main stream whose class defaults say their sparse data. C++:
/// `SparseClassDataStructSerialization`.
const SPARSE_CLASS_DATA: i32 = 33;

/// What the defaults of a blueprint class add: the struct of their sparse data, null in what is decoded.
///
/// Spec: ue4-5/04 §2. C++: `UBlueprintGeneratedClass::SerializeSparseClassData`.
#[derive(Archived, Debug, Clone, Copy, Default, PartialEq)]
pub struct DefaultObject {
    /// The struct of the sparse data.
    #[since(custom = custom::UE5_MAIN, SPARSE_CLASS_DATA)]
    #[archive(with = null)]
    pub sparse_class_data_struct: PackageIndex,
}

fn null<A: Archive + ?Sized>(index: &mut PackageIndex, ar: &mut A) -> Result<()> {
    index.serialize(ar)?;
    if ar.is_loading() && !index.is_null() {
        return Err(ar.error(ErrorKind::NonCanonical { form: "sparse class data" }));
    }
    Ok(())
}
