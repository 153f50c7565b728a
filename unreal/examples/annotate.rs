//! Explains every byte of a package: `Annotate` over the one `serialize` of each type.
//!
//! ```text
//! cargo run --example annotate -- FILE
//! ```
//! Without a file it explains a small package that it builds in memory.

use unreal_packages::Package;
use unreal_packages::generate::Builder;
use unreal_packages::inspect::Explanation;

fn main() -> unreal_packages::Result<()> {
    let package = match std::env::args_os().nth(1) {
        Some(file) => Package::open(file)?,
        None => Package::from_bytes(
            Builder::new(69).import("Engine.Actor", "Core.Class").name("Hello").build()?,
        )?,
    };
    let mut at = 0;
    for explained in Explanation::of(&package)? {
        let record = explained.record;
        // No byte is left out and none is explained twice.
        assert_eq!(record.start, at);
        at = record.end;
        println!(
            "{:08x}..{:08x}  {:40} {:8} {:24} {}",
            record.start,
            record.end,
            record.path,
            record.type_name,
            record.value.to_string(),
            record.meaning
        );
    }
    assert_eq!(at, package.source().len() as u64);
    Ok(())
}
