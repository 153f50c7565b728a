//! Sounds as samples of 16 bits, from files of other kinds than those that the editor takes.

use std::borrow::Cow;
use std::io::Cursor;

use super::sound_vorbis;
use super::wave_chunks::WaveChunks;
use crate::error::{Error, Result, UnrealErrors};
use crate::guard::guarded;

/// Bytes of samples that any file may have, and how many times its own.
const LARGEST: u64 = 256 << 20;
const LARGEST_FACTOR: u64 = 64;
/// Microsoft's ADPCM, as WAV files number encodings.
const ADPCM: u16 = 2;

/// The samples of a sound, those of all channels in turn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SoundSamples {
    channels: u16,
    sample_rate: u32,
    samples: Vec<i16>,
}

fn is_ogg(file: &[u8]) -> bool {
    file.starts_with(b"OggS")
}

fn is_flac(file: &[u8]) -> bool {
    file.starts_with(b"fLaC")
}

/// A WAV file of the sound that a file of Ogg Vorbis or FLAC holds; any other file as it is.
///
/// # Errors
/// As [`SoundSamples::read`].
pub(super) fn as_wave(file: &[u8]) -> Result<Cow<'_, [u8]>> {
    match is_ogg(file) || is_flac(file) {
        true => SoundSamples::read(file)?.to_wave().map(Cow::Owned),
        false => Ok(Cow::Borrowed(file)),
    }
}

impl SoundSamples {
    pub(super) fn new(channels: u16, sample_rate: u32, samples: Vec<i16>) -> Self {
        Self { channels, sample_rate, samples }
    }

    /// The samples of a WAV file (PCM of 8 to 32 bits, Microsoft's ADPCM), of Ogg Vorbis or FLAC; those of more than 16 bits
    /// lose the lowest ones.
    ///
    /// # Errors
    /// `Unsupported` for files of other kinds; `Invalid` for damaged ones and those of far more samples than bytes.
    pub fn read(file: &[u8]) -> Result<Self> {
        let most = LARGEST.max((file.len() as u64).saturating_mul(LARGEST_FACTOR)) / 2;
        let most = usize::try_from(most).unwrap_or(usize::MAX);
        let made = match () {
            () if is_ogg(file) => of_crate(|| sound_vorbis::samples(file, most))?,
            () if is_flac(file) => of_crate(|| flac(file, most))?,
            () if file.starts_with(b"RIFF") => wave(file, most)?,
            () => return Err(Error::unsupported("sounds in this encoding can't be decoded")),
        };
        match made.channels > 0 && made.sample_rate > 0 {
            true => Ok(made),
            false => Err(damaged("it has no channels, or no samples a second")),
        }
    }

    /// A sound as a WAV file: one of PCM as it is, another of 16 bits.
    ///
    /// # Errors
    /// As [`Self::read`] and [`Self::to_wave`].
    pub fn decoded(file: &[u8]) -> Result<Cow<'_, [u8]>> {
        match hound::WavReader::new(Cursor::new(file)) {
            Ok(_) => Ok(Cow::Borrowed(file)),
            Err(_) => Self::read(file)?.to_wave().map(Cow::Owned),
        }
    }

    /// Whether a WAV file of ADPCM has blocks of one channel each.
    pub(super) fn is_by_channel(file: &[u8]) -> bool {
        AdpcmSound::of(file).is_some_and(|sound| sound.by_channel)
    }

    /// A WAV file of 16 bits.
    ///
    /// # Errors
    /// `Invalid` for more samples than such a file has room for.
    pub fn to_wave(&self) -> Result<Vec<u8>> {
        let fail = |why: hound::Error| Error::invalid(format!("no WAV file: {why}"));
        let spec = hound::WavSpec {
            channels: self.channels,
            sample_rate: self.sample_rate,
            bits_per_sample: 16,
            sample_format: hound::SampleFormat::Int,
        };
        let mut file = Cursor::new(Vec::with_capacity(self.samples.len() * 2 + 64));
        let mut writer = hound::WavWriter::new(&mut file, spec).map_err(fail)?;
        let mut whole = writer.get_i16_writer(
            u32::try_from(self.samples.len())
                .map_err(|_| Error::invalid("a WAV file has at most 4 GiB"))?,
        );
        self.samples.iter().for_each(|sample| whole.write_sample(*sample));
        whole.flush().map_err(fail)?;
        writer.finalize().map_err(fail)?;
        Ok(file.into_inner())
    }

    /// Number of channels.
    pub fn channels(&self) -> u16 {
        self.channels
    }

    /// Samples a second.
    pub fn sample_rate(&self) -> u32 {
        self.sample_rate
    }

    /// The samples, those of all channels in turn.
    pub fn samples(&self) -> &[i16] {
        &self.samples
    }
}

pub(super) fn damaged(why: impl std::fmt::Display) -> Error {
    Error::invalid(format!("the sound can't be decoded: {why}"))
}

pub(super) fn check(count: usize, most: usize) -> Result<()> {
    match count <= most {
        true => Ok(()),
        false => Err(damaged("it has far more samples than bytes")),
    }
}

/// What a crate makes of bytes that it may not be made for.
fn of_crate(read: impl FnOnce() -> Result<SoundSamples>) -> Result<SoundSamples> {
    guarded(read).unwrap_or_else(|| Err(damaged("it is none that an encoder writes")))
}

fn flac(file: &[u8], most: usize) -> Result<SoundSamples> {
    let mut reader = claxon::FlacReader::new(Cursor::new(file)).map_err(damaged)?;
    let info = reader.streaminfo();
    let channels = u16::try_from(info.channels).map_err(damaged)?;
    let mut samples = Vec::new();
    for sample in reader.samples() {
        samples.push(of_bits(sample.map_err(damaged)?, info.bits_per_sample));
        check(samples.len(), most)?;
    }
    Ok(SoundSamples { channels, sample_rate: info.sample_rate, samples })
}

/// A sample of so many bits as one of 16.
fn of_bits(sample: i32, bits: u32) -> i16 {
    match bits {
        0..=16 => (sample << (16 - bits)) as i16,
        bits => (sample >> (bits.min(32) - 16)) as i16,
    }
}

fn wave(file: &[u8], most: usize) -> Result<SoundSamples> {
    if let Some(sound) = AdpcmSound::of(file) {
        return sound.decoded(most);
    }
    let mut reader = hound::WavReader::new(Cursor::new(file)).map_err(damaged)?;
    let spec = reader.spec();
    check(usize::try_from(reader.len()).unwrap_or(usize::MAX), most)?;
    let bits = u32::from(spec.bits_per_sample);
    let samples = match spec.sample_format {
        hound::SampleFormat::Int => {
            let all = reader.samples::<i32>();
            all.map(|it| it.map(|it| of_bits(it, bits))).collect::<Result<Vec<_>, _>>()
        }
        hound::SampleFormat::Float => {
            let whole = |it: f32| (it.clamp(-1.0, 1.0) * 32767.0).round() as i16;
            reader.samples::<f32>().map(|it| it.map(whole)).collect()
        }
    };
    let samples = samples.map_err(damaged)?;
    Ok(SoundSamples { channels: spec.channels, sample_rate: spec.sample_rate, samples })
}

/// A WAV file of Microsoft's ADPCM.
struct AdpcmSound<'a> {
    channels: usize,
    sample_rate: u32,
    /// Bytes of a block, of all channels or of one.
    block: usize,
    /// Whether the blocks of each channel stand behind each other, as the engine cooks them from UE4 on.
    by_channel: bool,
    /// How samples are foretold: factors for the last two.
    factors: Vec<[i32; 2]>,
    data: &'a [u8],
    /// Samples of each channel, where the file says it.
    length: Option<usize>,
}

/// How the step changes by what was stored.
const STEPS: [i32; 16] =
    [230, 230, 230, 230, 307, 409, 512, 614, 768, 614, 512, 409, 307, 230, 230, 230];

impl<'a> AdpcmSound<'a> {
    fn of(file: &'a [u8]) -> Option<Self> {
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
        let by_channel =
            channels > 1 && usize::from(wave.short(18)?) == block.saturating_sub(7) * 2 + 2;
        // The engine says the length behind the factors.
        let length = wave.length.or_else(|| wave.long(22 + count * 4)).map(|it| it as usize);
        let factors = (0..count).map(factor).collect::<Option<Vec<_>>>()?;
        let in_block = if by_channel { 1 } else { channels };
        let fits = channels > 0 && block > in_block * 7 && !factors.is_empty();
        let data = wave.data;
        fits.then_some(Self { channels, sample_rate, block, by_channel, factors, data, length })
    }

    fn decoded(&self, most: usize) -> Result<SoundSamples> {
        // Two samples a byte at most.
        check(self.data.len().saturating_mul(2), most)?;
        let mut samples = match self.by_channel {
            true => {
                let size = self.data.len() / self.block / self.channels * self.block;
                let parts = self.data.chunks_exact(size.max(1)).take(self.channels);
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
        Ok(SoundSamples { channels, sample_rate: self.sample_rate, samples })
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
            let [step, last, before] = [short(at(0))?, short(at(1))?, short(at(2))?];
            states.push((factors, i32::from(step), [last, before].map(i32::from)));
        }
        samples.extend(states.iter().map(|(_, _, [_, before])| *before as i16));
        samples.extend(states.iter().map(|(_, _, [last, _])| *last as i16));
        let halves = block.get(channels * 7..)?.iter().flat_map(|byte| [byte >> 4, byte & 15]);
        for (number, half) in halves.enumerate() {
            let (factors, step, [last, before]) = &mut states[number % channels];
            let signed = (i32::from(half) ^ 8) - 8;
            let foretold = (*last * factors[0]).saturating_add(*before * factors[1]) >> 8;
            let sample = (foretold + signed * *step).clamp(-0x8000, 0x7FFF);
            *step = ((STEPS[usize::from(half)] * *step) >> 8).clamp(16, 1 << 20);
            (*before, *last) = (*last, sample);
            samples.push(sample as i16);
        }
        Some(())
    }
}
