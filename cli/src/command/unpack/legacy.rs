//! Packages of an IoStore container as the files that they were cooked as.

use std::path::Path;

use unreal_packages::container::Containers;
use unreal_packages::package::{OpenOptions, SaveOptions, ZenPackage};

use crate::input;

/// A package's header and bodies.
#[derive(Debug)]
pub struct LegacyFiles {
    pub header: Vec<u8>,
    pub bodies: Vec<u8>,
    /// Whether the way back gives the same bytes.
    pub is_exact: bool,
}

/// How packages of a container become legacy ones.
#[derive(Debug)]
pub struct LegacyForm {
    pub options: OpenOptions,
    /// Whether hashes stand for names that nobody knows.
    pub is_forced: bool,
}

impl LegacyForm {
    /// The files of a package in a container.
    ///
    /// # Errors
    /// In words, for a line: what it can't be opened or saved for, imports without a name.
    pub fn files(&self, container: &Path, inside: &str) -> Result<LegacyFiles, String> {
        let path = Containers::join(container, inside);
        let package = input::open(&path, &self.options).map_err(|error| error.to_string())?;
        let unknown = package.imports().iter().filter(|import| !import.is_known()).count();
        if unknown > 0 && !self.is_forced {
            return Err(format!(
                "{unknown} of its imports have no name: --script-objects and --env name them, --force takes their hashes"
            ));
        }
        let saved = ZenPackage::save_legacy(&package, &SaveOptions::new());
        let (saved, is_exact) = saved.map_err(|error| error.to_string())?;
        let at = saved.split.unwrap_or(saved.bytes.len() as u64) as usize;
        let (header, bodies) = saved.bytes.split_at(at.min(saved.bytes.len()));
        Ok(LegacyFiles { header: header.to_vec(), bodies: bodies.to_vec(), is_exact })
    }
}
