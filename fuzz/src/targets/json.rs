//! The JSON form: packages come back from it as they were, and any document makes a package or an error.

use std::sync::{Arc, LazyLock};

use serde_json::Value;
use unreal_packages::Package;
use unreal_packages::inspect::PackageEnums;
use unreal_packages::package::{UassetapiOptions, document_of_uassetapi};
use unreal_packages::property::Mappings;
use unreal_packages::version::UnrealVersions;

use super::{bodies, is_readable};
use crate::common::{forms, ue4};
use crate::damage::{Numbers, damage};
use crate::exercise::{is_proportionate, limit};
use crate::memory;

type Document = (Value, Option<Arc<Mappings>>);

/// Documents that are damaged; new ones go to the end.
static DOCUMENTS: LazyLock<Vec<Document>> = LazyLock::new(|| {
    let built = |major, minor| {
        let versions = unreal_packages::EngineRelease::new(major, minor).versions();
        let flags = unreal_packages::primitive::PackageFlags(0);
        Package::from_bytes(ue4::rich(&versions, flags).build().unwrap()).unwrap()
    };
    let older = |file| {
        let parts = crate::common::parts::Parts::rich(unreal_packages::Versions::ue1_to_3(file, 0));
        Package::from_bytes(parts.assemble()).unwrap()
    };
    let packages = [
        forms::tagged(),
        forms::complete(),
        forms::unversioned(),
        older(69),
        older(868),
        built(5, 4),
        Package::from_bytes(crate::common::level::level(69)).unwrap(),
    ];
    let own = packages.into_iter().map(|package| {
        let document = serde_json::from_slice(&written(&package).unwrap()).unwrap();
        (document, package.mappings().cloned())
    });
    let foreign = include_str!("../../../tests/common/uassetapi.json");
    own.chain([(serde_json::from_str(foreign).unwrap(), None)]).collect()
});

pub fn run(data: &[u8]) {
    match data.split_first() {
        Some((0, body)) => there_and_back(body),
        Some((1, text)) => {
            read_foreign(text);
            read(text, None);
        }
        Some((&number, damages)) => {
            let (document, mappings) = &DOCUMENTS[usize::from(number) % DOCUMENTS.len()];
            let mut document = document.clone();
            // Every four bytes are one change.
            for seed in damages.chunks(4).take(8) {
                let seed = seed.iter().fold(1, |seed, byte| seed << 8 | u64::from(*byte));
                damage(&mut document, &mut Numbers(seed));
            }
            let text = document.to_string();
            match document.get("NameMap") {
                Some(_) => read_foreign(text.as_bytes()),
                None => read(text.as_bytes(), mappings.clone()),
            }
        }
        None => {}
    }
}

fn written(package: &Package) -> unreal_packages::Result<Vec<u8>> {
    let mut text = Vec::new();
    // With the names of enums: what is known of them is data of the package as well.
    package.to_json_with(&mut text, false, &PackageEnums::new(package))?;
    Ok(text)
}

/// A package with this body.
fn there_and_back(body: &[u8]) {
    let Some(package) = bodies::package(body) else { return };
    let text = match written(&package) {
        Ok(text) => text,
        Err(error) => return is_readable(&error),
    };
    let again = Package::from_json(&text).unwrap_or_else(|error| panic!("reading: {error}"));
    let bytes = again.to_bytes().unwrap_or_else(|error| panic!("saving: {error}"));
    assert!(bytes == package.source(), "JSON gives another package back");
}

/// A document of UAssetAPI that may be damaged.
fn read_foreign(text: &[u8]) {
    let convert = || document_of_uassetapi(text, &UassetapiOptions::default());
    let ((own, peak), work) = memory::work(|| memory::peak(convert));
    assert!(peak <= 2 * limit(4 * text.len()), "{peak} bytes of memory for {}", text.len());
    is_proportionate(work, 4 * text.len(), "a document");
    match own {
        Ok(own) => read(&own.text, None),
        Err(error) => is_readable(&error),
    }
}

/// A document that may be damaged.
fn read(text: &[u8], mappings: Option<Arc<Mappings>>) {
    let ((made, peak), work) = memory::work(|| {
        memory::peak(|| {
            let package = Package::from_json_with(text, mappings.clone())?;
            let bytes = package.to_bytes()?;
            Ok((package, bytes))
        })
    });
    assert!(peak <= 2 * limit(4 * text.len()), "{peak} bytes of memory for {} ", text.len());
    is_proportionate(work, 4 * text.len(), "a document");
    let (package, bytes) = match made {
        Ok(made) => made,
        Err(error) => return is_readable(&error),
    };
    // What the document says is what its package says.
    let Ok(text) = written(&package) else { return };
    let again = Package::from_json_with(&text, mappings);
    let again = again.unwrap_or_else(|error| panic!("reading what was written: {error}"));
    assert!(again.to_bytes().is_ok_and(|again| again == bytes), "another package comes back");
}
