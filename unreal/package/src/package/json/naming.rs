//! The names of a document for what is made of its words.

use crate::archive::JsonTexts;
use crate::error::{Error, ErrorKind, Result, noun};
use crate::primitive::Name;
use crate::property::{Naming, Value};
use crate::version::Versions;

/// Finds names, and adds those that the texts may add.
pub(super) struct DocumentNames<'a> {
    pub versions: &'a Versions,
    pub texts: &'a dyn JsonTexts,
}

impl Naming for DocumentNames<'_> {
    fn versions(&self) -> &Versions {
        self.versions
    }

    fn name(&mut self, text: &str) -> Result<Name> {
        match self.texts.numbered_row(&Name::SPACE, text) {
            Some((row, number)) => Ok(Name { number, ..Name::new(row) }),
            None => {
                let (what, name, hint) = (noun::NAME, text.to_owned(), String::new());
                Err(ErrorKind::NotFound { what, name, hint }.into())
            }
        }
    }

    fn soft_path(&mut self, text: &str) -> Result<Value> {
        Err(Error::invalid(format!("a type does not say the path '{text}'")))
    }
}
