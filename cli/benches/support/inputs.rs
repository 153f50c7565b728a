//! Packages of any size, and what else commands want.

use std::fs;
use std::path::{Path, PathBuf};

use unreal_packages::edit::PackageEdit;
use unreal_packages::generate::{Builder, Profile, create};
use unreal_packages::package::Package;
use unreal_packages::property::{PropertyKind, Type};
use unreal_packages::version::EngineRelease;

/// An engine whose packages are made.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Engine {
    Ue1,
    Ue4,
}

impl Engine {
    pub fn name(self) -> &'static str {
        match self {
            Self::Ue1 => "UE1",
            Self::Ue4 => "UE4.27",
        }
    }

    /// Whether a command is for packages of this engine.
    pub fn has(self, command: &str) -> bool {
        const CLASSIC: &[&str] = &["conform", "check", "convert", "new", "uses"];
        let verb = command.split(' ').next().unwrap_or_default();
        self == Self::Ue1 || !CLASSIC.contains(&verb)
    }

    fn class(self) -> &'static str {
        match self {
            Self::Ue1 => "Engine.Light",
            Self::Ue4 => "/Script/Engine.PointLight",
        }
    }

    fn extension(self) -> &'static str {
        match self {
            Self::Ue1 => "u",
            Self::Ue4 => "uasset",
        }
    }

    /// A package without objects.
    fn blank(self) -> Package {
        match self {
            Self::Ue1 => create(&Profile::UT99).expect("a package"),
            Self::Ue4 => {
                let builder = Builder::for_release(EngineRelease::new(4, 27)).name("None");
                Package::from_bytes(builder.build().expect("bytes")).expect("a package")
            }
        }
    }
}

/// The inputs of all commands, of one size.
pub struct Inputs {
    engine: Engine,
    folder: PathBuf,
}

impl Drop for Inputs {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}

impl Inputs {
    /// Packages of so many objects with three properties each: 66 bytes an object in UE1.
    pub fn new(engine: Engine, objects: usize) -> Self {
        let name = format!("upk-scale-{}-{}-{objects}", std::process::id(), engine.name());
        let folder = std::env::temp_dir().join(name);
        fs::create_dir_all(folder.join("packages")).expect("a folder");
        fs::create_dir_all(folder.join("pictures")).expect("a folder");
        let inputs = Self { engine, folder };
        let mut package = engine.blank();
        inputs.fill(&mut package, objects);
        let bytes = package.to_bytes().expect("bytes");
        fs::write(inputs.package(), &bytes).expect("written");
        let mut package = Package::from_bytes(bytes).expect("a package");
        let changed = package.edit(|edit| {
            for at in (0..objects).step_by(10) {
                edit.set_property(&format!("Thing{at}"), "Count", &at.to_string())?;
            }
            edit.add_blank_object("Extra", engine.class()).map(drop)
        });
        changed.expect("a change");
        fs::write(inputs.file("changed"), package.to_bytes().expect("bytes")).expect("written");
        let json = fs::File::create(inputs.folder.join("package.json")).expect("a file");
        package.to_json(&mut std::io::BufWriter::new(json), false).expect("JSON");
        let script: String =
            (0..objects / 10).map(|at| format!("set Thing{at}.Count={}\n", at * 3)).collect();
        fs::write(inputs.folder.join("script.txt"), script).expect("written");
        for at in 0..objects / 10 {
            let picture = inputs.folder.join("pictures").join(format!("Picture{at}.bmp"));
            fs::write(picture, bitmap(at as u8)).expect("written");
        }
        inputs
    }

    fn fill(&self, package: &mut Package, objects: usize) {
        let int = Type::new(PropertyKind::Int);
        let vector: Type = "struct:Vector".parse().expect("a type");
        let filled = package.edit(|edit| {
            for at in 0..objects {
                let object = format!("Thing{at}");
                edit.add_blank_object(&object, self.engine.class())?;
                edit.add_property(&object, "Count", &int, "5")?;
                edit.add_property(&object, "Other", &int, "6")?;
                edit.add_property(&object, "Place", &vector, "(X=1,Y=2,Z=3)")?;
            }
            Ok(())
        });
        filled.expect("objects");
    }

    fn file(&self, name: &str) -> PathBuf {
        self.folder.join("packages").join(format!("{name}.{}", self.engine.extension()))
    }

    fn package(&self) -> PathBuf {
        self.file("package")
    }

    /// Bytes of what a command reads most of.
    pub fn bytes(&self, command: &str) -> u64 {
        let length = |path: &Path| fs::metadata(path).map_or(1, |it| it.len());
        match command {
            command if command.contains("{pictures}") => {
                let pictures = fs::read_dir(self.folder.join("pictures")).expect("a folder");
                pictures.flatten().map(|entry| length(&entry.path())).sum()
            }
            command if command.contains("{json}") => length(&self.folder.join("package.json")),
            _ => length(&self.package()),
        }
    }

    /// The arguments of a command.
    pub fn line(&self, command: &str) -> Vec<String> {
        let shown = |path: PathBuf| path.to_string_lossy().into_owned();
        let out = self.folder.join(format!("out.{}", self.engine.extension()));
        let document = self.folder.join("out.json");
        for file in [&out, &document] {
            let _ = fs::remove_file(file);
        }
        let import = match self.engine {
            Engine::Ue1 => vec!["Botpack.Enforcer".to_owned(), "Core.Class".to_owned()],
            Engine::Ue4 => {
                vec!["/Script/Game.Thing".to_owned(), "/Script/CoreUObject.Class".to_owned()]
            }
        };
        let mut line = Vec::new();
        for word in command.split(' ') {
            match word {
                "{}" => line.push(shown(self.package())),
                "{changed}" => line.push(shown(self.file("changed"))),
                "{out}" => line.push(shown(out.clone())),
                "{document}" => line.push(shown(document.clone())),
                "{folder}" => line.push(shown(self.folder.join("packages"))),
                "{pictures}" => line.push(shown(self.folder.join("pictures"))),
                "{script}" => line.push(shown(self.folder.join("script.txt"))),
                "{json}" => line.push(shown(self.folder.join("package.json"))),
                "{class}" => line.push(self.engine.class().to_owned()),
                "{import}" => line.extend(import.iter().cloned()),
                word => line.push(word.to_owned()),
            }
        }
        line
    }
}

/// A picture of 8 times 8 points in one of 256 colours.
fn bitmap(colour: u8) -> Vec<u8> {
    let mut bytes = b"BM".to_vec();
    let data = 54 + 256 * 4;
    let header: [u32; 13] = [data + 64, 0, data, 40, 8, 8, 8 << 16 | 1, 0, 64, 0, 0, 256, 0];
    header.iter().for_each(|number| bytes.extend(number.to_le_bytes()));
    (0..=255u8).for_each(|shade| bytes.extend([shade, shade, shade, 0]));
    bytes.extend([colour; 64]);
    bytes
}
