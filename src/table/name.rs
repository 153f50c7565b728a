//! The name table.

use crate::primitive::{FString, NameFlags};
use crate::version::threshold;
use crate::{Archive, Archived, Result};

/// A name of the package.
///
/// | order | type | field | versions |
/// |---|---|---|---|
/// | 1 | characters up to a zero byte | text | below 64 |
/// | 1 | FString | text | from 64 |
/// | 2 | u32, u64 from 195 | flags | not in Mass Effect 3; u32 in Mass Effect 2 |
///
/// Spec: ue1-3/03 §3.1. C++: `FNameEntry`.
#[derive(Archived, Debug, Clone, Default, PartialEq, Eq)]
pub struct NameEntry {
    /// The characters; a range of the source until edited.
    #[archive(with = text)]
    pub text: FString,
    /// The flags that the saver had in memory.
    #[archive(when = !ar.versions().game.has_no_name_flags())]
    pub flags: NameFlags,
}

#[inline]
fn text<A: Archive + ?Sized>(text: &mut FString, ar: &mut A) -> Result<()> {
    if ar.versions().file < threshold::NAME_LENGTH_ADDED {
        FString::terminated(text, ar)
    } else {
        text.serialize(ar)
    }
}
