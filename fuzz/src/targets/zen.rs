//! Packages as containers hold them: they open or there is an error, are saved as they were, and what converts to
//! the form of files opens there.

use std::sync::{Arc, LazyLock};

use unreal_packages::EngineRelease;
use unreal_packages::container::zen::{KnownObjects, ZenHeader};
use unreal_packages::package::{OpenOptions, Package};

use super::{is_readable, saves_as};
use crate::common::zen::{legacy, names};
use crate::exercise::explain_all;

/// Releases that inputs choose from, one for each form of the header; new ones go to the end.
pub const RELEASES: [(u8, u8); 5] = [(5, 4), (5, 3), (5, 6), (5, 2), (4, 27)];

/// What imports of the seeds are called.
static NAMES: LazyLock<Arc<KnownObjects>> =
    LazyLock::new(|| Arc::new(names(&legacy(EngineRelease::new(5, 4), false))));

/// The number of a release, then a package.
pub fn run(data: &[u8]) {
    let Some((&number, file)) = data.split_first() else { return };
    let (major, minor) = RELEASES[usize::from(number) % RELEASES.len()];
    if let Err(error) = ZenHeader::load(file, None) {
        is_readable(&error);
    }
    for known in [None, Some(NAMES.clone())] {
        let mut options = OpenOptions::new().max_image(super::MOST_IMAGE).threads(1);
        options = options.engine(EngineRelease::new(major, minor));
        if let Some(names) = known {
            options = options.import_names(names);
        }
        match options.open_bytes(file.to_vec()) {
            Err(error) => is_readable(&error),
            Ok(package) => opened(package, file),
        }
    }
}

fn opened(mut package: Package, file: &[u8]) {
    package.decode_all();
    saves_as(&package, file);
    explain_all(&package);
}
