//! Colours: whether there are any, and what they mean.

use std::io::{IsTerminal, stderr, stdout};
use std::sync::OnceLock;

use anstyle::{AnsiColor, Style};
use clap::ValueEnum;

/// `--color`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ColorChoice {
    /// On a terminal, unless NO_COLOR is set
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

static CHOICE: OnceLock<ColorChoice> = OnceLock::new();

/// Uses what the user has chosen from here on.
pub fn set_up(choice: ColorChoice) {
    // Set once, before anything is said.
    let _ = CHOICE.set(choice);
}

impl ColorChoice {
    /// What stands behind `--color` on the command line: errors of usage have colours before it is parsed.
    pub fn of_words(words: impl Iterator<Item = std::ffi::OsString>) -> Self {
        let mut found = Self::Auto;
        let mut words = words.map(|word| word.to_string_lossy().into_owned()).peekable();
        while let Some(word) = words.next() {
            let value = match word.strip_prefix("--color") {
                Some("") => words.peek().cloned(),
                Some(rest) => rest.strip_prefix('=').map(str::to_owned),
                None if word == "--" => break,
                None => None,
            };
            found = value.and_then(|value| Self::from_str(&value, true).ok()).unwrap_or(found);
        }
        found
    }

    /// The same for clap.
    pub fn for_clap(self) -> clap::ColorChoice {
        match self.is_wanted(false) {
            // It looks at the terminal of each of its streams itself.
            false if self == Self::Auto => clap::ColorChoice::Auto,
            false => clap::ColorChoice::Never,
            true => clap::ColorChoice::Always,
        }
    }

    /// Whether a stream has colours: <https://no-color.org>, <https://bixense.com/clicolors>.
    fn is_wanted(self, is_terminal: bool) -> bool {
        match self {
            Self::Always => true,
            Self::Never => false,
            Self::Auto if anstyle_query::no_color() => false,
            Self::Auto if anstyle_query::clicolor_force() => true,
            Self::Auto => {
                let is_off = anstyle_query::clicolor() == Some(false);
                is_terminal && !is_off && anstyle_query::term_supports_ansi_color()
            }
        }
    }
}

fn chosen(is_terminal: bool) -> bool {
    let wanted = CHOICE.get().copied().unwrap_or(ColorChoice::Auto).is_wanted(is_terminal);
    // Consoles of Windows obey colours only when asked to.
    wanted && (!is_terminal || anstyle_query::windows::enable_ansi_colors().unwrap_or(true))
}

/// Whether standard output has colours.
pub fn on_stdout() -> bool {
    chosen(stdout().is_terminal())
}

/// Whether standard error has colours.
pub fn on_stderr() -> bool {
    chosen(stderr().is_terminal())
}

/// What a colour says.
#[derive(Debug, Clone, Copy)]
pub enum Paint {
    /// What came.
    Added,
    /// What went.
    Removed,
    /// What has another name.
    Renamed,
    /// What is other than before.
    Changed,
    /// All is well.
    Good,
    /// Something is not as it should be, and may be so.
    Doubtful,
    /// Something is wrong.
    Bad,
    /// What matters less than what stands beside it.
    Aside,
    /// What to do next.
    Advice,
}

impl Paint {
    /// As terminals know it.
    fn style(self) -> Style {
        match self {
            Self::Added | Self::Good => AnsiColor::Green.on_default(),
            Self::Removed => AnsiColor::Red.on_default(),
            Self::Bad => AnsiColor::Red.on_default().bold(),
            Self::Renamed | Self::Advice => AnsiColor::Cyan.on_default(),
            Self::Changed | Self::Doubtful => AnsiColor::Yellow.on_default(),
            Self::Aside => Style::new().dimmed(),
        }
    }

    /// A text in this colour, which has no characters that a terminal obeys.
    pub fn paint(self, text: &str) -> String {
        let style = self.style();
        format!("{}{text}{}", style.render(), style.render_reset())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_choice_is_known_before_the_command_line_is_parsed() {
        for (words, choice) in [
            ("upk dance", ColorChoice::Auto),
            ("upk dance --color always", ColorChoice::Always),
            ("upk --color=never dance", ColorChoice::Never),
            ("upk dance --color", ColorChoice::Auto),
            ("upk dance --colored always", ColorChoice::Auto),
            ("upk dance -- --color always", ColorChoice::Auto),
        ] {
            let words = words.split(' ').map(std::ffi::OsString::from);
            assert_eq!(ColorChoice::of_words(words), choice);
        }
    }
}
