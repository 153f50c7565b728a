//! Packages as IoStore containers hold them: those of the corpus, and the cooked packages of the corpus in that form.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use unreal_packages::container::GameContainer;
use unreal_packages::container::iostore::ChunkKind;
use unreal_packages::container::zen::{
    KnownObjects, ScriptObjects, ScriptPaths, ZenHeader, ZenTarget, hash,
};
use unreal_packages::edit::{PackageEdit, RemoveOptions};
use unreal_packages::inspect::PackageValues;
use unreal_packages::package::{OpenOptions, Package, SaveOptions, ZenPackage};
use unreal_packages::property::{Mappings, Value};
use unreal_packages::version::{UnrealVersions, Versions};
use unreal_packages::{Archived, EngineRelease, Loader};

use crate::containers;
use crate::edit::EDITS;
use crate::folders::{corpus, has};
use crate::manifest;
use crate::zen_reader::ZenReader;

/// The folder with packages that were taken out of containers.
const LOOSE: &str = "containers/retoc";
/// Larger packages are not edited.
const SMALL: usize = 200_000;
/// Where the classes of a folder's packages are described.
const MAPPINGS: &str = "Mappings/CUE4ParseFixtures-Zstandard.usmap";

pub fn are_there() -> Result<(), String> {
    has("containers")
}

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => files(&path, found),
            false => found.push(path),
        }
    }
    found.sort();
}

/// Zen packages that lie in the folder as files.
fn loose() -> Vec<(PathBuf, Vec<u8>)> {
    let mut found = Vec::new();
    files(&corpus().join(LOOSE), &mut found);
    let read = |path: PathBuf| (std::fs::read(&path).unwrap(), path);
    let all = found.into_iter().map(read).filter(|(bytes, path)| {
        let is_package = path.extension().is_some_and(|it| it == "uasset" || it == "uzenasset");
        is_package && ZenHeader::may_start(bytes)
    });
    all.map(|(bytes, path)| (path, bytes)).collect()
}

/// The release that a folder is called after.
fn release(path: &Path) -> EngineRelease {
    let parts = path.iter().filter_map(|part| part.to_str());
    parts.filter_map(|part| part.strip_prefix("UE")?.parse().ok()).next().unwrap()
}

pub fn packages_of_containers_are_saved_byte_for_byte() {
    let packages = loose();
    for (path, bytes) in &packages {
        let shown = path.display();
        let open = |options: OpenOptions| {
            options.open_bytes(bytes.clone()).unwrap_or_else(|error| panic!("{shown}: {error}"))
        };
        let package = open(OpenOptions::new().engine(release(path)));
        assert!(package.to_bytes().unwrap() == *bytes, "{shown}");
        // Their form is found without being told.
        let alone = open(OpenOptions::new());
        assert!(alone.to_bytes().unwrap() == *bytes, "{shown}");
        assert_eq!(alone.exports().len(), package.exports().len(), "{shown}");
        let fields = package.container().unwrap().fields().unwrap();
        let end = fields.iter().fold(0, |end, field| {
            assert_eq!(field.start, end, "{shown}: {}", field.path);
            field.end
        });
        assert_eq!(end, bytes.len() as u64, "{shown}");
    }
    println!("{} packages", packages.len());
    assert_eq!(packages.len(), 9);
}

pub fn cooked_packages_become_the_packages_of_containers_that_they_are_beside() {
    let mut twins = 0;
    for (path, zen) in loose() {
        let legacy = path.with_extension("uasset");
        if path.extension().is_none_or(|it| it != "uzenasset") {
            continue;
        }
        twins += 1;
        let shown = path.display();
        let options = OpenOptions::new().engine(release(&path));
        let legacy = options.open(legacy).unwrap();
        let package = options.open_bytes(zen.clone()).unwrap();
        let exports = |package: &Package| -> Vec<_> {
            let exports = package.exports().iter();
            exports.map(|it| (it.path(), it.flags(), it.body().to_vec())).collect()
        };
        assert!(exports(&package) == exports(&legacy), "{shown}");
        assert_eq!(package.imports().len(), legacy.imports().len(), "{shown}");
        for (ours, theirs) in package.imports().iter().zip(legacy.imports().iter()) {
            assert!(!ours.is_known() || ours.name() == theirs.name(), "{shown}: {}", theirs.path());
        }
        if release(&path).major() == 4 {
            assert!(ZenPackage::of(&legacy).is_err(), "{shown}");
            continue;
        }
        let made = ZenPackage::of(&legacy).unwrap();
        assert!(made.bytes == zen, "{shown}");
        // With the names of what it imports, the way through files is exact as well.
        let mut known = KnownObjects::default();
        for import in legacy.imports().iter() {
            let (path, class) = (import.path(), import.class());
            match path.split_once('.') {
                _ if path.starts_with("/Script/") => known.add_script(&path, Some(&class)),
                Some((package, inner)) => known.add_export(package, inner, Some(&class)),
                None => known.add_package(&path),
            }
        }
        let package = options.import_names(Arc::new(known)).open_bytes(zen).unwrap();
        assert!(package.imports().iter().all(|import| import.is_known()), "{shown}");
        let header = |package: &Package| package.summary().total_header_size;
        assert_eq!(header(&package), header(&legacy), "{shown}");
        let (_, is_exact) = ZenPackage::save_legacy(&package, &SaveOptions::new()).unwrap();
        assert!(is_exact, "{shown}");
    }
    assert_eq!(twins, 4);
}

pub fn tables_of_script_objects_name_what_their_hashes_say() {
    let folder = corpus().join(LOOSE);
    let read = |name: &str| std::fs::read(folder.join(name)).unwrap();
    let rows = |bytes: &[u8], objects: &mut ScriptObjects| {
        objects.serialize(&mut Loader::new(bytes, Versions::ue4_and_5(522, 0))).unwrap();
    };
    let mut objects = ScriptObjects::default();
    let bytes = read("UE5.3/ScriptObjects.bin");
    rows(&bytes, &mut objects);
    let known = ScriptPaths::from_bytes(&bytes).unwrap();
    assert_eq!((known.len(), objects.rows.len()), (30_977, 30_977));
    for row in &objects.rows {
        let ZenTarget::Script(hash) = row.global.target() else { panic!("{row:?}") };
        assert_eq!(hash::of_script_object(&known.find(hash).unwrap().path), hash);
    }
    let (names, rows) =
        (read("UE4.27/LoaderGlobalNames_1.bin"), read("UE4.27/LoaderInitialLoadMeta_1.bin"));
    let known = ScriptPaths::from_ue4(&names, &rows).unwrap();
    assert_eq!(known.len(), 23_393);
    let actor = known.find(hash::of_script_object("/Script/Engine.Default__Actor")).unwrap();
    assert_eq!(actor.class.as_deref(), Some("/Script/Engine.Actor"));
}

/// The cooked packages of the corpus, from 5.3 on, as containers hold them.
fn converted() -> Vec<(String, OpenOptions, ZenPackage)> {
    let mut all = Vec::new();
    for entry in manifest::packages() {
        let package = entry.options().open(&entry.path).unwrap();
        let versions = package.versions();
        if !versions.cooked() || !versions.is_release(EngineRelease::new(5, 3)) {
            continue;
        }
        let mut options = OpenOptions::new();
        if let Some(release) = versions.release() {
            options = options.engine(release);
        }
        match ZenPackage::of(&package) {
            Ok(zen) => all.push((entry.name().to_owned(), options, zen)),
            Err(error) => println!("{}: {error}", entry.name()),
        }
    }
    all
}

/// The packages that lie in containers of the corpus.
fn stored() -> Vec<(String, OpenOptions, Vec<u8>)> {
    let mut all = Vec::new();
    for (name, path, options) in containers::all("utoc") {
        let open = GameContainer::open(&path, &options).unwrap();
        let GameContainer::IoStore(store) = &open else { panic!("{name}") };
        let engine = &name[.."UE5_8".len()];
        let mappings = corpus().join("containers").join(engine).join(MAPPINGS);
        let mappings = Arc::new(Mappings::from_bytes(&std::fs::read(mappings).unwrap()).unwrap());
        let release = engine.trim_start_matches("UE").replace('_', ".").parse().unwrap();
        for (row, path) in store.files().iter().enumerate() {
            if store.kind_of(row) == Some(ChunkKind::ExportBundleData) {
                let options = OpenOptions::new().engine(release).mappings(mappings.clone());
                all.push((format!("{name}/{path}"), options, open.read(row).unwrap().to_vec()));
            }
        }
    }
    all
}

/// Makes every text among the values of a package's objects longer; how many that were.
fn lengthen(package: &mut Package) -> usize {
    let mut done = 0;
    for row in 0..package.exports().len() {
        let object = format!("#{row}");
        let Ok(values) = package.values().properties(&object) else { continue };
        for value in values {
            let longer = match value.value {
                Some(Value::Str(_)) => format!("{} and more", value.text.trim_matches('"')),
                // Values of enums are names too, but not any.
                Some(Value::Name(_)) if value.property_type.to_string() == "name" => {
                    format!("{}_AndMore", value.text)
                }
                Some(Value::SoftObject(_)) => "/Game/Edited/Longer/Than/Before.Before".to_owned(),
                _ => continue,
            };
            package.edit(|edit| edit.set_property(&object, &value.path, &longer)).unwrap();
            done += 1;
        }
    }
    done
}

/// Adds a copy of an object that may be copied, or takes one away; false where none may.
fn restructure(package: &mut Package) -> bool {
    (0..package.exports().len()).rev().any(|row| {
        let object = format!("#{row}");
        package.edit(|edit| edit.duplicate_object(&object, "ACopyOfIt").map(|_| ())).is_ok()
            || package
                .edit(|edit| edit.remove_object(&object, RemoveOptions::Refuse).map(|_| ()))
                .is_ok()
    })
}

pub fn an_independent_reader_sees_real_zen_packages_and_their_changes_the_same() {
    let (mut reader, mut faults) = (ZenReader::start(), Vec::new());
    let (mut compared, mut changed, mut refused) = (0, 0, 0);
    let loose = loose().into_iter().map(|(path, bytes)| {
        let options = OpenOptions::new().engine(release(&path));
        (path.display().to_string(), options, bytes)
    });
    let converted = converted().into_iter().map(|(name, options, zen)| (name, options, zen.bytes));
    let (mut longer, mut lengthened, mut restructured) = (0, 0, 0);
    for (name, options, bytes) in loose.chain(stored()).chain(converted) {
        let mut package = options.open_bytes(bytes.clone()).unwrap();
        if package.to_bytes().unwrap() != bytes {
            faults.push(format!("{name}: saves differently"));
        }
        faults.extend(
            reader.compare(&package, &options).into_iter().map(|fault| format!("{name}: {fault}")),
        );
        compared += 1;
        if bytes.len() > SMALL {
            continue;
        }
        package.decode_all();
        let mut one = package.clone();
        let texts = lengthen(&mut one);
        if texts > 0 {
            (longer, lengthened) = (longer + texts, lengthened + 1);
            let found = reader.compare(&one, &options).into_iter();
            faults.extend(found.map(|fault| format!("{name} longer: {fault}")));
        }
        let mut one = package.clone();
        if package.versions().is_release(EngineRelease::new(5, 4)) {
            match restructure(&mut one) {
                true => {
                    restructured += 1;
                    let found = reader.compare(&one, &options).into_iter();
                    faults.extend(found.map(|fault| format!("{name} restructured: {fault}")));
                }
                false => println!("{name}: no object may be copied or taken away"),
            }
        }
        for edit in EDITS {
            let mut one = package.clone();
            match edit.apply(&mut one) {
                Ok(true) => {}
                Ok(false) => continue,
                Err(error) => {
                    // A changed list of names of UE4 may not be one that comes out of the file again.
                    let is_proved = !error.to_string().contains("come out of");
                    assert!(
                        is_proved || package.versions().ue5() == 0,
                        "{name}: {edit:?}: {error}"
                    );
                    refused += 1;
                    println!("{name}: {edit:?} refused: {error}");
                    continue;
                }
            }
            if one.to_bytes().unwrap() == bytes {
                continue;
            }
            changed += 1;
            let found = reader.compare(&one, &options).into_iter();
            faults.extend(found.map(|fault| format!("{name} {edit:?}: {fault}")));
        }
    }
    println!("{longer} longer texts in {lengthened} packages, {restructured} with other objects");
    println!("{compared} packages, {changed} changes, {refused} refused");
    assert!(compared > 700 && changed > 2_500, "{compared} packages, {changed} changes");
    assert!(longer > 250 && restructured > 650, "{longer} longer, {restructured} restructured");
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
}
