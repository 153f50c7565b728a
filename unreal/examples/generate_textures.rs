//! Makes a texture package for Unreal Tournament out of nothing: pictures are painted in memory, get a
//! palette and all smaller sizes, and stand in groups.
//!
//! ```sh
//! cargo run --features content --example generate_textures -- Painted.utx
//! ```
//! Without a file name the package stays in memory.

use unreal_packages::Result;
use unreal_packages::content::{Image, NewTexture};
use unreal_packages::generate::{Profile, create};
use unreal_packages::package::SaveOptions;
use unreal_packages::prelude::*;

fn main() -> Result<()> {
    // The profile decides versions, flags and formats: `Profile::UDK` would make DXT textures.
    let mut package = create(&Profile::UT99)?;

    // Groups are made as they are named.
    package.edit(|edit| edit.add_texture("Walls.Bricks", &bricks(128), &NewTexture::default()))?;

    // Transparent pixels make a masked texture: palette index 0 is see-through.
    let fence =
        package.edit(|edit| edit.add_texture("Walls.Fence", &fence(64), &NewTexture::default()))?;
    assert!(package.contents().texture_facts(fence)?.masked);

    package.edit(|edit| edit.add_text("Readme", "Painted by an example program."))?;

    // Saving writes every section from the model; opening it again shows what is in the file.
    if let Some(path) = std::env::args().nth(1) {
        package.save(&SaveOptions::new())?.write_file(&path)?;
        println!("wrote {path}");
    }
    let package = Package::from_bytes(package.to_bytes()?)?;
    println!("{} bytes", package.source().len());
    for export in package.exports().iter() {
        match package.contents().texture_facts(export.row()) {
            Ok(facts) => {
                let (width, height, mips) = (facts.width, facts.height, facts.mips);
                println!("  {} is {width} by {height} in {mips} sizes", export.path());
            }
            Err(_) => println!("  {} ({})", export.path(), export.class()),
        }
    }
    Ok(())
}

/// Rows of bricks, every other one shifted by half.
fn bricks(side: u32) -> Image {
    let texel = |x: u32, y: u32| {
        let x = if (y / 16).is_multiple_of(2) { x } else { x + 16 };
        let mortar = x % 32 < 2 || y % 16 < 2;
        let shade = (x * 7 + y * 13) % 24;
        match mortar {
            true => [190, 186, 178, 255],
            false => [140 + shade as u8, 62 + shade as u8 / 2, 50, 255],
        }
    };
    painted(side, texel)
}

/// Bars with nothing between them.
fn fence(side: u32) -> Image {
    painted(side, |x, y| match x % 16 < 4 || y % 32 < 4 {
        true => [90, 60, 30, 255],
        false => [0, 0, 0, 0],
    })
}

fn painted(side: u32, texel: impl Fn(u32, u32) -> [u8; 4]) -> Image {
    let places = (0..side).flat_map(|y| (0..side).map(move |x| (x, y)));
    let pixels = places.map(|(x, y)| texel(x, y)).collect();
    // A square of its own number of pixels is always a picture.
    Image::from_rgba(side, side, pixels).expect("a square picture")
}
