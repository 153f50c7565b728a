//! `--search`: the packages that a package imports from tell what their classes declare.

use std::path::PathBuf;

use clap::Args;
use farchive::package::{OpenOptions, Package};

/// Where to look for the packages that a package imports from.
#[derive(Debug, Clone, Args)]
pub struct SearchArgs {
    /// Look in this folder for packages whose classes are imported (may be repeated)
    #[arg(long, value_name = "DIR")]
    pub search: Vec<PathBuf>,
}

impl SearchArgs {
    /// Teaches `package` what the packages that it imports from declare. What is not found, or can't be
    /// opened, is passed over: then arrays and structs of its classes stay as they are.
    pub fn teach(&self, package: &mut Package) {
        if self.search.is_empty() {
            return;
        }
        let wanted: Vec<String> = package
            .imports()
            .iter()
            .filter(|import| import.entry().outer_index.is_null())
            .map(|import| import.name().to_ascii_lowercase())
            .collect();
        for folder in &self.search {
            for entry in walkdir::WalkDir::new(folder).sort_by_file_name().into_iter().flatten() {
                let stem = entry.path().file_stem().and_then(|stem| stem.to_str());
                let named = stem.is_some_and(|stem| wanted.contains(&stem.to_ascii_lowercase()));
                if named
                    && entry.file_type().is_file()
                    && let Ok(other) = OpenOptions::new().game(package.game()).open(entry.path())
                    && other.versions().engine() == package.versions().engine()
                {
                    package.know(&other.layouts());
                }
            }
        }
    }
}
