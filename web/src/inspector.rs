//! The bytes at an offset, decoded as every basic type.

use serde_json::{Value, json};
use unreal_packages::archive::{Archive, Archived, CompactIndex};
use unreal_packages::package::Package;
use unreal_packages::primitive::{FString, PackageIndex};
use unreal_packages::{Guid, Loader, Name};

use crate::properties::cut;

/// Bytes that are decoded: longer texts are not shown.
const MOST: usize = 1_024;
/// Characters of a text that are sent.
const LONGEST: usize = 240;

/// Decodes the bytes at an offset in the package's byte order: type, text (null where it can't be decoded) and size in
/// bytes of each value.
pub(crate) fn at(package: &Package, at: u64) -> Value {
    let source = package.source();
    let start = usize::try_from(at).unwrap_or(usize::MAX).min(source.len());
    let bytes = &source[start..source.len().min(start.saturating_add(MOST))];
    let is_big = package.versions().byte_order.is_big();
    let mut values = numbers(bytes, is_big);
    let mut add = |kind: &str, value: Option<(String, u64)>| {
        let (text, size) = value.map_or((None, 0), |(text, size)| (Some(text), size));
        values.push(json!([kind, text, size]));
    };
    let compact = read::<CompactIndex>(package, bytes);
    add("compact index", compact.map(|(value, size)| (value.value().to_string(), size)));
    let name = read::<Name>(package, bytes).and_then(|(name, size)| {
        let row = usize::try_from(name.index.value()).ok()?;
        package.names().get(row)?;
        Some((package.name_text(name), size))
    });
    add("name", name);
    let object = read::<PackageIndex>(package, bytes).and_then(|(index, size)| {
        let path = package.path(index);
        (!path.is_empty()).then_some((path, size))
    });
    add("object", object);
    let string = read::<FString>(package, bytes).and_then(|(text, size)| {
        let text = text.text(&[]).ok()?.into_owned();
        let shown = cut(&text, LONGEST);
        let more = if shown.len() < text.len() { "\u{2026}" } else { "" };
        Some((format!("{shown:?}{more}"), size))
    });
    add("string", string);
    let guid = read::<Guid>(package, bytes).map(|(guid, size)| (guid.to_string(), size));
    add("GUID", guid);
    for (kind, [red, green, blue, alpha]) in
        [("colour, red first", [0, 1, 2, 3]), ("colour, blue first", [2, 1, 0, 3])]
    {
        let color = bytes.first_chunk::<4>().map(|it| {
            let [red, green, blue, alpha] = [red, green, blue, alpha].map(|part: usize| it[part]);
            (format!("#{red:02x}{green:02x}{blue:02x}, alpha {alpha}"), 4)
        });
        add(kind, color);
    }
    json!({ "at": at, "big": is_big, "values": values })
}

/// Decodes a value at the start of the bytes, with its size.
fn read<T: Archived + Default>(package: &Package, bytes: &[u8]) -> Option<(T, u64)> {
    let mut loader = Loader::new(bytes, package.versions().clone()).owning();
    let mut value = T::default();
    value.serialize(&mut loader).ok()?;
    Some((value, loader.position()))
}

fn numbers(bytes: &[u8], is_big: bool) -> Vec<Value> {
    fn ordered<const SIZE: usize>(bytes: &[u8], is_big: bool) -> Option<[u8; SIZE]> {
        let mut own = *bytes.first_chunk::<SIZE>()?;
        if is_big {
            own.reverse();
        }
        Some(own)
    }
    let one = bytes.first().copied();
    let two = ordered::<2>(bytes, is_big);
    let four = ordered::<4>(bytes, is_big);
    let eight = ordered::<8>(bytes, is_big);
    let rows: [(&str, Option<String>, u64); 11] = [
        ("i8", one.map(|it| (it as i8).to_string()), 1),
        ("u8", one.map(|it| it.to_string()), 1),
        ("i16", two.map(|it| i16::from_le_bytes(it).to_string()), 2),
        ("u16", two.map(|it| u16::from_le_bytes(it).to_string()), 2),
        ("i32", four.map(|it| i32::from_le_bytes(it).to_string()), 4),
        ("u32", four.map(|it| u32::from_le_bytes(it).to_string()), 4),
        ("i64", eight.map(|it| i64::from_le_bytes(it).to_string()), 8),
        ("u64", eight.map(|it| u64::from_le_bytes(it).to_string()), 8),
        ("f16", two.map(|it| short(half::f16::from_le_bytes(it).to_f32())), 2),
        ("f32", four.map(|it| short(f32::from_le_bytes(it))), 4),
        ("f64", eight.map(|it| short(f64::from_le_bytes(it))), 8),
    ];
    rows.into_iter().map(|(kind, text, size)| json!([kind, text, size])).collect()
}

/// A float with an exponent where it is very small or very large.
fn short(number: impl std::fmt::Debug) -> String {
    format!("{number:?}")
}
