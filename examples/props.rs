//! Lists properties whose values are not typed.
use farchive::Package;
use farchive::property::{PropertyList, Value};
use std::collections::BTreeMap;

fn walk(
    p: &Package,
    g: &str,
    list: &PropertyList,
    at: &str,
    out: &mut BTreeMap<(String, String), (u64, u64, String)>,
) {
    for q in &list.properties {
        value(
            p,
            g,
            q.value(),
            &format!(
                "{}{}",
                p.name_text(q.name()),
                q.struct_name().map(|s| format!(":{}", p.name_text(s))).unwrap_or_default()
            ),
            at,
            out,
        );
    }
}
fn value(
    p: &Package,
    g: &str,
    v: &Value,
    name: &str,
    at: &str,
    out: &mut BTreeMap<(String, String), (u64, u64, String)>,
) {
    match v {
        Value::Opaque(span) => {
            let e = out.entry((g.to_owned(), name.to_owned())).or_default();
            e.0 += 1;
            e.1 += span.len();
            if e.2.is_empty() || (e.2.len() < 150 && span.len() < 100) {
                let b = span.bytes(p.source()).unwrap();
                e.2 = format!("{at} {} : {:02x?}", span.len(), &b[..b.len().min(64)]);
            }
        }
        Value::Tagged(l) => walk(p, g, l, at, out),
        Value::Array(vs) | Value::Fields(vs) => {
            for v in vs {
                value(p, g, v, name, at, out)
            }
        }
        _ => {}
    }
}
fn main() {
    let mut out = BTreeMap::new();
    for path in std::env::args().skip(1) {
        let Ok(mut p) = Package::open(&path) else { continue };
        p.decode_all();
        let v = p.versions();
        let g = if v.file < 99 {
            "UE1".to_owned()
        } else if v.file < 178 {
            format!("{}/{}", v.file, v.licensee)
        } else {
            "UE3".to_owned()
        };
        for e in p.exports().iter() {
            let Some(d) = p.decoded(e.row()) else { continue };
            let at = format!("{} {} {}", path.rsplit('/').next().unwrap(), e.class(), e.row());
            if let Some(l) = &d.body.properties {
                walk(&p, &g, l, &at, &mut out);
            }
            if let farchive::object::Native::Script(o) = &d.body.native {
                match &**o {
                    farchive::object::script_object::ScriptObject::Class(c) => {
                        walk(&p, &g, &c.defaults, &at, &mut out)
                    }
                    farchive::object::script_object::ScriptObject::Struct(c) => {
                        walk(&p, &g, &c.defaults, &at, &mut out)
                    }
                    _ => {}
                }
            }
        }
    }
    let mut rows: Vec<_> = out.into_iter().collect();
    rows.sort_by_key(|(_, e)| std::cmp::Reverse(e.1));
    for ((g, n), e) in rows {
        println!("{g:7} {n:40} n {:5} bytes {:7} {}", e.0, e.1, e.2);
    }
}
