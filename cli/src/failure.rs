//! How a command ends: exit codes, and errors that say what to do next.

use std::io::ErrorKind as IoErrorKind;
use std::process::ExitCode;

use farchive::ErrorKind;

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
}

// Not one blanket implementation: where an error comes from usually decides its exit code, and these
// are the kinds that arise in the middle of the work.
impl From<farchive::Error> for Failure {
    fn from(error: farchive::Error) -> Self {
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
pub fn exit_code(result: CommandResult) -> ExitCode {
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
    eprintln!("upk: {error:#}");
    if let Some(next) = next_step(&error) {
        eprintln!("  next: {next}");
    }
    ExitCode::from(code)
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    // Only the output itself is a bare I/O error; those of files carry their path.
    error
        .downcast_ref::<std::io::Error>()
        .is_some_and(|error| error.kind() == IoErrorKind::BrokenPipe)
}

/// What the user can do about an error of the library.
fn next_step(error: &anyhow::Error) -> Option<&'static str> {
    let error = error.chain().find_map(|cause| cause.downcast_ref::<farchive::Error>())?;
    Some(match error.kind() {
        ErrorKind::NotAPackage { .. } => {
            "name a package (.u, .utx, .upk, .uasset, …); `upk verify FOLDER` finds all there are"
        }
        ErrorKind::Unsupported { reason } if reason.contains("can't be written") => {
            "`upk decompress` stores it uncompressed, `upk compress --with zlib` with another method"
        }
        ErrorKind::Unsupported { reason }
            if reason.contains("encrypted") || reason.starts_with("compressed") =>
        {
            "unpack it with the game's own tools first"
        }
        // The reason says what to pass, or which file to put beside it.
        ErrorKind::Unsupported { .. } => return None,
        ErrorKind::Compression { .. } => "the file is damaged: compare it with another copy",
        ErrorKind::NotFound { what: "name", .. } => {
            "`upk list FILE --names` shows the names that there are"
        }
        ErrorKind::NotFound { what: "export", .. } => {
            "`upk list FILE` shows the exports with their paths and rows"
        }
        ErrorKind::NotFound { what: "property", .. } => {
            "`upk get FILE OBJECT` shows the properties that an object stores"
        }
        ErrorKind::NotFound { what: "declaration", .. } => {
            "state the type (`--type int`), or name the folder of the class's package (`--env DIR`)"
        }
        ErrorKind::NotFound { what: "object", .. } => {
            "`upk list FILE` shows the exports, `upk list FILE --imports` the imports"
        }
        ErrorKind::NotFound { what: "import", .. } => "`upk list FILE --imports` shows the imports",
        ErrorKind::NotFound { what: "row", .. } => {
            "`upk get FILE OBJECT` shows the rows of a table"
        }
        ErrorKind::NotFound { what: "schema", .. } => {
            "pass mappings that have this class or struct: `--mappings FILE.usmap`"
        }
        ErrorKind::NotFound { what: "flag", .. } => "use one of these names or a number",
        ErrorKind::NotFound { .. } => return None,
        ErrorKind::Exists { .. } => "choose another name, or use the one that is there",
        ErrorKind::Refused { reason, .. } if !reason.contains("file positions") => {
            "nothing was written"
        }
        ErrorKind::Refused { .. } => {
            "nothing was written; `--layout auto` tries all layouts, `--force` moves these \
             bodies at your risk"
        }
        ErrorKind::Io { .. } => "check that the path exists and that you may use it",
        ErrorKind::NotInVersion => "packages of this version can't hold that; `upk info FILE`",
        ErrorKind::BadText { .. } | ErrorKind::OutOfRange { .. } => {
            "choose a value that packages of this version can hold"
        }
        // These are their own advice.
        ErrorKind::Invalid { .. } | ErrorKind::TooLarge { .. } => return None,
        _ => "the file is damaged, or its game has a layout of its own: try `--game`",
    })
}
