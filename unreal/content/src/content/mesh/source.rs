//! The object that a mesh is made from.

use super::numbers::VertexElements;
use super::shape::{Bone, MeshPlacement};
use crate::archive::Span;
use crate::error::{Error, Result};
use crate::object::Body;
use crate::object::geometry::{Plane, Vector};
use crate::package::Package;
use crate::primitive::{LazyPayload, Name, PackageIndex, Payload};
use crate::property::{Elements, Property, PropertyList, Value};

/// An object with its body.
pub(super) struct MeshSource<'a> {
    pub package: &'a Package,
    pub row: usize,
    pub body: &'a Body,
    /// What spans are of: the package, or a payload of the object.
    pub bytes: &'a [u8],
}

/// Vertices of all frames together: what one byte of a file could ask for again and again.
pub(super) const MOST_MOVED: usize = 16 << 20;

impl<'a> MeshSource<'a> {
    pub fn of(package: &'a Package, row: usize, body: &'a Body) -> Self {
        Self { package, row, body, bytes: package.source() }
    }

    /// The same object with spans of a payload of it.
    pub fn within<'b>(&self, bytes: &'b [u8]) -> MeshSource<'b>
    where
        'a: 'b,
    {
        MeshSource { package: self.package, row: self.row, body: self.body, bytes }
    }

    /// Name of the object.
    pub fn name(&self) -> String {
        self.package.object_name(PackageIndex::export(self.row))
    }

    /// Elements of `size` bytes.
    pub fn elements<'b>(&'b self, span: &'b Span, size: usize) -> Result<VertexElements<'b>> {
        let order = self.package.versions().byte_order;
        VertexElements::in_order(span.bytes(self.bytes)?, size, order)
    }

    pub fn payload<'b, const N: usize>(
        &'b self,
        payload: &'b Payload<N>,
    ) -> Result<VertexElements<'b>> {
        self.elements(&payload.0, N)
    }

    pub fn lazy<'b, const N: usize>(
        &'b self,
        lazy: &'b LazyPayload<N>,
    ) -> Result<VertexElements<'b>> {
        self.payload(&lazy.data)
    }

    /// Numbers of vertices, of 32 bits or of 16.
    pub fn indices(&self, span: &Span, wide: bool) -> Result<Vec<u32>> {
        let all = self.elements(span, if wide { 4 } else { 2 })?;
        Ok(match wide {
            true => all.iter().map(|at| at.u32(0)).collect(),
            false => all.iter().map(|at| u32::from(at.u16(0))).collect(),
        })
    }

    /// A property of the object.
    pub fn value(&self, name: &str) -> Option<&'a Value> {
        self.body.lists().next().and_then(|list| value(self.package, list, name))
    }

    /// The elements of a property that is an array of structs; `None` for one that is stored in another form.
    pub fn lists(&self, name: &str) -> impl Iterator<Item = Option<&'a PropertyList>> + use<'a> {
        structs(self.value(name)).iter().map(Value::as_list)
    }

    pub fn name_text(&self, name: Name) -> String {
        self.package.name_text(name)
    }

    /// A bone as meshes of UE1 to UE3 store it: its number and name, its parent, its rotation and place.
    pub fn bone(&self, at: usize, name: Name, parent: i32, rest: (Plane, Vector)) -> Result<Bone> {
        let (q, p) = rest;
        Ok(Bone {
            name: self.name_text(name),
            parent: self.parent(at, parent)?,
            rest: MeshPlacement {
                translation: [p.x, p.y, p.z],
                rotation: [q.x, q.y, q.z, q.w],
                ..MeshPlacement::default()
            },
        })
    }

    /// The number of a parent as bones store it: the first bone has itself or -1.
    pub fn parent(&self, bone: usize, parent: i32) -> Result<Option<usize>> {
        match usize::try_from(parent) {
            Err(_) => Ok(None),
            Ok(parent) if parent == bone => Ok(None),
            Ok(parent) if parent < bone => Ok(Some(parent)),
            Ok(parent) => Err(Error::invalid(format!(
                "bone {bone} hangs on bone {parent}, which is not before it"
            ))),
        }
    }
}

/// The class of an object without its package.
pub(super) fn class_name(package: &Package, row: usize) -> String {
    let class = package.exports().get(row).map(|export| export.class()).unwrap_or_default();
    class.rsplit('.').next().unwrap_or_default().to_owned()
}

/// Refuses frames that would take far more memory than the file.
pub(super) fn check_frames(vertices: usize, frames: usize) -> Result<()> {
    match vertices.checked_mul(frames) {
        Some(moved) if moved <= MOST_MOVED => Ok(()),
        _ => Err(Error::invalid(format!(
            "{vertices} vertices in {frames} frames are more than the {MOST_MOVED} that are written"
        ))),
    }
}

/// The corners of a triangle turned around.
pub(super) fn turned([a, b, c]: [u32; 3]) -> [u32; 3] {
    [a, c, b]
}

/// The first value of the property of this name.
pub(super) fn value<'a>(
    package: &Package,
    list: &'a PropertyList,
    name: &str,
) -> Option<&'a Value> {
    value_at(package, list, name, 0)
}

/// The same of an element of a fixed array.
pub(super) fn value_at<'a>(
    package: &Package,
    list: &'a PropertyList,
    name: &str,
    element: i32,
) -> Option<&'a Value> {
    let is = |property: &&Property| {
        property.array_index() == element
            && property.name_text(|name| package.name_text(name)).eq_ignore_ascii_case(name)
    };
    list.properties.iter().find(is).map(Property::value)
}

/// The elements of an array of structs; none of another value.
pub(super) fn structs(value: Option<&Value>) -> &[Value] {
    let elements = match value {
        Some(Value::Array(elements)) => elements,
        Some(Value::StructArray(all)) => &all.elements,
        _ => return &[],
    };
    match elements {
        Elements::Values(all) => all,
        _ => &[],
    }
}

pub(super) fn is_true(value: &Value) -> bool {
    matches!(value, Value::Bool(true) | Value::BoolByte(1) | Value::BoolWord(1))
}
