//! Sounds of Ogg Vorbis.

use std::io::Cursor;

use lewton::audio::{PreviousWindowRight, read_audio_packet_generic};
use lewton::header::{IdentHeader, SetupHeader, read_header_ident, read_header_setup};
use lewton::samples::InterleavedSamples;
use ogg::PacketReader;

use super::sound_samples::{SoundSamples, check, damaged};
use crate::error::Result;

/// Numbers that the books of a sound may have between them: those of encoders have some ten thousand.
const MOST_NUMBERS: u64 = 1 << 22;

/// What packets are decoded with.
struct Heads {
    first: IdentHeader,
    setup: SetupHeader,
    serial: u32,
}

impl Heads {
    /// The three packets at the beginning; comments, the second, are not looked at: the crate believes the counts in them.
    fn read(packets: &mut PacketReader<Cursor<&[u8]>>) -> Result<Self> {
        let first = packets.read_packet_expected().map_err(damaged)?;
        let serial = first.stream_serial();
        let first = read_header_ident(&first.data).map_err(damaged)?;
        let mut next = || -> Result<Vec<u8>> {
            loop {
                let packet = packets.read_packet_expected().map_err(damaged)?;
                if packet.stream_serial() == serial {
                    return Ok(packet.data);
                }
            }
        };
        let (_, setup) = (next()?, next()?);
        // The crate makes room for what a head says, whatever stands behind it.
        let numbers =
            BookBits { bytes: setup.get(7..).unwrap_or_default(), at: 0 }.numbers_of_books();
        if numbers.is_none_or(|numbers| numbers > MOST_NUMBERS) {
            return Err(damaged("its books are none of an encoder"));
        }
        let blocks = (first.blocksize_0, first.blocksize_1);
        let setup = read_header_setup(&setup, first.audio_channels, blocks).map_err(damaged)?;
        Ok(Self { first, setup, serial })
    }
}

/// The samples, at most so many.
pub(super) fn samples(file: &[u8], most: usize) -> Result<SoundSamples> {
    let mut packets = PacketReader::new(Cursor::new(file));
    let heads = Heads::read(&mut packets)?;
    let (mut window, mut samples, mut end) = (PreviousWindowRight::new(), Vec::new(), None);
    while let Some(packet) = packets.read_packet().map_err(damaged)? {
        if packet.stream_serial() != heads.serial {
            continue;
        }
        let (first, setup) = (&heads.first, &heads.setup);
        let made: InterleavedSamples<i16> =
            read_audio_packet_generic(first, setup, &packet.data, &mut window).map_err(damaged)?;
        samples.extend_from_slice(&made.samples);
        check(samples.len(), most)?;
        if packet.last_in_stream() {
            end = Some(packet.absgp_page());
        }
    }
    // The last page says where the sound ends, amid a packet perhaps.
    let channels = heads.first.audio_channels;
    let end = end.and_then(|frames| usize::try_from(frames).ok()?.checked_mul(channels.into()));
    samples.truncate(end.unwrap_or(usize::MAX));
    Ok(SoundSamples::new(channels.into(), heads.first.audio_sample_rate, samples))
}

/// The bits of books, of each byte the lowest first.
struct BookBits<'a> {
    bytes: &'a [u8],
    at: u64,
}

impl BookBits<'_> {
    fn take(&mut self, count: u32) -> Option<u64> {
        (0..count).try_fold(0, |made, bit| {
            let byte = *self.bytes.get(usize::try_from(self.at / 8).ok()?)?;
            let one = u64::from((byte >> (self.at % 8)) & 1);
            self.at += 1;
            Some(made | (one << bit))
        })
    }

    fn skip(&mut self, count: u64) -> Option<()> {
        self.at = self.at.checked_add(count)?;
        (self.at <= self.bytes.len() as u64 * 8).then_some(())
    }

    /// The numbers that the books at the beginning of a setup have between them.
    fn numbers_of_books(&mut self) -> Option<u64> {
        let count = self.take(8)? + 1;
        (0..count).try_fold(0, |sum, _| Some(sum + self.book()?))
    }

    /// The numbers of a book: its entries, each of so many dimensions.
    fn book(&mut self) -> Option<u64> {
        self.skip(24)?;
        let (dimensions, entries) = (self.take(16)?, self.take(24)?);
        match self.take(1)? {
            0 => match self.take(1)? {
                0 => self.skip(entries * 5)?,
                _ => (0..entries).try_for_each(|_| match self.take(1)? {
                    0 => Some(()),
                    _ => self.skip(5),
                })?,
            },
            _ => {
                self.skip(5)?;
                let mut known = 0;
                while known < entries {
                    known += self.take(u64::BITS - (entries - known).leading_zeros())?;
                }
            }
        }
        let lookup = self.take(4)?;
        if lookup > 0 {
            let numbers = match lookup {
                1 => root(entries, u32::try_from(dimensions).ok()?),
                _ => entries * dimensions,
            };
            self.skip(64)?;
            let bits = self.take(4)? + 1;
            self.skip(1 + numbers * bits)?;
        }
        // A book without dimensions makes the crate go round for ever.
        (dimensions > 0).then_some(entries * dimensions)
    }
}

/// The largest number whose power is no more than `entries`.
fn root(entries: u64, power: u32) -> u64 {
    let fits = |number: u64| number.checked_pow(power).is_some_and(|made| made <= entries);
    let near = (entries as f64).powf(1.0 / f64::from(power.max(1))) as u64;
    (near.saturating_sub(1)..=near + 1).rev().find(|&number| fits(number)).unwrap_or(0)
}
