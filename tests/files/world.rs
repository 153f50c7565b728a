//! A folder with a package of one or two files, and a disk that fails when told to.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use unreal_packages::file::{DiskProbe, Operation, Replaced, Replacement};

/// How a disk fails, counted in operations.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// Never.
    None,
    /// This operation alone.
    Once(usize),
    /// It takes no more bytes from this operation on; names can still change.
    Full(usize),
    /// The process dies before this operation: nothing is done after it.
    Killed(usize),
}

/// A disk that fails, and what was asked of it.
#[derive(Debug)]
pub struct Failing {
    fault: Fault,
    next: AtomicUsize,
    pub seen: Mutex<Vec<(Operation, PathBuf)>>,
}

impl Failing {
    pub fn new(fault: Fault) -> Self {
        Self { fault, next: AtomicUsize::new(0), seen: Mutex::new(Vec::new()) }
    }

    /// How many operations were asked for.
    pub fn count(&self) -> usize {
        self.next.load(Ordering::SeqCst)
    }
}

impl DiskProbe for Failing {
    fn before(&self, operation: Operation, path: &Path) -> io::Result<()> {
        let number = self.next.fetch_add(1, Ordering::SeqCst);
        self.seen.lock().unwrap().push((operation, path.to_owned()));
        let takes_room =
            matches!(operation, Operation::Create | Operation::Write | Operation::Link);
        let error = match self.fault {
            Fault::Once(at) if number == at => io::ErrorKind::Other,
            Fault::Full(from) if number >= from && takes_room => io::ErrorKind::StorageFull,
            Fault::Killed(from) if number >= from => io::ErrorKind::Interrupted,
            _ => return Ok(()),
        };
        Err(match error {
            // `write_all` would try again.
            io::ErrorKind::Interrupted => io::Error::other("killed"),
            kind => kind.into(),
        })
    }
}

/// What is replaced.
#[derive(Debug, Clone, Copy)]
pub struct Scene {
    /// Header and bodies, or one file.
    pub pair: bool,
    /// Whether there is something to replace.
    pub there: bool,
    pub backup: bool,
    /// Bytes of each file.
    pub size: usize,
}

impl Scene {
    pub fn all(size: usize) -> Vec<Self> {
        let mut all = Vec::new();
        for pair in [false, true] {
            for (there, backup) in [(false, false), (true, false), (true, true)] {
                all.push(Self { pair, there, backup, size });
            }
        }
        all
    }

    /// The bytes of a file in one of its states.
    pub fn bytes(&self, file: &str, state: &str) -> Vec<u8> {
        format!("{state} {file} ").into_bytes().into_iter().cycle().take(self.size).collect()
    }
}

/// A folder with what is replaced in it.
pub struct World {
    folder: tempfile::TempDir,
    pub scene: Scene,
}

pub const HEADER: &str = "Door.uasset";
pub const BODIES: &str = "Door.uexp";

impl World {
    pub fn new(scene: Scene) -> Self {
        // Nothing waits for a disk where memory can be one.
        let memory = Path::new("/dev/shm");
        let folder = tempfile::tempdir_in(memory).or_else(|_| tempfile::tempdir()).unwrap();
        let world = Self { folder, scene };
        for file in world.files().into_iter().filter(|_| scene.there) {
            std::fs::write(world.path(file), scene.bytes(file, "old")).unwrap();
        }
        world
    }

    pub fn files(&self) -> Vec<&'static str> {
        if self.scene.pair { vec![HEADER, BODIES] } else { vec![HEADER] }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Replaces everything by its new state.
    pub fn replace(&self, disk: unreal_packages::file::Disk) -> unreal_packages::Result<Replaced> {
        let scene = self.scene;
        let (header, bodies) = (scene.bytes(HEADER, "new"), scene.bytes(BODIES, "new"));
        let mut replacement = Replacement::new(self.path(HEADER), &header);
        if scene.pair {
            replacement = replacement.with(self.path(BODIES), &bodies);
        }
        replacement.overwrite(scene.there).backup(scene.backup).on(disk).commit()
    }

    pub fn read(&self, name: &str) -> Option<Vec<u8>> {
        std::fs::read(self.path(name)).ok()
    }

    /// Which state the package is in for somebody who looks at the header first and then at the bodies:
    /// `old`, `new` or, where there is no header, `none`. Anything else is a mixed pair or a torn file.
    pub fn state(&self) -> &'static str {
        let Some(header) = self.read(HEADER) else { return "none" };
        let whole = |state: &str| {
            header == self.scene.bytes(HEADER, state)
                && (!self.scene.pair || self.read(BODIES) == Some(self.scene.bytes(BODIES, state)))
        };
        ["old", "new"].into_iter().find(|state| whole(state)).expect("a mixed pair or a torn file")
    }

    /// Whether all backups are there; a backup that is torn or alone is a failure.
    pub fn has_backup(&self) -> bool {
        let backups = self.files().into_iter().map(|file| {
            let bytes = self.read(&format!("{file}.bak"));
            assert!(bytes.as_ref().is_none_or(|it| *it == self.scene.bytes(file, "old")), "torn");
            bytes.is_some()
        });
        let there: Vec<_> = backups.collect();
        assert!(there.iter().all(|one| *one == there[0]), "a backup of one file of two");
        there[0]
    }

    /// Everything in the folder.
    pub fn names(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.folder.path()).unwrap();
        let mut names: Vec<_> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    /// That nothing is left that a user does not know.
    pub fn is_tidy(&self) -> bool {
        self.names().iter().all(|name| !name.starts_with(".upk-"))
    }
}
