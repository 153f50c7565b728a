//! The end of a document: what shows that an unedited one gives its package back.

use serde_json::{Value, json};

use super::document::Document;
use crate::error::{Error, Result};

/// Hashes of a document's text before this key, and of the package that it was made of.
pub(super) struct Seal {
    pub document: blake3::Hash,
    pub package: blake3::Hash,
}

impl Seal {
    /// The key, which stands last.
    pub const KEY: &'static str = "seal";

    pub fn to_json(&self) -> Value {
        json!({ "document": self.document.to_hex().as_str(), "package": self.package.to_hex().as_str() })
    }

    /// The seal of a document that is as it was written; none of an edited one.
    fn of(text: &[u8]) -> Option<Self> {
        Self::of_document(&Document::parse(text).ok()?)
    }

    /// The same of a document that is read.
    pub fn of_document(document: &Document<'_>) -> Option<Self> {
        let (value, before) = document.last(Self::KEY)?;
        let hash = |key: &str| blake3::Hash::from_hex(value.get(key)?.as_str()?).ok();
        let seal = Self { document: hash("document")?, package: hash("package")? };
        let before = before.strip_suffix(format!(",\n\"{}\":", Self::KEY).as_bytes())?;
        (blake3::hash(before) == seal.document).then_some(seal)
    }
}

/// Refuses other bytes than those of the package that an unedited document was made of: then
/// the document does not say everything. Nothing can be said of an edited one. Says whether it is unedited.
///
/// # Errors
/// `Invalid` where the bytes are others.
pub fn check_unedited(document: &[u8], saved: &[u8]) -> Result<bool> {
    let seal = Seal::of(document);
    let is_unedited = seal.is_some();
    match seal {
        Some(seal) if seal.package != blake3::hash(saved) => {
            let reason = "the document is as it was written, and other bytes than those of its package come out of \
                          it: it does not say everything of this package";
            Err(Error::invalid(reason))
        }
        _ => Ok(is_unedited),
    }
}
