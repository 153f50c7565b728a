//! Lists of components in rows of exports: one name means one component, whatever an edit, a merge or another version
//! of the file does to them.

use unreal_packages::edit::{
    Edit, MergeOptions, MergePreference, PackageEdit, RemoveOptions, converted,
};
use unreal_packages::error::{UnrealError, UnrealErrors};
use unreal_packages::package::Package;

use super::component_map::{LEVEL, changed, listed, lit, reopened};

const SPRITE: &str = "Engine.SpriteComponent";

fn light() -> String {
    format!("{LEVEL}.PointLight_1")
}

/// The lit map with a component in another actor, from which others of the same class may start.
fn with_source() -> Package {
    changed(&lit(512), |edit| edit.add_blank_object(&source(), SPRITE).map(drop))
}

fn source() -> String {
    format!("{LEVEL}.Brush_1.Source")
}

/// Adds a component to the light that starts from an object, by whose name it is listed.
fn add_from(edit: &mut Edit, name: &str, source: &str) -> unreal_packages::Result<()> {
    let row = edit.add_blank_object(&format!("{}.{name}", light()), SPRITE)?;
    edit.set_archetype(row, source)
}

#[test]
fn components_follow_the_names_of_imports_that_they_start_from() {
    let package = lit(512);
    let before = listed(&package, &light());
    let template = |name: &str| format!("Engine.Default__PointLight.{name}");
    let class = "Engine.PointLightComponent";
    let renamed = changed(&package, |edit| {
        edit.retarget_import(&template("PointLightComponent0"), &template("Lamp0"), class).map(drop)
    });
    assert_eq!(listed(&renamed, &light()), [&*before[0], "Lamp0=PointLightComponent_7"]);
    let redirected = changed(&package, |edit| {
        edit.add_import(&template("Lamp1"), class)?;
        edit.redirect(&template("PointLightComponent0"), &template("Lamp1"), false).map(drop)
    });
    assert_eq!(listed(&redirected, &light()), [&*before[0], "Lamp1=PointLightComponent_7"]);
}

#[test]
fn what_comes_back_takes_the_name_of_no_other_component() {
    let package = with_source();
    let glow = format!("{}.Glow", light());
    changed(&package, |edit| {
        // The light's own list, in its body, has none of them, so that the body stays.
        edit.add_unlisted_object(&glow, SPRITE)?;
        edit.rename_object(&source(), "Glow")?;
        let removed = edit.remove_object(&glow, RemoveOptions::Refuse)?;
        let other = edit.add_unlisted_object(&format!("{}.Other", light()), SPRITE)?;
        edit.set_archetype(other, &format!("{LEVEL}.Brush_1.Glow"))?;
        let others = listed(edit, &light());
        assert_eq!(others.last().unwrap(), "Glow=Other");
        edit.restore(&removed)?;
        assert_eq!(listed(edit, &light()), others);
        Ok(())
    });
}

/// What started from it does so again, and is listed by its name again.
#[test]
fn what_comes_back_is_started_from_again() {
    let package = changed(&with_source(), |edit| add_from(edit, "Other", &source()));
    let before = listed(&package, &light());
    assert_eq!(before.last().unwrap(), "Source=Other");
    let bytes = package.to_bytes().unwrap();
    let mut package = package;
    let removed =
        package.edit(|edit| edit.remove_object(&source(), RemoveOptions::NullReferences)).unwrap();
    assert_eq!(listed(&package, &light()).last().unwrap(), "Other=Other");
    package.edit(|edit| edit.restore(&removed)).unwrap();
    assert_eq!(listed(&package, &light()), before);
    assert!(package.to_bytes().unwrap() == bytes);
}

#[test]
fn components_of_one_name_from_both_sides_are_a_conflict() {
    let base = with_source();
    let side = |name: &str| changed(&base, |edit| add_from(edit, name, &source()));
    let (ours, theirs) = (side("Ours"), side("Theirs"));
    let merge = |options: &MergeOptions| {
        let mut merged = ours.clone();
        let outcome = merged.edit(|edit| edit.merge(&base, &theirs, options)).unwrap();
        (reopened(&merged), outcome)
    };
    let (merged, outcome) = merge(&MergeOptions::new());
    let [conflict] = &outcome.conflicts[..] else { panic!("{:?}", outcome.conflicts) };
    assert_eq!(conflict.path(), format!("{}.component_map.Source", light()));
    assert_eq!(conflict.ours, Some(format!("{}.Ours", light())));
    assert_eq!(conflict.theirs, Some(format!("{}.Theirs", light())));
    assert_eq!(listed(&merged, &light()), listed(&ours, &light()));
    for (side, name) in [(MergePreference::Ours, "Ours"), (MergePreference::Theirs, "Theirs")] {
        let (merged, outcome) = merge(&MergeOptions::new().prefer(side));
        assert!(outcome.conflicts.is_empty(), "{:?}", outcome.conflicts);
        let of_source: Vec<String> = listed(&merged, &light())
            .into_iter()
            .filter(|entry| entry.starts_with("Source="))
            .collect();
        assert_eq!(of_source, [format!("Source={name}")]);
        for name in ["Ours", "Theirs"] {
            assert!(merged.find_export(&format!("{}.{name}", light())).is_ok());
        }
    }
}

/// A row that would refer to what our side has removed was written with a number that no table has.
#[test]
fn rows_that_start_from_what_the_other_side_has_removed_are_a_conflict() {
    let base = changed(&with_source(), |edit| {
        edit.add_blank_object(&format!("{}.Old", light()), SPRITE).map(drop)
    });
    let ours =
        changed(&base, |edit| edit.remove_object(&source(), RemoveOptions::Refuse).map(drop));
    let added = changed(&base, |edit| add_from(edit, "New", &source()));
    let changed = changed(&base, |edit| {
        let row = edit.find_export(&format!("{}.Old", light()))?;
        edit.set_archetype(row, &source())
    });
    for (theirs, object) in [(added, "New"), (changed, "Old")] {
        let mut merged = ours.clone();
        let outcome = merged.edit(|edit| edit.merge(&base, &theirs, &MergeOptions::new())).unwrap();
        let about = |conflict: &unreal_packages::edit::MergeConflict| {
            conflict.object == format!("{}.{object}", light())
                && conflict.reason == "it refers to an object that our side has removed"
        };
        assert!(outcome.conflicts.iter().any(about), "{object}: {:?}", outcome.conflicts);
    }
}

#[test]
fn lists_are_made_for_versions_that_have_them_and_dropped_for_others() {
    let (listing, bare) = (lit(542), lit(543));
    let bytes = |package: &Package| package.to_bytes().unwrap();
    let down = converted(&bare, 542).unwrap();
    assert_eq!(listed(&down, &light()), listed(&listing, &light()));
    assert!(bytes(&down) == bytes(&listing));
    assert!(bytes(&converted(&down, 543).unwrap()) == bytes(&bare));
    // From one version that has them to another one they stay.
    let other = converted(&listing, 530).unwrap();
    assert_eq!(listed(&other, &light()), listed(&listing, &light()));
}

#[test]
fn lists_that_say_something_else_are_not_dropped() {
    type Change = fn(&mut Vec<unreal_packages::table::ComponentEntry>);
    let changes: [(&str, &str, Change); 3] = [
        ("another name", "DrawLightRadiusComponent_4", |list| list[0].name = list[1].name),
        ("another order", "PointLightComponent_7", |list| list.swap(0, 1)),
        ("less", "PointLightComponent_7", |list| list.truncate(1)),
    ];
    for (what, component, change) in changes {
        let mut package = lit(542);
        let row = package.find_export(&light()).unwrap();
        change(&mut package.parts_mut().tables.exports[row].details.component_map);
        let package = reopened(&package);
        assert!(converted(&package, 530).is_ok(), "{what}");
        let error = converted(&package, 543).unwrap_err();
        let Some(UnrealError::Refused { objects, .. }) = error.unreal() else {
            panic!("{what}: {error}")
        };
        let wanted = format!("{}: {}.{component} as ", light(), light());
        assert!(objects.len() == 1 && objects[0].starts_with(&wanted), "{what}: {objects:?}");
    }
}
