//! Texts of a language (`.locres`, `.int` and its kin) and registries of assets, which are no packages, as tables.

use std::path::Path;

use bytes::Bytes;
use unreal_packages::content::{
    IniTexts, LocalizedTable, RegistryTable, Table, TableChange, TableFormat, ini_texts,
};
use unreal_packages::edit::{MergeOptions, Merged};
use unreal_packages::error::{UnrealError, UnrealErrors};
use unreal_packages::package::Package;
use unreal_packages::related::{AssetRegistry, LocalizedTexts};

use crate::args;
use crate::failure::Failure;
use crate::input;

/// A file that is a table: texts of a language, or a registry of assets.
pub enum Texts {
    /// `.locres`, and what it was read from.
    Localized(Box<LocalizedTexts>, Bytes),
    /// Sections of keys with values.
    Ini(IniTexts),
    /// `AssetRegistry.bin`, and what it was read from.
    Registry(Box<AssetRegistry>, Bytes),
}

/// The table that the file at a path is, if its extension says so.
pub fn open(path: &Path) -> Result<Option<Texts>, Failure> {
    open_named(path, path)
}

/// The same of a file that has the name of `named` elsewhere: git's drivers get files without one.
pub fn open_named(path: &Path, named: &Path) -> Result<Option<Texts>, Failure> {
    let extension = named.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    let is_localized = extension.eq_ignore_ascii_case("locres");
    let is_registry = extension.eq_ignore_ascii_case("bin");
    let is_table = is_localized || is_registry || ini_texts(extension);
    if input::is_standard(path) || path.is_dir() || !is_table {
        return Ok(None);
    }
    let bytes = args::read(path)?;
    if is_registry {
        if !AssetRegistry::recognise(&bytes) {
            return Ok(None);
        }
        let registry = AssetRegistry::read(bytes.clone());
        let made = registry.map(|(registry, _)| Some(Texts::Registry(Box::new(registry), bytes)));
        return made.map_err(|error| args::unopened(path, error));
    }
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
    /// What one row is, and several.
    pub fn nouns(&self) -> (&'static str, &'static str) {
        match self {
            Self::Registry(..) => ("asset", "assets"),
            _ => ("text", "texts"),
        }
    }

    /// Its rows and columns.
    pub fn table(&self) -> unreal_packages::Result<Table> {
        match self {
            Self::Localized(texts, source) => texts.table(source),
            Self::Ini(texts) => Ok(texts.table()),
            Self::Registry(registry, source) => registry.table(source),
        }
    }

    /// Ours with what others have changed since both came from `base`.
    pub fn merge(
        &mut self,
        base: &Self,
        theirs: &Self,
        options: &MergeOptions,
    ) -> unreal_packages::Result<Merged> {
        // Assets are told apart by their paths alone.
        let identity: &[&str] = if matches!(self, Self::Registry(..)) { &[] } else { &["Key"] };
        let (table, merged) =
            self.table()?.merged(&base.table()?, &theirs.table()?, identity, options);
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
            Self::Registry(registry, source) => registry.replace_rows(file, format, source),
        }
    }

    /// The bytes of the file.
    pub fn save(&mut self) -> unreal_packages::Result<Vec<u8>> {
        match self {
            Self::Localized(texts, source) => texts.save(source.clone()),
            Self::Ini(texts) => texts.save(),
            Self::Registry(registry, source) => registry.save(source.clone()),
        }
    }
}
