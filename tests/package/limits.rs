//! How much comes out of a compressed file, and how the method of a whole stream is told.

use unreal_packages::archive::Span;
use unreal_packages::compression::redirect::Redirect;
use unreal_packages::compression::{Block, Framing, Method, Storage, compress, decompress};
use unreal_packages::error::{UnrealError, UnrealErrors};
use unreal_packages::generate::Builder;
use unreal_packages::package::{OpenOptions, Package, SaveOptions};
use unreal_packages::version::UnrealVersions;
use unreal_packages::{Archived, Saver, Versions};

const MIB: u64 = 1 << 20;

/// A file that is one framing with these blocks.
fn stream(blocks: Vec<Block>) -> Vec<u8> {
    let sum = |size: fn(&Block) -> u32| blocks.iter().map(size).fold(0, u32::wrapping_add);
    let mut framing = Framing {
        block_size: 0x2_0000,
        compressed_size: sum(|block| block.compressed_size),
        uncompressed_size: sum(|block| block.uncompressed_size),
        blocks,
        ..Framing::default()
    };
    let mut saver = Saver::new(Versions::unreal());
    framing.serialize(&mut saver).unwrap();
    saver.into_bytes()
}

fn zeros(method: Method) -> Block {
    compress(&vec![0; 0x2_0000], method, 0x2_0000).unwrap().blocks.remove(0)
}

fn package(file: u32) -> Vec<u8> {
    Builder::new(file).export("Blank", "Core.TextBuffer", vec![0; 0x5_0000]).build().unwrap()
}

#[test]
fn a_stream_of_zeros_is_of_the_method_that_made_it() {
    let error = Package::from_bytes(stream(vec![zeros(Method::Zlib)])).unwrap_err();
    assert!(matches!(error.unreal(), Some(UnrealError::NotAPackage { .. })), "{error}");
    // The mark of zlib, and a checksum that does not fit.
    let mut damaged = stream(vec![zeros(Method::Zlib)]);
    *damaged.last_mut().unwrap() ^= 1;
    let error = Package::from_bytes(damaged).unwrap_err().to_string();
    assert!(error.contains("zlib") && !error.contains("LZO"), "{error}");
}

#[test]
fn streams_of_every_method_open_whatever_follows_the_tag() {
    for file in [334, 491, 868] {
        let plain = package(file);
        for method in [Method::Zlib, Method::Lzo, Method::Lzx, Method::Lzma] {
            let options = SaveOptions::new().storage(Storage::Stream(method));
            let saved = Package::from_bytes(plain.clone()).unwrap().save(&options).unwrap().bytes;
            let package = Package::from_bytes(saved).unwrap();
            assert_eq!(package.container().unwrap().method(), Some(method), "{file}");
            assert_eq!(package.source(), plain);
        }
    }
}

#[test]
fn megabytes_do_not_become_gigabytes_by_default() {
    let block = zeros(Method::Zlib);
    let file = stream(vec![block; 16_000]);
    assert!(file.len() < 4 << 20);
    let error = Package::from_bytes(file.clone()).unwrap_err();
    let Some(&UnrealError::TooLarge { size, limit }) = error.unreal() else { panic!("{error}") };
    assert_eq!((size, limit), (16_000 * 0x2_0000, 256 * MIB));
    let text = error.to_string();
    assert!(text.contains("--max-image") && text.contains("268435456"), "{text}");
    let open = |bytes| OpenOptions::new().max_image(bytes).open_bytes(file.clone()).unwrap_err();
    assert!(matches!(open(size - 1).unreal(), Some(UnrealError::TooLarge { .. })));
}

#[test]
fn the_limit_counts_every_form() {
    let plain = package(868);
    for storage in [Storage::Chunks(Method::Zlib), Storage::Stream(Method::Lzo)] {
        let options = SaveOptions::new().storage(storage);
        let saved = Package::from_bytes(plain.clone()).unwrap().save(&options).unwrap().bytes;
        let open = |bytes| OpenOptions::new().max_image(bytes).open_bytes(saved.clone());
        let error = open(0x5_0000).unwrap_err();
        assert!(
            matches!(error.unreal(), Some(UnrealError::TooLarge { limit: 0x5_0000, .. })),
            "{error}"
        );
        assert_eq!(open(plain.len() as u64).unwrap().source(), plain);
    }
    let blocks = vec![zeros(Method::Zlib); 2_049];
    let sum = |size: fn(&Block) -> u32| blocks.iter().map(size).sum();
    let framing = Framing {
        compressed_size: sum(|block| block.compressed_size),
        uncompressed_size: sum(|block| block.uncompressed_size),
        blocks,
        ..Framing::default()
    };
    let error = decompress(&framing, &[], Method::Zlib).unwrap_err();
    assert!(matches!(error.unreal(), Some(UnrealError::TooLarge { .. })), "{error}");
}

/// Of many stored bytes more may come: 64 for each.
#[test]
fn the_limit_grows_with_what_is_stored() {
    let claiming = |uncompressed: u64| {
        // Blocks whose bytes are missing: whether they are looked for says what the limit is.
        let data = Span::default();
        let block =
            Block { compressed_size: 5 << 20, uncompressed_size: uncompressed as u32, data };
        let framing = Framing {
            block_size: uncompressed as u32,
            compressed_size: block.compressed_size,
            uncompressed_size: block.uncompressed_size,
            blocks: vec![block],
            ..Framing::default()
        };
        decompress(&framing, &[], Method::Zlib).unwrap_err()
    };
    let error = claiming(320 * MIB);
    assert!(!matches!(error.unreal(), Some(UnrealError::TooLarge { .. })), "{error}");
    let error = claiming(320 * MIB + 1);
    let Some(&UnrealError::TooLarge { size, limit }) = error.unreal() else { panic!("{error}") };
    assert_eq!((size, limit), (320 * MIB + 1, 320 * MIB));
}

#[test]
fn redirect_files_have_the_limit_as_well() {
    let packed = Redirect::Uz2.pack(&vec![0; 0x8000]).unwrap();
    let many = packed.repeat(8_193);
    let error = Redirect::Uz2.unpack(&many).unwrap_err();
    assert!(matches!(error.unreal(), Some(UnrealError::TooLarge { .. })), "{error}");
    for kind in [Redirect::Uz2, Redirect::Uz3] {
        let packed = kind.pack(&vec![7; 0x9000]).unwrap();
        let error = kind.unpack_within(&packed, Some(0x8fff)).unwrap_err();
        assert!(
            matches!(error.unreal(), Some(UnrealError::TooLarge { size: 0x9000, .. })),
            "{error}"
        );
        assert_eq!(kind.unpack_within(&packed, Some(0x9000)).unwrap().len(), 0x9000);
    }
}
