//! The folder that examples run in: every file that they name, of the kind that its name says.
//!
//! It is made once and copied for every thread, which puts back after each line what that line has changed.
//! `work` is where a line runs, `home` is what `~` stands for.

mod bodies;
mod code;
mod containers;
mod files;
mod game;
mod mods;
mod ue3;
mod ue4;
mod ue4_declared;
mod zen;

use std::path::{Path, PathBuf};

use tempfile::TempDir;
use unreal_packages::edit::PackageEdit;

use crate::outcome::{Files, is_package};
use crate::run::{upk, verify};

/// The world as it was made: its files.
#[derive(Debug)]
pub struct World(Files);

/// A copy of it, which goes away with this.
#[derive(Debug)]
pub struct Copy(TempDir);

impl World {
    pub fn make() -> Self {
        let world = Copy::empty();
        files::write(&world);
        game::write(&world);
        mods::write(&world);
        ue3::write(&world);
        ue4::write(&world);
        containers::write(&world);
        zen::write(&world);
        json(&world, "Mod.u", "Mod.json", &[]);
        let items = include_str!("world/items.json");
        world.write("DT_Items.json", items);
        world.write("Items.uasset", ue4::of_uassetapi(items));
        world.write("MyMod/Inc/AMyThing.h", "");
        let class = "class MyThing extends Object;\n\nvar int Count;\n\nfunction Add()\n{\n\tCount = 2;\n}\n\n\
                     defaultproperties\n{\n    Count=1\n}\n";
        world.write("MyMod/Classes/MyThing.uc", class);
        let mutator = "class FastShots extends Mutator;\n\nvar() config int Bonus;\n\nfunction ModifyPlayer(Pawn Other)\n{\n\
                       \tOther.Health = Bonus;\n}\n\ndefaultproperties\n{\n    Bonus=150\n}\n";
        world.write("FastShots/Classes/FastShots.uc", mutator);
        world.write("Add.uc", "function Add()\n{\n\tlocal int I;\n\n\tI = 9;\n\tCount = I;\n}\n");
        world.write("Values.uc", "defaultproperties\n{\n    Count=7\n}\n");
        let cooked = ["--engine", "5.4", "--mappings", "Game.usmap"];
        json(&world, "Lamp.uasset", "Lamp.json", &cooked);
        json(&world, "Slot1.sav", "Slot1.json", &[]);
        backups(&world);
        tables(&world);
        Self(world.files())
    }

    pub fn files(&self) -> &Files {
        &self.0
    }

    pub fn copy(&self) -> Copy {
        let copy = Copy::empty();
        self.restore(&copy);
        copy
    }

    /// Makes a copy what it was: without new files and folders, with the old bytes of all others.
    pub fn restore(&self, copy: &Copy) {
        let now = copy.files();
        for file in now.keys().filter(|file| !self.0.contains_key(*file)) {
            std::fs::remove_file(copy.full(file)).unwrap();
        }
        for (file, bytes) in self.0.iter().filter(|(file, bytes)| now.get(*file) != Some(bytes)) {
            let path = copy.full(file);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, bytes).unwrap();
        }
        remove_empty(copy.root());
    }

    /// Every package of the world is what it claims to be.
    pub fn verifies(&self) {
        let packages: Vec<&Path> =
            self.0.keys().map(PathBuf::as_path).filter(|file| is_package(file)).collect();
        assert!(packages.len() > 50, "{packages:?}");
        verify(&packages, &self.copy()).unwrap();
    }
}

impl Copy {
    fn empty() -> Self {
        let copy = Self(tempfile::tempdir().unwrap());
        std::fs::create_dir_all(copy.work()).unwrap();
        std::fs::create_dir_all(copy.home()).unwrap();
        copy
    }

    fn root(&self) -> &Path {
        self.0.path()
    }

    pub fn work(&self) -> PathBuf {
        self.root().join("work")
    }

    /// A page as web/build makes one.
    pub fn built_page() -> PathBuf {
        let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("built.html");
        let page = "<!doctype html>\n<body>\n<script type=\"text/plain\" id=\"module\">H4sI</script>\n\
                    <script>start()</script>\n</body>\n";
        if !file.exists() {
            std::fs::write(&file, page).unwrap();
        }
        file
    }

    pub fn home(&self) -> PathBuf {
        self.root().join("home")
    }

    /// A path as a line names it, as one of [`Copy::files`].
    pub fn path(&self, named: &str) -> PathBuf {
        let path = self.work().join(named);
        path.strip_prefix(self.root()).unwrap_or(&path).to_path_buf()
    }

    /// The full path of one of [`Copy::files`].
    pub fn full(&self, file: &Path) -> PathBuf {
        self.root().join(file)
    }

    /// Every file with its bytes.
    pub fn files(&self) -> Files {
        let mut files = Files::new();
        gather(self.root(), self.root(), &mut files);
        files
    }

    /// Writes a file, `~/…` below the home.
    pub fn write(&self, name: &str, bytes: impl AsRef<[u8]>) {
        let path = match name.strip_prefix("~/") {
            Some(name) => self.home().join(name),
            None => self.work().join(name),
        };
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, bytes).unwrap();
    }

    pub fn read(&self, name: &str) -> Vec<u8> {
        std::fs::read(self.work().join(name)).unwrap()
    }
}

/// What `upk from-json` reads.
fn json(world: &Copy, package: &str, json: &str, options: &[&str]) {
    let mut process = upk();
    process.args(["to-json", package, "-o", json]).args(options).current_dir(world.work());
    assert!(process.output().unwrap().status.success(), "{package}");
}

/// What `upk restore` brings back: the packages as they were before an edit.
fn backups(world: &Copy) {
    for name in ["MyMod.u", "Map.unr", "Skins.utx"] {
        let mut package = unreal_packages::Package::open(world.work().join(name)).unwrap();
        package.edit(|edit| edit.add_name("BeforeTheEdit")).unwrap();
        world.write(&format!("{name}.bak"), package.to_bytes().unwrap());
    }
    for words in [
        ["add", "Map.unr", "Light5", "Engine.Light", "-o", "Arena.unr"].as_slice(),
        &["map", "Arena.unr", "--t3d", "Room.t3d", "Light*"],
    ] {
        let mut process = upk();
        let output = process.args(words).current_dir(world.work()).output().unwrap();
        assert!(output.status.success(), "{output:?}");
    }
    world.write("Levels/Deck.unr", world.read("Map.unr"));
    world.write("Levels/Mine.unr", world.read("Map.unr"));
    let mut edit = upk();
    edit.args(["edit", "dim.txt", "Levels", "--in-place"]).current_dir(world.work());
    let output = edit.output().unwrap();
    assert!(output.status.success(), "{output:?}");
}

/// Removes the folders that hold no file, but the one that lines run in.
fn remove_empty(folder: &Path) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            remove_empty(&path);
            // Refused for a folder that holds something.
            let _ = std::fs::remove_dir(&path);
        }
    }
}

fn gather(root: &Path, folder: &Path, files: &mut Files) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            gather(root, &path, files);
        } else {
            let bytes = std::fs::read(&path).unwrap();
            files.insert(path.strip_prefix(root).unwrap().to_path_buf(), bytes);
        }
    }
}

/// What a scan of the mods has left behind, and what was wrong then.
fn tables(world: &Copy) {
    let run = |args: &[&str]| {
        let output = upk().args(args).current_dir(world.work()).output().unwrap();
        assert!(output.status.success(), "{output:?}");
    };
    run(&["scan", "mods", "-o", "nightly"]);
    run(&["doctor", "--scan", "nightly", "--write-baseline", "known.json"]);
}
