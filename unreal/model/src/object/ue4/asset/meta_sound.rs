//! Sounds that are made while they play.

use crate::archive::in_field;
use crate::archive::layout::Layout;
use crate::error::Result;
use crate::object::ue4::value::StructValue;
use crate::{Archive, Archived, Described};

/// A sound that is made while it plays, cooked, from 5.4 on.
///
/// C++: `UMetaSoundSource`.
#[derive(Described, Debug, Clone, Default, PartialEq)]
pub struct MetaSoundSource {
    /// Settings of platforms.
    pub quality: StructValue,
}

impl Archived for MetaSoundSource {
    const LAYOUT: &'static Layout = Self::DESCRIBED;

    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        in_field("quality", ar, |ar| self.quality.serialize_as("MetaSoundQualitySettings", ar))
    }
}
