//! Errors as the page shows them.

use unreal_packages::error::{OtherFile, UnrealError, UnrealErrors, Unsupported, noun};
use unreal_packages::{Error, ErrorKind};

/// What went wrong, and what to do next.
#[derive(Debug)]
pub(crate) struct Failure {
    pub message: String,
    pub next: Option<String>,
    /// A word for programs.
    pub kind: &'static str,
    /// Places in a text that was given, each as line, column, length, message, hint.
    pub places: Vec<serde_json::Value>,
}

pub(crate) type Result<T> = std::result::Result<T, Failure>;

impl Failure {
    pub fn new(message: impl Into<String>, next: &str) -> Self {
        Self {
            message: message.into(),
            next: Some(next.to_owned()),
            kind: "request",
            places: Vec::new(),
        }
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        let (kind, next) = advice(error.kind());
        let next = next.map(str::to_owned);
        Self { message: error.to_string(), next, kind, places: Vec::new() }
    }
}

impl From<serde_json::Error> for Failure {
    fn from(error: serde_json::Error) -> Self {
        Self::new(error.to_string(), "reload the page; if it happens again, please report it")
    }
}

fn advice(kind: &ErrorKind) -> (&'static str, Option<&'static str>) {
    if let Some(error) = kind.unreal() {
        let (word, next) = of_packages(error);
        return (word, Some(next));
    }
    let (word, next) = match kind {
        ErrorKind::NotFound { what: noun::SCHEMA, .. } => {
            ("not-found", "Drop the game's mappings (.usmap) together with the package.")
        }
        ErrorKind::NotFound { what: noun::DECLARATION, .. } => {
            ("not-found", "State the type behind the name, as in Name:int.")
        }
        ErrorKind::NotFound { .. } => ("not-found", "Choose one that is there."),
        ErrorKind::Exists { .. } => ("exists", "Choose another name: this one is taken."),
        ErrorKind::NotInVersion => ("version", "Packages of this version can't hold that."),
        ErrorKind::BadText { .. } | ErrorKind::OutOfRange { .. } => {
            ("value", "Choose a value that packages of this version can hold.")
        }
        ErrorKind::Invalid { .. } => return ("invalid", None),
        _ => DAMAGED,
    };
    (word, Some(next))
}

/// The word and the next step of what is not better known.
const DAMAGED: (&str, &str) =
    ("damaged", "The file is damaged, or its game has a layout of its own: choose the game.");

fn of_packages(error: &UnrealError) -> (&'static str, &'static str) {
    match error {
        UnrealError::NotAPackage { is, .. } => ("not-a-package", other_file(*is)),
        UnrealError::Unsupported {
            why: Unsupported::Encrypted | Unsupported::Compressed, ..
        } => ("unsupported", "Unpack it with the game's own tools first."),
        UnrealError::Unsupported { why: Unsupported::NeedsMappings, .. } => {
            ("unsupported", "Drop the game's mappings (.usmap) together with the package.")
        }
        UnrealError::Unsupported { .. } => {
            ("unsupported", "Choose the engine's release or the game, if you know it.")
        }
        UnrealError::Compression { .. } => {
            ("damaged", "The file is damaged: compare it with another copy.")
        }
        UnrealError::MissingBodies { .. } => (
            "missing-bodies",
            "Drop its .uexp too, now or together with it: the two files are one package.",
        ),
        UnrealError::MixedPair { .. } => {
            ("mixed-pair", "Drop the .uasset and the .uexp of one and the same save.")
        }
        UnrealError::Refused { .. } => ("refused", "Nothing was changed."),
        UnrealError::Doubtful { .. } => ("doubtful", "Choose another name."),
        UnrealError::TooLarge { .. } => ("too-large", "Decompress it with upk decompress first."),
        UnrealError::NeedsKey { .. } => ("needs-key", "Give the key of this game."),
        UnrealError::DamagedContainer { .. } => {
            ("damaged", "The container is damaged: compare it with another copy.")
        }
        _ => DAMAGED,
    }
}

fn other_file(kind: Option<OtherFile>) -> &'static str {
    match kind {
        Some(OtherFile::SaveGame | OtherFile::LocalizedTexts | OtherFile::LocalizationMeta) => {
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
