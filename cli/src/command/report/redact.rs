//! Messages without what a package says.
//!
//! What is left of a message is chosen, not what is left out: an error may quote any text of the file. Quoted parts go, and
//! of the others stays what is a word in small letters and no name of the package, a number, the name of a class, or one of
//! the few words of the formats.

use std::collections::HashSet;
use std::path::Path;

use unreal_packages::package::Package;

use crate::undecoded::last_name;

/// Words of the formats that are no small letters.
const WORDS: &[&str] = &[
    "ArrayProperty",
    "BoolProperty",
    "ByteProperty",
    "ClassProperty",
    "DelegateProperty",
    "DoubleProperty",
    "EnumProperty",
    "FloatProperty",
    "GUID",
    "I",
    "IntProperty",
    "JSON",
    "LZO",
    "MapProperty",
    "NameProperty",
    "ObjectProperty",
    "SetProperty",
    "StrProperty",
    "StructProperty",
    "TextProperty",
    "UE1",
    "UE2",
    "UE3",
    "UE4",
    "UE5",
    "ue4",
    "ue5",
    "SHA",
    "Unreal",
    "u8",
    "u16",
    "u32",
    "u64",
    "i8",
    "i16",
    "i32",
    "i64",
    "UTF",
    "A",
    "The",
];
/// What stands for what went.
const GONE: &str = "…";
/// Characters of a message at most.
const LONGEST: usize = 600;

/// Takes out of messages what a package says.
#[derive(Debug, Default)]
pub struct Redactor {
    /// Names of the package and their parts, in small letters; `None` where they are not known, so that nothing of a
    /// message may stay: a container, a save game, a package that does not open.
    names: Option<HashSet<String>>,
    classes: HashSet<String>,
}

impl Redactor {
    /// For a package in a file, of whose path nothing is left either; of one that could not be opened no name is known.
    pub fn of(package: Option<&Package>, file: &Path) -> Self {
        let Some(package) = package else { return Self::default() };
        let mut names = HashSet::new();
        let whole = std::path::absolute(file).unwrap_or_else(|_| file.to_owned());
        for path in [file, &whole] {
            let path = path.to_string_lossy().to_lowercase();
            names.extend(words(&path).map(|(word, _)| word.to_owned()));
        }
        for row in 0..package.names().len() {
            let name = package.names().get(row).unwrap_or_default().to_lowercase();
            names.extend(words(&name).map(|(word, _)| word.to_owned()));
        }
        let classes = package.exports().iter().map(|export| last_name(&export.class()));
        Self { names: Some(names), classes: classes.collect() }
    }

    /// A message without them.
    pub fn text(&self, message: &str) -> String {
        let Some(names) = &self.names else {
            return if message.is_empty() { String::new() } else { GONE.to_owned() };
        };
        let mut text = String::new();
        for (word, is_word) in words(&unquoted(message)) {
            match !is_word || self.is_kept(word, names) {
                true => text.push_str(word),
                false => text.push_str(GONE),
            }
        }
        text.chars().take(LONGEST).collect()
    }

    fn is_kept(&self, word: &str, names: &HashSet<String>) -> bool {
        let is_hexadecimal = |digits: &str| digits.chars().all(|c| c.is_ascii_hexdigit());
        let is_number = word.chars().all(|c| c.is_ascii_digit())
            || word.strip_prefix("0x").is_some_and(is_hexadecimal);
        let is_ours =
            word.chars().all(|c| c.is_ascii_lowercase() || c == '_') && !names.contains(word);
        is_number || is_ours || self.classes.contains(word) || WORDS.contains(&word)
    }
}

/// A message without what stands from the first quote of a kind to the last: what is quoted may have quotes in it.
fn unquoted(message: &str) -> String {
    let mut before = ' ';
    let first = message.char_indices().find(|&(_, c)| {
        // Not that of "can't".
        let is_quote = matches!(c, '"' | '`') || c == '\'' && !before.is_alphanumeric();
        before = c;
        is_quote
    });
    let Some((start, quote)) = first else { return message.to_owned() };
    let rest = &message[start + quote.len_utf8()..];
    let after = rest.rfind(quote).map_or("", |end| &rest[end + quote.len_utf8()..]);
    format!("{}{GONE}{}", &message[..start], unquoted(after))
}

/// Words, and what stands between them.
fn words(text: &str) -> impl Iterator<Item = (&str, bool)> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let mut rest = text;
    std::iter::from_fn(move || {
        let first = rest.chars().next()?;
        let is_word = is_part(first);
        let end = rest.find(|c| is_part(c) != is_word).unwrap_or(rest.len());
        let (word, others) = rest.split_at(end);
        rest = others;
        Some((word, is_word))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_says_nothing_of_the_package() {
        let mut redactor = Redactor::default();
        assert_eq!(redactor.text("no names are known"), "…");
        redactor.names = Some(HashSet::from(["secret".to_owned()]));
        redactor.classes.insert("Texture".to_owned());
        for (message, text) in [
            ("needed 4 bytes, 2 remain", "needed 4 bytes, 2 remain"),
            (
                "names[3].flags at 0x1a4: Lamp can't be read",
                "names[3].flags at 0x1a4: … can't be read",
            ),
            ("the secret of Texture 'My Map.Lamp' is \"a b\"", "the … of Texture … is …"),
            ("it is 'it's my word', so", "it is …, so"),
            ("a \"text \\\"with\\\" quotes\" in it", "a … in it"),
            ("a text that nobody closes: 'my map", "a text that nobody closes: …"),
            ("Straße 12abX", "… …"),
        ] {
            assert_eq!(redactor.text(message), text);
        }
    }
}
