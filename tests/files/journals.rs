//! The states of a journal, all of them in a small model: runs that die at every operation, and again while what
//! they have left is ended; files of other programs at every place; journals that don't count.

use std::path::Path;
use std::sync::Arc;

use unreal_packages::error::{UnrealError, UnrealErrors};
use unreal_packages::file::{Disk, DiskProbe, FileFacts, Operation, recover, recover_on};

use super::sets::{Contents, SENTINEL, SetScene, SetWorld, unhex};
use super::world::{Failing, Fault};

/// A disk of which a test says what the system knows of a file.
struct Said<F>(F);

impl<F> std::fmt::Debug for Said<F> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Said")
    }
}

impl<F: Fn(&Path, FileFacts) -> FileFacts + Send + Sync> DiskProbe for Said<F> {
    fn before(&self, _: Operation, _: &Path) -> std::io::Result<()> {
        Ok(())
    }

    fn facts(&self, path: &Path, facts: FileFacts) -> FileFacts {
        self.0(path, facts)
    }
}

/// Every folder that a killed run may leave, with what it is.
fn each_killed(mut look: impl FnMut(SetScene, usize, String)) {
    for scene in SetScene::few() {
        for at in 0.. {
            if SetWorld::killed(scene, at).is_none() {
                break;
            }
            look(scene, at, format!("{scene:?}, killed at {at}"));
        }
    }
}

#[test]
fn a_set_is_replaced_as_one() {
    for scene in SetScene::all() {
        let world = SetWorld::new(scene);
        world.replace(Disk::default()).unwrap();
        assert_eq!(world.found(), world.set("new"), "{scene:?}");
        world.check_tidy(&format!("{scene:?}"));
        let kept = world.contents().into_keys().filter(|name| name.ends_with(".bak")).count();
        let there = scene.members.iter().filter(|member| member.0).count();
        assert_eq!(kept, if scene.backup { there } else { 0 }, "{scene:?}");
    }
}

#[test]
fn a_set_is_old_or_new_after_every_fault() {
    let mut runs = 0;
    for scene in SetScene::all() {
        let disk = Arc::new(Failing::new(Fault::None));
        SetWorld::new(scene).replace(Disk::probed(disk.clone())).unwrap();
        for at in 0..disk.count() {
            for fault in [Fault::Once(at), Fault::Full(at)] {
                let (world, what) = (SetWorld::new(scene), format!("{scene:?}, {fault:?}"));
                let done = world.replace(Disk::probed(Arc::new(Failing::new(fault)))).is_ok();
                world.check_visible(&what);
                assert!(!done || world.found() == world.set("new"), "{what}: {:?}", world.found());
                // What was refused was undone, but for a head alone that has its name already.
                let is_undone = world.found() == world.set("old");
                assert!(done || is_undone || world.found() == world.set("new"), "{what}");
                recover(&world.head()).unwrap();
                world.check_ended(&what);
                runs += 1;
            }
        }
    }
    assert!(runs > 400, "{runs}");
}

#[test]
fn a_set_is_old_or_new_wherever_runs_are_killed() {
    let mut runs = 0;
    each_killed(|scene, at, what| {
        for again in 0.. {
            let Some(world) = SetWorld::killed(scene, at) else { return };
            world.check_visible(&what);
            // The run that ends it dies as well, and the one after that does not.
            let what = format!("{what}, then at {again}");
            let disk = Arc::new(Failing::new(Fault::Killed(again)));
            let ended = recover_on(&Disk::probed(disk.clone()), &world.head()).is_ok();
            world.check_visible(&what);
            recover(&world.head()).unwrap();
            world.check_ended(&what);
            runs += 1;
            if ended && disk.count() <= again {
                break;
            }
        }
    });
    assert!(runs > 400, "{runs}");
}

/// What is in a folder, with its own temporary new files taken out: those have names that are this program's.
fn others(mut contents: Contents) -> Contents {
    contents.retain(|name, _| !name.ends_with(".tmp") && !name.ends_with("-lock"));
    contents
}

#[test]
fn files_of_other_programs_stay_at_every_place() {
    let mut runs = 0;
    each_killed(|scene, at, what| {
        let Some(places) = SetWorld::killed(scene, at).map(|world| world.places().len()) else {
            return;
        };
        for place in 0..places {
            let Some(world) = SetWorld::killed(scene, at) else { return };
            let Some(name) = world.places().into_iter().nth(place) else { continue };
            let what = format!("{what}, another program's file at {name}");
            let path = world.path(&name);
            let _ = std::fs::remove_file(&path);
            std::fs::write(&path, "another program's").unwrap();
            let before = world.contents();
            let _ = recover(&world.head());
            let after = world.contents();
            runs += 1;
            assert_eq!(after.get(SENTINEL), before.get(SENTINEL), "{what}");
            if !name.ends_with(".tmp") {
                assert_eq!(after.get(&name), before.get(&name), "{what}");
            }
            if name.ends_with(".journal") {
                // Nobody knows what the other files are: all of them stay.
                assert_eq!(others(after), others(before), "{what}");
                continue;
            }
            // Everything else of the set is of one state.
            let mut found = world.found();
            let mut states = [world.set("old"), world.set("new")];
            found.remove(&name);
            states.iter_mut().for_each(|state| drop(state.remove(&name)));
            let head_is_lost = name.ends_with("-0.old");
            assert!(states.contains(&found) || head_is_lost, "{what}: {found:?}");
            // The old file whose name was taken, and that is nowhere else, is kept.
            let old = world.set("old");
            let before = others(before);
            let was_there = |bytes: &Vec<u8>| before.values().any(|it| it == bytes);
            if !found.values().any(|bytes| bytes.starts_with(b"new")) {
                for bytes in old.values().filter(|bytes| was_there(bytes)) {
                    assert!(after.values().any(|it| it == bytes), "{what}: {after:?}");
                }
            }
        }
    });
    assert!(runs > 400, "{runs}");
}

/// Somebody has taken a file away.
#[test]
fn missing_files_leave_no_mixed_set() {
    each_killed(|scene, at, what| {
        let places = SetWorld::killed(scene, at).map_or(0, |world| world.contents().len());
        for place in 0..places {
            let Some(world) = SetWorld::killed(scene, at) else { return };
            let Some(name) = world.contents().into_keys().nth(place) else { continue };
            if world.targets().contains(&name) || name.ends_with(".journal") || name == SENTINEL {
                continue;
            }
            std::fs::remove_file(world.path(&name)).unwrap();
            recover(&world.head()).unwrap();
            world.check_visible(&format!("{what}, {name} is gone"));
        }
    });
}

/// A journal that counts nowhere changes nothing; a run that needs its files is told, by its name.
#[track_caller]
fn check_left_alone(world: &SetWorld, disk: &Disk, what: &str) {
    let before = world.contents();
    recover_on(disk, &world.path("another.file")).unwrap();
    assert_eq!(others(world.contents()), others(before.clone()), "{what}");
    let error = recover_on(disk, &world.head()).unwrap_err();
    let Some(UnrealError::ForeignState { path, .. }) = error.unreal() else {
        panic!("{what}: {error}")
    };
    assert!(path.ends_with(".journal"), "{what}: {error}");
    assert_eq!(others(world.contents()), others(before), "{what}");
}

/// What the system says of a file, of which one fact is other than the journal has it.
type Lie = fn(&Path, FileFacts) -> FileFacts;

#[test]
fn journals_of_other_users_folders_and_moments_do_not_count() {
    let is_journal = |path: &Path| path.extension().is_some_and(|end| end == "journal");
    let lies: [(&str, Lie); 6] = [
        ("owner", |path, facts| match path.extension().is_some_and(|end| end == "journal") {
            true => FileFacts { owner: facts.owner.map(|owner| owner + 1), ..facts },
            false => facts,
        }),
        ("number", |path, facts| match path.extension().is_some_and(|end| end == "journal") {
            true => FileFacts { number: facts.number + 1, ..facts },
            false => facts,
        }),
        ("moment", |path, facts| match path.extension().is_some_and(|end| end == "journal") {
            true => FileFacts { born: facts.born + 1, ..facts },
            false => facts,
        }),
        ("folder", |path, facts| match path.is_dir() {
            true => FileFacts { number: facts.number + 1, ..facts },
            false => facts,
        }),
        ("kind", |path, facts| match path.extension().is_some_and(|end| end == "journal") {
            true => FileFacts { is_file: false, ..facts },
            false => facts,
        }),
        ("no numbers", |_, facts| FileFacts { number: 0, ..facts }),
    ];
    let mut runs = 0;
    each_killed(|scene, at, what| {
        for (fact, lie) in lies {
            let Some(world) = SetWorld::killed(scene, at) else { return };
            if !world.journal().is_some_and(|path| is_journal(&path)) {
                return;
            }
            let disk = Disk::probed(Arc::new(Said(lie)));
            check_left_alone(&world, &disk, &format!("{what}, other {fact}"));
            runs += 1;
            // On the true disk it is ended all the same.
            recover(&world.head()).unwrap();
            world.check_visible(&what);
        }
    });
    assert!(runs > 200, "{runs}");
}

/// The same files elsewhere, as an archive, a clone or a copy brings them; with numbers that are 0, too.
#[test]
fn copies_of_journals_do_not_count() {
    let mut runs = 0;
    each_killed(|scene, at, what| {
        for zero in [false, true] {
            let Some(world) = SetWorld::killed(scene, at) else { return };
            let Some(journal) = world.journal() else { return };
            let copy = SetWorld::new(scene);
            let journal = journal.file_name().unwrap().to_str().unwrap().to_owned();
            for target in copy.targets() {
                let _ = std::fs::remove_file(copy.path(&target));
            }
            for (name, mut bytes) in world.contents() {
                if name.ends_with("-lock") {
                    continue;
                }
                if name == journal && zero {
                    let text = String::from_utf8(bytes).unwrap();
                    let is_number = |word: &str| word.parse::<u128>().is_ok() && word.len() < 20;
                    let words = |line: &str| {
                        let words = line.split(' ');
                        let zeroed = words.map(|word| if is_number(word) { "0" } else { word });
                        zeroed.collect::<Vec<_>>().join(" ")
                    };
                    let mut lines = text.lines();
                    let title = lines.next().unwrap().to_owned();
                    bytes = std::iter::once(title)
                        .chain(lines.map(words))
                        .collect::<Vec<_>>()
                        .join("\n")
                        .into_bytes();
                    bytes.push(b'\n');
                }
                std::fs::write(copy.path(&name), bytes).unwrap();
            }
            check_left_alone(&copy, &Disk::default(), &format!("{what}, zero: {zero}"));
            runs += 1;
        }
    });
    assert!(runs > 60, "{runs}");
}

/// A journal that was changed where it stands: what it does not know by content is not touched.
#[test]
fn damaged_journals_take_nothing_away() {
    let mut runs = 0;
    each_killed(|scene, at, what| {
        let Some(journal) = SetWorld::killed(scene, at).and_then(|world| world.journal()) else {
            return;
        };
        drop(journal);
        for damage in 0..6 {
            let Some(world) = SetWorld::killed(scene, at) else { return };
            let path = world.journal().unwrap();
            let text = std::fs::read_to_string(&path).unwrap();
            let text = match damage {
                0 => text[..text.len() / 2].to_owned(),
                1 => text.trim_end_matches("end\n").to_owned(),
                2 => text.replace("\nhead ", "\ntail "),
                3 => text.replace("upk journal 2", "upk journal 3"),
                // All hashes are others.
                4 => {
                    let other = |word: &str| {
                        if word.len() == 64 { "0".repeat(64) } else { word.to_owned() }
                    };
                    let line = |line: &str| {
                        line.split(' ').map(other).collect::<Vec<_>>().join(" ") + "\n"
                    };
                    text.lines().map(line).collect()
                }
                _ => text + "\0",
            };
            std::fs::write(&path, text).unwrap();
            let before = others(world.contents());
            let _ = recover(&world.head());
            let mut after = others(world.contents());
            // The journal itself goes where it is carried out.
            let name = path.file_name().unwrap().to_str().unwrap();
            after.entry(name.to_owned()).or_insert_with(|| before[name].clone());
            assert_eq!(after, before, "{what}, damage {damage}");
            runs += 1;
        }
    });
    assert!(runs > 200, "{runs}");
}

/// Journals that name files which have nothing to do with a replacement, in this form and in an earlier one.
#[test]
fn made_up_journals_remove_nothing() {
    let scene = SetScene { members: &[(true, true), (true, true)], backup: false };
    let hex = |name: &str| name.bytes().map(|byte| format!("{byte:02x}")).collect::<String>();
    let (draft, aside, zero) =
        (hex(".upk-1-zzzzzz.tmp"), hex(".upk-1-zzzzzz-0.old"), "0".repeat(64));
    let target = |name: &str| hex(name);
    let (sentinel, none) = (target(SENTINEL), target("no-such-file"));
    let texts = [
        format!(
            "upk journal 1\nbackup {draft} {sentinel} - - {zero} 0\nfile {draft} {none} - - {zero} 0\nend\n"
        ),
        format!(
            "upk journal 2\nproof 0 0 0\nhead {none} {draft} {zero} 0 - - -\nmember {sentinel} - - - {aside} {zero} 0\nend\n"
        ),
        // A name that leads elsewhere, one of this program's own, and one twice.
        format!("upk journal 2\nproof 1 1 1\nhead {} {draft} {zero} 1 - - -\nend\n", hex("../x")),
        format!("upk journal 2\nproof 1 1 1\nhead {aside} {draft} {zero} 1 - - -\nend\n"),
        format!(
            "upk journal 2\nproof 1 1 1\nhead {sentinel} {draft} {zero} 1 - - -\nmember {sentinel} - - - {aside} {zero} 1\nend\n"
        ),
        "upk journal 2\n".to_owned(),
        String::new(),
    ];
    assert_eq!(unhex(&draft).as_deref(), Some(".upk-1-zzzzzz.tmp"));
    for text in texts {
        let world = SetWorld::new(scene);
        std::fs::write(world.path(".upk-1-aaaaaa.journal"), &text).unwrap();
        let before = world.contents();
        recover(&world.head()).unwrap();
        assert_eq!(world.contents(), before, "{text}");
        world.replace(Disk::default()).unwrap();
        let mut after = world.contents();
        assert_eq!(world.found(), world.set("new"));
        after.extend(world.set("old"));
        assert_eq!(after, before, "{text}");
    }
}

/// Journals, locks and new files that are links lead nowhere.
#[cfg(unix)]
#[test]
fn links_are_not_followed() {
    use std::os::unix::fs::symlink;
    let scene = SetScene { members: &[(true, true), (true, true)], backup: false };
    for at in 0.. {
        let Some(world) = SetWorld::killed(scene, at) else { break };
        let Some(journal) = world.journal() else { continue };
        let moved = world.path("moved");
        std::fs::rename(&journal, &moved).unwrap();
        symlink(&moved, &journal).unwrap();
        let before = world.contents();
        recover(&world.head()).unwrap();
        assert_eq!(others(world.contents()), others(before), "killed at {at}");
    }
    let world = SetWorld::new(scene);
    let (lock, outside) = (world.path(".upk-lock"), world.path("outside"));
    symlink(&outside, &lock).unwrap();
    let error = world.replace(Disk::default()).unwrap_err();
    let Some(UnrealError::ForeignState { path, .. }) = error.unreal() else { panic!("{error}") };
    assert!(path.ends_with(".upk-lock"), "{error}");
    assert!(!outside.exists(), "the lock's link was followed");
    assert_eq!(world.found(), world.set("old"));
}
