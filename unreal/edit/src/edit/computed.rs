//! Values that are computed from what objects have: twice as bright, 64 units higher.

use super::Edit;
use super::property::PropertyChange;
use crate::error::{Error, Result};
use crate::inspect::{Answer, Defaults, Formula, FormulaNumber, Inherited, PackageValues, Subject};
use crate::property::{PropertyKind, Type};

/// How a value comes out of an expression and the value before.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Computation {
    /// It is the value of the expression (`:=`).
    Replace,
    /// The sum (`+=`).
    Add,
    /// The difference (`-=`).
    Subtract,
    /// The product (`*=`).
    Multiply,
    /// The quotient (`/=`).
    Divide,
}

impl Computation {
    /// The path of an assignment without the operator at its end, and that operator: `LightBrightness*` of
    /// `LightBrightness*=2`.
    pub fn split(path: &str) -> (&str, Option<Self>) {
        let operators = [
            (':', Self::Replace),
            ('+', Self::Add),
            ('-', Self::Subtract),
            ('*', Self::Multiply),
            ('/', Self::Divide),
        ];
        let path = path.trim_end();
        for (operator, computation) in operators {
            if let Some(rest) = path.strip_suffix(operator) {
                return (rest.trim_end(), Some(computation));
            }
        }
        (path, None)
    }

    fn of(self, old: FormulaNumber, new: FormulaNumber) -> Result<FormulaNumber> {
        let text = |operator: &str| format!("value {operator} operand").parse::<Formula>();
        let expression = match self {
            Self::Replace => return Ok(new),
            Self::Add => text("+")?,
            Self::Subtract => text("-")?,
            Self::Multiply => text("*")?,
            Self::Divide => text("/")?,
        };
        let found = expression.evaluate(&mut Operands { old, new })?;
        found.number().ok_or_else(|| Error::invalid("the result is no number"))
    }
}

/// The two sides of an assignment.
struct Operands {
    old: FormulaNumber,
    new: FormulaNumber,
}

impl Subject for Operands {
    fn value(&mut self, path: &str) -> Answer {
        Answer::Number(if path == "value" { self.old } else { self.new })
    }

    fn stores(&mut self, _: &str) -> bool {
        true
    }
}

/// An object whose value before is called `value`.
struct WithValue<'a> {
    object: &'a mut dyn Subject,
    value: Option<Answer>,
}

impl Subject for WithValue<'_> {
    fn value(&mut self, path: &str) -> Answer {
        match (&self.value, path.eq_ignore_ascii_case("value")) {
            (Some(value), true) => value.clone(),
            _ => self.object.value(path),
        }
    }

    fn stores(&mut self, path: &str) -> bool {
        self.object.stores(path)
    }

    fn is(&mut self, path: &str, text: &str) -> Option<bool> {
        self.object.is(path, text)
    }
}

impl Edit {
    /// Sets a property to what an expression comes to: over the values that the object has, its own or those of its
    /// class as far as they are known. Whole numbers are rounded, halves away from zero. Of a struct, fields in
    /// parentheses are computed one by one: `(Z=64)`.
    ///
    /// # Errors
    /// `Invalid` for an expression that is none, a value that is not known or no number, a result that its type can't
    /// hold; as [`Edit::set_property`].
    pub fn compute_property(
        &mut self,
        object: &str,
        property: &str,
        computation: Computation,
        text: &str,
        defaults: Option<&dyn Defaults>,
    ) -> Result<Vec<PropertyChange>> {
        if let Some(fields) = fields(text) {
            self.store_inherited(object, property, defaults)?;
            let mut changes = Vec::new();
            for (field, text) in fields {
                let path = format!("{property}.{field}");
                changes.extend(self.compute_property(
                    object,
                    &path,
                    computation,
                    text,
                    defaults,
                )?);
            }
            return Ok(changes);
        }
        let expression: Formula = text.parse()?;
        let row = self.find_export(object)?;
        let text = {
            let effective = self.values().with_defaults(defaults).effective();
            let mut subject = effective.subject(row);
            let old = subject.value(property);
            let mut computing = WithValue { object: &mut subject, value: Some(old.clone()) };
            let new = expression.evaluate(&mut computing)?;
            let unknown = |what: &str| {
                let reason = format!(
                    "{what} is not stored, and nothing here says what its class has: name the game's folder \
                     with --env, or choose those that store it with --where 'stored({property})'"
                );
                self.values().about(row, Error::invalid(reason))
            };
            match (computation, &new) {
                (_, Answer::Unknown) => return Err(unknown(&format!("a value of '{text}'"))),
                (Computation::Replace, Answer::Text(text) | Answer::Choice(_, text)) => {
                    text.clone()
                }
                (Computation::Replace, Answer::Truth(truth)) => truth.to_string(),
                _ => {
                    let no_number = |shown: &Answer| {
                        let reason =
                            format!("'{property}' is no number to compute with: {shown:?}");
                        self.values().about(row, Error::invalid(reason))
                    };
                    let new = new.number().ok_or_else(|| no_number(&new))?;
                    let old = match (&old, computation) {
                        (_, Computation::Replace) => new,
                        (Answer::Unknown, _) => return Err(unknown(&format!("'{property}'"))),
                        (old, _) => old.number().ok_or_else(|| no_number(old))?,
                    };
                    let number = computation.of(old, new)?;
                    let known = match effective.value(row, property)? {
                        Inherited::Value(value) => Some(value.property_type),
                        _ => effective.type_of(row, property),
                    };
                    number_text(number, known.as_ref())
                }
            }
        };
        Ok(vec![self.set_property(object, property, &text)?])
    }
}

/// Properties that are zero in every class of every engine, unless an object stores them, with their type.
const ZERO: &[(&str, &str, &str)] = &[
    ("Location", "struct:Vector", "(X=0,Y=0,Z=0)"),
    ("RelativeLocation", "struct:Vector", "(X=0,Y=0,Z=0)"),
    ("Velocity", "struct:Vector", "(X=0,Y=0,Z=0)"),
    ("PrePivot", "struct:Vector", "(X=0,Y=0,Z=0)"),
    ("Rotation", "struct:Rotator", "(Pitch=0,Yaw=0,Roll=0)"),
    ("RelativeRotation", "struct:Rotator", "(Pitch=0,Yaw=0,Roll=0)"),
];

impl Edit {
    /// Stores the value that an object has without storing it, so that a part of it can be changed: that of its
    /// archetype or class, or zero for its place and its rotation. Says whether it stored one; nothing happens where
    /// the value is stored already, or where nothing says it.
    ///
    /// # Errors
    /// As [`Edit::set_property`].
    pub fn store_inherited(
        &mut self,
        object: &str,
        property: &str,
        defaults: Option<&dyn Defaults>,
    ) -> Result<bool> {
        let row = self.find_export(object)?;
        if self.values().property(object, property).is_ok() {
            return Ok(false);
        }
        let inherited = {
            let effective = self.values().with_defaults(defaults).effective();
            match effective.value(row, property)? {
                Inherited::Value(value) => Some(value.text),
                _ => None,
            }
        };
        if let Some(text) = inherited {
            return self.set_property(object, property, &text).map(|_| true);
        }
        let zero = ZERO.iter().find(|known| known.0.eq_ignore_ascii_case(property));
        let Some((_, known, text)) = zero else { return Ok(false) };
        self.add_property_or(object, property, &known.parse()?, text).map(|_| true)
    }

    /// Sets a property as [`Edit::set_property`] does; of a struct that is not stored and only some of whose fields
    /// are given, the others are those that the object inherits.
    ///
    /// # Errors
    /// As [`Edit::set_property`].
    pub fn set_property_over(
        &mut self,
        object: &str,
        property: &str,
        text: &str,
        defaults: Option<&dyn Defaults>,
    ) -> Result<PropertyChange> {
        if fields(text).is_none() || self.values().property(object, property).is_ok() {
            return self.set_property(object, property, text);
        }
        self.transact(|edit| {
            let is_new = edit.store_inherited(object, property, defaults)?;
            let done = edit.set_property(object, property, text)?;
            let old = if is_new { None } else { done.old.clone() };
            Ok(PropertyChange { old, ..done })
        })
    }
}

/// A number as a value of a type has it.
fn number_text(number: FormulaNumber, known: Option<&Type>) -> String {
    match known.map(Type::kind) {
        Some(PropertyKind::Float | PropertyKind::Struct | PropertyKind::Unknown) | None => {
            match number {
                // As many digits as the type has.
                FormulaNumber::Real(number) => (number as f32).to_string(),
                whole => whole.to_string(),
            }
        }
        Some(PropertyKind::Double) => number.to_string(),
        Some(_) => number.rounded().to_string(),
    }
}

/// The fields of a struct in parentheses, each with its expression; `None` for anything else.
fn fields(text: &str) -> Option<Vec<(&str, &str)>> {
    let inner = text.trim().strip_prefix('(')?.strip_suffix(')')?;
    let (mut depth, mut start, mut parts) = (0_u32, 0, Vec::new());
    for (at, character) in inner.char_indices() {
        match character {
            '(' => depth += 1,
            ')' => depth = depth.checked_sub(1)?,
            ',' if depth == 0 => {
                parts.push(&inner[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&inner[start..]);
    let field = |part: &'_ str| -> Option<(usize, usize)> {
        let at = part.find('=')?;
        let name = part[..at].trim();
        let is_name = !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '_');
        (is_name && !part[at + 1..].starts_with('=')).then_some((at, at + 1))
    };
    parts
        .into_iter()
        .map(|part| field(part).map(|(end, start)| (part[..end].trim(), part[start..].trim())))
        .collect()
}
