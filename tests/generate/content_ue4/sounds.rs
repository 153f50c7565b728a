//! Sounds of UE4 and UE5 take other files.

use std::io::Cursor;

use unreal_packages::content::{ContentEdits, PackageContents, ReplaceTexture, SoundSamples};
use unreal_packages::edit::PackageEdit;
use unreal_packages::inspect::PackageValues;
use unreal_packages::object::ue4::asset::sound::{
    Samples, SoundWave, StreamedAudio, StreamedChunk,
};
use unreal_packages::package::decode::native_as_mut;
use unreal_packages::package::{Package, native_as};
use unreal_packages::property::{PropertyList, Value};
use unreal_packages::{Guid, Map, Name};

use super::{inline, package, property};

fn wave(channels: u16, sample_rate: u32, bits: u16, frames: u32) -> Vec<u8> {
    let samples = (0..frames * u32::from(channels)).map(|at| at as i32 % 100);
    wave_with(channels, sample_rate, bits, samples)
}

fn wave_with(
    channels: u16,
    sample_rate: u32,
    bits_per_sample: u16,
    samples: impl Iterator<Item = i32>,
) -> Vec<u8> {
    let mut file = Cursor::new(Vec::new());
    let sample_format = hound::SampleFormat::Int;
    let spec = hound::WavSpec { channels, sample_rate, bits_per_sample, sample_format };
    let mut writer = hound::WavWriter::new(&mut file, spec).unwrap();
    samples.for_each(|sample| writer.write_sample(sample).unwrap());
    writer.finalize().unwrap();
    file.into_inner()
}

/// A WAV file of another encoding: blocks of so many samples.
fn encoded(encoding: u16, sample_rate: u32, block: u16, in_block: u16, blocks: u16) -> Vec<u8> {
    let data = vec![7; usize::from(block) * usize::from(blocks)];
    let mut format = Vec::new();
    format.extend(encoding.to_le_bytes());
    format.extend(1_u16.to_le_bytes());
    format.extend(sample_rate.to_le_bytes());
    format.extend(0_u32.to_le_bytes());
    format.extend(block.to_le_bytes());
    format.extend([4, 0, 2, 0]);
    format.extend(in_block.to_le_bytes());
    let chunk = |name: &[u8; 4], data: &[u8]| {
        [&name[..], &(data.len() as u32).to_le_bytes(), data].concat()
    };
    let chunks = [b"WAVE".to_vec(), chunk(b"fmt ", &format), chunk(b"data", &data)].concat();
    chunk(b"RIFF", &chunks)
}

/// The first and the last page of an Ogg file of Vorbis, as far as facts go.
fn ogg(channels: u8, sample_rate: u32, frames: u64) -> Vec<u8> {
    let page = |granule: u64, data: &[u8]| {
        let mut page = b"OggS\0\x02".to_vec();
        page.extend(granule.to_le_bytes());
        page.extend([0; 12]);
        page.extend([1, data.len() as u8]);
        page.extend(data);
        page
    };
    let mut head = b"\x01vorbis\0\0\0\0".to_vec();
    head.push(channels);
    head.extend(sample_rate.to_le_bytes());
    [page(0, &head), page(frames, b"samples")].concat()
}

/// A sound, its names: `OGG`, `ADPCM`, `BINKA`, `Platform`.
fn sound(samples: Samples, cooked: bool) -> Package {
    let list = |names: &mut Package| {
        for (at, name) in ["OGG", "ADPCM", "BINKA"].into_iter().enumerate() {
            assert_eq!(super::named(names, name), Name::new(at as i32 + 1));
        }
        let number =
            |names: &mut Package, name, value| property(names, name, "int", |_| Value::Int(value));
        let properties = vec![
            property(names, "Duration", "float", |_| Value::Float(1.0)),
            number(names, "NumChannels", 1),
            number(names, "SampleRate", 8000),
            number(names, "RawPCMDataSize", 16_000),
        ];
        PropertyList::new(properties, Name::new(0))
    };
    let mut wave = SoundWave { flags: u32::from(cooked), samples, ..SoundWave::default() };
    if cooked {
        return super::package_of(super::UE4, "/Script/Engine.SoundWave", list, &mut wave, true);
    }
    package("/Script/Engine.SoundWave", list, &mut wave)
}

fn raw(file: &[u8]) -> Package {
    sound(Samples::Raw(inline(file), Guid::new(1, 2, 3, 4)), false)
}

fn formats(name: i32, file: &[u8]) -> Package {
    let formats = Map(vec![(Name::new(name), inline(file))]);
    sound(Samples::Formats(formats, Guid::default()), true)
}

fn streamed(pieces: &[&[u8]]) -> Package {
    let chunk = |piece: &&[u8]| StreamedChunk {
        flags: 1,
        bulk: inline(piece),
        data_size: piece.len() as i32,
        audio_data_size: piece.len() as i32,
        ..StreamedChunk::default()
    };
    let chunks = pieces.iter().map(chunk).collect();
    let audio = StreamedAudio { format: Name::new(1), chunks };
    sound(Samples::Streamed(Guid::default(), Some(Box::new(audio))), true)
}

fn put(package: &mut Package, file: &[u8]) -> unreal_packages::Result<bool> {
    package.edit(|edit| edit.replace_content(0, file, &ReplaceTexture::default()))
}

fn file(package: &Package) -> Vec<u8> {
    package.contents().content_file(0).unwrap().bytes
}

fn again(package: &Package) -> Package {
    Package::from_bytes(package.to_bytes().unwrap()).unwrap()
}

fn text(package: &Package, name: &str) -> String {
    package.values().property("Thing", name).unwrap().text
}

#[test]
fn imported_sounds_take_other_waves() {
    let old = wave(1, 8000, 16, 8000);
    let mut package = raw(&old);
    let before = package.to_bytes().unwrap();
    assert!(!put(&mut package, &old).unwrap());
    assert_eq!(package.to_bytes().unwrap(), before);
    let new = wave(2, 22_050, 16, 11_025);
    assert!(put(&mut package, &new).unwrap());
    let mut package = again(&package);
    assert_eq!(file(&package), new);
    assert_eq!(text(&package, "NumChannels"), "2");
    assert_eq!(text(&package, "SampleRate"), "22050");
    assert_eq!(text(&package, "Duration").parse::<f32>().unwrap(), 0.5);
    assert_eq!(text(&package, "RawPCMDataSize"), "44100");
    // Derived data is looked for under another name.
    let name = |package: &Package| {
        let decoded = package.decode(0).unwrap();
        let wave = unreal_packages::package::native_as::<SoundWave>(&decoded.body).unwrap();
        match &wave.samples {
            Samples::Raw(_, name) => *name,
            other => panic!("{other:?}"),
        }
    };
    assert_ne!(name(&package), Guid::new(1, 2, 3, 4));
    let now = package.to_bytes().unwrap();
    for wrong in [b"OggS", &b""[..], b"RIFF"] {
        let error = put(&mut package, wrong).unwrap_err();
        assert!(error.to_string().contains("Thing"), "{error}");
    }
    assert_eq!(package.to_bytes().unwrap(), now);

    // Samples of other bits become those of 16.
    for bits in [8, 24, 32] {
        assert!(put(&mut package, &wave(1, 8000, bits, 10 + u32::from(bits))).unwrap(), "{bits}");
        let (file, length) = (file(&package), 10 + usize::from(bits));
        assert_eq!((file.len(), text(&package, "NumChannels")), (44 + 2 * length, "1".into()));
    }
    for encoded in
        [&include_bytes!("../sounds/tone.flac")[..], include_bytes!("../sounds/tone.ogg")]
    {
        assert!(put(&mut package, encoded).unwrap());
        assert_eq!(file(&package), *SoundSamples::decoded(encoded).unwrap());
        assert!(!put(&mut package, encoded).unwrap());
        assert_eq!(text(&package, "SampleRate"), "8000");
    }
}

#[test]
fn cooked_sounds_take_files_of_their_own_encoding() {
    let old = ogg(1, 8000, 8000);
    let mut package = formats(1, &old);
    assert!(!put(&mut package, &old).unwrap());
    let new = ogg(2, 48_000, 24_000);
    assert!(put(&mut package, &new).unwrap());
    let mut package = again(&package);
    assert_eq!(file(&package), new);
    assert_eq!(text(&package, "NumChannels"), "2");
    assert_eq!(text(&package, "Duration").parse::<f32>().unwrap(), 0.5);
    let error = put(&mut package, b"fLaC, and no more").unwrap_err().to_string();
    assert!(error.contains("Ogg") && error.contains("OGG"), "{error}");

    let mut package = formats(2, &encoded(2, 8000, 70, 128, 3));
    let new = encoded(2, 16_000, 70, 128, 125);
    assert!(put(&mut package, &new).unwrap());
    let mut package = again(&package);
    assert_eq!(file(&package), new);
    assert_eq!(text(&package, "Duration").parse::<f32>().unwrap(), 1.0);
    let error = put(&mut package, &wave(1, 8000, 16, 10)).unwrap_err().to_string();
    assert!(error.contains("encoding 2"), "{error}");

    let mut package = formats(3, b"UEBA....");
    let error = put(&mut package, b"UEBA another").unwrap_err().to_string();
    assert!(error.contains("BINKA") && error.contains("Thing"), "{error}");
}

/// The bytes of each piece.
fn piece_sizes(package: &Package) -> Vec<i32> {
    let decoded = package.decode(0).unwrap();
    let wave = native_as::<SoundWave>(&decoded.body).unwrap();
    let Samples::Streamed(_, Some(audio)) = &wave.samples else { panic!("{:?}", wave.samples) };
    assert!(audio.chunks.iter().all(|it| it.data_size == it.audio_data_size));
    assert!(audio.chunks.iter().all(|it| it.bulk.element_count == i64::from(it.data_size)));
    audio.chunks.iter().map(|it| it.data_size).collect()
}

#[test]
fn sounds_that_stream_take_other_files_cut_as_the_old_ones() {
    let old = ogg(1, 8000, 8000);
    let mut package = streamed(&[&old]);
    let new = [ogg(1, 8000, 4000), ogg(1, 8000, 16_000)].concat();
    assert!(put(&mut package, &new).unwrap());
    let package = again(&package);
    assert_eq!(file(&package), new);
    assert_eq!(piece_sizes(&package), [new.len() as i32]);
    assert_eq!(text(&package, "Duration").parse::<f32>().unwrap(), 2.0);

    let pieces: Vec<_> = old.chunks(20).collect();
    let mut package = streamed(&pieces);
    assert!(!put(&mut package, &old).unwrap());
    assert!(put(&mut package, &new).unwrap());
    let package = again(&package);
    assert_eq!(file(&package), new);
    let sizes = piece_sizes(&package);
    let (last, others) = sizes.split_last().unwrap();
    assert!(others.iter().all(|size| *size == 20) && *last <= 20, "{sizes:?}");
    // Of two pieces the last one may be short: others are as long as the engine's.
    let mut package = streamed(&[&old[..30], &old[30..]]);
    let long = [new.clone(), vec![9; 1 << 18], new.clone()].concat();
    assert!(put(&mut package, &long).unwrap());
    assert_eq!(piece_sizes(&again(&package))[..2], [30, 1 << 18]);
    assert_eq!(file(&again(&package)), long);
    // One that is shorter than the first piece alone.
    assert!(put(&mut package, &old[..old.len()]).unwrap());
    assert_eq!(file(&again(&package)), old);
}

#[test]
fn sounds_in_pieces_that_are_cut_otherwise_say_why() {
    let old = ogg(1, 8000, 8000);
    let new = [ogg(1, 8000, 4000), ogg(1, 8000, 16_000)].concat();
    let why = |pieces: &[&[u8]], change: fn(&mut StreamedChunk)| {
        let mut package = streamed(pieces);
        let changed = package.edit(|edit| {
            edit.change_body(0, |body| {
                let wave = native_as_mut::<SoundWave>(body).unwrap();
                let Samples::Streamed(_, Some(audio)) = &mut wave.samples else { panic!() };
                change(&mut audio.chunks[0]);
                Ok(())
            })
        });
        changed.unwrap();
        put(&mut package, &new).unwrap_err().to_string()
    };
    let pieces: Vec<_> = old.chunks(20).collect();
    let text = why(&pieces, |chunk| (chunk.flags, chunk.seek_offset) = (3, 7));
    assert!(text.contains("its first frame"), "{text}");
    let text = why(&pieces, |chunk| chunk.data_size += 1);
    assert!(text.contains("padded"), "{text}");
    let odd = [&old[..20], &old[20..25], &old[25..40], &old[40..]];
    let text = why(&odd, |_| {});
    assert!(text.contains("4 pieces of OGG") && text.contains("differ in size"), "{text}");
}

/// A tone of 440 Hz, of which libsndfile made `mono_adpcm.wav`.
fn tone(length: usize) -> Vec<i16> {
    let at = |at: usize| 0.6 * (std::f64::consts::TAU * 440.0 * at as f64 / 8000.0).sin();
    (0..length).map(|it| (at(it) * 32767.0).round() as i16).collect()
}

/// A WAV file of these samples.
fn wave_of(channels: u16, samples: &[i16]) -> Vec<u8> {
    wave_with(channels, 8000, 16, samples.iter().map(|it| i32::from(*it)))
}

/// The engine's form of libsndfile's file: the length behind the factors, not in a chunk of its own.
fn cooked_adpcm() -> Vec<u8> {
    let theirs: &[u8] = include_bytes!("../sounds/mono_adpcm.wav");
    let find = |name: &[u8]| theirs.windows(4).position(|it| it == name).unwrap() + 8;
    let (format, data) = (find(b"fmt "), find(b"data"));
    let mut format = theirs[format..format + 50].to_vec();
    format[16..18].copy_from_slice(&36_u16.to_le_bytes());
    format.extend(2000_u32.to_le_bytes());
    let chunk =
        |name: &[u8], data: &[u8]| [name, &(data.len() as u32).to_le_bytes(), data].concat();
    let chunks = [b"WAVE".to_vec(), chunk(b"fmt ", &format), chunk(b"data", &theirs[data..])];
    chunk(b"RIFF", &chunks.concat())
}

/// A cooked sound in Vorbis takes a file of another kind, encoded as well as its object says.
#[cfg(feature = "vorbis-encoder")]
#[test]
fn vorbis_is_made_of_other_files() {
    let old: &[u8] = include_bytes!("../sounds/tone.ogg");
    let new = wave_of(2, &tone(22_050));
    let mut made = formats(1, old);
    assert!(put(&mut made, &new).unwrap());
    let ogg = file(&made);
    assert!(ogg.starts_with(b"OggS") && ogg.len() < new.len() / 2);
    assert_eq!(text(&made, "NumChannels"), "2");
    assert_eq!(text(&made, "RawPCMDataSize"), "44100");
    let sound = SoundSamples::read(&ogg).unwrap();
    assert_eq!((sound.channels(), sound.sample_rate()), (2, 8000));
    let noise = decibels(SoundSamples::read(&new).unwrap().samples(), sound.samples());
    assert!(noise > 15.0, "{noise} dB");
    // One sound gives one file, and what comes out changes nothing.
    let mut same = formats(1, old);
    put(&mut same, &new).unwrap();
    assert!(file(&same) == ogg);
    let decoded = made.contents().decoded_sound(0).unwrap();
    assert!(!put(&mut again(&made), &decoded).unwrap());
    // Pieces of a sound that streams are cut of the new file.
    let mut pieces = streamed(&[&old[..1000], &old[1000..2000], &old[2000..]]);
    assert!(put(&mut pieces, &new).unwrap());
    assert!(file(&again(&pieces)) == ogg);
    // Kinds of files have more channels in different orders.
    let error = put(&mut made, &wave_of(6, &tone(600))).unwrap_err().to_string();
    assert!(error.contains("Thing: 6 channels are not made"), "{error}");
}

/// How many decibels the noise of samples is below them.
fn decibels(samples: &[i16], made: &[i16]) -> f64 {
    let squares = |it: &mut dyn Iterator<Item = f64>| it.map(|it| it * it).sum::<f64>();
    let noise = samples.iter().zip(made).map(|(a, b)| f64::from(*a) - f64::from(*b));
    10.0 * (squares(&mut samples.iter().map(|it| f64::from(*it)))
        / squares(&mut { noise }).max(1.0))
    .log10()
}

#[test]
fn sounds_cooked_as_adpcm_take_samples_of_any_file() {
    let old = cooked_adpcm();
    let mut package = formats(2, &old);
    let before = package.to_bytes().unwrap();
    // What it decodes to is no change.
    assert!(!put(&mut package, &SoundSamples::decoded(&old).unwrap()).unwrap());
    assert_eq!(package.to_bytes().unwrap(), before);

    let theirs = decibels(&tone(2000), SoundSamples::read(&old).unwrap().samples());
    let by_two: Vec<i16> = tone(3000).into_iter().flat_map(|it| [it, -it / 2]).collect();
    for (channels, samples) in [(1, tone(2000)), (2, by_two)] {
        let mut package = formats(2, &old);
        assert!(put(&mut package, &wave_of(channels, &samples)).unwrap());
        let package = again(&package);
        let made = file(&package);
        let sound = SoundSamples::read(&made).unwrap();
        assert_eq!((sound.channels(), sound.samples().len()), (channels, samples.len()));
        let ours = decibels(&samples, sound.samples());
        assert!(ours > theirs - 0.5, "{channels} channels: {ours} dB, libsndfile {theirs}");
        // The head is the engine's: 54 bytes of format, then the data in whole blocks.
        let blocks = samples.len().div_ceil(usize::from(channels) * 500) * usize::from(channels);
        assert_eq!(made.len(), 12 + 8 + 54 + 8 + blocks * 256);
        assert_eq!(&made[4..8], &(made.len() as u32 - 8).to_le_bytes());
        assert_eq!(text(&package, "NumChannels"), channels.to_string());
        let seconds = samples.len() as f32 / f32::from(channels) / 8000.0;
        assert_eq!(text(&package, "Duration").parse::<f32>().unwrap(), seconds);
    }
    let mut package = formats(2, &old);
    assert!(put(&mut package, include_bytes!("../sounds/tone.flac")).unwrap());
    assert_eq!(text(&package, "NumChannels"), "2");
    // A file whose blocks are made elsewhere is taken as it is: its length is that of a channel.
    let two = file(&package);
    let mut package = formats(2, &old);
    assert!(put(&mut package, &two).unwrap());
    assert_eq!(text(&package, "Duration").parse::<f32>().unwrap(), 0.05);

    // The samples of Vorbis are no change.
    let vorbis: &[u8] = include_bytes!("../sounds/tone.ogg");
    let mut package = formats(1, vorbis);
    assert!(!put(&mut package, &SoundSamples::decoded(vorbis).unwrap()).unwrap());
}

/// Where pieces of PCM begin nothing says: those of a file of the same length are cut as they were.
#[test]
fn sounds_in_pieces_take_samples_in_the_place_of_others() {
    let old = wave(1, 8000, 16, 40);
    let pieces: Vec<_> = old.chunks(30).collect();
    let mut package = streamed(&pieces);
    let mut new = old.clone();
    let last = new.len() - 9;
    new[last] ^= 0x55;
    assert!(put(&mut package, &new).unwrap());
    let package = again(&package);
    assert_eq!(file(&package), new);
    assert_eq!(piece_sizes(&package), pieces.iter().map(|it| it.len() as i32).collect::<Vec<_>>());
    let mut package = streamed(&pieces);
    let error = put(&mut package, &wave(1, 8000, 16, 41)).unwrap_err().to_string();
    assert!(error.contains("2 pieces") || error.contains("pieces of"), "{error}");
}
