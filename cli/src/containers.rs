//! Containers on the command line: keys, paths that lead into them, patches.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use unreal_packages::container::iostore::IoStore;
use unreal_packages::container::zen::ZenHeader;
use unreal_packages::container::{
    BlockMethod, ContainerOptions, Containers, GameContainer, Keys, empty_pak, is_package,
    mount_order,
};
use unreal_packages::error::UnrealError;
use unreal_packages::file::Replacement;
use unreal_packages::package::Saved;
use unreal_packages::table::PACKAGE_TAG;
use unreal_packages::{EngineRelease, ErrorKind};

use crate::args;
use crate::config::Config;
use crate::failure::Failure;
use crate::input;
use crate::output::warn_early;
use crate::target::unwritten;

/// The keys of the command line.
static KEYS: Mutex<Option<Keys>> = Mutex::new(None);
/// Whether files are decrypted for which nothing proves a key.
static UNPROVEN_KEYS: AtomicBool = AtomicBool::new(false);
static OPEN: OnceLock<Arc<Containers>> = OnceLock::new();

/// A key, or a GUID and a key.
pub fn key(text: &str) -> Result<String, String> {
    Keys::new().with_text(text).map(|_| text.to_owned()).map_err(|error| error.to_string())
}

/// Opens containers with these keys from here on.
pub fn use_keys(texts: &[String]) -> Result<(), Failure> {
    let keys = texts.iter().try_fold(Keys::new(), |keys, text| keys.with_text(text))?;
    *KEYS.lock().unwrap_or_else(PoisonError::into_inner) = Some(keys);
    Ok(())
}

/// Decrypts with the first key where nothing proves one, from here on.
pub fn use_unproven_keys() {
    UNPROVEN_KEYS.store(true, Ordering::Relaxed);
}

/// The containers that are open, with the keys that the `upk.toml` near the first one asked for adds; `most` is
/// what a file in one may become.
pub fn open(path: &Path, most: Option<u64>) -> unreal_packages::Result<Arc<Containers>> {
    if let Some(known) = OPEN.get() {
        return Ok(known.clone());
    }
    let keys = KEYS.lock().unwrap_or_else(PoisonError::into_inner).clone().unwrap_or_default();
    let config = Config::near(path);
    let config = config.map_err(|wrong| ErrorKind::Invalid { reason: wrong.to_string() })?;
    let keys = config.keys.iter().try_fold(keys, |keys, text| keys.with_text(text))?;
    let mut options = ContainerOptions::new().keys(keys).links(input::links());
    options = options.unproven_keys(UNPROVEN_KEYS.load(Ordering::Relaxed));
    if let Some(most) = most {
        options = options.max_file(most);
    }
    Ok(OPEN.get_or_init(|| Arc::new(Containers::new(options))).clone())
}

/// A container with the folder in it that a path means; `None` for other paths.
pub fn folder(path: &Path) -> Result<Option<FolderInside>, Failure> {
    folder_within(path, None)
}

/// A container, what it is open as, and the path of a folder or file in it.
pub type FolderInside = (PathBuf, Arc<GameContainer>, String);

/// The same, where a file in it may become `most` bytes.
pub fn folder_within(path: &Path, most: Option<u64>) -> Result<Option<FolderInside>, Failure> {
    let (container, inside) = match Containers::split(path) {
        Some(split) => split,
        None if path.is_file() && GameContainer::is_named_so(path) => {
            (path.to_owned(), String::new())
        }
        None => return Ok(None),
    };
    let open = open(&container, most)?.container(&container);
    let open = open.map_err(|error| args::unopened(&container, error))?;
    // Names in a container may be those of its own files.
    input::note_all(&parts(&container));
    input::note_all(&stored_parts(&container, &open));
    Ok(Some((container, open, inside)))
}

/// Whether a file that is written is a container.
pub fn is_patch(path: &Path) -> bool {
    GameContainer::is_named_so(path)
}

/// A patch for a container: files of it, changed.
#[derive(Debug)]
pub struct Patch {
    /// The patch.
    path: PathBuf,
    overwrite: bool,
    /// The container that it changes.
    container: PathBuf,
    /// The changed files by their whole paths.
    files: Mutex<BTreeMap<String, Vec<u8>>>,
}

impl Patch {
    /// The patch at `path` for the container that `file` lies in, or is.
    pub fn new(path: &Path, overwrite: bool, file: &Path) -> Result<Self, Failure> {
        let shown = path.display();
        let Some(container) = container_of(file) else {
            let next = "name the package by its path in the game's container, or `upk pack FOLDER`";
            return Err(Failure::usage(format!(
                "'{shown}' would be a container, and '{}' lies in none\n  next: {next}",
                file.display()
            )));
        };
        let same = |a: &Path, b: &Path| {
            a.extension().map(|end| end.to_ascii_lowercase())
                == b.extension().map(|end| end.to_ascii_lowercase())
        };
        if !same(path, &container) {
            let end = container.extension().unwrap_or_default().to_string_lossy().into_owned();
            return Err(Failure::usage(format!(
                "'{shown}': a patch for {} is a .{end} file\n  next: name it so",
                container.display()
            )));
        }
        refuse_own(path, &container)?;
        for path in parts(path) {
            if !overwrite && path.symlink_metadata().is_ok() {
                let path = path.display();
                let next = "name another file, or --overwrite";
                return Err(Failure::usage(format!("'{path}' is there already\n  next: {next}")));
            }
        }
        if mount_order(path).0 == 0 {
            warn_early(&format!(
                "{shown} is not called as patches are: a game looks into it only where its name comes behind that of \
                 {}\n  next: let the name end in _P",
                container.file_name().unwrap_or_default().to_string_lossy()
            ));
        }
        let files = Mutex::default();
        Ok(Self { path: path.to_owned(), overwrite, container, files })
    }

    /// What reports call it.
    pub fn shown(&self) -> String {
        self.path.display().to_string()
    }

    /// The whole path that a path means in the container.
    fn inside(&self, file: &Path) -> Result<String, Failure> {
        let (container, inside) = Containers::split(file).unwrap_or_default();
        if container != self.container {
            let (own, other) = (self.container.display(), file.display());
            let next = "make a patch for each container";
            return Err(Failure::usage(format!(
                "a patch is for one container: {own}, and {other} lies in another one\n  next: {next}"
            )));
        }
        let open = open(&container, None)?
            .container(&container)
            .map_err(|error| args::unopened(file, error))?;
        let row = open.find(&inside).map_err(|error| args::unopened(file, error))?;
        Ok(open.files().get(row).cloned().unwrap_or_default())
    }

    /// Takes a changed package into it.
    pub fn add(&self, file: &Path, saved: &Saved) -> Result<(), Failure> {
        let package = self.inside(file)?;
        let stem = package.rsplit_once('.').map_or(package.as_str(), |(stem, _)| stem);
        let mut files = Vec::new();
        let (header, bodies) = match saved.split {
            Some(at) => saved.bytes.split_at(at as usize),
            None => (&saved.bytes[..], &[][..]),
        };
        if saved.split.is_some() {
            files.push((format!("{stem}.uexp"), bodies.to_vec()));
        }
        for (kind, bytes) in &saved.companions {
            files.push((format!("{stem}.{}", kind.extension()), bytes.to_vec()));
        }
        files.push((package, header.to_vec()));
        self.files.lock().unwrap_or_else(PoisonError::into_inner).extend(files);
        Ok(())
    }

    /// Takes a changed file into it that is no package.
    pub fn add_file(&self, file: &Path, bytes: &[u8]) -> Result<(), Failure> {
        let inside = self.inside(file)?;
        self.files.lock().unwrap_or_else(PoisonError::into_inner).insert(inside, bytes.to_vec());
        Ok(())
    }

    /// Writes it with all that it has taken; how many files that are.
    pub fn write(&self, engine: Option<EngineRelease>) -> Result<usize, Failure> {
        let files = std::mem::take(&mut *self.files.lock().unwrap_or_else(PoisonError::into_inner));
        let files: Vec<(String, Vec<u8>)> = files.into_iter().collect();
        if files.is_empty() {
            return Ok(0);
        }
        let open = open(&self.container, None)?.container(&self.container)?;
        write_patch(&open, &self.path, self.overwrite, &files, None, engine)?;
        // What the game will read must be what was saved.
        let written = GameContainer::open(&self.path, &ContainerOptions::new())?;
        for (path, content) in &files {
            let row = written.find(path)?;
            if written.read_checked(row)? != content.as_slice() {
                let path = self.path.display();
                return Err(Failure::failed(format!(
                    "{path}: what was written is not what was saved"
                )));
            }
        }
        Ok(files.len())
    }
}

/// The container that a path leads into, or that it is itself.
fn container_of(path: &Path) -> Option<PathBuf> {
    let itself = || GameContainer::is_named_so(path) && path.is_file();
    Containers::split(path)
        .map(|(container, _)| container)
        .or_else(|| itself().then(|| path.to_owned()))
}

/// Whether a path is a container, or a folder in one: many packages.
pub fn is_many(path: &Path) -> bool {
    match Containers::split(path) {
        None => container_of(path).is_some(),
        Some((_, inside)) => {
            !is_package(&inside)
                && matches!(folder(path), Ok(Some((_, open, inside))) if !open.within(&inside).is_empty())
        }
    }
}

/// The `.utoc` file whose `.pak` this is: such a one is empty, and the game looks for the other by it.
pub fn store_beside(path: &Path, open: &GameContainer) -> Option<PathBuf> {
    let is_empty = matches!(open, GameContainer::Pak(_)) && open.files().is_empty();
    let store = path.with_extension("utoc");
    (is_empty && store.is_file()).then_some(store)
}

/// Refuses a container that only makes the game look at the one beside it.
///
/// # Errors
/// Wrong usage, with the command for the other one.
pub fn refuse_empty(path: &Path, open: &GameContainer, command: &str) -> Result<(), Failure> {
    let Some(store) = store_beside(path, open) else { return Ok(()) };
    let (path, store) = (path.display(), store.display());
    Err(Failure::usage(format!(
        "{path} is empty: the game looks for {store} by it\n  next: upk {command} {store}"
    )))
}

/// The files of a container at this path, there or not: those of IoStore with the `.pak` file that makes the game
/// look at them, and with the further partitions of blocks that are there.
pub fn parts(path: &Path) -> Vec<PathBuf> {
    let is_store = path.extension().is_some_and(|end| end.eq_ignore_ascii_case("utoc"));
    if !is_store {
        return vec![path.to_owned()];
    }
    let mut parts = ["utoc", "ucas", "pak"].map(|end| path.with_extension(end)).to_vec();
    parts.extend(further_partitions(path));
    parts
}

/// Files of blocks that are there beside the first one of a table of contents.
fn further_partitions(toc: &Path) -> impl Iterator<Item = PathBuf> {
    let partitions = (1..).map(|row| IoStore::partition_path(toc, row));
    partitions.take_while(|path| path.symlink_metadata().is_ok())
}

/// The files of a container that is open which are there: with all `.ucas` files.
pub fn stored_parts(path: &Path, open: &GameContainer) -> Vec<PathBuf> {
    let GameContainer::IoStore(store) = open else { return vec![path.to_owned()] };
    let header = store.toc_header();
    let count = header.partition_count.clamp(1, header.block_count.max(1));
    let blocks = (0..count).map(|row| IoStore::partition_path(path, row));
    std::iter::once(path.to_owned()).chain(blocks).collect()
}

/// A container is never written over while it is what the result is made of: the game's own file stays.
///
/// # Errors
/// For a result that is, or shares a file with, `container`.
pub fn refuse_own(path: &Path, container: &Path) -> Result<(), Failure> {
    let there = |path: &PathBuf| dunce::canonicalize(path).ok();
    let own: Vec<PathBuf> = parts(container).iter().filter_map(there).collect();
    let Some(same) =
        parts(path).into_iter().find(|part| there(part).is_some_and(|it| own.contains(&it)))
    else {
        return Ok(());
    };
    let next = "name another one that ends in _P: the game looks into that first";
    Err(Failure::usage(format!(
        "'{}' is the game's own container, which is never changed\n  next: {next}",
        same.display()
    )))
}

/// The header of a package in its zen form.
pub fn zen_header(
    bytes: &[u8],
    engine: Option<EngineRelease>,
) -> unreal_packages::Result<ZenHeader> {
    if bytes.starts_with(&PACKAGE_TAG.to_le_bytes()) {
        let reason = "IoStore containers hold packages in their zen form only: `upk convert FILE --to zen \
                      -o OUT` makes it";
        return Err(UnrealError::unsupported(reason).into());
    }
    let versions = engine.map(EngineRelease::versions);
    Ok(ZenHeader::load(bytes, versions.as_ref())?.0)
}

/// Writes a container with these files for one that is there.
pub fn write_patch(
    base: &GameContainer,
    path: &Path,
    overwrite: bool,
    files: &[(String, Vec<u8>)],
    method: Option<BlockMethod>,
    engine: Option<EngineRelease>,
) -> Result<(), Failure> {
    match base {
        GameContainer::Pak(pak) => {
            let written = Replacement::by(path, |out| pak.write_patch(files, method, out));
            written.overwrite(overwrite).commit().map(drop).map_err(unwritten)
        }
        GameContainer::IoStore(store) => write_store(path, overwrite, |out| {
            let name = path.file_stem().unwrap_or_default().to_string_lossy();
            store.write_patch(&name, files, method, &|bytes| zen_header(bytes, engine), out)
        }),
    }
}

/// Writes the files of an IoStore container as one set: `blocks` writes the blocks and gives the table of contents,
/// without which nobody looks at the others. Further partitions of a container that was there go.
pub fn write_store(
    path: &Path,
    overwrite: bool,
    blocks: impl FnOnce(&mut dyn std::io::Write) -> unreal_packages::Result<Vec<u8>>,
) -> Result<(), Failure> {
    let toc = RefCell::new(Vec::new());
    let pak = empty_pak()?;
    let table = Replacement::by(path, |out| {
        out.write_all(&toc.borrow()).map_err(|error| unreal_packages::Error::io(path, error))
    });
    let set = table.with_by(path.with_extension("ucas"), |out| {
        *toc.borrow_mut() = blocks(out)?;
        Ok(())
    });
    let set = set.with(path.with_extension("pak"), &pak);
    let set = further_partitions(path).fold(set, Replacement::without);
    set.overwrite(overwrite).commit().map(drop).map_err(unwritten)
}
