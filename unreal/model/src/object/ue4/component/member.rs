//! References to properties and functions.

use crate::Archived;
use crate::primitive::{Guid, Name, PackageIndex};

/// A property or function of a class. Spec: ue4-5/05 §4. C++: `FSimpleMemberReference`.
#[derive(Archived, Debug, Clone, Copy, Default, PartialEq)]
pub struct MemberReference {
    /// The class.
    pub parent: PackageIndex,
    /// Its name.
    pub name: Name,
    /// Its GUID.
    pub guid: Guid,
}
