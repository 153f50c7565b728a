//! What a shell offers while a command line is written: commands, options, files, and objects and properties of the
//! package that the line names.
//!
//! A package that was downloaded decides what its objects are called, and what is offered may be carried out: names
//! with characters that a shell obeys are not offered.

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;

use clap::{Command, ValueHint};
use clap_complete::CompleteEnv;
use clap_complete::engine::{ArgValueCompleter, CompletionCandidate};
use unreal_packages::container::GameContainer;
use unreal_packages::inspect::PackageValues;
use unreal_packages::package::{OpenOptions, Package};

use crate::help;

/// The variable by which a shell asks.
pub const VARIABLE: &str = "UPK_COMPLETE";
/// Shells that insert what they are told without quotes: the name of a downloaded file may be a command.
const INSERT_AS_IT_IS: [&str; 2] = ["bash", "powershell"];
/// Candidates of one answer at most.
const MOST: usize = 500;
/// Words of a line that are tried as packages, and bytes of a package when it is decompressed.
const MOST_FILES: usize = 4;
const LARGEST_IMAGE: u64 = 64 << 20;

/// What an argument means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Means {
    /// The path of an object.
    Object,
    /// An object, or a property of one.
    Property,
    /// A property and its value.
    Assignment,
}

/// Arguments by command and name, with what they mean.
const ARGUMENTS: &[(&str, &str, Means)] = &[
    ("get", "path", Means::Property),
    ("set", "words", Means::Assignment),
    ("set", "remove", Means::Property),
    ("dump", "object", Means::Object),
    ("script", "function", Means::Object),
    ("refs", "object", Means::Object),
    ("extract", "object", Means::Object),
    ("import", "object", Means::Object),
    ("rename", "old", Means::Object),
    ("move", "object", Means::Object),
    ("remove", "objects", Means::Object),
    ("duplicate", "object", Means::Object),
    ("copy", "object", Means::Object),
    ("set-code", "object", Means::Object),
    ("set-string", "function", Means::Object),
    ("set-flags", "export", Means::Object),
    ("replace-body", "export", Means::Object),
    ("retarget", "old", Means::Object),
    ("retarget", "new", Means::Object),
];

/// Answers a shell, if it is one that asks, and ends the program then.
pub fn answer() {
    let Some(shell) = std::env::var_os(VARIABLE) else { return };
    // Before the command line is asked for the variable is gone.
    let quotes = !INSERT_AS_IT_IS.iter().any(|known| shell == **known);
    CompleteEnv::with_factory(move || command(quotes)).var(VARIABLE).complete();
}

/// The command line with what its arguments mean, for a shell that quotes what it inserts, or for one that does not.
fn command(quotes: bool) -> Command {
    let command = match quotes {
        true => help::command(),
        false => without_files(help::command()),
    };
    ARGUMENTS.iter().fold(command, |command, (name, argument, means)| {
        command.mut_subcommand(*name, |it| {
            let completer = ArgValueCompleter::new(move |word: &OsStr| candidates(*means, word));
            // `mut_arg` would put a positional argument behind the others.
            it.mut_args(|arg| match arg.get_id() == *argument {
                true => arg.add(completer.clone()),
                false => arg,
            })
        })
    })
}

/// A command whose paths are left to the shell, which quotes what it inserts itself.
fn without_files(command: Command) -> Command {
    let names: Vec<_> = command.get_subcommands().map(|it| it.get_name().to_owned()).collect();
    let command = command.mut_args(|arg| match arg.get_action().takes_values() {
        true => arg.value_hint(ValueHint::Other),
        false => arg,
    });
    names.iter().fold(command, |command, name| command.mut_subcommand(name, without_files))
}

fn candidates(means: Means, current: &OsStr) -> Vec<CompletionCandidate> {
    let Some(text) = current.to_str() else { return Vec::new() };
    // Nobody reads a message while a line is written, and a package that makes the library panic has no candidates.
    std::panic::set_hook(Box::new(|_| {}));
    let named = catch_unwind(AssertUnwindSafe(|| of_package(means, text))).unwrap_or_default();
    let _ = std::panic::take_hook();
    named.into_iter().map(CompletionCandidate::new).collect()
}

/// Names of the package that the line names, which begin with what is there.
fn of_package(means: Means, text: &str) -> BTreeSet<String> {
    let Some(package) = named_package() else { return BTreeSet::new() };
    let assigns = if means == Means::Assignment { "=" } else { "" };
    if means != Means::Object
        && let Some((object, start)) = text.rsplit_once('.')
        && let Ok(row) = package.find_export(object)
    {
        let mut found = objects(&package, text);
        found.extend(properties(&package, row, object, start, assigns));
        return found;
    }
    let found = objects(&package, text);
    match (means, found.first()) {
        // The one that is left: a value is set of its properties.
        (Means::Assignment, Some(object)) if found.len() == 1 => {
            match package.find_export(object) {
                Ok(row) => properties(&package, row, object, "", assigns).collect(),
                Err(_) => found,
            }
        }
        _ => found,
    }
}

fn objects(package: &Package, start: &str) -> BTreeSet<String> {
    let paths = package.exports().iter().map(|export| export.path());
    paths.filter(|path| begins(path, start) && is_plain(path)).take(MOST).collect()
}

fn properties(
    package: &Package,
    row: usize,
    object: &str,
    start: &str,
    assigns: &str,
) -> impl Iterator<Item = String> {
    let values = package.values();
    let stored = values.properties(object).unwrap_or_default();
    let mut names: BTreeSet<String> = stored.into_iter().map(|value| value.path).collect();
    names.extend(values.declared_names(row));
    let fitting = names.into_iter().filter(|name| begins(name, start) && is_plain(name)).take(MOST);
    let fitting: Vec<_> = fitting.map(|name| format!("{object}.{name}{assigns}")).collect();
    fitting.into_iter()
}

/// As names are compared: without regard to capital letters.
fn begins(text: &str, start: &str) -> bool {
    text.get(..start.len()).is_some_and(|head| head.eq_ignore_ascii_case(start))
}

/// Whether a shell leaves a name as it is.
fn is_plain(name: &str) -> bool {
    let plain = |c: char| c.is_alphanumeric() || matches!(c, '.' | '_' | '-' | '/');
    !name.is_empty() && !name.starts_with('-') && name.chars().all(plain)
}

/// The first package among the words of the line.
fn named_package() -> Option<Package> {
    let words = std::env::args_os().skip_while(|word| word != "--").skip(3);
    let is_package = |word: &OsString| {
        let path = PathBuf::from(word);
        // No pipe is waited for.
        (path.is_file() && !GameContainer::is_named_so(&path)).then_some(path)
    };
    let mut files = words.filter_map(|word| is_package(&word)).take(MOST_FILES);
    let options = OpenOptions::new().max_image(LARGEST_IMAGE).threads(1);
    files.find_map(|file| options.clone().partly().open(&file).ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_argument_that_is_completed_is_there() {
        let command = help::command();
        for (name, argument, _) in ARGUMENTS {
            let found = command.find_subcommand(name).unwrap();
            let ids: Vec<_> = found.get_arguments().map(|arg| arg.get_id().as_str()).collect();
            assert!(ids.contains(argument), "{name}: {argument} is none of {ids:?}");
        }
    }

    #[test]
    fn names_that_a_shell_obeys_are_not_offered() {
        for name in ["Light1", "Level.Light-1", "Ärger", "/Game/A"] {
            assert!(is_plain(name), "{name}");
        }
        for name in ["", "$(rm x)", "a b", "a;b", "-rf", "a\u{b}b", "`x`", "a'b", "~a", "a*"] {
            assert!(!is_plain(name), "{name}");
        }
    }
}
