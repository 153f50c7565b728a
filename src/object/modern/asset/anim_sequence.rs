//! Animations.

use super::animation::AnimationAsset;
use crate::Archive;
use crate::Archived;
use crate::archive::{Kind, Span, in_field};
use crate::error::Result;
use crate::object::modern::bulk::BulkArray;
use crate::object::modern::condition::{custom as custom_version, from_release, remaining};
use crate::object::modern::strip::StripFlags;
use crate::primitive::Payload;
use crate::version::custom;

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

/// Packed keys.
///
/// Spec: ue4-5/09 §5.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct CompressedData {
    /// Everything up to the end of the body.
    pub data: Span,
}

impl Archived for CompressedData {
    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        let _ = (from_release(ar, 4, 23), custom_version(ar, custom::FORTNITE_MAIN));
        let length = if ar.is_loading() { remaining(ar) } else { self.data.len() };
        in_field("data", ar, |ar| ar.serialize_span(&mut self.data, length, Kind::Opaque))
    }
}
