//! A file format of your own, with nothing of Unreal in it: the levels of a little platform game.
//!
//! Run it with `cargo run -p farchive --example own_format`. It saves a level, loads it again, explains every byte of
//! the file and shows what happens when a level meets a version that has no place for it.
//!
//! The format, in a table as one would find it in a specification (all numbers little-endian):
//!
//! | field | stored as | versions |
//! |---|---|---|
//! | magic | `LEVL` | all |
//! | version | u32 | all |
//! | title | u32 length, UTF-8 | all |
//! | gravity | f32 | from 2 |
//! | tiles per row | u16 | all |
//! | tiles | u32 count, one byte each | all |
//! | things | u32 count, then each: x, y (i16), kind (u8), fields of the kind | all |
//! | sign | one byte, 0 or 1; if 1, a text as the title | from 2 |
//! | scores | u32 count, then each: name (as the title), points (u32); ascending by name | from 2 |
//!
//! Below, that table is written once, as types. There is no reader and no writer that could disagree.

use std::collections::BTreeMap;

use farchive::{Archived, Result, Versions, with};

/// The version that made gravity a matter of the level, and that knows doors.
const GRAVITY_AND_DOORS: u32 = 2;
/// The version that this program writes unless it is given another.
const NEWEST: u32 = 2;

/// A whole file. Fields are stored in the order in which they stand here.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
#[archive(magic = b"LEVL")]
struct Level {
    // A file says itself which version it has: loading it, all that follows is of that version. A level needs no such
    // number in memory, so its type is empty.
    #[archive(with = with::version_u32(1..=NEWEST))]
    version: (),
    title: String,
    // Older levels have no such field. Loading one of those leaves 0.0 here.
    #[since(GRAVITY_AND_DOORS)]
    gravity: f32,
    tiles_per_row: u16,
    tiles: Vec<u8>,
    things: Vec<Thing>,
    #[since(GRAVITY_AND_DOORS)]
    sign: Option<String>,
    #[since(GRAVITY_AND_DOORS)]
    scores: BTreeMap<String, u32>,
    // What the editor remembers is not part of the file.
    #[archive(skip)]
    is_modified: bool,
}

/// Something that stands in a level.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
struct Thing {
    x: i16,
    y: i16,
    kind: ThingKind,
}

/// What it is. `repr` says how the discriminant is stored; the fields of the variant follow it.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
#[repr(u8)]
enum ThingKind {
    #[default]
    Start,
    Coin {
        value: u16,
    },
    #[since(GRAVITY_AND_DOORS)]
    Door {
        flags: u8,
        // Only a locked door has a key. Conditions see what stands before them.
        #[archive(when = *flags & 1 != 0)]
        key: u32,
    } = 16,
}

/// The bit of a door's flags that says so.
const LOCKED: u8 = 1;

fn save(level: &mut Level, version: u32) -> Result<Vec<u8>> {
    farchive::to_bytes(level, &Versions::own(version))
}

fn load(bytes: &[u8]) -> Result<Level> {
    // The version is not known yet: the header will tell.
    farchive::from_bytes(bytes, &Versions::own(NEWEST))
}

fn main() -> Result<()> {
    let mut level = Level {
        title: "Cellar".into(),
        gravity: 9.5,
        tiles_per_row: 4,
        tiles: vec![1, 1, 1, 1, 1, 0, 0, 1],
        things: vec![
            Thing { x: 1, y: 1, kind: ThingKind::Start },
            Thing { x: 2, y: 1, kind: ThingKind::Coin { value: 50 } },
            Thing { x: 3, y: 1, kind: ThingKind::Door { flags: LOCKED, key: 7 } },
            Thing { x: 0, y: 1, kind: ThingKind::Door { flags: 0, key: 0 } },
        ],
        sign: Some("Mind your head".into()),
        scores: [("Ann".into(), 700), ("Bob".into(), 650)].into(),
        ..Level::default()
    };

    // One function, three archives: written, measured, read.
    let bytes = save(&mut level, NEWEST)?;
    assert_eq!(farchive::size(&mut level, &Versions::own(NEWEST))?, bytes.len() as u64);
    let mut loaded = load(&bytes)?;
    assert_eq!(loaded, level);
    assert_eq!(save(&mut loaded, NEWEST)?, bytes);
    println!("saved {} bytes and loaded them again: the same level\n", bytes.len());

    // Which bytes are which field.
    print!("{}", farchive::explain::<Level>(&bytes, &Versions::own(NEWEST)));

    // Version 1 has neither gravity nor doors. Dropping them without a word would be the worst answer.
    let error = save(&mut level, 1).expect_err("version 1 has no place for gravity");
    println!("\nas version 1: {error}");
    assert_eq!(error.path(), "gravity");
    (level.gravity, level.sign) = (0.0, None);
    level.scores.clear();
    let error = save(&mut level, 1).expect_err("version 1 has no place for doors");
    println!("without gravity: {error}");
    assert_eq!(error.path(), "things[2].kind");
    level.things.truncate(2);
    let old = save(&mut level, 1)?;
    assert_eq!(load(&old)?, level);
    println!("without doors: saved {} bytes", old.len());

    // Whatever is wrong with a file, the error says where and in which field.
    let error = load(&bytes[..bytes.len() - 3]).expect_err("the end is missing");
    println!("\ncut short: {error}");
    assert_eq!(error.path(), "scores[1].value");
    let mut damaged = bytes.clone();
    damaged[0] = b'X';
    println!("not a level: {}", load(&damaged).expect_err("the magic is wrong"));
    Ok(())
}
