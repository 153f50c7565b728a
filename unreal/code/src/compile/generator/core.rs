//! The state of compiling statements and expressions: symbols, the text, the code so far, messages.

use std::collections::HashMap;

use super::value::{CodeItem, TypedValue, Want};

use crate::compile::declarations::WrittenValue;
use crate::compile::diagnostic::{Diagnostic, DiagnosticKind};
use crate::compile::dialect::CompilerDialect;
use crate::compile::symbols::{ClassId, SymbolId, Symbols};
use crate::compile::syntax::{Expression, Syntax};
use crate::compile::types::{Sort, ValueType};

/// Levels of code that a value may hold: fewer than readers of code take.
pub(super) const DEEPEST_CODE: u32 = 200;
/// Constants that are the value of other ones, and operators before one another.
pub(super) const DEEPEST: u32 = 64;
/// Messages that are kept of one function.
pub(super) const MOST_ERRORS: usize = 100;
/// Jumps have two bytes.
pub(super) const LARGEST: u32 = 0xffff;

/// An error was recorded.
pub(super) struct Failed;

pub(super) type Generated<T> = Result<T, Failed>;

/// The block that statements stand in: where `break` and `continue` go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NestKind {
    Loop,
    For,
    ForEach,
    Switch,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Nest {
    pub kind: NestKind,
    pub end: u32,
    pub next: u32,
}

/// Where a mark for the debugger points.
#[derive(Debug, Clone, Copy)]
pub(super) enum MarkAt {
    /// Behind the last token that was read.
    Behind,
    /// At the next token.
    Next,
    /// A place, bytes.
    Byte(u32),
}

pub(super) struct Generator<'a> {
    pub symbols: &'a Symbols,
    pub dialect: &'a CompilerDialect,
    pub syntax: &'a Syntax,
    pub class: ClassId,
    pub function: Option<SymbolId>,
    pub state: Option<SymbolId>,
    pub locals: HashMap<String, SymbolId>,
    pub result: ValueType,
    /// The number of the next token, as far as code is made of the text.
    pub at: u32,
    pub out: Vec<CodeItem>,
    /// Bytes of it in memory.
    pub size: u32,
    pub labels: Vec<Option<u32>>,
    pub named_labels: HashMap<String, u32>,
    /// Labels that are jumped to, and the tokens that do.
    pub wanted_labels: Vec<(u32, u32)>,
    pub state_labels: Vec<(String, u32)>,
    pub nests: Vec<Nest>,
    pub is_in_for: bool,
    pub diagnostics: Vec<Diagnostic>,
    pub depth: u32,
    pub struct_sizes: HashMap<SymbolId, u32>,
    /// Structs that hold memory of their own, or not.
    pub constructed_structs: HashMap<SymbolId, bool>,
    /// Whether a name that is a function and a class is meant as the function, by the token of the name.
    pub is_function: HashMap<(usize, u32), bool>,
}

impl<'a> Generator<'a> {
    pub fn new(
        symbols: &'a Symbols,
        dialect: &'a CompilerDialect,
        syntax: &'a Syntax,
        class: ClassId,
    ) -> Self {
        Self {
            symbols,
            dialect,
            syntax,
            class,
            function: None,
            state: None,
            locals: HashMap::new(),
            result: ValueType::Void,
            at: 0,
            out: Vec::new(),
            size: 0,
            labels: Vec::new(),
            named_labels: HashMap::new(),
            wanted_labels: Vec::new(),
            state_labels: Vec::new(),
            nests: Vec::new(),
            is_in_for: false,
            diagnostics: Vec::new(),
            depth: 0,
            struct_sizes: HashMap::new(),
            constructed_structs: HashMap::new(),
            is_function: HashMap::new(),
        }
    }

    // Messages.

    pub(super) fn fail<T>(
        &mut self,
        kind: DiagnosticKind,
        tokens: (u32, u32),
        message: impl Into<String>,
    ) -> Generated<T> {
        self.fail_with(kind, tokens, message, None)
    }

    pub(super) fn fail_with<T>(
        &mut self,
        kind: DiagnosticKind,
        (first, last): (u32, u32),
        message: impl Into<String>,
        hint: Option<String>,
    ) -> Generated<T> {
        if self.diagnostics.len() < MOST_ERRORS {
            let range = self.syntax.range(first, last);
            let error = Diagnostic::error(&self.syntax.source, kind, range, message);
            self.diagnostics.push(error.with_hint(hint));
        }
        Err(Failed)
    }

    pub(super) fn warn(&mut self, (first, last): (u32, u32), message: impl Into<String>) {
        if self.diagnostics.len() < MOST_ERRORS {
            let range = self.syntax.range(first, last);
            let kind = DiagnosticKind::Misplaced;
            let warning = Diagnostic::error(&self.syntax.source, kind, range, message);
            self.diagnostics.push(warning.as_warning());
        }
    }

    pub(super) fn nested<T>(
        &mut self,
        tokens: (u32, u32),
        make: impl FnOnce(&mut Self) -> Generated<T>,
    ) -> Generated<T> {
        if self.depth >= 4 * DEEPEST {
            return self.fail(DiagnosticKind::Limit, tokens, "this nests too deep: divide it");
        }
        self.depth += 1;
        let result = make(self);
        self.depth -= 1;
        result
    }

    /// Refuses what no reader of code takes.
    pub(super) fn bounded(
        &mut self,
        value: TypedValue,
        tokens: (u32, u32),
    ) -> Generated<TypedValue> {
        match value.depth > DEEPEST_CODE {
            true => self.fail(
                DiagnosticKind::Limit,
                tokens,
                "this expression nests too deep: divide it",
            ),
            false => Ok(value),
        }
    }

    // Items.

    pub(super) fn item_size(&self, item: &CodeItem) -> u32 {
        let long = |length: usize| u32::try_from(length).unwrap_or(LARGEST);
        match item {
            CodeItem::Token(_) | CodeItem::Byte(_) => 1,
            CodeItem::Word(_) | CodeItem::Skip(_) | CodeItem::Label(_) | CodeItem::NoLabel => 2,
            CodeItem::Place(_) | CodeItem::Int(_) | CodeItem::Float(_) => 4,
            CodeItem::Object(_) => self.dialect.object_size(),
            CodeItem::Name(_) => self.dialect.name_size(),
            CodeItem::Text(text) => long(text.len()).saturating_add(1),
            CodeItem::Wide(text) => long(text.len()).saturating_mul(2).saturating_add(2),
        }
    }

    pub(super) fn size_of(&self, code: &[CodeItem]) -> u32 {
        code.iter().fold(0, |size, item| size.saturating_add(self.item_size(item)))
    }

    pub(super) fn emit(&mut self, code: impl IntoIterator<Item = CodeItem>) {
        for item in code {
            self.size = self.size.saturating_add(self.item_size(&item));
            self.out.push(item);
        }
    }

    pub(super) fn token(&mut self, token: u8) {
        self.emit([CodeItem::Token(token)]);
    }

    pub(super) fn label(&mut self) -> u32 {
        self.labels.push(None);
        u32::try_from(self.labels.len() - 1).unwrap_or(u32::MAX)
    }

    /// A label stands here.
    pub(super) fn here(&mut self, label: u32) {
        let size = self.size;
        if let Some(label) = self.labels.get_mut(label as usize) {
            *label = Some(size);
        }
    }

    /// A mark for the debugger; none where the compiler makes none.
    pub(super) fn mark(&self, kind: u8, at: MarkAt) -> Vec<CodeItem> {
        if !self.dialect.has_debug_marks {
            return Vec::new();
        }
        let byte = match at {
            MarkAt::Behind => self.syntax.token(self.at.saturating_sub(1)).end,
            MarkAt::Next => self.syntax.token(self.at).start,
            MarkAt::Byte(byte) => byte,
        } as usize;
        let line = self.line(byte);
        let signed = |number: u32| i32::from_ne_bytes(number.to_ne_bytes());
        let token = if self.dialect.is_ue3() { 0x41 } else { 0x42 };
        vec![
            CodeItem::Token(token),
            CodeItem::Int(100),
            CodeItem::Int(signed(line)),
            CodeItem::Int(signed(self.syntax.source.offset(byte))),
            CodeItem::Byte(kind),
        ]
    }

    pub(super) fn emit_mark(&mut self, kind: u8, at: MarkAt) {
        let mark = self.mark(kind, at);
        self.emit(mark);
    }

    /// The line of a place: `#linenumber N` gives its own line the number N.
    pub(super) fn line(&self, byte: usize) -> u32 {
        let line = self.syntax.source.line(byte);
        let numbered = &self.syntax.tokens.numbered_lines;
        let before = numbered.partition_point(|(start, _)| *start < byte);
        match before.checked_sub(1).and_then(|at| numbered.get(at)) {
            Some((start, number)) => {
                number.wrapping_add(line).wrapping_sub(self.syntax.source.line(*start))
            }
            None => line,
        }
    }

    // Types.

    pub(super) fn sort(&self, of: &ValueType) -> Sort {
        of.sort(self.symbols, self.dialect.is_ue3())
    }

    pub(super) fn describe(&self, value: &TypedValue) -> String {
        let of = value.of.describe(self.symbols);
        if value.is_array { format!("a static array of {of}") } else { of }
    }

    /// How many values a static array holds; 1 of what is none.
    pub(super) fn length_of(&mut self, variable: SymbolId, tokens: (u32, u32)) -> Generated<u32> {
        use crate::compile::declarations::ArrayLength;
        let symbols = self.symbols;
        match symbols.variable(variable).and_then(|it| it.length.as_ref()) {
            None => Ok(1),
            Some(ArrayLength::Number(length)) => Ok(*length),
            Some(ArrayLength::Written(written)) => {
                match self.written_length(written, variable.class, 0) {
                    Some(length) => Ok(length),
                    None => {
                        let message =
                            "the length of this array is neither a number, a constant nor an enum";
                        self.fail(DiagnosticKind::UnknownName, tokens, message)
                    }
                }
            }
        }
    }

    pub(super) fn written_length(
        &mut self,
        written: &'a WrittenValue,
        class: ClassId,
        depth: u32,
    ) -> Option<u32> {
        use crate::compile::syntax::{ExpressionItem, OperandBase, PostfixKind};
        let operand = match &written.value.items[..] {
            [ExpressionItem::Operand(operand)] if depth < 8 => operand,
            _ => return None,
        };
        match &operand.base {
            OperandBase::Number => whole_number(written.syntax.text(operand.first)),
            OperandBase::Word(word) => {
                let folded = word.text.to_ascii_lowercase();
                if let Some(postfix) = operand.behind.first() {
                    if folded != "arraycount" {
                        return None;
                    }
                    let PostfixKind::Arguments(given) = &postfix.kind else { return None };
                    let argument = given.first()?.as_ref()?;
                    let [ExpressionItem::Operand(counted)] = &argument.items[..] else {
                        return None;
                    };
                    let OperandBase::Word(counted) = &counted.base else { return None };
                    let folded = counted.text.to_ascii_lowercase();
                    let variable = self.symbols.find_variable(class, &folded)?;
                    let symbols = self.symbols;
                    return match symbols.variable(variable)?.length.as_ref()? {
                        crate::compile::declarations::ArrayLength::Number(length) => Some(*length),
                        crate::compile::declarations::ArrayLength::Written(written) => {
                            self.written_length(written, variable.class, depth + 1)
                        }
                    };
                }
                let symbols = self.symbols;
                if let Some(constant) = symbols.find_constant(class, &folded) {
                    return self.written_length(constant, class, depth + 1);
                }
                if let Some(id) = symbols.find_enum(class, &folded) {
                    let values = u32::try_from(symbols.enumeration(id)?.values.len()).ok()?;
                    return Some(values + u32::from(self.dialect.closes_enums()));
                }
                symbols.find_value(class, &folded).map(|(_, value)| value.into())
            }
            _ => None,
        }
    }

    /// Bytes of a struct in memory (spec: ue1-3/15 §15.6).
    pub(super) fn struct_size(&mut self, id: SymbolId, depth: u32) -> u32 {
        if let Some(size) = self.struct_sizes.get(&id) {
            return *size;
        }
        if depth > 16 {
            return 0;
        }
        let mut size = 0_u32;
        let symbols = self.symbols;
        let mut chain: Vec<SymbolId> = symbols.struct_chain(id).collect();
        chain.reverse();
        let mut widest = 4;
        for id in chain {
            let Some(structure) = symbols.structure(id) else { continue };
            let mut is_behind_bool = false;
            for row in &structure.members {
                let member = SymbolId { class: id.class, row: *row };
                let of = symbols.type_of(member);
                let count = self.length_of(member, (0, 0)).unwrap_or(1);
                if of == ValueType::Bool {
                    if !is_behind_bool {
                        size = size.next_multiple_of(4).saturating_add(4);
                    }
                    is_behind_bool = true;
                    continue;
                }
                is_behind_bool = false;
                if matches!(of, ValueType::Byte(_)) {
                    size = size.saturating_add(count);
                    continue;
                }
                let is_object =
                    matches!(of, ValueType::Object(_) | ValueType::Class(_) | ValueType::Pointer);
                let (one, alignment) = match &of {
                    ValueType::Text | ValueType::Array(_) | ValueType::Delegate(_) => (12, 4),
                    ValueType::Map => (20, 4),
                    ValueType::Struct(inner) => (self.struct_size(*inner, depth + 1), 4),
                    _ if is_object && self.dialect.has_wide_objects => {
                        widest = 8;
                        (8, 8)
                    }
                    _ => (self.type_size(&of), 4),
                };
                size = size.next_multiple_of(alignment).saturating_add(one.saturating_mul(count));
                size = size.min(1 << 24);
            }
        }
        let size = size.next_multiple_of(widest);
        self.struct_sizes.insert(id, size);
        size
    }

    /// Bytes of a value as contexts and switches say them.
    pub(super) fn type_size(&mut self, of: &ValueType) -> u32 {
        match of {
            ValueType::Byte(_) => 1,
            ValueType::Int | ValueType::Bool | ValueType::Float => 4,
            ValueType::Object(_) | ValueType::Class(_) | ValueType::None | ValueType::Pointer => {
                self.dialect.object_size()
            }
            ValueType::Name => self.dialect.name_size(),
            ValueType::Delegate(_) if self.dialect.is_ue2() => 8,
            ValueType::Struct(id) => self.struct_size(*id, 0) & 0xff,
            ValueType::Void
            | ValueType::Text
            | ValueType::Array(_)
            | ValueType::Map
            | ValueType::Delegate(_) => 0,
        }
    }

    /// The value of an expression.
    pub(super) fn expression(
        &mut self,
        expression: &'a Expression,
        want: Want<'_>,
    ) -> Generated<TypedValue> {
        let tokens = (expression.first, expression.last);
        let value = self.nested(tokens, |it| it.whole_chain(expression, want))?;
        self.at = expression.last + 1;
        Ok(value)
    }

    /// The value of an expression as a value of a type.
    pub(super) fn converted(
        &mut self,
        expression: &'a Expression,
        of: &ValueType,
    ) -> Generated<TypedValue> {
        let value = self.expression(expression, Want::of(of))?;
        self.convert(value, of, (expression.first, expression.last))
    }

    pub(super) fn condition(&mut self, expression: &'a Expression) -> Generated<TypedValue> {
        self.converted(expression, &ValueType::Bool)
    }
}

/// A whole number that is not negative: decimal, or hexadecimal with `0x`.
pub(super) fn whole_number(text: &str) -> Option<u32> {
    match text.strip_prefix("0x").or(text.strip_prefix("0X")) {
        Some(digits) => u32::from_str_radix(digits, 16).ok(),
        None => text.parse().ok(),
    }
}
