//! Content: pixels, waves, modules and texts to objects and back.

use crate::common;
use unreal_packages::generate::create;
use unreal_packages::inspect::{Explanation, PackageValues};

use common::{differences, open, save_twice};
use unreal_packages::content::{
    Image, NewTexture, NewTextures, PackageContents, Pixels, ReplaceTexture, SoundEdits, TextEdits,
    TextureEdits, WaveFacts,
};
use unreal_packages::edit::PackageEdit;
use unreal_packages::generate::Profile;
use unreal_packages::object::{TextureFormat, ue1, ue3::asset::texture as ue3};
use unreal_packages::package::decode::native_as_mut;
use unreal_packages::package::native_as;
use unreal_packages::primitive::{BulkData, LazyPayload, Payload};
use unreal_packages::version::EngineFacts;
use unreal_packages::{ErrorKind, Package, Span};

/// A picture of many colours, no two rows alike.
fn gradient(width: u32, height: u32) -> Image {
    let color =
        |x: u32, y: u32| [(x * 255 / width) as u8, (y * 255 / height) as u8, (x ^ y) as u8, 255];
    let pixels = (0..height).flat_map(|y| (0..width).map(move |x| color(x, y))).collect();
    Image::from_rgba(width, height, pixels).unwrap()
}

/// A picture of few colours, transparent in the middle.
fn stencil(side: u32) -> Image {
    let middle = side / 4..side - side / 4;
    let color = |x: u32, y: u32| match middle.contains(&x) && middle.contains(&y) {
        true => [9, 9, 9, 0],
        false => [(x / 8 * 40) as u8, 80, (y / 8 * 40) as u8, 255],
    };
    let pixels = (0..side).flat_map(|y| (0..side).map(move |x| color(x, y))).collect();
    Image::from_rgba(side, side, pixels).unwrap()
}

/// A WAV file of 16-bit samples.
fn wave(samples: u32) -> Vec<u8> {
    let data: Vec<u8> = (0..samples).flat_map(|at| ((at * 321) as i16).to_le_bytes()).collect();
    let mut file = b"RIFF".to_vec();
    file.extend((36 + data.len() as u32).to_le_bytes());
    file.extend(b"WAVEfmt \x10\0\0\0\x01\0\x01\0");
    file.extend(22050u32.to_le_bytes());
    file.extend(44100u32.to_le_bytes());
    file.extend(b"\x02\0\x10\0data");
    file.extend((data.len() as u32).to_le_bytes());
    file.extend(data);
    file
}

fn s3m() -> Vec<u8> {
    let mut file = vec![7; 400];
    file[44..48].copy_from_slice(b"SCRM");
    file
}

/// The texels of each mip, whichever engine's type holds them.
fn mips(package: &Package, row: usize) -> Vec<(u32, u32, Vec<u8>)> {
    let decoded = package.decode(row).unwrap();
    let bytes = |span: &unreal_packages::Span| span.bytes(package.source()).unwrap().to_vec();
    if let Some(texture) = native_as::<ue1::Texture>(&decoded.body) {
        let mip = |mip: &ue1::Mip| (mip.width, mip.height, bytes(&mip.data.data.0));
        return texture.mips.iter().map(mip).collect();
    }
    let texture = native_as::<ue3::Texture2D>(&decoded.body).expect("a texture");
    let mip = |mip: &ue3::Mip| (mip.size_x as u32, mip.size_y as u32, bytes(&mip.data.payload));
    texture.mips.iter().map(mip).collect()
}

fn reopened(package: &Package) -> Package {
    let mut package = open(&save_twice(package));
    package.decode_all();
    package
}

fn reason<T: std::fmt::Debug>(result: unreal_packages::Result<T>) -> String {
    match result.expect_err("this must fail").into_kind() {
        ErrorKind::Invalid { reason } => reason,
        other => panic!("{other:?}"),
    }
}

#[test]
fn pictures_survive_png() {
    let palette: Vec<_> =
        (0..200).map(|at| [at, 255 - at, at / 2, if at == 3 { 0 } else { 255 }]).collect();
    let indices = (0..35).map(|at| at * 5).collect();
    let pictures = [
        gradient(5, 7),
        Image::new(5, 7, Pixels::Indexed { indices, palette }).unwrap(),
        Image::new(3, 2, Pixels::Gray(vec![0, 1, 2, 253, 254, 255])).unwrap(),
        Image::new(2, 2, Pixels::Gray16(vec![0, 1, 256, 65535])).unwrap(),
    ];
    for picture in pictures {
        assert_eq!(Image::read(&picture.to_png().unwrap()).unwrap(), picture);
    }
}

#[test]
fn bitmaps_keep_their_palette() {
    // 4 by 2 texels of 8 bits, rows from the bottom, 3 colours.
    let mut file = b"BM".to_vec();
    file.extend((54 + 12 + 8u32).to_le_bytes());
    file.extend([0; 4]);
    file.extend(66u32.to_le_bytes());
    for number in [40u32, 4, 2] {
        file.extend(number.to_le_bytes());
    }
    file.extend([1, 0, 8, 0]);
    for number in [0u32, 8, 2835, 2835, 3, 3] {
        file.extend(number.to_le_bytes());
    }
    file.extend([1, 2, 3, 0, 10, 20, 30, 0, 200, 210, 220, 0]);
    file.extend([0, 1, 2, 0, 2, 2, 1, 1]);
    let image = Image::read(&file).unwrap();
    let Pixels::Indexed { indices, palette } = image.pixels() else { panic!("{image:?}") };
    assert_eq!(indices[..], [2, 2, 1, 1, 0, 1, 2, 0]);
    assert_eq!(palette[..3], [[3, 2, 1, 255], [30, 20, 10, 255], [220, 210, 200, 255]]);
}

#[test]
fn hostile_pictures_are_errors() {
    let picture = gradient(9, 9);
    let good = picture.to_png().unwrap();
    for length in 0..good.len() {
        // Only the mark at the end may be missing.
        match Image::read(&good[..length]) {
            Ok(read) => assert!(length + 12 >= good.len() && read == picture, "{length} bytes"),
            Err(_) => assert!(length < good.len()),
        }
    }
    for at in 0..good.len() {
        let mut bad = good.clone();
        bad[at] ^= 0xff;
        // Any result, but no panic; what is read has the size that it says.
        let _ = Image::read(&bad);
    }
    let mut huge = b"BM".to_vec();
    huge.extend([0; 8]);
    huge.extend(54u32.to_le_bytes());
    for number in [40u32, 0x7fff_ffff, 0x7fff_ffff] {
        huge.extend(number.to_le_bytes());
    }
    huge.extend([1, 0, 24, 0]);
    huge.extend([0; 24]);
    assert!(Image::read(&huge).is_err());
}

#[test]
fn textures_of_every_profile_show_their_picture() {
    for profile in Profile::ALL {
        for format in TextureFormat::ALL.iter().copied() {
            let image = match format {
                TextureFormat::G8 => Image::new(16, 8, Pixels::Gray((0..128).collect())).unwrap(),
                TextureFormat::G16 => {
                    Image::new(16, 8, Pixels::Gray16((0..128).map(|at| at * 500).collect()))
                        .unwrap()
                }
                _ => gradient(16, 8),
            };
            let mut package = create(profile).unwrap();
            let new = NewTexture { format: Some(format), ..NewTexture::default() };
            let Ok(row) = package.edit(|edit| edit.add_texture("Group.Inner.Tex", &image, &new))
            else {
                continue;
            };
            let package = reopened(&package);
            let facts = package.contents().texture_facts(row).unwrap();
            assert_eq!((facts.width, facts.height, facts.mips), (16, 8, 5), "{profile} {format}");
            assert_eq!(facts.format, format);
            let contents = package.contents();
            let sizes = contents.texture_sizes(row).unwrap();
            let mut expected = [(16, 8), (8, 4), (4, 2), (2, 1), (1, 1)];
            if package.versions().has_bulk_content() && format.block_size().is_some() {
                // UE3 says the size of the block that is stored.
                expected[2..].fill((4, 4));
            }
            assert_eq!(sizes, expected, "{profile} {format}");
            for (size, sides) in sizes.into_iter().enumerate() {
                let image = contents.texture_size_image(row, size).unwrap();
                assert_eq!((image.width(), image.height()), sides, "{profile} {format}");
            }
            assert!(contents.texture_size_image(row, 5).is_err());
            assert_eq!(
                contents.texture_size_image(row, 0).unwrap(),
                contents.texture_image(row).unwrap()
            );
            let shown = package.contents().texture_image(row).unwrap().to_rgba();
            let exact = format.block_size().is_none();
            for (shown, meant) in shown.iter().zip(image.to_rgba()) {
                // Of a normal only X and Y are stored.
                let parts = if format == TextureFormat::V8U8 { 2 } else { 4 };
                let off =
                    shown.iter().zip(meant).take(parts).map(|(&a, b)| a.abs_diff(b)).max().unwrap();
                assert!(
                    off <= if exact { 0 } else { 40 },
                    "{profile} {format}: {shown:?} {meant:?}"
                );
            }
            assert_eq!(package.coverage().opaque, 0, "{profile} {format}");
        }
    }
}

#[test]
fn mips_halve_down_to_one_texel_and_average() {
    let mut package = create(&Profile::UDK).unwrap();
    let new = NewTexture { format: Some(TextureFormat::Rgba8), ..NewTexture::default() };
    let mut pixels = vec![[0, 0, 0, 255]; 8];
    pixels[..4].copy_from_slice(&[
        [10, 0, 0, 255],
        [20, 0, 0, 255],
        [30, 8, 0, 255],
        [50, 8, 0, 255],
    ]);
    let image = Image::from_rgba(4, 2, pixels).unwrap();
    let row = package.edit(|edit| edit.add_texture("T", &image, &new)).unwrap();
    let mips = mips(&package, row);
    let sizes: Vec<_> = mips.iter().map(|(width, height, _)| (*width, *height)).collect();
    assert_eq!(sizes, [(4, 2), (2, 1), (1, 1)]);
    // Blue, green, red, alpha: (10+20+0+0)/4 rounds to 8, (30+50)/4 = 20, 16/4 = 4.
    assert_eq!(mips[1].2, [0, 0, 8, 255, 0, 4, 20, 255]);
    assert_eq!(mips[2].2, [0, 2, 14, 255]);
}

#[test]
fn masked_textures_have_their_transparent_colour_first() {
    for profile in [Profile::UNREAL, Profile::UT99, Profile::DEUS_EX] {
        let mut package = create(&profile).unwrap();
        let image = stencil(32);
        let row =
            package.edit(|edit| edit.add_texture("Grate", &image, &NewTexture::default())).unwrap();
        let package = reopened(&package);
        assert!(package.contents().texture_facts(row).unwrap().masked);
        for (width, height, texels) in mips(&package, row).into_iter().take(3) {
            for (at, index) in texels.iter().enumerate() {
                let (x, y) = (at as u32 % width * 32 / width, at as u32 / width * 32 / height);
                let clear = (8..24).contains(&x) && (8..24).contains(&y);
                assert_eq!(*index == 0, clear, "{width}: {x},{y}");
            }
        }
        let shown = package.contents().texture_image(row).unwrap().to_rgba();
        assert!(shown.iter().zip(image.to_rgba()).all(|(one, other)| one[3] == other[3]));
    }
}

#[test]
fn more_colours_than_a_palette_holds_are_quantised() {
    let image = gradient(64, 64);
    let mut package = create(&Profile::UT99).unwrap();
    let row = package.edit(|edit| edit.add_texture("Sky", &image, &NewTexture::default())).unwrap();
    let shown = package.contents().texture_image(row).unwrap().to_rgba();
    let error: u64 = shown
        .iter()
        .zip(image.to_rgba())
        .flat_map(|(one, other)| (0..3).map(move |at| u64::from(one[at].abs_diff(other[at]))))
        .sum();
    assert!(error / (64 * 64 * 3) < 12, "mean error {}", error / (64 * 64 * 3));
}

#[test]
fn sizes_and_formats_that_a_game_lacks_are_refused() {
    let mut package = create(&Profile::UT99).unwrap();
    let before = package.names().len();
    let odd =
        package.edit(|edit| edit.add_texture("A.B.Odd", &gradient(12, 8), &NewTexture::default()));
    assert!(reason(odd).contains("powers of two"));
    let new = NewTexture { format: Some(TextureFormat::Dxt5), ..NewTexture::default() };
    assert!(
        reason(package.edit(|edit| edit.add_texture("A", &gradient(8, 8), &new))).contains("p8")
    );
    assert_eq!(
        (package.names().len(), package.exports().len()),
        (before, 0),
        "nothing is left behind"
    );
    let mut package = create(&Profile::UT2004).unwrap();
    assert!(reason(package.edit(|edit| edit.add_music("M", &s3m()))).contains("no music"));
    assert!(reason(package.edit(|edit| edit.add_sound("S", b"RIFFno"))).contains("WAV"));
}

#[test]
fn one_pixel_changes_one_texel_and_what_is_made_of_it() {
    for (profile, format) in [
        (Profile::UT99, TextureFormat::P8),
        (Profile::UT2004, TextureFormat::Dxt5),
        (Profile::UDK, TextureFormat::Rgba8),
        (Profile::UDK, TextureFormat::Dxt1),
    ] {
        let mut package = create(&profile).unwrap();
        let new = NewTexture { format: Some(format), ..NewTexture::default() };
        let row = package.edit(|edit| edit.add_texture("T", &gradient(16, 16), &new)).unwrap();
        let mut package = reopened(&package);
        let before = mips(&package, row);
        let shown = package.contents().texture_image(row).unwrap();
        let unchanged = package
            .edit(|edit| edit.replace_texture(row, &shown, &ReplaceTexture::default()))
            .unwrap();
        assert_eq!(unchanged.texels, 0);
        assert_eq!(package.contents().texture_image_of(row, &before[0].2).unwrap(), shown);
        assert!(
            reason(package.contents().texture_image_of(row, &before[0].2[1..]))
                .contains("bytes of texels")
        );
        assert!(package.to_bytes().unwrap() == package.source(), "{profile} {format}");
        // A colour that is there elsewhere, so that the palette stays.
        let mut pixels = shown.to_rgba();
        pixels[5 * 16 + 6] = pixels[15 * 16 + 15];
        let image = Image::from_rgba(16, 16, pixels).unwrap();
        let change = package
            .edit(|edit| edit.replace_texture(row, &image, &ReplaceTexture::default()))
            .unwrap();
        assert_eq!((change.texels, change.palette, change.resized), (1, false, false));
        let package = reopened(&package);
        for (level, (old, new)) in before.iter().zip(mips(&package, row)).enumerate() {
            let (unit, side) = match format.block_size() {
                Some(bytes) => (bytes, old.0.div_ceil(4).into()),
                None => (format.data_size(1, 1), u64::from(old.0)),
            };
            let step = if format.block_size().is_some() { level + 2 } else { level };
            let at = ((5u64 >> step) * side + (6 >> step)) * unit;
            for (start, end) in differences(&old.2, &new.2) {
                assert!(
                    start >= at && end <= at + unit,
                    "{format} mip {level}: {start}..{end}, {at}"
                );
            }
        }
        assert_ne!(before[0].2, mips(&package, row)[0].2);
    }
}

#[test]
fn new_colours_make_a_new_palette_unless_others_use_it() {
    let mut package = create(&Profile::UT99).unwrap();
    let row = package
        .edit(|edit| edit.add_texture("Walls.A", &stencil(16), &NewTexture::default()))
        .unwrap();
    let pink = Image::from_rgba(16, 16, vec![[255, 0, 255, 255]; 256]).unwrap();
    let mut alone = package.clone();
    let change =
        alone.edit(|edit| edit.replace_texture(row, &pink, &ReplaceTexture::default())).unwrap();
    assert!(change.palette);
    assert_eq!(reopened(&alone).contents().texture_image(row).unwrap().to_rgba(), pink.to_rgba());
    // A second texture with the same palette.
    let palette = package.contents().texture_facts(row).unwrap().palette;
    let second = package.edit(|edit| {
        let mut list = unreal_packages::edit::NewProperties::new(edit);
        list.object("Palette", palette)?;
        let list = list.finish();
        edit.add_object("Walls.B", "Engine.Texture", list, ue1::Texture::default())
    });
    second.unwrap();
    let refused = package.edit(|edit| edit.replace_texture(row, &pink, &ReplaceTexture::default()));
    assert!(reason(refused).contains("other objects"));
    // One of its own, and the shared one stays what it is.
    let mut own = package.clone();
    let options = ReplaceTexture { own_palette: true, ..ReplaceTexture::default() };
    let change = own.edit(|edit| edit.replace_texture(row, &pink, &options)).unwrap();
    assert!(change.palette);
    let own = reopened(&own);
    assert_eq!(own.contents().texture_image(row).unwrap().to_rgba(), pink.to_rgba());
    let other = own.contents().texture_facts(row).unwrap().palette;
    assert_ne!(other, palette);
    let colors = |package: &Package| {
        package.body(package.find_export(&package.path(palette)).unwrap()).unwrap().to_vec()
    };
    assert_eq!(colors(&own), colors(&reopened(&package)));
    let keep = ReplaceTexture { keep_palette: true, ..ReplaceTexture::default() };
    let change = package.edit(|edit| edit.replace_texture(row, &pink, &keep)).unwrap();
    assert!(!change.palette && change.texels > 0);
}

#[test]
fn another_size_makes_new_mips() {
    for profile in [Profile::UT99, Profile::UT2004, Profile::UDK] {
        let mut package = create(&profile).unwrap();
        let row = package
            .edit(|edit| edit.add_texture("T", &stencil(16), &NewTexture::default()))
            .unwrap();
        let change = package
            .edit(|edit| edit.replace_texture(row, &stencil(32), &ReplaceTexture::default()))
            .unwrap();
        assert!(change.resized);
        let package = reopened(&package);
        let facts = package.contents().texture_facts(row).unwrap();
        assert_eq!((facts.width, facts.height, facts.mips), (32, 32, 6), "{profile}");
        let dump: Vec<_> = Explanation::of_body(&package, row)
            .unwrap()
            .into_iter()
            .map(|explained| (explained.record.path, explained.record.value.to_string()))
            .collect();
        let size = if profile == Profile::UDK { "SizeX" } else { "USize" };
        assert!(dump.iter().any(|(path, value)| path.ends_with(size) && value == "32"), "{dump:?}");
    }
}

/// Of black and white alone no size between them could be shown.
#[test]
fn pictures_with_few_colours_have_the_means_in_their_palette() {
    let color = |at: u32| if (at + at / 16).is_multiple_of(2) { [0, 0, 0, 255] } else { [255; 4] };
    let checker = Image::from_rgba(16, 16, (0..256).map(color).collect()).unwrap();
    let file = Image::read(&checker.to_png().unwrap()).unwrap();
    let indices = (0..256).map(|at| u8::from(color(at)[0] > 0)).collect();
    let palette = vec![[0, 0, 0, 255], [255; 4]];
    let indexed = Image::new(16, 16, Pixels::Indexed { indices, palette }).unwrap();
    for picture in [file, indexed] {
        let mut package = create(&Profile::UT99).unwrap();
        let row =
            package.edit(|edit| edit.add_texture("T", &picture, &NewTexture::default())).unwrap();
        let contents = package.contents();
        assert_eq!(contents.texture_image(row).unwrap().to_rgba(), checker.to_rgba());
        for size in 1..5 {
            let shown = contents.texture_size_image(row, size).unwrap().to_rgba();
            assert!(shown.iter().all(|color| *color == [128, 128, 128, 255]), "{shown:?}");
        }
    }
}

#[test]
fn compressed_sizes_of_the_first_engine_take_the_new_size() {
    let mut package = create(&Profile::UT99).unwrap();
    let new = NewTexture::default();
    let row = package.edit(|edit| edit.add_texture("T", &stencil(16), &new)).unwrap();
    package
        .edit(|edit| {
            edit.set_property("T", "bHasComp:bool", "True")?;
            edit.set_property("T", "CompFormat:byte", "3")?;
            edit.change_body(row, |body| {
                let texture = native_as_mut::<ue1::Texture>(body).unwrap();
                let mip = |side: u32| ue1::Mip {
                    data: LazyPayload {
                        data: Payload(Span::owned(vec![0; (side.div_ceil(4).pow(2) * 8) as usize])),
                        ..LazyPayload::default()
                    },
                    width: side,
                    height: side,
                    width_bits: side.ilog2() as u8,
                    height_bits: side.ilog2() as u8,
                };
                texture.compressed = Some([16, 8, 4, 2, 1].map(mip).to_vec());
                Ok(())
            })
        })
        .unwrap();
    let mut package = reopened(&package);
    let options = ReplaceTexture::default();
    let change = package.edit(|edit| edit.replace_texture(row, &stencil(32), &options)).unwrap();
    assert!(change.resized);
    let package = reopened(&package);
    let decoded = package.decode(row).unwrap();
    let texture = native_as::<ue1::Texture>(&decoded.body).unwrap();
    let second = texture.compressed.as_ref().unwrap();
    let sizes: Vec<_> = second.iter().map(|mip| (mip.width, mip.data.data.0.len())).collect();
    assert_eq!(sizes, [(32, 512), (16, 128), (8, 32), (4, 8), (2, 8), (1, 8)]);
}

#[test]
fn textures_in_a_cache_are_stored_inline_when_that_is_asked_for() {
    let mut package = create(&Profile::UDK).unwrap();
    let new = NewTexture { format: Some(TextureFormat::Rgba8), ..NewTexture::default() };
    let row = package.edit(|edit| edit.add_texture("T", &gradient(16, 16), &new)).unwrap();
    package
        .edit(|edit| {
            edit.set_property("T", "TextureFileCacheName:name", "Textures")?;
            edit.change_body(row, |body| {
                let texture = native_as_mut::<ue3::Texture2D>(body).unwrap();
                let size = 16 * 16 * 4;
                texture.mips[0].data = BulkData {
                    flags: 1,
                    element_count: size,
                    size_on_disk: size,
                    ..BulkData::default()
                };
                Ok(())
            })
        })
        .unwrap();
    let mut package = reopened(&package);
    let other = Image::from_rgba(16, 16, vec![[9, 99, 199, 255]; 256]).unwrap();
    let options = ReplaceTexture::default();
    let refused = reason(package.edit(|edit| edit.replace_texture(row, &other, &options)));
    assert!(refused.contains(".tfc") && refused.contains("inline"), "{refused}");
    for picture in [other, gradient(32, 8)] {
        let options = ReplaceTexture { inline: true, ..options };
        package.edit(|edit| edit.replace_texture(row, &picture, &options)).unwrap();
        package = reopened(&package);
        assert_eq!(package.contents().texture_image(row).unwrap().to_rgba(), picture.to_rgba());
        assert!(mips(&package, row).iter().all(|(_, _, texels)| !texels.is_empty()));
        let values = package.values();
        assert!(values.property("T", "TextureFileCacheName").is_err());
        assert_eq!(values.property("T", "NeverStream").unwrap().text, "True");
    }
}

#[test]
fn stored_texels_of_textures_go_in_and_out_as_they_are() {
    for profile in [Profile::UT2004, Profile::UDK] {
        let mut package = create(&profile).unwrap();
        let new = NewTexture { format: Some(TextureFormat::Dxt5), ..NewTexture::default() };
        let rows = package
            .edit(|edit| {
                let one = edit.add_texture("One", &gradient(32, 16), &new)?;
                let other = Image::from_rgba(32, 16, vec![[9, 99, 199, 255]; 32 * 16])?;
                Ok([one, edit.add_texture("Two", &other, &new)?])
            })
            .unwrap();
        let dds = |package: &Package, row| package.contents().texture_dds(row, &[]).unwrap();
        let file = dds(&package, rows[0]);
        assert!(file.starts_with(b"DDS "));
        let options = ReplaceTexture::default();
        let mut put =
            |row| package.edit(|edit| edit.replace_picture(row, &file, &options)).unwrap().texels;
        assert_eq!(put(rows[0]), 0);
        assert!(put(rows[1]) > 0);
        let package = reopened(&package);
        let shown = rows.map(|row| package.contents().texture_image(row).unwrap());
        // The picture that UE3 keeps as it was imported is made of what the file shows.
        if profile == Profile::UT2004 {
            assert_eq!(shown[0], shown[1]);
            assert_eq!(dds(&package, rows[1]), file);
        }
        let new = NewTexture { format: Some(TextureFormat::P8), ..NewTexture::default() };
        let mut other = create(&Profile::UT99).unwrap();
        let row = other.edit(|edit| edit.add_texture("T", &stencil(32), &new)).unwrap();
        assert!(reason(other.contents().texture_dds(row, &[])).contains("p8"));
    }
}

#[test]
fn sounds_music_and_texts_come_back() {
    for profile in Profile::ALL {
        let mut package = create(profile).unwrap();
        let sound = package.edit(|edit| edit.add_sound("Sounds.Bang", &wave(100))).unwrap();
        let text = package.edit(|edit| edit.add_text("Readme", "Grüße, 世界\r\n")).unwrap();
        assert!(
            package
                .edit(|edit| edit.replace_text(text, "Another text, before anything is saved."))
                .unwrap()
        );
        assert!(package.edit(|edit| edit.replace_text(text, "Grüße, 世界\r\n")).unwrap());
        let music = package.edit(|edit| edit.add_music("Song", &s3m())).ok();
        let mut package = reopened(&package);
        assert_eq!(package.coverage().opaque, 0, "{profile}");
        assert_eq!(package.contents().sound_file(sound).unwrap(), ("wav".to_owned(), wave(100)));
        assert_eq!(package.contents().text(text).unwrap(), "Grüße, 世界\r\n");
        if let Some(row) = music {
            assert_eq!(package.contents().music_file(row).unwrap(), ("s3m".to_owned(), s3m()));
            let mut xm = b"Extended Module: x".to_vec();
            xm.extend([0; 99]);
            assert!(package.edit(|edit| edit.replace_music(row, &xm)).unwrap());
            assert_eq!(
                reopened(&package).contents().music_file(row).unwrap(),
                ("xm".to_owned(), xm)
            );
            assert!(
                reason(package.edit(|edit| edit.replace_music(row, b"no module"))).contains("s3m")
            );
        }
        assert!(!package.edit(|edit| edit.replace_sound(sound, &wave(100))).unwrap());
        assert!(package.edit(|edit| edit.replace_sound(sound, &wave(150))).unwrap());
        assert!(package.edit(|edit| edit.replace_text(text, "Short.")).unwrap());
        let package = reopened(&package);
        assert_eq!(package.contents().sound_file(sound).unwrap().1, wave(150));
        assert_eq!(package.contents().text(text).unwrap(), "Short.");
    }
}

#[test]
fn waves_are_looked_at() {
    let facts = WaveFacts::read(&wave(441)).unwrap();
    assert_eq!((facts.channels, facts.sample_rate, facts.bits, facts.length), (1, 22050, 16, 441));
    assert_eq!((facts.data_size(), facts.duration()), (882, 0.02));
    let good = wave(20);
    for length in 0..44 {
        assert!(WaveFacts::read(&good[..length]).is_err(), "{length}");
    }
}

/// Any damage gives a file, a picture or an error; nothing is written that does not open again.
#[test]
fn damaged_objects_are_errors_or_pictures() {
    for profile in Profile::ALL {
        let mut package = create(profile).unwrap();
        package.edit(|edit| edit.add_texture("T", &stencil(8), &NewTexture::default())).unwrap();
        package.edit(|edit| edit.add_sound("S", &wave(9))).unwrap();
        package.edit(|edit| edit.add_text("R", "text")).unwrap();
        let _ = package.edit(|edit| edit.add_music("M", &s3m()));
        let good = package.to_bytes().unwrap();
        let picture = stencil(8);
        for at in 0..good.len() {
            let mut bad = good.clone();
            bad[at] ^= if at % 2 == 0 { 0xff } else { 0x41 };
            let Ok(mut package) = Package::from_bytes(bad) else { continue };
            package.decode_all();
            for row in 0..package.exports().len() {
                if package.contents().content_file(row).is_err() {
                    continue;
                }
                let mut copy = package.clone();
                if copy
                    .edit(|edit| edit.replace_texture(row, &picture, &ReplaceTexture::default()))
                    .is_ok()
                    && let Ok(saved) = copy.to_bytes()
                {
                    assert!(Package::from_bytes(saved).is_ok(), "{profile} byte {at}");
                }
            }
        }
    }
}
