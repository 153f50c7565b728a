//! Shapes that skeletal meshes of UE4 and UE5 take: morph targets.

use super::shape::{Lod, Mesh, Morph};
use super::source::MeshSource;
use crate::error::{Error, Result};
use crate::object::ue4::asset::morph_target::{DeltaBatch, MorphTarget, PackedMorphLevel};
use crate::object::ue4::asset::skeletal_buffers::MorphBuffers;
use crate::package::native_as;
use crate::primitive::ObjectRef;
use crate::property::{Elements, Value};

/// Positions of all shapes of a mesh: files could ask for a copy of all vertices by a few bytes.
const MOST_POSITIONS: usize = 1 << 23;
/// Bytes of the head of a batch as it is drawn.
const BATCH: usize = 40;

/// Where a vertex goes.
type Delta = (u32, [f32; 3]);

/// The number of a level of detail of a mesh, and its shapes as they are drawn where it has them.
pub(super) type MorphLevel = (usize, Option<DrawnMorphs>);

/// Shapes as they are drawn.
pub(super) struct DrawnMorphs {
    buffers: MorphBuffers,
    bytes: Vec<u8>,
}

impl DrawnMorphs {
    /// Those of buffers whose spans are of these bytes.
    pub fn of(buffers: &MorphBuffers, bytes: &[u8]) -> Result<Self> {
        Ok(Self { buffers: buffers.clone(), bytes: buffers.data.0.bytes(bytes)?.to_vec() })
    }
}

/// Gives the levels of detail of a mesh its shapes.
pub(super) fn add(source: &MeshSource<'_>, mesh: &mut Mesh, levels: &[MorphLevel]) {
    let Some(Value::Array(Elements::Object(targets))) = source.value("MorphTargets") else {
        return;
    };
    let mut positions = 0_usize;
    let mut left_out = 0;
    for (number, target) in targets.iter().enumerate() {
        let ObjectRef::Export(row) = target.target() else { continue };
        let Ok(decoded) = source.package.decode(row) else { continue };
        let name = source.package.object_name(*target);
        let Some(stored) = native_as::<MorphTarget>(&decoded.body) else {
            mesh.notes.push(format!("the shape {name} is not decoded"));
            continue;
        };
        let mut is_shown = false;
        for (lod, (level, drawn)) in mesh.lods.iter_mut().zip(levels) {
            positions = positions.saturating_add(lod.positions.len());
            if positions > MOST_POSITIONS {
                left_out += 1;
                break;
            }
            match deltas(stored, *level, number, drawn.as_ref())
                .and_then(|deltas| moved(lod, &deltas))
            {
                Ok(Some(positions)) => {
                    is_shown = true;
                    lod.morphs.push(Morph { name: name.clone(), positions });
                }
                Ok(None) => {}
                Err(error) => mesh.notes.push(format!("the shape {name}: {error}")),
            }
        }
        if !is_shown && positions <= MOST_POSITIONS {
            mesh.notes.push(format!("the shape {name} has no vertices here"));
        }
    }
    if left_out > 0 {
        mesh.notes.push(format!("{left_out} shapes were left out: the mesh has too many vertices"));
    }
}

/// The vertices of a level of detail where a shape has moved them; `None` where it moves none.
fn moved(lod: &Lod, deltas: &[Delta]) -> Result<Option<Vec<[f32; 3]>>> {
    if deltas.is_empty() {
        return Ok(None);
    }
    let mut positions = lod.positions.clone();
    let count = positions.len();
    for (vertex, by) in deltas {
        let place = positions.get_mut(*vertex as usize);
        let place =
            place.ok_or_else(|| Error::invalid(format!("it moves vertex {vertex} of {count}")))?;
        *place = [0, 1, 2].map(|axis| place[axis] + by[axis]);
    }
    Ok(Some(positions))
}

/// Where a shape moves the vertices of a level of detail.
fn deltas(
    stored: &MorphTarget,
    level: usize,
    number: usize,
    drawn: Option<&DrawnMorphs>,
) -> Result<Vec<Delta>> {
    if let Some(level) = stored.levels.get(level).filter(|level| !level.vertices.is_empty()) {
        return Ok(level.vertices.iter().map(|it| (it.vertex, it.position)).collect());
    }
    if let Some(packed) = stored.packed.get(level).filter(|packed| !packed.batches.is_empty()) {
        return packed_deltas(packed);
    }
    drawn.map_or(Ok(Vec::new()), |drawn| drawn.deltas(number))
}

fn packed_deltas(packed: &PackedMorphLevel) -> Result<Vec<Delta>> {
    let bytes: Vec<u8> = packed.data.iter().flat_map(|word| word.to_le_bytes()).collect();
    let mut made = Vec::new();
    for batch in &packed.batches {
        let start = (batch.data_offset as usize).checked_mul(4).ok_or_else(cut)?;
        let batch = MorphBatch::of(batch)?;
        batch.read(&bytes, start, packed.position_precision, &mut made)?;
    }
    Ok(made)
}

impl DrawnMorphs {
    /// Where a shape moves vertices.
    fn deltas(&self, number: usize) -> Result<Vec<Delta>> {
        let buffers = &self.buffers;
        let (Some(first), Some(count)) =
            (buffers.first_batches.get(number), buffers.batch_counts.get(number))
        else {
            return Ok(Vec::new());
        };
        let all = u32::try_from(buffers.batch_count).unwrap_or(0);
        let end = first.checked_add(*count).filter(|end| *end <= all).ok_or_else(cut)?;
        let mut made = Vec::new();
        for batch in *first..end {
            let start = (batch as usize).checked_mul(BATCH).ok_or_else(cut)?;
            let head = start.checked_add(BATCH).and_then(|end| self.bytes.get(start..end));
            let head = head.ok_or_else(cut)?;
            let word = |at: usize| {
                head.get(at * 4..).and_then(|it| it.first_chunk()).copied().map(u32::from_le_bytes)
            };
            let words: Vec<u32> = (0..BATCH / 4).filter_map(word).collect();
            let [offset, bits, index_min, x, y, z, normal_bits, ..] = words[..] else {
                return Err(cut());
            };
            let five = |from: u32, at: u32| from >> (5 * at) & 0x1F;
            let has_normals = bits >> 20 & 1 == 1;
            let batch = MorphBatch {
                count: bits >> 21,
                index_bits: five(bits, 0),
                position_bits: [1, 2, 3].map(|at| five(bits, at)),
                normal_bits: match has_normals {
                    true => (0..3).map(|at| five(normal_bits, at)).sum(),
                    false => 0,
                },
                index_min,
                position_min: [x, y, z].map(|it| it as i32),
            };
            batch.read(&self.bytes, offset as usize, buffers.position_precision, &mut made)?;
        }
        Ok(made)
    }
}

/// Vertices that are packed alike.
struct MorphBatch {
    count: u32,
    index_bits: u32,
    position_bits: [u32; 3],
    /// Bits of all that a normal changes by, which is left.
    normal_bits: u32,
    index_min: u32,
    position_min: [i32; 3],
}

impl MorphBatch {
    fn of(stored: &DeltaBatch) -> Result<Self> {
        let bits = |bits: i8| u32::try_from(bits).ok().filter(|bits| *bits <= 32).ok_or_else(cut);
        let [x, y, z] = stored.position_bits;
        let mut normal_bits = 0;
        for part in stored.normal_bits.iter().filter(|_| stored.has_normals) {
            normal_bits += bits(*part)?;
        }
        Ok(Self {
            count: stored.element_count,
            index_bits: bits(stored.index_bits)?,
            position_bits: [bits(x)?, bits(y)?, bits(z)?],
            normal_bits,
            index_min: stored.index_min,
            position_min: stored.position_min,
        })
    }

    fn read(
        &self,
        bytes: &[u8],
        start: usize,
        precision: f32,
        made: &mut Vec<Delta>,
    ) -> Result<()> {
        if made.len().saturating_add(self.count as usize) > MOST_POSITIONS {
            return Err(cut());
        }
        let mut at = (start as u64).checked_mul(8).ok_or_else(cut)?;
        for element in 0..self.count {
            let index = take(bytes, &mut at, self.index_bits)?;
            let index = self.index_min.wrapping_add(element).wrapping_add(index);
            let mut by = [0.0; 3];
            for (axis, part) in by.iter_mut().enumerate() {
                let steps = take(bytes, &mut at, self.position_bits[axis])? as i32;
                *part = steps.wrapping_add(self.position_min[axis]) as f32 * precision;
            }
            at += u64::from(self.normal_bits);
            made.push((index, by));
        }
        Ok(())
    }
}

/// Some bits, the lowest first.
fn take(bytes: &[u8], at: &mut u64, bits: u32) -> Result<u32> {
    if bits == 0 {
        return Ok(0);
    }
    let first = usize::try_from(*at / 8).map_err(|_| cut())?;
    let shift = (*at % 8) as u32;
    let length = (shift + bits).div_ceil(8) as usize;
    let stored = first.checked_add(length).and_then(|end| bytes.get(first..end)).ok_or_else(cut)?;
    let mut window = [0; 8];
    window[..length].copy_from_slice(stored);
    *at += u64::from(bits);
    let mask = (1_u64 << bits) - 1;
    Ok((u64::from_le_bytes(window) >> shift & mask) as u32)
}

fn cut() -> Error {
    Error::invalid("its packed vertices do not fit their bytes")
}
