//! Content of packages of UE1 to UE3: every texture, sound, piece of music and text as a file and back.

use std::collections::BTreeMap;

use unreal_packages::Package;
use unreal_packages::content::{
    ContentEdits, ContentKind, Image, PackageContents, ReplaceTexture, SoundEdits, TextEdits,
    TextureEdits, WaveFacts,
};
use unreal_packages::edit::PackageEdit;
use unreal_packages::version::UnrealVersions;

use crate::common::{differences, open};
use crate::files;

/// Every texture, sound, piece of music and text of the corpus as a file and back.
pub fn corpus_content_comes_back_byte_for_byte() {
    let mut counts: BTreeMap<(String, bool), u32> = BTreeMap::new();
    let mut reasons: BTreeMap<String, u32> = BTreeMap::new();
    for (name, bytes) in ["classic", "conform"].into_iter().flat_map(files::of) {
        let Ok(mut package) = Package::from_bytes(bytes) else { continue };
        package.decode_all();
        for row in 0..package.exports().len() {
            let Some(kind) = package.contents().content_kind(row).unwrap() else { continue };
            // Meshes and animations go out alone.
            if matches!(kind, ContentKind::Mesh | ContentKind::Animation) {
                continue;
            }
            let file = package.contents().content_file(row);
            *counts.entry((kind.to_string(), file.is_ok())).or_default() += 1;
            let path = package.exports().path(row);
            let file = match file {
                Ok(file) => file,
                Err(error) => {
                    let reason = error.to_string().replace(&path, "…");
                    *reasons.entry(reason).or_default() += 1;
                    continue;
                }
            };
            let changed = package
                .edit(|edit| edit.replace_content(row, &file.bytes, &ReplaceTexture::default()));
            assert!(!changed.unwrap_or_else(|e| panic!("{name} {path}: {e}")), "{name} {path}");
        }
        let saved = package.to_bytes().unwrap();
        assert!(saved == package.file(), "{name}");
    }
    println!(
        "kinds (0 texture, 1 sound, 2 music, 3 text) and whether they become files: {counts:?}"
    );
    for (reason, count) in &reasons {
        println!("  {count} times: {reason}");
    }
    assert!(!counts.is_empty());
}

/// In each file of the corpus one pixel, one sample, one letter of every kind: nothing else changes.
pub fn corpus_edits_reach_only_their_place() {
    let mut edited: BTreeMap<String, u32> = BTreeMap::new();
    let mut refused: BTreeMap<String, u32> = BTreeMap::new();
    for (name, bytes) in ["classic", "conform"].into_iter().flat_map(files::of) {
        let Ok(mut package) = Package::from_bytes(bytes) else { continue };
        // In compressed files one byte changes a whole block.
        if package.container().is_some() {
            continue;
        }
        package.decode_all();
        let mut done = Vec::new();
        for row in 0..package.exports().len() {
            let what = match package.contents().content_kind(row).unwrap() {
                Some(ContentKind::Texture) => match package.contents().texture_image(row) {
                    Ok(_) => package.contents().texture_facts(row).unwrap().format.slug(),
                    Err(_) => continue,
                },
                Some(ContentKind::Sound) => "sound",
                Some(ContentKind::Text) => "text",
                _ => continue,
            };
            let path = format!("{name} {}", package.exports().path(row));
            let mut copy = package.clone();
            if done.contains(&what) {
                // Saving all of them would take long; changing does not.
                if what != "sound" && what != "text" {
                    match change_one(&mut copy, row) {
                        Some(Ok(texels)) => assert_eq!(texels, 1, "{path}"),
                        Some(Err(reason)) => *refused.entry(reason).or_default() += 1,
                        None => {}
                    }
                }
                continue;
            }
            let good = match what {
                "sound" => change_sample(&mut copy, row, &path),
                "text" => change_text(&mut copy, row, &path),
                _ => change_pixel(&mut copy, row, &path),
            };
            if good {
                done.push(what);
                *edited.entry(what.to_owned()).or_default() += 1;
            }
        }
    }
    println!("{edited:?}; refused: {refused:?}");
    assert!(!edited.is_empty());
}

/// The middle pixel in the colour of another one; nothing for pictures of one colour.
fn change_one(package: &mut Package, row: usize) -> Option<Result<usize, String>> {
    let path = package.exports().path(row);
    let shown = package.contents().texture_image(row).ok()?;
    let (width, height) = (shown.width() as usize, shown.height() as usize);
    let mut pixels = shown.to_rgba();
    let at = height / 2 * width + width / 2;
    let other = pixels.iter().find(|color| **color != pixels[at] && color[3] == 255)?;
    pixels[at] = *other;
    let image = Image::from_rgba(shown.width(), shown.height(), pixels).unwrap();
    let change = package.edit(|edit| edit.replace_texture(row, &image, &ReplaceTexture::default()));
    Some(change.map(|change| change.texels).map_err(|error| error.to_string().replace(&path, "…")))
}

fn change_sample(package: &mut Package, row: usize, path: &str) -> bool {
    let Ok((extension, mut file)) = package.contents().sound_file(row) else { return false };
    if extension != "wav" || WaveFacts::read(&file).is_err() {
        return false;
    }
    let is_ue3 = package.versions().file() >= 178;
    let at = file.len() / 2 + 30;
    if at >= file.len() || is_ue3 {
        return false;
    }
    file[at] ^= 0x40;
    assert!(package.edit(|edit| edit.replace_sound(row, &file)).unwrap(), "{path}");
    let saved = package.to_bytes().unwrap();
    let changed: u64 = differences(package.source(), &saved).iter().map(|(s, e)| e - s).sum();
    assert_eq!(changed, 1, "{path}");
    true
}

fn change_text(package: &mut Package, row: usize, path: &str) -> bool {
    let text = package.contents().text(row).unwrap();
    if text.is_empty() {
        return false;
    }
    let longer = format!("{text}\r\n// and a line more");
    assert!(package.edit(|edit| edit.replace_text(row, &longer)).unwrap(), "{path}");
    let saved = package.to_bytes().unwrap_or_else(|e| panic!("{path}: {e}"));
    let mut again = open(&saved);
    again.decode_all();
    assert_eq!(again.contents().text(row).unwrap(), longer, "{path}");
    assert!(again.edit(|edit| edit.replace_text(row, &text)).unwrap());
    assert!(again.to_bytes().unwrap() == package.source(), "{path}");
    true
}

fn change_pixel(package: &mut Package, row: usize, path: &str) -> bool {
    match change_one(package, row) {
        None => return false,
        Some(Ok(texels)) => assert_eq!(texels, 1, "{path}"),
        Some(Err(error)) => panic!("{path}: {error}"),
    }
    let saved = package.to_bytes().unwrap_or_else(|e| panic!("{path}: {e}"));
    let is_ue3 = package.versions().file() >= 178;
    if !is_ue3 {
        let format = package.contents().texture_facts(row).unwrap().format;
        let unit = format.block_size().unwrap_or(format.data_size(1, 1));
        let mips = package.contents().texture_facts(row).unwrap().mips as u64;
        let changed: u64 = differences(package.source(), &saved).iter().map(|(s, e)| e - s).sum();
        // Compressed mips beside the others have blocks.
        assert!(changed >= 1 && changed <= mips * unit + mips * 16, "{path}: {changed} bytes");
    }
    let mut again = open(&saved);
    again.decode_all();
    assert_eq!(
        again.contents().texture_facts(row).unwrap(),
        package.contents().texture_facts(row).unwrap()
    );
    true
}
