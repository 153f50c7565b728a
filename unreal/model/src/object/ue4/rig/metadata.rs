//! What scripts keep with the elements of a rig.

use super::element::RigKey;
use crate::archive::in_field;
use crate::archive::layout::Layout;
use crate::error::{ErrorKind, Result};
use crate::object::ue4::geometry::{Transform, Vector, Vector4};
use crate::primitive::{Name, NameContext, array};
use crate::{Archive, ArchiveExt, Archived, Described};

/// A value by name in the version that keeps it with its element. C++: `FRigBaseMetadata`.
#[derive(Described, Debug, Clone, Default, PartialEq)]
pub struct RigMetadata {
    /// Its name, in the list.
    pub listed_name: Name,
    /// Its type, in the list. C++: `ERigMetadataType`.
    pub listed_kind: Name,
    /// Its name.
    pub name: Name,
    /// Its type.
    pub kind: Name,
    /// The value.
    pub value: RigMetadataValue,
    #[archive(skip)]
    kind_number: u8,
}

impl Archived for RigMetadata {
    const LAYOUT: &'static Layout = Self::DESCRIBED;

    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        in_field("listed_name", ar, |ar| self.listed_name.serialize(ar))?;
        in_field("listed_kind", ar, |ar| self.listed_kind.serialize(ar))?;
        in_field("name", ar, |ar| self.name.serialize(ar))?;
        in_field("kind", ar, |ar| self.kind.serialize(ar))?;
        // The name decides when loading; in every other direction what was found then.
        if ar.is_loading() {
            let text = ar.context().name_text(&self.kind).unwrap_or_default();
            let kind = KINDS.iter().position(|kind| text.rsplit("::").next() == Some(kind));
            self.kind_number = kind.and_then(|kind| u8::try_from(kind).ok()).unwrap_or(u8::MAX);
        }
        let kind = self.kind_number;
        in_field("value", ar, |ar| self.value.serialize_as(kind, ar))
    }
}

/// A value by name in the version that keeps all of a rig together. C++: `FMetadataStorage`.
#[derive(Described, Debug, Clone, Default, PartialEq)]
pub struct StoredRigMetadata {
    /// Its name, in the list.
    pub listed_name: Name,
    /// Its type, in the list. C++: `ERigMetadataType`.
    pub listed_kind: Name,
    /// Its name.
    pub name: Name,
    /// Its type.
    pub kind: u8,
    /// The value.
    pub value: RigMetadataValue,
}

impl Archived for StoredRigMetadata {
    const LAYOUT: &'static Layout = Self::DESCRIBED;

    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        in_field("listed_name", ar, |ar| self.listed_name.serialize(ar))?;
        in_field("listed_kind", ar, |ar| self.listed_kind.serialize(ar))?;
        in_field("name", ar, |ar| self.name.serialize(ar))?;
        in_field("kind", ar, |ar| ar.serialize_u8(&mut self.kind))?;
        in_field("value", ar, |ar| self.value.serialize_as(self.kind, ar))
    }
}

/// The types by their numbers.
const KINDS: &[&str] = &[
    "Bool",
    "BoolArray",
    "Float",
    "FloatArray",
    "Int32",
    "Int32Array",
    "Name",
    "NameArray",
    "Vector",
    "VectorArray",
    "Rotator",
    "RotatorArray",
    "Quat",
    "QuatArray",
    "Transform",
    "TransformArray",
    "LinearColor",
    "LinearColorArray",
    "RigElementKey",
    "RigElementKeyArray",
];

/// A value or a list of values, of the type that stands before it: only the list that it says has any.
#[derive(Debug, Clone, Default, PartialEq, Described)]
pub struct RigMetadataValue {
    /// Bools.
    pub bools: Vec<bool>,
    /// Numbers.
    pub floats: Vec<f32>,
    /// Whole numbers.
    pub integers: Vec<i32>,
    /// Names.
    pub names: Vec<Name>,
    /// Points and angles.
    pub vectors: Vec<Vector>,
    /// Rotations.
    pub quaternions: Vec<Vector4>,
    /// Transforms.
    pub transforms: Vec<Transform>,
    /// Colours: red, green, blue, alpha.
    pub colors: Vec<[f32; 4]>,
    /// Elements.
    pub keys: Vec<RigKey>,
}

impl RigMetadataValue {
    /// Lengths of the lists, in their order.
    fn lengths(&self) -> [usize; 9] {
        [
            self.bools.len(),
            self.floats.len(),
            self.integers.len(),
            self.names.len(),
            self.vectors.len(),
            self.quaternions.len(),
            self.transforms.len(),
            self.colors.len(),
            self.keys.len(),
        ]
    }

    /// The list of a type; angles are among the vectors.
    fn list(kind: u8) -> usize {
        match kind / 2 {
            of @ 0..=4 => of.into(),
            of => usize::from(of - 1),
        }
    }

    fn serialize_as<A: Archive + ?Sized>(&mut self, kind: u8, ar: &mut A) -> Result<()> {
        if ar.is_loading() {
            *self = Self::default();
        }
        // No value of another type is lost.
        if self
            .lengths()
            .iter()
            .enumerate()
            .any(|(at, length)| at != Self::list(kind) && *length > 0)
        {
            let form = "metadata of a rig with values of another type";
            return Err(ar.error(ErrorKind::NonCanonical { form }));
        }
        let is_list = kind % 2 == 1;
        match kind / 2 {
            0 => values(&mut self.bools, is_list, "bools", ar),
            1 => values(&mut self.floats, is_list, "floats", ar),
            2 => values(&mut self.integers, is_list, "integers", ar),
            3 => values(&mut self.names, is_list, "names", ar),
            4 | 5 => values(&mut self.vectors, is_list, "vectors", ar),
            6 => values(&mut self.quaternions, is_list, "quaternions", ar),
            7 => values(&mut self.transforms, is_list, "transforms", ar),
            8 => values(&mut self.colors, is_list, "colors", ar),
            9 => values(&mut self.keys, is_list, "keys", ar),
            _ => {
                Err(ar.error(ErrorKind::NonCanonical { form: "metadata of a rig of unknown type" }))
            }
        }
    }
}

/// One value, or as many as a count says.
fn values<T: Archived + Default, A: Archive + ?Sized>(
    values: &mut Vec<T>,
    is_list: bool,
    name: &'static str,
    ar: &mut A,
) -> Result<()> {
    in_field(name, ar, |ar| match is_list {
        true => array::counted_i32(values, ar),
        false => crate::object::ue4::condition::fixed(values, 1, ar),
    })
}
