//! Prints how many instructions the framework takes, beside the same work by hand, as valgrind counts them:
//!
//! ```text
//! cargo bench -p farchive-framework-tests --bench instructions              # a table
//! cargo bench -p farchive-framework-tests --bench instructions -- --check   # fails when a bar is missed
//! cargo bench -p farchive-framework-tests --bench instructions -- 'game'    # only work whose name contains this
//! ```

mod by_hand;
mod game_by_hand;
mod records;
#[path = "../save_game"]
mod save_game {
    pub mod format;
    pub mod game;
}
#[path = "../../common/instructions.rs"]
mod valgrind;

use std::collections::BTreeMap;
use std::hint::black_box;
use std::process::{ExitCode, Stdio};

use farchive::{
    Archived, Counter, Loader, ReadLoader, Saver, Versions, WriteSaver, from_bytes, to_bytes,
};

use records::{Record, records};
use save_game::format::{Item, Quest, SaveGame};
use save_game::game;

/// Names the work that the program does instead of printing: `work times`.
const WORK: &str = "FARCHIVE_INSTRUCTIONS";

type Records = Vec<Record>;
type Map = BTreeMap<String, u32>;
type Numbers = BTreeMap<u32, u64>;

const ROWS: u32 = 2000;
const VERSION: u32 = 3;

/// A game of a few hours: hundreds of things in each list.
fn game() -> SaveGame {
    let mut game = game::game();
    let item = |at: u32| Item { id: at * 77, amount: at * at };
    let quest = |at: u32| match at % 3 {
        0 => Quest::Main(at as u8),
        1 => Quest::Side(at as u16, at.is_multiple_of(2)),
        _ => Quest::Unknown(99, at.to_le_bytes()),
    };
    game.hero.inventory = (0..500).map(item).collect();
    game.quests = (0..300).map(quest).collect();
    game.stats = (0..200).map(|at| (format!("skill number {at:03}"), at)).collect();
    game.seen = (0..300).map(|at| (at * 3, at % 2 == 0)).collect();
    (game.width, game.height) = (64, 64);
    game.map = vec![3; 64 * 64];
    game.screenshot.truncate(10_000);
    game.strongest = "skill number 199".to_owned();
    let heights: Vec<i16> = (0..200).collect();
    game::with_chunks(game, VERSION, &[&heights[..]; 8]).expect("it is counted")
}

fn map() -> Map {
    (0..ROWS).map(|row| (format!("key number {row:05}"), row)).collect()
}

fn numbers() -> Numbers {
    (0..ROWS).map(|row| (row * 3, row.into())).collect()
}

fn versions() -> Versions {
    Versions::own(VERSION)
}

fn save<T: Archived>(value: &mut T) -> Vec<u8> {
    let mut saver = Saver::new(versions());
    value.serialize(&mut saver).expect("it is saved");
    saver.into_bytes()
}

fn count<T: Archived>(value: &mut T) -> u64 {
    let mut counter = Counter::new(versions());
    value.serialize(&mut counter).expect("it is counted");
    counter.length()
}

fn load<T: Archived + Default>(bytes: &[u8]) -> T {
    let (mut value, mut loader) = (T::default(), Loader::new(bytes, versions()));
    value.serialize(&mut loader).expect("it is loaded");
    value
}

fn map_by_hand(map: &Map) -> Vec<u8> {
    let mut bytes = (map.len() as u32).to_le_bytes().to_vec();
    for (key, value) in map {
        bytes.extend_from_slice(&(key.len() as u32).to_le_bytes());
        bytes.extend_from_slice(key.as_bytes());
        bytes.extend_from_slice(&value.to_le_bytes());
    }
    bytes
}

fn numbers_by_hand(map: &Numbers) -> Vec<u8> {
    let mut bytes = (map.len() as u32).to_le_bytes().to_vec();
    for (key, value) in map {
        bytes.extend_from_slice(&key.to_le_bytes());
        bytes.extend_from_slice(&value.to_le_bytes());
    }
    bytes
}

fn load_map_by_hand(bytes: &[u8]) -> Option<Map> {
    let (head, mut rest) = bytes.split_first_chunk()?;
    let mut pairs = Vec::with_capacity(u32::from_le_bytes(*head) as usize);
    for _ in 0..u32::from_le_bytes(*head) {
        let (length, after) = rest.split_first_chunk()?;
        let (key, after) = after.split_at_checked(u32::from_le_bytes(*length) as usize)?;
        let (value, after) = after.split_first_chunk()?;
        pairs.push((String::from_utf8(key.to_vec()).ok()?, u32::from_le_bytes(*value)));
        rest = after;
    }
    Some(pairs.into_iter().collect())
}

/// The value and its bytes are made before, so that each run differs by the work alone.
fn run(work: &str, times: u32) -> Option<()> {
    let (mut records, mut map, mut numbers) = (records(ROWS), map(), numbers());
    let mut game = game();
    let game_bytes = save(&mut game);
    let (bytes, map_bytes) = (save(&mut records), save(&mut map));
    // What is held against each other does the same.
    assert_eq!(records::load(&bytes, VERSION)?, records);
    assert_eq!(records::save(&records, VERSION)?, bytes);
    assert_eq!(game_by_hand::load(&game_bytes, VERSION)?, game);
    assert_eq!(game_by_hand::save(&game, VERSION)?, game_bytes);
    for _ in 0..times {
        match work {
            "save records" => drop(black_box(save(&mut records))),
            "count records" => _ = black_box(count(&mut records)),
            "load records" => drop(black_box(load::<Records>(&bytes))),
            "load records, by hand" => drop(black_box(records::load(&bytes, VERSION)?)),
            "save records, by hand" => drop(black_box(records::save(&records, VERSION)?)),
            "load a save game" => drop(black_box(load::<SaveGame>(&game_bytes))),
            "save a save game" => drop(black_box(save(&mut game))),
            "count a save game" => _ = black_box(count(&mut game)),
            "load a save game, by hand" => {
                drop(black_box(game_by_hand::load(&game_bytes, VERSION)?))
            }
            "save a save game, by hand" => drop(black_box(game_by_hand::save(&game, VERSION)?)),
            "save records, to_bytes from &T" => {
                drop(black_box(to_bytes(&records, &versions()).ok()?));
            }
            "load records, from_bytes" => {
                drop(black_box(from_bytes::<Records>(&bytes, &versions()).ok()?));
            }
            "load records, stream" => {
                let (mut value, mut loader) =
                    (Records::new(), ReadLoader::new(&bytes[..], versions()));
                value.serialize(&mut loader).ok()?;
                drop(black_box(value));
            }
            "save records, stream" => {
                let mut saver = WriteSaver::new(Vec::new(), versions());
                saver.put(&mut records).ok()?;
                drop(black_box(saver.finish().ok()?));
            }
            "save a map of texts" => drop(black_box(save(&mut map))),
            "count a map of texts" => _ = black_box(count(&mut map)),
            "save a map of texts, by hand" => drop(black_box(map_by_hand(&map))),
            "load a map of texts" => drop(black_box(load::<Map>(&map_bytes))),
            "load a map of texts, by hand" => drop(black_box(load_map_by_hand(&map_bytes)?)),
            "save a map of numbers" => drop(black_box(save(&mut numbers))),
            "count a map of numbers" => _ = black_box(count(&mut numbers)),
            "save a map of numbers, by hand" => drop(black_box(numbers_by_hand(&numbers))),
            _ => return None,
        }
    }
    Some(())
}

/// Instructions of one run of some work.
fn instructions(work: &str) -> f64 {
    let counted = |times: u32| -> u64 {
        let program = std::env::current_exe().expect("this program has a path");
        let (output, count) = valgrind::instructions(|command| {
            command.arg(program).env(WORK, format!("{times} {work}")).stdout(Stdio::null());
        });
        assert!(output.status.success(), "{work}: {}", String::from_utf8_lossy(&output.stderr));
        count
    };
    // What takes next to nothing may take less than starting the program varies by.
    counted(6).saturating_sub(counted(1)) as f64 / 5.0
}

/// What is held against what, and the ratio that is allowed.
const BARS: &[(&str, &str, f64)] = &[
    ("load records", "load records, by hand", 1.25),
    ("save records", "save records, by hand", 1.3),
    ("load a save game", "load a save game, by hand", 1.25),
    ("save a save game", "save a save game, by hand", 1.3),
    ("count a save game", "save a save game", 0.34),
    ("count records", "save records", 0.34),
    ("count a map of texts", "save a map of texts", 0.34),
    ("save a map of texts", "save a map of texts, by hand", 1.5),
    ("load a map of texts", "load a map of texts, by hand", 1.5),
    ("save a map of numbers", "save a map of numbers, by hand", 1.5),
    ("count a map of numbers", "save a map of numbers", 0.34),
    ("save records, to_bytes from &T", "save records", 4.6),
    ("save records, stream", "save records", 2.3),
    ("load records, from_bytes", "load records", 1.1),
    ("load records, stream", "load records", 1.5),
];

fn main() -> ExitCode {
    if let Ok(work) = std::env::var(WORK) {
        let (times, work) = work.split_once(' ').expect("times and work");
        run(work, times.parse().expect("a number")).expect("the work is done");
        return ExitCode::SUCCESS;
    }
    if valgrind::valgrind().is_err() {
        println!("valgrind counts them, and is not there");
        return ExitCode::SUCCESS;
    }
    println!("| work | against | ours | theirs | ratio | bar | |");
    println!("|---|---|---:|---:|---:|---:|---|");
    let mut missed = 0;
    let wanted = std::env::args().skip(1).find(|argument| !argument.starts_with("--"));
    let wanted = |work: &str| wanted.as_ref().is_none_or(|part| work.contains(part.as_str()));
    for (work, other, bar) in BARS.iter().filter(|(work, ..)| wanted(work)) {
        let (ours, theirs) = (instructions(work), instructions(other));
        let ratio = ours / theirs;
        missed += u32::from(ratio > *bar);
        let verdict = if ratio <= *bar { "met" } else { "missed" };
        println!(
            "| {work} | {other} | {ours:.0} | {theirs:.0} | {ratio:.2} | {bar:.2} | {verdict} |"
        );
    }
    let is_checked = std::env::args().any(|argument| argument == "--check");
    if missed > 0 && is_checked { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}
