//! Statements as text.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use super::expression::Expressions;
use super::scripts::Scripts;
use crate::error::Result;
use crate::primitive::PackageIndex;
use crate::script::{
    ScriptExpression, ScriptItem, Statement, StatementKind, statements, structured,
};

/// The indentation of a statement.
pub(super) const INDENT: &str = "    ";

/// Code parted into statements, and what does not stand there as one.
pub(super) struct Code {
    pub statements: Vec<ScriptExpression>,
    /// The names of places.
    labels: BTreeMap<u32, String>,
    /// Values of parameters that are left out: UE3 has them at the start.
    pub defaults: Vec<Option<ScriptExpression>>,
}

impl Code {
    /// The code of a function or state; `optional` parameters of it can be left out.
    pub fn of(scripts: &Scripts, index: PackageIndex, optional: usize) -> Result<Self> {
        let items = scripts.structure(index).map_or(&[][..], |object| &object.script.items);
        let none = |name: &crate::Name| scripts.some_text(*name).is_none();
        let mut statements = statements(items, scripts.package.versions(), none)?;
        let mut labels = BTreeMap::new();
        if let Some(at) = statements.iter().rposition(|statement| statement.name == "LabelTable") {
            let mut name = None;
            for item in statements[at].items() {
                match item {
                    ScriptItem::Name(found) => name = scripts.some_text(*found),
                    ScriptItem::Place(place) => {
                        labels.extend(name.take().map(|name| (*place, name)));
                    }
                    _ => {}
                }
            }
            statements.truncate(at);
        }
        let is_mark = ScriptExpression::is_debug_mark;
        statements.retain(|statement| !is_mark(statement));
        let is_default = |statement: &ScriptExpression| match statement.name {
            "DefaultParm" => Some(statement.expressions().find(|value| !is_mark(value)).cloned()),
            "Nothing" => Some(None),
            _ => None,
        };
        let has_defaults = scripts.dialect.has_rich_parameters();
        let count = if has_defaults { optional } else { 0 };
        let defaults: Vec<_> = statements.iter().take(count).map_while(is_default).collect();
        statements.drain(..defaults.len());
        trim(&mut statements, !labels.is_empty() || scripts.function(index).is_none());
        Ok(Self { statements, labels, defaults })
    }

    /// Writes the statements.
    pub fn write(&self, into: &mut Expressions<'_>, depth: usize) {
        let labels: BTreeSet<u32> = self.labels.keys().copied().collect();
        let (found, targets) = structured(&self.statements, &labels);
        let mut writer = Writer { code: self, targets, into };
        writer.block(&found, depth);
        let end = self.statements.last().map_or(0, |last| last.end);
        if !writer.targets.is_empty() {
            writer.label(end, depth);
        }
    }
}

/// Takes away what the compiler has put at the end.
fn trim(statements: &mut Vec<ScriptExpression>, is_state: bool) {
    let says_nothing = |statement: &ScriptExpression| match statement.name {
        "EndOfScript" | "Nothing" => true,
        "Token" => statement.operands.is_empty(),
        _ => false,
    };
    while statements.pop_if(|last| says_nothing(last)).is_some() {}
    if is_state {
        statements.pop_if(|last| last.name == "Stop");
        return;
    }
    statements.pop_if(|last| {
        let value = last.expressions().next();
        let is_empty = value.is_none_or(|value| matches!(value.name, "Nothing" | "ReturnNothing"));
        last.name == "Return" && is_empty
    });
}

struct Writer<'w, 'a> {
    code: &'w Code,
    /// Places that still want a label.
    targets: BTreeSet<u32>,
    into: &'w mut Expressions<'a>,
}

impl Writer<'_, '_> {
    fn line(&mut self, depth: usize, write: impl FnOnce(&mut Expressions<'_>)) {
        self.indent(depth);
        write(self.into);
        self.into.out.push('\n');
    }

    fn indent(&mut self, depth: usize) {
        (0..depth).for_each(|_| self.into.out.push_str(INDENT));
    }

    fn name_of(&self, place: u32) -> String {
        self.code.labels.get(&place).cloned().unwrap_or_else(|| format!("L{place:04x}"))
    }

    /// The label of a place, if something leads there.
    fn label(&mut self, place: u32, depth: usize) {
        if self.targets.remove(&place) {
            let name = self.name_of(place);
            self.line(depth.saturating_sub(1), |it| {
                let _ = write!(it.out, "{name}:");
            });
        }
    }

    fn block(&mut self, block: &[Statement<'_>], depth: usize) {
        for statement in block {
            self.label(statement.place, depth);
            self.statement(statement, depth);
        }
    }

    /// A line, and what stands in braces behind it.
    fn with_body(
        &mut self,
        depth: usize,
        body: &[Statement<'_>],
        head: impl FnOnce(&mut Expressions<'_>),
    ) {
        self.line(depth, head);
        self.braces(depth, body);
        self.into.out.push('\n');
    }

    /// Statements in braces, without a line's end behind them.
    fn braces(&mut self, depth: usize, body: &[Statement<'_>]) {
        self.line(depth, |it| it.out.push('{'));
        self.block(body, depth + 1);
        self.indent(depth);
        self.into.out.push('}');
    }

    fn statement(&mut self, statement: &Statement<'_>, depth: usize) {
        let word = |text: &str, it: &mut Expressions<'_>| it.out.push_str(text);
        match &statement.kind {
            StatementKind::Plain(whole) => self.plain(whole, depth),
            StatementKind::If(condition, then, other) => {
                self.branch(condition, then, other.as_deref(), depth)
            }
            StatementKind::While(condition, body) => self.with_body(depth, body, |it| {
                word("while (", it);
                it.write(condition);
                word(")", it);
            }),
            StatementKind::For([start, condition, step], body) => {
                self.with_body(depth, body, |it| {
                    word("for (", it);
                    it.write(start);
                    word("; ", it);
                    it.write(condition);
                    word("; ", it);
                    it.write(step);
                    word(")", it);
                });
            }
            StatementKind::DoUntil(body, condition) => {
                self.line(depth, |it| word("do", it));
                self.braces(depth, body);
                match condition {
                    Some(condition) => {
                        word(" until (", self.into);
                        self.into.write(condition);
                        word(");\n", self.into);
                    }
                    None => word("\n", self.into),
                }
            }
            StatementKind::Foreach(whole, body) => self.with_body(depth, body, |it| {
                word("foreach ", it);
                match whole.name {
                    "Iterator" => whole.expressions().take(1).for_each(|inner| it.write(inner)),
                    _ => it.write_elements(whole),
                }
            }),
            StatementKind::Switch(value, cases) => {
                self.line(depth, |it| {
                    word("switch (", it);
                    it.write(value);
                    word(")", it);
                });
                self.line(depth, |it| word("{", it));
                for (at, case) in cases.iter().enumerate() {
                    // Every switch has a default; one that says nothing was not written.
                    if case.value.is_none() && case.body.is_empty() && at + 1 == cases.len() {
                        continue;
                    }
                    self.line(depth + 1, |it| match case.value {
                        Some(of) => {
                            word("case ", it);
                            it.write_beside(of, value);
                            word(":", it);
                        }
                        None => word("default:", it),
                    });
                    self.block(&case.body, depth + 2);
                }
                self.line(depth, |it| word("}", it));
            }
            StatementKind::End => {}
            StatementKind::Break => self.line(depth, |it| word("break;", it)),
            StatementKind::Continue => self.line(depth, |it| word("continue;", it)),
            StatementKind::Goto(place) => {
                let name = self.name_of(*place);
                self.line(depth, |it| {
                    let _ = write!(it.out, "goto {name};");
                });
            }
            StatementKind::GotoUnless(condition, place) => {
                let name = self.name_of(*place);
                self.line(depth, |it| {
                    word("if (!(", it);
                    it.write(condition);
                    let _ = write!(it.out, ")) goto {name};");
                });
            }
        }
    }

    fn branch(
        &mut self,
        condition: &ScriptExpression,
        then: &[Statement<'_>],
        other: Option<&[Statement<'_>]>,
        depth: usize,
    ) {
        self.line(depth, |it| {
            it.out.push_str("if (");
            it.write(condition);
            it.out.push(')');
        });
        self.braces(depth, then);
        self.into.out.push('\n');
        let Some(other) = other else { return };
        match other {
            [Statement { place, kind: StatementKind::If(condition, then, other) }]
                if !self.targets.contains(place) =>
            {
                self.indent(depth);
                self.into.out.push_str("else ");
                let start = self.into.out.len();
                self.branch(condition, then, other.as_deref(), depth);
                // The line of the `else` is indented already.
                self.into.out.replace_range(start..start + depth * INDENT.len(), "");
            }
            _ => {
                self.line(depth, |it| it.out.push_str("else"));
                self.braces(depth, other);
                self.into.out.push('\n');
            }
        }
    }

    fn plain(&mut self, whole: &ScriptExpression, depth: usize) {
        let inner = || whole.expressions().next();
        let given = |value: &ScriptExpression| !matches!(value.name, "Nothing" | "ReturnNothing");
        match whole.name {
            "Nothing" | "EndOfScript" | "EatReturnValue" | "FilterEditorOnly" => {}
            "Return" => self.line(depth, |it| match inner().filter(|value| given(value)) {
                Some(value) => {
                    it.out.push_str("return ");
                    let result = it.scripts.result(it.code_of);
                    it.write_for(value, result);
                    it.out.push(';');
                }
                None => it.out.push_str("return;"),
            }),
            "Stop" => self.line(depth, |it| it.out.push_str("stop;")),
            "Assert" => self.line(depth, |it| {
                it.out.push_str("assert(");
                inner().into_iter().for_each(|value| it.write(value));
                it.out.push_str(");");
            }),
            "GotoLabel" => self.line(depth, |it| match inner() {
                Some(value) if value.name == "NameConst" => {
                    it.out.push_str("goto ");
                    it.write(value);
                    it.out.push(';');
                }
                value => {
                    it.out.push_str("goto(");
                    value.into_iter().for_each(|value| it.write(value));
                    it.out.push_str(");");
                }
            }),
            _ => self.line(depth, |it| {
                it.write(whole);
                it.out.push(';');
            }),
        }
    }
}
