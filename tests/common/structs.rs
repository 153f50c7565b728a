//! Classes of packages as Rust structs, in a program that is compiled with the library and run.

use std::path::{Path, PathBuf};
use std::time::SystemTime;

use unreal_packages::environment::{Environment, Settings};
use unreal_packages::package::{OpenOptions, Package};

use super::game::Folder;

/// Loads and saves every object of the classes that the source has; the classes are put in for CLASSES.
const DRIVER: &str = r##"
#![deny(warnings)]
mod generated;
use unreal_packages::inspect::PackageValues;
use unreal_packages::object::TypedObject;
use unreal_packages::environment::{Environment, Settings};
use unreal_packages::package::OpenOptions;
use unreal_packages::{Package, Saver, UnrealVersions};
fn round<T: TypedObject>(package: &Package, row: usize) -> Result<(bool, usize, usize), String> {
    let text = |error: unreal_packages::Error| error.to_string();
    let mut value: T = package.values().typed_object(&format!("#{row}")).map_err(text)?;
    let start = package.exports().get(row).unwrap().entry().offset();
    let versions = package.versions().of_bodies();
    let mut saver = Saver::new(versions).at(start).with_context(package.context());
    value.serialize(&mut saver).map_err(text)?;
    let (fields, kept) = value.body().properties.counts();
    Ok((saver.bytes() == package.body(row).unwrap(), fields, kept))
}
fn main() {
    let path = std::env::args().nth(1).unwrap();
    let mut package = Package::open(&path).unwrap();
    let folders: Vec<String> = std::env::args().skip(2).collect();
    let settings = Settings::from_folders(folders);
    Environment::new(settings, OpenOptions::new()).unwrap().add_class_layouts(&mut package);
    let (mut objects, mut same, mut fields, mut kept) = (0, 0, 0, 0);
    for row in 0..package.exports().len() {
        let export = package.exports().get(row).unwrap();
        let common = export.entry();
        // In UE1 and UE2 a class has its defaults with it.
        let declared = common.class_index.is_null() && package.versions().engine() < unreal_packages::Engine::Ue3;
        if common.size() == 0 || !(declared || common.class_index.value() > 0) { continue; }
        let class = if declared { export.path() } else { export.class() };
        let result = match class.to_ascii_lowercase().as_str() {
            CLASSES
            _ => continue,
        };
        objects += 1;
        match result {
            Ok((is, typed, untyped)) => {
                same += usize::from(is);
                fields += typed;
                kept += untyped;
                if !is { println!("{} differs", export.path()); }
            }
            Err(error) => println!("{} of {class}: {error}", export.path()),
        }
    }
    println!("{objects} {same} {fields} {kept}");
}
"##;

/// When a file was written last.
fn modified(path: &Path) -> Option<SystemTime> {
    std::fs::metadata(path).and_then(|meta| meta.modified()).ok()
}

/// Compiles the program with the library that this test is linked with.
fn compile_rust(folder: &Folder) -> PathBuf {
    let deps = std::env::current_exe().unwrap().parent().unwrap().to_owned();
    // In a folder that several checkouts build in, the libraries of earlier ones lie beside ours: the program
    // would compile with a library that is gone. Those are older than the sources.
    let facade = concat!(env!("CARGO_MANIFEST_DIR"), "/../unreal/src/lib.rs");
    let sources = modified(Path::new(facade));
    let is_library = |path: &PathBuf| {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        name.starts_with("libunreal_packages-")
            && name.ends_with(".rlib")
            && modified(path) >= sources
    };
    let all = std::fs::read_dir(&deps).unwrap().map(|entry| entry.unwrap().path());
    let mut libraries: Vec<PathBuf> = all.filter(is_library).collect();
    libraries.sort_by_key(|path| modified(path));
    let mut said = String::new();
    // Libraries of other features may lie beside ours, newest last: what the newest says is shown.
    for library in libraries.iter().rev().take(4) {
        let program = folder.path("round");
        let mut compiler =
            std::process::Command::new(std::env::var_os("RUSTC").unwrap_or("rustc".into()));
        compiler.args(["--edition", "2024", "-D", "warnings", "-L"]);
        compiler.arg(format!("dependency={}", deps.display()));
        compiler.arg("--extern").arg(format!("unreal_packages={}", library.display()));
        // Where cargo is, its compiler is too.
        let output = compiler.arg("-o").arg(&program).arg(folder.path("main.rs")).output().unwrap();
        if output.status.success() {
            return program;
        }
        if said.is_empty() {
            said = String::from_utf8_lossy(&output.stderr).into_owned();
        }
    }
    panic!("the source does not compile: {said}");
}

/// What became of the objects of a package: how many there are, and how many of them came back to the
/// byte; how many of their properties were fields of the structs, and how many were kept as stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rounds {
    pub objects: usize,
    pub same: usize,
    pub fields: usize,
    pub kept: usize,
}

/// Writes the structs of a package, compiles them without warnings, and loads and saves every object of
/// its classes with them.
pub fn load_and_save(path: &Path, around: &[PathBuf]) -> Rounds {
    let stem = path.file_stem().unwrap().to_str().unwrap();
    let environment =
        Environment::new(Settings::from_folders(around.to_vec()), OpenOptions::new()).unwrap();
    let package = Package::open(path).unwrap();
    let classes = environment.classes_around(&package, stem);
    let folder = Folder::new();
    folder.write("generated.rs", classes.rust_source(stem));
    let own = classes.iter().filter(|class| class.package == stem);
    let arms: Vec<String> = own
        .map(|class| {
            let (lower, object) =
                (class.name.to_ascii_lowercase(), classes.rust_object(stem, &class.name).unwrap());
            format!("{lower:?} => round::<generated::{object}>(&package, row),")
        })
        .collect();
    folder.write("main.rs", DRIVER.replace("CLASSES", &arms.join("\n            ")));
    let program = compile_rust(&folder);
    let output = std::process::Command::new(program).arg(path).args(around).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    print!("{stem}: {} classes\n{text}", arms.len());
    let last = text.lines().last().unwrap_or_default();
    let numbers: Vec<usize> = last.split(' ').map(|word| word.parse().unwrap()).collect();
    let [objects, same, fields, kept] = numbers[..] else { panic!("{text}") };
    Rounds { objects, same, fields, kept }
}
