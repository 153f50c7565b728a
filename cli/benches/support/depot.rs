//! Depots of packages: as many as are asked for, of 1 to 200 kB, half of UE1 and half of UE5.

use std::fs;
use std::path::{Path, PathBuf};

use unreal_packages::edit::PackageEdit;
use unreal_packages::generate::{Builder, Profile, create};
use unreal_packages::object::ue1::Sound;
use unreal_packages::object::ue4::asset::sound::{Samples, SoundWave};
use unreal_packages::object::ue4::bulk::BulkData;
use unreal_packages::package::Package;
use unreal_packages::primitive::{LazyPayload, Payload};
use unreal_packages::property::{PropertyKind, PropertyList, Type};
use unreal_packages::{EngineRelease, Guid, Span};

/// Bytes of the smallest and the largest package.
const SIZES: [f64; 2] = [1_000.0, 190_000.0];
/// Sizes between them for which a package is made: the others are its copies with other content.
const STEPS: u32 = 24;
/// How sizes lie between them: the mean is about 20 kB.
const SKEW: f64 = 1.9;
/// An object for each so many bytes.
const BYTES_OF_OBJECT: usize = 4096;
/// Packages of one folder.
const IN_FOLDER: usize = 500;
/// What the content of sounds begins with, and the number that each package has another value of.
const MARK: &[u8] = b"content-of-the-sound-starts-here";
const NUMBER: i32 = 0x5ca9_1234;

/// A package to be copied.
struct Template {
    bytes: Vec<u8>,
    payload: usize,
    payload_size: usize,
    numbers: Vec<usize>,
}

/// Numbers that are the same in every run.
pub struct Numbers(u64);

impl Numbers {
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    /// From 0 to 1.
    fn part(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1_u64 << 53) as f64
    }
}

fn size_of(step: u32) -> usize {
    let part = f64::from(step) / f64::from(STEPS - 1);
    (SIZES[0] * (SIZES[1] / SIZES[0]).powf(part)) as usize
}

/// The places where `wanted` stands.
fn places(bytes: &[u8], wanted: &[u8]) -> Vec<usize> {
    let windows = bytes.windows(wanted.len()).enumerate();
    windows.filter(|(_, found)| *found == wanted).map(|(at, _)| at).collect()
}

impl Template {
    fn of(bytes: Vec<u8>, payload_size: usize) -> Self {
        let payload = places(&bytes, MARK)[0];
        let numbers = places(&bytes, &NUMBER.to_le_bytes());
        assert!(!numbers.is_empty(), "a number that can change");
        Self { bytes, payload, payload_size, numbers }
    }

    /// Objects with three properties each.
    fn fill(package: &mut Package, class: &str, size: usize) {
        let (int, vector) = (Type::new(PropertyKind::Int), "struct:Vector".parse::<Type>());
        let text = Type::new(PropertyKind::Str);
        let filled = package.edit(|edit| {
            for at in 0..2 + size / BYTES_OF_OBJECT {
                let object = format!("Thing{at}");
                edit.add_blank_object(&object, class)?;
                edit.add_property(&object, "Count", &int, &NUMBER.to_string())?;
                edit.add_property(&object, "Title", &text, "\"The quick brown fox\"")?;
                edit.add_property(
                    &object,
                    "Place",
                    vector.as_ref().expect("a type"),
                    "(X=1,Y=2,Z=3)",
                )?;
            }
            Ok(())
        });
        filled.expect("objects");
    }

    /// The content of a sound.
    fn payload(size: usize) -> Vec<u8> {
        let mut bytes = MARK.to_vec();
        bytes.resize(size.max(MARK.len()), 0);
        bytes
    }

    fn ue1(size: usize) -> Self {
        let data =
            LazyPayload { data: Payload(Span::owned(Self::payload(size))), ..Default::default() };
        let mut package = create(&Profile::UT99).expect("a package");
        Self::fill(&mut package, "Engine.Light", size);
        let added = package.edit(|edit| {
            let sound = Sound { format: edit.add_name("WAV")?, data, ..Sound::default() };
            edit.add_object("Shot", "Engine.Sound", PropertyList::default(), sound)
        });
        added.expect("a sound");
        Self::of(package.to_bytes().expect("bytes"), size.max(MARK.len()))
    }

    fn ue5(size: usize) -> Self {
        let content = Self::payload(size);
        let (length, payload) = (content.len() as i64, Span::owned(content));
        let bulk = BulkData {
            flags: 0x48,
            element_count: length,
            size_on_disk: length,
            payload,
            ..BulkData::default()
        };
        let builder = Builder::for_release(EngineRelease::new(5, 0)).name("None");
        let mut package = Package::from_bytes(builder.build().expect("bytes")).expect("a package");
        Self::fill(&mut package, "/Script/Engine.PointLight", size);
        let samples = Samples::Raw(bulk, Guid::default());
        let wave = SoundWave { samples, ..SoundWave::default() };
        let added = package.edit(|edit| {
            edit.add_object("Shot", "/Script/Engine.SoundWave", PropertyList::default(), wave)
        });
        added.expect("a sound");
        Self::of(package.to_bytes().expect("bytes"), size.max(MARK.len()))
    }

    /// A package like this one with content of its own.
    fn copy(&self, random: &mut Numbers) -> Vec<u8> {
        let mut bytes = self.bytes.clone();
        let payload = &mut bytes[self.payload + MARK.len()..self.payload + self.payload_size];
        for part in payload.chunks_mut(8) {
            part.copy_from_slice(&random.next().to_le_bytes()[..part.len()]);
        }
        for &at in &self.numbers {
            bytes[at..at + 4].copy_from_slice(&(random.next() as u32).to_le_bytes());
        }
        bytes
    }
}

/// A folder of packages.
pub struct Packages {
    templates: Vec<[Template; 2]>,
    folder: PathBuf,
}

impl Packages {
    /// In a folder that is there or not.
    pub fn new(folder: &Path) -> Self {
        let make = |step| [Template::ue1(size_of(step)), Template::ue5(size_of(step))];
        Self { templates: (0..STEPS).map(make).collect(), folder: folder.to_owned() }
    }

    /// The file of a package.
    pub fn path(&self, number: usize) -> PathBuf {
        let end = if number.is_multiple_of(2) { "u" } else { "uasset" };
        let folder = self.folder.join(format!("{:04}", number / IN_FOLDER));
        folder.join(format!("Package{number:06}.{end}"))
    }

    /// Writes a package; another `version` has other content. Its size, bytes.
    pub fn write(&self, number: usize, version: u64) -> u64 {
        let mut random = Numbers::new(number as u64 + 1);
        let step = (random.part().powf(SKEW) * self.templates.len() as f64) as usize;
        let template = &self.templates[step.min(self.templates.len() - 1)][number % 2];
        let bytes = template.copy(&mut Numbers::new((number as u64 + 1) ^ version << 32));
        let path = self.path(number);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(&path, &bytes).expect("written");
        bytes.len() as u64
    }
}
