//! Names by which objects are found.

use crate::Archived;
use crate::primitive::{Name, PackageIndex};

/// The names by which an object is found in searches, from UE4 object version 510.
///
/// Spec: ue4-5/03 §8.
#[derive(Archived, Debug, Clone, Default, PartialEq, Eq)]
pub struct SearchableNames {
    /// The object, an import as a rule.
    #[archive(role = identity)]
    pub object: PackageIndex,
    /// The names.
    #[archive(role = identity)]
    pub names: Vec<Name>,
}
