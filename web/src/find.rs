//! Searching.

use memchr::memmem;
use serde_json::{Value, json};
use unreal_packages::archive::CompactIndex;
use unreal_packages::farchive;
use unreal_packages::package::Package;
use unreal_packages::version::Versions;

use crate::failure::{Failure, Result};
use crate::request::Wanted;
use crate::tree::Key;
use crate::typed_bytes::parsed;

/// The next place of what is searched for, behind a byte or before it.
pub(crate) fn next(
    package: &Package,
    what: Wanted,
    text: &str,
    from: u64,
    backwards: bool,
) -> Result<Value> {
    let nothing = || Failure::new("there is nothing to search for", "Write it into the field.");
    if text.is_empty() {
        return Err(nothing());
    }
    if what == Wanted::Name {
        return name(package, text);
    }
    let is_big = package.versions().byte_order.is_big();
    let needles = match what {
        Wanted::Bytes => vec![parsed(text)?],
        Wanted::Number => numbers(text, is_big)?,
        Wanted::Number1 => vec![sized(text, 1, is_big)?],
        Wanted::Number2 => vec![sized(text, 2, is_big)?],
        Wanted::Number8 => vec![sized(text, 8, is_big)?],
        Wanted::Compact => vec![compact(text)?],
        Wanted::Text | Wanted::Name => texts(text, is_big),
    };
    let heeds_case = what != Wanted::Text;
    let source = package.source();
    let at = usize::try_from(from).unwrap_or(usize::MAX).min(source.len());
    let hit = |needle: &Vec<u8>| {
        let found = match (backwards, heeds_case) {
            (false, true) => memmem::find(&source[at..], needle).map(|found| at + found),
            (true, true) => memmem::rfind(&source[..at], needle),
            (false, false) => in_any_case(&source[at..], needle).next().map(|found| at + found),
            (true, false) => in_any_case(&source[..at], needle).last(),
        };
        found.map(|found| (found, needle.len()))
    };
    let hits = needles.iter().filter(|needle| !needle.is_empty()).filter_map(hit);
    let best = match backwards {
        false => hits.min_by_key(|(at, _)| *at),
        true => hits.max_by_key(|(at, _)| *at),
    };
    Ok(best.map_or(
        json!({ "found": false }),
        |(at, length)| json!({ "found": true, "at": at, "length": length }),
    ))
}

/// Searches the bytes of a package for a text as text, hexadecimal bytes, number and compact index; at most
/// `most` hits, sorted by offset, and the number of all.
pub(crate) fn all(package: &Package, text: &str, most: usize) -> (Vec<ByteHit>, usize) {
    let is_big = package.versions().byte_order.is_big();
    let mut needles: Vec<(&'static str, bool, Vec<u8>)> = Vec::new();
    needles.extend(texts(text, is_big).into_iter().map(|needle| ("text", false, needle)));
    // A single byte stands everywhere.
    needles.extend(parsed(text).ok().map(|needle| ("bytes", true, needle)));
    let number = numbers(text, is_big).unwrap_or_default();
    needles.extend(number.into_iter().map(|needle| ("number", true, needle)));
    needles.extend(compact(text).ok().map(|needle| ("compact index", true, needle)));
    needles.retain(|(_, _, needle)| needle.len() > 1);
    let source = package.source();
    let (mut hits, mut count) = (Vec::new(), 0);
    for (what, heeds_case, needle) in &needles {
        let mut add = |at| {
            count += 1;
            if hits.len() < most {
                hits.push(ByteHit { what, at, length: needle.len() });
            }
        };
        match heeds_case {
            true => memmem::find_iter(source, needle).for_each(&mut add),
            false => in_any_case(source, needle).for_each(&mut add),
        }
    }
    hits.sort_by_key(|hit| hit.at);
    (hits, count)
}

/// A hit in the bytes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ByteHit {
    pub what: &'static str,
    pub at: usize,
    pub length: usize,
}

fn name(package: &Package, text: &str) -> Result<Value> {
    let wanted = text.to_lowercase();
    let row = package
        .names()
        .find(text)
        .or_else(|| package.names().iter().position(|name| name.to_lowercase().contains(&wanted)));
    Ok(match row {
        Some(row) => json!({ "found": true, "key": Key::Name(row).to_string() }),
        None => json!({ "found": false }),
    })
}

/// Where these bytes stand when upper and lower case of ASCII are the same.
fn in_any_case<'a>(source: &'a [u8], needle: &'a [u8]) -> impl Iterator<Item = usize> + 'a {
    let first = needle.first().copied().unwrap_or_default();
    let starts =
        memchr::memchr2_iter(first.to_ascii_lowercase(), first.to_ascii_uppercase(), source);
    starts.filter(move |at| {
        source[*at..].get(..needle.len()).is_some_and(|found| found.eq_ignore_ascii_case(needle))
    })
}

fn whole(text: &str) -> Option<i128> {
    let hex = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X"));
    hex.map_or_else(|| text.parse().ok(), |hex| i128::from_str_radix(hex, 16).ok())
}

/// A whole number in so many bytes, with a sign or without.
fn sized(text: &str, size: usize, is_big: bool) -> Result<Vec<u8>> {
    let most = 1i128 << (8 * size);
    let number = whole(text.trim()).filter(|number| (-most / 2..most).contains(number));
    let number = number.ok_or_else(|| {
        Failure::new(
            format!("'{text}' is no whole number of {size} bytes"),
            "Write a smaller one, or 0x40.",
        )
    })?;
    let mut bytes = number.to_le_bytes()[..size].to_vec();
    if is_big {
        bytes.reverse();
    }
    Ok(bytes)
}

/// A number as the compact index of UE1 and UE2.
fn compact(text: &str) -> Result<Vec<u8>> {
    let number = whole(text.trim()).and_then(|number| i32::try_from(number).ok());
    let number = number.ok_or_else(|| {
        Failure::new(format!("'{text}' is no whole number of 32 bits"), "Write 64 or 0x40.")
    })?;
    Ok(farchive::to_bytes(&CompactIndex::new(number), &Versions::default())?)
}

/// A whole number as four bytes and, where it is larger, as eight; one with a point as both kinds of floats.
fn numbers(text: &str, is_big: bool) -> Result<Vec<Vec<u8>>> {
    let text = text.trim();
    let ordered = |little: &[u8]| match is_big {
        true => little.iter().rev().copied().collect(),
        false => little.to_vec(),
    };
    if let Some(number) = whole(text) {
        if let Ok(number) = i32::try_from(number) {
            return Ok(vec![ordered(&number.to_le_bytes())]);
        }
        if let Ok(number) = u32::try_from(number) {
            return Ok(vec![ordered(&number.to_le_bytes())]);
        }
        let wide = i64::try_from(number)
            .map(|number| number.to_le_bytes())
            .or_else(|_| u64::try_from(number).map(|number| number.to_le_bytes()));
        return wide
            .map(|wide| vec![ordered(&wide)])
            .map_err(|_| Failure::new("the number has more than 64 bits", "Write a smaller one."));
    }
    let number: f64 = text
        .parse()
        .map_err(|_| Failure::new(format!("'{text}' is no number"), "Write 64, 0x40 or 1.5."))?;
    Ok(vec![ordered(&(number as f32).to_le_bytes()), ordered(&number.to_le_bytes())])
}

/// A text in eight and in sixteen bits a character.
fn texts(text: &str, is_big: bool) -> Vec<Vec<u8>> {
    let wide = text.encode_utf16();
    let wide = match is_big {
        true => wide.flat_map(u16::to_be_bytes).collect(),
        false => wide.flat_map(u16::to_le_bytes).collect(),
    };
    vec![text.as_bytes().to_vec(), wide]
}
