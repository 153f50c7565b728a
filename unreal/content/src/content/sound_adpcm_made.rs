//! Sounds made in the ADPCM of cooked ones.

use super::sound_adpcm::{ADPCM, AdpcmSound, BlockState, STEP_FLOOR, samples_of};
use super::sound_samples::{SoundSamples, damaged};
use crate::error::Result;

/// Bytes of the format chunk that the engine writes: seven pairs of factors, then the length.
const FORMAT: usize = 54;

impl AdpcmSound<'_> {
    /// A WAV file of these samples as the engine cooks it: with the blocks and factors of this one, those of each channel
    /// behind each other, and no chunk of its length, which stands behind the factors.
    ///
    /// # Errors
    /// `Invalid` for more samples than such a file has room for.
    pub fn with(&self, sound: &SoundSamples) -> Result<Vec<u8>> {
        let channels = usize::from(sound.channels()).max(1);
        let frames = sound.samples().len() / channels;
        let in_block = samples_of(self.block, 1);
        let rate = sound.sample_rate();
        let too_long = |_| damaged("a WAV file has at most 4 GiB");
        let mut data = Vec::new();
        let (mut part, mut tried) = (Vec::with_capacity(in_block), Vec::with_capacity(self.block));
        for channel in 0..channels {
            let mut samples = sound.samples().iter().skip(channel).step_by(channels).copied();
            loop {
                part.clear();
                part.extend(samples.by_ref().take(in_block));
                let Some(last) = part.last().copied() else { break };
                part.resize(in_block, last);
                self.encode(&part, &mut tried, &mut data);
            }
        }
        let mut format = Vec::with_capacity(FORMAT);
        let short = |number: usize| u16::try_from(number).unwrap_or(u16::MAX).to_le_bytes();
        format.extend(ADPCM.to_le_bytes());
        format.extend(sound.channels().to_le_bytes());
        format.extend(rate.to_le_bytes());
        // Whole blocks a second, of one channel: so in every file seen.
        let blocks = rate / u32::try_from(in_block).unwrap_or(u32::MAX);
        format.extend(
            blocks.saturating_mul(u32::from(u16::from_le_bytes(short(self.block)))).to_le_bytes(),
        );
        format.extend(short(self.block));
        format.extend(short(4));
        // What follows, without the length.
        format.extend(short(4 + self.factors.len() * 4 + 4));
        format.extend(short(in_block));
        format.extend(short(self.factors.len()));
        for factor in self.factors.iter().flatten() {
            format.extend((*factor as i16).to_le_bytes());
        }
        format.extend(u32::try_from(frames).map_err(too_long)?.to_le_bytes());
        let mut file = b"RIFF\0\0\0\0WAVE".to_vec();
        for (name, part) in [(b"fmt ", &format), (b"data", &data)] {
            file.extend(name);
            file.extend(u32::try_from(part.len()).map_err(too_long)?.to_le_bytes());
            file.extend(part);
        }
        let size = u32::try_from(file.len() - 8).map_err(too_long)?;
        file[4..8].copy_from_slice(&size.to_le_bytes());
        Ok(file)
    }

    /// A block of one channel, by the factors that come nearest to its samples.
    fn encode(&self, samples: &[i16], tried: &mut Vec<u8>, data: &mut Vec<u8>) {
        let start = data.len();
        let mut least = u64::MAX;
        for (number, factors) in self.factors.iter().enumerate().take(256) {
            tried.clear();
            let away = encode_by(samples, number as u8, *factors, tried);
            if away < least {
                least = away;
                data.truncate(start);
                data.extend_from_slice(tried);
            }
        }
    }
}

/// A block by one pair of factors, and the squares of how far its samples are away.
fn encode_by(samples: &[i16], number: u8, factors: [i32; 2], block: &mut Vec<u8>) -> u64 {
    let (before, last) = (i32::from(samples[0]), i32::from(samples[1]));
    let mut state = BlockState { factors, step: STEP_FLOOR, last, before };
    // The first step is a fourth of how far the first samples are from what is foretold.
    let mut ahead = BlockState { factors, step: STEP_FLOOR, last, before };
    let (mut sum, mut count) = (0_i64, 0_i64);
    for sample in samples[2..].iter().take(8).map(|it| i32::from(*it)) {
        sum += i64::from(sample - ahead.foretold()).abs();
        count += 1;
        (ahead.before, ahead.last) = (ahead.last, sample);
    }
    let step = (sum / count.max(1) / 4) as i32;
    state.step = step.clamp(STEP_FLOOR, i32::from(i16::MAX));
    block.push(number);
    for part in [state.step, last, before] {
        block.extend((part as i16).to_le_bytes());
    }
    let mut away = 0_u64;
    let mut half = |sample: i16, state: &mut BlockState| {
        let (sample, foretold) = (i32::from(sample), state.foretold());
        let distance = sample - foretold;
        let nearest = (distance + distance.signum() * state.step / 2) / state.step;
        let half = (nearest.clamp(-8, 7) & 15) as u8;
        let made = state.next(half);
        away += u64::from((i32::from(made) - sample).unsigned_abs()).pow(2);
        half
    };
    for pair in samples[2..].chunks_exact(2) {
        let high = half(pair[0], &mut state);
        block.push(high << 4 | half(pair[1], &mut state));
    }
    away
}
