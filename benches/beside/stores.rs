//! The save game in four crates whose files are of a form of their own: what each of them can say of it, and what happens
//! where it can't. The tables of `docs/own-format.md` are measured here.

mod postcard;
mod revision;
mod rkyv;
mod savefile;

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::fmt::Display;

use ::farchive::{Versions, from_bytes, to_bytes};

use super::save_game::lines;

/// Notes the largest piece of memory that the calling thread asks for, and hands everything on to the system.
struct Noting;

thread_local! {
    static LARGEST: Cell<usize> = const { Cell::new(0) };
}

// SAFETY: every call goes to the system's allocator unchanged; noting touches no memory of its own beside a thread-local
// number, which needs no allocation.
unsafe impl GlobalAlloc for Noting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // A thread that is ending has no number any more.
        let _ = LARGEST.try_with(|largest| largest.set(largest.get().max(layout.size())));
        // SAFETY: the caller's promises are the system's conditions.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: as above.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Noting = Noting;

/// The largest piece of memory that `work` asks for.
fn asked_for(work: impl FnOnce()) -> usize {
    LARGEST.set(0);
    work();
    LARGEST.get()
}

/// A game of the types that are called so where it stands, with something in each field.
macro_rules! game {
    () => {{
        let pet = Hero { name: "Wolf".into(), ..Hero::default() };
        SaveGame {
            player: "Åsa".into(),
            title: "Before the storm".into(),
            play_time: 61_000,
            flags: Flags { hardcore: true, difficulty: 5 },
            hero: Hero {
                name: "Ylva".into(),
                position: [1.5, -2.0, 0.1],
                health: 99,
                inventory: vec![Item { id: 7, amount: 300 }],
                pet: Some(Box::new(pet)),
            },
            quests: vec![Quest::Side(9, true), Quest::Main(3)],
            weather: Some(Weather::Rain(0.25)),
            stats: [("luck".to_owned(), -3), ("strength".to_owned(), 18)].into(),
            seen: [(4, true), (2, false)].into(),
            width: 3,
            height: 2,
            map: vec![3; 6],
            last_event: Event::Killed(Item { id: 1, amount: 2 }),
            screenshot: (0..100_000).map(|byte| byte as u8).collect(),
            chunks: vec![vec![1, -2, 3], vec![], vec![4]],
            ..SaveGame::default()
        }
    }};
}

fn in_savefile() -> savefile::SaveGame {
    use savefile::*;
    SaveGame { strongest: "strength".into(), ..game!() }
}

fn in_revision() -> revision::SaveGame {
    use revision::*;
    game!()
}

fn in_postcard() -> postcard::SaveGame {
    use postcard::*;
    SaveGame { strongest: "strength".into(), ..game!() }
}

fn in_rkyv() -> rkyv::SaveGame {
    use rkyv::*;
    SaveGame { strongest: "strength".into(), ..game!() }
}

/// What a format of two versions was in its first one.
mod first {
    #[derive(savefile::prelude::Savefile, Debug, Clone, Default, PartialEq)]
    pub struct InSavefile {
        pub seconds: u32,
        pub title: String,
    }

    #[revision::revisioned(revision = 1)]
    #[derive(Debug, Clone, Default, PartialEq)]
    pub struct InRevision {
        pub seconds: u32,
        pub title: String,
    }

    pub type InPostcard = (u32, String);
}

/// What it is in its second one: time is counted in milliseconds, and there is gravity.
mod second {
    #[derive(savefile::prelude::Savefile, Debug, Clone, Default, PartialEq)]
    pub struct InSavefile {
        #[savefile_versions_as = "..1:from_seconds:u32"]
        #[savefile_versions = "2.."]
        pub milliseconds: u64,
        pub title: String,
        #[savefile_versions = "2.."]
        pub gravity: f32,
    }

    #[revision::revisioned(revision = 2)]
    #[derive(Debug, Clone, Default, PartialEq)]
    pub struct InRevision {
        #[revision(end = 2, convert_fn = "convert")]
        pub seconds: u32,
        #[revision(start = 2)]
        pub milliseconds: u64,
        pub title: String,
        #[revision(start = 2)]
        pub gravity: f32,
    }

    impl InRevision {
        fn convert(&mut self, _: u16, seconds: u32) -> Result<(), revision::Error> {
            self.milliseconds = from_seconds(seconds);
            Ok(())
        }
    }

    pub type InPostcard = (u64, String, f32);

    fn from_seconds(seconds: u32) -> u64 {
        u64::from(seconds) * 1000
    }
}

#[test]
fn two_of_them_load_what_their_first_version_saved() {
    let title = "Cellar".to_owned();
    let old = first::InSavefile { seconds: 61, title: title.clone() };
    let bytes = ::savefile::save_to_mem(1, &old).unwrap();
    let new: second::InSavefile = ::savefile::load_from_mem(&bytes, 2).unwrap();
    assert_eq!((new.milliseconds, &new.title, new.gravity), (61_000, &title, 0.0));

    let old = first::InRevision { seconds: 61, title: title.clone() };
    let bytes = ::revision::to_vec(&old).unwrap();
    let new: second::InRevision = ::revision::from_slice(&bytes).unwrap();
    assert_eq!((new.milliseconds, &new.title, new.gravity), (61_000, &title, 0.0));

    let bytes = ::postcard::to_stdvec(&(61_u32, &title)).unwrap();
    assert_eq!(::postcard::from_bytes::<first::InPostcard>(&bytes).unwrap(), (61, title.clone()));
    assert!(::postcard::from_bytes::<second::InPostcard>(&bytes).is_err());
}

/// Only one takes the number of an older version, and what it saves then lacks the field whose type changed: it can't be
/// loaded.
#[test]
fn none_of_them_saves_what_an_older_version_loads() {
    let level = second::InSavefile { milliseconds: 61_000, title: "Cellar".into(), gravity: 9.5 };
    let size = |version| {
        let mut bytes = Vec::new();
        ::savefile::save_noschema(&mut bytes, version, &level).unwrap();
        bytes.len()
    };
    // Eight bytes of time and four of gravity, instead of four bytes of time for these eight.
    assert_eq!(size(2) - size(1), 12);
}

#[test]
fn each_loads_what_it_saves() {
    let game = in_savefile();
    assert_eq!(savefile::load(&savefile::save(&game, 3).unwrap()).unwrap(), game);
    let game = in_revision();
    assert_eq!(revision::load(&revision::save(&game).unwrap()).unwrap(), game);
    let game = in_postcard();
    assert_eq!(postcard::load(&postcard::save(&game).unwrap()).unwrap(), game);
    let game = in_rkyv();
    assert_eq!(rkyv::load(&rkyv::save(&game).unwrap()).unwrap(), game);
}

/// What each of the four, in the order of the page, says of bytes that are not quite those of the game.
fn loading(change: fn(&mut Vec<u8>)) -> [Result<(), String>; 4] {
    fn said<T, E: Display>(result: Result<T, E>) -> Result<(), String> {
        result.map(|_| ()).map_err(|error| error.to_string())
    }
    let changed = |mut bytes| {
        change(&mut bytes);
        bytes
    };
    [
        said(savefile::load(&changed(savefile::save(&in_savefile(), 3).unwrap()))),
        said(revision::load(&changed(revision::save(&in_revision()).unwrap()))),
        said(postcard::load(&changed(postcard::save(&in_postcard()).unwrap()))),
        said(rkyv::load(&changed(rkyv::save(&in_rkyv()).unwrap()))),
    ]
}

type Things = Vec<(u32, String)>;

/// The largest piece of memory that each of the four, then ours, asks for when a file of less than a hundred bytes counts
/// 16 million things.
fn asked_for_by_a_count() -> [usize; 5] {
    const MANY: u32 = 16_000_000;
    fn many(mut bytes: Vec<u8>, from_end: usize, was: &[u8], count: &[u8]) -> Vec<u8> {
        let at = bytes.len() - from_end;
        assert_eq!(&bytes[at..at + was.len()], was);
        bytes.splice(at..at + was.len(), count.iter().copied());
        assert!(bytes.len() < 100);
        bytes
    }
    fn refused<E>(load: impl FnOnce() -> Result<Things, E>) -> usize {
        asked_for(|| assert!(load().is_err()))
    }
    let things: Things = vec![(1, "x".into()); 3];

    let mut in_savefile = Vec::new();
    ::savefile::save_noschema(&mut in_savefile, 1, &things).unwrap();
    let count = u64::from(MANY).to_le_bytes();
    let in_savefile = many(in_savefile, 3 * 13 + 8, &3_u64.to_le_bytes(), &count);

    let count = [&[252][..], &MANY.to_le_bytes()].concat();
    let in_revision = many(::revision::to_vec(&things).unwrap(), 3 * 3 + 1, &[3], &count);

    let count = ::postcard::to_stdvec(&MANY).unwrap();
    let in_postcard = many(::postcard::to_stdvec(&things).unwrap(), 3 * 3 + 1, &[3], &count);

    let in_rkyv = ::rkyv::to_bytes::<::rkyv::rancor::Error>(&things).unwrap().into_vec();
    let in_rkyv = many(in_rkyv, 4, &3_u32.to_le_bytes(), &MANY.to_le_bytes());

    let versions = Versions::own(1);
    let ours = to_bytes(&things, &versions).unwrap();
    let ours = many(ours, 3 * 9 + 4, &3_u32.to_le_bytes(), &MANY.to_le_bytes());
    [
        refused(|| ::savefile::load_noschema(&mut &in_savefile[..], 1)),
        refused(|| ::revision::from_slice(&in_revision)),
        refused(|| ::postcard::from_bytes(&in_postcard)),
        refused(|| ::rkyv::from_bytes::<Things, ::rkyv::rancor::Error>(&in_rkyv)),
        refused(|| from_bytes(&ours, &versions)),
    ]
}

#[test]
fn the_page_says_what_is_measured() {
    let page = include_str!("../../docs/own-format.md");
    let is_said = |row: &str| assert!(page.contains(row), "docs/own-format.md should say: {row}");
    for of in ["savefile", "revision", "postcard", "rkyv"] {
        let locked = include_str!("../../Cargo.lock");
        let (_, entry) = locked.split_once(&format!("name = \"{of}\"\nversion = \"")).unwrap();
        is_said(&format!("{of} {}", entry.split_once('"').unwrap().0));
    }
    let ours = lines(include_str!("../../tests/framework/save_game/format.rs"));
    let [savefile, revision, postcard, rkyv] = [
        include_str!("stores/savefile.rs"),
        include_str!("stores/revision.rs"),
        include_str!("stores/postcard.rs"),
        include_str!("stores/rkyv.rs"),
    ]
    .map(lines);
    is_said(&format!(
        "| lines of the save game | {ours} | {savefile} | {revision} | {postcard} | {rkyv} |"
    ));

    let [savefile, revision, postcard, rkyv] =
        loading(|bytes| _ = bytes.pop()).map(Result::unwrap_err);
    // The addresses are others each time.
    assert!(rkyv.starts_with("unaligned pointer: "), "{rkyv}");
    is_said(&format!(
        "| an error with path, place and version | `{savefile}` | `{revision}` | `{postcard}` | `unaligned pointer: …`"
    ));
    assert_eq!(loading(|bytes| bytes.push(0)).map(|it| it.is_err()), [false, false, false, true]);
    is_said("| a byte left over | an error | passed over | passed over | passed over | an error |");

    let [savefile, revision, postcard, rkyv, ours] = asked_for_by_a_count();
    assert!(ours < 1000 && rkyv < 1000, "{ours}, {rkyv}");
    let megabytes = |bytes: usize| format!("asks for {} MB, then fails", bytes / 1_000_000);
    is_said(&format!(
        "| refused, nothing asked for | {} | {} | fails, asks for {postcard} bytes at most | refused, nothing asked for |",
        megabytes(savefile),
        megabytes(revision)
    ));
}
