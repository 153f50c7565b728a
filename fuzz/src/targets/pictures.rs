//! Pictures, sounds and music from files; a picture that is small becomes a texture.

use unreal_packages::content::{
    Image, MusicFormat, NewTexture, NewTextures, PackageContents, WaveFacts,
};
use unreal_packages::edit::{PackageEdit, PictureKind};
use unreal_packages::generate::{Profile, create};

use super::is_readable;
use crate::memory;

/// Bytes of memory that a byte of a file may take: deflate's 1,040 for one, of eight pixels each, of four bytes
/// each.
const MOST_PER_BYTE: usize = 1_040 * 8 * 4;
/// Pixels of a picture that is looked at closely.
const SMALL: u32 = 64;

pub fn run(data: &[u8]) {
    let ((image, wave), peak) = memory::peak(|| (Image::read(data), WaveFacts::read(data)));
    let most = (8 << 20) + MOST_PER_BYTE * data.len();
    assert!(peak <= most, "{peak} bytes of memory for a file of {}", data.len());
    let _ = (MusicFormat::detect(data), PictureKind::of(data));
    if let Ok(wave) = wave {
        let _ = (wave.data_size(), wave.duration());
    }
    let image = match image {
        Ok(image) => image,
        Err(error) => return is_readable(&error),
    };
    let pixels = image.width() as usize * image.height() as usize;
    if pixels > 1 << 16 {
        return;
    }
    let colors = image.to_rgba();
    assert_eq!(colors.len(), pixels);
    let png = image.to_png().expect("a picture that was read is written");
    let again = Image::read(&png).expect("a picture that was written is read");
    assert_eq!((again.width(), again.height()), (image.width(), image.height()));
    assert_eq!(again.to_rgba(), colors, "other colours come back");
    if image.width().max(image.height()) <= SMALL {
        as_texture(&image);
    }
}

fn as_texture(image: &Image) {
    for profile in [Profile::UT99, Profile::UDK] {
        let mut package = create(&profile).unwrap();
        let new = NewTexture::default();
        match package.edit(|edit| edit.add_texture("Skins.Picture", image, &new)) {
            Err(error) => is_readable(&error),
            Ok(row) => {
                let bytes = package.to_bytes().expect("what was committed is saved");
                let again =
                    unreal_packages::Package::from_bytes(bytes).expect("what was saved opens");
                let seen = again.contents().texture_image(row);
                let seen = seen.expect("a texture that was made is seen");
                // Blocks have sides of four pixels.
                let is_whole = seen.width() >= image.width() && seen.height() >= image.height();
                assert!(is_whole, "{} by {}", seen.width(), seen.height());
            }
        }
    }
}
