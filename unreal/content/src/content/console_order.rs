//! Texels of consoles in the order that pictures have.

use super::texture_mips::StoredSize;
use crate::error::{Error, Result, UnrealErrors};
use crate::object::TextureFormat;

/// Texels along a side that tiles are whole numbers of.
const TILE: u32 = 32;
/// The side of sizes that share a tile with others.
const SHARED: u32 = 16;

/// How texels lie on a console.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ConsoleOrder {
    /// By rows; what has no blocks, and sides of powers of two, with the bits of column and row in turn (PlayStation 3).
    Rows,
    /// In tiles of 32 by 32 blocks, each pair of bytes the other way round (Xbox 360).
    Tiles,
}

/// Bytes of a block and texels along its side; `None` for a format that was seen on no console.
fn block(format: TextureFormat) -> Option<(usize, u32)> {
    Some(match format {
        TextureFormat::Dxt1 => (8, 4),
        TextureFormat::Dxt3 | TextureFormat::Dxt5 => (16, 4),
        TextureFormat::Rgba8 => (4, 1),
        TextureFormat::G16 | TextureFormat::V8U8 => (2, 1),
        TextureFormat::G8 => (1, 1),
        _ => return None,
    })
}

/// Blocks across and down of a size whose tiles are whole.
fn aligned((width, height): (u32, u32), side: u32) -> (u32, u32) {
    let whole = |texels: u32| texels.div_ceil(side).next_multiple_of(TILE);
    (whole(width), whole(height))
}

impl ConsoleOrder {
    /// The order of a texture, which the sizes tell that are no whole tiles: they fill up the last ones or not. Where all
    /// are whole, the codec of the Xbox 360 does.
    ///
    /// # Errors
    /// `Unsupported` where nothing tells it.
    pub fn of(format: TextureFormat, sizes: &[StoredSize]) -> Result<Self> {
        let (bytes, side) = block(format)
            .ok_or_else(|| Error::unsupported(format!("texels of {format} on a console")))?;
        let stored = |size: &&StoredSize| size.bytes > 0;
        for size in sizes.iter().filter(stored) {
            let (across, down) = aligned((size.width, size.height), side);
            let whole = u64::from(across) * u64::from(down) * bytes as u64;
            let rows = format.data_size(size.width, size.height);
            if whole != rows && size.bytes == rows {
                return Ok(Self::Rows);
            }
            if whole != rows && size.bytes == whole {
                return Ok(Self::Tiles);
            }
        }
        match sizes.iter().any(|size| size.is_lzx) {
            true => Ok(Self::Tiles),
            false => Err(Error::unsupported(
                "nothing tells how its texels lie: those of consoles are in rows or tiles",
            )),
        }
    }

    /// The texels of a size in rows, each number with its lowest byte first.
    ///
    /// # Errors
    /// `Invalid` for another number of bytes; `Unsupported` for small sizes that lie in one tile with others.
    pub fn in_rows(
        self,
        format: TextureFormat,
        (width, height): (u32, u32),
        stored: &[u8],
    ) -> Result<Vec<u8>> {
        let (bytes, side) = block(format)
            .ok_or_else(|| Error::unsupported(format!("texels of {format} on a console")))?;
        let mut rows = match self {
            Self::Rows if side == 1 && width.is_power_of_two() && height.is_power_of_two() => {
                unmixed((width, height), bytes, stored)
            }
            Self::Rows => stored.to_vec(),
            Self::Tiles => {
                if width.min(height) <= SHARED {
                    return Err(Error::unsupported(format!(
                        "{width} by {height} texels lie in one tile with smaller sizes"
                    )));
                }
                untiled((width, height), (bytes, side), stored)?
            }
        };
        let unit = match (self, format) {
            (_, TextureFormat::Rgba8) => 4,
            (_, TextureFormat::G16 | TextureFormat::V8U8) => 2,
            (Self::Tiles, TextureFormat::Dxt1 | TextureFormat::Dxt3 | TextureFormat::Dxt5) => 2,
            _ => 1,
        };
        rows.chunks_exact_mut(unit).for_each(<[u8]>::reverse);
        if (self, format) == (Self::Rows, TextureFormat::V8U8) {
            // Vectors stand above zero there: read as on a PC, smaller sizes of a texture are no halves of larger ones.
            rows.iter_mut().for_each(|part| *part ^= 0x80);
        }
        Ok(rows)
    }
}

/// The blocks of a picture by rows.
fn untiled(size: (u32, u32), (bytes, side): (usize, u32), stored: &[u8]) -> Result<Vec<u8>> {
    let (across, down) = (size.0.div_ceil(side), size.1.div_ceil(side));
    let (wide, high) = aligned(size, side);
    let whole = u64::from(wide) * u64::from(high) * bytes as u64;
    if stored.len() as u64 != whole {
        let (count, (width, height)) = (stored.len(), size);
        return Err(Error::invalid(format!(
            "{count} bytes of texels where {width} by {height} in whole tiles take {whole}"
        )));
    }
    let mut rows = Vec::with_capacity(across as usize * down as usize * bytes);
    for y in 0..down {
        for x in 0..across {
            let start = place(x, y, wide, bytes.trailing_zeros()) as usize * bytes;
            rows.extend_from_slice(stored.get(start..start + bytes).unwrap_or_default());
        }
    }
    Ok(rows)
}

/// The number of a block among those of a picture of whole tiles: bits of column and row, mixed so that what is near to
/// each other lies near in memory. `power` is that of two for the bytes of a block.
fn place(x: u32, y: u32, wide: u32, power: u32) -> u32 {
    let tile = ((x >> 5) + (y >> 5) * (wide >> 5)) << (power + 7);
    let within = ((x & 7) + ((y & 0xE) << 2)) << power;
    let offset = tile + ((within & !0xF) << 1) + (within & 0xF) + ((y & 1) << 4);
    let mixed = ((offset & !0x1FF) << 3)
        + ((y & 16) << 7)
        + ((offset & 0x1C0) << 2)
        + (((((y & 8) >> 2) + (x >> 3)) & 3) << 6)
        + (offset & 0x3F);
    mixed >> power
}

/// The texels of a picture by rows, from the order in which bits of column and row take turns, as long as both have some.
fn unmixed((width, height): (u32, u32), bytes: usize, stored: &[u8]) -> Vec<u8> {
    let mut rows = vec![0; stored.len()];
    let shared = width.trailing_zeros().min(height.trailing_zeros());
    let place = |number: u32| {
        let every_second = |from: u32| {
            (0..shared).fold(0, |sum, bit| sum | (number >> (2 * bit + from) & 1) << bit)
        };
        let rest = number.checked_shr(2 * shared).unwrap_or(0) << shared;
        match width >= height {
            true => (every_second(0) | rest, every_second(1)),
            false => (every_second(0), every_second(1) | rest),
        }
    };
    for (number, texel) in (0..).zip(stored.chunks_exact(bytes)) {
        let (x, y) = place(number);
        let start = (y as usize * width as usize + x as usize) * bytes;
        if let Some(to) = rows.get_mut(start..start + bytes) {
            to.copy_from_slice(texel);
        }
    }
    rows
}
