//! The polygons of brushes as `Begin Brush` blocks.

use super::block::ObjectBlock;
use crate::content::map_text::{MapTextBrush, MapTextPolygon};
use crate::error::Result;
use crate::inspect::{EditorScope, editor_path, polygons_of};
use crate::object::geometry::Vector;
use crate::object::{ue3, ue4};
use crate::package::{Package, native_as};
use crate::primitive::{Name, ObjectRef, PackageIndex};
use crate::version::UnrealVersions;

/// Spaces before the first line of a brush's text, which a block brings itself.
const INDENT: usize = 4;

/// A model as a block: its polygons, and what of them the text has no words for; `None` where it has none of its own.
///
/// # Errors
/// `NotFound` for a row that is not there.
pub(super) fn block(
    package: &Package,
    model: usize,
    scope: &EditorScope,
) -> Result<Option<(ObjectBlock, bool)>> {
    let decoded = package.decode(model)?;
    let polys = polygons_of(&decoded.body).map(PackageIndex::target);
    let Some(ObjectRef::Export(polys)) = polys else { return Ok(None) };
    let decoded = package.decode(polys)?;
    let reader = PolygonReader { package, scope };
    let polygons: Vec<MapTextPolygon> =
        if let Some(polys) = native_as::<ue4::world::polys::Polys>(&decoded.body) {
            polys.polygons.iter().map(|it| reader.ue4(it)).collect()
        } else if let Some(polys) = native_as::<ue3::world::polys::Polys>(&decoded.body) {
            polys.polys.iter().map(|it| reader.ue3(it)).collect()
        } else {
            return Ok(None);
        };
    let default = MapTextPolygon::default().light_map_scale.to_bits();
    let has_scale = polygons.iter().any(|it| it.light_map_scale.to_bits() != default);
    let polygons = polygons
        .into_iter()
        .map(|it| MapTextPolygon { light_map_scale: f32::from_bits(default), ..it })
        .collect();
    let name = package.object_name(PackageIndex::export(model));
    let text = MapTextBrush { name: name.clone(), polygons }.to_string();
    // The first and the last line are those of the block.
    let lines: Vec<&str> = text.lines().collect();
    let inner = lines.get(1..lines.len().saturating_sub(1)).unwrap_or_default();
    let lines = inner.iter().map(|line| line.get(INDENT + 3..).unwrap_or_default().to_owned());
    let attributes = format!("Name={name}");
    let is_filled_later = package.versions().has_soft_references();
    let block = ObjectBlock {
        kind: "Brush",
        name: if is_filled_later { attributes.clone() } else { String::new() },
        attributes,
        lines: lines.collect(),
        ..ObjectBlock::default()
    };
    Ok(Some((block, has_scale)))
}

struct PolygonReader<'a> {
    package: &'a Package,
    scope: &'a EditorScope,
}

impl PolygonReader<'_> {
    fn ue4(&self, polygon: &ue4::world::polys::Polygon) -> MapTextPolygon {
        MapTextPolygon {
            light_map_scale: polygon.light_map_scale,
            ..self.polygon(
                (polygon.item_name, polygon.material),
                (polygon.poly_flags, polygon.link),
                [polygon.base, polygon.normal, polygon.texture_u, polygon.texture_v],
                &polygon.vertices,
            )
        }
    }

    fn ue3(&self, polygon: &ue3::world::polys::Poly) -> MapTextPolygon {
        MapTextPolygon {
            light_map_scale: polygon.shadow_map_scale,
            ..self.polygon(
                (polygon.item_name, polygon.material),
                (polygon.poly_flags, polygon.link),
                [polygon.base, polygon.normal, polygon.texture_u, polygon.texture_v],
                &polygon.vertices,
            )
        }
    }

    fn polygon(
        &self,
        (item, material): (Name, PackageIndex),
        (flags, link): (u32, i32),
        [origin, normal, texture_u, texture_v]: [Vector; 4],
        vertices: &[Vector],
    ) -> MapTextPolygon {
        let item = self.package.name_text(item);
        MapTextPolygon {
            item: if item.eq_ignore_ascii_case("None") { String::new() } else { item },
            texture: editor_path(self.package, material, PackageIndex::NULL, self.scope),
            flags,
            link,
            origin,
            normal,
            texture_u,
            texture_v,
            vertices: vertices.to_vec(),
            ..MapTextPolygon::default()
        }
    }
}
