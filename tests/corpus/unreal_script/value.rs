//! The normal text of expressions: all parentheses, and values for the names of constants.

use super::expression::{Expression, LOOSEST};
use super::names::Names;
use super::parser::Parser;

/// Conversions that decompilers and authors write or leave out at will.
const CONVERSIONS: &[&str] = &["int", "float", "string", "byte", "bool", "name"];

/// A constant can name another one; this many times at most.
const CONSTANT_DEPTH: usize = 8;

/// Floats from here on have no integer that a text could hold instead.
const I32_LIMIT: f32 = 2_147_483_648.0;

/// Writes expressions in one of the two grades.
#[derive(Clone, Copy)]
pub struct Values<'a> {
    pub names: &'a Names,
    pub strict: bool,
}

/// The normal text of one expression.
pub fn normal_expression(expression: &Expression, names: &Names, strict: bool) -> String {
    Values { names, strict }.text(expression)
}

impl Values<'_> {
    /// What a value is given to, or whose member is taken: a variable, even if a constant has its name.
    pub fn base(&self, expression: &Expression) -> String {
        match expression {
            Expression::Name(name) => name.to_ascii_lowercase(),
            expression => self.text(expression),
        }
    }

    pub fn text(&self, expression: &Expression) -> String {
        let resolved = self.resolved(expression, CONSTANT_DEPTH);
        let expression = resolved.as_ref().unwrap_or(expression);
        match expression {
            Expression::Name(name) => name.to_ascii_lowercase(),
            Expression::Integer(value) => value.to_string(),
            Expression::Float(value) => self.float(*value),
            Expression::Text(text) => format!("\"{}\"", escaped(&unescaped(text))),
            Expression::NameConstant(name) if name.eq_ignore_ascii_case("none") => "''".to_owned(),
            Expression::NameConstant(name) => format!("'{}'", name.to_ascii_lowercase()),
            Expression::True => "true".to_owned(),
            Expression::False => "false".to_owned(),
            Expression::None => "none".to_owned(),
            Expression::Object(class, path) => format!("{}'{}'", last_part(class), last_part(path)),
            Expression::SuperOf(_) if !self.strict => "super".to_owned(),
            Expression::SuperOf(class) => format!("super({})", last_part(class)),
            Expression::Member(value, name) if self.is_silent(value) => name.to_ascii_lowercase(),
            Expression::Member(value, name) => {
                // `a.outer.b` is `a.b` for a class within another.
                let value = match &**value {
                    Expression::Member(inner, outer)
                        if !self.strict && outer.eq_ignore_ascii_case("outer") =>
                    {
                        inner
                    }
                    _ => value,
                };
                format!("{}.{}", self.base(value), name.to_ascii_lowercase())
            }
            Expression::Index(value, index) => {
                format!("{}[{}]", self.base(value), self.text(index))
            }
            Expression::Call(function, arguments) => self.call(function, arguments),
            Expression::MetaCast(class, value) => {
                format!("class<{}>({})", last_part(class), self.text(value))
            }
            Expression::New(given, class, template) => {
                let given: Vec<_> = given.iter().map(|value| self.text(value)).collect();
                let template =
                    template.as_ref().map_or_else(String::new, |list| self.arguments(list));
                format!("new({}) {}{template}", given.join(", "), self.text(class))
            }
            Expression::Prefix(operator, value) => format!("({operator} {})", self.text(value)),
            Expression::Postfix(value, operator) => format!("({} {operator})", self.text(value)),
            Expression::Binary(operator, left, right) => {
                format!("({} {operator} {})", self.text(left), self.text(right))
            }
            Expression::Conditional(condition, positive, negative) => {
                format!(
                    "({} ? {} : {})",
                    self.text(condition),
                    self.text(positive),
                    self.text(negative)
                )
            }
        }
    }

    fn call(&self, function: &Expression, arguments: &[Option<Expression>]) -> String {
        if let Expression::Name(name) = function {
            let name = name.to_ascii_lowercase();
            if matches!(name.as_str(), "vect" | "rot" | "rng")
                && let Some(list) = self.numbers(arguments, name == "rot")
            {
                return format!("{name}({})", list.join(", "));
            }
            // A function's name is no constant.
            return name + &self.arguments(arguments);
        }
        self.text(function) + &self.arguments(arguments)
    }

    /// Whether a scope can be left out: compilers look there anyway.
    fn is_silent(&self, scope: &Expression) -> bool {
        let silent =
            |name: &str| ["self", "outer"].iter().any(|scope| name.eq_ignore_ascii_case(scope));
        !self.strict && matches!(scope, Expression::Name(name) if silent(name))
    }

    fn drops_conversion(&self, name: &str) -> bool {
        !self.strict && CONVERSIONS.iter().any(|word| name.eq_ignore_ascii_case(word))
    }

    fn arguments(&self, list: &[Option<Expression>]) -> String {
        let given = list.iter().rposition(Option::is_some).map_or(0, |last| last + 1);
        let written = list[..given]
            .iter()
            .map(|value| value.as_ref().map_or_else(String::new, |value| self.text(value)));
        format!("({})", written.collect::<Vec<_>>().join(", "))
    }

    /// The numbers of `vect()`, `rot()` and `rng()`: what the compiler makes of them, whole or not.
    fn numbers(&self, arguments: &[Option<Expression>], whole: bool) -> Option<Vec<String>> {
        let number = |argument: &Option<Expression>| {
            let argument = argument.as_ref()?;
            let resolved = self.resolved(argument, CONSTANT_DEPTH);
            match *resolved.as_ref().unwrap_or(argument) {
                Expression::Integer(value) if whole => Some(value.to_string()),
                Expression::Integer(value) => Some(self.float(value as f32)),
                Expression::Float(value) if whole => Some((value as i32).to_string()),
                Expression::Float(value) => Some(self.float(value)),
                _ => None,
            }
        };
        arguments.iter().map(number).collect()
    }

    /// The shortest text that reads back the same bits; whole numbers as integers in the lenient grade.
    fn float(&self, value: f32) -> String {
        if !self.strict && value.fract() == 0.0 && value.abs() < I32_LIMIT {
            return (value as i32).to_string();
        }
        format!("{value:?}")
    }

    /// The value that a compiler puts for an expression, if it is not the expression itself.
    fn resolved(&self, expression: &Expression, depth: usize) -> Option<Expression> {
        let depth = depth.checked_sub(1)?;
        match expression {
            Expression::Prefix(operator, value) if operator == "-" => {
                let resolved = self.resolved(value, depth);
                match resolved.as_ref().unwrap_or(value) {
                    Expression::Integer(value) => Some(Expression::Integer(value.wrapping_neg())),
                    Expression::Float(value) => Some(Expression::Float(-value)),
                    _ => None,
                }
            }
            Expression::Name(name) => {
                let name = name.to_ascii_lowercase();
                match self.names.enums.get(&name) {
                    Some(&Some(number)) => Some(Expression::Integer(number as i32)),
                    _ => self.constant(&name, depth),
                }
            }
            Expression::Member(value, name) => match &**value {
                Expression::Name(scope) => {
                    let path = format!("{scope}.{name}").to_ascii_lowercase();
                    let number = (*self.names.enums.get(&path)?)?;
                    Some(Expression::Integer(number as i32))
                }
                Expression::Member(_, scope) if scope.eq_ignore_ascii_case("const") => {
                    self.constant(&name.to_ascii_lowercase(), depth)
                }
                _ => None,
            }
            // A value of an enum behind an object whose class declares it.
            .or_else(|| {
                let number = (*self.names.enums.get(&name.to_ascii_lowercase())?)?;
                Some(Expression::Integer(number as i32))
            }),
            Expression::Call(function, arguments) => match (&**function, &arguments[..]) {
                (Expression::Name(name), [Some(value)]) if self.drops_conversion(name) => {
                    Some(self.resolved(value, depth).unwrap_or_else(|| value.clone()))
                }
                // Members have no class here: their last name has to do.
                (
                    Expression::Name(function),
                    [Some(Expression::Name(counted) | Expression::Member(_, counted))],
                ) => self.constant(&format!("{function}({counted})").to_ascii_lowercase(), depth),
                _ => None,
            },
            _ => None,
        }
    }

    fn constant(&self, name: &str, depth: usize) -> Option<Expression> {
        let mut parser = Parser::new(self.names.constants.get(name)?).ok()?;
        let value = parser.expression(LOOSEST).ok()?;
        let resolved = self.resolved(&value, depth);
        Some(resolved.unwrap_or(value))
    }
}

/// A string's content: a backslash stands for the character behind it, as UE1 and UE2 read it.
fn unescaped(text: &str) -> String {
    let mut characters = text.chars();
    let mut plain = String::new();
    while let Some(character) = characters.next() {
        plain.extend(if character == '\\' { characters.next() } else { Some(character) });
    }
    plain
}

fn escaped(plain: &str) -> String {
    plain.replace('\\', "\\\\").replace('"', "\\\"")
}

fn last_part(path: &str) -> String {
    path.rsplit('.').next().unwrap_or(path).trim().to_ascii_lowercase()
}
