//! Paths of objects that may not be loaded.

use super::custom::FORTNITE_MAIN;
use crate::archive::{Kind, Span, Step};
use crate::error::{ErrorKind, Result};
use crate::primitive::{FString, Name};
use crate::{Archive, Archived, Versions};

/// First UE4 version whose paths begin with a name (spec: ue4-5/01 §7).
const NAMES_ADDED: u32 = 514;
/// First UE5 version whose paths name package and object apart.
const TWO_NAMES: u32 = 1007;
/// First value of the custom version whose sub paths are UTF-8.
const UTF8_SUB_PATHS: i32 = 192;

/// A length and UTF-8 characters without a terminator. C++: `FUtf8String`.
#[derive(Clone, PartialEq, Eq, Default)]
pub struct Utf8String(Span);

impl Utf8String {
    /// A string of this text.
    pub fn new(text: &str) -> Self {
        Self(Span::owned(text.as_bytes()))
    }

    /// The stored characters.
    pub fn span(&self) -> &Span {
        &self.0
    }

    /// Whether there are no characters.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl std::fmt::Debug for Utf8String {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.0.as_owned() {
            Some(bytes) => write!(f, "{:?}", String::from_utf8_lossy(bytes)),
            None => write!(f, "Utf8String({:?})", self.0),
        }
    }
}

impl Archived for Utf8String {
    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        let length = self.0.len();
        let mut stored = i32::try_from(length)
            .map_err(|_| ar.error(ErrorKind::OutOfRange { value: length.into(), bits: 31 }))?;
        ar.enter(Step::Field("length"));
        let read = ar.serialize_i32(&mut stored);
        ar.leave();
        read.map_err(|error| error.in_field("length"))?;
        let length = u64::try_from(stored)
            .map_err(|_| ar.error(ErrorKind::NegativeCount { count: stored.into() }))?;
        ar.enter(Step::Field("characters"));
        let read = ar.serialize_span(&mut self.0, length, Kind::Text);
        ar.leave();
        read
    }
}

/// The path of an object that may not be loaded.
///
/// | order | type | field | versions |
/// |---|---|---|---|
/// | 1 | string | whole path | below UE4 514 |
/// | 1 | name | package and object | UE4 514 to UE5 1006 |
/// | 1 | name | package | from UE5 1007 |
/// | 2 | name | object | from UE5 1007 |
/// | 3 | string | sub path | from UE4 514; UTF-8 by a custom version |
///
/// Spec: ue4-5/01 §7. C++: `FSoftObjectPath`.
#[derive(Debug, Clone, PartialEq, Default, Archived)]
pub struct SoftObjectPath {
    /// The whole path.
    #[until(ue4 = NAMES_ADDED)]
    pub path: FString,
    /// Path of package and object, or of the package alone.
    #[since(ue4 = NAMES_ADDED)]
    pub package: Name,
    /// The object in the package.
    #[since(ue4 = NAMES_ADDED)]
    #[since(ue5 = TWO_NAMES)]
    pub asset: Name,
    /// What lies inside the object.
    #[since(ue4 = NAMES_ADDED)]
    #[archive(when = !has_utf8_sub_paths(ar.versions()))]
    pub sub_path: FString,
    /// The same in UTF-8.
    #[since(ue4 = NAMES_ADDED)]
    #[archive(when = has_utf8_sub_paths(ar.versions()))]
    pub utf8_sub_path: Utf8String,
}

fn has_utf8_sub_paths(versions: &Versions) -> bool {
    versions.custom(&FORTNITE_MAIN) >= UTF8_SUB_PATHS
}
