//! One side of a comparison of builds: the packages and other files of a folder, of a container, of a folder of
//! containers.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rayon::prelude::*;
use unreal_packages::container::iostore::ChunkKind;
use unreal_packages::container::{Containers, GameContainer, is_package, mount_order};
use unreal_packages::environment::is_passed_over;
use unreal_packages::error::{UnrealError, UnrealErrors};
use unreal_packages::file;
use unreal_packages::package::{CompanionKind, OpenOptions, Package};
use unreal_packages::scan::{ClassSize, class_sizes, content_hash, content_hash_of};
use unreal_packages::{Error, ErrorKind};

use crate::containers;
use crate::failure::Failure;
use crate::files::{parent_of, search};
use crate::input;
use crate::output::{Output, count, printable};
use crate::progress;
use crate::related;

/// The sizes of objects by class.
pub(super) type ClassSizes = BTreeMap<String, ClassSize>;

/// A package or another file of a build.
#[derive(Debug)]
pub(super) struct BuildFile {
    /// Where it is; it may lie in a container.
    pub path: PathBuf,
    /// The hash of its content; `None` where it can't be read: then it is the same as no other.
    pub hash: Option<String>,
    /// Its bytes, and those of the files that belong to it.
    pub bytes: u64,
}

/// Files by their own path: in a container that which the game knows, in a folder that below the folder.
pub(super) type BuildFiles = BTreeMap<String, BuildFile>;

/// One side.
#[derive(Debug, Default)]
pub(super) struct BuildSide {
    pub packages: BuildFiles,
    /// What is no package: registries, texts of languages, settings.
    pub others: BuildFiles,
    /// How many files lie under others of their path, in patches.
    pub covered: usize,
    /// The sizes of all objects by class, where they are wanted.
    pub classes: ClassSizes,
}

/// Whether a path is a folder, a container or a folder in one.
pub(super) fn is_build(path: &Path) -> Result<bool, Failure> {
    if path.is_dir() {
        return Ok(true);
    }
    if input::is_standard(path) {
        return Ok(false);
    }
    match Containers::split(path) {
        Some((_, inside)) if is_package(&inside) => Ok(false),
        _ => {
            let folder = containers::folder(path)?;
            Ok(folder.is_some_and(|(_, open, inside)| {
                !open.within(&inside).is_empty() || inside.is_empty()
            }))
        }
    }
}

/// What a search has found, before anything is read.
#[derive(Debug, Default)]
pub(super) struct BuildPaths {
    packages: BTreeMap<String, PathBuf>,
    others: BTreeMap<String, PathBuf>,
    covered: usize,
    /// Folders with IoStore containers.
    pub stores: BTreeSet<PathBuf>,
}

impl BuildSide {
    /// Reads each file once: what is in memory is bounded by the largest one.
    pub fn read(
        paths: BuildPaths,
        options: &OpenOptions,
        with_sizes: bool,
        out: &mut Output,
    ) -> Result<Self, Failure> {
        let BuildPaths { packages, mut others, covered, .. } = paths;
        let mut side = Self { covered, ..Self::default() };
        let bar = progress::bar(packages.len() + others.len(), "files");
        let read = |(own, path): (String, PathBuf)| {
            let found = package(&path, options, with_sizes);
            bar.inc(1);
            match found {
                Some((file, classes)) => Ok((own, file, classes)),
                None => Err((own, path)),
            }
        };
        // In parts, so that the sizes of all packages are not held at once.
        let mut packages = packages.into_iter();
        loop {
            let part: Vec<_> = packages.by_ref().take(PART).collect();
            if part.is_empty() {
                break;
            }
            let found: Vec<_> = part.into_par_iter().map(read).collect();
            for found in found {
                match found {
                    Ok((own, file, classes)) => {
                        side.packages.insert(own, file);
                        add_sizes(&mut side.classes, classes);
                    }
                    // Only its content says that it is none.
                    Err((own, path)) => drop(others.insert(own, path)),
                }
            }
        }
        let read = |(own, path): (String, PathBuf)| {
            let found = of_other(&path);
            bar.inc(1);
            match found {
                Ok((hash, bytes)) => (own, BuildFile { path, hash: Some(hash), bytes }, None),
                Err(error) => (own, BuildFile { path, hash: None, bytes: 0 }, Some(error)),
            }
        };
        let found: Vec<_> = others.into_par_iter().map(read).collect();
        bar.finish_and_clear();
        for (own, file, error) in found {
            if let Some(error) = error {
                out.warn(printable(&format!("{own}: {error}")))?;
            }
            side.others.insert(own, file);
        }
        Ok(side)
    }

    /// The bytes of all files.
    pub fn bytes(&self) -> u64 {
        let all = self.packages.values().chain(self.others.values());
        all.map(|file| file.bytes).fold(0, u64::saturating_add)
    }
}

/// Packages whose sizes are held at once.
const PART: usize = 256;

fn add_sizes(sum: &mut ClassSizes, classes: ClassSizes) {
    for (class, ClassSize { objects, bytes }) in classes {
        let sum = sum.entry(class).or_default();
        sum.objects += objects;
        sum.bytes = sum.bytes.saturating_add(bytes);
    }
}

impl BuildPaths {
    /// Looks for the files.
    ///
    /// # Errors
    /// A folder that can't be listed, a container that can't be opened.
    pub fn find(place: &Path, out: &mut Output) -> Result<Self, Failure> {
        let mut paths = Self::default();
        if let Some((container, open, inside)) = containers::folder(place)? {
            paths.add_container(&container, &open, open.within(&inside));
            return Ok(paths);
        }
        let found = search(&[place.to_owned()])?;
        if let Some((path, reason)) = found.unlisted.first() {
            return Err(Failure::usage(format!("{}: {reason}", path.display())));
        }
        let is_container = |path: &Path| GameContainer::is_named_so(path) && path.is_file();
        // What only has the name of a container is none.
        let is_none =
            |error: &Error| matches!(error.unreal(), Some(UnrealError::NotAPackage { .. }));
        let (mut all, mut unopened) = (Vec::new(), found.unopened);
        for (path, _) in found.files {
            if is_container(&path) {
                if unopened.iter().all(|(other, _)| *other != path) {
                    all.push(path);
                }
            } else if Containers::split(&path).is_none() {
                paths.add_loose(place, path);
            }
        }
        // What the engine looks into first comes last here, and takes the place of others.
        all.sort_by_cached_key(|path| mount_order(path));
        // Of what lies in a container, other files would only say so again: blocks, signatures.
        let mut parts = HashSet::new();
        let mut open_all = Vec::with_capacity(all.len());
        for path in all {
            let Some((container, open, _)) = containers::folder(&path)? else { continue };
            parts.extend(containers::stored_parts(&container, &open));
            parts.insert(container.with_extension("sig"));
            open_all.push((container, open));
        }
        paths.leave_out(&parts);
        for (container, open) in open_all {
            let rows = open.within("");
            paths.add_container(&container, &open, rows);
        }
        // Browsers in a game have files of that name, too; but one that was cut short looks like them.
        let others = unopened.extract_if(.., |(_, error)| is_none(error)).collect::<Vec<_>>();
        if let Some((first, _)) = others.first() {
            let files = count(others.len() as u64, "file is", "files are");
            let first = first.display();
            out.warn(format!(
                "{files} called like a container and no container, or cut short: {first}"
            ))?;
        }
        // A build without one of its containers would look as if packages had gone.
        match unopened.into_iter().next() {
            Some((path, error)) => Err(crate::args::unopened(&path, error)),
            None => Ok(paths),
        }
    }

    fn add_loose(&mut self, folder: &Path, path: PathBuf) {
        let own = path.strip_prefix(folder).unwrap_or(&path).display().to_string();
        let own = own.replace('\\', "/");
        let files = if related::is_named_so(&path) { &mut self.others } else { &mut self.packages };
        files.insert(own, path);
    }

    /// Leaves out loose files that are parts of containers, or belong to a package and are read with it.
    fn leave_out(&mut self, parts: &HashSet<PathBuf>) {
        let packages = self.packages.keys().filter(|own| is_package(own));
        let packages: HashSet<String> = packages.map(|own| stem(own)).collect();
        self.packages.retain(|own, path| !parts.contains(path) && !belongs(own, &packages));
    }

    /// The files of a container, over those of containers that the engine looks into later; a file that a patch takes
    /// away is gone.
    fn add_container(&mut self, container: &Path, open: &Arc<GameContainer>, rows: Vec<usize>) {
        if open.as_store().is_some() {
            self.stores.insert(parent_of(container).to_owned());
        }
        let own = |row: usize| open.files().get(row).map_or("", String::as_str);
        let packages = rows.iter().map(|row| own(*row)).filter(|path| is_package(path));
        let packages: HashSet<String> = packages.map(stem).collect();
        for row in rows {
            let path = own(row);
            let kind = open.as_store().and_then(|store| store.kind_of(row));
            if kind == Some(ChunkKind::ContainerHeader) {
                continue;
            }
            if belongs(path, &packages) {
                continue;
            }
            let files = if is_package(path) { &mut self.packages } else { &mut self.others };
            let is_gone = open.file(row).is_ok_and(|file| file.deleted);
            let before = match is_gone {
                true => files.remove(path),
                false => files.insert(path.to_owned(), Containers::join(container, path)),
            };
            self.covered += usize::from(before.is_some());
        }
    }
}

/// A path without its extension; case does not matter.
fn stem(path: &str) -> String {
    path.rsplit_once('.').map_or(path, |(stem, _)| stem).to_lowercase()
}

/// Whether a file is called as one that is read with one of these packages, which are without their extensions.
fn belongs(path: &str, packages: &HashSet<String>) -> bool {
    let own = || path.strip_suffix(".m.ubulk").map_or_else(|| stem(path), str::to_lowercase);
    !is_package(path)
        && CompanionKind::is_of_a_package(Path::new(path))
        && packages.contains(&own())
}

/// The hash and the bytes of what is no package; a file by itself is read piece by piece.
fn of_other(path: &Path) -> Result<(String, u64), Error> {
    if Containers::split(path).is_some() {
        let content = input::read(path)?.0;
        return Ok((content_hash(&content), content.len() as u64));
    }
    input::note_all(&[path.to_owned()]);
    let file = file::open(path, file::FileOrigin::Found)?.0;
    content_hash_of(file).map_err(|error| Error::io(path, error))
}

/// A package, also a broken one, with the sizes of its objects; `None` for what is none.
fn package(
    path: &Path,
    options: &OpenOptions,
    with_sizes: bool,
) -> Option<(BuildFile, ClassSizes)> {
    let package = match options.open(path) {
        Ok(package) => package,
        Err(error) if is_passed_over(path, &error) => return None,
        // Damaged ones differ where their bytes do.
        Err(_) => {
            let (hash, bytes) = of_damaged(path).map_or((None, 0), |it| (Some(it.0), it.1));
            return Some((BuildFile { path: path.to_owned(), hash, bytes }, ClassSizes::new()));
        }
    };
    let apart = || package.companions().iter().filter(|it| it.kind != CompanionKind::Exports);
    let bytes = package.file().len() as u64 + apart().map(|it| it.size).sum::<u64>();
    let classes = if with_sizes { class_sizes(&package) } else { ClassSizes::new() };
    Some((BuildFile { path: path.to_owned(), hash: hash(&package), bytes }, classes))
}

/// Header and bodies are one package, in one file or two, and files with bulk data belong to it.
fn hash(package: &Package) -> Option<String> {
    let own = content_hash(package.file());
    let apart = package.companions().iter().filter(|it| it.kind != CompanionKind::Exports);
    let apart = apart.map(|it| Some(format!(" {:?} {}", it.kind, it.content_hash().ok()?)));
    apart.collect::<Option<String>>().map(|apart| own + &apart)
}

/// The hash of a package that can't be opened, with that of its bodies, and the bytes of both; `None` where one can't
/// be read.
fn of_damaged(file: &Path) -> Option<(String, u64)> {
    let read = |path: &Path| match Containers::split(path) {
        Some(_) => input::read(path),
        None => file::read_found(path),
    };
    let header = read(file).ok()?.0;
    let bodies = CompanionKind::Exports.path_beside(file);
    let is_missing =
        |error: &Error| error.is_not_found() || matches!(error.kind(), ErrorKind::NotFound { .. });
    match read(&bodies) {
        Ok((bodies, _)) => content_hash_of((&*header).chain(&*bodies)).ok(),
        Err(error) if is_missing(&error) => Some((content_hash(&header), header.len() as u64)),
        Err(_) => None,
    }
}
