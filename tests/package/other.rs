//! Files that are no packages say what they are.

use unreal_packages::error::{UnrealError, UnrealErrors};
use unreal_packages::package::{OtherFile, Package, recognise_file};

fn said(file: &[u8]) -> (Option<OtherFile>, String) {
    let error = Package::from_bytes(file.to_vec()).unwrap_err();
    let Some(UnrealError::NotAPackage { is, .. }) = error.unreal() else { panic!("{error}") };
    (*is, error.to_string())
}

/// A pak of this version: `before` bytes stand between the start of its trailer and the tag, `behind` behind the
/// version.
fn pak(version: u32, before: usize, behind: usize) -> Vec<u8> {
    let tag = 0x5A6F_12E1_u32.to_le_bytes();
    let parts = [&[7; 100][..], &vec![0; before], &tag, &version.to_le_bytes(), &vec![0; behind]];
    parts.concat()
}

#[test]
fn what_belongs_to_games_is_known() {
    let start = |start: &[u8]| [start, &[0; 64]].concat();
    let umod = |length: u32| {
        let words = [0x9FE3_C5A3, 0, length, 1, 0].map(u32::to_le_bytes).concat();
        [&[1; 80][..], &words].concat()
    };
    let mut locked = pak(11, 17, 196);
    locked[116] = 1;
    let mut zen = vec![0; 300];
    let words = [0_u32, 200, 3, 0, 0x8000_0200, 900, 44, 60, 80, 100, 120];
    zen[..44].copy_from_slice(&words.map(u32::to_le_bytes).concat());
    let files = [
        (start(b"GVAS"), OtherFile::SaveGame),
        (start(b"\x09\0\0\0\x05\0\0\0PlZ1"), OtherFile::PackedSaveGame),
        (start(b"\xc4\x30\x03"), OtherFile::Mappings),
        (pak(3, 0, 36), OtherFile::Pak),
        (pak(5, 1, 36), OtherFile::Pak),
        (pak(11, 17, 196), OtherFile::Pak),
        (pak(15, 17, 237), OtherFile::Pak),
        (locked, OtherFile::LockedPak),
        (start(b"-==--==--==--==-"), OtherFile::IoStore),
        (zen.clone(), OtherFile::ZenPackage),
        (umod(100), OtherFile::Umod),
        (start(b"PK\x03\x04"), OtherFile::Archive),
        (start(b"MZ"), OtherFile::Program),
        (start(b"version https://git-lfs.github.com/spec/v1"), OtherFile::GitPointer),
    ];
    for (file, kind) in files {
        assert_eq!(recognise_file(&file), Some(kind));
        let (is, text) = said(&file);
        assert_eq!(is, Some(kind), "{text}");
        assert!(text.ends_with(kind.name()), "{text}");
    }
    let folder = tempfile::tempdir().unwrap();
    let shaders = folder.path().join("ShaderArchive-Game.ushaderbytecode");
    std::fs::write(&shaders, [2; 99]).unwrap();
    let error = Package::open(&shaders).unwrap_err();
    assert!(error.to_string().ends_with(OtherFile::ShaderLibrary.name()), "{error}");
    let library = Some(OtherFile::ShaderLibrary);
    assert!(matches!(error.unreal(), Some(UnrealError::NotAPackage { is, .. }) if *is == library));
    // What only looks like one.
    assert_eq!(recognise_file(&umod(99)), None);
    assert_eq!(recognise_file(&pak(99, 17, 196)), None);
    zen[7] = 1;
    assert_eq!(recognise_file(&zen), None);
    let (is, text) = said(&[3; 99]);
    assert_eq!(is, None);
    assert!(text.contains("starts with 0x03030303"), "{text}");
    for end in 0..60 {
        recognise_file(&pak(11, 17, 196)[..end]);
    }
}
