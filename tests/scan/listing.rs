//! The files that a scan looks at come in the order of their paths, each once.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use unreal_packages::container::GameContainer;
use unreal_packages::error::ErrorKind;
use unreal_packages::file::Links;
use unreal_packages::scan::{FileListing, FileToScan, FoundFiles};

fn no_container(_: &Path) -> unreal_packages::Result<Arc<GameContainer>> {
    Err(ErrorKind::Invalid { reason: "there is none".to_owned() }.into())
}

fn listed(places: &[PathBuf], without: &[PathBuf]) -> Vec<FileToScan> {
    let listing = FileListing::new(places, without, Links::Inside, no_container);
    listing.expect("the places are there").collect()
}

fn write(folder: &Path, names: &[&str]) {
    for name in names {
        let path = folder.join(name);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("the folder is made");
        std::fs::write(path, name).expect("the file is written");
    }
}

#[test]
fn files_of_places_that_lie_in_each_other_come_once_and_in_order() {
    let folder = tempfile::tempdir().expect("a folder");
    let root = folder.path();
    let names =
        ["a.b/One.u", "a/Two.u", "a/deep/Three.u", "a-b/Four.u", "Five.u", "a/Five.u", "b.u"];
    write(root, &names);
    write(root, &["a/Photo.png", "a/Two.u.bak", "a/Three.uexp", "left/Out.u"]);
    let places = [root.join("a"), root.to_owned(), root.join("a/deep/Three.u"), root.to_owned()];
    let files = listed(&places, &[root.join("left")]);
    let mut expected: Vec<_> = names.iter().map(|name| root.join(name)).collect();
    expected.sort();
    assert_eq!(files.iter().map(|it| it.file.clone()).collect::<Vec<_>>(), expected);
    let named: Vec<_> = files.iter().filter(|it| it.is_named).map(|it| &it.file).collect();
    assert_eq!(named, [&root.join("a/deep/Three.u")]);
    // All that a walk finds at once, and nothing else.
    let found = FoundFiles::search(&places, Links::Inside, &no_container).expect("they are there");
    let others = ["a/Photo.png", "a/Two.u.bak", "a/Three.uexp", "left/Out.u"];
    assert_eq!(found.files.len(), expected.len() + others.len());
}

#[test]
fn names_below_places_are_told_apart_by_the_full_path() {
    let folder = tempfile::tempdir().expect("a folder");
    let root = folder.path();
    write(root, &["x/Content/Both.u", "x/Content/Mine.u", "y/Content/Both.u", "y/Content/Yours.u"]);
    write(root, &["x/Mod.u", "y/Mod.u", "z/Mod.u", "z/Other.u"]);
    let places = ["x/Content", "y/Content", "x/Mod.u", "y/Mod.u", "z/Mod.u", "z/Other.u"];
    let places = places.map(|name| root.join(name));
    let names: Vec<_> = listed(&places, &[]).into_iter().map(|it| it.relative_path).collect();
    let full = |name: &str| root.join(name).display().to_string();
    let expected = [
        full("x/Content/Both.u"),
        "Content/Mine.u".to_owned(),
        full("x/Mod.u"),
        full("y/Content/Both.u"),
        "Content/Yours.u".to_owned(),
        full("y/Mod.u"),
        full("z/Mod.u"),
        "Other.u".to_owned(),
    ];
    assert_eq!(names, expected);
    // A place alone is what its files are called below.
    let names: Vec<_> = listed(&places[..1], &[]).into_iter().map(|it| it.relative_path).collect();
    assert_eq!(names, ["Both.u", "Mine.u"]);
}

#[test]
fn a_place_that_is_not_there_is_told_at_once() {
    let error = FileListing::new(&["nowhere".into()], &[], Links::Inside, no_container);
    assert!(error.is_err_and(|error| error.is_not_found()));
}
