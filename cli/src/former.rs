//! Names that commands and options had before: they work for two releases more, with a warning.

use std::ffi::OsString;

use crate::output::warn_early;

/// A former name.
struct Former {
    /// What it was called, an option with its dashes.
    old: &'static str,
    /// What it is called now.
    new: &'static str,
    /// The version that does not know the old name any more.
    until: &'static str,
}

/// All that still work.
const FORMER: &[Former] = &[
    Former { old: "--search", new: "--env", until: "0.3" },
    Former { old: "--compiler", new: "--profile", until: "0.3" },
];

/// The words of the command line with the names of today; what is said of the old ones.
fn translated(words: impl Iterator<Item = OsString>) -> (Vec<OsString>, Vec<String>) {
    let (mut current, mut said) = (Vec::new(), Vec::new());
    let (mut has_command, mut has_ended) = (false, false);
    for (at, word) in words.enumerate() {
        let text = word.to_str().unwrap_or_default();
        let is_option = text.starts_with('-');
        // The first word that is no option is the command, what follows are values.
        let is_name = !has_ended && at > 0 && (is_option || !has_command);
        has_command |= at > 0 && !is_option;
        has_ended |= text == "--";
        let (name, value) = match text.split_once('=') {
            Some((name, value)) if is_option => (name, Some(value)),
            _ => (text, None),
        };
        match FORMER.iter().find(|former| is_name && former.old == name) {
            Some(Former { old, new, until }) => {
                said.push(format!("{old} is called {new} now: version {until} knows that alone"));
                let value = value.map(|value| format!("={value}")).unwrap_or_default();
                current.push(format!("{new}{value}").into());
            }
            None => current.push(word),
        }
    }
    (current, said)
}

/// The words of the command line with the names of today; warns of the old ones.
pub fn current() -> Vec<OsString> {
    let (words, said) = translated(std::env::args_os());
    said.iter().for_each(|text| warn_early(text));
    words
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    fn words(line: &str) -> (String, usize) {
        let (words, said) = translated(line.split(' ').map(OsString::from));
        let words: Vec<_> = words.iter().map(|word| word.to_string_lossy().into_owned()).collect();
        (words.join(" "), said.len())
    }

    #[test]
    fn old_names_become_new_ones() {
        assert_eq!(words("upk info A.u --search Game"), ("upk info A.u --env Game".into(), 1));
        assert_eq!(words("upk info --search=G=1 A.u"), ("upk info --env=G=1 A.u".into(), 1));
        let unchanged = ["upk info A.u --env Game", "upk grep -- --search A.u", "--search A"];
        for line in unchanged {
            assert_eq!(words(line), (line.into(), 0));
        }
    }

    #[test]
    fn names_of_today_are_there_and_old_ones_are_not() {
        let command = crate::args::Cli::command();
        let mut known: Vec<String> = Vec::new();
        for it in command.get_subcommands() {
            known.push(it.get_name().to_owned());
            known.extend(it.get_arguments().filter_map(|it| Some(format!("--{}", it.get_long()?))));
        }
        for Former { old, new, until } in FORMER {
            assert!(known.iter().any(|it| it == new), "{new}");
            assert!(!known.iter().any(|it| it == old), "{old}");
            let numbers = |version: &str| -> Vec<u32> {
                version.split('.').map(|number| number.parse().unwrap()).collect()
            };
            assert!(numbers(until) > numbers(env!("CARGO_PKG_VERSION")), "{old} goes");
        }
    }
}
