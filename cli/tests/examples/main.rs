//! Every command line that README.md, the pages of `docs/` and the help of the commands show runs here, on packages
//! of the kinds that it names, in a folder of its own: what cannot be pasted into a shell is no example. The lines
//! of one block of a page run one after the other. What `console` blocks show below a line is what it prints.
//!
//! A new example needs nothing but the files that it names: where they are missing the test fails, and they
//! go into `world/`. What ends with another code than 0 stands in [`expected::CODES`].

mod as_json;
mod collect;
mod expected;
mod glossary;
mod line;
mod links;
mod outcome;
mod page;
mod run;
#[path = "../commands/common/schema.rs"]
mod schema;
mod shown;
mod world;

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use collect::Example;
use world::{Copy, World};

/// Does something with every example, each in a copy of the world that is as it was made: how many there are.
fn each(work: impl Fn(&Example, &World, &Copy) -> Result<(), String> + Sync) -> usize {
    let (examples, world) = (collect::all(), World::make());
    let (next, failures) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let run = || {
        let copy = world.copy();
        while let Some(example) = examples.get(next.fetch_add(1, Ordering::Relaxed)) {
            if let Err(fault) = work(example, &world, &copy) {
                let fault = format!("{}: {fault}", example.place);
                failures.lock().unwrap_or_else(PoisonError::into_inner).push(fault);
            }
            world.restore(&copy);
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(2, usize::from) {
            scope.spawn(run);
        }
    });
    let mut failures = failures.into_inner().unwrap();
    failures.sort();
    let (bad, all) = (failures.len(), examples.len());
    assert!(failures.is_empty(), "{bad} of {all} examples fail:\n{}", failures.join("\n"));
    all
}

#[test]
fn every_example_runs() {
    let lines = AtomicUsize::new(0);
    let examples = each(|example, world, copy| {
        lines.fetch_add(example.lines.len(), Ordering::Relaxed);
        run::run(example, world, copy)
    });
    shown::write_updates();
    println!("{examples} examples run, {} lines in all", lines.into_inner());
}

#[test]
fn every_example_prints_json_of_the_schema() {
    let lines = AtomicUsize::new(0);
    each(|example, world, copy| {
        lines.fetch_add(as_json::run(example, world, copy)?, Ordering::Relaxed);
        Ok(())
    });
    let lines = lines.into_inner();
    assert!(lines > 300, "{lines} lines were looked at only");
}

#[test]
fn the_world_is_in_order() {
    World::make().verifies();
}

#[test]
fn what_is_expected_is_shown_somewhere() {
    let examples = collect::all();
    for (command, _) in expected::CODES {
        let shown = examples
            .iter()
            .any(|example| example.lines.iter().any(|line| line.text.starts_with(command)));
        assert!(shown, "no example begins with '{command}'");
    }
}

#[test]
fn the_readme_is_one_page_of_five_tasks() {
    let pages = collect::pages();
    let (path, readme) = pages.iter().find(|(path, _)| path.ends_with("README.md")).unwrap();
    let words = readme.split_whitespace().count();
    assert!(words <= 900, "{words} words");
    let is_task = |block: &&page::Block| block.heading.starts_with(|c: char| c.is_ascii_digit());
    assert_eq!(page::blocks(path, readme).iter().filter(is_task).count(), 5);
}
