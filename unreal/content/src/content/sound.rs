//! Sounds and music.

use std::borrow::Cow;
use std::io::Cursor;

use super::Contents;
use super::sound_adpcm::AdpcmSound;
use super::sound_samples::{PLAYED_BITS, SoundSamples, as_vorbis, as_wave, quality};
use super::ue4::LaterSounds;
use super::values::{set_value, typed_mut};
use crate::content::PackageContents;
use crate::edit::{Edit, NewProperties};
use crate::error::{Error, Result, UnrealErrors};
use crate::object::ue1;
use crate::object::ue3::asset::sound::SoundNodeWave;
use crate::object::ue4::asset::sound::{Samples, SoundWave};
use crate::package::decode::native_as_mut;
use crate::package::native_as;
use crate::primitive::{LazyPayload, Name};
use crate::property::Value;
use crate::version::{EngineFacts, UnrealVersions};

/// Facts about the sound of a WAV file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct WaveFacts {
    /// Number of channels.
    pub channels: u16,
    /// Samples a second.
    pub sample_rate: u32,
    /// Bits of a sample.
    pub bits: u16,
    /// Samples of each channel.
    pub length: u32,
}

impl WaveFacts {
    /// Reads the header of a WAV file.
    ///
    /// # Errors
    /// `Invalid` when it is no WAV file of whole-number samples.
    pub fn read(file: &[u8]) -> Result<Self> {
        let reader = hound::WavReader::new(Cursor::new(file))
            .map_err(|why| Error::invalid(format!("no WAV file that games can play: {why}")))?;
        let spec = reader.spec();
        if spec.sample_format != hound::SampleFormat::Int
            || !PLAYED_BITS.contains(&spec.bits_per_sample)
        {
            let bits = spec.bits_per_sample;
            return Err(Error::invalid(format!(
                "{bits}-bit samples; games play 8 and 16 bits, PCM"
            )));
        }
        let length = reader.duration();
        let (channels, sample_rate, bits) = (spec.channels, spec.sample_rate, spec.bits_per_sample);
        Ok(Self { channels, sample_rate, bits, length })
    }

    /// Bytes of all samples.
    pub fn data_size(&self) -> u64 {
        u64::from(self.length) * u64::from(self.channels) * u64::from(self.bits / 8)
    }

    /// Seconds.
    pub fn duration(&self) -> f32 {
        self.length as f32 / self.sample_rate.max(1) as f32
    }
}

/// The kinds of tracker modules that the engine's player takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum MusicFormat {
    /// Scream Tracker 3.
    S3m,
    /// Fast Tracker 2.
    Xm,
    /// Impulse Tracker.
    It,
    /// ProTracker and its kin.
    Mod,
}

impl MusicFormat {
    /// The format of a file, by the marks that each has at its place.
    pub fn detect(file: &[u8]) -> Option<Self> {
        let at = |start: usize, mark: &[u8]| {
            file.get(start..).is_some_and(|rest| rest.starts_with(mark))
        };
        const MOD_MARKS: &[&[u8]] = &[
            b"M.K.", b"M!K!", b"M&K!", b"FLT4", b"FLT8", b"4CHN", b"6CHN", b"8CHN", b"OCTA",
            b"CD81",
        ];
        match () {
            () if at(0, b"Extended Module: ") => Some(Self::Xm),
            () if at(0, b"IMPM") => Some(Self::It),
            () if at(44, b"SCRM") => Some(Self::S3m),
            () if MOD_MARKS.iter().any(|mark| at(1080, mark)) => Some(Self::Mod),
            () => None,
        }
    }

    /// The name that the object holds, and the extension of the file.
    pub fn extension(self) -> &'static str {
        match self {
            Self::S3m => "s3m",
            Self::Xm => "xm",
            Self::It => "it",
            Self::Mod => "mod",
        }
    }
}

/// A file that an object holds: extension and bytes.
type Stored = (String, Vec<u8>);

impl Contents<'_> {
    /// The file of a sound, with its extension. Of a sound of UE3 the imported WAV file, or the Ogg file
    /// that was made of it where the package has only that.
    ///
    /// # Errors
    /// `NotFound`; `Invalid` for what is no sound or has no samples here.
    pub fn sound_file(&self, row: usize) -> Result<Stored> {
        let decoded = self.decode(row)?;
        let path = self.exports().path(row);
        if let Some(sound) = native_as::<ue1::Sound>(&decoded.body) {
            return self.lazy_file(row, sound.format, &sound.data);
        }
        let Some(wave) = native_as::<SoundNodeWave>(&decoded.body) else {
            return self.ue4_sound_file(row);
        };
        for data in [&wave.raw_data, &wave.pc_data] {
            if super::texture_mips::plain(data) && !data.payload.is_empty() {
                let bytes = data.payload.bytes(self.source())?.to_vec();
                return Ok((wave_extension(&bytes).to_owned(), bytes));
            }
        }
        Err(Error::invalid(format!("{path} has no samples for PC here")))
    }

    fn lazy_file(&self, row: usize, format: Name, data: &LazyPayload<1>) -> Result<Stored> {
        if data.header.loader_flags != 0 {
            let path = self.exports().path(row);
            return Err(Error::invalid(format!(
                "{path}: its data stands in another file or is packed"
            )));
        }
        let bytes = data.data.0.bytes(self.source())?.to_vec();
        Ok((self.name_text(format).to_ascii_lowercase(), bytes))
    }

    /// A WAV file of a sound, decoded where it is stored in Ogg Vorbis or ADPCM.
    ///
    /// # Errors
    /// As [`Self::sound_file`] and [`SoundSamples::decoded`]; `Unsupported` for ADPCM in pieces with several channels, of
    /// which no file is known.
    pub fn decoded_sound(&self, row: usize) -> Result<Vec<u8>> {
        let (extension, bytes) = self.sound_file(row)?;
        self.named(row, |_, body| {
            let is_streamed = native_as::<SoundWave>(body)
                .is_some_and(|wave| matches!(wave.samples, Samples::Streamed(..)));
            if is_streamed && AdpcmSound::of(&bytes).is_some_and(|it| it.by_channel) {
                let reason = "ADPCM in pieces, with several channels, can't be decoded";
                return Err(Error::unsupported(reason));
            }
            let unnamed = |why| Error::unsupported(format!("{why} (.{extension})"));
            SoundSamples::decoded(&bytes).map(Cow::into_owned).map_err(unnamed)
        })
    }

    /// The module of a piece of music, with its extension.
    ///
    /// # Errors
    /// `NotFound`; `Invalid` for what is no music.
    pub fn music_file(&self, row: usize) -> Result<Stored> {
        let decoded = self.decode(row)?;
        match native_as::<ue1::Music>(&decoded.body) {
            Some(music) => self.lazy_file(row, music.format, &music.data),
            None => {
                let path = self.exports().path(row);
                Err(Error::invalid(format!("{path} is no music that can be decoded")))
            }
        }
    }
}

/// Sounds and music from files.
pub trait SoundEdits {
    /// Gives a sound another file of the same kind; false if it is the one that is there.
    ///
    /// Where a WAV file is stored, one of FLAC or Ogg Vorbis becomes one, of 16 bits. Where Ogg Vorbis is stored, a file of WAV or
    /// FLAC becomes that with the feature `vorbis-encoder`.
    ///
    /// In UE3 what was made for platforms from the old file goes away: the editor makes it anew. In UE4 and UE5 the
    /// imported WAV file is another one, with 16 bits; of a cooked sound the WAV or Ogg file that is stored.
    ///
    /// # Errors
    /// As [`Contents::sound_file`](crate::content::Contents::sound_file); `Invalid` for a file that games can't play;
    /// `Unsupported` for cooked sounds in other formats, in several formats or pieces.
    fn replace_sound(&mut self, row: usize, file: &[u8]) -> Result<bool>;

    /// Adds a sound of this WAV file, or of one of FLAC or Ogg Vorbis, which becomes one.
    ///
    /// # Errors
    /// `Invalid` for a file that games can't play; as [`Edit::add_object`].
    fn add_sound(&mut self, path: &str, file: &[u8]) -> Result<usize>;

    /// Gives a piece of music another module, of any kind; false if it is the one that is there.
    ///
    /// # Errors
    /// As [`Contents::music_file`](crate::content::Contents::music_file); `Invalid` for a file that is no module.
    fn replace_music(&mut self, row: usize, file: &[u8]) -> Result<bool>;

    /// Adds a piece of music of this module.
    ///
    /// # Errors
    /// `Invalid` for a file that is no module, and in games that play no modules; as
    /// [`Edit::add_object`].
    fn add_music(&mut self, path: &str, file: &[u8]) -> Result<usize>;
}

impl SoundEdits for Edit {
    fn replace_sound(&mut self, row: usize, file: &[u8]) -> Result<bool> {
        if native_as::<SoundWave>(&self.decode(row)?.body).is_some() {
            return self.replace_later_sound(row, file);
        }
        let (extension, old) = self.contents().sound_file(row)?;
        if old == file {
            return Ok(false);
        }
        let path = self.exports().path(row);
        let about = |why: Error| Error::invalid(format!("{path}: {why}"));
        let made = if extension == "wav" {
            as_wave(file, &PLAYED_BITS).map_err(about)?
        } else if extension == "ogg" {
            as_vorbis(&old, file, quality(self, &self.decode(row)?.body)).map_err(about)?
        } else {
            file.into()
        };
        let file = &*made;
        if old == file {
            return Ok(false);
        }
        match extension.as_str() {
            "wav" => drop(
                WaveFacts::read(file).map_err(|why| Error::invalid(format!("{path}: {why}")))?,
            ),
            other if wave_extension(file) == other => {}
            other => return Err(Error::invalid(format!("{path} holds a file of type '{other}'"))),
        }
        let is_wave = native_as::<SoundNodeWave>(&self.decode(row)?.body).is_some();
        let facts = WaveFacts::read(file).ok().filter(|_| is_wave);
        let mut list = self.decode(row)?.body.properties.clone();
        if let (Some(list), Some(facts)) = (&mut list, facts) {
            set_value(self, list, "Duration", Value::Float(facts.duration()));
            set_value(self, list, "NumChannels", Value::Int(facts.channels.into()));
            set_value(self, list, "SampleRate", Value::Int(facts.sample_rate as i32));
            let size = i32::try_from(facts.data_size()).unwrap_or(i32::MAX);
            set_value(self, list, "RawPCMDataSize", Value::Int(size));
        }
        self.change_body(row, |body| {
            body.properties = list;
            if let Some(sound) = native_as_mut::<ue1::Sound>(body) {
                sound.data = super::texture_mips::lazy(file.to_vec());
            } else {
                let wave = typed_mut::<SoundNodeWave>(body)?;
                let data = super::texture_mips::bulk(file.to_vec());
                if wave.raw_data.payload.is_empty() {
                    wave.pc_data = data;
                } else {
                    wave.raw_data = data;
                    let made = [
                        &mut wave.pc_data,
                        &mut wave.xbox_360_data,
                        &mut wave.ps3_data,
                        &mut wave.wii_u_data,
                        &mut wave.iphone_data,
                        &mut wave.flash_data,
                    ];
                    made.into_iter().for_each(|data| *data = Default::default());
                }
            }
            Ok(())
        })?;
        Ok(true)
    }

    fn add_sound(&mut self, path: &str, file: &[u8]) -> Result<usize> {
        let made =
            as_wave(file, &PLAYED_BITS).map_err(|why| Error::invalid(format!("{path}: {why}")))?;
        let file = &*made;
        let facts =
            WaveFacts::read(file).map_err(|why| Error::invalid(format!("{path}: {why}")))?;
        self.appending(|package| match package.versions().has_bulk_content() {
            true => package.add_ue3_sound(path, file, facts),
            false => package.add_classic_sound(path, file),
        })
    }

    fn replace_music(&mut self, row: usize, file: &[u8]) -> Result<bool> {
        let (extension, old) = self.contents().music_file(row)?;
        if old == file {
            return Ok(false);
        }
        let format = music_format(file)?.extension();
        let mut copy = self.clone();
        // The stored spelling stays where the format does.
        let name = match extension == format {
            true => None,
            false => Some(copy.add_name(format)?),
        };
        copy.change_body(row, |body| {
            let music = typed_mut::<ue1::Music>(body)?;
            music.data = super::texture_mips::lazy(file.to_vec());
            music.format = name.unwrap_or(music.format);
            Ok(())
        })?;
        *self = copy;
        Ok(true)
    }

    fn add_music(&mut self, path: &str, file: &[u8]) -> Result<usize> {
        if !self.versions().has_music() {
            let engine = self.versions().engine();
            return Err(Error::invalid(format!(
                "{engine} has no music in packages; it plays Ogg files"
            )));
        }
        let format = music_format(file)?.extension();
        self.appending(|package| {
            let list = NewProperties::new(package).finish();
            let data = super::texture_mips::lazy(file.to_vec());
            let music = ue1::Music { format: package.add_name(format)?, data };
            package.add_object(path, "Engine.Music", list, music)
        })
    }
}

trait NewSounds {
    fn add_classic_sound(&mut self, path: &str, file: &[u8]) -> Result<usize>;

    fn add_ue3_sound(&mut self, path: &str, file: &[u8], facts: WaveFacts) -> Result<usize>;
}

impl NewSounds for Edit {
    fn add_classic_sound(&mut self, path: &str, file: &[u8]) -> Result<usize> {
        let list = NewProperties::new(self).finish();
        // Likelihood is only there in the line of UT2004.
        let ut2004 = self.versions().game() == crate::Game::Ut2004;
        let sound = ue1::Sound {
            format: self.add_name("WAV")?,
            likelihood: if ut2004 { 1.0 } else { 0.0 },
            data: super::texture_mips::lazy(file.to_vec()),
            envelopes: Vec::new(),
        };
        self.add_object(path, "Engine.Sound", list, sound)
    }

    fn add_ue3_sound(&mut self, path: &str, file: &[u8], facts: WaveFacts) -> Result<usize> {
        if facts.bits != 16 {
            return Err(Error::invalid(format!("{path}: the editor of UE3 takes 16-bit samples")));
        }
        let mut list = NewProperties::new(self);
        let size = i32::try_from(facts.data_size()).unwrap_or(i32::MAX);
        list.float("Duration", facts.duration())?;
        list.int("NumChannels", facts.channels.into())?;
        list.int("SampleRate", facts.sample_rate as i32)?;
        list.int("RawPCMDataSize", size)?;
        let list = list.finish();
        let raw_data = super::texture_mips::bulk(file.to_vec());
        let wave = SoundNodeWave { raw_data, ..SoundNodeWave::default() };
        self.add_object(path, "Engine.SoundNodeWave", list, wave)
    }
}

fn music_format(file: &[u8]) -> Result<MusicFormat> {
    MusicFormat::detect(file)
        .ok_or_else(|| Error::invalid("the file is no module: s3m, xm, it and mod are known"))
}

fn wave_extension(bytes: &[u8]) -> &'static str {
    match bytes {
        [b'R', b'I', b'F', b'F', ..] => "wav",
        [b'O', b'g', b'g', b'S', ..] => "ogg",
        _ => "bin",
    }
}
