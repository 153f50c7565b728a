//! Other sounds for those of UE4 and UE5.

use std::borrow::Cow;

use super::payload_edit::PayloadEdits;
use super::payload_list::PayloadList;
use super::source_replace::derived;
use crate::content::sound_adpcm::AdpcmSound;
use crate::content::sound_samples::{SoundSamples, as_vorbis, as_wave, quality};
use crate::content::values::{set_value, typed_mut, value};
use crate::content::wave_chunks::{WaveChunks, long};
use crate::content::{PackageContents, WaveFacts};
use crate::edit::Edit;
use crate::error::{Error, Result, UnrealErrors};
use crate::inspect::payload;
use crate::object::ue4::asset::sound::{Samples, SoundWave, StreamedAudio, StreamedChunk};
use crate::package::native_as;
use crate::property::Value;

/// Bits of a sample that the editor takes.
const BITS: u16 = 16;
/// The first packet of Vorbis in an Ogg file: its kind, then this.
const VORBIS: &[u8] = b"\x01vorbis";
/// The mark of a page of an Ogg file, and the bytes before its table.
const PAGE: &[u8] = b"OggS";
const PAGE_HEADER: usize = 27;
/// The parts of a sound that channels have of their own are listed there.
const CHANNEL_SIZES: &str = "ChannelSizes";
/// The flag of a piece that says its first frame.
const IS_PLACED: u32 = 2;
/// Bytes of a piece that is not the first or the last one.
const PIECE: i32 = 1 << 18;
/// Pieces of a sound; those of an hour are some hundred.
const MOST_PIECES: usize = 1 << 13;

/// Facts about a sound that its object says as well.
#[derive(Debug, Clone, Copy, PartialEq)]
struct SoundFacts {
    /// The number of WAV files for its encoding; `None` of an Ogg file.
    encoding: Option<u16>,
    channels: u32,
    sample_rate: u32,
    /// Samples of each channel.
    length: u64,
    /// Bytes of all samples with 16 bits.
    data_size: u64,
}

impl SoundFacts {
    fn new(encoding: Option<u16>, channels: u32, sample_rate: u32, length: u64) -> Self {
        let data_size = length.saturating_mul(u64::from(channels) * u64::from(BITS / 8));
        Self { encoding, channels, sample_rate, length, data_size }
    }

    /// The sound that a WAV file of any encoding holds: PCM, ADPCM.
    fn of_wave(file: &[u8]) -> Option<Self> {
        let wave = WaveChunks::of(file)?;
        let (encoding, channels) = (wave.short(0)?, wave.short(2)?);
        let rate = wave.long(4)?;
        let length = match AdpcmSound::of(file) {
            Some(sound) => sound.length() as u64,
            None => {
                let block = u64::from(wave.short(12)?);
                let in_block = wave.short(18).filter(|_| encoding != 1).map_or(1, u64::from);
                let blocks = (wave.data.len() as u64).checked_div(block)?;
                wave.length.map_or(blocks.saturating_mul(in_block), u64::from)
            }
        };
        (channels > 0 && rate > 0).then(|| Self::new(Some(encoding), channels.into(), rate, length))
    }

    /// The sound that an Ogg file of Vorbis holds.
    fn of_ogg(file: &[u8]) -> Option<Self> {
        let segments = usize::from(*file.strip_prefix(PAGE)?.get(PAGE_HEADER - PAGE.len() - 1)?);
        let packet = file.get(PAGE_HEADER + segments..)?.strip_prefix(VORBIS)?;
        let (channels, rate) = (*packet.get(4)?, long(packet, 5)?);
        let last = file.windows(PAGE.len()).rposition(|mark| mark == PAGE)?;
        let length = u64::from_le_bytes(*file.get(last + 6..)?.first_chunk()?);
        let is_sound = channels > 0 && rate > 0 && i64::try_from(length).is_ok();
        is_sound.then(|| Self::new(None, channels.into(), rate, length))
    }

    fn duration(&self) -> f32 {
        (self.length as f64 / f64::from(self.sample_rate.max(1))) as f32
    }
}

/// Sounds of UE4 and UE5 from files.
pub(in crate::content) trait LaterSounds {
    /// Gives a sound another file: a WAV file with 16 bits where the imported one is stored; a file of the same encoding
    /// where a cooked sound is stored as a WAV or Ogg file.
    ///
    /// # Errors
    /// `Invalid` for another kind of file; `Unsupported` for encodings that are not made here, by their name.
    fn replace_later_sound(&mut self, row: usize, file: &[u8]) -> Result<bool>;
}

impl LaterSounds for Edit {
    fn replace_later_sound(&mut self, row: usize, file: &[u8]) -> Result<bool> {
        let (_, old) = self.contents().sound_file(row)?;
        // Before the file is read: it may be of an encoding that is not read here.
        if old == file {
            return Ok(false);
        }
        // What is imported is a WAV file; what is cooked stays in its encoding.
        let decoded = self.decode(row)?;
        let is_imported = native_as::<SoundWave>(&decoded.body)
            .is_some_and(|it| matches!(it.samples, Samples::Raw(..) | Samples::RawElsewhere(..)));
        let quality = quality(self, &decoded.body);
        let path = self.exports().path(row);
        let made = match is_imported {
            true => as_wave(file, &[BITS]),
            false => like_cooked(&old, file, quality),
        };
        let made = made.map_err(|why| Error::invalid(format!("{path}: {why}")))?;
        let file = &*made;
        if old == file {
            return Ok(false);
        }
        let about = |error: Error| match error.kind() {
            crate::error::ErrorKind::Invalid { .. } => Error::invalid(format!("{path}: {error}")),
            _ => Error::unsupported(format!("{path}: {error}")),
        };
        self.attempt(|edit| edit.exchange_sound(row, &old, file)).map_err(about)?;
        Ok(true)
    }
}

/// Bytes of a piece, how many of them are of the sound, and the piece that it is stored like.
type NewPiece<'a> = (Vec<u8>, i32, &'a StreamedChunk);

trait SoundParts {
    fn exchange_sound(&mut self, row: usize, old: &[u8], file: &[u8]) -> Result<()>;

    fn pieces(
        &mut self,
        row: usize,
        audio: &StreamedAudio,
        file: &[u8],
    ) -> Result<Vec<StreamedChunk>>;

    fn same_pieces(
        &mut self,
        row: usize,
        audio: &StreamedAudio,
        file: &[u8],
    ) -> Result<Vec<StreamedChunk>>;

    /// Puts other pieces where those of a sound stand.
    fn put_pieces(
        &mut self,
        row: usize,
        audio: &StreamedAudio,
        new: Vec<NewPiece<'_>>,
    ) -> Result<Vec<StreamedChunk>>;
}

impl SoundParts for Edit {
    fn exchange_sound(&mut self, row: usize, old: &[u8], file: &[u8]) -> Result<()> {
        let decoded = self.decode(row)?.into_owned();
        let wave = native_as::<SoundWave>(&decoded.body)
            .ok_or_else(|| Error::invalid("is no sound that can be decoded"))?;
        let list = decoded.body.prologue.as_deref().map(|prologue| &prologue.properties);
        let has_parts = match list.and_then(|list| value(self, list, CHANNEL_SIZES)) {
            Some(Value::Array(parts)) => !parts.is_empty(),
            _ => false,
        };
        let mut samples = wave.samples.clone();
        let facts = match &mut samples {
            Samples::Raw(..) | Samples::RawElsewhere(..) => {
                if has_parts {
                    return Err(Error::unsupported(
                        "each of its channels has a WAV file of its own",
                    ));
                }
                let facts = imported(file)?;
                match &mut samples {
                    Samples::Raw(bulk, guid) => {
                        *bulk = self.set_payload(bulk, file.to_vec())?;
                        // Derived data is looked for under it.
                        *guid = derived(*guid, file);
                    }
                    Samples::RawElsewhere(bulk, guid) => {
                        *bulk = self.set_editor_payload(bulk, file)?;
                        // Derived data is looked for under it.
                        *guid = derived(*guid, file);
                    }
                    _ => {}
                }
                facts
            }
            Samples::Formats(formats, _) => match &mut formats.0[..] {
                [(format, bulk)] => {
                    let facts = same_encoding(&self.name_text(*format), old, file)?;
                    *bulk = self.set_payload(bulk, file.to_vec())?;
                    facts
                }
                formats => {
                    let names: Vec<_> =
                        formats.iter().map(|(name, _)| self.name_text(*name).to_string()).collect();
                    let names = names.join(", ");
                    return Err(Error::unsupported(format!(
                        "it is stored in several formats: {names}"
                    )));
                }
            },
            Samples::Streamed(_, Some(audio)) => {
                let facts = same_encoding(&self.name_text(audio.format), old, file)?;
                match &mut audio.chunks[..] {
                    [chunk] if chunk.data_size == chunk.audio_data_size => {
                        chunk.bulk = self.set_payload(&chunk.bulk, file.to_vec())?;
                        (chunk.data_size, chunk.audio_data_size) = (size_of(file)?, size_of(file)?);
                    }
                    [_] => return Err(Error::unsupported("its only piece is padded")),
                    _ if !file.starts_with(PAGE) && file.len() == old.len() => {
                        audio.chunks = self.same_pieces(row, audio, file)?;
                    }
                    _ => audio.chunks = self.pieces(row, audio, file)?,
                }
                facts
            }
            Samples::Streamed(_, None) => return Err(Error::invalid("has no samples here")),
        };
        let package = self.clone();
        self.change_body(row, |body| {
            if let Some(list) = body.lists_mut().next() {
                let number = |number: u64| i32::try_from(number).unwrap_or(i32::MAX);
                let mut set = |name, value| set_value(&package, list, name, value);
                set("Duration", Value::Float(facts.duration()));
                set("NumChannels", Value::Int(number(facts.channels.into())));
                set("SampleRate", Value::Int(number(facts.sample_rate.into())));
                set("ImportedSampleRate", Value::Int(number(facts.sample_rate.into())));
                set("RawPCMDataSize", Value::Int(number(facts.data_size)));
                // A value of another type is left: one of the two is that of the release.
                set("TotalSamples", Value::Float(facts.length as f32));
                set("TotalSamples", Value::Int(number(facts.length)));
            }
            typed_mut::<SoundWave>(body)?.samples = samples;
            Ok(())
        })
    }

    /// The pieces of a sound that streams whose file is as long as the old one: cut where that was, whatever says so, with
    /// what fills them up.
    fn same_pieces(
        &mut self,
        row: usize,
        audio: &StreamedAudio,
        file: &[u8],
    ) -> Result<Vec<StreamedChunk>> {
        let (mut rest, mut new) = (file, Vec::with_capacity(audio.chunks.len()));
        for chunk in &audio.chunks {
            let size = usize::try_from(chunk.audio_data_size).ok();
            let (part, behind) = size
                .and_then(|size| rest.split_at_checked(size))
                .ok_or_else(|| Error::invalid("its pieces are not its file"))?;
            rest = behind;
            let (stored, _) = payload(self, &chunk.bulk)?;
            let filled = stored.get(part.len()..).unwrap_or_default();
            new.push(([part, filled].concat(), chunk.audio_data_size, chunk));
        }
        if !rest.is_empty() {
            return Err(Error::invalid("its pieces are not its file"));
        }
        self.put_pieces(row, audio, new)
    }

    /// The pieces of a sound that streams, cut as the old ones are: the first, which is kept in memory, has a size of its own,
    /// the others are as long as can be.
    ///
    /// Seen in Ogg files of 5.0: 6144 bytes in the body, then pieces of 256 KiB in `.ubulk`, wherever pages begin.
    fn pieces(
        &mut self,
        row: usize,
        audio: &StreamedAudio,
        file: &[u8],
    ) -> Result<Vec<StreamedChunk>> {
        let (count, named) = (audio.chunks.len(), self.name_text(audio.format));
        let refused = |why: &str| {
            Error::unsupported(format!("it streams in {count} pieces of {named}, {why}"))
        };
        let [first, second, further @ ..] = &audio.chunks[..] else {
            return Err(Error::invalid("has no samples here"));
        };
        if !file.starts_with(PAGE) {
            return Err(refused("which are cut in a way that is not known"));
        }
        if audio.chunks.iter().any(|chunk| chunk.flags & IS_PLACED != 0) {
            return Err(refused("each of which says its first frame"));
        }
        if audio.chunks.iter().any(|chunk| chunk.data_size != chunk.audio_data_size) {
            return Err(refused("which are padded"));
        }
        let piece = if further.is_empty() { second.data_size.max(PIECE) } else { second.data_size };
        let others = further.split_last().map(|(_, others)| others).unwrap_or_default();
        if others.iter().any(|chunk| chunk.data_size != piece) {
            return Err(refused("which differ in size"));
        }
        if first.data_size < 1 || piece < 1 || file.len() / piece as usize > MOST_PIECES {
            return Err(refused("which are too small for the file"));
        }
        let size = |size: i32| usize::try_from(size).unwrap_or(0).max(1);
        let (head, rest) = file.split_at(size(first.data_size).min(file.len()));
        let mut new = vec![(head.to_vec(), size_of(head)?, first)];
        for bytes in rest.chunks(size(piece)) {
            new.push((bytes.to_vec(), size_of(bytes)?, second));
        }
        self.put_pieces(row, audio, new)
    }

    fn put_pieces(
        &mut self,
        row: usize,
        audio: &StreamedAudio,
        new: Vec<NewPiece<'_>>,
    ) -> Result<Vec<StreamedChunk>> {
        let list = PayloadList::of(self, audio.chunks.iter().map(|chunk| &chunk.bulk))?;
        let (mut payloads, mut made) = (Vec::new(), Vec::new());
        for (bytes, audio_data_size, like) in new {
            made.push(StreamedChunk {
                data_size: size_of(&bytes)?,
                audio_data_size,
                ..like.clone()
            });
            payloads.push((bytes, &like.bulk));
        }
        let placed = list.replace(self, row, payloads)?;
        made.iter_mut().zip(placed).for_each(|(chunk, bulk)| chunk.bulk = bulk);
        Ok(made)
    }
}

fn size_of(bytes: &[u8]) -> Result<i32> {
    i32::try_from(bytes.len()).map_err(|_| Error::invalid("the file has more than 2 GiB"))
}

/// A WAV file that the editor takes.
fn imported(file: &[u8]) -> Result<SoundFacts> {
    let facts = WaveFacts::read(file)?;
    if facts.bits != BITS {
        let bits = facts.bits;
        return Err(Error::invalid(format!(
            "{bits}-bit samples; the editor takes {BITS} bits, PCM"
        )));
    }
    let (channels, length) = (facts.channels.into(), facts.length.into());
    Ok(SoundFacts::new(Some(1), channels, facts.sample_rate, length))
}

/// A file for a cooked sound: the old one where both are the same sound once decoded, one in ADPCM where the old one is the
/// engine's ADPCM, one of Vorbis where it is; else the file as it is, which has to be in the old one's encoding.
///
/// # Errors
/// As [`as_vorbis`].
fn like_cooked<'a>(old: &'a [u8], file: &'a [u8], quality: i32) -> Result<Cow<'a, [u8]>> {
    let encoding = |file: &[u8]| {
        let number = WaveChunks::of(file).and_then(|wave| wave.short(0));
        (file.first_chunk::<4>().copied(), number)
    };
    if encoding(old) == encoding(file) {
        return Ok(file.into());
    }
    if old.starts_with(PAGE) {
        return as_vorbis(old, file, quality);
    }
    let Ok(samples) = SoundSamples::read(file) else { return Ok(file.into()) };
    if SoundSamples::read(old).is_ok_and(|stored| stored == samples) {
        return Ok(old.into());
    }
    let sound = AdpcmSound::of(old).filter(|sound| sound.is_cooked);
    Ok(sound.and_then(|sound| sound.with(&samples).ok()).map_or(file.into(), Cow::Owned))
}

/// A file of the encoding that a cooked sound has; `format` is the name that it is stored under.
fn same_encoding(format: &str, old: &[u8], file: &[u8]) -> Result<SoundFacts> {
    let facts_of = |file: &[u8]| match file {
        [b'R', b'I', b'F', b'F', ..] => SoundFacts::of_wave(file),
        [b'O', b'g', b'g', b'S', ..] => SoundFacts::of_ogg(file),
        _ => None,
    };
    let Some(old) = facts_of(old) else {
        return Err(Error::unsupported(format!(
            "sounds in {format} come out, and are not made here"
        )));
    };
    match facts_of(file) {
        Some(new) if new.encoding == old.encoding => Ok(new),
        _ => {
            let what = match old.encoding {
                None => "an Ogg file of Vorbis".to_owned(),
                Some(1) => "a WAV file of PCM".to_owned(),
                Some(number) => format!("a WAV file of encoding {number}"),
            };
            // Builds with the encoder make one.
            let made = match old.encoding {
                None if !cfg!(feature = "vorbis-encoder") => {
                    ", and none is made without the feature vorbis-encoder"
                }
                _ => "",
            };
            let reason = format!("it is stored as {what} ({format}); the file is none{made}");
            Err(Error::invalid(reason))
        }
    }
}
