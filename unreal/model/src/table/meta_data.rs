//! Metadata of objects.

use crate::archive::layout::Layout;
use crate::archive::{Role, in_field};
use crate::error::ErrorKind;
use crate::primitive::{FString, Name, SoftPath, array};
use crate::{Archive, ArchiveExt, Archived, Described, Result};

/// Notes of the editor on the package's objects, from UE5 object version 1014; an object of its own
/// before. Both counts stand before the lists.
///
/// Spec: ue4-5/03 §10. C++: `FMetaData`.
#[derive(Described, Debug, Clone, Default, PartialEq, Eq)]
pub struct MetaData {
    /// Values of objects.
    pub objects: Vec<ObjectMetaData>,
    /// Values of the package itself.
    pub root: Vec<MetaDataValue>,
}

/// The values of one object.
#[derive(Archived, Debug, Clone, Default, PartialEq, Eq)]
pub struct ObjectMetaData {
    /// The object.
    #[archive(role = identity)]
    pub object: SoftPath,
    /// Its values.
    pub values: Vec<MetaDataValue>,
}

/// A key with its value.
#[derive(Archived, Debug, Clone, Default, PartialEq, Eq)]
pub struct MetaDataValue {
    /// The key.
    #[archive(role = identity)]
    pub key: Name,
    /// The value.
    pub value: FString,
}

impl Archived for MetaData {
    const LAYOUT: &'static Layout = Self::DESCRIBED;

    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        let objects = count("object_count", self.objects.len(), ar)?;
        let root = count("root_count", self.root.len(), ar)?;
        in_field("objects", ar, |ar| array::elements(&mut self.objects, objects, ar))?;
        in_field("root", ar, |ar| array::elements(&mut self.root, root, ar))
    }
}

/// A count that stands apart from its elements.
fn count<A: Archive + ?Sized>(name: &'static str, length: usize, ar: &mut A) -> Result<usize> {
    let mut count = i32::try_from(length)
        .map_err(|_| ar.error(ErrorKind::OutOfRange { value: length as i128, bits: 31 }))?;
    in_field(name, ar, |ar| ar.serialize_i32(&mut count))?;
    ar.role(Role::Count);
    usize::try_from(count)
        .map_err(|_| ar.error(ErrorKind::NegativeCount { count: count.into() }).in_field(name))
}
