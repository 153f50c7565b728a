//! Every operation fails once, the disk fills up at every operation, and the process dies at every operation;
//! then the run that clears up dies at every operation, too.

use std::sync::Arc;

use unreal_packages::file::{Disk, Operation, recover, recover_on};

use super::world::{BODIES, Failing, Fault, HEADER, Scene, World};

/// More than one write of 64 KiB, and less than one.
const SIZES: [usize; 2] = [40, 70_000];

/// Runs a replacement that fails; the number of operations that it asked for, and whether it was done. One
/// file whose folder can't be synced in the end has its name all the same.
fn run(world: &World, fault: Fault) -> (usize, bool) {
    let disk = Arc::new(Failing::new(fault));
    let done = world.replace(Disk::probed(disk.clone())).is_ok();
    let seen = disk.seen.lock().unwrap();
    let named = match fault {
        Fault::Once(at) if !world.scene.pair => {
            let before = seen.iter().take(at);
            let is_sync = seen.get(at).is_some_and(|(it, _)| *it == Operation::SyncFolder);
            let mut names =
                before.filter(|(it, _)| matches!(it, Operation::Rename | Operation::Link));
            is_sync && names.any(|(_, path)| path.ends_with(HEADER))
        }
        _ => false,
    };
    (disk.count(), done || named)
}

/// What must hold after a run that has reported its end.
fn check_reported(world: &World, done: bool, what: &str) {
    let before = if world.scene.there { "old" } else { "none" };
    let expected = if done { "new" } else { before };
    assert_eq!(world.state(), expected, "{what}");
    let backup = world.has_backup();
    assert!(!done || backup == world.scene.backup, "{what}");
    if !done && world.scene.pair && !world.scene.there {
        assert_eq!(world.read(BODIES), None, "{what}: bodies without a header");
    }
}

/// The same after the next run.
fn check_recovered(world: &World, what: &str) {
    let state = world.state();
    assert!(world.is_tidy(), "{what}: {:?}", world.names());
    assert!(state != "none" || !world.scene.there, "{what}: the package is gone");
    assert!(state != "none" || world.read(BODIES).is_none(), "{what}: bodies without a header");
    world.has_backup();
}

#[test]
fn an_operation_that_fails_leaves_the_old_package() {
    let mut runs = 0;
    for scene in SIZES.into_iter().flat_map(Scene::all) {
        let (operations, done) = run(&World::new(scene), Fault::None);
        assert!(done);
        for at in 0..operations {
            for fault in [Fault::Once(at), Fault::Full(at)] {
                let world = World::new(scene);
                let what = format!("{scene:?}, {fault:?}");
                let (_, done) = run(&world, fault);
                check_reported(&world, done, &what);
                recover(&world.path(HEADER)).unwrap();
                check_recovered(&world, &what);
                runs += 1;
            }
        }
    }
    println!("{runs} runs with a fault");
    assert!(runs > 500);
}

#[test]
fn a_run_that_is_killed_leaves_the_old_package_or_the_new_one() {
    let mut runs = 0;
    for scene in SIZES.into_iter().flat_map(Scene::all) {
        let (operations, _) = run(&World::new(scene), Fault::None);
        for at in 0..operations {
            let what = format!("{scene:?}, killed at {at}");
            let killed = || {
                let world = World::new(scene);
                run(&world, Fault::Killed(at));
                // Whoever looks now finds a whole package, or none while two files are being replaced.
                let state = world.state();
                assert!(state != "none" || !scene.there || scene.pair, "{what}");
                world
            };
            let world = killed();
            recover(&world.path(HEADER)).unwrap();
            check_recovered(&world, &what);
            runs += 1;
            // The run that clears up dies, too, wherever it can.
            for again in 0.. {
                let world = killed();
                let disk = Arc::new(Failing::new(Fault::Killed(again)));
                let ended = recover_on(&Disk::probed(disk.clone()), &world.path(HEADER)).is_ok();
                world.state();
                recover(&world.path(HEADER)).unwrap();
                check_recovered(&world, &format!("{what}, then at {again}"));
                runs += 1;
                if ended && disk.count() <= again {
                    break;
                }
            }
        }
    }
    println!("{runs} runs killed");
    assert!(runs > 1_000);
}

/// A crash of the whole machine keeps only what was synced: so everything is synced before the first name
/// changes, and the folder after the last one has.
#[test]
fn everything_is_synced_before_a_name_changes() {
    for scene in Scene::all(40) {
        let world = World::new(scene);
        let disk = Arc::new(Failing::new(Fault::None));
        world.replace(Disk::probed(disk.clone())).unwrap();
        let seen = disk.seen.lock().unwrap();
        let is = |kind: Operation| seen.iter().position(|(operation, _)| *operation == kind);
        let last = |kind: Operation| seen.iter().rposition(|(operation, _)| *operation == kind);
        let named = |path: &std::path::Path| [HEADER, BODIES].iter().any(|it| path.ends_with(it));
        let first_name = seen.iter().position(|(operation, path)| {
            matches!(operation, Operation::Rename | Operation::Link) && named(path)
        });
        assert!(last(Operation::Write) < last(Operation::Sync), "{scene:?}");
        assert!(last(Operation::Sync) < first_name, "{scene:?}");
        let last_name = seen
            .iter()
            .rposition(|(operation, path)| *operation == Operation::Rename && named(path));
        assert!(last(Operation::SyncFolder) > last_name, "{scene:?}");
        let writes = seen.iter().filter(|(operation, _)| *operation == Operation::Create).count();
        let syncs = seen.iter().filter(|(operation, _)| *operation == Operation::Sync).count();
        assert_eq!(writes, syncs, "{scene:?}");
        assert!(is(Operation::Create) < is(Operation::Sync));
    }
}
