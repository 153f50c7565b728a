//! Tables and header of a package tell the truth, whatever engine it is of.

use unreal_packages::generate::Builder;
use unreal_packages::package::{Package, SaveOptions};
use unreal_packages::version::{Engine, UnrealVersions};
use unreal_packages::{EngineRelease, Guid, Versions};

const GUID: Guid = Guid::new(1, 2, 3, 4);

/// One of each engine, and of the versions where header and rows change most.
fn samples() -> Vec<(Engine, Versions)> {
    let files = [(Engine::Ue1, 61), (Engine::Ue1, 69), (Engine::Ue2, 120), (Engine::Ue3, 576)];
    let files = files.map(|(engine, file)| (engine, Versions::ue1_to_3(file, 0)));
    let releases = [(4, 0), (4, 13), (4, 27), (5, 0), (5, 4), (5, 6)];
    let releases = releases.map(|(major, minor)| {
        let engine = if major == 4 { Engine::Ue4 } else { Engine::Ue5 };
        (engine, EngineRelease::new(major, minor).versions())
    });
    files.into_iter().chain(releases).collect()
}

#[test]
fn summary_exports_guid_and_generations_are_those_of_the_package() {
    for (engine, versions) in samples() {
        let core = if versions.has_object_versions() { "/Script/Engine" } else { "Engine" };
        let bytes = Builder::for_versions(versions.clone())
            .guid(GUID)
            .export("First", format!("{core}.Thing"), vec![0; 40])
            .export("Second", format!("{core}.Thing"), vec![0; 4])
            .build()
            .unwrap();
        let package = Package::from_bytes(bytes.clone()).unwrap();
        assert_eq!(package.versions().engine(), engine, "{versions}");
        let summary = package.summary();
        let counts = (summary.name_count, summary.import_count, summary.export_count);
        let rows = (package.names().len(), package.imports().len(), package.exports().len());
        assert_eq!(counts, (rows.0 as i32, rows.1 as i32, rows.2 as i32), "{versions}");
        assert!(rows.0 > 0 && rows.1 > 0 && rows.2 == 2, "{versions}: {rows:?}");
        assert_eq!(package.summary().package_flags, summary.package_flags, "{versions}");
        let entries = package.exports().entries();
        assert_eq!(entries.len(), 2, "{versions}");
        for (export, size) in package.exports().iter().zip([40, 4]) {
            let entry = export.entry();
            assert_eq!(entry, &entries[export.row()], "{versions}");
            assert_eq!(entry.serial_size.value(), size, "{versions}");
            assert_eq!((export.size(), export.offset()), (entry.size(), entry.offset()));
            let start = entry.offset() as usize;
            assert_eq!(export.body(), &bytes[start..start + size as usize], "{versions}");
            assert_eq!(export.flags(), entry.object_flags, "{versions}");
            assert_eq!(package.name_text(entry.object_name), export.name(), "{versions}");
            assert_eq!(package.path(entry.class_index), export.class(), "{versions}");
        }
        assert_eq!(package.exports().get(0).unwrap().name(), "First", "{versions}");
        let guid = if versions.ue5() >= 1016 { Guid::default() } else { GUID };
        assert_eq!(package.guid(), guid, "{versions}");
        assert_eq!(package.summary().generations, &summary.generations[..], "{versions}");
        match versions.file() < 68 {
            true => assert!(
                package.summary().generations.is_empty() && package.tables().heritage == [GUID]
            ),
            false => {
                let [only] = package.summary().generations[..] else { panic!("{versions}") };
                let counts = (summary.export_count, summary.name_count);
                assert_eq!((only.export_count, only.name_count), counts, "{versions}");
            }
        }
        assert!(
            package.tables().depends.is_empty() || package.tables().depends.len() == 2,
            "{versions}"
        );
        assert_eq!(
            package.tables().further.asset_registry.is_some(),
            versions.has_object_versions()
        );
        assert_eq!(package.to_bytes().unwrap(), bytes, "{versions}");
    }
}

/// Decoded bodies are lent to the saving and come back, also where nothing can be saved.
#[test]
fn a_package_is_what_it_was_after_saving() {
    for (_, versions) in samples() {
        let core = if versions.has_object_versions() { "/Script/Engine" } else { "Engine" };
        let bytes = Builder::for_versions(versions.clone())
            .export("First", format!("{core}.Thing"), vec![0; 40])
            .export("Notes", format!("{core}.TextBuffer"), vec![0; 16])
            .build()
            .unwrap();
        let mut package = Package::from_bytes(bytes.clone()).unwrap();
        package.decode_all();
        let bodies = |package: &Package| {
            (0..2)
                .map(|row| package.decoded(row).map(|it| format!("{:?}", it.body)))
                .collect::<Vec<_>>()
        };
        let before = bodies(&package);
        assert!(before.iter().any(Option::is_some), "{versions}");
        let options = SaveOptions::new();
        let saved = options.save(&mut package).unwrap();
        assert_eq!(saved.bytes, package.save(&options).unwrap().bytes, "{versions}");
        assert_eq!(saved.bytes, bytes, "{versions}");
        assert!(bodies(&package) == before, "{versions}");
        let refused = options.source(vec![0]).save(&mut package);
        assert!(refused.is_err() && bodies(&package) == before, "{versions}");
    }
}
