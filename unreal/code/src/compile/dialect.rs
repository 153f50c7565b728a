//! Dialects: the differences of compilers (spec: ue1-3/15 §15.13).

use crate::language::dialect::Dialect as Language;
use crate::version::{Game, UnrealVersions};
use crate::{Versions, version::threshold};

/// A compiler: what it makes of the same text.
#[derive(Debug, Clone)]
pub struct CompilerDialect {
    /// The versions of the packages that it makes.
    pub versions: Versions,
    pub(super) language: Language,
    /// Literals take the type of the operator that they are the right operand of, and parentheses convert nothing: UT's
    /// patch 469, whose version is that of UT before it.
    pub literals_take_types: bool,
    /// Code of native functions ends with Nothing; Unreal 227 leaves it out.
    pub ends_natives: bool,
    /// Marks for the debugger stand in the code (UE3).
    pub has_debug_marks: bool,
    /// Objects in structs count eight bytes: 64-bit builds of patch 469.
    pub has_wide_objects: bool,
}

/// First file version whose object references take eight bytes in memory (spec: ue1-3/06 §6.5).
const WIDE_OBJECTS: u32 = 587;
/// First file version of UE2 that ends code with a token of its own.
const END_TOKEN: u32 = 127;

impl CompilerDialect {
    /// The engine's own compiler of these versions.
    pub fn of(versions: &Versions) -> Self {
        Self {
            versions: versions.clone(),
            language: Language::of(versions),
            literals_take_types: false,
            ends_natives: true,
            has_debug_marks: false,
            has_wide_objects: false,
        }
    }

    /// The compiler of UT's patch 469.
    pub fn patch_469(versions: &Versions) -> Self {
        Self { literals_take_types: true, has_wide_objects: true, ..Self::of(versions) }
    }

    /// The compiler of Unreal 227.
    pub fn unreal_227(versions: &Versions) -> Self {
        Self { ends_natives: false, ..Self::of(versions) }
    }

    /// The same compiler with marks for the debugger.
    #[must_use]
    pub fn with_debug_marks(mut self, has_debug_marks: bool) -> Self {
        self.has_debug_marks = has_debug_marks && self.is_ue3();
        self
    }

    /// Whether enums get a last value, as [`Symbols`](super::Symbols) are asked for it.
    pub fn closes_enums(&self) -> bool {
        self.language.closes_enums()
    }

    pub(super) fn is_ue1(&self) -> bool {
        self.language == Language::Ue1
    }

    pub(super) fn is_ue2(&self) -> bool {
        self.language == Language::Ue2
    }

    pub(super) fn is_ue3(&self) -> bool {
        self.language == Language::Ue3
    }

    pub(super) fn file(&self) -> u32 {
        self.versions.file()
    }

    pub(super) fn is_swat_4(&self) -> bool {
        self.versions.game() == Game::Swat4
            || (self.versions.file(), self.versions.licensee()) == (129, 27)
    }

    /// The token behind all code, where there is one.
    pub(super) fn end_token(&self) -> Option<u8> {
        match self.language {
            Language::Ue1 => None,
            Language::Ue2 if self.versions.file() < END_TOKEN || self.is_swat_4() => None,
            Language::Ue2 => Some(0x47),
            Language::Ue3 => Some(0x53),
        }
    }

    /// Bytes of a reference in memory.
    pub(super) fn object_size(&self) -> u32 {
        if self.versions.file() < WIDE_OBJECTS { 4 } else { 8 }
    }

    /// Bytes of a name in memory.
    pub(super) fn name_size(&self) -> u32 {
        if self.versions.file() < threshold::NAME_NUMBER_ADDED { 4 } else { 8 }
    }

    /// Whether arrays' operations and the like end with a token of their own.
    pub(super) fn ends_operations(&self) -> bool {
        self.is_ue3() && self.versions.file() >= 649
    }

    /// Whether switches and delegates refer to the property that they are about.
    pub(super) fn names_properties(&self) -> bool {
        self.versions.file() >= 611
    }
}
