//! Texels in compressed packages.

use unreal_packages::compression::{Method, Storage, compress};
use unreal_packages::generate::Builder;
use unreal_packages::inspect::BulkPlace;
use unreal_packages::object::ue3::asset::texture::{Mip, Texture2D};
use unreal_packages::primitive::{BulkData, Position};
use unreal_packages::version::UnrealVersions;
use unreal_packages::{Archived, Saver, Span, Versions};

use super::framing::framed;
use super::{noise, open, stored};

/// A texture whose mips lie inline, inline and compressed, and in a cache file.
#[test]
fn texels_are_found_wherever_they_lie() {
    let versions = Versions::ue1_to_3(868, 0);
    let texels = noise(600, 5);
    let mut zlib = compress(&texels, Method::Zlib, 0x100).unwrap();
    let mut lzo = compress(&texels, Method::Lzo, 0x2_0000).unwrap();
    let (zlib, lzo) = (framed(&mut zlib), framed(&mut lzo));
    let cache = [b"front", &zlib[..], &texels].concat();
    let mip = |flags, size: usize, offset, payload: &[u8]| Mip {
        data: BulkData {
            flags,
            element_count: 600,
            size_on_disk: size as i32,
            offset: Position::Stale(offset),
            payload: Span::owned(payload),
        },
        size_x: 30,
        size_y: 20,
    };
    let mut texture = Texture2D {
        mips: vec![
            mip(0, 600, 0, &texels),
            mip(0x10, lzo.len(), 0, &lzo),
            mip(0x03, zlib.len(), 5, b""),
            mip(0x01, 600, 5 + zlib.len() as u32, b""),
            mip(0x21, 0, 0, b""),
            mip(0x01, 600, u32::MAX, b""),
            mip(0x01, i32::MAX as usize, 0, b""),
        ],
        ..Texture2D::default()
    };
    let mut saver = Saver::new(versions);
    // Net index; a property of three names, size and array index, its value; the name that ends the list.
    for mut word in [-1, 1, 0, 2, 0, 8, 0, 3, 0, 0, 0] {
        i32::serialize(&mut word, &mut saver).unwrap();
    }
    texture.serialize(&mut saver).unwrap();
    let builder = Builder::new(868).name("TextureFileCacheName").name("NameProperty").name("Cache");
    let builder = builder.export("Picture", "Engine.Texture2D", saver.into_bytes());
    let package = open(&builder.export("Text", "Core.TextBuffer", []).build().unwrap());
    let packed = open(&stored(&package, Storage::Chunks(Method::Lzo)));
    let (empty, folder) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    std::fs::write(folder.path().join("CACHE.tfc"), cache).unwrap();
    let folders = [empty.path(), folder.path()];
    for package in [package, packed] {
        for mip in 0..4 {
            let found = unreal_packages::inspect::texels(&package, 0, mip, &folders).unwrap();
            assert!(found.bytes == texels, "{mip}");
            assert_eq!((found.size_x, found.size_y), (30, 20));
            let apart =
                matches!(found.place, BulkPlace::Companion(path) if path.ends_with("CACHE.tfc"));
            assert_eq!(apart, mip > 1);
        }
        let error = |mip| {
            unreal_packages::inspect::texels(&package, 0, mip, &folders).unwrap_err().to_string()
        };
        assert!(error(4).contains("unused"), "{}", error(4));
        assert!(error(5).contains("outside"), "{}", error(5));
        assert!(error(6).contains("outside"), "{}", error(6));
        assert!(error(7).contains("not found"), "{}", error(7));
        assert!(
            unreal_packages::inspect::texels(&package, 1, 0, &folders)
                .unwrap_err()
                .to_string()
                .contains("no Texture2D")
        );
        let error = unreal_packages::inspect::texels(&package, 0, 2, &[empty.path()])
            .unwrap_err()
            .to_string();
        assert!(error.contains("Cache.tfc"), "{error}");
    }
}
