//! `--env`: the packages around a package.

use std::path::{Path, PathBuf};

use clap::Args;
use farchive::environment::{Environment, Settings};
use farchive::package::Package;

use crate::args::OpenArgs;
use crate::failure::Failure;

/// Where the packages are that a package belongs with.
#[derive(Debug, Clone, Args)]
pub struct EnvArgs {
    /// A game's folder, its ini file, or a folder of packages: what they declare is used (may be repeated)
    #[arg(long, value_name = "DIR", alias = "search")]
    pub env: Vec<PathBuf>,
}

impl EnvArgs {
    /// The environment, if one was named.
    pub fn environment(&self, open: &OpenArgs) -> Result<Option<Environment>, Failure> {
        match self.env[..] {
            [] => Ok(None),
            _ => environment(&self.env, open).map(Some),
        }
    }

    /// The environment that was named, or the folder that `file` lies in.
    pub fn around(&self, file: &Path, open: &OpenArgs) -> Result<Environment, Failure> {
        let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty());
        match self.environment(open)? {
            Some(environment) => Ok(environment),
            None => environment(&[folder.unwrap_or(Path::new(".")).to_path_buf()], open),
        }
    }

    /// Opens `file` as [`OpenArgs::open`] does and teaches it what the environment declares.
    pub fn open(&self, file: &Path, open: &OpenArgs) -> Result<Package, Failure> {
        let environment = self.environment(open)?;
        let mut package = open.open(file)?;
        if let Some(environment) = environment {
            environment.teach(&mut package);
        }
        Ok(package)
    }

    /// Teaches a package that is open what the environment declares.
    pub fn teach(&self, package: &mut Package, open: &OpenArgs) -> Result<(), Failure> {
        if let Some(environment) = self.environment(open)? {
            environment.teach(package);
        }
        Ok(())
    }
}

/// The environment of these places, in their order.
pub fn environment(places: &[PathBuf], open: &OpenArgs) -> Result<Environment, Failure> {
    let mut all = Settings::from_folders::<PathBuf>([]);
    for place in places {
        all.extend(Settings::detect(place).map_err(|error| Failure::Usage(error.into()))?);
    }
    Environment::new(all, open.options()?).map_err(|error| Failure::Usage(error.into()))
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
