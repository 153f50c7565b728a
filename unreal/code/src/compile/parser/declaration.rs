//! Constants, enums, structs, variables, states and replication.

use super::words::{self, has};
use super::{Parsed, Parser};
use crate::compile::diagnostic::DiagnosticKind;
use crate::compile::syntax::{
    Body, Constant, DeclaredName, Enum, Modifier, Replication, ReplicationCondition, State, Struct,
    SyntaxItem, TypeKind, TypeSyntax, Variables,
};
use crate::compile::token::TokenKind;

impl Parser<'_> {
    /// A declaration behind that of the class.
    pub(super) fn item(&mut self) -> Parsed<SyntaxItem> {
        let word = self.peek_text(0);
        if self.is_state() {
            return self.state().map(|state| SyntaxItem::State(Box::new(state)));
        }
        match word.to_ascii_lowercase().as_str() {
            "const" => return self.constant().map(SyntaxItem::Constant),
            "enum" => return self.enumeration(true).map(SyntaxItem::Enum),
            "struct" => return self.structure().map(SyntaxItem::Struct),
            "var" => return self.variables().map(SyntaxItem::Variables),
            "replication" => return self.replication().map(SyntaxItem::Replication),
            "import" => return self.import(),
            _ => {}
        }
        if has(words::BLOCK, word) && self.follows_at(1, "{") {
            return self.raw_block().map(SyntaxItem::Block);
        }
        if self.is_function() {
            return self.function().map(|function| SyntaxItem::Function(Box::new(function)));
        }
        let token = self.peek(0);
        let range = (token.start as usize, token.end as usize);
        let shown: String = word.chars().take(40).collect();
        let message = format!("expected a declaration, found '{shown}'");
        let hint = self.meant(words::DECLARATION);
        self.report(DiagnosticKind::Syntax, range, message, hint);
        Err(super::Stop)
    }

    fn import(&mut self) -> Parsed<SyntaxItem> {
        self.next();
        let mut imported = Vec::new();
        while !self.follows(";") {
            if self.is_end() {
                return self.expected("';'");
            }
            imported.push(self.any_word());
        }
        self.need(";")?;
        Ok(SyntaxItem::Import(imported))
    }

    pub(super) fn constant(&mut self) -> Parsed<Constant> {
        let first = self.next();
        let name = self.word("the name of the constant")?;
        self.need("=")?;
        let value = self.expression()?;
        let (start, end) =
            (self.token_at(value.first as usize).start, self.token_at(value.last as usize).end);
        let text = self.source.slice(start as usize, end as usize).to_owned();
        let last = self.need(";")?;
        Ok(Constant { first, last, name, value, text })
    }

    /// An enum; a semicolon may stand behind it where it is a declaration of its own.
    fn enumeration(&mut self, is_alone: bool) -> Parsed<Enum> {
        let first = self.next();
        let name = self.word("the name of the enum")?;
        if self.follows("<") {
            self.next();
            self.text_until("<", ">")?;
        }
        self.need("{")?;
        let (mut values, mut metadata) = (Vec::new(), Vec::new());
        while !self.follows("}") {
            values.push(self.word("a value of the enum")?);
            if self.take("<") {
                metadata.push((values.len() - 1, self.text_until("<", ">")?));
            }
            // Old texts leave commas out.
            if !self.take(",") && !self.follows("}") && !self.is_word(0) {
                return self.expected("',' or '}'");
            }
        }
        let last = self.need("}")?;
        if is_alone {
            self.take(";");
        }
        Ok(Enum { first, last, name, values, metadata })
    }

    fn structure(&mut self) -> Parsed<Struct> {
        let structure = self.inline_structure()?;
        self.take(";");
        Ok(structure)
    }

    fn inline_structure(&mut self) -> Parsed<Struct> {
        self.nested(|it| {
            let first = it.next();
            let mut modifiers = Vec::new();
            while has(words::STRUCT, it.peek_text(0)) && !it.follows_at(1, "{") {
                modifiers.push(it.modifier()?);
            }
            // The name of the C++ struct.
            if it.take("{") {
                it.skip_braces()?;
            }
            let name = it.word("the name of the struct")?;
            let mut base = None;
            if it.follows_any(&["extends", "expands"]) {
                it.next();
                base = Some(it.path("the struct that it extends")?);
            }
            it.need("{")?;
            let mut items = Vec::new();
            while !it.follows("}") {
                if it.is_end() {
                    return it.expected("'}' behind the struct");
                }
                if it.take(";") {
                    continue;
                }
                let item = match it.peek_text(0).to_ascii_lowercase().as_str() {
                    "var" => it.variables().map(SyntaxItem::Variables),
                    "enum" => it.enumeration(true).map(SyntaxItem::Enum),
                    "struct" => it.structure().map(SyntaxItem::Struct),
                    "const" => it.constant().map(SyntaxItem::Constant),
                    word if has(words::BLOCK, word) => it.raw_block().map(SyntaxItem::Block),
                    _ => it.expected("a member of the struct"),
                };
                match item {
                    Ok(item) => items.push(item),
                    Err(_) => it.recover(),
                }
            }
            let last = it.need("}")?;
            Ok(Struct { first, last, modifiers, name, base, items })
        })
    }

    /// A type. Those that are declared where they stand come with their declaration.
    pub(super) fn type_syntax(&mut self) -> Parsed<TypeSyntax> {
        self.nested(|it| {
            let first = it.here();
            let kind = it.type_kind()?;
            Ok(TypeSyntax { first, last: it.last().max(first), kind })
        })
    }

    fn type_kind(&mut self) -> Parsed<TypeKind> {
        if self.follows("enum") && self.is_word(1) {
            return self.enumeration(false).map(|it| TypeKind::Enum(Box::new(it)));
        }
        if self.follows("struct") && self.is_word(1) {
            return self.inline_structure().map(|it| TypeKind::Struct(Box::new(it)));
        }
        let word = self.word("a type")?;
        match word.text.to_ascii_lowercase().as_str() {
            "class" if self.follows("<") => {
                self.next();
                let class = self.path("a class")?;
                self.need_angle()?;
                Ok(TypeKind::Class(Some(class)))
            }
            "class" => Ok(TypeKind::Class(None)),
            "array" if self.follows("<") => {
                self.next();
                while has(words::VARIABLE, self.peek_text(0)) && self.is_word(1) {
                    self.next();
                }
                let inner = self.type_syntax()?;
                if self.take(",") {
                    // A static array, as the exporter of UT's newest patch writes it (spec: ue1-3/15 §15.2).
                    self.fixed = Some(self.array_length()?);
                    self.need_angle()?;
                    return Ok(inner.kind);
                }
                self.need_angle()?;
                Ok(TypeKind::Array(Some(Box::new(inner))))
            }
            "array" => Ok(TypeKind::Array(None)),
            "map" if self.follows("{") => {
                self.next();
                self.skip_braces()?;
                Ok(TypeKind::Map)
            }
            "map" if self.follows("<") => {
                self.next();
                self.text_until("<", ">")?;
                Ok(TypeKind::Map)
            }
            "delegate" if self.follows("<") => {
                self.next();
                let mut path = vec![self.word("a delegate")?];
                while self.take(".") {
                    path.push(self.word("a delegate")?);
                }
                self.need_angle()?;
                Ok(TypeKind::Delegate(path))
            }
            "delegate" => Ok(TypeKind::Delegate(Vec::new())),
            "string" if self.follows("[") => {
                self.next();
                self.text_until("[", "]")?;
                Ok(TypeKind::Named(word))
            }
            _ => {
                let mut named = word;
                while self.follows(".") && self.is_word(1) {
                    self.next();
                    named = self.any_word();
                }
                // Classes of UE3 may have a type of their own: `Map_Mirror<...>`.
                if self.follows("<") && self.is_word(1) && self.follows_at(2, ">") {
                    self.next();
                    self.text_until("<", ">")?;
                }
                Ok(TypeKind::Named(named))
            }
        }
    }

    /// The number, constant or enum that says how long `array<T,N>` is.
    fn array_length(&mut self) -> Parsed<crate::compile::syntax::Expression> {
        let operand = self.operand()?;
        let (first, last) = (operand.first, operand.last);
        let items = vec![crate::compile::syntax::ExpressionItem::Operand(operand)];
        Ok(crate::compile::syntax::Expression { first, last, items, choice: None })
    }

    /// Whether the word at hand is one of these, and a type and a name still follow.
    fn is_variable_word(&self) -> bool {
        has(words::VARIABLE, self.peek_text(0))
            && (self.is_word(1) && !matches!(self.peek_text(2), "," | ";" | "[" | "=")
                || matches!(self.peek_text(1), "(" | "{"))
    }

    pub(super) fn variables(&mut self) -> Parsed<Variables> {
        let first = self.next();
        let category = match self.follows("(") {
            true => {
                self.next();
                let text = self.text_until("(", ")")?;
                Some(text.trim().to_owned())
            }
            false => None,
        };
        let mut modifiers = Vec::new();
        while self.is_variable_word() {
            modifiers.push(self.modifier()?);
        }
        self.fixed = None;
        let of = self.type_syntax()?;
        while has(words::VARIABLE, self.peek_text(0)) && self.is_word(1) {
            modifiers.push(self.modifier()?);
        }
        let mut declared = Vec::new();
        loop {
            let native_type = self.native_type()?;
            let mut one = self.declared()?;
            one.native_type = one.native_type.or(native_type);
            declared.push(one);
            if !self.take(",") {
                break;
            }
        }
        self.fixed = None;
        let last = self.need(";")?;
        Ok(Variables { first, last, category, modifiers, of, declared })
    }

    fn native_type(&mut self) -> Parsed<Option<String>> {
        match self.take("{") {
            true => self.text_until("{", "}").map(Some),
            false => Ok(None),
        }
    }

    /// A name with what stands behind it.
    pub(super) fn declared(&mut self) -> Parsed<DeclaredName> {
        let name = self.word("a name")?;
        let mut dimension = self.fixed.clone();
        if self.take("[") {
            dimension = match self.follows("]") {
                true => None,
                false => Some(self.expression()?),
            };
            self.need("]")?;
        }
        let native_type = self.native_type()?;
        let metadata = match self.take("<") {
            true => Some(self.text_until("<", ">")?),
            false => None,
        };
        let mut comment = None;
        while self.peek(0).kind == TokenKind::Text {
            let text = self.any_word().text;
            comment.get_or_insert(text);
        }
        Ok(DeclaredName { name, dimension, metadata, native_type, comment })
    }

    fn replication(&mut self) -> Parsed<Replication> {
        let first = self.next();
        let open = self.need("{")?;
        let mut conditions = Vec::new();
        while !self.follows("}") {
            if self.is_end() {
                return self.expected("'}' behind the replication block");
            }
            match self.replication_condition() {
                Ok(condition) => conditions.push(condition),
                Err(_) => self.recover(),
            }
        }
        let close = self.need("}")?;
        Ok(Replication { first, open, close, conditions })
    }

    fn replication_condition(&mut self) -> Parsed<ReplicationCondition> {
        let is_reliable = match (self.take("reliable"), self.take("unreliable")) {
            (true, _) => Some(true),
            (false, true) => Some(false),
            _ => None,
        };
        self.need("if")?;
        self.need("(")?;
        let condition = self.expression()?;
        self.need(")")?;
        let mut names = Vec::new();
        loop {
            names.push(self.word("what is replicated")?);
            if !self.take(",") {
                break;
            }
        }
        self.need(";")?;
        Ok(ReplicationCondition { is_reliable, condition, names })
    }

    fn is_state(&self) -> bool {
        let mut ahead = 0;
        while ahead < 3 && (self.follows_at(ahead, "auto") || self.follows_at(ahead, "simulated")) {
            ahead += 1;
        }
        self.follows_at(ahead, "state")
            && (self.is_word(ahead + 1) || self.follows_at(ahead + 1, "("))
    }

    fn state(&mut self) -> Parsed<State> {
        let first = self.here();
        let mut modifiers = Vec::new();
        while !self.follows("state") {
            modifiers.push(Modifier { word: self.any_word(), arguments: None });
        }
        self.next();
        let mut is_editable = self.take("(");
        if is_editable {
            self.need(")")?;
        }
        let name = self.word("the name of the state")?;
        if self.follows("(") {
            self.next();
            self.need(")")?;
            is_editable = true;
        }
        let mut base = None;
        if self.follows_any(&["extends", "expands"]) {
            self.next();
            base = Some(self.path("the state that it extends")?);
        }
        let mut state = State {
            first,
            last: first,
            modifiers,
            is_editable,
            name,
            base,
            ignores: Vec::new(),
            functions: Vec::new(),
            body: None,
        };
        if self.follows(";") {
            state.last = self.next();
            return Ok(state);
        }
        let open = self.need("{")?;
        while self.follows("ignores") && self.is_word(1) {
            self.next();
            loop {
                state.ignores.push(self.word("a function")?);
                if !self.take(",") {
                    break;
                }
            }
            self.need(";")?;
        }
        while self.is_function() {
            match self.function() {
                Ok(function) => state.functions.push(function),
                Err(_) => self.recover(),
            }
            while self.take(";") {}
        }
        let statements = self.statements()?;
        let close = self.need("}")?;
        self.take(";");
        state.last = close;
        state.body = Some(Body { open, close, statements });
        Ok(state)
    }
}
