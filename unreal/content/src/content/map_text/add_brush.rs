//! Models of brushes.

use super::actor::MapTextBrush;
use super::adding::{AddedObject, Adding, FOR_EDITOR};
use super::inner_names::NameKind;
use super::polygon::MapTextPolygon;
use crate::content::values::typed_mut;
use crate::error::{Error, ErrorKind, Result, noun};
use crate::object::geometry::{BoundingBox, Bounds, Primitive, Sphere, Vector};
use crate::object::{ue1, ue2, ue3};
use crate::primitive::{Index, Name, ObjectFlags, PackageIndex};
use crate::property::PropertyList;
use crate::version::EngineFacts;

/// `Transactional` and the three that say for whom an object is loaded: models of movers and volumes.
const FOR_ALL: u64 = 0x0007_0001;
/// The editor's spheres around brushes are larger than their polygons by this (measured on brushes of the corpora).
const SPHERE_MARGIN: f32 = 1.001;

impl<'a> Adding<'a> {
    /// The path of the model of an actor's brush, which is added.
    pub(super) fn model(
        &mut self,
        object: &AddedObject<'a>,
        brush: &'a MapTextBrush,
    ) -> Result<String> {
        let name = brush.name.to_ascii_lowercase();
        if self.level.is_some() {
            let model = self.add_ue3_model(brush, object)?;
            if let Some(inner) = self.inner.get_mut(object.actor) {
                inner.add(&name, NameKind::Path, &model);
            }
            return Ok(model);
        }
        // Brushes may share a model.
        let known = self.models.get(brush.name.as_str()).filter(|(known, _)| *known == brush);
        let model = match known.map(|(_, model)| model.clone()) {
            Some(model) => model,
            None => self.add_model(brush, object)?,
        };
        self.models.insert(&brush.name, (brush, model.clone()));
        self.paths.insert(name, model.clone());
        Ok(model)
    }

    /// The model of a brush, with its polygons; says its path.
    fn add_model(&mut self, brush: &MapTextBrush, object: &AddedObject<'a>) -> Result<String> {
        let mut polys = ue1::Polys::default();
        let has_pan = ue1::Poly::has_pan(self.edit.versions());
        let has_scale = ue1::Poly::has_light_map_scale(self.edit.versions());
        for polygon in &brush.polygons {
            if !has_pan {
                refuse_pan(polygon, brush)?;
            }
            let (texture, item_name) = self.texture_and_item(polygon, brush)?;
            polys.polys.items.push(ue1::Poly {
                shape: ue1::PolyShape {
                    base: polygon.origin,
                    normal: polygon.normal,
                    texture_u: polygon.texture_u,
                    texture_v: polygon.texture_v,
                    vertices: polygon.vertices.clone(),
                },
                poly_flags: polygon.flags,
                actor: PackageIndex::NULL,
                texture,
                item_name,
                link: Index::new(polygon.link),
                brush_poly: Index::new(-1),
                pan_u: polygon.pan.0,
                pan_v: polygon.pan.1,
                light_map_scale: if has_scale { polygon.light_map_scale } else { 0.0 },
            });
        }
        let count = polys.polys.items.len();
        polys.polys.maximum = i32::try_from(count).unwrap_or(i32::MAX);
        let primitive = primitive(brush);
        let name = self.free_name("Polys0", "Engine.Polys");
        let list = PropertyList::new(Vec::new(), self.edit.none_name());
        let row = self.edit.add_object(&name, "Engine.Polys", list, polys)?;
        self.set_brush_flags(row, object)?;
        let polys = PackageIndex::export(row);
        let wanted = if brush.name.is_empty() { "Model0" } else { &brush.name };
        let name = self.free_name(wanted, "Engine.Model");
        let list = PropertyList::new(Vec::new(), self.edit.none_name());
        let row = match self.edit.versions().has_light_map_textures() {
            false => {
                let model = ue1::Model {
                    primitive,
                    polys,
                    root_outside: 1,
                    linked: 1,
                    ..ue1::Model::default()
                };
                self.edit.add_object(&name, "Engine.Model", list, model)?
            }
            true => {
                let model = ue2::Model {
                    primitive,
                    polys,
                    root_outside: 1,
                    linked: 1,
                    ..ue2::Model::default()
                };
                self.edit.add_object(&name, "Engine.Model", list, model)?
            }
        };
        self.set_brush_flags(row, object)?;
        Ok(name)
    }

    /// The flags of a brush's model and polygons: those of movers and volumes are needed in the game.
    fn set_brush_flags(&mut self, row: usize, object: &AddedObject<'a>) -> Result<()> {
        let flags = match self.is_for_editor.get(object.actor) {
            Some(true) => FOR_EDITOR,
            _ => FOR_ALL,
        };
        let flags = ObjectFlags::of_legacy(flags, self.edit.versions());
        self.edit.set_object_flags(row, flags)
    }

    /// The same for UE3, in the actor whose brush it is.
    fn add_ue3_model(&mut self, brush: &MapTextBrush, object: &AddedObject<'a>) -> Result<String> {
        let mut polys = ue3::world::polys::Polys::default();
        let unchanged =
            ue3::world::polys::Poly::unchanged(self.edit.versions(), self.edit.none_name());
        for polygon in &brush.polygons {
            refuse_pan(polygon, brush)?;
            let (material, item_name) = self.texture_and_item(polygon, brush)?;
            polys.polys.push(ue3::world::polys::Poly {
                base: polygon.origin,
                normal: polygon.normal,
                texture_u: polygon.texture_u,
                texture_v: polygon.texture_v,
                vertices: polygon.vertices.clone(),
                poly_flags: polygon.flags,
                item_name,
                material,
                link: polygon.link,
                shadow_map_scale: polygon.light_map_scale,
                ..unchanged.clone()
            });
        }
        polys.maximum = i32::try_from(polys.polys.len()).unwrap_or(i32::MAX);
        let (outer, actor) =
            (PackageIndex::export(object.row), self.edit.exports().path(object.row));
        let wanted = if brush.name.is_empty() { "Model_0" } else { &brush.name };
        let name = self.names.pick(self.edit, outer, wanted, "Engine.Model");
        let path = format!("{actor}.{name}");
        let model = ue3::world::model::Model {
            bounds: bounds(brush),
            owner: self.next_export(),
            root_outside: true,
            linked: true,
            ..ue3::world::model::Model::default()
        };
        let list = || PropertyList::new(Vec::new(), self.edit.none_name());
        let (of_model, of_polys) = (list(), list());
        let model = self.edit.add_object(&path, "Engine.Model", of_model, model)?;
        self.set_brush_flags(model, object)?;
        polys.owner = self.next_export();
        let polys =
            self.edit.add_object(&format!("{path}.Polys_0"), "Engine.Polys", of_polys, polys)?;
        self.set_brush_flags(polys, object)?;
        self.edit.change_body(model, |body| {
            let model = typed_mut::<ue3::world::model::Model>(body)?;
            model.polys = PackageIndex::export(polys);
            Ok(())
        })?;
        Ok(path)
    }

    /// The reference to the object that is added next, where all that it lies in is there.
    fn next_export(&self) -> PackageIndex {
        PackageIndex::export(self.edit.tables().exports.len())
    }

    fn texture_and_item(
        &mut self,
        polygon: &MapTextPolygon,
        brush: &MapTextBrush,
    ) -> Result<(PackageIndex, Name)> {
        let texture = match polygon.texture.as_str() {
            "" => PackageIndex::NULL,
            path => self.texture(path, brush)?,
        };
        let item = if polygon.item.is_empty() { "None" } else { &polygon.item };
        Ok((texture, self.edit.needed_name(item)?))
    }

    /// The texture of a polygon: by its path, or by its name alone, as UnrealEd of UE1 writes it.
    fn texture(&mut self, path: &str, brush: &MapTextBrush) -> Result<PackageIndex> {
        let own =
            path.split_once('.').filter(|(first, _)| first.eq_ignore_ascii_case(&self.package));
        let path = own.map_or(path, |(_, own)| own);
        if let Some(index) = self.edit.find(path) {
            return Ok(index);
        }
        if let Some(class) = self.sources.class_of(path).filter(|_| own.is_none()) {
            let import = self.edit.add_import(path, &class)?;
            let name = path.rsplit('.').next().unwrap_or(path).to_ascii_lowercase();
            self.known.imports.entry(name).or_insert(import);
            return Ok(import);
        }
        match self.known.imports.get(&path.to_ascii_lowercase()) {
            Some(&import) => Ok(import),
            None => {
                let name = format!("{path} (texture of {})", brush.name);
                let hint = ": nothing says of which class it is; upk add-import says it".to_owned();
                Err(ErrorKind::NotFound { what: noun::OBJECT, name, hint }.into())
            }
        }
    }
}

fn refuse_pan(polygon: &MapTextPolygon, brush: &MapTextBrush) -> Result<()> {
    if polygon.pan == (0, 0) {
        return Ok(());
    }
    let reason = "polygons of this version have no Pan, their Origin says where the texture lies";
    Err(Error::invalid(format!("{}: {reason}", brush.name)))
}

/// The box and the sphere around the polygons of a brush (UE1, UE2).
fn primitive(brush: &MapTextBrush) -> Primitive {
    let Some((min, max, centre, radius)) = extent(brush) else { return Primitive::default() };
    Primitive {
        bounding_box: BoundingBox { min, max, is_valid: 1 },
        bounding_sphere: Sphere { centre, radius: radius * SPHERE_MARGIN },
    }
}

/// The same of UE3.
fn bounds(brush: &MapTextBrush) -> Bounds {
    let Some((_, max, origin, sphere_radius)) = extent(brush) else { return Bounds::default() };
    let box_extent = Vector { x: max.x - origin.x, y: max.y - origin.y, z: max.z - origin.z };
    Bounds { origin, box_extent, sphere_radius }
}

/// The least and the greatest corner of a brush, the middle between them, and how far the corners are from it.
fn extent(brush: &MapTextBrush) -> Option<(Vector, Vector, Vector, f32)> {
    let corners = || brush.polygons.iter().flat_map(|polygon| &polygon.vertices);
    let &first = corners().next()?;
    let (mut min, mut max) = (first, first);
    for corner in corners() {
        min = Vector { x: min.x.min(corner.x), y: min.y.min(corner.y), z: min.z.min(corner.z) };
        max = Vector { x: max.x.max(corner.x), y: max.y.max(corner.y), z: max.z.max(corner.z) };
    }
    let half = |low: f32, high: f32| low + (high - low) / 2.0;
    let centre = Vector { x: half(min.x, max.x), y: half(min.y, max.y), z: half(min.z, max.z) };
    let distance = |corner: &Vector| {
        let (x, y, z) = (corner.x - centre.x, corner.y - centre.y, corner.z - centre.z);
        (x * x + y * y + z * z).sqrt()
    };
    let radius = corners().map(distance).fold(0.0, f32::max);
    Some((min, max, centre, radius))
}
