//! Expressions of materials whose value is the same for every vertex and pixel.

use crate::archive::layout::Layout;
use crate::archive::{at_index, in_field, private::absent};
use crate::error::{ErrorKind, Result};
use crate::object::expression_class::{DEEPEST, kind};
use crate::primitive::{Name, NameContext, PackageIndex};
use crate::{Archive, ArchiveExt, Archived, Described};

/// First file version whose expressions name textures by number.
const TEXTURE_INDEX: u32 = 660;

/// An expression: the name of its class, then the operands that the class has.
///
/// Spec: ue1-3/11 §11.8.
#[derive(Described, Debug, Clone, Default, PartialEq)]
pub struct Expression {
    /// Name of the class; it decides the operands, but only when loading.
    pub class: Name,
    /// The operands.
    pub operands: Operands,
}

/// The operands of an [`Expression`].
#[derive(Debug, Clone, Default, PartialEq)]
pub enum Operands {
    /// None.
    #[default]
    None,
    /// One expression.
    One(Box<Expression>),
    /// Sine: one expression, and whether the cosine is meant.
    Sine(Box<Expression>, u32),
    /// Two expressions.
    Two(Box<[Expression; 2]>),
    /// Two expressions and how many components the first one has.
    Append(Box<[Expression; 2]>, i32),
    /// Two expressions and the operator.
    Folded(Box<[Expression; 2]>, u8),
    /// Three expressions.
    Three(Box<[Expression; 3]>),
    /// A constant and its type.
    Constant([f32; 4], u8),
    /// A texture.
    Texture(TextureOperand),
    /// A texture that a parameter chooses.
    TextureParameter(Name, TextureOperand),
    /// A number that is a parameter.
    Scalar(Name, f32),
    /// A vector that is a parameter.
    Vector(Name, [f32; 4]),
    /// A texture of several frames.
    Flipbook(i32, TextureOperand),
}

/// A texture, by reference below file version 660 and by number in the material's list from there on.
#[derive(Archived, Debug, Clone, Copy, Default, PartialEq)]
pub struct TextureOperand {
    /// The texture.
    #[until(TEXTURE_INDEX)]
    pub texture: PackageIndex,
    /// Its number.
    #[since(TEXTURE_INDEX)]
    pub index: i32,
}

impl Operands {
    /// Empty operands of this class, to be loaded.
    fn blank(class: &str) -> Option<Self> {
        let kind = kind(class)?;
        let is = |names: &[&str]| names.iter().any(|name| name.eq_ignore_ascii_case(kind));
        Some(match () {
            () if is(&["Time", "RealTime", "FractionOfEffectEnabled"]) => Self::None,
            () if is(&["Abs", "Ceil", "Floor", "Frac", "Periodic", "SquareRoot"]) => {
                Self::One(Box::default())
            }
            () if is(&["Sine"]) => Self::Sine(Box::default(), 0),
            () if is(&["Fmod", "Max", "Min"]) => Self::Two(Box::default()),
            () if is(&["AppendVector"]) => Self::Append(Box::default(), 0),
            () if is(&["FoldedMath"]) => Self::Folded(Box::default(), 0),
            () if is(&["Clamp"]) => Self::Three(Box::default()),
            () if is(&["Constant"]) => Self::Constant([0.0; 4], 0),
            () if is(&["Texture", "FlipBookTextureParameter"]) => {
                Self::Texture(TextureOperand::default())
            }
            () if is(&["TextureParameter"]) => {
                Self::TextureParameter(Name::default(), TextureOperand::default())
            }
            () if is(&["ScalarParameter"]) => Self::Scalar(Name::default(), 0.0),
            () if is(&["VectorParameter"]) => Self::Vector(Name::default(), [0.0; 4]),
            () if is(&["FlipbookParameter"]) => Self::Flipbook(0, TextureOperand::default()),
            () => return None,
        })
    }
}

impl Operands {
    /// How many expressions are among these operands.
    fn nested(&self) -> u64 {
        match self {
            Self::One(_) | Self::Sine(..) => 1,
            Self::Two(_) | Self::Append(..) | Self::Folded(..) => 2,
            Self::Three(_) => 3,
            _ => 0,
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
            let Some(operands) = Operands::blank(&text) else {
                let index = i64::from(self.class.index.value());
                let type_name = "material expression";
                return Err(ar.error(ErrorKind::UnknownVariant { value: index, type_name }));
            };
            ar.claim(operands.nested(), size_of::<Self>())?;
            self.operands = operands;
        }
        let operands = &mut self.operands;
        in_field("operands", ar, |ar| operands.serialize_at(depth + 1, ar))
    }
}

impl Operands {
    fn serialize_at<A: Archive + ?Sized>(&mut self, depth: u32, ar: &mut A) -> Result<()> {
        match self {
            Self::None => Ok(()),
            Self::One(inner) => in_field("inner", ar, |ar| inner.serialize_at(depth, ar)),
            Self::Sine(inner, cosine) => {
                in_field("inner", ar, |ar| inner.serialize_at(depth, ar))?;
                in_field("cosine", ar, |ar| ar.serialize_u32(cosine))
            }
            Self::Two(inner) => each(&mut **inner, depth, ar),
            Self::Append(inner, components) => {
                in_field("inner", ar, |ar| each(&mut **inner, depth, ar))?;
                in_field("components", ar, |ar| ar.serialize_i32(components))
            }
            Self::Folded(inner, operator) => {
                in_field("inner", ar, |ar| each(&mut **inner, depth, ar))?;
                in_field("operator", ar, |ar| ar.serialize_u8(operator))
            }
            Self::Three(inner) => each(&mut **inner, depth, ar),
            Self::Constant(value, kind) => {
                in_field("value", ar, |ar| value.serialize(ar))?;
                in_field("kind", ar, |ar| ar.serialize_u8(kind))
            }
            Self::Texture(texture) => texture.serialize(ar),
            Self::TextureParameter(name, texture) => {
                in_field("name", ar, |ar| name.serialize(ar))?;
                texture.serialize(ar)
            }
            Self::Scalar(name, value) => {
                in_field("name", ar, |ar| name.serialize(ar))?;
                in_field("value", ar, |ar| ar.serialize_f32(value))
            }
            Self::Vector(name, value) => {
                in_field("name", ar, |ar| name.serialize(ar))?;
                in_field("value", ar, |ar| value.serialize(ar))
            }
            Self::Flipbook(unknown, texture) => {
                in_field("unknown", ar, |ar| ar.serialize_i32(unknown))?;
                texture.serialize(ar)
            }
        }
    }
}

fn each<A: Archive + ?Sized>(expressions: &mut [Expression], depth: u32, ar: &mut A) -> Result<()> {
    for (index, expression) in expressions.iter_mut().enumerate() {
        at_index(index, ar, |ar| expression.serialize_at(depth, ar))?;
    }
    Ok(())
}

/// The name decides the operands when loading; in every other direction the operands at hand do.
impl Archived for Expression {
    const LAYOUT: &'static Layout = Self::DESCRIBED;

    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        self.serialize_at(0, ar)
    }
}

/// `N` lists of expressions; in versions that lack them all must be empty.
pub(super) fn lists<const N: usize, A: Archive + ?Sized>(
    lists: &mut [Vec<Expression>; N],
    present: bool,
    ar: &mut A,
) -> Result<()> {
    for (index, list) in lists.iter_mut().enumerate() {
        at_index(index, ar, |ar| match present {
            true => list.serialize(ar),
            false => absent(list, ar, "expressions"),
        })?;
    }
    Ok(())
}
