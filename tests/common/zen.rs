//! Packages as containers hold them.

use unreal_packages::EngineRelease;
use unreal_packages::PackageIndex;
use unreal_packages::container::zen::{
    KnownObjects, ZenBundle, ZenCommand, ZenForm, ZenHeader, ZenPackageArcs, ZenReference,
    ZenSummary, ZenTarget, ZenVersions, hash,
};
use unreal_packages::edit::{PackageEdit, RenamePackage};
use unreal_packages::generate::Builder;
use unreal_packages::package::{FurtherSections, OpenOptions, Package, ZenPackage};
use unreal_packages::primitive::{ObjectFlags, PackageFlags};
use unreal_packages::version::UnrealVersions;

/// The name of the package.
pub const PATH: &str = "/Game/Maps/Town";

/// Releases of each form that a package alone is enough for.
pub const RELEASES: [(u8, u8); 6] = [(5, 3), (5, 4), (5, 5), (5, 6), (5, 7), (5, 8)];
/// Releases of the forms before.
pub const BUNDLED: [(u8, u8); 4] = [(4, 27), (5, 0), (5, 1), (5, 2)];

/// A cooked package: objects in one another, with properties, that refer to objects of compiled code and of
/// other packages.
pub fn legacy(release: EngineRelease, unversioned: bool) -> Package {
    let flags = PackageFlags(PackageFlags::UE4_COOKED.0 | PackageFlags::FILTER_EDITOR_ONLY.0);
    // A row that belongs to no export, so that there is a table.
    let mut sections = FurtherSections::default();
    sections.preload_dependencies = vec![PackageIndex::new(-1)];
    let mut builder = Builder::for_release(release)
        .flags(flags)
        .sections(sections)
        .import("/Script/Engine", "/Script/CoreUObject.Package")
        .import("/Game/Look/Red_2.Red", "/Script/Engine.Material")
        .import("/Game/Props/Door.Door", "/Script/Engine.StaticMesh")
        .import("/Game/Props/Door.Door.Handle", "/Script/Engine.BodySetup");
    if unversioned {
        builder = builder.unversioned();
    }
    let options = OpenOptions::new().engine(release);
    let mut package = options.open_bytes(builder.build().unwrap()).unwrap();
    let known = |text: &str| text.parse().unwrap();
    package
        .edit(|edit| {
            edit.add_blank_object("Town", "/Script/Engine.DataAsset")?;
            edit.add_blank_object("Town.Part", "/Script/Engine.StaticMeshComponent")?;
            edit.add_blank_object("Town.Part_3", "/Script/Engine.StaticMeshComponent")?;
            edit.add_blank_object("Town.Part.Leaf", "/Script/Engine.DataAsset")?;
            // What nobody else refers to.
            for object in ["Town.Part", "Town.Part.Leaf"] {
                let row = edit.find_export(object)?;
                let flags = edit.exports().get(row).map(|it| it.flags()).unwrap_or_default();
                edit.set_object_flags(row, ObjectFlags(flags.0 & !1))?;
            }
            edit.add_property("Town", "Title", &known("string"), "Größe")?;
            edit.add_property("Town", "Main", &known("object"), "Town.Part_3")?;
            edit.add_property(
                "Town.Part",
                "StaticMesh",
                &known("object"),
                "/Game/Props/Door.Door",
            )?;
            let handle = "/Game/Props/Door.Door.Handle";
            edit.add_property("Town.Part_3", "BodySetup", &known("object"), handle)?;
            edit.add_property("Town.Part.Leaf", "Look", &known("object"), "/Game/Look/Red_2.Red")?;
            edit.add_property("Town.Part.Leaf", "Kind", &known("name"), "Straße_7")?;
            let options = RenamePackage::new().from("/Game/Old/Town").keep_object(true);
            edit.rename_package(PATH, &options).map(drop)
        })
        .unwrap_or_else(|error| panic!("{release}: {error}"));
    options.open_bytes(package.to_bytes().unwrap()).unwrap()
}

/// What the imports of a package are called.
pub fn names(package: &Package) -> KnownObjects {
    let mut known = KnownObjects::default();
    for import in package.imports().iter() {
        let (path, class) = (import.path(), import.class());
        match path.split_once('.') {
            _ if path.starts_with("/Script/") => known.add_script(&path, Some(&class)),
            Some((package, inner)) => known.add_export(package, inner, Some(&class)),
            None => known.add_package(&path),
        }
    }
    known
}

/// The same package as containers hold it.
pub fn zen(release: EngineRelease, unversioned: bool) -> ZenPackage {
    ZenPackage::of(&legacy(release, unversioned))
        .unwrap_or_else(|error| panic!("{release}: {error}"))
}

/// A package of a form with bundles, and the numbers of the packages that its container lists: made of one of 5.3,
/// whose bodies are the same. Its exports are in two bundles.
pub fn bundled(release: EngineRelease, says: bool) -> (Vec<u8>, Vec<u64>) {
    let versions = release.versions();
    let form = ZenForm::of(&versions);
    let zen = zen(EngineRelease::new(5, 3), false);
    let (mut header, _) = ZenHeader::load(&zen.bytes, None).unwrap();
    let bodies: Vec<Vec<u8>> = header
        .exports
        .iter()
        .map(|export| {
            let start = header.size() as usize + export.cooked_serial_offset as usize;
            zen.bytes[start..][..export.cooked_serial_size as usize].to_vec()
        })
        .collect();
    header.versions = says.then(|| ZenVersions {
        zen: u32::from(form == ZenForm::Ue5_2),
        ue4: versions.ue4() as i32,
        ue5: versions.ue5() as i32,
        ..ZenVersions::default()
    });
    // Reading in the reverse order, so that bodies stand otherwise than their rows.
    let count = header.exports.len() as u32;
    let steps = |command, rows: &mut dyn Iterator<Item = u32>| -> Vec<ZenCommand> {
        rows.map(|export| ZenCommand { export, command }).collect()
    };
    header.commands = [steps(0, &mut (0..count)), steps(1, &mut (0..count).rev())].concat();
    let serial_offset = match form {
        ZenForm::Ue4_26 => 0,
        _ => bodies.last().unwrap().len() as u64,
    };
    let (first, rest) = (count + 1, count - 1);
    header.bundles = vec![
        ZenBundle { serial_offset: 0, first: 0, count: first },
        ZenBundle { serial_offset, first, count: rest },
    ];
    let packages = std::mem::take(&mut header.imported_packages).texts;
    let numbers = std::mem::take(&mut header.imported_package_numbers);
    let packages: Vec<String> = packages
        .iter()
        .zip(numbers)
        .map(|(text, number)| match number {
            0 => text.clone(),
            number => format!("{text}_{}", number - 1),
        })
        .collect();
    header.summary = ZenSummary {
        name: header.summary.name,
        package_flags: header.summary.package_flags,
        cooked_header_size: header.summary.cooked_header_size,
        ..ZenSummary::default()
    };
    header.dependencies.clear();
    header.dependency_entries.clear();
    let mut ids: Vec<u64> = packages.iter().map(|name| hash::of_package(name)).collect();
    if form == ZenForm::Ue4_26 {
        header.summary.source_name = header.summary.name;
        let inner = |row: usize| header.inner_path(row).unwrap();
        let own =
            |row| ZenReference::of_path(hash::of_script_object(&format!("{PATH}.{}", inner(row))));
        let public: Vec<u64> = (0..bodies.len()).map(|row| own(row).stored).collect();
        let base = 5000;
        for (export, public) in header.exports.iter_mut().zip(public) {
            let is_public = export.object_flags & 1 != 0;
            export.public_hash = if is_public { public } else { u64::MAX };
            export.cooked_serial_offset += base;
        }
        header.summary.cooked_header_size = base as u32;
        // Objects of other packages by the hash of their path.
        let legacy = legacy(EngineRelease::new(5, 3), false);
        for (reference, import) in header.imports.iter_mut().zip(legacy.imports().iter()) {
            if matches!(reference.target(), ZenTarget::Package { .. }) {
                *reference = ZenReference::of_path(hash::of_script_object(&import.path()));
            }
        }
        header.imported_public_hashes.clear();
        header.package_arcs = ids
            .iter()
            .map(|&package| ZenPackageArcs { package, ..ZenPackageArcs::default() })
            .collect();
        // The container of UE4 lists them as they are imported.
        let imports = legacy.imports();
        let outermost =
            imports.iter().filter(|it| it.path().starts_with("/Game/") && !it.path().contains('.'));
        ids = outermost.map(|it| hash::of_package(&it.path())).collect();
    } else {
        header.package_arcs = vec![ZenPackageArcs::default(); ids.len()];
    }
    let mut bytes = header.to_bytes(&versions).unwrap();
    bytes.extend(bodies.into_iter().rev().flatten());
    (bytes, ids)
}
