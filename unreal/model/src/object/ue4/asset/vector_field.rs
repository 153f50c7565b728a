//! Vector fields.

use crate::Archived;
use crate::object::ue4::bulk::BulkData;

/// A field of vectors that stays as it is.
///
/// C++: `UVectorFieldStatic`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct VectorFieldStatic {
    /// The vectors: four half floats each.
    pub vectors: BulkData,
}
