//! Functions of a class text: modifiers, parameters and body.

use super::expression::{Expression, LOOSEST};
use super::lexer::Kind;
use super::parser::{Parser, symbol_is};
use super::statement::{Locals, Statement};

/// A function, event, delegate or operator.
#[derive(Clone, Debug)]
pub struct Function {
    /// The state that it belongs to.
    pub state: Option<String>,
    pub name: String,
    /// Folded, in the order of the text, with the kind: `native(123)`, `static`, `operator(20)`, `event`.
    pub modifiers: Vec<String>,
    /// `modifiers type name[n]`, folded, the modifiers sorted.
    pub parameters: Vec<String>,
    /// Default values of the parameters.
    pub defaults: Vec<Option<Expression>>,
    pub returns: Option<String>,
    /// Name and type of the local variables, folded, with `[n]` behind the type of an array.
    pub locals: Vec<(String, String)>,
    /// None without a body, or where macros make it unreadable.
    pub body: Option<Vec<Statement>>,
    /// Whether a macro of the UE3 preprocessor (a backquote) stands in it.
    pub has_macro: bool,
    pub line: usize,
}

const MODIFIERS: &[&str] = &[
    "native",
    "intrinsic",
    "static",
    "final",
    "iterator",
    "latent",
    "singular",
    "simulated",
    "exec",
    "private",
    "protected",
    "public",
    "reliable",
    "unreliable",
    "client",
    "server",
    "noexport",
    "noexportheader",
    "overloaded",
    "k2call",
    "k2override",
    "k2pure",
    "k2func",
    "invariant",
    "dllimport",
    "const",
    "coerce",
    "demorecording",
    "virtual",
    "operator",
    "function",
    "event",
    "delegate",
    "preoperator",
    "postoperator",
];

const KINDS: &[&str] =
    &["function", "event", "delegate", "operator", "preoperator", "postoperator"];

const PARAMETER_MODIFIERS: &[&str] =
    &["optional", "coerce", "out", "skip", "const", "init", "ref", "editinline"];

impl Parser {
    /// Whether the current token is a modifier of a function, and not its type or name.
    fn is_function_modifier(&self) -> bool {
        if !MODIFIERS.iter().any(|word| self.is_word(word)) {
            return false;
        }
        let next = self.ahead(1);
        match next.kind {
            Kind::Identifier => true,
            // `native(123)`, `operator(20)`, `dllimport("x")`: a function's parameters never look so.
            _ if symbol_is(next, "(") => {
                matches!(self.ahead(2).kind, Kind::Integer | Kind::Text)
                    && symbol_is(self.ahead(3), ")")
            }
            // An access of C++ behind it.
            _ => {
                symbol_is(next, "{")
                    && symbol_is(self.ahead(3), "}")
                    && self.ahead(4).kind == Kind::Identifier
            }
        }
    }

    pub fn begins_function(&self) -> bool {
        self.is_function_modifier()
    }

    /// A function, with its modifiers.
    pub fn function(&mut self, state: Option<&str>) -> Result<Function, String> {
        let (start, line) = (self.place(), self.token().line);
        let mut modifiers = Vec::new();
        while self.is_function_modifier() {
            let word = self.advance().text.to_ascii_lowercase();
            let list = self.modifier_list()?;
            modifiers.push(word + &list);
            if self.accept("{") {
                self.identifier("an access")?;
                self.expect("}")?;
            }
        }
        let kind = modifiers
            .iter()
            .find(|word| KINDS.iter().any(|kind| word.split('(').next() == Some(kind)));
        let Some(kind) = kind else { return self.expected("a declaration") };
        let operator = kind.contains("operator");
        let returns = if self.has_return_type(operator) { Some(self.value_type()?) } else { None };
        let name = self.function_name(operator)?;
        let (parameters, defaults) = self.parameters()?;
        if self.accept_word("const") {
            modifiers.push("const".to_owned());
        }
        let mut locals = Locals::new();
        let mut body = None;
        if !self.accept(";") {
            self.expect("{")?;
            let code = self.place();
            body = match self.function_code(&mut locals) {
                Ok(body) => Some(body),
                Err(error) => {
                    self.return_to(code);
                    // Macros can stand for anything, so only braces bound such a body.
                    self.skip_macro_body(error)?;
                    None
                }
            };
        }
        let has_macro = self.has_macro(start);
        Ok(Function {
            state: state.map(str::to_owned),
            name,
            modifiers,
            parameters,
            defaults,
            returns,
            locals,
            body,
            has_macro,
            line,
        })
    }

    /// Moves behind the closing brace, if a macro stands before it.
    fn skip_macro_body(&mut self, error: String) -> Result<(), String> {
        let (start, mut depth) = (self.place(), 1);
        while depth > 0 {
            depth += match self.token() {
                token if symbol_is(token, "{") => 1,
                token if symbol_is(token, "}") => -1,
                token if token.kind == Kind::End => return Err(error),
                _ => 0,
            };
            self.advance();
        }
        if self.has_macro(start) { Ok(()) } else { Err(error) }
    }

    /// Whether a macro stands between a place and the current one.
    fn has_macro(&self, start: usize) -> bool {
        let tokens = self.between(start, self.place());
        tokens.iter().any(|token| token.kind == Kind::Identifier && token.text.starts_with('`'))
    }

    fn has_return_type(&self, operator: bool) -> bool {
        let next = self.ahead(1);
        !symbol_is(next, "(") && (!operator || self.token().kind == Kind::Identifier)
    }

    /// A word; an operator's may be of symbols.
    fn function_name(&mut self, operator: bool) -> Result<String, String> {
        if !operator || self.token().kind == Kind::Identifier {
            return self.identifier("the name of a function");
        }
        if self.token().kind != Kind::Symbol || self.is_symbol("(") {
            return self.expected("the symbol of an operator");
        }
        Ok(self.advance().text)
    }

    fn parameters(&mut self) -> Result<(Vec<String>, Vec<Option<Expression>>), String> {
        self.expect("(")?;
        let (mut list, mut defaults) = (Vec::new(), Vec::new());
        if self.accept(")") {
            return Ok((list, defaults));
        }
        loop {
            let mut words = Vec::new();
            while PARAMETER_MODIFIERS.iter().any(|word| self.is_word(word)) && !self.is_last_word()
            {
                words.push(self.advance().text.to_ascii_lowercase());
            }
            words.sort();
            let kind = self.value_type()?;
            let (name, whole) = self.declarator(&kind)?;
            words.push(format!("{kind} {name}{}", &whole[kind.len()..]));
            list.push(words.join(" "));
            defaults.push(if self.accept("=") { Some(self.expression(LOOSEST)?) } else { None });
            if self.accept(")") {
                return Ok((list, defaults));
            }
            if !self.accept(",") {
                return self.expected(", or ) behind a parameter");
            }
        }
    }
}
