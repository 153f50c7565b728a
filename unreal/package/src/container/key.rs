//! Keys of encrypted containers.

use std::fmt;
use std::str::FromStr;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use crate::archive::unhex;
use crate::error::{Error, ErrorKind, Result, UnrealError};
use crate::version::Guid;

/// A key of AES-256.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct AesKey([u8; 32]);

impl AesKey {
    /// A key of these bytes.
    pub fn new(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// Its bytes.
    pub fn bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

/// A key in a message would end up in logs.
impl fmt::Debug for AesKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("AesKey(..)")
    }
}

/// Takes 64 hexadecimal digits, with `0x` before them or not, 44 characters of Base64, or 32 of ASCII.
impl FromStr for AesKey {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let digits = text.strip_prefix("0x").or(text.strip_prefix("0X")).unwrap_or(text);
        let bytes = if let Some(bytes) = unhex(digits).filter(|bytes| bytes.len() == 32) {
            bytes
        } else if text.len() == 32 && text.is_ascii() {
            text.as_bytes().to_vec()
        } else {
            STANDARD.decode(text).unwrap_or_default()
        };
        let bytes = bytes.try_into().map_err(|_| {
            // Without the text: it may be a key with a letter too many.
            let reason = "that is no key: 0x and 64 hexadecimal digits, 44 characters of Base64 or 32 of ASCII \
                          are needed";
            ErrorKind::Invalid { reason: reason.to_owned() }
        })?;
        Ok(Self(bytes))
    }
}

/// Keys to try, and to which GUID each belongs where that is known.
#[derive(Debug, Clone, Default)]
pub struct Keys(Vec<(Option<Guid>, AesKey)>);

impl Keys {
    /// No keys, which is `Default`.
    pub fn new() -> Self {
        Self::default()
    }

    /// The same with a key; with a GUID it is tried first where a container names that.
    #[must_use]
    pub fn with(mut self, guid: Option<Guid>, key: AesKey) -> Self {
        self.0.push((guid, key));
        self
    }

    /// The same with the key that a text says: the key, or `GUID:KEY`.
    ///
    /// # Errors
    /// `Invalid`.
    pub fn with_text(self, text: &str) -> Result<Self> {
        let parts = text.split_once(':').and_then(|(guid, key)| Some((guid.parse().ok()?, key)));
        match parts {
            Some((guid, key)) => Ok(self.with(Some(guid), key.parse()?)),
            None => Ok(self.with(None, text.parse()?)),
        }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// All of them, those of this GUID first.
    pub(super) fn for_guid(&self, guid: Guid) -> impl Iterator<Item = AesKey> {
        let is_named = move |row: &&(Option<Guid>, AesKey)| row.0 == Some(guid);
        let others = self.0.iter().filter(move |row| !is_named(row));
        self.0.iter().filter(is_named).chain(others).map(|row| row.1)
    }

    /// The error where none of them opens a container.
    pub(super) fn none_fits(&self, guid: Guid) -> Error {
        let key = if guid == Guid::default() { String::new() } else { format!(" (key {guid})") };
        UnrealError::NeedsKey { key, tried: self.0.len() }.into()
    }
}
