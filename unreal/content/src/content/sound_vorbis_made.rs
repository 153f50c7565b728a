//! Sounds made in Ogg Vorbis.
//!
//! The crate's encoder is written in C, the one of Xiph with the patches of aoTuV; none in Rust is kept. What it gets are
//! samples alone, never bytes of a file.

use std::num::{NonZeroU8, NonZeroU32};

use vorbis_rs::{VorbisBitrateManagementStrategy, VorbisEncoderBuilder};

use super::sound_samples::SoundSamples;
use crate::error::{Error, Result};

/// The number that pages of the file have in common: always the same, so that one sound gives one file.
const SERIAL: i32 = 1;
/// Samples of a channel that are handed over together.
const AT_ONCE: usize = 1 << 14;

impl SoundSamples {
    /// An Ogg file of Vorbis, of a quality from 1 to 100. C++: `CompressionQuality`.
    ///
    /// # Errors
    /// `Invalid` for more than two channels, whose order differs between kinds of files, and for what the encoder does not take.
    pub(super) fn to_vorbis(&self, quality: i32) -> Result<Vec<u8>> {
        let fail = |why: vorbis_rs::VorbisError| Error::invalid(format!("no Ogg file: {why}"));
        let count = usize::from(self.channels());
        let channels =
            u8::try_from(count).ok().filter(|count| *count <= 2).and_then(NonZeroU8::new);
        let rate = NonZeroU32::new(self.sample_rate());
        let (Some(channels), Some(rate)) = (channels, rate) else {
            let reason = format!("{count} channels are not made into an Ogg file: one or two are");
            return Err(Error::invalid(reason));
        };
        let mut builder = VorbisEncoderBuilder::new_with_serial(rate, channels, Vec::new(), SERIAL);
        let target_quality = quality.clamp(1, 100) as f32 / 100.0;
        builder.bitrate_management_strategy(VorbisBitrateManagementStrategy::QualityVbr {
            target_quality,
        });
        let mut encoder = builder.build().map_err(fail)?;
        let mut parts = vec![Vec::with_capacity(AT_ONCE); count];
        for frames in self.samples().chunks(AT_ONCE * count) {
            parts.iter_mut().for_each(Vec::clear);
            for frame in frames.chunks_exact(count) {
                for (part, sample) in parts.iter_mut().zip(frame) {
                    part.push(f32::from(*sample) / 32768.0);
                }
            }
            encoder.encode_audio_block(&parts).map_err(fail)?;
        }
        encoder.finish().map_err(fail)
    }
}
