//! Classes of Mass Effect and XCOM 2 that add little.

use crate::archive::layout::Layout;
use crate::archive::{Role, in_field};
use crate::error::{ErrorKind, Result};
use crate::object::game::{is_first_game, is_mass_effect_1_2};
use crate::primitive::{Guid, Map, Name, PackageIndex, Payload};
use crate::{Archive, ArchiveExt, Archived, Described};

/// Which animations of a set are used how often. Spec: ue1-3/11 §11.11. C++: `UBioDynamicAnimSet`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct BioDynamicAnimSet {
    /// Names of sequences with numbers.
    pub sequences: Map<Name, i32>,
}

/// A pawn. Spec: ue1-3/11 §11.11. C++: `ABioPawn`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct BioPawn {
    /// Objects by name.
    pub objects: Map<Name, PackageIndex>,
}

/// A rumble of the controller: in Mass Effect 1 and 2 its samples. Spec: ue1-3/11 §11.11.
/// C++: `UForceFeedbackWaveform`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct ForceFeedbackWaveform {
    /// Whether it starts again.
    #[archive(when = is_mass_effect_1_2(ar))]
    pub is_looping: bool,
    /// Samples.
    #[archive(when = is_mass_effect_1_2(ar))]
    pub samples: Vec<ForceFeedbackSample>,
}

/// A part of a [`ForceFeedbackWaveform`]. Spec: ue1-3/11 §11.11. C++: `FWaveformSample`.
#[derive(Archived, Debug, Clone, Copy, Default, PartialEq)]
pub struct ForceFeedbackSample {
    /// Strength on the left and right, their course on the left and right.
    pub bytes: [u8; 4],
    /// Seconds.
    pub duration: f32,
}

/// Sends events of the game; Mass Effect 1 and 2. Spec: ue1-3/11 §11.11.
#[derive(Archived, Debug, Clone, Copy, Default, PartialEq)]
pub struct BioGamePropertyEventDispatcher {
    /// Of unknown meaning.
    pub numbers: [i32; 2],
}

/// Sounds that are read while they play; Mass Effect 1 on Xbox 360. C++: `UBioSoundNodeWaveStreamingData`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct BioSoundNodeWaveStreamingData {
    /// A RIFF file.
    pub data: Payload<1>,
}

/// Something that does not move; Mass Effect 1. Spec: ue1-3/11 §11.11. C++: `ABioInert`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct BioInert {
    /// GUIDs by name, none in every known file.
    #[archive(when = is_first_game(ar))]
    pub guids: Vec<(Name, Guid)>,
}

/// Behaviour of placed things; Mass Effect 1. Spec: ue1-3/11 §11.11. C++: `UBioArtPlaceableBehavior`.
#[derive(Archived, Debug, Clone, Copy, Default, PartialEq)]
pub struct BioArtPlaceableBehavior {
    /// Of unknown meaning.
    #[archive(when = is_first_game(ar))]
    pub unknown: i32,
}

/// Sounds of a soldier's voice; XCOM 2. Spec: ue1-3/11 §11.11. C++: `UXComCharacterVoiceBank_X2`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct XComCharacterVoiceBank {
    /// Sounds by event.
    pub sounds: Map<Name, PackageIndex>,
}

/// Gestures of Mass Effect 3: a list of which only empty ones are known.
///
/// Spec: ue1-3/11 §11.11. C++: `UBioGestureAnimSetMgr`.
#[derive(Described, Debug, Clone, Copy, Default, PartialEq)]
pub struct BioGestureAnimSetMgr;

impl Archived for BioGestureAnimSetMgr {
    const LAYOUT: &'static Layout = Self::DESCRIBED;

    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        let mut count = 0;
        ar.serialize_i32(&mut count)?;
        ar.role(Role::Count);
        match count {
            0 => Ok(()),
            _ => Err(ar.error(ErrorKind::NonCanonical { form: "a list of gestures" })),
        }
    }
}

/// A stage for conversations, Mass Effect 3: a list of cameras, of which only empty ones are known.
///
/// C++: `ABioStage`.
#[derive(Described, Debug, Clone, Copy, Default, PartialEq)]
pub struct BioStage {
    /// The list, after its bytes; 0 bytes where there is none.
    pub cameras: Option<StageCameras>,
}

/// The cameras of a stage: none.
#[derive(Archived, Debug, Clone, Copy, Default, PartialEq)]
pub struct StageCameras {
    /// Name of the list.
    pub name: Name,
    /// The number of cameras among zeros.
    pub numbers: [i32; 3],
}

impl Archived for BioStage {
    const LAYOUT: &'static Layout = Self::DESCRIBED;

    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        /// A name and three numbers.
        const EMPTY: i32 = 20;
        let mut size = if self.cameras.is_some() { EMPTY } else { 0 };
        in_field("size", ar, |ar| ar.serialize_i32(&mut size))?;
        ar.role(Role::Size);
        if ar.is_loading() {
            self.cameras = (size != 0).then(StageCameras::default);
        }
        let Some(cameras) = &mut self.cameras else { return Ok(()) };
        in_field("cameras", ar, |ar| cameras.serialize(ar))?;
        match (size, cameras.numbers) {
            (EMPTY, [0, 0, 0]) => Ok(()),
            _ => Err(ar.error(ErrorKind::NonCanonical { form: "a list of cameras" })),
        }
    }
}
