//! Distances to surfaces.

use crate::archive::layout::Layout;
use crate::error::Result;
use crate::object::ue4::bulk::BulkData;
use crate::object::ue4::condition::{fixed, from_release, ue4, when};
use crate::object::ue4::prepared::Flagged;
use crate::object::ue4::strip::StripFlags;
use crate::primitive::{Payload, Real, boolean};
use crate::{Archive, Archived, Described};

/// Distances to surfaces, for each level of detail. Spec: ue4-5/09 §4.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct DistanceFields {
    /// Flags of the parts that were left out.
    pub strip: StripFlags,
    /// One for each level.
    pub fields: Vec<Flagged<DistanceField>>,
}

impl DistanceFields {
    pub(super) fn serialize_in<A: Archive + ?Sized>(
        &mut self,
        lods: usize,
        ar: &mut A,
    ) -> Result<()> {
        let any = ue4(ar) >= 394;
        when(any && ue4(ar) >= 416, &mut self.strip, "strip", ar)?;
        let by_class = from_release(ar, 4, 21);
        let skipped = !self.strip.has_audio_visual_data() || by_class && !self.strip.has(1);
        fixed(&mut self.fields, if any && !skipped { lods } else { 0 }, ar)
    }
}

/// Distances to surfaces of a level of detail. Spec: ue4-5/09 §4. C++: `FDistanceFieldVolumeData`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct DistanceField {
    /// Packed distances, UE4.16 to 4.27.
    #[archive(when = from_release(ar, 4, 16) && !from_release(ar, 5, 0))]
    pub compressed: Payload<1>,
    /// Distances, half floats, below UE4.16.
    #[archive(when = !from_release(ar, 4, 16))]
    pub distances: Payload<2>,
    /// Distances along each edge.
    #[archive(when = !from_release(ar, 5, 0))]
    pub size: [i32; 3],
    /// The box that they fill.
    pub bounds: LocalBox,
    /// The shortest and longest, UE4.16 to 4.27.
    #[archive(when = from_release(ar, 4, 16) && !from_release(ar, 5, 0))]
    pub range: [f32; 2],
    /// Whether the mesh is closed, was built as a plane, has two sides.
    #[archive(when = !from_release(ar, 5, 0))]
    pub flags: [bool; 3],
    /// Whether most triangles have two sides.
    #[archive(when = from_release(ar, 5, 0))]
    pub mostly_two_sided: bool,
    /// Coarser and coarser ones.
    #[archive(when = from_release(ar, 5, 0))]
    pub mips: [DistanceFieldMip; 3],
    /// The coarsest, which is always there.
    #[archive(when = from_release(ar, 5, 0))]
    pub always_loaded: Payload<1>,
    /// The others.
    #[archive(when = from_release(ar, 5, 0))]
    pub streamed: BulkData,
}

/// A box: of coordinates from UE5.0 to 5.3, of f32 before and after.
#[derive(Described, Debug, Clone, Copy, Default, PartialEq)]
pub struct LocalBox {
    /// Lowest corner.
    pub min: [Real; 3],
    /// Highest corner.
    pub max: [Real; 3],
    /// Whether the corners mean anything.
    pub is_valid: bool,
}

impl Archived for LocalBox {
    const LAYOUT: &'static Layout = Self::DESCRIBED;

    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        let single = from_release(ar, 5, 4);
        for number in self.min.iter_mut().chain(&mut self.max) {
            match single {
                true => number.serialize_f32(ar)?,
                false => number.serialize(ar)?,
            }
        }
        boolean::byte(&mut self.is_valid, ar)
    }
}

/// One of the coarser distance fields. Spec: ue4-5/09 §4. C++: `FSparseDistanceFieldMip`.
#[derive(Described, Debug, Clone, Copy, Default, PartialEq)]
pub struct DistanceFieldMip {
    /// Size of the table, number of bricks.
    pub size: [i32; 4],
    /// Scales and biases.
    pub numbers: [Real; 8],
    /// Where it stands, how many bytes.
    pub bulk: [u32; 2],
}

impl Archived for DistanceFieldMip {
    const LAYOUT: &'static Layout = Self::DESCRIBED;

    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        self.size.serialize(ar)?;
        let single = from_release(ar, 5, 4);
        for number in &mut self.numbers {
            match single {
                true => number.serialize_f32(ar)?,
                false => number.serialize(ar)?,
            }
        }
        self.bulk.serialize(ar)
    }
}
