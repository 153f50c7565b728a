//! The types of the tables and sections, for the list of all types.

use super::*;
use crate::archive::layout::Link;

macro_rules! links {
    ($($file:ident { $($row:ident),* $(,)? })*) => { &[$($(Link::of::<$row>()),*),*] };
    ($(
        #[$doc:meta]
        $name:ident $field:ident $(: $type:ty)? $(= mod $file:ident { $($row:ident),* $(,)? })?
        { $($rest:tt)* }
    )*) => {
        &[$($($(Link::of::<$row>(),)*)?)*]
    };
}

/// As the two lists have them.
#[doc(hidden)]
pub const LINKS: [&[Link]; 2] = [tables!(links), sections!(links)];
