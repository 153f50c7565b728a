//! Cooked packages of 4.26 to 5.2 as containers hold them: bundles, and what they wait for.

use std::sync::Arc;

use unreal_packages::EngineRelease;
use unreal_packages::PackageIndex;
use unreal_packages::container::iostore::{IoStore, IoStoreOptions, IoStoreWriter, StoreEntry};
use unreal_packages::container::zen::{ZenArc, ZenHeader, ZenImportArc, hash};
use unreal_packages::container::{ContainerOptions, ReadAt};
use unreal_packages::edit::PackageEdit;
use unreal_packages::generate::Builder;
use unreal_packages::inspect::PackageValues;
use unreal_packages::package::{
    FurtherSections, OpenOptions, Package, SaveOptions, ZenContext, ZenPackage,
};
use unreal_packages::primitive::PackageFlags;
use unreal_packages::version::UnrealVersions;

use crate::common::zen::{PATH, legacy, names};

/// Those that need nothing but the package.
const UE5: [(u8, u8); 3] = [(5, 0), (5, 1), (5, 2)];
const UE4: [(u8, u8); 2] = [(4, 26), (4, 27)];

fn each(releases: &[(u8, u8)], mut check: impl FnMut(&str, EngineRelease, bool)) {
    for &(major, minor) in releases {
        for unversioned in [false, true] {
            let release = EngineRelease::new(major, minor);
            check(&format!("{release} {unversioned}"), release, unversioned);
        }
    }
}

/// Those of 5.0 do not say their names.
fn context() -> ZenContext<'static> {
    ZenContext::new().name(PATH)
}

fn made(legacy: &Package) -> ZenPackage {
    context().of(legacy).unwrap_or_else(|error| panic!("{}: {error}", legacy.versions().ue5()))
}

fn header(zen: &ZenPackage, package: &Package) -> ZenHeader {
    ZenHeader::load(&zen.bytes, Some(package.versions())).unwrap().0
}

/// An object: path, class, body.
type Told = (String, String, Vec<u8>);

/// What a package imports, and its objects.
fn told(package: &Package) -> (Vec<String>, Vec<Told>) {
    let imports = package.imports().iter().map(|it| it.path()).collect();
    let exports = package.exports();
    let exports = exports.iter().map(|it| (it.path(), it.class(), it.body().to_vec())).collect();
    (imports, exports)
}

/// Opened as its container lists it.
fn opened(zen: &ZenPackage, legacy: &Package, release: EngineRelease) -> Package {
    let options = OpenOptions::new().engine(release).import_names(Arc::new(names(legacy)));
    options.imported_packages(zen.imported.clone()).open_bytes(zen.bytes.clone()).unwrap()
}

/// A cooked package that imports compiled code alone, with objects that others may refer to.
fn alone(release: EngineRelease) -> Package {
    let flags = PackageFlags::FILTER_EDITOR_ONLY;
    let mut sections = FurtherSections::default();
    sections.preload_dependencies = vec![PackageIndex::new(-1)];
    let builder = Builder::for_release(release).flags(flags).sections(sections);
    let builder = builder.import("/Script/Engine", "/Script/CoreUObject.Package");
    let options = OpenOptions::new().engine(release);
    let mut package = options.open_bytes(builder.build().unwrap()).unwrap();
    for object in ["Door", "Door.Handle", "Window"] {
        package.edit(|edit| edit.add_blank_object(object, "/Script/Engine.DataAsset")).unwrap();
    }
    options.open_bytes(package.to_bytes().unwrap()).unwrap()
}

#[test]
fn a_bundle_ends_behind_every_step_of_a_public_object() {
    each(&UE5, |label, release, unversioned| {
        let legacy = legacy(release, unversioned);
        let zen = made(&legacy);
        assert_eq!((&*zen.name, zen.id), (PATH, hash::of_package(PATH)), "{label}");
        let header = header(&zen, &legacy);
        let public: Vec<bool> = header.exports.iter().map(|it| it.public_hash != 0).collect();
        assert_eq!(public, [true, false, true, false], "{label}");
        // Part and Leaf in it are nobody else's: their steps stay in one bundle.
        let steps: Vec<Vec<(u32, u32)>> = header
            .bundles
            .iter()
            .map(|bundle| {
                let steps = &header.commands[bundle.first as usize..][..bundle.count as usize];
                steps.iter().map(|step| (step.export, step.command)).collect()
            })
            .collect();
        let ends: Vec<_> = steps.iter().map(|steps| steps.last().unwrap().0).collect();
        assert!(
            ends[..ends.len() - 1].iter().all(|row| public[*row as usize]),
            "{label}: {steps:?}"
        );
        for steps in &steps {
            let inner = &steps[..steps.len() - 1];
            assert!(inner.iter().all(|(row, _)| !public[*row as usize]), "{label}: {steps:?}");
        }
        assert_eq!(steps.iter().map(Vec::len).sum::<usize>(), 8, "{label}");
        // Bodies stand as they are read, and no tag behind them.
        let bodies: Vec<u8> =
            header.reading_order().flat_map(|row| legacy.body(row).unwrap()).copied().collect();
        assert!(zen.bytes.ends_with(&bodies), "{label}");
        assert_eq!(zen.bytes.len() as u64, header.size() + bodies.len() as u64, "{label}");
        for bundle in &header.bundles {
            let before = &header.commands[..bundle.first as usize];
            let before = before.iter().filter(|step| step.command == 1);
            let size: usize =
                before.map(|step| legacy.body(step.export as usize).unwrap().len()).sum();
            assert_eq!(bundle.serial_offset, size as u64, "{label}");
        }
    });
}

#[test]
fn bundles_wait_for_objects_of_the_package_and_of_others() {
    each(&UE5, |label, release, unversioned| {
        let legacy = legacy(release, unversioned);
        let header = header(&made(&legacy), &legacy);
        let bundle_of = |row: u32, command: u32| {
            let step =
                header.commands.iter().position(|it| (it.export, it.command) == (row, command));
            let holds = |step: usize| {
                let at = |first: u32| first as usize <= step;
                header.bundles.iter().rposition(|bundle| at(bundle.first)).unwrap() as i32
            };
            holds(step.unwrap())
        };
        // What an object needs to be read: that it is made, and what its body refers to. Rows: Town, Part, Part_3, Leaf.
        let arc = |from, to| ZenArc { from, to };
        let read = |row| bundle_of(row, 1);
        let made = |row| bundle_of(row, 0);
        for wanted in [
            arc(made(0), read(0)),
            arc(made(2), read(2)),
            // Part and Part_3 lie in Town, and its body refers to the second.
            arc(made(0), made(1)),
            arc(made(0), made(2)),
            arc(made(2), read(0)),
        ] {
            let is_within = wanted.from == wanted.to;
            assert!(
                is_within || header.arcs.contains(&wanted),
                "{label}: {wanted:?} {:?}",
                header.arcs
            );
        }
        for (at, one) in header.arcs.iter().enumerate() {
            assert_ne!(one.from, one.to, "{label}");
            assert!(one.from < one.to, "{label}: a bundle waits for a later one: {one:?}");
            assert!(!header.arcs[..at].contains(one), "{label}: twice {one:?}");
        }
        // A list for each imported package, by its number.
        let row =
            |path: &str| legacy.imports().iter().position(|it| it.path() == path).unwrap() as i32;
        let mut packages = ["/Game/Props/Door", "/Game/Look/Red_2"];
        packages.sort_by_key(|name| hash::of_package(name));
        let of = |name: &str| {
            let at = packages.iter().position(|it| *it == name).unwrap();
            header.package_arcs[at].imports.clone()
        };
        assert_eq!(header.package_arcs.len(), 2, "{label}");
        let waits = |path: &str, to| ZenImportArc { import: row(path), command: 0, to };
        let door = of("/Game/Props/Door");
        assert!(door.contains(&waits("/Game/Props/Door.Door", read(1))), "{label}: {door:?}");
        assert!(
            door.contains(&waits("/Game/Props/Door.Door.Handle", read(2))),
            "{label}: {door:?}"
        );
        let look = of("/Game/Look/Red_2");
        assert_eq!(look, [waits("/Game/Look/Red_2.Red", read(3))], "{label}");
    });
}

#[test]
fn they_are_opened_as_what_they_were_cooked_as_and_saved_again() {
    each(&UE5, |label, release, unversioned| {
        let legacy = legacy(release, unversioned);
        let zen = made(&legacy);
        let mut ids = ["/Game/Props/Door", "/Game/Look/Red_2"].map(hash::of_package);
        ids.sort_unstable();
        assert_eq!(zen.imported, ids, "{label}");
        let mut package = opened(&zen, &legacy, release);
        assert_eq!(package.to_bytes().unwrap(), zen.bytes, "{label}");
        assert_eq!(told(&package), told(&legacy), "{label}");
        package.edit(|edit| edit.set_property("Town", "Title", "a longer one")).unwrap();
        let title = package.values().property("Town", "Title").unwrap().text;
        assert!(title.contains("a longer one"), "{label}: {title}");
        let (again, saved) = context().save(&legacy, &SaveOptions::new()).unwrap();
        assert_eq!((&again, &*saved.bytes), (&zen, &*zen.bytes), "{label}");
        // Taken out it does not say any more what its objects wait for, and does not go in as if that were nothing.
        let (files, is_exact) = ZenPackage::save_legacy(&package, &SaveOptions::new()).unwrap();
        assert!(!is_exact, "{label}");
        let options = OpenOptions::new().engine(release);
        let error = ZenPackage::of(&options.open_bytes(files.bytes).unwrap()).unwrap_err();
        assert!(error.to_string().contains("what its objects wait for"), "{label}: {error}");
    });
}

#[test]
fn those_of_ue4_are_one_bundle_and_import_from_no_other_package() {
    for (major, minor) in UE4 {
        let release = EngineRelease::new(major, minor);
        let named = ZenContext::new().name("/Game/Door");
        let error = named.of(&legacy(release, false)).unwrap_err().to_string();
        assert!(error.contains("imports from '/Game/"), "{release}: {error}");
        let package = alone(release);
        let error = ZenPackage::of(&package).unwrap_err().to_string();
        assert!(error.contains("--package /Game/Folder/Name"), "{release}: {error}");
        let zen = named.of(&package).unwrap();
        assert_eq!((&*zen.name, &*zen.imported), ("/Game/Door", &[][..]), "{release}");
        let header = header(&zen, &package);
        let bundles: Vec<_> = header.bundles.iter().map(|it| (it.first, it.count)).collect();
        assert_eq!(bundles, [(0, 6)], "{release}");
        // By row, making before reading, each step behind those that it waits for.
        let steps: Vec<_> = header.commands.iter().map(|it| (it.export, it.command)).collect();
        assert_eq!(steps, [(0, 0), (0, 1), (1, 0), (1, 1), (2, 0), (2, 1)], "{release}");
        assert!(header.arcs.is_empty() && header.package_arcs.is_empty(), "{release}");
        let path = hash::of_script_object("/Game/Door.Door.Handle") & !(3 << 62) | 2 << 62;
        assert_eq!(header.exports[1].public_hash, path, "{release}");
        let places: Vec<u64> = header.exports.iter().map(|it| it.cooked_serial_offset).collect();
        let offsets: Vec<u64> = package.exports().iter().map(|it| it.offset()).collect();
        assert_eq!(places, offsets, "{release}");
        let names: Vec<String> = package.names().iter().map(|it| it.into_owned()).collect();
        assert!(header.names.texts.starts_with(&names), "{release}");
        let again = opened(&zen, &package, release);
        assert_eq!(again.to_bytes().unwrap(), zen.bytes, "{release}");
        assert_eq!(told(&again), told(&package), "{release}");
    }
}

#[test]
fn containers_list_what_their_packages_import() {
    for (release, version, header_version) in
        [((4, 27), 3, 0), ((5, 0), 5, 1), ((5, 1), 5, 2), ((5, 2), 5, 2)]
    {
        let release = EngineRelease::new(release.0, release.1);
        let is_ue4 = release.major() == 4;
        let legacy = if is_ue4 { alone(release) } else { legacy(release, false) };
        let zen = ZenContext::new().name(PATH).of(&legacy).unwrap();
        let header = header(&zen, &legacy);
        let path = "Game/Content/Maps/Town.umap";
        let options = IoStoreOptions { version, header_version, ..IoStoreOptions::new("Mod_P") };
        let add = |known: StoreEntry| {
            let mut blocks = Vec::new();
            let mut writer = IoStoreWriter::new(&mut blocks, options.clone())?;
            writer.add_zen_package(path, &header, known, &zen.bytes)?;
            let toc = writer.finish()?;
            let blocks: Arc<dyn ReadAt> = Arc::new(bytes::Bytes::from(blocks));
            IoStore::new(toc.into(), vec![blocks], &ContainerOptions::new())
        };
        if is_ue4 {
            let others_wait = StoreEntry { export_bundle_count: 2, ..StoreEntry::default() };
            let error = add(others_wait).unwrap_err().to_string();
            assert!(error.contains("2 bundles for which others may wait"), "{release}: {error}");
        } else {
            let error = add(StoreEntry::default()).unwrap_err().to_string();
            assert!(error.contains("before 5.3 only containers say"), "{release}: {error}");
        }
        let imported_packages = zen.imported.clone();
        let store = add(StoreEntry { imported_packages, ..StoreEntry::default() }).unwrap();
        let entry = |store: &IoStore| store.header().unwrap().store_entry(zen.id).unwrap().clone();
        let said = entry(&store);
        assert_eq!(said.imported_packages, zen.imported, "{release}");
        assert_eq!(said.export_count as usize, legacy.exports().len(), "{release}");
        assert_eq!(said.export_bundle_count as usize, header.bundles.len(), "{release}");
        assert_eq!(said.export_bundles_size, if is_ue4 { zen.bytes.len() as u64 } else { 0 });
        // A patch of it lists the same.
        let file = store.files().iter().find(|file| file.ends_with(".umap")).unwrap().clone();
        let mut blocks = Vec::new();
        let load = |bytes: &[u8]| Ok(ZenHeader::load(bytes, Some(legacy.versions()))?.0);
        let files = [(file, zen.bytes.clone())];
        let toc = store.write_patch("Town_P", &files, None, &load, &mut blocks).unwrap();
        let blocks: Arc<dyn ReadAt> = Arc::new(bytes::Bytes::from(blocks));
        let patch = IoStore::new(toc.into(), vec![blocks], &ContainerOptions::new()).unwrap();
        assert_eq!(entry(&patch), said, "{release}");
    }
}
