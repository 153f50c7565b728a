//! `.uz` files that the engine's own packer has made.

use unreal_packages::compression::redirect::Redirect;

use crate::files;
use crate::folders::{corpus, has};

/// Files that game servers hand out.
pub fn are_there() -> Result<(), String> {
    has("uz")
}

pub fn real_files_are_unpacked_and_packed_again_byte_for_byte() {
    let manifest = std::fs::read_to_string(corpus().join("uz/manifest.tsv")).unwrap();
    let rows: Vec<Vec<&str>> =
        manifest.lines().skip(1).map(|line| line.split('\t').collect()).collect();
    let files = files::of("uz");
    assert_eq!(files.len(), rows.len());
    for (name, file) in files {
        let row = rows.iter().find(|row| row[0] == name).unwrap();
        let redirect = Redirect::recognise(&file).unwrap();
        let own = redirect.name(&file).unwrap().unwrap();
        assert_eq!(own, row[3], "{name}");
        let inside = redirect.unpack(&file).unwrap();
        assert_eq!(inside.len().to_string(), row[4], "{name}");
        assert!(unreal_packages::Package::from_bytes(inside.clone()).is_ok(), "{name}");
        assert!(redirect.pack_named(&own, &inside).unwrap() == file, "{name}");
    }
}
