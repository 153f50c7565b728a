//! Pictures of cooked textures that are replaced, at every size.

use unreal_packages::content::{
    Channel, Image, PackageContents, Pixels, ReplaceTexture, TextureEdits, ThumbnailEdits,
};
use unreal_packages::edit::{Edit, PackageEdit};
use unreal_packages::inspect::PackageValues;
use unreal_packages::object::ue4::asset::platform_data::Mip;
use unreal_packages::object::ue4::asset::texture::{ImageTexture, LayeredTexture};
#[cfg(feature = "container")]
use unreal_packages::object::ue4::bulk::BulkData;
#[cfg(feature = "container")]
use unreal_packages::package::{Companion, CompanionKind};
use unreal_packages::package::{Package, native_as};
#[cfg(feature = "container")]
use unreal_packages::primitive::LongPosition;

use super::{cooked_layers, cooked_texture, gradient, inline, of_sizes};

/// A cooked texture with sizes down to one texel, every texel zero.
fn cooked_chain(width: i32, format: &str, size: impl Fn(i32) -> usize) -> Package {
    let mut mips = Vec::new();
    let mut side = width;
    while side > 0 {
        let bulk = inline(&vec![0; size(side)]);
        mips.push(Mip { bulk, size_x: side, size_y: side, size_z: 1, ..Mip::default() });
        side /= 2;
    }
    cooked_texture(of_sizes((width, width), format, mips))
}

fn blocks(size: usize) -> impl Fn(i32) -> usize {
    move |side: i32| (side as usize).div_ceil(4).pow(2) * size
}

pub(super) fn replace(package: &mut Package, file: &[u8]) -> unreal_packages::Result<usize> {
    let options = ReplaceTexture::default();
    package.edit(|edit| edit.replace_picture(0, file, &options).map(|change| change.texels))
}

#[test]
fn cooked_textures_take_other_pictures() {
    let picture = gradient(32, 32);
    for (format, size) in [
        ("PF_DXT1", 8),
        ("PF_DXT3", 16),
        ("PF_DXT5", 16),
        ("PF_BC7", 16),
        ("PF_B8G8R8A8", 0),
        ("PF_R8G8B8A8", 0),
    ] {
        let mut made = match size {
            0 => cooked_chain(32, format, |side| (side * side * 4) as usize),
            size => cooked_chain(32, format, blocks(size)),
        };
        let before = made.to_bytes().unwrap();
        replace(&mut made, &picture.to_png().unwrap()).unwrap();
        let shown = made.contents().texture_image(0).unwrap();
        let pairs = shown.to_rgba().into_iter().zip(picture.to_rgba());
        let far = pairs.map(|(a, b)| (0..4).map(|at| a[at].abs_diff(b[at])).max().unwrap()).max();
        assert!(far.unwrap() <= if size == 0 { 0 } else { 12 }, "{format}: {far:?}");
        // The smallest size is what all pixels together look like: light is added.
        let last = made.contents().texture_size_image(0, 5).unwrap().to_rgba()[0];
        assert!(last[0] > 64 && last[0] < 90 && last[2].abs_diff(100) < 6, "{format}: {last:?}");
        // The saved package shows the same, and what it shows changes nothing.
        let bytes = made.to_bytes().unwrap();
        assert_ne!(bytes, before);
        let mut again = Package::from_bytes(bytes.clone()).unwrap();
        assert_eq!(again.contents().texture_image(0).unwrap(), shown);
        assert_eq!(replace(&mut again, &shown.to_png().unwrap()).unwrap(), 0, "{format}");
        assert_eq!(again.to_bytes().unwrap(), bytes);
    }
}

#[test]
fn one_pixel_changes_its_block_and_those_below_it() {
    let mut made = cooked_chain(32, "PF_DXT5", blocks(16));
    replace(&mut made, &gradient(32, 32).to_png().unwrap()).unwrap();
    let texels = |package: &Package, level: usize| {
        let decoded = package.decode(0).unwrap();
        let texture = native_as::<ImageTexture>(&decoded.body).unwrap();
        let mip = &texture.platforms.platforms[0].data.mips[level];
        mip.bulk.payload.bytes(package.source()).unwrap().to_vec()
    };
    let before: Vec<_> = (0..6).map(|level| texels(&made, level)).collect();
    let shown = made.contents().texture_image(0).unwrap();
    let mut pixels = shown.to_rgba();
    pixels[32 * 17 + 9] = [255, 255, 255, 0];
    let picture = Image::from_rgba(32, 32, pixels).unwrap();
    assert_eq!(replace(&mut made, &picture.to_png().unwrap()).unwrap(), 1);
    // Pixel 9, 17 stands in block 2, 4 of 8; then in 1, 2 of 4 and in 0, 1 of 2.
    for (level, block) in [(0, 4 * 8 + 2), (1, 2 * 4 + 1), (2, 2)] {
        let after = texels(&made, level);
        let differing: Vec<usize> = (0..after.len() / 16)
            .filter(|at| after[at * 16..at * 16 + 16] != before[level][at * 16..at * 16 + 16])
            .collect();
        assert_eq!(differing, [block], "size {level}");
    }
}

#[test]
fn stored_texels_go_in_and_out_as_they_are() {
    let mut made = cooked_chain(16, "PF_BC7", blocks(16));
    replace(&mut made, &gradient(16, 16).to_png().unwrap()).unwrap();
    let file = made.contents().texture_dds(0, &[]).unwrap();
    assert!(file.starts_with(b"DDS "));
    assert_eq!(replace(&mut made, &file).unwrap(), 0);
    let mut other = cooked_chain(16, "PF_BC7", blocks(16));
    assert!(replace(&mut other, &file).unwrap() > 0);
    assert_eq!(other.contents().texture_dds(0, &[]).unwrap(), file);
    // Texels of another format are decoded.
    let mut other = cooked_chain(16, "PF_B8G8R8A8", |side| (side * side * 4) as usize);
    replace(&mut other, &file).unwrap();
    let shown = [&other, &made].map(|package| package.contents().texture_image(0).unwrap());
    assert_eq!(shown[0], shown[1]);
    let cut = replace(&mut made, &file[..200]).unwrap_err().to_string();
    assert!(cut.contains("DDS"), "{cut}");
}

#[test]
fn pictures_that_do_not_fit_are_refused() {
    let why = |package: &mut Package, file: &[u8]| replace(package, file).unwrap_err().to_string();
    let mut made = cooked_chain(16, "PF_DXT1", blocks(8));
    let bytes = made.to_bytes().unwrap();
    let png = gradient(8, 12).to_png().unwrap();
    assert!(why(&mut made, &png).contains("8 by 12: the sides of a texture with smaller sizes"));
    assert!(why(&mut made, b"text").contains("neither PNG"));
    assert_eq!(made.to_bytes().unwrap(), bytes);
    let png = gradient(16, 16).to_png().unwrap();
    let mut made = cooked_chain(16, "PF_BC4", blocks(8));
    assert!(why(&mut made, &png).contains("one channel"));
    let mut made = cooked_chain(16, "PF_ASTC_4x4", blocks(16));
    assert!(why(&mut made, &png).contains("DDS"));
}

/// Bright and dark together look as bright as their light, and colours that are not seen do not count.
#[test]
fn smaller_sizes_add_light() {
    let mut made = cooked_chain(2, "PF_B8G8R8A8", |side| (side * side * 4) as usize);
    let (black, white) = ([0, 0, 0, 255], [255, 255, 255, 255]);
    let picture = Image::from_rgba(2, 2, vec![black, white, white, black]).unwrap();
    replace(&mut made, &picture.to_png().unwrap()).unwrap();
    let last = made.contents().texture_size_image(0, 1).unwrap().to_rgba();
    assert_eq!(last, [[188, 188, 188, 255]]);
    let (red, clear) = ([255, 0, 0, 255], [0, 255, 0, 0]);
    let picture = Image::from_rgba(2, 2, vec![red, clear, clear, red]).unwrap();
    replace(&mut made, &picture.to_png().unwrap()).unwrap();
    let last = made.contents().texture_size_image(0, 1).unwrap().to_rgba();
    assert_eq!(last, [[255, 0, 0, 128]]);
}

/// Every size of a cooked texture: width, height, texels, and whether they stand in the body.
fn sizes(package: &Package) -> Vec<(i32, i32, usize, bool)> {
    let decoded = package.decode(0).unwrap();
    let data = match native_as::<ImageTexture>(&decoded.body) {
        Some(texture) => &texture.platforms.platforms[0].data,
        None => &native_as::<LayeredTexture>(&decoded.body).unwrap().platforms.platforms[0].data,
    };
    assert_eq!((data.size_x, data.size_y), (data.mips[0].size_x, data.mips[0].size_y));
    let size = |mip: &Mip| {
        let texels = unreal_packages::inspect::payload(package, &mip.bulk).unwrap().0;
        (mip.size_x, mip.size_y, texels.len(), mip.bulk.is_inline())
    };
    data.mips.iter().map(size).collect()
}

#[test]
fn cooked_textures_take_pictures_of_another_size() {
    let plain = |side: i32| (side * side * 4) as usize;
    for (format, unit) in [("PF_DXT5", 16), ("PF_B8G8R8A8", 0)] {
        let mut made = match unit {
            0 => cooked_chain(16, format, plain),
            unit => cooked_chain(16, format, blocks(unit)),
        };
        let point = ["Thing", "ImportedSize:struct:IntPoint", "(X=16,Y=16)"];
        made.edit(|edit| edit.set_property(point[0], point[1], point[2])).unwrap();
        for (width, height) in [(32, 64), (4, 4), (16, 16)] {
            let picture = gradient(width, height);
            let options = ReplaceTexture::default();
            let png = picture.to_png().unwrap();
            let change = made.edit(|edit| edit.replace_picture(0, &png, &options)).unwrap();
            assert!(change.resized);
            made = Package::from_bytes(made.to_bytes().unwrap()).unwrap();
            let sizes = sizes(&made);
            assert_eq!((sizes[0].0, sizes[0].1), (width as i32, height as i32));
            assert_eq!(sizes.len(), width.max(height).ilog2() as usize + 1);
            assert_eq!((sizes.last().unwrap().0, sizes.last().unwrap().1), (1, 1));
            let shown = made.contents().texture_image(0).unwrap();
            assert_eq!((shown.width(), shown.height()), (width, height));
            if unit == 0 {
                assert_eq!(shown.to_rgba(), picture.to_rgba());
            }
            let imported = made.values().property("Thing", "ImportedSize").unwrap().text;
            assert_eq!(imported, format!("(X={width},Y={height})"));
            // What it shows now changes nothing.
            assert_eq!(replace(&mut made, &shown.to_png().unwrap()).unwrap(), 0);
        }
    }
}

/// A texture of 32 by 32 texels, the largest size in `.ubulk` behind so many other bytes.
#[cfg(feature = "container")]
fn streamed(other: usize) -> Package {
    use std::sync::Arc;

    let plain = |side: i32| (side * side * 4) as usize;
    let mut made = cooked_chain(32, "PF_B8G8R8A8", plain);
    made.edit(|edit| {
        edit.change_body(0, |body| {
            let texture =
                unreal_packages::package::decode::native_as_mut::<ImageTexture>(body).unwrap();
            texture.platforms.platforms[0].data.mips[0].bulk = BulkData {
                flags: 0x1_0501,
                element_count: 4096,
                size_on_disk: 4096,
                offset: LongPosition::Stale(other as i64),
                ..BulkData::default()
            };
            Ok(())
        })
    })
    .unwrap();
    let mut made = Package::from_bytes(made.to_bytes().unwrap()).unwrap();
    let source = Arc::new(bytes::Bytes::from(vec![7; other + 4096]));
    Companion::lent(CompanionKind::Bulk, "Thing.ubulk".into(), source).add_to(&mut made);
    made
}

#[cfg(feature = "container")]
#[test]
fn sizes_in_files_of_bulk_data_stay_there() {
    for other in [0, 16] {
        let mut made = streamed(other);
        let options = ReplaceTexture::default();
        let png = gradient(64, 64).to_png().unwrap();
        made.edit(|edit| edit.replace_picture(0, &png, &options)).unwrap();
        let sizes = sizes(&made);
        assert_eq!(sizes.len(), 7);
        let inside: Vec<_> = sizes.iter().map(|size| size.3).collect();
        assert_eq!(inside, [false, false, true, true, true, true, true]);
        let bulk = made.companions()[0].read().unwrap();
        // What else stands in the file stays.
        let old = if other == 0 { 0 } else { other + 4096 };
        assert_eq!(bulk.len(), old + 64 * 64 * 4 + 32 * 32 * 4);
        assert!(bulk[..old].iter().all(|byte| *byte == 7));
        assert_eq!(made.contents().texture_image(0).unwrap().to_rgba(), gradient(64, 64).to_rgba());
    }
}

#[cfg(feature = "container")]
#[test]
fn sizes_that_other_objects_have_as_well_stay_for_those() {
    let mut made = streamed(0);
    made.edit(|edit| edit.duplicate_object("Thing", "Copy")).unwrap();
    let shown = |package: &Package, path: &str| {
        package.contents().texture_image(package.find_export(path).unwrap()).unwrap().to_rgba()
    };
    let before = shown(&made, "Copy");
    let png = gradient(64, 64).to_png().unwrap();
    let options = ReplaceTexture::default();
    made.edit(|edit| edit.replace_picture(0, &png, &options)).unwrap();
    assert_eq!(shown(&made, "Copy"), before);
    assert_eq!(shown(&made, "Thing"), gradient(64, 64).to_rgba());
    // Other texels of the same size would be those of both.
    let mut made = streamed(0);
    made.edit(|edit| edit.duplicate_object("Thing", "Copy")).unwrap();
    let png = gradient(32, 32).to_png().unwrap();
    let error = made.edit(|edit| edit.replace_picture(0, &png, &options)).unwrap_err().to_string();
    assert!(error.contains("several objects"), "{error}");
    assert_eq!(shown(&made, "Copy"), before);
}

/// An array of two pictures.
#[test]
fn arrays_take_their_pictures_below_each_other() {
    let mip = |side: i32| Mip {
        bulk: inline(&vec![0; (side * side * 4) as usize * 2]),
        size_x: side,
        size_y: side,
        size_z: 2,
        ..Mip::default()
    };
    let data = of_sizes((4, 4), "PF_B8G8R8A8", vec![mip(4), mip(2), mip(1)]);
    let mut made = cooked_layers("Texture2DArray", data);
    let picture = gradient(4, 8);
    assert!(replace(&mut made, &picture.to_png().unwrap()).unwrap() > 0);
    let made = Package::from_bytes(made.to_bytes().unwrap()).unwrap();
    assert_eq!(made.contents().texture_image(0).unwrap().to_rgba(), picture.to_rgba());
    // The smallest size of a slice is the mean of that slice alone.
    let last = made.contents().texture_size_image(0, 2).unwrap().to_rgba();
    assert_eq!(last.len(), 2);
    assert!(last[0][1] < 10 && last[1][1] > 16, "{last:?}");
    let mut made = made;
    let why = replace(&mut made, &gradient(8, 8).to_png().unwrap()).unwrap_err().to_string();
    assert!(why.contains("2 pictures below each other, as wide as high"), "{why}");
}

#[test]
fn thumbnails_show_the_new_picture() {
    let picture = gradient(512, 256);
    let png = picture.to_png().unwrap();
    let mut package = super::texture((512, 256), "TSF_BGRA8", true, &png);
    let thumbnail = |package: &Package| {
        let contents = package.contents();
        let file = contents.thumbnail_file(contents.thumbnail_of(0).unwrap()).unwrap().unwrap();
        Image::read(&file.bytes).unwrap()
    };
    let small = gradient(8, 8);
    let set = |edit: &mut Edit| edit.replace_thumbnail("Thing", &small.to_png().unwrap());
    package.edit(set).unwrap();
    // The same picture leaves it.
    let own = package.contents().texture_image(0).unwrap().to_png().unwrap();
    assert_eq!(replace(&mut package, &own).unwrap(), 0);
    assert_eq!(thumbnail(&package).to_rgba(), small.to_rgba());
    let red = Image::from_rgba(512, 256, vec![[200, 10, 20, 255]; 512 * 256]).unwrap();
    let options = ReplaceTexture::default();
    let change = package.edit(|edit| edit.replace_texture(0, &red, &options)).unwrap();
    assert!(change.thumbnail);
    let again = Package::from_bytes(package.to_bytes().unwrap()).unwrap();
    let made = thumbnail(&again);
    assert_eq!((made.width(), made.height()), (256, 128));
    assert!(made.to_rgba().iter().all(|texel| *texel == [200, 10, 20, 255]));
}

#[test]
fn one_channel_goes_in_and_the_others_stay() {
    let picture = gradient(8, 8);
    let mut package = super::texture((8, 8), "TSF_BGRA8", true, &picture.to_png().unwrap());
    let old = package.contents().texture_image(0).unwrap();
    let levels = Image::new(8, 8, Pixels::Gray((0..64).collect())).unwrap();
    for (at, channel) in Channel::ALL.into_iter().enumerate() {
        assert_eq!(old.with_channel(channel, &old.channel(channel).unwrap()).unwrap(), old);
        let new = old.with_channel(channel, &levels).unwrap();
        let options = ReplaceTexture::default();
        package.edit(|edit| edit.replace_texture(0, &new, &options)).unwrap();
        let shown = package.contents().texture_image(0).unwrap();
        assert_eq!(shown.channel(channel).unwrap(), levels, "{channel}");
        for (other, texels) in Channel::ALL.into_iter().enumerate().filter(|(it, _)| *it != at) {
            assert_eq!(shown.channel(texels).unwrap(), old.channel(texels).unwrap(), "{other}");
        }
        package.edit(|edit| edit.replace_texture(0, &old, &options)).unwrap();
    }
    let small = Image::new(4, 4, Pixels::Gray(vec![0; 16])).unwrap();
    let error = old.with_channel(Channel::Alpha, &small).unwrap_err().to_string();
    assert!(error.contains("alpha channel is 4 by 4, the texture 8 by 8"), "{error}");
}
