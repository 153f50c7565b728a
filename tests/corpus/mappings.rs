//! The mappings files of packages of UE4 and UE5.

use unreal_packages::property::Mappings;
use unreal_packages::property::mappings::{Compression, Usmap};

use crate::folders::corpus;

pub fn files_load_and_save() {
    let folder = corpus().join("modern/usmap");
    let files = std::fs::read_dir(&folder);
    let files = files.unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut seen = 0;
    for path in files.map(|file| file.unwrap().path()) {
        let name = path.display();
        let bytes = std::fs::read(&path).unwrap();
        let file = Usmap::from_bytes(&bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
        let mappings = Mappings::from_bytes(&bytes).unwrap_or_else(|e| panic!("{name}: {e}"));
        let saved = mappings.to_bytes(file.version).unwrap();
        if file.compression == Compression::None {
            assert!(saved == bytes, "{name}");
        }
        assert!(Mappings::from_bytes(&saved).unwrap().data() == mappings.data(), "{name}");
        seen += 1;
    }
    assert!(seen > 0);
}
