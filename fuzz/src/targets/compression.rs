//! Blocks, framings and compressed files: they decompress to what they say, or there is an error.

use unreal_packages::compression::redirect::Redirect;
use unreal_packages::compression::{
    Block, CompressedBuffer, Framing, Method, UzForm, compress, decompress,
};
use unreal_packages::error::{UnrealError, UnrealErrors};
use unreal_packages::version::UnrealVersions;
use unreal_packages::{Archived, Loader, Span, Versions};

use super::{is_readable, open};
use crate::memory;

/// Bytes that a block may say it holds.
const MOST: u32 = 1 << 16;
/// Bytes of memory beside what comes out: the windows and tables of the codecs.
const TABLES: usize = 64 << 20;

pub fn run(data: &[u8]) {
    let Some((&kind, data)) = data.split_first() else { return };
    match kind % 10 {
        0..5 => block(Method::ALL[usize::from(kind % 5)], data),
        5 => there_and_back(data),
        6 => redirects(data),
        7 => buffer(data),
        8 => framing(data),
        _ => open::run(data),
    }
}

/// A block that says what it holds in its first two bytes.
fn block(method: Method, data: &[u8]) {
    let Some((size, block)) = data.split_first_chunk() else { return };
    let size = u32::from(u16::from_le_bytes(*size)).min(MOST);
    let compressed_size = block.len() as u32;
    let block =
        Block { compressed_size, uncompressed_size: size, data: Span::owned(block.to_vec()) };
    let framing = Framing {
        compressed_size,
        uncompressed_size: size,
        blocks: vec![block],
        ..Framing::default()
    };
    decompressed(&framing, method);
}

fn decompressed(framing: &Framing, method: Method) {
    let sum = |sum: u64, block: &Block| sum + u64::from(block.uncompressed_size);
    let size = framing.blocks.iter().fold(0, sum);
    let (result, peak) = memory::peak(|| decompress(framing, &[], method));
    let most = TABLES + method.most_from(data_size(framing)).min(2 * size) as usize;
    assert!(peak <= most, "{method}: {peak} bytes of memory for {size}");
    match result {
        Ok(bytes) => {
            assert_eq!(bytes.len() as u64, size, "{method}");
            if method.can_compress() {
                let again = compress(&bytes, method, 0x1_0000).unwrap();
                assert_eq!(decompress(&again, &[], method).unwrap(), bytes, "{method}");
            }
        }
        Err(error) => {
            is_readable(&error);
            // Only Oodle's decoder is known to panic, and is caught.
            let caught = error.to_string().contains("gave up");
            assert!(method == Method::Oodle || !caught, "{method} panics inside: {error}");
        }
    }
}

fn data_size(framing: &Framing) -> u64 {
    framing.blocks.iter().map(|block| block.data.len()).sum()
}

/// What is compressed comes back.
fn there_and_back(data: &[u8]) {
    for method in Method::ALL.iter().copied().filter(|method| method.can_compress()) {
        let framing = compress(data, method, 0x400).unwrap();
        assert_eq!(decompress(&framing, &[], method).unwrap(), data, "{method}");
    }
}

fn redirects(data: &[u8]) {
    let known = Redirect::recognise(data);
    let [four, five] = [UzForm::FourStages, UzForm::FiveStages].map(Redirect::Uz);
    for redirect in [four, five, Redirect::Uz2, Redirect::Uz3] {
        match redirect.unpack_within(data, Some(1 << 22)) {
            Err(error) => is_readable(&error),
            Ok(bytes) if bytes.len() < 1 << 16 => {
                let packed = redirect.pack(&bytes).unwrap();
                assert_eq!(redirect.unpack(&packed).unwrap(), bytes, "{known:?}");
            }
            Ok(_) => {}
        }
    }
}

fn buffer(data: &[u8]) {
    let mut buffer = CompressedBuffer::default();
    let mut loader = Loader::new(data, Versions::unreal());
    if buffer.serialize(&mut loader).is_ok() {
        let _ = buffer.content(data).map_err(|error| is_readable(&error));
    }
}

fn framing(data: &[u8]) {
    let mut framing = Framing::default();
    let mut loader = Loader::new(data, Versions::ue1_to_3(684, 0));
    if let Err(error) = framing.serialize(&mut loader) {
        return is_readable(&error);
    }
    for &method in Method::ALL {
        match decompress(&framing, data, method) {
            Ok(_) => {}
            Err(error) if matches!(error.unreal(), Some(UnrealError::TooLarge { .. })) => {}
            Err(error) => is_readable(&error),
        }
    }
}
