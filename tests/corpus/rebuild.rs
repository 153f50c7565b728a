//! Saving rebuilds every file from the model instead of handing the input back.

use unreal_packages::package::{Package, SaveOptions};

use crate::common::rebuild::{rebuilds, spans_are_characters};
use crate::files;

pub fn corpus_files_are_rebuilt_from_their_spans() {
    let mut rebuilt = 0;
    for (name, bytes) in ["classic", "conform"].into_iter().flat_map(files::of) {
        // Compressed and encrypted files are tested elsewhere.
        let Ok(package) = Package::from_bytes(bytes) else { continue };
        rebuilds(&package, &SaveOptions::new(), &name);
        spans_are_characters(&package, &name);
        rebuilt += 1;
    }
    println!("{rebuilt} files rebuilt");
    assert!(rebuilt > 0);
}
