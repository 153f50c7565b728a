//! Objects as Rust structs.

use std::path::{Path, PathBuf};

use farchive::environment::{Environment, Settings};
use farchive::package::{OpenOptions, Package};

use crate::common;
use crate::game::{Folder, base_code, builder, mod_code};

/// A struct as `upk headers --rust` writes it.
#[derive(Debug, Clone, Default, PartialEq)]
struct Creature {
    health: Option<i32>,
    title: Option<String>,
    armor: Option<i32>,
}

impl farchive::property::Mirror for Creature {
    const NAMES: &'static [&'static str] = &["Health", "Title", "Armor"];

    const DIMENSIONS: &'static [u32] = &[1, 1, 1];

    fn slots(&mut self) -> Vec<&mut dyn farchive::property::Slot> {
        vec![&mut self.health, &mut self.title, &mut self.armor]
    }
}

#[test]
fn mirrored_properties_change_in_their_place() {
    use farchive::property::Mirrored;
    use farchive::{Archived, Loader, Saver};
    let package = builder(1).name("Health").name("Title").name("Other").build().unwrap();
    let package = Package::from_bytes(package).unwrap();
    let name = |text: &str| package.names().find(text).unwrap() as u8;
    let health = |value: u8| vec![name("health"), 0x22, value, 0, 0, 0];
    let title = |text: &[u8]| {
        let size = text.len() as u8;
        [&[name("title"), 0x5d, size + 1, size][..], text].concat()
    };
    let other = vec![name("other"), 0x22, 1, 0, 0, 0];
    let bytes = [title(b"one\0"), other.clone(), health(7), vec![0]].concat();
    let context = package.context();
    let load = |bytes: &[u8]| {
        let mut source = package.source().to_vec();
        let start = source.len() as u64;
        source.extend(bytes);
        let context = farchive::archive::Context::new(
            source.clone().into(),
            package.names().entries().to_vec(),
        );
        let mut loader = Loader::new(&source, package.versions().clone())
            .with_context(std::sync::Arc::new(context));
        loader.seek(&source, start, source.len() as u64).unwrap();
        let mut mirrored = Mirrored::<Creature>::default();
        mirrored.serialize(&mut loader).unwrap();
        assert_eq!(loader.remaining(), 0);
        (mirrored, source)
    };
    let save = |mirrored: &mut Mirrored<Creature>, source: &[u8]| {
        let names = package.names().entries().to_vec();
        let context = farchive::archive::Context::new(source.to_vec().into(), names);
        let mut saver =
            Saver::new(package.versions().clone()).with_context(std::sync::Arc::new(context));
        mirrored.serialize(&mut saver).map(|()| saver.into_bytes())
    };
    let (mut creature, source) = load(&bytes);
    assert_eq!((creature.fields.health, creature.fields.title.as_deref()), (Some(7), Some("one")));
    let before = creature.clone();
    assert_eq!(save(&mut creature, &source).unwrap(), bytes);
    assert_eq!(creature, before, "saving leaves the value unchanged");
    creature.fields.health = Some(9);
    creature.fields.title = Some("three".to_owned());
    let expected = [title(b"three\0"), other.clone(), health(9), vec![0]].concat();
    assert_eq!(save(&mut creature, &source).unwrap(), expected);
    creature.fields.health = None;
    let expected = [title(b"three\0"), other, vec![0]].concat();
    assert_eq!(save(&mut creature, &source).unwrap(), expected);
    creature.fields.armor = Some(1);
    let error = save(&mut creature, &source).unwrap_err();
    assert!(error.to_string().contains("stores no property Armor"), "{error}");
    drop(context);
}

/// Loads and saves every object of the classes that the source has; the classes are put in for CLASSES.
const DRIVER: &str = r##"
#![deny(warnings)]
mod generated;
use farchive::object::TypedObject;
use farchive::environment::{Environment, Settings};
use farchive::package::OpenOptions;
use farchive::{Package, Saver};
fn round<T: TypedObject>(package: &Package, row: usize) -> Result<(bool, usize, usize), String> {
    let text = |error: farchive::Error| error.to_string();
    let mut value: T = package.typed_object(&format!("#{row}")).map_err(text)?;
    let start = package.exports().get(row).unwrap().common().serial_offset;
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
    Environment::new(settings, OpenOptions::new()).unwrap().teach(&mut package);
    let (mut objects, mut same, mut fields, mut kept) = (0, 0, 0, 0);
    for row in 0..package.exports().len() {
        let export = package.exports().get(row).unwrap();
        let common = export.common();
        // In UE1 and UE2 a class has its defaults with it.
        let declared = common.class_index.is_null() && package.versions().engine() < farchive::Engine::Ue3;
        if common.serial_size == 0 || !(declared || common.class_index.value() > 0) { continue; }
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

/// Compiles the program with the library that this test is linked with.
fn compile_rust(folder: &Folder) -> Option<PathBuf> {
    let deps = std::env::current_exe().unwrap().parent().unwrap().to_owned();
    let is_library = |path: &PathBuf| {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        name.starts_with("libfarchive-") && name.ends_with(".rlib")
    };
    let all = std::fs::read_dir(&deps).unwrap().map(|entry| entry.unwrap().path());
    let mut libraries: Vec<PathBuf> = all.filter(is_library).collect();
    libraries.sort_by_key(|path| std::fs::metadata(path).and_then(|meta| meta.modified()).ok());
    let mut said = String::new();
    // Libraries of other features may lie beside ours, newest last: what the newest says is shown.
    for library in libraries.iter().rev().take(4) {
        let program = folder.path("round");
        let mut compiler =
            std::process::Command::new(std::env::var_os("RUSTC").unwrap_or("rustc".into()));
        compiler.args(["--edition", "2024", "-D", "warnings", "-L"]);
        compiler.arg(format!("dependency={}", deps.display()));
        compiler.arg("--extern").arg(format!("farchive={}", library.display()));
        let Ok(output) = compiler.arg("-o").arg(&program).arg(folder.path("main.rs")).output()
        else {
            println!("skipped: no Rust compiler");
            return None;
        };
        if output.status.success() {
            return Some(program);
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
struct Rounds {
    objects: usize,
    same: usize,
    fields: usize,
    kept: usize,
}

/// Writes the structs of a package, compiles them without warnings, and loads and saves every object of
/// its classes with them.
fn load_and_save(path: &Path, around: &[PathBuf]) -> Option<Rounds> {
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
    let program = compile_rust(&folder)?;
    let output = std::process::Command::new(program).arg(path).args(around).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    print!("{stem}: {} classes\n{text}", arms.len());
    let last = text.lines().last().unwrap_or_default();
    let numbers: Vec<usize> = last.split(' ').map(|word| word.parse().unwrap()).collect();
    let [objects, same, fields, kept] = numbers[..] else { panic!("{text}") };
    Some(Rounds { objects, same, fields, kept })
}

#[test]
fn made_classes_are_loaded_and_saved_as_structs() {
    let folder = Folder::new();
    folder.write("Base.u", base_code());
    let special = folder.write("Special.u", mod_code());
    let Some(alone) = load_and_save(&special, &[]) else { return };
    assert_eq!((alone.objects, alone.same, alone.fields), (1, 1, 0));
    let around = load_and_save(&special, &[folder.path("")]).unwrap();
    assert_eq!(around, Rounds { objects: 1, same: 1, fields: 3, kept: 0 });
}

#[test]
fn real_objects_are_loaded_and_saved_as_structs() {
    let Some(corpus) = common::corpus() else { return };
    for file in [
        "classic/820_0_Core.u",
        "classic/68_0_FemJC.u",
        "classic/864_0_UDKBase.u",
        "classic/69_0_C4.u",
        "conform/UWindow_gen24.u",
    ] {
        let Some(rounds) = load_and_save(&corpus.join(file), &[]) else { return };
        assert!(rounds.objects > 0 && rounds.same == rounds.objects, "{file}: {rounds:?}");
        assert!(rounds.fields > 0, "{file}: {rounds:?}");
    }
}
