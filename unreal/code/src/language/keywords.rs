//! Which flags are written as which words (spec: ue1-3/12 §12.2, §12.3, §12.5).

use crate::language::dialect::Dialect::{self, Ue1, Ue2, Ue3};

/// A flag and its word.
pub(crate) struct Keyword {
    pub flag: u64,
    pub word: &'static str,
    first: Dialect,
    last: Dialect,
    /// The word for its absence where the class above has the flag; empty where there is none.
    pub off: &'static str,
}

const fn keyword(
    flag: u64,
    word: &'static str,
    first: Dialect,
    last: Dialect,
    off: &'static str,
) -> Keyword {
    Keyword { flag, word, first, last, off }
}

/// The keywords of a language, in the order in which they are usually written.
pub(crate) fn of(table: &[Keyword], dialect: Dialect) -> impl Iterator<Item = &Keyword> {
    table.iter().filter(move |it| (it.first..=it.last).contains(&dialect))
}

/// Of classes.
pub(crate) const CLASS: &[Keyword] = &[
    keyword(0x1, "abstract", Ue1, Ue3, ""),
    keyword(0x8, "transient", Ue1, Ue3, "notransient"),
    keyword(0x20_0000, "instanced", Ue2, Ue2, ""),
    keyword(0x800, "nativereplication", Ue1, Ue3, ""),
    keyword(0x400, "perobjectconfig", Ue1, Ue3, "noperobjectconfig"),
    keyword(0x1000, "editinlinenew", Ue2, Ue3, "noteditinlinenew"),
    keyword(0x2000, "collapsecategories", Ue2, Ue3, "dontcollapsecategories"),
    keyword(0x100, "noexport", Ue1, Ue3, ""),
    keyword(0x200, "nousercreate", Ue1, Ue1, ""),
    keyword(0x200, "placeable", Ue2, Ue3, "notplaceable"),
    keyword(0x40, "safereplace", Ue1, Ue2, ""),
    keyword(0x4000, "exportstructs", Ue2, Ue2, ""),
    keyword(0x40_0000, "hidedropdown", Ue2, Ue2, ""),
    keyword(0x400_0000, "hidedropdown", Ue3, Ue3, ""),
    keyword(0x80_0000, "cacheexempt", Ue2, Ue2, ""),
    keyword(0x100_0000, "parseconfig", Ue2, Ue2, ""),
    keyword(0x100_0000, "deprecated", Ue3, Ue3, ""),
];

/// Of structs.
pub(crate) const STRUCT: &[Keyword] = &[
    keyword(0x1, "native", Ue2, Ue3, ""),
    keyword(0x2, "export", Ue2, Ue3, ""),
    keyword(0x8, "transient", Ue3, Ue3, ""),
    keyword(0x10, "atomic", Ue3, Ue3, ""),
    keyword(0x20, "immutable", Ue3, Ue3, ""),
    keyword(0x40, "strictconfig", Ue3, Ue3, ""),
    keyword(0x80, "immutablewhencooked", Ue3, Ue3, ""),
    keyword(0x100, "atomicwhencooked", Ue3, Ue3, ""),
];

/// Of variables.
pub(crate) const PROPERTY: &[Keyword] = &[
    keyword(0x1000, "native", Ue1, Ue3, ""),
    keyword(0x2, "const", Ue1, Ue3, ""),
    keyword(0x4, "input", Ue1, Ue3, ""),
    keyword(0x8, "export", Ue1, Ue3, ""),
    keyword(0x40, "editconstarray", Ue2, Ue2, ""),
    keyword(0x40, "editfixedsize", Ue3, Ue3, ""),
    keyword(0x2000, "transient", Ue1, Ue3, ""),
    keyword(0x4_0000, "globalconfig", Ue1, Ue3, ""),
    keyword(0x4000, "config", Ue1, Ue3, ""),
    keyword(0x8000, "localized", Ue1, Ue3, ""),
    keyword(0x1_0000, "travel", Ue1, Ue3, ""),
    keyword(0x2_0000, "editconst", Ue1, Ue3, ""),
    keyword(0x10_0000, "init", Ue3, Ue3, ""),
    keyword(0x20_0000, "duplicatetransient", Ue3, Ue3, ""),
    keyword(0x80_0000, "noexport", Ue1, Ue3, ""),
    keyword(0x100_0000, "cache", Ue2, Ue2, ""),
    keyword(0x100_0000, "noimport", Ue3, Ue3, ""),
    keyword(0x200_0000, "noclear", Ue3, Ue3, ""),
    keyword(0x400_0000, "editinline", Ue2, Ue3, ""),
    keyword(0x800_0000, "edfindable", Ue2, Ue3, ""),
    keyword(0x1000_0000, "editinlineuse", Ue2, Ue3, ""),
    keyword(0x2000_0000, "deprecated", Ue2, Ue3, ""),
    keyword(0x4000_0000, "editinlinenotify", Ue2, Ue2, ""),
    keyword(0x4000_0000, "databinding", Ue3, Ue3, ""),
    keyword(0x8000_0000, "serializetext", Ue3, Ue3, ""),
    keyword(0x1_0000_0000, "repnotify", Ue3, Ue3, ""),
    keyword(0x2_0000_0000, "interp", Ue3, Ue3, ""),
    keyword(0x4_0000_0000, "nontransactional", Ue3, Ue3, ""),
    keyword(0x8_0000_0000, "editoronly", Ue3, Ue3, ""),
    keyword(0x10_0000_0000, "notforconsole", Ue3, Ue3, ""),
    keyword(0x20_0000_0000, "repretry", Ue3, Ue3, ""),
    keyword(0x40_0000_0000, "privatewrite", Ue3, Ue3, ""),
    keyword(0x80_0000_0000, "protectedwrite", Ue3, Ue3, ""),
    keyword(0x200_0000_0000, "edithide", Ue3, Ue3, ""),
    keyword(0x1000_0000_0000, "crosslevelpassive", Ue3, Ue3, ""),
    keyword(0x2000_0000_0000, "crosslevelactive", Ue3, Ue3, ""),
];

/// Of functions.
pub(crate) const FUNCTION: &[Keyword] = &[
    keyword(0x8_0000, "protected", Ue2, Ue3, ""),
    keyword(0x20_0000, "server", Ue3, Ue3, ""),
    keyword(0x100_0000, "client", Ue3, Ue3, ""),
    keyword(0x400, "native", Ue1, Ue3, ""),
    keyword(0x2000, "static", Ue1, Ue3, ""),
    keyword(0x1, "final", Ue1, Ue3, ""),
    keyword(0x4, "iterator", Ue1, Ue3, ""),
    keyword(0x8, "latent", Ue1, Ue3, ""),
    keyword(0x20, "singular", Ue1, Ue3, ""),
    keyword(0x100, "simulated", Ue1, Ue3, ""),
];
