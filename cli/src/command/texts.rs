//! Texts of a language that are no package (`.locres`, `.int` and its kin), as tables.

use std::path::Path;

use bytes::Bytes;
use unreal_packages::content::{
    IniTexts, LocalizedTable, Table, TableChange, TableFormat, ini_texts,
};
use unreal_packages::edit::{MergeOptions, Merged};
use unreal_packages::error::{UnrealError, UnrealErrors};
use unreal_packages::package::Package;
use unreal_packages::related::LocalizedTexts;

use crate::args;
use crate::failure::Failure;
use crate::input;

/// Texts of a language.
pub enum Texts {
    /// `.locres`, and what it was read from.
    Localized(Box<LocalizedTexts>, Bytes),
    /// Sections of keys with values.
    Ini(IniTexts),
}

/// The texts of the file at a path, if its extension says that it holds such.
pub fn open(path: &Path) -> Result<Option<Texts>, Failure> {
    open_named(path, path)
}

/// The same of a file that has the name of `named` elsewhere: git's drivers get files without one.
pub fn open_named(path: &Path, named: &Path) -> Result<Option<Texts>, Failure> {
    let extension = named.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    let is_localized = extension.eq_ignore_ascii_case("locres");
    if input::is_standard(path) || path.is_dir() || !(is_localized || ini_texts(extension)) {
        return Ok(None);
    }
    let bytes = args::read(path)?;
    // Some packages have the extension of a language: `.est`.
    if !is_localized && begins_as_package(&bytes) {
        return Ok(None);
    }
    let texts = match is_localized {
        true => LocalizedTexts::read(bytes.clone())
            .map(|(texts, _)| Texts::Localized(Box::new(texts), bytes)),
        false => IniTexts::read(&bytes).map(Texts::Ini),
    };
    texts.map(Some).map_err(|error| args::unopened(path, error))
}

/// Whether bytes are those of a package, be it a damaged one.
fn begins_as_package(bytes: &Bytes) -> bool {
    match Package::from_bytes(bytes.clone()) {
        Ok(_) => true,
        Err(error) => !matches!(error.unreal(), Some(UnrealError::NotAPackage { .. })),
    }
}

impl Texts {
    /// The texts as rows and columns.
    pub fn table(&self) -> unreal_packages::Result<Table> {
        match self {
            Self::Localized(texts, source) => texts.table(source),
            Self::Ini(texts) => Ok(texts.table()),
        }
    }

    /// Ours with what others have changed since both came from `base`.
    pub fn merge(
        &mut self,
        base: &Self,
        theirs: &Self,
        options: &MergeOptions,
    ) -> unreal_packages::Result<Merged> {
        let (table, merged) =
            self.table()?.merged(&base.table()?, &theirs.table()?, &["Key"], options);
        if merged.conflicts.is_empty() {
            self.replace(&table.file(TableFormat::Csv)?)?;
        }
        Ok(merged)
    }

    /// Gives the file the rows of a table.
    pub fn replace(&mut self, file: &[u8]) -> unreal_packages::Result<TableChange> {
        let format = TableFormat::detect(file);
        match self {
            Self::Localized(texts, source) => texts.replace_rows(file, format, source),
            Self::Ini(texts) => texts.replace_rows(file, format),
        }
    }

    /// The bytes of the file.
    pub fn save(&mut self) -> unreal_packages::Result<Vec<u8>> {
        match self {
            Self::Localized(texts, source) => texts.save(source.clone()),
            Self::Ini(texts) => texts.save(),
        }
    }
}
