//! The packages around a package.

use std::path::{Path, PathBuf};

use farchive::environment::{Environment, Settings};

use crate::args::OpenArgs;
use crate::failure::Failure;

/// The environment of these places and those of `--env`, in their order; its packages are opened as those near
/// `path` are.
pub fn environment(
    places: &[PathBuf],
    open: &OpenArgs,
    path: &Path,
) -> Result<Environment, Failure> {
    let mut all = Settings::from_folders::<PathBuf>([]);
    for place in places.iter().chain(open.env.iter().filter(|place| !places.contains(place))) {
        all.extend(Settings::detect(place).map_err(|error| Failure::Usage(error.into()))?);
    }
    Environment::new(all, open.options(path)?).map_err(|error| Failure::Usage(error.into()))
}

/// What other packages call the package in `file`.
pub fn package_name(environment: &Environment, file: &Path) -> String {
    let same = |path: &Path| path == file || path.canonicalize().ok() == file.canonicalize().ok();
    let stem = || file.file_stem().map(|stem| stem.to_string_lossy().into_owned());
    let found = environment
        .files()
        .find(|(_, found)| found.path.file_name() == file.file_name() && same(&found.path));
    found.map(|(_, found)| found.name.to_string()).or_else(stem).unwrap_or_default()
}
