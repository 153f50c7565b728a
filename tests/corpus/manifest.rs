//! The manifest of the corpus of UE4 and UE5: each file with how it is opened.

use std::collections::BTreeMap;
use std::path::PathBuf;
#[cfg(any(feature = "content", feature = "usmap-codecs"))]
use std::sync::{Arc, Mutex};

use unreal_packages::package::OpenOptions;
#[cfg(any(feature = "content", feature = "usmap-codecs"))]
use unreal_packages::property::Mappings;

use crate::folders::corpus;

/// A file of the manifest: columns by name.
pub struct Entry {
    pub path: PathBuf,
    columns: BTreeMap<String, String>,
}

impl Entry {
    pub fn name(&self) -> &str {
        self.column("file")
    }

    pub fn column(&self, name: &str) -> &str {
        &self.columns[name]
    }

    /// With the release that its header does not say.
    pub fn options(&self) -> OpenOptions {
        match self.column("engine_hint").parse() {
            Ok(release) => OpenOptions::new().engine(release),
            Err(_) => OpenOptions::new(),
        }
    }
}

// Some mappings are compressed.
#[cfg(feature = "usmap-codecs")]
impl Entry {
    /// Whether it leaves the names and types of properties out.
    pub fn is_unversioned(&self) -> bool {
        self.column("unversioned_properties") == "1"
    }

    /// With the release and its mappings, if it has any.
    pub fn options_with_mappings(&self) -> OpenOptions {
        match self.mappings() {
            Some(mappings) => self.options().mappings(mappings.unwrap()),
            None => self.options(),
        }
    }
}

#[cfg(any(feature = "content", feature = "usmap-codecs"))]
impl Entry {
    /// Whether mappings stand beside it.
    pub fn has_mappings(&self) -> bool {
        !self.column("usmap").is_empty()
    }

    /// With the release and its mappings, where it has some that this build reads.
    #[cfg(feature = "content")]
    pub fn options_with_readable_mappings(&self) -> OpenOptions {
        match self.mappings() {
            Some(Ok(mappings)) => self.options().mappings(mappings),
            _ => self.options(),
        }
    }

    /// Its mappings, if it has any; each file of them is read once.
    pub fn mappings(&self) -> Option<unreal_packages::Result<Arc<Mappings>>> {
        static READ: Mutex<BTreeMap<PathBuf, Arc<Mappings>>> = Mutex::new(BTreeMap::new());
        if !self.has_mappings() {
            return None;
        }
        let path = self.path.with_file_name(self.column("usmap"));
        let mut read = READ.lock().unwrap();
        if let Some(mappings) = read.get(&path) {
            return Some(Ok(mappings.clone()));
        }
        let mappings = Mappings::from_bytes(&std::fs::read(&path).unwrap()).map(Arc::new);
        Some(mappings.inspect(|mappings| {
            read.insert(path, mappings.clone());
        }))
    }
}

/// Every file.
pub fn files() -> Vec<Entry> {
    let folder = corpus().join("modern");
    let text = std::fs::read_to_string(folder.join("manifest.tsv"));
    let text = text.unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut lines = text.lines().map(|line| line.split('\t').map(str::to_owned));
    let head: Vec<_> = lines.next().unwrap().collect();
    let files: Vec<_> = lines
        .map(|line| head.iter().cloned().zip(line).collect::<BTreeMap<_, _>>())
        .map(|columns| Entry { path: folder.join(&columns["file"]), columns })
        .collect();
    assert!(!files.is_empty(), "the manifest names no file");
    files
}

/// Every package: files without their companions.
pub fn packages() -> Vec<Entry> {
    let is_package =
        |entry: &Entry| [".uasset", ".umap"].iter().any(|end| entry.name().ends_with(end));
    let packages: Vec<_> = files().into_iter().filter(is_package).collect();
    assert!(!packages.is_empty(), "the manifest names no package");
    packages
}
