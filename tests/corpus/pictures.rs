//! Textures of the corpus: every one that comes out goes in again without a change, and another decoder of blocks sees
//! the same pixels in them, and in those that are encoded here.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use unreal_packages::content::{
    ContentKind, Image, PackageContents, Pixels, ReplaceTexture, TextureEdits,
};
use unreal_packages::edit::PackageEdit;
use unreal_packages::package::Package;
use unreal_packages::version::ByteOrder;

use crate::{files, manifest};

/// The largest picture that is tried in formats that take long.
const LARGEST: usize = 512 * 512;

/// A Python with the package `texture2ddecoder`: the one that this variable names, or the machine's.
fn interpreter() -> String {
    std::env::var("FARCHIVE_PYTHON").unwrap_or_else(|_| "python3".to_owned())
}

/// Whether the other decoder is there.
pub fn decoder() -> Result<(), String> {
    let run = Command::new(interpreter()).args(["-c", "import texture2ddecoder"]).output();
    match run {
        Ok(run) if run.status.success() => Ok(()),
        _ => {
            Err("needs the Python package texture2ddecoder (FARCHIVE_PYTHON names a Python)"
                .to_owned())
        }
    }
}

/// Every package of UE4 and UE5 with its mappings, and of UE2 and UE3.
fn each(mut check: impl FnMut(&str, Package)) {
    for entry in manifest::packages() {
        let options = entry.options_with_readable_mappings();
        if let Ok(package) = options.open(&entry.path) {
            check(entry.name(), package);
        }
    }
    for (name, bytes) in files::of("classic") {
        if let Ok(package) = Package::from_bytes(bytes) {
            check(&name, package);
        }
    }
}

pub fn textures_of_ue4_and_ue5_go_in_again_without_a_change() {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    let mut refused: BTreeMap<String, usize> = BTreeMap::new();
    for entry in manifest::packages() {
        let options = entry.options_with_readable_mappings();
        let Ok(mut package) = options.open(&entry.path) else { continue };
        let before = package.to_bytes().unwrap();
        for row in 0..package.exports().len() {
            if package.contents().content_kind(row).unwrap() != Some(ContentKind::Texture) {
                continue;
            }
            let path = package.exports().path(row);
            let mut pictures = Vec::new();
            pictures.extend(package.contents().content_file(row).map(|file| file.bytes));
            pictures.extend(package.contents().texture_dds(row, &[]));
            for file in pictures {
                let options = ReplaceTexture::default();
                let kind = if file.starts_with(b"DDS ") { "dds" } else { "picture" };
                match package.edit(|edit| edit.replace_picture(row, &file, &options)) {
                    Ok(change) => {
                        assert_eq!(change, Default::default(), "{} {path} {kind}", entry.name());
                        *counts.entry(kind.to_owned()).or_default() += 1;
                    }
                    Err(why) => {
                        let reason = why.to_string().replace(&path, "…");
                        *refused.entry(format!("{kind}: {reason}")).or_default() += 1;
                    }
                }
            }
        }
        assert!(package.to_bytes().unwrap() == before, "{}", entry.name());
    }
    println!("{counts:?}; refused: {refused:#?}");
    assert!(counts.values().sum::<usize>() > 0);
}

/// Decodes the blocks of each file and compares the pixels with those beside it.
const COMPARE: &str = r#"
import pathlib, struct, sys
import texture2ddecoder as decoder
CODES = {b"DXT1": "bc1", b"DXT5": "bc3", b"ATI1": "bc4", b"BC4U": "bc4", b"ATI2": "bc5", b"BC5U": "bc5"}
NUMBERS = {71: "bc1", 72: "bc1", 77: "bc3", 78: "bc3", 80: "bc4", 83: "bc5", 98: "bc7", 99: "bc7"}
counts, worst, layers = {}, {}, 0
for path in sorted(pathlib.Path(sys.argv[1]).glob("*.dds")):
    data = path.read_bytes()
    flags, height, width, _, depth, mips = struct.unpack_from("<6I", data, 8)
    capabilities = struct.unpack_from("<I", data, 112)[0]
    code, start, is_volume = data[84:88], 128, capabilities & 0x200000
    kind, count = CODES.get(code), 6 if capabilities & 0x200 else 1
    if code == b"DX10":
        number, dimension, more, count = struct.unpack_from("<4I", data, 128)
        kind, start, is_volume = NUMBERS.get(number), 148, dimension == 4
        count *= 6 if more & 4 else 1
    if kind is None:
        continue
    # Faces and pictures of arrays come each with its smaller sizes, slices of a volume after each other.
    unit = 8 if kind in ("bc1", "bc4") else 16
    sides = [(max(1, width >> mip), max(1, height >> mip)) for mip in range(max(1, mips))]
    sizes = [((wide + 3) // 4) * ((high + 3) // 4) * unit for wide, high in sides]
    step, count = (sizes[0], depth) if is_volume else (sum(sizes), count)
    bgra = b""
    for place in range(start, start + step * count, step):
        bgra += getattr(decoder, "decode_" + kind)(data[place:place + sizes[0]], width, height)
    height *= count
    layers += count > 1
    ours = path.with_suffix(".rgba").read_bytes()
    assert len(bgra) == len(ours) == width * height * 4, path
    # A single channel is shown as gray, the third of a direction follows from the others; theirs has no transparent
    # texels in blocks of three colours.
    colors = ((2, 0), (1, 1), (0, 2))
    channels = {"bc1": colors, "bc4": colors[:1], "bc5": colors[:2]}.get(kind, ((2, 0), (1, 1), (0, 2), (3, 3)))
    for theirs, own in channels:
        for a, b in zip(bgra[theirs::4], ours[own::4]):
            if a != b:
                worst[kind] = max(worst.get(kind, 0), abs(a - b))
    counts[kind] = counts.get(kind, 0) + 1
print(counts, "largest differences", worst, layers, "of several pictures")
# Between the two colours of a block others round another way.
assert counts and layers and all(far <= 1 for far in worst.values()), worst
"#;

fn write(folder: &Path, number: &mut usize, package: &Package, row: usize) -> Option<Image> {
    let contents = package.contents();
    let dds = contents.texture_dds(row, &[]).ok()?;
    let shown = contents.texture_image(row).ok()?;
    if shown.to_rgba().len() > LARGEST {
        return None;
    }
    std::fs::write(folder.join(format!("{number}.dds")), dds).unwrap();
    std::fs::write(folder.join(format!("{number}.rgba")), shown.to_rgba().concat()).unwrap();
    *number += 1;
    Some(shown)
}

pub fn another_decoder_sees_the_same_pixels() {
    let folder = tempfile::tempdir().unwrap();
    let (mut number, mut encoded) = (0, 0);
    each(|name, mut package| {
        for row in 0..package.exports().len() {
            if package.contents().content_kind(row).unwrap() != Some(ContentKind::Texture) {
                continue;
            }
            let Some(shown) = write(folder.path(), &mut number, &package, row) else { continue };
            // The same picture the other way round is encoded here.
            let mut pixels = shown.to_rgba();
            pixels.reverse();
            let other = match shown.pixels() {
                Pixels::Rgba(_) => Image::from_rgba(shown.width(), shown.height(), pixels).unwrap(),
                _ => continue,
            };
            let options = ReplaceTexture::default();
            let done = package.edit(|edit| edit.replace_texture(row, &other, &options));
            if done.is_ok() {
                write(folder.path(), &mut number, &package, row)
                    .unwrap_or_else(|| panic!("{name}"));
                encoded += 1;
            }
        }
    });
    let run =
        Command::new(interpreter()).args(["-c", COMPARE]).arg(folder.path()).output().unwrap();
    println!("{number} pictures, {encoded} of them encoded here");
    println!("{}", String::from_utf8_lossy(&run.stdout));
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    assert!(encoded > 0);
}

/// A picture of half the size, each pixel the mean of four.
fn halved(image: &Image) -> Vec<[i32; 4]> {
    let (width, texels) = (image.width() as usize, image.to_rgba());
    let mut made = Vec::new();
    for y in (0..image.height() as usize - 1).step_by(2) {
        for x in (0..width - 1).step_by(2) {
            let four = [(x, y), (x + 1, y), (x, y + 1), (x + 1, y + 1)];
            let part = |channel: usize| -> i32 {
                four.iter().map(|(x, y)| i32::from(texels[y * width + x][channel])).sum()
            };
            made.push([0, 1, 2, 3].map(|channel| part(channel) / 4));
        }
    }
    made
}

/// The engine makes each size of the one above it: where texels of consoles were put in a wrong order, a size would be
/// another picture than half of the size above.
pub fn sizes_of_textures_of_consoles_are_halves_of_each_other() {
    let (mut near, mut far, mut reasons) = (0, Vec::new(), BTreeMap::<String, usize>::new());
    for (name, bytes) in files::of("classic") {
        let Ok(package) = Package::from_bytes(bytes) else { continue };
        if package.versions().byte_order != ByteOrder::Big {
            continue;
        }
        let contents = package.contents();
        for row in 0..package.exports().len() {
            if contents.content_kind(row).ok().flatten() != Some(ContentKind::Texture) {
                continue;
            }
            let Ok(sizes) = contents.texture_sizes(row) else { continue };
            for (level, pair) in sizes.windows(2).enumerate() {
                // Small ones, and those that are no halves, say little.
                if pair[1].0 < 8 || pair[1].1 < 8 || (pair[0].0 / 2, pair[0].1 / 2) != pair[1] {
                    continue;
                }
                let both = [level, level + 1].map(|size| contents.texture_size_image(row, size));
                let [Ok(upper), Ok(lower)] = both else {
                    let why = both.into_iter().find_map(Result::err).unwrap().to_string();
                    let why = why.rsplit(": ").next().unwrap().to_owned();
                    *reasons.entry(why).or_default() += 1;
                    continue;
                };
                let made = halved(&upper);
                let lower = lower.to_rgba();
                let apart = made.iter().zip(&lower).map(|(one, other)| {
                    one.iter()
                        .zip(other)
                        .map(|(one, other)| (one - i32::from(*other)).abs())
                        .sum::<i32>()
                });
                let mean = f64::from(apart.sum::<i32>()) / (lower.len() * 4) as f64;
                match mean < 8.0 {
                    true => near += 1,
                    false => far.push(format!("{name} #{row} {level} {pair:?}: {mean:.1}")),
                }
            }
        }
    }
    println!("{near} sizes are halves, {} are not: {far:#?}; not read: {reasons:#?}", far.len());
    assert!(near >= 20 && far.len() * 10 <= near);
}
