//! Components by name in the rows of what they lie in (file versions 178 to 542): they follow every edit.

use unreal_packages::content::{MapText, MapTextEdits};
use unreal_packages::edit::{CopyOptions, Edit, MergeOptions, PackageEdit, RemoveOptions};
use unreal_packages::package::Package;
use unreal_packages::primitive::ObjectRef;

use super::map_text::Engine;
use super::map_text_ue3::{UNREAL_ED, map};

pub const LEVEL: &str = "TheWorld.PersistentLevel";

/// Both sides of a merge add and remove components of one actor.
#[test]
fn lists_of_components_are_merged() {
    let base = lit(512);
    let light = format!("{LEVEL}.PointLight_1");
    let ours = changed(&base, |edit| {
        edit.remove_object(
            &format!("{light}.DrawLightRadiusComponent_4"),
            RemoveOptions::NullReferences,
        )?;
        edit.add_blank_object(&format!("{light}.Ours"), "Engine.SpriteComponent").map(drop)
    });
    let theirs = changed(&base, |edit| {
        edit.add_blank_object(&format!("{light}.Theirs"), "Engine.SpriteComponent").map(drop)
    });
    let mut merged = ours.clone();
    let outcome = merged.edit(|edit| edit.merge(&base, &theirs, &MergeOptions::new())).unwrap();
    assert!(outcome.conflicts.is_empty(), "{:?}", outcome.conflicts);
    let mut names = listed(&reopened(&merged), &light);
    names.sort();
    assert_eq!(names, ["Ours=Ours", "PointLightComponent0=PointLightComponent_7", "Theirs=Theirs"]);
}

/// A map whose lights and brush come from text.
pub fn lit(file: u32) -> Package {
    let mut package = map(file);
    let text: MapText = UNREAL_ED.parse().unwrap();
    package.edit(|edit| edit.add_map_text(&text, &Engine)).unwrap();
    reopened(&package)
}

pub fn reopened(package: &Package) -> Package {
    Package::from_bytes(package.to_bytes().unwrap()).unwrap()
}

/// What the row of an actor lists: `name=object`, the objects within the actor by their names alone.
pub fn listed(package: &Package, actor: &str) -> Vec<String> {
    let row = package.find_export(actor).unwrap();
    let map = &package.tables().exports[row].details.component_map;
    let entry = |entry: &unreal_packages::table::ComponentEntry| {
        let path = package.path(entry.export);
        let own = path.strip_prefix(&format!("{actor}.")).unwrap_or(&path).to_owned();
        format!("{}={own}", package.name_text(entry.name))
    };
    map.iter().map(entry).collect()
}

pub fn changed(
    package: &Package,
    change: impl FnOnce(&mut Edit) -> unreal_packages::Result<()>,
) -> Package {
    let mut changed = package.clone();
    changed.edit(change).unwrap();
    reopened(&changed)
}

#[test]
fn components_are_listed_by_what_they_start_from() {
    let package = lit(512);
    let light = format!("{LEVEL}.PointLight_1");
    let of_light = [
        "DrawLightRadius0=DrawLightRadiusComponent_4",
        "PointLightComponent0=PointLightComponent_7",
    ];
    assert_eq!(listed(&package, &light), of_light);
    assert_eq!(listed(&package, &format!("{LEVEL}.Brush_1")), ["BrushComponent0=BrushComponent_2"]);
    assert_eq!(listed(&lit(868), &light), [""; 0], "from 543 on rows have no such list");

    // One that starts from nothing has its own name there, whatever that becomes.
    let own = changed(&package, |edit| {
        edit.add_blank_object(&format!("{light}.Glow"), "Engine.SpriteComponent")?;
        edit.rename_object(&format!("{light}.Glow"), "Shine")?;
        edit.rename_object(&format!("{light}.PointLightComponent_7"), "Lamp")?;
        Ok(())
    });
    let with_own = [of_light[0], "PointLightComponent0=Lamp", "Shine=Shine"];
    assert_eq!(listed(&own, &light), with_own);
}

#[test]
fn lists_of_components_follow_what_is_done_to_their_rows() {
    let package = lit(512);
    let (light, brush) = (format!("{LEVEL}.PointLight_1"), format!("{LEVEL}.Brush_1"));
    let before = listed(&package, &light);
    let turned = changed(&package, |edit| {
        let order: Vec<usize> = (0..edit.exports().len()).rev().collect();
        edit.reorder_exports(&order)
    });
    assert_eq!(listed(&turned, &light), before);
    // Stored are rows that count from 0.
    let row = turned.find_export(&light).unwrap();
    let first = turned.tables().exports[row].details.component_map[0];
    let ObjectRef::Export(at) = first.export.target() else { panic!("{first:?}") };
    let number = (first.name.index.value() as u32).to_le_bytes();
    let entry = [&number[..], &[0; 4], &(at as u32).to_le_bytes()].concat();
    let numbered = [&number[..], &5u32.to_le_bytes(), &(at as u32).to_le_bytes()].concat();
    let bytes = turned.to_bytes().unwrap();
    let has = |wanted: &[u8]| bytes.windows(wanted.len()).any(|bytes| bytes == wanted);
    assert!(has(&entry) && !has(&numbered));

    let moved = changed(&package, |edit| {
        edit.move_object(&format!("{light}.PointLightComponent_7"), Some(&brush)).map(drop)
    });
    assert_eq!(listed(&moved, &light), before[..1]);
    assert_eq!(
        listed(&moved, &brush),
        ["BrushComponent0=BrushComponent_2", "PointLightComponent0=PointLightComponent_7"]
    );

    let removed = changed(&package, |edit| {
        let path = format!("{light}.DrawLightRadiusComponent_4");
        let removed = edit.remove_object(&path, RemoveOptions::NullReferences)?;
        assert!(removed.unlisted.contains(&light), "{removed:?}");
        Ok(())
    });
    assert_eq!(listed(&removed, &light), before[1..]);
    // A list that only names it is no reason to keep it; what is removed comes back into the list.
    changed(&package, |edit| {
        let path = format!("{light}.Glow");
        edit.add_blank_object(&path, "Engine.SpriteComponent")?;
        let with_glow = edit.clone();
        let removed = edit.remove_object(&path, RemoveOptions::Refuse)?;
        assert_eq!(listed(edit, &light), before);
        edit.restore(&removed)?;
        assert_eq!(listed(edit, &light), listed(&with_glow, &light));
        Ok(())
    });
    // One that gets the name of another one in the list is listed no more; the name of what one starts from is its own.
    let renamed = changed(&package, |edit| {
        edit.add_blank_object(&format!("{light}.Glow"), "Engine.SpriteComponent")?;
        edit.add_blank_object(&format!("{light}.Shine"), "Engine.SpriteComponent")?;
        let shine = edit.find_export(&format!("{light}.Shine"))?;
        edit.set_archetype(shine, &format!("{light}.Glow"))?;
        edit.rename_object(&format!("{light}.Glow"), "PointLightComponent0")?;
        Ok(())
    });
    assert_eq!(listed(&renamed, &light), before);

    let twice = changed(&package, |edit| edit.duplicate_object(&light, "Twin").map(drop));
    let copy = listed(&twice, &format!("{LEVEL}.Twin"));
    assert_eq!(copy.len(), 2, "{copy:?}");
    assert!(copy[1].starts_with("PointLightComponent0=PointLightComponent"), "{copy:?}");
    assert!(!copy[1].contains(&light), "{copy:?}");
    assert_eq!(listed(&twice, &light), before);
    // The second one of a name is in no map.
    let beside = changed(&package, |edit| {
        edit.duplicate_object(&format!("{light}.PointLightComponent_7"), "Second").map(drop)
    });
    assert_eq!(listed(&beside, &light), before);

    // From a package without such lists, too.
    for source in [package, lit(868)] {
        // The light would bring along what it stands on; polygons of later versions have more than earlier ones hold.
        let source = changed(&source, |edit| {
            edit.remove_property(&light, "Base")?;
            edit.remove_object(&brush, RemoveOptions::NullReferences).map(drop)
        });
        let mut target = map(512);
        let options = CopyOptions::new().into_group(LEVEL);
        let copied = target.edit(|edit| edit.copy_from(&source, &light, &options)).unwrap();
        let path = target.exports().path(copied.row);
        assert_eq!(listed(&reopened(&target), &path), before);
    }
}
