//! The properties of UE4 and UE5.

pub(super) mod lookup;
pub(super) mod property;
#[cfg(feature = "content")]
mod shown;
