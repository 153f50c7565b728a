//! Sounds as samples of 16 bits, from files of other kinds than those that the editor takes.

use std::borrow::Cow;
use std::io::Cursor;

use super::sound::WaveFacts;
use super::sound_adpcm::AdpcmSound;
use super::sound_vorbis;
use super::values::value;
use crate::error::{Error, Result, UnrealErrors};
use crate::guard::guarded;
use crate::object::Body;
use crate::package::Package;
use crate::property::Value;

/// Bytes of samples that any file may have, and how many times its own.
const LARGEST: u64 = 256 << 20;
const LARGEST_FACTOR: u64 = 64;

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

/// A WAV file of PCM of the sound that a file of Ogg Vorbis or FLAC holds, or one of WAV in another encoding or of other bits a
/// sample than these; any other file as it is. Samples of more bits than 16 lose the lowest ones.
///
/// # Errors
/// As [`SoundSamples::read`].
pub(super) fn as_wave<'a>(file: &'a [u8], bits: &[u16]) -> Result<Cow<'a, [u8]>> {
    if is_ogg(file) || is_flac(file) {
        return SoundSamples::read(file)?.to_wave().map(Cow::Owned);
    }
    let is_plain = WaveFacts::read(file).is_ok_and(|facts| bits.contains(&facts.bits));
    // What can't be read is said by who takes the file.
    let made = (!is_plain && file.starts_with(b"RIFF")).then(|| SoundSamples::read(file));
    match made {
        Some(Ok(samples)) => samples.to_wave().map(Cow::Owned),
        _ => Ok(Cow::Borrowed(file)),
    }
}

/// An Ogg file of Vorbis of the sound that another file holds: the old one where both are the same sound once decoded. An Ogg file
/// is left as it is, and what can't be read: who takes it says what is wrong.
///
/// # Errors
/// `Invalid` for more than two channels, and for what the encoder does not take.
pub(super) fn as_vorbis<'a>(old: &'a [u8], file: &'a [u8], quality: i32) -> Result<Cow<'a, [u8]>> {
    let Some(samples) = (!is_ogg(file)).then(|| SoundSamples::read(file).ok()).flatten() else {
        return Ok(file.into());
    };
    match SoundSamples::read(old) {
        Ok(stored) if stored == samples => Ok(old.into()),
        #[cfg(feature = "vorbis-encoder")]
        _ => samples.to_vorbis(quality).map(Cow::Owned),
        // Without the encoder the file is refused, as it is.
        #[cfg(not(feature = "vorbis-encoder"))]
        _ => {
            let _ = quality;
            Ok(file.into())
        }
    }
}

/// How well the class of a sound encodes, from 1 to 100, by its object.
pub(super) fn quality(package: &Package, body: &Body) -> i32 {
    let list = body.lists().next();
    match list.and_then(|list| value(package, list, "CompressionQuality")) {
        Some(Value::Int(quality)) => *quality,
        _ => USUAL_QUALITY,
    }
}

/// What the classes of all engines have where an object says nothing else.
const USUAL_QUALITY: i32 = 40;

/// Bits of a sample of PCM that players of UE1 to UE3 take.
pub(super) const PLAYED_BITS: [u16; 2] = [8, 16];

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
