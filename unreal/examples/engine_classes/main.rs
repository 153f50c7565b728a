//! Collects what the engines' own classes declare: names, types and dimensions of properties, values of enums,
//! and what derives from what. It writes the files in `unreal/model/src/property/engine`; run again over the same inputs it
//! writes the same bytes.
//!
//! ```text
//! cargo run --release -p unreal-packages --all-features --example engine_classes
//! cargo run --release -p unreal-packages --all-features --example engine_classes -- --check
//! ```
//! The packages lie in the folder that `UPK_CORPUS` names, or in `../shared/corpus`: those of UE2 and UE3 in
//! `classic`, those of UE4 and UE5 in `modern` with a `manifest.tsv`, which says how they are opened, and
//! mappings in `usmap`. What the classes of UE1 declare is in tables in the folder `data` beside it. With
//! `--check` nothing is written: the files must be what the inputs give.
//!
//! | engine | what says it |
//! |---|---|
//! | UE1 | the tables |
//! | UE2, UE3 | classes in packages, import tables, levels' lists of actors, and tags |
//! | UE4, UE5 | what all mappings of the engine declare alike, and tags |
//!
//! What is left out, since no package stores it or hardly one does:
//! * native and transient properties, and classes whose objects live only while a game runs (UE1 to UE3);
//! * UE3: classes of which no package has an object, packages of licensees with an engine of their own;
//! * UE4, UE5: classes of which fewer than two packages have an object, properties that no mappings declare and
//!   fewer than two packages store, properties that some mappings of a class lack, fields of structs that no
//!   package stores unless actors or components have the struct;
//! * enums' last values, which count the others, and values that only one of several mappings has;
//! * what is stored with different types.

mod corpus;
mod facts;
mod hierarchy;
mod mappings;
mod scripts;
mod stored;
mod tables;
mod text;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use unreal_packages::Engine;
use unreal_packages::package::Package;
use unreal_packages::version::UnrealVersions;

use facts::Facts;
use mappings::EnumKinds;
use scripts::Scripts;

/// The files' folder.
const OUT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/model/src/property/engine");

type Made<T> = Result<T, Box<dyn std::error::Error>>;

fn main() -> Made<()> {
    let check = match &std::env::args().skip(1).collect::<Vec<_>>()[..] {
        [] => false,
        [word] if word == "--check" => true,
        _ => return Err("usage: engine_classes [--check]".into()),
    };
    let corpus = std::env::var_os("UPK_CORPUS").map_or("../shared/corpus".into(), PathBuf::from);
    let data = corpus.join("../data");
    for folder in [&data, &corpus.join("classic"), &corpus.join("modern/usmap")] {
        if !folder.is_dir() {
            return Err(format!("no folder {}: set UPK_CORPUS", folder.display()).into());
        }
    }
    let ue1 = tables::ue1(&data)?;
    let (mut ue4, mut ue5) = later(&corpus.join("modern"))?;
    let (ue2, ue3) = early(&corpus.join("classic"), &ue1, &ue4)?;
    let in_bytes =
        |facts: &Facts| facts.enums.keys().map(|name| (name.clone(), "byte-enum")).collect();
    let kinds = kinds_of_both(&ue4, &ue5);
    let both = Facts::shared(&mut ue4, &mut ue5);
    let mut differ = Vec::new();
    for (name, facts, kinds, source) in [
        ("ue1.txt", &ue1, in_bytes(&ue1), "UE1"),
        ("ue2.txt", &ue2, in_bytes(&ue2), "UE2"),
        ("ue3.txt", &ue3, in_bytes(&ue3), "UE3"),
        ("ue4-5.txt", &both, kinds.clone(), "UE4 and UE5, what both have alike"),
        ("ue4.txt", &ue4, kinds.clone(), "UE4, what UE5 does not have alike"),
        ("ue5.txt", &ue5, kinds, "UE5, what UE4 does not have alike"),
    ] {
        let text = text::text(facts, source, &kinds);
        let path = Path::new(OUT).join(name);
        let parents = facts.classes.values().filter(|class| !class.parent.is_empty()).count();
        let classes = facts.classes.len();
        println!("{name}: {} bytes, {classes} classes, {parents} with a parent", text.len());
        if !check {
            std::fs::write(path, text)?;
        } else if std::fs::read(path)? != text.as_bytes() {
            differ.push(name);
        }
    }
    match differ.is_empty() {
        true => Ok(()),
        false => Err(format!("not what the inputs give: {}", differ.join(", ")).into()),
    }
}

/// UE2 and UE3.
fn early(folder: &Path, ue1: &Facts, ue4: &Facts) -> Made<(Facts, Facts)> {
    let mut engines = [Engine::Ue2, Engine::Ue3]
        .map(|engine| (engine, Facts::default(), Scripts::default(), BTreeSet::new()));
    // Licensees of UE3 have changed the engine's classes; UE2 has no other packages.
    let counts = |engine: Engine, package: &Package| {
        let versions = package.versions();
        versions.engine() == engine && (engine == Engine::Ue2 || versions.licensee() == 0)
    };
    corpus::each_early(folder, |name, package| {
        for (engine, facts, scripts, _) in &mut engines {
            if counts(*engine, package) {
                scripts.note(package, name, facts);
            }
        }
    })?;
    corpus::each_early(folder, |name, package| {
        for (engine, facts, scripts, actors) in &mut engines {
            if counts(*engine, package) {
                package.decode_all();
                scripts::imported(package, facts);
                stored::collect(package, name, scripts, facts);
                actors.extend(scripts::actors(package));
            }
        }
    })?;
    let [(_, mut ue2, _, actors2), (_, mut ue3, _, actors3)] = engines;
    hierarchy::settle(&mut ue2, &[ue1], &actors2);
    hierarchy::settle(&mut ue3, &[ue1, ue4], &actors3);
    hierarchy::drop_unused(&mut ue3, 1);
    Ok((ue2, ue3))
}

/// UE4 and UE5.
fn later(folder: &Path) -> Made<(Facts, Facts)> {
    let (mut ue4, mut ue5) = (Facts::default(), Facts::default());
    let none = Scripts::default();
    corpus::each_later(folder, |package| {
        let is_ue4 = package.versions().engine() == Engine::Ue4;
        stored::collect(package, "", &none, if is_ue4 { &mut ue4 } else { &mut ue5 });
    })?;
    let all = corpus::mappings(&folder.join("usmap"))?;
    let mut stored = Facts::default();
    stored.merge(&ue4);
    stored.merge(&ue5);
    let make = |tags: Facts, is_ue5: bool| {
        let kinds = mappings::enum_kinds(&tags, &stored);
        let engines = all.iter().filter(|mappings| mappings::is_ue5(mappings) == is_ue5);
        mappings::used(&mappings::common(engines, &kinds), &stored, tags)
    };
    let (mut ue4, mut ue5) = (make(ue4, false), make(ue5, true));
    hierarchy::settle(&mut ue5, &[], &BTreeSet::new());
    hierarchy::settle(&mut ue4, &[&ue5], &BTreeSet::new());
    for facts in [&mut ue4, &mut ue5] {
        hierarchy::drop_unused(facts, mappings::WORTH);
    }
    Ok((ue4, ue5))
}

/// How both engines store the enums that have lines.
fn kinds_of_both(ue4: &Facts, ue5: &Facts) -> EnumKinds {
    let mut all = Facts::default();
    all.merge(ue4);
    all.merge(ue5);
    let has_line = |name: &str| all.enums.contains_key(name);
    mappings::enum_kinds(&all, &all).into_iter().filter(|(name, _)| has_line(name)).collect()
}
