//! Decodes, saves, compares whole packages.
use farchive::Package;
use farchive::package::SaveOptions;
fn main() {
    let (mut n, mut same) = (0, 0);
    for path in std::env::args().skip(1) {
        let Ok(mut p) = Package::open(&path) else { continue };
        p.decode_all();
        n += 1;
        let c = p.coverage();
        assert_eq!(c.typed + c.payload + c.opaque + c.gap, p.source().len() as u64, "{path}");
        let explained = p.explain().unwrap();
        let mut at = 0;
        for e in &explained {
            if e.record.start != at {
                println!("{path} hole at {at:#x} {:?}", e.record);
                break;
            }
            at = e.record.end;
        }
        let source = p.source().to_vec();
        match p.into_saved(&SaveOptions::new()) {
            Ok(s) if s.bytes == source => same += 1,
            Ok(s) => {
                let i = s.bytes.iter().zip(&source).position(|(a, b)| a != b);
                println!("{path} differs at {i:?}")
            }
            Err(e) => println!("{path}: {e}"),
        }
    }
    println!("{same} of {n}");
}
