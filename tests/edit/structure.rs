//! Objects are added, renamed, moved, duplicated, removed, copied: what is meant changes and nothing else.

use crate::common;
use unreal_packages::edit::mismatches;

mod actors;
mod chains;
mod copying;
mod followers;
mod gaps;
mod going;
mod lights;
mod links;
mod members;
mod rows;

use common::objects::Random;
use common::parts::Parts;
use common::{GUID, open, reopen_decoded as reopen, save_twice};
use unreal_packages::compare::diff;
use unreal_packages::edit::{CopyOptions, PackageEdit, RemoveOptions, Renumbering};
use unreal_packages::error::{UnrealError, UnrealErrors};
use unreal_packages::generate::{Builder, Profile, create};
use unreal_packages::package::Package;
use unreal_packages::version::UnrealVersions;
use unreal_packages::{ErrorKind, Guid, Versions};

const CLASSIC: [u32; 5] = [61, 68, 69, 100, 128];

/// `Target` is row 1 of the names: an object that refers to export `index`, in UE1's and UE2's tags.
fn referring(index: u8) -> Vec<u8> {
    vec![1, 0x05, index, 0]
}

/// A group with an object in it, which holds another; two that refer to them; one that nobody needs.
fn objects(file: u32) -> Package {
    let info = "Engine.Info";
    let builder = Builder::new(file)
        .guid(GUID)
        .name("Target")
        .export("Group", "Core.Package", [])
        .export("Group.Skin", info, referring(3))
        .export("Group.Skin.Part", info, referring(2))
        .export("User", info, referring(2))
        .export("Other", info, referring(4))
        .export("Lone", info, [0]);
    open(&builder.build().unwrap())
}

/// A struct with three fields, and one that refers to the second: `Target` again is row 1.
fn fields(file: u32) -> Package {
    let property = |next: u8| {
        let mut body = vec![0, 0, next, 1, 0, 4, 0, 0, 0, 0, 0, 0];
        // Elements, then flags, then the category.
        body.splice(3..12, [1, 0, 0, 0, 0, 0, 0, 0, 0]);
        body
    };
    let mut structure = vec![0, 0, 0, 0, 2, 2];
    if file >= 120 {
        structure.push(0);
    }
    structure.extend([0; 12]);
    let builder = Builder::new(file)
        .name("Target")
        .name("Point")
        .export("Point", "Core.Struct", structure)
        .export("Point.X", "Core.IntProperty", property(3))
        .export("Point.Y", "Core.IntProperty", property(4))
        .export("Point.Z", "Core.IntProperty", property(0));
    open(&builder.build().unwrap())
}

fn paths(package: &Package) -> Vec<String> {
    package.exports().iter().map(|export| export.path()).collect()
}

#[track_caller]
fn refused<T: std::fmt::Debug>(result: unreal_packages::Result<T>) -> Vec<String> {
    let error = result.expect_err("this must be refused");
    match error.unreal() {
        Some(UnrealError::Refused { objects, .. }) => objects.clone(),
        _ => panic!("{error}"),
    }
}

/// The call fails and the package stays as it was.
#[track_caller]
fn fails<T: std::fmt::Debug>(
    package: &Package,
    call: impl FnOnce(&mut Package) -> unreal_packages::Result<T>,
) -> ErrorKind {
    let mut copy = package.clone();

    let error = call(&mut copy).expect_err("this must fail").into_kind();

    assert_eq!(copy.to_bytes().unwrap(), package.to_bytes().unwrap(), "changed by a failure");

    assert_eq!(paths(&copy), paths(package));

    error
}

/// Every table of UE3 with bodies of no bytes, so that all can be visited.
fn tables(file: u32) -> Package {
    let mut parts = Parts::rich(Versions::ue1_to_3(file, 0));
    parts.bodies.iter_mut().for_each(Vec::clear);
    parts.export_guids.clear();
    open(&parts.assemble())
}

#[test]
fn the_builder_makes_many_exports() {
    let count = 20_000;
    let mut builder = Builder::new(69).guid(Guid::new(1, 2, 3, 4)).export("G", "Core.Package", []);
    for row in 0..count {
        builder = builder.export(format!("G.Object{row}"), "Engine.Info", [0]);
    }
    let package = open(&builder.build().unwrap());
    assert_eq!(package.exports().len(), count + 1);
    assert_eq!(package.exports().path(count), format!("G.Object{}", count - 1));
}

#[test]
fn damaged_packages_end_in_an_error_at_worst() {
    let sources = [objects(69), fields(128), tables(868)];
    let all = sources.each_ref().map(|package| package.source().to_vec());
    let mut random = Random(7);
    let mut opened = 0;
    for round in 0..1200 {
        let mut bytes = all[round % all.len()].clone();
        for _ in 0..=random.below(4) {
            let at = 8 + random.below(bytes.len() - 8);
            bytes[at] = random.below(256) as u8;
        }
        let Ok(package) = Package::from_bytes(bytes) else { continue };
        opened += 1;
        let path = |row: usize| format!("#{row}");
        for row in 0..package.exports().len().min(6) {
            let _ =
                package.clone().edit(|edit| edit.duplicate_object(&path(row), "ACopy")).map(drop);
            let _ = package.clone().edit(|edit| edit.rename_object(&path(row), "Another"));
            let _ = package.clone().edit(|edit| edit.move_object(&path(row), Some("#0")));
            for options in [RemoveOptions::Refuse, RemoveOptions::NullReferences] {
                let _ =
                    package.clone().edit(|edit| edit.remove_object(&path(row), options)).map(drop);
            }
            let source = &sources[round % all.len()];
            let options = CopyOptions::new().into_group("#0").source_name("Source");
            let _ = source
                .clone()
                .edit(|edit| edit.copy_from(&package, &path(row), &options))
                .map(drop);
            let _ = package
                .clone()
                .edit(|edit| edit.copy_from(source, &path(row), &CopyOptions::new()))
                .map(drop);
        }
        let mut pruned = package.clone();
        if pruned.edit(|edit| edit.prune()).is_ok() {
            save_twice(&pruned);
        }
        let mut conformed = sources[round % all.len()].clone();
        if conformed.edit(|edit| edit.conform_to(&package)).is_ok() {
            assert_eq!(mismatches(&conformed, &package), [], "round {round}");
        }
        let mut conformed = package.clone();
        if conformed.edit(|edit| edit.conform_to(&sources[round % all.len()])).is_ok() {
            assert_eq!(mismatches(&conformed, &sources[round % all.len()]), [], "round {round}");
        }
    }
    assert!(opened > 200, "{opened}");
}

#[test]
fn blank_objects_say_none_where_they_have_no_name() {
    for profile in [&Profile::UT99, &Profile::UT2004, &Profile::UDK] {
        let mut package = create(profile).unwrap();
        // Row 0 is another name than the one that means none.
        package
            .edit(|edit| -> unreal_packages::Result<()> {
                edit.add_name("Zero")?;
                let mut order = Renumbering::identity(edit);
                order.names.rotate_left(1);
                edit.renumber(&order)?;
                edit.add_blank_object("Group.Text", "/Script/CoreUObject.Class")?;
                edit.add_blank_object("Func", "Core.Function").map(drop)
            })
            .unwrap();
        let mut again = Package::from_bytes(package.to_bytes().unwrap()).unwrap();
        again.decode_all();
        let found = diff(&package, &again);
        assert!(found.is_empty(), "{profile}: {found:?}");
        // No blank field refers to it.
        again.edit(|edit| edit.prune().map(drop)).unwrap();
        assert_eq!(again.names().find("Zero"), None, "{profile}");
    }
}
