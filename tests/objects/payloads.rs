//! Payloads of UE4 and UE5: compressed data with wide sizes, and compressed buffers.

use std::sync::Arc;

use unreal_packages::archive::Context;
use unreal_packages::compression::{
    Block, CompressedBuffer, Method, WideFraming, compress, decompress,
};
use unreal_packages::property::PackageContext;
use unreal_packages::version::UnrealVersions;
use unreal_packages::{Archived, Loader, Saver, Span, Versions};

fn sample() -> Vec<u8> {
    (0..10_000_u32).flat_map(|number| (number / 7).to_le_bytes()).collect()
}

/// The bytes of a value whose ranges are those of `source`.
fn saved<T: Archived>(value: &mut T, source: &[u8]) -> Vec<u8> {
    let context = Arc::new(Context::new(source.to_vec().into(), Vec::new()));
    let mut saver = Saver::new(Versions::ue4_and_5(522, 1018)).with_context(context);
    value.serialize(&mut saver).unwrap();
    saver.into_bytes()
}

fn loaded<T: Archived + Default>(bytes: &[u8]) -> unreal_packages::Result<T> {
    let mut value = T::default();
    value.serialize(&mut Loader::new(bytes, Versions::ue4_and_5(522, 1018)))?;
    Ok(value)
}

#[test]
fn wide_framings_are_read_as_they_are_written() {
    for method in [None, Some(3)] {
        let framing = compress(&sample(), Method::Zlib, 0x2000).unwrap();
        let mut wide = WideFraming { method, block_size: 0x2000, framing };
        let bytes = saved(&mut wide, &[]);
        let mut again: WideFraming = loaded(&bytes).unwrap();
        assert_eq!(saved(&mut again, &bytes), bytes);
        assert_eq!(again.method, method);
        let content = decompress(&again.framing, &bytes, again.method().unwrap()).unwrap();
        assert!(content == sample());
        for length in 0..bytes.len() {
            assert!(loaded::<WideFraming>(&bytes[..length]).is_err(), "{length}");
        }
    }
    let unknown = WideFraming { method: Some(9), ..WideFraming::default() };
    assert!(unknown.method().unwrap_err().to_string().contains("method 9"));
}

#[test]
fn buffers_hash_what_they_hold() {
    let content = sample();
    let size = content.len() as u32;
    let block = Block {
        compressed_size: size,
        uncompressed_size: size,
        data: Span::owned(content.clone()),
    };
    let mut buffer = CompressedBuffer {
        raw_size: size.into(),
        total_size: u64::from(size) + 64,
        raw_hash: *blake3::hash(&content).as_bytes(),
        blocks: vec![block],
        ..CompressedBuffer::default()
    };
    let bytes = saved(&mut buffer, &[]);
    assert_eq!((bytes.len(), &bytes[..4]), (64 + content.len(), &[0xb7, 0x75, 0x63, 0x62][..]));
    let again: CompressedBuffer = loaded(&bytes).unwrap();
    assert!(again.content(&bytes).unwrap() == content);
    let mut damaged = bytes.clone();
    damaged[1000] ^= 1;
    let again: CompressedBuffer = loaded(&damaged).unwrap();
    assert!(again.content(&damaged).unwrap_err().to_string().contains("hash"));
    for length in 0..200 {
        assert!(loaded::<CompressedBuffer>(&bytes[..length]).is_err(), "{length}");
    }
    // More blocks than the size makes.
    let mut wrong = bytes;
    (wrong[8], wrong[11]) = (3, 10);
    assert!(loaded::<CompressedBuffer>(&wrong).is_err());
}
