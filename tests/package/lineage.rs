//! Packages in the encrypted containers of Lineage II.

use unreal_packages::Package;
use unreal_packages::compression::ContainerForm;
use unreal_packages::edit::PackageEdit;
use unreal_packages::error::{UnrealError, UnrealErrors};
use unreal_packages::generate::Builder;
use unreal_packages::package::SaveOptions;

/// The header in front of a package, each of whose bytes is combined with the key.
fn wrapped(image: &[u8], version: &str, key: u8) -> Vec<u8> {
    let header = format!("Lineage2Ver{version}");
    let header = header.encode_utf16().flat_map(u16::to_le_bytes);
    header.chain(image.iter().map(|byte| byte ^ key)).collect()
}

/// CRC-32 as zlib has it, a bit at a time.
fn crc32(bytes: &[u8]) -> u32 {
    let bit = |sum: u32, _| if sum & 1 == 0 { sum >> 1 } else { sum >> 1 ^ 0xedb8_8320 };
    !bytes.iter().fold(!0, |sum, &byte| (0..8).fold(sum ^ u32::from(byte), bit))
}

/// The file with the footer that some have: zero, two numbers, the checksum, zero.
fn with_footer(file: Vec<u8>) -> Vec<u8> {
    let words = [0, 7, 8, crc32(&file), 0].map(u32::to_le_bytes);
    [file, words.concat()].concat()
}

#[test]
fn they_open_and_are_saved_in_their_container() {
    let image = Builder::new(111).export("Note", "Core.TextBuffer", vec![0; 64]).build().unwrap();
    for (version, key) in [("111", 0xac), ("121", 0x31)] {
        let bare = wrapped(&image, version, key);
        for file in [bare.clone(), with_footer(bare)] {
            let mut package = Package::from_bytes(file.clone()).unwrap();
            assert_eq!(package.source(), image);
            let form = package.container().unwrap().form();
            assert!(matches!(form, ContainerForm::Lineage { .. }), "{form:?}");
            assert_eq!(package.to_bytes().unwrap(), file);
            // A longer package has its checksum.
            package.edit(|edit| edit.add_name("A_name_that_is_new")).unwrap();
            let saved = package.to_bytes().unwrap();
            let again = Package::from_bytes(saved.clone()).unwrap();
            assert!(again.names().find("A_name_that_is_new").is_some());
            let around = file.len() - image.len();
            let rewrapped = wrapped(again.source(), version, key);
            let expected = if around > rewrapped.len() - again.source().len() {
                with_footer(rewrapped)
            } else {
                rewrapped
            };
            assert_eq!(saved, expected);
        }
    }
}

#[test]
fn a_footer_whose_checksum_is_wrong_is_none() {
    let image = Builder::new(111).build().unwrap();
    let mut file = with_footer(wrapped(&image, "111", 0xac));
    *file.last_mut().unwrap() = 1;
    let package = Package::from_bytes(file.clone()).unwrap();
    assert_eq!(package.source().len(), image.len() + 20);
    assert_eq!(package.to_bytes().unwrap(), file);
    file[28 + 1] ^= 1;
    assert!(Package::from_bytes(file.clone()).is_err(), "no key gives the tag");
    file.truncate(30);
    assert!(Package::from_bytes(file.clone()).is_err());
    file.truncate(27);
    let error = Package::from_bytes(file).unwrap_err().to_string();
    assert!(!error.contains("Lineage"), "{error}");
}

/// The key of a file of this name in Ver121: the sum of its small letters.
fn key_of(name: &str) -> u8 {
    name.to_lowercase().bytes().fold(0, u8::wrapping_add)
}

#[test]
fn a_file_of_another_name_has_the_key_of_that() {
    let image = Builder::new(111).export("Note", "Core.TextBuffer", vec![0; 64]).build().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    assert_ne!(key_of("Fire.u"), key_of("Water.u"));
    for file in [
        wrapped(&image, "121", key_of("Fire.u")),
        with_footer(wrapped(&image, "121", key_of("Fire.u"))),
    ] {
        std::fs::write(path("Fire.u"), &file).unwrap();
        let saved = Package::open(path("Fire.u")).unwrap().save(&SaveOptions::new()).unwrap();
        for name in ["Fire.u", "FIRE.U", "Water.u"] {
            saved.write_file(path(name)).unwrap();
            let written = std::fs::read(path(name)).unwrap();
            let bare = wrapped(&image, "121", key_of(name));
            let has_footer = file.len() > bare.len();
            assert!(written == if has_footer { with_footer(bare) } else { bare }, "{name}");
            assert!(saved.is_in_files(path(name)).unwrap());
            assert_eq!(Package::open(path(name)).unwrap().source(), image);
        }
    }
    // Of a file that has not the name which it was encrypted for, the key of no other name is known.
    let file = wrapped(&image, "121", key_of("Fire.u"));
    std::fs::write(path("Renamed.u"), &file).unwrap();
    let saved = Package::open(path("Renamed.u")).unwrap().save(&SaveOptions::new()).unwrap();
    saved.write_file(path("Renamed.u")).unwrap();
    assert_eq!(std::fs::read(path("Renamed.u")).unwrap(), file);
    let error = saved.write_file(path("Else.u")).unwrap_err();
    assert!(matches!(error.unreal(), Some(UnrealError::Refused { .. })), "{error}");
    assert!(!path("Else.u").exists());
    // Other versions have one key for all names.
    let file = wrapped(&image, "111", 0xac);
    std::fs::write(path("Same.u"), &file).unwrap();
    let saved = Package::open(path("Same.u")).unwrap().save(&SaveOptions::new()).unwrap();
    saved.write_file(path("Other.u")).unwrap();
    assert_eq!(std::fs::read(path("Other.u")).unwrap(), file);
}
