//! Other programs that write while a set is replaced, and files of theirs whose names are nearly the program's own.

use std::fmt;
use std::io::Write;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use unreal_packages::error::{UnrealError, UnrealErrors};
use unreal_packages::file::{Disk, DiskProbe, Operation, recover};

use super::world::{BODIES, HEADER, Scene, World};

const THEIRS: &[u8] = b"another program's";

/// A disk on which something happens right before an operation, once.
struct Meanwhile<F> {
    operation: Operation,
    end: &'static str,
    happens: F,
    has_happened: AtomicBool,
}

impl<F> fmt::Debug for Meanwhile<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Meanwhile")
    }
}

impl<F: Fn() + Send + Sync> DiskProbe for Meanwhile<F> {
    fn before(&self, operation: Operation, path: &Path) -> std::io::Result<()> {
        let name = path.file_name().unwrap().to_str().unwrap();
        if operation == self.operation
            && name.ends_with(self.end)
            && !self.has_happened.swap(true, Ordering::SeqCst)
        {
            (self.happens)();
        }
        Ok(())
    }
}

/// Replaces both files while another program changes `changed`: the run says so, that program's version has the file's
/// name, the other file is the old one, and nothing is left out of sight.
#[track_caller]
fn check(
    world: &World,
    changed: &str,
    (operation, end): (Operation, &'static str),
    happens: impl Fn() + Send + Sync + 'static,
) {
    let probe = Meanwhile { operation, end, happens, has_happened: AtomicBool::new(false) };
    let probe = Arc::new(probe);
    let error = world.replace(Disk::probed(probe.clone())).unwrap_err();
    let what = format!("{changed}, {operation:?} {end}: {error}");
    assert!(probe.has_happened.load(Ordering::SeqCst), "{what}");
    let Some(UnrealError::Changed { path, .. }) = error.unreal() else { panic!("{what}") };
    assert!(path.ends_with(changed), "{what}");
    for file in [HEADER, BODIES] {
        let old = world.scene.bytes(file, "old");
        let wanted = if file == changed { THEIRS } else { &old };
        assert_eq!(world.read(file).as_deref(), Some(wanted), "{what}: {file}");
    }
    assert!(world.is_tidy(), "{what}: {:?}", world.names());
}

fn worlds() -> impl Iterator<Item = World> {
    let scene = |backup| Scene { pair: true, there: true, backup, size: 40 };
    [false, true].into_iter().map(move |backup| World::new(scene(backup)))
}

#[test]
fn what_is_written_right_before_a_file_goes_aside_stays() {
    for (file, end) in [(HEADER, "-0.old"), (BODIES, "-1.old")] {
        for world in worlds() {
            let path = world.path(file);
            let write = move || std::fs::write(&path, THEIRS).unwrap();
            check(&world, file, (Operation::Rename, end), write);
        }
        for world in worlds() {
            let (path, new) = (world.path(file), world.path("new"));
            let rename = move || {
                std::fs::write(&new, THEIRS).unwrap();
                std::fs::rename(&new, &path).unwrap();
            };
            check(&world, file, (Operation::Rename, end), rename);
        }
    }
}

/// By a program that had it open before.
#[cfg(unix)]
#[test]
fn what_is_written_into_a_file_that_is_aside_gets_its_name_back() {
    for file in [HEADER, BODIES] {
        for world in worlds() {
            let open = std::fs::File::options().write(true).open(world.path(file)).unwrap();
            let write = move || {
                open.set_len(0).unwrap();
                (&open).write_all(THEIRS).unwrap();
            };
            // The last name that is given.
            check(&world, file, (Operation::Link, HEADER), write);
        }
    }
}

#[test]
fn only_names_of_exactly_this_form_are_its_own() {
    let world = World::new(Scene { pair: true, there: true, backup: false, size: 40 });
    let others = [
        ".upk-notes.tmp",
        ".upk-.tmp",
        ".upk-1.tmp",
        ".upk-1-notes.tmp",
        ".upk-x-abcdef.tmp",
        ".upk-1-abcdef-0.tmp",
        ".upk-1-abc.ef.tmp",
        ".upk-1-abcdefg.tmp",
        ".upk-notes.old",
        ".upk-notes.journal",
    ];
    for name in others.into_iter().chain([".upk-1-abcdef.tmp"]) {
        std::fs::write(world.path(name), "mine").unwrap();
    }
    world.replace(Disk::default()).unwrap();
    let mut wanted: Vec<_> = others.into_iter().chain([HEADER, BODIES]).collect();
    wanted.sort_unstable();
    assert_eq!(world.names(), wanted);
}

#[test]
fn a_lock_that_nobody_holds_goes_and_no_other() {
    let world = World::new(Scene { pair: false, there: true, backup: false, size: 40 });
    let lock = world.path(".upk-lock");
    let held = std::fs::File::create(&lock).unwrap();
    held.lock().unwrap();
    recover(&world.path(HEADER)).unwrap();
    assert!(lock.exists(), "a lock that is held went");
    drop(held);
    recover(&world.path(HEADER)).unwrap();
    assert!(!lock.exists(), "a lock that nobody holds stays");
    // Locks are empty: this is somebody's file.
    std::fs::write(&lock, "mine").unwrap();
    recover(&world.path(HEADER)).unwrap();
    world.replace(Disk::default()).unwrap();
    assert_eq!(std::fs::read(&lock).unwrap(), b"mine");
}
