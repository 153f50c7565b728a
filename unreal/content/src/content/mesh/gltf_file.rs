//! Files of glTF 2.0: their parts and the numbers in them.
//!
//! The `gltf` crate above `gltf-json` reads accessors too, but with sums that overflow and an `unwrap` for sparse ones:
//! any bytes must give an error here.

use std::borrow::Cow;
use std::cell::Cell;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use gltf_json::accessor::{ComponentType, Type};
use gltf_json::validation::Checked;
use gltf_json::{Accessor, Index, Root};

use super::numbers::Element;
use crate::error::{Error, Result};

/// What a binary file begins with.
const MAGIC: &[u8] = b"glTF";
const JSON: &[u8] = b"JSON";
const BINARY: &[u8] = b"BIN\0";
/// Numbers of a file of a few bytes: zeros that it does not store.
const LEAST: usize = 1 << 16;
/// Bytes of a file that may be read four times, as where several nodes show one mesh.
const SHARED: usize = 4;
/// Extensions that a file may require: they change nothing of what is read here, or are understood.
const UNDERSTOOD: &[&str] = &[
    "KHR_mesh_quantization",
    "KHR_texture_transform",
    "KHR_lights_punctual",
    "KHR_texture_basisu",
];

/// A file of glTF with its buffers.
#[derive(Debug)]
pub(super) struct GltfFile<'a> {
    pub root: Root,
    buffers: Vec<Option<Cow<'a, [u8]>>>,
    /// Numbers that may still be read.
    left: Cell<usize>,
}

/// The numbers of an accessor, row by row.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct GltfRows {
    /// Numbers of a row.
    pub width: usize,
    pub numbers: Vec<f32>,
}

impl GltfRows {
    /// The rows of `N` numbers, or of at least so many, where those that are not there are 1.
    pub fn rows<const N: usize>(&self, least: usize) -> Result<Vec<[f32; N]>> {
        if !(least..=N).contains(&self.width) {
            let width = self.width;
            return Err(Error::invalid(format!("rows of {width} numbers stand where {N} should")));
        }
        let row = |row: &[f32]| std::array::from_fn(|at| row.get(at).copied().unwrap_or(1.0));
        Ok(self.numbers.chunks_exact(self.width.max(1)).map(row).collect())
    }
}

impl<'a> GltfFile<'a> {
    /// Reads a file: `.glb`, or `.gltf` that holds its buffers.
    ///
    /// # Errors
    /// `Invalid` for what is no such file, requires an extension that is not known, or has its buffers beside it.
    pub fn read(bytes: &'a [u8]) -> Result<Self> {
        let (json, binary) = match bytes.strip_prefix(MAGIC) {
            Some(rest) => chunks(rest)?,
            None => (bytes, None),
        };
        let root = Root::from_slice(json)
            .map_err(|error| Error::invalid(format!("the file is no glTF 2.0: {error}")))?;
        if !root.asset.version.starts_with("2.") {
            let version = &root.asset.version;
            return Err(Error::invalid(format!("the file is of glTF {version}, not 2.0")));
        }
        let is_known = |name: &String| {
            UNDERSTOOD.contains(&name.as_str()) || name.starts_with("KHR_materials_")
        };
        if let Some(name) = root.extensions_required.iter().find(|name| !is_known(name)) {
            return Err(Error::invalid(format!(
                "the file requires {name}, which is not read: write it without"
            )));
        }
        let mut buffers = Vec::with_capacity(root.buffers.len());
        for buffer in &root.buffers {
            buffers.push(match &buffer.uri {
                None => binary.filter(|_| buffers.is_empty()).map(Cow::Borrowed),
                Some(uri) => Some(Cow::Owned(data(uri)?)),
            });
        }
        let left = Cell::new(bytes.len().saturating_mul(SHARED).saturating_add(LEAST));
        Ok(Self { root, buffers, left })
    }

    pub fn accessor(&self, index: Index<Accessor>) -> Result<&Accessor> {
        let found = self.root.accessors.get(index.value());
        found.ok_or_else(|| Error::invalid(format!("there is no accessor {}", index.value())))
    }

    /// The numbers of an accessor, whole ones that are marked so as parts of 1.
    pub fn rows(&self, index: Index<Accessor>) -> Result<GltfRows> {
        let accessor = self.accessor(index)?;
        let form = NumberForm::of(accessor)?;
        let count = self.take(accessor, form.width)?;
        let mut numbers = match accessor.buffer_view {
            None => vec![0.0; count * form.width],
            Some(view) => {
                let offset = accessor.byte_offset.map_or(0, |offset| offset.0);
                let mut numbers = Vec::with_capacity(count * form.width);
                self.each(view, offset, count, form.size(), |row| {
                    numbers.extend((0..form.width).map(|at| form.number(row, at)));
                    Ok(())
                })?;
                numbers
            }
        };
        if let Some(sparse) = &accessor.sparse {
            let Checked::Valid(kind) = sparse.indices.component_type else {
                return Err(Error::invalid("an accessor has numbers of an unknown kind"));
            };
            let of_index = NumberForm { component: kind.0, width: 1, parts_of_one: false };
            let changed = usize::try_from(sparse.count.0).ok().filter(|changed| *changed <= count);
            let changed = changed.ok_or_else(too_short)?;
            let mut places = Vec::with_capacity(changed);
            let indices = &sparse.indices;
            self.each(
                indices.buffer_view,
                indices.byte_offset.0,
                changed,
                of_index.size(),
                |row| {
                    places.push(of_index.whole(row));
                    Ok(())
                },
            )?;
            let mut places = places.into_iter();
            let values = &sparse.values;
            self.each(values.buffer_view, values.byte_offset.0, changed, form.size(), |row| {
                let place = places.next().unwrap_or_default() as usize;
                let start = place.checked_mul(form.width).ok_or_else(too_short)?;
                let place = numbers.get_mut(start..).and_then(|all| all.get_mut(..form.width));
                for (at, number) in place.ok_or_else(too_short)?.iter_mut().enumerate() {
                    *number = form.number(row, at);
                }
                Ok(())
            })?;
        }
        Ok(GltfRows { width: form.width, numbers })
    }

    /// Whole numbers: those of vertices.
    pub fn indices(&self, index: Index<Accessor>) -> Result<Vec<u32>> {
        let accessor = self.accessor(index)?;
        let form = NumberForm::of(accessor)?;
        let whole =
            matches!(form.component, ComponentType::U8 | ComponentType::U16 | ComponentType::U32);
        let (Some(view), true, 1) =
            (accessor.buffer_view, whole && accessor.sparse.is_none(), form.width)
        else {
            return Err(Error::invalid("numbers of vertices stand in a form that is not read"));
        };
        let count = self.take(accessor, 1)?;
        let mut indices = Vec::with_capacity(count);
        let offset = accessor.byte_offset.map_or(0, |offset| offset.0);
        self.each(view, offset, count, form.size(), |row| {
            indices.push(form.whole(row));
            Ok(())
        })?;
        Ok(indices)
    }

    /// Counts what is made of a file: a few bytes could ask for the same again and again, or for zeros without end.
    pub fn charge(&self, numbers: usize) -> Result<()> {
        let left = self.left.get().checked_sub(numbers);
        self.left.set(left.ok_or_else(|| {
            Error::invalid(format!("the file asks for more numbers than it holds: {numbers}"))
        })?);
        Ok(())
    }

    /// Counts the numbers of an accessor.
    fn take(&self, accessor: &Accessor, width: usize) -> Result<usize> {
        let count = usize::try_from(accessor.count.0).ok();
        let numbers = count.and_then(|count| count.checked_mul(width));
        let (Some(count), Some(numbers)) = (count, numbers) else { return Err(too_short()) };
        self.charge(numbers)?;
        Ok(count)
    }

    /// Calls with the bytes of each row.
    fn each(
        &self,
        view: Index<gltf_json::buffer::View>,
        offset: u64,
        count: usize,
        size: usize,
        mut take: impl FnMut(Element<'_>) -> Result<()>,
    ) -> Result<()> {
        let view = self.root.buffer_views.get(view.value()).ok_or_else(too_short)?;
        let buffer = self.buffers.get(view.buffer.value()).and_then(Option::as_deref);
        let start = usize::try_from(view.byte_offset.map_or(0, |offset| offset.0)).ok();
        let length = usize::try_from(view.byte_length.0).ok();
        let inner = usize::try_from(offset).ok();
        let bytes = (|| {
            let end = start?.checked_add(length?)?;
            buffer?.get(start?..end)?.get(inner?..)
        })();
        let bytes = bytes.ok_or_else(too_short)?;
        let stride = view.byte_stride.map_or(size, |stride| stride.0);
        if stride < size {
            return Err(Error::invalid(format!("rows of {size} bytes stand {stride} bytes apart")));
        }
        for row in 0..count {
            let start = row.checked_mul(stride).ok_or_else(too_short)?;
            let bytes = bytes.get(start..).and_then(|rest| rest.get(..size));
            take(Element::little(bytes.ok_or_else(too_short)?))?;
        }
        Ok(())
    }
}

fn too_short() -> Error {
    Error::invalid("the file refers to bytes that it does not have")
}

/// The JSON and the binary part of a `.glb`, behind its first four bytes.
fn chunks(rest: &[u8]) -> Result<(&[u8], Option<&[u8]>)> {
    let head = Element::little(rest);
    if head.u32(0) != 2 {
        let version = head.u32(0);
        return Err(Error::invalid(format!("the file is of glTF {version}, not 2.0")));
    }
    let mut rest = rest.get(8..).ok_or_else(too_short)?;
    let (mut json, mut binary) = (None, None);
    while let Some((head, behind)) = rest.split_at_checked(8) {
        let length = usize::try_from(Element::little(head).u32(0)).unwrap_or(usize::MAX);
        let (chunk, next) = behind.split_at_checked(length).ok_or_else(too_short)?;
        match &head[4..] {
            kind if kind == JSON && json.is_none() => json = Some(chunk),
            kind if kind == BINARY && binary.is_none() => binary = Some(chunk),
            _ => {}
        }
        rest = next;
    }
    Ok((json.ok_or_else(|| Error::invalid("the file has no part of JSON"))?, binary))
}

/// The bytes of an address that holds them.
fn data(uri: &str) -> Result<Vec<u8>> {
    let held = uri.strip_prefix("data:").and_then(|rest| rest.split_once(','));
    let Some((_, text)) = held.filter(|(kind, _)| kind.ends_with(";base64")) else {
        let uri: String = uri.chars().take(80).collect();
        return Err(Error::invalid(format!(
            "the file has bytes beside it, in '{uri}': write it as one file, .glb"
        )));
    };
    STANDARD.decode(text).map_err(|error| Error::invalid(format!("a buffer is no Base64: {error}")))
}

/// How the numbers of an accessor are stored.
#[derive(Debug, Clone, Copy)]
struct NumberForm {
    component: ComponentType,
    width: usize,
    parts_of_one: bool,
}

impl NumberForm {
    fn of(accessor: &Accessor) -> Result<Self> {
        let (Checked::Valid(component), Checked::Valid(form)) =
            (accessor.component_type, accessor.type_)
        else {
            return Err(Error::invalid("an accessor has numbers of an unknown kind"));
        };
        let width = match form {
            Type::Scalar => 1,
            Type::Vec2 => 2,
            Type::Vec3 => 3,
            Type::Vec4 => 4,
            Type::Mat2 | Type::Mat3 | Type::Mat4 => {
                return Err(Error::invalid("matrices stand where numbers of vertices should"));
            }
        };
        Ok(Self { component: component.0, width, parts_of_one: accessor.normalized })
    }

    fn component_size(self) -> usize {
        match self.component {
            ComponentType::I8 | ComponentType::U8 => 1,
            ComponentType::I16 | ComponentType::U16 => 2,
            ComponentType::U32 | ComponentType::F32 => 4,
        }
    }

    fn size(self) -> usize {
        self.width * self.component_size()
    }

    /// The number at a place of a row. Parts of 1 of signed numbers end at -1 (glTF 2.0 §3.6.2.2).
    fn number(self, row: Element<'_>, at: usize) -> f32 {
        let at = at * self.component_size();
        let (number, most) = match self.component {
            ComponentType::I8 => (f32::from(row.u8(at).cast_signed()), 127.0),
            ComponentType::U8 => (f32::from(row.u8(at)), 255.0),
            ComponentType::I16 => (f32::from(row.i16(at)), 32767.0),
            ComponentType::U16 => (f32::from(row.u16(at)), 65535.0),
            ComponentType::U32 => return row.u32(at) as f32,
            ComponentType::F32 => return row.f32(at),
        };
        match self.parts_of_one {
            true => (number / most).max(-1.0),
            false => number,
        }
    }

    fn whole(self, row: Element<'_>) -> u32 {
        match self.component {
            ComponentType::U8 => row.u8(0).into(),
            ComponentType::U16 => row.u16(0).into(),
            _ => row.u32(0),
        }
    }
}
