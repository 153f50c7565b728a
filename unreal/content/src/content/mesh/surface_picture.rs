//! The pictures of a material as files of glTF have them.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::Arc;

use super::material::MeshOptions;
use super::material_level::{LevelChannel, SurfaceLevel};
use super::object_at::ObjectAt;
use super::shape::MeshMaterial;
use super::source::{is_true, value};
use super::surface::MaterialSurface;
use crate::content::{Image, PackageContents};
use crate::version::UnrealVersions;

/// Pictures that are made already: materials share textures, and meshes of a level share materials.
#[derive(Debug, Default)]
pub(super) struct SurfacePictures {
    made: HashMap<PictureKey, MadePicture>,
}

/// A picture that was asked for.
#[derive(Debug)]
struct MadePicture {
    /// The file; `None` where it can't be made.
    png: Option<Arc<[u8]>>,
    /// What it is made of, which keeps packages open: places of bytes tell them apart.
    _of: Vec<ObjectAt>,
}

/// What a picture is made of.
#[derive(Debug, PartialEq, Eq, Hash)]
enum PictureKey {
    Base((usize, usize)),
    Normal((usize, usize)),
    /// Roughness and metal.
    Levels([Option<LevelKey>; 2]),
}

/// A channel of a texture with the line through it, bit by bit.
#[derive(Debug, PartialEq, Eq, Hash)]
struct LevelKey {
    texture: (usize, usize),
    channel: usize,
    line: [u32; 2],
}

impl SurfacePictures {
    /// Gives a material what its surface shows.
    pub fn add(
        &mut self,
        made: &mut MeshMaterial,
        surface: &MaterialSurface,
        options: &MeshOptions<'_>,
    ) {
        made.masked |= surface.masked;
        made.opacity = made.opacity.or(surface.opacity);
        made.two_sided |= surface.two_sided;
        // Files have no words for what is no number.
        if let Some(color) = surface.color.filter(|color| color.iter().all(|it| it.is_finite())) {
            made.color = color.map(|part| part.clamp(0.0, 1.0));
        }
        if let Some(at) = &surface.base {
            made.picture = self
                .picture(PictureKey::Base(at.key()), &[at], || image(at, options)?.to_png().ok());
        }
        if let Some(at) = &surface.normal {
            made.normals = self.picture(PictureKey::Normal(at.key()), &[at], || {
                normals(at, options)?.to_png().ok()
            });
        }
        let sides = [&surface.roughness, &surface.metallic];
        let numbers = [&mut made.roughness, &mut made.metallic];
        for (level, number) in sides.iter().zip(numbers) {
            match level {
                Some(SurfaceLevel::Number(level)) if level.is_finite() => {
                    *number = level.clamp(0.0, 1.0);
                }
                _ => {}
            }
        }
        let channels = sides.map(|level| match level {
            Some(SurfaceLevel::Channel(it)) => {
                Some(&**it).filter(|it| it.scale.is_finite() && it.offset.is_finite())
            }
            _ => None,
        });
        let objects: Vec<&ObjectAt> = channels.iter().flatten().map(|it| &it.texture).collect();
        if objects.is_empty() {
            return;
        }
        let key = |it: &LevelChannel| LevelKey {
            texture: it.texture.key(),
            channel: it.channel,
            line: [it.scale.to_bits(), it.offset.to_bits()],
        };
        let key = PictureKey::Levels(channels.map(|it| it.map(key)));
        let flat = [made.roughness, made.metallic];
        made.levels =
            self.picture(key, &objects, || levels(channels, flat, options)?.to_png().ok());
    }

    fn picture(
        &mut self,
        key: PictureKey,
        of: &[&ObjectAt],
        make: impl FnOnce() -> Option<Vec<u8>>,
    ) -> Option<Arc<[u8]>> {
        match self.made.entry(key) {
            Entry::Occupied(known) => known.get().png.clone(),
            Entry::Vacant(place) => {
                let of = of.iter().copied().cloned().collect();
                place.insert(MadePicture { png: make().map(Arc::from), _of: of }).png.clone()
            }
        }
    }
}

fn image(at: &ObjectAt, options: &MeshOptions<'_>) -> Option<Image> {
    at.package.contents().texture_image_beside(at.row, options.folders).ok()
}

/// Whether a texture has this property, and what it is where its class does not say it otherwise.
fn is_set(at: &ObjectAt, property: &str, default: bool) -> bool {
    let stored = || {
        let decoded = at.package.decode(at.row).ok()?;
        value(&at.package, decoded.body.lists().next()?, property).map(is_true)
    };
    stored().unwrap_or(default)
}

/// Normals with green upwards, as glTF has them: Unreal's green points downwards, but in sources that say otherwise.
fn normals(at: &ObjectAt, options: &MeshOptions<'_>) -> Option<Image> {
    let image = image(at, options)?;
    let is_source = at.package.versions().has_editor_only_data();
    if is_source && is_set(at, "bFlipGreenChannel", false) {
        return Some(image);
    }
    let turned = image.to_rgba().into_iter().map(|[x, y, z, a]| [x, 255 - y, z, a]).collect();
    Image::from_rgba(image.width(), image.height(), turned).ok()
}

/// Roughness in green and metal in blue; where only one of them has a texture, the other is the same everywhere.
fn levels(
    channels: [Option<&LevelChannel>; 2],
    flat: [f32; 2],
    options: &MeshOptions<'_>,
) -> Option<Image> {
    let sheets = channels.map(|it| it.and_then(|it| LevelSheet::of(it, options)));
    let first = sheets.iter().flatten().next()?;
    let (width, height) = (first.width, first.height);
    let mut pixels = Vec::with_capacity(width as usize * height as usize);
    for y in 0..height {
        for x in 0..width {
            let level = |side: usize| match &sheets[side] {
                Some(sheet) => sheet.at(x, y, (width, height)),
                None => (flat[side] * 255.0).round() as u8,
            };
            pixels.push([255, level(0), level(1), 255]);
        }
    }
    Image::from_rgba(width, height, pixels).ok()
}

/// A channel of a texture as levels.
struct LevelSheet {
    width: u32,
    height: u32,
    levels: Vec<u8>,
}

impl LevelSheet {
    fn of(it: &LevelChannel, options: &MeshOptions<'_>) -> Option<Self> {
        let image = image(&it.texture, options)?;
        // The game makes colours of such a texture linear, but not its alpha; classes say that unless a texture does not.
        let is_late = it.texture.package.versions().has_soft_references();
        let is_curved = it.channel < 3 && is_set(&it.texture, "SRGB", is_late);
        let level = |byte: u8| {
            let stored = f32::from(byte) / 255.0;
            let linear = match is_curved {
                true if stored <= 0.040_45 => stored / 12.92,
                true => ((stored + 0.055) / 1.055).powf(2.4),
                false => stored,
            };
            ((linear * it.scale + it.offset).clamp(0.0, 1.0) * 255.0).round() as u8
        };
        let table: [u8; 256] = std::array::from_fn(|byte| level(byte as u8));
        let levels = image.to_rgba().into_iter().map(|texel| table[usize::from(texel[it.channel])]);
        let levels = levels.collect();
        Some(Self { width: image.width(), height: image.height(), levels })
    }

    /// The level at a point of a picture of this size.
    fn at(&self, x: u32, y: u32, (width, height): (u32, u32)) -> u8 {
        let along = |at: u32, of: u32, side: u32| {
            (u64::from(at) * u64::from(side) / u64::from(of.max(1))) as usize
        };
        let row = along(y, height, self.height) * self.width as usize;
        self.levels.get(row + along(x, width, self.width)).copied().unwrap_or(0)
    }
}
