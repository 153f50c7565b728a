//! The families of UE2 files, with what they share.

use crate::Archived;
use crate::primitive::Payload;

/// Elements of `N` bytes for the graphics card, then how often they were changed.
///
/// Spec: ue1-3/10 §10.2.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct Stream<const N: usize> {
    /// The elements.
    pub data: Payload<N>,
    /// Counts changes.
    pub revision: i32,
}
