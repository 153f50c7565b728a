//! Packages of UE1 to UE3 as a reader sees them that shares nothing with the library.

use unreal_packages::Package;

use crate::files;
use crate::folders::every;
use crate::reader::{compare, run};

/// The independent reader over real packages: what both read is the same.
pub fn corpus_is_seen_the_same_by_an_independent_reader() {
    let (mut compared, mut unread) = (0, 0);
    for (name, bytes) in files::of("classic").into_iter().step_by(every(3)) {
        let known = ["61_", "63_", "68_", "69_", "121_", "128_", "737_", "8"];
        let plain = known.iter().any(|start| name.starts_with(start)) && !name.starts_with("845_1");
        let Ok(package) = Package::from_bytes(bytes.clone()) else { continue };
        if !plain || package.source() != bytes || name.contains("868_32") || bytes.len() > 600_000 {
            continue;
        }
        let seen = run(&bytes);
        if seen["error"] == "compressed" {
            continue;
        }
        compared += package.exports().len();
        unread += compare(&package, &seen, &name);
    }
    println!("{compared} objects compared, {unread} of them not read by the independent reader");
    assert!(compared > 0);
    assert!(unread * 20 <= compared, "{unread} of {compared}");
}
