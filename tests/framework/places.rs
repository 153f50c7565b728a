//! Values at places of their own, in any order.

use farchive::archive::{Extent, Patch, Step, Window};
use farchive::{
    Annotate, Archive, ArchiveExt, Archived, Counter, ErrorKind, Loader, Result, Saver, from_bytes,
    to_bytes,
};

use crate::every::{Directory, Entry, in_every_archive, own};

/// Entries in the order of the table, and in another one.
fn directory(offsets: [u32; 3]) -> Directory {
    let [first, second, third] = offsets;
    let entries =
        vec![Entry::new(first, "one"), Entry::new(second, "two"), Entry::new(third, "three")];
    Directory { entries, mark: 0xabcd }
}

const HEADER: u32 = 4 + 4 + 3 * 4 + 2;

#[test]
fn every_archive_follows_offsets_in_any_order() {
    let in_order = in_every_archive(&directory([HEADER, HEADER + 7, HEADER + 14]), &own());
    assert_eq!(in_order.len() as u32, HEADER + 23);
    assert_eq!(&in_order[20..22], [0xcd, 0xab], "the table goes on behind its offsets");
    let reversed = in_every_archive(&directory([HEADER + 16, HEADER + 9, HEADER]), &own());
    assert_eq!(reversed.len() as u32, HEADER + 23);
    assert_eq!(&reversed[HEADER as usize..][..9], b"\x05\0\0\0three");
}

#[test]
fn bytes_that_no_value_writes_are_zero() {
    let bytes = in_every_archive(&directory([HEADER + 100, HEADER + 2, HEADER + 50]), &own());
    assert_eq!(&bytes[HEADER as usize..][..2], [0, 0]);
    assert_eq!(&bytes[HEADER as usize + 9..][..41], [0; 41]);
}

#[test]
fn two_values_may_share_bytes_that_are_the_same() {
    let mut shared = directory([HEADER, HEADER, HEADER + 7]);
    shared.entries[1].text = "one".into();
    let bytes = to_bytes(&shared, &own()).unwrap();
    assert_eq!(from_bytes::<Directory>(&bytes, &own()).unwrap(), shared);
}

#[test]
fn values_that_differ_in_a_byte_that_both_have_are_refused() {
    // The second one begins in the first one's text.
    let error = to_bytes(&directory([HEADER, HEADER + 6, HEADER + 30]), &own()).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Invalid { .. }), "{error}");
    assert_eq!(error.offset(), Some(u64::from(HEADER) + 6));
    // An entry in the table itself.
    let error = to_bytes(&directory([8, HEADER, HEADER + 7]), &own()).unwrap_err();
    assert_eq!(error.offset(), Some(8), "{error}");
}

#[test]
fn errors_and_explanations_have_the_true_places() {
    let mut bytes = to_bytes(&directory([HEADER + 16, HEADER + 9, HEADER]), &own()).unwrap();
    let mut loader = Loader::new(&bytes, own());
    let mut annotate = Annotate::new(&mut loader);
    Directory::default().serialize(&mut annotate).unwrap();
    let records = annotate.into_records();
    let mut end = 0;
    for record in &records {
        assert_eq!(record.start, end, "{record:?}");
        end = record.end;
    }
    assert_eq!(end, bytes.len() as u64);
    let last = records.last().unwrap();
    assert_eq!((&*last.path, &*last.meaning), ("entries[0].text.characters", "one"));

    bytes[HEADER as usize + 13] = 0xff;
    let error = from_bytes::<Directory>(&bytes, &own()).unwrap_err();
    assert_eq!(error.path(), "entries[1].text.characters", "{error}");
    assert!(error.offset().is_some_and(|at| at >= u64::from(HEADER) + 13), "{error}");
    bytes[HEADER as usize + 13] = b't';
    bytes[8..12].copy_from_slice(&1000_u32.to_le_bytes());
    let error = from_bytes::<Directory>(&bytes, &own()).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::BadOffset { offset: 1000, length: 45 }), "{error}");
    assert_eq!(error.path(), "entries[0].text");
}

/// A node that says where the next one stands.
#[derive(Debug, Clone, Default, PartialEq)]
struct Chain(u32, Option<Box<Chain>>);

impl Archived for Chain {
    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        self.0.serialize(ar)?;
        if ar.is_loading() {
            self.1 = (self.0 != u32::MAX).then(Default::default);
        }
        match &mut self.1 {
            Some(next) => ar.at_offset(self.0.into(), |ar| next.serialize(ar)),
            None => Ok(()),
        }
    }
}

#[test]
fn offsets_in_a_circle_come_to_an_end() {
    let error = from_bytes::<Chain>(&[0; 4], &own()).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::TooDeep { .. }), "{error}");
    // Two ways at each of many levels: it is the work that has a limit.
    #[derive(Debug, Default)]
    struct Twice;
    impl Archived for Twice {
        fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
            ar.at_offset(0, |ar| Self.serialize(ar))
                .and_then(|()| ar.at_offset(0, |ar| Self.serialize(ar)))
        }
    }
    #[derive(Debug, Default)]
    struct Tree(u32);
    impl Archived for Tree {
        fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
            for _ in 0..2 {
                if self.0 < 60 {
                    ar.at_offset(0, |ar| Self(self.0 + 1).serialize(ar))?;
                }
            }
            Ok(())
        }
    }
    assert!(from_bytes::<Twice>(&[0], &own()).is_err());
    let mut loader = Loader::new(&[], own()).with_budget(1 << 16);
    let error = Tree(0).serialize(&mut loader).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Budget { .. }), "{error}");
    let error = Tree(0).serialize(&mut Saver::new(own()).with_budget(1 << 16)).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Budget { .. }), "{error}");
}

#[test]
fn an_offset_that_is_far_away_takes_no_memory() {
    let error = to_bytes(&directory([HEADER, HEADER + 7, u32::MAX]), &own()).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Budget { .. }), "{error}");
}

#[test]
fn a_place_within_a_part_that_fails_leaves_nothing() {
    fn part(ar: &mut dyn Archive) -> Result<()> {
        ar.part(4, &mut |ar| {
            7_u16.serialize(ar)?;
            ar.at_offset(6, |ar| 8_u16.serialize(ar))?;
            Err(ErrorKind::NotInVersion.into())
        })
    }
    let mut saver = Saver::new(own());
    part(&mut saver).unwrap_err();
    assert!(saver.bytes().is_empty());
    let mut counter = Counter::new(own());
    assert!(part(&mut counter).is_err());
    assert_eq!(counter.position(), 0);
    let mut loader = Loader::new(&[0; 20], own());
    part(&mut loader).unwrap_err();
    assert_eq!((loader.position(), loader.remaining()), (0, 20));
}

#[test]
fn what_stands_elsewhere_can_be_patched_and_looked_at() {
    let mut saver = Saver::new(own()).at(100);
    1_u32.serialize(&mut saver).unwrap();
    saver.at_offset(110, |ar| ar.at_offset(104, |ar| 2_u16.serialize(ar))).unwrap();
    saver
        .at_offset(110, |ar| {
            9_u16.serialize(ar)?;
            // One that waits, one that is kept, the current one.
            ar.patch(100, Patch::Bytes(&[5]))?;
            ar.patch(105, Patch::Bytes(&[6]))?;
            ar.patch(111, Patch::Bytes(&[7]))?;
            let mut seen = Vec::new();
            assert!(ar.with_bytes(100, 104, &mut |bytes| seen.extend_from_slice(bytes))?);
            assert!(ar.with_bytes(104, 106, &mut |bytes| seen.extend_from_slice(bytes))?);
            assert!(ar.with_bytes(110, 112, &mut |bytes| seen.extend_from_slice(bytes))?);
            assert_eq!(seen, [5, 0, 0, 0, 2, 6, 9, 7]);
            Ok(())
        })
        .unwrap();
    for outside in [99, 103, 106, 112] {
        assert!(saver.patch(outside, Patch::Bytes(&[1, 1])).is_err(), "{outside}");
        assert!(saver.with_bytes(outside, outside + 2, &mut |_| ()).is_err(), "{outside}");
    }
    assert!(saver.at_offset(99, |ar| 0_u8.serialize(ar)).is_err(), "before the first byte");
    assert_eq!(saver.finish().unwrap(), [5, 0, 0, 0, 2, 6, 0, 0, 0, 0, 9, 7]);
}

#[test]
fn a_loader_lends_its_source() {
    let bytes = vec![1, 2, 3, 4];
    let taken = {
        let mut loader = Loader::new(&bytes, own());
        assert_eq!((loader.source(), loader.rest()), (&bytes[..], &bytes[..]));
        let taken = loader.take(3).unwrap();
        assert_eq!(loader.rest(), [4]);
        let error = loader.take(2).unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::UnexpectedEnd { needed: 2, remaining: 1 }));
        taken
    };
    // The loader is gone.
    assert_eq!(taken, [1, 2, 3]);
}

/// Counts how often it goes to another place, and keeps its own numbers in windows.
struct Visits {
    counter: Counter,
    visits: u64,
    closed: Vec<(u64, u64)>,
}

impl Archive for Visits {
    fn direction(&self) -> farchive::Direction {
        self.counter.direction()
    }

    fn versions(&self) -> &farchive::Versions {
        self.counter.versions()
    }

    fn set_versions(&mut self, versions: farchive::Versions) {
        self.counter.set_versions(versions);
    }

    fn context(&self) -> &std::sync::Arc<farchive::archive::Context> {
        self.counter.context()
    }

    fn position(&self) -> u64 {
        self.counter.position()
    }

    fn serialize_bytes(&mut self, bytes: &mut [u8]) -> Result<()> {
        self.counter.serialize_bytes(bytes)
    }

    fn serialize_span(
        &mut self,
        span: &mut farchive::Span,
        length: u64,
        kind: farchive::Kind,
    ) -> Result<()> {
        self.counter.serialize_span(span, length, kind)
    }

    fn serialize_terminated(&mut self, span: &mut farchive::Span) -> Result<()> {
        self.counter.serialize_terminated(span)
    }

    fn open(&mut self, extent: Extent) -> Result<Window> {
        self.visits += u64::from(matches!(extent, Extent::At(_)));
        Ok(Window::new(extent, self.position(), self.visits))
    }

    fn close(&mut self, window: Window, result: Result<()>) -> Result<()> {
        assert!(window.extent().is_some());
        self.closed.push((window.start(), window.end()));
        result
    }

    fn reserve(&mut self, _: u64, _: u64) -> Result<()> {
        Ok(())
    }

    fn patch(&mut self, _: u64, _: Patch<'_>) -> Result<()> {
        Ok(())
    }

    fn step(&mut self, step: Step<'_>) {
        let _ = step;
    }

    fn as_dyn(&mut self) -> &mut dyn Archive {
        self
    }
}

#[test]
fn an_archive_of_ones_own_keeps_its_state_in_windows() {
    let mut visits = Visits { counter: Counter::new(own()), visits: 0, closed: Vec::new() };
    directory([HEADER, HEADER + 7, HEADER + 14]).serialize(&mut visits).unwrap();
    assert_eq!(visits.visits, 3);
    assert_eq!(visits.closed.first(), Some(&(12, 1)));
    assert_eq!(visits.closed.len(), 5, "one level for the list, one for its function");
}
