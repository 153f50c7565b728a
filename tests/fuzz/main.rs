//! The targets of `fuzz/` on stable Rust: every committed seed, and changes of each.
//!
//! `FUZZ_CASES` is the number of changed cases of each target; without it there are some hundreds. A case that
//! fails is written into the folder for temporary files of the build, whose path the failure names; `FUZZ_CASE`
//! takes such a path, and nothing else is run then. `FUZZ_TRACE` prints what edits do.

#[path = "../common/mod.rs"]
mod common;
#[cfg(feature = "json")]
#[path = "../hostile/damage.rs"]
mod damage;
#[path = "../hostile/exercise.rs"]
mod exercise;
#[cfg(feature = "json")]
#[path = "../archive/laws/keys.rs"]
mod keys;
#[path = "../hostile/memory.rs"]
mod memory;
#[cfg(feature = "compression")]
#[path = "../common/related.rs"]
mod related;
#[path = "../../fuzz/src/targets/mod.rs"]
mod targets;

mod changes;
mod seeds;

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::Path;

use changes::changed;
use common::objects::Random;

/// Changed cases for each seed, where nothing else is asked for.
const FAST: usize = 16;
const SLOW: usize = 2;

/// The seeds of a target, then as many changed ones.
fn cases(name: &str) {
    let target = targets::ALL.iter().find(|target| target.name == name).expect("a known target");
    if let Some(path) = std::env::var_os("FUZZ_CASE") {
        let bytes = std::fs::read(&path).unwrap_or_else(|error| panic!("{path:?}: {error}"));
        return targets::run(name, &bytes);
    }
    let seeds = seeds::committed(name);
    assert!(!seeds.is_empty(), "{name} has no seeds");
    for (file, bytes) in &seeds {
        case(name, bytes, file);
    }
    let usual = seeds.len() * if target.fast { FAST } else { SLOW };
    let count = std::env::var("FUZZ_CASES").ok().and_then(|text| text.parse().ok());
    let count: usize = count.unwrap_or(usual);
    for number in 0..count {
        let mut random = Random(number as u64 + 1);
        let (_, seed) = &seeds[number % seeds.len()];
        let (_, other) = &seeds[random.below(seeds.len())];
        case(name, &changed(seed, other, &mut random), &number.to_string());
    }
    println!("{name}: {} seeds, {count} changed", seeds.len());
}

/// One case; its bytes are kept where a law does not hold.
fn case(target: &str, bytes: &[u8], what: &str) {
    if let Err(panic) = catch_unwind(AssertUnwindSafe(|| targets::run(target, bytes))) {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{target}-{what}"));
        std::fs::write(&path, bytes).expect("the case is written");
        eprintln!("the case is {}", path.display());
        resume_unwind(panic);
    }
}

macro_rules! targets {
    ($($(#[$attribute:meta])* $name:ident)*) => { $(
        #[test]
        $(#[$attribute])*
        fn $name() {
            cases(stringify!($name));
        }
    )* };
}

targets! {
    open
    save_identity
    bodies
    edits
    #[cfg(feature = "json")]
    json
    usmap
    #[cfg(feature = "compression")]
    compression
    conform
    #[cfg(feature = "content")]
    pictures
    #[cfg(feature = "content")]
    meshes
    expressions
    #[cfg(feature = "json")]
    edit_files
    ini
    archives_agree
    #[cfg(feature = "container")]
    pak
    #[cfg(feature = "container")]
    iostore
    #[cfg(feature = "container")]
    zen
    #[cfg(feature = "compression")]
    related
    assembler
    merge
    #[cfg(feature = "scan")]
    scan
    #[cfg(feature = "make")]
    script
    #[ignore = "for long runs: needs python3"]
    differential
}
