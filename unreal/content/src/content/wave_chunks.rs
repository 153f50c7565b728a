//! The parts of a WAV file of any encoding.

/// What WAV files have besides other chunks.
pub(super) struct WaveChunks<'a> {
    format: &'a [u8],
    pub data: &'a [u8],
    /// Samples of each channel, where the file says it.
    pub length: Option<u32>,
}

impl<'a> WaveChunks<'a> {
    /// The chunks of a file; `None` for what is no WAV file.
    pub fn of(file: &'a [u8]) -> Option<Self> {
        let (mut format, mut data, mut length) = (None, None, None);
        let mut rest = file.strip_prefix(b"RIFF")?.get(4..)?.strip_prefix(b"WAVE")?;
        while let Some((head, behind)) = rest.split_first_chunk::<8>() {
            let [a, b, c, d, size @ ..] = *head;
            let size = u32::from_le_bytes(size) as usize;
            let part = behind.get(..size.min(behind.len()))?;
            match &[a, b, c, d] {
                b"fmt " => format = format.or(Some(part)),
                b"data" => data = data.or(Some(part)),
                b"fact" => length = length.or_else(|| long(part, 0)),
                _ => {}
            }
            // Parts begin at even places.
            rest = behind.get(size.checked_add(size % 2)?..).unwrap_or_default();
        }
        Some(Self { format: format?, data: data?, length })
    }

    /// A number of 16 bits of the format.
    pub fn short(&self, at: usize) -> Option<u16> {
        Some(u16::from_le_bytes(*self.format.get(at..)?.first_chunk()?))
    }

    /// A number of 32 bits of the format.
    pub fn long(&self, at: usize) -> Option<u32> {
        long(self.format, at)
    }
}

/// A number of 32 bits at a place.
pub(super) fn long(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(*bytes.get(at..)?.first_chunk()?))
}
