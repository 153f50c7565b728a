//! Other pixels for the picture that a texture was imported from.

use super::payload_edit::PayloadEdits;
use super::picture::Picture;
use super::pixel_encode::encode;
use super::pixel_format::decode;
use super::raster::{Raster, RasterTexels};
use super::source_art::SourceFacts;
use super::source_colors::set_colors;
use super::texture::{base, base_mut, source_list};
use super::texture_replace::{NewPicture, OldTexels, all_slices, filter_of};
use super::texture_resize::resize_property;
use crate::content::PackageContents;
use crate::content::mips::full_chain;
use crate::content::texture_replace::TextureChange;
use crate::content::texture_shape::TextureShape;
use crate::content::values::{set_value, value};
use crate::edit::Edit;
use crate::error::{Error, Result, UnrealErrors};
use crate::inspect::{editor_payload, payload};
use crate::object::Body;
use crate::primitive::Guid;
use crate::property::{PropertyList, Value};
use crate::version::UnrealVersions;

/// How a source is stored that is not compressed.
const PLAIN: &str = "TSCF_None";

/// Gives a texture another source; texels that show the same stay, with those of smaller sizes that are made of them.
pub(super) fn replace_source(
    edit: &mut Edit,
    row: usize,
    body: &Body,
    new: NewPicture,
) -> Result<TextureChange> {
    let texture = base(body).ok_or_else(|| Error::invalid("is no texture that can be decoded"))?;
    let is_elsewhere = texture.editor_source.payload_size > 0;
    let content = match is_elsewhere {
        false => payload(edit, &texture.source)?.0,
        true => editor_payload(edit, &texture.editor_source)?.0,
    };
    let list = source_list(edit, body)
        .ok_or_else(|| Error::invalid("does not say how its source is stored"))?;
    let mut facts = SourceFacts::read(edit, list);
    let class = edit.contents().short_class(row);
    let old = facts.unpacked(edit, body, &class, &content)?;
    new.check_shape(old.shape)?;
    let is_resized = new.size() != old.picture_size();
    let (texels, change) = match is_resized {
        false => all_slices(&old, new)?,
        true if facts.whole() != (facts.width, facts.height) => {
            let ((wide, high), (width, height)) = (new.size(), facts.whole());
            return Err(Error::invalid(format!(
                "the picture is {wide} by {high}, the pictures of the source together {width} by {height}: scale the \
                 picture to that"
            )));
        }
        true => facts.resized(&old, new)?,
    };
    if !is_resized && texels == old.bytes {
        return Ok(TextureChange::default());
    }
    // What has no loss can't go into a file that has.
    let is_lossy = SourceFacts::stored_file(&content) == Some("jpg") && facts.is_file();
    if is_lossy {
        facts.compression.clear();
    }
    let first = texels.first().map(Vec::as_slice).unwrap_or_default();
    let picture = Raster::of(decode(&old.format, facts.whole(), first)?);
    let plain_texels = texels.concat();
    let content = facts.packed(texels)?;
    let plain_name = is_lossy.then(|| edit.add_name(PLAIN)).transpose()?;
    let id = new_id(edit, list, &facts, &plain_texels, &content)?;
    let (source, editor_source) = match is_elsewhere {
        false => (Some(edit.set_payload(&texture.source, content)?), None),
        true => (None, Some(edit.set_editor_payload(&texture.editor_source, &content)?)),
    };
    let package = edit.clone();
    let sides = (side(facts.width), side(facts.height));
    edit.change_body(row, |body| {
        if let Some(texture) = base_mut(body) {
            texture.source = source.unwrap_or_else(|| texture.source.clone());
            texture.editor_source = editor_source.unwrap_or_else(|| texture.editor_source.clone());
        }
        if is_resized {
            resize_property(&package, body, sides)?;
        }
        let Some(list) = source_list_mut(&package, body) else { return Ok(()) };
        if let Some(id) = id {
            set_value(&package, list, "Id", id);
        }
        if is_resized {
            set_value(&package, list, "SizeX", Value::Int(sides.0));
            set_value(&package, list, "SizeY", Value::Int(sides.1));
            set_value(&package, list, "NumMips", Value::Int(side(facts.mips)));
        }
        set_colors(&package, list, &picture)?;
        if let Some(name) = plain_name {
            set_value(&package, list, "CompressionFormat", Value::Name(name));
        }
        Ok(())
    })?;
    Ok(change)
}

fn side(side: u32) -> i32 {
    i32::try_from(side).unwrap_or(i32::MAX)
}

/// The property `Source`, to be changed.
fn source_list_mut<'a>(package: &Edit, body: &'a mut Body) -> Option<&'a mut PropertyList> {
    let list = body.lists_mut().next()?;
    let source = list.properties.iter_mut().find(|property| {
        property.name_text(|name| package.name_text(name)).eq_ignore_ascii_case("Source")
    })?;
    match source.value_mut() {
        Value::List(list) => Some(list),
        _ => None,
    }
}

/// The name of a source: derived data is looked for under it, so that another source has another one. Where UE5 takes
/// a hash for it, that is of the texels (filtered sources of real packages show it) or of what is stored; where the
/// engine takes a random one, and in UE4, ours is made of the old one and the content, so that the same edit gives the
/// same package.
fn new_id(
    edit: &Edit,
    list: &PropertyList,
    facts: &SourceFacts,
    texels: &[u8],
    content: &[u8],
) -> Result<Option<Value>> {
    let old = match value(edit, list, "Id") {
        None => return Ok(None),
        Some(Value::Guid(old)) => *old,
        Some(_) => return Err(Error::unsupported("its Id has an unknown form")),
    };
    let is_hash = matches!(value(edit, list, "bGuidIsHash"), Some(Value::Bool(true)));
    let id = match is_hash && edit.versions().ue5() > 0 {
        true if facts.is_delta() => guid(blake3::hash(texels).as_bytes()),
        true => guid(blake3::hash(content).as_bytes()),
        false => derived(old, content),
    };
    Ok(Some(Value::Guid(id)))
}

/// A name that is made of another one and of what it names.
pub(super) fn derived(old: Guid, content: &[u8]) -> Guid {
    let mut hasher = blake3::Hasher::new();
    hasher.update(&[old.a, old.b, old.c, old.d].map(u32::to_le_bytes).concat());
    hasher.update(content);
    guid(hasher.finalize().as_bytes())
}

/// The first bytes of a hash.
fn guid(hash: &[u8; 32]) -> Guid {
    let word = |at: usize| {
        let bytes = hash.as_chunks::<4>().0.get(at).copied().unwrap_or_default();
        u32::from_le_bytes(bytes)
    };
    Guid { a: word(0), b: word(1), c: word(2), d: word(3) }
}

impl SourceFacts {
    /// Whether what is stored is a picture file.
    fn is_file(&self) -> bool {
        !self.compression.is_empty() && !self.is_delta()
    }

    /// Width and height of each size.
    fn sizes(&self) -> Vec<(u32, u32)> {
        let (width, height) = (self.width, self.height);
        let shrunk = |side: u32, level: u32| side.checked_shr(level).unwrap_or(0).max(1);
        (0..self.mips.clamp(1, 32)).map(|at| (shrunk(width, at), shrunk(height, at))).collect()
    }

    /// The texels of all sizes, without compression.
    fn unpacked(&self, edit: &Edit, body: &Body, class: &str, content: &[u8]) -> Result<OldTexels> {
        let blocks = self.blocks.as_ref().map_err(|why| Error::unsupported(why.clone()))?;
        let format = self.format_name();
        let layout = self
            .layout()
            .ok_or_else(|| Error::unsupported(format!("its source has the format '{format}'")))?;
        let (sizes, slices) = (self.sizes(), self.slices.max(1) as usize);
        let shape = self.shape(class);
        let is_flat = sizes.len() == 1;
        let file = SourceFacts::stored_file(content).filter(|_| self.is_file());
        let filter = filter_of(edit, body, &format);
        if self.is_file() && file.is_none() {
            let how = &self.compression;
            return Err(Error::unsupported(format!("its source is compressed as {how}")));
        }
        if file.is_some() {
            let mut raster = Raster::read(content)?;
            let (width, height) = self.picture_size();
            if !is_flat || (raster.width, raster.height) != (width, height) {
                let (wide, high) = (raster.width, raster.height);
                return Err(Error::unsupported(format!(
                    "its source is a file of {wide} by {high} pixels and not of {width} by {height}"
                )));
            }
            if self.is_swapped() {
                swap(&mut raster);
            }
            // A texel tells the kind of pixels.
            let kind = Raster::of(decode(&format, (1, 1), &vec![0; layout.size()])?).texels;
            let bytes = vec![encode(&format, &raster.into_kind_of(&kind)?, None)?];
            return match blocks {
                None => Ok(OldTexels { format, filter, shape, sizes, bytes }),
                Some(_) => Err(Error::unsupported("its source is a file of several pictures")),
            };
        }
        let pictures = blocks.as_ref().map_or(slices, |blocks| blocks.count());
        let (mut bytes, mut rest) = (Vec::with_capacity(sizes.len()), content);
        for (width, height) in &sizes {
            let size = u64::from(*width) * u64::from(*height) * layout.size() as u64;
            let size = usize::try_from(size).ok().and_then(|size| size.checked_mul(pictures));
            let level = size.filter(|size| *size > 0).and_then(|size| rest.split_at_checked(size));
            let (level, behind) = level.ok_or_else(|| self.another_length(content))?;
            let mut texels = level.to_vec();
            if self.is_delta() {
                self.undo_delta(layout, (*width, *height), &mut texels)?;
            }
            if let Some(blocks) = blocks {
                texels = blocks.joined(*width as usize * layout.size(), *height, &texels);
            }
            bytes.push(texels);
            rest = behind;
        }
        if !rest.is_empty() {
            return Err(self.another_length(content));
        }
        let sizes = if blocks.is_some() { vec![self.whole()] } else { sizes };
        Ok(OldTexels { format, filter, shape, sizes, bytes })
    }

    fn another_length(&self, content: &[u8]) -> Error {
        let (width, height, slices, mips) = (self.width, self.height, self.slices, self.mips);
        let (length, format) = (content.len(), &self.format);
        Error::unsupported(format!(
            "{length} bytes of source are not {mips} sizes of {slices} pictures of {width} by {height} texels of \
             {format}"
        ))
    }

    fn picture_size(&self) -> (u32, u32) {
        let (width, height) = self.whole();
        (width, height.saturating_mul(self.slices.max(1)))
    }

    /// How its pictures belong together in a texture of this class. Cubes are made of views all around as well, and volumes
    /// of a sheet with all slices; smaller sizes of a source have as many pictures as the largest.
    fn shape(&self, class: &str) -> TextureShape {
        let slices = self.slices.max(1);
        match TextureShape::of_class(class, slices) {
            Ok(TextureShape::Volume(2..)) if self.mips <= 1 => TextureShape::Volume(slices),
            Ok(TextureShape::Cubes(cubes)) if self.width == self.height => {
                TextureShape::Cubes(cubes)
            }
            _ => TextureShape::array(slices),
        }
    }

    /// Takes another size; the texels of all its sizes.
    fn resized(
        &mut self,
        old: &OldTexels,
        new: NewPicture,
    ) -> Result<(Vec<Vec<u8>>, TextureChange)> {
        let first = old.sizes.first().copied().zip(old.bytes.first());
        let (size, bytes) = first.ok_or_else(|| Error::invalid("has no texels"))?;
        let kind = Raster::of(decode(&old.format, size, bytes)?).texels;
        let (mut slices, texels) = new.into_slices((old.shape, size), &old.format, &kind)?;
        let missing = full_chain(self.width, self.height).saturating_sub(old.sizes.len());
        (self.width, self.height) = slices.size();
        if self.mips > 1 {
            let count = full_chain(self.width, self.height).saturating_sub(missing).max(1);
            self.mips = u32::try_from(count).unwrap_or(1);
        }
        let mut levels = Vec::new();
        for level in 0..self.sizes().len() {
            if level > 0 {
                slices = slices.halved(old.filter);
            }
            levels.push(slices.encode(&old.format)?);
        }
        Ok((levels, TextureChange { texels, resized: true, ..TextureChange::default() }))
    }

    /// The texels of all sizes as they are stored.
    fn packed(&self, mut levels: Vec<Vec<u8>>) -> Result<Vec<u8>> {
        if self.is_file() {
            let (Some(texels), [size]) = (levels.first(), &self.sizes()[..]) else {
                return Err(Error::unsupported("its source is a file and has several sizes"));
            };
            let picture = decode(&self.format_name(), *size, texels)?;
            let picture = match picture {
                Picture::Image(image) if self.is_swapped() => Picture::Image(image.exchanged()?),
                picture => picture,
            };
            return match picture.file()? {
                ("png", file) => Ok(file),
                _ => Err(Error::unsupported("its source is a PNG with colours without bounds")),
            };
        }
        if let (Ok(Some(blocks)), Some(layout)) = (&self.blocks, self.layout()) {
            let row = self.width as usize * layout.size();
            for texels in &mut levels {
                let parted = blocks.parted(row, self.height, texels);
                if blocks.joined(row, self.height, &parted) != *texels {
                    return Err(Error::invalid(
                        "the picture shows something where the source has no picture: leave that empty",
                    ));
                }
                *texels = parted;
            }
        }
        if let (true, Some(layout)) = (self.is_delta(), self.layout()) {
            for (size, texels) in self.sizes().into_iter().zip(&mut levels) {
                self.filter(layout, size, texels)?;
            }
        }
        Ok(levels.concat())
    }
}

/// Red and blue in each other's place.
fn swap(raster: &mut Raster) {
    if let RasterTexels::Bytes(texels) = &mut raster.texels {
        texels.iter_mut().for_each(|texel| texel.swap(0, 2));
    }
}
