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
        {
            let mut bits = vec![false; source.len()];
            for span in p.spans() {
                for b in &mut bits[span.start as usize..span.end as usize] {
                    *b = true;
                }
            }
            let scrambled: Vec<u8> =
                source.iter().zip(&bits).map(|(b, keep)| if *keep { *b } else { !*b }).collect();
            let saved = p.save_with_source(&scrambled, &SaveOptions::new()).unwrap();
            if saved.bytes != source {
                println!(
                    "{path} takes more than its spans, at {:?}",
                    saved.bytes.iter().zip(&source).position(|(a, b)| a != b)
                );
            }
        }
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
