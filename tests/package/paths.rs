//! Paths of objects: those that nobody could print are short, and those of assets are split.

use unreal_packages::generate::Builder;
use unreal_packages::package::Package;
use unreal_packages::primitive::split_soft_path;

/// Groups in groups, each with a name of this many characters.
fn nested(depth: usize, length: usize) -> Package {
    let mut builder = Builder::new(868);
    let mut path = String::new();
    for level in 0..depth {
        let name = format!("{}{level:02}", "N".repeat(length - 2));
        path = if level == 0 { name } else { format!("{path}.{name}") };
        builder = builder.export(&path, "Core.Package", [0; 12]);
    }
    Package::from_bytes(builder.build().unwrap()).unwrap()
}

#[test]
fn a_path_that_is_too_long_is_the_name_and_the_row_and_is_found() {
    let package = nested(60, 900);
    let paths: Vec<String> = (0..60).map(|row| package.exports().path(row)).collect();
    assert!(paths.iter().all(|path| path.len() <= 4096), "none is longer");
    assert_eq!(paths[3].split('.').count(), 4, "a path of 3,600 characters is whole");
    assert!(paths[9].starts_with("…NNN") && paths[9].ends_with(" #9"), "{}", paths[9]);
    for (row, path) in paths.iter().enumerate() {
        assert_eq!(package.find_export(path).unwrap(), row, "{path}");
    }
    let wrong = paths[9].replace(" #9", " #10");
    assert!(package.find_export(&wrong).is_ok_and(|row| row == 10), "the row says which one it is");
    assert!(package.find_export("…M #10").is_err(), "of another name it is none");
}

#[test]
fn soft_paths_are_split_behind_the_package() {
    for (path, package, object) in [
        ("/Game/Maps/Entry.Entry:Level", "/Game/Maps/Entry", "Entry:Level"),
        ("/Game/Maps/Entry", "/Game/Maps/Entry", ""),
        ("/Script/Engine", "/Script/Engine", ""),
        (
            "/Game/P.P_C:InpAxisEvt_Look Up / Down Mouse_K2Node_1",
            "/Game/P",
            "P_C:InpAxisEvt_Look Up / Down Mouse_K2Node_1",
        ),
        ("/Game/P.Name with / in it", "/Game/P", "Name with / in it"),
        ("/Game/P:Sub/Name.More", "/Game/P", "Sub/Name.More"),
        ("", "", ""),
    ] {
        assert_eq!(split_soft_path(path), (package, object), "{path}");
    }
}
