//! Other pixels for virtual textures.

use std::collections::BTreeMap;

use sha1::{Digest, Sha1};

use super::early_tiles::EarlyTiles;
use super::pixel_encode::{encode_part, is_made};
use super::pixel_format::{TexelLayout, layout_of};
use super::texture::layers_mut;
use super::texture_replace::{NewPicture, StoredEnum, changed, enum_value, filter_of, put};
use super::virtual_resize::resize_tiles;
use super::virtual_texture::{Address, TileLayer, check_area, fail, missing};
use crate::content::mips::Changes;
use crate::content::texture_replace::TextureChange;
use crate::content::texture_shape::TextureShape;
use crate::edit::Edit;
use crate::error::{Error, Result, UnrealErrors};
use crate::inspect::payload;
use crate::object::Body;
use crate::object::ue4::asset::virtual_texture::VirtualTextureData;

/// Gives the first layer of a virtual texture other pixels, in every size and in the borders of tiles that show them.
pub(super) fn replace_tiles(
    edit: &mut Edit,
    row: usize,
    body: &Body,
    data: &VirtualTextureData,
    new: NewPicture,
) -> Result<TextureChange> {
    new.check_shape(TextureShape::Flat)?;
    let early = match data.tiles.is_empty() {
        true => {
            check_area(data)?;
            let tiles = EarlyTiles::of(edit, data)?;
            let even = tiles.even(data, data.tile_of_mip.len().saturating_sub(1))?;
            Some((tiles, even))
        }
        false => None,
    };
    let stored = data;
    let data = early.as_ref().map_or(data, |(_, even)| &even.data);
    let layer = TileLayer::of(edit, data)?;
    let address = ["AddressX", "AddressY"].map(|name| address_of(edit, body, name));
    let filter = filter_of(edit, body, &layer.format);
    if new.size() != layer.size(0) && early.is_none() {
        return resize_tiles(edit, row, &layer, new, (filter, address));
    }
    if new.size() != layer.size(0) {
        let ((width, height), (wide, high)) = (new.size(), layer.size(0));
        return Err(Error::unsupported(format!(
            "the picture is {width} by {height}, the virtual texture of UE4 {wide} by {high}, of which no other size is made \
             here: scale the picture to that"
        )));
    }
    let read = early.iter().map(|(_, even)| (0, even.texels.clone())).collect();
    let mut chunks = ReadChunks { edit, data, read };
    let shown = layer.picture(0, &layer.tiles(0)?, chunks.texels(layer.chunk(0)?)?)?;
    let (mut upper, mut changes) = changed(&layer.format, shown.into_picture()?, new)?;
    let texels = changes.count();
    if texels == 0 {
        return Ok(TextureChange::default());
    }
    for level in 0..layer.levels() {
        let (chunk, tiles) = (layer.chunk(level)?, layer.tiles(level)?);
        if level > 0 {
            let mut lower = layer.picture(level, &tiles, chunks.texels(chunk)?)?;
            changes = changes.halved();
            upper.shrink(&mut lower, &changes, filter);
            upper = lower;
        }
        for (x, y, range) in tiles {
            let source = |i, j| layer.source(level, (x, y), (i, j), address);
            let side = layer.side;
            let places = (0..side).flat_map(|j| (0..side).map(move |i| (i, j)));
            let at = places.map(|(i, j)| source(i, j)).map(|(x, y)| changes.has(x, y)).collect();
            let own = Changes::of(side, side, at);
            if own.count() == 0 {
                continue;
            }
            let range = range.ok_or_else(|| fail("with a tile that has no texels"))?;
            let texels = chunks.texels(chunk)?;
            let tile = layer.tile(texels, range.clone())?;
            let tile = tile.with_changes(&upper.gathered(side, side, source), &own);
            let old = texels.get(range.clone()).ok_or_else(missing)?;
            let made = encode_part(&layer.format, &tile, (old, &own));
            let made = made.map_err(|error| of_tiles(&layer.format, error))?;
            let place = texels.get_mut(range).filter(|place| place.len() == made.len());
            place.ok_or_else(missing)?.copy_from_slice(&made);
        }
    }
    let mut read = chunks.read;
    if let Some((tiles, even)) = &early {
        let new = read.remove(&0).unwrap_or_default();
        tiles.replace(edit, row, stored, (even, &new))?;
        return Ok(TextureChange { texels, ..TextureChange::default() });
    }
    let mut changed = Vec::with_capacity(read.len());
    for (at, texels) in read {
        let Some(chunk) = data.chunks.get(at) else {
            continue;
        };
        let hash: [u8; 20] = Sha1::digest(&texels).into();
        changed.push((at, hash, put(edit, &chunk.bulk, texels)?));
    }
    edit.change_body(row, |body| {
        let tiles = layers_mut(body)?.virtual_data.as_mut();
        let chunks = tiles.map(|tiles| &mut tiles.chunks).ok_or_else(missing)?;
        for (at, hash, bulk) in changed {
            if let Some(chunk) = chunks.get_mut(at) {
                (chunk.hash, chunk.bulk) = (hash, bulk);
            }
        }
        Ok(())
    })?;
    Ok(TextureChange { texels, ..TextureChange::default() })
}

/// An error about a tile, without the advice that helps other textures alone.
pub(super) fn of_tiles(format: &str, error: Error) -> Error {
    match layout_of(format) {
        Ok(TexelLayout::FloatBlocks(_)) => {}
        Ok(TexelLayout::Blocks(kind)) if !is_made(kind) => {}
        _ => return error,
    }
    Error::unsupported(format!(
        "texels of {format} can be decoded, not made, and virtual textures take none of a DDS file as they are"
    ))
}

/// The texels of chunks, read where they are asked for.
struct ReadChunks<'a> {
    edit: &'a Edit,
    data: &'a VirtualTextureData,
    read: BTreeMap<usize, Vec<u8>>,
}

impl ReadChunks<'_> {
    fn texels(&mut self, chunk: usize) -> Result<&mut Vec<u8>> {
        use std::collections::btree_map::Entry;
        match self.read.entry(chunk) {
            Entry::Occupied(known) => Ok(known.into_mut()),
            Entry::Vacant(place) => {
                let chunk = self.data.chunks.get(chunk).ok_or_else(missing)?;
                Ok(place.insert(payload(self.edit, &chunk.bulk)?.0))
            }
        }
    }
}

/// What a texture says of the pixels beyond its edges: the first value of the enum where it says nothing.
fn address_of(edit: &Edit, body: &Body, property: &str) -> Address {
    match enum_value(edit, body, property) {
        Some(StoredEnum::Name(name)) if name.ends_with("TA_Clamp") => Address::Clamp,
        Some(StoredEnum::Name(name)) if name.ends_with("TA_Mirror") => Address::Mirror,
        Some(StoredEnum::Number(1)) => Address::Clamp,
        Some(StoredEnum::Number(2)) => Address::Mirror,
        _ => Address::Wrap,
    }
}
