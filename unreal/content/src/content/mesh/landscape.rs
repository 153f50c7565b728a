//! Landscapes of UE5: components with a part of a height map each, together in the space of their actor.

use super::height_grid::{HeightGrid, Quad};
use super::shape::{Lod, Mesh, MeshPlacement, MeshSection};
use super::source::{MeshSource, value};
use super::terrain::{STEPS, ZERO};
use crate::PackageIndex;
use crate::content::{Image, PackageContents};
use crate::error::{Error, Result};
use crate::primitive::ObjectRef;
use crate::property::{Elements, PropertyList, Value};

/// Quads of a component that are looked at: the engine's largest are of 255.
const MOST_QUADS: u32 = 1 << 10;

/// The components that a landscape names, as far as they lie in its package.
pub(super) fn mesh(source: &MeshSource<'_>) -> Result<(Mesh, Vec<PackageIndex>)> {
    let components = match source.value("LandscapeComponents") {
        Some(Value::Array(Elements::Object(components))) => components.as_slice(),
        _ => &[],
    };
    let mut made = Lod { uvs: vec![Vec::new()], ..Lod::default() };
    let (mut section, mut elsewhere) = (MeshSection::default(), 0);
    for component in components {
        let ObjectRef::Export(row) = component.target() else {
            elsewhere += 1;
            continue;
        };
        add(source, row, &mut made, &mut section).map_err(|error| {
            let path = source.package.path(*component);
            Error::invalid(format!("{path}: {error}"))
        })?;
    }
    if made.positions.is_empty() {
        return Err(Error::invalid(
            "none of its components is here: a landscape with streaming proxies is stored by those",
        ));
    }
    made.sections.push(section);
    let mut mesh = Mesh { name: source.name(), lods: vec![made], ..Mesh::default() };
    mesh.placement = placement(source);
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
fn placement(source: &MeshSource<'_>) -> MeshPlacement {
    let mut placed = MeshPlacement::default();
    if let Some(Value::Object(root)) = source.value("RootComponent")
        && let ObjectRef::Export(row) = root.target()
        && let Ok(decoded) = source.package.decode(row)
        && let Some(list) = decoded.body.lists().next()
        && let Some(scale) =
            value(source.package, list, "RelativeScale3D").and_then(Value::three_numbers)
    {
        placed.scale = scale.map(|axis| axis as f32);
    }
    placed
}

/// Adds the vertices and quads of a component.
fn add(
    source: &MeshSource<'_>,
    row: usize,
    made: &mut Lod,
    section: &mut MeshSection,
) -> Result<()> {
    let package = source.package;
    let decoded = package.decode(row)?;
    let list = decoded.body.lists().next().ok_or_else(|| Error::invalid("it is not decoded"))?;
    let count = |name| match value(package, list, name) {
        Some(Value::Int(number)) => u32::try_from(*number).unwrap_or(0),
        _ => 0,
    };
    let (quads, parts) = (count("SubsectionSizeQuads"), count("NumSubsections"));
    let whole = quads.saturating_mul(parts);
    if whole == 0 || whole > MOST_QUADS {
        return Err(Error::invalid(format!("{parts} parts of {quads} quads")));
    }
    let Some(Value::Object(texture)) = value(package, list, "HeightmapTexture") else {
        return Err(Error::invalid("it names no height map"));
    };
    let ObjectRef::Export(texture) = texture.target() else {
        return Err(Error::invalid("its height map is in another package"));
    };
    let image = package.contents().texture_image(texture)?;
    let texels = image.to_rgba();
    let corner = corner(source, list, &image);
    let place = value(package, list, "RelativeLocation").and_then(Value::three_numbers);
    let [left, top, up] = place.unwrap_or_default().map(|number| number as f32);
    let first =
        u32::try_from(made.positions.len()).map_err(|_| Error::invalid("it is too large"))?;
    for (x, y) in (0..=whole).flat_map(|y| (0..=whole).map(move |x| (x, y))) {
        // Parts have their own texels for the edge that they share.
        let texel = |at: u32| at + (at / quads).min(parts - 1);
        let (column, line) = (corner.0 + texel(x), corner.1 + texel(y));
        let at = u64::from(line) * u64::from(image.width()) + u64::from(column);
        let found = texels.get(usize::try_from(at).unwrap_or(usize::MAX));
        let [high, low, ..] = *found.filter(|_| column < image.width()).ok_or_else(|| {
            let (width, height) = (image.width(), image.height());
            Error::invalid(format!("its height map has {width} by {height} texels"))
        })?;
        let height = (f32::from(u16::from_be_bytes([high, low])) - ZERO) / STEPS;
        let (x, y) = (left + x as f32, top + y as f32);
        made.positions.push([x, y, up + height]);
        made.uvs[0].push([x, y]);
    }
    HeightGrid { first, columns: whole + 1, rows: whole + 1 }.add_to(section, |_, _| Quad::Plain);
    Ok(())
}

/// The first texel of a component's part of the height map, which several may share.
fn corner(source: &MeshSource<'_>, list: &PropertyList, image: &Image) -> (u32, u32) {
    let bias = match value(source.package, list, "HeightmapScaleBias") {
        Some(Value::Double4(four)) => [four[2], four[3]],
        Some(Value::Float4([_, _, x, y])) => [f64::from(*x), f64::from(*y)],
        _ => [0.0; 2],
    };
    let texel = |bias: f64, side: u32| (bias * f64::from(side)).round() as u32;
    (texel(bias[0], image.width()), texel(bias[1], image.height()))
}
