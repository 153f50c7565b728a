//! Levels of real packages from above: places are those that the raw bytes of tags say, drawings are well-formed.

use std::collections::BTreeMap;

use unreal_packages::inspect::PackageValues;
use unreal_packages::package::Package;
use unreal_packages::property::Value;
use unreal_packages::version::UnrealVersions;
use unreal_packages::{PackageIndex, Versions};

use crate::files;

/// A compact index as UE1 and UE2 store it (spec: ue1-3/01).
fn compact(index: usize) -> Vec<u8> {
    let mut bytes = vec![(index & 0x3F) as u8];
    let mut rest = index >> 6;
    if rest > 0 {
        bytes[0] |= 0x40;
    }
    while rest > 0 {
        let more = rest >> 7 > 0;
        bytes.push((rest & 0x7F) as u8 | if more { 0x80 } else { 0 });
        rest >>= 7;
    }
    bytes
}

/// The bytes from the name of a vector's tag up to its value.
fn tag(names: &[String], versions: &Versions, property: &str) -> Option<Vec<u8>> {
    let row = |text: &str| names.iter().position(|name| name == text);
    let (property, vector) = (row(property)?, row("Vector")?);
    if versions.file() < 223 {
        // Type 10, twelve bytes.
        return Some([compact(property), vec![0x3A], compact(vector)].concat());
    }
    let name = |row: usize| [(row as u32).to_le_bytes(), [0; 4]].concat();
    // Complete names of types have another form.
    if versions.ue5() >= 1012 {
        return None;
    }
    let is_large = versions.ue5() >= 1004;
    let size: u32 = if is_large { 24 } else { 12 };
    let numbers = [size.to_le_bytes(), [0; 4]].concat();
    let mut tag = [name(property), name(row("StructProperty")?), numbers, name(vector)].concat();
    if versions.ue4() >= 441 {
        tag.extend([0; 16]);
    }
    if versions.ue4() >= 503 {
        tag.push(0);
    }
    if versions.ue5() >= 1011 {
        tag.push(0);
    }
    Some(tag)
}

fn raw_vector(body: &[u8], tag: &[u8], is_large: bool) -> Option<[f64; 3]> {
    let at = body.windows(tag.len()).position(|bytes| bytes == tag)? + tag.len();
    let number = |part: usize| match is_large {
        true => Some(f64::from_le_bytes(body.get(at + part * 8..)?.first_chunk().copied()?)),
        false => {
            let bytes = body.get(at + part * 4..)?.first_chunk().copied()?;
            Some(f64::from(f32::from_le_bytes(bytes)))
        }
    };
    Some([number(0)?, number(1)?, number(2)?])
}

fn object(package: &Package, row: usize, property: &str) -> Option<usize> {
    match package.values().property(&format!("#{row}"), property).ok()?.value? {
        Value::Object(index) => {
            (0..package.exports().len()).find(|&row| PackageIndex::export(row) == index)
        }
        _ => None,
    }
}

pub fn places_are_those_that_raw_bytes_say() {
    let mut seen: BTreeMap<String, (usize, usize, usize)> = BTreeMap::new();
    for folder in ["classic", "modern", "wild/classic", "wild/modern"] {
        if !crate::folders::corpus().join(folder).is_dir() {
            continue;
        }
        for (name, bytes) in files::of(folder) {
            let is_map =
                ["unr", "ut2", "udk", "umap"].iter().any(|it| name.ends_with(&format!(".{it}")));
            if !is_map || bytes.len() > 8 << 20 {
                continue;
            }
            let Ok(package) = Package::from_bytes(bytes) else { continue };
            let Ok(map) = package.values().level_map() else { continue };
            let svg = map.to_svg();
            roxmltree::Document::parse(&svg).unwrap_or_else(|error| panic!("{name}: {error}"));
            let versions = package.versions();
            let names: Vec<String> = package.names().iter().map(|it| it.into_owned()).collect();
            let has_components = versions.ue4() > 0;
            let property = if has_components { "RelativeLocation" } else { "Location" };
            let tag = tag(&names, versions, property);
            let (mut checked, mut read) = (0, 0);
            for actor in &map.actors {
                let row = match has_components {
                    true => object(&package, actor.row, "RootComponent"),
                    false => Some(actor.row),
                };
                let Some(row) = row else { continue };
                if has_components && object(&package, row, "AttachParent").is_some() {
                    continue;
                }
                let (Some(tag), Ok(body)) = (&tag, package.body(row)) else { continue };
                checked += 1;
                let Some(raw) = raw_vector(body, tag, versions.ue5() >= 1004) else { continue };
                // The text of a number of 32 bits is the shortest that means it.
                let near = |(a, b): (&f64, &f64)| (a - b).abs() <= 1e-6 * b.abs().max(1.0);
                let Some(place) = actor.place else { continue };
                let what = format!("{name}: {} {place:?} {raw:?}", actor.path);
                assert!(place.iter().zip(&raw).all(near), "{what}");
                read += 1;
            }
            let sums = seen.entry(format!("{:?}", versions.engine())).or_default();
            *sums = (sums.0 + 1, sums.1 + checked, sums.2 + read);
        }
    }
    println!("maps, actors and places read, by engine: {seen:?}");
    for engine in ["Ue1", "Ue2", "Ue3", "Ue4", "Ue5"] {
        assert!(seen[engine].2 > 10, "{engine}: {seen:?}");
    }
}
