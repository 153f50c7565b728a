//! Generations.

use crate::Archived;
use crate::version::UE4;
use crate::version::threshold::{self, ue4};

/// The table sizes of one generation of a package, from file version 68.
///
/// The newest generation is the last one and equals the current counts.
/// Spec: ue1-3/03 §3.5. C++: `FGenerationInfo`.
#[derive(Archived, Debug, Clone, Copy, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Generation {
    /// Exports of this generation.
    pub export_count: i32,
    /// Names of this generation.
    pub name_count: i32,
    /// Objects of this generation that can be referred to over the net.
    #[since(threshold::NET_OBJECT_COUNT_ADDED)]
    #[until(ue4 = ue4::OLDEST_LOADABLE_PACKAGE)]
    pub net_object_count: i32,
}

impl Generation {
    /// The next index on the net, which no other object of the package has (spec: ue1-3/05 §5.1).
    #[doc(hidden)]
    #[inline]
    pub fn take_net_index(&mut self) -> i32 {
        let index = self.net_object_count;
        self.net_object_count = index.saturating_add(1);
        index
    }
}
