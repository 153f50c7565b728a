//! Packages of UE4 and UE5: renamed, retargeted, compared, with thumbnails.

use crate::common;
use unreal_packages::inspect::package_path;

use common::{Folder, upk};
use unreal_packages::content::Image;
use unreal_packages::edit::PackageEdit;
use unreal_packages::generate::Builder;
use unreal_packages::{EngineRelease, Package};

/// A folder with `Old.uasset`, which imports a material, and `User.uasset`, which imports it.
fn folder() -> Folder {
    let folder = Folder::new();
    let release = EngineRelease::new(5, 4);
    let build = |object: &str, import: &str| {
        let bytes = Builder::for_release(release)
            .import(import, "/Script/Engine.Material")
            .export(object, "/Script/Engine.Thing", vec![7; 50])
            .build()
            .unwrap();
        let mut package = Package::from_bytes(bytes).unwrap();
        let path = format!("/Game/{object}");
        package.edit(|edit| edit.rename_package(&path, &Default::default())).unwrap();
        package.to_bytes().unwrap()
    };
    folder.write("Old.uasset", build("Old", "/Game/Wood.Wood"));
    folder.write("User.uasset", build("User", "/Game/Old.Old"));
    folder
}

#[test]
fn a_package_gets_another_path_and_its_users_are_named() {
    let folder = folder();
    let out = folder.arg("New.uasset");
    let args = ["--package", "/Game/Sub/New", "--overwrite", "-o", &out, "--json"];
    let report = folder.run("rename", "Old.uasset", &args).exits(0).object();
    assert_eq!(report["change"]["objects"][0][1], "New", "{report}");
    assert_eq!(package_path(&Package::open(&out).unwrap()).as_deref(), Some("/Game/Sub/New"));
    let run = folder.run("diff", "Old.uasset", &[&out]).exits(1);
    assert!(run.out.contains("folder_name: /Game/Old -> /Game/Sub/New"), "{run:?}");
    assert!(run.out.contains("0 objects added, 0 removed, 0 renamed, 0 changed"), "{run:?}");
    folder.run("diff", "Old.uasset", &[&folder.arg("Old.uasset")]).exits(0);
    // Others refer to it.
    let env = folder.arg("");
    let args = ["--package", "/Game/Sub/New", "--overwrite", "-o", &out, "--env", &env];
    let run = folder.run("rename", "Old.uasset", &args).exits(1);
    assert!(run.err.contains("User.uasset imports /Game/Old.Old"), "{run:?}");
    let run = folder.run("rename", "Old.uasset", &["--package", "Game", "--dry-run"]).exits(1);
    assert!(run.err.contains("slash"), "{run:?}");
    folder.run("rename", "Old.uasset", &["--package", "/Game/X", "Old", "--dry-run"]).exits(2);
    // The file is called otherwise.
    let other = folder.arg("Other.uasset");
    let run = folder
        .run("rename", "Old.uasset", &["--package", "/Game/New", "--overwrite", "-o", &other])
        .exits(0);
    assert!(run.out.contains("care: the file is called Other"), "{run:?}");
}

#[test]
fn references_go_to_another_package() {
    let folder = folder();
    let args = ["/Game/Old", "/Game/Sub/New", "--in-place"];
    let run = folder.run("retarget", "User.uasset", &args).exits(0);
    assert!(run.out.contains("/Game/Old.Old -> /Game/Sub/New.New"), "{run:?}");
    let refs = folder.run("refs", "User.uasset", &["/Game/Sub/New", "--places"]).exits(0);
    assert!(refs.out.contains("imports[1].outer_index"), "{refs:?}");
    let run = folder.run("retarget", "User.uasset", &["/Game/No", "/Game/X", "--dry-run"]).exits(1);
    assert!(run.err.contains("/Game/No"), "{run:?}");
    let old = folder.arg("User.uasset");
    let run = folder.run("conform", "User.uasset", &["--to", &old, "--dry-run"]).exits(1);
    assert!(run.err.contains("know no generations"), "{run:?}");
}

#[test]
fn thumbnails_come_and_go() {
    let folder = folder();
    let pixels = vec![[200, 30, 10, 255], [0, 90, 250, 128]];
    let picture = Image::from_rgba(2, 1, pixels.clone()).unwrap().to_png().unwrap();
    folder.write("picture.png", &picture);
    let path = folder.arg("picture.png");
    let args = ["--thumbnail", "Old", &path, "--in-place", "--json"];
    let report = folder.run("import", "Old.uasset", &args).exits(0).object();
    assert_eq!(report["change"]["change"]["width"], 2, "{report}");
    // The engine has red and blue in each other's place; whoever looks at the picture has not.
    let package = Package::open(folder.arg("Old.uasset")).unwrap();
    let image = package.tables().image(&package.tables().thumbnails[0]).unwrap();
    let stored = Image::read(image.image.bytes(package.source()).unwrap()).unwrap();
    assert_eq!(stored.to_rgba(), [[10, 30, 200, 255], [250, 90, 0, 128]]);
    let out = folder.arg("Out");
    let args = ["-o", &out, "--kind", "thumbnail", "--json"];
    let rows = folder.run("extract", "Old.uasset", &args).exits(0);
    let row: serde_json::Value = serde_json::from_str(rows.out.lines().next().unwrap()).unwrap();
    let extracted = row["file"].as_str().expect("the thumbnail comes out");
    let bytes = std::fs::read(extracted).unwrap();
    assert_eq!(Image::read(&bytes).unwrap().to_rgba(), pixels);
    let before = folder.read("Old.uasset");
    let args = ["--thumbnail", "Old", extracted, "--in-place", "--json"];
    let report = folder.run("import", "Old.uasset", &args).exits(0).object();
    assert!(report["change"]["change"].is_null(), "{report}");
    assert_eq!(folder.read("Old.uasset"), before);
    folder.run("remove", "Old.uasset", &["Old", "--thumbnail", "--in-place"]).exits(0);
    assert!(Package::open(folder.arg("Old.uasset")).unwrap().tables().thumbnails.is_empty());
    folder.run("remove", "Old.uasset", &["Old", "--thumbnail", "--in-place"]).exits(1);
}

#[test]
fn a_document_of_uassetapi_becomes_a_package() {
    let folder = Folder::new();
    folder.write("Items.json", include_bytes!("../examples/world/items.json"));
    let (from, to) = (folder.arg("Items.json"), folder.arg("Items.uasset"));
    let run = upk(&["from-json", &from, "-o", &to]).exits(1);
    assert!(run.err.contains("--uassetapi"), "{run:?}");
    upk(&["from-json", &from, "-o", &to, "--uassetapi"]).exits(0);
    upk(&["verify", &to]).exits(0);
    let run = upk(&["get", &to, "DT_Items[Sword].Damage"]).exits(0);
    assert!(run.out.contains("12.5"), "{run:?}");
    upk(&["from-json", &from, "-o", &to, "--engine", "4.27"]).exits(2);
    // Classes come from the package that the document was made from.
    let stated = include_str!("../examples/world/items.json");
    folder.write("Class.json", stated.replace("DataTableExport", "ClassExport"));
    let (class, new) = (folder.arg("Class.json"), folder.arg("New.uasset"));
    let arguments = ["from-json", class.as_str(), "-o", &new, "--uassetapi"];
    let run = upk(&arguments).exits(1);
    assert!(run.err.contains("--original"), "{run:?}");
    let run = upk(&[&arguments[..], &["--original", &to]].concat()).exits(0);
    assert!(run.out.contains("1 objects, such as DT_Items"), "{run:?}");
    assert_eq!(std::fs::read(&new).unwrap(), std::fs::read(&to).unwrap());
}

/// A project whose package `/Game/Door` is used from two folders, once softly.
fn project() -> Folder {
    let folder = Folder::new();
    let package = |name: &str, imports: &[&str]| {
        let builder = Builder::for_release(EngineRelease::new(5, 4));
        let import = |builder: Builder, path: &&str| builder.import(*path, "/Script/Engine.Thing");
        let bytes = imports.iter().fold(builder, import).build().unwrap();
        let mut package = Package::from_bytes(bytes).unwrap();
        package
            .edit(|edit| {
                edit.add_blank_object(name, "/Script/Engine.Thing")?;
                for path in imports {
                    let known = "object".parse().unwrap();
                    edit.add_property(name, "Uses", &known, path)?;
                }
                edit.rename_package(&format!("/Game/{name}"), &Default::default()).map(drop)
            })
            .unwrap();
        package.to_bytes().unwrap()
    };
    folder.write("P/Game.uproject", "{}");
    folder.write("P/Content/Door.uasset", package("Door", &[]));
    folder.write("P/Content/House.uasset", package("House", &["/Game/Door.Door"]));
    let town = folder.write("P/Content/Maps/Town.uasset", "").display().to_string();
    let of = ["--package", "/Game/Maps/Town", "--class", "/Script/Engine.DataAsset"];
    upk(&[&["new", "asset", "--engine", "5.4", "-o", &town, "--overwrite"][..], &of].concat())
        .exits(0);
    let may = "Town.May:soft-object=/Game/Door.Door";
    upk(&["set", &town, may, "--in-place", "--no-backup"]).exits(0);
    folder.write("P/Content/Wood.uasset", package("Wood", &[]));
    folder
}

#[test]
fn users_of_a_renamed_package_follow_all_or_none() {
    let folder = project();
    let files = ["Door", "House", "Maps/Town", "Wood"].map(|it| format!("P/Content/{it}.uasset"));
    let contents = || files.iter().map(|file| folder.read(file)).collect::<Vec<_>>();
    let before = contents();
    let env = folder.arg("P");
    let args = ["--package", "/Game/Gate", "--env", &env];
    let rename = |rest: &[&str]| folder.run("rename", &files[0], &[&args[..], rest].concat());
    let run = rename(&["--in-place"]).exits(1);
    assert!(
        run.err.contains("references of other packages") && run.err.contains("--fix-users"),
        "{run:?}"
    );
    assert!(!run.err.contains("\\n"), "{run:?}");
    let run = rename(&["--fix-users", "--dry-run"]).exits(0);
    assert!(run.out.contains("2 packages that refer to it would follow"), "{run:?}");
    rename(&["--fix-users", "-o", &folder.arg("Gate.uasset")]).exits(2);
    // Users would refer to an object that is not there; what a new GUID is for is not said of them.
    for more in ["--keep-object", "--new-guid"] {
        rename(&["--fix-users", "--in-place", more]).exits(2);
    }
    // One that can't be opened may refer to it.
    let broken = folder.write("P/Content/Broken.uasset", "no package");
    let run = rename(&["--fix-users", "--in-place"]).exits(1);
    assert!(run.err.contains("Broken.uasset") && run.err.contains("may refer"), "{run:?}");
    std::fs::remove_file(broken).unwrap();
    assert_eq!(contents(), before);
    // The folder that comes last can't be written: the first is as it was.
    let town = folder.path(&files[2]);
    let set_read_only = |is: bool| {
        let mut permissions = std::fs::metadata(&town).unwrap().permissions();
        permissions.set_readonly(is);
        std::fs::set_permissions(&town, permissions).unwrap();
    };
    set_read_only(true);
    let run = rename(&["--fix-users", "--in-place"]).exits(1);
    assert!(run.err.contains("read-only"), "{run:?}");
    assert_eq!(contents(), before);
    assert!(!folder.path("P/Content/rename-Gate.upk-run").exists());
    set_read_only(false);
    let run = rename(&["--fix-users", "--in-place"]).exits(0);
    assert!(run.out.contains("2 packages that refer to it followed"), "{run:?}");
    let imports: Vec<String> =
        folder.open(&files[1]).imports().iter().map(|row| row.path()).collect();
    assert!(imports.contains(&"/Game/Gate.Gate".to_owned()), "{imports:?}");
    let value = folder.run("get", &files[2], &["Town.May"]).exits(0).out;
    assert!(value.contains("/Game/Gate.Gate"), "{value}");
    assert_eq!(folder.read(&files[3]), before[3]);
    folder.run("verify", "P", &[]).exits(0);
    // All of it comes back.
    folder.run("restore", "P", &["--run", "rename-Gate"]).exits(0);
    assert_eq!(contents(), before);
}
