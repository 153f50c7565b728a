//! Sources of textures and sounds of the corpus take others, and their own again; what else is in the package stays.

use std::collections::BTreeMap;
use std::io::Cursor;

use unreal_packages::compression::CompressedBuffer;
use unreal_packages::content::{
    ContentEdits, ContentKind, Image, PackageContents, Pixels, ReplaceTexture, TextureEdits,
    source_delta,
};
use unreal_packages::edit::PackageEdit;
use unreal_packages::inspect::{PackageValues, editor_payload};
use unreal_packages::object::Body;
use unreal_packages::object::ue4::asset::texture::{ImageTexture, LayeredTexture, Texture};
use unreal_packages::package::{OpenOptions, Package, SaveOptions, native_as};
use unreal_packages::{Archived, Loader};

use crate::folders::corpus;
use crate::manifest;
use crate::ue4_reader::Reader;

/// A picture or sound of an object; where it can't come out, why.
type Content = Option<Result<Vec<u8>, String>>;

/// That of an object, if it is one of the two.
fn content(package: &Package, row: usize) -> Content {
    let kind = package.contents().content_kind(row).unwrap()?;
    let is_wanted = matches!(kind, ContentKind::Texture | ContentKind::Sound);
    is_wanted.then(|| {
        let file = package.contents().content_file(row);
        file.map(|file| file.bytes).map_err(|error| error.to_string())
    })
}

/// Pictures and sounds of all objects.
fn contents(package: &Package) -> Vec<Content> {
    (0..package.exports().len()).map(|row| content(package, row)).collect()
}

/// A texture that is not cooked.
fn texture_of(body: &Body) -> Option<&Texture> {
    let flat = native_as::<ImageTexture>(body).filter(|it| !it.cooked).map(|it| &it.base);
    flat.or_else(|| native_as::<LayeredTexture>(body).filter(|it| !it.cooked).map(|it| &it.base))
}

/// Where the source of a texture that is not cooked stands.
fn source_place(package: &Package, row: usize) -> Option<&'static str> {
    let decoded = package.decode(row).unwrap();
    let texture = texture_of(&decoded.body)?;
    if texture.editor_source.payload_size > 0 {
        let is_in_trailer = texture.editor_source.flags & 0x200 != 0;
        return Some(if is_in_trailer { "trailer" } else { "behind, a buffer" });
    }
    match texture.source.flags & 0x3 {
        _ if texture.source.size_on_disk <= 0 => None,
        0 | 2 => Some("body"),
        1 => Some("behind"),
        _ => Some("behind, zlib"),
    }
}

/// The same picture with another last pixel.
fn with_another_pixel(image: &Image) -> Image {
    let mut texels = image.to_rgba();
    let is_gray = !matches!(image.pixels(), Pixels::Rgba(_));
    if let Some(last) = texels.last_mut() {
        let [r, g, b, a] = *last;
        *last = if is_gray { [!r, !r, !r, 255] } else { [!r, g, b, a] };
    }
    Image::from_rgba(image.width(), image.height(), texels).unwrap()
}

/// The same picture, each pixel four times.
fn twice(image: &Image) -> Image {
    let (width, texels) = (image.width() as usize, image.to_rgba());
    let wide: Vec<_> = texels
        .chunks_exact(width)
        .flat_map(|line| {
            let line: Vec<_> = line.iter().flat_map(|texel| [*texel; 2]).collect();
            [line.clone(), line].concat()
        })
        .collect();
    Image::from_rgba(image.width() * 2, image.height() * 2, wide).unwrap()
}

/// Every package of the manifest and of the projects of others that can be opened: its name, how it is opened.
fn each(mut check: impl FnMut(&str, &OpenOptions, Package)) {
    for entry in manifest::packages() {
        let options = entry.options_with_readable_mappings();
        if let Ok(package) = options.open(&entry.path) {
            check(entry.name(), &options, package);
        }
    }
    let folders = ["wild/modern", "modern-ue6"].map(|name| std::fs::read_dir(corpus().join(name)));
    let entries = folders.into_iter().flatten().flatten();
    let mut files: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
    files.sort();
    for file in files {
        let is_package = file.extension().is_some_and(|it| it == "uasset" || it == "umap");
        let options = OpenOptions::new();
        if is_package && let Ok(package) = options.open(&file) {
            check(&file.file_name().unwrap().to_string_lossy(), &options, package);
        }
    }
}

/// Puts a picture in; the package as it is saved.
fn put(options: &OpenOptions, package: &mut Package, row: usize, file: &[u8]) -> Package {
    let path = package.exports().path(row);
    package
        .edit(|edit| edit.replace_picture(row, file, &ReplaceTexture::default()))
        .unwrap_or_else(|error| panic!("{path}: {error}"));
    options.open_bytes(package.to_bytes().unwrap()).unwrap()
}

/// Each size of a source is filtered by itself: without the filter all sizes have the hash that stands beside them.
pub fn every_size_of_filtered_sources_has_the_filter() {
    let mut counts: BTreeMap<(bool, bool), usize> = BTreeMap::new();
    each(|file, _, package| {
        for row in 0..package.exports().len() {
            if source_place(&package, row) != Some("trailer") {
                continue;
            }
            let path = package.exports().path(row);
            let text = package.values().property(&path, "Source").unwrap().text;
            if !text.contains("bGuidIsHash=True") {
                continue;
            }
            let is_filtered = text.contains("TSCF_UEDELTA");
            let number = |name: &str| -> usize {
                let (_, rest) = text.split_once(&format!("{name}=")).unwrap();
                rest.split([',', ')']).next().unwrap().parse().unwrap()
            };
            let decoded = package.decode(row).unwrap();
            let texture = texture_of(&decoded.body).unwrap();
            let (mut texels, _) = editor_payload(&package, &texture.editor_source).unwrap();
            let (mips, texel) = (number("NumMips"), if text.contains("TSF_G8") { 1 } else { 4 });
            let mut rest = &mut texels[..];
            for level in 0..if is_filtered { mips } else { 0 } {
                let side = |name| (number(name) >> level).max(1);
                let (width, height) = (side("SizeX"), side("SizeY"));
                let size = width * height * texel;
                let (slice, behind) = rest.split_at_mut(size);
                source_delta::decode(slice, width as u32, height as u32, texel).unwrap();
                rest = behind;
            }
            assert!(!is_filtered || rest.is_empty(), "{file} {path}: {}", rest.len());
            let hash = blake3::hash(&texels);
            let words = hash.as_bytes()[..16].chunks_exact(4);
            let found: String = words
                .map(|word| format!("{:08X}", u32::from_le_bytes(word.try_into().unwrap())))
                .collect();
            assert!(text.contains(&format!("Id={found}")), "{file} {path}: {text} {found}");
            *counts.entry((is_filtered, mips > 1)).or_default() += 1;
        }
    });
    println!("filtered, with several sizes: {counts:?}");
    assert!(counts.get(&(true, true)).is_some_and(|count| *count > 1), "{counts:?}");
}

/// The facts about a source but for its name: its sides, and what the editor has computed of its colours.
fn facts(package: &Package, row: usize) -> String {
    let path = package.exports().path(row);
    let text = package.values().property(&path, "Source").unwrap().text;
    let (before, id) = text.split_once("Id=").unwrap();
    format!("{before}{}", id.get(32..).unwrap())
}

/// How many bytes of two packages of the same length differ.
fn differing(one: &Package, other: &Package) -> usize {
    one.source().iter().zip(other.source()).filter(|(one, other)| one != other).count()
}

/// Puts other pictures into a texture that is not cooked, then its own again.
fn exchange(
    (name, options): (&str, &OpenOptions),
    (opened, before): (&Package, &[Content]),
    (row, place): (usize, &str),
    reader: &mut Reader,
) {
    let image = opened.contents().texture_image(row).unwrap();
    let facts = facts(opened, row);
    let mut is_plain = false;
    for other in [with_another_pixel(&image), twice(&image)] {
        let mut again = put(options, &mut opened.clone(), row, &other.to_png().unwrap());
        let shown = again.contents().texture_image(row).unwrap();
        assert!(shown.to_rgba() == other.to_rgba(), "{name}");
        let faults = reader.compare(opened, &again);
        assert!(faults.is_empty(), "{name}: {faults:?}");
        let mut after = contents(&again);
        assert!(after[row] != before[row], "{name}");
        after[row].clone_from(&before[row]);
        assert!(after == before, "{name}");
        if place == "behind" && again.source().len() == opened.source().len() {
            // A texel, the name of the source.
            assert!((1..=4 + 16).contains(&differing(opened, &again)), "{name}");
            is_plain = true;
        }
        let back = put(options, &mut again, row, &image.to_png().unwrap());
        let shown = back.contents().texture_image(row).unwrap();
        assert!(shown.to_rgba() == image.to_rgba(), "{name}");
        assert_eq!(self::facts(&back, row), facts, "{name}");
        if is_plain {
            assert_eq!(back.source().len(), opened.source().len(), "{name}");
            assert!(differing(opened, &back) <= 16, "{name}");
        }
    }
}

pub fn sources_of_textures_take_other_pictures() {
    let mut reader = Reader::start();
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    let mut colored = 0;
    each(|file, options, opened| {
        let rows: Vec<_> = (0..opened.exports().len())
            .filter_map(|row| Some((row, source_place(&opened, row)?)))
            .collect();
        if rows.is_empty() {
            return;
        }
        let before = contents(&opened);
        for (row, place) in rows {
            let Some(Some(Ok(own))) = before.get(row) else {
                *counts.entry("does not come out".to_owned()).or_default() += 1;
                continue;
            };
            let name = format!("{file} {}", opened.exports().path(row));
            let again = put(options, &mut opened.clone(), row, own);
            assert!(again.source() == opened.source(), "{name}");
            if opened.contents().texture_image(row).is_err() {
                *counts.entry(format!("{place}, its own file alone")).or_default() += 1;
                continue;
            }
            colored += usize::from(facts(&opened, row).contains("ColorMin="));
            exchange((&name, options), (&opened, &before), (row, place), &mut reader);
            *counts.entry(place.to_owned()).or_default() += 1;
        }
    });
    println!("{counts:#?}, colours of {colored}");
    assert!(colored > 1);
    assert!(counts.get("behind").is_some_and(|count| *count > 1), "{counts:?}");
    assert!(counts.get("trailer").is_some_and(|count| *count > 1), "{counts:?}");
}

/// The editor has made the thumbnails that are there: those that are made of the same picture, but for a pixel, have their
/// size, and their colours where the editor shows these (not numbers, nor what lies behind what is transparent).
pub fn thumbnails_are_made_anew_as_the_editor_makes_them() {
    const NEAR: u64 = 8;
    let (mut made, mut near, mut other_size) = (0, 0, Vec::new());
    each(|file, _, opened| {
        for row in 0..opened.exports().len() {
            let contents = opened.contents();
            let Some(at) = contents.thumbnail_of(row) else { continue };
            let (Ok(Some(old)), Ok(image)) =
                (contents.thumbnail_file(at), contents.texture_image(row))
            else {
                continue;
            };
            let mut changed = opened.clone();
            let png = with_another_pixel(&image).to_png().unwrap();
            let options = ReplaceTexture::default();
            let done = changed.edit(|edit| edit.replace_picture(row, &png, &options));
            let Ok(done) = done else { continue };
            assert!(done.thumbnail, "{file}");
            let new = changed.contents().thumbnail_file(at).unwrap().unwrap();
            let [old, new] = [old, new].map(|file| Image::read(&file.bytes).unwrap());
            made += 1;
            if (old.width(), old.height()) != (new.width(), new.height()) {
                other_size.push(format!("{file}: {}, {}", old.width(), new.width()));
                continue;
            }
            let pairs = old.to_rgba().into_iter().zip(new.to_rgba());
            let away =
                pairs.map(|(a, b)| (0..3).map(|at| u64::from(a[at].abs_diff(b[at]))).sum::<u64>());
            let mean = away.sum::<u64>() / u64::from(new.width() * new.height() * 3);
            near += usize::from(mean <= NEAR);
        }
    });
    println!("{made} made, {near} near, others {other_size:#?}");
    assert!(made > 30 && near * 2 > made && other_size.len() * 20 < made);
}

/// Cooked textures with more and with fewer sizes: what says where each of them stands follows, in the header as well.
pub fn cooked_textures_take_pictures_of_another_size() {
    const LARGEST: u32 = 512;
    let folder = tempfile::tempdir().unwrap();
    let mut met = 0;
    let mut reader = Reader::start();
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    each(|file, options, opened| {
        for row in 0..opened.exports().len() {
            let is_texture =
                opened.contents().content_kind(row).unwrap() == Some(ContentKind::Texture);
            if !is_texture || texture_of(&opened.decode(row).unwrap().body).is_some() {
                continue;
            }
            let Ok(image) = opened.contents().texture_image(row) else { continue };
            if image.width().max(image.height()) > LARGEST {
                continue;
            }
            let name = format!("{file} {}", opened.exports().path(row));
            let has_table = opened.tables().further.data_resources.is_some();
            let first = Image::from_rgba(4, 4, vec![[200, 40, 90, 255]; 16]).unwrap();
            for other in [with_another_pixel(&image), twice(&image), first] {
                let mut changed = opened.clone();
                let options_of = ReplaceTexture::default();
                let png = other.to_png().unwrap();
                let done = changed.edit(|edit| edit.replace_picture(row, &png, &options_of));
                if let Err(error) = done {
                    let why = error.to_string().replace(&opened.exports().path(row), "…");
                    let why = why.split(" is ").last().unwrap_or_default();
                    *counts.entry(format!("refused: {why}")).or_default() += 1;
                    continue;
                }
                let path = folder.path().join(format!("{met}.uasset"));
                met += 1;
                let saved = changed.save(&SaveOptions::new()).unwrap();
                saved.replacement(&path).overwrite(true).commit().unwrap();
                let again = options.open(&path).unwrap();
                let decoded = again.decode(row).unwrap();
                assert!(decoded.error.is_none(), "{name}: {:?}", decoded.error);
                let shown = again.contents().texture_image(row);
                let shown = shown.unwrap_or_else(|error| panic!("{name}: {error}"));
                let sizes = [&shown, &other].map(|it| (it.width(), it.height()));
                assert_eq!(sizes[0], sizes[1], "{name}");
                let faults = reader.compare(&opened, &again);
                assert!(faults.is_empty(), "{name}: {faults:?}");
                let kind = if has_table { "by the table of data resources" } else { "by the body" };
                *counts.entry(kind.to_owned()).or_default() += 1;
            }
        }
    });
    println!("{counts:#?}");
    assert!(counts.get("by the table of data resources").is_some_and(|count| *count > 3));
    assert!(counts.get("by the body").is_some_and(|count| *count > 3));
}

/// The first half of a WAV file's samples.
fn half(file: &[u8]) -> Vec<u8> {
    let mut reader = hound::WavReader::new(Cursor::new(file)).unwrap();
    let count = reader.duration() / 2 * u32::from(reader.spec().channels);
    let samples: Vec<i32> =
        reader.samples::<i32>().take(count as usize).map(|sample| sample.unwrap()).collect();
    let mut file = Cursor::new(Vec::new());
    let mut writer = hound::WavWriter::new(&mut file, reader.spec()).unwrap();
    samples.into_iter().for_each(|sample| writer.write_sample(sample).unwrap());
    writer.finalize().unwrap();
    file.into_inner()
}

pub fn sounds_of_ue4_and_ue5_take_others_and_their_own_again() {
    let mut reader = Reader::start();
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    each(|package_file, options, opened| {
        for row in 0..opened.exports().len() {
            if opened.contents().content_kind(row).unwrap() != Some(ContentKind::Sound) {
                continue;
            }
            let Ok(file) = opened.contents().content_file(row) else {
                *counts.entry("does not come out".to_owned()).or_default() += 1;
                continue;
            };
            let name = format!("{} {}", package_file, opened.exports().path(row));
            let mut package = opened.clone();
            let put = |package: &mut Package, file: &[u8]| {
                package.edit(|edit| edit.replace_content(row, file, &ReplaceTexture::default()))
            };
            assert!(!put(&mut package, &file.bytes).unwrap(), "{name}");
            assert!(package.to_bytes().unwrap() == opened.source(), "{name}");
            let other = match file.extension.as_str() {
                "wav" => half(&file.bytes),
                _ => [&file.bytes[..], b"more"].concat(),
            };
            match put(&mut package, &other) {
                Ok(changed) => {
                    assert!(changed, "{name}");
                    let bytes = package.to_bytes().unwrap();
                    let mut again = options.open_bytes(bytes).unwrap();
                    assert!(content(&again, row) == Some(Ok(other)), "{name}");
                    let faults = reader.compare(&opened, &again);
                    assert!(faults.is_empty(), "{name}: {faults:?}");
                    assert!(put(&mut again, &file.bytes).unwrap(), "{name}");
                    assert!(content(&again, row) == Some(Ok(file.bytes.clone())), "{name}");
                    *counts.entry(file.extension).or_default() += 1;
                }
                Err(error) => {
                    let path = opened.exports().path(row);
                    let why = error.to_string().replace(&path, "…");
                    *counts.entry(format!("refused: {why}")).or_default() += 1;
                }
            }
        }
    });
    println!("{counts:#?}");
    assert!(counts.get("wav").is_some_and(|count| *count > 1), "{counts:?}");
}

/// The engine stores some payloads as they are: made here, they are the same to the last byte.
pub fn stored_payloads_are_as_the_engine_makes_them() {
    let (mut plain, mut compressed) = (0, 0);
    each(|name, _, package| {
        let source = package.source();
        for start in 0..source.len().saturating_sub(64) {
            if !source[start..].starts_with(&[0xb7, 0x75, 0x63, 0x62]) {
                continue;
            }
            let mut buffer = CompressedBuffer::default();
            let stored = &source[start..];
            buffer.serialize(&mut Loader::new(stored, Default::default())).unwrap();
            if buffer.method != 0 {
                compressed += 1;
                continue;
            }
            let content = buffer.content(stored).unwrap();
            let made = CompressedBuffer::store(&content).unwrap();
            assert!(made == stored[..buffer.total_size as usize], "{name}");
            plain += 1;
        }
    });
    println!("{plain} payloads are the engine's own, {compressed} are compressed");
    assert!(plain > 0);
}
