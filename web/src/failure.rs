//! Errors as the page shows them.

use unreal_packages::error::{Noun, OtherFile, Unsupported};
use unreal_packages::{Error, ErrorKind};

/// What went wrong, and what to do next.
#[derive(Debug)]
pub(crate) struct Failure {
    pub message: String,
    pub next: Option<String>,
    /// A word for programs.
    pub kind: &'static str,
}

pub(crate) type Result<T> = std::result::Result<T, Failure>;

impl Failure {
    pub fn new(message: impl Into<String>, next: &str) -> Self {
        Self { message: message.into(), next: Some(next.to_owned()), kind: "request" }
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        let (kind, next) = advice(error.kind());
        Self { message: error.to_string(), next: next.map(str::to_owned), kind }
    }
}

impl From<serde_json::Error> for Failure {
    fn from(error: serde_json::Error) -> Self {
        Self::new(error.to_string(), "reload the page; if it happens again, please report it")
    }
}

fn advice(kind: &ErrorKind) -> (&'static str, Option<&'static str>) {
    let (word, next) = match kind {
        ErrorKind::NotAPackage { is, .. } => ("not-a-package", other_file(*is)),
        ErrorKind::Unsupported {
            why: Unsupported::Encrypted | Unsupported::Compressed, ..
        } => ("unsupported", "Unpack it with the game's own tools first."),
        ErrorKind::Unsupported { why: Unsupported::NeedsMappings, .. } => {
            ("unsupported", "Drop the game's mappings (.usmap) together with the package.")
        }
        ErrorKind::Unsupported { .. } => {
            ("unsupported", "Choose the engine's release or the game, if you know it.")
        }
        ErrorKind::Compression { .. } => {
            ("damaged", "The file is damaged: compare it with another copy.")
        }
        ErrorKind::NotFound { what: Noun::Schema, .. } => {
            ("not-found", "Drop the game's mappings (.usmap) together with the package.")
        }
        ErrorKind::NotFound { what: Noun::Declaration, .. } => {
            ("not-found", "State the type behind the name, as in Name:int.")
        }
        ErrorKind::NotFound { .. } => ("not-found", "Choose one that is there."),
        ErrorKind::Exists { .. } => {
            ("exists", "Choose another name, or use the one that is there.")
        }
        ErrorKind::MixedPair { .. } => {
            ("mixed-pair", "Drop the .uasset and the .uexp of one and the same save.")
        }
        ErrorKind::Refused { .. } => ("refused", "Nothing was changed."),
        ErrorKind::NotInVersion => ("version", "Packages of this version can't hold that."),
        ErrorKind::BadText { .. } | ErrorKind::OutOfRange { .. } => {
            ("value", "Choose a value that packages of this version can hold.")
        }
        ErrorKind::Doubtful { .. } => ("doubtful", "Choose another name."),
        ErrorKind::TooLarge { .. } => ("too-large", "Decompress it with upk decompress first."),
        ErrorKind::NeedsKey { .. } => ("needs-key", "Give the key of this game."),
        ErrorKind::DamagedContainer { .. } => {
            ("damaged", "The container is damaged: compare it with another copy.")
        }
        ErrorKind::Invalid { .. } => return ("invalid", None),
        _ => (
            "damaged",
            "The file is damaged, or its game has a layout of its own: choose the game.",
        ),
    };
    (word, Some(next))
}

fn other_file(kind: Option<OtherFile>) -> &'static str {
    match kind {
        Some(OtherFile::SaveGame | OtherFile::LocalizedTexts) => {
            "The command upk takes it: upk info, get, set, verify."
        }
        Some(OtherFile::Mappings) => "Drop it together with the packages of its game.",
        Some(OtherFile::Pak | OtherFile::IoStore) => {
            "Give it its own ending, .pak or .utoc, and drop it so: then it is opened as a container."
        }
        Some(OtherFile::ZenPackage) => "Choose the engine's release, if you know it.",
        Some(OtherFile::Redirect) => "upk unpack takes out what is in it.",
        Some(OtherFile::Umod) => "Install it, then drop the packages that it brought.",
        Some(OtherFile::Archive) => "Unpack it, then drop the packages in it.",
        Some(OtherFile::GitPointer) => "Fetch the file itself: git lfs pull.",
        _ => "Drop a package: .u, .unr, .utx, .upk, .uasset, .umap and others.",
    }
}
