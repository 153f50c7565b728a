//! Packages in the encrypted containers of Lineage II.

use farchive::Package;
use farchive::compression::ContainerForm;
use farchive::generate::Builder;

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
