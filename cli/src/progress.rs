//! How long work goes on: a bar for people, nothing for scripts and with --quiet.

use std::io::IsTerminal;

use indicatif::{ProgressBar, ProgressStyle};

use crate::output::is_quiet;

/// A bar of so many steps, on the error stream if that is a terminal.
pub fn bar(steps: usize, noun: &str) -> ProgressBar {
    if is_quiet() || !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let style =
        ProgressStyle::with_template(&format!("{{bar:40}} {{pos}}/{{len}} {noun}, {{eta}} left"));
    ProgressBar::new(steps as u64)
        .with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}
