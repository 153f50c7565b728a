//! Values that are one word.

use super::enumeration::{enum_number, enum_word};
use crate::archive::Span;
use crate::error::{Error, ErrorKind, Result};
use crate::primitive::{Encoding, FString, PackageIndex, Utf8String};
use crate::property::codec::is_early;
use crate::property::format::Surroundings;
use crate::property::text::ValueText;
use crate::property::{Delegate, FieldPath, PropertyKind, Type, Value, number};
use crate::version::{UnrealVersions, Versions};

/// A value that is one word; false when the word is none of this type.
pub(super) fn read_word(
    text: &ValueText,
    known: &Type,
    value: &mut Value,
    stored: bool,
    around: &mut dyn Surroundings,
) -> Result<bool> {
    let Some(word) = text.word() else { return Ok(false) };
    let quoted = matches!(text, ValueText::Quoted(_));
    /// Puts a number in its place.
    fn put<T>(to: &mut T, number: Option<T>) -> bool {
        number.map(|number| *to = number).is_some()
    }
    let versions = around.versions();
    let (order, game) = (versions.byte_order, versions.game());
    // Enums are numbers in unversioned packages, and as bytes without a name.
    let whole = enum_number(word, known, around)?.or_else(|| number::integer(word));
    fn fit<T: TryFrom<i128>>(number: Option<i128>) -> Option<T> {
        number.and_then(|number| T::try_from(number).ok())
    }
    Ok(match value {
        Value::Bool(to) => put(to, number::boolean(word)),
        Value::BoolByte(to) => put(to, number::boolean(word).map(u8::from)),
        Value::BoolWord(to) => put(to, number::boolean(word).map(u32::from)),
        Value::Byte(to) => put(to, fit(whole)),
        Value::Int8(to) => put(to, fit(whole)),
        Value::Int16(to) => put(to, fit(whole)),
        Value::Int(to) => put(to, fit(whole).or_else(|| number::int(word))),
        Value::Int64(to) => put(to, fit(whole)),
        Value::UInt16(to) => put(to, fit(whole)),
        Value::UInt32(to) => put(to, fit(whole)),
        Value::UInt64(to) => put(to, fit(whole)),
        Value::Float(to) => put(to, number::real(word, f32::is_finite)),
        Value::Double(to) => put(to, number::real(word, f64::is_finite)),
        Value::Name(to) => {
            let word = enum_word(word, known, &around.name_text(*to), around)?;
            *to = around.name(&word)?;
            true
        }
        Value::Utf8Str(_) if known.kind() == PropertyKind::AnsiStr && !word.is_ascii() => {
            return Err(Error::invalid("this kind of string holds ASCII characters only"));
        }
        Value::Str(to) => {
            **to = match narrow_string(word, to, around.versions()) {
                Some(narrow) => narrow,
                None => FString::new_in(word, order, game),
            };
            true
        }
        Value::FixedStr(to) => {
            **to = fixed_string(word, stored.then(|| to.len()))?;
            true
        }
        Value::Utf8Str(to) => {
            **to = Utf8String::new(word);
            true
        }
        // The editor puts references with their class in quotes where they stand in structs and arrays.
        Value::Object(to) if !quoted || word.ends_with('\'') => {
            *to = around.object(word)?;
            true
        }
        Value::Guid(to) => put(to, word.parse().ok()),
        Value::SoftObject(_) | Value::SoftObjectIndex(_) => {
            *value = around.soft_path(if word.is_empty() { "None" } else { word })?;
            true
        }
        Value::Delegate(to) if !quoted => {
            *to = delegate(word, around)?;
            true
        }
        Value::FieldPath(to) if !quoted => {
            **to = field_path(word, around)?;
            true
        }
        _ => false,
    })
}

pub(super) fn delegate(word: &str, around: &mut dyn Surroundings) -> Result<Delegate> {
    Ok(match word.rsplit_once('.') {
        Some((object, function)) => {
            Delegate { object: around.object(object)?, function: around.name(function)? }
        }
        None => Delegate { object: PackageIndex::NULL, function: around.name(word)? },
    })
}

/// The owner, then the names from the outermost on.
fn field_path(word: &str, around: &mut dyn Surroundings) -> Result<FieldPath> {
    let (owner, names) = match word.rsplit_once(':') {
        Some((owner, names)) => (around.object(owner)?, names),
        None => (PackageIndex::NULL, word),
    };
    let names = names.split('.').rev().filter(|name| !name.eq_ignore_ascii_case("None"));
    let path = names.map(|name| around.name(name)).collect::<Result<_>>()?;
    Ok(FieldPath { path, owner })
}

/// UE1 to UE3: a string in the 8-bit characters of the one that it replaces, where they can say it.
fn narrow_string(word: &str, old: &FString, versions: &Versions) -> Option<FString> {
    let is_narrow = !old.is_empty() && old.encoding() == Encoding::Ansi;
    FString::ansi(word).filter(|_| is_narrow && !word.is_empty() && is_early(versions))
}

/// UE1: characters up to a zero byte in a fixed size, which stays.
fn fixed_string(word: &str, size: Option<u64>) -> Result<Span> {
    let bytes = FString::ansi(word).and_then(|string| string.span().as_owned().map(<[u8]>::to_vec));
    let mut bytes =
        bytes.ok_or(ErrorKind::BadText { reason: "this type stores 8-bit text only" })?;
    let size = size.map_or(bytes.len() + 1, |size| size as usize);
    if bytes.len() + 1 > size || bytes.contains(&0) {
        let kind = ErrorKind::BadText { reason: "it is longer than the property's fixed size" };
        return Err(kind.into());
    }
    bytes.resize(size, 0);
    Ok(Span::owned(bytes))
}
