//! The laws for every type of the library, by the list of all: bytes that a type loads, at the versions
//! around each bound of the type and of what it contains.

use std::collections::{BTreeSet, HashSet};

use unreal_packages::archive::Object;
use unreal_packages::archive::layout::{Layout, Link};
use unreal_packages::version::{FILE, LICENSEE, Measure, UE4, UE5, UnrealVersions};
use unreal_packages::{EngineRelease, Game, Saver, Versions};

use crate::common::agreement::{BONE, BOOL, EXPRESSION, Make, context, laws, loader};
use crate::common::{GAMES, ORDERS};

/// Bytes that are offered; few types of the library take more where most are zero.
const OFFERED: usize = 4096;
/// Changed inputs for each type and version; `FARCHIVE_WHOLE` asks for more of them, as .ci/long does.
fn changes() -> usize {
    if std::env::var_os("FARCHIVE_WHOLE").is_some() { 12 } else { 3 }
}

/// The laws for all types whose path starts so.
fn every_type_of(rooms: &[&str]) {
    let mut faults = Vec::new();
    let (mut types, mut loaded) = (0, 0_u64);
    for link in unreal_packages::layouts() {
        let layout = link.layout().unwrap();
        let Some(make) = link.value else { continue };
        if !rooms.iter().any(|room| layout.place().starts_with(room)) {
            continue;
        }
        types += 1;
        let before = loaded;
        let all = versions_of(layout);
        let outcome = all.iter().try_for_each(|versions| {
            at_version((make, layout), versions, &all, &mut loaded).map_err(|fault| {
                let order = versions.byte_order;
                format!("{} at {versions} {order:?} {:?}: {fault}", layout.name(), versions.game())
            })
        });
        faults.extend(outcome.err());
        let is_beside = BESIDE.iter().any(|(place, _)| *place == layout.place());
        if (loaded == before) != is_beside {
            faults.push(format!("{}: {} values load", (layout.path)(), loaded - before));
        }
    }
    println!("{types} types, {loaded} values");
    assert!(types > 0, "no types in {rooms:?}");
    assert!(faults.is_empty(), "{} of {types} types:\n{}", faults.len(), faults.join("\n"));
}

macro_rules! rooms {
    ($($(#[$condition:meta])* $name:ident: $($room:literal),*;)*) => { $(
        $(#[$condition])*
        #[test]
        fn $name() {
            every_type_of(&[$($room),*]);
        }
    )* };
}

rooms! {
    every_type_of_the_ground: "farchive::", "unreal_model::primitive", "unreal_package::compression", "unreal_environment::environment";
    every_type_of_tables: "unreal_model::table";
    every_type_of_containers: "unreal_package::container";
    #[cfg(feature = "content")]
    every_type_of_meshes_in_files: "unreal_content::content::mesh";
    every_type_of_properties: "unreal_model::property", "unreal_model::script";
    every_type_of_geometry: "unreal_model::object::geometry", "unreal_model::object::url", "unreal_model::object::text";
    every_type_of_bodies: "unreal_model::object::p", "unreal_model::object::body", "unreal_model::object::script_object";
    every_type_of_ue1: "unreal_model::object::ue1";
    every_type_of_ue2: "unreal_model::object::ue2";
    every_type_of_ue3: "unreal_model::object::ue3";
    every_type_of_ue4_and_ue5: "unreal_model::object::ue4";
}

/// Releases that most packages come from, games, and one below, at and above each bound.
fn versions_of(layout: &'static Layout) -> Vec<Versions> {
    let releases = [(4, 0), (4, 13), (4, 27), (5, 0), (5, 3), (5, 8)];
    let releases = releases.map(|(major, minor)| EngineRelease::new(major, minor).versions());
    let newest = &releases[5];
    let files = [35, 61, 69, 128, 178, 369, 512, 684, 868];
    let mut all: Vec<Versions> = files.map(|file| Versions::ue1_to_3(file, 0)).to_vec();
    for (file, licensee, game) in GAMES {
        all.push(Versions::ue1_to_3(*file, *licensee).with_game(*game));
    }
    for (measure, value) in bounds_of(layout) {
        for value in [value - 1, value, value + 1] {
            let Ok(version) = u32::try_from(value.max(0)) else { continue };
            match measure {
                Measure::Axis(FILE) => {
                    all.push(Versions::ue1_to_3(version, 0).with_game(Game::Mainline));
                }
                Measure::Axis(LICENSEE) => all.extend(
                    GAMES
                        .iter()
                        .map(|(file, _, game)| Versions::ue1_to_3(*file, version).with_game(*game)),
                ),
                Measure::Axis(UE4) => all.push(Versions::ue4_and_5(version.max(1), 0)),
                Measure::Axis(UE5) => all.push(Versions::ue4_and_5(522, version)),
                Measure::Axis(other) => panic!("no versions are made on {}", other.name()),
                Measure::Custom(guid) => {
                    let mut versions = newest.clone();
                    let customs = versions.custom_versions.iter().flat_map(|list| list.iter());
                    let customs = customs.filter(|(own, _)| *own != guid).copied();
                    let changed = (guid, i32::try_from(value).unwrap());
                    versions.set_custom_versions(customs.chain([changed]).collect());
                    all.push(versions);
                }
            }
        }
    }
    for versions in releases {
        let cooked = versions.clone().with_cooked(true).with_filter_editor_only(true);
        all.extend([versions, cooked]);
    }
    let mut seen = HashSet::new();
    all.retain(|it| seen.insert((format!("{it:?}"), it.file())));
    // Numbers of the other order are a matter of archives: every third version is enough.
    let big = all.iter().step_by(3).map(|it| it.clone().with_byte_order(ORDERS[1]));
    let big: Vec<_> = big.collect();
    all.extend(big);
    all
}

/// The bounds of a type and of all that it contains.
fn bounds_of(layout: &'static Layout) -> Vec<(Measure, i64)> {
    let mut bounds = Vec::new();
    let mut seen = BTreeSet::new();
    let mut waiting = vec![layout];
    while let Some(layout) = waiting.pop() {
        if !seen.insert((layout.path)()) {
            continue;
        }
        for bound in layout.bounds() {
            if !bounds.contains(&(bound.measure, bound.value)) {
                bounds.push((bound.measure, bound.value));
            }
        }
        waiting.extend(layout.fields().flat_map(|it| it.links).filter_map(Link::layout));
    }
    bounds
}

/// Numbers from a fixed start, so that a failure comes back.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self, below: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % below.max(1)
    }
}

/// Zeros, then changes to them, each kept while the bytes still load.
fn at_version(
    (make, layout): (Make, &Layout),
    versions: &Versions,
    others: &[Versions],
    loaded: &mut u64,
) -> Result<(), String> {
    let seed = layout
        .name()
        .bytes()
        .fold(u64::from(versions.file() + versions.ue4() + versions.ue5()), |n, byte| {
            n.wrapping_mul(0x0100_0000_01b3) ^ u64::from(byte)
        });
    let mut numbers = Numbers(seed | 1);
    let mut bytes = vec![0; OFFERED];
    let mut used = laws(make, make(), &bytes, versions)?;
    for start in [saved_default(make, versions), start_of(layout, versions)].into_iter().flatten() {
        let mut offered = start;
        offered.resize(OFFERED.max(offered.len()), 0);
        let outcome = laws(make, make(), &offered, versions)?;
        *loaded += u64::from(outcome.is_some());
        if used.is_none() && outcome.is_some() {
            (bytes, used) = (offered, outcome);
        }
    }
    let mut before = make();
    for _ in 0..changes() {
        let mut changed = bytes.clone();
        let reach = used.map_or(64, |used| used.min(OFFERED));
        for _ in 0..=numbers.next(3) {
            let at = numbers.next(reach);
            let small = numbers.next(4) as u8;
            changed[at] = [small, small, numbers.next(256) as u8, 0xff][numbers.next(4)];
        }
        let outcome = laws(make, before.clone(), &changed, versions)
            .map_err(|fault| format!("{fault}\n  bytes {:x?}", &changed[..reach.min(96)]))?;
        if outcome.is_some() {
            *loaded += 1;
            (bytes, used) = (changed, outcome);
            // The next value is loaded over this one.
            let _ = before.serialize_dyn(&mut loader(&bytes, versions));
            if !decides_by_value(layout) {
                let other = &others[numbers.next(others.len())];
                let outcome = loads_again(make, &mut *before, &bytes, other);
                outcome.map_err(|fault| format!("saved at {other} {:?}: {fault}", other.game()))?;
            }
        }
    }
    *loaded += u64::from(used.is_some());
    if used.is_some() {
        super::compared::law(make, &bytes, versions)?;
    }
    #[cfg(feature = "json")]
    if used.is_some() {
        super::keys::law((make, layout), &bytes, (versions.clone(), context(&bytes)))?;
    }
    Ok(())
}

/// What is chosen when it is loaded and then decides how it is saved, whatever the version: `convert` makes it anew
/// for another one. A type that holds one is no matter of versions alone.
const BY_VALUE: [&str; 8] = [
    "unreal_model::object::body::Body",
    "unreal_model::property::list::PropertyList",
    "unreal_model::property::value::variant::Value",
    "unreal_model::script::code::Script",
    "unreal_model::property::codec::tag::PropertyTag",
    "unreal_model::object::script_object::ScriptObject",
    // They say the version themselves.
    "unreal_model::table::summary::Summary",
    "unreal_model::table::file_versions::FileVersions",
];

/// Types whose value keeps a form that the bytes of another version say otherwise, or not at all: saved there it may
/// be refused only when it is loaded. Conversions open again what they have written and refuse it then.
const KEEPS_A_FORM: [&str; 20] = [
    // Lists of properties whose types are not known are kept as bytes.
    "CachedEditorData",
    "CachedExpressionData",
    "ClassDefaults",
    "CurveTable",
    "DataTable",
    "Flagged<CachedEditorData>",
    "Flagged<CachedExpressionData>",
    "InstanceCachedData",
    "MaterialInstance",
    "NiagaraSystem",
    // What follows is told by numbers that other versions place elsewhere.
    "CookedPlatforms",
    "ImageTexture",
    "LayeredTexture",
    "LightMapTexture2D",
    "Lod",
    "OldShaderResource",
    "ShaderMap",
    "SkeletalLodHead",
    "SoundWave",
    "CompressedBuffer",
];

fn decides_by_value(layout: &Layout) -> bool {
    if KEEPS_A_FORM.contains(&&*layout.name()) {
        return true;
    }
    let mut seen = BTreeSet::new();
    let mut waiting: Vec<&Link> = layout.fields().flat_map(|field| field.links).collect();
    if BY_VALUE.contains(&layout.place()) {
        return true;
    }
    while let Some(link) = waiting.pop() {
        let Some(layout) = link.layout() else { continue };
        if BY_VALUE.contains(&layout.place()) {
            return true;
        }
        if seen.insert((layout.path)()) {
            waiting.extend(layout.fields().flat_map(|field| field.links));
        }
    }
    false
}

/// At whatever version a value is saved, it loads again; else saving refuses it.
fn loads_again(
    make: Make,
    value: &mut dyn Object,
    source: &[u8],
    versions: &Versions,
) -> Result<(), String> {
    let mut saver = Saver::new(versions.clone()).with_context(context(source));
    if value.serialize_dyn(&mut saver).is_err() {
        return Ok(());
    }
    let bytes = saver.into_bytes();
    let (mut again, mut loader) = (make(), loader(&bytes, versions));
    let result = again.serialize_dyn(&mut loader);
    result.map_err(|error| format!("{error}\n  {value:?} as {bytes:x?}"))?;
    match loader.remaining() {
        0 => Ok(()),
        left => Err(format!("{left} bytes are left\n  {value:?} as {bytes:x?}")),
    }
}

/// What an empty value is saved as: of types that begin with a tag the only bytes that load.
fn saved_default(make: Make, versions: &Versions) -> Option<Vec<u8>> {
    let mut saver = Saver::new(versions.clone()).with_context(context(&[]));
    make().serialize_dyn(&mut saver).ok()?;
    Some(saver.into_bytes())
}

/// The start of a value of those types that have no empty one.
fn start_of(layout: &Layout, versions: &Versions) -> Option<Vec<u8>> {
    let big = versions.byte_order.is_big();
    let words = |words: &[u32]| {
        words.iter().flat_map(|it| if big { it.to_be_bytes() } else { it.to_le_bytes() }).collect()
    };
    match layout.place() {
        "unreal_package::compression::redirect::Uz2Block" => Some(words(&[3, 5, 7])),
        // One block, in big-endian numbers whatever the versions say.
        "unreal_package::compression::buffer::CompressedBuffer" => {
            Some([&[0xb7, 0x75, 0x63, 0x62][..], &[0; 11], &[1]].concat())
        }
        // Nothing in it, every folder stored whole.
        "unreal_package::container::pak::flat::FlatDirectoryIndex" => {
            Some([b"QDFP".to_vec(), words(&[0, 0, 1, 0, 0, 0, 0])].concat())
        }
        // Version 1 with nothing in it; sizes of rows are the only ones there are.
        "unreal_package::container::iostore::toc::Toc" => {
            let head = [1, 144, 0, 0, 12, 0, 32, 1 << 16];
            Some([b"-==--==--==--==-".to_vec(), words(&head)].concat())
        }
        // The row of its class.
        "unreal_model::object::ue3::asset::expression::Expression"
        | "unreal_model::object::ue4::asset::uniform_expression::Expression" => {
            Some(words(&[EXPRESSION, 0]))
        }
        // Its key, or the one of the list and its own.
        "unreal_model::object::ue4::rig::element::RigElement" => {
            Some(words(&[BONE, 0, 1, 0, BONE, 0, 1, 0]))
        }
        // Name and type, in the list and of its own.
        "unreal_model::object::ue4::rig::metadata::RigMetadata" => {
            Some(words(&[1, 0, BOOL, 0, 1, 0, BOOL, 0]))
        }
        _ if !versions.has_object_versions() => None,
        "unreal_model::table::file_versions::FileVersions" => Some(words(&file_versions(versions))),
        place if place.ends_with("Summary") => {
            Some(words(&[&[0x9e2a_83c1][..], &file_versions(versions)].concat()))
        }
        _ => None,
    }
}

/// What headers of UE4 and UE5 say of their versions (spec: ue4-5/02 §3).
fn file_versions(versions: &Versions) -> Vec<u32> {
    let legacy = EngineRelease::of_versions(versions.ue4(), versions.ue5()).legacy_file_version();
    let ue5 = (legacy <= -8).then_some(versions.ue5());
    let numbers = [legacy as u32, Versions::LEGACY_UE3, versions.ue4()];
    numbers.into_iter().chain(ue5).chain([versions.licensee()]).collect()
}

/// Types that no bytes of this test load, and what runs their laws instead.
const BESIDE: [(&str, &str); 3] = [
    // Its summary says where its sections stand: `tests/package/zen.rs` loads and saves it in every form.
    ("unreal_package::container::zen::header::ZenHeader", ""),
    // Its two versions are those that are known, and zeros are neither: `tests/objects/ue4/late.rs` has a column of each type.
    ("unreal_model::object::ue4::asset::managed_array::ManagedArray", ""),
    // It stands for a part that no known file has: loading it is an error in every version.
    ("unreal_model::object::ue4::asset::static_mesh_lod::render_data::Absent", ""),
];
