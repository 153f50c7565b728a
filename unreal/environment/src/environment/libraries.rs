//! Native classes and the libraries that hold their code.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use super::{Digest, Environment};
use crate::Engine;
use crate::primitive::ObjectFlags;

/// Extensions of libraries, by system.
const EXTENSIONS: [&str; 3] = ["dll", "so", "dylib"];

/// A package whose native classes have no library beside it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MissingLibrary {
    /// The package.
    pub package: String,
    /// The folder that it lies in.
    pub folder: PathBuf,
}

impl Digest {
    /// Whether it has classes whose code is in a library: UE1 and UE2, where each package has one of its own.
    pub fn has_native_classes(&self) -> bool {
        matches!(self.engine(), Engine::Ue1 | Engine::Ue2)
            && self.exports.iter().any(|row| {
                row.class.value() == 0 && u64::from(row.flags) & ObjectFlags::NATIVE.0 != 0
            })
    }
}

impl Environment {
    /// Packages with native classes and without a library, in folders that have one for `Core`: where that is
    /// missing, the engine is one program, which holds the code of all.
    pub fn missing_libraries(&self) -> Vec<MissingLibrary> {
        let mut libraries: HashMap<PathBuf, Vec<String>> = HashMap::new();
        let mut missing = Vec::new();
        for (id, file) in self.files() {
            let Some(folder) = file.path.parent() else { continue };
            let end = file.path.extension().and_then(|end| end.to_str()).unwrap_or_default();
            if !end.eq_ignore_ascii_case("u") || !self.is_found(id) {
                continue;
            }
            let known = libraries.entry(folder.to_owned()).or_insert_with(|| libraries_in(folder));
            let has = |name: &str| known.iter().any(|known| known.eq_ignore_ascii_case(name));
            if !has("Core") || has(&file.name) {
                continue;
            }
            if self.digest(id).is_ok_and(|digest| digest.has_native_classes()) {
                let (package, folder) = (file.name.to_string(), folder.to_owned());
                missing.push(MissingLibrary { package, folder });
            }
        }
        missing
    }
}

/// The names of the libraries in a folder.
fn libraries_in(folder: &Path) -> Vec<String> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let name = |path: PathBuf| {
        let end = path.extension()?.to_str()?.to_ascii_lowercase();
        let name = path.file_stem()?.to_str()?.to_owned();
        EXTENSIONS.contains(&end.as_str()).then_some(name)
    };
    entries.flatten().filter_map(|entry| name(entry.path())).collect()
}
