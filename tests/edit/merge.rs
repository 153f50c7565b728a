//! Two changed packages that come from one, merged.

use crate::rename::{again, blueprint, png, releases};
use unreal_packages::compare::{FieldOrigin, diff};
use unreal_packages::edit::{
    Edit, MergeConflict, MergeOptions, MergePreference, Merged, PackageEdit, RemoveOptions,
    conflict_file,
};
use unreal_packages::generate::{Profile, create};
use unreal_packages::inspect::PackageValues;
use unreal_packages::object::Native;
use unreal_packages::object::script_object::{Function, ScriptObject};
use unreal_packages::package::Package;
use unreal_packages::primitive::ObjectFlags;

fn base(profile: &Profile) -> Package {
    let mut package = create(profile).unwrap();
    package
        .edit(|edit| -> unreal_packages::Result<()> {
            for name in ["One", "Two", "Three"] {
                edit.add_blank_object(name, "Engine.Info")?;
                for (property, of, text) in [
                    ("Count", "int", "1"),
                    ("Tag", "name", "Hall"),
                    ("Where", "struct:Vector", "(X=1,Y=2,Z=3)"),
                    ("Friend", "object", "None"),
                ] {
                    edit.add_property(name, property, &of.parse()?, text)?;
                }
            }
            edit.add_property("One", "Friend", &"object".parse()?, "Two").map(drop)
        })
        .unwrap();
    package
}

fn packages() -> Vec<Package> {
    [&Profile::UT99, &Profile::UT2004, &Profile::UDK].into_iter().map(base).collect()
}

type Change = fn(&mut Edit) -> unreal_packages::Result<()>;

fn changed(base: &Package, change: Change) -> Package {
    let mut package = base.clone();
    package.edit(change).unwrap();
    package
}

fn merge(
    base: &Package,
    ours: &Package,
    theirs: &Package,
    side: MergePreference,
) -> (Merged, Package) {
    let mut merged = ours.clone();
    let options = MergeOptions::new().prefer(side);
    let outcome = merged.edit(|edit| edit.merge(base, theirs, &options)).unwrap();
    (outcome, merged)
}

fn set(edit: &mut Edit, path: (&str, &str), text: &str) -> unreal_packages::Result<()> {
    edit.set_property(path.0, path.1, text).map(drop)
}

#[test]
fn changes_of_different_places_are_both_there() {
    let pairs: [(Change, Change); 8] = [
        (|edit| set(edit, ("One", "Count"), "2"), |edit| set(edit, ("One", "Tag"), "Door")),
        (|edit| set(edit, ("One", "Where.X"), "9"), |edit| set(edit, ("One", "Where.Z"), "7")),
        (
            |edit| edit.add_blank_object("Four", "Engine.Info").map(drop),
            |edit| edit.add_blank_object("Five", "Engine.Light").map(drop),
        ),
        (
            |edit| edit.rename_object("Two", "Deux").map(drop),
            |edit| set(edit, ("Two", "Count"), "5"),
        ),
        (|edit| set(edit, ("One", "Count"), "5"), |edit| edit.rename_object("One", "Un").map(drop)),
        (
            |edit| edit.remove_object("Three", RemoveOptions::Refuse).map(drop),
            |edit| set(edit, ("One", "Friend"), "None"),
        ),
        (
            |edit| set(edit, ("Two", "Count"), "5"),
            |edit| edit.remove_object("Three", RemoveOptions::Refuse).map(drop),
        ),
        (
            |edit| edit.remove_property("One", "Tag").map(drop),
            |edit| {
                let row = edit.find_export("One")?;
                let flags = edit.exports().entries()[row].object_flags.0;
                edit.set_object_flags(row, ObjectFlags(flags ^ 8))
            },
        ),
    ];
    for base in packages() {
        for (at, (one, two)) in pairs.into_iter().enumerate() {
            let (ours, theirs) = (changed(&base, one), changed(&base, two));
            let expected = changed(&ours, two_of(at, two));
            let (outcome, merged) = merge(&base, &ours, &theirs, MergePreference::Neither);
            assert!(outcome.conflicts.is_empty(), "{at}: {outcome:?}");
            let found = diff(&expected, &merged);
            assert!(found.is_empty(), "{at}: {found:?}");
            assert!(!diff(&ours, &merged).is_empty(), "{at}");
            // The other way round as well.
            let (outcome, other) = merge(&base, &theirs, &ours, MergePreference::Neither);
            assert!(outcome.conflicts.is_empty(), "{at}: {outcome:?}");
            let found = diff(&merged, &other);
            // New objects of UE3 have their row as a number.
            let same = at == 2 || found.changed.is_empty();
            assert!(same && found.added.is_empty(), "{at}: {found:?}");
        }
    }
}

/// The second change as it is made behind the first, which may have renamed what it is about.
fn two_of(at: usize, two: Change) -> Change {
    match at {
        3 => |edit| set(edit, ("Deux", "Count"), "5"),
        _ => two,
    }
}

fn only(outcome: &Merged) -> &MergeConflict {
    let [conflict] = &outcome.conflicts[..] else { panic!("{outcome:?}") };
    conflict
}

#[test]
fn changes_of_one_place_are_a_conflict_with_both_values() {
    for base in packages() {
        let ours = changed(&base, |edit| set(edit, ("One", "Count"), "2"));
        let theirs = changed(&base, |edit| set(edit, ("One", "Count"), "3"));
        let (outcome, merged) = merge(&base, &ours, &theirs, MergePreference::Neither);
        let conflict = only(&outcome);
        assert_eq!((&*conflict.object, &*conflict.place), ("One", "Count"));
        assert_eq!((conflict.ours.as_deref(), conflict.theirs.as_deref()), (Some("2"), Some("3")));
        assert!(diff(&ours, &merged).is_empty());
        for (side, text) in [(MergePreference::Ours, "2"), (MergePreference::Theirs, "3")] {
            let (outcome, merged) = merge(&base, &ours, &theirs, side);
            assert!(outcome.conflicts.is_empty(), "{outcome:?}");
            assert_eq!(outcome.preferred.len(), 1, "{outcome:?}");
            assert_eq!(merged.values().property("One", "Count").unwrap().text, text);
        }
        // What both have changed alike is none.
        let (outcome, merged) = merge(&base, &ours, &ours.clone(), MergePreference::Neither);
        assert!(outcome.conflicts.is_empty() && diff(&ours, &merged).is_empty(), "{outcome:?}");
    }
}

#[test]
fn what_one_side_has_removed_and_the_other_needs_is_a_conflict() {
    for base in packages() {
        let gone =
            changed(&base, |edit| edit.remove_object("Three", RemoveOptions::Refuse).map(drop));
        let used = changed(&base, |edit| set(edit, ("Two", "Friend"), "Three"));
        let set_there = changed(&base, |edit| set(edit, ("Three", "Count"), "4"));
        let named = changed(&base, |edit| edit.rename_object("Three", "Trois").map(drop));
        for other in [&used, &set_there, &named] {
            for (ours, theirs) in [(&gone, other), (other, &gone)] {
                let (outcome, merged) = merge(&base, ours, theirs, MergePreference::Neither);
                assert!(!outcome.conflicts.is_empty(), "{outcome:?}");
                assert!(diff(ours, &merged).is_empty());
            }
        }
        let renamed = changed(&base, |edit| edit.rename_object("Three", "Drei").map(drop));
        let (outcome, _) = merge(&base, &named, &renamed, MergePreference::Neither);
        assert_eq!((&*only(&outcome).object, &*only(&outcome).place), ("Three", "name"));
    }
}

#[test]
fn a_side_without_changes_leaves_the_other_one() {
    for base in packages() {
        let theirs = changed(&base, |edit| set(edit, ("One", "Count"), "2"));
        let (_, merged) = merge(&base, &base, &theirs, MergePreference::Neither);
        assert_eq!(merged.clone().to_bytes().unwrap(), theirs.clone().to_bytes().unwrap());
        let (_, merged) = merge(&base, &theirs, &base, MergePreference::Neither);
        assert!(diff(&theirs, &merged).is_empty());
    }
}

#[test]
fn both_guids_are_no_conflict_and_ours_is_kept() {
    let base = base(&Profile::UT99);
    let ours = changed(&base, |edit| edit.set_guid(unreal_packages::Guid::new(1, 2, 3, 4)));
    let theirs = changed(&base, |edit| edit.set_guid(unreal_packages::Guid::new(5, 6, 7, 8)));
    let (outcome, merged) = merge(&base, &ours, &theirs, MergePreference::Neither);
    assert!(outcome.conflicts.is_empty() && !outcome.kept.is_empty(), "{outcome:?}");
    assert_eq!(merged.guid(), ours.guid());
}

#[test]
fn a_renamed_object_is_one_line_of_a_difference() {
    for base in packages() {
        let renamed = changed(&base, |edit| edit.rename_object("Two", "Deux").map(drop));
        let found = diff(&base, &renamed);
        let [object] = &found.renamed[..] else { panic!("{found:?}") };
        assert_eq!((&*object.old, &*object.new), ("Two", "Deux"));
        assert!(found.added.is_empty() && found.removed.is_empty() && found.changed.is_empty());
    }
}

#[test]
fn elements_that_come_and_go_do_not_make_others_differ() {
    let mut base = base(&Profile::UDK);
    let of = "array:int".parse().unwrap();
    base.edit(|edit| edit.add_property("One", "Scores", &of, "(10,20,30,40,50)")).unwrap();
    let inserted = changed(&base, |edit| set(edit, ("One", "Scores[1]^"), "15"));
    let words = |found: unreal_packages::compare::Diff| -> Vec<String> {
        found.changed.iter().flat_map(|it| &it.changes).map(ToString::to_string).collect()
    };
    assert_eq!(words(diff(&base, &inserted)), ["Scores[1] inserted: 15"]);
    assert_eq!(words(diff(&inserted, &base)), ["Scores[1] removed: 15"]);
    let other = changed(&base, |edit| set(edit, ("One", "Scores[3]"), "41"));
    let (outcome, merged) = merge(&base, &inserted, &other, MergePreference::Neither);
    assert!(outcome.conflicts.is_empty(), "{outcome:?}");
    let known = merged.values().property("One", "Scores").unwrap();
    assert_eq!(known.text, "(10,15,20,30,41,50)");
    // Two at one place.
    let rival = changed(&base, |edit| set(edit, ("One", "Scores[1]^"), "16"));
    let (outcome, _) = merge(&base, &inserted, &rival, MergePreference::Neither);
    assert_eq!(only(&outcome).place, "Scores");
}

/// A name that has the text of an object is carried over though the object was renamed from the same text.
#[test]
fn a_name_with_the_text_of_a_renamed_object_is_carried_over() {
    for mut base in packages() {
        base.edit(|edit| set(edit, ("One", "Tag"), "Two")).unwrap();
        let rename: Change = |edit| edit.rename_object("Two", "Deux").map(drop);
        let theirs = changed(&base, |edit| {
            edit.rename_object("Two", "Deux")?;
            set(edit, ("One", "Tag"), "Deux")
        });
        for ours in
            [changed(&base, |edit| set(edit, ("One", "Count"), "7")), changed(&base, rename)]
        {
            let (outcome, merged) = merge(&base, &ours, &theirs, MergePreference::Neither);
            assert!(outcome.conflicts.is_empty(), "{outcome:?}");
            assert_eq!(merged.values().property("One", "Tag").unwrap().text, "Deux");
        }
        let ours = changed(&base, |edit| set(edit, ("One", "Tag"), "Zzz"));
        let (outcome, _) = merge(&base, &ours, &theirs, MergePreference::Neither);
        let conflict = only(&outcome);
        assert_eq!((&*conflict.object, &*conflict.place), ("One", "Tag"));
        assert_eq!(
            (conflict.ours.as_deref(), conflict.theirs.as_deref()),
            (Some("Zzz"), Some("Deux"))
        );
    }
}

#[test]
fn moved_objects_keep_their_index_on_the_net() {
    let base = base(&Profile::UDK);
    // Into a group that came with it, the last of all indices, and one that a removed object leaves free.
    let changes: [Change; 3] = [
        |edit| {
            edit.add_group("Yard")?;
            edit.move_object("Two", Some("Yard"))
        },
        |edit| {
            edit.add_group("Yard")?;
            edit.move_object("Three", Some("Yard"))
        },
        |edit| {
            edit.remove_object("Three", RemoveOptions::Refuse)?;
            edit.add_blank_object("Four", "Engine.Info").map(drop)
        },
    ];
    for (at, change) in changes.into_iter().enumerate() {
        let theirs = changed(&base, change);
        let (outcome, merged) = merge(&base, &base, &theirs, MergePreference::Neither);
        assert!(outcome.conflicts.is_empty(), "{at}: {outcome:?}");
        let found = diff(&theirs, &merged);
        assert!(found.is_empty(), "{at}: {found:?}");
        // An object of ours has the index already.
        let ours = changed(&base, |edit| edit.add_blank_object("Five", "Engine.Info").map(drop));
        let (outcome, merged) = merge(&base, &ours, &theirs, MergePreference::Neither);
        assert!(outcome.conflicts.is_empty(), "{at}: {outcome:?}");
        let index = |row| merged.decode(row).unwrap().body.net_index.filter(|it| *it >= 0);
        let mut indices: Vec<i32> = (0..merged.exports().len()).filter_map(index).collect();
        let (length, newest) = (indices.len(), merged.summary().generations.last().unwrap());
        indices.sort_unstable();
        indices.dedup();
        assert_eq!(indices.len(), length, "{at}");
        assert!(indices.last().unwrap() < &newest.net_object_count, "{at}");
    }
}

/// Their side drops what nothing uses; our new import, which nothing uses yet, lies in it.
#[test]
fn what_a_new_import_lies_in_stays() {
    for release in releases() {
        let class = "/Script/CoreUObject.Class";
        let mut base = blueprint(release);
        base.edit(|edit| edit.add_import("/Script/Door.Hinge", class)).unwrap();
        let base = again(release, &base);
        let (mut ours, mut theirs) = (base.clone(), base.clone());
        ours.edit(|edit| edit.add_import("/Script/Door.Lock", class)).unwrap();
        theirs.edit(|edit| edit.drop_unused_imports("/Script/Door")).unwrap();
        let (outcome, merged) = merge(&base, &ours, &theirs, MergePreference::Neither);
        assert!(outcome.conflicts.is_empty(), "{release}: {outcome:?}");
        let merged = again(release, &merged);
        let paths: Vec<String> = merged.imports().iter().map(|it| it.path()).collect();
        let of_it: Vec<_> = paths.iter().filter(|path| path.contains("Door.")).collect();
        assert_eq!(of_it, ["/Script/Door.Lock"], "{release}: {paths:?}");
    }
}

/// The width of the picture of an object, 0 for none.
fn width(package: &Package, object: &str) -> i32 {
    let tables = package.tables();
    let path =
        |text: &unreal_packages::FString| text.text(package.source()).unwrap().replace(':', ".");
    let row = tables.thumbnails.iter().find(|row| path(&row.object_path) == object);
    row.and_then(|row| tables.image(row)).map_or(0, |image| image.width)
}

#[test]
fn pictures_of_both_sides_are_no_conflict() {
    for release in releases() {
        let mut base = blueprint(release);
        base.edit(|edit| edit.set_thumbnail("BP_Door", &png(8, 8))).unwrap();
        let base = again(release, &base);
        let picture = |width: u32, of: &str| {
            let mut package = base.clone();
            package.edit(|edit| edit.set_thumbnail(of, &png(width, 8))).unwrap();
            again(release, &package)
        };
        // Each side another object's; one side alone; both the same object's, where ours stays.
        let cases = [
            (picture(9, "BP_Door.Part"), picture(7, "BP_Door"), [7, 9]),
            (base.clone(), picture(7, "BP_Door"), [7, 0]),
            (picture(9, "BP_Door"), picture(7, "BP_Door"), [9, 0]),
        ];
        for (ours, theirs, expected) in cases {
            let (outcome, merged) = merge(&base, &ours, &theirs, MergePreference::Neither);
            assert!(outcome.conflicts.is_empty(), "{release}: {outcome:?}");
            let merged = again(release, &merged);
            let found = [width(&merged, "BP_Door"), width(&merged, "BP_Door.Part")];
            assert_eq!(found, expected, "{release}");
        }
        let found = diff(&base, &picture(7, "BP_Door"));
        assert_eq!(found.header[0].origin, FieldOrigin::Derived, "{release}: {found:?}");
        assert!(found.says_nothing() && !found.is_empty(), "{release}");
    }
}

#[test]
fn names_that_their_side_has_dropped_go_with_what_used_them() {
    for release in releases() {
        let mut base = blueprint(release);
        base.edit(|edit| edit.add_name("NameOfTheBase").map(drop)).unwrap();
        let base = again(release, &base);
        let mut theirs = base.clone();
        theirs.edit(|edit| edit.prune().map(drop)).unwrap();
        let mut ours = base.clone();
        ours.edit(|edit| edit.add_name("NameOfOurs").map(drop)).unwrap();
        let (outcome, merged) =
            merge(&base, &ours, &again(release, &theirs), MergePreference::Neither);
        assert!(outcome.conflicts.is_empty(), "{release}: {outcome:?}");
        let merged = again(release, &merged);
        assert!(merged.names().find("NameOfTheBase").is_none(), "{release}");
        assert!(merged.names().find("NameOfOurs").is_some(), "{release}");
    }
}

#[test]
fn names_with_other_letters_are_no_difference() {
    let base = base(&Profile::UT99);
    let ours = changed(&base, |edit| set(edit, ("One", "Count"), "2"));
    let theirs = changed(&base, |edit| edit.rename_name("Hall", "HALL").map(drop));
    let (outcome, merged) = merge(&base, &ours, &theirs, MergePreference::Neither);
    assert!(outcome.conflicts.is_empty(), "{outcome:?}");
    assert!(diff(&ours, &merged).says_nothing());
}

#[test]
fn the_longest_path_says_whose_value_holds() {
    let base = base(&Profile::UT99);
    let both = |text: &str| {
        let mut package = base.clone();
        package
            .edit(|edit| {
                set(edit, ("One", "Count"), text)?;
                set(edit, ("Two", "Count"), text)?;
                set(edit, ("Two", "Where.X"), text)
            })
            .unwrap();
        package
    };
    let (ours, theirs) = (both("5"), both("6"));
    let resolve = |options: MergeOptions| {
        let mut merged = ours.clone();
        let outcome = merged.edit(|edit| edit.merge(&base, &theirs, &options)).unwrap();
        (outcome, merged)
    };
    let (outcome, _) = resolve(MergeOptions::new());
    let text = conflict_file(&outcome.conflicts);
    let paths: Vec<String> = outcome.conflicts.iter().map(MergeConflict::path).collect();
    assert_eq!(paths, ["One.Count", "Two.Count", "Two.Where"], "{text}");
    // Nothing is chosen: the same conflicts.
    let (again, _) = resolve(MergeOptions::new().resolve(&text).unwrap());
    assert_eq!(again.conflicts, outcome.conflicts);
    let edited = text.replace("? One", "theirs one").replace("? Two.Count", "ours Two.Count");
    let options = MergeOptions::new().resolve(&edited).unwrap();
    let (outcome, merged) = resolve(options.choose("Two", MergePreference::Theirs));
    assert!(outcome.conflicts.is_empty(), "{outcome:?}");
    assert_eq!(outcome.preferred.len(), 3);
    let value =
        |object: &str, property: &str| merged.values().property(object, property).unwrap().text;
    assert_eq!([value("One", "Count"), value("Two", "Count")], ["6", "5"]);
    assert_eq!(value("Two", "Where.X"), "6.0");
    let wrong = MergeOptions::new().resolve("# first\nmine One.Count\n").unwrap_err();
    assert!(wrong.to_string().contains("line 2"), "{wrong}");
}

/// What says an object's path, in a body that only the other side has changed otherwise.
#[test]
fn soft_paths_follow_an_object_that_one_side_renames_and_the_other_does_not() {
    for release in releases() {
        let mut base = blueprint(release);
        let link = "/Game/Doors/BP_Door.BP_Door:Part";
        base.edit(|edit| {
            edit.add_property("BP_Door", "Link", &"soft-object".parse()?, link)?;
            edit.add_property("BP_Door", "Count", &"int".parse()?, "1")
        })
        .unwrap();
        let base = again(release, &base);
        let renamed = changed(&base, |edit| edit.rename_object("BP_Door.Part", "Piece").map(drop));
        let counted = changed(&base, |edit| set(edit, ("BP_Door", "Count"), "2"));
        for (ours, theirs) in [(&renamed, &counted), (&counted, &renamed)] {
            let (outcome, merged) = merge(&base, ours, theirs, MergePreference::Neither);
            assert!(outcome.conflicts.is_empty(), "{release}: {outcome:?}");
            let merged = again(release, &merged);
            let text = |property| merged.values().property("BP_Door", property).unwrap().text;
            assert_eq!(text("Count"), "2", "{release}");
            assert_eq!(text("Link"), "/Game/Doors/BP_Door.BP_Door:Piece", "{release}");
            assert!(merged.find_export("BP_Door.Piece").is_ok(), "{release}");
        }
    }
}

/// Functions and structs store their own name once more.
#[test]
fn the_friendly_name_follows_a_function_that_one_side_renames_and_the_other_changes() {
    fn function(edit: &mut Edit, path: &str, change: impl Fn(&mut Function)) {
        let row = edit.find_export(path).unwrap();
        let changed = edit.change_body(row, |body| {
            let Native::Script(object) = &mut body.native else { panic!() };
            let ScriptObject::Function(function) = &mut **object else { panic!() };
            change(function);
            Ok(())
        });
        changed.unwrap();
    }
    for file in [69, 400] {
        let mut base = crate::code::package(file);
        base.edit(|edit| -> unreal_packages::Result<()> {
            let own = edit.add_name("Sub")?;
            function(edit, "Lamp.Lit.Sub", |it| match file {
                ..160 => it.base.friendly_name = own.into(),
                _ => it.friendly_name = own.into(),
            });
            Ok(())
        })
        .unwrap();
        let renamed = changed(&base, |edit| edit.rename_object("Lamp.Lit.Sub", "Other").map(drop));
        let flagged = changed(&base, |edit| {
            function(edit, "Lamp.Lit.Sub", |it| it.function_flags ^= 0x2000);
            Ok(())
        });
        for (ours, theirs) in [(&renamed, &flagged), (&flagged, &renamed)] {
            let (outcome, merged) = merge(&base, ours, theirs, MergePreference::Neither);
            assert!(outcome.conflicts.is_empty(), "{file}: {outcome:?}");
            let row = merged.find_export("Lamp.Lit.Other").unwrap();
            let mut merged = merged.clone();
            merged.decode_all();
            let Native::Script(object) = &merged.decoded(row).unwrap().body.native else {
                panic!()
            };
            let ScriptObject::Function(function) = &**object else { panic!() };
            let friendly = match file {
                ..160 => function.base.friendly_name,
                _ => function.friendly_name,
            };
            assert_eq!(merged.name_text(friendly.get().unwrap()), "Other", "{file}");
            assert_eq!(function.function_flags & 0x2000, 0x2000, "{file}");
        }
    }
}
