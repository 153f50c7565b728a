//! Sounds in encodings that the editor does not take, beside what libsndfile 1.2.2 decodes them to.
//!
//! It has written the files as well: two channels of some tones, 8000 samples a second.

use unreal_packages::content::{SoundSamples, WaveFacts};

const ADPCM: &[u8] = include_bytes!("sounds/tone_adpcm.wav");
const FLAC: &[u8] = include_bytes!("sounds/tone.flac");
const FLAC_24: &[u8] = include_bytes!("sounds/tone24.flac");
const VORBIS: &[u8] = include_bytes!("sounds/tone.ogg");

/// The samples that stand in a file of theirs.
fn samples(file: &[u8]) -> Vec<i16> {
    file.chunks_exact(2).map(|it| i16::from_le_bytes([it[0], it[1]])).collect()
}

#[test]
fn encoded_sounds_have_the_samples_that_another_decoder_finds() {
    let cases: [(&str, &[u8], &[u8], u16); 4] = [
        ("adpcm", ADPCM, include_bytes!("sounds/tone_adpcm.wav.raw"), 0),
        ("flac", FLAC, include_bytes!("sounds/tone.flac.raw"), 0),
        ("flac of 24 bits", FLAC_24, include_bytes!("sounds/tone24.flac.raw"), 0),
        // Each rounds the floating numbers that its decoder has made its own way.
        ("vorbis", VORBIS, include_bytes!("sounds/tone.ogg.raw"), 1),
    ];
    for (name, file, theirs, most) in cases {
        let made = SoundSamples::read(file).unwrap();
        assert_eq!((made.channels(), made.sample_rate()), (2, 8000), "{name}");
        let theirs = samples(theirs);
        // The last block of ADPCM is filled up, and the file says where the sound ends.
        let length = if name == "adpcm" { 2400 } else { theirs.len() };
        assert_eq!(made.samples().len(), length, "{name}");
        let furthest = made.samples().iter().zip(&theirs).map(|(a, b)| a.abs_diff(*b)).max();
        assert!(furthest.unwrap() <= most, "{name}: {furthest:?}");

        let wave = SoundSamples::decoded(file).unwrap();
        assert_eq!(SoundSamples::read(&wave).unwrap(), made, "{name}");
        assert_eq!(SoundSamples::decoded(&wave).unwrap(), wave, "{name}");
        assert_eq!(WaveFacts::read(&wave).unwrap().channels, 2, "{name}");
    }
}

/// The engine cooks ADPCM of several channels so: the blocks of each channel stand behind each other.
#[test]
fn blocks_of_one_channel_stand_behind_each_other() {
    let mono: &[u8] = include_bytes!("sounds/mono_adpcm.wav");
    let all = samples(include_bytes!("sounds/mono_adpcm.wav.raw"));
    assert_eq!(SoundSamples::read(mono).unwrap().samples(), all);
    // The first half of its blocks as one channel, the second as another; the fact of the length is its half.
    let mut stereo = mono.to_vec();
    stereo[22..24].copy_from_slice(&2_u16.to_le_bytes());
    let fact = stereo.windows(4).position(|it| it == b"fact").unwrap() + 8;
    stereo[fact..fact + 4].copy_from_slice(&(all.len() as u32 / 2).to_le_bytes());
    let (left, right) = all.split_at(all.len() / 2);
    let expected: Vec<i16> = left.iter().zip(right).flat_map(|(a, b)| [*a, *b]).collect();
    let made = SoundSamples::read(&stereo).unwrap();
    assert_eq!((made.channels(), made.samples()), (2, &expected[..]));
}

#[test]
fn sounds_in_other_encodings_are_refused() {
    for file in [&b"UEBA\0\0\0\0"[..], b"UEOPUS", b"", b"RIFF", b"OggS", b"fLaC"] {
        SoundSamples::decoded(file).unwrap_err();
    }
}

/// The checksums of pages, so that damage is seen by what stands behind them.
fn close_pages(file: &mut [u8]) {
    let mut rest = file;
    while rest.starts_with(b"OggS") && rest.len() > 26 {
        let segments = usize::from(rest[26]);
        let Some(sizes) = rest.get(27..27 + segments) else { return };
        let length = 27 + segments + sizes.iter().map(|it| usize::from(*it)).sum::<usize>();
        let Some((page, behind)) = rest.split_at_mut_checked(length) else { return };
        page[22..26].fill(0);
        let sum = page.iter().fold(0_u32, |sum, byte| {
            (0..8).fold(sum ^ (u32::from(*byte) << 24), |sum, _| {
                (sum << 1) ^ if sum >> 31 == 1 { 0x04C1_1DB7 } else { 0 }
            })
        });
        page[22..26].copy_from_slice(&sum.to_le_bytes());
        rest = behind;
    }
}

#[test]
fn damaged_sounds_give_samples_or_a_reason() {
    let mut state = 0x9E37_79B9_7F4A_7C15_u64;
    let mut next = |below: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state % below as u64) as usize
    };
    let (mut read, mut refused) = (0, 0);
    for file in [ADPCM, FLAC, VORBIS, include_bytes!("sounds/mono_adpcm.wav")] {
        for _ in 0..400 {
            let mut damaged = file.to_vec();
            for _ in 0..1 + next(6) {
                let at = next(damaged.len());
                damaged[at] = next(256) as u8;
            }
            if next(8) == 0 {
                damaged.truncate(next(file.len()));
            }
            close_pages(&mut damaged);
            match SoundSamples::read(&damaged) {
                Ok(made) => {
                    read += 1;
                    assert!(made.samples().len() <= 1 << 20);
                }
                Err(_) => refused += 1,
            }
        }
    }
    assert!(read > 100 && refused > 100, "{read} read, {refused} refused");
}

/// A setup of Vorbis with one book of so many entries, each of so many numbers, in a few bytes: what the crate would make
/// room for is far more than the file.
#[test]
fn books_that_would_take_all_memory_are_refused() {
    let mut damaged = VORBIS.to_vec();
    let at = damaged.windows(7).position(|it| it == b"\x05vorbis").unwrap() + 7;
    // The count of books, the mark of one, 65535 numbers, 16777215 entries of one length.
    let book = [0, b'B', b'C', b'V', 255, 255, 255, 255, 255, 0xC1, 255, 255, 255];
    damaged[at..at + book.len()].copy_from_slice(&book);
    close_pages(&mut damaged);
    let error = SoundSamples::read(&damaged).unwrap_err().to_string();
    assert!(error.contains("books"), "{error}");
}
