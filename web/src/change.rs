//! Changes, and the commands that do the same.

use serde::Deserialize;
use unreal_packages::Guid;
use unreal_packages::edit::{Edit, RemoveOptions};
use unreal_packages::package::Package;
use unreal_packages::primitive::{ObjectFlags, PackageFlags};
use unreal_packages::version::UnrealVersions;

use crate::failure::{Failure, Result};
use crate::import::Import;
use crate::set_code::CodeText;

/// A change that the page asks for.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Change {
    /// Sets a property or a part of one; adds a row, an element.
    Set { object: String, property: String, value: String },
    /// Removes a property or an element.
    Unset { object: String, property: String },
    /// Gives an object another name.
    Rename { object: String, name: String },
    /// Gives a name of the name table another text.
    RenameName { old: String, new: String },
    /// Adds a name.
    AddName { name: String },
    /// Sets and clears package flags.
    PackageFlags { add: Vec<String>, remove: Vec<String> },
    /// Sets and clears flags of an object.
    ObjectFlags { object: String, add: Vec<String>, remove: Vec<String> },
    /// Replaces the GUID; without one by a new one.
    Guid {
        #[serde(default)]
        guid: Option<String>,
    },
    /// Replaces the text of a text buffer.
    Text { object: String, text: String },
    /// Lets an import be another object.
    Retarget { old: String, new: String, class: String },
    /// Replaces a string in code.
    String { object: String, place: u32, text: String },
    /// Removes an object.
    Remove { object: String },
    /// Copies an object within the package.
    Duplicate { object: String, name: String },
    /// Gives an object the content of a file.
    Import(Import),
    /// Replaces code by its text.
    Code(CodeText),
    /// Sets the property that has these bytes, as hexadecimal digits; kept as a [`Change::Set`].
    Bytes { at: u64, bytes: String },
    /// Conforms the package to an older one that is open.
    Conform { to: u32 },
}

/// What a change has done.
#[derive(Debug, Clone, Default)]
pub(crate) struct Done {
    /// For people.
    pub text: String,
    /// The command that does the same; empty where there is none.
    pub command: String,
}

impl Change {
    /// Carries it out.
    pub fn carry_out(
        &self,
        edit: &mut Edit,
        others: &[(String, Package)],
        file: &str,
    ) -> Result<Done> {
        let command =
            |words: &[&str]| words.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" ");
        Ok(match self {
            Self::Set { object, property, value } => {
                let done = edit.set_property(object, property, value)?;
                let (path, new) = (done.path(), done.new.unwrap_or_default());
                let text = match done.old {
                    Some(old) => format!("{path}: {new}, was {old}"),
                    None => format!("{path}: {new}"),
                };
                let set = match property.starts_with('[') {
                    true => format!("{object}{property}={value}"),
                    false => format!("{object}.{property}={value}"),
                };
                Done { text, command: command(&["upk", "set", file, &set]) }
            }
            Self::Unset { object, property } => {
                let done = edit.remove_property(object, property)?;
                let path = done.path();
                let text = format!("{path}: removed, was {}", done.old.unwrap_or_default());
                Done { text, command: command(&["upk", "set", file, "--remove", &path]) }
            }
            Self::Rename { object, name } => {
                let old = edit.exports().path(edit.find_export(object)?);
                edit.rename_object(object, name)?;
                let text = format!("{old} is called {name}");
                Done { text, command: command(&["upk", "rename", file, object, name]) }
            }
            Self::RenameName { old, new } => {
                edit.rename_name(old, new)?;
                let text = format!("the name {old} is {new}");
                Done { text, command: command(&["upk", "rename", file, "--name", old, new]) }
            }
            Self::AddName { name } => {
                edit.add_name(name)?;
                let text = format!("the name {name} is there");
                Done { text, command: command(&["upk", "add-name", file, name]) }
            }
            Self::PackageFlags { add, remove } => {
                let engine = edit.versions().engine();
                let parse = |names: &[String]| -> Result<PackageFlags> {
                    let mut each = names.iter().map(|name| PackageFlags::parse(name, engine));
                    each.try_fold(PackageFlags(0), |all, next| Ok(all.with(next?)))
                };
                let old = edit.summary().package_flags;
                edit.set_package_flags(old.with(parse(add)?).without(parse(remove)?))?;
                let text = format!("flags of the package: {}", flags_text(add, remove));
                let mut words = vec!["upk", "set-flags", file];
                let (add, remove) = (add.join(","), remove.join(","));
                push_flags(&mut words, &add, &remove);
                Done { text, command: command(&words) }
            }
            Self::ObjectFlags { object, add, remove } => {
                let engine = edit.versions().engine();
                let parse = |names: &[String]| -> Result<ObjectFlags> {
                    let mut each = names.iter().map(|name| ObjectFlags::parse(name, engine));
                    each.try_fold(ObjectFlags(0), |all, next| Ok(all.with(next?)))
                };
                let row = edit.find_export(object)?;
                let old = edit.exports().get(row).map(|export| export.flags()).unwrap_or_default();
                edit.set_object_flags(row, old.with(parse(add)?).without(parse(remove)?))?;
                let text =
                    format!("flags of {}: {}", edit.exports().path(row), flags_text(add, remove));
                let mut words = vec!["upk", "set-flags", file, "--export", object];
                let (add, remove) = (add.join(","), remove.join(","));
                push_flags(&mut words, &add, &remove);
                Done { text, command: command(&words) }
            }
            Self::Guid { guid } => {
                let guid = match guid {
                    Some(text) => parsed_guid(text)?,
                    None => Guid::random(),
                };
                edit.set_guid(guid)?;
                let text = guid.to_string();
                Done {
                    text: format!("GUID {text}"),
                    command: command(&["upk", "set-guid", file, &text]),
                }
            }
            Self::Text { object, text } => {
                edit.set_text(object, text)?;
                let path = edit.exports().path(edit.find_export(object)?);
                let set = format!("{object}=FILE");
                let command = command(&["upk", "set", file, "--text", &set]);
                Done { text: format!("{path}: another text"), command }
            }
            Self::Retarget { old, new, class } => {
                edit.retarget_import(old, new, class)?;
                let text = format!("{old} is {new} now");
                Done { text, command: command(&["upk", "retarget", file, old, new, class]) }
            }
            Self::String { object, place, text } => {
                let done = edit.set_script_text(object, *place, text)?;
                let at = format!("{place:#x}");
                let words = ["upk", "set-string", file, object, &done.old, text, "--at", &at];
                let said = format!("{} at {at}: {:?}, was {:?}", done.object, done.new, done.old);
                Done { text: said, command: command(&words) }
            }
            Self::Remove { object } => {
                let path = edit.exports().path(edit.find_export(object)?);
                edit.remove_object(object, RemoveOptions::default())?;
                Done {
                    text: format!("{path} is gone"),
                    command: command(&["upk", "remove", file, object]),
                }
            }
            Self::Duplicate { object, name } => {
                let row = edit.duplicate_object(object, name)?;
                let text = format!("{} is new", edit.exports().path(row));
                Done { text, command: command(&["upk", "duplicate", file, object, name]) }
            }
            Self::Import(import) => {
                let text = import.carry_out(edit)?;
                let mut words = vec!["upk", "import", file];
                words.extend(import.words());
                Done { text, command: command(&words) }
            }
            Self::Code(code) => {
                let text = code.carry_out(edit, file, others)?;
                let mut words = vec!["upk", "set-code", file, &code.object];
                let source = code.file();
                words.push(&source);
                if !others.is_empty() {
                    words.extend(["--env", "FOLDER"]);
                }
                Done { text, command: command(&words) }
            }
            Self::Bytes { .. } => {
                return Err(Failure::new("bytes are set as a field", "Choose one of the bytes."));
            }
            Self::Conform { .. } => {
                let [(_, old), ..] = others else {
                    return Err(Failure::new("the older package is closed", "Open it once more."));
                };
                let done = edit.conform_to(old)?;
                let text = format!(
                    "conformed: generation {}; names {} kept, {} added, {} gone; exports {} kept, {} added, {} gone",
                    done.generations,
                    done.names_kept,
                    done.names_added.len(),
                    done.names_nulled.len(),
                    done.exports_kept,
                    done.exports_added.len(),
                    done.exports_nulled.len(),
                );
                Done { text, command: command(&["upk", "conform", file, "--to", "OLD"]) }
            }
        })
    }
}

fn flags_text(add: &[String], remove: &[String]) -> String {
    let add = add.iter().map(|name| format!("+{name}"));
    add.chain(remove.iter().map(|name| format!("-{name}"))).collect::<Vec<_>>().join(" ")
}

fn push_flags<'a>(words: &mut Vec<&'a str>, add: &'a str, remove: &'a str) {
    for (word, names) in [("--add", add), ("--remove", remove)] {
        if !names.is_empty() {
            words.extend([word, names]);
        }
    }
}

fn parsed_guid(text: &str) -> Result<Guid> {
    let digits: String = text.chars().filter(char::is_ascii_hexdigit).collect();
    let part = |at: usize| {
        let part = digits.get(at * 8..at * 8 + 8).filter(|_| digits.len() == 32);
        part.and_then(|part| u32::from_str_radix(part, 16).ok())
    };
    match (part(0), part(1), part(2), part(3)) {
        (Some(a), Some(b), Some(c), Some(d)) => Ok(Guid::new(a, b, c, d)),
        _ => Err(Failure::new(format!("'{text}' is no GUID"), "Write 32 hexadecimal digits.")),
    }
}

/// A word as a shell takes it.
fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./=,:+%@".contains(c);
    match !word.is_empty() && word.chars().all(is_plain) {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', r"'\''")),
    }
}
