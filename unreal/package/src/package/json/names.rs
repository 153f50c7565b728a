//! The names of a document: each a text, or a text and its flags where they are not those of most names.

use std::collections::HashMap;
use std::sync::Arc;

use serde_json::{Value, json};

use super::output::Output;
use super::texts::PackageTexts;
use crate::archive::{Archive, Archived, Context, JsonSaver};
use crate::error::{ErrorKind, Result};
use crate::package::{Package, Section};
use crate::primitive::{FString, NameFlags};
use crate::property::PackageContext;
use crate::table::{NameEntry, NameHashes, Pieces};
use crate::version::threshold::ue4;
use crate::version::{EngineFacts, UnrealVersions, Versions};

/// The hashes or flags of names that say none: hashes of their texts, or the flags that most names have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct UsualFlags(pub NameFlags);

impl UsualFlags {
    /// The flags of most names.
    fn of_most(names: &Pieces<NameEntry>, versions: &Versions) -> Self {
        let mut counts = HashMap::new();
        if versions.has_name_flags() {
            names.iter().for_each(|name| *counts.entry(name.flags.0).or_insert(0_usize) += 1);
        }
        let most = counts.into_iter().max_by_key(|(flags, count)| (*count, *flags));
        Self(most.map_or(NameFlags::ordinary(versions), |(flags, _)| NameFlags(flags)))
    }

    /// A name of this text.
    fn entry(self, text: &str, versions: &Versions) -> NameEntry {
        let string = FString::new_in(text, versions.byte_order, versions.game());
        let mut entry = NameEntry { text: string, flags: self.0 };
        if versions.ue4() >= ue4::NAME_HASHES_SERIALIZED {
            entry.set_hashes(NameHashes::of(text));
        }
        entry
    }
}

impl Package {
    /// Writes the texts of all names; what their flags are where a text says nothing of them.
    pub(super) fn write_names(
        &self,
        out: &mut Output<'_>,
        context: &Arc<Context>,
    ) -> Result<UsualFlags> {
        let usual = UsualFlags::of_most(&self.tables.names, &self.versions);
        let texts = PackageTexts::default();
        out.begin(Section::Names.step())?;
        for (name, text) in self.tables.names.iter().zip(self.names().iter()) {
            let mut saver = JsonSaver::new(self.versions.clone(), context.clone(), &texts, 0);
            name.clone().serialize(&mut saver as &mut dyn Archive)?;
            let mut value = saver.into_value();
            let is_plain = value.get("text") == Some(&json!(text));
            if is_plain && name.flags == usual.entry(&text, &self.versions).flags {
                value = json!(text);
            } else if is_plain && value.get("flags").is_some() {
                value = json!([text, value["flags"]]);
            }
            out.item(&value)?;
        }
        out.end()?;
        Ok(usual)
    }

    /// The rows of the names as the archive has them.
    pub(super) fn names_apart(&self, value: Value, usual: UsualFlags) -> Value {
        let Value::Array(mut rows) = value else { return value };
        for row in &mut rows {
            if let Value::Array(pair) = row
                && let [text, flags] = &pair[..]
            {
                *row = json!({ "text": text, "flags": flags });
            }
            let text = match &*row {
                Value::String(text) => text,
                row => match (row.get("flags"), row.get("text")) {
                    (None, Some(Value::String(text))) => text,
                    _ => continue,
                },
            };
            let mut entry = usual.entry(text, &self.versions);
            let mut saver = JsonSaver::new(self.versions.clone(), Arc::default(), &(), 0);
            if entry.serialize(&mut saver as &mut dyn Archive).is_ok() {
                let mut whole = saver.into_value();
                whole["text"] = json!(text);
                *row = whole;
            }
        }
        Value::Array(rows)
    }

    /// Puts names behind the others.
    ///
    /// # Errors
    /// `BadText` for one that the version can't hold.
    pub(super) fn append_names(
        &mut self,
        texts: Vec<String>,
        usual: UsualFlags,
        context: &mut Arc<Context>,
    ) -> Result<()> {
        for text in texts {
            let is_long = text.encode_utf16().count() > self.versions.longest_name();
            if is_long || text.contains('\0') {
                let reason =
                    "a name has no zeros and at most 63 characters (1023 in UE3 and later)";
                return Err(ErrorKind::BadText { reason }.into());
            }
            let row = self.tables.names.len();
            let entry = usual.entry(&text, &self.versions);
            self.tables.names.push(entry.clone());
            Arc::make_mut(context).put_name(row, entry);
            self.caches.forget();
        }
        Ok(())
    }
}
