//! A part of a document, where it stands, and what it expects to find there.

use std::fmt;

use serde_json::Value;

/// Something that a document says, and what it says instead.
#[derive(Debug, Clone, PartialEq)]
pub struct DocumentPart {
    /// Where it stands.
    pub place: PartPlace,
    /// The hash of what stands there before; `None` where nothing does.
    pub was: Option<PartHash>,
    /// What stands there then; `None` for nothing. Of rows the list of them.
    pub value: Option<Value>,
    /// The hash of all names and paths by their rows, where bytes that are not decoded may say rows.
    pub rows: Option<PartHash>,
}

/// Where a part stands in a document.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum PartPlace {
    /// An entry of `exports`, by the path of the object; where several have it, by its row, as `#12`.
    Object {
        /// The path.
        path: String,
        /// The row that it gets, where it is new.
        row: Option<usize>,
    },
    /// A key of the document, or one of an object in it: `summary.package_flags`.
    Key(String),
    /// Rows of a list.
    Rows {
        /// The key of the list.
        key: String,
        /// The first row.
        row: usize,
        /// How many are replaced.
        count: usize,
    },
}

/// The first eight bytes of a BLAKE3 hash.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct PartHash(pub(super) [u8; 8]);

impl PartHash {
    pub(super) fn of_bytes(bytes: &[u8]) -> Self {
        let hash = blake3::hash(bytes);
        Self(hash.as_bytes().first_chunk().copied().unwrap_or_default())
    }

    pub(super) fn of(value: &Value) -> Self {
        Self::of_bytes(value.to_string().as_bytes())
    }
}

impl fmt::Display for PartHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl std::str::FromStr for PartHash {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("'{text}' is no hash: 16 hexadecimal digits");
        let is_hash = text.len() == 16 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
        let number = is_hash.then(|| u64::from_str_radix(text, 16).ok()).flatten();
        number.map(|number| Self(number.to_be_bytes())).ok_or_else(wrong)
    }
}

impl fmt::Display for PartPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Object { path, .. } => f.write_str(path),
            Self::Key(key) => write!(f, "the header's {key}"),
            Self::Rows { key, row, count: 0 } => write!(f, "the header's {key}, at row {row}"),
            Self::Rows { key, row, count } => {
                write!(f, "the header's {key}, rows {row} to {}", row + count - 1)
            }
        }
    }
}
