//! Vectors and matrices of glam.

use glam::*;

use crate::archive::{Archive, Archived, in_field};
use crate::error::Result;

macro_rules! parts {
    ($([$($type:ty),*] $parts:tt;)*) => { $($(parts!(@one $type, $parts);)*)* };
    (@one $type:ty, [$($part:ident),*]) => {
        impl Archived for $type {
            const NESTS: bool = false;

            #[inline]
            fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
                $(in_field(stringify!($part), ar, |ar| self.$part.serialize(ar))?;)*
                Ok(())
            }
        }
    };
}
parts! {
    [Vec2, DVec2, IVec2, UVec2] [x, y];
    [Vec3, Vec3A, DVec3, IVec3, UVec3] [x, y, z];
    [Vec4, DVec4, IVec4, UVec4, Quat, DQuat] [x, y, z, w];
    [Mat2, DMat2] [x_axis, y_axis];
    [Mat3, Mat3A, DMat3] [x_axis, y_axis, z_axis];
    [Mat4, DMat4] [x_axis, y_axis, z_axis, w_axis];
    [Affine2] [matrix2, translation];
    [Affine3A] [matrix3, translation];
}
