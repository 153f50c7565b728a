//! Expressions of materials whose value is the same for every vertex and pixel.

use super::old_shader_map::FORM;
use crate::archive::in_field;
use crate::archive::layout::Layout;
use crate::error::{ErrorKind, Result};
use crate::object::expression_class::{DEEPEST, kind};
use crate::object::ue4::condition::ue4;
use crate::primitive::{Name, NameContext};
use crate::{Archive, ArchiveExt, Archived, Described};

/// First UE4 version whose folded expressions say their type.
const FOLDED_TYPE: u32 = 508;

/// An expression: the name of its class, then the operands that the class has.
///
/// Spec: ue4-5/09 §7. C++: `FMaterialUniformExpression`.
#[derive(Described, Debug, Clone, Default, PartialEq)]
pub struct Expression {
    /// Name of the class; it decides the operands, but only when loading.
    pub class: Name,
    /// The operands.
    pub operands: Operands,
}

/// The operands of an [`Expression`]: of the classes that were seen in packages, no others.
#[derive(Debug, Clone, PartialEq)]
pub enum Operands {
    /// A constant and its type.
    Constant([f32; 4], u8),
    /// A number that is a parameter.
    Scalar(Name, f32),
    /// A vector that is a parameter.
    Vector(Name, [f32; 4]),
    /// Two expressions, the operator, and from UE4 version 508 on the type of the value.
    Folded(Box<[Expression; 2]>, u8, u32),
    /// An expression; which of its components become red, green, blue and alpha, -1 for none; how many.
    Swizzle(Box<Expression>, [i8; 4], u8),
}

impl Default for Operands {
    fn default() -> Self {
        Self::Constant([0.0; 4], 0)
    }
}

impl Operands {
    /// Empty operands of this class, to be loaded.
    fn blank(class: &str) -> Option<Self> {
        Some(match kind(class)?.to_ascii_lowercase().as_str() {
            "constant" => Self::default(),
            "scalarparameter" => Self::Scalar(Name::default(), 0.0),
            "vectorparameter" => Self::Vector(Name::default(), [0.0; 4]),
            "foldedmath" => Self::Folded(Box::default(), 0, 0),
            "componentswizzle" => Self::Swizzle(Box::default(), [0; 4], 0),
            _ => return None,
        })
    }

    /// How many expressions are among these operands.
    fn nested(&self) -> u64 {
        match self {
            Self::Folded(..) => 2,
            Self::Swizzle(..) => 1,
            _ => 0,
        }
    }

    fn serialize_at<A: Archive + ?Sized>(&mut self, depth: u32, ar: &mut A) -> Result<()> {
        match self {
            Self::Constant(value, kind) => {
                in_field("value", ar, |ar| value.serialize(ar))?;
                in_field("type", ar, |ar| ar.serialize_u8(kind))
            }
            Self::Scalar(name, value) => {
                in_field("name", ar, |ar| name.serialize(ar))?;
                in_field("value", ar, |ar| ar.serialize_f32(value))
            }
            Self::Vector(name, value) => {
                in_field("name", ar, |ar| name.serialize(ar))?;
                in_field("value", ar, |ar| value.serialize(ar))
            }
            Self::Folded(inner, operator, kind) => {
                let [left, right] = &mut **inner;
                in_field("left", ar, |ar| left.serialize_at(depth, ar))?;
                in_field("right", ar, |ar| right.serialize_at(depth, ar))?;
                in_field("operator", ar, |ar| ar.serialize_u8(operator))?;
                match ue4(ar) >= FOLDED_TYPE {
                    true => in_field("type", ar, |ar| ar.serialize_u32(kind)),
                    false => crate::archive::private::absent(kind, ar, "type"),
                }
            }
            Self::Swizzle(inner, components, count) => {
                in_field("inner", ar, |ar| inner.serialize_at(depth, ar))?;
                in_field("components", ar, |ar| components.serialize(ar))?;
                in_field("count", ar, |ar| ar.serialize_u8(count))
            }
        }
    }
}

impl Expression {
    fn serialize_at<A: Archive + ?Sized>(&mut self, depth: u32, ar: &mut A) -> Result<()> {
        if depth >= DEEPEST {
            return Err(ar.error(ErrorKind::TooDeep { limit: DEEPEST }));
        }
        in_field("class", ar, |ar| self.class.serialize(ar))?;
        if ar.is_loading() {
            let text = ar.context().name_text(&self.class).unwrap_or_default();
            let operands = Operands::blank(&text).ok_or_else(|| ar.error(FORM))?;
            ar.claim(operands.nested(), size_of::<Self>())?;
            self.operands = operands;
        }
        in_field("operands", ar, |ar| self.operands.serialize_at(depth + 1, ar))
    }
}

/// The name decides the operands when loading; in every other direction the operands at hand do.
impl Archived for Expression {
    const LAYOUT: &'static Layout = Self::DESCRIBED;

    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        self.serialize_at(0, ar)
    }
}
