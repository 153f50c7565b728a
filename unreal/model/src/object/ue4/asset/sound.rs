//! Sounds.

use crate::archive::layout::Layout;
use crate::archive::{Role, in_field};
use crate::error::Result;
use crate::object::optional::optional;
use crate::object::ue4::bulk::{BulkData, EditorBulkData, FormatContainer};
use crate::object::ue4::condition::{
    custom as custom_version, from_release, has_editor_data, remaining,
};
use crate::object::ue4::strip::StripFlags;
use crate::primitive::{FString, Guid, Name, PackageIndex, StoredName, array};
use crate::version::{UE4, custom};
use crate::{Archive, ArchiveExt, Archived, Described};

/// First UE4 version whose sound cues say what was left out; between 482 and 490.
const STRIPPED_CUES: u32 = 485;

/// Sounds put together from nodes, and each of the nodes: nothing but its node in the editor.
///
/// Spec: ue4-5/09 §11. C++: `USoundCue`, `USoundNode`.
#[derive(Archived, Debug, Clone, Copy, Default, PartialEq)]
pub struct SoundCue {
    /// Flags of the parts that were left out.
    #[since(ue4 = STRIPPED_CUES)]
    pub strip: StripFlags,
    /// The graph, or its node.
    #[archive(when = has_editor_data(ar))]
    pub graph: PackageIndex,
}

/// Plays a sound.
///
/// Spec: ue4-5/09 §11. C++: `USoundNodeWavePlayer`.
#[derive(Archived, Debug, Clone, Copy, Default, PartialEq)]
pub struct SoundNodeWavePlayer {
    /// The part that all nodes have.
    pub base: SoundCue,
    /// The sound: from then on the node keeps it in memory.
    #[since(custom = custom::FRAMEWORK, custom::framework::HARD_SOUND_REFERENCES)]
    pub sound_wave: PackageIndex,
}

/// A sound.
///
/// Spec: ue4-5/05 §8, 09 §11. C++: `USoundWave`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct SoundWave {
    /// 1: cooked.
    pub flags: u32,
    /// How it is compressed.
    #[since(ue4 = 392)]
    #[until(custom = custom::FRAMEWORK, custom::framework::REMOVE_SOUND_WAVE_COMPRESSION_NAME)]
    pub compression_name: StoredName,
    /// Points in time with a name.
    #[archive(when = self.flags & 1 != 0 && from_release(ar, 5, 4))]
    pub cue_points: Vec<CuePoint>,
    /// Samples.
    #[archive(with = samples)]
    pub samples: Samples,
}

/// A point in time with a name. C++: `FSoundWaveCuePoint`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct CuePoint {
    /// Its number.
    pub id: i32,
    /// Its name.
    pub label: FString,
    /// Its first frame.
    pub frame_position: i32,
    /// Its frames.
    pub frame_length: i32,
}

/// Samples of a sound.
#[derive(Described, Debug, Clone, PartialEq)]
pub enum Samples {
    /// As imported; then a name.
    Raw(BulkData, Guid),
    /// As imported, kept elsewhere; then a name.
    RawElsewhere(EditorBulkData, Guid),
    /// For every format; then a name.
    Formats(FormatContainer, Guid),
    /// A name, and what streams.
    Streamed(Guid, Option<Box<StreamedAudio>>),
}

impl Default for Samples {
    fn default() -> Self {
        Self::Streamed(Guid::default(), None)
    }
}

/// A sound in pieces: their number, their format, the pieces.
///
/// Spec: ue4-5/05 §8. C++: `FStreamedAudioPlatformData`.
#[derive(Described, Debug, Clone, Default, PartialEq)]
pub struct StreamedAudio {
    /// Their format.
    pub format: Name,
    /// The pieces.
    pub chunks: Vec<StreamedChunk>,
}

impl Archived for StreamedAudio {
    const LAYOUT: &'static Layout = Self::DESCRIBED;

    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        let mut count = array::u32_count(self.chunks.len(), ar)?;
        in_field("count", ar, |ar| ar.serialize_u32(&mut count))?;
        ar.role(Role::Count);
        array::mark_empty(count as usize, ar);
        in_field("format", ar, |ar| self.format.serialize(ar))?;
        in_field("chunks", ar, |ar| array::elements(&mut self.chunks, count as usize, ar))
    }
}

/// A piece of a sound. Spec: ue4-5/05 §8. C++: `FStreamedAudioChunk`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct StreamedChunk {
    /// 1: cooked, 2: with a place in the sound, 4: kept with the first piece.
    pub flags: u32,
    /// Its bytes.
    pub bulk: BulkData,
    /// Their number.
    pub data_size: i32,
    /// The bytes of it that are sound.
    pub audio_data_size: i32,
    /// Its first frame in the sound.
    #[archive(when = self.flags & 2 != 0)]
    pub seek_offset: u32,
}

impl Archived for Samples {
    const LAYOUT: &'static Layout = Self::DESCRIBED;

    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        match self {
            Self::Raw(bulk, guid) => named("raw_data", bulk, guid, ar),
            Self::RawElsewhere(bulk, guid) => named("raw_data", bulk, guid, ar),
            Self::Formats(formats, guid) => named("formats", formats, guid, ar),
            Self::Streamed(guid, audio) => {
                in_field("compressed_data_guid", ar, |ar| guid.serialize(ar))?;
                optional(audio, "streamed", ar)
            }
        }
    }
}

/// Samples, then their name.
fn named<T: Archived, A: Archive + ?Sized>(
    name: &'static str,
    samples: &mut T,
    guid: &mut Guid,
    ar: &mut A,
) -> Result<()> {
    in_field(name, ar, |ar| samples.serialize(ar))?;
    in_field("compressed_data_guid", ar, |ar| guid.serialize(ar))
}

/// The first form that ends where the body does: none of them says which it is.
fn samples<A: Archive + ?Sized>(samples: &mut Samples, ar: &mut A) -> Result<()> {
    let known = i64::from(matches!(samples, Samples::Streamed(..)));
    let form = ar.form("form", &["whole", "streamed"], known);
    if !ar.is_loading() {
        return samples.serialize(ar);
    }
    let guid = Guid::default;
    let cooked = !has_editor_data(ar);
    let elsewhere =
        custom_version(ar, custom::UE5_MAIN) >= custom::ue5_main::SOUND_WAVE_VIRTUALIZATION_UPDATE;
    let first = match () {
        () if cooked => Samples::Formats(FormatContainer::default(), guid()),
        () if elsewhere => Samples::RawElsewhere(EditorBulkData::default(), guid()),
        () => Samples::Raw(BulkData::default(), guid()),
    };
    *samples = first;
    if form == Some(0) {
        return samples.serialize(ar);
    }
    let size = remaining(ar);
    if form.is_none() && ar.part(size, &mut |ar| samples.serialize(ar)).is_ok() {
        return Ok(());
    }
    *samples = Samples::Streamed(guid(), cooked.then(Box::default));
    samples.serialize(ar)
}

/// What a voice says.
///
/// C++: `UDialogueWave`.
#[derive(Archived, Debug, Clone, Copy, Default, PartialEq)]
pub struct DialogueWave {
    /// Whether it was cooked.
    pub cooked: bool,
}
