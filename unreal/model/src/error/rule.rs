//! Rules behind errors that call for different next steps.

/// The rule behind [`UnrealError::Unsupported`](super::UnrealError::Unsupported).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Unsupported {
    /// The bytes are encrypted, and no key for them is known.
    Encrypted,
    /// The bytes are compressed with a method that is unknown, or that this build lacks.
    Compressed,
    /// Nothing can be written with this method: there is no open compressor for it.
    NoCompressor,
    /// Properties without names are read with mappings only.
    NeedsMappings,
    /// The package has no versions, and its engine release must be given.
    NeedsRelease,
    /// A version, an engine or a form that is not read or written here.
    Form,
}

/// The rule behind [`UnrealError::NotReadable`](super::UnrealError::NotReadable).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Unreadable {
    /// A folder stands where a file belongs.
    Folder,
    /// A pipe, a socket or a device stands where a file belongs.
    SpecialFile,
    /// A link stands where none is followed.
    Link,
    /// A link leads out of its folder, and is followed only where the caller trusts it.
    OutwardLink,
    /// The file is mostly holes.
    Holes,
    /// There are more bytes than such a file has.
    TooLarge,
}

/// The rule behind [`UnrealError::Refused`](super::UnrealError::Refused).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Refusal {
    /// Bodies that are not decoded would move or change their size, and seem to hold file positions.
    FilePositions,
    /// Objects would lack what they need, or the package would not be sound.
    Unsound,
}
