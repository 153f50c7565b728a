//! Sounds and font files.

use crate::content::Contents;
use crate::error::{Error, Result};
use crate::inspect::{editor_payload, payload};
use crate::object::ue4::asset::font::{FontBulkData, FontFace};
use crate::object::ue4::asset::sound::{Samples, SoundWave};
use crate::package::native_as;
use crate::primitive::Name;

/// The extension of a file with this beginning; `otherwise` if nothing tells.
fn extension(bytes: &[u8], otherwise: &str) -> String {
    match bytes {
        [b'R', b'I', b'F', b'F', ..] if !otherwise.eq_ignore_ascii_case("adpcm") => "wav",
        [b'O', b'g', b'g', b'S', ..] => "ogg",
        [b'U', b'E', b'O', b'P', b'U', b'S', ..] => "ueopus",
        [b'1' | b'2', b'F', b'C', b'B', ..] | [b'U', b'E', b'B', b'A', ..] => "binka",
        [0, 1, 0, 0, ..] | [b't', b'r', b'u', b'e', ..] => "ttf",
        [b'O', b'T', b'T', b'O', ..] => "otf",
        [b't', b't', b'c', b'f', ..] => "ttc",
        _ => otherwise,
    }
    .to_owned()
}

impl Contents<'_> {
    /// The file of a sound of UE4 or UE5: the WAV file that it was imported from; once cooked, the
    /// compressed sound as it is stored.
    pub(in crate::content) fn ue4_sound_file(&self, row: usize) -> Result<(String, Vec<u8>)> {
        self.named(row, |package, body| {
            let wave = native_as::<SoundWave>(body)
                .ok_or_else(|| Error::invalid("is no sound that can be decoded"))?;
            let stored = |bytes: Vec<u8>, format: &str| match bytes.is_empty() {
                true => Err(Error::invalid("has no samples here")),
                false => Ok((extension(&bytes, format), bytes)),
            };
            match &wave.samples {
                Samples::Raw(bulk, _) => stored(payload(package, bulk)?.0, "wav"),
                Samples::RawElsewhere(bulk, _) => stored(editor_payload(package, bulk)?.0, "wav"),
                Samples::Formats(formats, _) => {
                    let (format, bulk) =
                        formats.0.first().ok_or_else(|| Error::invalid("has no samples here"))?;
                    stored(payload(package, bulk)?.0, &package.format_of_sound(*format))
                }
                Samples::Streamed(_, Some(audio)) => {
                    let mut bytes = Vec::new();
                    for chunk in &audio.chunks {
                        let (piece, _) = payload(package, &chunk.bulk)?;
                        // Pieces may be padded behind what is sound.
                        let used = usize::try_from(chunk.audio_data_size).unwrap_or(0);
                        bytes.extend_from_slice(piece.get(..used).unwrap_or(&piece));
                    }
                    stored(bytes, &package.format_of_sound(audio.format))
                }
                Samples::Streamed(_, None) => Err(Error::invalid("has no samples here")),
            }
        })
    }

    /// The extension for a format: `OGG`, `OPUS`, `ADPCM`, `BINKA`, perhaps with settings behind it.
    fn format_of_sound(&self, format: Name) -> String {
        let text = self.name_text(format).to_ascii_lowercase();
        let word = text.split(|char: char| !char.is_ascii_alphanumeric()).next();
        word.filter(|word| !word.is_empty()).unwrap_or("bin").to_owned()
    }

    /// The file of a font of UE4 or UE5.
    pub(in crate::content) fn font_file(&self, row: usize) -> Result<(String, Vec<u8>)> {
        self.named(row, |package, body| {
            let bytes = match (native_as::<FontBulkData>(body), native_as::<FontFace>(body)) {
                (Some(font), _) => payload(package, &font.bulk)?.0,
                (_, Some(face)) => face.file.0.bytes(package.source())?.to_vec(),
                _ => return Err(Error::invalid("is no font that can be decoded")),
            };
            match bytes.is_empty() {
                true => Err(Error::invalid("has no font file here")),
                false => Ok((extension(&bytes, "ttf"), bytes)),
            }
        })
    }
}
