//! Archives over streams: the same bytes, values and errors as over memory.

use std::io::{self, Cursor, Read, Seek, SeekFrom, Write};

use farchive::archive::{Extent, Patch, in_field};
use farchive::{
    Archive, ArchiveExt, Archived, ErrorKind, Kind, Loader, ReadLoader, Result, Saver, Span,
    WriteSaver, from_bytes, from_reader, to_bytes, to_writer,
};

use crate::every::{Directory, Entry, own};

/// A reader that gives few bytes at a time and counts them.
#[derive(Debug)]
struct Drops<R> {
    inner: R,
    most: usize,
    read: u64,
}

impl<R> Drops<R> {
    fn of(inner: R, most: usize) -> Self {
        Self { inner, most, read: 0 }
    }
}

impl<R: Read> Read for Drops<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let most = self.most.min(buffer.len());
        let read = self.inner.read(&mut buffer[..most])?;
        self.read += read as u64;
        Ok(read)
    }
}

/// Of every kind: numbers, a list, a text, bytes that stay as they are, a size that is patched, a prefix of varying
/// width, a part of declared size.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
struct Mixed {
    number: u64,
    list: Vec<(u16, String)>,
    #[archive(with = span)]
    span: Span,
    #[archive(with = terminated)]
    text: Span,
    #[archive(with = sized)]
    sized: Vec<u32>,
    #[archive(with = prefixed)]
    prefixed: Vec<u8>,
    real: f64,
}

fn span<A: Archive + ?Sized>(span: &mut Span, ar: &mut A) -> Result<()> {
    let mut length = span.len() as u32;
    ar.serialize_u32(&mut length)?;
    ar.serialize_span(span, length.into(), Kind::Payload)
}

fn terminated<A: Archive + ?Sized>(span: &mut Span, ar: &mut A) -> Result<()> {
    ar.serialize_terminated(span)
}

/// A size of four bytes, which is patched, then the list.
fn sized<A: Archive + ?Sized>(list: &mut Vec<u32>, ar: &mut A) -> Result<()> {
    let (at, mut size) = (ar.position(), 0);
    ar.serialize_u32(&mut size)?;
    let start = ar.position();
    let window = ar.open(Extent::Size(size.into()))?;
    let result = list.serialize(ar);
    ar.close(window, result)?;
    let size = (ar.position() - start) as u32;
    ar.patch_u32(at, size)
}

/// A compact size, then the bytes.
fn prefixed<A: Archive + ?Sized>(bytes: &mut Vec<u8>, ar: &mut A) -> Result<()> {
    let mut size = farchive::CompactIndex::default();
    if ar.is_loading() {
        ar.serialize_compact(&mut size)?;
        return ar.part(size.value() as u64, &mut |ar| bytes.serialize(ar));
    }
    ar.prefixed(
        |ar, length| ar.serialize_compact(&mut farchive::CompactIndex::new(length as i32)),
        |ar| bytes.serialize(ar),
    )
}

fn mixed(scale: usize) -> Mixed {
    Mixed {
        number: 0x0102_0304_0506_0708,
        list: (0..scale as u16).map(|at| (at, "x".repeat(usize::from(at) % 90))).collect(),
        span: Span::owned(vec![7; scale * 40]),
        text: Span::owned(vec![b'a'; scale * 70]),
        sized: (0..scale as u32 * 30).collect(),
        prefixed: vec![3; scale * 60],
        real: 0.5,
    }
}

#[test]
fn streams_have_the_bytes_and_values_of_memory() {
    for scale in [0, 1, 40, 1000] {
        let value = mixed(scale);
        let bytes = crate::every::in_every_archive(&value, &own());
        for most in [1, 7, 4096] {
            let loaded = from_reader::<Mixed>(Drops::of(&bytes[..], most), &own()).unwrap();
            assert!(loaded == value, "{scale} in steps of {most}");
            let reader = Seeks(Drops::of(Cursor::new(&bytes), most));
            let mut loader = ReadLoader::seekable(reader, own()).unwrap();
            let mut loaded = Mixed::default();
            loaded.serialize(&mut loader).unwrap();
            assert!(loaded == value, "{scale} in steps of {most}, seeking");
            loader.finish().unwrap();
        }
    }
}

struct Seeks<R>(Drops<R>);

impl<R: Read> Read for Seeks<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.0.read(buffer)
    }
}

impl<R: Seek> Seek for Seeks<R> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.0.inner.seek(to)
    }
}

#[test]
fn errors_are_those_of_memory() {
    let bytes = to_bytes(&mixed(3), &own()).unwrap();
    let compare = |bytes: &[u8], what: &str| {
        let slice = from_bytes::<Mixed>(bytes, &own());
        let stream = from_reader::<Mixed>(Drops::of(bytes, 5), &own());
        let mut loader = ReadLoader::seekable(Cursor::new(bytes), own()).unwrap();
        let mut value = Mixed::default();
        let seeking = value.serialize(&mut loader).and_then(|()| loader.finish().map(|_| value));
        let text = |result: Result<Mixed>| match result {
            Ok(value) => format!("{value:?}"),
            Err(error) => error.to_string(),
        };
        let (slice, stream, seeking) = (text(slice), text(stream), text(seeking));
        assert_eq!(slice, seeking, "{what}, seeking");
        // How much is left is not known where nobody says how long it is.
        let known = |text: &str| text.split(" bytes of the declared").count() == 1;
        assert!(slice == stream || !known(&slice) && !known(&stream), "{what}: {slice}, {stream}");
    };
    for end in 0..bytes.len() {
        compare(&bytes[..end], &format!("{end} bytes"));
    }
    let mut state = 1_u64;
    for round in 0..1000 {
        let mut changed = bytes.clone();
        for _ in 0..=round % 3 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let at = (state >> 33) as usize % changed.len();
            changed[at] = if round % 2 == 0 { 0xff } else { (state >> 55) as u8 };
        }
        compare(&changed, &format!("round {round}"));
    }
}

#[test]
fn records_are_read_one_after_the_other() {
    let mut saver = WriteSaver::new(Vec::new(), own());
    for at in 0..1000_u32 {
        saver.put(&(at, "text".to_owned())).unwrap();
    }
    let (bytes, length) = saver.finish().unwrap();
    assert_eq!(bytes.len() as u64, length);
    let mut loader = ReadLoader::new(Drops::of(&bytes[..], 100), own()).with_budget(100);
    let values: Result<Vec<(u32, String)>> = loader.values().collect();
    assert_eq!(values.unwrap().len(), 1000, "each has the whole budget");
    assert!(loader.is_finished().unwrap());
    let mut loader = ReadLoader::new(&bytes[..bytes.len() - 1], own());
    let values: Vec<Result<(u32, String)>> = loader.values().collect();
    assert_eq!((values.len(), values.iter().filter(|it| it.is_err()).count()), (1000, 1));
}

/// A reader that fails when it is asked beyond its bytes: an answer is waited for.
struct Waiting<'a>(&'a [u8]);

impl Read for Waiting<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self.0.is_empty() {
            true => Err(io::Error::other("nothing was sent")),
            false => self.0.read(buffer),
        }
    }
}

#[test]
fn a_stream_that_waits_is_read_as_far_as_it_is_wanted() {
    let bytes = to_bytes(&(7_u32, 8_u16), &own()).unwrap();
    let mut loader = ReadLoader::waiting(Waiting(&bytes), own());
    let mut value = (0_u32, 0_u16);
    value.serialize(&mut loader).unwrap();
    assert_eq!(value, (7, 8));
    let error = 0_u8.serialize(&mut loader).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Io { .. }), "{error}");
    assert!(error.to_string().contains("nothing was sent"), "{error}");
    assert!(0_u8.serialize(&mut loader).is_err(), "and again");
    let error = from_reader::<(u32, u16)>(Waiting(&bytes), &own()).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Io { .. }), "an end that is none: {error}");
}

#[test]
fn what_comes_next_can_be_looked_at() {
    let bytes: Vec<u8> = (0..200).map(|at| at as u8).collect();
    let mut loader = ReadLoader::new(Drops::of(&bytes[..], 1), own());
    for at in 0..=200_usize {
        let ahead = loader.peek(50).to_vec();
        assert_eq!(ahead, bytes[at..200.min(at + 50)]);
        if at < 200 {
            0_u8.serialize(&mut loader).unwrap();
        }
    }
    let mut loader = ReadLoader::new(&bytes[..], own());
    loader
        .part(3, &mut |ar| {
            assert_eq!(ar.peek(50).len(), 3, "not beyond the part");
            [0_u8; 3].serialize(ar)
        })
        .unwrap();
}

#[test]
fn a_part_that_fails_is_read_again_in_another_way() {
    let bytes = to_bytes(&(0xffff_ffff_u32, vec![5_u8; 300]), &own()).unwrap();
    fn either<A: Archive + ?Sized>(ar: &mut A, size: u64) -> Result<Vec<u8>> {
        let mut text = String::new();
        let failed = ar.part(size, &mut |ar| text.serialize(ar));
        assert!(failed.is_err());
        let mut bytes = vec![0; size as usize];
        ar.serialize_bytes(&mut bytes)?;
        Ok(bytes)
    }
    let size = bytes.len() as u64;
    let mut loader = ReadLoader::new(Drops::of(&bytes[..], 3), own());
    assert_eq!(either(&mut loader, size).unwrap(), bytes);
    let mut loader = ReadLoader::seekable(Cursor::new(&bytes), own()).unwrap();
    assert_eq!(either(&mut loader, size).unwrap(), bytes);
    assert_eq!(either(&mut Loader::new(&bytes, own()), size).unwrap(), bytes);
}

#[test]
fn a_stream_that_does_not_seek_follows_offsets_forward_alone() {
    fn back<A: Archive + ?Sized>(ar: &mut A) -> Result<u8> {
        let mut all = [0; 200_000];
        ar.serialize_bytes(&mut all)?;
        let mut first = 0_u8;
        ar.at_offset(1, |ar| first.serialize(ar))?;
        let mut next = 0_u8;
        next.serialize(ar)?;
        assert_eq!(next, 9);
        Ok(first)
    }
    let mut bytes = vec![0; 200_000];
    bytes[1] = 8;
    bytes.push(9);
    assert_eq!(back(&mut Loader::new(&bytes, own())).unwrap(), 8);
    let mut loader = ReadLoader::seekable(Cursor::new(&bytes), own()).unwrap();
    assert_eq!(back(&mut loader).unwrap(), 8);
    let mut loader = ReadLoader::new(Drops::of(&bytes[..], 1000), own()).with_ahead(1);
    let error = back(&mut loader).unwrap_err();
    assert!(error.to_string().contains("seek"), "{error}");
    // The stream itself goes on.
    let mut next = 0_u8;
    next.serialize(&mut loader).unwrap();
    assert_eq!(next, 9);
}

#[test]
fn a_count_of_a_stream_asks_for_nothing_that_is_not_there() {
    let mut reader = Drops::of(&[0xff; 100][..], 10);
    let error = from_reader::<Vec<u64>>(&mut reader, &own()).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::TooLong { remaining: 96, .. }), "{error}");
    // A stream without an end.
    let endless = io::repeat(0xff);
    let mut loader = ReadLoader::new(endless, own()).with_budget(1 << 20);
    let error = Vec::<u8>::new().serialize(&mut loader).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Budget { .. }), "{error}");
    let mut loader = ReadLoader::new(io::repeat(0xff), own()).with_budget(1 << 20);
    let far = loader.at_offset(1 << 40, |ar| 0_u8.serialize(ar)).unwrap_err();
    assert!(matches!(far.kind(), ErrorKind::Budget { .. }), "{far}");
    let mut loader = ReadLoader::new(io::repeat(1), own()).with_budget(1 << 20);
    let long = loader.serialize_terminated(&mut Span::default()).unwrap_err();
    assert!(matches!(long.kind(), ErrorKind::Budget { .. }), "{long}");
    // What is there is taken, however much it is.
    let large = to_bytes(&vec![1_u8; 60 << 20], &own()).unwrap();
    assert_eq!(from_reader::<Vec<u8>>(&large[..], &own()).unwrap().len(), 60 << 20);
}

#[test]
fn a_value_that_fails_writes_no_byte() {
    let mut saver = WriteSaver::new(Vec::new(), own());
    saver.put(&1_u8).unwrap();
    let mut entry = Directory { entries: vec![Entry::new(0, "x")], mark: 0 };
    // It stands where the magic is.
    let error = to_writer(&mut entry, &own(), &mut Vec::new()).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Invalid { .. }), "{error}");
    #[derive(Archived, Debug, Default)]
    struct Late {
        first: u8,
        #[since(9)]
        second: u8,
    }
    assert!(saver.put(&mut Late { first: 1, second: 2 }).is_err());
    saver.put(&3_u8).unwrap();
    assert_eq!(saver.finish().unwrap(), (vec![1, 3], 2));
}

/// A writer that seeks, and fails after so many bytes.
struct Full(Cursor<Vec<u8>>, usize);

impl Write for Full {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self.0.get_ref().len() + bytes.len() > self.1 {
            true => Err(io::Error::other("the disk is full")),
            false => self.0.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Seek for Full {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.0.seek(to)
    }
}

#[test]
fn a_writer_that_fails_is_an_error() {
    for scale in [1, 3000] {
        let error = to_writer(&mixed(scale), &own(), Full(Cursor::default(), 100)).unwrap_err();
        assert!(error.to_string().contains("the disk is full"), "{error}");
        let mut saver = WriteSaver::seekable(Full(Cursor::default(), 100), own()).unwrap();
        let result = saver.put(&mixed(scale)).and_then(|()| saver.finish().map(drop));
        assert!(result.unwrap_err().to_string().contains("the disk is full"));
    }
}

#[test]
fn a_writer_that_seeks_is_patched_where_it_stands() {
    let mut saver = WriteSaver::seekable(Cursor::new(b"head".to_vec()), own()).unwrap();
    let mut large = vec![1_u8; 300_000];
    let at = saver.position();
    0_u32.serialize(&mut saver).unwrap();
    large.serialize(&mut saver).unwrap();
    saver.patch_u32(at, 77).unwrap();
    assert!(saver.patch(400_000, Patch::Bytes(&[1])).is_err());
    let mut expected = Saver::new(own());
    (77_u32, large).serialize(&mut expected).unwrap();
    let (written, length) = saver.finish().unwrap();
    assert_eq!(length, 300_008);
    assert!(written.into_inner()[..] == *expected.bytes(), "from where the writer stood");
    // It begins where the writer stands.
    let mut cursor = Cursor::new(b"head".to_vec());
    cursor.seek(SeekFrom::End(0)).unwrap();
    let mut saver = WriteSaver::seekable(cursor, own()).unwrap();
    saver.put(&directory()).unwrap();
    let (written, _) = saver.finish().unwrap();
    let whole = written.into_inner();
    assert_eq!(whole[..4], *b"head");
    assert_eq!(whole[4..], to_bytes(&directory(), &own()).unwrap());
    let mut cursor = Cursor::new(whole);
    cursor.seek(SeekFrom::Start(4)).unwrap();
    let mut loader = ReadLoader::seekable(cursor, own()).unwrap();
    let mut loaded = Directory::default();
    loaded.serialize(&mut loader).unwrap();
    assert_eq!(loaded, directory());
    loader.finish().unwrap();
}

fn directory() -> Directory {
    Directory { entries: vec![Entry::new(40, "one"), Entry::new(30, "two")], mark: 5 }
}

#[test]
fn bytes_that_a_stream_has_written_are_not_written_again() {
    // A large value first, so that what is before it is gone.
    fn late<A: Archive + ?Sized>(ar: &mut A) -> Result<()> {
        in_field("large", ar, |ar| vec![1_u8; 300_000].serialize(ar))?;
        ar.at_offset(2, |ar| 9_u8.serialize(ar))
    }
    let mut saver = WriteSaver::seekable(Cursor::new(Vec::new()), own()).unwrap();
    let result = late(&mut saver).and_then(|()| saver.finish().map(drop));
    let error = result.unwrap_err();
    assert!(error.to_string().contains("save to memory"), "{error}");
}
