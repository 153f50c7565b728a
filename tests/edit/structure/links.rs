//! What generations, imports, thumbnails and dependencies say of rows.

use unreal_packages::edit::{CopyOptions, PackageEdit, RemoveOptions, Renumbering};
use unreal_packages::error::{UnrealError, UnrealErrors};
use unreal_packages::generate::Builder;
use unreal_packages::package::Package;
use unreal_packages::table::{Generation, Thumbnail};
use unreal_packages::version::UnrealVersions;
use unreal_packages::{ErrorKind, Versions};

use super::common::parts::Parts;
use super::common::{open, save_twice};
use super::{fails, objects, tables};

#[test]
fn generations_promise_only_what_holds() {
    let mut old = objects(69);
    let older = old.clone();
    old.edit(|edit| edit.conform_to(&older)).unwrap();
    assert_eq!(old.summary().generations.len(), 2);
    let mut renamed = old.clone();
    renamed.edit(|edit| edit.rename_object("Lone", "Alone")).unwrap();
    assert_eq!(renamed.summary().generations.len(), 2, "no row has moved");
    let mut removed = old.clone();
    removed.edit(|edit| edit.remove_object("Lone", RemoveOptions::Refuse)).unwrap();
    let [only] = removed.summary().generations[..] else { panic!("older generations stay") };
    let counts = Generation { export_count: 5, name_count: old.names().len() as i32, ..only };
    assert_eq!(only, counts);
}

#[test]
fn imports_can_be_exchanged() {
    for file in [61, 69, 128, 512, 868] {
        let builder = Builder::new(file).import("Botpack.Skins.Blue", "Engine.Texture");
        let builder = builder.import("Botpack.Enforcer", "Core.Class");
        let mut package = open(&builder.build().unwrap());
        let imports = |package: &Package| -> Vec<String> {
            package.imports().iter().map(|import| import.path()).collect()
        };
        let rows = package.imports().len();
        let index = package.find("Botpack.Enforcer").unwrap();
        let same = package
            .edit(|edit| edit.retarget_import("Botpack.Enforcer", "Newpack.Sub.Gun", "Core.Class"));
        assert_eq!(same.unwrap(), index);
        assert_eq!(package.path(index), "Newpack.Sub.Gun");
        assert_eq!(package.imports().len(), rows + 2);
        package.edit(|edit| edit.retarget_import("Botpack", "Oldpack", "Core.Package")).unwrap();
        let again = open(&save_twice(&package));
        assert!(imports(&again).contains(&"Oldpack.Skins.Blue".to_owned()));
        assert!(!imports(&again).iter().any(|path| path.contains("Botpack")));
        let exists = fails(&again, |p| {
            p.edit(|edit| edit.retarget_import("Oldpack.Skins.Blue", "Newpack.Sub", "A.B"))
        });
        assert!(matches!(exists, ErrorKind::Exists { .. }), "{exists}");
        let itself = fails(&again, |p| {
            p.edit(|edit| edit.retarget_import("Oldpack", "Oldpack.X", "Core.Package"))
        });
        assert!(matches!(itself, ErrorKind::Invalid { .. }), "{itself}");
        fails(&again, |p| {
            p.edit(|edit| edit.retarget_import("Nothing", "Something", "Core.Package"))
        });
        fails(&again, |p| p.edit(|edit| edit.retarget_import("Oldpack", "New", "NoDot")));
    }
}

#[test]
fn thumbnails_and_depends_follow() {
    let titles = |package: &Package| -> Vec<String> {
        let text = |row: &Thumbnail| row.object_path.text(package.source()).unwrap().into_owned();
        package.tables().thumbnails.iter().map(text).collect()
    };
    for file in [684, 868] {
        let package = tables(file);
        assert_eq!(titles(&package), ["Group.Skin", "Alpha", "Again"]);
        let mut renamed = package.clone();
        renamed.edit(|edit| edit.rename_object("Group", "Herd")).unwrap();
        assert_eq!(titles(&open(&save_twice(&renamed))), ["Herd.Skin", "Alpha", "Again"]);
        renamed.edit(|edit| edit.move_object("Herd.Skin", None)).unwrap();
        assert_eq!(titles(&open(&save_twice(&renamed))), ["Skin", "Alpha", "Again"]);
        let mut twice = package.clone();
        twice.edit(|edit| edit.duplicate_object("Group.Skin", "Hide")).unwrap();
        let twice = open(&save_twice(&twice));
        assert_eq!(titles(&twice)[3], "Group.Hide");
        let images = |row: usize| {
            twice.tables().image(&twice.tables().thumbnails[row]).unwrap().image.clone()
        };
        assert_eq!(images(3), images(0));
        assert_eq!(twice.tables().depends[3].objects, twice.tables().depends[1].objects);

        let mut removed = package.clone();
        // The component of each export is the group.
        removed.edit(|edit| edit.remove_object("Group.Skin", RemoveOptions::Refuse)).unwrap();
        let removed = open(&save_twice(&removed));
        assert_eq!(titles(&removed), ["Alpha", "Again"]);
        assert_eq!(removed.tables().depends.len(), 2);
        assert_eq!(removed.tables().depends[1].objects, [], "it depended on what is gone");
        let image = removed.tables().image(&removed.tables().thumbnails[0]).unwrap();
        assert_eq!(image.image.bytes(removed.source()).unwrap(), [2; 9]);
        if file >= 767 {
            let rows = &removed.summary().texture_allocations[0].export_indices;
            assert!(rows.is_empty(), "row 1 is gone: {rows:?}");
        }

        let target = Builder::new(file).build().unwrap();
        let mut target = open(&target);
        let copied =
            target.edit(|edit| edit.copy_from(&package, "Alpha", &CopyOptions::new())).unwrap();
        assert!(copied.objects.contains(&"Alpha".to_owned()));
        let target = open(&save_twice(&target));
        assert_eq!(titles(&target), ["Alpha"]);
        let image = target.tables().image(&target.tables().thumbnails[0]).unwrap();
        assert_eq!(image.image.bytes(target.source()).unwrap(), [2; 9]);
    }
}

#[test]
fn rows_that_guids_may_mean_do_not_move() {
    let mut parts = Parts::rich(Versions::ue1_to_3(868, 0));
    parts.bodies.iter_mut().for_each(Vec::clear);
    let package = open(&parts.assemble());
    assert_eq!(package.tables().export_guids[0].object, 2);
    let error =
        fails(&package, |p| p.edit(|edit| edit.remove_object("Group.Skin", RemoveOptions::Refuse)));
    assert!(matches!(error.unreal(), Some(UnrealError::Refused { .. })), "{error}");
    let mut swapped = Renumbering::identity(&package);
    swapped.exports.swap(1, 2);
    fails(&package, |p| p.edit(|edit| edit.renumber(&swapped)));
    swapped = Renumbering::identity(&package);
    swapped.names.swap(0, 3);
    package.clone().edit(|edit| edit.renumber(&swapped)).unwrap();
}
