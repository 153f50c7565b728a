//! Sources that are put together of several pictures beside and above each other (UDIM).

use crate::content::values::value;
use crate::error::{Error, Result, UnrealErrors};
use crate::package::Package;
use crate::property::{Elements, PropertyList, Value};

/// Places for each picture: where most are empty, few bytes would become many pixels.
const SPARSE: u64 = 4;

/// Pictures of one size that make a larger one, in the order in which they are stored. C++: `FTextureSourceBlock`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct SourceBlocks {
    /// Column and row of each; the first one is that of the source itself.
    places: Vec<(u32, u32)>,
    columns: u32,
    rows: u32,
}

impl SourceBlocks {
    /// The blocks of a texture's property `Source`, whose first one has this size; `None` where there is no other one.
    ///
    /// # Errors
    /// `Unsupported` for blocks of different sizes, with slices or smaller sizes, or for several layers.
    pub fn read(
        package: &Package,
        list: &PropertyList,
        (width, height): (u32, u32),
        is_flat: bool,
    ) -> Result<Option<Self>> {
        let layers = match value(package, list, "LayerFormat") {
            Some(Value::Array(Elements::Name(names))) => names.len(),
            Some(Value::Array(elements)) => elements.len(),
            _ => 1,
        };
        if layers > 1 {
            return Err(Error::unsupported(format!("its source has {layers} layers")));
        }
        let blocks = match value(package, list, "Blocks") {
            Some(Value::StructArray(array)) => &array.elements,
            Some(Value::Array(elements)) => elements,
            _ => return Ok(None),
        };
        let blocks = match blocks {
            Elements::Values(blocks) if !blocks.is_empty() => blocks,
            _ => return Ok(None),
        };
        let number_of = |list: &PropertyList, name, default| match value(package, list, name) {
            Some(Value::Int(number)) => u32::try_from(*number).unwrap_or(u32::MAX),
            _ => default,
        };
        let mut places = vec![(number_of(list, "BaseBlockX", 0), number_of(list, "BaseBlockY", 0))];
        for block in blocks {
            let list = block.as_list().ok_or_else(|| unlike("are stored in another form"))?;
            let number = |name, default| number_of(list, name, default);
            if (number("SizeX", 0), number("SizeY", 0)) != (width, height) {
                return Err(unlike("differ in size"));
            }
            if !is_flat || number("NumSlices", 1) > 1 || number("NumMips", 1) > 1 {
                return Err(unlike("have slices or smaller sizes"));
            }
            places.push((number("BlockX", 0), number("BlockY", 0)));
        }
        let end = |side: fn(&(u32, u32)) -> u32| {
            places.iter().map(side).max().unwrap_or(0).saturating_add(1)
        };
        let (columns, rows) = (end(|place| place.0), end(|place| place.1));
        let mut sorted = places.clone();
        sorted.sort_unstable();
        sorted.dedup();
        if sorted.len() < places.len() {
            return Err(unlike("lie on each other"));
        }
        if u64::from(columns) * u64::from(rows) > SPARSE * places.len() as u64 {
            return Err(unlike("lie far from each other"));
        }
        Ok(Some(Self { places, columns, rows }))
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.places.len()
    }

    /// Width and height of all together, where each is of this size.
    pub fn whole(&self, (width, height): (u32, u32)) -> (u32, u32) {
        (width.saturating_mul(self.columns), height.saturating_mul(self.rows))
    }

    /// The texels of the larger picture from those of its blocks, one after the other, whose rows have this many bytes.
    pub fn joined(&self, row: usize, height: u32, blocks: &[u8]) -> Vec<u8> {
        let wide = row * self.columns as usize;
        let mut whole = vec![0; wide * height as usize * self.rows as usize];
        for ((x, y), block) in self.each(row, height, blocks) {
            for (line, texels) in block.chunks_exact(row).enumerate() {
                let start = (y as usize * height as usize + line) * wide + x as usize * row;
                if let Some(place) = whole.get_mut(start..start + row) {
                    place.copy_from_slice(texels);
                }
            }
        }
        whole
    }

    /// The texels of the blocks, one after the other, from those of the larger picture.
    pub fn parted(&self, row: usize, height: u32, whole: &[u8]) -> Vec<u8> {
        let wide = row * self.columns as usize;
        let mut blocks = Vec::with_capacity(row * height as usize * self.count());
        for (x, y) in &self.places {
            for line in 0..height as usize {
                let start = (*y as usize * height as usize + line) * wide + *x as usize * row;
                blocks.extend_from_slice(whole.get(start..start + row).unwrap_or_default());
            }
        }
        blocks
    }

    fn each<'a>(
        &'a self,
        row: usize,
        height: u32,
        blocks: &'a [u8],
    ) -> impl Iterator<Item = ((u32, u32), &'a [u8])> {
        let size = (row * height as usize).max(1);
        self.places.iter().copied().zip(blocks.chunks_exact(size))
    }
}

fn unlike(how: &str) -> Error {
    Error::unsupported(format!("its source is put together of several pictures, which {how}"))
}
