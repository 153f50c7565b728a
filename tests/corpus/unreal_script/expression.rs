//! Expressions of UnrealScript: their tree, and the parser that climbs precedences.

use super::lexer::Kind;
use super::parser::{Parser, symbol_is};

/// An expression as written, without its parentheses.
#[derive(Clone, Debug, PartialEq)]
pub enum Expression {
    /// A variable, constant, enum value or function, or one of `self`, `super`, `global`, `static`, `default`.
    Name(String),
    Integer(i32),
    Float(f32),
    /// A string, its escapes still in it.
    Text(String),
    /// `'X'`.
    NameConstant(String),
    True,
    False,
    None,
    /// `Texture'A.B'`: class and path.
    Object(String, String),
    /// `Super(X)`, before a point.
    SuperOf(String),
    /// `a.b`; `b` may be `static`, `default` and `const`, when a member follows.
    Member(Box<Expression>, String),
    Index(Box<Expression>, Box<Expression>),
    /// The function or cast, and its arguments; arguments left out are `None`.
    Call(Box<Expression>, Vec<Option<Expression>>),
    /// `class<X>(e)`.
    MetaCast(String, Box<Expression>),
    /// `new(arguments) class(template)`.
    New(Vec<Expression>, Box<Expression>, Option<Vec<Option<Expression>>>),
    Prefix(String, Box<Expression>),
    Postfix(Box<Expression>, String),
    Binary(String, Box<Expression>, Box<Expression>),
    Conditional(Box<Expression>, Box<Expression>, Box<Expression>),
}

/// Words that begin or continue a statement and so cannot stand for a value.
const RESERVED: &[&str] =
    &["if", "else", "while", "do", "until", "for", "foreach", "case", "return", "local"];

/// Looser than every operator.
pub const LOOSEST: u32 = u32::MAX;

impl Parser {
    /// An expression whose operators all bind tighter than `limit`.
    pub fn expression(&mut self, limit: u32) -> Result<Expression, String> {
        let mut left = self.operand()?;
        loop {
            let operator = self.token().text.to_ascii_lowercase();
            match self.binary.get(&operator) {
                Some(&precedence) if self.operator_here() && precedence < limit => {
                    self.advance();
                    let right = self.expression(precedence)?;
                    left = Expression::Binary(operator, left.into(), right.into());
                }
                _ => break,
            }
        }
        if limit == LOOSEST && self.accept("?") {
            let positive = self.expression(LOOSEST)?;
            self.expect(":")?;
            let negative = self.expression(LOOSEST)?;
            return Ok(Expression::Conditional(left.into(), positive.into(), negative.into()));
        }
        Ok(left)
    }

    fn operator_here(&self) -> bool {
        matches!(self.token().kind, Kind::Symbol | Kind::Identifier)
    }

    /// An operand with the operators before and behind it.
    fn operand(&mut self) -> Result<Expression, String> {
        let operator = self.token().text.to_ascii_lowercase();
        let declared_word = self.token().kind == Kind::Identifier && !symbol_is(self.ahead(1), "(");
        if (self.token().kind == Kind::Symbol || declared_word) && self.prefix.contains(&operator) {
            self.advance();
            let operand = self.operand()?;
            if matches!(operator.as_str(), "++" | "--") && !operand.is_assignable() {
                return self.expected(&format!("a variable behind {operator}"));
            }
            return Ok(Expression::Prefix(operator, operand.into()));
        }
        if self.is_symbol("+") && matches!(self.ahead(1).kind, Kind::Integer | Kind::Float) {
            self.advance();
        }
        let primary = self.primary()?;
        let mut operand = self.members(primary)?;
        while self.operator_here() && self.postfix.contains(&self.token().text.to_ascii_lowercase())
        {
            if !operand.is_assignable() {
                return self.expected("a variable before ++ or --");
            }
            operand = Expression::Postfix(operand.into(), self.advance().text.to_ascii_lowercase());
        }
        Ok(operand)
    }

    fn primary(&mut self) -> Result<Expression, String> {
        if self.accept("(") {
            let inner = self.expression(LOOSEST)?;
            self.expect(")")?;
            return Ok(inner);
        }
        let expression = match self.token().kind {
            Kind::Integer => match integer(&self.token().text) {
                Some(value) => Expression::Integer(value),
                None => return self.expected("an integer of 32 bits"),
            },
            Kind::Float => {
                Expression::Float(self.token().text.parse::<f64>().unwrap_or(0.0) as f32)
            }
            Kind::Text => Expression::Text(self.token().text.clone()),
            Kind::Name => Expression::NameConstant(self.token().text.clone()),
            Kind::Identifier => return self.word_value(),
            _ => return self.expected("an expression"),
        };
        self.advance();
        Ok(expression)
    }

    fn word_value(&mut self) -> Result<Expression, String> {
        if RESERVED.iter().any(|word| self.is_word(word)) {
            return self.expected("an expression");
        }
        if self.is_word("new") && !symbol_is(self.ahead(1), ".") {
            return self.new_object();
        }
        if self.is_word("class")
            && symbol_is(self.ahead(1), "<")
            && self.ahead(2).kind == Kind::Identifier
        {
            return self.meta_cast();
        }
        let word = self.advance().text;
        if self.token().kind == Kind::Name {
            return Ok(Expression::Object(word, self.advance().text));
        }
        let scope = ["super", "global", "static", "default"]
            .into_iter()
            .find(|scope| word.eq_ignore_ascii_case(scope));
        Ok(match word.to_ascii_lowercase().as_str() {
            "true" => Expression::True,
            "false" => Expression::False,
            "none" => Expression::None,
            "super" if self.accept("(") => {
                let class = self.path("a class")?;
                self.expect(")")?;
                if !self.is_symbol(".") {
                    return self.expected(". behind Super(class)");
                }
                Expression::SuperOf(class)
            }
            _ if scope.is_some() && !self.is_symbol(".") => {
                return self.expected(&format!(". behind {word}"));
            }
            _ => Expression::Name(word),
        })
    }

    /// `A.B.C` as one text.
    pub fn path(&mut self, what: &str) -> Result<String, String> {
        let mut path = self.identifier(what)?;
        while self.is_symbol(".") && self.ahead(1).kind == Kind::Identifier {
            self.advance();
            path = format!("{path}.{}", self.identifier(what)?);
        }
        Ok(path)
    }

    fn meta_cast(&mut self) -> Result<Expression, String> {
        self.advance();
        self.expect("<")?;
        let class = self.path("a class")?;
        self.close_bracket()?;
        self.expect("(")?;
        let inner = self.expression(LOOSEST)?;
        self.expect(")")?;
        Ok(Expression::MetaCast(class, inner.into()))
    }

    fn new_object(&mut self) -> Result<Expression, String> {
        self.advance();
        let mut given = Vec::new();
        if self.is_symbol("(") {
            for argument in self.arguments()? {
                match argument {
                    Some(argument) => given.push(argument),
                    None => return self.expected("an argument of new"),
                }
            }
        }
        let mut class = self.primary()?;
        while self.is_symbol(".") || self.is_symbol("[") {
            class = self.member(class)?;
        }
        let template = if self.is_symbol("(") { Some(self.arguments()?) } else { None };
        Ok(Expression::New(given, class.into(), template))
    }

    fn members(&mut self, mut value: Expression) -> Result<Expression, String> {
        loop {
            if self.is_symbol(".") || self.is_symbol("[") {
                value = self.member(value)?;
            } else if self.is_symbol("(")
                && matches!(value, Expression::Name(_) | Expression::Member(..))
            {
                value = Expression::Call(value.into(), self.arguments()?);
            } else {
                return Ok(value);
            }
        }
    }

    /// One `.b` or `[i]`.
    fn member(&mut self, value: Expression) -> Result<Expression, String> {
        if self.accept("[") {
            let index = self.expression(LOOSEST)?;
            self.expect("]")?;
            return Ok(Expression::Index(value.into(), index.into()));
        }
        self.expect(".")?;
        let name = self.identifier("a member")?;
        let scope = ["static", "default", "const", "global"]
            .iter()
            .any(|scope| name.eq_ignore_ascii_case(scope));
        if scope && !self.is_symbol(".") {
            return self.expected(&format!(". behind {name}"));
        }
        Ok(Expression::Member(value.into(), name))
    }

    pub fn arguments(&mut self) -> Result<Vec<Option<Expression>>, String> {
        self.expect("(")?;
        let mut list = Vec::new();
        if self.accept(")") {
            return Ok(list);
        }
        loop {
            let left_out = self.is_symbol(",") || self.is_symbol(")");
            list.push(if left_out { None } else { Some(self.expression(LOOSEST)?) });
            if self.accept(")") {
                return Ok(list);
            }
            if !self.accept(",") {
                return self.expected(", or ) behind an argument");
            }
        }
    }
}

impl Expression {
    /// Whether a value can be given to it.
    pub fn is_assignable(&self) -> bool {
        matches!(self, Self::Name(_) | Self::Member(..) | Self::Index(..))
    }

    /// Whether it can stand as a statement: it does something.
    pub fn is_effective(&self) -> bool {
        matches!(
            self,
            Self::Call(..)
                | Self::New(..)
                | Self::Prefix(..)
                | Self::Postfix(..)
                | Self::Binary(..)
                | Self::MetaCast(..)
                | Self::Conditional(..)
        )
    }
}

/// The value of a number as written; those of 32 bits without sign wrap, as hexadecimal ones do.
fn integer(text: &str) -> Option<i32> {
    let value = match text.get(..2) {
        Some("0x" | "0X") => u32::from_str_radix(&text[2..], 16),
        _ => text.parse(),
    };
    value.ok().map(|value| value as i32)
}
