//! Mappings: what is read is written and read again; a package of any kind can be opened with them.

use std::sync::{Arc, LazyLock};

use unreal_packages::EngineRelease;
use unreal_packages::package::OpenOptions;
use unreal_packages::property::Mappings;

use super::{is_readable, saves_as};
use crate::common::forms;

/// A package that needs mappings.
static BARE: LazyLock<Vec<u8>> = LazyLock::new(|| forms::unversioned().source().to_vec());

pub fn run(data: &[u8]) {
    let mappings = match Mappings::from_bytes(data) {
        Ok(mappings) => mappings,
        Err(error) => return is_readable(&error),
    };
    for version in [0, 1, 2, 3, 4] {
        match mappings.to_bytes(version) {
            Err(error) => is_readable(&error),
            Ok(bytes) => {
                let again = Mappings::from_bytes(&bytes);
                let again = again.unwrap_or_else(|error| panic!("version {version}: {error}"));
                let bytes_again = again.to_bytes(version).map_err(|error| error.to_string());
                assert_eq!(bytes_again, Ok(bytes), "version {version}");
            }
        }
    }
    let names = || mappings.data().names.iter().take(64);
    for name in names() {
        let _ = (mappings.knows(&name.0), mappings.parent_of(&name.0));
    }
    let options = OpenOptions::new().engine(EngineRelease::new(5, 4)).mappings(Arc::new(mappings));
    if let Ok(mut package) = options.open_bytes(BARE.clone()) {
        package.decode_all();
        saves_as(&package, &BARE);
    }
}
