//! What counts as a backup, and how it is compared.

use unreal_packages::file::{Disk, backups, latest_backup};

use super::world::{BODIES, HEADER, Scene, World};

fn world() -> World {
    World::new(Scene { pair: true, there: true, backup: true, size: 40 })
}

#[cfg(unix)]
#[test]
fn links_are_no_backups() {
    use std::os::unix::fs::symlink;
    let world = world();
    let secret = world.path("secret");
    std::fs::write(&secret, "secret").unwrap();
    symlink(&secret, world.path("Door.uasset.bak")).unwrap();
    symlink(&secret, world.path("Door.uexp.bak1")).unwrap();
    let (header, bodies) = (world.path(HEADER), world.path(BODIES));
    assert_eq!(backups(&header), []);
    assert_eq!(latest_backup(&[&header, &bodies]).unwrap(), None);
    // Nor are they replaced, nor is their number given again.
    let done = world.replace(Disk::default()).unwrap();
    assert_eq!(done.backups, ["Door.uasset.bak2", "Door.uexp.bak2"].map(|name| world.path(name)));
    let found = backups(&header);
    assert_eq!(found.iter().map(|backup| backup.number).collect::<Vec<_>>(), [2]);
    assert_eq!(found[0].of(&bodies), Some(world.path("Door.uexp.bak2")));
    symlink(&secret, world.path("Door.uasset.bak3")).unwrap();
    assert_eq!(latest_backup(&[&header, &bodies]).unwrap().as_ref(), found.first());
    assert_eq!(std::fs::read(&secret).unwrap(), b"secret");
}

/// A file of this size can't be read whole by anybody.
#[test]
fn sizes_are_compared_before_anything_is_read() {
    let world = world();
    let huge = std::fs::File::create(world.path("Door.uexp.bak")).unwrap();
    if huge.set_len(1 << 40).is_err() {
        return;
    }
    std::fs::write(world.path("Door.uasset.bak"), world.scene.bytes(HEADER, "old")).unwrap();
    let found = latest_backup(&[&world.path(HEADER), &world.path(BODIES)]).unwrap();
    assert_eq!(found.map(|backup| backup.number), Some(0));
    let done = world.replace(Disk::default()).unwrap();
    assert_eq!(done.backups[0], world.path("Door.uasset.bak1"));
    // Equal files are found to be equal, and others of one size to differ.
    let old = |path: &str| std::fs::copy(world.path(path), world.path("Door.uasset.bak2")).unwrap();
    old(HEADER);
    std::fs::remove_file(world.path("Door.uasset.bak")).unwrap();
    std::fs::remove_file(world.path("Door.uasset.bak1")).unwrap();
    assert_eq!(latest_backup(&[&world.path(HEADER)]).unwrap(), None);
    let mut other = world.read(HEADER).unwrap();
    *other.last_mut().unwrap() ^= 1;
    std::fs::write(world.path("Door.uasset.bak2"), other).unwrap();
    let found = latest_backup(&[&world.path(HEADER)]).unwrap();
    assert_eq!(found.map(|backup| backup.number), Some(2));
}
