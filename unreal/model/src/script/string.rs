//! Strings in code.

use super::ScriptItem;
use crate::archive::Span;
use crate::primitive::{FString, ansi_text, utf16_text};
use crate::version::{EngineFacts, UnrealVersions};
use crate::{ByteOrder, Result, Versions};

/// The token of a string of 8-bit characters; one of UTF-16 units has [`WIDE`] (spec: ue1-3/06 §6.6,
/// ue4-5/05 §3).
const NARROW: u8 = 0x1f;
pub(super) const WIDE: u8 = 0x34;
/// The tokens of soft references to objects and to properties, whose path is the string behind them.
const SOFT_OBJECT: u8 = 0x67;
const FIELD_PATH: u8 = 0x6d;
/// The token of a text of Kismet, and the kind that lies in a table of strings: the table's object, its path,
/// the key (spec: ue4-5/05 §3).
const TEXT: u8 = 0x29;
const IN_STRING_TABLE: u8 = 4;

/// A string constant in code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ScriptString {
    /// The item that holds the characters; the token is the one before.
    pub item: usize,
    /// Where its token lies, bytes in memory from the start of the code.
    pub place: u32,
    /// Whether it is the path of an asset or property: of a soft reference, of a table of strings.
    pub is_path: bool,
}

/// The characters of an item that is a string; `source` is what it was loaded from.
fn text_of(item: &ScriptItem, source: &[u8], order: ByteOrder) -> Result<Option<String>> {
    Ok(match item {
        ScriptItem::Text(span) => Some(ansi_text(span.bytes(source)?).into_owned()),
        ScriptItem::Wide(span) => Some(utf16_text(span.bytes(source)?, order)),
        _ => None,
    })
}

impl ScriptString {
    /// All strings of a script, in stored order.
    pub fn all(items: &[ScriptItem], versions: &Versions) -> Vec<Self> {
        let mut found = Vec::new();
        let mut place = 0_u32;
        for (index, item) in items.iter().enumerate() {
            let is_string = matches!(item, ScriptItem::Text(_) | ScriptItem::Wide(_));
            let token = index.checked_sub(1).and_then(|at| items.get(at));
            if let Some(token) = token.filter(|_| is_string) {
                let place = place.saturating_sub(token.memory_size(versions));
                let before = items.get(..index - 1).unwrap_or_default();
                let is_path = versions.has_soft_references() && is_path(before);
                found.push(Self { item: index, place, is_path });
            }
            place = place.saturating_add(item.memory_size(versions));
        }
        found
    }

    /// Its characters; `source` is what the script was loaded from.
    ///
    /// # Errors
    /// `OutsideSource` when `source` is another one.
    pub fn text(&self, items: &[ScriptItem], source: &[u8], order: ByteOrder) -> Result<String> {
        let item = items.get(self.item).map(|item| text_of(item, source, order));
        Ok(item.transpose()?.flatten().unwrap_or_default())
    }

    /// Puts other characters in its place, 8-bit ones where they can say it: places of what follows change,
    /// [`MovedPlaces`](super::MovedPlaces).
    pub fn set(&self, items: &mut [ScriptItem], text: &str, versions: &Versions) {
        let Some([token, characters]) = self
            .item
            .checked_sub(1)
            .and_then(|at| items.get_mut(at..=self.item)?.first_chunk_mut())
        else {
            return;
        };
        // The compilers before UE4 take all that one byte can say; what was 8-bit stays so where it can.
        let early = !versions.has_ascii_code();
        let was_narrow = matches!(characters, ScriptItem::Text(_));
        let latin = |c: char| c.is_ascii() || early && ('\u{a0}'..='\u{ff}').contains(&c);
        let narrow = match text.chars().all(latin) {
            true => Some(text.chars().map(|c| c as u8).collect()),
            false if was_narrow && early => {
                FString::ansi(text).and_then(|text| text.span().as_owned().map(<[u8]>::to_vec))
            }
            false => None,
        };
        let span = |bytes: Vec<u8>| {
            Box::new(if bytes.is_empty() { Span::EMPTY } else { Span::owned(bytes) })
        };
        (*token, *characters) = match narrow {
            Some(bytes) => (ScriptItem::Token(NARROW), ScriptItem::Text(span(bytes))),
            None => {
                let units = text.encode_utf16();
                let bytes = match versions.byte_order {
                    ByteOrder::Big => units.flat_map(u16::to_be_bytes).collect(),
                    ByteOrder::Little => units.flat_map(u16::to_le_bytes).collect(),
                };
                (ScriptItem::Token(WIDE), ScriptItem::Wide(span(bytes)))
            }
        };
    }
}

/// Whether what stands before the token of a string makes it the path of an asset.
fn is_path(before: &[ScriptItem]) -> bool {
    matches!(before, [.., ScriptItem::Token(SOFT_OBJECT | FIELD_PATH)])
        || matches!(
            before,
            [.., ScriptItem::Token(TEXT), ScriptItem::Byte(IN_STRING_TABLE), ScriptItem::Object(_)]
        )
}
