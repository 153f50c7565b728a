//! Texts of a language (`.locres`, `.int` and its kin) and registries of assets, which are no packages, as tables.

use std::collections::BTreeMap;
use std::path::Path;

use bytes::Bytes;
use unreal_packages::content::{
    IniTexts, LocalizedTable, RegistryTable, Table, TableChange, TableFormat, ini_texts,
};
use unreal_packages::edit::{MergeConflict, MergeOptions, Merged};
use unreal_packages::error::{UnrealError, UnrealErrors};
use unreal_packages::package::Package;
use unreal_packages::related::{AssetRegistry, LocalizedTexts};

use crate::args;
use crate::failure::Failure;
use crate::input;

/// The kind of a registry's entries that are rows.
const ASSET: &str = "asset";

/// Names and values.
type Fields = Vec<(String, String)>;

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
        let mut merged = merged;
        merged.conflicts.extend(self.conflicts_beside(base, theirs)?);
        if merged.conflicts.is_empty() {
            // JSON tells an empty text from none.
            let format = match self {
                Self::Registry(..) => TableFormat::Json,
                _ => TableFormat::Csv,
            };
            self.replace(&table.file(format)?)?;
        }
        Ok(merged)
    }

    /// What theirs has changed that is no cell of a row, and ours has not.
    fn conflicts_beside(
        &self,
        base: &Self,
        theirs: &Self,
    ) -> unreal_packages::Result<Vec<MergeConflict>> {
        let (base, ours, theirs) =
            (base.beside_rows()?, self.beside_rows()?, theirs.beside_rows()?);
        let mut found = Vec::new();
        // An asset that is gone is a row.
        let is_gone = |key: &&(&str, String)| key.0 != ASSET && !theirs.contains_key(*key);
        let gone = base.keys().filter(is_gone);
        for key @ (group, path) in theirs.keys().chain(gone) {
            let (theirs, ours) = (theirs.get(key), ours.get(key));
            // A new asset without bundles has nothing else.
            let is_empty = *group == ASSET && theirs.is_none_or(Vec::is_empty);
            if base.get(key) == theirs || ours == theirs || is_empty && !base.contains_key(key) {
                continue;
            }
            let place = if *group == ASSET { "bundles" } else { group };
            let conflict = MergeConflict::new(path.clone(), place.to_owned(), None, None);
            found.push(conflict.because("theirs has changed what no row of a table holds"));
        }
        Ok(found)
    }

    /// What a registry has beside the cells of its rows, by kind and path: bundles, dependencies, data of packages.
    fn beside_rows(&self) -> unreal_packages::Result<BTreeMap<(&'static str, String), Fields>> {
        let Self::Registry(registry, source) = self else { return Ok(BTreeMap::new()) };
        let entries = registry.entries(source)?.into_iter().map(|entry| {
            let is_kept = |name: &str| entry.group != ASSET || name.starts_with("bundle ");
            let fields = entry.fields.into_iter().filter(|(name, _)| is_kept(name)).collect();
            ((entry.group, entry.path), fields)
        });
        Ok(entries.collect())
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
