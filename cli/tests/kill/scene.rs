//! Packages of one file and of two, and the command at work on them.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use unreal_packages::generate::NewAsset;
use unreal_packages::package::{CompanionKind, Package};

/// A package, and the states in which it may be found.
pub struct Scene {
    pub folder: PathBuf,
    pub file: PathBuf,
    /// Bytes of the file and of its bodies.
    old: Files,
    new: Files,
}

/// Header and bodies, each `None` where there is no such file.
type Files = [Option<Vec<u8>>; 2];

impl Scene {
    /// A package with a value of 1 that an edit is to set to 2. Its size makes writing take its time.
    pub fn new(folder: &Path, split: bool, bytes: usize) -> Self {
        let kinds = ["float", "string"].map(|kind| kind.parse().unwrap());
        let [float, string] = kinds;
        let asset = NewAsset::object("/Game/Door", "/Script/MyGame.Door")
            .property("Health", float, "1")
            .property("Text", string, &"x".repeat(bytes));
        let package = asset.build("4.27".parse().unwrap()).unwrap();
        let whole = package.to_bytes().unwrap();
        let file = folder.join("Door.uasset");
        if split {
            let at = package.summary().total_header_size as usize;
            std::fs::write(&file, &whole[..at]).unwrap();
            std::fs::write(CompanionKind::Exports.path_beside(&file), &whole[at..]).unwrap();
        } else {
            std::fs::write(&file, &whole).unwrap();
        }
        let mut scene = Self {
            folder: folder.to_owned(),
            file,
            old: Default::default(),
            new: Default::default(),
        };
        scene.old = scene.files();
        assert!(scene.edit().status().unwrap().success());
        scene.new = scene.files();
        assert_ne!(scene.old, scene.new);
        scene.reset();
        scene
    }

    /// The old package, and nothing else.
    pub fn reset(&self) {
        for entry in std::fs::read_dir(&self.folder).unwrap() {
            std::fs::remove_file(entry.unwrap().path()).unwrap();
        }
        for (path, bytes) in self.paths().iter().zip(&self.old) {
            if let Some(bytes) = bytes {
                std::fs::write(path, bytes).unwrap();
            }
        }
    }

    fn paths(&self) -> [PathBuf; 2] {
        [self.file.clone(), CompanionKind::Exports.path_beside(&self.file)]
    }

    fn files(&self) -> Files {
        self.paths().map(|path| std::fs::read(path).ok())
    }

    /// The edit.
    pub fn edit(&self) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_upk"));
        command.arg("set").arg(&self.file).args(["Door.Health=2", "--in-place"]);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        command
    }

    /// `old` or `new`; `none` while two files are being replaced, which every reader takes for no package.
    /// Anything else is a failure.
    pub fn state(&self) -> &'static str {
        let files = self.files();
        match &files {
            it if *it == self.old => "old",
            it if *it == self.new => "new",
            [None, _] if self.old[1].is_some() => {
                assert!(Package::open(&self.file).is_err());
                "none"
            }
            _ => panic!("a mixed pair or a torn file"),
        }
    }

    /// The backup is whole or not there, once the next run has ended what was begun.
    pub fn check_backup(&self) {
        let kept = self.paths().map(|path| {
            let mut name = path.into_os_string();
            name.push(".bak");
            std::fs::read(name).ok()
        });
        assert!(kept == self.old || kept == [None, None], "a backup that is not whole");
    }

    /// Names that no user knows.
    pub fn leftovers(&self) -> Vec<String> {
        let entries = std::fs::read_dir(&self.folder).unwrap();
        let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
        names.filter(|name| name.starts_with(".upk-")).collect()
    }
}
