//! What is printed from layouts, in the tools that it is printed for: Kaitai Struct's own compiler and runtime, and
//! ImHex's, read saved bytes by it. They are ignored where the tools are not there:
//!
//! ```text
//! npm install --prefix target/kaitai kaitai-struct-compiler@0.11.0 kaitai-struct@0.11.0 js-yaml@4.1.0
//! ```
//!
//! `FARCHIVE_KAITAI` names another folder. No runtime of ImHex's patterns can be had as a package: `FARCHIVE_PLCLI` names
//! its command, which CMake builds from the source of WerWolv's PatternLanguage.

mod imhex;
mod kaitai;
#[path = "../../common/needs.rs"]
mod needs;
#[path = "../../common/node_modules.rs"]
mod node_modules;
#[path = "../save_game"]
mod save_game {
    pub mod format;
    // Of the game only its parts are needed.
    #[allow(dead_code)]
    pub mod game;
}
mod tool;

use std::collections::{BTreeMap, HashMap};
use std::process::ExitCode;

use farchive::archive::Tagged;
use farchive::archive::print::imhex::pattern;
use farchive::archive::print::kaitai::definition;
use farchive::{Archived, ByteOrder, Versions, to_bytes, with};

use save_game::format::{self, Event, Flags, Hero, Item, Quest};
use save_game::game;
use tool::Tool;

macro_rules! by {
    ($module:ident: $tool:expr => $($case:ident),+) => {
        mod $module {
            use super::*;
            $(pub fn $case() {
                super::$case($tool);
            })+
        }
    };
}
by!(by_kaitai: Tool { print: definition, reads_the_same: kaitai::reads_the_same } =>
    a_level_is_read_the_same_in_every_version_and_byte_order,
    forms_of_the_shelf_are_read_the_same,
    variants_for_other_numbers_are_read_the_same,
    the_parts_of_a_save_game_are_read_the_same);
by!(by_imhex: Tool { print: pattern, reads_the_same: imhex::reads_the_same } =>
    a_level_is_read_the_same_in_every_version_and_byte_order,
    forms_of_the_shelf_are_read_the_same,
    variants_for_other_numbers_are_read_the_same,
    the_parts_of_a_save_game_are_read_the_same);

fn main() -> ExitCode {
    needs::run(needs::trials![
        kaitai::modules => [
            by_kaitai::a_level_is_read_the_same_in_every_version_and_byte_order,
            by_kaitai::forms_of_the_shelf_are_read_the_same,
            by_kaitai::variants_for_other_numbers_are_read_the_same,
            by_kaitai::the_parts_of_a_save_game_are_read_the_same,
        ];
        imhex::command => [
            by_imhex::a_level_is_read_the_same_in_every_version_and_byte_order,
            by_imhex::forms_of_the_shelf_are_read_the_same,
            by_imhex::variants_for_other_numbers_are_read_the_same,
            by_imhex::the_parts_of_a_save_game_are_read_the_same,
        ];
    ])
}

/// Both see values at the same places, up to the last byte, and the same values.
fn is_read_the_same<T: Archived + Default + Clone>(tool: Tool, value: &T, versions: &Versions) {
    let bytes = to_bytes(value, versions).expect("it is saved");
    let name = format!("{}-{}-{:?}", T::LAYOUT.name(), versions.number(), versions.byte_order);
    tool.reads::<T>(&name, &bytes, versions);
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

fn a_level_is_read_the_same_in_every_version_and_byte_order(tool: Tool) {
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
            is_read_the_same(tool, &level, &Versions::own(version).with_byte_order(order));
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

fn forms_of_the_shelf_are_read_the_same(tool: Tool) {
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
    is_read_the_same(tool, &forms, &versions);
    is_read_the_same(tool, &Rest { first: 1, rest: vec![2, 3] }, &versions);
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

fn variants_for_other_numbers_are_read_the_same(tool: Tool) {
    let chunks =
        vec![Chunk::End, Chunk::Name("n".into()), Chunk::Unknown(99, 1234), Chunk::Name("".into())];
    is_read_the_same(tool, &Chunks { chunks }, &Versions::own(1));
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

fn the_parts_of_a_save_game_are_read_the_same(tool: Tool) {
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
        is_read_the_same(tool, &log, &versions);
    }
}
