//! The normal text of code: equal for bodies that mean the same.
//!
//! Both grades fold case, write all parentheses and braces, put values for constants and enum values, flatten
//! blocks, and drop empty statements, an empty `else`, an empty last `default:`, and a last `return;` or `stop;`.
//! The lenient grade also writes `for` as `while`, drops explicit conversions between simple types, `self.`, the class
//! of `Super(X)`, `outer.` and a last `break` of a switch, and takes `1` and `1.0` as equal.

use super::expression::Expression;
use super::names::Names;
use super::statement::{Case, Statement};
use super::value::Values;
use std::collections::HashSet;
use std::slice::from_ref;

struct Writer<'a> {
    values: Values<'a>,
    /// Targets of `goto` in a function, in the order of their labels; None in a state, whose labels have names.
    labels: Option<Vec<String>>,
    lines: Vec<String>,
    depth: usize,
    /// For each open loop: the step of a `for` that is written as `while`, which `continue` has to do.
    steps: Vec<Option<Statement>>,
}

/// The normal text of a function's body, one statement a line. Its labels are numbered, as bytecode has no names for
/// them, and those that no `goto` names fall away.
pub fn normal(body: &[Statement], names: &Names, strict: bool) -> String {
    let (mut labels, mut targets) = (Vec::new(), HashSet::new());
    for_each(body, &mut |statement| match statement {
        Statement::Label(name) => labels.push(name.to_ascii_lowercase()),
        Statement::Goto(Expression::Name(name)) => drop(targets.insert(name.to_ascii_lowercase())),
        _ => {}
    });
    labels.retain(|label| targets.contains(label));
    Writer::new(Values { names, strict }, Some(labels)).body(body)
}

/// The normal text of a state's code, one statement a line.
pub fn normal_state(body: &[Statement], names: &Names, strict: bool) -> String {
    Writer::new(Values { names, strict }, None).body(body)
}

/// The statements without blocks around them and without empty ones.
fn flattened(body: &[Statement]) -> Vec<&Statement> {
    let mut flat = Vec::new();
    for statement in body {
        match statement {
            Statement::Empty => {}
            Statement::Block(inner) => flat.extend(flattened(inner)),
            statement => flat.push(statement),
        }
    }
    flat
}

/// Calls `visit` with each statement, those within others too, in the order of the text.
fn for_each(body: &[Statement], visit: &mut impl FnMut(&Statement)) {
    for statement in body {
        visit(statement);
        match statement {
            Statement::Block(inner) => for_each(inner, visit),
            Statement::If(_, positive, negative) => {
                for_each(from_ref(positive), visit);
                negative.iter().for_each(|negative| for_each(from_ref(negative), visit));
            }
            Statement::While(_, inner)
            | Statement::DoUntil(inner, _)
            | Statement::For(.., inner)
            | Statement::ForEach(_, inner) => {
                for_each(from_ref(inner), visit);
            }
            Statement::Switch(_, cases) => {
                cases.iter().for_each(|case| for_each(&case.body, visit))
            }
            _ => {}
        }
    }
}

fn flattened_one(statement: &Statement) -> Vec<&Statement> {
    flattened(from_ref(statement))
}

impl<'a> Writer<'a> {
    fn new(values: Values<'a>, labels: Option<Vec<String>>) -> Self {
        Self { values, labels, lines: Vec::new(), depth: 0, steps: Vec::new() }
    }

    fn body(mut self, body: &[Statement]) -> String {
        let mut flat = flattened(body);
        while matches!(flat.last(), Some(Statement::Return(None) | Statement::Stop)) {
            flat.pop();
        }
        self.statements(&flat);
        self.lines.join("\n")
    }

    /// A label's name, or its number in a function.
    fn label(&self, name: &str) -> Option<String> {
        let name = name.to_ascii_lowercase();
        match &self.labels {
            Some(labels) => {
                Some(format!("label{}", labels.iter().position(|label| *label == name)?))
            }
            None => Some(name),
        }
    }

    fn line(&mut self, text: &str) {
        self.lines.push(format!("{}{text}", "\t".repeat(self.depth)));
    }

    fn statements(&mut self, list: &[&Statement]) {
        for statement in list {
            self.statement(statement);
        }
    }

    /// A head with statements in braces behind it.
    fn braces(&mut self, head: &str, list: &[&Statement]) {
        self.line(&format!("{head} {{"));
        self.depth += 1;
        self.statements(list);
        self.depth -= 1;
        self.line("}");
    }

    /// A loop; `step` is what `continue` does before the condition.
    fn repeated(&mut self, head: &str, body: &Statement, step: Option<&Statement>) {
        let mut list = flattened_one(body);
        list.extend(step);
        self.steps.push(step.cloned());
        self.braces(head, &list);
        self.steps.pop();
    }

    fn statement(&mut self, statement: &Statement) {
        match statement {
            Statement::Empty => {}
            Statement::Block(inner) => self.statements(&flattened(inner)),
            Statement::Expression(value) => {
                let text = self.values.text(value);
                self.line(&format!("{text};"));
            }
            Statement::Assign(target, value) => {
                let text = format!("{} = {};", self.values.base(target), self.values.text(value));
                self.line(&text);
            }
            Statement::If(condition, positive, negative) => {
                let head = format!("if ({})", self.values.text(condition));
                self.braces(&head, &flattened_one(positive));
                let negative =
                    negative.as_ref().map_or_else(Vec::new, |negative| flattened_one(negative));
                if !negative.is_empty() {
                    self.braces("else", &negative);
                }
            }
            Statement::While(condition, body) => {
                let head = format!("while ({})", self.values.text(condition));
                self.repeated(&head, body, None);
            }
            Statement::DoUntil(body, condition) => {
                self.repeated("do", body, None);
                let condition = condition
                    .as_ref()
                    .map_or_else(|| "false".to_owned(), |value| self.values.text(value));
                self.line(&format!("until ({condition});"));
            }
            Statement::For(start, condition, step, body) => {
                self.counted_loop(start, condition, step, body)
            }
            Statement::ForEach(iterator, body) => {
                let head = format!("foreach ({})", self.values.text(iterator));
                self.repeated(&head, body, None);
            }
            Statement::Switch(value, cases) => self.switch(value, cases),
            Statement::Return(None) => self.line("return;"),
            Statement::Return(Some(value)) => {
                let text = format!("return {};", self.values.text(value));
                self.line(&text);
            }
            Statement::Break => self.line("break;"),
            Statement::Continue => {
                if let Some(Some(step)) = self.steps.last().cloned() {
                    self.statement(&step);
                }
                self.line("continue;");
            }
            Statement::Stop => self.line("stop;"),
            Statement::Goto(target) => {
                let text = match target {
                    Expression::Name(label) => {
                        self.label(label).unwrap_or_else(|| label.to_ascii_lowercase())
                    }
                    target => self.values.text(target),
                };
                self.line(&format!("goto {text};"));
            }
            Statement::Assert(value) => {
                let text = format!("assert({});", self.values.text(value));
                self.line(&text);
            }
            Statement::Label(name) => {
                if let Some(label) = self.label(name) {
                    self.line(&format!("{label}:"));
                }
            }
        }
    }

    fn counted_loop(
        &mut self,
        start: &Statement,
        condition: &Expression,
        step: &Statement,
        body: &Statement,
    ) {
        let condition = self.values.text(condition);
        if self.values.strict {
            let part = |part: &Statement| {
                let mut inner = Writer::new(self.values, None);
                inner.statement(part);
                inner.lines.concat().trim_end_matches(';').to_owned()
            };
            let head = format!("for ({}; {condition}; {})", part(start), part(step));
            self.repeated(&head, body, None);
        } else {
            self.statement(start);
            self.repeated(&format!("while ({condition})"), body, Some(step));
        }
    }

    fn switch(&mut self, value: &Expression, cases: &[Case]) {
        let mut bodies: Vec<_> =
            cases.iter().map(|case| (case.value.as_ref(), flattened(&case.body))).collect();
        while let Some((value, body)) = bodies.last_mut() {
            while !self.values.strict && matches!(body.last(), Some(Statement::Break)) {
                body.pop();
            }
            if value.is_some() || !body.is_empty() {
                break;
            }
            bodies.pop();
        }
        let head = format!("switch ({}) {{", self.values.text(value));
        self.line(&head);
        for (value, body) in bodies {
            let label = value.map_or_else(
                || "default:".to_owned(),
                |value| format!("case {}:", self.values.text(value)),
            );
            self.line(&label);
            self.depth += 1;
            self.statements(&body);
            self.depth -= 1;
        }
        self.line("}");
    }
}
