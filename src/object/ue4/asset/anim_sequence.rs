//! Animations.

use super::animation::AnimationAsset;
use crate::archive::layout::Layout;
use crate::archive::{ArchiveExt, Kind, Span, in_field};
use crate::error::Result;
use crate::object::ue4::bulk::BulkArray;
use crate::object::ue4::condition::{from_release, remaining};
use crate::object::ue4::strip::StripFlags;
use crate::object::ue4::value::StructValue;
use crate::primitive::Payload;
use crate::version::custom;
use crate::{Archive, Archived, Described};

/// An animation.
///
/// Spec: ue4-5/09 §5. C++: `UAnimSequence`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct AnimSequence {
    /// Base.
    pub base: AnimationAsset,
    /// What was left out.
    pub strip: StripFlags,
    /// Keys of every bone.
    #[archive(when = self.strip.has_editor_data())]
    pub raw_tracks: Vec<RawTrack>,
    /// The same as it was imported.
    #[since(ue4 = 417)]
    #[until(custom = custom::UE5_MAIN, 3)]
    #[archive(when = self.strip.has_editor_data())]
    pub source_raw_tracks: Vec<RawTrack>,
    /// Packed keys.
    #[until(custom = custom::FRAMEWORK, 5)]
    pub compressed_stream: Payload<1>,
    /// Whether packed keys follow.
    #[since(custom = custom::FRAMEWORK, 5)]
    pub has_compressed: bool,
    /// Packed keys, up to the end of the body.
    #[since(custom = custom::FRAMEWORK, 5)]
    #[archive(when = self.has_compressed)]
    pub compressed: CompressedData,
    /// Whether only raw keys are used.
    #[since(custom = custom::FRAMEWORK, 5)]
    #[until(custom = custom::FORTNITE_MAIN, 183)]
    #[archive(when = self.has_compressed && is_decoded(ar))]
    pub use_raw_data_only: bool,
}

/// Whether packed keys have a known layout: UE4.12 to 4.21, with tags.
fn is_decoded<A: Archive + ?Sized>(ar: &A) -> bool {
    let known = from_release(ar, 4, 12) && !from_release(ar, 4, 22);
    known && !ar.versions().unversioned_properties
}

/// Keys of a bone: positions, rotations, sizes.
///
/// Spec: ue4-5/09 §5. C++: `FRawAnimSequenceTrack`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct RawTrack {
    /// Positions, 12 bytes each.
    pub positions: BulkArray,
    /// Rotations, 16 bytes each.
    pub rotations: BulkArray,
    /// Sizes, 12 bytes each.
    #[since(ue4 = 335)]
    pub scales: BulkArray,
}

/// Packed keys: UE4.12 to 4.21 with tags; else as they are, up to the end of the body.
///
/// | order | type | field | releases |
/// |---|---|---|---|
/// | 1 | u8 ×4 | formats: keys, positions, rotations, sizes | |
/// | 2 | i32 n, n × i32 | where tracks start | |
/// | 3 | i32 n, n × i32, i32 | the same of sizes; numbers a track | |
/// | 4 | i32 n, n × 16 bytes | segments | from 4.21 |
/// | 5 | i32 n, n × i32 | the bone of each track | |
/// | 6 | values | curves | |
/// | 7 | i32 | size of the raw keys | from 4.17 |
/// | 8 | i32 n, bytes | keys | |
///
/// Spec: ue4-5/09 §5.
#[derive(Described, Debug, Clone, Default, PartialEq)]
pub struct CompressedData {
    /// Formats: keys, positions, rotations, sizes.
    pub formats: [u8; 4],
    /// Where tracks start.
    pub track_offsets: Vec<i32>,
    /// The same of sizes.
    pub scale_offsets: Vec<i32>,
    /// Numbers that a track has there.
    pub scale_strip_size: i32,
    /// Segments.
    pub segments: Payload<16>,
    /// The bone of each track.
    pub track_to_bone: Vec<i32>,
    /// Curves.
    pub curves: StructValue,
    /// Bytes of the raw keys.
    pub raw_size: i32,
    /// The keys.
    pub stream: Payload<1>,
    /// Everything, where it is not decoded.
    pub data: Span,
}

impl Archived for CompressedData {
    const LAYOUT: &'static Layout = Self::DESCRIBED;

    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        if ar.is_loading() {
            *self = Self::default();
        }
        if !is_decoded(ar) {
            let length = if ar.is_loading() { remaining(ar) } else { self.data.len() };
            return in_field("data", ar, |ar| {
                ar.serialize_span(&mut self.data, length, Kind::Opaque)
            });
        }
        in_field("formats", ar, |ar| self.formats.serialize(ar))?;
        in_field("track_offsets", ar, |ar| self.track_offsets.serialize(ar))?;
        in_field("scale_offsets", ar, |ar| self.scale_offsets.serialize(ar))?;
        in_field("scale_strip_size", ar, |ar| ar.serialize_i32(&mut self.scale_strip_size))?;
        if from_release(ar, 4, 21) {
            in_field("segments", ar, |ar| self.segments.serialize(ar))?;
        }
        in_field("track_to_bone", ar, |ar| self.track_to_bone.serialize(ar))?;
        in_field("curves", ar, |ar| self.curves.serialize_as("RawCurveTracks", ar))?;
        if from_release(ar, 4, 17) {
            in_field("raw_size", ar, |ar| ar.serialize_i32(&mut self.raw_size))?;
        }
        in_field("stream", ar, |ar| self.stream.serialize(ar))
    }
}
