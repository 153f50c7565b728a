//! What is printed from layouts, in the tools that it is printed for: Kaitai Struct's own compiler and runtime read saved
//! bytes by it. They are ignored where node or its modules are not there:
//!
//! ```text
//! npm install --prefix target/kaitai kaitai-struct-compiler@0.11.0 kaitai-struct@0.11.0 js-yaml@4.1.0
//! ```
//!
//! `FARCHIVE_KAITAI` names another folder. No runtime of ImHex's patterns can be had as a package: those are held to their
//! text alone.

#[path = "../../common/needs.rs"]
mod needs;
#[path = "../save_game"]
mod save_game {
    pub mod format;
    // Of the game only its parts are needed.
    #[allow(dead_code)]
    pub mod game;
}

use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;
use std::process::{Command, ExitCode};

use farchive::archive::print::kaitai;
use farchive::archive::{Record, RecordValue, Tagged};
use farchive::{Archived, ByteOrder, Versions, explain, to_bytes, with};
use serde_json::Value;

use save_game::format::{self, Event, Flags, Hero, Item, Quest};
use save_game::game;

fn main() -> ExitCode {
    needs::run(needs::trials![
        kaitai_modules => [
            a_level_is_read_the_same_in_every_version_and_byte_order,
            forms_of_the_shelf_are_read_the_same,
            variants_for_other_numbers_are_read_the_same,
            the_parts_of_a_save_game_are_read_the_same,
        ];
    ])
}

fn modules() -> PathBuf {
    match std::env::var_os("FARCHIVE_KAITAI") {
        Some(folder) => folder.into(),
        None => PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../target/kaitai"),
    }
}

/// Kaitai Struct's compiler and runtime for node.
fn kaitai_modules() -> Result<(), String> {
    let is_there = modules().join("node_modules/kaitai-struct-compiler").is_dir();
    let node = Command::new("node").arg("--version").output();
    match is_there && node.is_ok_and(|it| it.status.success()) {
        true => Ok(()),
        false => Err("node or the modules of Kaitai Struct are not there".to_owned()),
    }
}

/// A value as the tool has read it.
#[derive(Debug)]
struct Leaf {
    start: u64,
    end: u64,
    value: Value,
}

/// What the tool reads by the definition of `T`.
fn read_by_the_tool<T: Archived>(bytes: &[u8], versions: &Versions) -> Vec<Leaf> {
    let definition = kaitai::definition(T::LAYOUT, versions);
    let name = T::LAYOUT.name().replace(|it: char| !it.is_alphanumeric(), "_");
    let file = |end: &str| {
        PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!(
            "{name}-{}-{:?}.{end}",
            versions.number(),
            versions.byte_order
        ))
    };
    let (ksy, data) = (file("ksy"), file("bin"));
    std::fs::write(&ksy, &definition).expect("the definition is written");
    std::fs::write(&data, bytes).expect("the bytes are written");
    let script = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tools/kaitai.mjs");
    let output = Command::new("node").arg(script).arg(modules()).args([&ksy, &data]).output();
    let output = output.expect("node runs");
    let said = String::from_utf8_lossy(&output.stdout);
    let failed = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{failed}\n{definition}");
    let leaf = |line: &str| {
        let leaf: Value = serde_json::from_str(line).expect("a line of JSON");
        let place = |name: &str| leaf[name].as_u64().expect("a place");
        Leaf { start: place("start"), end: place("end"), value: leaf["value"].clone() }
    };
    let mut leaves: Vec<Leaf> = said.lines().map(leaf).filter(|it| it.start < it.end).collect();
    leaves.sort_by_key(|leaf| leaf.start);
    leaves
}

/// Both see values at the same places, up to the last byte, and the same values.
fn is_read_the_same<T: Archived + Default + Clone>(value: &T, versions: &Versions) {
    let bytes = to_bytes(value, versions).expect("it is saved");
    let explained = explain::<T>(&bytes, versions);
    assert!(explained.error().is_none(), "{explained}");
    let leaves = read_by_the_tool::<T>(&bytes, versions);
    let records = explained.records().iter().filter(|it| it.start < it.end);
    let mut leaves = leaves.iter().peekable();
    let mut end = 0;
    for record in records {
        if record.end <= end {
            continue; // Of a value that has no parts for the tool.
        }
        let place = (record.start, record.end);
        let leaf = leaves.next().unwrap_or_else(|| panic!("{record:?} is missing: {explained}"));
        assert_eq!(leaf.start, record.start, "{record:?}, {leaf:?}");
        end = leaf.end;
        if place == (leaf.start, leaf.end) {
            assert!(is_same(record, leaf, &bytes), "{record:?} is not {leaf:?}");
            continue;
        }
        // Bytes that the tool has one after the other.
        while end < record.end {
            end = leaves.next().expect("the other bytes").end;
        }
    }
    assert_eq!(leaves.next().map(|it| it.start), None, "the tool has read more");
    assert_eq!(end, bytes.len() as u64, "all is read");
}

fn is_same(record: &Record, leaf: &Leaf, bytes: &[u8]) -> bool {
    match (&leaf.value, &record.value) {
        // Bytes without a meaning: their place was compared.
        (Value::Null, _) => true,
        (Value::String(text), _) => *text == record.meaning,
        (Value::Number(number), RecordValue::Integer(value)) => {
            number.as_f64() == Some(*value as f64)
        }
        (Value::Number(number), RecordValue::Float(value)) => number.as_f64() == Some(*value),
        // A number of three bytes, or one byte.
        (Value::Number(number), RecordValue::Bytes(_)) => {
            number.to_string() == record.meaning
                || number.as_u64() == bytes.get(record.start as usize).map(|it| u64::from(*it))
        }
        _ => false,
    }
}

/// The level of the guide.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
#[archive(magic = b"LEVL")]
struct Level {
    #[archive(with = with::version_u32(1..=2))]
    version: (),
    title: String,
    #[since(2)]
    gravity: f32,
    is_dark: bool,
    tiles: Vec<u8>,
    things: Vec<Thing>,
    #[since(2)]
    sign: Option<String>,
    scores: BTreeMap<String, u32>,
    grid: [[i16; 2]; 2],
    pair: (u8, f64),
}

#[derive(Archived, Debug, Clone, Default, PartialEq)]
struct Thing {
    x: i16,
    y: i16,
    kind: ThingKind,
}

#[derive(Archived, Debug, Clone, Default, PartialEq)]
#[repr(u8)]
enum ThingKind {
    #[default]
    Start,
    Coin {
        value: u16,
    },
    #[since(2)]
    Door {
        flags: u8,
        #[archive(when = *flags & 1 != 0)]
        key: u32,
    } = 16,
}

fn a_level_is_read_the_same_in_every_version_and_byte_order() {
    let thing = |kind| Thing { x: -1, y: 300, kind };
    let mut level = Level {
        title: "Cellar é".into(),
        is_dark: true,
        tiles: vec![1, 2, 250],
        things: vec![thing(ThingKind::Start), thing(ThingKind::Coin { value: 5000 })],
        scores: [("Ann".into(), 7), ("Bob".into(), 80_000)].into(),
        grid: [[1, -2], [3, 4]],
        pair: (9, 0.5),
        ..Level::default()
    };
    for version in [1, 2] {
        for order in [ByteOrder::Little, ByteOrder::Big] {
            is_read_the_same(&level, &Versions::own(version).with_byte_order(order));
        }
        (level.gravity, level.sign) = (9.5, Some("No way".into()));
        level.things.push(thing(ThingKind::Door { flags: 2, key: 0 }));
        level.things.push(thing(ThingKind::Door { flags: 3, key: 77 }));
    }
}

#[derive(Archived, Debug, Clone, Default, PartialEq)]
struct Forms {
    #[archive(with = with::text_u8)]
    short: String,
    #[archive(with = with::text_varint)]
    text: String,
    #[archive(with = with::varint)]
    small: u32,
    #[archive(with = with::varint)]
    large: u64,
    #[archive(with = with::as_u16)]
    narrow: u64,
    #[archive(with = with::u24)]
    colour: u32,
    #[archive(with = with::big_endian)]
    network: u32,
    #[archive(with = with::list_u16)]
    list: Vec<i32>,
    #[archive(with = with::list_varint)]
    other_list: Vec<Thing>,
    #[archive(with = with::padding::<3>)]
    padding: (),
    #[archive(with = with::sized_u16)]
    part: Vec<u16>,
    #[archive(with = with::align::<8>)]
    aligned: (),
    width: u8,
    height: u8,
    #[archive(count = width * height)]
    pixels: Vec<u16>,
    offset: u32,
    #[archive(with = with::at(self.offset))]
    elsewhere: Vec<u32>,
}

/// Bytes up to the end.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
struct Rest {
    first: u16,
    #[archive(count = ..)]
    rest: Vec<u8>,
}

fn forms_of_the_shelf_are_read_the_same() {
    let mut forms = Forms {
        short: "ab".into(),
        text: "x".repeat(200),
        small: 5,
        large: 0x1_2345_6789_abcd,
        narrow: 7,
        colour: 0x01_02_03,
        network: 0x0102_0304,
        list: vec![-1, 2],
        other_list: vec![Thing::default()],
        part: vec![3, 4],
        width: 2,
        height: 3,
        pixels: vec![1, 2, 3, 4, 5, 6],
        ..Forms::default()
    };
    let versions = Versions::own(1);
    let length = farchive::size(&forms, &versions).expect("it is counted");
    (forms.offset, forms.elsewhere) = (length as u32, vec![8, 9]);
    is_read_the_same(&forms, &versions);
    is_read_the_same(&Rest { first: 1, rest: vec![2, 3] }, &versions);
}

#[derive(Archived, Debug, Clone, Default, PartialEq)]
#[repr(u8)]
enum Chunk {
    #[default]
    End,
    Name(String) = 7,
    #[archive(other)]
    Unknown(u8, u32),
}

#[derive(Archived, Debug, Clone, Default, PartialEq)]
struct Chunks {
    chunks: Vec<Chunk>,
}

fn variants_for_other_numbers_are_read_the_same() {
    let chunks =
        vec![Chunk::End, Chunk::Name("n".into()), Chunk::Unknown(99, 1234), Chunk::Name("".into())];
    is_read_the_same(&Chunks { chunks }, &Versions::own(1));
}

/// The parts of a save game that need no function of its own.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
#[archive(magic = b"LOG\0")]
struct Log {
    flags: Flags,
    hero: Hero,
    quests: Vec<Quest>,
    seen: HashMap<u16, bool>,
    #[archive(computed = self.event.tag())]
    event_kind: u8,
    #[archive(with = with::align::<4>)]
    padding: (),
    #[archive(tag = event_kind)]
    event: Event,
    #[archive(with = with::sized_u64)]
    screenshot: Vec<u8>,
    chunks: Vec<format::Chunk>,
}

fn the_parts_of_a_save_game_are_read_the_same() {
    let item = Item { id: 3, amount: 70_000 };
    for (kind, event) in
        [Event::Nothing, Event::Killed(item), Event::Said("hi".into())].into_iter().enumerate()
    {
        let game = game::game();
        let mut log = Log {
            flags: game.flags,
            hero: game.hero,
            quests: vec![Quest::Main(3), Quest::Side(4, true), Quest::Unknown(9, [1, 2, 3, 4])],
            seen: game.seen,
            event_kind: kind as u8,
            event,
            screenshot: vec![7; 30],
            ..Log::default()
        };
        let versions = Versions::own(2);
        let end = farchive::size(&log, &versions).expect("it is counted") as u32 + 8;
        log.chunks = vec![format::Chunk(end + 8, vec![1, -2]), format::Chunk(end, vec![5, 6])];
        is_read_the_same(&log, &versions);
    }
}
