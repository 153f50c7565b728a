//! Mappings, ready to be asked.

use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

use super::{MappingData, MappingName, MappingVersions, Schema, Usmap};
use crate::error::Result;
use crate::property::Structure;
use crate::version::{FILE, UnrealVersions};
use crate::{Saver, Versions};

/// Names and types of the properties of every class and struct of a game.
#[derive(Debug, Clone)]
pub struct Mappings {
    data: MappingData,
    /// The native structs that the names stand for.
    structures: Vec<Structure>,
    /// Rows of structs by their name in lower case.
    structs: HashMap<Box<str>, u32>,
    /// The same by row of the name.
    by_name: HashMap<u32, u32>,
    schemas: Vec<OnceLock<Option<Arc<Schema>>>>,
    versions: Option<MappingVersions>,
}

impl Mappings {
    /// Reads a `.usmap` file; with the feature `json` a `.jmap` file as well, also one packed with gzip.
    ///
    /// # Errors
    /// `NotAPackage` when it is none, `Unsupported` when it is compressed in a form that needs another
    /// feature, and whatever its bytes lack.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self> {
        #[cfg(feature = "json")]
        if super::jmap::recognise(bytes) {
            let (data, versions) = super::jmap::read(bytes)?;
            return Ok(Self { versions, ..Self::new(data) });
        }
        let file = Usmap::from_bytes(bytes)?;
        Ok(Self { versions: file.versions.clone(), ..Self::new(file.data(bytes)?) })
    }

    /// Makes the contents of a file ready to be asked.
    pub fn new(data: MappingData) -> Self {
        let structures =
            data.names.iter().map(|name| Structure::of_name(name.0.as_bytes())).collect();
        let lower = |name: &MappingName| name.0.to_ascii_lowercase();
        let mut structs = HashMap::<Box<str>, u32>::new();
        for (row, known) in data.structs.iter().enumerate() {
            // The first one of a name stays.
            if let Some(name) = data.names.get(known.name as usize) {
                structs.entry(lower(name).into()).or_insert(row as u32);
            }
        }
        // Some files have a name twice.
        let named = data.names.iter().zip(0_u32..);
        let by_name = named
            .filter_map(|(name, row)| Some((row, *structs.get(lower(name).as_str())?)))
            .collect();
        let schemas = (0..data.structs.len()).map(|_| OnceLock::new()).collect();
        Self { data, structures, structs, by_name, schemas, versions: None }
    }

    /// The content of the file.
    pub fn data(&self) -> &MappingData {
        &self.data
    }

    /// The versions that the game saves its packages in, where the file says.
    pub fn versions(&self) -> Option<&MappingVersions> {
        self.versions.as_ref()
    }

    /// The file anew, not compressed.
    ///
    /// # Errors
    /// `OutOfRange` when there is more of something than the file's version can count.
    pub fn to_bytes(&self, version: u8) -> Result<Vec<u8>> {
        let mut saver = Saver::new(Versions::unreal().with(FILE, version.into()));
        crate::Archived::serialize(&mut self.data.clone(), &mut saver)?;
        Usmap::uncompressed(version, self.versions.clone(), saver.into_bytes()).to_bytes()
    }

    pub(in crate::property) fn structure(&self, name: u32) -> Structure {
        self.structures.get(name as usize).copied().unwrap_or_default()
    }

    /// Whether there is a class or struct of this name.
    pub fn knows(&self, class: &str) -> bool {
        self.structs.contains_key(class.to_ascii_lowercase().as_str())
    }

    /// The class or struct that this one derives from.
    pub fn parent_of(&self, class: &str) -> Option<&str> {
        let row = *self.structs.get(class.to_ascii_lowercase().as_str())?;
        let parent = self.data.structs.get(row as usize)?.super_struct;
        self.data.name(parent).map(|name| &**name)
    }

    /// The number of a value of an enum, with or without the enum's name before it.
    pub fn enum_number(&self, name: &str, value: &str) -> Option<u64> {
        let text = |row: u32| self.data.name(row).map(|text| &**text);
        let mut enums = self.data.enums.iter();
        let found =
            enums.find(|known| text(known.name).is_some_and(|it| it.eq_ignore_ascii_case(name)))?;
        let plain = |text: &str| text.rsplit_once("::").map_or(0, |(around, _)| around.len() + 2);
        let wanted = &value[plain(value)..];
        let is_meant = |known: &str| known[plain(known)..].eq_ignore_ascii_case(wanted);
        let mut values = found.values.iter().enumerate();
        let (at, found) = values.find(|(_, known)| text(known.name).is_some_and(is_meant))?;
        // Older files say no numbers.
        Some(if found.number == 0 { at as u64 } else { found.number })
    }

    /// The properties of a class, its own first, then those of the classes it derives from.
    pub(in crate::property) fn schema(&self, class: &str) -> Option<Arc<Schema>> {
        self.schema_of_row(*self.structs.get(class.to_ascii_lowercase().as_str())?)
    }

    pub(in crate::property) fn schema_of_name(&self, name: u32) -> Option<Arc<Schema>> {
        self.schema_of_row(*self.by_name.get(&name)?)
    }

    fn schema_of_row(&self, row: u32) -> Option<Arc<Schema>> {
        let known = self.schemas.get(row as usize)?;
        known.get_or_init(|| Schema::build(self, row).map(Arc::new)).clone()
    }

    pub(in crate::property) fn row_of(&self, class: &str) -> Option<u32> {
        self.structs.get(class.to_ascii_lowercase().as_str()).copied()
    }

    pub(in crate::property) fn row_of_name(&self, name: u32) -> Option<u32> {
        self.by_name.get(&name).copied()
    }
}
