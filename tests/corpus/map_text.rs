//! The actors of real maps as UnrealEd's text, out and into the map without its actors: they compare equal.

use std::collections::{BTreeMap, HashSet};

use unreal_packages::content::{
    MapText, MapTextActor, MapTextEdits, MapTextSources, PackageContents,
};
use unreal_packages::edit::{PackageEdit, RemoveOptions};
use unreal_packages::inspect::PackageValues;
use unreal_packages::package::Package;
use unreal_packages::version::{Engine, UnrealVersions};

use crate::files;

/// What the map gives to each of its actors.
const OF_THE_MAP: &[&str] = &["level", "xlevel", "region", "physicsvolume", "nextnavigationpoint"];

/// The classes of a map, as its own tables say them.
pub struct Classes(pub BTreeMap<String, String>);

impl MapTextSources for Classes {
    fn class_path(&self, class: &str) -> Option<String> {
        self.0.get(&class.to_ascii_lowercase()).cloned()
    }

    fn class_of(&self, _: &str) -> Option<String> {
        None
    }
}

/// Whether each map has one of an actor's kind, which stays when the others go: settings, the builder brush.
pub fn is_kept(actor: &MapTextActor) -> bool {
    let is_builder = actor.class.eq_ignore_ascii_case("Brush")
        && !actor.properties.iter().any(|(name, _)| name.eq_ignore_ascii_case("CsgOper"));
    is_builder || ["LevelInfo", "WorldInfo", "DefaultPhysicsVolume"].contains(&&*actor.class)
}

/// A map without some of its objects; `None`, and a line, where they can't go.
pub fn emptied(package: &Package, gone: &[String], shown: &str) -> Option<Package> {
    let mut empty = package.clone();
    let removed = empty.edit(|edit| {
        let paths: Vec<&str> = gone.iter().map(String::as_str).collect();
        edit.remove_objects(&paths, RemoveOptions::NullReferences)
    });
    if let Err(error) = &removed {
        println!("{shown}: not emptied: {error}");
    }
    removed.ok().map(|_| empty)
}

/// What is compared of an actor: without what the map gives it, in any order.
fn facts(actor: &MapTextActor, lost: &HashSet<String>) -> (String, Vec<String>, String) {
    let mut properties = Vec::new();
    for (name, value) in &actor.properties {
        let place = format!("{}.{name}", actor.name).replace('(', "[").replace(')', "]");
        if actor.brush.is_some() && name.eq_ignore_ascii_case("Brush") {
            continue;
        }
        if !OF_THE_MAP.contains(&&*name.to_ascii_lowercase()) && !lost.contains(&place) {
            properties.push(format!("{name}={value}"));
        }
    }
    properties.sort();
    let polygons = actor.brush.iter().flat_map(|brush| &brush.polygons);
    (actor.class.clone(), properties, polygons.map(ToString::to_string).collect())
}

pub fn actors_of_maps_go_out_as_text_and_come_into_an_empty_map() {
    let (mut maps, mut actors, mut brushes, mut properties) = (0, 0, 0, 0);
    let (mut undeclared, mut lost_count, mut unknown) = (0, 0, 0);
    for (shown, bytes) in ["classic", "wild/classic"].iter().flat_map(|folder| files::of(folder)) {
        let Ok(package) = Package::from_bytes(bytes) else { continue };
        if package.versions().engine() > Engine::Ue2 {
            continue;
        }
        let Ok(map) = package.values().level_map() else { continue };
        let rows: Vec<usize> = map.actors.iter().map(|actor| actor.row).collect();
        let Ok(whole) = package.contents().map_text(&rows) else { continue };
        let classes = map.actors.iter().map(|actor| {
            let name = actor.class.rsplit('.').next().unwrap_or_default();
            (name.to_ascii_lowercase(), actor.class.clone())
        });
        let sources = Classes(classes.collect());
        let mut text = whole.clone();
        // The map without them, but for what each map has one of.
        let mut gone: Vec<String> = Vec::new();
        let kept: Vec<_> = text.actors.iter().filter(|actor| is_kept(actor)).collect();
        let kept_models: HashSet<_> =
            kept.iter().filter_map(|it| Some(&it.brush.as_ref()?.name)).collect();
        for (actor, &row) in text.actors.iter().zip(&rows) {
            if is_kept(actor) {
                continue;
            }
            gone.push(format!("#{row}"));
            let Some(model) = package.values().object_at(row, "Brush") else { continue };
            if actor.brush.as_ref().is_some_and(|brush| !kept_models.contains(&brush.name)) {
                gone.push(format!("#{model}"));
            }
        }
        if gone.is_empty() {
            continue;
        }
        let Some(mut empty) = emptied(&package, &gone, &shown) else { continue };
        // Classes that are not at hand declare nothing, nor that their objects are actors: what the game's packages say
        // of them is left out.
        let (mut strangers, mut nameless) = (HashSet::new(), HashSet::new());
        let added = loop {
            text.actors.retain(|actor| !strangers.contains(&actor.class));
            for actor in &mut text.actors {
                actor.properties.retain(|(name, _)| {
                    let is_known = !nameless.contains(name.split('(').next().unwrap_or_default());
                    undeclared += usize::from(!is_known);
                    is_known
                });
            }
            let read: MapText = text.to_string().parse().unwrap();
            assert_eq!(read, text, "{shown}");
            match empty.edit(|edit| edit.add_map_text(&read, &sources)) {
                Ok(added) => break added,
                Err(error) => {
                    let text = error.to_string();
                    let between = |before: &str, behind: &str| {
                        let (_, rest) = text.split_once(before)?;
                        Some(rest.split_once(behind)?.0.to_owned())
                    };
                    let is_new =
                        if let Some(class) = between("'", "' is not known as a class of actors") {
                            strangers.insert(class.rsplit('.').next().unwrap().to_owned())
                        } else if let Some(name) = between("declaration '", "' not found") {
                            nameless.insert(name)
                        } else {
                            false
                        };
                    assert!(is_new, "{shown}: {error}");
                }
            }
        };
        unknown += whole.actors.len() - text.actors.len();
        let lost: HashSet<String> = added
            .left_out
            .iter()
            .filter_map(|line| Some(line.split_once(": ")?.0.to_owned()))
            .collect();
        lost_count += lost.len();
        let empty = Package::from_bytes(empty.to_bytes().unwrap()).unwrap();
        let now = empty.contents().map_text(&added.rows).unwrap();
        let is_wanted =
            |actor: &&MapTextActor| !is_kept(actor) && !strangers.contains(&actor.class);
        let wanted: Vec<_> = text.actors.iter().filter(is_wanted).collect();
        assert_eq!(now.actors.len(), wanted.len(), "{shown}");
        for (now, wanted) in now.actors.iter().zip(wanted) {
            let (mut new, mut old) = (facts(now, &lost), facts(wanted, &lost));
            // Placing gives a Tag to an actor that has none.
            if !old.1.iter().any(|it| it.starts_with("Tag=")) {
                new.1.retain(|it| !it.starts_with("Tag="));
            }
            old.1.dedup();
            assert_eq!(new, old, "{shown}: {}", wanted.name);
            actors += 1;
            properties += old.1.len();
            brushes += usize::from(wanted.brush.is_some());
        }
        maps += 1;
    }
    println!(
        "{maps} maps, {actors} actors with {properties} properties, {brushes} brushes; {undeclared} values of classes \
         that are not at hand, {unknown} actors of such, {lost_count} references to what is no actor"
    );
    assert!(maps >= 12 && actors > 500 && brushes > 50, "{maps} {actors} {brushes}");
}
