//! Checksums: made anew when saving, compared when loading, in every archive that has bytes.

use std::hash::{DefaultHasher, Hasher};
use std::io::Cursor;

use farchive::archive::checksum::{self, Checksum, Hashed, Summing};
use farchive::{
    Annotate, Archive, ArchiveExt, Archived, ErrorKind, Loader, ReadLoader, Result, WriteSaver,
    explain, from_bytes, from_reader, to_bytes,
};

use crate::every::{in_every_archive, own};

/// Adler-32, in a few lines.
struct Adler(u32, u32);

impl Default for Adler {
    fn default() -> Self {
        Self(1, 0)
    }
}

impl Checksum for Adler {
    type Value = u32;

    fn update(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 + u32::from(*byte)) % 65521;
            self.1 = (self.1 + self.0) % 65521;
        }
    }

    fn value(&self) -> u32 {
        self.1 << 16 | self.0
    }
}

fn adler(bytes: &[u8]) -> u32 {
    let mut sum = Adler::default();
    sum.update(bytes);
    sum.value()
}

/// One checksum before what it is of, one behind, and one of the whole file before it.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
struct File {
    #[archive(with = first)]
    first: Vec<u16>,
    #[archive(with = second)]
    second: String,
    #[archive(with = whole)]
    whole: (),
}

fn first<A: Archive + ?Sized>(list: &mut Vec<u16>, ar: &mut A) -> Result<()> {
    checksum::before::<Adler, A>(ar, |ar| list.serialize(ar))
}

fn second<A: Archive + ?Sized>(text: &mut String, ar: &mut A) -> Result<()> {
    checksum::behind::<Adler, A>(ar, |ar| text.serialize(ar))
}

fn whole<A: Archive + ?Sized>((): &mut (), ar: &mut A) -> Result<()> {
    let end = ar.position();
    checksum::over::<Hashed<DefaultHasher>, A>(ar, 0, end)
}

fn file(length: usize) -> File {
    File { first: vec![7; length], second: "x".repeat(length), whole: () }
}

#[test]
fn every_archive_makes_and_takes_checksums() {
    let bytes = in_every_archive(&file(3), &own());
    assert_eq!(bytes[..4], adler(&bytes[4..14]).to_le_bytes());
    assert_eq!(bytes[21..25], adler(&bytes[14..21]).to_le_bytes());
    let mut hasher = DefaultHasher::new();
    hasher.write(&bytes[..25]);
    assert_eq!(bytes[25..], hasher.finish().to_le_bytes());
    // Two parts whose checksum goes before them are kept by a stream until they are patched.
    let parts = Parts(vec![1; 100_000], vec![2; 100_000]);
    let bytes = in_every_archive(&parts, &own());
    assert_eq!(bytes.len(), 200_016);
}

#[derive(Archived, Debug, Clone, Default, PartialEq)]
struct Parts(#[archive(with = part)] Vec<u8>, #[archive(with = part)] Vec<u8>);

fn part<A: Archive + ?Sized>(bytes: &mut Vec<u8>, ar: &mut A) -> Result<()> {
    checksum::before::<Adler, A>(ar, |ar| bytes.serialize(ar))
}

#[test]
fn every_changed_byte_is_found() {
    let bytes = to_bytes(&file(3), &own()).unwrap();
    for at in 0..bytes.len() {
        let mut changed = bytes.clone();
        changed[at] ^= 4;
        let slice = from_bytes::<File>(&changed, &own()).unwrap_err();
        let stream = from_reader::<File>(&changed[..], &own()).unwrap_err();
        assert_eq!(slice.to_string(), stream.to_string(), "{at}");
    }
    let mut changed = bytes.clone();
    changed[20] = b'y';
    let error = from_bytes::<File>(&changed, &own()).unwrap_err();
    assert_eq!((error.path(), error.offset()), ("second.checksum".into(), Some(21)), "{error}");
    assert!(matches!(error.kind(), ErrorKind::Invalid { .. }), "{error}");
    changed.clone_from(&bytes);
    changed[12] = 8;
    let error = from_bytes::<File>(&changed, &own()).unwrap_err();
    assert_eq!((error.path(), error.offset()), ("first.checksum".into(), Some(0)), "{error}");
}

#[test]
fn a_stream_that_has_passed_bytes_on_says_so() {
    let large = file(100_000);
    let bytes = to_bytes(&large, &own()).unwrap();
    let error = from_reader::<File>(&bytes[..], &own()).unwrap_err();
    assert!(error.to_string().contains("a stream must seek"), "{error}");
    let mut loader = ReadLoader::seekable(Cursor::new(&bytes), own()).unwrap();
    let mut loaded = File::default();
    loaded.serialize(&mut loader).unwrap();
    assert_eq!(loaded, large);
    // It keeps them where it is asked to.
    let mut loader = ReadLoader::new(&bytes[..], own());
    loader.holding(|ar| loaded.serialize(ar)).unwrap();
}

#[test]
fn explanations_show_the_checksums_that_are_stored() {
    let bytes = to_bytes(&file(3), &own()).unwrap();
    let text = explain::<File>(&bytes, &own()).to_string();
    let line = text.lines().find(|line| line.contains("first.checksum")).unwrap();
    assert!(line.ends_with(&adler(&bytes[4..14]).to_string()), "{line}");
    let mut saver = farchive::Saver::new(own());
    let mut annotate = Annotate::new(&mut saver);
    file(3).serialize(&mut annotate).unwrap();
    let saved = annotate.into_records();
    let roles = saved.iter().filter(|it| it.role == Some(farchive::archive::Role::Checksum));
    assert_eq!(roles.count(), 3);
    let mut loader = Loader::new(&bytes, own());
    let mut annotate = Annotate::new(&mut loader);
    File::default().serialize(&mut annotate).unwrap();
    let values = annotate.into_records().into_iter().map(|it| it.value);
    assert!(values.eq(saved.into_iter().map(|it| it.value)));
}

#[test]
fn a_hash_of_a_value_is_that_of_its_bytes() {
    let value = file(50_000);
    let bytes = to_bytes(&value, &own()).unwrap();
    assert_eq!(checksum::of::<Adler>(&value, &own()).unwrap(), adler(&bytes));
    // Values one after the other.
    let mut saver = WriteSaver::new(Summing(Adler::default()), own());
    saver.put(&1_u16).unwrap();
    saver.put(&2_u16).unwrap();
    assert_eq!(saver.finish().unwrap().0.0.value(), adler(&[1, 0, 2, 0]));
}
