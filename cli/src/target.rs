//! Where results go: standard output, or a file, which is never an input and never one that is there unless
//! that is wanted.

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use unreal_packages::container::Containers;
use unreal_packages::error::Noun;
use unreal_packages::file::Replacement;
use unreal_packages::package::{CompanionKind, Saved};
use unreal_packages::{Error, ErrorKind};

use crate::failure::Failure;
use crate::form::Form;
use crate::input;
use crate::output::Output;

/// `--overwrite`, for commands that write one file.
#[derive(Debug, Clone, Copy, Args)]
pub struct OverwriteArgs {
    /// Replace a file that is there
    #[arg(long)]
    pub overwrite: bool,
}

/// Where one result goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Target {
    /// Standard output; what the command says goes to standard error.
    Standard,
    /// A file.
    File {
        /// Its path.
        path: PathBuf,
        /// Whether one that is there is replaced.
        overwrite: bool,
    },
}

impl Target {
    /// The target that `-o` names, checked before the work begins: a folder, an input, a file that is there,
    /// a name that says that the file is something else.
    pub fn new(
        path: &Path,
        overwrite: bool,
        form: Form,
        out: &mut Output,
    ) -> Result<Self, Failure> {
        Self::checked(path, overwrite, form, out, |form| form.check(path))
    }

    /// The same for what is made of the package in `input`.
    pub fn for_package(
        path: &Path,
        overwrite: bool,
        form: Form,
        input: &Path,
        out: &mut Output,
    ) -> Result<Self, Failure> {
        Self::checked(path, overwrite, form, out, |form| form.check_like(path, input))
    }

    fn checked(
        path: &Path,
        overwrite: bool,
        form: Form,
        out: &mut Output,
        check: impl FnOnce(Form) -> Result<(), Failure>,
    ) -> Result<Self, Failure> {
        if input::is_standard(path) {
            out.divert();
            return Ok(Self::Standard);
        }
        let shown = path.display();
        if Containers::split(path).is_some() {
            let next = "-o Name_P.pak or Name_P.utoc writes a patch";
            return Err(Failure::usage(format!(
                "'{shown}' lies in a container, which is never changed\n  next: {next}"
            )));
        }
        if path.is_dir() {
            let next = "name a file in it";
            return Err(Failure::usage(format!("'{shown}' is a folder\n  next: {next}")));
        }
        check(form)?;
        if input::is_input(path) {
            let next = match form {
                Form::Ue1And2 | Form::Ue3 | Form::Ue4And5 => {
                    "use --in-place to replace the input, or name another file"
                }
                _ => "name another file",
            };
            return Err(Failure::usage(format!("'{shown}' is the input itself\n  next: {next}")));
        }
        if !overwrite && path.symlink_metadata().is_ok() {
            return Err(Failure::usage(is_there(path)));
        }
        Ok(Self::File { path: path.to_owned(), overwrite })
    }

    /// The file; `None` for standard output.
    pub fn path(&self) -> Option<&Path> {
        match self {
            Self::Standard => None,
            Self::File { path, .. } => Some(path),
        }
    }

    /// What reports call it.
    pub fn shown(&self) -> String {
        match self {
            Self::Standard => "standard output".to_owned(),
            Self::File { path, .. } => path.display().to_string(),
        }
    }

    /// Writes bytes.
    pub fn write(&self, bytes: &[u8], out: &mut Output) -> Result<(), Failure> {
        match self {
            Self::Standard => out.raw(bytes),
            Self::File { path, overwrite } => commit(Replacement::new(path, bytes), *overwrite),
        }
    }

    /// Writes a package, with its file of bodies if it has one.
    pub fn write_package(&self, saved: &Saved, out: &mut Output) -> Result<(), Failure> {
        match self {
            Self::Standard if saved.split.is_some() => Err(Failure::usage(
                "the package is two files, a header and its bodies, and standard output is one\n  \
                 next: name a file (-o)",
            )),
            Self::Standard if !saved.companions.is_empty() => Err(Failure::usage(
                "bulk data in a file beside the package has changed, and standard output is one file\n  \
                 next: name a file (-o)",
            )),
            Self::Standard => out.raw(&saved.bytes),
            Self::File { path, overwrite } => {
                if saved.split.is_some() {
                    check_bodies(&CompanionKind::Exports.path_beside(path), *overwrite)?;
                }
                for (kind, _) in &saved.companions {
                    check_bodies(&kind.path_beside(path), *overwrite)?;
                }
                commit(saved.replacement(path), *overwrite)
            }
        }
    }

    /// Lets `content` write.
    pub fn write_by(
        &self,
        out: &mut Output,
        content: impl FnOnce(&mut dyn Write) -> unreal_packages::Result<()>,
    ) -> Result<(), Failure> {
        match self {
            Self::Standard => {
                content(&mut out.standard()).map_err(|error| match error.into_kind() {
                    // Whoever reads may have seen enough, which is no failure of a file.
                    ErrorKind::Io { source, .. } => source.into(),
                    kind => Error::from(kind).into(),
                })
            }
            Self::File { path, overwrite } => commit(Replacement::by(path, content), *overwrite),
        }
    }
}

/// A file that is written beside a header is a target, too.
fn check_bodies(path: &Path, overwrite: bool) -> Result<(), Failure> {
    if input::is_input(path) {
        let path = path.display();
        let next = "name another file";
        return Err(Failure::usage(format!("'{path}' is the input itself\n  next: {next}")));
    }
    match overwrite || path.symlink_metadata().is_err() {
        true => Ok(()),
        false => Err(Failure::usage(is_there(path))),
    }
}

fn commit(replacement: Replacement<'_>, overwrite: bool) -> Result<(), Failure> {
    match replacement.overwrite(overwrite).commit() {
        Ok(_) => Ok(()),
        Err(error) => Err(unwritten(error)),
    }
}

/// The failure of a write; one that another program has caused since [`Target::new`] looked, or that only one
/// of many files has.
pub fn unwritten(error: Error) -> Failure {
    match error.kind() {
        ErrorKind::Exists { what: Noun::File, name } => {
            Failure::naming(name, is_there(Path::new(name)))
        }
        _ => error.into(),
    }
}

/// A file is there and may not be replaced.
fn is_there(path: &Path) -> String {
    let path = path.display();
    format!("'{path}' is there already\n  next: name another file, or --overwrite")
}
