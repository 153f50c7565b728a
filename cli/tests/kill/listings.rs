//! How often a run lists a folder that it writes many files into.

use std::path::Path;

use unreal_packages::content::TextEdits;
use unreal_packages::edit::PackageEdit;
use unreal_packages::generate::Builder;
use unreal_packages::package::Package;

use super::strace;

/// A package of so many texts.
fn texts(file: &Path, count: usize) {
    let builder = Builder::new(69).export("Texts", "Core.Package", []);
    let mut package = Package::from_bytes(builder.build().unwrap()).unwrap();
    package
        .edit(|edit| {
            (0..count).try_for_each(|at| {
                edit.add_text(&format!("Texts.T{at}"), &format!("text {at}")).map(drop)
            })
        })
        .unwrap();
    std::fs::write(file, package.to_bytes().unwrap()).unwrap();
}

/// Lists of folders, and what a run of this command has to do for it.
fn lists(count: usize) -> [usize; 2] {
    let folder = tempfile::tempdir().unwrap();
    texts(&folder.path().join("Mod.u"), count);
    let run = |arguments: &[&str]| {
        let output = strace::upk(folder.path(), arguments);
        assert!(output.status.success(), "{arguments:?}: {output:?}");
    };
    let extract = ["extract", "Mod.u", "-o", "Out", "--overwrite"];
    run(&extract);
    run(&["pack", "Out", "-o", "Out.pak"]);
    let unpack = ["unpack", "Out.pak", "-o", "Out", "--overwrite"];
    [&extract, &unpack].map(|arguments| strace::count(folder.path(), arguments, "getdents64"))
}

pub fn a_folder_is_not_listed_once_a_file() {
    let (few, many) = (lists(10), lists(40));
    assert!(few.iter().all(|count| *count > 0), "{few:?}");
    // The same folders, which hold more: a list of them comes in as many pieces.
    assert_eq!(few, many);
}
