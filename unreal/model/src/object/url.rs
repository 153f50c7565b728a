//! Addresses of levels.

use crate::Archived;
use crate::primitive::FString;

/// Where a level came from, in all engines.
///
/// Spec: ue1-3/06 §6.2, 10 §10.3, 11 §11.5; ue4-5/05 §6. C++: `FURL`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct Url {
    /// Protocol.
    pub protocol: FString,
    /// Host, empty for this one.
    pub host: FString,
    /// Map.
    pub map: FString,
    /// Name of the place to start from.
    pub portal: FString,
    /// Options. C++: `Op`.
    pub options: Vec<FString>,
    /// Port.
    pub port: i32,
    /// Whether the address is valid.
    pub valid: i32,
}
