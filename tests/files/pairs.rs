//! Packages of two files: a header and bodies that belong together, and those that don't.

use std::sync::Arc;

use unreal_packages::edit::PackageEdit;
use unreal_packages::error::{UnrealError, UnrealErrors};
use unreal_packages::file::{Disk, backups, latest_backup, recover};
use unreal_packages::generate::NewAsset;
use unreal_packages::package::{OpenOptions, Package, SaveOptions};

use super::world::{BODIES, Failing, Fault, HEADER, Scene, World};

/// An asset as header and bodies.
fn split(health: &str) -> (Vec<u8>, Vec<u8>) {
    let kind = "float".parse().unwrap();
    let asset =
        NewAsset::object("/Game/Door", "/Script/MyGame.Door").property("Health", kind, health);
    let package = asset.build("4.27".parse().unwrap()).unwrap();
    let at = package.summary().total_header_size as usize;
    let bytes = package.to_bytes().unwrap();
    (bytes[..at].to_vec(), bytes[at..].to_vec())
}

#[test]
fn two_files_that_do_not_belong_together_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let (header, bodies) = (folder.path().join(HEADER), folder.path().join(BODIES));
    let (old, new) = (split("1"), split("2"));
    let write = |one: &[u8], other: &[u8]| {
        std::fs::write(&header, one).unwrap();
        std::fs::write(&bodies, other).unwrap();
    };
    write(&old.0, &old.1);
    assert_eq!(Package::open(&header).unwrap().split_at(), Some(old.0.len() as u64));
    // Bodies that are cut, bodies with something behind them, a header that is longer than it says.
    let longer = [&new.1[..], b"and more"].concat();
    let cut = &new.1[..new.1.len() / 2];
    let header_and_more = [&old.0[..], &[0; 4]].concat();
    for (one, other) in [(&old.0[..], cut), (&old.0, &longer), (&header_and_more, &old.1)] {
        write(one, other);
        let error = Package::open(&header).unwrap_err();
        let Some(UnrealError::MixedPair { header, bodies, .. }) = error.unreal() else {
            panic!("{error}")
        };
        assert!(header.ends_with(HEADER) && bodies.ends_with(BODIES), "{error}");
        assert!(OpenOptions::new().open_split(one, other).is_err());
    }
}

#[test]
fn headers_of_older_engines_have_no_bodies_beside_them() {
    let header = unreal_packages::generate::Builder::new(69).name("A").build().unwrap();
    let error = OpenOptions::new().open_split(&header, b"bodies").unwrap_err();
    assert!(matches!(error.unreal(), Some(UnrealError::NotAPackage { .. })), "{error}");
}

/// Replaced, kept and changed by another program: for two files as for one.
#[test]
fn both_files_are_saved_kept_and_watched() {
    let folder = tempfile::tempdir().unwrap();
    let (header, bodies) = (folder.path().join(HEADER), folder.path().join(BODIES));
    let old = split("1");
    std::fs::write(&header, &old.0).unwrap();
    std::fs::write(&bodies, &old.1).unwrap();
    let change = |value: &str| {
        let mut package = Package::open(&header).unwrap();
        package.edit(|edit| edit.set_property("Door", "Health", value)).unwrap();
        package
    };
    let package = change("2");
    let saved = package.save(&SaveOptions::new()).unwrap();
    let done = saved.replacement(&header).overwrite(true).backup(true).commit().unwrap();
    assert_eq!(done.files, [header.clone(), bodies.clone()]);
    let kept: Vec<_> = done.backups.iter().map(|path| std::fs::read(path).unwrap()).collect();
    assert_eq!(kept, [old.0, old.1]);
    let backup = latest_backup(&[&header, &bodies]).unwrap().unwrap();
    assert_eq!((backup.number, backups(&header).len()), (0, 1));
    assert_eq!(backup.of(&bodies).as_ref(), Some(&done.backups[1]));
    // The package that was opened first knows nothing of what stands there now.
    let saved = package.save(&SaveOptions::new());
    let error = saved.and_then(|saved| saved.write_file(&header)).unwrap_err();
    assert!(matches!(error.unreal(), Some(UnrealError::Changed { .. })), "{error}");
    // Bodies alone may change as well.
    let package = change("3");
    let mut bytes = std::fs::read(&bodies).unwrap();
    bytes.push(0);
    std::fs::write(&bodies, bytes).unwrap();
    let saved = package.save(&SaveOptions::new());
    let error = saved.and_then(|saved| saved.write_file(&header)).unwrap_err();
    assert!(error.to_string().contains(BODIES), "{error}");
}

/// Between the two renames nobody finds a package, and whoever asks is told why.
#[test]
fn a_replacement_that_was_cut_short_is_named_and_ended() {
    let scene = Scene { pair: true, there: true, backup: false, size: 40 };
    let mut met = 0;
    for at in 0.. {
        let world = World::new(scene);
        let disk = Arc::new(Failing::new(Fault::Killed(at)));
        let done = world.replace(Disk::probed(disk)).is_ok();
        if world.state() == "none" {
            let error = unreal_packages::file::read(&world.path(HEADER)).unwrap_err();
            assert!(matches!(error.unreal(), Some(UnrealError::Unfinished { .. })), "{error}");
            assert!(recover(&world.path(HEADER)).unwrap());
            assert_eq!(world.state(), "new", "all was written: it is finished");
            met += 1;
        }
        if done {
            break;
        }
    }
    assert!(met > 2);
}

/// Another program has written while nobody ended the replacement: its files stay.
#[test]
fn an_old_journal_does_not_touch_newer_files() {
    let scene = Scene { pair: true, there: true, backup: false, size: 40 };
    for at in 0..40 {
        let world = World::new(scene);
        world.replace(Disk::probed(Arc::new(Failing::new(Fault::Killed(at))))).ok();
        std::fs::write(world.path(HEADER), b"newer").unwrap();
        std::fs::write(world.path(BODIES), b"newer, too").unwrap();
        recover(&world.path(HEADER)).unwrap();
        assert_eq!(world.read(HEADER).unwrap(), b"newer");
        assert_eq!(world.read(BODIES).unwrap(), b"newer, too");
        assert!(world.is_tidy());
    }
}

/// Somebody has put the old header back by hand: the package is ended as a whole, and nothing stays in the way.
#[test]
fn a_header_that_was_put_back_by_hand_is_no_obstacle() {
    let scene = Scene { pair: true, there: true, backup: false, size: 40 };
    for at in 0..40 {
        let world = World::new(scene);
        world.replace(Disk::probed(Arc::new(Failing::new(Fault::Killed(at))))).ok();
        if world.state() == "none" {
            std::fs::write(world.path(HEADER), scene.bytes(HEADER, "old")).unwrap();
        }
        recover(&world.path(HEADER)).unwrap();
        assert!(["old", "new"].contains(&world.state()));
        assert!(world.is_tidy());
        world.replace(Disk::default()).unwrap();
    }
}

/// A journal and its files that came with a download: nothing of this folder goes or changes.
#[test]
fn a_journal_from_elsewhere_does_nothing() {
    let scene = Scene { pair: true, there: true, backup: false, size: 40 };
    let mut met = 0;
    for at in 0..40 {
        let world = World::new(scene);
        world.replace(Disk::probed(Arc::new(Failing::new(Fault::Killed(at))))).ok();
        if !world.names().iter().any(|name| name.ends_with(".journal")) || world.state() != "old" {
            continue;
        }
        // The same names and bytes, as an archive unpacks them.
        let other = World::new(scene);
        for name in world.names() {
            std::fs::write(other.path(&name), world.read(&name).unwrap()).unwrap();
        }
        recover(&other.path("another.file")).unwrap();
        assert_eq!(other.state(), "old");
        assert!(recover(&other.path(HEADER)).is_err());
        assert_eq!(other.state(), "old");
        std::fs::write(other.path(".upk-1-xxxxxx.journal"), "upk journal 3\n").unwrap();
        recover(&other.path("another.file")).unwrap();
        met += 1;
    }
    assert!(met > 0);
}

/// The newest backup has the highest number, whatever was removed or seen before.
#[test]
fn backups_stand_in_the_order_in_which_they_were_made() {
    let scene = Scene { pair: false, there: true, backup: true, size: 40 };
    let world = World::new(scene);
    let path = world.path(HEADER);
    let put = |bytes: &[u8]| {
        let done =
            unreal_packages::file::Replacement::new(&path, bytes).overwrite(true).backup(true);
        done.commit().unwrap()
    };
    for value in ["1", "2", "1", "3"] {
        put(value.as_bytes());
    }
    let numbers = || backups(&path).iter().map(|backup| backup.number).collect::<Vec<_>>();
    assert_eq!(numbers(), [0, 1, 2, 3]);
    let latest = || std::fs::read(latest_backup(&[&path]).unwrap().unwrap().path).unwrap();
    assert_eq!(latest(), b"1");
    std::fs::remove_file(world.path("Door.uasset.bak")).unwrap();
    put(b"4");
    assert_eq!((numbers(), latest()), (vec![1, 2, 3, 4], b"3".to_vec()));
    // The newest one is the same already.
    std::fs::write(&path, b"3").unwrap();
    put(b"5");
    assert_eq!(numbers(), [1, 2, 3, 4]);
}
