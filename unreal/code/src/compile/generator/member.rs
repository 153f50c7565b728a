//! The parts behind a value: members, indices; and new objects (spec: ue1-3/15 §15.6).

use super::enumeration::enum_value;
use super::tail::Tail;
use super::value::{TypedValue, Want};
use super::{CodeItem, CodeReference, Generated, Generator};
use crate::compile::declarations::fold;
use crate::compile::diagnostic::{DiagnosticKind, nearest};
use crate::compile::symbols::{ClassId, SymbolId};
use crate::compile::syntax::{Expression, Operand, OperandBase, PostfixKind, Word};
use crate::compile::types::ValueType;

/// First file versions whose contexts have a word for the size, and a reference to a property.
const WORD_SIZE: u32 = 513;
const PROPERTY: u32 = 588;

impl<'a> Generator<'a> {
    /// Takes all that stands behind a value.
    pub(super) fn behind(
        &mut self,
        value: TypedValue,
        tail: &mut Tail<'a>,
        want: Want<'_>,
    ) -> Generated<TypedValue> {
        let mut value = value;
        while let Some(postfix) = tail.peek() {
            match &postfix.kind {
                PostfixKind::Member(word) => {
                    tail.next();
                    self.at = word.token + 1;
                    value = self.member(value, word, tail, want)?;
                }
                PostfixKind::Index(index) => {
                    tail.next();
                    value = self.index(value, index)?;
                    self.at = postfix.last + 1;
                }
                PostfixKind::Arguments(_) => {
                    let message = format!("{} is not called", self.describe(&value));
                    return self.fail(DiagnosticKind::Type, tail.tokens(), message);
                }
            }
            value = self.bounded(value, tail.tokens())?;
        }
        Ok(value)
    }

    fn index(&mut self, value: TypedValue, index: &'a Expression) -> Generated<TypedValue> {
        let number = self.converted(index, &ValueType::Int)?;
        let (token, of) = match (&value.of, value.is_array) {
            (of, true) => (0x1a, of.clone()),
            (ValueType::Array(Some(inner)), false) => (0x10, (**inner).clone()),
            _ => {
                let message = format!("{} is no array", self.describe(&value));
                return self.fail(DiagnosticKind::Type, (index.first, index.last), message);
            }
        };
        let shift = 1 + number.code.len();
        let outer = value.modified.iter().map(|at| at + shift);
        let modified = outer.chain(number.modified.iter().map(|at| at + 1)).collect();
        let depth = value.depth.max(number.depth) + 1;
        let mut code = vec![CodeItem::Token(token)];
        code.extend(number.code);
        code.extend(value.code);
        let variable = value.variable;
        let whole =
            TypedValue { modified, depth, variable, is_place: true, ..TypedValue::new(code, of) };
        // Elements of dynamic arrays have no token for truths.
        Ok(if token == 0x1a { self.as_variable(whole) } else { whole })
    }

    fn member(
        &mut self,
        value: TypedValue,
        word: &'a Word,
        tail: &mut Tail<'a>,
        want: Want<'_>,
    ) -> Generated<TypedValue> {
        let tokens = (word.token, word.token);
        if value.is_array {
            let message = "this is a static array: take one of its values by an index";
            return self.fail(DiagnosticKind::Type, tokens, message);
        }
        match value.of.clone() {
            ValueType::Struct(id) => self.struct_member(value, id, word),
            ValueType::Array(inner) => self.array_member(value, inner.as_deref(), word, tail),
            ValueType::Class(Some(class)) => self.class_member(value, class, word, tail),
            ValueType::Object(Some(class)) => self.object_member(value, class, word, tail, want),
            ValueType::Object(None) | ValueType::Class(None) => {
                let message =
                    format!("the class of what '{}' is taken of is not at hand", word.text);
                self.fail(DiagnosticKind::UnknownName, tokens, message)
            }
            _ => {
                let message = format!("{} has no member '{}'", self.describe(&value), word.text);
                self.fail(DiagnosticKind::Type, tokens, message)
            }
        }
    }

    fn struct_member(
        &mut self,
        value: TypedValue,
        id: SymbolId,
        word: &Word,
    ) -> Generated<TypedValue> {
        let symbols = self.symbols;
        let Some((_, member)) = symbols.find_member(id, &fold(&word.text)) else {
            let members =
                symbols.struct_chain(id).filter_map(|id| symbols.structure(id).map(|it| (id, it)));
            let names = members.flat_map(|(id, it)| {
                let of = move |row: &u32| symbols.variable(SymbolId { class: id.class, row: *row });
                it.members.iter().filter_map(of).map(|it| it.name.as_str())
            });
            let hint = nearest(&word.text, names).map(|name| format!("did you mean '{name}'?"));
            let name = symbols.structure(id).map_or("", |it| it.name.as_str());
            let message = format!("no member '{}' in the struct '{name}'", word.text);
            let tokens = (word.token, word.token);
            return self.fail_with(DiagnosticKind::UnknownName, tokens, message, hint);
        };
        let reference = CodeItem::Object(CodeReference::Variable(member));
        let has_flags = self.dialect.is_ue3() && self.dialect.file() >= 375;
        let (mut code, modified) = match has_flags {
            true => {
                let structure = CodeItem::Object(CodeReference::Struct(id));
                let copies = u8::from(!value.is_place);
                let code = vec![
                    CodeItem::Token(0x35),
                    reference,
                    structure,
                    CodeItem::Byte(copies),
                    CodeItem::Byte(0),
                ];
                // The first one that is compiled counts, which is the innermost.
                (code, value.modified.iter().map(|at| at + 5).chain([4]).collect())
            }
            false => {
                let token = if self.dialect.is_ue3() { 0x35 } else { 0x36 };
                (vec![CodeItem::Token(token), reference], Vec::new())
            }
        };
        code.extend(value.code);
        let of = symbols.type_of(member);
        let is_array = symbols.is_array(member);
        let (is_place, depth) = (value.is_place, value.depth + 1);
        let variable = Some(member);
        let whole = TypedValue::new(code, of);
        Ok(self.as_variable(TypedValue { modified, is_array, is_place, variable, depth, ..whole }))
    }

    fn class_member(
        &mut self,
        value: TypedValue,
        class: ClassId,
        word: &'a Word,
        tail: &mut Tail<'a>,
    ) -> Generated<TypedValue> {
        if word.is("default") && tail.is_member() {
            let Some(member) = tail.member() else { return Ok(value) };
            let inner = self.member_variable(class, member, 0x02)?;
            return self.context(value, inner, 0x12);
        }
        if word.is("static") && tail.is_member() {
            let Some(member) = tail.member() else { return Ok(value) };
            let inner = self.member_call(class, member, tail)?;
            return self.context(value, inner, 0x12);
        }
        // A class is an object as well.
        let symbols = self.symbols;
        let Some(object) = symbols.find_class("class").or_else(|| symbols.find_class("object"))
        else {
            return self.unknown("member", word, class);
        };
        let inner = match tail.is_call() {
            true => self.member_call(object, word, tail)?,
            false => self.member_variable(object, word, 0x01)?,
        };
        self.context(value, inner, 0x19)
    }

    pub(super) fn object_member(
        &mut self,
        value: TypedValue,
        class: ClassId,
        word: &'a Word,
        tail: &mut Tail<'a>,
        want: Want<'_>,
    ) -> Generated<TypedValue> {
        if word.is("default") && tail.is_member() {
            let Some(member) = tail.member() else { return Ok(value) };
            let inner = self.member_variable(class, member, 0x02)?;
            return self.context(value, inner, 0x19);
        }
        if word.is("static") && tail.is_member() {
            let Some(member) = tail.member() else { return Ok(value) };
            let inner = self.member_call(class, member, tail)?;
            return self.context(value, inner, 0x19);
        }
        let folded = fold(&word.text);
        let symbols = self.symbols;
        let variable = self.find_variable(class, &folded);
        let function = symbols.find_function(class, &folded);
        if tail.is_call() {
            if function.is_none()
                && let Some((variable, ValueType::Delegate(_))) = variable
            {
                let inner = self.delegate_call(variable, false, word, tail)?;
                return self.context(value, inner, 0x19);
            }
            let inner = self.member_call(class, word, tail)?;
            let is_interface = symbols.class(class).is_interface && self.dialect.is_ue3();
            let value = match is_interface {
                true => value.prefixed(&[CodeItem::Token(0x51)]),
                false => value,
            };
            return self.context(value, inner, 0x19);
        }
        if let Some((variable, of)) = variable {
            let inner = self.variable_value(0x01, variable, of);
            return self.context(value, inner, 0x19);
        }
        if let Some(function) = function.filter(|_| !self.dialect.is_ue1()) {
            let inner = self.function_value(function, &word.text);
            return self.context(value, inner, 0x19);
        }
        match self.value_of_class(class, &folded, tail, want) {
            Some(inner) => {
                let inner = inner?;
                self.context(value, inner, 0x19)
            }
            None => self.unknown("variable", word, class),
        }
    }

    /// A constant or the value of an enum that is named through an object.
    fn value_of_class(
        &mut self,
        class: ClassId,
        folded: &str,
        tail: &mut Tail<'a>,
        want: Want<'_>,
    ) -> Option<Generated<TypedValue>> {
        let symbols = self.symbols;
        if let Some(constant) = symbols.find_constant(class, folded) {
            return Some(self.constant(constant, want));
        }
        if tail.is_member() {
            let near = symbols.chain(class).find_map(|class| {
                Some(SymbolId { class, row: symbols.class(class).enum_named(folded)? })
            });
            return self.enum_member(near?, tail, want);
        }
        symbols.find_value(class, folded).map(|(id, value)| Ok(enum_value(id, value)))
    }

    /// Something that is taken of an object or class.
    pub(super) fn context(
        &mut self,
        object: TypedValue,
        inner: TypedValue,
        token: u8,
    ) -> Generated<TypedValue> {
        let size = self.size_of(&inner.code);
        let skip = CodeItem::Skip(size);
        let file = self.dialect.file();
        let middle = match self.dialect.is_ue3() {
            true if file >= PROPERTY => {
                let property = self.context_property(&inner, &object);
                vec![skip, CodeItem::Object(property), CodeItem::Byte(0)]
            }
            true if file >= WORD_SIZE => {
                let size = self.context_size(&inner)?;
                vec![skip, CodeItem::Word(u16::try_from(size & 0xff).unwrap_or(0))]
            }
            _ => {
                let [low, ..] = self.context_size(&inner)?.to_le_bytes();
                vec![skip, CodeItem::Byte(low)]
            }
        };
        let (before, between) = (1 + object.code.len(), middle.len());
        let of_object = object.modified.iter().map(|at| at + 1);
        let modified =
            of_object.chain(inner.modified.iter().map(|at| at + before + between)).collect();
        let depth = object.depth.max(inner.depth) + 1;
        let mut code = vec![CodeItem::Token(token)];
        code.extend(object.code);
        code.extend(middle);
        code.extend(inner.code);
        Ok(TypedValue {
            modified,
            depth,
            is_array: inner.is_array,
            is_place: inner.is_place,
            variable: inner.variable,
            function: inner.function,
            context: Some((before, between)),
            ..TypedValue::new(code, inner.of)
        })
    }

    /// The property that a context gives the value of.
    fn context_property(&self, inner: &TypedValue, object: &TypedValue) -> CodeReference {
        if let Some(function) = inner.function {
            return match inner.of {
                ValueType::Void => CodeReference::Null,
                _ => CodeReference::Result(function),
            };
        }
        if let (ValueType::Delegate(Some(function)), true, None) =
            (&inner.of, inner.is_place, inner.variable)
        {
            return CodeReference::DelegateProperty(*function);
        }
        inner.variable.or(object.variable).map_or(CodeReference::Null, CodeReference::Variable)
    }

    fn context_size(&mut self, inner: &TypedValue) -> Generated<u32> {
        let one = self.type_size(&inner.of);
        match inner.variable.filter(|_| inner.is_array) {
            Some(variable) => Ok(one.wrapping_mul(self.length_of(variable, (self.at, self.at))?)),
            None => Ok(one),
        }
    }

    /// A new object.
    pub(super) fn creation(
        &mut self,
        given: &'a [Option<Expression>],
        class: &'a Operand,
        _tail: &mut Tail<'a>,
    ) -> Generated<TypedValue> {
        let tokens = (class.first, class.last);
        if given.len() > 3 {
            let message = "'new' takes an outer object, a name and flags";
            return self.fail(DiagnosticKind::Type, tokens, message);
        }
        let object = ValueType::Object(self.symbols.find_class("object"));
        let name = if self.dialect.is_ue1() { ValueType::Name } else { ValueType::Text };
        let mut parts = Vec::new();
        for (part, of) in given.iter().zip([object, name, ValueType::Int]) {
            parts.push(match part {
                Some(part) => self.converted(part, &of)?.code,
                None => vec![CodeItem::Token(0x0b)],
            });
        }
        let mut tail = Tail::of(class);
        if self.dialect.is_swat_4() {
            let value = self.created_class(&mut tail)?;
            return self.constructed(parts, value, &mut tail, tokens);
        }
        parts.resize(3, vec![CodeItem::Token(0x0b)]);
        let value = self.created_class(&mut tail)?;
        let ValueType::Class(created) = value.of else {
            let message = format!("'new' takes a class, not {}", self.describe(&value));
            return self.fail(DiagnosticKind::Type, tokens, message);
        };
        let mut code = vec![CodeItem::Token(0x11)];
        code.extend(parts.into_iter().flatten());
        code.extend(value.code.iter().cloned());
        if self.dialect.is_ue3() {
            match tail.arguments() {
                Some(([Some(template)], last)) => {
                    code.extend(self.expression(template, Want::NOTHING)?.code);
                    self.at = last + 1;
                }
                _ => code.push(CodeItem::Token(0x0b)),
            }
        }
        let whole = value.recoded(code, ValueType::Object(created));
        self.behind(whole, &mut tail, Want::NOTHING)
    }

    /// The class behind `new`: parentheses behind a constant or variable are not a call.
    fn created_class(&mut self, tail: &mut Tail<'a>) -> Generated<TypedValue> {
        self.operand_start(tail)
    }

    fn constructed(
        &mut self,
        parts: Vec<Vec<CodeItem>>,
        value: TypedValue,
        tail: &mut Tail<'a>,
        tokens: (u32, u32),
    ) -> Generated<TypedValue> {
        let ValueType::Class(Some(class)) = value.of else {
            let message = format!("'new' takes a class, not {}", self.describe(&value));
            return self.fail(DiagnosticKind::Type, tokens, message);
        };
        let name = |name: &str| CodeItem::Name(name.into());
        let mut allocate = vec![CodeItem::Token(0x1b), name("Allocate"), CodeItem::Token(0x17)];
        allocate.extend(parts.into_iter().flatten());
        allocate.push(CodeItem::Token(0x16));
        let mut code = vec![CodeItem::Token(0x19), CodeItem::Token(0x12)];
        code.extend(value.code.iter().cloned());
        code.extend([CodeItem::Skip(self.size_of(&allocate)), CodeItem::Byte(0)]);
        code.extend(allocate);
        let mut given = Vec::new();
        if let Some((arguments, last)) = tail.arguments() {
            for argument in arguments.iter().flatten() {
                given.push(self.expression(argument, Want::NOTHING)?);
            }
            self.at = last + 1;
        }
        let symbols = self.symbols;
        let mut best: Option<(u32, SymbolId)> = None;
        for class in symbols.chain(class) {
            for row in symbols.class(class).overloads("construct") {
                let id = SymbolId { class, row: *row };
                let Some(symbol) = symbols.function(id) else { continue };
                if symbol.parameters.len() != given.len() {
                    continue;
                }
                let pairs = symbol.parameters.iter().zip(&given);
                let cost =
                    pairs.map(|(row, value)| self.cost(value, SymbolId { class, row: *row }));
                let cost: Option<u32> = cost.sum();
                if let Some(cost) = cost.filter(|cost| best.is_none_or(|(least, _)| *cost < least))
                {
                    best = Some((cost, id));
                }
            }
        }
        let constructor = best.and_then(|(_, id)| Some((id, symbols.function(id)?)));
        let mut call = vec![CodeItem::Token(0x46), CodeItem::Token(0x1b)];
        match constructor {
            Some((id, symbol)) => {
                call.push(name(&symbol.object_name));
                for (row, argument) in symbol.parameters.iter().zip(given) {
                    let of = symbols.type_of(SymbolId { class: id.class, row: *row });
                    call.extend(self.convert(argument, &of, tokens)?.code);
                }
            }
            None if given.is_empty() => call.push(name("Construct_Void")),
            None => {
                let message = "no constructor takes these values";
                return self.fail(DiagnosticKind::Type, tokens, message);
            }
        }
        call.push(CodeItem::Token(0x16));
        code.extend([CodeItem::Skip(self.size_of(&call)), CodeItem::Byte(4)]);
        code.extend(call);
        Ok(value.recoded(code, ValueType::Object(Some(class))))
    }

    /// Compiles the start of an operand, and the members and indices behind it up to parentheses.
    fn operand_start(&mut self, tail: &mut Tail<'a>) -> Generated<TypedValue> {
        let operand = tail.operand();
        let mut value = match &operand.base {
            // A variable or a function; where it is a variable the parentheses behind belong to `new`.
            OperandBase::Word(word) => {
                let folded = fold(&word.text);
                let local = self.local(&folded);
                let class = self.class;
                match local.or_else(|| self.find_variable(class, &folded)) {
                    Some((variable, of))
                        if matches!(of, ValueType::Class(_)) || !tail.is_call() =>
                    {
                        let token = if self.local(&folded).is_some() { 0x00 } else { 0x01 };
                        self.at = word.token + 1;
                        self.variable_value(token, variable, of)
                    }
                    _ => self.operand_head(tail)?,
                }
            }
            _ => self.operand_head(tail)?,
        };
        loop {
            match tail.peek().map(|it| &it.kind) {
                Some(PostfixKind::Member(word)) => {
                    tail.next();
                    self.at = word.token + 1;
                    value = self.member(value, word, tail, Want::NOTHING)?;
                }
                Some(PostfixKind::Index(index)) => {
                    tail.next();
                    value = self.index(value, index)?;
                }
                _ => return Ok(value),
            }
        }
    }
}
