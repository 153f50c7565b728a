//! Texts of one line.

use std::fmt::{self, Write};

/// Writes what it is given with control characters as Rust writes them: what a file holds must neither end the
/// line nor speak to a terminal.
pub(super) struct OneLine<'a, 'b>(pub &'a mut fmt::Formatter<'b>);

impl Write for OneLine<'_, '_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        for part in text.split_inclusive(char::is_control) {
            let last = part.chars().next_back().filter(|last| last.is_control());
            let Some(control) = last else {
                self.0.write_str(part)?;
                continue;
            };
            self.0.write_str(part.strip_suffix(control).unwrap_or_default())?;
            write!(self.0, "{}", control.escape_debug())?;
        }
        Ok(())
    }
}
