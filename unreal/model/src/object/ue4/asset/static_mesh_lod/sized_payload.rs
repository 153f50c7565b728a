//! Counted elements of which only the size is known.

use crate::error::Result;
use crate::primitive::array;
use crate::{Archive, Kind, Span};

/// Elements of a size that the version says, after their number.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SizedPayload(pub Span);

impl SizedPayload {
    pub(in crate::object::ue4::asset) fn serialize_in<A: Archive + ?Sized>(
        &mut self,
        unit: u64,
        ar: &mut A,
    ) -> Result<()> {
        let count = array::serialize_unit_count(self.0.len(), unit, ar)?;
        ar.serialize_span(&mut self.0, count * unit, Kind::Payload)
    }
}
