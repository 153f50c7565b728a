//! Shapes that skeletal meshes of UE4 and UE5 take: morph targets.

use std::collections::{BTreeMap, HashSet};

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
/// Letters of a name in a note.
const MOST_LETTERS: usize = 64;
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
    let (mut met, mut reasons) = (HashSet::new(), BTreeMap::<String, (usize, String)>::new());
    let mut left_out = |reason: String, name: String| {
        reasons.entry(reason).or_insert((0, name)).0 += 1;
    };
    // What all of them may take: a few bytes may name a shape again and again, or say that it moves millions of vertices.
    let mut budget = MOST_POSITIONS;
    for (number, target) in targets.iter().enumerate() {
        let ObjectRef::Export(row) = target.target() else { continue };
        if !met.insert(row) {
            continue;
        }
        let name = || source.package.object_name(*target);
        if budget == 0 {
            left_out("the mesh has too many vertices".to_owned(), name());
            continue;
        }
        let decoded = source.package.decode(row).ok();
        let stored = decoded.as_ref().and_then(|decoded| native_as::<MorphTarget>(&decoded.body));
        let Some(stored) = stored else {
            left_out("not decoded".to_owned(), name());
            continue;
        };
        let mut is_shown = false;
        for (lod, (level, drawn)) in mesh.lods.iter_mut().zip(levels) {
            budget = budget.saturating_sub(lod.positions.len().max(1));
            if budget == 0 {
                break;
            }
            let most = lod.positions.len();
            let made = deltas(stored, (*level, number), drawn.as_ref(), most)
                .and_then(|deltas| moved(lod, &deltas));
            match made {
                Ok(Some(positions)) => {
                    is_shown = true;
                    lod.morphs.push(Morph { name: name(), positions });
                }
                Ok(None) => {}
                Err(error) => left_out(error.to_string(), name()),
            }
        }
        if !is_shown {
            left_out("without vertices here".to_owned(), name());
        }
    }
    for (reason, (count, name)) in reasons {
        let first: String = name.chars().take(MOST_LETTERS).collect();
        mesh.notes.push(match count {
            1 => format!("the shape {first} is left out: {reason}"),
            count => format!("{count} shapes are left out ({first} and others): {reason}"),
        });
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
    (level, number): (usize, usize),
    drawn: Option<&DrawnMorphs>,
    most: usize,
) -> Result<Vec<Delta>> {
    if let Some(level) = stored.levels.get(level).filter(|level| !level.vertices.is_empty()) {
        return Ok(level.vertices.iter().map(|it| (it.vertex, it.position)).collect());
    }
    if let Some(packed) = stored.packed.get(level).filter(|packed| !packed.batches.is_empty()) {
        return packed_deltas(packed, most);
    }
    drawn.map_or(Ok(Vec::new()), |drawn| drawn.deltas(number, most))
}

fn packed_deltas(packed: &PackedMorphLevel, most: usize) -> Result<Vec<Delta>> {
    let bytes: Vec<u8> = packed.data.iter().flat_map(|word| word.to_le_bytes()).collect();
    let mut made = Vec::new();
    for batch in &packed.batches {
        let start = (batch.data_offset as usize).checked_mul(4).ok_or_else(cut)?;
        let batch = MorphBatch::of(batch)?;
        batch.read(&bytes, start, packed.position_precision, (&mut made, most))?;
    }
    Ok(made)
}

impl DrawnMorphs {
    /// Where a shape moves vertices.
    fn deltas(&self, number: usize, most: usize) -> Result<Vec<Delta>> {
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
            batch.read(
                &self.bytes,
                offset as usize,
                buffers.position_precision,
                (&mut made, most),
            )?;
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
        (made, most): (&mut Vec<Delta>, usize),
    ) -> Result<()> {
        // A shape moves each vertex once.
        if made.len().saturating_add(self.count as usize) > most {
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
