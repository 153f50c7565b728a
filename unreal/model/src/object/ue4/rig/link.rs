//! Links between pins.

use crate::Archived;
use crate::primitive::FString;

/// A link between two pins of a rig's graph; it has nothing else, not even properties.
///
/// C++: `URigVMLink`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct RigVmLink {
    /// The pin that it comes from: node, pin, and parts of it.
    pub source_pin_path: FString,
    /// The pin that it leads to.
    pub target_pin_path: FString,
}
