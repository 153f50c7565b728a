//! The packages and mappings that are read.

use std::path::{Path, PathBuf};

use unreal_packages::package::{OpenOptions, Package};
use unreal_packages::property::Mappings;
use unreal_packages::version::UnrealVersions;
use unreal_packages::{Error, Guid};

type Read<T> = Result<T, Box<dyn std::error::Error>>;

/// A file as text; the error names it.
pub fn text(path: &Path) -> Read<String> {
    Ok(std::fs::read_to_string(path).map_err(|error| Error::io(path, error))?)
}

/// The files in a folder, in the order of their names.
pub fn files(folder: &Path) -> Read<Vec<PathBuf>> {
    let entries = std::fs::read_dir(folder).map_err(|error| Error::io(folder, error))?;
    let mut found: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
    found.sort();
    Ok(found)
}

/// Looks at each package of UE1 to UE3, with its name.
pub fn each_early(folder: &Path, mut look: impl FnMut(&str, &mut Package)) -> Read<()> {
    for path in files(folder)? {
        let Ok(mut package) = Package::open(&path) else { continue };
        // `867_0_UTEditor~2.u`: versions before the package's name, a count behind it.
        let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let name = stem.rsplit('_').next().unwrap_or_default();
        look(name.split('~').next().unwrap_or_default(), &mut package);
    }
    Ok(())
}

/// Looks at each package of UE4 and UE5 whose properties have tags, decoded.
pub fn each_later(folder: &Path, mut look: impl FnMut(&Package)) -> Read<()> {
    let text = text(&folder.join("manifest.tsv"))?;
    let mut lines = text.lines().map(|line| line.split('\t').collect::<Vec<_>>());
    let head = lines.next().unwrap_or_default();
    let column = |name: &str| head.iter().position(|column| *column == name).unwrap_or(0);
    let (name, hint) = (column("file"), column("engine_hint"));
    for line in lines {
        let path = folder.join(line[name]);
        if !path.extension().is_some_and(|end| end == "uasset" || end == "umap") {
            continue;
        }
        // The manifest says how packages without versions are opened.
        let options = match line.get(hint).map(|hint| hint.parse()) {
            Some(Ok(release)) => OpenOptions::new().engine(release),
            _ => OpenOptions::new(),
        };
        let Ok(mut package) = options.open(&path) else { continue };
        if !package.versions().unversioned_properties() {
            package.decode_all();
            look(&package);
        }
    }
    Ok(())
}

/// The mappings in a folder.
pub fn mappings(folder: &Path) -> Read<Vec<Mappings>> {
    let mut found = Vec::new();
    for path in files(folder)? {
        found.push(Mappings::from_bytes(&std::fs::read(path)?)?);
    }
    Ok(found)
}

/// Whether a struct of this GUID is the engine's: those that projects make have one.
pub fn is_engines(guid: &Guid, package: &str) -> bool {
    *guid == Guid::default() && !package.starts_with("/Game")
}
