//! Every command line that README.md, the pages of `docs/` and the help of the commands show runs here, on packages
//! of the kinds that it names, in a folder of its own: what cannot be pasted into a shell is no example. The lines
//! of one block of a page run one after the other. What `console` blocks show below a line is what it prints.
//!
//! A new example needs nothing but the files that it names: where they are missing the test fails, and they
//! go into `world/`. What ends with another code than 0 stands in [`expected::CODES`].

mod collect;
mod expected;
mod line;
mod links;
mod outcome;
mod page;
mod run;
mod shown;
mod world;

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use world::World;

#[test]
fn every_example_runs() {
    let examples = collect::all();
    let world = World::make();
    let (next, failures) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let work = || {
        let copy = world.copy();
        while let Some(example) = examples.get(next.fetch_add(1, Ordering::Relaxed)) {
            if let Err(fault) = run::run(example, &world, &copy) {
                let fault = format!("{}: {fault}", example.place);
                failures.lock().unwrap_or_else(PoisonError::into_inner).push(fault);
            }
            world.restore(&copy);
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(2, usize::from) {
            scope.spawn(work);
        }
    });
    shown::write_updates();
    let mut failures = failures.into_inner().unwrap();
    failures.sort();
    let (bad, all) = (failures.len(), examples.len());
    let lines: usize = examples.iter().map(|example| example.lines.len()).sum();
    println!("{} of {all} examples run, {lines} lines in all", all - bad);
    assert!(failures.is_empty(), "{bad} of {all} examples fail:\n{}", failures.join("\n"));
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
