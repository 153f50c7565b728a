//! How near pictures in blocks are to what went in, beside two other encoders: Intel's and `texpresso`'s, each at its best.

use std::path::{Path, PathBuf};

use texpresso::{Algorithm, Params};
use unreal_packages::content::{ContentKind, Image, PackageContents, ReplaceTexture, TextureEdits};
use unreal_packages::edit::PackageEdit;
use unreal_packages::generate::Builder;
use unreal_packages::object::ue4::asset::platform_data::{CookedPlatform, Mip, PlatformData};
use unreal_packages::object::ue4::asset::texture::ImageTexture;
use unreal_packages::object::ue4::bulk::BulkData;
use unreal_packages::package::Package;
use unreal_packages::property::PropertyList;
use unreal_packages::{Archived, EngineRelease, Name, Saver, Span};

/// How many decibels ours may be behind the nearer one of the others, over all pictures.
const BEHIND: f64 = 0.5;
const PICTURES: usize = 30;

/// Blocks of a picture: width, height, texels.
type Encoder = fn(u32, u32, &[u8]) -> Vec<u8>;

/// What the class calls a format, bytes of a block, and the others.
const FORMATS: [(&str, usize, &[(&str, Encoder)]); 3] = [
    (
        "PF_DXT1",
        8,
        &[
            ("texpresso", |w, h, texels| squeezed(texpresso::Format::Bc1, w, h, texels)),
            ("Intel's", |width, height, data| {
                let surface = intel_tex_2::RgbaSurface { data, width, height, stride: width * 4 };
                intel_tex_2::bc1::compress_blocks(&surface)
            }),
        ],
    ),
    (
        "PF_DXT5",
        16,
        &[
            ("texpresso", |w, h, texels| squeezed(texpresso::Format::Bc3, w, h, texels)),
            ("Intel's", |width, height, data| {
                let surface = intel_tex_2::RgbaSurface { data, width, height, stride: width * 4 };
                intel_tex_2::bc3::compress_blocks(&surface)
            }),
        ],
    ),
    (
        "PF_BC7",
        16,
        &[("Intel's", |width, height, data| {
            let surface = intel_tex_2::RgbaSurface { data, width, height, stride: width * 4 };
            let is_opaque = data.chunks_exact(4).all(|texel| texel[3] == 255);
            let settings = match is_opaque {
                true => intel_tex_2::bc7::opaque_slow_settings(),
                false => intel_tex_2::bc7::alpha_slow_settings(),
            };
            intel_tex_2::bc7::compress_blocks(&settings, &surface)
        })],
    ),
];

fn squeezed(format: texpresso::Format, width: u32, height: u32, texels: &[u8]) -> Vec<u8> {
    let (width, height) = (width as usize, height as usize);
    let mut blocks = vec![0; format.compressed_size(width, height)];
    // All colours count alike, as they do below.
    let params = Params {
        algorithm: Algorithm::IterativeClusterFit,
        weights: [1.0; 3],
        ..Params::default()
    };
    format.compress(texels, width, height, params, &mut blocks);
    blocks
}

/// A cooked texture of one size in this format.
fn cooked((width, height): (u32, u32), format: &str, blocks: Vec<u8>) -> Package {
    let release = EngineRelease::new(4, 27);
    let bulk = BulkData {
        flags: 0x48,
        element_count: blocks.len() as i64,
        size_on_disk: blocks.len() as i64,
        payload: Span::owned(blocks),
        ..BulkData::default()
    };
    let (size_x, size_y) = (width as i32, height as i32);
    let mips = vec![Mip { bulk, size_x, size_y, size_z: 1, ..Mip::default() }];
    let data =
        PlatformData { size_x, size_y, format: format.into(), mips, ..PlatformData::default() };
    let platform = CookedPlatform { format: Name::new(1), data, ..CookedPlatform::default() };
    let mut texture = ImageTexture { cooked: true, ..ImageTexture::default() };
    texture.platforms.platforms = vec![platform];
    let empty = Builder::for_release(release).name("Platform").build().unwrap();
    let empty = Package::from_bytes(empty).unwrap();
    let mut saver = Saver::new(empty.versions().clone());
    PropertyList::default().serialize(&mut saver).unwrap();
    0_u32.serialize(&mut saver).unwrap();
    texture.serialize(&mut saver).unwrap();
    let builder = Builder::for_release(release).name("Platform");
    let builder = builder.export("Thing", "/Script/Engine.Texture2D", saver.into_bytes());
    Package::from_bytes(builder.build().unwrap()).unwrap()
}

/// Every file in a folder of the corpora that may hold textures without blocks.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<_> = entries.filter(|path| path.is_file()).collect();
    files.sort();
    files
}

/// Pictures of real textures that are stored texel by texel, no two of one package.
fn pictures(corpus: &Path) -> Vec<Image> {
    let mut found = Vec::new();
    for path in ["classic", "wild/classic", "conform"].iter().flat_map(|it| files(&corpus.join(it)))
    {
        let Ok(package) = Package::open(&path) else { continue };
        let contents = package.contents();
        let picture = (0..package.exports().len()).find_map(|row| {
            let is_texture = contents.content_kind(row).ok()? == Some(ContentKind::Texture);
            let facts = contents.texture_facts(row).ok().filter(|_| is_texture)?;
            let is_plain = facts.format.block_size().is_none();
            let sides = [facts.width, facts.height];
            let fits = sides.iter().all(|side| (64..=512).contains(side) && side % 4 == 0);
            let image = (is_plain && fits).then(|| contents.texture_image(row).ok())??;
            let texels = image.to_rgba();
            // One colour tells nothing.
            let is_flat = texels.iter().all(|texel| *texel == texels[0]);
            (!is_flat).then_some(image)
        });
        found.extend(picture);
        if found.len() == PICTURES {
            break;
        }
    }
    found
}

/// Decibels between what went in and what came out, over all that the format has.
fn decibels(format: &str, before: &Image, after: &Image) -> f64 {
    let channels = if format == "PF_DXT1" { 3 } else { 4 };
    let (before, after) = (before.to_rgba(), after.to_rgba());
    assert_eq!(before.len(), after.len());
    let away = |(a, b): (&[u8; 4], &[u8; 4])| {
        (0..channels).map(|at| f64::from(a[at].abs_diff(b[at])).powi(2)).sum::<f64>()
    };
    let sum: f64 = before.iter().zip(&after).map(away).sum();
    let mean = sum / (before.len() * channels) as f64;
    // What is the same everywhere would count for ever.
    10.0 * (255.0 * 255.0 / mean.max(0.01)).log10()
}

#[test]
#[ignore = "needs the corpora: UPK_CORPUS"]
fn blocks_are_as_near_as_those_of_others() {
    let corpus = PathBuf::from(std::env::var_os("UPK_CORPUS").expect("UPK_CORPUS"));
    let pictures = pictures(&corpus);
    assert_eq!(pictures.len(), PICTURES);
    for (format, block, others) in FORMATS {
        let mut ours = 0.0;
        let mut theirs = vec![0.0; others.len()];
        for picture in &pictures {
            let (width, height) = (picture.width(), picture.height());
            let opaque = picture
                .to_rgba()
                .into_iter()
                .map(|[r, g, b, a]| [r, g, b, if format == "PF_DXT1" { 255 } else { a }]);
            let picture = Image::from_rgba(width, height, opaque.collect()).unwrap();
            let texels = picture.to_rgba().concat();
            let size = width.div_ceil(4) as usize * height.div_ceil(4) as usize * block;
            let mut package = cooked((width, height), format, vec![0; size]);
            let file = picture.to_png().unwrap();
            let options = ReplaceTexture::default();
            package.edit(|edit| edit.replace_picture(0, &file, &options)).unwrap();
            let shown = |package: &Package| package.contents().texture_image(0).unwrap();
            ours += decibels(format, &picture, &shown(&package));
            for ((_, encode), sum) in others.iter().zip(&mut theirs) {
                let package = cooked((width, height), format, encode(width, height, &texels));
                *sum += decibels(format, &picture, &shown(&package));
            }
        }
        let mean = |sum: f64| sum / PICTURES as f64;
        let best = theirs.iter().copied().fold(0.0, f64::max);
        print!("{format}: {:.2} dB", mean(ours));
        for ((name, _), sum) in others.iter().zip(&theirs) {
            print!(", {name} {:.2}", mean(*sum));
        }
        println!();
        assert!(mean(ours) > mean(best) - BEHIND, "{format}: {} {}", mean(ours), mean(best));
    }
}
