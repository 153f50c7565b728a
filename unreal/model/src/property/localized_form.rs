//! Texts as they are written: `NSLOCTEXT("namespace","key","source")`, `INVTEXT("the same everywhere")`,
//! `LOCTABLE("table","key")`, `"source"`.

use super::format::{Surroundings, ValueForm};
use super::localized::{FormatArgument, FormatData, History, Text};
use crate::error::{Error, Result};
use crate::primitive::{FString, Guid};
use crate::property::text::{self, quote};
use crate::version::UnrealVersions;
use crate::version::custom::{EDITOR, editor};

/// First UE4 version whose texts know how they were made.
const HISTORY_ADDED: u32 = 368;
/// First UE4 version whose texts have a namespace and a key.
const NAMESPACE_ADDED: u32 = 226;
/// Flags of texts.
const INVARIANT: u32 = 2;
const FROM_STRING: u32 = 16;

/// The text as it is written.
#[doc(hidden)]
pub fn display(text: &Text, around: &dyn Surroundings) -> String {
    match around.form() {
        ValueForm::Own => own(text, around),
        ValueForm::Editor => editor(text, around, false),
    }
}

/// As the editor copies it: what is not translated as a string, or, among the arguments of a format, as `INVTEXT`, which
/// releases that know formats read.
fn editor(text: &Text, around: &dyn Surroundings, is_argument: bool) -> String {
    let of = |string: &FString| quote(&string.text(around.source()).unwrap_or_default());
    let same = |string: String| if is_argument { format!("INVTEXT({string})") } else { string };
    let argument = |argument: &FormatArgument| match argument {
        FormatArgument::Int(number) => number.to_string(),
        FormatArgument::UInt(number) => number.to_string(),
        FormatArgument::Float(number) => format!("{number:?}"),
        FormatArgument::Double(number) => format!("{number:?}"),
        FormatArgument::Text(text) => editor(text, around, true),
        FormatArgument::Gender(gender) => {
            const GENDERS: [&str; 3] = ["Masculine", "Feminine", "Neuter"];
            let name = GENDERS.get(usize::from(*gender)).unwrap_or(&"Neuter");
            format!("ETextGender::{name}")
        }
    };
    let format = |kind: &str, pattern: &Text, arguments: Vec<String>| {
        let all: Vec<_> = std::iter::once(editor(pattern, around, true)).chain(arguments).collect();
        format!("LOCGEN_FORMAT_{kind}({})", all.join(", "))
    };
    let named =
        |name: &FString, value: &FormatArgument| format!("{}, {}", of(name), argument(value));
    match &text.history {
        History::None { .. } if !text.source.is_empty() => match text.key.is_empty() {
            true => same(of(&text.source)),
            false => spaced(&of(&text.namespace), &of(&text.key), &of(&text.source)),
        },
        History::None { invariant: Some(string) } => same(of(string)),
        History::None { invariant: None } => same("\"\"".to_owned()),
        History::Base { namespace, key, source, .. } => {
            spaced(&of(namespace), &of(key), &of(source))
        }
        History::StringTableEntry { table, key } => {
            format!("LOCTABLE({}, {})", quote(&around.name_text(*table)), of(key))
        }
        History::NamedFormat { pattern, arguments } => {
            let arguments = arguments.iter().map(|(name, value)| named(name, value));
            format("NAMED", pattern, arguments.collect())
        }
        History::ArgumentFormat { pattern, arguments } => {
            let arguments = arguments.iter().map(|data| named(&data.name, &data.value));
            format("NAMED", pattern, arguments.collect())
        }
        History::OrderedFormat { pattern, arguments } => {
            format("ORDERED", pattern, arguments.iter().map(argument).collect())
        }
        History::Transform { source, transform } => {
            let name = if *transform == 0 { "TOLOWER" } else { "TOUPPER" };
            format!("LOCGEN_{name}({})", editor(source, around, true))
        }
        // Numbers and dates by the language of whoever reads them.
        _ => own(text, around),
    }
}

fn spaced(namespace: &str, key: &str, source: &str) -> String {
    format!("NSLOCTEXT({namespace}, {key}, {source})")
}

fn own(text: &Text, around: &dyn Surroundings) -> String {
    let of = |string: &FString| quote(&string.text(around.source()).unwrap_or_default());
    let nested = |text: &Text| own(text, around);
    let argument = |argument: &FormatArgument| match argument {
        FormatArgument::Int(number) => number.to_string(),
        FormatArgument::UInt(number) => number.to_string(),
        FormatArgument::Float(number) => format!("{number:?}"),
        FormatArgument::Double(number) => format!("{number:?}"),
        FormatArgument::Text(text) => nested(text),
        FormatArgument::Gender(gender) => format!("gender:{gender}"),
    };
    let format = |pattern: &Text, arguments: Vec<String>| {
        let all: Vec<_> = std::iter::once(nested(pattern)).chain(arguments).collect();
        format!("FORMAT({})", all.join(","))
    };
    match &text.history {
        History::None { .. } if !text.source.is_empty() => match text.key.is_empty() {
            true => of(&text.source),
            false => located(&of(&text.namespace), &of(&text.key), &of(&text.source)),
        },
        History::None { invariant: Some(string) } => format!("INVTEXT({})", of(string)),
        History::None { invariant: None } => "\"\"".to_owned(),
        History::Base { namespace, key, source, .. } => {
            located(&of(namespace), &of(key), &of(source))
        }
        History::StringTableEntry { table, key } => {
            format!("LOCTABLE({},{})", quote(&around.name_text(*table)), of(key))
        }
        History::NamedFormat { pattern, arguments } => {
            let named = |(name, value): &(FString, FormatArgument)| {
                format!("{}={}", name.text(around.source()).unwrap_or_default(), argument(value))
            };
            format(pattern, arguments.iter().map(named).collect())
        }
        History::OrderedFormat { pattern, arguments } => {
            format(pattern, arguments.iter().map(argument).collect())
        }
        History::ArgumentFormat { pattern, arguments } => {
            let named = |data: &FormatData| {
                let name = data.name.text(around.source()).unwrap_or_default().into_owned();
                format!("{name}={}", argument(&data.value))
            };
            format(pattern, arguments.iter().map(named).collect())
        }
        History::AsNumber(number) => format!("NUMBER({})", argument(&number.value)),
        History::AsPercent(number) => format!("PERCENT({})", argument(&number.value)),
        History::AsCurrency { currency, number } => {
            format!("CURRENCY({},{})", argument(&number.value), of(currency))
        }
        History::AsDate { ticks, .. } => format!("DATE({ticks})"),
        History::AsTime { ticks, .. } => format!("TIME({ticks})"),
        History::AsDateTime { ticks, .. } => format!("DATETIME({ticks})"),
        History::Transform { source, transform } => {
            let name = if *transform == 0 { "LOWER" } else { "UPPER" };
            format!("{name}({})", nested(source))
        }
        History::Generator { .. } => "GENERATOR()".to_owned(),
    }
}

fn located(namespace: &str, key: &str, source: &str) -> String {
    format!("NSLOCTEXT({namespace},{key},{source})")
}

/// The text that `written` says, in place of `old`: a plain string keeps namespace and key where there
/// are any, and is the same in every language where there are none.
pub(super) fn read(
    written: &text::ValueText,
    old: &Text,
    around: &mut dyn Surroundings,
) -> Result<Text> {
    let versions = around.versions();
    let (ue4, editor) = (versions.ue4(), versions.custom(&EDITOR));
    let (order, game) = (versions.byte_order, versions.game());
    let string = |text: &str| FString::new_in(text, order, game);
    let mut made = old.clone();
    let base = |made: &mut Text, namespace: &str, key: &str, source: &str| {
        made.flags &= !(INVARIANT | FROM_STRING);
        if ue4 < HISTORY_ADDED {
            if ue4 < NAMESPACE_ADDED && !(namespace.is_empty() && key.is_empty()) {
                return Err(Error::invalid("texts of this version have no key: write \"text\""));
            }
            (made.namespace, made.key) = (string(namespace), string(key));
            made.source = string(source);
            return Ok(());
        }
        let notes = match &made.history {
            History::Base { notes, .. } => notes.clone(),
            _ => FString::default(),
        };
        let (namespace, key, source) = (string(namespace), string(key), string(source));
        made.history = History::Base { namespace, key, source, notes };
        Ok(())
    };
    match written {
        text::ValueText::Call(function, items) => {
            let words: Option<Vec<&str>> = items.iter().map(|item| item.value.word()).collect();
            let words = words.filter(|_| items.iter().all(|item| item.key.is_none()));
            match (function.to_ascii_uppercase().as_str(), words.as_deref()) {
                ("NSLOCTEXT", Some([namespace, key, source])) => {
                    base(&mut made, namespace, key, source)?;
                }
                ("INVTEXT", Some([source])) => invariant(&mut made, source, ue4, editor, string)?,
                ("LOCTABLE", Some([table, key])) if ue4 >= HISTORY_ADDED => {
                    made.flags &= !(INVARIANT | FROM_STRING);
                    let table = around.name(table)?;
                    made.history = History::StringTableEntry { table, key: string(key) };
                }
                _ => {
                    return Err(Error::invalid(
                        "write a text as \"source\", NSLOCTEXT(\"namespace\",\"key\",\"source\"), \
                         INVTEXT(\"text\") or LOCTABLE(\"table\",\"key\")",
                    ));
                }
            }
        }
        text::ValueText::Group(_) => return Err(Error::invalid("a group is no text")),
        plain => {
            let source = plain.word().unwrap_or_default();
            match &mut made.history {
                History::Base { source: held, .. } => *held = string(source),
                History::None { .. } if ue4 < HISTORY_ADDED => made.source = string(source),
                History::None { invariant: held } if source.is_empty() => *held = None,
                History::None { .. } => invariant(&mut made, source, ue4, editor, string)?,
                _ => {
                    return Err(Error::invalid(
                        "this text is made from others; write NSLOCTEXT(…) or INVTEXT(…) to replace it",
                    ));
                }
            }
        }
    }
    Ok(made)
}

/// A text that is the same in every language; versions that have none get a key of their own.
fn invariant(
    made: &mut Text,
    source: &str,
    ue4: u32,
    editor: i32,
    string: impl Fn(&str) -> FString,
) -> Result<()> {
    if ue4 < HISTORY_ADDED {
        made.source = string(source);
        (made.namespace, made.key) = Default::default();
        made.flags |= INVARIANT;
    } else if editor >= editor::CULTURE_INVARIANT_TEXT_SERIALIZATION_KEY_STABILITY {
        made.history = History::None { invariant: Some(string(source)) };
        made.flags |= INVARIANT;
    } else {
        let key = string(&Guid::random().to_string());
        let (namespace, source) = (FString::default(), string(source));
        made.history = History::Base { namespace, key, source, notes: FString::default() };
    }
    Ok(())
}
