//! Numbers as vertices store them.

use half::f16;

use crate::error::{Error, Result};
use crate::version::ByteOrder;

/// Elements of one size.
#[derive(Clone, Copy)]
pub(super) struct VertexElements<'a> {
    bytes: &'a [u8],
    size: usize,
    order: ByteOrder,
}

impl<'a> VertexElements<'a> {
    /// None at all.
    pub const EMPTY: Self = Self { bytes: &[], size: 1, order: ByteOrder::Little };

    /// Elements of `size` bytes, whose numbers are little-endian.
    pub fn new(bytes: &'a [u8], size: usize) -> Result<Self> {
        Self::in_order(bytes, size, ByteOrder::Little)
    }

    /// Elements of `size` bytes, whose numbers have this order.
    pub fn in_order(bytes: &'a [u8], size: usize, order: ByteOrder) -> Result<Self> {
        match size > 0 && bytes.len().is_multiple_of(size) {
            true => Ok(Self { bytes, size, order }),
            false => Err(Error::invalid(format!("{} bytes of elements of {size}", bytes.len()))),
        }
    }

    pub fn len(&self) -> usize {
        self.bytes.len() / self.size
    }

    pub fn get(&self, at: usize) -> Option<Element<'a>> {
        let start = at.checked_mul(self.size)?;
        self.range(start, self.size)
    }

    /// Some of the bytes, where elements are not of one size.
    pub fn range(&self, start: usize, size: usize) -> Option<Element<'a>> {
        let bytes = self.bytes.get(start..start.checked_add(size)?)?;
        Some(Element { bytes, order: self.order })
    }

    pub fn iter(&self) -> impl ExactSizeIterator<Item = Element<'a>> + use<'a> {
        let order = self.order;
        self.bytes.chunks_exact(self.size).map(move |bytes| Element { bytes, order })
    }

    /// Directions of 8 bits at a place of each element. Some consoles have them as numbers (Xbox 360), others as bytes one
    /// after the other (PlayStation 3, Wii U): no package says which, and directions are as long as one in their own order.
    pub fn directions(&self, at: usize) -> Vec<[f32; 3]> {
        let all = |order| {
            let elements =
                self.bytes.chunks_exact(self.size).map(move |bytes| Element { bytes, order });
            elements.map(|element| element.packed(at, PackedForm::Unsigned8)).collect::<Vec<_>>()
        };
        let lengths = |all: &[[f32; 3]]| {
            let square = |it: &[f32; 3]| it.iter().map(|axis| axis * axis).sum::<f32>();
            all.iter().filter(|it| (0.8..1.2).contains(&square(it))).count()
        };
        let little = all(ByteOrder::Little);
        if !self.is_big() {
            return little;
        }
        let own = all(self.order);
        if lengths(&little) >= lengths(&own) { little } else { own }
    }

    pub fn is_big(&self) -> bool {
        self.order == ByteOrder::Big
    }
}

/// The bytes of an element; what lies behind its end is 0, since [`VertexElements`] has asked for its size.
#[derive(Clone, Copy)]
pub(super) struct Element<'a> {
    pub bytes: &'a [u8],
    order: ByteOrder,
}

impl<'a> Element<'a> {
    /// One whose numbers are little-endian.
    pub fn little(bytes: &'a [u8]) -> Self {
        Self { bytes, order: ByteOrder::Little }
    }

    /// The bytes of a number, the lowest one first.
    fn array<const N: usize>(self, at: usize) -> [u8; N] {
        let bytes = self.bytes.get(at..at.saturating_add(N));
        let mut bytes = bytes.and_then(|bytes| bytes.try_into().ok()).unwrap_or([0; N]);
        if self.order == ByteOrder::Big {
            bytes.reverse();
        }
        bytes
    }

    pub fn u8(self, at: usize) -> u8 {
        u8::from_le_bytes(self.array(at))
    }

    pub fn u16(self, at: usize) -> u16 {
        u16::from_le_bytes(self.array(at))
    }

    pub fn i16(self, at: usize) -> i16 {
        i16::from_le_bytes(self.array(at))
    }

    pub fn u32(self, at: usize) -> u32 {
        u32::from_le_bytes(self.array(at))
    }

    pub fn i32(self, at: usize) -> i32 {
        i32::from_le_bytes(self.array(at))
    }

    pub fn f32(self, at: usize) -> f32 {
        f32::from_le_bytes(self.array(at))
    }

    pub fn f64(self, at: usize) -> f64 {
        f64::from_le_bytes(self.array(at))
    }

    pub fn half(self, at: usize) -> f32 {
        f16::from_le_bytes(self.array(at)).to_f32()
    }

    pub fn vector(self, at: usize) -> [f32; 3] {
        [0, 4, 8].map(|more| self.f32(at + more))
    }

    pub fn quaternion(self, at: usize) -> [f32; 4] {
        [0, 4, 8, 12].map(|more| self.f32(at + more))
    }

    /// Two coordinates, of 32 or 16 bits.
    pub fn uv(self, at: usize, wide: bool) -> [f32; 2] {
        match wide {
            true => [self.f32(at), self.f32(at + 4)],
            false => [self.half(at), self.half(at + 2)],
        }
    }

    /// Colours are numbers: blue, green, red, alpha from the lowest byte on.
    pub fn color(self, at: usize) -> [u8; 4] {
        let [blue, green, red, alpha] = self.array(at);
        [red, green, blue, alpha]
    }

    /// A direction. Those of 8 bits are one number: the first from its lowest byte on.
    pub fn packed(self, at: usize, form: PackedForm) -> [f32; 3] {
        let bytes: [u8; 4] = self.array(at);
        match form {
            PackedForm::Unsigned8 => [0, 1, 2].map(|axis| f32::from(bytes[axis]) / 127.5 - 1.0),
            PackedForm::Signed8 => {
                [0, 1, 2].map(|axis| f32::from(bytes[axis].cast_signed()) / 127.0)
            }
            PackedForm::Unsigned16 => {
                [0, 2, 4].map(|more| f32::from(self.u16(at + more)) / 32767.5 - 1.0)
            }
            PackedForm::Signed16 => [0, 2, 4].map(|more| f32::from(self.i16(at + more)) / 32767.0),
        }
    }
}

/// How a direction is packed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PackedForm {
    Unsigned8,
    Signed8,
    Unsigned16,
    Signed16,
}

impl PackedForm {
    pub fn size(self) -> usize {
        match self {
            Self::Unsigned8 | Self::Signed8 => 4,
            Self::Unsigned16 | Self::Signed16 => 8,
        }
    }
}

pub(super) fn less(a: [f32; 3], b: [f32; 3]) -> [f32; 3] {
    [0, 1, 2].map(|axis| a[axis] - b[axis])
}

pub(super) fn cross(a: [f32; 3], b: [f32; 3]) -> [f32; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

pub(super) fn dot(a: [f32; 3], b: [f32; 3]) -> f32 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// The same direction with the length 1, unless it has none.
pub(super) fn unit<const N: usize>(vector: [f32; N]) -> Option<[f32; N]> {
    let square: f64 = vector.iter().map(|number| f64::from(*number).powi(2)).sum();
    let length = square.sqrt();
    let is_direction = length.is_finite() && length > 1e-12;
    is_direction.then(|| vector.map(|number| (f64::from(number) / length) as f32))
}

/// The rotation the other way round.
pub(super) fn conjugated([x, y, z, w]: [f32; 4]) -> [f32; 4] {
    [-x, -y, -z, w]
}

/// Angles in units of 65536 a turn as a quaternion.
pub(super) fn rotation(pitch: i32, yaw: i32, roll: i32) -> [f32; 4] {
    let halves = [pitch, yaw, roll].map(|angle| f64::from(angle) * std::f64::consts::PI / 65536.0);
    from_halves(halves)
}

/// Angles in degrees as a quaternion.
pub(super) fn rotation_degrees(pitch: f32, yaw: f32, roll: f32) -> [f32; 4] {
    from_halves([pitch, yaw, roll].map(|angle| f64::from(angle).to_radians() / 2.0))
}

fn from_halves(halves: [f64; 3]) -> [f32; 4] {
    let [(sp, cp), (sy, cy), (sr, cr)] = halves.map(f64::sin_cos);
    [
        cr * sp * sy - sr * cp * cy,
        -cr * sp * cy - sr * cp * sy,
        cr * cp * sy - sr * sp * cy,
        cr * cp * cy + sr * sp * sy,
    ]
    .map(|number| number as f32)
}

/// A vector turned.
pub(super) fn turned(q: [f32; 4], v: [f32; 3]) -> [f32; 3] {
    let axis = [q[0], q[1], q[2]];
    let t = cross(axis, v).map(|number| number * 2.0);
    let u = cross(axis, t);
    [0, 1, 2].map(|at| v[at] + q[3] * t[at] + u[at])
}
