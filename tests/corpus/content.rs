//! Content of every package of UE4 and UE5 of the corpus as files: textures, sounds, fonts, tables and
//! thumbnails come out and can be read by others, or say why not.

use std::collections::BTreeMap;
use std::io::Cursor;

use unreal_packages::content::{ContentKind, PackageContents, TableFormat};
use unreal_packages::inspect::PackageValues;
use unreal_packages::package::Package;

use crate::folders::corpus;
use crate::manifest;

/// Every package of the manifest that can be opened, with its mappings.
fn each(mut check: impl FnMut(&str, &Package)) {
    for entry in manifest::packages() {
        let options = entry.options_with_readable_mappings();
        let package = options.open(&entry.path).unwrap();
        check(entry.name(), &package);
    }
}

/// The file can be read by others.
fn is_readable(kind: ContentKind, extension: &str, bytes: &[u8]) -> Result<(), String> {
    match (kind, extension) {
        (_, "png") => {
            let mut reader =
                png::Decoder::new(Cursor::new(bytes)).read_info().map_err(|why| why.to_string())?;
            let mut pixels = vec![0; reader.output_buffer_size().ok_or("too large")?];
            reader.next_frame(&mut pixels).map(drop).map_err(|why| why.to_string())
        }
        (_, "hdr") => {
            let decoder = image::codecs::hdr::HdrDecoder::new(Cursor::new(bytes));
            decoder.map(drop).map_err(|why| why.to_string())
        }
        (_, "jpg") => match bytes {
            [0xff, 0xd8, .., 0xff, 0xd9] => Ok(()),
            _ => Err("no JPEG".to_owned()),
        },
        (ContentKind::Sound, "wav") => {
            hound::WavReader::new(Cursor::new(bytes)).map(drop).map_err(|why| why.to_string())
        }
        (ContentKind::Sound, "ogg") if bytes.starts_with(b"OggS") => Ok(()),
        (ContentKind::Sound, "binka")
            if bytes.get(1..4) == Some(b"FCB") || bytes.starts_with(b"UEBA") =>
        {
            Ok(())
        }
        (ContentKind::Font, "ttf" | "otf") => match bytes {
            [0, 1, 0, 0, ..] | [b'O', b'T', b'T', b'O', ..] => Ok(()),
            _ => Err("no font".to_owned()),
        },
        (ContentKind::Table, "json") => serde_json::from_slice::<serde_json::Value>(bytes)
            .map(drop)
            .map_err(|why| why.to_string()),
        // Khronos' validator judges what is in it (`meshes`).
        (ContentKind::Mesh | ContentKind::Animation, "glb") => match bytes {
            [b'g', b'l', b'T', b'F', 2, 0, 0, 0, length @ ..]
                if length.starts_with(&(bytes.len() as u32).to_le_bytes()) =>
            {
                Ok(())
            }
            _ => Err("no binary glTF".to_owned()),
        },
        _ => Err(format!(
            "a {kind} with the extension {extension}: {:02x?}",
            &bytes[..bytes.len().min(8)]
        )),
    }
}

pub fn content_of_ue4_packages_comes_out_or_says_why_not() {
    let mut counts: BTreeMap<(String, String), usize> = BTreeMap::new();
    let (mut faults, mut refused, mut shapes) = (Vec::new(), Vec::new(), 0);
    each(|name, package| {
        for row in 0..package.exports().len() {
            let Some(kind) = package.contents().content_kind(row).unwrap() else { continue };
            let path = package.exports().path(row);
            match package.contents().content_file(row) {
                Ok(file) => {
                    *counts.entry((kind.to_string(), file.extension.clone())).or_default() += 1;
                    if let Err(why) = is_readable(kind, &file.extension, &file.bytes) {
                        faults.push(format!("{name} {path}: {why}"));
                    }
                }
                // `meshes` and `animations` count them by class and reason: the skeleton of an animation stands in
                // another file.
                Err(_) if matches!(kind, ContentKind::Mesh | ContentKind::Animation) => shapes += 1,
                Err(why) => refused.push(format!("{name}: {why}")),
            }
            if kind == ContentKind::Table {
                let table = package.contents().table(row).unwrap();
                let csv = table.file(TableFormat::Csv).unwrap();
                let mut reader = csv::Reader::from_reader(&csv[..]);
                assert_eq!(reader.headers().unwrap().len(), table.columns().len() + 1, "{name}");
                assert_eq!(reader.records().flatten().count(), table.rows().len(), "{name}");
            }
        }
        for row in 0..package.tables().thumbnails.len() {
            match package.contents().thumbnail_file(row) {
                Ok(Some(file)) => {
                    *counts.entry((file.kind.to_string(), file.extension.clone())).or_default() +=
                        1;
                    if let Err(why) = is_readable(file.kind, &file.extension, &file.bytes) {
                        faults.push(format!("{name} thumbnail {row}: {why}"));
                    }
                }
                Ok(None) => {}
                Err(why) => refused.push(format!("{name}: {why}")),
            }
        }
    });
    for ((kind, extension), count) in &counts {
        println!("{count:5} {kind} {extension}");
    }
    println!(
        "{} refused:\n{}\nand {shapes} meshes and animations",
        refused.len(),
        refused.join("\n")
    );
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
    let total: usize = counts.values().sum();
    assert!(total > 0);
    assert!(refused.len() * 20 <= total, "{} of {total} refused", refused.len());
}

/// Most that cells of a source and of its thumbnail are apart on average, of 255: thumbnails are scaled and packed
/// with losses. Another picture, or one that stands on its head, is further away.
const NEAR: f64 = 8.0;
/// Cells along each side of a picture that is compared with its thumbnail.
const CELLS: u32 = 16;

/// The average red, green and blue of each cell of a picture.
fn cells(width: u32, height: u32, texels: &[[u8; 4]]) -> Vec<[f64; 3]> {
    let mut sums = vec![([0.0; 3], 0.0_f64); (CELLS * CELLS) as usize];
    for (texel, at) in texels.iter().zip(0_u32..) {
        let (x, y) = (at % width, at / width);
        let (sum, count) = &mut sums[(y * CELLS / height * CELLS + x * CELLS / width) as usize];
        for (sum, part) in sum.iter_mut().zip(texel) {
            *sum += f64::from(*part);
        }
        *count += 1.0;
    }
    sums.into_iter().map(|(sum, count)| sum.map(|part: f64| part / count.max(1.0))).collect()
}

/// How far two pictures are apart: the average over cells and colours.
fn distance<'a>(one: impl Iterator<Item = &'a [f64; 3]>, other: &[[f64; 3]]) -> f64 {
    let apart = |(one, other): (&[f64; 3], &[f64; 3])| -> f64 {
        one.iter().zip(other).map(|(one, other)| (one - other).abs()).sum()
    };
    one.zip(other).map(apart).sum::<f64>() / (3 * other.len()) as f64
}

/// The cells of the thumbnail of an object, whose colours are the object's: gold, skies and normal maps of many projects
/// tell red from blue.
fn thumbnail_cells(package: &Package, row: usize) -> Option<Vec<[f64; 3]>> {
    let thumbnail = package.contents().thumbnail_of(row)?;
    let file = package.contents().thumbnail_file(thumbnail).unwrap()?;
    let image = unreal_packages::content::Image::read(&file.bytes).unwrap();
    Some(cells(image.width(), image.height(), &image.to_rgba()))
}

/// The filter that sources have from 5.5 on is taken away: the texels have the hash that stands beside them, and are
/// what the thumbnail shows. Every source with one of the two is compared, every other one comes out.
pub fn filtered_sources_have_the_hash_that_they_say() {
    let (mut hashes, mut thumbnails, mut telling, mut alone) = (0, 0, 0, 0);
    let (mut unopened, mut unread) = (Vec::new(), BTreeMap::<String, usize>::new());
    for folder in ["modern", "wild/modern"] {
        let Ok(entries) = std::fs::read_dir(corpus().join(folder)) else { continue };
        let mut files: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
        files.sort();
        for file in files {
            let word = b"TSCF_UEDELTA";
            let is_wanted = file.extension().is_some_and(|it| it == "uasset" || it == "umap")
                && std::fs::read(&file).is_ok_and(|it| it.windows(word.len()).any(|at| at == word));
            if !is_wanted {
                continue;
            }
            let Ok(package) = Package::open(&file) else {
                unopened.push(file);
                continue;
            };
            for row in 0..package.exports().len() {
                let path = package.exports().path(row);
                let Ok(values) = package.values().properties(&path) else {
                    let class = package.exports().get(row).map(|export| export.class());
                    *unread.entry(class.unwrap_or_default()).or_default() += 1;
                    continue;
                };
                let source = values.iter().find(|value| value.path == "Source");
                let Some(text) = source.map(|value| value.text.as_str()) else { continue };
                let says = |word: &str| text.contains(word);
                if !says("TSCF_UEDELTA") {
                    continue;
                }
                let image = package.contents().texture_image(row);
                let image =
                    image.unwrap_or_else(|error| panic!("{}: {path}: {error}", file.display()));
                let texels = image.to_rgba();
                let thumbnail = thumbnail_cells(&package, row);
                if let Some(thumbnail) = &thumbnail {
                    let own = cells(image.width(), image.height(), &texels);
                    let apart = distance(own.iter(), thumbnail);
                    assert!(apart <= NEAR, "{}: {path}: {apart}", file.display());
                    thumbnails += 1;
                    telling += usize::from(distance(own.iter().rev(), thumbnail) > NEAR);
                }
                if !(says("bGuidIsHash=True") && says("NumMips=1,")) {
                    alone += usize::from(thumbnail.is_none());
                    continue;
                }
                let id = text.split_once("Id=").and_then(|(_, rest)| rest.get(..32)).unwrap();
                let bytes: Vec<u8> = match says("TSF_G8") {
                    true => texels.iter().map(|texel| texel[0]).collect(),
                    false => texels.into_iter().flat_map(|[r, g, b, a]| [b, g, r, a]).collect(),
                };
                let hash = blake3::hash(&bytes);
                let words = hash.as_bytes()[..16].chunks_exact(4);
                let found: String = words
                    .map(|word| format!("{:08X}", u32::from_le_bytes(word.try_into().unwrap())))
                    .collect();
                assert_eq!(found, id, "{}: {path}", file.display());
                hashes += 1;
            }
        }
    }
    println!(
        "{hashes} sources have the hash that they say, {thumbnails} look like their thumbnail"
    );
    println!("{alone} have neither; not opened: {unopened:?}; without properties: {unread:?}");
    assert!(unopened.is_empty(), "{unopened:?}");
    // Textures all have properties that can be read. What mends the edges of landscapes' height maps is none of them.
    const TEXTURES: [&str; 5] =
        ["Texture2D", "TextureCube", "Texture2DArray", "TextureCubeArray", "VolumeTexture"];
    let is_texture = |class: &String| TEXTURES.iter().any(|name| class.ends_with(name));
    assert!(!unread.keys().any(is_texture), "{unread:?}");
    assert!(hashes > 1 && thumbnails > 1 && telling > 0, "{hashes} {thumbnails} {telling}");
}

/// Textures of 5.8 and 6.0 in containers: flat ones, arrays, cubes, volumes and virtual ones.
#[cfg(feature = "container")]
pub fn textures_in_containers_come_out() {
    let (mut found, mut refused) = (BTreeMap::new(), Vec::new());
    crate::containers::fixtures(|file| file.contains("/Textures/"), &mut |name, package| {
        for row in 0..package.exports().len() {
            let kind = package.contents().content_kind(row).unwrap();
            if kind != Some(ContentKind::Texture) {
                continue;
            }
            let class =
                package.exports().get(row).map_or_else(String::new, |export| export.class());
            match package.contents().content_file(row) {
                Ok(file) => {
                    is_readable(ContentKind::Texture, &file.extension, &file.bytes).unwrap();
                    *found.entry(class).or_insert(0) += 1;
                }
                Err(why) => refused.push(format!("{name}: {class}: {why}")),
            }
        }
    });
    println!("{found:#?}\n{refused:#?}");
    let count: i32 = found.values().sum();
    assert!(count > 0 && refused.len() * 20 <= count as usize, "{refused:#?}");
}
