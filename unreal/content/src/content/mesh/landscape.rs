//! Landscapes of UE4 and UE5: components with a part of a height map each, together in the space of their actor. Painted holes are
//! not cut out.

use std::collections::{HashMap, HashSet};

use super::height_grid::{HeightGrid, Quad};
use super::shape::{Lod, Mesh, MeshSection};
use super::source::{MOST_MOVED, MeshSource, value};
use super::terrain::units;
use crate::PackageIndex;
use crate::content::{Image, PackageContents};
use crate::error::{Error, Result};
use crate::package::Package;
use crate::primitive::ObjectRef;
use crate::property::{Elements, PropertyList, Value};

/// Quads of a component that are looked at: the engine's largest are of 255.
const MOST_QUADS: u32 = 1 << 10;
/// Texels of all height maps.
const MOST_TEXELS: usize = 1 << 26;
/// The size of a landscape that says none. C++: `ALandscapeProxy::ALandscapeProxy`.
const SCALE: [f32; 3] = [128.0, 128.0, 256.0];

/// The components that a landscape names, as far as they lie in its package.
pub(super) fn mesh(source: &MeshSource<'_>) -> Result<(Mesh, Vec<PackageIndex>)> {
    let components = match source.value("LandscapeComponents") {
        Some(Value::Array(Elements::Object(components))) => components.as_slice(),
        _ => &[],
    };
    let mut ground = LandscapeGround {
        package: source.package,
        maps: HashMap::new(),
        texels: 0,
        lod: Lod::default(),
        section: MeshSection::default(),
    };
    ground.lod.uvs.push(Vec::new());
    let (mut seen, mut elsewhere) = (HashSet::new(), 0);
    for component in components {
        match component.target() {
            ObjectRef::Export(row) if seen.insert(row) => ground.add(row).map_err(|error| {
                let path = source.package.path(*component);
                Error::invalid(format!("{path}: {error}"))
            })?,
            ObjectRef::Import(_) => elsewhere += 1,
            _ => {}
        }
    }
    let LandscapeGround { mut lod, section, .. } = ground;
    if lod.positions.is_empty() {
        return Err(Error::invalid(
            "none of its components is here: a landscape with streaming proxies is stored by those",
        ));
    }
    lod.sections.push(section);
    let mut mesh = Mesh { name: source.name(), lods: vec![lod], ..Mesh::default() };
    mesh.placement.scale = scale(source).unwrap_or(SCALE);
    if elsewhere > 0 {
        mesh.notes.push(format!("components in other packages: {elsewhere}, left out"));
    }
    let material = match source.value("LandscapeMaterial") {
        Some(Value::Object(index)) => *index,
        _ => PackageIndex::NULL,
    };
    Ok((mesh, vec![material]))
}

/// The size of the actor's root: a quad of a landscape is one unit.
fn scale(source: &MeshSource<'_>) -> Option<[f32; 3]> {
    let Some(Value::Object(root)) = source.value("RootComponent") else { return None };
    let ObjectRef::Export(row) = root.target() else { return None };
    let decoded = source.package.decode(row).ok()?;
    let list = decoded.body.lists().next()?;
    let scale = value(source.package, list, "RelativeScale3D").and_then(Value::three_numbers)?;
    Some(scale.map(|axis| axis as f32))
}

/// The components so far.
struct LandscapeGround<'a> {
    package: &'a Package,
    /// Height maps by row: components share them.
    maps: HashMap<usize, HeightMap>,
    texels: usize,
    lod: Lod,
    section: MeshSection,
}

struct HeightMap {
    width: u32,
    height: u32,
    texels: Vec<[u8; 4]>,
}

impl LandscapeGround<'_> {
    /// Adds the vertices and quads of a component.
    fn add(&mut self, row: usize) -> Result<()> {
        let package = self.package;
        let decoded = package.decode(row)?;
        let list =
            decoded.body.lists().next().ok_or_else(|| Error::invalid("it is not decoded"))?;
        let count = |name| match value(package, list, name) {
            Some(Value::Int(number)) => u32::try_from(*number).unwrap_or(0),
            _ => 0,
        };
        let (quads, parts) = (count("SubsectionSizeQuads"), count("NumSubsections"));
        let whole = quads.saturating_mul(parts);
        if whole == 0 || whole > MOST_QUADS {
            return Err(Error::invalid(format!("{parts} parts of {quads} quads")));
        }
        let side = whole as usize + 1;
        let first = self.lod.positions.len();
        if first + side * side > MOST_MOVED {
            return Err(Error::invalid("the landscape has more vertices than are written"));
        }
        let Some(Value::Object(texture)) = value(package, list, "HeightmapTexture") else {
            return Err(Error::invalid("it names no height map"));
        };
        let ObjectRef::Export(texture) = texture.target() else {
            return Err(Error::invalid("its height map is in another package"));
        };
        if !self.maps.contains_key(&texture) {
            let image = package.contents().texture_image(texture)?;
            self.texels += image.width() as usize * image.height() as usize;
            if self.texels > MOST_TEXELS {
                return Err(Error::invalid("the height maps have more texels than are read"));
            }
            self.maps.insert(texture, HeightMap::of(&image));
        }
        let Some(map) = self.maps.get(&texture) else { return Ok(()) };
        let (left, top) = map.corner(package, list)?;
        let place = value(package, list, "RelativeLocation").and_then(Value::three_numbers);
        let [west, north, up] = place.unwrap_or_default().map(|number| number as f32);
        // Parts have their own texels for the edge that they share.
        let texel = |at: u32| at + (at / quads).min(parts - 1);
        for (x, y) in (0..=whole).flat_map(|y| (0..=whole).map(move |x| (x, y))) {
            let height = map.height_at(left + texel(x), top + texel(y))?;
            let (x, y) = (west + x as f32, north + y as f32);
            self.lod.positions.push([x, y, up + height]);
            self.lod.uvs[0].push([x, y]);
        }
        let grid = HeightGrid { first: first as u32, columns: whole + 1, rows: whole + 1 };
        grid.add_to(&mut self.section, |_, _| Quad::Plain);
        Ok(())
    }
}

impl HeightMap {
    fn of(image: &Image) -> Self {
        Self { width: image.width(), height: image.height(), texels: image.to_rgba() }
    }

    /// The height of a texel: red and green.
    fn height_at(&self, column: u32, line: u32) -> Result<f32> {
        let at = line as usize * self.width as usize + column as usize;
        let found = self.texels.get(at).filter(|_| column < self.width);
        let [high, low, ..] = found.ok_or_else(|| {
            let (width, height) = (self.width, self.height);
            Error::invalid(format!("its height map has {width} by {height} texels"))
        })?;
        Ok(units(u16::from_be_bytes([*high, *low])))
    }

    /// The first texel of a component's part.
    fn corner(&self, package: &Package, list: &PropertyList) -> Result<(u32, u32)> {
        let bias = match value(package, list, "HeightmapScaleBias") {
            Some(Value::Double4(four)) => [four[2], four[3]],
            Some(Value::Float4([_, _, x, y])) => [f64::from(*x), f64::from(*y)],
            _ => [0.0; 2],
        };
        // Below it the sums of texels stay small.
        if !bias.iter().all(|bias| (0.0..1.0).contains(bias)) {
            return Err(Error::invalid("its part begins beyond its height map"));
        }
        let texel = |bias: f64, side: u32| (bias * f64::from(side)).round() as u32;
        Ok((texel(bias[0], self.width), texel(bias[1], self.height)))
    }
}
