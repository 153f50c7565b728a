//! Dev.
#![allow(clippy::all)]
use farchive::container::zen::ZenHeader;
use farchive::package::{OpenOptions, ZenPackage};
fn walk(dir: &std::path::Path, out: &mut Vec<std::path::PathBuf>) {
    for e in std::fs::read_dir(dir).unwrap() {
        let p = e.unwrap().path();
        if p.is_dir() { walk(&p, out) } else { out.push(p) }
    }
}
fn main() {
    let args: Vec<String> = std::env::args().collect();
    if args[1] == "open" {
        let mut files = Vec::new();
        for a in &args[2..] {
            walk(a.as_ref(), &mut files);
        }
        let mut o = OpenOptions::new();
        if let Ok(p) = std::env::var("GLOBAL") {
            o = o.script_objects(std::sync::Arc::new(
                farchive::container::zen::ScriptPaths::from_bytes(&std::fs::read(p).unwrap())
                    .unwrap(),
            ));
        }
        if let Ok(p) = std::env::var("ENGINE") {
            o = o.engine(p.parse().unwrap());
        }
        let (mut same, mut other, mut bad, mut op, mut all) = (0, 0, 0, 0u64, 0u64);
        for f in files {
            let ext = f.extension().and_then(|e| e.to_str()).unwrap_or("").to_owned();
            if !["uasset", "umap", "uzenasset"].contains(&&*ext) {
                continue;
            }
            let b = std::fs::read(&f).unwrap();
            let r = std::panic::catch_unwind(|| {
                o.open_bytes(b.clone()).and_then(|mut p| {
                    if p.container().is_none() {
                        return Ok(None);
                    }
                    p.decode_all();
                    let c = p.coverage();
                    Ok(Some((p.to_bytes()?, c)))
                })
            });
            match r {
                Ok(Ok(None)) => {}
                Ok(Ok(Some((again, c)))) => {
                    op += c.opaque;
                    all += c.typed + c.payload + c.opaque;
                    if again == b {
                        same += 1
                    } else {
                        other += 1;
                        println!("OTHER {} {} {}", f.display(), again.len(), b.len());
                        let (mut x, v) = ZenHeader::load(&again, None).unwrap();
                        let y = ZenHeader::load(&b, None).unwrap().0;
                        let _ = (&mut x, v);
                        let (x, y) = (format!("{x:#?}"), format!("{y:#?}"));
                        for (x, y) in x.lines().zip(y.lines()).filter(|(x, y)| x != y).take(8) {
                            println!("  {x}   | {y}");
                        }
                    }
                }
                Ok(Err(e)) => {
                    bad += 1;
                    println!("{}: {e}", f.display())
                }
                Err(_) => {
                    bad += 1;
                    println!("{} PANIC", f.display())
                }
            }
        }
        println!("same {same} other {other} bad {bad} opaque {op} of {all}");
        return;
    }
    if args[1] == "walk" {
        let mut files = Vec::new();
        for a in &args[2..] {
            walk(a.as_ref(), &mut files);
        }
        let (mut same, mut other, mut bad) = (0, 0, 0);
        for f in files {
            let b = std::fs::read(&f).unwrap();
            if b.len() < 60 || !(b[0] < 2 && b[1..4] == [0; 3]) {
                continue;
            }
            match ZenHeader::load(&b, None) {
                Ok((mut h, v)) => {
                    let again = h.to_bytes(&v).unwrap();
                    if b.starts_with(&again) && again.len() == h.summary.header_size as usize {
                        same += 1
                    } else {
                        other += 1;
                        println!("DIFF {}", f.display())
                    }
                }
                Err(e) => {
                    bad += 1;
                    println!("{}: {e}", f.display())
                }
            }
        }
        println!("same {same} other {other} bad {bad}");
        return;
    }
    let mut o = OpenOptions::new();
    if let Some(e) = args.get(3) {
        o = o.engine(e.parse().unwrap());
    }
    let p = o.open(&args[1]).unwrap();
    let want = std::fs::read(&args[2]).unwrap();
    match ZenPackage::of(&p) {
        Err(e) => println!("{}: {e}", args[1]),
        Ok(z) => {
            if z.bytes == want {
                println!("same {}", args[1]);
                return;
            }
            println!("OTHER {} {} {}", args[1], z.bytes.len(), want.len());
            let a = ZenHeader::load(&z.bytes, None).unwrap().0;
            let b = ZenHeader::load(&want, None).unwrap().0;
            let (a, b) = (format!("{a:#?}"), format!("{b:#?}"));
            for (x, y) in a.lines().zip(b.lines()).filter(|(x, y)| x != y).take(12) {
                println!("  {x}   | {y}");
            }
        }
    }
}
