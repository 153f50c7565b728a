//! Lists that an owner has of what belongs to it: they are true whatever is done to what they list.

use unreal_packages::edit::{CopyOptions, MergeOptions, PackageEdit, RemoveOptions};
use unreal_packages::generate::Builder;
use unreal_packages::inspect::PackageValues;
use unreal_packages::object::ue1;
use unreal_packages::object::ue4::graph::node::EdGraphNode;
use unreal_packages::object::ue4::graph::pin::{OwnedPin, Pin, PinKey, PinReference};
use unreal_packages::package::{Package, native_as};
use unreal_packages::property::PropertyList;
use unreal_packages::{EngineRelease, Guid, PackageIndex};

use super::common::{GUID, ue4};
use super::reopen;

fn text(package: &Package, object: &str, property: &str) -> String {
    let value = package.values().property(object, property);
    value.map(|value| value.text).unwrap_or_else(|error| format!("{error}"))
}

/// A package as it is opened: none of its bodies has been looked at. Edits by hand begin so.
fn fresh(package: &Package) -> Package {
    Package::from_bytes(package.to_bytes().unwrap()).unwrap()
}

/// A sequence with two objects, which nothing but its list knows.
fn kismet() -> Package {
    let mut package = Package::from_bytes(Builder::new(868).guid(GUID).build().unwrap()).unwrap();
    let made = package.edit(|edit| {
        edit.add_blank_object("Main_Sequence", "Engine.Sequence")?;
        edit.add_blank_object("Main_Sequence.Log_0", "Engine.SeqAct_Log")?;
        edit.add_blank_object("Main_Sequence.Log_1", "Engine.SeqAct_Log")
    });
    made.unwrap();
    fresh(&package)
}

const LIST: &str = "SequenceObjects";

#[test]
fn a_new_object_of_kismet_is_in_the_list_of_its_sequence() {
    let package = kismet();
    let expected = "(SeqAct_Log'Main_Sequence.Log_0',SeqAct_Log'Main_Sequence.Log_1')";
    assert_eq!(text(&package, "Main_Sequence", LIST), expected);
}

#[test]
fn a_duplicated_object_is_in_the_lists_of_its_original_and_leaves_them_again() {
    let package = kismet();
    let mut changed = package.clone();
    changed.edit(|edit| edit.duplicate_object("Main_Sequence.Log_0", "Log_7")).unwrap();
    let changed = reopen(&changed);
    let expected = "(SeqAct_Log'Main_Sequence.Log_0',SeqAct_Log'Main_Sequence.Log_1',\
                    SeqAct_Log'Main_Sequence.Log_7')";
    assert_eq!(text(&changed, "Main_Sequence", LIST), expected);
    let mut back = changed.clone();
    back.edit(|edit| edit.remove_object("Main_Sequence.Log_7", RemoveOptions::Refuse)).unwrap();
    let back = reopen(&back);
    assert_eq!(text(&back, "Main_Sequence", LIST), text(&package, "Main_Sequence", LIST));
}

#[test]
fn a_copied_object_is_in_the_list_of_its_new_owner() {
    let (source, mut target) = (kismet(), kismet());
    let options = CopyOptions::new().into_group("Main_Sequence").named("Log_9");
    target.edit(|edit| edit.copy_from(&source, "Main_Sequence.Log_1", &options)).unwrap();
    let list = text(&reopen(&target), "Main_Sequence", LIST);
    assert!(list.ends_with(",SeqAct_Log'Main_Sequence.Log_9')"), "{list}");
}

#[test]
fn an_object_that_moves_changes_its_list() {
    let mut package = kismet();
    let changed = package.edit(|edit| {
        edit.add_blank_object("Other", "Engine.Sequence")?;
        edit.move_object("Main_Sequence.Log_0", Some("Other"))
    });
    changed.unwrap();
    let package = reopen(&package);
    assert_eq!(text(&package, "Main_Sequence", LIST), "(SeqAct_Log'Main_Sequence.Log_1')");
    assert_eq!(text(&package, "Other", LIST), "(SeqAct_Log'Other.Log_0')");
}

/// A level with a chain of three starts and the paths between them.
fn paths() -> Package {
    let mut package = Package::from_bytes(Builder::new(69).guid(GUID).build().unwrap()).unwrap();
    let made = package.edit(|edit| {
        let mut actors = Vec::new();
        for (name, class) in [("LevelInfo0", "Engine.LevelInfo"), ("Brush0", "Engine.Brush")] {
            let row = edit.add_plain_object(name, class, PropertyList::default())?;
            actors.push(PackageIndex::export(row));
        }
        let mut level = ue1::Level::default();
        (level.actors.items, level.actors.maximum) = (actors, 2);
        edit.add_object("MyLevel", "Engine.Level", PropertyList::default(), level)?;
        for name in ["PlayerStart0", "PlayerStart1", "PlayerStart2"] {
            edit.add_blank_object(name, "Engine.PlayerStart")?;
        }
        let rows: Vec<PackageIndex> = (0..3)
            .map(|at| Ok(PackageIndex::export(edit.find_export(&format!("PlayerStart{at}"))?)))
            .collect::<unreal_packages::Result<_>>()?;
        let level = edit.find_export("MyLevel")?;
        edit.change_body(level, |body| {
            let level =
                unreal_packages::package::decode::native_as_mut::<ue1::Level>(body).unwrap();
            for (start, end) in [(0, 1), (1, 0), (1, 2), (2, 1), (0, 2)] {
                let [start, end] = [start, end].map(|at: usize| rows[at]);
                level.reach_specs.push(ue1::ReachSpec { start, end, ..Default::default() });
            }
            Ok(())
        })?;
        for (path, number) in [
            ("PlayerStart0.Paths[0]", 0),
            ("PlayerStart0.Paths[1]", 4),
            ("PlayerStart1.Paths[0]", 1),
            ("PlayerStart1.Paths[1]", 2),
            ("PlayerStart2.Paths[0]", 3),
            ("PlayerStart0.upstreamPaths[0]", 1),
        ] {
            let (object, property) = path.split_once('.').unwrap();
            edit.set_property(object, property, &number.to_string())?;
        }
        edit.set_property("PlayerStart2", "VisNoReachPaths[0]", "PlayerStart1")?;
        edit.set_property("PlayerStart2", "VisNoReachPaths[1]", "PlayerStart0")
    });
    made.unwrap_or_else(|error| panic!("{error}"));
    fresh(&package)
}

/// The chain of navigation points from the level's settings on.
fn chain(package: &Package) -> Vec<String> {
    let mut found = Vec::new();
    let mut next = package.values().property("LevelInfo0", "NavigationPointList").ok();
    while let Some(value) = next {
        let name = value.text.split('\'').nth(1).unwrap().to_owned();
        next = package.values().property(&name, "nextNavigationPoint").ok();
        found.push(name);
        assert!(found.len() < 99, "a circle");
    }
    found
}

#[test]
fn navigation_points_join_the_chain_of_their_level() {
    let mut package = paths();
    // As the editor does: in front.
    assert_eq!(chain(&package), ["PlayerStart2", "PlayerStart1", "PlayerStart0"]);
    let notes = package.edit(|edit| {
        edit.duplicate_object("PlayerStart1", "PlayerStart7")?;
        edit.duplicate_object("PlayerStart0", "PlayerStart8")?;
        Ok(edit.notes().to_vec())
    });
    let notes = notes.unwrap();
    assert!(notes[0].starts_with("PlayerStart7 has no paths"), "{notes:?}");
    let again = reopen(&package);
    let expected = ["PlayerStart2", "PlayerStart1", "PlayerStart7", "PlayerStart0", "PlayerStart8"];
    assert_eq!(chain(&again), expected);
    assert!(again.values().property("PlayerStart7", "Paths[0]").is_err());
    assert_eq!(text(&again, "PlayerStart1", "Paths[0]"), "1");
}

#[test]
fn paths_go_with_the_points_that_they_lead_to_and_the_others_are_numbered_anew() {
    let mut package = paths();
    let before = package.to_bytes().unwrap();
    let removed = package.edit(|edit| {
        let removed = edit.remove_object("PlayerStart1", RemoveOptions::Refuse)?;
        assert!(edit.notes().iter().any(|note| note.contains("build paths")), "{:?}", edit.notes());
        Ok(removed)
    });
    let removed = removed.unwrap();
    let again = reopen(&package);
    assert_eq!(chain(&again), ["PlayerStart2", "PlayerStart0"]);
    let level = again.find_export("MyLevel").unwrap();
    let level = again.decode(level).unwrap().into_owned();
    let specs = &native_as::<ue1::Level>(&level.body).unwrap().reach_specs;
    let ends: Vec<_> =
        specs.iter().map(|spec| [spec.start, spec.end].map(|it| again.path(it))).collect();
    assert_eq!(ends, [["PlayerStart0", "PlayerStart2"]]);
    assert_eq!(text(&again, "PlayerStart0", "Paths[0]"), "0");
    for (object, gone) in [
        ("PlayerStart0", "Paths[1]"),
        ("PlayerStart2", "Paths[0]"),
        ("PlayerStart0", "upstreamPaths[0]"),
        ("PlayerStart2", "VisNoReachPaths[1]"),
    ] {
        assert!(again.values().property(object, gone).is_err(), "{object}.{gone}");
    }
    assert_eq!(text(&again, "PlayerStart2", "VisNoReachPaths[0]"), "PlayerStart'PlayerStart0'");
    package.edit(|edit| edit.restore(&removed)).unwrap();
    assert_eq!(package.to_bytes().unwrap(), before);
}

#[test]
fn copied_nodes_have_keys_of_their_own_and_no_links_to_others() {
    let versions = EngineRelease::new(4, 27).versions();
    let mut package = Package::from_bytes(ue4::builder(&versions).build().unwrap()).unwrap();
    let key = |row: usize, id: u32| PinKey {
        owning_node: PackageIndex::export(row),
        id: Guid::new(id, 2, 3, 4),
    };
    let made = package.edit(|edit| {
        edit.add_plain_object("Graph", "/Script/Engine.EdGraph", PropertyList::default())?;
        let first = edit.exports().len();
        for at in 0..2 {
            let mut node = EdGraphNode::blank("K2Node_CallFunction");
            let own = key(first + at, at as u32 + 1);
            let other = PinReference(Some(key(first + 1 - at, 2 - at as u32)));
            let pin = Pin { key: own, own_key: own, linked_to: vec![other], ..Pin::default() };
            node.pins = vec![OwnedPin(Some(Box::new(pin)))];
            let class = "/Script/BlueprintGraph.K2Node_CallFunction";
            edit.add_object(&format!("Graph.Node_{at}"), class, PropertyList::default(), node)?;
        }
        Ok(first)
    });
    let first = made.unwrap();
    let row = package.edit(|edit| {
        let row = edit.duplicate_object("Graph.Node_0", "Node_7")?;
        assert!(edit.notes()[0].contains("1 link to other nodes"), "{:?}", edit.notes());
        Ok(row)
    });
    let row = row.unwrap();
    let again = Package::from_bytes(package.to_bytes().unwrap()).unwrap();
    let list = text(&again, "Graph", "Nodes");
    assert_eq!(list.matches("Graph.Node_").count(), 3, "{list}");
    let pin = |row: usize| {
        let decoded = again.decode(row).unwrap().into_owned();
        let node = native_as::<EdGraphNode>(&decoded.body).unwrap();
        (**node.pins[0].0.as_ref().unwrap()).clone()
    };
    let (old, new) = (pin(first), pin(row));
    assert_eq!(new.key.owning_node, PackageIndex::export(row));
    assert!(new.key.id != old.key.id && new.key == new.own_key && new.linked_to.is_empty());
    assert_eq!(old.linked_to, [PinReference(Some(key(first + 1, 2)))]);
}

#[test]
fn what_is_duplicated_together_refers_to_its_copies() {
    let mut package = paths();
    let rows = package.edit(|edit| {
        let rows = edit.duplicate_objects(&["PlayerStart1", "PlayerStart0", "PlayerStart1"])?;
        edit.move_actors(&rows, "(X=8,Z=64)")?;
        Ok(rows)
    });
    let rows = rows.unwrap();
    assert_eq!(rows.len(), 2);
    let again = reopen(&package);
    let names: Vec<_> = rows.iter().map(|&row| again.path(PackageIndex::export(row))).collect();
    assert_eq!(names, ["PlayerStart3", "PlayerStart4"]);
    let expected = ["PlayerStart2", "PlayerStart1", "PlayerStart3", "PlayerStart0", "PlayerStart4"];
    assert_eq!(chain(&again), expected);
    assert_eq!(text(&again, "PlayerStart3", "Location"), "(X=8.0,Y=0.0,Z=64.0)");
    let mut package = kismet();
    package.edit(|edit| edit.duplicate_objects(&["Main_Sequence", "Main_Sequence.Log_0"])).unwrap();
    let again = reopen(&package);
    let list = text(&again, "Main_Sequence1", LIST);
    assert_eq!(list, "(SeqAct_Log'Main_Sequence1.Log_0',SeqAct_Log'Main_Sequence1.Log_1')");
}

#[test]
fn members_that_both_sides_add_are_merged_in_any_order() {
    let base = kismet();
    let with_copy = |name: &str| {
        let mut side = base.clone();
        side.edit(|edit| edit.duplicate_object("Main_Sequence.Log_0", name)).unwrap();
        side
    };
    let (mut merged, theirs) = (with_copy("Ours"), with_copy("Theirs"));
    let outcome = merged.edit(|edit| edit.merge(&base, &theirs, &MergeOptions::new())).unwrap();
    assert!(outcome.conflicts.is_empty(), "{:?}", outcome.conflicts);
    let list = text(&reopen(&merged), "Main_Sequence", LIST);
    let expected =
        ["Log_0", "Log_1", "Theirs", "Ours"].map(|it| format!("SeqAct_Log'Main_Sequence.{it}'"));
    assert_eq!(list, format!("({})", expected.join(",")));
}
