//! One search over names, values, texts, code and bytes.

use serde_json::{Value, json};
use unreal_packages::inspect::{FoundText, TextKind, each_text};
use unreal_packages::package::{Package, Section, SectionPlace};

use crate::failure::{Failure, Result};
use crate::find::{self, ByteHit};
use crate::properties::cut;
use crate::tree::{Key, title};

/// Hits that are listed; the others are counted.
const MOST: usize = 1_000;
/// Characters of a text that are sent.
const LONGEST: usize = 240;
/// Places in the bytes that are listed.
const MOST_BYTES: usize = 200;
const KINDS: [TextKind; 6] = [
    TextKind::Name,
    TextKind::Import,
    TextKind::Export,
    TextKind::Value,
    TextKind::Text,
    TextKind::Code,
];

/// Every text that has this one in it, in any case: tables first, then one object after the other.
pub(crate) fn hits(package: &Package, text: &str) -> Result<Value> {
    let wanted = text.to_lowercase();
    if wanted.is_empty() {
        return Err(Failure::new("there is nothing to search for", "Write it into the field."));
    }
    let (mut hits, mut count) = (Vec::new(), 0usize);
    let unseen = each_text(package, &KINDS, &mut |found| {
        if found.text.to_lowercase().contains(&wanted) {
            count += 1;
            if hits.len() < MOST {
                hits.push(one(package, &found, &wanted));
            }
        }
        Ok::<_, unreal_packages::Error>(())
    })?;
    let (found, in_bytes) = find::all(package, text, MOST_BYTES);
    let mut sections = package.sections();
    sections.sort_by_key(|place| place.start);
    let bytes: Vec<_> = found.iter().map(|hit| in_section(package, &sections, *hit)).collect();
    Ok(
        json!({ "hits": hits, "count": count, "unseen": unseen, "bytes": bytes, "in_bytes": in_bytes }),
    )
}

/// A place in the bytes with the object or table that has it.
fn in_section(package: &Package, sections: &[SectionPlace], hit: ByteHit) -> Value {
    let at = hit.at as u64;
    let next = sections.partition_point(|place| place.start <= at);
    let place = next.checked_sub(1).and_then(|last| sections.get(last));
    let place = match place.filter(|place| at < place.end()).map(|place| place.section) {
        Some(Section::Body(row)) => package.exports().path(row as usize),
        Some(section) => title(&section.to_string()),
        None => String::new(),
    };
    json!({ "what": hit.what, "at": at, "length": hit.length, "place": place })
}

fn one(package: &Package, found: &FoundText<'_>, wanted: &str) -> Value {
    let (kind, key, place) = match (found.kind, found.row) {
        (TextKind::Name, Some(row)) => ("name", Some(Key::Name(row)), String::new()),
        (TextKind::Import, Some(row)) => ("import", Some(Key::Import(row)), String::new()),
        (TextKind::Export, Some(row)) => ("export", Some(Key::Export(row)), String::new()),
        (kind, Some(row)) => (word(kind), Some(Key::Export(row)), package.exports().path(row)),
        (kind, None) => (word(kind), None, String::new()),
    };
    let path = found.path.to_string();
    json!({ "kind": kind, "link": key.map(|key| key.to_string()), "place": place, "path": path,
            "line": found.line, "property": found.is_property, "text": around(found.text, wanted) })
}

fn word(kind: TextKind) -> &'static str {
    match kind {
        TextKind::Code => "code",
        TextKind::Text => "text",
        _ => "value",
    }
}

/// A long text from a little before the hit on.
fn around<'a>(text: &'a str, wanted: &str) -> std::borrow::Cow<'a, str> {
    if text.chars().count() <= LONGEST {
        return text.into();
    }
    // Where lower case has other lengths the place is near enough.
    let at = text.to_lowercase().find(wanted).unwrap_or_default().min(text.len());
    let mut start = at.saturating_sub(40);
    while !text.is_char_boundary(start) {
        start -= 1;
    }
    let before = if start > 0 { "\u{2026}" } else { "" };
    format!("{before}{}\u{2026}", cut(&text[start..], LONGEST)).into()
}
