//! Animations.

use super::animation::AnimationAsset;
use super::compressed_animation::CompressedAnimation;
use crate::archive::Span;
use crate::error::Result;
use crate::object::optional::present;
use crate::object::ue4::bulk::BulkArray;
use crate::object::ue4::condition::{
    custom as custom_version, from_release, has_editor_data, rest, ue4,
};
use crate::object::ue4::strip::StripFlags;
use crate::object::ue4::value::StructValue;
use crate::primitive::Payload;
use crate::version::{UE4, UnrealVersions, custom};
use crate::{Archive, ArchiveExt, Archived};

/// An animation.
///
/// Spec: ue4-5/09 §5. C++: `UAnimSequence`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct AnimSequence {
    /// The part that all animations have.
    pub base: AnimationAsset,
    /// Formats of packed keys, in builds before UE4.11: keys, positions, rotations, sizes (inferred).
    #[archive(with = early_formats)]
    pub early_formats: Option<[u8; 4]>,
    /// Flags of the parts that were left out.
    pub strip: StripFlags,
    /// Keys of every bone.
    #[archive(when = self.strip.has_editor_data())]
    pub raw_tracks: Vec<RawTrack>,
    /// The same as it was imported.
    #[since(ue4 = 417)]
    #[until(custom = custom::UE5_MAIN, custom::ue5_main::REMOVING_SOURCE_ANIMATION_DATA)]
    #[archive(when = self.strip.has_editor_data())]
    pub source_raw_tracks: Vec<RawTrack>,
    /// Packed keys.
    #[until(custom = custom::FRAMEWORK, custom::framework::MOVE_COMPRESSED_ANIM_DATA_TO_THE_DDC)]
    pub compressed_stream: Payload<1>,
    /// Whether packed keys follow.
    #[since(custom = custom::FRAMEWORK, custom::framework::MOVE_COMPRESSED_ANIM_DATA_TO_THE_DDC)]
    pub has_compressed: bool,
    /// Packed keys, up to the end of the body.
    #[since(custom = custom::FRAMEWORK, custom::framework::MOVE_COMPRESSED_ANIM_DATA_TO_THE_DDC)]
    #[archive(when = self.has_compressed && !is_later(ar))]
    pub compressed: CompressedData,
    /// Packed keys, from UE4.23 on.
    #[archive(when = self.has_compressed && is_later(ar))]
    pub packed: CompressedAnimation,
    /// Whether only raw keys are used.
    #[since(custom = custom::FRAMEWORK, custom::framework::MOVE_COMPRESSED_ANIM_DATA_TO_THE_DDC)]
    #[until(custom = custom::FORTNITE_MAIN, custom::fortnite_main::ANIM_SEQUENCE_RAW_DATA_ONLY_FLAG_REMOVAL)]
    #[archive(when = self.has_compressed && (is_decoded(ar) || is_later(ar)))]
    pub use_raw_data_only: bool,
}

/// The version that builds before UE4.11 share with it.
const PREVIEW: u32 = 498;

/// No version says that they are there: but uncooked packages never leave editor data out, so that what
/// would say so is something else.
fn early_formats<A: Archive + ?Sized>(value: &mut Option<[u8; 4]>, ar: &mut A) -> Result<()> {
    let form = ar.form("with", &["", "formats"], i64::from(value.is_some()));
    if ar.is_loading() {
        let may_be = ue4(ar) == PREVIEW
            && has_editor_data(ar)
            && custom_version(ar, custom::FRAMEWORK) == -1
            && ar.peek_number(0, 2).is_some_and(|strip| strip != 0);
        *value = form.map_or(may_be, |form| form == 1).then(Default::default);
    }
    present(value, ar)
}

/// Whether packed keys are those of UE4.23 and newer.
fn is_later<A: Archive + ?Sized>(ar: &A) -> bool {
    from_release(ar, 4, 23)
}

/// Whether packed keys have a known layout: UE4.12 to 4.21, with tags.
fn is_decoded<A: Archive + ?Sized>(ar: &A) -> bool {
    let known = from_release(ar, 4, 12) && !from_release(ar, 4, 22);
    known && !ar.versions().unversioned_properties()
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

/// Packed keys up to UE4.22: UE4.12 to 4.21 with tags; else as they are, up to the end of the body.
///
/// Spec: ue4-5/09 §5.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct CompressedData {
    /// Formats: keys, positions, rotations, sizes.
    #[archive(when = is_decoded(ar))]
    pub formats: [u8; 4],
    /// Where tracks start.
    #[archive(when = is_decoded(ar))]
    pub track_offsets: Vec<i32>,
    /// The same of sizes.
    #[archive(when = is_decoded(ar))]
    pub scale_offsets: Vec<i32>,
    /// Numbers that a track has there.
    #[archive(when = is_decoded(ar))]
    pub scale_strip_size: i32,
    /// Segments.
    #[archive(when = is_decoded(ar) && from_release(ar, 4, 21))]
    pub segments: Payload<16>,
    /// The bone of each track.
    #[archive(when = is_decoded(ar))]
    pub track_to_bone: Vec<i32>,
    /// Curves.
    #[archive(when = is_decoded(ar), with = curves)]
    pub curves: StructValue,
    /// Bytes of the raw keys.
    #[archive(when = is_decoded(ar) && from_release(ar, 4, 17))]
    pub raw_size: i32,
    /// The keys.
    #[archive(when = is_decoded(ar))]
    pub stream: Payload<1>,
    /// Everything, where it is not decoded.
    #[archive(when = !is_decoded(ar), with = rest)]
    pub data: Span,
}

fn curves<A: Archive + ?Sized>(curves: &mut StructValue, ar: &mut A) -> Result<()> {
    curves.serialize_as("RawCurveTracks", ar)
}
