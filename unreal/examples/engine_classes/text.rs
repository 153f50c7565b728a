//! The text of the files, as `unreal/model/src/property/engine.rs` describes it.

use std::collections::BTreeMap;

use crate::facts::{Class, Facts, Values};
use crate::mappings::EnumKinds;

/// A file: the properties of a class by type, all in the order of their names. The kinds are those of the
/// enums that have a line in this file or in one that is read with it.
pub fn text(facts: &Facts, source: &str, kinds: &EnumKinds) -> String {
    let mut text = format!("# The classes of {source}.\n# Made by examples/engine_classes.\n");
    for (word, all) in [("", &facts.classes), ("struct ", &facts.structs)] {
        for (name, class) in all {
            text += &class_text(word, name, class, kinds);
        }
    }
    for (name, values) in facts.enums.iter().filter(|(_, values)| !values.is_empty()) {
        let word = kinds.get(name).unwrap_or(&"byte-enum");
        text += &format!("{word} {name}{}\n", values_text(values));
    }
    text
}

fn class_text(word: &str, name: &str, class: &Class, kinds: &EnumKinds) -> String {
    let mut by_type = BTreeMap::<String, Vec<String>>::new();
    for (name, known) in &class.properties {
        let Some(kind) = &known.kind else { continue };
        by_type.entry(shortened(kind, kinds)).or_default().push(match known.dimension {
            0 | 1 => name.clone(),
            count => format!("{name}[{count}]"),
        });
    }
    if by_type.is_empty() && matches!(&*class.parent, "" | "Object") {
        return String::new();
    }
    // Every class derives from this one.
    let parent = Some(&*class.parent).filter(|parent| *parent != "Object").unwrap_or_default();
    let mut text = format!("{word}{name} {parent}").trim_end().to_owned();
    text.push('\n');
    for (kind, names) in by_type {
        // A property that is called as its type needs no name.
        let same = [short_name(&kind)];
        let names = if names == same { String::new() } else { joined(&names) };
        text += &format!(" {kind}{names}\n");
    }
    text
}

/// The name that properties of a type often have: the type's own, an enum's without its `E`.
fn short_name(kind: &str) -> String {
    let is_enum =
        kind.starts_with('E') && kind[1..].starts_with(|next: char| next.is_ascii_uppercase());
    if is_enum { kind[1..].to_owned() } else { kind.to_owned() }
}

/// A type without the kinds that the names say themselves: of structs, and of enums with a line.
fn shortened(kind: &str, kinds: &EnumKinds) -> String {
    let mut words: Vec<&str> = Vec::new();
    for word in kind.split(':') {
        let is_name = word.starts_with(|first: char| first.is_ascii_uppercase());
        let says = match words.last() {
            Some(&"struct") => is_name && !kinds.contains_key(word),
            Some(last @ (&"enum" | &"byte-enum")) => is_name && kinds.get(word) == Some(last),
            _ => false,
        };
        if says {
            words.pop();
        }
        words.push(word);
    }
    words.join(":")
}

fn values_text(values: &Values) -> String {
    let mut next = 0;
    let mut words = Vec::new();
    for (value, number) in values {
        words.push(match number {
            Some(number) if *number == next => value.clone(),
            Some(number) => format!("{value}={number}"),
            None => format!("{value}=?"),
        });
        // A number that is not known is the largest when it is read.
        next = number.unwrap_or(u64::MAX).wrapping_add(1);
    }
    joined(&words)
}

/// Words with what several in a row begin with once before them: `Light* Hue Radius * Tag`. The shortest text.
fn joined(words: &[String]) -> String {
    // From each word on, without and with a prefix before it: the length, where the group ends, and its prefix.
    type Best = (usize, usize, usize);
    let mut best = vec![[(0, 0, 0); 2]; words.len() + 1];
    for at in (0..words.len()).rev() {
        for after_prefix in 0..2 {
            // A word of its own; the prefix before it must end.
            let alone = words[at].len() + 1 + 2 * after_prefix + best[at + 1][0].0;
            let mut found: Best = (alone, at + 1, 0);
            let mut length = usize::MAX;
            for end in at + 2..=words.len() {
                length = length.min(common(&words[at], &words[end - 1]));
                let Some(prefix) = boundary(&words[at], length) else { break };
                // Something of each name is left.
                let goes_on = |word: &String| {
                    word.as_bytes().get(prefix).is_some_and(u8::is_ascii_alphanumeric)
                };
                if !words[at..end].iter().all(goes_on) {
                    continue;
                }
                let rest: usize = words[at..end].iter().map(|word| word.len() - prefix + 1).sum();
                let text = prefix + 2 + rest + best[end][1].0;
                if text < found.0 {
                    found = (text, end, prefix);
                }
            }
            best[at][after_prefix] = found;
        }
    }
    let (mut text, mut at, mut after_prefix) = (String::new(), 0, 0);
    while at < words.len() {
        let (_, end, prefix) = best[at][after_prefix];
        if prefix > 0 {
            text += &format!(" {}*", &words[at][..prefix]);
        } else if after_prefix > 0 {
            text += " *";
        }
        for word in &words[at..end] {
            text += &format!(" {}", &word[prefix..]);
        }
        (at, after_prefix) = (end, usize::from(prefix > 0));
    }
    text
}

/// How far two words are alike.
fn common(one: &str, other: &str) -> usize {
    one.bytes().zip(other.bytes()).take_while(|(one, other)| one == other).count()
}

/// The last end of a part of a name up to here: before a capital or a digit, behind `_`.
fn boundary(word: &str, length: usize) -> Option<usize> {
    let bytes = word.as_bytes();
    let stops = |at: &usize| {
        let (last, next) = (bytes[at - 1], bytes.get(*at).copied().unwrap_or(b'='));
        last == b'_'
            || !next.is_ascii_lowercase() && next.is_ascii_alphanumeric() && !last.is_ascii_digit()
    };
    (2..=length.min(word.len())).rev().find(stops)
}
