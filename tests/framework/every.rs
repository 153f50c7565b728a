//! Every archive over one value, and the formats that the tests share.

use std::io::Cursor;

use farchive::archive::{JsonLoader, JsonSaver};
use farchive::{
    Annotate, Archive, ArchiveExt, Archived, Counter, Loader, ReadLoader, References, Remap,
    Result, Saver, Versions, WriteSaver,
};

pub fn own() -> Versions {
    Versions::own(1)
}

/// A directory: a magic, the place and size of each entry, then entries wherever the places say.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
#[archive(magic = b"DIR.")]
pub struct Directory {
    #[archive(with = entries)]
    pub entries: Vec<Entry>,
    pub mark: u16,
}

/// A text at a place of its own.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Entry {
    pub offset: u32,
    pub text: String,
}

impl Entry {
    pub fn new(offset: u32, text: &str) -> Self {
        Self { offset, text: text.to_owned() }
    }
}

impl Archived for Entry {
    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        farchive::archive::in_field("offset", ar, |ar| self.offset.serialize(ar))?;
        let offset = u64::from(self.offset);
        farchive::archive::in_field("text", ar, |ar| {
            ar.at_offset(offset, |ar| self.text.serialize(ar))
        })
    }
}

fn entries<A: Archive + ?Sized>(entries: &mut Vec<Entry>, ar: &mut A) -> Result<()> {
    entries.serialize(ar)
}

/// The value as every archive makes, reads, measures and visits it: the same bytes and values. Says the bytes.
#[track_caller]
pub fn in_every_archive<T>(value: &T, versions: &Versions) -> Vec<u8>
where
    T: Archived + Default + Clone + PartialEq + std::fmt::Debug,
{
    let mut value = value.clone();
    let before = value.clone();
    let mut saver = Saver::new(versions.clone());
    value.serialize(&mut saver).unwrap();
    let seen = saver.bytes().to_vec();
    let bytes = saver.finish().unwrap();
    assert_eq!(seen, bytes, "looked at and taken");

    let mut counter = Counter::new(versions.clone());
    value.serialize(&mut counter).unwrap();
    assert_eq!(counter.length(), bytes.len() as u64, "counted");
    value.serialize(&mut References::new(versions.clone())).unwrap();
    value.serialize(&mut Remap::new(versions.clone())).unwrap();

    let mut loader = Loader::new(&bytes, versions.clone()).owning();
    let mut loaded = T::default();
    loaded.serialize(&mut loader).unwrap();
    loader.finish().unwrap();
    assert_eq!(loaded, value, "loaded");
    let mut loader = Loader::new(&bytes, versions.clone()).owning();
    let mut annotate = Annotate::new(&mut loader);
    T::default().serialize(&mut annotate).unwrap();
    let loading = annotate.into_records();
    let mut saver = Saver::new(versions.clone());
    let mut annotate = Annotate::new(&mut saver);
    value.serialize(&mut annotate).unwrap();
    let mut saving = annotate.into_records();
    saving.iter_mut().for_each(|record| record.role = None);
    assert_eq!(loading, saving, "explained");

    let mut loader = ReadLoader::new(&bytes[..], versions.clone());
    let mut loaded = T::default();
    loaded.serialize(&mut loader).unwrap();
    loader.finish().unwrap();
    assert_eq!(loaded, value, "loaded from a stream");
    let mut loader = ReadLoader::seekable(Cursor::new(&bytes), versions.clone()).unwrap();
    let mut loaded = T::default();
    loaded.serialize(&mut loader).unwrap();
    loader.finish().unwrap();
    assert_eq!(loaded, value, "loaded from a stream that seeks");
    let mut saver = WriteSaver::new(Vec::new(), versions.clone());
    saver.put(&mut value).unwrap();
    assert_eq!(saver.finish().unwrap(), (bytes.clone(), bytes.len() as u64), "written");
    let mut saver = WriteSaver::seekable(Cursor::new(Vec::new()), versions.clone()).unwrap();
    saver.put(&mut value).unwrap();
    let (written, length) = saver.finish().unwrap();
    assert_eq!((written.into_inner(), length), (bytes.clone(), bytes.len() as u64), "by seeking");

    let known = || (versions.clone(), farchive::archive::Context::default().into());
    let mut saver = JsonSaver::new(known().0, known().1, &(), 0);
    value.serialize(&mut saver).unwrap();
    let document = saver.into_value();
    let mut loader = JsonLoader::new(&document, known(), &(), 0, 1 << 20);
    let mut loaded = T::default();
    let result = loaded.serialize(&mut loader);
    loader.finish(result).unwrap();
    assert_eq!(loaded, value, "from {document}");
    assert_eq!(value, before, "left as it was");
    bytes
}
