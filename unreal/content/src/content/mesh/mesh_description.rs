//! Static meshes as the editor keeps them from UE4.22 on: corners of faces, each with all that belongs to it.

use std::collections::{BTreeSet, HashMap};

use super::numbers::{VertexElements, cross, dot, less};
use super::sections::Sections;
use super::shape::Lod;
use super::source::{MeshSource, value};
use crate::archive::{Archived, Loader};
use crate::content::ue4::picture::srgb;
use crate::error::{Error, Result};
use crate::object::ue4::asset::mesh_description::{
    FixedMeshElements, MeshAttributeChannel, MeshAttributeSet, MeshDescription, MeshElementChannel,
    MeshElementList,
};
use crate::object::ue4::asset::static_mesh::StaticMesh;
use crate::primitive::FString;
use crate::property::Value;
use crate::version::{Versions, custom};

/// Sets of texture coordinates.
const UV_SETS: usize = 8;

/// Which slot of materials a group of faces has.
pub(super) struct MaterialSlots {
    /// Slots by their names in the file that they were imported from, which groups have too.
    names: HashMap<String, usize>,
    /// Slots that users have given to sections, by `level << 16 | section`. C++: `FMeshSectionInfoMap`.
    sections: HashMap<u32, usize>,
}

impl MaterialSlots {
    pub fn of(source: &MeshSource<'_>, stored: &StaticMesh) -> Self {
        let text = |name| source.name_text(name).to_lowercase();
        let mut listed: Vec<_> = (stored.materials.iter())
            .map(|slot| slot.imported_slot_name.get().map(text).unwrap_or_default())
            .collect();
        if listed.is_empty() {
            let named = source.lists("StaticMaterials").map(|list| {
                let list = list?;
                match value(source.package, list, "ImportedMaterialSlotName") {
                    Some(Value::Name(name)) => Some(text(*name)),
                    _ => None,
                }
            });
            listed = named.map(Option::unwrap_or_default).collect();
        }
        let mut names = HashMap::new();
        for (slot, name) in listed.into_iter().enumerate() {
            names.entry(name).or_insert(slot);
        }
        Self { names, sections: sections_of(source).unwrap_or_default() }
    }

    /// The slot of a group of faces: the one that its section was given, the one of its name, the one of its number.
    fn of_group(&self, level: usize, section: usize, group: usize, name: Option<&str>) -> usize {
        let key = u32::try_from(level << 16 | section & 0xffff).ok();
        let given = key.and_then(|key| self.sections.get(&key));
        let named = || self.names.get(&name?.to_lowercase());
        given.or_else(named).copied().unwrap_or(group)
    }
}

fn sections_of(source: &MeshSource<'_>) -> Option<HashMap<u32, usize>> {
    let list = source.value("SectionInfoMap")?.as_list()?;
    let Some(Value::Map(map)) = value(source.package, list, "Map") else { return None };
    let one = |(key, info): &(Value, Value)| {
        let key = match key {
            Value::UInt32(key) => *key,
            Value::Int(key) => u32::try_from(*key).ok()?,
            _ => return None,
        };
        match value(source.package, info.as_list()?, "MaterialIndex") {
            Some(Value::Int(slot)) => Some((key, usize::try_from(*slot).ok()?)),
            // The default is not stored.
            None => Some((key, 0)),
            _ => None,
        }
    };
    Some(map.pairs.iter().filter_map(one).collect())
}

/// A mesh description, as both forms have it.
struct Faces<'a> {
    vertex_attributes: &'a MeshAttributeSet,
    corner_attributes: &'a MeshAttributeSet,
    group_attributes: &'a MeshAttributeSet,
    corners: Corners,
    /// Corners of triangles and the group of each.
    triangles: Vec<([i32; 3], i32)>,
}

/// The vertex of each corner. Which corners there are is stored as bits, of which a file may have many more than corners.
enum Corners {
    Listed(HashMap<i32, i32>),
    All(Vec<i32>),
}

impl Corners {
    fn vertex(&self, corner: i32) -> Option<usize> {
        let vertex = match self {
            Self::Listed(vertices) => vertices.get(&corner)?,
            Self::All(vertices) => vertices.get(usize::try_from(corner).ok()?)?,
        };
        usize::try_from(*vertex).ok()
    }
}

/// Level of detail `level`, in such a payload.
pub(super) fn lod(
    bytes: &[u8],
    versions: &Versions,
    level: usize,
    slots: &MaterialSlots,
) -> Result<Lod> {
    if versions.custom(&custom::EDITOR) < custom::editor::MESH_DESCRIPTION_REMOVED_HOLES {
        return Err(Error::invalid("its mesh description is older than that of any release"));
    }
    let mut stored = MeshDescription::default();
    let mut loader = Loader::new(bytes, versions.clone());
    stored.serialize(&mut loader)?;
    loader.finish()?;
    let faces = match stored.elements.is_empty() {
        true => fixed(&stored.fixed, bytes)?,
        false => by_kind(&stored, bytes)?,
    };
    faces.lod(bytes, level, slots)
}

/// Elements by their numbers.
fn numbered<T, U>(list: &MeshElementList<T>, value: impl Fn(&T) -> U) -> HashMap<i32, U> {
    let numbers = list.used.ones().map(|number| i32::try_from(number).unwrap_or(i32::MAX));
    numbers.zip(list.elements.iter().map(value)).collect()
}

fn fixed<'a>(stored: &'a FixedMeshElements, bytes: &[u8]) -> Result<Faces<'a>> {
    let corners = Corners::Listed(numbered(&stored.vertex_instances, |vertex| *vertex));
    let groups = numbered(&stored.polygons, |polygon| polygon.polygon_group);
    let mut triangles = Vec::with_capacity(stored.triangles.elements.len());
    for triangle in &stored.triangles.elements {
        let group = *groups.get(&triangle.polygon).ok_or_else(|| {
            Error::invalid(format!("a triangle is a part of polygon {}", triangle.polygon))
        })?;
        triangles.push((triangle.vertex_instances, group));
    }
    let mut faces = Faces {
        vertex_attributes: &stored.vertex_attributes,
        corner_attributes: &stored.vertex_instance_attributes,
        group_attributes: &stored.polygon_group_attributes,
        corners,
        triangles,
    };
    if faces.triangles.is_empty() {
        let positions = faces.positions(bytes)?;
        let mut triangles = Vec::new();
        for (number, polygon) in stored.polygons.elements.iter().enumerate() {
            let corners = &polygon.vertex_instances;
            if !faces.is_convex(corners, &positions)? {
                return Err(Error::invalid(format!(
                    "polygon {number} has {} corners and is not convex",
                    corners.len()
                )));
            }
            if let [first, rest @ ..] = corners.as_slice() {
                let fan = rest.windows(2).map(|pair| [*first, pair[0], pair[1]]);
                triangles.extend(fan.map(|corners| (corners, polygon.polygon_group)));
            }
        }
        faces.triangles = triangles;
    }
    Ok(faces)
}

fn by_kind<'a>(stored: &'a MeshDescription, bytes: &[u8]) -> Result<Faces<'a>> {
    let channel = |name: &str| -> Result<&'a MeshElementChannel> {
        let mut kinds = stored.elements.iter();
        let found = kinds.find(|kind| kind.name.text(bytes).is_ok_and(|text| text == name));
        let missing = || Error::invalid(format!("its mesh description has no {name}"));
        found.and_then(|kind| kind.channels.first()).ok_or_else(missing)
    };
    let corners = channel("VertexInstances")?;
    let triangles = channel("Triangles")?;
    let all = |of: &MeshElementChannel, name: &str, size: usize| -> Result<Vec<i32>> {
        let values = values(&of.attributes, name, 0, size, bytes)?;
        let values = values.ok_or_else(|| Error::invalid(format!("it has no {name}")))?;
        Ok(values.iter().map(|at| at.i32(0)).collect())
    };
    let vertices = all(corners, "VertexIndex", 4)?;
    let corner_numbers = all(triangles, "VertexInstanceIndex", 4)?;
    let groups = all(triangles, "PolygonGroupIndex", 4)?;
    let (numbers, _) = corner_numbers.as_chunks::<3>();
    let listed = numbers.iter().zip(&groups).enumerate();
    let listed = listed.filter(|(number, _)| triangles.used.get(*number) == Some(true));
    Ok(Faces {
        vertex_attributes: &channel("Vertices")?.attributes,
        corner_attributes: &corners.attributes,
        group_attributes: &channel("PolygonGroups")?.attributes,
        corners: Corners::All(vertices),
        triangles: listed.map(|(_, (corners, group))| (*corners, *group)).collect(),
    })
}

/// A channel of an attribute. The name of positions ends with a blank.
fn stored_channel<'a>(
    set: &'a MeshAttributeSet,
    name: &str,
    channel: usize,
    bytes: &[u8],
) -> Option<&'a MeshAttributeChannel> {
    let is = |stored: &FString| stored.text(bytes).is_ok_and(|text| text.trim_end() == name);
    let found = set.attributes.iter().find(|attribute| is(&attribute.name))?;
    found.channels.get(channel)
}

/// The values of an attribute, if it is there.
fn values<'a>(
    set: &'a MeshAttributeSet,
    name: &str,
    channel: usize,
    size: usize,
    bytes: &'a [u8],
) -> Result<Option<VertexElements<'a>>> {
    let Some(channel) = stored_channel(set, name, channel, bytes) else { return Ok(None) };
    let stored = channel.values.element_size as usize;
    if stored != size {
        return Err(Error::invalid(format!("values of {name} have {stored} bytes, not {size}")));
    }
    VertexElements::new(channel.values.data.bytes(bytes)?, size).map(Some)
}

impl Faces<'_> {
    fn positions<'b>(&'b self, bytes: &'b [u8]) -> Result<VertexElements<'b>> {
        values(self.vertex_attributes, "Position", 0, 12, bytes)?
            .ok_or_else(|| Error::invalid("its vertices have no positions"))
    }

    fn position(&self, corner: i32, positions: &VertexElements<'_>) -> Result<[f32; 3]> {
        let position = self.corners.vertex(corner).and_then(|at| positions.get(at));
        position
            .map(|at| at.vector(0))
            .ok_or_else(|| Error::invalid(format!("corner {corner} of a face has no position")))
    }

    /// Whether a fan of triangles fills a polygon.
    fn is_convex(&self, corners: &[i32], positions: &VertexElements<'_>) -> Result<bool> {
        if corners.len() <= 3 {
            return Ok(true);
        }
        let points = corners.iter().map(|corner| self.position(*corner, positions));
        let points = points.collect::<Result<Vec<_>>>()?;
        let fan = points.windows(2).skip(1);
        let directions = fan.map(|pair| cross(less(pair[0], points[0]), less(pair[1], points[0])));
        let directions: Vec<_> = directions.collect();
        let sum = directions
            .iter()
            .fold([0.0; 3], |sum: [f32; 3], one| [0, 1, 2].map(|at| sum[at] + one[at]));
        Ok(directions.iter().all(|direction| dot(*direction, sum) >= 0.0))
    }

    fn lod(&self, bytes: &[u8], level: usize, slots: &MaterialSlots) -> Result<Lod> {
        let positions = self.positions(bytes)?;
        let normals = values(self.corner_attributes, "Normal", 0, 12, bytes)?;
        let mut sets = Vec::new();
        for set in 0..UV_SETS {
            sets.extend(values(self.corner_attributes, "TextureCoordinate", set, 8, bytes)?);
        }
        let colors = values(self.corner_attributes, "Color", 0, 16, bytes)?
            .filter(|colors| colors.iter().any(|color| color.quaternion(0) != [1.0; 4]));
        let names = stored_channel(self.group_attributes, "ImportedMaterialSlotName", 0, bytes);
        let names = names.map_or(&[][..], |channel| &channel.names);
        let used: BTreeSet<i32> = self.triangles.iter().map(|(_, group)| *group).collect();
        let mut group_slots = HashMap::new();
        for (section, number) in used.into_iter().enumerate() {
            let group = usize::try_from(number)
                .map_err(|_| Error::invalid(format!("a triangle is in the group {number}")))?;
            let name = names.get(group).map(|name| name.text(bytes)).transpose()?;
            let slot = slots.of_group(level, section, group, name.as_deref());
            group_slots.insert(number, slot);
        }

        let mut made = Lod { uvs: vec![Vec::new(); sets.len()], ..Lod::default() };
        let mut numbers = HashMap::new();
        let mut sections = Sections::default();
        for (corners, group) in &self.triangles {
            let mut triangle = [0; 3];
            for (index, corner) in triangle.iter_mut().zip(corners) {
                let next = made.positions.len() as u32;
                *index = *numbers.entry(*corner).or_insert(next);
                if *index == next {
                    made.positions.push(self.position(*corner, &positions)?);
                    // It has a position: its number is one of them.
                    let at = *corner as usize;
                    let missing = || Error::invalid(format!("corner {corner} has no such value"));
                    if let Some(normals) = normals {
                        made.normals.push(normals.get(at).ok_or_else(missing)?.vector(0));
                    }
                    for (set, list) in sets.iter().zip(&mut made.uvs) {
                        list.push(set.get(at).ok_or_else(missing)?.uv(0, true));
                    }
                    if let Some(colors) = colors {
                        let [red, green, blue, alpha] =
                            colors.get(at).ok_or_else(missing)?.quaternion(0);
                        let alpha = (alpha.clamp(0.0, 1.0) * 255.0).round() as u8;
                        let [red, green, blue] = [red, green, blue].map(srgb);
                        made.colors.push([red, green, blue, alpha]);
                    }
                }
            }
            sections.push(group_slots.get(group).copied().unwrap_or_default(), triangle);
        }
        made.sections = sections.list;
        Ok(made)
    }
}
