//! Dev.
#![allow(clippy::all)]
use farchive::container::zen::{KnownObjects, ScriptPaths, ZenHeader};
use farchive::package::{OpenOptions, SaveOptions, ZenPackage};
fn walk(dir: &std::path::Path, out: &mut Vec<std::path::PathBuf>) {
    if dir.is_file() {
        out.push(dir.into());
        return;
    }
    for e in std::fs::read_dir(dir).unwrap() {
        let p = e.unwrap().path();
        if p.is_dir() { walk(&p, out) } else { out.push(p) }
    }
}
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let mut files = Vec::new();
    for a in &args[2..] {
        walk(a.as_ref(), &mut files);
    }
    let mut o = OpenOptions::new();
    if let Ok(e) = std::env::var("ENGINE") {
        o = o.engine(e.parse().unwrap());
    }
    let mut known = match std::env::var("GLOBAL") {
        Ok(p) => {
            let p: Vec<_> = p.split(',').map(|p| std::fs::read(p).unwrap()).collect();
            KnownObjects::new(if p.len() == 2 {
                ScriptPaths::from_ue4(&p[0], &p[1]).unwrap()
            } else {
                ScriptPaths::from_bytes(&p[0]).unwrap()
            })
        }
        _ => KnownObjects::default(),
    };
    if args[1] == "twin" {
        let p = o.open(&args[2]).unwrap();
        let want = std::fs::read(&args[3]).unwrap();
        match ZenPackage::of(&p) {
            Err(e) => println!("{}: {e}", args[2]),
            Ok(z) if z.bytes == want => println!("same {}", args[2]),
            Ok(_) => println!("OTHER {}", args[2]),
        }
        return;
    }
    for f in &files {
        let b = std::fs::read(f).unwrap();
        if ZenHeader::may_start(&b) {
            if let Ok((h, _)) = ZenHeader::load(&b, None) {
                known.add_header(&h).unwrap();
            }
        }
    }
    o = o.import_names(std::sync::Arc::new(known));
    let (mut same, mut other, mut bad, mut unknown, mut imports, mut back, mut op, mut all) =
        (0, 0, 0, 0, 0, 0, 0, 0);
    for f in files {
        let b = std::fs::read(&f).unwrap();
        if !ZenHeader::may_start(&b) {
            continue;
        }
        let mut p = match o.open_bytes(b.clone()) {
            Ok(p) => p,
            Err(e) => {
                bad += 1;
                println!("{}: {e}", f.display());
                continue;
            }
        };
        let n = p.imports().iter().filter(|i| !i.is_known()).count();
        if args[1] == "list" {
            for i in p.imports().iter() {
                println!("{} {}", i.class(), i.path())
            }
        }
        unknown += n;
        imports += p.imports().len();
        match p.to_bytes() {
            Ok(x) if x == b => same += 1,
            Ok(_) => {
                other += 1;
                println!("OTHER {}", f.display())
            }
            Err(e) => {
                other += 1;
                println!("{}: save {e}", f.display())
            }
        }
        match ZenPackage::save_legacy(&p, &SaveOptions::new()) {
            Ok((_, true)) => back += 1,
            Ok((s, _)) => {
                println!(
                    "{} back: unknown {n} header {:?} {}",
                    f.display(),
                    s.split,
                    p.container().unwrap().zen_header().unwrap().summary.cooked_header_size
                );
            }
            Err(e) => println!("{} legacy: {e}", f.display()),
        }
        p.decode_all();
        let c = p.coverage();
        op += c.opaque;
        all += c.typed + c.payload + c.opaque + c.gap;
    }
    println!(
        "same {same} other {other} bad {bad} imports {imports} unknown {unknown} back {back} opaque {op} of {all}"
    );
}
