//! Names of which each may be there once.

use std::collections::HashSet;

use crate::error::{ErrorKind, Noun, Result};
use crate::inspect::table_rows::check_name;

/// Names of which each may be there once, letters' case apart.
pub(super) struct UniqueNames {
    what: Noun,
    known: HashSet<String>,
}

impl UniqueNames {
    pub fn of(what: Noun) -> Self {
        Self { what, known: HashSet::new() }
    }

    /// A property, or an element of a static array.
    pub fn add_element(&mut self, (name, index): (&str, u32)) -> Result<()> {
        match index {
            0 => self.add(name),
            index => self.add(&format!("{name}[{index}]")),
        }
    }

    pub fn add(&mut self, name: &str) -> Result<()> {
        check_name(self.what.word(), name)?;
        match self.known.insert(name.to_ascii_lowercase()) {
            true => Ok(()),
            false => Err(ErrorKind::Exists { what: self.what, name: name.to_owned() }.into()),
        }
    }
}
