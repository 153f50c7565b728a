//! Texts by key.

use crate::Archived;
use crate::primitive::{FString, Map, Name};

/// Texts by key.
///
/// Spec: ue4-5/05 §5. C++: `UStringTable`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct StringTable {
    /// Where its keys belong.
    pub namespace: FString,
    /// The texts.
    pub entries: Map<FString, FString>,
    /// Meta data of the texts.
    pub meta_data: Map<FString, Map<Name, FString>>,
}
