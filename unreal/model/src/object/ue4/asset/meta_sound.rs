//! Sounds that are made while they play.

use crate::error::Result;
use crate::object::ue4::condition::from_release;
use crate::object::ue4::value::StructValue;
use crate::{Archive, Archived};

/// A sound that is made while it plays, cooked, from 5.4 on.
///
/// C++: `UMetaSoundSource`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct MetaSoundSource {
    /// Settings of platforms.
    #[archive(when = from_release(ar, 5, 4), with = quality)]
    pub quality: StructValue,
}

fn quality<A: Archive + ?Sized>(quality: &mut StructValue, ar: &mut A) -> Result<()> {
    quality.serialize_as("MetaSoundQualitySettings", ar)
}
