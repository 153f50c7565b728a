//! How fast packages are decompressed, beside the codec crates alone on the same blocks, and how that
//! scales over cores.
//!
//! ```text
//! cargo bench -p farchive-benches --bench compression --features compression
//! cargo bench -p farchive-benches --bench compression --features compression -- lzo
//! ```
//! Blocks of 128 KiB, from a package that the bench builds; Oodle needs `UPK_CORPUS`.

use std::hint::black_box;
use std::time::Duration;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use unreal_packages::Package;
use unreal_packages::compression::{Method, Storage};
use unreal_packages::generate::Builder;
use unreal_packages::package::{OpenOptions, SaveOptions};

/// Bodies of a package, together about 8 MiB.
const BODIES: u32 = 64;

/// Words as they stand in packages: small numbers, repeated names, some noise.
fn body(seed: u32) -> Vec<u8> {
    let mut state = seed.wrapping_mul(2_654_435_761) | 1;
    let mut body = Vec::with_capacity(0x2_0000);
    while body.len() < 0x2_0000 {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        match state % 5 {
            0 => body.extend_from_slice(b"StaticMeshComponent"),
            1 => body.extend((state >> 20).to_le_bytes()),
            2 => body.extend(state.to_le_bytes()),
            3 => body.extend([0; 12]),
            _ => body.extend((state as u16 & 0x1ff).to_le_bytes()),
        }
    }
    body
}

fn package() -> Package {
    let mut builder = Builder::new(868);
    for row in 0..BODIES {
        builder = builder.export(format!("Body{row}"), "Core.TextBuffer", body(row + 1));
    }
    Package::from_bytes(builder.build().expect("it can be built")).expect("it opens")
}

/// One block by the codec crate alone, as its own documentation calls it.
fn alone(method: Method, from: &[u8], to: &mut [u8]) {
    use std::io::Read;
    match method {
        Method::Zlib => {
            let mut zlib = flate2::Decompress::new(true);
            let done = zlib.decompress(from, to, flate2::FlushDecompress::Finish);
            done.expect("a sound block");
        }
        Method::Lzo => {
            lzokay::decompress::decompress(from, to).expect("a sound block");
        }
        Method::Lzx => {
            let mut lzx = lzxd::Lzxd::new(lzxd::WindowSize::KB128);
            let (mut rest, mut filled) = (from, 0);
            while filled < to.len() {
                // 0xff stands before a last frame that is shorter.
                let (size, packed, head) = match rest[0] {
                    0xff => (pair(&rest[1..]), pair(&rest[3..]), 5),
                    _ => (0x8000, pair(rest), 2),
                };
                let frame = lzx.decompress_next(&rest[head..head + packed], size);
                to[filled..filled + size].copy_from_slice(frame.expect("a sound frame"));
                rest = &rest[head + packed..];
                filled += size;
            }
        }
        Method::Lzma => {
            let dictionary = u32::from_le_bytes([from[1], from[2], from[3], from[4]]);
            let (size, rest) = (to.len() as u64, &from[5..]);
            let reader =
                lzma_rust2::LzmaReader::new_with_props(rest, size, from[0], dictionary, None);
            reader.expect("a sound header").read_exact(to).expect("a sound block");
        }
        _ => {
            let mut oodle = oozextract::Extractor::new();
            oodle.read_from_slice(from, to).expect("a sound block");
        }
    }
}

fn pair(bytes: &[u8]) -> usize {
    usize::from(u16::from_be_bytes([bytes[0], bytes[1]]))
}

/// An Oodle package of the corpus.
fn oodle() -> Option<Vec<u8>> {
    let corpus = std::env::var_os("UPK_CORPUS").map(std::path::PathBuf::from)?;
    std::fs::read(corpus.join("classic/684_168_PlotManager.pcc")).ok()
}

fn decompression(criterion: &mut Criterion) {
    let plain = package();
    let files = [Method::Zlib, Method::Lzo, Method::Lzx, Method::Lzma].into_iter().map(|method| {
        let options = SaveOptions::new().storage(Storage::Chunks(method));
        (method, plain.save(&options).expect("it can be compressed").bytes.into())
    });
    for (method, file) in files.chain(oodle().map(|file| (Method::Oodle, file))) {
        let file = bytes::Bytes::from(file);
        let package = Package::from_bytes(file.clone()).expect("it opens");
        let size = package.source().len();
        let mut group = criterion.benchmark_group(method.slug());
        group.sample_size(20).measurement_time(Duration::from_secs(3));
        group.warm_up_time(Duration::from_millis(500));
        group.throughput(Throughput::Bytes(size as u64));
        let container = package.container().expect("it is compressed");
        let framings = container.framings();
        group.bench_function("codec alone", |bencher| {
            bencher.iter(|| {
                let mut image = vec![0; size];
                let mut at = 0;
                for block in framings.iter().flat_map(|framing| &framing.blocks) {
                    let end = at + block.uncompressed_size as usize;
                    let from = block.data.bytes(container.file()).expect("a range of the file");
                    alone(method, from, &mut image[at..end]);
                    at = end;
                }
                black_box(image)
            });
        });
        for threads in [1, 2] {
            let options = OpenOptions::new().threads(threads);
            group.bench_function(BenchmarkId::new("package, threads", threads), |bencher| {
                bencher.iter(|| options.open_bytes(file.clone()).expect("it opens"));
            });
        }
        group.finish();
    }
}

criterion_group!(benches, decompression);
criterion_main!(benches);
