//! UE1: what its packages declare, as tables.

use std::path::Path;

use crate::facts::Facts;

/// What tags never store: native and transient (`CPF_Native`, `CPF_Transient`).
pub const NOT_STORED: u64 = 0x1000 | 0x2000;
/// Classes whose objects, like those of the classes that derive from them, live only while the game runs.
const RUNNING: &[&str] = &[
    "Canvas",
    "Client",
    "Commandlet",
    "Console",
    "Engine",
    "Menu",
    "NetConnection",
    "NetDriver",
    "Player",
    "StatLog",
    "Subsystem",
];

/// The tables of UE1.
pub fn ue1(data: &Path) -> Result<Facts, Box<dyn std::error::Error>> {
    let mut facts = Facts::default();
    for line in crate::corpus::text(&data.join("engine-classes-ut99.tsv"))?.lines().skip(1) {
        let columns: Vec<_> = line.split('\t').collect();
        let [_, class, parent, property, kind, dimension, flags, ..] = columns[..] else {
            continue;
        };
        let class = facts.class(class);
        class.parent = if parent == "None" { String::new() } else { last(parent) };
        if flags.parse::<u64>()? & NOT_STORED == 0
            && let Some(kind) = kind_of(kind)
        {
            class.note(property, &kind, dimension.parse()?);
        }
    }
    for line in crate::corpus::text(&data.join("engine-enums-ut99.tsv"))?.lines().skip(1) {
        let columns: Vec<_> = line.split('\t').collect();
        let [_, path, values] = columns[..] else { continue };
        let values = values.split(' ').map(str::to_owned).zip((0..).map(Some)).collect();
        // Of enums of one name that two classes have the first stays, as objects have no other way to say which.
        facts.enums.entry(last(path)).or_insert(values);
    }
    let runs = |name: &String| facts.chain(name).iter().any(|name| RUNNING.contains(&&**name));
    let running: Vec<_> = facts.classes.keys().filter(|name| runs(name)).cloned().collect();
    facts.classes.retain(|name, _| !running.contains(name));
    Ok(facts)
}

fn last(path: &str) -> String {
    path.rsplit('.').next().unwrap_or(path).to_owned()
}

/// The type that a declaration of UE1 says; `None` for what packages never store.
fn kind_of(text: &str) -> Option<String> {
    Some(match text {
        "bool" | "int" | "float" | "byte" | "name" | "string" => text.to_owned(),
        "pointer" => return None,
        _ => match (text.strip_prefix("struct "), text.strip_prefix("array<")) {
            (Some(structure), _) => format!("struct:{}", last(structure)),
            (_, Some(inner)) => format!("array:{}", kind_of(inner.strip_suffix('>')?)?),
            _ if text.starts_with("class<") => "class".to_owned(),
            // An enum lies in a class, or in a struct of one.
            _ if text.matches('.').count() >= 2 => format!("byte-enum:{}", last(text)),
            _ => "object".to_owned(),
        },
    })
}
