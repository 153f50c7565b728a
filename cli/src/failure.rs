//! How a command ends: exit codes, and errors that say what to do next.

use std::io::ErrorKind as IoErrorKind;
use std::process::ExitCode;

use serde_json::json;
use unreal_packages::ErrorKind;
use unreal_packages::error::{
    Noun, OtherFile, Refusal, Unreadable, UnrealError, UnrealErrors, Unsupported, noun,
};

use crate::color::Paint;
use crate::output::{escaped, marked, plain_json, printable, say_on_stderr};

/// How a command that ran to its end ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// All is well.
    Fine,
    /// The command did its work and found something wrong, which it has reported.
    Wrong,
}

/// Why a command could not do its work; decides the exit code.
#[derive(Debug)]
pub enum Failure {
    /// Wrong usage, or an input that can't be opened: exit code 2.
    Usage(anyhow::Error),
    /// It was tried and failed or was refused: exit code 1.
    Failed(anyhow::Error),
}

/// What every command returns.
pub type CommandResult = Result<Outcome, Failure>;

impl Failure {
    /// A failure of usage with its message.
    pub fn usage(message: impl Into<String>) -> Self {
        Self::Usage(anyhow::Error::msg(message.into()))
    }

    /// A failure of the work with its message.
    pub fn failed(message: impl Into<String>) -> Self {
        Self::Failed(anyhow::Error::msg(message.into()))
    }

    /// A failure of the work whose message names this file.
    pub fn naming(file: impl Into<String>, message: impl Into<String>) -> Self {
        Self::Failed(NamingFile { file: file.into(), message: message.into() }.into())
    }

    /// A failure of the work with what it is about, a line each.
    pub fn listing(message: impl Into<String>, lines: Vec<String>, next: &str) -> Self {
        let (message, next) = (message.into(), next.to_owned());
        Self::Failed(Listing { message, lines, next }.into())
    }

    /// Whether the message names this file: it need not stand before it then.
    pub fn names(&self, file: &str) -> bool {
        let (Self::Usage(error) | Self::Failed(error)) = self;
        error.chain().any(|cause| {
            let of_library = cause.downcast_ref::<unreal_packages::Error>();
            let named = of_library.and_then(|error| error.kind().file());
            let own = cause.downcast_ref::<NamingFile>().map(|error| error.file.as_str());
            // A file that can't be opened stands before the reason.
            named.or(own) == Some(file) || cause.to_string() == file
        })
    }

    /// The message, and the advice that it brings.
    pub fn parts(&self) -> (String, Option<String>) {
        let (Self::Usage(error) | Self::Failed(error)) = self;
        parts(error)
    }

    /// Whether it is that nobody reads standard output any more.
    pub fn is_of_reader(&self) -> bool {
        let (Self::Usage(error) | Self::Failed(error)) = self;
        is_broken_pipe(error)
    }

    /// The same, with the file that it is about.
    pub fn of_file(self, file: &str) -> Self {
        match self {
            Self::Usage(error) => Self::Usage(error.context(file.to_owned())),
            Self::Failed(error) => Self::Failed(error.context(file.to_owned())),
        }
    }
}

/// A message that names the file it is about.
#[derive(Debug)]
struct NamingFile {
    file: String,
    message: String,
}

impl std::fmt::Display for NamingFile {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for NamingFile {}

/// A message with what it is about, a line each.
#[derive(Debug)]
struct Listing {
    message: String,
    lines: Vec<String>,
    next: String,
}

impl std::fmt::Display for Listing {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}\n  next: {}", self.message, self.lines.join("; "), self.next)
    }
}

impl std::error::Error for Listing {}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (Self::Usage(error) | Self::Failed(error)) = self;
        write!(f, "{error:#}")
    }
}

// Not one blanket implementation: where an error comes from usually decides its exit code, and these
// are the kinds that arise in the middle of the work.
impl From<unreal_packages::Error> for Failure {
    fn from(error: unreal_packages::Error) -> Self {
        Self::Failed(error.into())
    }
}

impl From<std::io::Error> for Failure {
    fn from(error: std::io::Error) -> Self {
        Self::Failed(error.into())
    }
}

impl From<serde_json::Error> for Failure {
    fn from(error: serde_json::Error) -> Self {
        Self::Failed(error.into())
    }
}

/// Prints the error, if there is one, and picks the exit code.
pub fn exit_code(result: CommandResult, json: bool) -> ExitCode {
    let (code, error) = match result {
        Ok(Outcome::Fine) => return ExitCode::SUCCESS,
        Ok(Outcome::Wrong) => return ExitCode::from(1),
        Err(Failure::Failed(error)) => (1, error),
        Err(Failure::Usage(error)) => (2, error),
    };
    if is_broken_pipe(&error) {
        // Whoever reads has seen enough, as with `upk list FILE | head`.
        return ExitCode::SUCCESS;
    }
    if let Some(listing) = error.chain().find_map(|cause| cause.downcast_ref::<Listing>())
        && !json
    {
        say_failure(&listing.message);
        // Names in them may hold anything, the end of a line as well.
        // Places in a line of code are marked below it.
        let shown = |line: &String| say_on_stderr(&format!("  {}", escaped(line.trim_end(), true)));
        listing.lines.iter().for_each(shown);
        say_next(&listing.next);
        return ExitCode::from(code);
    }
    // Messages of this program bring their advice; those of the library get it here.
    let (message, next) = parts(&error);
    let next = next.or_else(|| next_step(&error).map(str::to_owned));
    print(&message, next.as_deref(), code, json);
    ExitCode::from(code)
}

/// The message of an error, and the advice behind it where it is one of this program.
fn parts(error: &anyhow::Error) -> (String, Option<String>) {
    let text = format!("{error:#}");
    match text.rsplit_once("\n  next: ") {
        Some((message, next)) => (message.to_owned(), Some(next.to_owned())),
        None => (text, None),
    }
}

/// Prints what clap says of wrong usage: its own words, or JSON.
pub fn usage(error: &clap::Error, json: bool) -> ExitCode {
    if !json || !error.use_stderr() {
        // Help and versions go to standard output; nobody reads an error of that.
        let _ = error.print();
        return ExitCode::from(if error.use_stderr() { 2 } else { 0 });
    }
    let text = error.render().to_string();
    let message = text.lines().next().unwrap_or_default();
    let message = message.strip_prefix("error: ").unwrap_or(message);
    print(message, Some("see --help"), 2, true);
    ExitCode::from(2)
}

/// One line for the error and one for the advice; names in them may hold anything.
fn print(message: &str, next: Option<&str>, code: u8, json: bool) {
    if json {
        let error = json!({ "error": message, "next": next, "exit": code });
        return say_on_stderr(&plain_json(&error.to_string()));
    }
    say_failure(message);
    if let Some(next) = next {
        say_next(next);
    }
}

fn say_failure(message: &str) {
    say_on_stderr(&format!("{} {}", marked(Paint::Bad, "upk:"), printable(message)));
}

fn say_next(next: &str) {
    say_on_stderr(&format!("  {} {}", marked(Paint::Advice, "next:"), printable(next)));
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    // Only the output itself is a bare I/O error; those of files carry their path.
    error
        .downcast_ref::<std::io::Error>()
        .is_some_and(|error| error.kind() == IoErrorKind::BrokenPipe)
}

/// What the user can do about an error of the system.
fn io_advice(kind: IoErrorKind) -> Option<&'static str> {
    Some(match kind {
        IoErrorKind::NotFound => "check the path",
        IoErrorKind::PermissionDenied => "check that you may read the file and write to its folder",
        IoErrorKind::ReadOnlyFilesystem => "name a place that can be written to",
        IoErrorKind::StorageFull | IoErrorKind::QuotaExceeded | IoErrorKind::FileTooLarge => {
            "make room, or name a place that has some; nothing was written"
        }
        IoErrorKind::OutOfMemory => "the file is larger than the memory that is free",
        IoErrorKind::AlreadyExists => "choose another name",
        IoErrorKind::IsADirectory => "name a file in it",
        _ => return None,
    })
}

/// What the user can do about animations whose bones lie in another package.
pub const SKELETONS: &str =
    "name the folder of the project or game that has the skeleton: `--env FOLDER`";

/// What the user can do about objects whose classes are known by their hashes alone.
pub const CLASS_NAMES: &str =
    "put the game's global.utoc beside the container, or name its table: `--script-objects FILE`";

/// What the user can do about an error of the library.
pub fn next_step(error: &anyhow::Error) -> Option<&'static str> {
    let error = error.chain().find_map(|cause| cause.downcast_ref::<unreal_packages::Error>())?;
    if let Some(error) = error.unreal() {
        return of_packages(error);
    }
    Some(match error.kind() {
        ErrorKind::NotFound { what: Noun::File, .. } => "`upk ls CONTAINER` shows the files in it",
        ErrorKind::NotFound { what: noun::NAME, .. } => {
            "`upk list FILE --names` shows the names that there are"
        }
        ErrorKind::NotFound { what: noun::EXPORT, .. } => {
            "`upk list FILE` shows the exports with their paths and rows"
        }
        ErrorKind::NotFound { what: noun::PROPERTY, .. } => {
            "`upk get FILE OBJECT` shows the properties that an object stores"
        }
        ErrorKind::NotFound { what: noun::DECLARATION, .. } => {
            "state the type (`--type int`), or name the folder of the class's package (`--env DIR`)"
        }
        ErrorKind::NotFound { what: noun::OBJECT, .. } => {
            "`upk list FILE` shows the exports, `upk list FILE --imports` the imports"
        }
        ErrorKind::NotFound { what: noun::IMPORT, .. } => {
            "`upk list FILE --imports` shows the imports"
        }
        ErrorKind::NotFound { what: noun::ROW, .. } => {
            "`upk get FILE OBJECT` shows the rows of a table"
        }
        ErrorKind::NotFound { what: noun::SCHEMA, .. } => {
            "pass mappings that have this class or struct: `--mappings FILE.usmap`"
        }
        ErrorKind::NotFound { what: noun::SKELETON, .. } => SKELETONS,
        ErrorKind::NotFound { what: noun::CLASS_NAME, .. } => CLASS_NAMES,
        ErrorKind::NotFound { what: noun::FLAG, .. } => "use one of these names or a number",
        ErrorKind::NotFound { .. } => return None,
        ErrorKind::Exists { .. } => {
            "choose another name: `upk list FILE` shows those that are taken"
        }
        ErrorKind::Io { source, .. } => return io_advice(source.kind()),
        ErrorKind::NotInVersion => "packages of this version can't hold that; `upk info FILE`",
        ErrorKind::BadText { .. } | ErrorKind::OutOfRange { .. } => {
            "choose a value that packages of this version can hold"
        }
        // It is its own advice.
        ErrorKind::Invalid { .. } => return None,
        _ => "the file is damaged, or its game has a layout of its own: try `--game`",
    })
}

/// What the user can do about a failure of packages.
fn of_packages(error: &UnrealError) -> Option<&'static str> {
    Some(match error {
        UnrealError::NotAPackage { is, .. } => other_file(*is),
        UnrealError::Unsupported { why: Unsupported::NoCompressor, .. } => {
            "`upk decompress` stores it uncompressed, `upk compress --with zlib` with another method"
        }
        UnrealError::Unsupported {
            why: Unsupported::Encrypted | Unsupported::Compressed, ..
        } => "unpack it with the game's own tools first",
        // The reason says what to pass, or which file to put beside it.
        UnrealError::Unsupported { .. } => return None,
        UnrealError::NeedsKey { tried: 0, .. } => {
            "pass the game's key: --key 0x… (64 digits), Base64 or 32 letters"
        }
        UnrealError::NeedsKey { .. } => {
            "the game has another key, or several: --key may be repeated"
        }
        UnrealError::UnprovenKey { .. } => {
            "give the game's key (--key); `upk unpack --unproven-keys` writes what the first key makes of it"
        }
        UnrealError::DamagedContainer { .. } => {
            "compare the container with another copy of the game's"
        }
        UnrealError::Compression { .. } => "the file is damaged: compare it with another copy",
        UnrealError::Doubtful { .. } => "--force does it all the same",
        UnrealError::Refused { why: Refusal::FilePositions, .. } => {
            "nothing was written; `--layout auto` tries all layouts, `--move-undecoded` \
             moves these bodies at your risk"
        }
        UnrealError::Refused { .. } => "nothing was written",
        UnrealError::Changed { .. } => "run it again: nothing was written",
        UnrealError::Busy { .. } => "wait for it, or end it, and run this again",
        UnrealError::NotReplaceable { .. } => "write to another file with -o",
        UnrealError::NotReadable { why, .. } => return not_readable(*why),
        UnrealError::Unfinished { .. } => {
            "`upk restore FILE` ends it and brings back the backup, if there is one"
        }
        UnrealError::MissingBodies { .. } => "put it beside the package: the two files are one",
        UnrealError::ForeignState { .. } => {
            "remove it if it came with a download or another user's files; else finish by hand what it is about: \
             names that end in .old are the old files"
        }
        UnrealError::MixedPair { .. } => {
            "put the two files of one save beside each other; `upk restore` brings back a backup of both"
        }
        // Too large: that is its own advice.
        _ => return None,
    })
}

/// What can be done where something else than a whole file stands.
fn not_readable(why: Unreadable) -> Option<&'static str> {
    Some(match why {
        // The reason says it.
        Unreadable::OutwardLink => return None,
        Unreadable::Folder => "name a file; commands that take folders find the packages in them",
        Unreadable::Holes => {
            "it is mostly holes, as a download that was cut short: get the file anew"
        }
        Unreadable::SpecialFile => {
            "put a regular file in its place: what was not named is never waited for"
        }
        Unreadable::Link => "remove it: nothing that upk makes is a link",
        _ => "see whether it is the file that was meant",
    })
}

/// What can be done with a file that is no package.
fn other_file(kind: Option<OtherFile>) -> &'static str {
    match kind {
        Some(
            OtherFile::SaveGame
            | OtherFile::PackedSaveGame
            | OtherFile::LocalizedTexts
            | OtherFile::LocalizationMeta
            | OtherFile::AssetRegistry,
        ) => "`upk info`, `get`, `set`, `to-json` and `verify` take it",
        Some(OtherFile::Mappings) => "give it along with a package: --mappings FILE",
        Some(OtherFile::Pak | OtherFile::IoStore) => {
            "`upk ls FILE` lists what is in it, `upk unpack FILE -o DIR` takes it out; FILE/PATH names a package"
        }
        Some(OtherFile::LockedPak) => {
            "`upk ls FILE --key 0x…` opens it with the game's key; FILE/PATH names a package in it"
        }
        Some(OtherFile::ShaderLibrary) => "the game reads it itself: there is no package in it",
        Some(OtherFile::ZenPackage) => {
            "have a tool for containers make a package for files of it, then name that"
        }
        Some(OtherFile::Redirect) => "`upk unpack FILE -o OUT` takes out what is in it",
        Some(OtherFile::Umod) => "install it, then name the packages that it brought",
        Some(OtherFile::Archive) => "unpack it, then name the packages in it",
        Some(OtherFile::GitPointer) => "fetch the file itself: git lfs pull",
        _ => "name a package (.u, .utx, .upk, .uasset, …); `upk verify FOLDER` finds all there are",
    }
}
