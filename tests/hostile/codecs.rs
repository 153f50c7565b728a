//! Codecs: damaged blocks are errors, nothing is printed, nothing grows beyond what was asked for.

use unreal_packages::Span;
use unreal_packages::compression::{Block, Framing, Method, compress, decompress};
use unreal_packages::error::{UnrealError, UnrealErrors};

/// A framing around one block of these bytes.
fn framed(block: &[u8], size: u32) -> Framing {
    let compressed_size = block.len() as u32;
    let block =
        Block { compressed_size, uncompressed_size: size, data: Span::owned(block.to_vec()) };
    Framing { compressed_size, uncompressed_size: size, blocks: vec![block], ..Framing::default() }
}

/// Numbers without a pattern; the same in every run.
struct Noise(u64);

impl Noise {
    fn next(&mut self) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        self.0 >> 33
    }

    fn damage(&mut self, bytes: &[u8]) -> Vec<u8> {
        let mut bytes = bytes.to_vec();
        for _ in 0..=self.next() % 4 {
            let at = self.next() as usize % bytes.len();
            bytes[at] = self.next() as u8;
        }
        if self.next().is_multiple_of(4) {
            bytes.truncate(1 + self.next() as usize % bytes.len());
        }
        bytes
    }
}

fn rounds() -> u32 {
    std::env::var("HOSTILE_ROUNDS").ok().and_then(|text| text.parse().ok()).unwrap_or(300)
}

/// Text that compresses, and some that does not.
fn sample(noise: &mut Noise) -> Vec<u8> {
    let words = [&b"texture "[..], b"sound ", b"mesh ", b"level "];
    let mut text = Vec::new();
    while text.len() < 3_000 {
        text.extend(words[noise.next() as usize % words.len()]);
        text.push(noise.next() as u8);
    }
    text
}

#[test]
fn damaged_blocks_make_no_decoder_panic() {
    let mut noise = Noise(7);
    for method in [Method::Zlib, Method::Lzo, Method::Lzx, Method::Lzma] {
        for _ in 0..rounds() {
            let text = sample(&mut noise);
            let whole = compress(&text, method, 0x1_0000).unwrap();
            let block = whole.blocks[0].data.bytes(&[]).unwrap().to_vec();
            let damaged = noise.damage(&block);
            let size = text.len() as u32;
            let size = if noise.next().is_multiple_of(4) {
                1 + noise.next() as u32 % (2 * size)
            } else {
                size
            };
            let Err(error) = decompress(&framed(&damaged, size), &[], method) else { continue };
            assert!(
                !error.to_string().contains("gave up"),
                "{method} panics inside: {damaged:02x?}"
            );
        }
    }
}

/// Blocks of Kraken and its kin with a plausible start: their decoder panics on some.
fn oodle_blocks() -> Vec<Vec<u8>> {
    let mut noise = Noise(11);
    let mut blocks = Vec::new();
    for kind in [5u8, 6, 10, 11, 12] {
        for _ in 0..rounds() {
            let mut block = vec![0x8c, kind];
            block.extend((0..40 + noise.next() % 200).map(|_| noise.next() as u8));
            // Sizes of the quantum and of its streams, so that the decoders are reached.
            let length = block.len() as u32 - 5;
            block[2..5].copy_from_slice(&length.to_be_bytes()[1..]);
            block[5] = [0x80, 0x40, 0x81, 0x00][noise.next() as usize % 4];
            blocks.push(block);
        }
    }
    blocks
}

/// In a process of its own, so that what is printed can be seen.
#[test]
fn damaged_oodle_is_an_error_and_prints_nothing() {
    const CHILD: &str = "DECODE_DAMAGED_OODLE";
    if std::env::var_os(CHILD).is_none() {
        let program = std::env::current_exe().unwrap();
        let name = "codecs::damaged_oodle_is_an_error_and_prints_nothing";
        let child = std::process::Command::new(program)
            .args(["--exact", name, "--nocapture", "--test-threads=1"])
            .env(CHILD, "1")
            .output()
            .unwrap();
        let printed = String::from_utf8_lossy(&child.stderr);
        assert!(child.status.success() && !printed.contains("panicked"), "{printed}");
        let out = String::from_utf8_lossy(&child.stdout);
        assert!(out.contains("caught:"), "{out}");
        return;
    }
    let mut caught = 0;
    for block in oodle_blocks() {
        let Err(error) = decompress(&framed(&block, 0x1000), &[], Method::Oodle) else { continue };
        assert!(matches!(error.unreal(), Some(UnrealError::Compression { .. })), "{error}");
        caught += u32::from(error.to_string().contains("gave up"));
    }
    println!("caught: {caught}");
    assert!(caught > 0, "no block makes the decoder panic: choose others");
}

/// The start of a `.usmap` file around a block that is compressed in this way (2 Brotli, 3 Zstandard).
#[cfg(feature = "usmap-codecs")]
fn usmap(method: u8, size: u32, block: &[u8]) -> Vec<u8> {
    let mut file = vec![0xc4, 0x30, 0, method];
    file.extend((block.len() as u32).to_le_bytes());
    file.extend(size.to_le_bytes());
    file.extend(block);
    file
}

#[test]
#[cfg(feature = "usmap-codecs")]
fn damaged_mappings_are_an_error() {
    use unreal_packages::property::Mappings;
    let mut noise = Noise(13);
    for block in oodle_blocks() {
        for method in 1..=3 {
            let mut file = usmap(method, 0x1000, &block[..]);
            if method == 3 {
                // The mark of Zstandard, a frame with one block.
                file[12..18].copy_from_slice(&[0x28, 0xb5, 0x2f, 0xfd, 0x20, 0x10]);
                file[18] = noise.next() as u8 & 7;
            }
            let error = Mappings::from_bytes(&file).unwrap_err();
            assert_eq!(error.to_string().lines().count(), 1, "{error}");
            assert!(method == 1 || !error.to_string().contains("gave up"), "{file:02x?}");
        }
    }
}
