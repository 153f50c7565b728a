//! Texts: text buffers, the source of classes, texts of Deus Ex.

use super::invalid;
use crate::error::Result;
use crate::object::text::TextBuffer;
use crate::object::{Body, Native, ue1::ExtString};
use crate::package::{NewProperties, Package, native_as};
use crate::primitive::{Encoding, FString};

fn text_of(body: &Body) -> Option<&FString> {
    let buffer = native_as::<TextBuffer>(body).map(|buffer| &buffer.text);
    buffer.or_else(|| native_as::<ExtString>(body).map(|text| &text.text))
}

fn text_mut(body: &mut Body) -> Option<&mut FString> {
    let Native::Object(object) = &mut body.native else { return None };
    if object.downcast_ref::<TextBuffer>().is_some() {
        return object.downcast_mut::<TextBuffer>().map(|buffer| &mut buffer.text);
    }
    object.downcast_mut::<ExtString>().map(|text| &mut text.text)
}

impl Package {
    /// The text of a text buffer.
    ///
    /// # Errors
    /// `NotFound`; `Invalid` for what holds no text.
    pub fn text(&self, row: usize) -> Result<String> {
        let decoded = self.typed(row)?;
        match text_of(&decoded.body) {
            Some(text) => Ok(text.text(self.source())?.into_owned()),
            None => {
                let path = self.exports().path(row);
                Err(invalid(format!("{path} holds no text that can be decoded")))
            }
        }
    }

    /// Gives a text buffer another text; false if it is the one that is there. An 8-bit text stays one
    /// as long as it can.
    ///
    /// # Errors
    /// As [`Package::text`].
    pub fn replace_text(&mut self, row: usize, text: &str) -> Result<bool> {
        if self.text(row)? == text {
            return Ok(false);
        }
        let versions = self.versions().clone();
        self.change_body(row, |body| {
            if let Some(old) = text_mut(body) {
                let narrow = old.encoding() == Encoding::Ansi && !text.is_empty();
                let ansi = narrow.then(|| FString::ansi(text)).flatten();
                *old = ansi
                    .unwrap_or_else(|| FString::new_in(text, versions.byte_order, versions.game));
            }
            Ok(())
        })?;
        Ok(true)
    }

    /// Adds a text buffer.
    ///
    /// # Errors
    /// As [`Package::add_object`].
    pub fn add_text(&mut self, path: &str, text: &str) -> Result<usize> {
        let mut copy = self.clone();
        let list = NewProperties::new(&mut copy).finish();
        let versions = copy.versions();
        let text = FString::new_in(text, versions.byte_order, versions.game);
        let row =
            copy.add_object(path, "Core.TextBuffer", list, TextBuffer { pos: 0, top: 0, text })?;
        *self = copy;
        Ok(row)
    }
}
