//! Smaller sizes of a picture, made whole or only where it changed.

use super::quantize::Nearest;
use super::{Image, Pixels};

/// Which pixels of a picture changed.
#[derive(Debug, Clone)]
pub(super) struct Changes {
    width: u32,
    height: u32,
    at: Vec<bool>,
}

impl Changes {
    /// All of them.
    pub fn all(width: u32, height: u32) -> Self {
        Self { width, height, at: vec![true; width as usize * height as usize] }
    }

    /// Where two pictures of one size and kind differ; palettes are not compared.
    pub fn between(one: &Image, other: &Image) -> Self {
        fn differ<T: PartialEq>(one: &[T], other: &[T]) -> Vec<bool> {
            one.iter().zip(other).map(|(one, other)| one != other).collect()
        }
        let at = match (one.pixels(), other.pixels()) {
            (Pixels::Rgba(one), Pixels::Rgba(other)) => differ(one, other),
            (Pixels::Gray(one), Pixels::Gray(other)) => differ(one, other),
            (Pixels::Gray16(one), Pixels::Gray16(other)) => differ(one, other),
            (Pixels::Indexed { indices: one, .. }, Pixels::Indexed { indices: other, .. }) => {
                differ(one, other)
            }
            _ => return Self::all(other.width(), other.height()),
        };
        Self { width: one.width(), height: one.height(), at }
    }

    /// These pixels of a picture, row by row.
    pub fn of(width: u32, height: u32, at: Vec<bool>) -> Self {
        Self { width, height, at }
    }

    /// How many.
    pub fn count(&self) -> usize {
        self.at.iter().filter(|changed| **changed).count()
    }

    pub fn has(&self, x: u32, y: u32) -> bool {
        let inside = x < self.width && y < self.height;
        inside && self.at[y as usize * self.width as usize + x as usize]
    }

    /// The same for a picture that [`Image::padded`] has made.
    pub fn padded(&self, (width, height): (u32, u32)) -> Self {
        let places = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
        let inside = |(x, y): (u32, u32)| (x.min(self.width - 1), y.min(self.height - 1));
        let at = places.map(inside).map(|(x, y)| self.has(x, y)).collect();
        Self { width, height, at }
    }

    /// The pixels of the next smaller size that are made of changed ones.
    pub fn halved(&self) -> Self {
        let (width, height) = half(self.width, self.height);
        let made =
            |x: u32, y: u32| sources(x, y, self.width, self.height).any(|(x, y)| self.has(x, y));
        let at = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
        Self { width, height, at: at.map(|(x, y)| made(x, y)).collect() }
    }
}

/// The next smaller size.
pub(super) fn half(width: u32, height: u32) -> (u32, u32) {
    ((width / 2).max(1), (height / 2).max(1))
}

/// The pixels that one of the next smaller size is made of: four, two, or one.
pub(super) fn sources(x: u32, y: u32, width: u32, height: u32) -> impl Iterator<Item = (u32, u32)> {
    let (wide, high) = (1 + u32::from(width > 1), 1 + u32::from(height > 1));
    (0..high).flat_map(move |dy| (0..wide).map(move |dx| (x * wide + dx, y * high + dy)))
}

/// How many sizes lead down to one pixel.
pub(super) fn full_chain(width: u32, height: u32) -> usize {
    (u32::BITS - width.max(height).max(1).leading_zeros()) as usize
}

/// Fills the changed pixels of `lower` from those of `upper`. In a masked palette index 0 is
/// transparent: it wins where it has half of the pixels or more, else it does not count.
pub(super) fn shrink(upper: &Image, lower: &mut Image, changes: &Changes, masked: bool) {
    let (width, height) = (upper.width(), upper.height());
    let size = (lower.width(), lower.height());
    match (upper.pixels(), lower.pixels_mut()) {
        (Pixels::Rgba(from), Pixels::Rgba(to)) => {
            fill(from, to, (width, height), size, changes, |four| {
                std::array::from_fn(|channel| {
                    mean(four.iter().map(|color| color[channel].into())) as u8
                })
            });
        }
        (Pixels::Gray(from), Pixels::Gray(to)) => {
            fill(from, to, (width, height), size, changes, |four| {
                mean(four.iter().map(|&level| level.into())) as u8
            });
        }
        (Pixels::Gray16(from), Pixels::Gray16(to)) => {
            fill(from, to, (width, height), size, changes, |four| {
                mean(four.iter().map(|&level| level.into())) as u16
            });
        }
        (Pixels::Indexed { indices: from, palette }, Pixels::Indexed { indices: to, .. }) => {
            let mut nearest = Nearest::new(palette, usize::from(masked));
            fill(from, to, (width, height), size, changes, |four| {
                mean_index(four, palette, masked, &mut nearest)
            });
        }
        _ => {}
    }
}

fn fill<T: Copy + Default>(
    from: &[T],
    to: &mut [T],
    (width, height): (u32, u32),
    (lower_width, lower_height): (u32, u32),
    changes: &Changes,
    mut mean: impl FnMut(&[T]) -> T,
) {
    let mut four = [T::default(); 4];
    for y in 0..lower_height {
        for x in 0..lower_width {
            if !changes.has(x, y) {
                continue;
            }
            let mut count = 0;
            for (x, y) in sources(x, y, width, height) {
                if let Some(texel) = from.get(y as usize * width as usize + x as usize) {
                    four[count] = *texel;
                    count += 1;
                }
            }
            to[y as usize * lower_width as usize + x as usize] = mean(&four[..count]);
        }
    }
}

/// The mean, halves rounded up.
fn mean(levels: impl Iterator<Item = u32>) -> u32 {
    let (sum, count) = levels.fold((0, 0), |(sum, count), level| (sum + level, count + 1));
    (sum + count / 2).checked_div(count).unwrap_or(0)
}

fn mean_index(four: &[u8], palette: &[[u8; 4]], masked: bool, nearest: &mut Nearest<'_>) -> u8 {
    let first = four.first().copied().unwrap_or(0);
    if four.iter().all(|&index| index == first) {
        return first;
    }
    let clear = four.iter().filter(|&&index| masked && index == 0).count();
    if clear * 2 >= four.len() && clear > 0 {
        return 0;
    }
    let colors = four.iter().filter(|&&index| !(masked && index == 0));
    let colors = colors.filter_map(|&index| palette.get(usize::from(index)));
    nearest.find(std::array::from_fn(|channel| {
        mean(colors.clone().map(|color| color[channel].into())) as u8
    }))
}
