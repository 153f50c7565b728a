//! Typed code: values, and the items that they are made of.

use std::rc::Rc;

use crate::compile::symbols::{ClassId, SymbolId};
use crate::compile::types::ValueType;

/// An object that code refers to.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum CodeReference {
    /// No object.
    Null,
    /// A class.
    Class(ClassId),
    /// A struct.
    Struct(SymbolId),
    /// A variable, struct member, parameter or local variable.
    Variable(SymbolId),
    /// A function.
    Function(SymbolId),
    /// The result of a function.
    Result(SymbolId),
    /// The property that a delegate of a class has.
    DelegateProperty(SymbolId),
    /// An object by its path from its class on: `Actor.Idle.Touch.ReturnValue`.
    Path(Rc<str>),
    /// An object by its class and the name in the text, perhaps with its package and groups.
    Named(Rc<(String, String)>),
}

/// A token or operand: like those of stored code, but with names and objects instead of rows.
#[derive(Debug, Clone, PartialEq)]
pub enum CodeItem {
    /// A token.
    Token(u8),
    /// One byte.
    Byte(u8),
    /// Two bytes.
    Word(u16),
    /// How much of what follows can be passed over.
    Skip(u32),
    /// A place in the code: the number of a label.
    Label(u32),
    /// The place that stands for none.
    NoLabel,
    /// A place in the table of labels of a state.
    Place(u32),
    /// A whole number.
    Int(i32),
    /// A number with a fraction.
    Float(f32),
    /// An object.
    Object(CodeReference),
    /// A name.
    Name(Rc<str>),
    /// 8-bit characters.
    Text(Rc<[u8]>),
    /// UTF-16 units.
    Wide(Rc<[u16]>),
}

/// A value that is written in the text, as far as it is known.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Literal {
    Int(i64),
    Float,
    Name(Rc<str>),
    Other,
}

/// A value: its code and type, and what is known of it.
#[derive(Debug, Clone)]
pub(super) struct TypedValue {
    pub code: Vec<CodeItem>,
    pub of: ValueType,
    /// A static array that no index was taken of.
    pub is_array: bool,
    /// Something can be put into it.
    pub is_place: bool,
    pub literal: Option<Literal>,
    /// The variable that it is, or a part of.
    pub variable: Option<SymbolId>,
    /// The function whose result it is.
    pub function: Option<SymbolId>,
    /// The declared delegate that it is, which becomes a function's name where a value is wanted.
    pub delegate: Option<SymbolId>,
    /// Where bytes stand that say whether a struct is changed (UE3).
    pub modified: Vec<usize>,
    /// Of a context: the items before the number of bytes to pass over, and the items of that and of the size.
    pub context: Option<(usize, usize)>,
    /// Levels of code within it.
    pub depth: u32,
}

impl TypedValue {
    pub fn new(code: Vec<CodeItem>, of: ValueType) -> Self {
        Self {
            code,
            of,
            is_array: false,
            is_place: false,
            literal: None,
            variable: None,
            function: None,
            delegate: None,
            modified: Vec::new(),
            context: None,
            depth: 1,
        }
    }

    pub fn literal(code: Vec<CodeItem>, of: ValueType, literal: Literal) -> Self {
        Self { literal: Some(literal), ..Self::new(code, of) }
    }

    /// The same value with other code around or instead of its own.
    pub fn recoded(&self, code: Vec<CodeItem>, of: ValueType) -> Self {
        Self { depth: self.depth + 1, ..Self::new(code, of) }
    }

    /// Items put before its code; what is known of places in the code moves with it.
    pub fn prefixed(mut self, items: &[CodeItem]) -> Self {
        self.code.splice(0..0, items.iter().cloned());
        self.modified.iter_mut().for_each(|at| *at += items.len());
        self.context = None;
        self.depth += 1;
        self
    }

    /// Marks the first struct member in it as changed.
    pub fn changed(mut self) -> Self {
        if let Some(at) = self.modified.first().and_then(|at| self.code.get_mut(*at)) {
            *at = CodeItem::Byte(1);
        }
        self
    }

    pub fn starts_with(&self, token: u8) -> bool {
        self.code.first() == Some(&CodeItem::Token(token))
    }
}

/// The type that a place wants of its value.
#[derive(Debug, Clone, Copy)]
pub(super) struct Want<'t> {
    pub of: Option<&'t ValueType>,
    /// It is the other operand of an operator, or a branch of a choice: literals with a fraction keep it.
    pub is_operand: bool,
}

impl<'t> Want<'t> {
    pub const NOTHING: Self = Want { of: None, is_operand: false };

    pub fn of(of: &'t ValueType) -> Self {
        Self { of: Some(of), is_operand: false }
    }

    pub fn operand(of: &'t ValueType) -> Self {
        Self { of: Some(of), is_operand: true }
    }

    pub fn is_byte(self) -> bool {
        matches!(self.of, Some(ValueType::Byte(_)))
    }

    pub fn is_int(self) -> bool {
        matches!(self.of, Some(ValueType::Int))
    }

    pub fn is_float(self) -> bool {
        matches!(self.of, Some(ValueType::Float))
    }
}
