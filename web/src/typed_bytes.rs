//! Bytes of a field, changed by setting the property that the field is the value of: a package is never patched.

use serde_json::{Value, json};
use unreal_packages::archive::{Archived, RecordValue};
use unreal_packages::inspect::{Explanation, PackageValues, PropertyValue};
use unreal_packages::package::{Package, Section};
use unreal_packages::primitive::PackageIndex;
use unreal_packages::property::PropertyKind;
use unreal_packages::version::UnrealVersions;
use unreal_packages::{Guid, Loader, Name};

use crate::change::Change;
use crate::failure::{Failure, Result};
use crate::fields;

/// Parses pairs of hexadecimal digits, with or without spaces, commas and `0x`.
pub(crate) fn parsed(text: &str) -> Result<Vec<u8>> {
    let wrong = || {
        let next = "Write pairs of hexadecimal digits: C1 83 2A 9E.";
        Failure::new(format!("'{text}' are no bytes"), next)
    };
    let is_between = |byte: &u8| byte.is_ascii_whitespace() || *byte == b',';
    let digits: Vec<u8> = text.replace("0x", " ").bytes().filter(|it| !is_between(it)).collect();
    let (pairs, rest) = digits.as_chunks::<2>();
    if !rest.is_empty() || pairs.is_empty() {
        return Err(wrong());
    }
    let digit = |byte: u8| char::from(byte).to_digit(16);
    let pair = |[high, low]: &[u8; 2]| Some((digit(*high)? * 16 + digit(*low)?) as u8);
    pairs.iter().map(|it| pair(it).ok_or_else(wrong)).collect()
}

/// The property that a change of these bytes sets, or the reason that there is none, for the card of a field.
pub(crate) fn card(package: &Package, explanation: &Explanation) -> Value {
    match property(package, explanation) {
        Ok((_, property)) => json!({ "property": property.path, "reason": Value::Null }),
        Err(reason) => json!({ "property": Value::Null, "reason": reason }),
    }
}

/// The start of the field at a byte, and the change that lets it have these bytes.
pub(crate) fn change(package: &Package, at: u64, bytes: &[u8]) -> Result<(usize, Change)> {
    let explanation = fields::explanation(package, at)?;
    let record = &explanation.record;
    let refused = |reason: String| {
        let next = "Its value may be changed in the properties.";
        Failure::new(format!("{}: {reason}", record.path), next)
    };
    let (row, property) =
        property(package, &explanation).map_err(|reason| refused(reason.to_owned()))?;
    let size = record.end - record.start;
    if bytes.len() as u64 != size {
        return Err(refused(format!("it has {size} bytes, not {}", bytes.len())));
    }
    let value = value(package, &explanation, &property, bytes)
        .ok_or_else(|| refused("these bytes are no value of it".to_owned()))?;
    let object = package.exports().path(row);
    // Several objects may have one path.
    let is_unique = package.find(&object) == Some(PackageIndex::export(row));
    let object = if is_unique { object } else { format!("#{row}") };
    let start = usize::try_from(record.start).unwrap_or(usize::MAX);
    Ok((start, Change::Set { object, property: property.path, value }))
}

/// The export and the property that a field is the value of, or the reason that it is no value of a property.
fn property(
    package: &Package,
    explanation: &Explanation,
) -> std::result::Result<(usize, PropertyValue), &'static str> {
    let record = &explanation.record;
    let Section::Body(row) = explanation.section else {
        return Err(
            "it belongs to header or tables, which follow from the package: names, flags and GUID are \
                    changed under About",
        );
    };
    let row = row as usize;
    if matches!(record.value, RecordValue::Span(_)) {
        return Err("its bytes have no value of a fixed size");
    }
    let inner = record.path.strip_prefix(&format!("bodies[{row}].")).unwrap_or_default();
    let last = inner.rsplit('.').next().unwrap_or_default();
    if inner.contains(".tag") || last == "property_name" {
        return Err(
            "it says which property follows, and of which type: bools have their value there, which the \
                    properties change",
        );
    }
    if matches!(last, "count" | "length" | "terminator") {
        return Err("it follows from what stands behind it");
    }
    let object = format!("#{row}");
    let values = package.values();
    let get = |path: &str| values.property(&object, path).ok().filter(|it| it.value.is_some());
    let inner = element(package, row, explanation, inner);
    let property = get(&inner).filter(|value| !value.text.starts_with('(')).or_else(|| {
        let (around, field) = inner.strip_suffix(']')?.rsplit_once('[')?;
        let whole = get(around)?;
        let name = field_names(&whole.text).into_iter().nth(field.parse().ok()?)?;
        get(&format!("{around}.{name}"))
    });
    let reason =
        "it is part of the object's own data and no property, which is not set by itself here";
    property.map(|property| (row, property)).ok_or(reason)
}

/// Adds the element of a static array to a path: explanations name all elements alike, so the headings before the
/// field are counted.
fn element(package: &Package, row: usize, explanation: &Explanation, inner: &str) -> String {
    let end = inner.find(['.', '[']).unwrap_or(inner.len());
    let (name, rest) = inner.split_at(end);
    let Ok(decoded) = package.decode(row) else { return inner.to_owned() };
    let list = decoded.body.properties.iter().flat_map(|list| &list.properties);
    let of_it = list.filter(|it| it.name_text(|name| package.name_text(name)) == name);
    let elements: Vec<i32> = of_it.map(|it| it.array_index()).collect();
    if elements.iter().all(|element| *element == 0) {
        return inner.to_owned();
    }
    let heading = format!("bodies[{row}].property_name");
    let count = fields::count_before(package, row, explanation.record.start, |record| {
        record.path == heading && record.meaning.eq_ignore_ascii_case(name)
    });
    match count.checked_sub(1).and_then(|last| elements.get(last)) {
        Some(element @ 1..) => format!("{name}[{element}]{rest}"),
        _ => inner.to_owned(),
    }
}

/// The names of a struct's fields, as its text has them: `(X=1,Y=2)`.
fn field_names(text: &str) -> Vec<&str> {
    let (mut depth, mut is_quoted, mut start) = (0usize, false, 0);
    let mut names = Vec::new();
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'"' => is_quoted = !is_quoted,
            _ if is_quoted => {}
            b'(' => {
                depth += 1;
                start = if depth == 1 { at + 1 } else { start };
            }
            b')' => depth = depth.saturating_sub(1),
            b',' if depth == 1 => start = at + 1,
            b'=' if depth == 1 => {
                names.extend(text.get(start..at).filter(|name| !name.contains('=')));
                // What stands behind it is no name before the next comma.
                start = text.len();
            }
            _ => {}
        }
    }
    names
}

/// Decodes the bytes by the stored type of the field, as text that setting a property reads.
fn value(
    package: &Package,
    explanation: &Explanation,
    property: &PropertyValue,
    bytes: &[u8],
) -> Option<String> {
    let record = &explanation.record;
    let is_big = package.versions().byte_order.is_big();
    let mut little = bytes.to_vec();
    if is_big {
        little.reverse();
    }
    match &record.value {
        RecordValue::Integer(_) => {
            let number = little.iter().rev().fold(0u128, |all, byte| all << 8 | u128::from(*byte));
            let is_signed = record.type_name.starts_with('i');
            let bits = 8 * u32::try_from(little.len()).ok().filter(|size| *size <= 8)?;
            let number = match is_signed && number >> (bits - 1) & 1 == 1 {
                true => number as i128 - (1 << bits),
                false => number as i128,
            };
            match property.property_type.kind() {
                PropertyKind::Bool if number > 1 => None,
                PropertyKind::Bool => Some((number == 1).to_string()),
                _ => Some(number.to_string()),
            }
        }
        RecordValue::Float(_) => {
            if let Some(four) = little.first_chunk::<4>().filter(|_| little.len() == 4) {
                let number = f32::from_le_bytes(*four);
                return number.is_finite().then(|| number.to_string());
            }
            let number = f64::from_le_bytes(*little.first_chunk::<8>()?);
            number.is_finite().then(|| number.to_string())
        }
        RecordValue::Reference { space, .. } if **space == PackageIndex::SPACE => {
            let index: PackageIndex = whole(package, bytes)?;
            let path = package.path(index);
            match index == PackageIndex::NULL {
                true => Some("None".to_owned()),
                false => Some(path).filter(|path| !path.is_empty()),
            }
        }
        RecordValue::Reference { space, .. } if **space == Name::SPACE => {
            let name: Name = whole(package, bytes)?;
            package.names().get(usize::try_from(name.index.value()).ok()?)?;
            Some(package.name_text(name))
        }
        RecordValue::Bytes(_) => whole::<Guid>(package, bytes).map(|guid| guid.to_string()),
        _ => None,
    }
}

/// Decodes a value that takes all of the bytes.
fn whole<T: Archived + Default>(package: &Package, bytes: &[u8]) -> Option<T> {
    let mut loader = Loader::new(bytes, package.versions().of_bodies()).owning();
    let mut value = T::default();
    value.serialize(&mut loader).ok()?;
    loader.finish().ok()?;
    Some(value)
}
