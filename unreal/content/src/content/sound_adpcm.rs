//! Sounds in Microsoft's ADPCM.

use super::sound_samples::{SoundSamples, check, damaged};
use super::wave_chunks::WaveChunks;
use crate::error::Result;

/// Microsoft's ADPCM, as WAV files number encodings.
pub(super) const ADPCM: u16 = 2;

/// A WAV file of Microsoft's ADPCM.
pub(super) struct AdpcmSound<'a> {
    channels: usize,
    sample_rate: u32,
    /// Bytes of a block, of all channels or of one.
    pub(super) block: usize,
    /// Whether the blocks of each channel stand behind each other, as the engine cooks them from UE4 on.
    pub(super) by_channel: bool,
    /// How samples are foretold: factors for the last two.
    pub(super) factors: Vec<[i32; 2]>,
    data: &'a [u8],
    /// Samples of each channel, where the file says it.
    length: Option<usize>,
    /// Whether the length stands behind the factors, and no chunk says it: the engine's files from UE4 on.
    pub(super) is_cooked: bool,
}

/// Bytes of a channel before its halves of bytes: the number of its factors, a step, two samples.
const HEAD: usize = 7;

/// The least step.
pub(super) const STEP_FLOOR: i32 = 16;

/// How the step changes by what was stored.
const STEPS: [i32; 16] =
    [230, 230, 230, 230, 307, 409, 512, 614, 768, 614, 512, 409, 307, 230, 230, 230];

impl<'a> AdpcmSound<'a> {
    /// The sound that a file holds; `None` for a file of another kind or encoding.
    pub fn of(file: &'a [u8]) -> Option<Self> {
        let wave = WaveChunks::of(file)?;
        if wave.short(0)? != ADPCM {
            return None;
        }
        let sample_rate = wave.long(4)?;
        let (channels, block) = (usize::from(wave.short(2)?), usize::from(wave.short(12)?));
        let count = usize::from(wave.short(20)?);
        let factor = |at: usize| {
            Some([wave.short(22 + at * 4)? as i16, wave.short(24 + at * 4)? as i16].map(i32::from))
        };
        let by_channel = channels > 1 && usize::from(wave.short(18)?) == samples_of(block, 1);
        // The engine says the length behind the factors.
        let behind = wave.long(22 + count * 4);
        let is_cooked = wave.length.is_none() && behind.is_some();
        let length = wave.length.or(behind).map(|it| it as usize);
        let factors = (0..count).map(factor).collect::<Option<Vec<_>>>()?;
        let in_block = if by_channel { 1 } else { channels };
        let fits = channels > 0 && block > in_block * HEAD && !factors.is_empty();
        let data = wave.data;
        fits.then_some(Self {
            channels,
            sample_rate,
            block,
            by_channel,
            factors,
            data,
            length,
            is_cooked,
        })
    }

    /// Samples of each channel: as many as the file says, else as many as its blocks hold.
    pub fn length(&self) -> usize {
        self.length.unwrap_or_else(|| self.stored_length())
    }

    /// As many samples of each channel as the blocks hold.
    fn stored_length(&self) -> usize {
        let (channels, size) = match self.by_channel {
            true => (1, self.size_of_channel()),
            false => (self.channels, self.data.len()),
        };
        let (whole, rest) = (size / self.block, size % self.block);
        let rest = if rest > channels * HEAD { samples_of(rest, channels) } else { 0 };
        whole.saturating_mul(samples_of(self.block, channels)).saturating_add(rest)
    }

    /// Bytes of the blocks of each channel, where they stand behind each other.
    fn size_of_channel(&self) -> usize {
        self.data.len() / self.block / self.channels * self.block
    }

    pub fn decoded(&self, most: usize) -> Result<SoundSamples> {
        // Two samples a byte at most.
        check(self.data.len().saturating_mul(2), most)?;
        let mut samples = match self.by_channel {
            true => {
                let size = self.size_of_channel().max(1);
                let parts = self.data.chunks_exact(size).take(self.channels);
                let parts = parts.map(|part| self.blocks(part, 1)).collect::<Result<Vec<_>>>()?;
                let frames = parts.iter().map(Vec::len).min().unwrap_or(0);
                (0..frames).flat_map(|frame| parts.iter().map(move |part| part[frame])).collect()
            }
            false => self.blocks(self.data, self.channels)?,
        };
        if let Some(end) = self.length.and_then(|length| length.checked_mul(self.channels)) {
            samples.truncate(end);
        }
        let channels = u16::try_from(self.channels).map_err(damaged)?;
        Ok(SoundSamples::new(channels, self.sample_rate, samples))
    }

    fn blocks(&self, data: &[u8], channels: usize) -> Result<Vec<i16>> {
        let mut samples = Vec::with_capacity(data.len() * 2);
        for block in data.chunks(self.block) {
            self.block(block, channels, &mut samples).ok_or_else(|| damaged("a block is cut"))?;
        }
        Ok(samples)
    }

    /// A block: for each channel how its samples are foretold, its step, its second sample, its first; then half a byte for
    /// each further one.
    fn block(&self, block: &[u8], channels: usize, samples: &mut Vec<i16>) -> Option<()> {
        let short = |at: usize| Some(i16::from_le_bytes(*block.get(at..)?.first_chunk()?));
        let mut states = Vec::with_capacity(channels);
        for channel in 0..channels {
            let factors = *self.factors.get(usize::from(*block.get(channel)?))?;
            let at = |part: usize| channels + (part * channels + channel) * 2;
            let [step, last, before] = [short(at(0))?, short(at(1))?, short(at(2))?].map(i32::from);
            states.push(BlockState { factors, step, last, before });
        }
        samples.extend(states.iter().map(|state| state.before as i16));
        samples.extend(states.iter().map(|state| state.last as i16));
        let halves = block.get(channels * HEAD..)?.iter().flat_map(|byte| [byte >> 4, byte & 15]);
        samples.extend(halves.enumerate().map(|(at, half)| states[at % channels].next(half)));
        Some(())
    }
}

/// Samples of each channel in a block of this size: two in its head, two in each byte behind it.
pub(super) fn samples_of(block: usize, channels: usize) -> usize {
    block.saturating_sub(channels * HEAD) * 2 / channels + 2
}

/// What the next sample of a channel hangs on.
pub(super) struct BlockState {
    pub factors: [i32; 2],
    pub step: i32,
    pub last: i32,
    pub before: i32,
}

impl BlockState {
    /// The next sample as the last two foretell it.
    pub fn foretold(&self) -> i32 {
        (self.last * self.factors[0]).saturating_add(self.before * self.factors[1]) >> 8
    }

    /// The next sample, by half a byte.
    pub fn next(&mut self, half: u8) -> i16 {
        let signed = (i32::from(half) ^ 8) - 8;
        let sample = (self.foretold() + signed * self.step).clamp(-0x8000, 0x7FFF);
        self.step = ((STEPS[usize::from(half)] * self.step) >> 8).clamp(STEP_FLOOR, 1 << 20);
        (self.before, self.last) = (self.last, sample);
        sample as i16
    }
}
