//! Decodes every body of packages and lists by class what is not typed.

use std::collections::BTreeMap;

use farchive::Package;
use farchive::archive::{Archive, Archived, Context, Saver};

fn main() -> farchive::Result<()> {
    let mut by: BTreeMap<(String, String), (u64, u64, u64, u64, u64, String)> = BTreeMap::new();
    let mut groups: BTreeMap<String, (u64, u64, u64)> = BTreeMap::new();
    let only = std::env::var("CLASS").ok();
    for path in std::env::args().skip(1) {
        let Ok(mut package) = Package::open(&path) else { continue };
        package.decode_all();
        let context = std::sync::Arc::new(Context::new(package.source().to_vec().into(), vec![]));
        let v = package.versions().clone();
        let group = format!("{}/{}", v.file, v.licensee);
        for export in package.exports().iter() {
            let Some(decoded) = package.decoded(export.row()) else { continue };
            let class = export.class().rsplit('.').next().unwrap_or("").to_owned();
            let entry = by.entry((group.clone(), class.clone())).or_default();
            entry.0 += 1;
            entry.1 += export.body().len() as u64;
            entry.2 += decoded.opaque;
            let g = groups.entry(group.clone()).or_default();
            g.0 += export.body().len() as u64;
            g.1 += decoded.opaque;
            g.2 += decoded.payload;
            if let Some(error) = &decoded.error {
                entry.3 += 1;
                if entry.5.is_empty() {
                    entry.5 =
                        format!("{} #{} {error}", path.rsplit('/').next().unwrap(), export.row());
                }
                if only.as_deref() == Some(&class) {
                    println!("{path} {} {error}", export.row());
                }
            } else if decoded.opaque > 0 && entry.5.is_empty() {
                entry.5 = format!("{} #{} opaque", path.rsplit('/').next().unwrap(), export.row());
            }
            let mut body = decoded.body.clone();
            let mut saver = Saver::new(v.clone())
                .at(export.entry().serial_offset.value() as u64)
                .with_context(context.clone());
            let saved = body.serialize(&mut saver);
            if saved.is_err() || saver.bytes() != export.body() {
                entry.4 += 1;
                entry.5 = format!(
                    "RESAVE {} #{} {saved:?}",
                    path.rsplit('/').next().unwrap(),
                    export.row()
                );
            }
            let _ = saver.position();
        }
    }
    let mut rows: Vec<_> = by.into_iter().filter(|(_, e)| e.2 > 0 || e.4 > 0).collect();
    rows.sort_by_key(|(_, e)| std::cmp::Reverse(e.2));
    for ((group, class), e) in
        rows.iter().take(std::env::var("N").ok().and_then(|n| n.parse().ok()).unwrap_or(70))
    {
        println!(
            "{group:9} {class:32} n {:6} bytes {:9} opaque {:9} fail {:5} differ {:4} {}",
            e.0,
            e.1,
            e.2,
            e.3,
            e.4,
            e.5.chars().take(190).collect::<String>()
        );
    }
    println!("----");
    for (g, (b, o, p)) in groups {
        println!(
            "{g:9} body bytes {b:10} opaque {o:10} payload {p:10} share {:.3}%",
            100.0 * o as f64 / ((b - p) as f64)
        );
    }
    Ok(())
}
