//! The name table: adding names and giving them other texts.

use super::Edit;
use crate::error::{Error, ErrorKind, Result, noun};
use crate::primitive::{FString, Name, NameFlags};
use crate::table::{NameEntry, NameHashes};
use crate::version::threshold::ue4;
use crate::version::{EngineFacts, UnrealVersions, threshold};

impl Edit {
    /// Gives a name of the table another text; everything that uses the name follows.
    ///
    /// # Errors
    /// `NotFound`; `Exists` when the new text is another row's; `BadText`; `Invalid` for `None` and for the types
    /// of properties; `Doubtful` for what other packages or the engine declare: imported objects, classes, and
    /// properties, structs, enums and their values that bodies use; for what [`Edit::rename_object`] doubts, where an
    /// object has the name; for characters that names do not have; and for a text that the engine parts into a name and
    /// a number.
    pub fn rename_name(&mut self, old: &str, new: &str) -> Result<usize> {
        let (row, entry) = self.renamed_entry(old, new)?;
        self.check_renaming(row, old, new)?;
        self.set_name(row, entry);
        Ok(row)
    }

    /// As [`Edit::rename_name`], whatever the name is used for.
    pub(super) fn change_name(&mut self, old: &str, new: &str) -> Result<()> {
        let (row, entry) = self.renamed_entry(old, new)?;
        self.set_name(row, entry);
        Ok(())
    }

    /// A row of the table with another text.
    fn renamed_entry(&mut self, old: &str, new: &str) -> Result<(usize, NameEntry)> {
        let row = self.look_up_name(old).ok_or_else(|| ErrorKind::NotFound {
            what: noun::NAME,
            name: old.to_owned(),
            hint: String::new(),
        })?;
        if old.eq_ignore_ascii_case("None") {
            return Err(Error::invalid("'None' ends every property list and can't be renamed"));
        }
        if self.look_up_name(new).is_some_and(|other| other != row) {
            return Err(ErrorKind::Exists { what: noun::NAME, name: new.to_owned() }.into());
        }
        let mut entry = self.tables().names[row].clone();
        entry.text = self.checked_text(new)?;
        if self.has_name_hashes() {
            entry.set_hashes(NameHashes::of(new));
        }
        Ok((row, entry))
    }

    /// Adds a name, or returns the one that is there already. It stays also when nothing uses it.
    ///
    /// # Errors
    /// `BadText` when the version can't hold it; `Doubtful` for characters that names do not have, and for a text
    /// that the engine parts into a name and a number.
    pub fn add_name(&mut self, text: &str) -> Result<Name> {
        self.check_name_text(text)?;
        if self.look_up_name(text).is_none() {
            self.check_one_row(text)?;
        }
        self.add_kept_name(text)
    }

    /// As [`Edit::add_name`], whatever the engine makes of the text.
    pub(super) fn add_kept_name(&mut self, text: &str) -> Result<Name> {
        let name = self.name_row(text)?;
        if let (Ok(row), Some(baseline)) =
            (usize::try_from(name.index.value()), self.package.baseline_mut())
            && row >= baseline.names
        {
            baseline.kept_names.insert(row);
        }
        Ok(name)
    }

    /// The row of a text, if there is one.
    pub(crate) fn look_up_name(&mut self, text: &str) -> Option<usize> {
        self.package.look_up_name(text)
    }

    /// The row with these letters, or else the first that the engine takes for the same name.
    pub(super) fn row_of_name(&mut self, text: &str) -> Option<usize> {
        let row = self.package.look_up_name(text)?;
        let names = self.names();
        let is_exact = |row: usize| names.get(row).is_some_and(|name| *name == *text);
        // Rows of one name in several letters are rare: most tables have none.
        match is_exact(row) {
            true => Some(row),
            false => (row + 1..names.len()).find(|row| is_exact(*row)).or(Some(row)),
        }
    }

    /// The names that there are now stay also when nothing uses them: somebody else may hold them.
    pub(super) fn keep_names(&mut self) {
        let names = self.package.tables().names.len();
        if let Some(baseline) = self.package.baseline_mut() {
            baseline.kept_names.extend(baseline.names..names);
        }
    }

    /// The name of this text, added where it is not there; it goes again when nothing uses it.
    pub(crate) fn name_row(&mut self, text: &str) -> Result<Name> {
        if let Some(row) = self.package.look_up_name(text) {
            return Ok(Name::new(row as i32));
        }
        let mut entry = NameEntry {
            text: self.checked_text(text)?,
            flags: NameFlags::ordinary(self.versions()),
        };
        if self.has_name_hashes() {
            entry.set_hashes(NameHashes::of(text));
        }
        let name = self.push_name(entry)?;
        self.sync_counts()?;
        Ok(name)
    }

    /// The name of this text, added where it is not there: `Light_3` is a row of the table, or, where names
    /// have numbers, the row `Light` with a number, unless only the whole text has a row (spec: ue1-3/01 §1.4). The
    /// engines part a text always, so that a row with the whole text is another name for them.
    pub(crate) fn add_object_name(&mut self, text: &str) -> Result<Name> {
        if self.versions().has_name_numbers()
            && let Some((base, number)) = Name::split(text)
            && (self.look_up_name(base).is_some() || self.look_up_name(text).is_none())
        {
            let base = self.name_row(base)?;
            return Ok(Name { number, ..base });
        }
        self.name_row(text)
    }

    /// A name's text in the form that this version stores.
    fn checked_text(&self, text: &str) -> Result<FString> {
        let bad = |reason| crate::Error::from(ErrorKind::BadText { reason });
        if text.is_empty() {
            return Err(bad("a name needs at least one character"));
        }
        if text.contains('\0') {
            return Err(bad("a name can't contain a zero"));
        }
        if text.encode_utf16().count() > self.versions().longest_name() {
            return Err(bad("it is longer than a name may be (63 characters, 1023 in UE3)"));
        }
        if self.versions().file() < threshold::NAME_LENGTH_ADDED {
            return FString::ansi(text).ok_or_else(|| bad("this version stores 8-bit text only"));
        }
        Ok(self.string(text))
    }

    pub(super) fn has_name_hashes(&self) -> bool {
        self.versions().ue4() >= ue4::NAME_HASHES_SERIALIZED
    }
}
