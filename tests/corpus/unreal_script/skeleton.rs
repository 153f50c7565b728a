//! The coarsest grade: which names a body calls and reads, in order.

use super::expression::Expression;
use super::names::Names;
use super::statement::Statement;

/// Names of variables, members and called functions, folded, in the order of the text.
pub fn skeleton(body: &[Statement]) -> String {
    skeleton_without(body, &Names::default())
}

/// The same without the names of constants and enum values, which bytecode does not hold.
pub fn skeleton_without(body: &[Statement], names: &Names) -> String {
    let mut collector = Collector { names, found: Vec::new() };
    collector.statements(body);
    collector.found.join(" ")
}

struct Collector<'a> {
    names: &'a Names,
    found: Vec<String>,
}

impl Collector<'_> {
    fn statements(&mut self, list: &[Statement]) {
        for statement in list {
            self.statement(statement);
        }
    }

    fn statement(&mut self, statement: &Statement) {
        match statement {
            Statement::Empty
            | Statement::Break
            | Statement::Continue
            | Statement::Stop
            | Statement::Label(_) => {}
            Statement::Goto(_) | Statement::Return(None) => {}
            Statement::Block(list) => self.statements(list),
            Statement::Expression(value)
            | Statement::Return(Some(value))
            | Statement::Assert(value) => self.value(value),
            Statement::Assign(target, value) => {
                self.value(target);
                self.value(value);
            }
            Statement::If(condition, positive, negative) => {
                self.value(condition);
                self.statement(positive);
                negative.iter().for_each(|negative| self.statement(negative));
            }
            Statement::While(condition, body) | Statement::ForEach(condition, body) => {
                self.value(condition);
                self.statement(body);
            }
            Statement::DoUntil(body, condition) => {
                self.statement(body);
                condition.iter().for_each(|condition| self.value(condition));
            }
            // The step behind the body, as bytecode has it: then a `while` gives the same.
            Statement::For(start, condition, step, body) => {
                self.statement(start);
                self.value(condition);
                self.statement(body);
                self.statement(step);
            }
            Statement::Switch(value, cases) => {
                self.value(value);
                for case in cases {
                    case.value.iter().for_each(|value| self.value(value));
                    self.statements(&case.body);
                }
            }
        }
    }

    fn value(&mut self, expression: &Expression) {
        match expression {
            Expression::Name(name) => {
                let name = name.to_ascii_lowercase();
                let scope = matches!(
                    name.as_str(),
                    "self" | "outer" | "super" | "global" | "static" | "default"
                );
                if !scope
                    && !self.names.constants.contains_key(&name)
                    && !self.names.enums.contains_key(&name)
                {
                    self.found.push(name);
                }
            }
            Expression::Member(value, name) => {
                self.value(value);
                let name = name.to_ascii_lowercase();
                if !matches!(name.as_str(), "static" | "default" | "const" | "global") {
                    self.found.push(name);
                }
            }
            Expression::Index(value, index) => {
                self.value(value);
                self.value(index);
            }
            Expression::Call(function, arguments) => {
                self.called(function);
                arguments.iter().flatten().for_each(|value| self.value(value));
            }
            Expression::New(given, class, template) => {
                given.iter().for_each(|value| self.value(value));
                self.value(class);
                template.iter().flatten().flatten().for_each(|value| self.value(value));
            }
            Expression::MetaCast(_, value)
            | Expression::Prefix(_, value)
            | Expression::Postfix(value, _) => self.value(value),
            Expression::Binary(_, left, right) => {
                self.value(left);
                self.value(right);
            }
            Expression::Conditional(condition, positive, negative) => {
                self.value(condition);
                self.value(positive);
                self.value(negative);
            }
            _ => {}
        }
    }

    /// A function's name; conversions and constants of vectors are not called.
    fn called(&mut self, function: &Expression) {
        let Expression::Name(name) = function else { return self.value(function) };
        let name = name.to_ascii_lowercase();
        let constant = ["vect", "rot", "rng", "int", "float", "string", "byte", "bool", "name"]
            .contains(&name.as_str());
        if !constant {
            self.found.push(name);
        }
    }
}
