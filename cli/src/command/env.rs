//! The packages around a package.

use std::path::{Path, PathBuf};

use unreal_packages::environment::{Environment, Settings};

use crate::args::OpenArgs;
use crate::containers;
use crate::failure::Failure;
use crate::files::{warn_of_left_out, warn_of_outside, warn_of_surplus};
use crate::input;
use crate::output::Output;

/// The environment of these places and those of `--env`, in their order; its packages are opened as those near
/// `path` are.
pub fn environment(
    places: &[PathBuf],
    open: &OpenArgs,
    path: &Path,
) -> Result<Environment, Failure> {
    let mut all = Settings::from_folders::<PathBuf>([]);
    for place in places.iter().chain(open.env.iter().filter(|place| !places.contains(place))) {
        let settings = Settings::detect_with(place, input::links());
        all.extend(settings.map_err(|error| Failure::Usage(error.into()))?);
    }
    warn_of_outside(&all.outside);
    warn_of_surplus(&all.surplus_paths);
    let environment = Environment::new(all, open.options_of_others(path)?)
        .map_err(|error| Failure::Usage(error.into()))?;
    warn_of_left_out(environment.left_out());
    Ok(environment)
}

/// Warns of containers that could not be looked into: what is in them is missing from every answer.
pub fn warn_of_containers(environment: &Environment, out: &mut Output) -> Result<(), Failure> {
    environment
        .unopened_containers()
        .iter()
        .try_for_each(|(path, reason)| out.warn(format!("{}: {reason}", path.display())))
}

/// What other packages call the package in `file`.
pub fn package_name(environment: &Environment, file: &Path) -> String {
    if let Ok(Some((_, open, inside))) = containers::folder(file)
        && let Ok(row) = open.find(&inside)
    {
        return unreal_packages::container::package_name(&open.files()[row]);
    }
    let same = |path: &Path| {
        path == file || dunce::canonicalize(path).ok() == dunce::canonicalize(file).ok()
    };
    let stem = || file.file_stem().map(|stem| stem.to_string_lossy().into_owned());
    let found = environment
        .files()
        .find(|(_, found)| found.path.file_name() == file.file_name() && same(&found.path));
    found.map(|(_, found)| found.name.to_string()).or_else(stem).unwrap_or_default()
}
