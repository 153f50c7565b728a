//! The elements of arrays and sets.

use super::Value;
use crate::archive::{Kind, Span};
use crate::error::Result;
use crate::primitive::{FString, Guid, Name, PackageIndex, array};
use crate::property::{Delegate, PropertyKind};
use crate::{Archive, Archived};

/// Declares the elements that are kept as plain values of one Rust type.
macro_rules! elements {
    ($($(#[$doc:meta])* $variant:ident($type:ty),)*) => {
        /// Elements of one type, in stored order; plain ones take no more memory than in the file.
        #[derive(Debug, Clone, PartialEq)]
        #[non_exhaustive]
        pub enum Elements {
            /// Bytes, which stay in the source.
            Bytes(Span),
            $($(#[$doc])* $variant(Vec<$type>),)*
            /// Any other values.
            Values(Vec<Value>),
        }

        impl Elements {
            /// How many there are.
            pub fn len(&self) -> usize {
                match self {
                    Self::Bytes(span) => span.len() as usize,
                    $(Self::$variant(values) => values.len(),)*
                    Self::Values(values) => values.len(),
                }
            }

            /// Loads plain elements; the variant says which.
            pub(in crate::property) fn load_plain<A: Archive + ?Sized>(
                mut self,
                count: usize,
                ar: &mut A,
            ) -> Result<Self> {
                match &mut self {
                    Self::Bytes(span) => {
                        ar.serialize_span(span, count as u64, Kind::Payload)?;
                    }
                    $(Self::$variant(values) => array::elements(values, count, ar)?,)*
                    Self::Values(_) => {}
                }
                Ok(self)
            }

            /// Writes or visits the elements; their count stands before them.
            pub(in crate::property) fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
                match self {
                    Self::Bytes(span) => ar.serialize_span(span, 0, Kind::Payload),
                    $(Self::$variant(values) => <$type>::serialize_slice(values, ar),)*
                    Self::Values(values) => Value::serialize_slice(values, ar),
                }
            }
        }
    };
}

elements! {
    /// Numbers of one byte, signed.
    Int8(i8),
    /// Numbers of two bytes, signed.
    Int16(i16),
    /// Numbers of four bytes, signed.
    Int(i32),
    /// Numbers of eight bytes, signed.
    Int64(i64),
    /// Numbers of two bytes.
    UInt16(u16),
    /// Numbers of four bytes.
    UInt32(u32),
    /// Numbers of eight bytes.
    UInt64(u64),
    /// Floating point numbers of four bytes.
    Float(f32),
    /// Floating point numbers of eight bytes.
    Double(f64),
    /// Bools of one byte.
    Bool(u8),
    /// Names, also those of enums' values.
    Name(Name),
    /// References.
    Object(PackageIndex),
    /// Strings.
    Str(FString),
    /// GUIDs.
    Guid(Guid),
    /// Functions of objects.
    Delegate(Delegate),
    /// Structs of two numbers of four bytes.
    Float2([f32; 2]),
    /// Structs of three numbers of four bytes.
    Float3([f32; 3]),
    /// Structs of four numbers of four bytes.
    Float4([f32; 4]),
    /// Structs of two numbers of eight bytes.
    Double2([f64; 2]),
    /// Structs of three numbers of eight bytes.
    Double3([f64; 3]),
    /// Structs of four numbers of eight bytes.
    Double4([f64; 4]),
    /// Structs of two whole numbers.
    Int2([i32; 2]),
    /// Structs of three whole numbers.
    Int3([i32; 3]),
    /// Blue, green, red, alpha.
    Color([u8; 4]),
}

impl Elements {
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// No elements yet of a kind that is kept plainly.
    pub(in crate::property) fn of_kind(kind: PropertyKind) -> Option<Self> {
        Self::like(&Value::zero(kind)?)
    }
}

impl Default for Elements {
    fn default() -> Self {
        Self::Values(Vec::new())
    }
}
