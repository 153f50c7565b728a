//! Values of new properties from their texts.

use std::str::FromStr;

use crate::error::{Error, ErrorKind, Result};
use crate::package::Package;
use crate::primitive::{FString, PackageIndex};
use crate::property::tagged::{Elements, History, Kind, Naming, Place, Text, Type, Value};

/// First editor version whose plain texts may be the same in every language.
const INVARIANT_ADDED: i32 = 32;

fn invalid(reason: String) -> Error {
    ErrorKind::Invalid { reason }.into()
}

/// The members of a group in parentheses, without the names before equals signs.
fn members(text: &str) -> Option<Vec<&str>> {
    let inside = text.trim().strip_prefix('(')?.strip_suffix(')')?;
    let (mut depth, mut quoted, mut escaped, mut start) = (0_usize, false, false, 0);
    let mut members = Vec::new();
    for (at, char) in inside.char_indices() {
        match char {
            _ if escaped => escaped = false,
            '\\' if quoted => escaped = true,
            '"' => quoted = !quoted,
            '(' if !quoted => depth += 1,
            ')' if !quoted => depth = depth.checked_sub(1)?,
            ',' if !quoted && depth == 0 => {
                members.push(inside.get(start..at)?);
                start = at + 1;
            }
            _ => {}
        }
    }
    let last = inside.get(start..)?;
    if !last.trim().is_empty() || !members.is_empty() {
        members.push(last);
    }
    (depth == 0 && !quoted).then_some(members)
}

/// A group of so many numbers: `(X=1,Y=2)` with its names in order, or `(1,2)`.
fn numbers<T: FromStr + Copy + Default, const N: usize>(
    text: &str,
    names: &[&str],
) -> Option<[T; N]> {
    let members = members(text)?;
    let mut all = [T::default(); N];
    if members.len() != N {
        return None;
    }
    for (at, member) in members.into_iter().enumerate() {
        let (name, number) = member.split_once('=').unwrap_or(("", member));
        let place = match name.trim() {
            "" => at,
            name => names.iter().position(|known| known.eq_ignore_ascii_case(name))?,
        };
        *all.get_mut(place)? = number.trim().parse().ok()?;
    }
    Some(all)
}

/// A text without the quotes around it.
fn unquoted(text: &str) -> String {
    let trimmed = text.trim();
    let inside = trimmed.strip_prefix('"').and_then(|text| text.strip_suffix('"'));
    let Some(inside) = inside else { return trimmed.to_owned() };
    let (mut plain, mut escaped) = (String::new(), false);
    for char in inside.chars() {
        match (escaped, char) {
            (false, '\\') => escaped = true,
            (false, char) => plain.push(char),
            (true, char) => {
                plain.push(match char {
                    'n' => '\n',
                    'r' => '\r',
                    't' => '\t',
                    other => other,
                });
                escaped = false;
            }
        }
    }
    plain
}

impl Package {
    /// The value that a text says, in the form of the empty value of its type.
    ///
    /// # Errors
    /// `Invalid` for a text that is no such value.
    pub(super) fn value_of(&mut self, empty: Value, known: &Type, text: &str) -> Result<Value> {
        let wrong = || invalid(format!("'{text}' is no value of type {known}"));
        fn number<T: FromStr>(text: &str) -> Option<T> {
            text.trim().parse().ok()
        }
        let truth = |text: &str| match text.trim().to_ascii_lowercase().as_str() {
            "true" | "1" => Some(true),
            "false" | "0" => Some(false),
            _ => None,
        };
        let names: &[&str] = match known.type_name().rsplit('.').next().unwrap_or_default() {
            "LinearColor" | "Color" => &["R", "G", "B", "A"],
            "Rotator" => &["Pitch", "Yaw", "Roll"],
            _ => &["X", "Y", "Z", "W"],
        };
        let (order, game) = (self.versions.byte_order, self.versions.game);
        let value = match empty {
            Value::Bool(_) => truth(text).map(Value::Bool),
            Value::BoolByte(_) => truth(text).map(|flag| Value::BoolByte(flag.into())),
            Value::Byte(_) => number(text).map(Value::Byte),
            Value::Int8(_) => number(text).map(Value::Int8),
            Value::Int16(_) => number(text).map(Value::Int16),
            Value::Int(_) => number(text).map(Value::Int),
            Value::Int64(_) => number(text).map(Value::Int64),
            Value::UInt16(_) => number(text).map(Value::UInt16),
            Value::UInt32(_) => number(text).map(Value::UInt32),
            Value::UInt64(_) => number(text).map(Value::UInt64),
            Value::Float(_) => number(text).map(Value::Float),
            Value::Double(_) => number(text).map(Value::Double),
            Value::Float2(_) => numbers(text, names).map(Value::Float2),
            Value::Float3(_) => numbers(text, names).map(Value::Float3),
            Value::Float4(_) => numbers(text, names).map(Value::Float4),
            Value::Double2(_) => numbers(text, names).map(Value::Double2),
            Value::Double3(_) => numbers(text, names).map(Value::Double3),
            Value::Double4(_) => numbers(text, names).map(|all| Value::Double4(Box::new(all))),
            Value::Int2(_) => numbers(text, names).map(Value::Int2),
            Value::Int3(_) => numbers(text, names).map(Value::Int3),
            Value::Color(_) => numbers(text, names).map(|[r, g, b, a]| Value::Color([b, g, r, a])),
            Value::Name(_) => Some(Value::Name(self.name(&unquoted(text))?)),
            Value::Str(_) => Some(Value::Str(Box::new(FString::new_in(text, order, game)))),
            Value::SoftObject(_) | Value::SoftObjectIndex(_) => {
                Some(self.soft_path(&unquoted(text))?)
            }
            Value::Text(_) => Some(Value::Text(Box::new(self.new_text(text)))),
            Value::Object(_) => Some(Value::Object(self.object_of(text)?)),
            Value::Array(_) => {
                let inner = known.inner().first().filter(|inner| inner.kind() != Kind::Struct);
                let inner = inner.ok_or_else(wrong)?;
                let members = members(text).ok_or_else(wrong)?;
                let mut values = Vec::new();
                for member in members {
                    let empty = Value::blank(inner, Place::Element, self)?;
                    let member = match empty {
                        Value::Str(_) | Value::Text(_) => unquoted(member),
                        _ => member.to_owned(),
                    };
                    values.push(self.value_of(empty, inner, &member)?);
                }
                Some(Value::Array(Elements::of_values(values)))
            }
            _ => {
                let reason = format!("values of type {known} can't be made from text here");
                return Err(ErrorKind::Unsupported { reason }.into());
            }
        };
        value.ok_or_else(wrong)
    }

    /// `NSLOCTEXT("namespace", "key", "text")`, or a text that is the same in every language.
    fn new_text(&self, text: &str) -> Text {
        let (order, game) = (self.versions.byte_order, self.versions.game);
        let of = |text: &str| FString::new_in(text, order, game);
        let call = text.trim().strip_prefix("NSLOCTEXT").and_then(members);
        let history = match call.as_deref() {
            Some([namespace, key, source]) => History::Base {
                namespace: of(&unquoted(namespace)),
                key: of(&unquoted(key)),
                source: of(&unquoted(source)),
                notes: FString::default(),
            },
            _ if self.versions.custom(&crate::version::custom::EDITOR) >= INVARIANT_ADDED => {
                History::None { invariant: (!text.is_empty()).then(|| of(text)) }
            }
            _ => History::Base {
                namespace: FString::default(),
                key: FString::default(),
                source: of(text),
                notes: FString::default(),
            },
        };
        Text { history, ..Text::default() }
    }

    /// `Class'/Game/Folder/Asset.Asset'`, with the class in full (`/Script/Engine.Texture2D`), or `None`.
    fn object_of(&mut self, text: &str) -> Result<PackageIndex> {
        let text = text.trim();
        if text.is_empty() || text.eq_ignore_ascii_case("None") {
            return Ok(PackageIndex::NULL);
        }
        if let Some(index) = self.find(text) {
            return Ok(index);
        }
        let parts = text.strip_suffix('\'').and_then(|text| text.split_once('\''));
        match parts {
            Some((class, path)) if class.starts_with('/') => self.add_import(path, class),
            _ => Err(invalid(format!(
                "'{text}' names no object with its class: write \
                 /Script/Engine.Texture2D'/Game/Folder/Asset.Asset'"
            ))),
        }
    }
}
