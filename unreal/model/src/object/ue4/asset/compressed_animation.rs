//! Packed keys of animations, from UE4.23 on.

use crate::archive::in_field;
use crate::archive::layout::Layout;
use crate::error::{Error, Result};
use crate::object::optional::{present, remaining};
use crate::object::ue4::bulk::BulkData;
use crate::object::ue4::condition::{custom as custom_version, from_release};
use crate::primitive::{FString, Name, Payload};
use crate::version::custom;
use crate::{Archive, ArchiveExt, Archived, Described, Kind, Span};

/// Packed keys, and what tells how to read them.
///
/// Seen in cooked animations of 4.23 to 5.5. C++: `FCompressedAnimSequence`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct CompressedAnimation {
    /// Bytes of the raw keys.
    pub raw_size: i32,
    /// The bone of each track.
    pub track_to_bone: Vec<i32>,
    /// Names of curves.
    pub curve_names: Vec<Name>,
    /// How the keys are stored, before UE4.25.
    #[archive(when = !from_release(ar, 4, 25))]
    pub early_form: EarlyKeyForms,
    /// The keys.
    pub stream: KeyStream,
    /// What has packed the keys: the engine's own codecs are called `AnimCompress_…`.
    #[archive(when = from_release(ar, 4, 25))]
    pub bone_codec: FString,
    /// Path of what has packed the curves.
    pub curve_codec: FString,
    /// Curves.
    pub curve_stream: Payload<1>,
    /// Frames, from UE4.25 on.
    #[archive(when = from_release(ar, 4, 25))]
    pub frame_count: i32,
    /// How the keys are stored, from UE4.25 on; codecs of others say nothing more.
    #[archive(when = from_release(ar, 4, 25), with = key_forms)]
    pub form: Option<KeyForms>,
}

/// How the engine's own codecs store keys, from UE4.25 on.
///
/// C++: `FUECompressedAnimData`.
#[derive(Archived, Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct KeyForms {
    /// Formats: keys, positions, rotations, sizes.
    pub formats: [u8; 4],
    /// Bytes of keys in the stream, behind the lists of numbers.
    pub byte_count: i32,
    /// Numbers that say where tracks start, at the start of the stream.
    pub offset_count: i32,
    /// The same of sizes, behind them.
    pub scale_offset_count: i32,
    /// Numbers that a track has there.
    pub scale_strip_size: i32,
}

/// The same of UE4.23 and UE4.24.
#[derive(Archived, Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct EarlyKeyForms {
    /// Formats: keys, positions, rotations, sizes.
    pub formats: [u8; 4],
    /// Frames.
    pub frame_count: i32,
    /// Numbers that say where tracks start, at the start of the stream.
    pub offset_count: i32,
    /// The same of sizes, behind them.
    pub scale_offset_count: i32,
    /// Numbers that a track has there.
    pub scale_strip_size: i32,
    /// Bytes of keys in the stream, behind the lists of numbers.
    pub byte_count: i32,
}

impl CompressedAnimation {
    /// How the keys are stored, and the number of frames; `None` of keys that another codec has packed.
    pub fn forms(&self) -> Option<(KeyForms, i32)> {
        let EarlyKeyForms { formats, frame_count, offset_count, .. } = self.early_form;
        let EarlyKeyForms { scale_offset_count, scale_strip_size, byte_count, .. } =
            self.early_form;
        let early =
            KeyForms { formats, byte_count, offset_count, scale_offset_count, scale_strip_size };
        match self.form {
            Some(form) => Some((form, self.frame_count)),
            None => (early != KeyForms::default()).then_some((early, frame_count)),
        }
    }
}

/// Bytes of [`KeyForms`].
const FORM_SIZE: u64 = 20;

/// Whether they are there nothing says but what is left of the body: behind them stands one number, or none.
fn key_forms<A: Archive + ?Sized>(value: &mut Option<KeyForms>, ar: &mut A) -> Result<()> {
    let form = ar.form("with", &["", "forms"], i64::from(value.is_some()));
    if ar.is_loading() {
        let behind = match custom_version(ar, custom::FORTNITE_MAIN)
            < custom::fortnite_main::ANIM_SEQUENCE_RAW_DATA_ONLY_FLAG_REMOVAL
        {
            true => 4,
            false => 0,
        };
        let may_be = remaining(ar) == FORM_SIZE + behind;
        *value = form.map_or(may_be, |form| form == 1).then(Default::default);
    }
    present(value, ar)
}

/// The bytes of packed keys: here, or in bulk data.
#[derive(Described, Debug, Clone, Default, PartialEq)]
pub struct KeyStream {
    /// Bytes.
    pub size: i32,
    /// Whether they are in bulk data.
    pub in_bulk: bool,
    /// The bulk data.
    pub bulk: BulkData,
    /// The bytes that are here.
    pub bytes: Span,
}

impl Archived for KeyStream {
    const LAYOUT: &'static Layout = Self::DESCRIBED;

    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        let mut size = match self.in_bulk {
            true => self.size,
            false => i32::try_from(self.bytes.len())
                .map_err(|_| Error::invalid("packed keys have more than 2 GiB"))?,
        };
        in_field("size", ar, |ar| size.serialize(ar))?;
        in_field("in_bulk", ar, |ar| self.in_bulk.serialize(ar))?;
        if ar.is_loading() {
            self.size = size;
        }
        if self.in_bulk {
            return in_field("bulk", ar, |ar| self.bulk.serialize(ar));
        }
        let length = u64::try_from(size).map_err(|_| Error::invalid("a negative size"))?;
        in_field("bytes", ar, |ar| ar.serialize_span(&mut self.bytes, length, Kind::Payload))
    }
}
