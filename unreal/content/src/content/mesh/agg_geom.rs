//! Shapes of bodies of UE3 to UE5 as properties store them. C++: `FKAggregateGeom`.

use super::collision_shape::CollisionForm;
use super::matrix::MatrixRows;
use super::numbers::rotation_degrees;
use super::shape::MeshPlacement;
use super::shape_list::ShapeList;
use super::source::{structs, value};
use crate::package::Package;
use crate::property::{Elements, PropertyList, Value};

/// Lists of shapes that are read.
const READ: [&str; 4] = ["SphereElems", "BoxElems", "SphylElems", "ConvexElems"];

/// An element of one of the lists.
struct AggElement<'a> {
    package: &'a Package,
    list: &'a PropertyList,
}

/// Adds the shapes of a body, which moves with a bone.
pub(super) fn add(
    package: &Package,
    body: &PropertyList,
    bone: Option<usize>,
    shapes: &mut ShapeList,
) {
    let Some(geometry) = value(package, body, "AggGeom") else { return };
    let Some(geometry) = geometry.as_list() else {
        shapes.unread += 1;
        return;
    };
    let of = |name| structs(value(package, geometry, name)).iter().map(Value::as_list);
    let mut add = |list: Option<&PropertyList>,
                   form: fn(&AggElement<'_>) -> Option<CollisionForm>| {
        let element = list.map(|list| AggElement { package, list });
        let made = element.and_then(|element| Some((element.place()?, form(&element)?)));
        match made {
            Some((place, form)) => shapes.push(bone, place, form),
            None => shapes.unread += 1,
        }
    };
    of("SphereElems").for_each(|it| add(it, |it| it.sphere()));
    of("BoxElems").for_each(|it| add(it, |it| it.cuboid()));
    of("SphylElems").for_each(|it| add(it, |it| it.capsule()));
    for list in of("ConvexElems") {
        let element = list.map(|list| AggElement { package, list });
        let made = element.as_ref();
        let made = made.and_then(|it| Some((it.transform()?, it.points()?, it.faces())));
        match made {
            Some((place, points, faces)) => shapes.push_convex(bone, place, points, faces),
            None => shapes.unread += 1,
        }
    }
    for property in &geometry.properties {
        let name = property.name_text(|name| package.name_text(name));
        let is_read = READ.iter().any(|read| *read == name);
        shapes.unread += match property.value() {
            Value::Zero => 0,
            Value::Array(Elements::Values(_)) | Value::StructArray(_) if is_read => 0,
            Value::Array(elements) => elements.len(),
            Value::StructArray(all) => all.elements.len(),
            // What is no list of shapes.
            _ => usize::from(is_read),
        };
    }
}

impl AggElement<'_> {
    fn value(&self, name: &str) -> Option<&Value> {
        value(self.package, self.list, name)
    }

    /// A number; 1 where none is stored, which is what UE4 and UE5 start from: UE3 stores all.
    fn number(&self, name: &str) -> Option<f32> {
        match self.value(name) {
            None => Some(1.0),
            Some(Value::Zero) => Some(0.0),
            Some(Value::Float(number)) => Some(*number),
            Some(Value::Double(number)) => Some(*number as f32),
            Some(_) => None,
        }
    }

    fn vector(&self, name: &str, missing: [f32; 3]) -> Option<[f32; 3]> {
        match self.value(name) {
            None => Some(missing),
            Some(Value::Zero) => Some([0.0; 3]),
            Some(value) => value.three_numbers().map(|three| three.map(|number| number as f32)),
        }
    }

    /// A quaternion, unless it is not stored.
    fn quaternion(&self, name: &str) -> Option<Option<[f32; 4]>> {
        match self.value(name) {
            None => Some(None),
            Some(Value::Float4(four)) => Some(Some(*four)),
            Some(Value::Double4(four)) => Some(Some(four.map(|number| number as f32))),
            Some(_) => None,
        }
    }

    /// Where a sphere, box or capsule stands: a matrix in UE3, then a centre with a quaternion, then with angles in degrees.
    fn place(&self) -> Option<MeshPlacement> {
        if let Some(matrix) = self.value("TM") {
            return MatrixRows::of_planes(matrix)?.placement();
        }
        let plain = MeshPlacement::default();
        let translation = self.vector("Center", plain.translation)?;
        let rotation = match self.quaternion("Orientation")? {
            Some(quaternion) => quaternion,
            None => {
                let [pitch, yaw, roll] = self.vector("Rotation", [0.0; 3])?;
                rotation_degrees(pitch, yaw, roll)
            }
        };
        Some(MeshPlacement { translation, rotation, ..plain })
    }

    fn sphere(&self) -> Option<CollisionForm> {
        Some(CollisionForm::Sphere { radius: self.number("Radius")? })
    }

    fn cuboid(&self) -> Option<CollisionForm> {
        Some(CollisionForm::Box { size: [self.number("X")?, self.number("Y")?, self.number("Z")?] })
    }

    fn capsule(&self) -> Option<CollisionForm> {
        let (radius, length) = (self.number("Radius")?, self.number("Length")?);
        Some(CollisionForm::Capsule { radius, length })
    }

    /// Where a convex hull stands, from UE4 on.
    fn transform(&self) -> Option<MeshPlacement> {
        let plain = MeshPlacement::default();
        let Some(stored) = self.value("Transform") else { return Some(plain) };
        let stored = AggElement { package: self.package, list: stored.as_list()? };
        Some(MeshPlacement {
            translation: stored.vector("Translation", plain.translation)?,
            rotation: stored.quaternion("Rotation")?.unwrap_or(plain.rotation),
            scale: stored.vector("Scale3D", plain.scale)?,
        })
    }

    fn points(&self) -> Option<Vec<[f32; 3]>> {
        let elements = match self.value("VertexData")? {
            Value::Array(elements) => elements,
            Value::StructArray(all) => &all.elements,
            _ => return None,
        };
        let narrow = |three: [f64; 3]| three.map(|number| number as f32);
        match elements {
            Elements::Float3(points) => Some(points.clone()),
            Elements::Double3(points) => Some(points.iter().map(|point| narrow(*point)).collect()),
            Elements::Values(all) => {
                all.iter().map(|point| point.three_numbers().map(narrow)).collect()
            }
            _ => None,
        }
    }

    /// Corners of triangles, three for each: UE3, UE5.
    fn faces(&self) -> &[i32] {
        let stored = self.value("FaceTriData").or_else(|| self.value("IndexData"));
        match stored {
            Some(Value::Array(Elements::Int(corners))) => corners,
            _ => &[],
        }
    }
}
