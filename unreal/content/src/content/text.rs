//! Texts: text buffers, the source of classes, texts of Deus Ex.

use super::Contents;
use crate::content::PackageContents;
use crate::edit::{Edit, NewProperties};
use crate::error::{Error, ErrorKind, Result};
use crate::object::text::TextBuffer;
use crate::object::{Body, ue1::ExtString};
use crate::package::native_as;
use crate::primitive::FString;

fn text_of(body: &Body) -> Option<&FString> {
    let buffer = native_as::<TextBuffer>(body).map(|buffer| &buffer.text);
    buffer.or_else(|| native_as::<ExtString>(body).map(|text| &text.text))
}

impl Contents<'_> {
    /// The text of a text buffer.
    ///
    /// # Errors
    /// `NotFound`; `Invalid` for what holds no text.
    pub fn text(&self, row: usize) -> Result<String> {
        let decoded = self.decode(row)?;
        match text_of(&decoded.body) {
            Some(text) => Ok(text.text(self.source())?.into_owned()),
            None => {
                let path = self.exports().path(row);
                Err(Error::invalid(format!("{path} holds no text that can be decoded")))
            }
        }
    }
}

/// Texts from files.
pub trait TextEdits {
    /// Gives a text buffer another text; false if it is the one that is there. An 8-bit text stays one
    /// as long as it can.
    ///
    /// # Errors
    /// As [`Contents::text`](crate::content::Contents::text); `BadText` for a zero.
    fn replace_text(&mut self, row: usize, text: &str) -> Result<bool>;

    /// Adds a text buffer.
    ///
    /// # Errors
    /// As [`Edit::add_object`]; `BadText` for a zero.
    fn add_text(&mut self, path: &str, text: &str) -> Result<usize>;
}

impl TextEdits for Edit {
    fn replace_text(&mut self, row: usize, text: &str) -> Result<bool> {
        if self.contents().text(row)? == text {
            return Ok(false);
        }
        self.set_text(&format!("#{row}"), text)?;
        Ok(true)
    }

    fn add_text(&mut self, path: &str, text: &str) -> Result<usize> {
        if text.contains('\0') {
            return Err(ErrorKind::BadText { reason: "a text can't contain a zero" }.into());
        }
        self.appending(|package| {
            let list = NewProperties::new(package).finish();
            let text = package.string(text);
            package.add_object(path, "Core.TextBuffer", list, TextBuffer { pos: 0, top: 0, text })
        })
    }
}
