//! Code that changes: what follows moves, and what refers to it follows.

mod assemble;
mod entries;
mod given;

pub use self::assemble::AssembledCode;
use super::Edit;
use crate::error::{Error, ErrorKind, Result, noun};
use crate::inspect::{PackageValues, ReferenceTexts};
use crate::object::Native;
use crate::package::code_places::narrow;
use crate::script::{MovedPlaces, ScriptString};

/// A string constant in code that says something else now.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct ScriptTextChange {
    /// The function, state or class.
    pub object: String,
    /// Where its token lay, bytes in memory from the start of the code.
    pub place: u32,
    /// Its text before.
    pub old: String,
    /// Its text now.
    pub new: String,
}

impl Edit {
    /// Gives one string constant in the code of a function, state or class another text, of any length; `place`
    /// is where its token lies, bytes in memory, as listings of code say.
    ///
    /// Jumps, skips and tables of labels of this code follow, and so do the places in it that other objects of
    /// the package know: what stands in a state, replication conditions, the events that enter an event graph.
    /// The caller must keep true what another package, a saved game for one, holds of a state of this package.
    ///
    /// # Errors
    /// `NotFound` where there is no string; `Invalid` for an object without code and for code that grows beyond
    /// what a jump can say; `BadText` for a zero; `Refused` where something may refer to the code that is not
    /// decoded.
    pub fn set_script_text(
        &mut self,
        object: &str,
        place: u32,
        text: &str,
    ) -> Result<ScriptTextChange> {
        let mut found = None;
        let changes = self.change_script_texts(object, |at, old| {
            (at == place).then(|| {
                found = Some(old.to_owned());
                text.to_owned()
            })
        })?;
        let unchanged = || {
            let object = self.exports().path(self.find_export(object)?);
            Ok(ScriptTextChange { object, place, old: text.to_owned(), new: text.to_owned() })
        };
        match (changes.into_iter().next(), found) {
            (Some(change), _) => Ok(change),
            (None, Some(_)) => unchanged(),
            (None, None) => Err(self.no_string(object, &format!("{place:#06x}"))),
        }
    }

    /// Gives string constants in the code of a function, state or class other texts: `new` is asked for each of
    /// them, with its place and text, in stored order. Otherwise as [`Edit::set_script_text`].
    ///
    /// # Errors
    /// As [`Edit::set_script_text`], but for `NotFound`, which is an object that is not there.
    pub fn change_script_texts(
        &mut self,
        object: &str,
        mut new: impl FnMut(u32, &str) -> Option<String>,
    ) -> Result<Vec<ScriptTextChange>> {
        let row = self.find_export(object)?;
        let context = self.decoding_context();
        let decoded = self.values().editable(row, &context)?;
        let code = decoded.body.native.code().ok_or_else(|| self.no_code(row))?;
        let object = self.exports().path(row);
        let (mut strings, mut changes) = (Vec::new(), Vec::new());
        for string in ScriptString::all(&code.items, self.versions()) {
            let old = string.text(&code.items, self.source(), self.versions().byte_order)?;
            let Some(new) = new(string.place, &old).filter(|new| *new != old) else { continue };
            strings.push((string, new.clone()));
            changes.push(ScriptTextChange {
                object: object.clone(),
                place: string.place,
                old,
                new,
            });
        }
        if !strings.is_empty() {
            self.transact(|edit| edit.set_strings(row, &strings))?;
        }
        Ok(changes)
    }

    /// Sets strings of one object's code, and lets everything follow; `self` is a working copy.
    pub(super) fn set_strings(
        &mut self,
        row: usize,
        strings: &[(ScriptString, String)],
    ) -> Result<()> {
        if strings.iter().any(|(_, text)| text.contains('\0')) {
            return Err(
                ErrorKind::BadText { reason: "a string in code can't contain a zero" }.into()
            );
        }
        let versions = self.versions().clone();
        let no_code = self.no_code(row);
        let moved = self.edit_body(row, |_, body, _| {
            let Some(code) = body.native.code_mut() else { return Err(no_code) };
            let old = code.items.clone();
            for (string, text) in strings {
                string.set(&mut code.items, text, &versions);
            }
            let moved = MovedPlaces::between(&old, &code.items, &versions);
            moved.retarget(&mut code.items)?;
            if let Native::Script(object) = &mut body.native
                && let Some(state) = object.state_mut()
                && state.label_table_offset != u16::MAX
            {
                state.label_table_offset = narrow(moved.place(state.label_table_offset.into())?)?;
            }
            Ok(moved)
        })?;
        if moved.is_unchanged() { Ok(()) } else { self.move_entries(row, &moved) }
    }

    fn no_code(&self, row: usize) -> Error {
        let path = self.exports().path(row);
        Error::invalid(format!("'{path}' has no code: it is a {}", self.class_path(row)))
    }

    fn no_string(&self, object: &str, place: &str) -> Error {
        let name = format!("{place} in the code of {object}");
        ErrorKind::NotFound { what: noun::STRING, name, hint: String::new() }.into()
    }
}
