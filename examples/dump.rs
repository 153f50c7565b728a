//! Prints what a package holds: `cargo run --example dump -- FILE`.

use farchive::Package;

fn main() -> farchive::Result<()> {
    for path in std::env::args().skip(1) {
        let package = match Package::open(&path) {
            Ok(p) => p,
            Err(e) => { println!("{path}: {e}"); continue; }
        };
        let saved = package.to_bytes();
        match saved {
            Ok(bytes) => {
                let same = bytes == package.source();
                let c = package.coverage();
                let serial: u64 = package.exports().entries().iter().map(|e| e.serial_size.value() as u64).sum();
                println!("{path}: {} {:?} {c:?} serial {}", if same {"identical"} else {"DIFFERENT"}, package.game(), serial == c.opaque);
            }
            Err(e) => println!("{path}: SAVE {e}"),
        }
    }
    Ok(())
}
