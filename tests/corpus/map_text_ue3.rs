//! The actors of real maps of UE3 as the editor's text, out and into the map without its actors: they compare equal.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use unreal_packages::PackageIndex;
use unreal_packages::content::{MapText, MapTextActor, MapTextEdits, PackageContents};
use unreal_packages::edit::PackageEdit;
use unreal_packages::inspect::PackageValues;
use unreal_packages::package::Package;
use unreal_packages::primitive::ObjectRef;
use unreal_packages::version::{Engine, UnrealVersions};

use crate::files;
use crate::map_text::{Classes, emptied, is_kept};

/// What the map gives to each of its actors.
const OF_THE_MAP: &[&str] = &["nextNavigationPoint"];

/// All that the text says of an actor and of what lies in it, in any order, but for what the import said that it left
/// out.
fn facts(actor: &MapTextActor, place: &str, lost: &HashSet<String>, out: &mut BTreeSet<String>) {
    let place = format!("{place}/{}", actor.name);
    out.insert(format!("{place} {} {} {}", actor.class, actor.template, actor.archetype));
    for (name, value) in &actor.properties {
        let own = format!("{}.{name}", actor.name).replace('(', "[").replace(')', "]");
        if !lost.contains(&own) && !OF_THE_MAP.contains(&name.as_str()) {
            // The model of a brush lies in its actor now, where it lay in the level.
            let actor = place.split('/').nth(1).unwrap_or_default();
            let value = value.replace(&format!("'{actor}."), "'");
            // Names differ in case alone where the name table has both.
            out.insert(format!("{place} {}={value}", name.to_ascii_lowercase()));
        }
    }
    for polygon in actor.brush.iter().flat_map(|brush| &brush.polygons) {
        out.insert(format!("{place} {polygon}"));
    }
    actor.objects.iter().for_each(|object| facts(object, &place, lost, out));
}

fn count(actor: &MapTextActor) -> usize {
    1 + actor.objects.iter().map(count).sum::<usize>()
}

/// Takes out the properties that `is_unknown` names, of what lies in an actor as well; says how many.
fn forget(actor: &mut MapTextActor, is_unknown: &HashSet<String>) -> usize {
    let before = actor.properties.len();
    actor
        .properties
        .retain(|(name, _)| !is_unknown.contains(name.split('(').next().unwrap_or_default()));
    let gone = before - actor.properties.len();
    gone + actor.objects.iter_mut().map(|object| forget(object, is_unknown)).sum::<usize>()
}

pub fn actors_of_maps_of_ue3_go_out_as_text_and_come_into_an_empty_map() {
    let (mut maps, mut actors, mut objects, mut brushes, mut facts_seen) = (0, 0, 0, 0, 0);
    let (mut undeclared, mut lost_count) = (0, 0);
    for (shown, bytes) in ["classic", "wild/classic"].iter().flat_map(|folder| files::of(folder)) {
        let Ok(package) = Package::from_bytes(bytes) else { continue };
        if package.versions().engine() != Engine::Ue3 {
            continue;
        }
        let Ok(map) = package.values().level_map() else { continue };
        let rows: Vec<usize> = map.actors.iter().map(|actor| actor.row).collect();
        let Ok(whole) = package.contents().level_text(&rows) else { continue };
        let mut text: MapText = whole.text.parse().unwrap_or_else(|e| panic!("{shown}: {e}"));
        assert_eq!(text.actors.len(), rows.len(), "{shown}");
        assert_eq!(text.to_string().parse::<MapText>().unwrap(), text, "{shown}");
        let tables = package.tables();
        let classes = tables.exports.iter().map(|export| export.class_index);
        let imports = (0..tables.imports.len()).map(PackageIndex::import);
        let classes = classes.chain(imports.clone().filter(|index| {
            let ObjectRef::Import(row) = index.target() else { return false };
            package.imports().get(row).is_some_and(|import| import.class() == "Core.Class")
        }));
        let name = |index: PackageIndex| package.object_name(index).to_ascii_lowercase();
        let mut paths: BTreeMap<_, _> =
            classes.map(|index| (name(index), package.path(index))).collect();
        // The classes of what is imported: the rows of imports say them.
        for row in 0..tables.imports.len() {
            let Some(import) = package.imports().get(row) else { continue };
            let class = import.class();
            let name = class.rsplit('.').next().unwrap_or_default().to_ascii_lowercase();
            paths.entry(name).or_insert(class);
        }
        let sources = Classes(paths);
        let gone: Vec<String> = (text.actors.iter().zip(&rows))
            .filter(|(actor, _)| !is_kept(actor))
            .map(|(_, row)| format!("#{row}"))
            .collect();
        if gone.is_empty() {
            continue;
        }
        let Some(mut empty) = emptied(&package, &gone, &shown) else { continue };
        let mut nameless = HashSet::new();
        let added = loop {
            undeclared += text.actors.iter_mut().map(|it| forget(it, &nameless)).sum::<usize>();
            match empty.edit(|edit| edit.add_map_text(&text, &sources)) {
                Ok(added) => break added,
                Err(error) => {
                    let error = error.to_string();
                    let undeclared = error.split_once("declaration '");
                    let undeclared =
                        undeclared.and_then(|(_, rest)| rest.split_once("' not found"));
                    // Structs of packages that are not at hand.
                    let is_of_struct = error.contains("so nothing says its type")
                        || error.contains("are not known");
                    let head = error.split(['=', '[']).next().unwrap_or_default();
                    let whole = head.rsplit('.').next().filter(|_| is_of_struct);
                    let name = undeclared.map(|(name, _)| name).or(whole).map(str::to_owned);
                    let is_new = name.is_some_and(|name| nameless.insert(name));
                    assert!(is_new, "{shown}: {error}");
                }
            }
        };
        let lost: HashSet<String> = (added.left_out.iter())
            .filter_map(|line| Some(line.split_once(": ")?.0.to_owned()))
            .filter(|place| place.contains('.'))
            .collect();
        lost_count += lost.len();
        let empty = Package::from_bytes(empty.to_bytes().unwrap()).unwrap();
        let now = empty.contents().level_text(&added.rows).unwrap();
        let now: MapText = now.text.parse().unwrap();
        let wanted: Vec<_> = text.actors.iter().filter(|it| !is_kept(it)).collect();
        assert_eq!(now.actors.len(), wanted.len(), "{shown}");
        for (now, wanted) in now.actors.iter().zip(wanted) {
            let (mut new, mut old) = (BTreeSet::new(), BTreeSet::new());
            facts(now, "", &lost, &mut new);
            facts(wanted, "", &lost, &mut old);
            // Placing gives a Tag to an actor that has none.
            if !old.iter().any(|fact| fact.contains(" tag=")) {
                new.retain(|fact| !fact.contains(" tag="));
            }
            let missing: Vec<_> = old.difference(&new).take(5).collect();
            let more: Vec<_> = new.difference(&old).take(5).collect();
            assert!(missing.is_empty() && more.is_empty(), "{shown}: -{missing:#?} +{more:#?}");
            actors += 1;
            objects += count(wanted) - 1;
            facts_seen += old.len();
            brushes += usize::from(wanted.brush.is_some());
        }
        maps += 1;
    }
    println!(
        "{maps} maps, {actors} actors with {objects} objects in them, {brushes} brushes, {facts_seen} facts; \
         {undeclared} values of classes that are not at hand, {lost_count} references to what is not there"
    );
    assert!(
        maps >= 20 && actors > 500 && objects > 500 && brushes > 20,
        "{maps} {actors} {objects}"
    );
}
