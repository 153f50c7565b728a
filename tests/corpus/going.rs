//! Objects of real packages go and come back: what refers to them, counts or lists them follows, and the
//! package has its bytes again.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use unreal_packages::PackageIndex;
use unreal_packages::compare::diff;
use unreal_packages::edit::{PackageEdit, RemoveOptions, Removed};
use unreal_packages::error::{UnrealError, UnrealErrors};
use unreal_packages::inspect::Explanation;
use unreal_packages::object::{ue1, ue2, ue3, ue4};
use unreal_packages::package::{Package, native_as};
use unreal_packages::version::UnrealVersions;

use crate::files;
use crate::manifest;

/// Larger packages take too long where nothing is optimised.
const LARGEST: usize = 3_000_000;
/// Objects of a package that are tried.
const TRIED: usize = 16;
/// Actors of a level that are removed, spread over its list.
const ACTORS: usize = 5;

#[derive(Default)]
struct Seen {
    packages: usize,
    hidden: usize,
    fixed: usize,
    removed: usize,
    exact: usize,
    other: Vec<String>,
    refused: BTreeMap<String, usize>,
    faults: Vec<String>,
}

impl Seen {
    fn report(&self, what: &str) {
        let Self { packages, hidden, fixed, removed, exact, .. } = self;
        println!(
            "{what}: {packages} packages, {hidden} not decoded whole, {fixed} where nothing can go; \
             {removed} removed, {exact} with the same bytes when restored"
        );
        for place in &self.other {
            println!("with other bytes: {place}");
        }
        for (reason, count) in &self.refused {
            println!("refused {count}: {reason}");
        }
        let faults = &self.faults;
        assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
    }
}

pub fn each<T: Sync>(of: &[T], check: impl Fn(&T) + Sync) {
    let next = AtomicUsize::new(0);
    let threads = std::thread::available_parallelism().map_or(2, usize::from).min(4);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some(one) = of.get(next.fetch_add(1, Ordering::Relaxed)) {
                    check(one);
                }
            });
        }
    });
}

pub fn is_whole(package: &Package) -> bool {
    (0..package.exports().len()).all(|row| match package.decoded(row) {
        Some(decoded) => decoded.is_complete(),
        None => package.exports().get(row).is_some_and(|export| export.size() == 0),
    })
}

/// What each export must have loaded first, by kind.
fn preloads(package: &Package) -> BTreeMap<String, [Vec<String>; 4]> {
    let list = &package.tables().further.preload_dependencies;
    let of = |export: unreal_packages::package::ExportView<'_>| {
        let preload = export.entry().preload;
        let mut at = preload.first.max(0) as usize;
        let counts = [
            preload.serialization_before_serialization,
            preload.create_before_serialization,
            preload.serialization_before_create,
            preload.create_before_create,
        ];
        let kinds = counts.map(|count| {
            let end = at + count.max(0) as usize;
            let kind = list.get(at..end).unwrap_or_default();
            at = end;
            kind.iter().map(|&index| package.path(index)).collect()
        });
        (export.path(), kinds)
    };
    package.exports().iter().map(of).collect()
}

/// Removed, opened again: only what was said is gone or changed. Restored: the bytes are there again.
fn goes_and_comes(
    package: &mut Package,
    open: impl Fn(Vec<u8>) -> unreal_packages::Result<Package>,
    removed: &Removed,
    before: &Package,
) -> Result<Option<String>, String> {
    let saved = package.to_bytes().map_err(|error| format!("can't be saved: {error}"))?;
    let mut again = open(saved.clone()).map_err(|error| format!("can't be opened: {error}"))?;
    if again.to_bytes().ok().as_ref() != Some(&saved) {
        return Err("re-saves differently".to_owned());
    }
    again.decode_all();
    if !is_whole(&again) {
        return Err("is not decoded whole any more".to_owned());
    }
    let found = diff(before, &again);
    let known = |path: &str| removed.objects.iter().any(|it| it.eq_ignore_ascii_case(path));
    let mut gone: Vec<_> = found.removed.iter().map(|object| &object.path).collect();
    gone.retain(|path| !known(path));
    if !gone.is_empty() || !found.added.is_empty() {
        return Err(format!("{gone:?} went as well, {} came", found.added.len()));
    }
    let mut expected = preloads(before);
    expected.retain(|path, _| !known(path));
    for kind in expected.values_mut().flatten() {
        kind.retain(|path| !known(path));
    }
    if preloads(&again) != expected {
        return Err("what must be loaded first is not what it was".to_owned());
    }
    let may = |path: &str| removed.nulled.iter().chain(&removed.unlisted).any(|it| it == path);
    // Fields close up behind one of them.
    let links = |change: &str| {
        let fields = ["next", "children", "first_child", "functions"];
        // Paths of UE1 have other numbers where one that led to the object is gone.
        let paths = ["Paths"];
        fields.iter().chain(&paths).any(|it| change.contains(it))
    };
    for object in &found.changed {
        let changes: Vec<String> = object.changes.iter().map(ToString::to_string).collect();
        if !may(&object.path) && !changes.iter().all(|change| links(change)) {
            let other = changes.iter().find(|change| !links(change));
            return Err(format!("{} has changed: {other:?}", object.path));
        }
    }
    package
        .edit(|edit| edit.restore(removed))
        .map_err(|error| format!("does not come back: {error}"))?;
    let original = before.to_bytes().map_err(|error| error.to_string())?;
    let restored = package.to_bytes().map_err(|error| error.to_string())?;
    if restored == original {
        return Ok(None);
    }
    let first = restored.iter().zip(&original).position(|(ours, theirs)| ours != theirs);
    let first = first.unwrap_or(original.len().min(restored.len())) as u64;
    let sizes = (restored.len(), original.len());
    let mut restored = open(restored).map_err(|error| error.to_string())?;
    restored.decode_all();
    let sections = restored.sections();
    let place = sections.iter().find(|place| (place.start..place.end()).contains(&first));
    let place = place.map(|place| place.section);
    let field = |package: &Package| {
        let all = Explanation::of(package).unwrap_or_default();
        let found = all.into_iter().map(|it| it.record);
        let mut found = found.filter(|record| (record.start..record.end).contains(&first));
        found.next().map(|record| format!("{} = {}", record.path, record.value))
    };
    let fields = [field(before), field(&restored)];
    let left = again.exports().len();
    match diff(before, &restored) {
        same if same.is_empty() => {
            Ok(Some(format!("{place:?}, {sizes:?} bytes, {left} exports left: {fields:?}")))
        }
        other => Err(format!("differs when restored: {:?}", other.header.first())),
    }
}

pub fn objects_of_ue4_and_ue5_go_and_come_back() {
    let entries = manifest::packages();
    let seen = Mutex::new(Seen::default());
    each(&entries, |entry| {
        #[cfg(feature = "usmap-codecs")]
        let options = entry.options_with_mappings();
        #[cfg(not(feature = "usmap-codecs"))]
        let options = entry.options();
        let Ok(mut package) = options.open(&entry.path) else { return };
        if package.source().len() > LARGEST / 10 {
            return;
        }
        package.decode_all();
        let mut all = seen.lock().unwrap();
        all.packages += 1;
        if !is_whole(&package) {
            all.hidden += 1;
            return;
        }
        drop(all);
        let before = package.clone();
        let mut reasons: BTreeMap<String, usize> = BTreeMap::new();
        for row in (0..package.exports().len()).rev().take(TRIED) {
            let path = format!("#{row}");
            let options_of = RemoveOptions::Refuse;
            let removed = match package.edit(|edit| edit.remove_object(&path, options_of)) {
                Ok(removed) => removed,
                Err(error) => {
                    let reason = error.to_string();
                    let reason = reason.split([':', ';', '(']).next().unwrap_or_default();
                    *reasons.entry(reason.to_owned()).or_default() += 1;
                    continue;
                }
            };
            let open = |bytes: Vec<u8>| options.open_bytes(bytes);
            let done = goes_and_comes(&mut package, open, &removed, &before);
            let mut all = seen.lock().unwrap();
            all.removed += 1;
            match done {
                Ok(None) => all.exact += 1,
                Ok(Some(place)) => all.other.push(format!("{}: {place}", entry.name())),
                Err(fault) => {
                    let objects = &removed.objects;
                    all.faults.push(format!("{} without {objects:?}: {fault}", entry.name()));
                }
            }
            return;
        }
        let mut all = seen.lock().unwrap();
        all.fixed += 1;
        for (reason, count) in reasons {
            *all.refused.entry(reason).or_default() += count;
        }
    });
    let seen = seen.into_inner().unwrap();
    seen.report("UE4 and UE5");
    assert!(seen.removed > 50, "{}", seen.removed);
}

/// The rows of the actors that a level lists.
fn actors(package: &Package, level: usize) -> Option<Vec<PackageIndex>> {
    let body = &package.decoded(level)?.body;
    let ue1 = native_as(body).map(|level: &ue1::Level| level.actors.items.clone());
    let ue2 = || native_as(body).map(|level: &ue2::Level| level.actors.items.clone());
    let ue3 = || native_as(body).map(|level: &ue3::world::level::Level| level.actors.clone());
    let ue4 = || native_as(body).map(|level: &ue4::world::level::Level| level.actors.clone());
    ue1.or_else(ue2).or_else(ue3).or_else(ue4)
}

pub fn actors_of_real_maps_go_and_come_back() {
    let classic = files::of("classic").into_iter().chain(files::of("conform"));
    let classic =
        classic.filter_map(|(name, bytes)| Some((name, Package::from_bytes(bytes).ok()?)));
    let modern = manifest::packages();
    let modern = modern.iter().filter_map(|entry| {
        #[cfg(feature = "usmap-codecs")]
        let options = entry.options_with_mappings();
        #[cfg(not(feature = "usmap-codecs"))]
        let options = entry.options();
        Some((entry.name().to_owned(), options.open(&entry.path).ok()?))
    });
    let is_level = |package: &Package| {
        package.exports().iter().any(|export| export.class().ends_with("Level"))
    };
    let maps: Vec<(String, Package)> = classic
        .chain(modern)
        .filter(|(_, package)| package.container().is_none() && is_level(package))
        .filter(|(_, package)| package.source().len() < LARGEST)
        .collect();
    let seen = Mutex::new(Seen::default());
    each(&maps, |(name, package)| {
        let mut package = package.clone();
        package.decode_all();
        let levels: Vec<usize> =
            (0..package.exports().len()).filter(|&row| actors(&package, row).is_some()).collect();
        if levels.is_empty() {
            return;
        }
        seen.lock().unwrap().packages += 1;
        if !is_whole(&package) {
            seen.lock().unwrap().hidden += 1;
            return;
        }
        let before = package.clone();
        for level in levels {
            let listed: Vec<usize> = actors(&before, level)
                .unwrap_or_default()
                .iter()
                .skip(2)
                .filter_map(|actor| usize::try_from(actor.value()).ok()?.checked_sub(1))
                .collect();
            let step = listed.len().div_ceil(ACTORS).max(1);
            for &row in listed.iter().step_by(step) {
                let path = format!("#{row}");
                let class = before.exports().get(row).map(|export| export.class());
                let class = class.unwrap_or_default();
                let remove = |package: &mut Package, options| {
                    package.edit(|edit| edit.remove_object(&path, options))
                };
                let removed = remove(&mut package, RemoveOptions::Refuse).or_else(|error| {
                    let by = match error.unreal() {
                        Some(UnrealError::Refused { objects, .. }) => {
                            let by = objects.iter().filter_map(|path| {
                                let row = before.find_export(path).ok()?;
                                Some(before.exports().get(row)?.class())
                            });
                            let mut by: Vec<String> = by.collect();
                            by.sort();
                            by.dedup();
                            by.join(", ")
                        }
                        _ => error.kind().to_string(),
                    };
                    let engine = before.versions().engine();
                    let mut all = seen.lock().unwrap();
                    *all.refused.entry(format!("{engine:?} {class} by {by}")).or_default() += 1;
                    drop(all);
                    remove(&mut package, RemoveOptions::NullReferences)
                });
                let removed = match removed {
                    Ok(removed) => removed,
                    Err(error) => {
                        let reason = format!("also with null: {class}: {error}");
                        let reason = reason.chars().take(200).collect();
                        *seen.lock().unwrap().refused.entry(reason).or_default() += 1;
                        continue;
                    }
                };
                let listed = |package: &Package| {
                    let paths = package.exports().iter().map(|export| export.row());
                    let lists = paths.filter_map(|row| actors(package, row));
                    let known = lists.flatten().map(|actor| package.path(actor));
                    known.filter(|path| removed.objects.contains(path)).count()
                };
                let mut decoded = package.clone();
                decoded.decode_all();
                let open = |bytes: Vec<u8>| {
                    let mut options = unreal_packages::package::OpenOptions::new();
                    if let Some(release) = before.versions().release() {
                        options = options.engine(release);
                    }
                    if let Some(mappings) = before.mappings() {
                        options = options.mappings(mappings.clone());
                    }
                    options.open_bytes(bytes)
                };
                let left = listed(&decoded);
                let done = goes_and_comes(&mut package, open, &removed, &before);
                let mut all = seen.lock().unwrap();
                all.removed += 1;
                match done {
                    _ if left > 0 => {
                        all.faults.push(format!("{name}: {:?} is still listed", removed.objects));
                    }
                    Ok(None) => all.exact += 1,
                    Ok(Some(place)) => all.other.push(format!("{name}: {place}")),
                    Err(fault) => {
                        let objects = &removed.objects;
                        all.faults.push(format!("{name} without {objects:?}: {fault}"));
                        package = before.clone();
                    }
                }
            }
        }
    });
    let seen = seen.into_inner().unwrap();
    seen.report("maps");
    assert!(seen.removed > 20, "{}", seen.removed);
}
