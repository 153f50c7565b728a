//! A folder with a set of any number of files, some of which come, change or go as one.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use unreal_packages::file::{Disk, Replacement};

use super::world::{Failing, Fault};

/// A member of a set: whether it is there before, and whether it is there after.
pub type Member = (bool, bool);

/// Everything in a folder, by name.
pub type Contents = BTreeMap<String, Vec<u8>>;

/// A file that no run has anything to do with.
pub const SENTINEL: &str = "notes.txt";

/// How a set is replaced.
#[derive(Debug, Clone, Copy)]
pub struct SetScene {
    /// The head first.
    pub members: &'static [Member],
    pub backup: bool,
}

impl SetScene {
    /// Sets of one to four files: new ones, replaced ones, and those that grow or lose members.
    pub fn all() -> Vec<Self> {
        let sets: [&'static [Member]; 4] =
            [&[COMES, COMES], &[THERE, THERE, THERE, GOES], &[COMES, COMES, COMES], &[THERE]];
        let with = |members| [false, true].map(|backup| Self { members, backup });
        Self::few().into_iter().chain(sets.into_iter().flat_map(with)).collect()
    }

    /// Those in which each state of a member stands beside each other one.
    pub fn few() -> Vec<Self> {
        let sets: [(&'static [Member], bool); 5] = [
            (&[THERE, THERE], true),
            (&[THERE, COMES], false),
            (&[COMES, THERE], false),
            (&[THERE, THERE, GOES], false),
            (&[COMES, COMES], false),
        ];
        sets.map(|(members, backup)| Self { members, backup }).to_vec()
    }
}

const THERE: Member = (true, true);
const COMES: Member = (false, true);
const GOES: Member = (true, false);

/// A folder with such a set.
pub struct SetWorld {
    folder: tempfile::TempDir,
    pub scene: SetScene,
}

impl SetWorld {
    pub fn new(scene: SetScene) -> Self {
        let memory = Path::new("/dev/shm");
        let folder = tempfile::tempdir_in(memory).or_else(|_| tempfile::tempdir()).unwrap();
        let world = Self { folder, scene };
        for (name, bytes) in world.set("old") {
            std::fs::write(world.path(&name), bytes).unwrap();
        }
        std::fs::write(world.path(SENTINEL), SENTINEL).unwrap();
        world
    }

    /// The folder after a run that died before its operation number `at`; `None` where it was done before.
    pub fn killed(scene: SetScene, at: usize) -> Option<Self> {
        let world = Self::new(scene);
        let disk = Arc::new(Failing::new(Fault::Killed(at)));
        let _ = world.replace(Disk::probed(disk.clone()));
        (disk.count() > at).then_some(world)
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn head(&self) -> PathBuf {
        self.path(&name(0))
    }

    pub fn targets(&self) -> Vec<String> {
        (0..self.scene.members.len()).map(name).collect()
    }

    /// The files of the set in one of its states.
    pub fn set(&self, state: &str) -> Contents {
        let members = self.scene.members.iter().enumerate();
        let there = members.filter(|(_, member)| if state == "old" { member.0 } else { member.1 });
        there.map(|(row, _)| (name(row), format!("{state} {row}").into_bytes())).collect()
    }

    pub fn replace(&self, disk: Disk) -> unreal_packages::Result<()> {
        let new = self.set("new");
        let mut replacement = Replacement::new(self.head(), &new[&name(0)]);
        for target in self.targets().into_iter().skip(1) {
            replacement = match new.get(&target) {
                Some(bytes) => replacement.with(self.path(&target), bytes),
                None => replacement.without(self.path(&target)),
            };
        }
        let is_new = self.scene.members.iter().all(|member| !member.0);
        replacement.overwrite(!is_new).backup(self.scene.backup).on(disk).commit().map(drop)
    }

    /// Everything in the folder.
    pub fn contents(&self) -> Contents {
        let entries = std::fs::read_dir(self.folder.path()).unwrap().map(|entry| entry.unwrap());
        let read = |entry: std::fs::DirEntry| {
            let name = entry.file_name().into_string().unwrap();
            // A link may lead nowhere.
            (name, std::fs::read(entry.path()).unwrap_or_default())
        };
        entries.map(read).collect()
    }

    /// The files of the set that are there.
    pub fn found(&self) -> Contents {
        let mut found = self.contents();
        let targets = self.targets();
        found.retain(|name, _| targets.contains(name));
        found
    }

    /// The journal, if there is one.
    pub fn journal(&self) -> Option<PathBuf> {
        let found = self.contents().into_keys().find(|name| name.ends_with(".journal"));
        found.map(|name| self.path(&name))
    }

    /// All names that a run gives or may give: what is there, and what the journal names.
    pub fn places(&self) -> Vec<String> {
        let mut names: Vec<_> = self.contents().into_keys().chain(self.targets()).collect();
        if let Some(journal) = self.journal() {
            let text = std::fs::read_to_string(journal).unwrap();
            let words = text.lines().skip(2).flat_map(|line| line.split(' '));
            names.extend(words.filter_map(unhex));
        }
        names.sort();
        names.dedup();
        names.retain(|name| name != SENTINEL && !name.ends_with("-lock"));
        names
    }

    /// Insists that the set is the old one or the new one; for somebody who looks at its head first while a run is
    /// at work there may be none.
    #[track_caller]
    pub fn check_visible(&self, what: &str) {
        let (found, old, new) = (self.found(), self.set("old"), self.set("new"));
        let Some(head) = found.get(&name(0)) else { return };
        // A member that comes may be there before its head.
        let is_in = |set: &Contents| set.iter().all(|(name, bytes)| found.get(name) == Some(bytes));
        let state = if new.get(&name(0)) == Some(head) { new } else { old };
        assert!(is_in(&state), "{what}: a mixed set, {found:?}");
    }

    /// The same once all is ended; nothing else is left.
    #[track_caller]
    pub fn check_ended(&self, what: &str) {
        let found = self.found();
        assert!([self.set("old"), self.set("new")].contains(&found), "{what}: {found:?}");
        self.check_tidy(what);
    }

    /// Insists that nothing is left that a user does not know, and that backups are whole.
    #[track_caller]
    pub fn check_tidy(&self, what: &str) {
        let old = self.set("old");
        for (name, bytes) in self.contents() {
            assert!(!name.starts_with(".upk-"), "{what}: {name} is left");
            if let Some(target) = name.strip_suffix(".bak") {
                assert_eq!(Some(&bytes), old.get(target), "{what}: {name}");
            }
        }
        assert_eq!(std::fs::read(self.path(SENTINEL)).unwrap(), SENTINEL.as_bytes(), "{what}");
    }
}

fn name(row: usize) -> String {
    if row == 0 { "Set.head".to_owned() } else { format!("Set.part{row}") }
}

/// The text that these digits stand for, if it is a name.
pub fn unhex(digits: &str) -> Option<String> {
    let is_name = digits.len().is_multiple_of(2) && digits.len() != 64;
    let byte = |at: usize| u8::from_str_radix(digits.get(at..at + 2)?, 16).ok();
    let bytes: Option<Vec<u8>> = (0..digits.len()).step_by(2).map(byte).collect();
    let text = String::from_utf8(bytes.filter(|_| is_name)?).ok()?;
    text.starts_with(['S', '.']).then_some(text)
}
