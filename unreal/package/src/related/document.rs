//! Files beside packages as documents that people can edit, and back.

use std::sync::Arc;

use bytes::Bytes;
use serde_json::Value;

use super::{AssetRegistry, LocalizationMeta, LocalizedTexts};
use crate::archive::{Archive, Context, JsonLoader, JsonSaver, JsonTexts};
use crate::error::Result;
use crate::primitive::fstring_json;
use crate::version::UnrealVersions;
use crate::{Archived, Versions};

/// Strings are texts; everything else is written as it is stored.
struct StringTexts;

impl JsonTexts for StringTexts {
    fn joined(&self, fields: &[(&str, &Value)], versions: &Versions) -> Option<String> {
        fstring_json::joined(fields, versions)
    }

    fn apart(&self, text: &str, versions: &Versions) -> Vec<(&'static str, Value)> {
        fstring_json::apart(text, versions)
    }
}

fn written<T: Archived>(value: &mut T, source: Bytes) -> Result<Value> {
    let context = Arc::new(Context::of(source));
    let mut saver = JsonSaver::new(Versions::ue4_and_5(0, 0), context, &StringTexts, 0);
    value.serialize(&mut saver as &mut dyn Archive)?;
    Ok(saver.into_value())
}

fn read<T: Archived + Default>(document: &Value) -> Result<T> {
    let known = (Versions::ue4_and_5(0, 0), Arc::default());
    let length = document.to_string().len() as u64;
    let mut loader = JsonLoader::new(document, known, &StringTexts, 0, length);
    let mut value = T::default();
    let result = value.serialize(&mut loader as &mut dyn Archive);
    loader.finish(result)?;
    Ok(value)
}

macro_rules! documents {
    ($($type:ident),*) => {$(
        impl $type {
            /// The file as a document: its fields by name. `source` is what it was read from.
            ///
            /// # Errors
            /// `OutsideSource` for another source.
            pub fn to_json(&mut self, source: impl Into<Bytes>) -> Result<Value> {
                written(self, source.into())
            }

            /// The file that a document describes; nothing of it is in a source.
            ///
            /// # Errors
            /// What is missing, unknown or wrong in the document, with its path.
            pub fn from_json(document: &Value) -> Result<Self> {
                read(document)
            }
        }
    )*};
}

documents!(AssetRegistry, LocalizedTexts, LocalizationMeta);
