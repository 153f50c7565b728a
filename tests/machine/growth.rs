//! Crafted packages of one, two and four sizes: valgrind counts the instructions of everything that is done with them.
//! Work in proportion doubles with the size, whatever else the machine does; work by the square takes four times as
//! many.

use std::process::Stdio;

use unreal_packages::edit::{Edit, EditOptions};
use unreal_packages::package::{LayoutChoice, OpenOptions, SaveOptions};

use crate::common::crafted;
use crate::common::many_actors::actors_from_text;
use crate::common::many_cells::cells_of_a_table;
use crate::common::open;
use crate::exercise::exercise_with;
use crate::instructions;

/// Names the work that the program does instead of its tests: `shape rows`.
const WORK: &str = "FARCHIVE_GROWTH";
/// Rows of the smallest package.
const ROWS: usize = 250;
/// How many times as much the second doubling may cost as the first one.
const MOST_GROWTH: f64 = 2.6;
/// The same of actors: of one property up to 256 siblings are looked at, so that the first doubling costs less than it
/// would beyond.
const MOST_GROWTH_OF_ACTORS: f64 = 2.8;
/// The same of cells: what looks at all rows of a table for each is a part of the work only.
const MOST_GROWTH_OF_CELLS: f64 = 2.2;

type Shape = fn(usize) -> Vec<u8>;

const SHAPES: &[(&str, Shape)] = &[
    ("the same bodies", |rows| crafted::overlapping(rows, |_, start, tail| (start, tail))),
    ("staggered bodies", |rows| {
        crafted::overlapping(rows, |at, start, tail| (start + at as u64, tail * 3 / 5))
    }),
    ("nested bodies", |rows| {
        crafted::overlapping(rows, |at, start, tail| (start + at as u64, tail - 2 * at as u64))
    }),
    ("bodies over the header", |rows| {
        crafted::overlapping(rows, |at, start, tail| (at as u64, start + tail * 3 / 5))
    }),
    ("bodies between gaps", |rows| {
        let base = crafted::with_rows(868, rows, |_, _| {});
        crafted::with_bodies(&base, 2 * rows, |at, start| (start + 2 * at as u64, 1))
    }),
    ("a chain of outers", |rows| crafted::chain(868, rows)),
    ("thumbnails in one another", |rows| {
        crafted::with_thumbnails(&vec![0; rows + 12], |row, start| start + row as u64, rows)
    }),
    ("one name", crafted::one_name),
];

/// An edit, of a number of objects.
type Work = fn(usize);

const EDITS: &[(&str, Work, f64)] = &[
    ("actors from text", actors_from_text, MOST_GROWTH_OF_ACTORS),
    ("cells of a table", cells_of_a_table, MOST_GROWTH_OF_CELLS),
];

/// Does the work that the environment names, if it names any.
pub fn is_work() -> bool {
    let Ok(work) = std::env::var(WORK) else { return false };
    let (shape, rows) = work.rsplit_once(' ').expect("a shape and a number of rows");
    let rows = rows.parse().expect("a number of rows");
    if let Some((_, work, _)) = EDITS.iter().find(|(name, ..)| *name == shape) {
        work(rows);
        return true;
    }
    let (_, make) = SHAPES.iter().find(|(name, _)| *name == shape).expect("a known shape");
    let bytes = make(rows);
    assert!(exercise_with(&OpenOptions::new(), &bytes, true, shape), "{shape} does not open");
    let mut package = open(&bytes);
    let longer = |edit: &mut Edit| edit.rename_name("Alpha", "A_name_that_is_longer_than_before");
    // Refused or not: it must not cost more.
    let _ = SaveOptions::new().layout(LayoutChoice::Auto).force(true).edit(&mut package, longer);
    true
}

fn instructions(shape: &str, rows: usize) -> u64 {
    let program = std::env::current_exe().unwrap();
    let (output, count) = instructions::instructions(|command| {
        command.arg(program).env(WORK, format!("{shape} {rows}")).stdout(Stdio::null());
    });
    assert!(output.status.success(), "{shape}: {}", String::from_utf8_lossy(&output.stderr));
    count
}

pub fn work_on_crafted_packages_grows_as_they_do() {
    let mut wrong = Vec::new();
    let shapes = SHAPES.iter().map(|(name, _)| (name, MOST_GROWTH));
    let edits = EDITS.iter().map(|(name, _, most)| (name, *most));
    for (shape, most) in shapes.chain(edits) {
        // Beside one another: what is counted is not time.
        let [one, two, four] = std::thread::scope(|scope| {
            let counting =
                [1, 2, 4].map(|times| scope.spawn(move || instructions(shape, times * ROWS)));
            counting.map(|counting| counting.join().unwrap())
        });
        let growth = (four - two) as f64 / (two - one) as f64;
        let text =
            format!("{shape}: {one}, {two}, {four} instructions: {growth:.2} of {most} times");
        println!("{text}");
        if growth > most {
            wrong.push(text);
        }
    }
    assert!(wrong.is_empty(), "grows by more than it may:\n{}", wrong.join("\n"));
}
