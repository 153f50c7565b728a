//! Objects are copied between real packages that have objects of the same path: the copy, and all that it refers to,
//! must say what the original says.
//!
//! What is compared here is the explanation of each body, field by field, followed along references: nothing of it is
//! what `copy` itself decides by.

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::path::{Path, PathBuf};

use unreal_packages::PackageIndex;
use unreal_packages::archive::RecordValue;
use unreal_packages::edit::{Copied, CopyOptions, Dependencies, PackageEdit};
use unreal_packages::error::{UnrealError, UnrealErrors};
use unreal_packages::inspect::{Explanation, PackageValues};
use unreal_packages::package::{OpenOptions, Package, Section};
use unreal_packages::primitive::ObjectRef;
use unreal_packages::version::UnrealVersions;

use crate::folders::corpus;
use crate::manifest;

/// Larger packages take too long here.
const LARGEST: u64 = 120_000;
/// Pairs of packages of one version, and of which one is the same.
const PAIRS_OF_VERSION: usize = 12;
const PAIRS_OF_PACKAGE: usize = 4;
/// Objects that are copied in each pair.
const TRIED: usize = 2;
/// At least so many pairs of packages.
const WANTED: usize = 68;

/// Properties of which a copy has its own.
const IDENTITIES: &[&str] = &[
    "ActorGuid",
    "ExpressionGUID",
    "GraphGuid",
    "LightGuid",
    "MaterialExpressionGuid",
    "NavGuid",
    "NodeGuid",
];

/// What a body says, without what its references are called.
#[derive(Default)]
struct Content {
    fields: Vec<(String, String)>,
    objects: Vec<(String, PackageIndex)>,
}

struct Whole {
    name: String,
    options: OpenOptions,
    package: Package,
    /// Made when it is asked for: most packages have no other one of the same paths.
    contents: OnceCell<Vec<Content>>,
    /// Rows by path and class.
    rows: HashMap<(String, String), usize>,
}

/// What every body says; `dropped` are parts of objects that are left out: properties, lights.
fn contents(package: &Package, dropped: &BTreeMap<usize, BTreeSet<String>>) -> Vec<Content> {
    let mut found: Vec<Content> = Vec::new();
    found.resize_with(package.exports().len(), Content::default);
    let nothing = BTreeSet::new();
    for explained in Explanation::of(package).unwrap() {
        let Section::Body(row) = explained.section else { continue };
        let row = row as usize;
        let record = explained.record;
        let field = record.path.strip_prefix(&format!("bodies[{row}]")).unwrap().to_owned();
        let dropped = dropped.get(&row).unwrap_or(&nothing);
        let last = field.rsplit('.').next().unwrap_or_default();
        let is_position = last == "end" || last == "offset" && !field.contains("state_frame");
        // How wide a reference is decides what a tag says, and where arrays end.
        if field.contains(".tag") || is_position || field == ".net_index" {
            continue;
        }
        let is_light = ["lights", "light_bits", "light_maps", "leaves", "shadows"];
        if dropped.contains("lights") && is_light.iter().any(|part| field.contains(part)) {
            continue;
        }
        // Fields of a property begin with its name, and the name itself stands before them.
        let first = field.trim_start_matches('.').split(['.', '[']).next().unwrap_or_default();
        let is_name = field == ".property_name";
        // What becomes a part of another object is itself and not its original.
        if IDENTITIES.contains(&first) {
            continue;
        }
        if dropped.contains(if is_name { &*record.meaning } else { first }) {
            continue;
        }
        let content = &mut found[row];
        match &record.value {
            RecordValue::Reference { space, row, .. } if **space == PackageIndex::SPACE => {
                content.objects.push((field, PackageIndex::new(*row)));
            }
            // Letters of names may be of either case.
            RecordValue::Reference { .. } => {
                content.fields.push((field, record.meaning.to_ascii_lowercase()));
            }
            RecordValue::Span(kind) => {
                let bytes = &package.source()[record.start as usize..record.end as usize];
                content.fields.push((field, format!("{kind:?} {bytes:x?}")));
            }
            value => content.fields.push((field, value.to_string())),
        }
    }
    found
}

impl Whole {
    fn open(path: &Path, options: OpenOptions) -> Option<Self> {
        if std::fs::metadata(path).ok()?.len() > LARGEST {
            return None;
        }
        let bytes = std::fs::read(path).ok()?;
        let package = options.open_bytes(bytes).ok()?;
        let name = path.file_name()?.to_string_lossy().into_owned();
        // Explanations go by the bytes of the package itself.
        if package.container().is_some() {
            return None;
        }
        let contents = OnceCell::new();
        let title = |row: usize| {
            let export = package.exports().get(row).unwrap();
            (export.path().to_ascii_lowercase(), export.class().to_ascii_lowercase())
        };
        let rows = (0..package.exports().len()).map(|row| (title(row), row)).collect();
        Some(Self { name, options, package, contents, rows })
    }

    fn contents(&self) -> &[Content] {
        self.contents.get_or_init(|| {
            let mut package = self.package.clone();
            package.decode_all();
            contents(&package, &BTreeMap::new())
        })
    }

    fn stem(&self) -> &str {
        self.name.rsplit_once('.').map_or(&*self.name, |(stem, _)| stem)
    }

    /// What decides how bodies are stored: copies between others are read back as the same, in another form.
    fn version(&self) -> String {
        let versions = self.package.versions().clone().with_release(None);
        format!("{versions:?}")
    }
}

/// Every file below a folder.
fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    let mut paths: Vec<_> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.sort();
    for path in paths {
        match path.is_dir() {
            true => files(&path, found),
            false => found.push(path),
        }
    }
}

fn packages() -> Vec<Whole> {
    let mut paths = Vec::new();
    for folder in ["classic", "conform", "wild"] {
        files(&corpus().join(folder), &mut paths);
    }
    let mut found: Vec<_> =
        paths.iter().filter_map(|path| Whole::open(path, OpenOptions::new())).collect();
    if crate::folders::ue4_and_ue5().is_ok() {
        let entries = manifest::packages();
        found.extend(entries.iter().filter_map(|entry| Whole::open(&entry.path, entry.options())));
    }
    found
}

/// Groups are places, and no objects that say something.
fn is_group(package: &Package, row: usize) -> bool {
    let class = package.exports().get(row).map(|export| export.class()).unwrap_or_default();
    class.rsplit('.').next() == Some("Package")
}

/// What each level has of its own: a copied actor means that of the level that it is in now.
fn is_place(package: &Package, row: usize) -> bool {
    let class = package.exports().get(row).map(|export| export.class()).unwrap_or_default();
    let class = class.rsplit('.').next().unwrap_or_default();
    ["Level", "World", "LevelInfo", "WorldInfo", "WorldSettings", "DefaultPhysicsVolume"]
        .contains(&class)
        || is_group(package, row)
}

/// What an object lies in.
fn around(package: &Package, row: usize) -> HashSet<usize> {
    let outer = |index: &PackageIndex| Some(package.outer(*index)).filter(|it| !it.is_null());
    let rows = std::iter::successors(outer(&PackageIndex::export(row)), outer).take(64);
    let rows = rows.filter_map(|index| match index.target() {
        ObjectRef::Export(row) => Some(row),
        _ => None,
    });
    rows.collect()
}

struct Comparison<'a> {
    source: &'a Whole,
    original: Vec<Content>,
    package: &'a Package,
    copies: Vec<Content>,
    compared: usize,
}

impl Comparison<'_> {
    fn rows_differ(&self, row: usize, copy: usize) -> Option<String> {
        let (old, new) = (&self.source.package, self.package);
        let (before, after) = (old.exports().get(row).unwrap(), new.exports().get(copy).unwrap());
        if before.flags() != after.flags() {
            return Some(format!("flags {:?} and {:?}", before.flags(), after.flags()));
        }
        let (ours, theirs) = (&self.original[row], &self.copies[copy]);
        // A class holds its own name, and the copy has another one.
        let names = [before.name(), after.name()].map(|name| name.to_ascii_lowercase());
        let is_own_name = |one: &(String, String), other: &(String, String)| {
            one.0.ends_with("friendly_name") && [&one.1, &other.1] == names.each_ref()
        };
        let mut pairs = ours.fields.iter().zip(&theirs.fields);
        let differing = pairs.find(|(one, other)| one != other && !is_own_name(one, other));
        match differing {
            Some((one, other)) => Some(format!("{one:?} became {other:?}")),
            None if ours.fields.len() != theirs.fields.len() => Some("more fields".to_owned()),
            None if ours.objects.len() != theirs.objects.len() => Some("more objects".to_owned()),
            None => None,
        }
    }

    /// The first difference between an object and its copy, or between what they refer to.
    fn difference(&mut self, row: usize, copy: usize) -> Option<String> {
        let (old, new) = (&self.source.package, self.package);
        // What the object is put into is a place as well.
        let around = [around(old, row), around(new, copy)];
        let (mut open, mut met) = (vec![(row, copy)], HashSet::new());
        while let Some((row, copy)) = open.pop() {
            let is_around = around[0].contains(&row) && around[1].contains(&copy);
            let is_place = is_place(old, row) && is_place(new, copy);
            if !met.insert((row, copy)) || is_around || is_place {
                continue;
            }
            self.compared += 1;
            let path = || format!("{} and {}", old.exports().path(row), new.exports().path(copy));
            if let Some(difference) = self.rows_differ(row, copy) {
                return Some(format!("{}: {difference}", path()));
            }
            let entry = |package: &Package, row: usize| {
                let entry = package.exports().get(row).unwrap().entry();
                [("class", entry.class_index), ("super", entry.super_index)]
                    .map(|(what, index)| (what.to_owned(), index))
            };
            let before = entry(old, row).into_iter().chain(self.original[row].objects.clone());
            let after = entry(new, copy).into_iter().chain(self.copies[copy].objects.clone());
            for ((field, one), (other_field, other)) in before.zip(after) {
                let [was, is] = [old.path(one), new.path(other)].map(|it| it.to_ascii_lowercase());
                let is_same = field == other_field
                    && match (one.target(), other.target()) {
                        (ObjectRef::Null, ObjectRef::Null) => true,
                        (ObjectRef::Import(_), ObjectRef::Import(_)) => was == is,
                        (ObjectRef::Export(row), ObjectRef::Export(copy)) => {
                            open.push((row, copy));
                            true
                        }
                        // Imported from the source package, or from the package that a forced export is of.
                        (ObjectRef::Export(_), ObjectRef::Import(_)) => {
                            let stem = self.source.stem().to_ascii_lowercase();
                            is == format!("{stem}.{was}")
                                || is == was
                                || is.ends_with(&format!(".{was}"))
                        }
                        (ObjectRef::Import(_), ObjectRef::Export(_)) => {
                            was.ends_with(&format!(".{is}"))
                        }
                        _ => false,
                    };
                if !is_same {
                    return Some(format!("{}: {field} is {was}, and {is} in the copy", path()));
                }
            }
        }
        None
    }
}

/// Rows of the source that are worth copying into the target: those that refer to an object whose path the target has
/// too, then such objects themselves.
fn candidates(source: &Whole, target: &Whole) -> Vec<usize> {
    let shared: HashSet<usize> = source
        .rows
        .iter()
        .filter(|(title, row)| {
            target.rows.contains_key(*title) && !is_place(&source.package, **row)
        })
        .map(|(_, &row)| row)
        .collect();
    if shared.is_empty() {
        return Vec::new();
    }
    let refers = |row: &usize| {
        source.contents()[*row].objects.iter().any(
            |(_, index)| matches!(index.target(), ObjectRef::Export(to) if shared.contains(&to)),
        )
    };
    let is_plain = |row: &usize| !is_place(&source.package, *row);
    let all = (0..source.package.exports().len()).filter(is_plain);
    let mut found: Vec<_> = all.filter(refers).take(TRIED).collect();
    let mut shared: Vec<_> = shared.into_iter().collect();
    shared.sort_unstable();
    found.extend(shared.into_iter().take(TRIED));
    found.truncate(TRIED);
    found
}

/// The rows of the source and of the result, and the parts that the copy of each does not have.
fn dropped(
    copied: &Copied,
    source: &Whole,
    result: &Package,
) -> [BTreeMap<usize, BTreeSet<String>>; 2] {
    let mut found: [BTreeMap<usize, BTreeSet<String>>; 2] = Default::default();
    for text in &copied.dropped {
        let (path, part) = text.rsplit_once('.').unwrap();
        let renamed = copied.renamed.iter().find(|(_, new)| new == path);
        let original = renamed.map_or(path, |(old, _)| old);
        let rows = [source.package.find_export(original), result.find_export(path)];
        for (parts, row) in found.iter_mut().zip(rows) {
            let row = row.unwrap_or_else(|error| panic!("{text}: {error}"));
            parts.entry(row).or_default().insert(part.to_owned());
        }
    }
    found
}

#[derive(Default)]
struct Tally {
    done: usize,
    compared: usize,
    reused: usize,
    renamed: usize,
    dropped: usize,
    refused: BTreeMap<String, usize>,
    faults: Vec<String>,
}

fn try_copy(source: &Whole, target: &Whole, row: usize, how: Dependencies, tally: &mut Tally) {
    let what = format!(
        "{} of {} into {} ({how:?})",
        source.package.exports().path(row),
        source.name,
        target.name
    );
    let mut options = CopyOptions::new()
        .dependencies(how)
        .named("CopyByTest")
        .source_name(source.stem())
        .target_name(target.stem());
    let row_path = source.package.exports().path(row);
    if let Some((group, _)) = row_path.rsplit_once('.')
        && target.package.find_export(group).is_ok()
    {
        options = options.into_group(group);
    }
    let mut package = target.package.clone();
    let copied =
        match package.edit(|edit| edit.copy_from(&source.package, &format!("#{row}"), &options)) {
            Ok(copied) => copied,
            Err(error) => {
                let reason = match error.unreal() {
                    Some(UnrealError::Refused { reason, .. }) => reason.to_string(),
                    _ => error.kind().to_string(),
                };
                let reason = reason.split(['\'', ':', '(']).next().unwrap_or_default().to_owned();
                *tally.refused.entry(reason).or_default() += 1;
                return;
            }
        };
    let mut result = target.options.open_bytes(package.to_bytes().unwrap()).unwrap();
    result.decode_all();
    let [before, after] = dropped(&copied, source, &result);
    let mut decoded = source.package.clone();
    decoded.decode_all();
    let original = contents(&decoded, &before);
    let copies = contents(&result, &after);
    let package = &result;
    let mut comparison = Comparison { source, original, package, copies, compared: 0 };
    if let Some(difference) = comparison.difference(row, copied.row) {
        tally.faults.push(format!("{what}: {difference}"));
    }
    tally.compared += comparison.compared;
    tally.done += 1;
    tally.reused += copied.reused.len();
    tally.renamed += copied.renamed.len() - 1;
    tally.dropped += copied.dropped.len();
}

pub fn copies_between_packages_of_the_same_paths_say_what_the_originals_say() {
    let packages = packages();
    let mut versions: BTreeMap<String, Vec<&Whole>> = BTreeMap::new();
    for whole in &packages {
        versions.entry(whole.version()).or_default().push(whole);
    }
    let (mut tally, mut pairs) = (Tally::default(), BTreeMap::new());
    for (version, packages) in &versions {
        let mut used = vec![0; packages.len()];
        let mut count = 0;
        for (at, source) in packages.iter().enumerate() {
            for (other, target) in packages.iter().enumerate() {
                let is_full = [at, other].iter().any(|&at| used[at] >= PAIRS_OF_PACKAGE);
                if at == other || is_full || count >= PAIRS_OF_VERSION {
                    continue;
                }
                let rows = candidates(source, target);
                if rows.is_empty() {
                    continue;
                }
                count += 1;
                used[at] += 1;
                used[other] += 1;
                for row in rows {
                    for how in [Dependencies::Auto, Dependencies::Copy] {
                        try_copy(source, target, row, how, &mut tally);
                    }
                }
            }
        }
        if count > 0 {
            pairs.insert(version.clone(), count);
        }
    }
    let count: usize = pairs.values().sum();
    let Tally { done, compared, reused, renamed, dropped, .. } = tally;
    println!(
        "{count} pairs of packages of {} versions: {done} copies, {compared} objects compared, {reused} reused, \
         {renamed} under free names, {dropped} parts dropped",
        pairs.len()
    );
    for (why, count) in &tally.refused {
        println!("{count:>5} refused: {why}");
    }
    let faults = &tally.faults;
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
    assert!(count >= WANTED && done > count, "{count} pairs, {done} copies");
}

/// Names of the properties of a light, but for where it stands, how it was turned and moved, and how it shines.
fn property_names(package: &Package, row: usize) -> BTreeSet<String> {
    const PLACE: [&str; 4] = ["Location", "OldLocation", "ColLocation", "Rotation"];
    let found = package.values().properties(&format!("#{row}")).unwrap();
    let name = |path: &str| path.split(['.', '[']).next().unwrap_or_default().to_owned();
    let names = found.iter().map(|property| name(&property.path));
    let names = names.filter(|name| !PLACE.contains(&&**name) && !name.starts_with("Light"));
    names.collect()
}

/// An added light stores what each light stores that the editor has placed in the same map, and has their flags and
/// their state frames.
pub fn added_lights_are_as_the_editors_lights() {
    let mut paths = Vec::new();
    for folder in ["classic", "wild"] {
        files(&corpus().join(folder), &mut paths);
    }
    let (mut maps, mut lights) = (0, 0);
    // What an added light stores, and what all of the editor's do, by engine and game.
    let mut common = HashMap::new();
    for path in paths {
        let size = std::fs::metadata(&path).map_or(0, |data| data.len());
        let Some(mut package) = (size <= 8 * LARGEST)
            .then(|| Package::from_bytes(std::fs::read(&path).ok()?).ok())
            .flatten()
        else {
            continue;
        };
        if package.versions().file() >= 178 {
            continue;
        }
        let own: Vec<usize> = package
            .exports()
            .iter()
            .filter(|export| export.class() == "Engine.Light")
            .map(|export| export.row())
            .collect();
        let is_level = |class: String| class == "Engine.Level";
        if own.is_empty() || !package.exports().iter().any(|export| is_level(export.class())) {
            continue;
        }
        let what = path.display().to_string();
        let (added, placement) = package
            .edit(|edit| {
                let row = edit.add_blank_object("LightByTest", "Engine.Light")?;
                Ok((row, edit.placement(row)))
            })
            .unwrap_or_else(|error| panic!("{what}: {error}"));
        assert!(
            matches!(placement, unreal_packages::edit::Placement::Placed(_)),
            "{what}: {placement:?}"
        );
        let mut again = Package::from_bytes(package.to_bytes().unwrap()).unwrap();
        again.decode_all();
        let stored = property_names(&again, added);
        let kind = format!("{} {:?}", package.versions().engine(), package.versions().game());
        for &row in &own {
            let names = property_names(&again, row);
            assert!(stored.is_subset(&names), "{what}: {stored:?}, {names:?}");
            let all = common.entry(kind.clone()).or_insert((stored.clone(), names.clone()));
            all.1.retain(|name| names.contains(name));
        }
        let flags = |row: usize| again.exports().get(row).unwrap().flags();
        assert!(own.iter().any(|&row| flags(row) == flags(added)), "{what}: {:?}", flags(added));
        let frame = |row: usize| {
            let body = &again.decoded(row).unwrap().body;
            let plain = body.state_frame.as_ref();
            let plain = plain.map(|it| (it.node, it.state_node, it.probe_mask, it.offset));
            // That of SWAT 4 refers to the object itself.
            let other = body.vengeance_state_frame.as_ref();
            let other = other.map(|it| {
                let this = it.this == PackageIndex::export(row);
                (it.header, it.node, it.state_node, it.probe_mask, it.unknown_5, this)
            });
            assert!(plain.is_some() || other.is_some(), "{what}: no state frame");
            (plain, other)
        };
        let same_frame = |row: &usize| frame(*row) == frame(added);
        assert!(own.iter().any(same_frame), "{what}");
        maps += 1;
        lights += own.len();
    }
    println!("{maps} maps with {lights} lights: {common:?}");
    assert!(common.values().all(|(added, all)| added == all), "{common:?}");
    assert!(maps >= 5 && lights >= 50, "{maps} maps, {lights} lights");
}
