//! Files that are no packages but belong to games all the same, or are often taken for packages.

use std::fmt;

/// A file that is no package, by its content.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum OtherFile {
    /// GVAS.
    SaveGame,
    /// A save game behind the header of some games.
    PackedSaveGame,
    /// Texts of a language.
    LocalizedTexts,
    /// Which languages texts are there in.
    LocalizationMeta,
    /// The engine's list of all assets, `AssetRegistry.bin`.
    AssetRegistry,
    /// Names and types of properties.
    Mappings,
    /// A container of UE4 and later.
    Pak,
    /// The table of contents of a container of UE4.25 and later.
    IoStore,
    /// A container of UE4 and later whose index is encrypted.
    LockedPak,
    /// Shaders of a game.
    ShaderLibrary,
    /// A package as such containers hold it.
    ZenPackage,
    /// `.uz`, `.uz2`, `.uz3`.
    Redirect,
    /// An installer of UT99.
    Umod,
    /// Zip, 7z, RAR, gzip.
    Archive,
    /// A program or library.
    Program,
    /// A pointer that stands for a file which git has not fetched.
    GitPointer,
}

impl OtherFile {
    /// All of them.
    pub const ALL: [Self; 16] = [
        Self::SaveGame,
        Self::PackedSaveGame,
        Self::LocalizedTexts,
        Self::LocalizationMeta,
        Self::AssetRegistry,
        Self::Mappings,
        Self::Pak,
        Self::IoStore,
        Self::LockedPak,
        Self::ShaderLibrary,
        Self::ZenPackage,
        Self::Redirect,
        Self::Umod,
        Self::Archive,
        Self::Program,
        Self::GitPointer,
    ];

    /// The name of such a file, in words.
    pub fn name(self) -> &'static str {
        match self {
            Self::SaveGame => "a save game (GVAS)",
            Self::PackedSaveGame => "a save game that is packed (PlZ, PlM, CNK, CMTA)",
            Self::LocalizedTexts => "a file of localized texts (.locres)",
            Self::LocalizationMeta => "the list of languages of localized texts (.locmeta)",
            Self::AssetRegistry => "an asset registry (AssetRegistry.bin)",
            Self::Mappings => "a file of mappings (.usmap)",
            Self::Pak => "a container (.pak)",
            Self::IoStore => "the table of contents of an IoStore container (.utoc)",
            Self::LockedPak => "an encrypted container (.pak)",
            Self::ShaderLibrary => "a library of shaders (.ushaderbytecode)",
            Self::ZenPackage => "a package out of an IoStore container (zen)",
            Self::Redirect => "packed for download (.uz)",
            Self::Umod => "an installer (.umod)",
            Self::Archive => "a packed archive (zip, 7z, rar, gz)",
            Self::Program => "a program or library",
            Self::GitPointer => "a pointer of Git LFS, not the file itself",
        }
    }
}

impl fmt::Display for OtherFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
