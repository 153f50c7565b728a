//! Groups of actors that are copied into another map of the same game: they are listed there, no identity stands
//! twice, and nothing else changes.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use unreal_packages::PackageIndex;
use unreal_packages::compare::diff;
use unreal_packages::edit::{CopyOptions, Dependencies, PackageEdit};
use unreal_packages::error::{UnrealError, UnrealErrors};
use unreal_packages::inspect::PackageValues;
use unreal_packages::package::Package;
use unreal_packages::primitive::ObjectRef;
use unreal_packages::version::{UnrealVersions, Versions};

use crate::folders::corpus;
use crate::members::{identities, lists};

/// Larger maps take too long here.
const LARGEST: u64 = 3 << 20;
/// Actors of a group.
const MEMBERS: usize = 3;
/// Groups that are tried of a map until one is copied.
const TRIED: usize = 6;
const OFFSET: &str = "(X=128,Y=-64,Z=32)";

struct Map {
    name: String,
    package: Package,
    level: usize,
    actors: Vec<PackageIndex>,
}

impl Map {
    fn open(path: &Path) -> Option<Self> {
        if path.metadata().ok()?.len() > LARGEST {
            return None;
        }
        let mut package = Package::open(path).ok()?;
        package.decode_all();
        let (level, actors) = (0..package.exports().len()).find_map(|row| {
            let actors = lists(&package, row).remove("actors")?;
            // The first places are the level's own.
            (actors.len() >= 2).then_some((row, actors))
        })?;
        let name = path.file_name()?.to_string_lossy().into_owned();
        Some(Self { name, package, level, actors })
    }

    /// The versions that both maps of a pair must have.
    fn kind(&self) -> Versions {
        self.package.versions().clone().with_custom_versions(Vec::new()).with_release(None)
    }

    /// The group into which actors come: none where they stand beside their level.
    fn place(&self) -> Option<String> {
        let mut outers = self.actors.iter().map(|&actor| self.package.outer(actor));
        let level = PackageIndex::export(self.level);
        outers.any(|outer| outer == level).then(|| self.package.path(level))
    }

    /// The property that says where an actor stands, with the object that has it.
    fn place_of(&self, actor: PackageIndex) -> Option<(String, &'static str)> {
        let values = self.package.values();
        let object = format!("#{}", actor.value() - 1);
        if !self.package.versions().has_soft_references() {
            values.property(&object, "Location").ok()?;
            return Some((object, "Location"));
        }
        let root = values.property(&object, "RootComponent").ok()?.value?;
        let unreal_packages::property::Value::Object(root) = root else { return None };
        let root = format!("#{}", root.value() - 1);
        values.property(&root, "RelativeLocation").ok()?;
        Some((root, "RelativeLocation"))
    }

    /// Groups of actors that store where they stand, those behind the first places of the level.
    fn groups(&self) -> Vec<Vec<usize>> {
        let rows: Vec<usize> = self
            .actors
            .iter()
            .skip(2)
            .filter_map(|&actor| match actor.target() {
                ObjectRef::Export(row) => self.place_of(actor).map(|_| row),
                _ => None,
            })
            .collect();
        rows.chunks(MEMBERS).filter(|rows| rows.len() == MEMBERS).map(<[_]>::to_vec).collect()
    }
}

#[derive(Default)]
struct Tally {
    copied: BTreeMap<String, usize>,
    refused: BTreeMap<String, usize>,
    without: usize,
    faults: Vec<String>,
}

fn maps() -> Vec<Map> {
    let folders = ["classic", "conform", "modern", "modern-ue6", "wild/classic", "wild/modern"];
    let mut files: Vec<PathBuf> = Vec::new();
    for folder in folders {
        let Ok(entries) = std::fs::read_dir(corpus().join(folder)) else { continue };
        files.extend(entries.map(|entry| entry.unwrap().path()).filter(|path| path.is_file()));
    }
    files.sort();
    files.iter().filter_map(|file| Map::open(file)).collect()
}

pub fn groups_of_actors_are_copied_into_other_maps() {
    let maps = maps();
    let mut tally = Tally::default();
    for (at, source) in maps.iter().enumerate() {
        let groups = source.groups();
        let others = maps.iter().enumerate().filter(|(other, _)| *other != at);
        let target = others.map(|(_, map)| map).find(|map| map.kind() == source.kind());
        // The only map of its versions is another one than its own copy.
        let target = target.unwrap_or(source);
        if groups.is_empty() {
            tally.without += 1;
            continue;
        }
        let mut reasons = Vec::new();
        let done = [Dependencies::Auto, Dependencies::Copy].into_iter().any(|how| {
            groups.iter().take(TRIED).any(|group| {
                let copied = copy(source, target, (group, how), &mut tally.faults);
                copied.map_err(|reason| reasons.push(reason)).is_ok()
            })
        });
        let engine = format!("{:?}", source.package.versions().engine());
        if done {
            *tally.copied.entry(engine).or_default() += 1;
        } else {
            *tally.refused.entry(format!("{engine} {}", reasons[0])).or_default() += 1;
        }
    }
    println!("{} maps, {} without three actors that store their places", maps.len(), tally.without);
    println!("copied: {:?}", tally.copied);
    println!("refused: {:#?}", tally.refused);
    let faults = &tally.faults;
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
    assert!(tally.copied.values().sum::<usize>() > 50, "{:?}", tally.copied);
}

fn copy(
    source: &Map,
    target: &Map,
    (group, how): (&[usize], Dependencies),
    faults: &mut Vec<String>,
) -> Result<(), String> {
    let mut options = CopyOptions::new().dependencies(how);
    if let Some(place) = target.place() {
        options = options.into_group(place);
    }
    let paths: Vec<String> = group.iter().map(|row| format!("#{row}")).collect();
    let paths: Vec<&str> = paths.iter().map(String::as_str).collect();
    let mut package = target.package.clone();
    let copied = package.edit(|edit| {
        let copied = edit.copy_objects_from(&source.package, &paths, &options)?;
        edit.move_actors(&copied.rows, OFFSET)?;
        Ok(copied)
    });
    let copied = copied.map_err(|error| match error.unreal() {
        Some(UnrealError::Refused { reason, .. }) => reason.to_string(),
        _ => error.kind().to_string(),
    })?;
    let at = format!("{} into {}", source.name, target.name);
    let mut fault = |what: String| faults.push(format!("{at}: {what}"));
    let mut again = match package.to_bytes().and_then(Package::from_bytes) {
        Ok(again) => again,
        Err(error) => {
            fault(error.to_string());
            return Ok(());
        }
    };
    again.decode_all();
    let actors = lists(&again, target.level).remove("actors").unwrap_or_default();
    for &row in &copied.rows {
        let count = actors.iter().filter(|&&it| it == PackageIndex::export(row)).count();
        if count != 1 {
            fault(format!("#{row} stands {count} times in the level's list"));
        }
    }
    for row in target.package.exports().len()..again.exports().len() {
        let decoded = again.decoded(row);
        if decoded.is_some_and(|decoded| !decoded.is_complete()) {
            fault(format!("{} is not decoded whole", again.exports().path(row)));
        }
    }
    let count = |package: &Package| {
        let all = identities(package);
        all.len() - all.iter().collect::<BTreeSet<_>>().len()
    };
    if count(&again) > count(&target.package) {
        fault("an identity stands twice".to_owned());
    }
    let level = target.package.exports().path(target.level);
    for object in diff(&target.package, &again).changed {
        let is_list = object.path == level
            || ["LevelInfo", "WorldInfo", "MetaData"].iter().any(|it| object.class.ends_with(it));
        // The last one of a chain leads to the copy.
        let links = object.class.contains("PathNode") || object.class.contains("PlayerStart");
        if !is_list && !links {
            fault(format!("{} changed too", object.path));
        }
    }
    Ok(())
}

/// Packages of each version that are looked at, and larger ones are not.
const OF_A_VERSION: usize = 6;
const SMALL: u64 = 200_000;

pub fn objects_are_copied_between_file_versions() {
    let mut kinds: BTreeMap<String, BTreeMap<u32, Vec<(String, Package)>>> = BTreeMap::new();
    for folder in ["classic", "conform", "wild/classic"] {
        let Ok(entries) = std::fs::read_dir(corpus().join(folder)) else { continue };
        let mut files: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
        files.retain(|file| file.metadata().is_ok_and(|it| it.is_file() && it.len() <= SMALL));
        files.sort();
        for file in files {
            let Ok(package) = Package::open(&file) else { continue };
            let versions = package.versions();
            if package.container().is_some() || versions.has_soft_references() {
                continue;
            }
            let kind =
                format!("{:?} {} {:?}", versions.engine(), versions.licensee(), versions.game());
            let of_kind = kinds.entry(kind).or_default().entry(versions.file()).or_default();
            if of_kind.len() < OF_A_VERSION {
                of_kind.push((file.file_name().unwrap().to_string_lossy().into_owned(), package));
            }
        }
    }
    let (mut copied, mut refused, mut faults) = (0, BTreeMap::<String, usize>::new(), Vec::new());
    for versions in kinds.values().filter(|versions| versions.len() > 1) {
        for (&from, sources) in versions {
            for (source, (&to, targets)) in
                sources.iter().flat_map(|it| versions.iter().map(move |other| (it, other)))
            {
                let (name, source) = source;
                let Some((other, target)) = targets.first().filter(|_| from != to) else {
                    continue;
                };
                // The last object at the top that no other one derives from.
                let is_plain = |row: &usize| {
                    let export = source.exports().get(*row).unwrap();
                    export.entry().outer_index.is_null() && !export.class().ends_with("Class")
                };
                let Some(row) = (0..source.exports().len()).rev().find(is_plain) else { continue };
                let at = format!("{name} into {other}, {from} to {to}");
                let options =
                    CopyOptions::new().named("CopyByTest").dependencies(Dependencies::Copy);
                let mut package = target.clone();
                let object = format!("#{row}");
                match package.edit(|edit| edit.copy_from(source, &object, &options)) {
                    Ok(done) => {
                        copied += 1;
                        let again = package.to_bytes().and_then(Package::from_bytes).unwrap();
                        let body = again.decode(done.row).unwrap();
                        if !body.is_complete() || done.converted_from != Some(from) {
                            faults.push(at);
                        }
                    }
                    Err(error) => {
                        let reason = match error.unreal() {
                            Some(UnrealError::Refused { reason, .. }) => reason.to_string(),
                            _ => error.kind().to_string(),
                        };
                        let reason = reason.split(['\'', ':', '(']).next().unwrap_or_default();
                        *refused.entry(reason.to_owned()).or_default() += 1;
                    }
                }
            }
        }
    }
    println!("{copied} copied between file versions; refused: {refused:#?}");
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
    assert!(copied > 10, "{copied}");
}
