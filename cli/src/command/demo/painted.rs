//! Pictures painted in memory.

use unreal_packages::content::Image;

/// Rows of bricks, every other one shifted by half.
pub fn bricks(side: u32) -> unreal_packages::Result<Image> {
    painted(side, |x, y| {
        let x = if (y / 16).is_multiple_of(2) { x } else { x + 16 };
        let shade = ((x * 7 + y * 13) % 24) as u8;
        match x % 32 < 2 || y % 16 < 2 {
            true => [190, 186, 178, 255],
            false => [140 + shade, 62 + shade / 2, 50, 255],
        }
    })
}

/// Bars with nothing between them.
pub fn fence(side: u32) -> unreal_packages::Result<Image> {
    painted(side, |x, y| match x % 16 < 4 || y % 32 < 4 {
        true => [90, 60, 30, 255],
        false => [0, 0, 0, 0],
    })
}

fn painted(side: u32, texel: impl Fn(u32, u32) -> [u8; 4]) -> unreal_packages::Result<Image> {
    let places = (0..side).flat_map(|y| (0..side).map(move |x| (x, y)));
    Image::from_rgba(side, side, places.map(|(x, y)| texel(x, y)).collect())
}
