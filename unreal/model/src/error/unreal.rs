//! The failures of packages.

use std::any::Any;

use super::{Error, ErrorKind, FormatError, OtherFile, Refusal, Unreadable, Unsupported};

/// The words for the keys that were tried in vain.
fn keys_tried(count: usize) -> String {
    match count {
        0 => "it needs a key".to_owned(),
        1 => "the key does not fit".to_owned(),
        count => format!("none of the {count} keys fits"),
    }
}

/// Failures of packages and the files around them, each with its numbers: [`UnrealErrors::unreal`] finds it in
/// an [`Error`].
#[derive(Debug, Clone, thiserror::Error)]
#[non_exhaustive]
pub enum UnrealError {
    /// The file is no Unreal package.
    #[error("not an Unreal package: {reason}")]
    NotAPackage {
        /// The kind of file, where that is known.
        is: Option<OtherFile>,
        /// The reason, with what was found instead.
        reason: String,
    },
    /// The bodies of the package are in a file of their own, which is not beside it.
    #[error("its bodies are in a .{extension} file that is not there")]
    MissingBodies {
        /// The extension of that file.
        extension: &'static str,
    },
    /// The file is a package of a kind that can't be opened here.
    #[error("unsupported: {reason}")]
    Unsupported {
        /// The rule.
        why: Unsupported,
        /// The reason, which names the kind of file.
        reason: String,
    },
    /// Compressed data whose sizes or blocks do not fit together.
    #[error("the compressed data is damaged: {reason}")]
    Compression {
        /// The mismatch.
        reason: String,
    },
    /// A container whose tables, sizes or hashes do not fit together.
    #[error("the container is damaged: {reason}")]
    DamagedContainer {
        /// The mismatch.
        reason: String,
    },
    /// An encrypted container that no key opens.
    #[error("the container is encrypted{key}: {}", keys_tried(*.tried))]
    NeedsKey {
        /// The number of the key, where the container says one: ` (key GUID)`.
        key: String,
        /// Keys that were tried.
        tried: usize,
    },
    /// Encrypted bytes for which nothing shows whether a key is right: they could be noise.
    #[error("{name} is encrypted, and nothing proves that a key is right for it")]
    UnprovenKey {
        /// Path of the file.
        name: String,
    },
    /// More would come out of a compressed file than is allowed.
    #[error(
        "decompressed it would have {size} bytes, the limit is {limit}; if you trust the file, raise it \
         (--max-image {size}; in the library OpenOptions::max_image)"
    )]
    TooLarge {
        /// Bytes that would come out.
        size: u64,
        /// Bytes that may.
        limit: u64,
    },
    /// A value that looks wrong although it could be stored; the user can ask for it all the same.
    #[error("{reason}")]
    Doubtful {
        /// The reason for the doubt.
        reason: String,
    },
    /// It would corrupt these objects, or leave them without what they need; nothing was changed.
    #[error("refused, since it would corrupt the package: {reason}{}", list(.objects))]
    Refused {
        /// The rule.
        why: Refusal,
        /// The obstacle.
        reason: String,
        /// The paths of the objects that stand in the way.
        objects: Vec<String>,
    },
    /// A file is not what it was when it was read: replacing it would lose what another program has written.
    #[error("{path}: {what} since it was read")]
    Changed {
        /// The file.
        path: String,
        /// The part that differs.
        what: &'static str,
    },
    /// A file that can't be replaced without damage.
    #[error("{path} can't be replaced: {reason}")]
    NotReplaceable {
        /// The file.
        path: String,
        /// Why not.
        reason: &'static str,
    },
    /// A file that is not read: a pipe or device where a file belongs, a link that leads out of its folder, a file
    /// that is mostly holes or larger than what it can be.
    #[error("{path} is not read: {reason}")]
    NotReadable {
        /// The file.
        path: String,
        /// The rule.
        why: Unreadable,
        /// Why not.
        reason: String,
    },
    /// Another process replaces files in a folder and does not come to an end.
    #[error("{path}: another process is at work in this folder")]
    Busy {
        /// The file that it has locked.
        path: String,
    },
    /// A file whose replacement was cut short: what it was and what it was to become stand beside it.
    #[error("{path}: a replacement of it was cut short")]
    Unfinished {
        /// The file.
        path: String,
    },
    /// A journal or a lock in a folder that can't be shown to come from a run of this user there: it may have
    /// come with a download, and what it says is not done.
    #[error("{path}: {reason}")]
    ForeignState {
        /// The journal or the lock.
        path: String,
        /// The evidence.
        reason: String,
    },
    /// A header and a file of bodies of different packages, or of different saves of one package.
    #[error("{header} and {bodies} do not belong together: {reason}")]
    MixedPair {
        /// The header's file.
        header: String,
        /// The file of the bodies.
        bodies: String,
        /// The mismatch.
        reason: String,
    },
}

fn list(objects: &[String]) -> String {
    const SHOWN: usize = 8;
    if objects.is_empty() {
        return String::new();
    }
    let mut text = format!(" ({}", objects[..objects.len().min(SHOWN)].join(", "));
    if objects.len() > SHOWN {
        text.push_str(&format!(" and {} more", objects.len() - SHOWN));
    }
    text.push(')');
    text
}

impl UnrealError {
    /// A form that can't be read or done, with the reason.
    pub fn unsupported(reason: impl Into<String>) -> Self {
        Self::Unsupported { why: Unsupported::Form, reason: reason.into() }
    }
}

impl FormatError for UnrealError {
    fn file(&self) -> Option<&str> {
        match self {
            Self::Changed { path, .. }
            | Self::NotReplaceable { path, .. }
            | Self::NotReadable { path, .. }
            | Self::Busy { path }
            | Self::Unfinished { path }
            | Self::ForeignState { path, .. } => Some(path),
            Self::MixedPair { header, .. } => Some(header),
            Self::UnprovenKey { name } => Some(name),
            _ => None,
        }
    }
}

impl From<UnrealError> for ErrorKind {
    #[cold]
    fn from(error: UnrealError) -> Self {
        Self::Format(Box::new(error))
    }
}

impl From<UnrealError> for Error {
    #[cold]
    fn from(error: UnrealError) -> Self {
        ErrorKind::from(error).into()
    }
}

/// A file that is known to be something else.
impl From<OtherFile> for UnrealError {
    fn from(file: OtherFile) -> Self {
        Self::NotAPackage { is: Some(file), reason: format!("it is {file}") }
    }
}

/// The failures of packages in an [`Error`], or in its [`ErrorKind`].
pub trait UnrealErrors: From<UnrealError> {
    /// The failure of packages that the error stands for, if it is one.
    fn unreal(&self) -> Option<&UnrealError>;

    /// An error for a file or task that is not supported, with the reason.
    #[cold]
    #[doc(hidden)]
    fn unsupported(reason: impl Into<String>) -> Self {
        UnrealError::unsupported(reason).into()
    }

    /// The same by a rule that a program can act upon.
    #[cold]
    #[doc(hidden)]
    fn unsupported_by(why: Unsupported, reason: impl Into<String>) -> Self {
        UnrealError::Unsupported { why, reason: reason.into() }.into()
    }

    /// A refusal with the objects that stand in the way.
    #[cold]
    #[doc(hidden)]
    fn refused(reason: impl Into<String>, objects: Vec<String>) -> Self {
        UnrealError::Refused { why: Refusal::Unsound, reason: reason.into(), objects }.into()
    }

    /// A refusal because of file positions in bodies that are not decoded.
    #[cold]
    #[doc(hidden)]
    fn positions_at_risk(reason: impl Into<String>, objects: Vec<String>) -> Self {
        UnrealError::Refused { why: Refusal::FilePositions, reason: reason.into(), objects }.into()
    }
}

impl UnrealErrors for ErrorKind {
    fn unreal(&self) -> Option<&UnrealError> {
        let Self::Format(error) = self else { return None };
        let error: &dyn Any = &**error;
        error.downcast_ref()
    }
}

impl UnrealErrors for Error {
    fn unreal(&self) -> Option<&UnrealError> {
        self.kind().unreal()
    }
}
