//! Every command line that README.md, the pages of `docs/` and the help of the commands show runs here, on packages
//! of the kinds that it names, in a folder of its own: what cannot be pasted into a shell is no example. The lines
//! of one block of a page run one after the other.
//!
//! A new example needs nothing but the files that it names: where they are missing the test fails, and they
//! go into `world/`. What ends with another code than 0 stands in [`expected::CODES`].

mod collect;
mod expected;
mod line;
mod outcome;
mod page;
mod run;
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
            .any(|example| example.lines.iter().any(|line| line.starts_with(command)));
        assert!(shown, "no example begins with '{command}'");
    }
}

#[test]
fn the_readme_is_one_page_of_five_tasks() {
    let pages = collect::pages();
    let (_, readme) = pages.iter().find(|(path, _)| path.ends_with("README.md")).unwrap();
    let words = readme.split_whitespace().count();
    assert!(words <= 900, "{words} words");
    let is_task = |block: &&page::Block| block.heading.starts_with(|c: char| c.is_ascii_digit());
    assert_eq!(page::blocks(readme).iter().filter(is_task).count(), 5);
    // Whoever starts at the README finds every page.
    for (path, _) in pages.iter().filter(|(path, _)| !path.ends_with("README.md")) {
        let name = path.file_name().unwrap().to_string_lossy();
        assert!(readme.contains(&format!("](docs/{name})")), "no link to {name}");
    }
}

#[test]
fn links_lead_to_files() {
    let mut seen = 0;
    for (path, text) in collect::pages() {
        for link in text.split("](").skip(1).filter_map(|rest| rest.split([')', '#']).next()) {
            if !link.starts_with("http") {
                assert!(path.with_file_name(link).is_file(), "{}: {link}", path.display());
                seen += 1;
            }
        }
    }
    assert!(seen > 10, "{seen} links");
}
