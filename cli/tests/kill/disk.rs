//! Disks that are full or can't be written to: file systems in memory, mounted for the test.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::scene::Scene;

/// A file system of this size in a folder of its own.
pub struct Mounted {
    folder: tempfile::TempDir,
}

impl Mounted {
    pub fn new(size: &str) -> Result<Self, String> {
        let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
        mount(&["-t", "tmpfs", "-o", &format!("size={size}"), "tmpfs"], folder.path())?;
        Ok(Self { folder })
    }

    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    fn read_only(&self) {
        mount(&["-o", "remount,ro"], self.path()).unwrap();
    }
}

impl Drop for Mounted {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(self.path()).status();
    }
}

fn mount(arguments: &[&str], folder: &Path) -> Result<(), String> {
    let mut command = Command::new("mount");
    let command = command.args(arguments).arg(folder).stderr(Stdio::null());
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(_) => Err("it is not allowed".to_owned()),
        Err(_) => Err("there is no command for it".to_owned()),
    }
}

fn fill(folder: &Path, leave: usize) -> PathBuf {
    let path = folder.join("filler");
    let mut size = 0;
    // As much as the disk takes, then less.
    let block = vec![1; 4096];
    let mut bytes = Vec::new();
    while std::fs::write(&path, &bytes).is_ok() {
        size = bytes.len();
        bytes.extend(&block);
    }
    std::fs::write(&path, vec![1; size.saturating_sub(leave)]).unwrap();
    path
}

pub fn a_full_disk_leaves_the_old_package() {
    for split in [false, true] {
        let disk = Mounted::new("1m").unwrap();
        let scene = Scene::new(disk.path(), split, 100_000);
        let (mut refused, mut done) = (0, 0);
        for leave in (0..400_000).step_by(20_000) {
            scene.reset();
            let filler = fill(disk.path(), leave);
            let output = scene.edit().stderr(Stdio::piped()).output().unwrap();
            match output.status.code() {
                Some(0) => {
                    assert_eq!(scene.state(), "new");
                    done += 1;
                }
                code => {
                    assert_eq!((code, scene.state()), (Some(1), "old"), "{leave}");
                    let said = String::from_utf8(output.stderr).unwrap();
                    assert!(said.contains("make room"), "{said}");
                    refused += 1;
                }
            }
            scene.check_backup();
            assert_eq!(scene.leftovers(), [""; 0]);
            std::fs::remove_file(filler).unwrap();
        }
        assert!(refused > 3 && done > 3, "{refused} refused, {done} done");
    }
}

pub fn a_read_only_disk_is_named() {
    let disk = Mounted::new("1m").unwrap();
    let scene = Scene::new(disk.path(), true, 10);
    disk.read_only();
    let output = scene.edit().stderr(Stdio::piped()).output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!((output.status.code(), scene.state()), (Some(1), "old"), "{said}");
    assert!(said.contains("can be written to"), "{said}");
}
