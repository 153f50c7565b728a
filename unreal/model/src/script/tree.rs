//! Code as expressions: each token with all that belongs to it.

use super::ScriptItem;
use super::expression::{Source, expression, misplaced};
use super::grammar::{Grammar, token_name};
use super::walk::starts_with;
use crate::Versions;
use crate::error::{Error, ErrorKind, Result};
use crate::primitive::Name;

/// A token and what it takes.
#[derive(Debug, Clone)]
pub struct ScriptExpression {
    /// Where it starts in memory, bytes, as jumps count.
    pub place: u32,
    /// Where what follows it starts.
    pub end: u32,
    /// The token.
    pub token: u8,
    /// Its name in the versions of the code.
    pub name: &'static str,
    /// Its operands, in stored order.
    pub operands: Vec<ScriptOperand>,
}

/// An operand of a token.
#[derive(Debug, Clone)]
pub enum ScriptOperand {
    /// A number, name, reference or text.
    Item(ScriptItem),
    /// Another expression.
    Expression(ScriptExpression),
}

/// Two are the same that say the same, wherever they stand.
impl PartialEq for ScriptExpression {
    fn eq(&self, other: &Self) -> bool {
        self.token == other.token && self.operands == other.operands
    }
}

impl PartialEq for ScriptOperand {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            // How far to skip follows from what is skipped.
            (Self::Item(ScriptItem::Skip(_)), Self::Item(ScriptItem::Skip(_))) => true,
            (Self::Item(one), Self::Item(two)) => one == two,
            (Self::Expression(one), Self::Expression(two)) => one == two,
            _ => false,
        }
    }
}

impl ScriptExpression {
    /// Whether it marks a line or a place for the debugger, or the end of a parameter's value: debug builds alone
    /// have these.
    #[doc(hidden)]
    pub fn is_debug_mark(&self) -> bool {
        matches!(
            self.name,
            "DebugInfo"
                | "LineNumber"
                | "EndParmValue"
                | "EndFunctionParms"
                | "BeginFunction"
                | "NativeParm"
        )
    }

    /// The expressions among what it takes.
    pub fn expressions(&self) -> impl DoubleEndedIterator<Item = &Self> {
        self.operands.iter().filter_map(|operand| match operand {
            ScriptOperand::Expression(inner) => Some(inner),
            ScriptOperand::Item(_) => None,
        })
    }

    /// Its further operands.
    pub fn items(&self) -> impl DoubleEndedIterator<Item = &ScriptItem> {
        self.operands.iter().filter_map(|operand| match operand {
            ScriptOperand::Item(item) => Some(item),
            ScriptOperand::Expression(_) => None,
        })
    }

    /// The place that it jumps to, if it does.
    pub fn jump(&self) -> Option<u32> {
        self.items().find_map(|item| match item {
            ScriptItem::Label(place) => Some(*place),
            _ => None,
        })
    }
}

struct Growing<'a, N: Fn(&Name) -> bool> {
    items: &'a [ScriptItem],
    at: usize,
    place: u32,
    /// Whole statements.
    done: Vec<ScriptExpression>,
    /// Expressions whose operands are being taken, and their depths.
    open: Vec<(u32, ScriptExpression)>,
    versions: &'a Versions,
    grammar: Grammar,
    none: N,
}

impl<N: Fn(&Name) -> bool> Growing<'_, N> {
    /// Ends what is as deep as this or deeper.
    fn close(&mut self, depth: u32) {
        while let Some((_, mut whole)) = self.open.pop_if(|(open, _)| *open >= depth) {
            whole.end = self.place;
            match self.open.last_mut() {
                Some((_, outer)) => outer.operands.push(ScriptOperand::Expression(whole)),
                None => self.done.push(whole),
            }
        }
    }
}

impl<N: Fn(&Name) -> bool> Source for Growing<'_, N> {
    fn grammar(&self) -> &Grammar {
        &self.grammar
    }

    fn token(&mut self, depth: u32) -> Result<u8> {
        let token = self.take(ScriptItem::Token(0), depth)?.token();
        token.ok_or_else(|| misplaced(self))
    }

    fn pass(&mut self, blank: ScriptItem, depth: u32) -> Result<()> {
        self.take(blank, depth).map(drop)
    }

    fn take(&mut self, _: ScriptItem, depth: u32) -> Result<&ScriptItem> {
        let Some(item) = self.items.get(self.at) else {
            return Err(ErrorKind::UnexpectedEnd { needed: 1, remaining: 0 }.into());
        };
        if let Some(token) = item.token() {
            self.close(depth);
            let (place, name) = (self.place, token_name(token, self.versions));
            let whole = ScriptExpression { place, end: place, token, name, operands: Vec::new() };
            self.open.push((depth, whole));
        } else {
            self.close(depth + 1);
            if let Some((_, whole)) = self.open.last_mut() {
                whole.operands.push(ScriptOperand::Item(item.clone()));
            }
        }
        self.place = self.place.saturating_add(item.memory_size(self.versions));
        self.at += 1;
        Ok(item)
    }

    fn is_none(&self, name: &Name) -> bool {
        (self.none)(name)
    }

    fn follows(&mut self, token: u8, number: u32) -> Result<bool> {
        Ok(starts_with(self.items.get(self.at..).unwrap_or_default(), token, number))
    }

    fn fail(&self, kind: ErrorKind) -> Error {
        kind.into()
    }
}

/// The statements of code; `none` tells which names mean none.
///
/// # Errors
/// An item that does not follow the grammar; code that was loaded always does.
pub fn statements(
    items: &[ScriptItem],
    versions: &Versions,
    none: impl Fn(&Name) -> bool,
) -> Result<Vec<ScriptExpression>> {
    let (done, open, grammar) = (Vec::new(), Vec::new(), Grammar::new(versions));
    let mut growing = Growing { items, at: 0, place: 0, done, open, versions, grammar, none };
    while growing.at < growing.items.len() {
        expression(&mut growing, 0)?;
    }
    growing.close(0);
    Ok(growing.done)
}
